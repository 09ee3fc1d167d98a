//! Games followed from their integers, each until a follower has seen enough of it.
//!
//! Two games are decoded at a time ([`interleaved`]). Their first moves are looked up in a table of
//! [`Prefixes`] if the follower's verdict depends on positions alone.

use crate::{
    block::{
        Coding,
        integers::{
            digits::{check_plies, take},
            prefixes::{Exit, Prefixes, Verdict},
            reader::Integers,
        },
        moves::GameMoves,
        starts::{Starts, is_standard},
    },
    error::{Error, Result},
    pgn::start::Start,
};
use ign_notation::{
    chess::{Legal, Move, Position, interleaved, rules::LegalMoves},
    radix,
};

/// What follows games. Two games are in progress at a time, on boards 0 and 1.
pub trait Follower {
    /// A game begins on a board.
    fn begin(&mut self, board: usize, record: usize, start: &Start);

    /// What a position that is not the last of its game decides about a game of standard chess.
    /// Used only with [`Prefixes`].
    fn judge(&self, position: &Position) -> Verdict;

    /// Takes the next position. Returns whether the rest of the game matters.
    fn see_position<L>(&mut self, board: usize, legal: &L, is_last: bool) -> bool
    where
        L: LegalMoves + ?Sized;

    /// Takes the move played in the position seen last. Returns whether the rest of the game
    /// matters. Moves in a table of [`Prefixes`] are not seen.
    fn see_move<L>(&mut self, board: usize, legal: &L, played: Move) -> bool
    where
        L: LegalMoves + ?Sized;

    /// No more of the game on a board is needed. `known` is the verdict on it if a position in the
    /// table of [`Prefixes`] decides it.
    fn end(&mut self, board: usize, known: Verdict);
}

/// Follows the `wanted` playable records of a column. With `prefixes`, first moves are looked up
/// there.
///
/// # Errors
/// Corrupt.
pub fn follow<F: Follower>(
    column: &[u8],
    coding: Coding,
    starts: &Starts,
    wanted: impl Fn(usize) -> bool,
    follower: &mut F,
    prefixes: Option<&mut Prefixes>,
) -> Result<()> {
    interleaved::play(&mut Boards {
        integers: Integers::new(column, coding),
        starts,
        records: starts.played().iter().map(|&record| record as usize),
        wanted,
        follower,
        prefixes,
        decoders: Default::default(),
        games: Default::default(),
    })
}

/// The two boards.
struct Boards<'a, R, W, F> {
    integers: Integers<'a>,
    starts: &'a Starts,
    /// The playable records that are left.
    records: R,
    wanted: W,
    follower: &'a mut F,
    prefixes: Option<&'a mut Prefixes>,
    decoders: [radix::Decoder; 2],
    games: [Game; 2],
}

/// The game on a board.
#[derive(Default)]
struct Game {
    plies: usize,
    /// The ordinal of the next move, if it is taken from the decoder already.
    next: Option<u32>,
    is_over: bool,
}

impl<R, W, F> Boards<'_, R, W, F>
where
    R: Iterator<Item = usize>,
    W: Fn(usize) -> bool,
    F: Follower,
{
    /// Begins with the game of a record. Returns its first position that is not in the table of
    /// prefixes; `None` if the game is decided.
    fn open(&mut self, board: usize, record: usize) -> Result<Option<Position>> {
        let Some(start) = self.starts.of(record) else {
            return Ok(None);
        };
        let coding = self.integers.coding();
        let decoder = &mut self.decoders[board];
        let limbs = self.integers.load_next(decoder)?;
        self.follower.begin(board, record, start);
        self.games[board] = Game::default();
        let start = match start {
            Start::Chess(chess) => match &mut self.prefixes {
                Some(prefixes) if is_standard(start) => prefixes,
                _ => return Ok(Some(chess.position)),
            },
            Start::Variant(_) => {
                let mut moves = GameMoves::of_integer(limbs, decoder, coding);
                moves.play_while(start, |legal, played| {
                    let follower = &mut *self.follower;
                    follower.see_position(board, legal, played.is_none())
                        && played.is_some_and(|played| follower.see_move(board, legal, played))
                })?;
                self.follower.end(board, Verdict::Open);
                return Ok(None);
            }
        };
        let judge = |position: &Position| self.follower.judge(position);
        match start.walk(decoder, coding, judge)? {
            Exit::Decided(verdict) => self.follower.end(board, verdict),
            Exit::Over(position) => {
                self.follower
                    .see_position(board, &Legal::new(&position), true);
                self.follower.end(board, Verdict::Open);
            }
            Exit::Leaves {
                position,
                plies,
                ordinal,
            } => {
                self.games[board] = Game {
                    plies,
                    next: Some(ordinal),
                    is_over: false,
                };
                return Ok(Some(position));
            }
        }
        Ok(None)
    }
}

impl<R, W, F> interleaved::Games for Boards<'_, R, W, F>
where
    R: Iterator<Item = usize>,
    W: Fn(usize) -> bool,
    F: Follower,
{
    type Error = Error;

    fn begin(&mut self, board: usize) -> Result<Option<Position>> {
        while let Some(record) = self.records.next() {
            if !(self.wanted)(record) {
                self.integers.skip()?;
            } else if let Some(position) = self.open(board, record)? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    #[inline]
    fn choose(&mut self, board: usize, legal: &Legal, count: u32) -> Result<Option<u32>> {
        let game = &mut self.games[board];
        if game.is_over {
            return Ok(None);
        }
        if let Some(ordinal) = game.next.take() {
            return Ok(Some(ordinal));
        }
        check_plies(game.plies)?;
        game.plies += 1;
        let ordinal = take(&mut self.decoders[board], self.integers.coding(), count)?;
        let follower = &mut *self.follower;
        let goes_on = follower.see_position(board, legal, ordinal.is_none());
        Ok(ordinal.filter(|_| goes_on))
    }

    #[inline]
    fn played(&mut self, board: usize, legal: &Legal, played: Move) {
        self.games[board].is_over = !self.follower.see_move(board, legal, played);
    }

    fn end(&mut self, board: usize, _: &Position) {
        self.follower.end(board, Verdict::Open);
    }
}
