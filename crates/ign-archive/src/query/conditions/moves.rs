//! Conditions on the moves of the main line, up to the first word that is no legal move.

use ign_format::{block::opening_prefix::OpeningPrefix, error::Result};
use ign_notation::signature::Signature;

use super::flag::Flag;
use crate::{
    index::{IndexColumn, columns::ending_of},
    plan::{Evaluate, Narrowing, Plan},
    query::{
        condition::{Condition, Form, Heading, IndexSection, Reads, several},
        entries::Query,
    },
    values::{Ending, Ranges, Score, parse_opening, parse_signature},
};

pub const OPENING: Condition = Condition {
    name: "opening",
    form: Form::Moves,
    heading: Heading::Moves,
    label: "First moves",
    help: "First moves: \"1. e4 e5 2. f4\", in UCI notation \"e2e4 e7e5 f2f4\", or as an integer \
           10194",
    example: "1. e4 e5 2. f4",
    reads: Reads::FirstMoves,
    section: Some(IndexSection::Openings),
    read: |text| Ok(Box::new(Opening(parse_opening(text)?))),
};

/// The first moves, from the standard starting position.
#[derive(Debug)]
struct Opening(OpeningPrefix);

impl Evaluate for Opening {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        plan.opening = Some(&self.0);
    }

    fn narrow(&self, name: &'static str, index: &mut Narrowing) -> Result<bool> {
        index.opening(name, &self.0)
    }
}

pub const PLIES: Condition = Condition {
    name: "plies",
    form: Form::Numbers,
    heading: Heading::Moves,
    label: "Plies",
    help: "Number of plies: 20..40",
    example: "20..40,100..",
    reads: Reads::Moves,
    section: Some(IndexSection::Columns),
    read: |text| Ok(Box::new(Plies(text.parse()?))),
};

/// The number of plies.
#[derive(Debug)]
struct Plies(Ranges<u32>);

impl Evaluate for Plies {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        plan.replay.plies = Some(&self.0);
    }

    fn narrow(&self, name: &'static str, index: &mut Narrowing) -> Result<bool> {
        // A game that is kept as text has no plies.
        index.column(name, IndexColumn::Plies, |value| {
            self.0.contains(&value.unwrap_or(0))
        })
    }
}

pub const SIGNATURE: Condition = Condition {
    name: "signature",
    form: Form::Signature,
    heading: Heading::Moves,
    label: "Signature",
    help: "Signature: A=e4f6??, B=??d5c3, or both; ?? matches any square",
    example: "A=d5g4g7 B=d2g1e4",
    reads: Reads::Signatures,
    section: None,
    read: |text| {
        let parts: Vec<&str> = text.split_whitespace().collect();
        Ok(Box::new(Squares(parse_signature(&parts)?)))
    },
};

/// The squares of the signature.
#[derive(Debug)]
struct Squares(Signature);

impl Evaluate for Squares {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        plan.signature = Some(&self.0);
    }
}

pub const LIKE: Condition = Condition {
    name: "like",
    form: Form::Score,
    heading: Heading::Moves,
    label: "A score that may have mistakes",
    help: "The same game as this score, whose moves may have mistakes",
    example: "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7",
    reads: Reads::Moves,
    section: None,
    read: |text| Ok(Box::new(Score::read(text.as_bytes())?)),
};

impl Evaluate for Score {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        plan.replay.like = Some(self);
    }
}

pub const REPETITION: Condition = Condition {
    name: "repetition",
    form: Form::Flag,
    heading: Heading::Moves,
    label: "Threefold repetition",
    help: "Threefold repetition, claimed or not",
    example: "true",
    reads: Reads::Moves,
    section: None,
    read: |text| Flag::read(text, repetition),
};

pub const FIFTY_MOVES: Condition = Condition {
    name: "fifty_moves",
    label: "50 moves without a pawn move or a capture",
    help: "50 moves of each side without a pawn move or a capture, with those that the FEN counts",
    read: |text| Flag::read(text, fifty_moves),
    ..REPETITION
};

pub const ENDING: Condition = Condition {
    name: "ending",
    form: Form::Choices(&[
        "checkmate",
        "stalemate",
        "insufficient",
        "repetition",
        "fifty",
        "resignation",
        "time",
        "agreed",
    ]),
    heading: Heading::Moves,
    label: "How the game ended",
    help: "How the game ended, by its last position and the tags Result and Termination: checkmate, \
           stalemate, insufficient, repetition, fifty, resignation, time, agreed; several with commas",
    example: "checkmate,resignation",
    reads: Reads::Moves,
    section: Some(IndexSection::Columns),
    read: |text| Ok(Box::new(Endings(several(text, str::parse)?))),
};

/// The ending is one of these.
#[derive(Debug)]
struct Endings(Vec<Ending>);

impl Evaluate for Endings {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        plan.endings = Some(&self.0);
    }

    fn narrow(&self, name: &'static str, index: &mut Narrowing) -> Result<bool> {
        index.column(name, IndexColumn::Ending, |value| {
            let ending = value.and_then(ending_of);
            ending.is_some_and(|ending| self.0.contains(&ending))
        })
    }
}

fn repetition(plan: &mut Plan, is: bool) {
    plan.replay.draws.repetition = Some(is);
}

fn fifty_moves(plan: &mut Plan, is: bool) {
    plan.replay.draws.fifty_moves = Some(is);
}

impl Query {
    /// The first moves, from the standard starting position.
    pub fn opening(self, opening: OpeningPrefix) -> Self {
        self.with(&OPENING, Opening(opening))
    }

    /// The first moves, if they are a condition.
    pub fn opening_condition(&self) -> Option<&OpeningPrefix> {
        self.value().map(|Opening(opening)| opening)
    }

    /// The number of plies, in one of these ranges. It is 0 for a game without moves, for one whose
    /// moves are kept as text, and for Go.
    pub fn plies(self, ranges: impl Into<Ranges<u32>>) -> Self {
        self.with(&PLIES, Plies(ranges.into()))
    }

    /// The squares of the signature; `None` matches any. Different games can have equal squares, so
    /// the games found are candidates.
    pub fn signature(self, squares: Signature) -> Self {
        self.with(&SIGNATURE, Squares(squares))
    }

    /// The same game as a score that may have mistakes.
    pub fn like(self, score: Score) -> Self {
        self.with(&LIKE, score)
    }

    /// Whether a position occurred three times. `false` selects the games that `true` does not
    /// select.
    pub fn repetition(self, is: bool) -> Self {
        self.with(&REPETITION, Flag::new(is, repetition))
    }

    /// The game ended in one of these ways.
    pub fn ending(self, endings: impl IntoIterator<Item = Ending>) -> Self {
        self.with(&ENDING, Endings(endings.into_iter().collect()))
    }

    /// Whether fifty moves of each side were made without a pawn move or a capture. Those before
    /// the start of the game are as its FEN counts them.
    pub fn fifty_moves(self, is: bool) -> Self {
        self.with(&FIFTY_MOVES, Flag::new(is, fifty_moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_endings_are_their_names() {
        let Form::Choices(words) = ENDING.form else {
            panic!("endings are words");
        };
        let names = Ending::ALL.iter().map(|ending| ending.name());
        assert!(words.iter().copied().eq(names));
    }
}
