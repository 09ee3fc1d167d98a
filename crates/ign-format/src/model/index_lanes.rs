//! Indices of a move's rows and table entries, computed in SIMD lanes (spec §8.5.2).
//!
//! The indices are mixed-radix numbers of a few categorical features: the piece, what is on the
//! origin and on the destination, the targets that it attacks from there. So an index is a sum of
//! one term per feature, and one addition of 16-bit lanes adds the terms of all indices: a lane for
//! the output row of each context, and one for the entry in each [fused table](super::fused). A
//! move's own row and the tables of pairs and openings are indexed elsewhere.

use super::shape::{CONTEXT_ROW, CONTEXTS};

/// Sixteen indices, or terms of them; the last six are unused.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(super) struct Lanes(pub [u16; 16]);

// Lanes of the rows of contexts.
const EXCHANGE_ROW: usize = 0;
const CHECK_ROW: usize = 1;
const RELATION_ROW: usize = 2;
const TARGET_ROW: usize = 3;
// Lanes of the entries in fused tables.
const EXCHANGE: usize = CONTEXTS;
pub(super) const VICTIM: usize = CONTEXTS + 1;
const RELATION: usize = CONTEXTS + 2;
const TARGET: usize = CONTEXTS + 3;
const REPEAT: usize = CONTEXTS + 4;
const PAWN: usize = CONTEXTS + 5;

/// What a promotion (to bishop, knight, queen, rook) adds to the entry of a pawn move in the lane
/// [`VICTIM`].
pub(super) const PROMOTES: [u16; 4] = [6 * 24, 7 * 24, 8 * 24, 9 * 24];

const fn bit(key: usize, bit: u32) -> u16 {
    (key >> bit & 1) as u16
}

/// The terms of each feature by its value. They are one static, so that one base address serves
/// all tables.
pub(super) struct LaneTerms {
    pub by_piece: [Lanes; 6],
    pub by_origin: [Lanes; 96],
    pub by_exchange: [Lanes; 256],
    pub by_relation: [Lanes; 8],
    pub by_targets: [Lanes; 128],
    pub by_distance: [[Lanes; 64]; 2],
    pub by_pawn: [Lanes; 64],
}

pub(super) static LANE_TERMS: LaneTerms = LaneTerms {
    by_piece: BY_PIECE,
    by_origin: BY_ORIGIN,
    by_exchange: BY_EXCHANGE,
    by_relation: BY_RELATION,
    by_targets: BY_TARGETS,
    by_distance: BY_DISTANCE,
    by_pawn: BY_PAWN,
};

/// By piece, 0 pawn … 5 king. The first rows of the contexts are included.
const BY_PIECE: [Lanes; 6] = {
    let mut table = [Lanes([0; 16]); 6];
    let mut piece = 0;
    while piece < 6 {
        let lanes = &mut table[piece].0;
        let strides = [72, 96, 64, 64, 12 * 288, 24, 32, 64, 256, 64];
        let mut i = 0;
        while i < strides.len() {
            lanes[i] = piece as u16 * strides[i];
            if i < CONTEXTS {
                lanes[i] += CONTEXT_ROW[i] as u16;
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

/// By the origin, from the lowest bit: whether the same piece made the own last move, whether the
/// piece that moved last attacks it, whether it hangs, whether it is guarded; then the class of its
/// least valuable attacker.
const BY_ORIGIN: [Lanes; 96] = {
    let mut table = [Lanes([0; 16]); 96];
    let mut key = 0;
    while key < 96 {
        let lanes = &mut table[key].0;
        let (same_piece, attacked) = (bit(key, 0), bit(key, 1));
        let (hangs, risk) = (bit(key, 2), (key >> 3) as u16);
        lanes[CHECK_ROW] = risk * 2 + hangs;
        lanes[RELATION_ROW] = attacked * 8 + same_piece * 2;
        lanes[EXCHANGE] = risk * 288;
        lanes[VICTIM] = hangs * 2;
        lanes[RELATION] = attacked * 4;
        lanes[REPEAT] = same_piece * 2;
        key += 1;
    }
    table
};

/// By the destination of a pawn: eight times its relative rank, plus four if the pawn is passed
/// there. 0 for other pieces.
const BY_PAWN: [Lanes; 64] = {
    let mut table = [Lanes([0; 16]); 64];
    let mut key = 0;
    while key < 64 {
        table[key as usize].0[PAWN] = 64 * key;
        key += 1;
    }
    table
};

/// Number of keys of a destination. The keys of pawn moves follow those of other pieces.
pub(super) const EXCHANGE_KEYS: usize = 6 * 6 * 2;

/// By the destination: `(victim · 6 + class of the least valuable attacker) · 2 + guarded`. Padded,
/// so that every byte is a valid key.
const BY_EXCHANGE: [Lanes; 256] = {
    let mut table = [Lanes([0; 16]); 256];
    let mut key = 0;
    while key < 2 * EXCHANGE_KEYS {
        let lanes = &mut table[key].0;
        let is_pawn = (key / EXCHANGE_KEYS) as u16;
        let exchange = (key % EXCHANGE_KEYS) as u16;
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

// Bits of the relation of a destination to the last moves.
/// The move captures the piece that moved last.
pub(super) const TAKES_LAST_MOVER: u8 = 1;
/// The piece that moved last attacks the destination.
pub(super) const ATTACKED_BY_LAST_MOVER: u8 = 2;
/// The destination is the origin of the own last move.
pub(super) const GOES_BACK: u8 = 4;

/// By the relation of the destination to the last moves.
const BY_RELATION: [Lanes; 8] = {
    let mut table = [Lanes([0; 16]); 8];
    let mut key = 0;
    while key < 8 {
        let lanes = &mut table[key].0;
        let (relation, back) = (bit(key, 0) + 8 * bit(key, 1), bit(key, 2));
        lanes[RELATION_ROW] = relation * 4 + back;
        lanes[RELATION] = relation * 2;
        lanes[REPEAT] = back;
        key += 1;
    }
    table
};

// Bits of the targets that a move attacks: bit 0 the king, bits 1 to 4 the other targets, then:
/// The piece that moved last.
pub(super) const ATTACKS_LAST_MOVER: u8 = 32;
/// The number of the bit that stands for a discovered check.
pub(super) const DISCOVERS: u32 = 6;

/// By the targets that the piece attacks from the destination.
const BY_TARGETS: [Lanes; 128] = {
    let mut table = [Lanes([0; 16]); 128];
    let mut key = 0;
    while key < 128 {
        let lanes = &mut table[key].0;
        let checks = bit(key, 0) + 2 * bit(key, DISCOVERS);
        let targets = (key >> 1 & 15) as u16;
        let last_mover = bit(key, 5);
        lanes[CHECK_ROW] = checks * 24;
        lanes[RELATION_ROW] = last_mover * 16;
        lanes[TARGET_ROW] = targets * 4;
        lanes[EXCHANGE] = checks;
        lanes[VICTIM] = (checks != 0) as u16;
        lanes[RELATION] = last_mover * 8;
        lanes[TARGET] = targets * 4;
        key += 1;
    }
    table
};

/// By eight times the distance to the enemy king plus the distance to the own king: of the origin,
/// then of the destination.
const BY_DISTANCE: [[Lanes; 64]; 2] = {
    let mut table = [[Lanes([0; 16]); 64]; 2];
    let mut key = 0;
    while key < 64 {
        let (enemy, own) = (key / 8, key % 8);
        let lanes = &mut table[0][key as usize].0;
        lanes[REPEAT] = enemy * 32;
        lanes[PAWN] = own * 8;
        let lanes = &mut table[1][key as usize].0;
        lanes[TARGET_ROW] = match enemy {
            0 | 1 => 0,
            2..5 => enemy - 1,
            _ => 3,
        };
        lanes[REPEAT] = enemy * 4;
        lanes[PAWN] = own;
        key += 1;
    }
    table
};
