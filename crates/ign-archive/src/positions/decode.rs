//! The moves of some games of a block, decoded in lockstep: two games of integers at a time,
//! sixteen weighted games at a time.

use std::ops::Range;

use ign_format::{
    block::{
        Coding,
        decode::{Block, Records},
        integers::Follower,
    },
    error::Result,
    pgn::start::Start,
};
use ign_notation::chess::{Move, Position, rules::LegalMoves};

/// The moves of games, one game after another.
#[derive(Debug, Default)]
pub(super) struct Decoded {
    moves: Vec<Move>,
    /// The record of each game and the range of its moves, by record.
    games: Vec<(usize, Range<usize>)>,
}

impl Decoded {
    /// Decodes the first `max` moves of the wanted records, which are playable.
    ///
    /// # Errors
    /// Corrupt; unsupported if another move model coded the moves.
    pub fn read(
        block: &Block,
        records: &Records,
        wanted: impl Fn(usize) -> bool,
        max: usize,
    ) -> Result<Self> {
        let mut decoded = Self::default();
        if block.coding() == Coding::Weighted {
            block.follow_groups(
                records,
                wanted,
                |_| Vec::with_capacity(128),
                |moves, played| {
                    moves.extend(played);
                    moves.len() < max
                },
                |record, moves: Vec<Move>| decoded.add(record, &moves),
            )?;
        } else {
            let mut boards = Boards {
                games: Default::default(),
                max,
                decoded: &mut decoded,
            };
            block.follow_integers(records, wanted, &mut boards, None)?;
        }
        decoded.games.sort_unstable_by_key(|&(record, _)| record);
        Ok(decoded)
    }

    /// Adds a game.
    fn add(&mut self, record: usize, moves: &[Move]) {
        let first = self.moves.len();
        self.moves.extend_from_slice(moves);
        self.games.push((record, first..self.moves.len()));
    }

    /// The games in ascending order: record and moves.
    pub fn games(&self) -> impl ExactSizeIterator<Item = (usize, &[Move])> {
        let games = self.games.iter();
        games.map(|(record, range)| (*record, &self.moves[range.clone()]))
    }

    /// The number of moves of all games.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }
}

/// Collects the moves of the two games in progress.
struct Boards<'d> {
    /// Record and moves.
    games: [(usize, Vec<Move>); 2],
    max: usize,
    decoded: &'d mut Decoded,
}

impl Follower for Boards<'_> {
    type Known = ();

    fn begin(&mut self, board: usize, record: usize, _: &Start) {
        let (number, moves) = &mut self.games[board];
        *number = record;
        moves.clear();
    }

    fn know(&self, _: Option<(&(), Move)>, _: &Position) -> ((), bool) {
        ((), false)
    }

    fn resume(&mut self, _: usize, (): &()) {}

    #[inline]
    fn see_position<L: LegalMoves + ?Sized>(&mut self, board: usize, _: &L, _: bool) -> bool {
        self.games[board].1.len() < self.max
    }

    #[inline]
    fn see_move<L: LegalMoves + ?Sized>(&mut self, board: usize, _: &L, played: Move) -> bool {
        let (_, moves) = &mut self.games[board];
        moves.push(played);
        moves.len() < self.max
    }

    fn end(&mut self, board: usize) {
        let (record, moves) = &self.games[board];
        self.decoded.add(*record, moves);
    }
}
