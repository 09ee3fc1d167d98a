//! The integer of a game from its digits, and its size in the column.

use crate::{block::Coding, pgn::movetext::Movetext};
use ign_entropy::{BitWriter, prefixed};
use ign_notation::radix;

/// Appends the integer of a game; weighted games have none.
pub fn write_game(
    writer: &mut BitWriter,
    encoder: &mut radix::Encoder,
    coding: Coding,
    game: &Movetext,
) {
    encoder.clear();
    match coding {
        Coding::Weighted => return,
        Coding::Ign => {
            for (ordinal, count) in game.choices() {
                encoder.push(ordinal + 1, count);
            }
        }
        Coding::IgnEnd => {
            for (ordinal, count) in game.choices() {
                encoder.push(ordinal, count + 1);
            }
            // No end move where the position itself ends the game, two for an agreed draw.
            let ends = if game.choices == 0 {
                0
            } else {
                1 + usize::from(game.drawn)
            };
            for _ in 0..ends {
                encoder.push(game.choices, game.choices + 1);
            }
        }
    }
    prefixed::write_integer(writer, encoder.finish());
}

/// Size of a game in the column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GameBits {
    /// Bits of the integer itself, its leading one included.
    pub integer: u64,
    /// Bits of the length prefix.
    pub prefix: u64,
}

impl GameBits {
    /// The size of an integer of `integer` bits: gamma(L + 1), then L - 1 bits (spec §4.2.2).
    pub fn of(integer: u64) -> Self {
        let gamma = u64::from(ign_entropy::gamma::len(integer + 1));
        // The leading one is not written: the prefix implies it.
        Self {
            integer,
            prefix: gamma - u64::from(integer > 0),
        }
    }
}
