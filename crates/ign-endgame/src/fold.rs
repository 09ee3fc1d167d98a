//! Reduction of positions by the symmetries of the board.
//!
//! Folding maps a position to an equivalent one in which a chosen piece, the anchor, is in one
//! region of the board. Without pawns all eight symmetries preserve the game, and the region is
//! the triangle a1–d1–d4: 10 squares. With pawns only the left-right reflection does, and the
//! region is the files a to d: 32 squares.
//!
//! Invariant: the symmetry depends only on the square of the anchor, so folding is a table lookup.
//! If the anchor is on the diagonal a1–d4, then a position and its reflection in that diagonal are
//! both folded: each is the *twin* of the other.

use super::material::MAX_PIECES;

/// Squares of the pieces, a1 = 0, b1 = 1, … h8 = 63. Elements after the last piece are 0 or, after
/// folding, unspecified.
pub type Squares = [u8; MAX_PIECES];

/// One of the board's eight symmetries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Symmetry {
    /// First reflect left and right.
    files: bool,
    /// Then reflect top and bottom.
    ranks: bool,
    /// Last reflect in the diagonal a1–h8, which exchanges files and ranks.
    diagonal: bool,
}

impl Symmetry {
    fn apply(self, square: u8) -> u8 {
        let square = square ^ if self.files { 7 } else { 0 } ^ if self.ranks { 56 } else { 0 };
        if self.diagonal {
            mirrored(square)
        } else {
            square
        }
    }
}

/// The reflection of a square in the diagonal a1–h8.
pub fn mirrored(square: u8) -> u8 {
    square >> 3 | (square & 7) << 3
}

/// The symmetries that bring an anchor piece into the region.
#[derive(Debug)]
pub struct Fold {
    /// For each square of the anchor, the image of each square.
    to: Box<[[u8; 64]; 64]>,
    /// The index of each square of the region; 0 elsewhere.
    index: [u8; 64],
    /// The squares of the region by index.
    region: Vec<u8>,
    pawns: bool,
}

impl Fold {
    /// The fold of endgames with or without pawns.
    pub fn new(pawns: bool) -> Self {
        let mut to = Box::new([[0; 64]; 64]);
        let mut region = Vec::new();
        let mut index = [0; 64];
        for anchor in 0..64u8 {
            let files = anchor & 7 > 3;
            let ranks = !pawns && anchor >> 3 > 3;
            let mut symmetry = Symmetry {
                files,
                ranks,
                diagonal: false,
            };
            let folded = symmetry.apply(anchor);
            symmetry.diagonal = !pawns && folded >> 3 > folded & 7;
            for square in 0..64u8 {
                to[usize::from(anchor)][usize::from(square)] = symmetry.apply(square);
            }
            if symmetry == Symmetry::default() {
                index[usize::from(anchor)] = region.len() as u8;
                region.push(anchor);
            }
        }
        Self {
            to,
            index,
            region,
            pawns,
        }
    }

    /// The squares of the region: 10 without pawns, 32 with pawns.
    pub fn region(&self) -> &[u8] {
        &self.region
    }

    /// The index of a square of the region.
    pub fn index(&self, square: u8) -> usize {
        usize::from(self.index[usize::from(square)])
    }

    /// The equivalent position with piece `anchor` in the region.
    pub fn fold(&self, squares: Squares, anchor: usize) -> Squares {
        let to = &self.to[usize::from(squares[anchor])];
        squares.map(|square| to[usize::from(square)])
    }

    /// The twin of a folded position, if the anchor is on the diagonal.
    pub fn twin(&self, folded: Squares, anchor: usize) -> Option<Squares> {
        let on_diagonal = !self.pawns && mirrored(folded[anchor]) == folded[anchor];
        on_diagonal.then(|| folded.map(mirrored))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_brings_the_anchor_into_the_region() {
        for (pawns, squares) in [(false, 10), (true, 32)] {
            let fold = Fold::new(pawns);
            assert_eq!(fold.region().len(), squares);
            for anchor in 0..64 {
                let folded = fold.fold([anchor, 0, 0, 0], 0)[0];
                assert_eq!(fold.region()[fold.index(folded)], folded);
                assert_eq!(fold.fold([folded, 9, 8, 7], 0), [folded, 9, 8, 7]);
            }
        }
    }

    #[test]
    fn folding_preserves_distances_and_ranks_of_pawns() {
        let distance = |a: u8, b: u8| {
            let (files, ranks) = ((a & 7).abs_diff(b & 7), (a >> 3).abs_diff(b >> 3));
            (files.min(ranks), files.max(ranks))
        };
        for pawns in [false, true] {
            let fold = Fold::new(pawns);
            for anchor in 0..64 {
                for other in 0..64 {
                    let [a, b, ..] = fold.fold([anchor, other, 0, 0], 0);
                    assert_eq!(distance(a, b), distance(anchor, other));
                    assert!(!pawns || b >> 3 == other >> 3);
                }
            }
        }
    }
}
