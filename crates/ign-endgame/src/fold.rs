//! Turning and mirroring the board, so that one man stands in one corner of it.
//!
//! Without pawns the eight symmetries of the board leave all play as it is, and a man can be
//! brought into the ten squares between a1, d1 and d4. Pawns go one way, so that with them only
//! left and right can be exchanged, and a man be brought onto the files a to d: 32 squares.
//!
//! Invariant: what a fold does depends on the square of that one man alone, so folding is a table
//! look-up. A man on the diagonal a1–d4 stays on it when the board is mirrored there: such
//! positions have two foldings, each the other's mirror image.

use super::material::MAX_PIECES;

/// Squares of the men, a1 0, b1 1, … h8 63; those beyond the last man are 0.
pub type Squares = [u8; MAX_PIECES];

/// One of the board's eight symmetries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Symmetry {
    /// Left and right are exchanged, first.
    files: bool,
    /// The near side and the far side are exchanged, then.
    ranks: bool,
    /// Files and ranks are exchanged, last: the board is mirrored at a1–h8.
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

/// A square mirrored at the diagonal a1–h8.
pub fn mirrored(square: u8) -> u8 {
    square >> 3 | (square & 7) << 3
}

/// Brings one man into a corner of the board.
#[derive(Debug)]
pub struct Fold {
    /// For each square of that man, where each square of the board goes.
    to: Box<[[u8; 64]; 64]>,
    /// The number of each square of the corner; of others nothing.
    number: [u8; 64],
    /// The squares of the corner by number.
    corner: Vec<u8>,
    pawns: bool,
}

impl Fold {
    /// The fold for endgames with pawns, or without.
    pub fn new(pawns: bool) -> Self {
        let mut to = Box::new([[0; 64]; 64]);
        let mut corner = Vec::new();
        let mut number = [0; 64];
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
                number[usize::from(anchor)] = corner.len() as u8;
                corner.push(anchor);
            }
        }
        Self {
            to,
            number,
            corner,
            pawns,
        }
    }

    /// The squares of the corner: 10, or 32 with pawns.
    pub fn corner(&self) -> &[u8] {
        &self.corner
    }

    /// The number, in the corner, of a square that is in it.
    pub fn number(&self, square: u8) -> usize {
        usize::from(self.number[usize::from(square)])
    }

    /// The position with the man `anchor` brought into the corner.
    pub fn fold(&self, squares: Squares, anchor: usize) -> Squares {
        let to = &self.to[usize::from(squares[anchor])];
        squares.map(|square| to[usize::from(square)])
    }

    /// The other folding of a folded position, if there are two: its man is on the diagonal.
    pub fn twin(&self, folded: Squares, anchor: usize) -> Option<Squares> {
        let on_diagonal = !self.pawns && mirrored(folded[anchor]) == folded[anchor];
        on_diagonal.then(|| folded.map(mirrored))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_man_anywhere_comes_into_the_corner() {
        for (pawns, squares) in [(false, 10), (true, 32)] {
            let fold = Fold::new(pawns);
            assert_eq!(fold.corner().len(), squares);
            for anchor in 0..64 {
                let folded = fold.fold([anchor, 0, 0, 0], 0)[0];
                assert_eq!(fold.corner()[fold.number(folded)], folded);
                assert_eq!(fold.fold([folded, 9, 8, 7], 0), [folded, 9, 8, 7]);
            }
        }
    }

    #[test]
    fn distances_stay_and_pawns_keep_their_ranks() {
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
