//! IGN with end moves: every position has one more choice, "end".
//!
//! Ordinals are zero-based. In a position with `n` legal moves the base is `n + 1`, and the end
//! move has ordinal `n`, after all moves. A game that was stopped (resignation, time forfeit,
//! abandoned) has one end move after its moves. An agreed draw has two, both in the last position.
//! A game that is ended by its last position has none, because that position has no choices.
//!
//! **Decoding** needs no rule for 0: it takes digits until an end move or a position without legal
//! moves, where the integer must be 0. After an end move the rest must be 0 (stopped) or `n`, the
//! second end move (agreed draw).
//!
//! Invariant: a game with its ending is one integer, and no integer is two games. Some integers are
//! not games: 0 plays the first legal move in every position, and the caller's limit stops it.

use rug::Integer;

use super::{
    digits::{self, Digits},
    radix::{Decoder, Encoder},
};
use crate::{Game, NotationError, Reason, game::play_nth};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndMoves {
    /// The last position has no legal moves: checkmate, stalemate, a full board.
    Position,
    /// One end move: resignation, time forfeit, abandoned or truncated.
    Stopped,
    /// Two end moves: the players agreed on a draw.
    DrawAgreed,
}

impl EndMoves {
    /// The number of end moves.
    pub const fn end_moves(self) -> usize {
        match self {
            Self::Position => 0,
            Self::Stopped => 1,
            Self::DrawAgreed => 2,
        }
    }

    /// The number of end moves after `plies` moves, to a position with `count` legal moves.
    ///
    /// # Errors
    /// [`Reason::EndedByPosition`], [`Reason::NotEndedByPosition`].
    pub(crate) fn check(self, count: u32, plies: usize) -> Result<usize, NotationError> {
        match (self, count) {
            (Self::Position, 1..) => Err(NotationError::new(plies, Reason::NotEndedByPosition)),
            (Self::Stopped | Self::DrawAgreed, 0) => {
                Err(NotationError::new(plies, Reason::EndedByPosition))
            }
            _ => Ok(self.end_moves()),
        }
    }
}

/// The integer of `moves`, played from the position `game`, and of `ending`.
///
/// # Errors
/// [`Reason::IllegalMove`], [`Reason::EndedByPosition`],
/// [`Reason::NotEndedByPosition`].
pub fn encode<G: Game>(
    mut game: G,
    moves: &[G::Move],
    ending: EndMoves,
) -> Result<Integer, NotationError> {
    digits::integer(|encoder| encode_into(encoder, &mut game, moves, ending))
}

/// Appends the digits of `moves` and `ending` to `encoder` and plays the moves on `game`.
///
/// # Errors
/// Those of [`encode`].
pub fn encode_into<G: Game>(
    encoder: &mut Encoder,
    game: &mut G,
    moves: &[G::Move],
    ending: EndMoves,
) -> Result<(), NotationError> {
    Digits::ENDS.play(game, moves, |digit, base| encoder.push(digit, base))?;
    let count = game.count();
    for _ in 0..ending.check(count, moves.len())? {
        encoder.push(count, count + 1);
    }
    Ok(())
}

/// The moves and the ending of `integer`, from the position `game`; at most `max_plies` moves.
///
/// # Errors
/// [`Reason::DoesNotEnd`], [`Reason::IntegerLeft`], [`Reason::AfterEnd`],
/// [`Reason::Negative`].
pub fn decode<G: Game>(
    mut game: G,
    integer: &Integer,
    max_plies: usize,
) -> Result<(Vec<G::Move>, EndMoves), NotationError> {
    digits::moves(integer, |decoder, moves| {
        decode_from(decoder, &mut game, max_plies, moves)
    })
}

/// Replaces the content of `moves` by the moves in `decoder`, plays them on `game` and returns the
/// ending.
///
/// # Errors
/// [`Reason::DoesNotEnd`], [`Reason::IntegerLeft`], [`Reason::AfterEnd`]; the moves before the
/// error have then been played and are in `moves`.
pub fn decode_from<G: Game>(
    decoder: &mut Decoder,
    game: &mut G,
    max_plies: usize,
    moves: &mut Vec<G::Move>,
) -> Result<EndMoves, NotationError> {
    moves.clear();
    loop {
        let ply = moves.len();
        let error = |reason| Err(NotationError::new(ply, reason));
        let count = game.count();
        if count == 0 {
            return if decoder.is_zero() {
                Ok(EndMoves::Position)
            } else {
                error(Reason::IntegerLeft)
            };
        }
        let ordinal = decoder.take(count + 1);
        if ordinal == count {
            return if decoder.is_zero() {
                Ok(EndMoves::Stopped)
            } else if decoder.equals(count) {
                Ok(EndMoves::DrawAgreed)
            } else {
                error(Reason::AfterEnd)
            };
        }
        if ply == max_plies {
            return error(Reason::DoesNotEnd);
        }
        play_nth(game, ordinal, moves);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corridor::Corridor;

    #[test]
    fn every_ending_of_every_game_has_its_own_integer() {
        let widths = [2, 1, 3];
        let mut seen = std::collections::HashMap::new();
        let mut games = vec![vec![]];
        for plies in 0..=3 {
            for moves in &games {
                let endings: &[_] = if plies == 3 {
                    &[EndMoves::Position]
                } else {
                    &[EndMoves::Stopped, EndMoves::DrawAgreed]
                };
                for &ending in endings {
                    let integer = encode(Corridor::new(&widths), moves, ending).unwrap();
                    let back = decode(Corridor::new(&widths), &integer, 3);
                    assert_eq!(back, Ok((moves.clone(), ending)));
                    assert_eq!(seen.insert(integer, (moves.clone(), ending)), None);
                }
            }
            if plies < 3 {
                let longer = |g: &Vec<u32>| {
                    (0..widths[plies])
                        .map(|m| [&g[..], &[m]].concat())
                        .collect::<Vec<_>>()
                };
                games = games.iter().flat_map(longer).collect();
            }
        }
        // Every other integer is an error.
        for value in 0..200 {
            let decoded = decode(Corridor::new(&widths), &Integer::from(value), 3);
            assert_eq!(decoded.ok().as_ref(), seen.get(&Integer::from(value)));
        }
    }

    #[test]
    fn literal_integers() {
        let integer =
            |moves: &[u32], ending| encode(Corridor::new(&[2, 3]), moves, ending).unwrap();
        assert_eq!(integer(&[], EndMoves::Stopped), 2);
        assert_eq!(integer(&[], EndMoves::DrawAgreed), 2 + 3 * 2);
        assert_eq!(integer(&[1], EndMoves::Stopped), 1 + 3 * 3);
        assert_eq!(integer(&[1], EndMoves::DrawAgreed), 1 + 3 * (3 + 4 * 3));
        assert_eq!(integer(&[0, 0], EndMoves::Position), 0);
    }

    #[test]
    fn errors_have_a_ply_and_a_reason() {
        let decode = |value, max| {
            let error = decode(Corridor::new(&[2, 3]), &Integer::from(value), max).unwrap_err();
            (error.ply, error.reason)
        };
        assert_eq!(decode(0, 1), (1, Reason::DoesNotEnd));
        assert_eq!(decode(2 + 3, 9), (0, Reason::AfterEnd));
        assert_eq!(decode(2 + 3 * (2 + 3), 9), (0, Reason::AfterEnd));
        assert_eq!(decode(12, 9), (2, Reason::IntegerLeft));
        assert_eq!(decode(-2, 9), (0, Reason::Negative));
        let encode = |moves: &[u32], ending| {
            let error = encode(Corridor::new(&[2, 3]), moves, ending).unwrap_err();
            (error.ply, error.reason)
        };
        assert_eq!(
            encode(&[0, 0], EndMoves::Stopped),
            (2, Reason::EndedByPosition)
        );
        assert_eq!(
            encode(&[0, 0], EndMoves::DrawAgreed),
            (2, Reason::EndedByPosition)
        );
        assert_eq!(
            encode(&[0], EndMoves::Position),
            (1, Reason::NotEndedByPosition)
        );
        assert_eq!(encode(&[2], EndMoves::Stopped), (0, Reason::IllegalMove));
    }
}
