//! Zero-based IGN without end moves: the number of plies is stored separately.
//!
//! `IGN = k1 + n1·(k2 + n2·(k3 + …))` with ordinals from 0 and base `n`. The first legal move has
//! ordinal 0, so leading zeros are moves, and the integer alone does not determine the number of
//! plies. This is the shortest of the forms with equal frequencies, and the form of the worked
//! example 225833.

use rug::Integer;

use super::{
    digits::{self, Digits},
    radix::{Decoder, Encoder},
};
use crate::{Game, NotationError, Reason, game::play_nth};

/// The integer of `moves`, played from the position `game`.
///
/// # Errors
/// [`Reason::IllegalMove`].
pub fn encode<G: Game>(mut game: G, moves: &[G::Move]) -> Result<Integer, NotationError> {
    digits::integer(|encoder| encode_into(encoder, &mut game, moves))
}

/// Appends the digits of `moves` to `encoder` and plays them on `game`.
///
/// # Errors
/// [`Reason::IllegalMove`]; the moves before it have then been played.
pub fn encode_into<G: Game>(
    encoder: &mut Encoder,
    game: &mut G,
    moves: &[G::Move],
) -> Result<(), NotationError> {
    Digits::COUNTED.play(game, moves, |digit, base| encoder.push(digit, base))
}

/// The moves of `integer`, from the position `game`. The integer must have exactly `plies` moves.
///
/// # Errors
/// [`Reason::EndedByPosition`] if a position before that has no legal moves,
/// [`Reason::IntegerLeft`] if the integer has more digits, [`Reason::Negative`].
pub fn decode<G: Game>(
    mut game: G,
    integer: &Integer,
    plies: usize,
) -> Result<Vec<G::Move>, NotationError> {
    let decode = |decoder: &mut _, moves: &mut _| decode_from(decoder, &mut game, plies, moves);
    digits::moves(integer, decode).map(|(moves, ())| moves)
}

/// Replaces the content of `moves` by the `plies` moves in `decoder` and plays them on `game`.
///
/// # Errors
/// [`Reason::EndedByPosition`], [`Reason::IntegerLeft`]; the moves before the error have then been
/// played and are in `moves`.
pub fn decode_from<G: Game>(
    decoder: &mut Decoder,
    game: &mut G,
    plies: usize,
    moves: &mut Vec<G::Move>,
) -> Result<(), NotationError> {
    moves.clear();
    for ply in 0..plies {
        match game.count() {
            0 => return Err(NotationError::new(ply, Reason::EndedByPosition)),
            count => play_nth(game, decoder.take(count), moves),
        }
    }
    if decoder.is_zero() {
        Ok(())
    } else {
        Err(NotationError::new(plies, Reason::IntegerLeft))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corridor::Corridor;

    #[test]
    fn the_number_of_plies_distinguishes_games() {
        let game = || Corridor::new(&[3, 1, 2]);
        for (moves, integer) in [
            (&[][..], 0),
            (&[0], 0),
            (&[2], 2),
            (&[2, 0], 2),
            (&[2, 0, 1], 5),
        ] {
            assert_eq!(encode(game(), moves).unwrap(), integer);
            let back = decode(game(), &Integer::from(integer), moves.len());
            assert_eq!(back.as_deref(), Ok(moves));
        }
        let short = decode(game(), &Integer::from(5), 2).unwrap_err();
        assert_eq!((short.ply, short.reason), (2, Reason::IntegerLeft));
        let long = decode(game(), &Integer::from(5), 4).unwrap_err();
        assert_eq!((long.ply, long.reason), (3, Reason::EndedByPosition));
    }
}
