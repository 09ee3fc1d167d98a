//! Columns of what is written between the moves: comments, clocks, evaluations.
//!
//! The movetext is read by pgn-reader, as [`Game::comments`](crate::Game::comments) reads it,
//! straight into the buffers of the columns.

use std::ops::ControlFlow;

use ign_format::error::Result;
use pgn_reader::{RawComment, SanPlus, Skip, Visitor};

use super::{lists::Lists, strings::Strings, values::Values};
use crate::{
    movetext::{Eval, ShortClock, arguments, read_clock, read_eval, visit_movetext},
    text::decode_text,
};

/// Comments with their places.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comments {
    pub(super) plies: Vec<u32>,
    pub(super) text: Strings,
}

impl Comments {
    /// The number of plies before each comment.
    pub fn plies(&self) -> &[u32] {
        &self.plies
    }

    /// The comments, without white space at their ends.
    pub fn text(&self) -> &Strings {
        &self.text
    }

    /// The plies and the comments.
    pub fn into_parts(self) -> (Vec<u32>, Strings) {
        (self.plies, self.text)
    }
}

/// The columns of annotations.
#[derive(Default)]
pub(super) struct Annotations {
    pub comments: Lists<Comments>,
    pub clocks: Lists<Values<f32>>,
    pub evals: Lists<Values<f32>>,
    pub mates: Lists<Values<i32>>,
    /// The moves of the current game.
    moves: Vec<Annotated>,
    /// For the main line and each open variation within each other whether it has moves.
    lines: Vec<bool>,
    short_clock: ShortClock,
    failed: Option<ign_format::error::Error>,
}

/// What is stated after a move.
#[derive(Clone, Copy, Default)]
struct Annotated {
    clock: Option<f32>,
    eval: Option<Eval>,
}

impl Annotations {
    /// Appends a game without annotations.
    ///
    /// # Errors
    /// Unsupported if a column exceeds 2 GiB.
    pub fn push_none(&mut self) -> Result<()> {
        self.moves.clear();
        self.end_row()
    }

    /// Appends the annotations of a game with this text. A comment that is not closed ends with the
    /// text.
    ///
    /// # Errors
    /// Unsupported if a column exceeds 2 GiB.
    pub fn push(&mut self, pgn: &[u8]) -> Result<()> {
        self.moves.clear();
        self.lines.clear();
        self.lines.push(false);
        self.short_clock = ShortClock::of(pgn);
        visit_movetext(pgn, self);
        self.end_row()
    }

    fn end_row(&mut self) -> Result<()> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let has_clocks = self.moves.iter().any(|played| played.clock.is_some());
        let has_evals = self.moves.iter().any(|played| played.eval.is_some());
        if has_clocks {
            for played in &self.moves {
                self.clocks.items_mut().push(played.clock, 0.0);
            }
        }
        if has_evals {
            for played in &self.moves {
                let (pawns, mate) = match played.eval {
                    Some(Eval::Centipawns(hundredths)) => (Some(hundredths as f32 / 100.0), None),
                    Some(Eval::Mate(moves)) => (None, Some(moves)),
                    None => (None, None),
                };
                self.evals.items_mut().push(pawns, 0.0);
                self.mates.items_mut().push(mate, 0);
            }
        }
        let comments = self.comments.items().plies.len();
        let has_comments = self.comments.last_end() < comments;
        self.comments.end_row(comments, has_comments)?;
        self.clocks.end_row(self.clocks.items().len(), has_clocks)?;
        self.evals.end_row(self.evals.items().len(), has_evals)?;
        self.mates.end_row(self.mates.items().len(), has_evals)
    }

    fn add(&mut self, comment: &[u8]) -> Result<()> {
        let text = decode_text(comment);
        let text = text.trim();
        let comments = self.comments.items_mut();
        comments.plies.push(self.moves.len() as u32);
        comments.text.push(text.as_bytes())?;
        if let Some(played) = self.moves.last_mut() {
            let short = self.short_clock;
            let clock = || arguments(text, "clk").find_map(|text| read_clock(text, short));
            let seconds = || clock().map(|clock| clock.as_secs_f64() as f32);
            played.clock = played.clock.or_else(seconds);
            let eval = || arguments(text, "eval").find_map(read_eval);
            played.eval = played.eval.or_else(eval);
        }
        Ok(())
    }
}

impl Visitor for Annotations {
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
        if let [line] = &mut self.lines[..] {
            *line = true;
            self.moves.push(Annotated::default());
        } else if let Some(line) = self.lines.last_mut() {
            *line = true;
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment) -> ControlFlow<()> {
        // Comments of a variation belong to the main line if neither has a move yet.
        let is_main = self.lines.len() == 1 || self.lines.iter().all(|has_moves| !has_moves);
        if is_main && self.failed.is_none() {
            self.failed = self.add(comment.as_bytes()).err();
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        // Nothing in a variation after a move is needed. Its end is announced all the same.
        let is_skipped = self.lines.last() == Some(&true);
        self.lines.push(is_skipped);
        ControlFlow::Continue(Skip(is_skipped))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<()> {
        if self.lines.len() > 1 {
            self.lines.pop();
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}
