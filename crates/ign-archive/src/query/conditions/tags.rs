//! Conditions on tags other than those of the players.

use ign_format::error::{Error, Result};
use regex::{Regex, RegexBuilder};

use crate::{
    index::{
        Facts, IndexColumn,
        columns::{date_of, eco_of, result_of},
    },
    plan::{Evaluate, Narrowing, Plan, Test, Value},
    query::{
        condition::{Condition, Form, Heading, IndexSection, Reads, several},
        entries::Query,
    },
    text::decode_text,
    values::{Date, Eco, GameId, GameResult, Ranges, Speed, TextPattern},
};

pub const DATE: Condition = Condition {
    name: "date",
    form: Form::Dates,
    heading: Heading::Tags,
    label: "Date",
    help: "UTCDate tag, or else Date tag: 2013-01-05, 2013-01, 2013, ranges 2013-01-05..2013-01-07, or \
           several with commas",
    example: "2013-01-05..2013-01-07,2014",
    reads: Reads::Numbers(&["UTCDate", "Date"]),
    section: Some(IndexSection::Columns),
    read: |text| Ok(Box::new(Dates(text.parse()?))),
};

/// The date. All days that it can mean must be in one of the ranges.
#[derive(Debug)]
struct Dates(Ranges<Date>);

impl Dates {
    fn hold(&self, date: Date) -> bool {
        self.0.iter().any(|range| date.is_in(range))
    }
}

impl Evaluate for Dates {
    fn plan<'q>(&'q self, name: &'static str, plan: &mut Plan<'q>) {
        let is_in = |values: &[Value]| {
            // The first that is a date counts.
            let mut dates = values.iter().filter_map(|value| Date::read((*value)?));
            dates.next().is_some_and(|date| self.hold(date))
        };
        plan.tags(name, ["UTCDate", "Date"], Test::Together(Box::new(is_in)));
    }

    fn narrow(&self, name: &'static str, index: &mut Narrowing) -> Result<bool> {
        index.column(name, IndexColumn::Date, |value| {
            value.is_some_and(|number| self.hold(date_of(number)))
        })
    }

    fn decide(&self, facts: &Facts) -> Option<bool> {
        Some(facts.date.is_some_and(|date| self.hold(date)))
    }
}

pub const RESULT: Condition = Condition {
    name: "result",
    form: Form::Choices(&["1-0", "0-1", "1/2-1/2", "*", "0-0"]),
    heading: Heading::Tags,
    label: "Result",
    help: "Result: 1-0, 0-1, 1/2-1/2, *, 0-0, white, black, draw, unknown; several with commas",
    example: "1-0,draw",
    reads: Reads::FewValues(&["Result"]),
    section: Some(IndexSection::Columns),
    read: |text| Ok(Box::new(Results(several(text, str::parse)?))),
};

/// The result is one of these.
#[derive(Debug)]
struct Results(Vec<GameResult>);

impl Evaluate for Results {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        plan.results = Some(&self.0);
    }

    fn narrow(&self, name: &'static str, index: &mut Narrowing) -> Result<bool> {
        index.column(name, IndexColumn::Result, |value| {
            let result = value.and_then(result_of);
            result.is_some_and(|result| self.0.contains(&result))
        })
    }

    fn decide(&self, facts: &Facts) -> Option<bool> {
        Some(facts.result.is_some_and(|result| self.0.contains(&result)))
    }
}

pub const ECO: Condition = Condition {
    name: "eco",
    form: Form::Codes,
    heading: Heading::Tags,
    label: "ECO code",
    help: "ECO code: B20, B20..B99, or several with commas",
    example: "B20..B99,C00",
    reads: Reads::Derived(&["ECO"]),
    section: Some(IndexSection::Columns),
    read: |text| Ok(Box::new(EcoCodes(text.parse()?))),
};

/// The ECO tag.
#[derive(Debug)]
struct EcoCodes(Ranges<Eco>);

impl Evaluate for EcoCodes {
    fn plan<'q>(&'q self, name: &'static str, plan: &mut Plan<'q>) {
        let is_in = |value: &[u8]| Eco::read(value).is_some_and(|code| self.0.contains(&code));
        plan.tags(name, ["ECO"], Test::All(Box::new(is_in)));
    }

    fn narrow(&self, name: &'static str, index: &mut Narrowing) -> Result<bool> {
        index.column(name, IndexColumn::Eco, |value| {
            let code = value.and_then(eco_of);
            code.is_some_and(|code| self.0.contains(&code))
        })
    }
}

pub const SPEED: Condition = Condition {
    name: "speed",
    form: Form::Choices(&[
        "ultraBullet",
        "bullet",
        "blitz",
        "rapid",
        "classical",
        "correspondence",
    ]),
    heading: Heading::Tags,
    label: "Speed",
    help: "Speed by the time control: ultraBullet, bullet, blitz, rapid, classical, \
           correspondence; several with commas",
    example: "blitz,rapid",
    reads: Reads::FewValues(&["TimeControl"]),
    section: Some(IndexSection::Columns),
    read: |text| Ok(Box::new(Speeds(several(text, str::parse)?))),
};

/// The speed that follows from the TimeControl tag is one of these.
#[derive(Debug)]
struct Speeds(Vec<Speed>);

impl Speeds {
    fn hold(&self, time_control: &[u8]) -> bool {
        Speed::of_time_control(time_control).is_some_and(|speed| self.0.contains(&speed))
    }
}

impl Evaluate for Speeds {
    fn plan<'q>(&'q self, name: &'static str, plan: &mut Plan<'q>) {
        plan.tags(
            name,
            ["TimeControl"],
            Test::All(Box::new(|value| self.hold(value))),
        );
    }

    fn narrow(&self, name: &'static str, index: &mut Narrowing) -> Result<bool> {
        index.dictionary(name, IndexColumn::TimeControl, |value| {
            value.is_some_and(|value| self.hold(value))
        })
    }

    fn decide(&self, facts: &Facts) -> Option<bool> {
        Some(facts.speed.is_some_and(|speed| self.0.contains(&speed)))
    }
}

pub const OPENING_NAME: Condition = Condition {
    name: "opening_name",
    form: Form::Pattern,
    heading: Heading::Tags,
    label: "Opening tag",
    help: "Opening tag",
    example: "Sicilian*",
    reads: Reads::Derived(&["Opening"]),
    section: None,
    read: |text| Ok(Box::new(Text::new("Opening", text))),
};

pub const TIME_CONTROL: Condition = Condition {
    name: "time_control",
    label: "Time control",
    help: "TimeControl tag",
    example: "300+3",
    reads: Reads::FewValues(&["TimeControl"]),
    section: Some(IndexSection::Columns),
    read: |text| Ok(Box::new(Text::new("TimeControl", text))),
    ..OPENING_NAME
};

pub const EVENT: Condition = Condition {
    name: "event",
    label: "Event",
    help: "Event tag",
    example: "Rated Blitz*",
    reads: Reads::FewValues(&["Event"]),
    read: |text| Ok(Box::new(Text::new("Event", text))),
    ..OPENING_NAME
};

pub const SITE: Condition = Condition {
    name: "site",
    label: "Site",
    help: "Site tag",
    example: "London*",
    reads: Reads::Texts(&["Site"]),
    read: |text| Ok(Box::new(Text::new("Site", text))),
    ..OPENING_NAME
};

pub const TERMINATION: Condition = Condition {
    name: "termination",
    label: "Termination",
    help: "Termination tag",
    example: "Time forfeit",
    reads: Reads::FewValues(&["Termination"]),
    section: Some(IndexSection::Columns),
    read: |text| Ok(Box::new(Text::new("Termination", text))),
    ..OPENING_NAME
};

/// The whole value of a tag.
#[derive(Debug)]
struct Text {
    tag: &'static str,
    pattern: TextPattern,
}

impl Text {
    fn new(tag: &'static str, pattern: impl Into<TextPattern>) -> Self {
        Self {
            tag,
            pattern: pattern.into(),
        }
    }
}

impl Evaluate for Text {
    fn plan<'q>(&'q self, name: &'static str, plan: &mut Plan<'q>) {
        let matches = |value: &[u8]| self.pattern.matches(value);
        plan.tags(name, [self.tag], Test::All(Box::new(matches)));
    }

    fn narrow(&self, name: &'static str, index: &mut Narrowing) -> Result<bool> {
        let column = match self.tag {
            "TimeControl" => IndexColumn::TimeControl,
            "Termination" => IndexColumn::Termination,
            _ => return Ok(false),
        };
        index.dictionary(name, column, |value| {
            value.is_some_and(|value| self.pattern.matches(value))
        })
    }
}

pub const TAG: Condition = Condition {
    name: "tag",
    form: Form::Expression,
    heading: Heading::Tags,
    label: "Other tags",
    help: "A tag by a regular expression, which may match anywhere in the value: Round=^3; \
           repeatable. Case and accents matter; Event=(?i)open ignores case",
    example: "Round=^3",
    reads: Reads::NamedTag,
    section: None,
    read: |text| {
        let (name, regex) = text
            .split_once('=')
            .filter(|(name, _)| !name.is_empty())
            .ok_or_else(|| {
                Error::usage(format!("'{text}' names no tag"))
                    .with_remedy("write NAME=REGEX, such as TimeControl=^300")
            })?;
        Ok(Box::new(Expression::new(name, regex)?))
    },
};

/// A regular expression for the value of a tag.
#[derive(Debug)]
struct Expression {
    tag: String,
    regex: Regex,
}

impl Expression {
    /// The greatest size in bytes of a compiled regular expression. Matching takes linear time
    /// whatever the expression.
    const MAX_SIZE: usize = 1 << 20;

    fn new(tag: &str, regex: &str) -> Result<Self> {
        let built = RegexBuilder::new(regex).size_limit(Self::MAX_SIZE).build();
        let regex = built.map_err(|error| {
            Error::usage(format!(
                "'{regex}' is not a regular expression: {}",
                reason(&error)
            ))
            .with_remedy("write '\\' before ( ) [ ] { } . * + ? | ^ $ to find the character itself")
        })?;
        Ok(Self {
            tag: tag.to_owned(),
            regex,
        })
    }
}

/// Why a regular expression is not valid, in a line.
fn reason(error: &regex::Error) -> String {
    if let regex::Error::CompiledTooBig(_) = error {
        return "it is too long".to_owned();
    }
    // The last line of a drawing of the expression with the place of the error below it.
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.trim_start_matches("error: ").to_owned()
}

impl Evaluate for Expression {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        let matches = |value: &[u8]| self.regex.is_match(&decode_text(value));
        plan.tags(&self.tag, [&*self.tag], Test::All(Box::new(matches)));
    }
}

pub const ID: Condition = Condition {
    name: "id",
    form: Form::Id,
    heading: Heading::Tags,
    label: "Id on the server",
    help: "The id of the game on its server, or its address: https://lichess.org/j1dkb5dw",
    example: "j1dkb5dw",
    reads: Reads::Texts(GameId::TAGS),
    section: None,
    read: |text| Ok(Box::new(text.parse::<GameId>()?)),
};

impl Evaluate for GameId {
    fn plan<'q>(&'q self, name: &'static str, plan: &mut Plan<'q>) {
        let matches = |value: &[u8]| self.matches(value);
        plan.tags(
            name,
            Self::TAGS.iter().copied(),
            Test::Any(Box::new(matches)),
        );
    }
}

impl Query {
    /// The UTCDate tag, or the Date tag if UTCDate is missing or no date, in one of these ranges.
    /// All days that a date with unknown parts can mean must be in the same range.
    pub fn date(self, ranges: impl Into<Ranges<Date>>) -> Self {
        self.with(&DATE, Dates(ranges.into()))
    }

    /// The result is one of these: that of the Result tag, or of the end of the movetext if the tag
    /// does not state how the game ended.
    pub fn result(self, results: impl IntoIterator<Item = GameResult>) -> Self {
        self.with(&RESULT, Results(results.into_iter().collect()))
    }

    /// The ECO tag, in one of these ranges.
    pub fn eco(self, ranges: impl Into<Ranges<Eco>>) -> Self {
        self.with(&ECO, EcoCodes(ranges.into()))
    }

    /// The Opening tag.
    pub fn opening_name(self, name: impl Into<TextPattern>) -> Self {
        self.with(&OPENING_NAME, Text::new("Opening", name))
    }

    /// The TimeControl tag.
    pub fn time_control(self, text: impl Into<TextPattern>) -> Self {
        self.with(&TIME_CONTROL, Text::new("TimeControl", text))
    }

    /// The speed that follows from the TimeControl tag is one of these.
    pub fn speed(self, speeds: impl IntoIterator<Item = Speed>) -> Self {
        self.with(&SPEED, Speeds(speeds.into_iter().collect()))
    }

    /// The Event tag.
    pub fn event(self, text: impl Into<TextPattern>) -> Self {
        self.with(&EVENT, Text::new("Event", text))
    }

    /// The Site tag.
    pub fn site(self, text: impl Into<TextPattern>) -> Self {
        self.with(&SITE, Text::new("Site", text))
    }

    /// The Termination tag.
    pub fn termination(self, text: impl Into<TextPattern>) -> Self {
        self.with(&TERMINATION, Text::new("Termination", text))
    }

    /// A regular expression for a tag, which may match anywhere in the value. The value is text
    /// without escapes: UTF-8, or ISO 8859-1. Each call adds a condition.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if the expression is invalid or too large.
    pub fn tag(self, name: &str, regex: &str) -> Result<Self> {
        Ok(self.with(&TAG, Expression::new(name, regex)?))
    }

    /// The id or the address of the game on its server.
    pub fn id(self, id: GameId) -> Self {
        self.with(&ID, id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_date_counts() {
        let query = Query::new().date("2013".parse::<Ranges<Date>>().unwrap());
        let plan = query.plan();
        let date = &plan.tags[0];
        assert!(date.holds(&[Some(b"2013.01.02"), Some(b"2012.12.31")]));
        assert!(date.holds(&[Some(b"????.??.??"), Some(b"2013.??.??")]));
        assert!(!date.holds(&[Some(b"2012.12.31"), Some(b"2013.01.01")]));
        assert!(!date.holds(&[None, None]));
    }

    #[test]
    fn the_words_are_those_of_the_values() {
        let (Form::Choices(speeds), Form::Choices(results)) = (SPEED.form, RESULT.form) else {
            panic!("results and speeds are words");
        };
        assert!(
            speeds
                .iter()
                .copied()
                .eq(Speed::ALL.iter().map(|speed| speed.name()))
        );
        assert!(
            results
                .iter()
                .all(|result| GameResult::read(result.as_bytes()).is_some())
        );
    }

    #[test]
    fn expressions_that_are_invalid_or_explode_are_errors() {
        assert!(TAG.check("Site=lichess").is_ok());
        for wrong in [
            "Site",
            "=x",
            "Site=(",
            "Site=[z-a]",
            "Site=(?=x)",
            "Site=(a{1000}){1000}",
        ] {
            let error = TAG.check(wrong).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::Usage, "{wrong}");
        }
    }
}
