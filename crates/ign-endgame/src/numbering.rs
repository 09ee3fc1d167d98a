//! Indexing functions: numberings of the positions of an endgame (document 004).
//!
//! Each piece has two coordinates from 0 to 7, its row and its file, so three pieces have six
//! coordinates and four pieces eight. In some order, the slowest first, they are the octal digits
//! of the position's index. The document's function F1 for king and queen against king is
//! BKR BKF WKR WKF WQR WQF; the 720 orders are its family of functions. Three options are
//! additions of this crate:
//!
//! * *folded*: only positions with a certain piece in the region of a [`Fold`] are used. Other
//!   positions are looked up there, and their indices are unused like those of illegal positions.
//!   Of two equal pieces the first must be on the lower square.
//! * *relative*: the coordinates of a piece are differences from those of another piece, modulo 8.
//!   The ranks and files through the other piece then keep their digits when it moves.
//! * *reflected*: a digit is reversed where the digit before it is odd, as in the reflected Gray
//!   code, so that positions with consecutive indices differ by one step of one piece.
//!
//! Invariant: different used positions have different indices, below 8 to the power of the number
//! of coordinates.

use std::fmt;

use shakmaty::Piece;

use super::{
    fold::{Fold, Squares},
    material::Material,
};

/// A coordinate: twice the index of a piece, plus 1 for its row (else its file).
pub type Coordinate = u8;

/// An indexing function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbering {
    /// The piece by which positions are folded, if they are.
    pub anchor: Option<usize>,
    /// The piece from which differences are counted, and a bit mask of the pieces whose
    /// coordinates are differences.
    pub relative: Option<(usize, u8)>,
    /// Whether digits are reflected.
    pub reflected: bool,
    /// The coordinates from the slowest to the fastest.
    pub order: Vec<Coordinate>,
}

impl Numbering {
    /// The document's F1: the black king, the white king, then the other pieces; of each its row,
    /// then its file.
    pub fn f1(pieces: usize) -> Self {
        let order = f1_piece_order(pieces).flat_map(|piece| [2 * piece + 1, 2 * piece]);
        Self::plain(order.collect())
    }

    /// The document's F2: F1 with row and file of the last piece exchanged.
    pub fn f2(pieces: usize) -> Self {
        let mut numbering = Self::f1(pieces);
        let last = numbering.order.len();
        numbering.order.swap(last - 2, last - 1);
        numbering
    }

    /// The coordinates in this order, without options.
    pub fn plain(order: Vec<Coordinate>) -> Self {
        Self {
            anchor: None,
            relative: None,
            reflected: false,
            order,
        }
    }

    /// Whether this is a valid indexing function for these pieces: the order has each coordinate
    /// once, and the options name pieces that exist and, for the anchor, are unique.
    pub fn suits(&self, pieces: &[Piece]) -> bool {
        let mut sorted = self.order.clone();
        sorted.sort_unstable();
        sorted.iter().copied().eq(0..2 * pieces.len() as u8)
            && self.anchor.is_none_or(|piece| is_anchor(pieces, piece))
            && self.relative.is_none_or(|(base, moved)| {
                base < pieces.len() && moved >> pieces.len() == 0 && moved >> base & 1 == 0
            })
    }

    /// The index of a position that is used.
    pub fn index(&self, squares: Squares) -> u32 {
        let address = to_address(squares, self.relative);
        let mut before = 0;
        self.order.iter().fold(0, |index, &coordinate| {
            let mut digit = address >> (3 * coordinate) & 7;
            if self.reflected && before & 1 == 1 {
                digit = 7 - digit;
            }
            before = digit;
            index << 3 | digit
        })
    }

    /// The address of an index: its digits in the order of the coordinates, three bits each,
    /// coordinate 0 in the lowest bits. An address does not depend on the order of coordinates.
    pub fn address(&self, index: u32) -> u32 {
        let digits = if self.reflected {
            index ^ ((index >> 3 & 0o11_111_111) * 7)
        } else {
            index
        };
        let places = self.order.iter().rev().zip(0..);
        places.fold(0, |address, (&coordinate, place)| {
            address | (digits >> (3 * place) & 7) << (3 * coordinate)
        })
    }

    /// The order of coordinates with the names of the document.
    pub fn formula(&self, material: &Material) -> String {
        let name = |&coordinate: &Coordinate| coordinate_name(material, coordinate);
        self.order.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    /// The options in words, for display.
    pub fn options<'a>(&'a self, material: &'a Material) -> Options<'a> {
        Options {
            numbering: self,
            material,
        }
    }
}

/// The pieces in the order of F1.
fn f1_piece_order(pieces: usize) -> impl Iterator<Item = u8> {
    [1, 0].into_iter().chain(2..pieces as u8)
}

/// The name of a coordinate: `WKR`, `BKF`.
pub fn coordinate_name(material: &Material, coordinate: Coordinate) -> String {
    let axis = if coordinate & 1 == 1 { 'R' } else { 'F' };
    format!("{}{axis}", material.piece_name(usize::from(coordinate / 2)))
}

/// Whether positions can be folded by this piece: no other piece equals it.
pub fn is_anchor(pieces: &[Piece], index: usize) -> bool {
    pieces
        .get(index)
        .is_some_and(|piece| pieces.iter().filter(|other| *other == piece).count() == 1)
}

/// The address of a position: six bits for each piece in order, the file in the lower three.
fn to_address(squares: Squares, relative: Option<(usize, u8)>) -> u32 {
    let mut address = 0;
    for (piece, &square) in squares.iter().enumerate() {
        let square = match relative {
            Some((base, moved)) if moved >> piece & 1 == 1 => {
                let base = squares[base];
                square.wrapping_sub(base & 7) & 7 | square.wrapping_sub(base & 56) & 56
            }
            _ => square,
        };
        address |= u32::from(square) << (6 * piece);
    }
    address
}

/// The position of an address.
pub fn from_address(address: u32, relative: Option<(usize, u8)>) -> Squares {
    let mut squares = Squares::default();
    for (piece, square) in squares.iter_mut().enumerate() {
        *square = (address >> (6 * piece) & 63) as u8;
    }
    if let Some((base, moved)) = relative {
        let base = squares[base];
        for (piece, square) in squares.iter_mut().enumerate() {
            if moved >> piece & 1 == 1 {
                *square = square.wrapping_add(base & 7) & 7 | square.wrapping_add(base & 56) & 56;
            }
        }
    }
    squares
}

/// Chooses the used position among those that are equal by symmetry or by exchanging equal pieces.
#[derive(Debug)]
pub struct Canonical {
    anchor: Option<usize>,
    fold: Fold,
    /// The first index of each two neighbouring equal pieces.
    equal: Vec<usize>,
}

impl Canonical {
    /// For this material, folded by `anchor` or not at all.
    pub fn new(material: &Material, anchor: Option<usize>) -> Self {
        let pieces = material.pieces();
        Self {
            anchor,
            fold: Fold::new(material.has_pawns()),
            equal: (1..pieces.len())
                .filter(|&index| pieces[index] == pieces[index - 1])
                .map(|index| index - 1)
                .collect(),
        }
    }

    /// The used position that is equal to this one.
    pub fn of(&self, squares: Squares) -> Squares {
        let Some(anchor) = self.anchor else {
            return self.sorted(squares);
        };
        let folded = self.fold.fold(squares, anchor);
        let one = self.sorted(folded);
        match self.fold.twin(folded, anchor) {
            Some(twin) => one.min(self.sorted(twin)),
            None => one,
        }
    }

    fn sorted(&self, mut squares: Squares) -> Squares {
        // At most two pieces are equal, since two of four are kings: one swap sorts them.
        for &index in &self.equal {
            if squares[index] > squares[index + 1] {
                squares.swap(index, index + 1);
            }
        }
        squares
    }
}

/// Displays the options of a numbering: `folded by WK, WQ from BK, reflected`.
#[derive(Debug)]
pub struct Options<'a> {
    numbering: &'a Numbering,
    material: &'a Material,
}

impl fmt::Display for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        if let Some(piece) = self.numbering.anchor {
            words.push(format!("folded by {}", self.material.piece_name(piece)));
        }
        if let Some((base, moved)) = self.numbering.relative {
            let pieces = (0..self.material.pieces().len()).filter(|index| moved >> index & 1 == 1);
            let names: Vec<_> = pieces
                .map(|index| self.material.piece_name(index))
                .collect();
            words.push(format!(
                "{} from {}",
                names.join("+"),
                self.material.piece_name(base)
            ));
        }
        if self.numbering.reflected {
            words.push("reflected".into());
        }
        if words.is_empty() {
            words.push("plain order".into());
        }
        f.write_str(&words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn computes_the_indices_of_the_document() {
        // White king e8, black king a8, white queen b1 and g1.
        let at = |queen| [60, 56, queen, 0];
        assert_eq!(Numbering::f1(3).index(at(1)), 233_217);
        assert_eq!(Numbering::f1(3).index(at(6)), 233_222);
        assert_eq!(Numbering::f2(3).index(at(1)), 233_224);
        let material = Material::parse("KQK").unwrap();
        assert_eq!(
            Numbering::f1(3).formula(&material),
            "BKR BKF WKR WKF WQR WQF"
        );
        assert_eq!(
            Numbering::f2(3).formula(&material),
            "BKR BKF WKR WKF WQF WQR"
        );
    }

    #[test]
    fn consecutive_reflected_indices_differ_by_one_step() {
        let mut numbering = Numbering::f1(3);
        numbering.reflected = true;
        let address = |index| numbering.address(index);
        for index in 1..1 << 18 {
            let changed = address(index) ^ address(index - 1);
            let coordinate = changed.trailing_zeros() / 3;
            assert_eq!(changed >> (3 * coordinate) & !7, 0);
            let digit = |index| (address(index) >> (3 * coordinate) & 7) as i32;
            assert_eq!((digit(index) - digit(index - 1)).abs(), 1);
        }
    }

    proptest! {
        #[test]
        fn round_trips_any_position(
            squares in prop::array::uniform4(0u8..64),
            order in Just((0..8).collect::<Vec<u8>>()).prop_shuffle(),
            relative in prop::option::of((0usize..4, 0u8..16)),
            reflected: bool,
        ) {
            let relative = relative.map(|(base, moved)| (base, moved & !(1 << base)));
            let numbering = Numbering { anchor: None, relative, reflected, order };
            let back = from_address(numbering.address(numbering.index(squares)), relative);
            prop_assert_eq!(back, squares);
        }

        #[test]
        fn equal_positions_have_one_canonical_position(
            squares in prop::array::uniform4(0u8..64),
            anchor in 0usize..2,
            files: bool, ranks: bool, diagonal: bool,
        ) {
            let canonical = Canonical::new(&Material::parse("KBBK").unwrap(), Some(anchor));
            let turned = squares.map(|s| {
                let s = s ^ if files { 7 } else { 0 } ^ if ranks { 56 } else { 0 };
                if diagonal { s >> 3 | (s & 7) << 3 } else { s }
            });
            let exchanged = [turned[0], turned[1], turned[3], turned[2]];
            let one = canonical.of(squares);
            prop_assert_eq!(canonical.of(turned), one);
            prop_assert_eq!(canonical.of(exchanged), one);
            prop_assert_eq!(canonical.of(one), one);
        }
    }
}
