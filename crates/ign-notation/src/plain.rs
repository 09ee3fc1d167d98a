//! Plain IGN: one-based ordinals, and the game stops where the integer is 0.
//!
//! If ply `i` is the `k_i`-th (from 1) of `n_i` moves,
//! `IGN = k1 + n1·(k2 + n2·(k3 + …))` (W. Entriken, Integer Game Notation,
//! 2008). No game at all is 0.
//!
//! **Decoding.** While IGN is not 0: `k = IGN mod n`, where 0 means `n`; play
//! the `k`-th move; `IGN ← (IGN − k)/n`. At 0 it stops, whatever the number of
//! moves. The publication divides and rounds down instead: the same, except
//! where the remainder is 0 and the quotient comes out one too large. There it
//! goes wrong: 20, which is 1.h4, gives 1.h4 and then another move.
//!
//! **Forced moves.** Digits of 1 to `n` are bijective numeration: strings of
//! digits and whole numbers correspond one to one, `n = 1` included, for a
//! forced move takes the integer from `1 + X` to `X` and is thus a digit like
//! any other. With the rule above a game that stops before a forced move and
//! one that stops after it are different integers and nothing is confused. The
//! publication's rule is another: it stops at 0 *only if more than one move is
//! legal*, and so plays on through forced moves. That rule cannot tell a stop
//! before forced moves from a stop after them, and says so; ours can.
//!
//! What plain IGN does not say is why the game stopped: see
//! [`ends`](super::ends).

use rug::Integer;

use super::radix::{self, Decoder, Encoder};
use super::{Game, NotationError, Reason, play_nth, take_ordinal};

/// The integer of `moves` played from `game`.
///
/// # Errors
/// [`Reason::IllegalMove`].
pub fn encode<G: Game>(mut game: G, moves: &[G::Move]) -> Result<Integer, NotationError> {
    let mut encoder = Encoder::new();
    encode_into(&mut encoder, &mut game, moves)?;
    Ok(encoder.to_integer())
}

/// Adds the digits of `moves` to `encoder` and plays them.
///
/// # Errors
/// [`Reason::IllegalMove`]; the moves before it are then played.
pub fn encode_into<G: Game>(
    encoder: &mut Encoder,
    game: &mut G,
    moves: &[G::Move],
) -> Result<(), NotationError> {
    for (ply, &played) in moves.iter().enumerate() {
        let (ordinal, count) = take_ordinal(game, played, ply)?;
        encoder.push(ordinal + 1, count);
    }
    Ok(())
}

/// The moves of `integer` from `game`, at most `max_plies` of them: a game
/// that allows forced moves without end would turn one integer into as many
/// plies as its value.
///
/// # Errors
/// [`Reason::IntegerLeft`], [`Reason::DoesNotEnd`], [`Reason::Negative`].
pub fn decode<G: Game>(
    mut game: G,
    integer: &Integer,
    max_plies: usize,
) -> Result<Vec<G::Move>, NotationError> {
    let mut decoder = Decoder::new();
    radix::load_checked(&mut decoder, integer)?;
    let mut moves = Vec::new();
    decode_from(&mut decoder, &mut game, max_plies, &mut moves)?;
    Ok(moves)
}

/// Plays the moves that `decoder` holds and replaces the content of `moves`
/// by them.
///
/// # Errors
/// [`Reason::IntegerLeft`], [`Reason::DoesNotEnd`]; the moves before the fault
/// are then played and in `moves`.
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
    use super::super::tests_support::Corridor;
    use super::*;

    #[test]
    fn no_moves_are_zero() {
        assert_eq!(encode(Corridor::new(&[3]), &[]).unwrap(), 0);
        assert_eq!(decode(Corridor::new(&[3]), &Integer::new(), 0), Ok(vec![]));
        assert_eq!(decode(Corridor::new(&[]), &Integer::new(), 0), Ok(vec![]));
    }

    #[test]
    fn whole_numbers_and_games_correspond_one_to_one() {
        // Forced moves at the start, in the middle and at the end.
        let widths = [1, 3, 1, 1, 2, 1];
        // The greatest: every digit is its base.
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
    fn a_stop_before_a_forced_move_and_after_it_differ() {
        let integer = |moves: &[u32]| encode(Corridor::new(&[4, 1, 1, 2]), moves).unwrap();
        assert_eq!(integer(&[1]), 2);
        assert_eq!(integer(&[1, 0]), 2 + 4);
        assert_eq!(integer(&[1, 0, 0]), 2 + 4 * (1 + 1));
        assert_eq!(integer(&[1, 0, 0, 0]), 2 + 4 * (1 + (1 + 1)));
    }

    #[test]
    fn faults_have_a_ply_and_a_reason() {
        let game = || Corridor::new(&[2, 1, 1, 1, 1]);
        let illegal = encode(game(), &[1, 1]).unwrap_err();
        assert_eq!((illegal.ply, illegal.reason), (1, Reason::IllegalMove));
        let long = decode(game(), &Integer::from(9), 3).unwrap_err();
        assert_eq!((long.ply, long.reason), (3, Reason::DoesNotEnd));
        let negative = decode(game(), &Integer::from(-1), 3).unwrap_err();
        assert_eq!(negative.reason, Reason::Negative);
        assert_eq!(
            long.to_string(),
            "after ply 3: the game goes on past the greatest length allowed"
        );
    }
}
