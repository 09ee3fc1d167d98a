//! The eight symmetries of a pattern, and its canonical form.
//!
//! A pattern is the surrounding of a point as a code of two bits per point (see
//! [`Position::surrounding`](ign_notation::go::Position::surrounding)). Patterns that are rotations
//! or reflections of each other share an entry, that of the smallest code.

use std::sync::LazyLock;

use ign_notation::go::position::SURROUNDING;

/// Applies a symmetry to an offset of rows and columns.
pub(super) const fn transform(symmetry: usize, row: i32, column: i32) -> (i32, i32) {
    let (row, column) = if symmetry & 1 == 1 {
        (column, row)
    } else {
        (row, column)
    };
    let row = if symmetry & 2 == 2 { -row } else { row };
    let column = if symmetry & 4 == 4 { -column } else { column };
    (row, column)
}

/// By symmetry: the new index of each point of a surrounding.
const PERMUTATIONS: [[u8; 20]; 8] = {
    let mut permutations = [[0; 20]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut from = 0;
        while from < 20 {
            let (row, column) = SURROUNDING[from];
            let (row, column) = transform(symmetry, row as i32, column as i32);
            let mut to = 0;
            while SURROUNDING[to].0 as i32 != row || SURROUNDING[to].1 as i32 != column {
                to += 1;
            }
            permutations[symmetry][from] = to as u8;
            from += 1;
        }
        symmetry += 1;
    }
    permutations
};

/// Tables that transform the code of a pattern byte by byte.
pub(super) struct Symmetries {
    /// By symmetry, index of the byte, and byte.
    bytes: Vec<[[u64; 256]; 5]>,
    /// For each code of the eight neighbours: the smallest of its eight transforms, and the set of
    /// symmetries that give it, one bit each.
    neighbours: Vec<(u16, u8)>,
}

pub(super) static SYMMETRIES: LazyLock<Symmetries> = LazyLock::new(|| {
    let mut symmetries = Symmetries {
        bytes: vec![[[0; 256]; 5]; 8],
        neighbours: Vec::with_capacity(1 << 16),
    };
    for (permutation, bytes) in PERMUTATIONS.iter().zip(&mut symmetries.bytes) {
        for (number, table) in bytes.iter_mut().enumerate() {
            for (byte, transformed) in table.iter_mut().enumerate() {
                for cell in 0..4 {
                    let to = permutation[4 * number + cell];
                    *transformed |= (byte as u64 >> (2 * cell) & 3) << (2 * to);
                }
            }
        }
    }
    for code in 0..1u64 << 16 {
        let codes: [u16; 8] = std::array::from_fn(|symmetry| {
            let bytes = &symmetries.bytes[symmetry];
            (bytes[0][code as usize & 255] | bytes[1][code as usize >> 8]) as u16
        });
        let smallest = codes.into_iter().min().expect("eight symmetries");
        let set = (0..8)
            .filter(|&symmetry| codes[symmetry] == smallest)
            .fold(0, |set, symmetry| set | 1 << symmetry);
        symmetries.neighbours.push((smallest, set));
    }
    symmetries
});

impl Symmetries {
    /// Applies a symmetry to a pattern.
    pub(super) fn apply(&self, code: u64, symmetry: usize) -> u64 {
        let bytes = &self.bytes[symmetry];
        (0..5).fold(0, |transformed, i| {
            transformed | bytes[i][(code >> (8 * i)) as usize & 255]
        })
    }

    /// The canonical form of a pattern: the smallest code among the transforms whose neighbours,
    /// in the low 16 bits, have the smallest code.
    #[inline]
    pub(super) fn canonical(&self, code: u64) -> u64 {
        let (_, mut set) = self.neighbours[code as usize & 0xffff];
        let mut smallest = u64::MAX;
        while set != 0 {
            smallest = smallest.min(self.apply(code, set.trailing_zeros() as usize));
            set &= set - 1;
        }
        smallest
    }
}

/// A pattern with the colours exchanged, as White sees it. Empty points and points off the board
/// stay.
pub(super) fn with_colors_swapped(code: u64) -> u64 {
    const ODD: u64 = 0x55_5555_5555;
    (code & ODD) << 1 | code >> 1 & ODD
}
