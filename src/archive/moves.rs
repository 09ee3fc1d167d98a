//! The moves column: the moves of a block's games, whatever their coding.
//!
//! This is where a move coding plugs in. In the codings that make one integer of a game, the
//! column is integers behind their Elias-gamma lengths: [`write_game`] turns the digits of a
//! game (ordinal and number of legal moves, ply by ply) into its integer, and [`Integers`] takes
//! them one by one. Weighted games stand in [`groups`](super::groups). [`MovesColumn`] is both
//! for those who read, and [`GameMoves`] tells the next move while a game is played.

use super::{Coding, groups::Groups, starts::Starts};
use crate::{
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

/// Appends a game's integer; weighted games have none.
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
struct Integers<'a> {
    reader: BitReader<'a>,
    limbs: Vec<u64>,
    decoder: radix::Decoder,
    coding: Coding,
}

impl<'a> Integers<'a> {
    fn new(column: &'a [u8], coding: Coding) -> Self {
        Self {
            reader: BitReader::new(column),
            limbs: Vec::new(),
            decoder: radix::Decoder::default(),
            coding,
        }
    }

    /// Passes over the next game, to [`this_game`](Integers::this_game).
    ///
    /// # Errors
    /// Corrupt when there is none.
    fn next_game(&mut self) -> Result<()> {
        prefixed::read_integer(&mut self.reader, &mut self.limbs, MAX_INTEGER_BITS).map_err(cut_off)
    }

    /// The game passed over last, to be played.
    fn this_game(&mut self) -> GameMoves<'_> {
        let mut moves = GameMoves {
            source: Source::Integer {
                limbs: &self.limbs,
                decoder: &mut self.decoder,
                coding: self.coding,
            },
            plies: 0,
            ends: 0,
        };
        moves.rewind();
        moves
    }

    /// Fails unless all games have been taken.
    ///
    /// # Errors
    /// Corrupt.
    fn finish(self) -> Result<()> {
        self.reader.finish().map_err(cut_off)
    }
}

/// The moves of a block's records, taken record by record.
pub struct MovesColumn<'a> {
    starts: &'a Starts,
    /// The next record.
    record: usize,
    games: Games<'a>,
}

enum Games<'a> {
    Integers(Integers<'a>),
    Groups {
        groups: Groups<'a>,
        /// Games of the groups that lie before the next record.
        before: usize,
    },
}

impl<'a> MovesColumn<'a> {
    /// A column of this coding whose records start there and have at most `plies` moves together.
    ///
    /// # Errors
    /// Unsupported when the moves were coded by another move model; corrupt.
    pub fn new(column: &'a [u8], coding: Coding, starts: &'a Starts, plies: u64) -> Result<Self> {
        let games = match coding {
            Coding::Ign | Coding::IgnEnd => Games::Integers(Integers::new(column, coding)),
            Coding::Weighted => Games::Groups {
                groups: Groups::new(column, starts, plies)?,
                before: 0,
            },
        };
        Ok(Self {
            starts,
            record: 0,
            games,
        })
    }

    /// Passes over a record.
    ///
    /// # Errors
    /// Corrupt when it has a game, but there is none.
    pub fn skip(&mut self) -> Result<()> {
        let record = self.record;
        self.record += 1;
        match &mut self.games {
            Games::Integers(integers) if self.starts.of(record).is_some() => integers.next_game(),
            Games::Integers(_) => Ok(()),
            Games::Groups { before, .. } => {
                *before += usize::from(self.starts.is_played(record));
                Ok(())
            }
        }
    }

    /// The next record's game, to be played; one without moves where it has no start.
    ///
    /// # Errors
    /// Corrupt.
    #[inline]
    pub fn next_game(&mut self) -> Result<GameMoves<'_>> {
        let record = self.record;
        self.skip()?;
        match &mut self.games {
            Games::Integers(integers) if self.starts.of(record).is_some() => {
                Ok(integers.this_game())
            }
            Games::Groups { groups, before } if self.starts.is_played(record) => {
                Ok(GameMoves::of_list(groups.game(*before - 1)?))
            }
            _ => Ok(GameMoves::of_list(&[])),
        }
    }

    /// Fails unless all games have been taken.
    ///
    /// # Errors
    /// Corrupt.
    pub fn finish(self) -> Result<()> {
        match self.games {
            Games::Integers(integers) => integers.finish(),
            // Their lengths have been found to fill the column.
            Games::Groups { .. } => Ok(()),
        }
    }
}

fn cut_off(error: impl std::fmt::Display) -> Error {
    Error::corrupt(format!("the moves column is malformed: {error}"))
}

/// The moves of one game, while it is played.
pub struct GameMoves<'a> {
    source: Source<'a>,
    plies: usize,
    ends: u32,
}

/// What the moves are taken from.
enum Source<'a> {
    Integer {
        limbs: &'a [u64],
        decoder: &'a mut radix::Decoder,
        coding: Coding,
    },
    List(&'a [Move]),
}

impl<'a> GameMoves<'a> {
    /// Those of a list.
    pub fn of_list(moves: &'a [Move]) -> Self {
        Self {
            source: Source::List(moves),
            plies: 0,
            ends: 0,
        }
    }

    /// Starts again with the first move.
    fn rewind(&mut self) {
        if let Source::Integer { limbs, decoder, .. } = &mut self.source {
            decoder.load(limbs);
        }
        self.plies = 0;
        self.ends = 0;
    }

    /// The integer that stands in the archive, in limbs, the lowest first; none where its coding
    /// has none.
    pub fn stored(&self) -> Option<&'a [u64]> {
        match self.source {
            Source::Integer { limbs, .. } => Some(limbs),
            Source::List(_) => None,
        }
    }

    /// The plain Integer Game Notation of the game, in limbs, the lowest first: the one that is
    /// stored, or made by playing the game through. The moves then start again with the first.
    ///
    /// # Errors
    /// Corrupt when what is stored is no game.
    pub fn ign(&mut self, start: &Start) -> Result<Vec<u64>> {
        if let Source::Integer {
            limbs,
            coding: Coding::Ign,
            ..
        } = self.source
        {
            return Ok(limbs.to_vec());
        }
        let mut encoder = radix::Encoder::new();
        self.play(start, |legal, played| {
            let (ordinal, count) = legal.ordinal_and_count(played);
            encoder.push(ordinal + 1, count);
        })?;
        self.rewind();
        Ok(encoder.finish().to_vec())
    }

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
        let ply = self.plies;
        self.plies += 1;
        let (decoder, coding) = match &mut self.source {
            Source::List(moves) => return Ok(moves.get(ply).copied()),
            Source::Integer {
                decoder, coding, ..
            } => (decoder, coding),
        };
        let count = legal.count();
        if ply > MAX_PLIES {
            return Err(Error::corrupt("a game has too many moves"));
        }
        match (count, coding) {
            (_, Coding::Ign) if decoder.is_zero() => Ok(None),
            (0, Coding::IgnEnd) if decoder.is_zero() => Ok(None),
            (0, _) => Err(no_move()),
            (_, Coding::IgnEnd) => {
                let digit = decoder.take(count + 1);
                if digit < count {
                    return Ok(Some(legal.nth(digit)));
                }
                self.ends = match (decoder.is_zero(), decoder.equals(count)) {
                    (true, _) => 1,
                    (_, true) => 2,
                    _ => return Err(no_move()),
                };
                Ok(None)
            }
            _ => Ok(Some(legal.nth(decoder.take_one_based(count) - 1))),
        }
    }
}

fn no_move() -> Error {
    Error::corrupt("a game's integer goes on where the game is over")
}
