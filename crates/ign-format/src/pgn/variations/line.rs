//! Lines of variations: where they start, and the model of their lengths and layouts
//! (spec §4.6.1).

use crate::{
    container::MAX_PLIES,
    error::{Error, Result},
    pgn::{
        gaps::Templates,
        layout::{Layout, LayoutModel},
        payloads::RecordPayloads,
        start::Start,
    },
};
use ign_entropy::adaptive::{Coder, Number};
use ign_notation::chess::Move;

/// Maximum nesting depth, with the game at depth 0. Lines at this depth are stored as text (spec
/// §7).
pub const MAX_DEPTH: usize = 64;

/// Number of plies that count as the start of a game, where engines are given less time and so
/// give shorter lines.
const EARLY: usize = 16;
/// Lines up to this number of plies come from an interrupted search. They do not predict the
/// lengths of others, which have the maximum that the engine was asked for.
const INTERRUPTED: usize = 2;
/// Lines of at least this number of plies share a context.
const LONG: usize = 15;

/// The game that variations belong to.
#[derive(Debug, Clone, Copy)]
pub struct Game<'a> {
    /// Its number among the games of the block that can be replayed.
    pub number: usize,
    /// Its starting position.
    pub start: &'a Start,
    /// Its moves.
    pub moves: &'a [Move],
}

/// The positions of variations in a record.
#[derive(Debug)]
pub struct Record<'a> {
    /// The record's layout.
    pub layout: &'a Layout,
    /// Predicts the gaps that the layout does not store.
    pub model: &'a LayoutModel,
    /// The gap templates of the block.
    pub gaps: &'a Templates,
}

impl Record<'_> {
    /// For each variation the number of plies before it, in a game of `plies` plies.
    pub(super) fn places(&self, plies: usize) -> Result<Vec<usize>> {
        let mut gaps = Vec::with_capacity(plies);
        for ply in 0..plies {
            let before = gaps.last().copied();
            gaps.push(self.model.gap(self.layout, ply, before)?);
        }
        Ok(places(self.gaps, &gaps, self.layout.last))
    }

    /// The origins of the variations in gaps that the layout stores, and the number of variations
    /// after the last move. Both are known without the moves.
    pub(super) fn stored_origins(&self) -> (Vec<Origin>, usize) {
        let Layout {
            gaps,
            stored_gaps,
            last,
            ..
        } = self.layout;
        let stored = gaps.iter().take(*stored_gaps).enumerate();
        let origins = stored.flat_map(|(ply, &gap)| {
            let origin = Origin {
                second_side: ply > 0 && ply.is_multiple_of(2),
                is_early: ply < EARLY,
            };
            std::iter::repeat_n(origin, self.gaps.variations(gap) as usize)
        });
        (origins.collect(), self.gaps.variations(*last) as usize)
    }
}

/// Where a line starts, as far as it is known without the moves.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Origin {
    /// Whether it replaces a move of the second side.
    pub second_side: bool,
    /// Whether it, or the outermost line around it, starts early in the game.
    pub is_early: bool,
}

impl Origin {
    /// The origin of a line nested in this one, after `place` of its plies.
    pub fn nested(self, place: usize) -> Self {
        Self {
            second_side: self.second_side ^ (place > 0 && place.is_multiple_of(2)),
            ..self
        }
    }
}

/// For each variation within a line the number of plies before it. `gaps` are the templates before
/// the line's moves, `last` the one after them.
pub(super) fn places(templates: &Templates, gaps: &[u32], last: u32) -> Vec<usize> {
    let gaps = gaps.iter().chain([&last]).enumerate();
    let times = |&gap: &u32| templates.variations(gap) as usize;
    gaps.flat_map(|(moves, gap)| std::iter::repeat_n(moves, times(gap)))
        .collect()
}

/// The position before each of these moves, as the start of a line that replaces it.
pub(super) fn starts(start: &Start, moves: &[Move]) -> Vec<Start> {
    let mut here = start.clone();
    let next = |&played: &Move| {
        let before = here.clone();
        here.play(played);
        before
    };
    moves.iter().map(next).collect()
}

/// Position of a line in the tree of variations, and its length.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LineShape {
    /// Nesting depth; 1 for variations of the game.
    pub depth: usize,
    /// Index of the move it replaces in its parent; `None` before the first move.
    pub at: Option<usize>,
    /// Number of plies.
    pub plies: usize,
}

/// A decoded line without its moves.
#[derive(Debug, Clone, Default)]
pub(super) struct Line<'a> {
    pub shape: LineShape,
    pub layout: Layout,
    /// Its comments and literal text.
    pub payloads: RecordPayloads<'a>,
}

/// Model of the lengths and layouts of lines.
#[derive(Debug, Clone, Default)]
pub(super) struct LineModel {
    pub layouts: LayoutModel,
    /// Number of templates introduced before a part.
    template_count: Number<3>,
    /// Number of variations of a record beyond those that its layout stores.
    more: Number<3>,
    /// Number of plies, by whether the line starts early and by the last length that was not
    /// interrupted.
    plies: [[Number<4>; LONG + 1]; 2],
    last_plies: usize,
}

impl LineModel {
    /// Codes the number of variations of a record beyond those that its layout stores. At the
    /// start of a part it first codes the number of templates of earlier parts.
    pub fn code_record(
        &mut self,
        coder: &mut impl Coder,
        is_first: bool,
        templates: u32,
        more: usize,
    ) -> Result<u64> {
        if is_first {
            let count = self.template_count.code(coder, u64::from(templates));
            self.layouts
                .set_template_count(u32::try_from(count).map_err(|_| mismatch())?);
        }
        Ok(self.more.code(coder, more as u64))
    }

    /// Codes the length and the layout of a line.
    pub fn code_line(
        &mut self,
        coder: &mut impl Coder,
        is_early: bool,
        plies: &mut usize,
        layout: &mut Layout,
    ) -> Result<()> {
        let number = &mut self.plies[usize::from(is_early)][self.last_plies.min(LONG)];
        *plies = number.code(coder, *plies as u64) as usize;
        if *plies > INTERRUPTED {
            self.last_plies = *plies;
        }
        if *plies > MAX_PLIES {
            return Err(Error::corrupt("a variation has too many moves"));
        }
        self.layouts.code(coder, layout)
    }
}

pub(super) fn mismatch() -> Error {
    Error::corrupt("the variations of a block do not fit its games")
}
