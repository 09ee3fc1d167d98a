//! Conditions on players and their ratings.

use ign_format::error::Result;

use crate::{
    index::IndexColumn,
    plan::{Evaluate, Narrowing, Plan, Test, Value},
    query::{
        condition::{Condition, Form, Heading, Reads, Section, range, several},
        entries::Query,
    },
    values::{Bounds, TextPattern, read_rating},
};

pub const WHITE: Condition = Condition {
    name: "white",
    form: Form::Pattern,
    heading: Heading::Players,
    label: "White",
    help: "White's name: the whole name, * matches any text",
    example: "Carlsen*",
    reads: Reads::Texts(&["White"]),
    section: Some(Section::Players),
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

pub const ELO: Condition = Condition {
    name: "elo",
    form: Form::Numbers,
    heading: Heading::Players,
    label: "Both ratings",
    help: "Both ratings: 2200..2500 (both included), 2200.., ..2500",
    example: "2200..2500",
    reads: Reads::Numbers(&["WhiteElo", "BlackElo"]),
    section: Some(Section::Columns),
    read: |text| Ok(Box::new(Elo::new(range(text)?, [true, true]))),
};

pub const WHITE_ELO: Condition = Condition {
    name: "white_elo",
    label: "White's rating",
    help: "White's rating",
    reads: Reads::Numbers(&["WhiteElo"]),
    read: |text| Ok(Box::new(Elo::new(range(text)?, [true, false]))),
    ..ELO
};

pub const BLACK_ELO: Condition = Condition {
    name: "black_elo",
    label: "Black's rating",
    help: "Black's rating",
    reads: Reads::Numbers(&["BlackElo"]),
    read: |text| Ok(Box::new(Elo::new(range(text)?, [false, true]))),
    ..ELO
};

/// The ratings of White, Black, or both.
#[derive(Debug)]
struct Elo {
    range: Bounds<u16>,
    colors: [bool; 2],
}

impl Elo {
    fn new(range: impl Into<Bounds<u16>>, colors: [bool; 2]) -> Self {
        Self {
            range: range.into(),
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
        let is_in = |value: &[u8]| read_rating(value).is_some_and(|r| self.range.contains(&r));
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
                value.is_some_and(|value| self.range.contains(&(value as u16)))
            })?;
        }
        Ok(is_decided)
    }
}

pub const MEAN_ELO: Condition = Condition {
    name: "mean_elo",
    form: Form::NumberRanges,
    label: "Mean rating",
    help: "The mean of both ratings, rounded down: 1600..1799; several ranges with commas",
    example: "1600..1799,2200..",
    read: |text| Ok(Box::new(MeanElo(several(text, range)?))),
    ..ELO
};

/// The mean of both ratings, rounded down, is in one of these ranges.
#[derive(Debug)]
struct MeanElo(Vec<Bounds<u16>>);

impl MeanElo {
    fn holds(&self, white: u16, black: u16) -> bool {
        let mean = u16::midpoint(white, black);
        self.0.iter().any(|range| range.contains(&mean))
    }
}

impl Evaluate for MeanElo {
    fn plan<'q>(&'q self, name: &'static str, plan: &mut Plan<'q>) {
        plan_ratings(plan, name, |white, black| self.holds(white, black));
    }

    fn narrow(&self, name: &'static str, index: &mut Narrowing) -> Result<bool> {
        index.ratings(name, |white, black| self.holds(white, black))
    }
}

pub const ELO_DIFF: Condition = Condition {
    name: "elo_diff",
    label: "White's rating minus Black's",
    help: "White's rating minus Black's: -200..-100",
    example: "-200..-100",
    read: |text| Ok(Box::new(EloDiff(range(text)?))),
    ..ELO
};

/// White's rating minus Black's.
#[derive(Debug)]
struct EloDiff(Bounds<i32>);

impl EloDiff {
    fn holds(&self, white: u16, black: u16) -> bool {
        self.0.contains(&(i32::from(white) - i32::from(black)))
    }
}

impl Evaluate for EloDiff {
    fn plan<'q>(&'q self, name: &'static str, plan: &mut Plan<'q>) {
        plan_ratings(plan, name, |white, black| self.holds(white, black));
    }

    fn narrow(&self, name: &'static str, index: &mut Narrowing) -> Result<bool> {
        index.ratings(name, |white, black| self.holds(white, black))
    }
}

/// Adds a condition on the ratings of White and Black, which must be known.
fn plan_ratings<'q>(
    plan: &mut Plan<'q>,
    name: &'static str,
    holds: impl Fn(u16, u16) -> bool + Sync + 'q,
) {
    let is_met = move |values: &[Value]| {
        let rating = |side: usize| values.get(side).copied().flatten().and_then(read_rating);
        rating(0)
            .zip(rating(1))
            .is_some_and(|(white, black)| holds(white, black))
    };
    plan.tags(
        name,
        ["WhiteElo", "BlackElo"],
        Test::Together(Box::new(is_met)),
    );
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

    /// The ratings of both players. Both must be in the range: `1800..`, `..=2000` or `1800..=2000`.
    pub fn elo(self, range: impl Into<Bounds<u16>>) -> Self {
        self.with(&ELO, Elo::new(range, [true, true]))
    }

    /// White's rating.
    pub fn white_elo(self, range: impl Into<Bounds<u16>>) -> Self {
        self.with(&WHITE_ELO, Elo::new(range, [true, false]))
    }

    /// Black's rating.
    pub fn black_elo(self, range: impl Into<Bounds<u16>>) -> Self {
        self.with(&BLACK_ELO, Elo::new(range, [false, true]))
    }

    /// The mean of both ratings, rounded down, is in one of these ranges.
    pub fn mean_elo(self, ranges: impl IntoIterator<Item = Bounds<u16>>) -> Self {
        self.with(&MEAN_ELO, MeanElo(ranges.into_iter().collect()))
    }

    /// White's rating minus Black's.
    pub fn elo_diff(self, range: impl Into<Bounds<i32>>) -> Self {
        self.with(&ELO_DIFF, EloDiff(range.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
