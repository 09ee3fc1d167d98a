//! Conditions on several positions of a game, which must be met one after another.
//!
//! A game meets a sequence of stages if its positions have disjoint runs, in the order of the
//! stages: each a run of positions in a row, as many as the stage needs, that meet the conditions
//! of the stage. The first run that completes a stage leaves the most positions for the next ones,
//! so that one pass decides it.

use ign_notation::chess::Position;
use shakmaty::Color;

use crate::values::PositionFilter;

/// Conditions on positions, and those on later positions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Sequence {
    /// The conditions on one position, or on several in a row.
    pub first: PositionFilter,
    /// The conditions on later ones, in their order. They need a first one.
    pub later: Vec<PositionFilter>,
    /// Whether all conditions may also be met with colors exchanged.
    pub flips: bool,
}

impl Sequence {
    /// Completes the conditions when all are known: which stage is about the last position, and
    /// those with colors exchanged.
    pub fn complete(&mut self) {
        if self.first.is_empty() {
            self.later.clear();
        }
        if let Some(last) = self.later.last_mut() {
            last.last_only = std::mem::take(&mut self.first.last_only);
        }
        if self.flips {
            for filter in std::iter::once(&mut self.first).chain(&mut self.later) {
                filter.flipped = Some(Box::new(filter.flip()));
            }
        }
    }

    /// Whether there are no conditions.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Whether one position decides.
    pub fn is_one_position(&self) -> bool {
        self.later.is_empty() && self.first.lasting <= 1
    }

    /// The number of stages.
    fn len(&self) -> usize {
        1 + self.later.len()
    }

    /// A stage as it is written, or with colors exchanged. `None` after the last stage, and if
    /// colors may not be exchanged.
    fn stage(&self, stage: usize, is_flipped: bool) -> Option<&PositionFilter> {
        let written = match stage.checked_sub(1) {
            None => &self.first,
            Some(later) => self.later.get(later)?,
        };
        if is_flipped {
            written.flipped.as_deref()
        } else {
            Some(written)
        }
    }
}

/// How far a game has met a sequence: as it is written, and with colors exchanged.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Progress([Lane; 2]);

/// The state of one of the two.
#[derive(Debug, Clone, Copy, Default)]
struct Lane {
    /// The number of stages that are met.
    met: usize,
    /// The number of positions in a row, up to the last one seen, that meet the conditions of the
    /// next stage.
    run: u32,
    /// Whether the next stages cannot be met.
    failed: bool,
}

impl Progress {
    /// Takes the next position. Returns whether the sequence is met.
    pub fn see(&mut self, sequence: &Sequence, position: &Position, is_last: bool) -> bool {
        let mut is_met = false;
        for (lane, is_flipped) in self.0.iter_mut().zip([false, true]) {
            let Some(filter) = sequence.stage(lane.met, is_flipped) else {
                continue;
            };
            if lane.failed || !filter.matches_as_written(position) {
                lane.run = 0;
                continue;
            }
            lane.run = lane.run.saturating_add(1);
            if lane.run >= filter.lasting && (is_last || !filter.last_only) {
                lane.met += 1;
                lane.run = 0;
                is_met |= lane.met == sequence.len();
            }
        }
        is_met
    }

    /// Takes what changed with the last move, as for [`PositionFilter::is_reachable_after`], in the
    /// position seen last. Returns whether the stages that are left can still be met.
    pub fn is_reachable_after(
        &mut self,
        sequence: &Sequence,
        position: &Position,
        pawn: Option<Color>,
    ) -> bool {
        let mut is_reachable = false;
        for (lane, is_flipped) in self.0.iter_mut().zip([false, true]) {
            let left = lane.met..sequence.len();
            lane.failed |= !left.clone().all(|stage| {
                let filter = sequence.stage(stage, is_flipped);
                filter.is_some_and(|filter| filter.is_reachable_as_written(position, pawn))
            });
            is_reachable |= !lane.failed;
        }
        is_reachable
    }

    /// Whether the first stage is met.
    pub fn has_first(&self) -> bool {
        self.0.iter().any(|lane| lane.met > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(material: &str, lasting: u32, last_only: bool) -> PositionFilter {
        PositionFilter {
            material: Some(material.parse().unwrap()),
            lasting,
            last_only,
            ..PositionFilter::default()
        }
    }

    /// Whether positions with these numbers of white and black knights meet the stages.
    fn meets(knights: &[[u32; 2]], stages: &[PositionFilter], flips: bool) -> bool {
        let mut sequence = Sequence {
            first: stages[0].clone(),
            later: stages[1..].to_vec(),
            flips,
        };
        sequence.complete();
        let mut progress = Progress::default();
        let mut is_met = false;
        for (place, &[white, black]) in knights.iter().enumerate() {
            let row = |count: u32, piece: &str| {
                let free = 8 - count;
                let free = if free > 0 {
                    free.to_string()
                } else {
                    String::new()
                };
                piece.repeat(count as usize) + &free
            };
            let fen = format!(
                "k7/{}/8/8/8/8/{}/7K w - -",
                row(black, "n"),
                row(white, "N")
            );
            let position = Position::from_fen(fen.as_bytes()).unwrap();
            is_met |= progress.see(&sequence, &position, place + 1 == knights.len());
        }
        is_met
    }

    #[test]
    fn stages_are_met_by_disjoint_runs_in_order() {
        let [one, two] = ["N=1", "N=2"].map(|text| move |lasting| filter(text, lasting, false));
        let white = |counts: &[u32]| counts.iter().map(|&n| [n, 0]).collect::<Vec<_>>();
        for (counts, stages, expected) in [
            (&[1][..], vec![one(0)], true),
            (&[1], vec![one(2)], false),
            (&[1, 2, 1], vec![one(2)], false),
            (&[2, 1, 1], vec![one(2)], true),
            (&[1], vec![one(1), one(1)], false),
            (&[1, 1], vec![one(1), one(1)], true),
            (&[2, 1], vec![one(1), two(1)], false),
            (&[1, 2], vec![one(1), two(1)], true),
            (&[1, 2, 1, 2, 2], vec![one(1), one(1), two(2)], true),
            (&[1, 1, 2, 1, 2], vec![one(2), two(2)], false),
            (&[2, 1, 1, 1], vec![one(2), one(2)], false),
            (&[2, 1, 1, 1, 1], vec![one(2), one(2)], true),
        ] {
            assert_eq!(
                meets(&white(counts), &stages, false),
                expected,
                "{counts:?} {stages:?}"
            );
        }
    }

    #[test]
    fn the_last_stage_may_need_the_last_position() {
        let stages = |lasting| [filter("N=1", 0, true), filter("N=2", lasting, false)];
        for (counts, lasting, expected) in [
            (&[1, 2][..], 1, true),
            (&[1, 2, 2], 2, true),
            (&[1, 2, 2, 1], 2, false),
            (&[2, 1], 1, false),
        ] {
            let knights: Vec<[u32; 2]> = counts.iter().map(|&n| [n, 0]).collect();
            assert_eq!(
                meets(&knights, &stages(lasting), false),
                expected,
                "{counts:?}"
            );
        }
    }

    #[test]
    fn colors_are_exchanged_in_all_stages_or_in_none() {
        let stages = [filter("N=1", 0, false), filter("n=2", 0, false)];
        for (knights, as_written, flipped) in [
            ([[1, 0], [0, 2]], true, true),
            ([[0, 1], [2, 0]], false, true),
            ([[1, 0], [2, 0]], false, false),
            ([[0, 1], [0, 2]], false, false),
        ] {
            assert_eq!(meets(&knights, &stages, false), as_written, "{knights:?}");
            assert_eq!(meets(&knights, &stages, true), flipped, "{knights:?}");
        }
    }
}
