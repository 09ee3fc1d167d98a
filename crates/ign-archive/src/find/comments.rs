//! Conditions of a query on comments: what the comments of a game hold, variations included.

use std::ops::ControlFlow;

use ign_format::error::Result;
use pgn_reader::{RawComment, Reader, Skip, Visitor};

use crate::query::Query;

/// What comments hold, or what of it is wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Contents {
    /// The time on a clock, `[%clk …]`.
    pub clocks: bool,
    /// An engine's evaluation, `[%eval …]`.
    pub evals: bool,
    /// Text other than commands.
    pub text: bool,
}

impl Contents {
    /// What a query wants of comments; `None` if nothing.
    pub fn wanted_by(query: &Query) -> Option<Self> {
        let wanted = Self {
            clocks: query.has_clocks,
            evals: query.has_evals,
            text: query.commented,
        };
        (wanted != Self::default()).then_some(wanted)
    }

    /// The names of the conditions.
    pub fn names(self) -> String {
        let names = [
            ("has_clocks", self.clocks),
            ("has_evals", self.evals),
            ("commented", self.text),
        ];
        let set = names.iter().filter(|(_, is_set)| *is_set);
        set.map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    /// What the comments of a record hold, found out until all that is `wanted` was seen.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io) if `pgn-reader` rejects the text.
    pub fn of_record(pgn: &[u8], wanted: Self) -> Result<Self> {
        let mut look = Look {
            wanted,
            seen: Self::default(),
        };
        Reader::new(pgn).read_game(&mut look)?;
        Ok(look.seen)
    }

    /// Whether all that is wanted is here.
    pub fn has(self, wanted: Self) -> bool {
        (self.clocks || !wanted.clocks)
            && (self.evals || !wanted.evals)
            && (self.text || !wanted.text)
    }

    /// Adds what a comment holds.
    fn add(&mut self, comment: &[u8]) {
        let mut rest = comment;
        loop {
            let start = memchr::memmem::find(rest, b"[%");
            let text = &rest[..start.unwrap_or(rest.len())];
            self.text |= text.iter().any(|c| !c.is_ascii_whitespace());
            let Some(start) = start else {
                return;
            };
            let command = &rest[start + 2..];
            let Some(end) = memchr::memchr(b']', command) else {
                // A command that does not end is text.
                self.text = true;
                return;
            };
            let (command, after) = (&command[..end], &command[end + 1..]);
            let mut words = command.split(u8::is_ascii_whitespace);
            let (name, argument) = (words.next(), words.any(|word| !word.is_empty()));
            self.clocks |= argument && name == Some(b"clk");
            self.evals |= argument && name == Some(b"eval");
            rest = after;
        }
    }
}

/// Reads the comments of a game.
struct Look {
    wanted: Contents,
    seen: Contents,
}

impl Visitor for Look {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment) -> ControlFlow<()> {
        self.seen.add(comment.as_bytes());
        match self.seen.has(self.wanted) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(false))
    }

    fn end_game(&mut self, (): ()) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_no_text_and_need_an_argument() {
        let of = |movetext: &str| {
            let all = Contents {
                clocks: true,
                evals: true,
                text: true,
            };
            let contents = Contents::of_record(movetext.as_bytes(), all).unwrap();
            [contents.clocks, contents.evals, contents.text]
        };
        for (movetext, expected) in [
            ("1. e4 *", [false, false, false]),
            ("1. e4 { [%clk 0:03:00] } *", [true, false, false]),
            ("1. e4 {[%eval 0.17] [%clk 0:03:00]} *", [true, true, false]),
            ("1. e4 { [%eval #-3] best } *", [false, true, true]),
            ("1. e4 { [%clk] [%clock 3] } *", [false, false, false]),
            ("1. e4 { [%cal Ga1a2] } *", [false, false, false]),
            ("1. e4 { [%clk 0:03:00 } *", [false, false, true]),
            ("{ first } 1. e4 *", [false, false, true]),
            ("1. e4 (1. d4 { [%clk 1] a ] b }) *", [true, false, true]),
            ("1. e4 {   } *", [false, false, false]),
        ] {
            assert_eq!(of(movetext), expected, "{movetext}");
        }
    }
}
