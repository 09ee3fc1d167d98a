//! The digits of moves in the forms with equal frequencies, and the loop that encodes them.
//!
//! A move with ordinal `k` (from 0) of `n` legal moves is a digit in a base. The forms differ in
//! two numbers: the digit is `k + first`, the base `n + more`.

use rug::Integer;

use crate::{
    Game, NotationError, Reason,
    radix::{Decoder, Encoder},
};

/// How a form makes digits of ordinals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits {
    first: u32,
    more: u32,
}

impl Digits {
    /// Those of [`plain`](crate::plain): from 1.
    pub const PLAIN: Self = Self { first: 1, more: 0 };
    /// Those of [`ends`](crate::ends): from 0, and the end move is one more choice.
    pub const ENDS: Self = Self { first: 0, more: 1 };
    /// Those of [`counted`](crate::counted): from 0.
    pub const COUNTED: Self = Self { first: 0, more: 0 };

    /// The digit of a choice, and its base.
    pub const fn of(self, ordinal: u32, count: u32) -> (u32, u32) {
        (ordinal + self.first, count + self.more)
    }

    /// Plays `moves` on `game`, and passes the digit of each and its base to `push`.
    ///
    /// # Errors
    /// [`Reason::IllegalMove`]; the moves before it have then been played.
    pub(crate) fn play<G: Game>(
        self,
        game: &mut G,
        moves: &[G::Move],
        mut push: impl FnMut(u32, u32),
    ) -> Result<(), NotationError> {
        for (ply, &played) in moves.iter().enumerate() {
            let illegal = NotationError::new(ply, Reason::IllegalMove);
            let (ordinal, count) = game.ordinal(played).ok_or(illegal)?;
            let (digit, base) = self.of(ordinal, count);
            push(digit, base);
            game.play(played);
        }
        Ok(())
    }
}

/// The integer of the digits that `encode` appends.
pub(crate) fn integer(
    encode: impl FnOnce(&mut Encoder) -> Result<(), NotationError>,
) -> Result<Integer, NotationError> {
    let mut encoder = Encoder::new();
    encode(&mut encoder)?;
    Ok(encoder.to_integer())
}

/// The moves that `decode` takes from the digits of an integer, and what else it returns.
///
/// # Errors
/// [`Reason::Negative`], and those of `decode`.
pub(crate) fn moves<M, T>(
    integer: &Integer,
    decode: impl FnOnce(&mut Decoder, &mut Vec<M>) -> Result<T, NotationError>,
) -> Result<(Vec<M>, T), NotationError> {
    if integer.is_negative() {
        return Err(NotationError::new(0, Reason::Negative));
    }
    let (mut decoder, mut moves) = (Decoder::new(), Vec::new());
    decoder.load_integer(integer);
    let rest = decode(&mut decoder, &mut moves)?;
    Ok((moves, rest))
}
