//! The digits of a game, taken from its integer, and their errors.

use crate::{
    block::Coding,
    error::{Error, Result},
};
use ign_notation::{chess::rules::LegalMoves, radix};

/// Takes the ordinal of the next move of a plain integer, one of `count` moves; `None` at the end
/// of the game, where nothing is left.
///
/// # Errors
/// Corrupt when something is left but no move is legal.
#[inline]
pub fn take_plain(decoder: &mut radix::Decoder, count: u32) -> Result<Option<u32>> {
    match (decoder.is_zero(), count) {
        (true, _) => Ok(None),
        (false, 0) => Err(goes_on()),
        (false, _) => Ok(Some(decoder.take_one_based(count) - 1)),
    }
}

/// [`take_plain`], of an integer with end moves. Where the game ends, `ends` becomes the number of
/// end moves.
///
/// # Errors
/// Corrupt when the integer goes on after the end of the game.
#[inline]
pub fn take_with_ends(
    decoder: &mut radix::Decoder,
    count: u32,
    ends: &mut u32,
) -> Result<Option<u32>> {
    if count == 0 {
        return if decoder.is_zero() {
            Ok(None)
        } else {
            Err(goes_on())
        };
    }
    let digit = decoder.take(count + 1);
    if digit < count {
        return Ok(Some(digit));
    }
    *ends = match (decoder.is_zero(), decoder.equals(count)) {
        (true, _) => 1,
        (_, true) => 2,
        _ => return Err(goes_on()),
    };
    Ok(None)
}

/// The ordinal of the next move of an integer in either coding; `None` at the end of the game,
/// where `ends` becomes the number of end moves.
///
/// # Errors
/// Those of [`take_plain`] and [`take_with_ends`].
#[inline]
pub fn take(
    decoder: &mut radix::Decoder,
    coding: Coding,
    count: u32,
    ends: &mut u32,
) -> Result<Option<u32>> {
    match coding {
        Coding::IgnEnd => take_with_ends(decoder, count, ends),
        _ => take_plain(decoder, count),
    }
}

/// Fails where a game has more than `max` plies.
///
/// # Errors
/// Corrupt.
#[inline]
pub fn check_plies(plies: usize, max: usize) -> Result<()> {
    if plies > max {
        return Err(Error::corrupt("a game has too many moves"));
    }
    Ok(())
}

/// Fails where a game that has a null move in this position cannot have one.
///
/// # Errors
/// Corrupt.
#[inline]
pub fn check_null(legal: &(impl LegalMoves + ?Sized)) -> Result<()> {
    if legal.may_pass() {
        Ok(())
    } else {
        Err(Error::corrupt("a game has an impossible null move"))
    }
}

/// Fails where a game is over that still has null moves.
///
/// # Errors
/// Corrupt.
#[inline]
pub fn check_no_null(has_nulls: bool) -> Result<()> {
    if has_nulls {
        return Err(Error::corrupt("a game has null moves after its end"));
    }
    Ok(())
}

/// The error of a column of integers that cannot be read.
pub fn malformed(error: impl std::fmt::Display) -> Error {
    Error::corrupt(format!("the moves column is malformed: {error}"))
}

fn goes_on() -> Error {
    Error::corrupt("the integer of a game continues after the game is over")
}
