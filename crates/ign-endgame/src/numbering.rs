//! Indexing functions: numbers for the positions of an endgame (document 004).
//!
//! A man stands on a row and a file, each 0 to 7, so that three men have six coordinates and four
//! men eight; in some order, slowest first, they are the octal digits of the position's number.
//! The document's F1 for king and queen against king is BKR BKF WKR WKF WQR WQF, and the 720
//! orders are its family of functions. Three things are ours:
//!
//! * *folded*: only positions count in which a certain man stands in the corner that [`Fold`]
//!   brings him to; the others are looked up there, and are as good as illegal here. With two men
//!   alike, only the order counts in which the first stands on the lower square.
//! * *relative*: a man's digits are his distances from another man, modulo 8, so that his lines
//!   stay where they are when that other man moves.
//! * *winding*: a digit runs backwards where the one before it is odd, as a plough turns at the
//!   end of a field (the reflected Gray code), so that neighbours in number are neighbours on the
//!   board.
//!
//! Invariant: different positions that count have different numbers, below 8 to the power of the
//! number of coordinates.

use std::fmt;

use shakmaty::Piece;

use super::{
    fold::{Fold, Squares},
    material::Material,
};

/// The file (even) or row (odd) of a man (half of it): where a digit comes from.
pub type Coordinate = u8;

/// Numbers below this for four men; and so bits of a number at most.
pub const NUMBER_BITS: u32 = 24;

/// An indexing function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbering {
    /// The man in the corner, if the board is folded.
    pub anchor: Option<usize>,
    /// The man from whom distances are counted, and a bit for each man whose are.
    pub relative: Option<(usize, u8)>,
    /// Whether digits run to and fro.
    pub winding: bool,
    /// Coordinates, from the slowest to the fastest.
    pub order: Vec<Coordinate>,
}

impl Numbering {
    /// The document's F1: rows before files; the black king, the white one, then the others.
    pub fn document_1(men: usize) -> Self {
        let order = document_order(men).flat_map(|man| [2 * man + 1, 2 * man]);
        Self::plain(order.collect())
    }

    /// The document's F2, which is F1 but for the last man, whose file comes before his row.
    pub fn document_2(men: usize) -> Self {
        let mut numbering = Self::document_1(men);
        let last = numbering.order.len();
        numbering.order.swap(last - 2, last - 1);
        numbering
    }

    /// Coordinates in this order, and no more.
    pub fn plain(order: Vec<Coordinate>) -> Self {
        Self {
            anchor: None,
            relative: None,
            winding: false,
            order,
        }
    }

    /// Whether the order has each coordinate of so many men once, and the men named exist and are
    /// unlike all others where they must be.
    pub fn suits(&self, men: &[Piece]) -> bool {
        let mut sorted = self.order.clone();
        sorted.sort_unstable();
        sorted.iter().copied().eq(0..2 * men.len() as u8)
            && self.anchor.is_none_or(|man| is_anchor(men, man))
            && self.relative.is_none_or(|(base, moved)| {
                base < men.len() && moved >> men.len() == 0 && moved >> base & 1 == 0
            })
    }

    /// The number of a position that counts.
    pub fn number(&self, squares: Squares) -> u32 {
        let address = to_address(squares, self.relative);
        let mut before = 0;
        self.order.iter().fold(0, |number, &coordinate| {
            let digit = address >> (3 * coordinate) & 7;
            let digit = if self.winding && before & 1 == 1 {
                7 - digit
            } else {
                digit
            };
            before = digit;
            number << 3 | digit
        })
    }

    /// The number's digits put where they come from: bits `3c` to `3c + 2` are coordinate `c`.
    pub fn address(&self, number: u32) -> u32 {
        let turned = if self.winding {
            number ^ ((number >> 3 & 0o11_111_111) * 7)
        } else {
            number
        };
        let digits = self.order.iter().rev().zip(0..);
        digits.fold(0, |address, (&coordinate, digit)| {
            address | (turned >> (3 * digit) & 7) << (3 * coordinate)
        })
    }

    /// The formula, with the names of the document.
    pub fn formula(&self, material: &Material) -> String {
        let name = |&coordinate: &Coordinate| coordinate_name(material, coordinate);
        self.order.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    /// What is ours in it, in words.
    pub fn kind<'a>(&'a self, material: &'a Material) -> Kind<'a> {
        Kind {
            numbering: self,
            material,
        }
    }
}

/// Men in the order of the document's formulas.
fn document_order(men: usize) -> impl Iterator<Item = u8> {
    [1, 0].into_iter().chain(2..men as u8)
}

/// The name of a coordinate: `WKR`, `BKF`.
pub fn coordinate_name(material: &Material, coordinate: Coordinate) -> String {
    let axis = if coordinate & 1 == 1 { 'R' } else { 'F' };
    format!("{}{axis}", material.man_name(usize::from(coordinate / 2)))
}

/// Whether the board can be folded by this man: no other is like him.
pub fn is_anchor(men: &[Piece], man: usize) -> bool {
    men.get(man)
        .is_some_and(|piece| men.iter().filter(|other| *other == piece).count() == 1)
}

/// Squares as an address: six bits a man, in the order of men, file below row.
fn to_address(squares: Squares, relative: Option<(usize, u8)>) -> u32 {
    let mut address = 0;
    for (man, &square) in squares.iter().enumerate() {
        let square = match relative {
            Some((base, moved)) if moved >> man & 1 == 1 => {
                let base = squares[base];
                square.wrapping_sub(base & 7) & 7 | square.wrapping_sub(base & 56) & 56
            }
            _ => square,
        };
        address |= u32::from(square) << (6 * man);
    }
    address
}

/// Squares from their address.
pub fn from_address(address: u32, relative: Option<(usize, u8)>) -> Squares {
    let mut squares = Squares::default();
    for (man, square) in squares.iter_mut().enumerate() {
        *square = (address >> (6 * man) & 63) as u8;
    }
    if let Some((base, moved)) = relative {
        let base = squares[base];
        for (man, square) in squares.iter_mut().enumerate() {
            if moved >> man & 1 == 1 {
                *square = square.wrapping_add(base & 7) & 7 | square.wrapping_add(base & 56) & 56;
            }
        }
    }
    squares
}

/// Which of the positions that are the same, but for symmetry and for men alike, counts.
#[derive(Debug)]
pub struct Canonical {
    anchor: Option<usize>,
    fold: Fold,
    /// The first of each two men that are alike and follow each other.
    alike: Vec<usize>,
}

impl Canonical {
    /// For these men, folded by one of them or not at all.
    pub fn new(material: &Material, anchor: Option<usize>) -> Self {
        let men = material.men();
        Self {
            anchor,
            fold: Fold::new(material.has_pawns()),
            alike: (1..men.len())
                .filter(|&man| men[man] == men[man - 1])
                .map(|man| man - 1)
                .collect(),
        }
    }

    /// The position that counts for this one.
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
        // No endgame of four men has three alike: one of two swaps sorts them.
        for &man in &self.alike {
            if squares[man] > squares[man + 1] {
                squares.swap(man, man + 1);
            }
        }
        squares
    }
}

/// What is ours in a numbering, for people.
pub struct Kind<'a> {
    numbering: &'a Numbering,
    material: &'a Material,
}

impl fmt::Display for Kind<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        if let Some(man) = self.numbering.anchor {
            words.push(format!("folded by {}", self.material.man_name(man)));
        }
        if let Some((base, moved)) = self.numbering.relative {
            let men = (0..self.material.men().len()).filter(|man| moved >> man & 1 == 1);
            let men: Vec<_> = men.map(|man| self.material.man_name(man)).collect();
            words.push(format!(
                "{} from {}",
                men.join("+"),
                self.material.man_name(base)
            ));
        }
        if self.numbering.winding {
            words.push("winding".into());
        }
        if words.is_empty() {
            words.push("as the document".into());
        }
        f.write_str(&words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_numbers_are_those_of_the_document() {
        // White king e8, black king a8, White's queen b1 and g1.
        let at = |queen| [60, 56, queen, 0];
        assert_eq!(Numbering::document_1(3).number(at(1)), 233_217);
        assert_eq!(Numbering::document_1(3).number(at(6)), 233_222);
        assert_eq!(Numbering::document_2(3).number(at(1)), 233_224);
        let material = Material::parse("KQK").unwrap();
        assert_eq!(
            Numbering::document_1(3).formula(&material),
            "BKR BKF WKR WKF WQR WQF"
        );
        assert_eq!(
            Numbering::document_2(3).formula(&material),
            "BKR BKF WKR WKF WQF WQR"
        );
    }

    #[test]
    fn winding_numbers_go_to_neighbours() {
        let mut numbering = Numbering::document_1(3);
        numbering.winding = true;
        let address = |number| numbering.address(number);
        for number in 1..1 << 18 {
            let changed = address(number) ^ address(number - 1);
            let coordinate = changed.trailing_zeros() / 3;
            assert_eq!(changed >> (3 * coordinate) & !7, 0);
            let digit = |number| (address(number) >> (3 * coordinate) & 7) as i32;
            assert_eq!((digit(number) - digit(number - 1)).abs(), 1);
        }
    }

    proptest! {
        #[test]
        fn positions_come_back_from_their_numbers(
            squares in prop::array::uniform4(0u8..64),
            order in Just((0..8).collect::<Vec<u8>>()).prop_shuffle(),
            relative in prop::option::of((0usize..4, 0u8..16)),
            winding: bool,
        ) {
            let relative = relative.map(|(base, moved)| (base, moved & !(1 << base)));
            let numbering = Numbering { anchor: None, relative, winding, order };
            let back = from_address(numbering.address(numbering.number(squares)), relative);
            prop_assert_eq!(back, squares);
        }

        #[test]
        fn what_is_the_same_position_counts_once(
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
