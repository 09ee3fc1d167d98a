//! Occurrences of a position, from the index.
//!
//! For the most common positions the index has statistics. For other common positions it has every
//! game and the move that it played; results, ratings and dates are in its columns. For other
//! positions it has candidates, which are replayed.

use std::{ops::Range, sync::OnceLock};

use ign_format::{
    error::{Error, Result},
    game_number::GameNumber,
};
use ign_notation::chess::{Legal, Move, Position};

use super::tally::{Occurrence, Sums, Tally};
use crate::{
    archives::{LocatedBlock, Part},
    index::{
        Counted, Facts, Found, GAME_OVER, IndexColumn, Keys, LARGE_ORDINAL, LISTED, ListedGame,
        OF_VARIANT, Segment,
        columns::{TREE_CHUNK, speed_number},
    },
    plan::GameSet,
    query::FactsQuery,
    values::Speed,
    wanted::Wanted,
};

/// The columns of games that a tally needs.
const COLUMNS: [IndexColumn; 4] = [
    IndexColumn::WhiteElo,
    IndexColumn::BlackElo,
    IndexColumn::Date,
    IndexColumn::Result,
];

/// What a segment of an index has on the games at a position.
pub(super) struct Indexed<'i> {
    segment: &'i Segment,
    /// The first game of the segment, counted from 0 over all archives.
    first_game: u64,
    /// The conditions on the games that count, if the index decides all of them.
    query: Option<&'i FactsQuery<'i>>,
    /// The statistics of the games that count, if there are any.
    counted: Option<Counted>,
    /// Otherwise the games: places in the order of the opening tree with their moves, in each part
    /// those of one chunk of its columns.
    parts: Vec<Vec<Run>>,
    /// The moves; `None` for the games that end at the position.
    moves: Moves,
    /// The games that may be at the position, too, and have to be replayed, counted from 0 in the
    /// segment.
    candidates: GameSet,
    /// The speed of each time control of the segment.
    speeds: OnceLock<Vec<Option<Speed>>>,
}

/// Games with the same move.
#[derive(Debug, Clone)]
struct Run {
    places: Range<u64>,
    /// The number of the move.
    played: usize,
}

impl<'i> Indexed<'i> {
    /// Whether a segment has what is needed.
    pub fn is_possible(segment: &Segment) -> bool {
        let columns = COLUMNS.iter().chain(&Facts::COLUMNS);
        segment.has_positions()
            && segment.has_openings()
            && columns.copied().all(|column| segment.has_column(column))
    }

    /// Whether a segment has what the conditions of a query need.
    pub fn decides(segment: &Segment, query: &FactsQuery) -> bool {
        let has_speeds = segment.has_column(IndexColumn::TimeControl);
        Self::is_possible(segment) && (has_speeds || !query.has("speed"))
    }

    /// Looks a position up in the segment of a part. `query` are the conditions on games, unless they are chosen in another way;
    /// `tally` is what the games will be added to.
    ///
    /// # Errors
    /// Io of the index; corrupt.
    pub fn look_up(
        part: &Part,
        segment: &'i Segment,
        position: &Position,
        query: Option<&'i FactsQuery<'i>>,
        tally: &Tally,
    ) -> Result<Self> {
        let mut indexed = Self {
            segment,
            first_game: part.first_game,
            query,
            counted: None,
            parts: Vec::new(),
            moves: Moves::new(position),
            candidates: GameSet::none(segment.games()),
            speeds: OnceLock::new(),
        };
        let found = match segment.position(Keys::of_position(position))? {
            Found::All(found) => found,
            Found::Candidates(groups) => {
                let found = part.candidates_of(segment, position, groups)?;
                let candidates = &mut indexed.candidates;
                let games = found.games.into_iter();
                games.for_each(|game| candidates.insert(game));
                found.late.iter().for_each(|late| candidates.unite(late));
                return Ok(indexed);
            }
        };
        let lists_enough = tally.listed().iter().all(|&listed| listed <= LISTED);
        if let (Some(place), Some(query), true) = (found.statistics, query, lists_enough) {
            indexed.counted = segment.statistics(place, query)?;
        }
        if let Some(counted) = &indexed.counted {
            let candidates = &mut indexed.candidates;
            segment.games_at_places(&counted.unknown, |game| candidates.insert(game))?;
            let listed = counted.top.iter().chain(&counted.recent);
            let listed = listed.map(|listed| listed.ordinal);
            for ordinal in counted
                .cells
                .iter()
                .map(|&(ordinal, _)| ordinal)
                .chain(listed)
            {
                indexed.moves.number(ordinal)?;
            }
            return Ok(indexed);
        }
        let (mut runs, mut unknown) = (Vec::new(), Vec::new());
        for node in found.nodes {
            for child in &segment.node(node)?.children {
                let places = child.first..child.first + u64::from(child.games);
                indexed.add(places, child.ordinal, &mut runs, &mut unknown)?;
            }
        }
        for (place, ordinal) in found.places {
            let place = u64::from(place);
            indexed.add(place..place + 1, ordinal, &mut runs, &mut unknown)?;
        }
        runs.sort_unstable_by_key(|run| run.places.start);
        if !runs.is_sorted_by(|a, b| a.places.end <= b.places.start) {
            return Err(Error::corrupt("the index has a game twice at a position"));
        }
        unknown.sort_unstable();
        let candidates = &mut indexed.candidates;
        segment.games_at_places(&unknown, |game| candidates.insert(game))?;
        let parts =
            runs.chunk_by(|a, b| a.places.start / TREE_CHUNK == b.places.start / TREE_CHUNK);
        indexed.parts = parts.map(<[Run]>::to_vec).collect();
        Ok(indexed)
    }

    /// Adds the games at these places, whose move has this ordinal, to the runs, or to those with
    /// unknown moves.
    fn add(
        &mut self,
        places: Range<u64>,
        ordinal: u8,
        runs: &mut Vec<Run>,
        unknown: &mut Vec<u64>,
    ) -> Result<()> {
        match ordinal {
            // These games do not count.
            OF_VARIANT => Ok(()),
            LARGE_ORDINAL => {
                unknown.extend(places);
                Ok(())
            }
            _ => {
                let played = self.moves.number(ordinal)?;
                let mut start = places.start;
                while start < places.end {
                    let end = places.end.min((start / TREE_CHUNK + 1) * TREE_CHUNK);
                    runs.push(Run {
                        places: start..end,
                        played,
                    });
                    start = end;
                }
                Ok(())
            }
        }
    }

    /// Announces that what the index has on games will be read.
    pub fn announce<'a>(all: impl Iterator<Item = &'a Self>)
    where
        'i: 'a,
    {
        // The columns of large parts of the index are read as a whole.
        let segments: Vec<&Segment> = all
            .filter(|indexed| indexed.parts.len() as u64 > indexed.segment.games() / TREE_CHUNK / 2)
            .map(|indexed| indexed.segment)
            .collect();
        Segment::announce(&segments, &Facts::COLUMNS);
    }

    /// What the index has on a game that counts, which is counted from 0 over all archives; `None`
    /// if it does not count.
    ///
    /// # Errors
    /// Io of the index; corrupt.
    pub fn facts(&self, game: u64) -> Result<Option<Occurrence>> {
        let place = [game - self.first_game];
        let mut values = [None; COLUMNS.len() + 1];
        for (value, column) in values.iter_mut().zip(COLUMNS) {
            self.segment
                .column_of_games(column, &place, |found| *value = found)?;
        }
        if self.query.is_some_and(|query| query.has("speed")) {
            let mut code = None;
            self.segment
                .column_of_games(IndexColumn::TimeControl, &place, |found| code = found)?;
            if let Some(code) = code {
                let speed = self.speeds()?.get(code as usize).ok_or_else(|| {
                    Error::corrupt("the index has a time control that is not in its dictionary")
                })?;
                values[COLUMNS.len()] = speed.map(speed_number);
            }
        }
        let facts = Facts::of_numbers(values);
        let counts = self.query.is_none_or(|query| query.accepts(&facts));
        Ok(counts.then(|| Occurrence::new(game, &facts)))
    }

    /// The speeds of the time controls.
    fn speeds(&self) -> Result<&[Option<Speed>]> {
        if let Some(speeds) = self.speeds.get() {
            return Ok(speeds);
        }
        let values = self.segment.dictionary(IndexColumn::TimeControl)?;
        let speeds = values.iter().map(|value| Speed::of_time_control(value));
        Ok(self.speeds.get_or_init(|| speeds.collect()))
    }

    /// The games of a block that have to be replayed, counted from 0 over all archives.
    pub fn candidates(&self, place: &LocatedBlock) -> impl Iterator<Item = u64> {
        let first = place.first_game - self.first_game;
        let games = self.candidates.within(first..first + place.games);
        games.map(|game| self.first_game + game)
    }

    /// The parts in which the games can be added.
    pub fn parts(&self) -> Range<usize> {
        0..self.parts.len().max(usize::from(self.counted.is_some()))
    }

    /// Adds the games of a part that are wanted.
    ///
    /// # Errors
    /// Io of the index; corrupt.
    pub fn tally(&self, part: usize, wanted: &Wanted, tally: &mut Tally) -> Result<()> {
        if let Some(counted) = &self.counted {
            return self.add_counted(counted, tally);
        }
        let runs = &self.parts[part];
        let places: Vec<u64> = runs.iter().flat_map(|run| run.places.clone()).collect();
        let (lists, side) = (tally.lists(), tally.measured());
        let mut games = Vec::with_capacity(places.len());
        if lists || tally.has_game_numbers() || self.query.is_none() {
            self.segment
                .games_at_places(&places, |game| games.push(game))?;
        } else {
            games.resize(places.len(), 0);
        }
        let mut columns: [Vec<Option<u32>>; 5] = Default::default();
        for (values, column) in columns.iter_mut().zip(Facts::COLUMNS) {
            values.reserve(places.len());
            self.segment
                .column_of_games(column, &places, |value| values.push(value))?;
        }
        let mut sums = vec![Sums::default(); self.moves.all.len()];
        let played = runs
            .iter()
            .flat_map(|run| std::iter::repeat_n(run.played, run.places.clone().count()));
        for (row, (game, played)) in games.into_iter().zip(played).enumerate() {
            let game = self.first_game + game;
            let facts = Facts::of_numbers(std::array::from_fn(|column| columns[column][row]));
            let counts = match self.query {
                Some(query) => query.accepts(&facts),
                None => wanted.contains(game),
            };
            if !counts {
                continue;
            }
            let seen = Occurrence::new(game, &facts);
            sums[played].add(&seen, side);
            if lists {
                tally.list(&seen, self.moves.all[played]);
            }
        }
        for (&played, sums) in self.moves.all.iter().zip(&sums) {
            if sums.games > 0 {
                tally.add_sums(played, sums);
            }
        }
        Ok(())
    }

    /// Adds the games of statistics.
    fn add_counted(&self, counted: &Counted, tally: &mut Tally) -> Result<()> {
        let here = |game: GameNumber| GameNumber::from_index(self.first_game + game.index());
        let side = tally.measured();
        for (ordinal, sums) in &counted.cells {
            let mut sums = *sums.get(side);
            sums.first_game = sums.first_game.map(here);
            sums.last_game = sums.last_game.map(here);
            tally.add_sums(self.moves.of(*ordinal), &sums);
        }
        for &(month, results) in &counted.months {
            tally.add_month(month, results);
        }
        let seen = |listed: &ListedGame| {
            let mut seen = listed.seen;
            seen.game = here(seen.game);
            (seen, self.moves.of(listed.ordinal))
        };
        for (seen, played) in counted.top.iter().map(seen) {
            tally.list_as_top(&seen, played);
        }
        for (seen, played) in counted.recent.iter().map(seen) {
            tally.list_as_recent(&seen, played);
        }
        Ok(())
    }
}

/// The moves that are played from a position.
struct Moves {
    legal: Legal,
    all: Vec<Option<Move>>,
    /// For each ordinal the number of its move plus 1; 0 if it is not known yet.
    numbers: [u8; 256],
}

impl Moves {
    fn new(position: &Position) -> Self {
        Self {
            legal: Legal::new(position),
            all: Vec::new(),
            numbers: [0; 256],
        }
    }

    /// The number of the move with this ordinal.
    ///
    /// # Errors
    /// Corrupt, if there is no such move.
    fn number(&mut self, ordinal: u8) -> Result<usize> {
        let known = &mut self.numbers[usize::from(ordinal)];
        if *known == 0 {
            self.all.push(match ordinal {
                GAME_OVER => None,
                ordinal if u32::from(ordinal) < self.legal.count() => {
                    Some(self.legal.nth(ordinal.into()))
                }
                _ => return Err(Error::corrupt("the index has a move that is not legal")),
            });
            *known = self.all.len() as u8;
        }
        Ok(usize::from(*known) - 1)
    }

    /// The move with this ordinal, which is known; `None` for the end of the game.
    fn of(&self, ordinal: u8) -> Option<Move> {
        let number = usize::from(self.numbers[usize::from(ordinal)]);
        number.checked_sub(1).and_then(|number| self.all[number])
    }
}
