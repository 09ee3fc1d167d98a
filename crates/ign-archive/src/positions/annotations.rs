//! Clocks and evaluations of games, read from the comments of their main lines.

use std::{ops::ControlFlow, time::Duration};

use pgn_reader::{RawComment, Reader, SanPlus, Skip, Visitor};

use super::NO_CLOCK;
use crate::{
    movetext::{Eval, arguments, read_clock, read_eval},
    text::text_of,
};

/// What the comments after a move state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Annotation {
    /// The time left to the player in milliseconds, or [`NO_CLOCK`].
    pub clock: u32,
    /// The evaluation of the position after the move.
    pub eval: Option<Eval>,
}

impl Annotation {
    pub const NONE: Self = Self {
        clock: NO_CLOCK,
        eval: None,
    };
}

/// Appends the annotations of a game, one for each move of its main line, as far as `pgn-reader` reads the
/// text: it rejects a comment that does not end.
pub(super) fn append(pgn: &[u8], out: &mut Vec<Annotation>) {
    let first = out.len();
    _ = Reader::new(pgn).read_game(&mut Annotations { out, first });
}

/// Writes annotations.
struct Annotations<'o> {
    out: &'o mut Vec<Annotation>,
    /// The number of annotations of the games before.
    first: usize,
}

impl Visitor for Annotations<'_> {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), _: SanPlus) -> ControlFlow<()> {
        self.out.push(Annotation::NONE);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment) -> ControlFlow<()> {
        if self.out.len() == self.first {
            return ControlFlow::Continue(());
        }
        let Some(last) = self.out.last_mut() else {
            return ControlFlow::Continue(());
        };
        let text = text_of(comment.as_bytes());
        if last.clock == NO_CLOCK {
            let clock = arguments(&text, "clk").find_map(read_clock);
            last.clock = clock.map_or(NO_CLOCK, milliseconds);
        }
        if last.eval.is_none() {
            last.eval = arguments(&text, "eval").find_map(read_eval);
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, (): ()) {}
}

/// A clock in milliseconds. One of 49 days or more is not stated.
fn milliseconds(clock: Duration) -> u32 {
    u32::try_from(clock.as_millis()).unwrap_or(NO_CLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_are_those_of_the_main_line() {
        let pgn = b"[Event \"?\"]\n\n{ [%clk 9:00:00] } 1. e4 { [%eval 0.2,18] [%clk 0:02:59.9] } \
            e5 { a } { [%eval #-3] } (1... c5 { [%clk 0:00:01] }) 2. Nf3 { [%clk 2000:00:00] } *\n";
        let mut all = vec![Annotation::NONE];
        append(pgn, &mut all);
        let of = |clock, eval| Annotation { clock, eval };
        let expected = [
            Annotation::NONE,
            of(179_900, Some(Eval::Centipawns(20))),
            of(NO_CLOCK, Some(Eval::Mate(-3))),
            of(NO_CLOCK, None),
        ];
        assert_eq!(all, expected);
        append(b"1. e4 { [%clk 0:00:09] } e5 { [%clk", &mut all);
        assert_eq!(all[4..], [of(9000, None), Annotation::NONE]);
    }
}
