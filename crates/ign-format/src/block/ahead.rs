//! Games of plain integers, decoded before they are asked for: two [`interleaved`] take less time than
//! one after the other.

use crate::block::{
    moves::{check_plies, cut_off, take_ordinal},
    starts::Starts,
};
use crate::{
    container::MAX_INTEGER_BITS,
    error::{Error, Result},
    pgn::{render::Names, start::Start},
};
use ign_entropy::{BitReader, prefixed};
use ign_notation::{
    chess::{
        Legal, Move, Position, interleaved,
        san::{self, Naming, San},
    },
    radix,
};

/// The most games that are decoded at once: so many that there are nearly always two to go on
/// with, so few that they stay in the cache.
const GAMES: usize = 32;

/// A game that has been decoded.
#[derive(Debug, Default)]
pub struct Decoded {
    /// Its moves.
    pub moves: Vec<Move>,
    /// Their names, each with the sign of check or mate that it demands.
    names: Vec<San>,
    /// How they are named.
    naming: Naming,
    /// The position behind them.
    end: Position,
}

impl Decoded {
    /// The names of its moves, if that is how they are named.
    pub fn names(&self, naming: Naming) -> Option<DecodedNames<'_>> {
        (naming == self.naming).then(|| DecodedNames {
            names: self.names.iter(),
            end: &self.end,
        })
    }
}

/// The names of the moves of a decoded game.
pub struct DecodedNames<'a> {
    names: std::slice::Iter<'a, San>,
    end: &'a Position,
}

impl Names for DecodedNames<'_> {
    #[inline]
    fn next_name(&mut self) -> Result<Option<San>> {
        Ok(self.names.next().copied())
    }

    fn position(&self) -> Option<&Position> {
        Some(self.end)
    }
}

/// Games decoded ahead, with the space to decode them in.
#[derive(Debug, Default)]
pub struct Ahead {
    games: Vec<Decoded>,
    /// How many of them are decoded, and how many of these have been asked for.
    decoded: usize,
    asked: usize,
    limbs: Vec<u64>,
    decoders: [radix::Decoder; 2],
}

impl Ahead {
    /// Whether the next game, which is that of this record, is decoded now. It is not where it
    /// has other rules than those of chess. If there is none yet, moves are named in this way.
    ///
    /// # Errors
    /// Corrupt when an integer is not that of a game.
    pub fn has_next(
        &mut self,
        integers: &mut BitReader,
        starts: &Starts,
        record: usize,
        naming: Naming,
    ) -> Result<bool> {
        if self.asked == self.decoded {
            (self.asked, self.decoded) = (0, 0);
            let positions = starts.from(record).map_while(|start| match start {
                Start::Chess(start) => Some(start.position),
                Start::Variant(_) => None,
            });
            interleaved::play(&mut Boards {
                integers,
                positions: positions.take(GAMES).fuse(),
                naming,
                games: [0; 2],
                ahead: self,
            })?;
        }
        Ok(self.asked < self.decoded)
    }

    /// The next game, which must be decoded.
    pub fn next(&mut self) -> &Decoded {
        self.asked += 1;
        &self.games[self.asked - 1]
    }

    /// Passes over the next game if it is decoded; tells whether it was.
    pub fn pass(&mut self) -> bool {
        let decoded = self.asked < self.decoded;
        self.asked += usize::from(decoded);
        decoded
    }
}

/// Two boards at which games are played by their integers.
struct Boards<'a, 'b, P> {
    integers: &'a mut BitReader<'b>,
    /// Where the games start.
    positions: P,
    naming: Naming,
    /// The games at the boards.
    games: [usize; 2],
    ahead: &'a mut Ahead,
}

impl<P: Iterator<Item = Position>> interleaved::Games for Boards<'_, '_, P> {
    type Error = Error;

    fn begin(&mut self, board: usize) -> Result<Option<Position>> {
        let Some(position) = self.positions.next() else {
            return Ok(None);
        };
        let Ahead {
            games,
            decoded,
            limbs,
            decoders,
            ..
        } = &mut *self.ahead;
        prefixed::read_integer(self.integers, limbs, MAX_INTEGER_BITS).map_err(cut_off)?;
        decoders[board].load(limbs);
        if games.len() == *decoded {
            games.push(Decoded::default());
        }
        let game = &mut games[*decoded];
        game.moves.clear();
        game.names.clear();
        game.naming = self.naming;
        self.games[board] = *decoded;
        *decoded += 1;
        Ok(Some(position))
    }

    #[inline]
    fn choose(&mut self, board: usize, legal: &Legal, count: u32) -> Result<Option<u32>> {
        let game = &mut self.ahead.games[self.games[board]];
        if let Some(sign) = self.naming.sign(legal.sign_of(count))
            && let Some(last) = game.names.last_mut()
        {
            *last = last.with_sign(sign);
        }
        check_plies(game.moves.len())?;
        take_ordinal(&mut self.ahead.decoders[board], count)
    }

    #[inline]
    fn played(&mut self, board: usize, legal: &Legal, played: Move) {
        let game = &mut self.ahead.games[self.games[board]];
        game.moves.push(played);
        game.names.push(san::write_with(self.naming, legal, played));
    }

    fn end(&mut self, board: usize, position: &Position) {
        self.ahead.games[self.games[board]].end = *position;
    }
}
