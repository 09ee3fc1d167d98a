//! Where a move's rows and scores are, by numbers that are added up sixteen at once
//! (spec §8.5.2).
//!
//! Nearly all that the model sees of a move depends on few things each: on its piece, on what
//! stands on its squares, on what it aims at. Each of these adds something to the number of a row
//! or to a place in a table of scores, so they are tables of summands themselves: a lane for each
//! context, and one for each [sum](SUMS) of traits. The rest, a move's own row and the large
//! tables, is not in here.

use super::tables::{CONTEXT, CONTEXTS, TRAIT, TRAITS};

/// A number for each lane; the last ones are unused.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Lanes(pub [u16; 16]);

/// Contexts' lanes.
const EXCHANGE_ROW: usize = 0;
const CHECK_ROW: usize = 1;
const RELATION_ROW: usize = 2;
const TARGET_ROW: usize = 3;
/// Lanes of sums.
const EXCHANGE: usize = CONTEXTS;
pub(super) const VICTIM: usize = CONTEXTS + 1;
const RELATION: usize = CONTEXTS + 2;
const TARGET: usize = CONTEXTS + 3;
const AGAIN: usize = CONTEXTS + 4;
const PAWN: usize = CONTEXTS + 5;

/// How many sums of traits there are. What a position has in common chooses a part of each.
pub(super) const SUMS: usize = 6;
/// Parts of each sum: one; by phase, hanging piece and checker; by the kind of the last move; one;
/// by phase, whether the last move undid the one before, and whether the position is back; by
/// phase.
const PARTS: [usize; SUMS] = [1, 3 * 5 * 7, 14, 1, 3 * 2 * 2, 3];
/// Entries of each part:
///
/// - piece, the class of what attacks its square and whether that is guarded; victim, cheapest
///   attacker and guard of the square that it goes to; checks,
/// - piece, behind them promotions; victim, whether it saves a hanging piece, check,
/// - piece, relation to the last move, attacked,
/// - piece, targets, attacked, captures,
/// - piece, distances to the enemy's king before and after, the same piece again, back again,
/// - pawns' rank, passed, attacked, guarded, behind them the other pieces; distances to the own
///   king before and after.
const ENTRIES: [usize; SUMS] = [
    6 * 12 * 72 * 4,
    (6 + 4) * 6 * 2 * 2,
    6 * 16 * 2,
    6 * 16 * 2 * 2,
    6 * 8 * 8 * 2 * 2,
    (64 + 5) * 8 * 8,
];
/// By how much a promotion differs from another move of a pawn: see above.
pub(super) const PROMOTES: [u16; 4] = [6 * 24, 7 * 24, 8 * 24, 9 * 24];
/// Where each sum begins among all.
const SUM: [usize; SUMS + 1] = {
    let mut starts = [0; SUMS + 1];
    let mut i = 0;
    while i < SUMS {
        starts[i + 1] = starts[i] + PARTS[i] * ENTRIES[i];
        i += 1;
    }
    starts
};
/// Entries of all sums.
pub(super) const SUM_ENTRIES: usize = SUM[SUMS];

/// What all moves of a position have in common.
#[derive(Clone, Copy)]
pub(super) struct Setting {
    pub phase: usize,
    /// The dearest kind of own pieces that hang.
    pub hanging: usize,
    /// The role of the piece that gives check.
    pub checker: usize,
    /// Twice the role that moved last, one more if it took something.
    pub last_kind: usize,
    /// The enemy's last move undid his move before.
    pub undone: bool,
    /// The position is back.
    pub back: bool,
}

impl Setting {
    /// The part of each sum, as its number.
    fn parts(self) -> [usize; SUMS] {
        let again = self.phase * 4 + usize::from(self.undone) * 2 + usize::from(self.back);
        let victim = (self.phase * 5 + self.hanging) * 7 + self.checker;
        [0, victim, self.last_kind, 0, again, self.phase]
    }

    /// Where the parts begin among all entries.
    #[inline(always)]
    pub fn starts(self) -> [usize; SUMS] {
        let parts = self.parts();
        let mut starts = [0; SUMS];
        for i in 0..SUMS {
            starts[i] = SUM[i] + parts[i] * ENTRIES[i];
        }
        starts
    }

    /// The rows of contexts, and the entries of the traits that are in sums, of these lanes.
    pub fn places(self, lanes: &Lanes) -> ([usize; CONTEXTS], [usize; TRAITS]) {
        let lane = |i: usize| usize::from(lanes.0[i]);
        let mut entries = [0; TRAITS];
        for (sum, part) in self.parts().into_iter().enumerate() {
            let addends = addends(sum, part, lane(CONTEXTS + sum));
            for (number, entry) in addends.into_iter().filter(|&addend| addend != NONE) {
                entries[number] = TRAIT[number] + entry;
            }
        }
        (std::array::from_fn(lane), entries)
    }
}

/// Traits of each sum.
const ADDENDS: [usize; SUMS] = [2, 3, 1, 1, 2, 2];
/// Entries of each part that stand one behind the other and differ in their last things only: how
/// far the entries of traits are apart that they count is the same in all of a part's runs.
const RUNS: [usize; SUMS] = [72 * 4, 6 * 2 * 2, 16 * 2, ENTRIES[3], 8 * 8 * 2 * 2, 8 * 8];

/// Fills in the sums of the scores of all their entries, given those of traits.
pub(super) fn sums(scores: &[i8], sums: &mut [i16; SUM_ENTRIES]) {
    fill::<0>(scores, sums);
    fill::<1>(scores, sums);
    fill::<2>(scores, sums);
    fill::<3>(scores, sums);
    fill::<4>(scores, sums);
    fill::<5>(scores, sums);
}

/// Those of one sum: compiled for it alone, where a process waits for them.
fn fill<const NUMBER: usize>(scores: &[i8], sums: &mut [i16; SUM_ENTRIES]) {
    let sums = &mut sums[SUM[NUMBER]..SUM[NUMBER + 1]];
    for (part, sums) in sums.chunks_exact_mut(ENTRIES[NUMBER]).enumerate() {
        // Places among the scores.
        let places = |entry| {
            let addends = addends(NUMBER, part, entry);
            addends.map(|(number, entry)| TRAIT.get(number).map_or(0, |start| start + entry))
        };
        let mut apart = [[0; 3]; RUNS[3]];
        for (entry, apart) in apart[..RUNS[NUMBER]].iter_mut().enumerate() {
            let (first, here) = (places(0), places(entry));
            *apart = std::array::from_fn(|i| here[i] - first[i]);
        }
        for (run, sums) in sums.chunks_exact_mut(RUNS[NUMBER]).enumerate() {
            let first = places(run * RUNS[NUMBER]);
            for (sum, apart) in sums.iter_mut().zip(&apart) {
                *sum = (0..ADDENDS[NUMBER])
                    .map(|i| i16::from(scores[first[i] + apart[i]]))
                    .sum();
            }
        }
    }
}

/// Digits of a number in a mixed radix, the last base first.
struct Digits(usize);

impl Digits {
    #[inline(always)]
    fn next(&mut self, base: usize) -> usize {
        let digit = self.0 % base;
        self.0 /= base;
        digit
    }
}

/// The traits that a sum is of, and in the table of each the entry that an entry of the sum
/// counts; [`NONE`] behind them.
#[inline(always)]
fn addends(sum: usize, part: usize, entry: usize) -> [(usize, usize); 3] {
    let mut part = Digits(part);
    let mut entry = Digits(entry);
    match sum {
        0 => {
            let (checks, exchange, risk, piece) =
                (entry.next(4), entry.next(72), entry.next(12), entry.next(6));
            let (victim, guarded) = (exchange / 12, exchange % 2);
            let class = exchange / 2 % 6;
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
            let (again, same, to, from, piece) = (
                entry.next(2),
                entry.next(2),
                entry.next(8),
                entry.next(8),
                entry.next(6),
            );
            let (back, undone, phase) = (part.next(2), part.next(2), part.next(3));
            let again = (piece * 2 + same) * 4 + again * 2 + undone;
            [
                (5, (again * 2 + back) * 3 + phase),
                (6, ((piece * 8 + from) * 8 + to) * 3 + phase),
                NONE,
            ]
        }
        _ => {
            let (to, from, mover) = (entry.next(8), entry.next(8), entry.next(69));
            let phase = part.next(3);
            // Of pawns rank and passed, then attacked and guarded.
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

const fn bit(key: usize, bit: u32) -> u16 {
    (key >> bit & 1) as u16
}

/// What each thing adds to the lanes. They stand together, so that one address leads to all.
pub(super) struct Summands {
    pub by_piece: [Lanes; 6],
    pub by_origin: [Lanes; 96],
    pub by_exchange: [Lanes; 256],
    pub by_relation: [Lanes; 8],
    pub by_aim: [Lanes; 128],
    pub by_distance: [[Lanes; 64]; 2],
    pub by_pawn: [Lanes; 64],
}

pub(super) static SUMMANDS: Summands = Summands {
    by_piece: BY_PIECE,
    by_origin: BY_ORIGIN,
    by_exchange: BY_EXCHANGE,
    by_relation: BY_RELATION,
    by_aim: BY_AIM,
    by_distance: BY_DISTANCE,
    by_pawn: BY_PAWN,
};

/// By piece, 0 pawn … 5 king; where contexts begin is in it.
const BY_PIECE: [Lanes; 6] = {
    let mut table = [Lanes([0; 16]); 6];
    let mut piece = 0;
    while piece < 6 {
        let lanes = &mut table[piece].0;
        let steps = [72, 96, 64, 64, 12 * 288, 24, 32, 64, 256, 64];
        let mut i = 0;
        while i < steps.len() {
            lanes[i] = piece as u16 * steps[i];
            if i < CONTEXTS {
                lanes[i] += CONTEXT[i] as u16;
            }
            i += 1;
        }
        if piece > 0 {
            lanes[PAWN] += 63 * 64;
        }
        piece += 1;
    }
    table
};

/// By what is on the square that a move comes from: from the lowest bit on whether the same piece
/// moved before, whether the last moved piece attacks it, whether it is among those that hang,
/// whether it is guarded, the class of its cheapest attacker.
const BY_ORIGIN: [Lanes; 96] = {
    let mut table = [Lanes([0; 16]); 96];
    let mut key = 0;
    while key < 96 {
        let lanes = &mut table[key].0;
        let (same, attacked) = (bit(key, 0), bit(key, 1));
        let (saves, risk) = (bit(key, 2), (key >> 3) as u16);
        lanes[CHECK_ROW] = risk * 2 + saves;
        lanes[RELATION_ROW] = attacked * 8 + same * 2;
        lanes[EXCHANGE] = risk * 288;
        lanes[VICTIM] = saves * 2;
        lanes[RELATION] = attacked * 4;
        lanes[AGAIN] = same * 2;
        key += 1;
    }
    table
};

/// By the square that a pawn goes to: eight times its rank, and whether no enemy pawn is in the
/// way from there, four; 0 for other pieces.
const BY_PAWN: [Lanes; 64] = {
    let mut table = [Lanes([0; 16]); 64];
    let mut key = 0;
    while key < 64 {
        table[key as usize].0[PAWN] = 64 * key;
        key += 1;
    }
    table
};

/// How many keys there are for what is on the square that a move goes to; those of pawns' moves
/// are behind them.
pub(super) const EXCHANGES: usize = 6 * 6 * 2;

/// By what is on the square that a move goes to: `(victim · 6 + cheapest attacker) · 2 + guarded`.
/// Padded, so that every byte is a key.
const BY_EXCHANGE: [Lanes; 256] = {
    let mut table = [Lanes([0; 16]); 256];
    let mut key = 0;
    while key < 2 * EXCHANGES {
        let lanes = &mut table[key].0;
        let is_pawn = (key / EXCHANGES) as u16;
        let exchange = (key % EXCHANGES) as u16;
        let (victim, guarded) = (exchange / 12, exchange % 2);
        let class = exchange / 2 % 6;
        let attacked = (class > 0) as u16;
        let captures = (victim != 0) as u16;
        lanes[EXCHANGE_ROW] = exchange;
        lanes[EXCHANGE] = exchange * 4;
        lanes[VICTIM] = victim * 4;
        lanes[RELATION] = attacked;
        lanes[TARGET] = attacked * 2 + captures;
        lanes[PAWN] = is_pawn * (attacked * 2 + guarded) * 64;
        key += 1;
    }
    table
};

/// Bits of a relation: what a move does about the moves before.
pub(super) const TAKES_LAST: u8 = 1;
pub(super) const LAST_ATTACKS: u8 = 2;
pub(super) const GOES_BACK: u8 = 4;

/// By these bits.
const BY_RELATION: [Lanes; 8] = {
    let mut table = [Lanes([0; 16]); 8];
    let mut key = 0;
    while key < 8 {
        let lanes = &mut table[key].0;
        let (relation, back) = (bit(key, 0) + 8 * bit(key, 1), bit(key, 2));
        lanes[RELATION_ROW] = relation * 4 + back;
        lanes[RELATION] = relation * 2;
        lanes[AGAIN] = back;
        key += 1;
    }
    table
};

/// Bits of what a move aims at: the king, then the other targets, then the piece moved last; at
/// last whether it lets another piece give check.
pub(super) const AIMS_LAST: u8 = 32;
pub(super) const DISCOVERS: u32 = 6;

/// By these bits.
const BY_AIM: [Lanes; 128] = {
    let mut table = [Lanes([0; 16]); 128];
    let mut key = 0;
    while key < 128 {
        let lanes = &mut table[key].0;
        let checks = bit(key, 0) + 2 * bit(key, DISCOVERS);
        let targets = (key >> 1 & 15) as u16;
        let aims_last = bit(key, 5);
        lanes[CHECK_ROW] = checks * 24;
        lanes[RELATION_ROW] = aims_last * 16;
        lanes[TARGET_ROW] = targets * 4;
        lanes[EXCHANGE] = checks;
        lanes[VICTIM] = (checks != 0) as u16;
        lanes[RELATION] = aims_last * 8;
        lanes[TARGET] = targets * 4;
        key += 1;
    }
    table
};

/// By eight times the distance to the enemy's king plus that to one's own: of squares that moves
/// come from, then of those that they go to.
const BY_DISTANCE: [[Lanes; 64]; 2] = {
    let mut table = [[Lanes([0; 16]); 64]; 2];
    let mut key = 0;
    while key < 64 {
        let (enemy, own) = (key / 8, key % 8);
        let lanes = &mut table[0][key as usize].0;
        lanes[AGAIN] = enemy * 32;
        lanes[PAWN] = own * 8;
        let lanes = &mut table[1][key as usize].0;
        lanes[TARGET_ROW] = match enemy {
            0 | 1 => 0,
            2..5 => enemy - 1,
            _ => 3,
        };
        lanes[AGAIN] = enemy * 4;
        lanes[PAWN] = own;
        key += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tables::TRAIT_COUNT;

    #[test]
    fn sums_are_those_of_their_addends() {
        let scores: Vec<i8> = (0..TRAIT_COUNT).map(|i| (i * 7919 % 251) as i8).collect();
        let mut found = [0; SUM_ENTRIES];
        sums(&scores, &mut found);
        for sum in 0..SUMS {
            for place in 0..PARTS[sum] * ENTRIES[sum] {
                let (part, entry) = (place / ENTRIES[sum], place % ENTRIES[sum]);
                let addends = addends(sum, part, entry).into_iter();
                let addends = addends.filter(|&addend| addend != NONE);
                let score = |(number, entry): (usize, usize)| scores[TRAIT[number] + entry];
                let expected: i16 = addends.map(|addend| i16::from(score(addend))).sum();
                assert_eq!(
                    found[SUM[sum] + place],
                    expected,
                    "sum {sum}, entry {place}"
                );
            }
        }
    }
}
