//! Games that pass through a position, followed to it and from there.

use std::{
    ops::Range,
    sync::atomic::{AtomicBool, Ordering},
};

use ign_format::{
    block::{
        Coding, Kind,
        decode::{Block, Records},
    },
    error::Result,
    pgn::start::Start,
};
use ign_notation::chess::{Move, Position};

use super::{game_set::GameSet, unmoved};
use crate::{
    archives::{LocatedBlock, Part},
    index::Segment,
    threads::each,
    values::PositionFilter,
};

/// A game that passes through a position.
pub(crate) struct Passage {
    /// Its index in the collection.
    pub game: u64,
    /// Its moves from the position, as many as were wanted.
    pub line: Vec<Move>,
}

/// How far games are followed.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// The greatest number of plies before the position.
    pub before: usize,
    /// The greatest number of moves from the position on.
    pub after: usize,
}

/// Those of the `games` of a block that pass through a position, in any order. Games are given by
/// their indexes in the collection. `by_column` is what
/// [`announce_moves`](LocatedBlock::announce_moves) returned for the block.
///
/// # Errors
/// Io; corrupt; unsupported if another move model coded the moves.
pub(crate) fn passages(
    place: &LocatedBlock,
    by_column: bool,
    position: &Position,
    games: &[u64],
    limits: Limits,
) -> Result<Vec<Passage>> {
    let filter = PositionFilter {
        position: Some(*position),
        ..PositionFilter::default()
    };
    let open = place.open_moves(by_column)?;
    let (archive, number) = (place.archive, place.block);
    let first = place.first_game;
    archive.in_block(number, || {
        let block = open.block()?;
        let records = &*open.records;
        let game_of = |record: usize| open.game_of(record).map(|game| first + game);
        let mut is_wanted = vec![false; records.len()];
        let wanted = games.iter().filter_map(|game| open.record_of(game - first));
        for record in wanted.filter(|&record| records.has_moves(record)) {
            is_wanted[record] = true;
        }
        if unmoved::is_worth_reading(&filter, &is_wanted) {
            is_wanted = unmoved::not_excluded(&filter, &block, records, &is_wanted)?;
        }
        let mut found = Vec::new();
        follow_games(
            &block,
            records,
            |record| is_wanted[record],
            |start| Follow::new(&filter, start, limits),
            |record, follow| {
                if let (true, Some(game)) = (follow.is_found, game_of(record)) {
                    found.push(Passage {
                        game,
                        line: follow.line,
                    });
                }
            },
        )?;
        Ok(found)
    })
}

/// The games in which a position may occur, counted from 0 in the segment of an index.
pub(crate) struct Candidates {
    /// Those that the index has, ascending.
    pub games: Vec<u64>,
    /// Those that may have it after the depth of the index, unless none need be searched.
    pub late: Option<GameSet>,
}

impl Part<'_> {
    /// The games of groups that the segment of the part has for a position.
    ///
    /// A position that occurs within the depth is in the index with all of its games. So if one of
    /// the candidates has it there, all of its games are among them.
    ///
    /// # Errors
    /// Io of the index; corrupt.
    pub(crate) fn candidates_of(
        &self,
        segment: &Segment,
        position: &Position,
        groups: Vec<u64>,
    ) -> Result<Candidates> {
        let groups = groups.into_iter();
        let games = groups.flat_map(|group| segment.slots().games_of_group(group));
        let games: Vec<u64> = games.collect();
        let late = match segment.depth() {
            Some(depth) if !self.any_passes(position, &games, depth.get() as usize) => {
                Some(segment.late_games(position, depth)?)
            }
            _ => None,
        };
        Ok(Candidates { games, late })
    }

    /// Whether one of some games, counted from 0 in the part and ascending, has a position after at
    /// most `plies` plies. Games of variants, and damaged blocks, are left out.
    fn any_passes(&self, position: &Position, games: &[u64], plies: usize) -> bool {
        let limits = Limits {
            before: plies,
            after: 0,
        };
        let before = |end: u64| games.partition_point(|&game| self.first_game + game < end);
        let jobs = self.places().filter_map(|place| {
            let Range { start, end } = place.range();
            let some = games[before(start)..before(end)].iter();
            let some: Vec<u64> = some.map(|game| self.first_game + game).collect();
            (!some.is_empty()).then_some((place, some))
        });
        let jobs: Vec<_> = jobs.collect();
        let places: Vec<_> = jobs.iter().map(|(place, _)| *place).collect();
        let by_column = LocatedBlock::announce_moves(&places);
        let threads = jobs.first().map_or(1, |(place, _)| place.archive.threads());
        let is_found = AtomicBool::new(false);
        let search = |(place, games): (LocatedBlock, Vec<u64>)| {
            if !is_found.load(Ordering::Relaxed)
                && passages(&place, by_column, position, &games, limits)
                    .is_ok_and(|found| !found.is_empty())
            {
                is_found.store(true, Ordering::Relaxed);
            }
            Ok(())
        };
        each(threads, jobs, search).is_ok() && is_found.into_inner()
    }
}

/// Follows the wanted games of a block of chess, each as far as necessary.
fn follow_games<'f>(
    block: &Block,
    records: &Records,
    wanted: impl Fn(usize) -> bool,
    open: impl Fn(&Start) -> Follow<'f>,
    mut close: impl FnMut(usize, Follow<'f>),
) -> Result<()> {
    if block.kind() != Kind::Chess {
        return Ok(());
    }
    if block.coding() == Coding::Weighted {
        block.follow_groups(records, &wanted, &open, Follow::see, &mut close)?;
        return Ok(());
    }
    block.walk_some(records, wanted, |mut game| {
        let mut follow = open(game.start);
        if follow.continues() {
            game.moves
                .first_moves(game.start, |played| follow.see(Some(played)))?;
        }
        close(game.record, follow);
        Ok(())
    })
}

/// A game that is followed to the position and from there.
struct Follow<'f> {
    filter: &'f PositionFilter,
    /// The position of the game until it is found; `None` if the game is one of a variant.
    position: Option<Position>,
    limits: Limits,
    /// The number of plies before the position, so far.
    plies: usize,
    /// Whether the position occurred.
    is_found: bool,
    /// The moves since then.
    line: Vec<Move>,
}

impl<'f> Follow<'f> {
    fn new(filter: &'f PositionFilter, start: &Start, limits: Limits) -> Self {
        let position = start.as_chess().map(|start| start.position);
        Self {
            filter,
            is_found: position.is_some_and(|position| filter.matches(&position)),
            position,
            limits,
            plies: 0,
            line: Vec::new(),
        }
    }

    /// Whether later moves matter.
    fn continues(&self) -> bool {
        if self.is_found {
            return self.line.len() < self.limits.after;
        }
        let is_reachable = |position| self.filter.is_reachable(position);
        self.plies < self.limits.before && self.position.as_ref().is_some_and(is_reachable)
    }

    /// Plays the next move; `None` at the end of the game. Returns whether later moves matter.
    fn see(&mut self, played: Option<Move>) -> bool {
        let (Some(played), Some(position)) = (played, &mut self.position) else {
            return false;
        };
        if self.is_found {
            self.line.push(played);
        } else {
            position.play(played);
            self.plies += 1;
            self.is_found = self.filter.matches(position);
        }
        self.continues()
    }
}
