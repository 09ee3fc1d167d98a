//! Where bishops and rooks reach, from tables that stay in the nearest cache.
//!
//! Tables of all occupancies (magic bitboards) take 700 KB: a third of the time of numbering
//! moves went into waiting for them. Here a line is looked at by subtraction: with the slider
//! taken from the pieces on its line, the borrow runs through the empty squares and stops at the
//! first piece; turning the board upside down does the same for the other half of the line
//! ("hyperbola quintessence"). Upside down does not reverse a rank, so ranks have a table of
//! their own, of 512 bytes.
//!
//! Invariant: the answers are those of shakmaty's `bishop_attacks` and `rook_attacks`.

use shakmaty::{Bitboard, Square};

/// The lines through a square, the square itself left out.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Lines {
    square: u64,
    /// The square on the board turned upside down.
    turned: u64,
    file: u64,
    rising: u64,
    falling: u64,
}

static LINES: [Lines; 64] = lines();

/// What a rook attacks on its rank: by the six inner squares of the rank, then by file.
static RANKS: [[u8; 8]; 64] = ranks();

/// Where a bishop on `square` reaches when `occupied` squares block.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[square.to_usize()];
    Bitboard(along(lines, lines.rising, occupied.0) | along(lines, lines.falling, occupied.0))
}

/// Where a rook on `square` reaches when `occupied` squares block.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[square.to_usize()];
    let rank = square.to_u32() & 56;
    let inner = occupied.0 >> rank >> 1 & 63;
    let on_rank = RANKS[inner as usize][square.to_usize() & 7];
    Bitboard(along(lines, lines.file, occupied.0) | u64::from(on_rank) << rank)
}

/// What a slider attacks on one line through it.
#[inline]
fn along(lines: &Lines, line: u64, occupied: u64) -> u64 {
    let pieces = occupied & line;
    let up = pieces.wrapping_sub(lines.square);
    let down = pieces.swap_bytes().wrapping_sub(lines.turned);
    (up ^ down.swap_bytes()) & line
}

const fn lines() -> [Lines; 64] {
    let nothing = Lines {
        square: 0,
        turned: 0,
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
            lines.turned = lines.square.swap_bytes();
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

    /// Words that look random and are the same everywhere (xorshift).
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
    fn the_reach_is_that_of_the_reference() {
        let mut random = noise();
        for round in 0..20_000 {
            // From crowded boards to empty ones, and what stands on the edge or on the square.
            let occupied = match round % 4 {
                0 => random(),
                1 => random() & random(),
                2 => random() & random() & random(),
                _ => random() & random() & random() & random() & random(),
            };
            for square in Square::ALL {
                for occupied in [occupied, occupied | 1 << square.to_u32(), 0, !0] {
                    let occupied = Bitboard(occupied);
                    let told = (square, occupied);
                    let theirs = attacks::bishop_attacks(square, occupied);
                    assert_eq!(bishop(square, occupied), theirs, "{told:?}");
                    let theirs = attacks::rook_attacks(square, occupied);
                    assert_eq!(rook(square, occupied), theirs, "{told:?}");
                }
            }
        }
    }
}
