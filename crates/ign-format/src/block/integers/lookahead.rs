//! Decodes plain games in advance, two at a time: [`interleaved`] decoding of two games takes less
//! time than decoding one after the other.

use crate::{
    block::{
        integers::digits::{check_plies, malformed, take_plain},
        starts::Starts,
    },
    container::{MAX_INTEGER_BITS, MAX_PLIES},
    error::{Error, Result},
    pgn::render::KnownNames,
};
use ign_entropy::{BitReader, prefixed};
use ign_notation::{
    chess::{
        Legal, Move, Position, interleaved,
        rules::LegalMoves as _,
        san::{self, Naming, San},
    },
    radix,
    signature::{Signature, element_of_ply},
};

/// Games decoded at once: enough that two are in progress nearly all the time, few enough that they
/// stay in the cache.
const GAMES: usize = 32;

/// A decoded game.
#[derive(Debug, Default)]
pub struct Decoded {
    /// Its moves.
    pub moves: Vec<Move>,
    /// Their SAN, with check and mate signs.
    names: Vec<San>,
    /// How the SAN is written; `None` if it is not.
    naming: Option<Naming>,
    /// Its signature.
    signature: Signature,
    /// The position after them.
    end: Position,
}

impl Decoded {
    /// The SAN of its moves, if it is written in this way.
    pub fn names(&self, naming: Naming) -> Option<KnownNames<'_>> {
        (Some(naming) == self.naming).then(|| KnownNames::new(&self.names, Some(&self.end)))
    }

    /// The signature of the game.
    pub fn signature(&self) -> Signature {
        self.signature
    }
}

/// Games decoded in advance, and the buffers for decoding them.
#[derive(Debug, Default)]
pub struct Lookahead {
    games: Vec<Decoded>,
    /// How many of `games` are decoded, and how many of these have been taken.
    decoded: usize,
    taken: usize,
    limbs: Vec<u64>,
    decoders: [radix::Decoder; 2],
}

impl Lookahead {
    /// Whether the next game, that of `record`, is decoded; if no games are left, decodes the next
    /// ones, and writes their SAN if there is a naming. Games of variants and games with null moves
    /// are not decoded in advance.
    ///
    /// # Errors
    /// Corrupt when an integer does not encode a game.
    pub fn has_next(
        &mut self,
        integers: &mut BitReader,
        starts: &Starts,
        record: usize,
        naming: Option<Naming>,
    ) -> Result<bool> {
        if self.taken == self.decoded {
            (self.taken, self.decoded) = (0, 0);
            let regular = |record| Some(starts.regular(record)?.position);
            let positions = starts.played_from(record).map_while(regular);
            interleaved::play(&mut Boards {
                integers,
                positions: positions.take(GAMES).fuse(),
                naming,
                games: [0; 2],
                lookahead: self,
            })?;
        }
        Ok(self.taken < self.decoded)
    }

    /// Takes the next game, which must be decoded.
    pub fn take(&mut self) -> &Decoded {
        self.taken += 1;
        &self.games[self.taken - 1]
    }

    /// Skips the next game if it is decoded; returns whether it was.
    pub fn skip(&mut self) -> bool {
        let decoded = self.taken < self.decoded;
        self.taken += usize::from(decoded);
        decoded
    }
}

/// Two boards on which games are decoded from their integers.
struct Boards<'a, 'b, P> {
    integers: &'a mut BitReader<'b>,
    /// Where the next games start.
    positions: P,
    naming: Option<Naming>,
    /// The index in `games` of the game at each board.
    games: [usize; 2],
    lookahead: &'a mut Lookahead,
}

impl<P: Iterator<Item = Position>> interleaved::Games for Boards<'_, '_, P> {
    type Error = Error;

    fn begin(&mut self, board: usize) -> Result<Option<Position>> {
        let Some(position) = self.positions.next() else {
            return Ok(None);
        };
        let Lookahead {
            games,
            decoded,
            limbs,
            decoders,
            ..
        } = &mut *self.lookahead;
        prefixed::read_integer(self.integers, limbs, MAX_INTEGER_BITS).map_err(malformed)?;
        decoders[board].load(limbs);
        if games.len() == *decoded {
            games.push(Decoded::default());
        }
        let game = &mut games[*decoded];
        game.moves.clear();
        game.names.clear();
        game.naming = self.naming;
        game.signature = Signature::default();
        self.games[board] = *decoded;
        *decoded += 1;
        Ok(Some(position))
    }

    #[inline]
    fn choose(&mut self, board: usize, legal: &Legal, count: u32) -> Result<Option<u32>> {
        let game = &mut self.lookahead.games[self.games[board]];
        if let Some(naming) = self.naming
            && let Some(sign) = naming.sign(legal.sign_of(count))
            && let Some(last) = game.names.last_mut()
        {
            *last = last.with_sign(sign);
        }
        check_plies(game.moves.len(), MAX_PLIES)?;
        take_plain(&mut self.lookahead.decoders[board], count)
    }

    #[inline]
    fn played(&mut self, board: usize, legal: &Legal, played: Move) {
        let game = &mut self.lookahead.games[self.games[board]];
        game.moves.push(played);
        if let Some(element) = element_of_ply(game.moves.len()) {
            game.signature[element] = Some(legal.landing(played).to_u32() as u16);
        }
        if let Some(naming) = self.naming {
            game.names.push(san::write_with(naming, legal, played));
        }
    }

    fn end(&mut self, board: usize, position: &Position) {
        self.lookahead.games[self.games[board]].end = *position;
    }
}
