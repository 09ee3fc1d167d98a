//! The moves column: one integer a game, behind its Elias-gamma length.
//!
//! This is where a move coding plugs in. [`write_game`] turns the digits of a
//! game (ordinal and number of legal moves, ply by ply) into its integer;
//! [`GameMoves`] takes the integer apart again while the game is played. A
//! coding with unequal shares needs the same two: digits with weights in, and
//! `next_move` that asks its model instead of counting.

use crate::{
    archive::Coding,
    bits::{BitReader, BitWriter, prefixed},
    chess::{Legal, Move, Start},
    error::{Error, Result},
    format::{MAX_INTEGER_BITS, MAX_PLIES},
    notation::radix,
    pgn::{movetext::Movetext, render::Moves},
};

/// Bits of a game in the column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GameBits {
    /// Bits of the integer itself, its leading one included.
    pub integer: u64,
    /// Bits that tell its length.
    pub prefix: u64,
}

impl GameBits {
    /// Of an integer of so many bits: gamma(L + 1), then L - 1 bits (spec §4.2.2).
    pub fn of(integer: u64) -> Self {
        let gamma = u64::from(crate::bits::gamma::len(integer + 1));
        // The leading one is not written again: it is the prefix's to pay for.
        Self {
            integer,
            prefix: gamma - u64::from(integer > 0),
        }
    }
}

/// Appends a game's integer.
pub fn write_game(
    writer: &mut BitWriter,
    encoder: &mut radix::Encoder,
    coding: Coding,
    game: &Movetext,
) {
    encoder.clear();
    match coding {
        Coding::Ign => {
            for &(ordinal, count) in &game.digits {
                encoder.push(ordinal + 1, count);
            }
        }
        Coding::IgnEnd => {
            for &(ordinal, count) in &game.digits {
                encoder.push(ordinal, count + 1);
            }
            // No end where the position itself ends the game, two for a draw agreed.
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

/// The integers of a block, taken game by game.
pub struct Integers<'a> {
    reader: BitReader<'a>,
    limbs: Vec<u64>,
    decoder: radix::Decoder,
    coding: Coding,
}

impl<'a> Integers<'a> {
    /// The integers of a moves column.
    pub fn new(column: &'a [u8], coding: Coding) -> Self {
        Self {
            reader: BitReader::new(column),
            limbs: Vec::new(),
            decoder: radix::Decoder::default(),
            coding,
        }
    }

    /// The bits of the next game, which is passed over.
    ///
    /// # Errors
    /// Corrupt when there is none.
    pub fn skip_game(&mut self) -> Result<GameBits> {
        prefixed::read_integer(&mut self.reader, &mut self.limbs, MAX_INTEGER_BITS)
            .map_err(cut_off)?;
        Ok(GameBits::of(prefixed::bit_length(&self.limbs)))
    }

    /// The next game, to be played.
    ///
    /// # Errors
    /// Corrupt when there is none.
    pub fn next_game(&mut self) -> Result<GameMoves<'_>> {
        self.skip_game()?;
        Ok(self.this_game().1)
    }

    /// The game passed over last: its integer in limbs, the lowest first, and
    /// its moves, to be played.
    pub fn this_game(&mut self) -> (&[u64], GameMoves<'_>) {
        self.decoder.load(&self.limbs);
        (
            &self.limbs,
            GameMoves {
                decoder: &mut self.decoder,
                coding: self.coding,
                plies: 0,
                ends: 0,
            },
        )
    }

    /// Fails unless all games have been taken.
    ///
    /// # Errors
    /// Corrupt.
    pub fn finish(self) -> Result<()> {
        self.reader.finish().map_err(cut_off)
    }
}

fn cut_off(error: impl std::fmt::Display) -> Error {
    Error::corrupt(format!("the moves column is malformed: {error}"))
}

/// The moves of one game, while it is played.
pub struct GameMoves<'a> {
    decoder: &'a mut radix::Decoder,
    coding: Coding,
    plies: usize,
    ends: u32,
}

impl GameMoves<'_> {
    /// How many end moves the game had, once it is over.
    pub fn ends(&self) -> u32 {
        self.ends
    }

    /// Plays the game from its start, telling each position with its legal moves
    /// and the move played; gives the number of plies.
    ///
    /// # Errors
    /// Corrupt when the integer is not that of a game.
    pub fn play(&mut self, start: &Start, mut visit: impl FnMut(&Legal, Move)) -> Result<Legal> {
        let mut position = start.position;
        let mut legal = Legal::new(&position);
        while let Some(played) = self.next_move(&legal)? {
            visit(&legal, played);
            position.play(played);
            legal = Legal::new(&position);
        }
        Ok(legal)
    }
}

impl Moves for GameMoves<'_> {
    #[inline]
    fn next_move(&mut self, legal: &Legal) -> Result<Option<Move>> {
        let count = legal.count();
        if self.plies > MAX_PLIES {
            return Err(Error::corrupt("a game has too many moves"));
        }
        self.plies += 1;
        match self.coding {
            Coding::Ign if self.decoder.is_zero() => Ok(None),
            Coding::Ign if count == 0 => Err(no_move()),
            Coding::Ign => Ok(Some(legal.nth(self.decoder.take_one_based(count) - 1))),
            Coding::IgnEnd if count == 0 => {
                if self.decoder.is_zero() {
                    Ok(None)
                } else {
                    Err(no_move())
                }
            }
            Coding::IgnEnd => {
                let digit = self.decoder.take(count + 1);
                if digit < count {
                    return Ok(Some(legal.nth(digit)));
                }
                self.ends = match (self.decoder.is_zero(), self.decoder.equals(count)) {
                    (true, _) => 1,
                    (_, true) => 2,
                    _ => return Err(no_move()),
                };
                Ok(None)
            }
        }
    }
}

fn no_move() -> Error {
    Error::corrupt("a game's integer goes on where the game is over")
}
