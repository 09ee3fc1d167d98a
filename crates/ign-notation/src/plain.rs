//! Plain IGN: one-based ordinals; the game ends where the integer is 0.
//!
//! If ply `i` is the `k_i`-th (from 1) of `n_i` legal moves,
//! `IGN = k1 + n1·(k2 + n2·(k3 + …))` (W. Entriken, Integer Game Notation, 2008). A game without
//! moves is 0.
//!
//! **Decoding.** While IGN is not 0: `k = IGN mod n`, where 0 means `n`; play the `k`-th move;
//! `IGN ← (IGN − k)/n`. At 0 the game ends, whatever the number of legal moves. The publication
//! divides and rounds down instead. That is wrong where the remainder is 0, because the quotient is
//! then one too large: 20, which is 1.h4, decodes to 1.h4 and another move.
//!
//! **Forced moves.** Digits from 1 to `n` are a bijective numeration: digit strings and integers
//! correspond one to one. This includes `n = 1`: a forced move takes the integer from `1 + X` to
//! `X`. A game that ends before a forced move and one that ends after it are therefore different
//! integers. The publication stops at 0 *only if more than one move is legal*, and plays forced
//! moves otherwise; it cannot distinguish the two games, as it says.
//!
//! Plain IGN does not encode why the game ended: see [`ends`](super::ends).

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
    Digits::PLAIN.play(game, moves, |digit, base| encoder.push(digit, base))
}

/// The moves of `integer`, from the position `game`; at most `max_plies`. Without a limit, a game
/// with endless forced moves could have as many plies as the value of the integer.
///
/// # Errors
/// [`Reason::IntegerLeft`], [`Reason::DoesNotEnd`], [`Reason::Negative`].
pub fn decode<G: Game>(
    mut game: G,
    integer: &Integer,
    max_plies: usize,
) -> Result<Vec<G::Move>, NotationError> {
    let decode = |decoder: &mut _, moves: &mut _| decode_from(decoder, &mut game, max_plies, moves);
    digits::moves(integer, decode).map(|(moves, ())| moves)
}

/// Replaces the content of `moves` by the moves in `decoder` and plays them on `game`.
///
/// # Errors
/// [`Reason::IntegerLeft`], [`Reason::DoesNotEnd`]; the moves before the error have then been
/// played and are in `moves`.
pub fn decode_from<G: Game>(
    decoder: &mut Decoder,
    game: &mut G,
    max_plies: usize,
    moves: &mut Vec<G::Move>,
) -> Result<(), NotationError> {
    moves.clear();
    while !decoder.is_zero() {
        let ply = moves.len();
        let count = game.count();
        if count == 0 {
            return Err(NotationError::new(ply, Reason::IntegerLeft));
        }
        if ply == max_plies {
            return Err(NotationError::new(ply, Reason::DoesNotEnd));
        }
        play_nth(game, decoder.take_one_based(count) - 1, moves);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corridor::Corridor;

    #[test]
    fn a_game_without_moves_is_zero() {
        assert_eq!(encode(Corridor::new(&[3]), &[]).unwrap(), 0);
        assert_eq!(decode(Corridor::new(&[3]), &Integer::new(), 0), Ok(vec![]));
        assert_eq!(decode(Corridor::new(&[]), &Integer::new(), 0), Ok(vec![]));
    }

    #[test]
    fn integers_and_games_correspond_one_to_one() {
        // Forced moves at the start, in the middle and at the end.
        let widths = [1, 3, 1, 1, 2, 1];
        // The greatest integer: every digit is its base.
        let last = 1 + (3 + 3 * (1 + (1 + (2 + 2))));
        for value in 0..=last {
            let integer = Integer::from(value);
            let moves = decode(Corridor::new(&widths), &integer, 99).unwrap();
            assert_eq!(encode(Corridor::new(&widths), &moves).unwrap(), integer);
        }
        let over = decode(Corridor::new(&widths), &Integer::from(last + 1), 99).unwrap_err();
        assert_eq!((over.ply, over.reason), (6, Reason::IntegerLeft));
    }

    #[test]
    fn games_that_end_before_and_after_a_forced_move_differ() {
        let integer = |moves: &[u32]| encode(Corridor::new(&[4, 1, 1, 2]), moves).unwrap();
        assert_eq!(integer(&[1]), 2);
        assert_eq!(integer(&[1, 0]), 2 + 4);
        assert_eq!(integer(&[1, 0, 0]), 2 + 4 * (1 + 1));
        assert_eq!(integer(&[1, 0, 0, 0]), 2 + 4 * (1 + (1 + 1)));
    }

    #[test]
    fn errors_have_a_ply_and_a_reason() {
        let game = || Corridor::new(&[2, 1, 1, 1, 1]);
        let illegal = encode(game(), &[1, 1]).unwrap_err();
        assert_eq!((illegal.ply, illegal.reason), (1, Reason::IllegalMove));
        let long = decode(game(), &Integer::from(9), 3).unwrap_err();
        assert_eq!((long.ply, long.reason), (3, Reason::DoesNotEnd));
        let negative = decode(game(), &Integer::from(-1), 3).unwrap_err();
        assert_eq!(negative.reason, Reason::Negative);
        assert_eq!(
            long.to_string(),
            "after ply 3: the game exceeds the maximum number of plies"
        );
    }
}
