//! Conditions on players and their ratings.

use std::fmt::Debug;

use ign_format::error::{Error, Result};

use crate::{
    index::{Facts, IndexColumn},
    plan::{Evaluate, Narrowing, Plan, Test, Value},
    query::{
        condition::{Condition, Form, Heading, IndexSection, Reads},
        entries::Query,
    },
    text::unescape,
    values::{Ranges, TextPattern, read_rating},
};

pub const WHITE: Condition = Condition {
    name: "white",
    form: Form::Pattern,
    heading: Heading::Players,
    label: "White",
    help: "White's name: the whole name, * matches any text",
    example: "Carlsen*",
    reads: Reads::Texts(&["White"]),
    section: Some(IndexSection::Players),
    read: |text| Ok(Box::new(Name::new(text, [true, false]))),
};

pub const BLACK: Condition = Condition {
    name: "black",
    label: "Black",
    help: "Black's name",
    example: "Anand*",
    reads: Reads::Texts(&["Black"]),
    read: |text| Ok(Box::new(Name::new(text, [false, true]))),
    ..WHITE
};

pub const PLAYER: Condition = Condition {
    name: "player",
    label: "Player",
    help: "The name of one of the players",
    reads: Reads::Texts(&["White", "Black"]),
    read: |text| Ok(Box::new(Name::new(text, [true, true]))),
    ..WHITE
};

pub const PLAYERS: Condition = Condition {
    name: "players",
    form: Form::Patterns,
    label: "Both players",
    help: "The names of both players, whoever has White",
    example: "Carlsen*;Anand*",
    reads: Reads::Texts(&["White", "Black"]),
    read: |text| Ok(Box::new(Names::read(text)?)),
    ..WHITE
};

/// The name of a player who has White, Black, or either.
#[derive(Debug)]
struct Name {
    pattern: TextPattern,
    colors: [bool; 2],
}

impl Name {
    fn new(pattern: impl Into<TextPattern>, colors: [bool; 2]) -> Self {
        Self {
            pattern: pattern.into(),
            colors,
        }
    }
}

impl Evaluate for Name {
    fn plan<'q>(&'q self, name: &'static str, plan: &mut Plan<'q>) {
        let tags = ["White", "Black"].into_iter().zip(self.colors);
        let tags = tags.filter_map(|(tag, is_meant)| is_meant.then_some(tag));
        plan.tags(
            name,
            tags,
            Test::Any(Box::new(|value| self.pattern.matches(value))),
        );
    }

    fn narrow(&self, name: &'static str, index: &mut Narrowing) -> Result<bool> {
        index.players(name, &self.pattern, self.colors)
    }
}

/// The names of both players, of whom either has White.
#[derive(Debug)]
struct Names([TextPattern; 2]);

impl Names {
    /// Reads two names with a semicolon between them.
    fn read(text: &str) -> Result<Self> {
        let names: Vec<&str> = text.split(';').map(str::trim).collect();
        match names[..] {
            [first, second] if !first.is_empty() && !second.is_empty() => {
                Ok(Self([first.into(), second.into()]))
            }
            _ => {
                let error = Error::usage(format!("'{text}' is not the names of two players"));
                Err(error.with_remedy(
                    "write two names, separated by a semicolon where they are one text; * in a name \
                     matches any text, a semicolon too",
                ))
            }
        }
    }

    fn hold(&self, white: &[u8], black: &[u8]) -> bool {
        let [first, second] = &self.0;
        let have = |white_name: &TextPattern, black_name: &TextPattern| {
            white_name.matches(white) && black_name.matches(black)
        };
        have(first, second) || have(second, first)
    }
}

impl Evaluate for Names {
    fn plan<'q>(&'q self, name: &'static str, plan: &mut Plan<'q>) {
        const TAGS: [&str; 2] = ["White", "Black"];
        // Few games are left for the test of both names, which tests equal values again.
        let is_one = |value: &[u8]| self.0[0].matches(value);
        plan.tags(name, TAGS, Test::Any(Box::new(is_one)));
        let are_both = |values: &[Value]| match *values {
            [Some(white), Some(black)] => self.hold(&unescape(white), &unescape(black)),
            _ => false,
        };
        plan.tags(name, TAGS, Test::Together(Box::new(are_both)));
    }

    fn narrow(&self, name: &'static str, index: &mut Narrowing) -> Result<bool> {
        index.both_players(name, &self.0)
    }
}

pub const ELO: Condition = Condition {
    name: "elo",
    form: Form::Numbers,
    heading: Heading::Players,
    label: "Both ratings",
    help: "Both ratings: 2200..2500 (both included), 2200.., ..2500, or several with commas",
    example: "1000..1200,2200..",
    reads: Reads::Numbers(&["WhiteElo", "BlackElo"]),
    section: Some(IndexSection::Columns),
    read: |text| {
        Ok(Box::new(Elo::new(
            text.parse::<Ranges<u16>>()?,
            [true, true],
        )))
    },
};

pub const WHITE_ELO: Condition = Condition {
    name: "white_elo",
    label: "White's rating",
    help: "White's rating",
    reads: Reads::Numbers(&["WhiteElo"]),
    read: |text| {
        Ok(Box::new(Elo::new(
            text.parse::<Ranges<u16>>()?,
            [true, false],
        )))
    },
    ..ELO
};

pub const BLACK_ELO: Condition = Condition {
    name: "black_elo",
    label: "Black's rating",
    help: "Black's rating",
    reads: Reads::Numbers(&["BlackElo"]),
    read: |text| {
        Ok(Box::new(Elo::new(
            text.parse::<Ranges<u16>>()?,
            [false, true],
        )))
    },
    ..ELO
};

/// The ratings of White, Black, or both.
#[derive(Debug)]
struct Elo {
    ranges: Ranges<u16>,
    colors: [bool; 2],
}

impl Elo {
    fn new(ranges: impl Into<Ranges<u16>>, colors: [bool; 2]) -> Self {
        Self {
            ranges: ranges.into(),
            colors,
        }
    }

    /// What is known of each of the colors.
    fn each<T>(&self, [white, black]: [T; 2]) -> impl Iterator<Item = T> {
        let all = [white, black].into_iter().zip(self.colors);
        all.filter_map(|(known, is_meant)| is_meant.then_some(known))
    }
}

impl Evaluate for Elo {
    fn plan<'q>(&'q self, name: &'static str, plan: &mut Plan<'q>) {
        let is_in = |value: &[u8]| read_rating(value).is_some_and(|r| self.ranges.contains(&r));
        plan.tags(
            name,
            self.each(["WhiteElo", "BlackElo"]),
            Test::All(Box::new(is_in)),
        );
    }

    fn narrow(&self, name: &'static str, index: &mut Narrowing) -> Result<bool> {
        let mut is_decided = true;
        for column in self.each([IndexColumn::WhiteElo, IndexColumn::BlackElo]) {
            is_decided &= index.column(name, column, |value| {
                value.is_some_and(|value| self.ranges.contains(&(value as u16)))
            })?;
        }
        Ok(is_decided)
    }

    fn decide(&self, facts: &Facts) -> Option<bool> {
        let mut ratings = self.each([facts.ratings.white, facts.ratings.black]);
        Some(ratings.all(|rating| rating.is_some_and(|rating| self.ranges.contains(&rating))))
    }
}

pub const MEAN_ELO: Condition = Condition {
    name: "mean_elo",
    label: "Mean rating",
    help: "The mean of both ratings, rounded down",
    example: "1600..1799,2200..",
    read: |text| Ok(Box::new(mean_elo(text.parse()?))),
    ..ELO
};

pub const ELO_DIFF: Condition = Condition {
    name: "elo_diff",
    label: "White's rating minus Black's",
    help: "White's rating minus Black's: -200..-100",
    example: "-200..-100",
    read: |text| Ok(Box::new(elo_diff(text.parse()?))),
    ..ELO
};

/// A number that both ratings give, which must be known, is in one of these ranges.
#[derive(Debug)]
struct BothRatings<T> {
    number: fn(u16, u16) -> T,
    ranges: Ranges<T>,
}

impl<T: PartialOrd> BothRatings<T> {
    fn holds(&self, white: u16, black: u16) -> bool {
        self.ranges.contains(&(self.number)(white, black))
    }
}

impl<T: PartialOrd + Debug + Send + Sync + 'static> Evaluate for BothRatings<T> {
    fn plan<'q>(&'q self, name: &'static str, plan: &mut Plan<'q>) {
        let is_met = move |values: &[Value]| {
            let rating = |side: usize| values.get(side).copied().flatten().and_then(read_rating);
            rating(0)
                .zip(rating(1))
                .is_some_and(|(white, black)| self.holds(white, black))
        };
        plan.tags(
            name,
            ["WhiteElo", "BlackElo"],
            Test::Together(Box::new(is_met)),
        );
    }

    fn narrow(&self, name: &'static str, index: &mut Narrowing) -> Result<bool> {
        index.ratings(name, |white, black| self.holds(white, black))
    }

    fn decide(&self, facts: &Facts) -> Option<bool> {
        let ratings = facts.ratings.white.zip(facts.ratings.black);
        Some(ratings.is_some_and(|(white, black)| self.holds(white, black)))
    }
}

fn mean_elo(ranges: Ranges<u16>) -> BothRatings<u16> {
    BothRatings {
        number: u16::midpoint,
        ranges,
    }
}

fn elo_diff(ranges: Ranges<i32>) -> BothRatings<i32> {
    BothRatings {
        number: |white, black| i32::from(white) - i32::from(black),
        ranges,
    }
}

impl Query {
    /// White's name.
    pub fn white(self, name: impl Into<TextPattern>) -> Self {
        self.with(&WHITE, Name::new(name, [true, false]))
    }

    /// Black's name.
    pub fn black(self, name: impl Into<TextPattern>) -> Self {
        self.with(&BLACK, Name::new(name, [false, true]))
    }

    /// The name of one of the players.
    pub fn player(self, name: impl Into<TextPattern>) -> Self {
        self.with(&PLAYER, Name::new(name, [true, true]))
    }

    /// The names of both players, of whom either has White.
    pub fn players(self, names: [impl Into<TextPattern>; 2]) -> Self {
        self.with(&PLAYERS, Names(names.map(Into::into)))
    }

    /// The ratings of both players, each in one of these ranges: `1800..`, `..=2000`,
    /// `1800..=2000`, or several as [`Ranges`].
    pub fn elo(self, ranges: impl Into<Ranges<u16>>) -> Self {
        self.with(&ELO, Elo::new(ranges, [true, true]))
    }

    /// White's rating, in one of these ranges.
    pub fn white_elo(self, ranges: impl Into<Ranges<u16>>) -> Self {
        self.with(&WHITE_ELO, Elo::new(ranges, [true, false]))
    }

    /// Black's rating, in one of these ranges.
    pub fn black_elo(self, ranges: impl Into<Ranges<u16>>) -> Self {
        self.with(&BLACK_ELO, Elo::new(ranges, [false, true]))
    }

    /// The mean of both ratings, rounded down, is in one of these ranges.
    pub fn mean_elo(self, ranges: impl Into<Ranges<u16>>) -> Self {
        self.with(&MEAN_ELO, mean_elo(ranges.into()))
    }

    /// White's rating minus Black's, in one of these ranges.
    pub fn elo_diff(self, ranges: impl Into<Ranges<i32>>) -> Self {
        self.with(&ELO_DIFF, elo_diff(ranges.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_players_are_two_names() {
        assert!(PLAYERS.check("Carlsen, Magnus; Anand, V*").is_ok());
        for wrong in ["", "Carlsen", ";", "Carlsen;", "a;b;c", " ;b"] {
            let error = PLAYERS.check(wrong).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::Usage, "{wrong}");
        }
        let names = Names::read("a*;*b").unwrap();
        for (white, black, hold) in [
            ("a", "b", true),
            ("B", "A", true),
            ("ab", "ab", true),
            ("ab", "c", false),
            ("a", "a", false),
            ("b", "b", false),
        ] {
            assert_eq!(
                names.hold(white.as_bytes(), black.as_bytes()),
                hold,
                "{white}"
            );
        }
    }

    #[test]
    fn a_difference_needs_both_ratings() {
        let query = Query::new().elo_diff(-50..=50);
        let plan = query.plan();
        let difference = &plan.tags[0];
        assert!(difference.holds(&[Some(b"1500"), Some(b"1550")]));
        assert!(!difference.holds(&[Some(b"1500"), Some(b"1551")]));
        assert!(!difference.holds(&[Some(b"1500"), Some(b"?")]));
        assert!(!difference.holds(&[None, Some(b"10")]));
    }
}
