//! Which games of a group repeat the game before them.

use crate::error::Result;
use ign_entropy::frequencies;

/// A group has copies with frequency 1 of this total (spec §4.2.3).
const TOTAL: u32 = 4096;
/// The interval of a group that has copies.
const HAS_COPIES: u32 = TOTAL - 1;

/// The copies of a group: bit `i` is set if game `i` repeats game `i - 1`. Bit 0 is never set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Copies(u32);

impl Copies {
    /// No copies.
    pub const NONE: Self = Self(0);

    /// Marks a game as a copy.
    pub fn insert(&mut self, game: usize) {
        self.0 |= 1 << game;
    }

    /// Whether a game is a copy.
    pub fn contains(self, game: usize) -> bool {
        self.0 >> game & 1 != 0
    }

    /// How many games directly after `game` are copies of it.
    #[inline]
    pub fn following(self, game: usize) -> usize {
        (self.0 >> (game + 1)).trailing_ones() as usize
    }

    /// Encodes the copies of a group of `games` games: passes each choice to `code` as the
    /// cumulative frequency before it, its frequency, and the total.
    pub fn encode(self, games: usize, mut code: impl FnMut(u32, u32, u32)) {
        if self == Self::NONE {
            code(0, HAS_COPIES, TOTAL);
            return;
        }
        code(HAS_COPIES, 1, TOTAL);
        for game in 1..games {
            code(u32::from(self.contains(game)), 1, 2);
        }
    }

    /// Decodes the copies of a group of `games` games; `check` is called with each copy.
    ///
    /// # Errors
    /// The errors of `check`.
    pub fn decode(
        games: usize,
        stream: &mut frequencies::Decoder,
        mut check: impl FnMut(usize) -> Result<()>,
    ) -> Result<Self> {
        if stream.target(TOTAL) < HAS_COPIES {
            stream.take(0, HAS_COPIES);
            return Ok(Self::NONE);
        }
        stream.take(HAS_COPIES, 1);
        let mut copies = Self::NONE;
        for game in 1..games {
            let is_copy = stream.target(2);
            stream.take(is_copy, 1);
            if is_copy == 1 {
                check(game)?;
                copies.insert(game);
            }
        }
        Ok(copies)
    }
}
