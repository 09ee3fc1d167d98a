//! Attacks of one bishop or rook, by hyperbola quintessence.
//!
//! Magic bitboards need 700 KB of tables; waiting for them took a third of the time of numbering
//! moves. Hyperbola quintessence needs 4.5 KB, which stay in the L1 cache: subtracting the slider
//! from the pieces on its line lets the borrow run through the empty squares to the first piece;
//! the same on the flipped board gives the other half of the line. Flipping does not reverse a
//! rank, so ranks have a table of 512 bytes.
//!
//! Invariant: results equal shakmaty's `bishop_attacks` and `rook_attacks`.
//!
//! Low-level: used by move generation, by crate `ign-endgame` and by the move model.

use shakmaty::{Bitboard, Square};

/// The lines through a square, without the square.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Lines {
    square: u64,
    /// The square on the flipped board.
    flipped: u64,
    file: u64,
    rising: u64,
    falling: u64,
}

static LINES: [Lines; 64] = lines();

/// Rook attacks along a rank: by the occupancy of the six inner squares, then by file.
static RANKS: [[u8; 8]; 64] = ranks();

/// The squares attacked by a bishop on `square`, given the occupied squares.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[square.to_usize()];
    Bitboard(along(lines, lines.rising, occupied.0) | along(lines, lines.falling, occupied.0))
}

/// The squares attacked by a rook on `square`, given the occupied squares.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[square.to_usize()];
    let rank = square.to_u32() & 56;
    let inner = occupied.0 >> rank >> 1 & 63;
    let on_rank = RANKS[inner as usize][square.to_usize() & 7];
    Bitboard(along(lines, lines.file, occupied.0) | u64::from(on_rank) << rank)
}

/// The squares attacked on one line.
#[inline]
fn along(lines: &Lines, line: u64, occupied: u64) -> u64 {
    let pieces = occupied & line;
    let up = pieces.wrapping_sub(lines.square);
    let down = pieces.swap_bytes().wrapping_sub(lines.flipped);
    (up ^ down.swap_bytes()) & line
}

const fn lines() -> [Lines; 64] {
    let nothing = Lines {
        square: 0,
        flipped: 0,
        file: 0,
        rising: 0,
        falling: 0,
    };
    let mut table = [nothing; 64];
    let mut i = 0;
    while i < 64 * 64 {
        let (a, b) = (i / 64, i % 64);
        let (files, ranks) = (b as i32 % 8 - a as i32 % 8, b as i32 / 8 - a as i32 / 8);
        let lines = &mut table[a];
        if a == b {
            lines.square = 1 << a;
            lines.flipped = lines.square.swap_bytes();
        } else if files == 0 {
            lines.file |= 1 << b;
        } else if files == ranks {
            lines.rising |= 1 << b;
        } else if files == -ranks {
            lines.falling |= 1 << b;
        }
        i += 1;
    }
    table
}

const fn ranks() -> [[u8; 8]; 64] {
    let mut table = [[0; 8]; 64];
    let mut i = 0;
    while i < 64 * 8 {
        let (inner, file) = (i / 8, i % 8);
        let occupied = (inner as u8) << 1;
        let mut attacked = 0;
        let mut to = file;
        while to < 7 {
            to += 1;
            attacked |= 1 << to;
            if occupied >> to & 1 == 1 {
                break;
            }
        }
        to = file;
        while to > 0 {
            to -= 1;
            attacked |= 1 << to;
            if occupied >> to & 1 == 1 {
                break;
            }
        }
        table[inner][file] = attacked;
        i += 1;
    }
    table
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use shakmaty::attacks;

    /// Reproducible pseudo-random words (xorshift).
    pub fn noise() -> impl FnMut() -> u64 {
        let mut seed = 1u64;
        move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        }
    }

    #[test]
    fn attacks_equal_those_of_shakmaty() {
        let mut random = noise();
        for round in 0..20_000 {
            // From dense to sparse boards, with and without a piece on the square itself.
            let occupied = match round % 4 {
                0 => random(),
                1 => random() & random(),
                2 => random() & random() & random(),
                _ => random() & random() & random() & random() & random(),
            };
            for square in Square::ALL {
                for occupied in [occupied, occupied | 1 << square.to_u32(), 0, !0] {
                    let occupied = Bitboard(occupied);
                    let place = (square, occupied);
                    let theirs = attacks::bishop_attacks(square, occupied);
                    assert_eq!(bishop(square, occupied), theirs, "{place:?}");
                    let theirs = attacks::rook_attacks(square, occupied);
                    assert_eq!(rook(square, occupied), theirs, "{place:?}");
                }
            }
        }
    }
}
