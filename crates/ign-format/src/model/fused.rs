//! Fused feature tables: for features that depend on the same things, one table with the sums of
//! their scores, so that eleven features take six lookups.
//!
//! A fused table consists of parts. The features of the position select the part
//! ([`PositionSelector`]), a lane of the move's [`Lanes`] the entry in it. The tables are computed
//! from the feature tables when the model is unpacked.

use super::{
    index_lanes::Lanes,
    shape::{CONTEXTS, MOVE_TABLE, MOVE_TABLES},
};

/// Number of fused tables.
pub(super) const FUSED_TABLES: usize = 6;
/// Parts of each table: one; by phase, hanging piece and checker; by the kind of the last move;
/// one; by phase, whether the last move undid the one before, and repetition; by phase.
const PARTS: [usize; FUSED_TABLES] = [1, 3 * 5 * 7, 14, 1, 3 * 2 * 2, 3];
/// Entries of each part:
///
/// - piece; attacker class and guard of the origin; victim, attacker class and guard of the
///   destination; checks
/// - piece, then promotions; victim; whether a hanging piece moves; check
/// - piece; relation to the last moves; destination attacked
/// - piece; targets; destination attacked; capture
/// - piece; distances to the enemy king before and after; same piece as before; returns
/// - pawns by rank, passed, attacked, guarded, then the other pieces; distances to the own king
///   before and after
const ENTRIES: [usize; FUSED_TABLES] = [
    6 * 12 * 72 * 4,
    (6 + 4) * 6 * 2 * 2,
    6 * 16 * 2,
    6 * 16 * 2 * 2,
    6 * 8 * 8 * 2 * 2,
    (64 + 5) * 8 * 8,
];
/// Where each table begins among the entries of all.
const FUSED_START: [usize; FUSED_TABLES + 1] = {
    let mut starts = [0; FUSED_TABLES + 1];
    let mut i = 0;
    while i < FUSED_TABLES {
        starts[i + 1] = starts[i] + PARTS[i] * ENTRIES[i];
        i += 1;
    }
    starts
};
/// Entries of all fused tables.
pub(super) const FUSED_ENTRIES: usize = FUSED_START[FUSED_TABLES];

/// The features of a position that select a part of each fused table.
#[derive(Clone, Copy)]
pub(super) struct PositionSelector {
    pub phase: usize,
    /// The most valuable kind of hanging own pieces.
    pub hanging: usize,
    /// The role that gives check (1 pawn … 6 king), 0 for none.
    pub checker: usize,
    /// Twice the role that moved last, plus one if it captured.
    pub last_kind: usize,
    /// The opponent's last move undid the opponent's move before.
    pub undone: bool,
    /// The position is the same as four plies ago.
    pub repetition: bool,
}

impl PositionSelector {
    /// The number of the part in each table.
    fn parts(self) -> [usize; FUSED_TABLES] {
        let returns = self.phase * 4 + usize::from(self.undone) * 2 + usize::from(self.repetition);
        let victim = (self.phase * 5 + self.hanging) * 7 + self.checker;
        [0, victim, self.last_kind, 0, returns, self.phase]
    }

    /// The first entry of the part of each table.
    #[inline(always)]
    pub fn starts(self) -> [usize; FUSED_TABLES] {
        let parts = self.parts();
        let mut starts = [0; FUSED_TABLES];
        for i in 0..FUSED_TABLES {
            starts[i] = FUSED_START[i] + parts[i] * ENTRIES[i];
        }
        starts
    }

    /// The rows of the contexts, and the entries in those feature tables that are fused.
    pub fn indices(self, lanes: &Lanes) -> ([usize; CONTEXTS], [usize; MOVE_TABLES]) {
        let lane = |i: usize| usize::from(lanes.0[i]);
        let mut entries = [0; MOVE_TABLES];
        for (sum, part) in self.parts().into_iter().enumerate() {
            let terms = terms(sum, part, lane(CONTEXTS + sum));
            for (number, entry) in terms.into_iter().filter(|&term| term != NONE) {
                entries[number] = MOVE_TABLE[number] + entry;
            }
        }
        (std::array::from_fn(lane), entries)
    }
}

/// Features that are summed in each table.
const TERMS: [usize; FUSED_TABLES] = [2, 3, 1, 1, 2, 2];
/// The length of runs of entries that differ in the last digits only. The offsets of the summed
/// entries from those of the first are the same in all runs of a part, so they are computed once.
const RUNS: [usize; FUSED_TABLES] = [72 * 4, 6 * 2 * 2, 16 * 2, ENTRIES[3], 8 * 8 * 2 * 2, 8 * 8];

/// Computes all fused tables from the scores of the feature tables.
pub(super) fn fuse(scores: &[i8], sums: &mut [i16; FUSED_ENTRIES]) {
    fill::<0>(scores, sums);
    fill::<1>(scores, sums);
    fill::<2>(scores, sums);
    fill::<3>(scores, sums);
    fill::<4>(scores, sums);
    fill::<5>(scores, sums);
}

/// Computes one table. The constant parameter lets the compiler specialise it: a process that
/// decodes a single game waits for this.
fn fill<const NUMBER: usize>(scores: &[i8], sums: &mut [i16; FUSED_ENTRIES]) {
    let sums = &mut sums[FUSED_START[NUMBER]..FUSED_START[NUMBER + 1]];
    for (part, sums) in sums.chunks_exact_mut(ENTRIES[NUMBER]).enumerate() {
        // Indices among the scores.
        let indices = |entry| {
            let terms = terms(NUMBER, part, entry);
            terms.map(|(number, entry)| MOVE_TABLE.get(number).map_or(0, |start| start + entry))
        };
        let mut deltas = [[0; 3]; RUNS[3]];
        for (entry, deltas) in deltas[..RUNS[NUMBER]].iter_mut().enumerate() {
            let (first, here) = (indices(0), indices(entry));
            *deltas = std::array::from_fn(|i| here[i] - first[i]);
        }
        for (run, sums) in sums.chunks_exact_mut(RUNS[NUMBER]).enumerate() {
            let first = indices(run * RUNS[NUMBER]);
            for (sum, deltas) in sums.iter_mut().zip(&deltas) {
                *sum = (0..TERMS[NUMBER])
                    .map(|i| i16::from(scores[first[i] + deltas[i]]))
                    .sum();
            }
        }
    }
}

/// The digits of a mixed-radix number, the least significant first.
struct Digits(usize);

impl Digits {
    #[inline(always)]
    fn next(&mut self, base: usize) -> usize {
        let digit = self.0 % base;
        self.0 /= base;
        digit
    }
}

/// The features whose scores an entry of a fused table sums: for each the number of its table and
/// the entry in it, padded with [`NONE`].
#[inline(always)]
fn terms(sum: usize, part: usize, entry: usize) -> [(usize, usize); 3] {
    let mut part = Digits(part);
    let mut entry = Digits(entry);
    match sum {
        0 => {
            let (checks, exchange, risk, piece) =
                (entry.next(4), entry.next(72), entry.next(12), entry.next(6));
            let (victim, class, guarded) = (exchange / 12, exchange / 2 % 6, exchange % 2);
            let attacked = usize::from(class > 0);
            let captures = usize::from(victim != 0);
            let check = usize::from(checks != 0);
            [
                (0, ((piece * 72 + exchange) * 12 + risk) * 2 + check),
                (
                    2,
                    piece * 32 + checks * 8 + attacked * 4 + guarded * 2 + captures,
                ),
                NONE,
            ]
        }
        1 => {
            let (check, saves, victim, mover) =
                (entry.next(2), entry.next(2), entry.next(6), entry.next(10));
            let (piece, promotion) = match mover {
                0..6 => (mover, 0),
                _ => (0, mover - 5),
            };
            let (checker, hanging, phase) = (part.next(7), part.next(5), part.next(3));
            let in_check = usize::from(checker != 0 && victim != 0);
            let hanging = ((hanging * 2 + saves) * 6 + victim) * 2 + check;
            [
                (10, (checker * 6 + piece) * 2 + in_check),
                (12, ((phase * 6 + piece) * 6 + victim) * 5 + promotion),
                (13, hanging * 6 + piece),
            ]
        }
        2 => {
            let (attacked, relation, piece) = (entry.next(2), entry.next(16), entry.next(6));
            let relation = (part.next(14) * 16 + relation) * 6 + piece;
            [(3, relation * 2 + attacked), NONE, NONE]
        }
        3 => [(11, entry.0), NONE, NONE],
        4 => {
            let (returns, same, to, from, piece) = (
                entry.next(2),
                entry.next(2),
                entry.next(8),
                entry.next(8),
                entry.next(6),
            );
            let (repetition, undone, phase) = (part.next(2), part.next(2), part.next(3));
            let returns = (piece * 2 + same) * 4 + returns * 2 + undone;
            [
                (5, (returns * 2 + repetition) * 3 + phase),
                (6, ((piece * 8 + from) * 8 + to) * 3 + phase),
                NONE,
            ]
        }
        _ => {
            let (to, from, mover) = (entry.next(8), entry.next(8), entry.next(69));
            let phase = part.next(3);
            // For pawns: rank and passed, then attacked and guarded.
            let (piece, pawn) = match mover {
                0..64 => (0, 1 + ((mover / 4) * 3 + phase) * 4 + mover % 4),
                _ => (mover - 63, 0),
            };
            [
                (7, ((piece * 8 + from) * 8 + to) * 3 + phase),
                (8, pawn),
                NONE,
            ]
        }
    }
}

const NONE: (usize, usize) = (usize::MAX, 0);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::shape::TABLE_ENTRIES;

    #[test]
    fn fused_entries_are_sums_of_feature_scores() {
        let scores: Vec<i8> = (0..TABLE_ENTRIES).map(|i| (i * 7919 % 251) as i8).collect();
        let mut found = [0; FUSED_ENTRIES];
        fuse(&scores, &mut found);
        for table in 0..FUSED_TABLES {
            for place in 0..PARTS[table] * ENTRIES[table] {
                let (part, entry) = (place / ENTRIES[table], place % ENTRIES[table]);
                let terms = terms(table, part, entry)
                    .into_iter()
                    .filter(|&term| term != NONE);
                let score = |(number, entry): (usize, usize)| scores[MOVE_TABLE[number] + entry];
                let expected: i16 = terms.map(|term| i16::from(score(term))).sum();
                assert_eq!(
                    found[FUSED_START[table] + place],
                    expected,
                    "table {table}, entry {place}"
                );
            }
        }
    }
}
