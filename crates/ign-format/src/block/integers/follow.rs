//! Games followed from their integers, each until a follower has seen enough of it.
//!
//! Two games are decoded at a time ([`interleaved`]). Their first moves are looked up in a table of
//! [`Prefixes`] if the follower allows it.

use crate::{
    block::{
        integers::{
            digits::{check_plies, take},
            prefixes::{Exit, Prefixes},
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
    /// What is known of a game of standard chess after its first moves. [`Prefixes`] keep it, and
    /// games with the same first moves share it.
    type Known;

    /// A game begins on a board.
    fn begin(&mut self, board: usize, record: usize, start: &Start);

    /// What is known in a position that is not the last of its game, and whether that is enough.
    /// `before` is what was known before the last move; `None` in the standard starting position.
    fn know(
        &self,
        before: Option<(&Self::Known, Move)>,
        position: &Position,
    ) -> (Self::Known, bool);

    /// The game on a board continues after moves that were not seen, but are known.
    fn resume(&mut self, board: usize, known: &Self::Known);

    /// Takes the next position. Returns whether the rest of the game matters.
    fn see_position<L>(&mut self, board: usize, legal: &L, is_last: bool) -> bool
    where
        L: LegalMoves + ?Sized;

    /// Takes the move played in the position seen last. Returns whether the rest of the game
    /// matters.
    fn see_move<L>(&mut self, board: usize, legal: &L, played: Move) -> bool
    where
        L: LegalMoves + ?Sized;

    /// No more of the game on a board is needed.
    fn end(&mut self, board: usize);
}

/// Follows the `wanted` playable records of a column of integers. With `prefixes`, first moves are
/// looked up there.
///
/// # Errors
/// Corrupt.
pub fn follow<F: Follower>(
    integers: Integers,
    starts: &Starts,
    wanted: impl Fn(usize) -> bool,
    follower: &mut F,
    prefixes: Option<&mut Prefixes<F::Known>>,
) -> Result<()> {
    interleaved::play(&mut Boards {
        integers,
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
struct Boards<'a, R, W, F: Follower> {
    integers: Integers<'a>,
    starts: &'a Starts,
    /// The playable records that are left.
    records: R,
    wanted: W,
    follower: &'a mut F,
    prefixes: Option<&'a mut Prefixes<F::Known>>,
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
    /// Begins with the game of a record. Returns the position in which it is continued; `None` if
    /// no more of it is needed.
    fn open(&mut self, board: usize, record: usize) -> Result<Option<Position>> {
        let Some(start) = self.starts.of(record) else {
            return Ok(None);
        };
        let (coding, max_plies) = (self.integers.coding(), self.integers.max_plies());
        let decoder = &mut self.decoders[board];
        let limbs = self.integers.load_next(decoder)?;
        self.follower.begin(board, record, start);
        self.games[board] = Game::default();
        let Some(chess) = self.starts.regular(record) else {
            let nulls = self.starts.nulls(record);
            let mut moves = GameMoves::of_integer(limbs, decoder, coding, max_plies, nulls);
            moves.play_while(start, |legal, played| {
                let follower = &mut *self.follower;
                follower.see_position(board, legal, played.is_none())
                    && played.is_some_and(|played| follower.see_move(board, legal, played))
            })?;
            self.follower.end(board);
            return Ok(None);
        };
        let Some(prefixes) = self.prefixes.as_mut().filter(|_| is_standard(start)) else {
            return Ok(Some(chess.position));
        };
        let (known, position, exit) = prefixes.walk(decoder, coding, &*self.follower)?;
        self.follower.resume(board, known);
        match exit {
            Exit::Known => {}
            Exit::Over => {
                self.follower
                    .see_position(board, &Legal::new(position), true);
            }
            Exit::Leaves { plies, ordinal } => {
                self.games[board].plies = plies;
                self.games[board].next = Some(ordinal);
                return Ok(Some(*position));
            }
        }
        self.follower.end(board);
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
        check_plies(game.plies, self.integers.max_plies())?;
        game.plies += 1;
        let ordinal = take(
            &mut self.decoders[board],
            self.integers.coding(),
            count,
            &mut 0,
        )?;
        let follower = &mut *self.follower;
        let goes_on = follower.see_position(board, legal, ordinal.is_none());
        Ok(ordinal.filter(|_| goes_on))
    }

    #[inline]
    fn played(&mut self, board: usize, legal: &Legal, played: Move) {
        self.games[board].is_over = !self.follower.see_move(board, legal, played);
    }

    fn end(&mut self, board: usize, _: &Position) {
        self.follower.end(board);
    }
}
