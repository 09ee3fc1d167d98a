//! Occurrences of a position, found by replaying the games of a block.

use ign_format::{
    error::{Error, Result},
    game_number::GameNumber,
};
use ign_notation::chess::Position;
use shakmaty::ByColor;

use super::{
    indexed::Indexed,
    tally::{Occurrence, Tally},
};
use crate::{
    archives::LocatedBlock,
    plan::passage::{Limits, Passage, passages},
    scan::{ScanColumn, columns_of_games},
};

/// Adds those of the `games` of a block that pass through the position. Games are given by their
/// indexes in the collection, ascending; `depth` is the greatest number of moves to follow.
/// Their results, ratings and dates are read from the index, or from the tags if there is none. The
/// inner result is that of reading the index. `by_column` is what [`passages`] takes.
pub(super) fn tally_block(
    place: &LocatedBlock,
    by_column: bool,
    position: &Position,
    depth: usize,
    games: &[u64],
    indexed: Option<&Indexed>,
    tally: &mut Tally,
) -> Result<std::result::Result<(), Error>> {
    let limits = Limits {
        before: usize::MAX,
        after: depth,
    };
    let mut found = passages(place, by_column, position, games, limits)?;
    found.sort_unstable_by_key(|found| found.game);
    match indexed {
        None => add_with_tags(place, by_column, &found, depth, tally).map(Ok),
        Some(indexed) => Ok(found.iter().try_for_each(|found| {
            if let Some(seen) = indexed.facts(found.game)? {
                // What comes after a line of full depth is not known.
                tally.add(&seen, &found.line, found.line.len() < depth);
            }
            Ok(())
        })),
    }
}

/// Adds games of a block, in ascending order, with the results, ratings and dates of their tags.
fn add_with_tags(
    place: &LocatedBlock,
    by_column: bool,
    found: &[Passage],
    depth: usize,
    tally: &mut Tally,
) -> Result<()> {
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
    let batch = columns_of_games(place.archive, place.block, by_column, &columns, &is_found)?;
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
        tally.add(&seen, &found.line, found.line.len() < depth);
    }
    Ok(())
}
