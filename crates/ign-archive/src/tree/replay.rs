//! Occurrences of a position, found by replaying the games of a block.

use ign_format::{block::decode::Block, error::Result};
use ign_notation::chess::{Move, Position};
use shakmaty::ByColor;

use super::tally::{Occurrence, Tally};
use crate::{
    archive::Archive,
    query::PositionFilter,
    scan::{Column, columns_of_games},
};

/// Adds the games of a block that pass through the position. `wanted` chooses the games by their
/// numbers, from 1; `depth` is the greatest number of moves to follow.
pub(super) fn tally_block(
    archive: &Archive,
    number: usize,
    position: &Position,
    depth: usize,
    wanted: impl Fn(u64) -> bool,
    tally: &mut Tally,
) -> Result<()> {
    let filter = PositionFilter {
        position: Some(*position),
        ..PositionFilter::default()
    };
    let mut found = Vec::new();
    // The lines of all games found, one after the other.
    let mut lines = Vec::new();
    let bytes = archive.block_bytes(number)?;
    archive.in_block(number, || {
        let block = Block::open(&bytes)?;
        let records = block.records()?;
        let first = archive.index().blocks[number].first_game + 1;
        let games: Vec<(usize, u64)> = records.games().zip(first..).collect();
        let game_of = |record: usize| {
            let place = games.binary_search_by_key(&record, |&(record, _)| record);
            place.ok().map(|place| games[place].1)
        };
        let is_wanted =
            |record: usize| records.has_moves(record) && game_of(record).is_some_and(&wanted);
        block.walk_some(&records, is_wanted, |mut game| {
            let Some(start) = game.start.as_chess() else {
                return Ok(());
            };
            let mut follow = Follow::new(&filter, start.position, depth);
            if follow.continues() {
                let look = |played| follow.play(played, &mut lines);
                game.moves.first_moves(game.start, look)?;
            }
            if let (Some(len), Some(game)) = (follow.followed, game_of(game.record)) {
                found.push((game, len, !follow.is_cut));
            }
            Ok(())
        })
    })?;
    add_facts(archive, number, &found, &lines, tally)
}

/// Adds games with their results, ratings and dates. A game is its number, the length of its line, and
/// whether it ends there.
fn add_facts(
    archive: &Archive,
    block: usize,
    found: &[(u64, usize, bool)],
    lines: &[Move],
    tally: &mut Tally,
) -> Result<()> {
    if found.is_empty() {
        return Ok(());
    }
    let columns = [
        Column::Result,
        Column::WhiteElo,
        Column::BlackElo,
        Column::Date,
    ];
    let is_found = |game| {
        found
            .binary_search_by_key(&game, |&(game, ..)| game)
            .is_ok()
    };
    let batch = columns_of_games(archive, block, &columns, is_found)?;
    let results = batch.columns()[0].as_results();
    let [white, black] = [1, 2].map(|column: usize| batch.columns()[column].as_ratings());
    let dates = batch.columns()[3].as_dates();
    let mut rest = lines;
    for (row, &(game, len, ends)) in found.iter().enumerate() {
        let line;
        (line, rest) = rest.split_at(len);
        let seen = Occurrence {
            game,
            result: results.and_then(|values| values.get(row)),
            ratings: ByColor {
                white: white.and_then(|values| values.get(row)),
                black: black.and_then(|values| values.get(row)),
            },
            date: dates.and_then(|values| values.get(row)),
        };
        tally.add(&seen, line, ends);
    }
    Ok(())
}

/// A game that is followed to the position and from there.
struct Follow<'f> {
    filter: &'f PositionFilter,
    position: Position,
    depth: usize,
    /// The number of moves from the position, once it was reached.
    followed: Option<usize>,
    /// Whether the game has moves beyond the depth.
    is_cut: bool,
}

impl<'f> Follow<'f> {
    fn new(filter: &'f PositionFilter, position: Position, depth: usize) -> Self {
        let followed = filter.matches(&position).then_some(0);
        Self {
            filter,
            position,
            depth,
            followed,
            is_cut: false,
        }
    }

    /// Whether later moves matter.
    fn continues(&self) -> bool {
        self.followed.is_some() || self.filter.is_reachable(&self.position)
    }

    /// Plays a move, and adds it to the lines if it comes after the position. Returns whether later
    /// moves matter.
    fn play(&mut self, played: Move, lines: &mut Vec<Move>) -> bool {
        if let Some(followed) = &mut self.followed {
            if *followed == self.depth {
                self.is_cut = true;
                return false;
            }
            *followed += 1;
            lines.push(played);
            return true;
        }
        self.position.play(played);
        self.followed = self.filter.matches(&self.position).then_some(0);
        self.continues()
    }
}
