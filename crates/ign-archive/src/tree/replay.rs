//! Occurrences of a position, found by replaying the games of a block.

use ign_format::{
    block::{
        Coding, Kind,
        decode::{Block, Records},
    },
    error::{Error, Result},
    game_number::GameNumber,
    pgn::start::Start,
};
use ign_notation::chess::{Move, Position};
use shakmaty::ByColor;

use super::{
    indexed::Indexed,
    tally::{Occurrence, Tally},
};
use crate::{
    archives::LocatedBlock,
    opened::OpenBlock,
    plan::unmoved,
    scan::{ScanColumn, columns_of_games},
    values::PositionFilter,
};

/// A game that passes through the position.
struct Found {
    /// Its index in the collection.
    game: u64,
    /// Its moves from the position, cut to the depth.
    line: Vec<Move>,
    /// Whether it ends with the line: what comes after a line of full depth is not known.
    ends: bool,
}

/// Adds those of the games of an open block that pass through the position. Games are given by their
/// indexes in the collection, ascending; `depth` is the greatest number of moves to follow.
/// Their results, ratings and dates are read from the index, or from the tags if there is none. The
/// inner result is that of reading the index.
pub(super) fn tally_block(
    (place, open, games): (&LocatedBlock, &OpenBlock, &[u64]),
    position: &Position,
    depth: usize,
    indexed: Option<&Indexed>,
    tally: &mut Tally,
) -> Result<std::result::Result<(), Error>> {
    let filter = PositionFilter {
        position: Some(*position),
        ..PositionFilter::default()
    };
    let (archive, number) = (place.archive, place.block);
    let first = place.first_game;
    let mut found = archive.in_block(number, || {
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
            |start| Follow::new(&filter, start, depth),
            |record, follow| {
                if let (true, Some(game)) = (follow.is_found, game_of(record)) {
                    found.push(Found {
                        game,
                        ends: follow.line.len() < depth,
                        line: follow.line,
                    });
                }
            },
        )?;
        Ok(found)
    })?;
    found.sort_unstable_by_key(|found| found.game);
    match indexed {
        None => add_with_tags(place, &found, tally).map(Ok),
        Some(indexed) => Ok(found.iter().try_for_each(|found| {
            if let Some(seen) = indexed.facts(found.game)? {
                tally.add(&seen, &found.line, found.ends);
            }
            Ok(())
        })),
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

/// Adds games of a block, in ascending order, with the results, ratings and dates of their tags.
fn add_with_tags(place: &LocatedBlock, found: &[Found], tally: &mut Tally) -> Result<()> {
    if found.is_empty() {
        return Ok(());
    }
    let columns = [
        ScanColumn::Result,
        ScanColumn::WhiteElo,
        ScanColumn::BlackElo,
        ScanColumn::Date,
    ];
    // The columns number the games of the archive.
    let before = place.first_game - place.archive.blocks()[place.block].first_game;
    let is_found = |game| {
        found
            .binary_search_by_key(&(before + game), |found| found.game)
            .is_ok()
    };
    let batch = columns_of_games(place.archive, place.block, &columns, &is_found)?;
    let results = batch.columns()[0].as_results();
    let [white, black] = [1, 2].map(|column: usize| batch.columns()[column].as_ratings());
    let dates = batch.columns()[3].as_dates();
    for (row, found) in found.iter().enumerate() {
        let seen = Occurrence {
            game: GameNumber::from_index(found.game),
            result: results.and_then(|values| values.get(row)),
            ratings: ByColor {
                white: white.and_then(|values| values.get(row)),
                black: black.and_then(|values| values.get(row)),
            },
            date: dates.and_then(|values| values.get(row)),
        };
        tally.add(&seen, &found.line, found.ends);
    }
    Ok(())
}

/// A game that is followed to the position and from there.
struct Follow<'f> {
    filter: &'f PositionFilter,
    /// The position of the game until it is found; `None` if the game is one of a variant.
    position: Option<Position>,
    depth: usize,
    /// Whether the position occurred.
    is_found: bool,
    /// The moves since then.
    line: Vec<Move>,
}

impl<'f> Follow<'f> {
    fn new(filter: &'f PositionFilter, start: &Start, depth: usize) -> Self {
        let position = start.as_chess().map(|start| start.position);
        Self {
            filter,
            is_found: position.is_some_and(|position| filter.matches(&position)),
            position,
            depth,
            line: Vec::new(),
        }
    }

    /// Whether later moves matter.
    fn continues(&self) -> bool {
        let is_reachable = |position| self.filter.is_reachable(position);
        self.is_found || self.position.as_ref().is_some_and(is_reachable)
    }

    /// Plays the next move; `None` at the end of the game. Returns whether later moves matter.
    fn see(&mut self, played: Option<Move>) -> bool {
        let (Some(played), Some(position)) = (played, &mut self.position) else {
            return false;
        };
        if self.is_found {
            self.line.push(played);
            return self.line.len() < self.depth;
        }
        position.play(played);
        self.is_found = self.filter.matches(position);
        self.continues()
    }
}
