//! The unmoved pawns of the games of chess of a block (spec §4.1.3): on which of ten squares the
//! last position of a game has the pawn that was there from the start.
//!
//! A pawn on the second rank of its side has not moved, because pawns only advance. A position in
//! which such a pawn is gone cannot occur in the game, so a search for the position does not replay
//! it.
//!
//! The pawns of the files c, d and e have moved in most games. They exclude fewer games for their
//! bits.
//!
//! The bits of a game are coded by the length of its signature, which is a class of the number of
//! plies, and by the two bits before.

use ign_entropy::adaptive::{Bit, Coder, Decoder, Encoder};
use ign_notation::{chess::Position, signature::LEVELS};
use shakmaty::{Bitboard, Color, Rank, Role, Square};

use super::check_overrun;
use crate::error::Result;

/// The squares, in the order in which they are coded (spec §4.1.3).
pub const SQUARES: [Square; 10] = [
    Square::H2,
    Square::H7,
    Square::G2,
    Square::G7,
    Square::F2,
    Square::F7,
    Square::A2,
    Square::A7,
    Square::B2,
    Square::B7,
];

/// All pawns of a position on the second ranks of their sides.
pub fn on_second_ranks(position: &Position) -> Bitboard {
    let side = |color, rank| position.by_color(color) & Bitboard::from_rank(rank);
    let second_ranks = side(Color::White, Rank::Second) | side(Color::Black, Rank::Seventh);
    position.by_role(Role::Pawn) & second_ranks
}

/// The unmoved pawns of a game by its last position: those on one of [`SQUARES`].
pub fn unmoved(last: &Position) -> Bitboard {
    on_second_ranks(last) & Bitboard::from_iter(SQUARES)
}

/// The statistics of the column.
struct Model {
    /// Whether a pawn is on a square, by the length of the signature, the square, and whether
    /// pawns are on the two squares before.
    is_there: [[[Bit; 4]; SQUARES.len()]; LEVELS + 1],
}

impl Model {
    fn new() -> Self {
        Self {
            is_there: [[[Bit::new(); 4]; SQUARES.len()]; LEVELS + 1],
        }
    }

    /// Codes the unmoved pawns of a game whose signature has `elements` elements.
    #[inline]
    fn code(&mut self, coder: &mut impl Coder, elements: u8, pawns: Bitboard) -> Bitboard {
        let mut coded = Bitboard::EMPTY;
        let mut before = 0;
        let models = &mut self.is_there[usize::from(elements).min(LEVELS)];
        for (models, square) in models.iter_mut().zip(SQUARES) {
            let is_there = coder.bit(&mut models[before], pawns.contains(square));
            coded |= Bitboard(u64::from(is_there) << square.to_u32());
            before = (before << 1 | usize::from(is_there)) & 3;
        }
        coded
    }
}

/// Encodes the unmoved pawns of games, each with the number of elements of the game's signature.
pub fn encode(games: &[(u8, Bitboard)]) -> Vec<u8> {
    let mut coder = Encoder::new();
    let mut model = Model::new();
    for &(elements, pawns) in games {
        model.code(&mut coder, elements, pawns);
    }
    coder.finish()
}

/// Decodes the unmoved pawns of games, whose signatures have these numbers of elements.
///
/// # Errors
/// Corrupt, if the codes end early.
pub fn decode(codes: &[u8], games: impl Iterator<Item = u8>) -> Result<Vec<Bitboard>> {
    let mut coder = Decoder::new(codes);
    let mut model = Model::new();
    let pawns = games
        .map(|elements| model.code(&mut coder, elements, Bitboard::EMPTY))
        .collect();
    check_overrun(&coder)?;
    Ok(pawns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen.as_bytes()).unwrap()
    }

    #[test]
    fn pawns_of_the_outer_files_on_their_second_ranks_are_unmoved() {
        let all = Bitboard::from_iter(SQUARES);
        assert_eq!(unmoved(&Position::default()), all);
        let late = position("4k3/P1p3pp/1p6/5p2/5P2/6P1/P1P2b1P/4K3 w - - 0 1");
        let expected = [Square::A2, Square::H2, Square::G7, Square::H7];
        assert_eq!(unmoved(&late), Bitboard::from_iter(expected));
        let expected = expected.into_iter().chain([Square::C2, Square::C7]);
        assert_eq!(on_second_ranks(&late), Bitboard::from_iter(expected));
    }

    #[test]
    fn unmoved_pawns_round_trip() {
        let mut state = 1u64;
        let games: Vec<(u8, Bitboard)> = (0..3000)
            .map(|game| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let pawns = Bitboard(state) & Bitboard::from_iter(SQUARES);
                (game % 7, pawns)
            })
            .map(|(elements, pawns)| (elements as u8, pawns))
            .collect();
        let codes = encode(&games);
        let elements = games.iter().map(|game| game.0);
        let decoded = decode(&codes, elements).unwrap();
        assert!(decoded.iter().eq(games.iter().map(|(_, pawns)| pawns)));
    }

    #[test]
    fn equal_games_take_no_space() {
        let all = Bitboard::from_iter(SQUARES);
        let codes = encode(&[(0, all); 2000]);
        assert!(codes.len() < 40, "{}", codes.len());
        let pawns = decode(&codes, [0; 2000].into_iter()).unwrap();
        assert_eq!(pawns, [all; 2000]);
    }

    #[test]
    fn rejects_codes_that_end_early() {
        assert!(decode(&[0x5a; 10], std::iter::repeat_n(6, 200_000)).is_err());
    }
}
