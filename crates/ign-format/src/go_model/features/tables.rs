//! The feature tables: their sizes and where they begin among the parameters (spec §14.7.2).

use ign_notation::go::position::RECENT;

/// Number of feature tables. Every choice has one entry in each.
pub const TABLES: usize = 11;
/// Entries of each table. Sizes that are powers of two belong to hashed tables.
pub const SIZES: [usize; TABLES] = [
    1 << 16,          // pattern of the eight neighbours
    1 << 15,          // pattern that also includes the points two steps away along the lines
    1 << 17,          // pattern of the whole surrounding of twenty points
    OFFSETS,          // distance from the last move
    OFFSETS,          // distance from the move before it
    OFFSETS,          // distance from the move before that
    PLACES,           // place on the board, by phase of the game
    TACTICS,          // liberties, captures, threats
    (RECENT + 1) * 5, // retaking a point played recently, by stones captured
    1 << 16,          // replies to the pattern around the last move
    1 << 18,          // corner patterns
];
/// Entries by distance: pairs of steps, the larger first, and one without a previous move.
pub(super) const OFFSETS: usize = FAR * (FAR + 1) / 2 + 2;
/// Distances from here on are equal.
pub(super) const FAR: usize = 20;
/// Phases of a game, by number of moves.
pub(super) const PHASES: usize = 8;
const PLACES: usize = 55 * PHASES + 4 * PHASES;
const TACTICS: usize = 5 * 3 * 5 * 4 * 2;

/// Entries of all tables, which is the number of parameters.
pub const ENTRIES: usize = {
    let mut sum = 0;
    let mut i = 0;
    while i < TABLES {
        sum += SIZES[i];
        i += 1;
    }
    sum
};

/// The first entry of each table.
pub(super) const STARTS: [u32; TABLES] = {
    let mut starts = [0; TABLES];
    let mut i = 1;
    while i < TABLES {
        starts[i] = starts[i - 1] + SIZES[i - 1] as u32;
        i += 1;
    }
    starts
};

/// Hashes a number for a table of 2^`bits` entries.
pub(super) fn hash(number: u64, bits: u32) -> u32 {
    (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) as u32
}
