//! Occurrences of a position, from the index.
//!
//! For a common position the index has every game and the move that it played; results, ratings and
//! dates are in its columns. For other positions it has candidates, which are replayed.

use ign_format::{
    error::{Error, Result},
    game_number::GameNumber,
};
use ign_notation::chess::{Legal, Move, Position};
use shakmaty::ByColor;

use super::tally::{Occurrence, Sums, Tally};
use crate::{
    archives::Place,
    index::{
        Found, GAME_OVER, IndexColumn, Keys, LARGE_ORDINAL, Segment,
        columns::{CHUNK, date_of, result_of},
    },
    plan::GameSet,
    wanted::Wanted,
};

/// The columns that a tally needs.
const COLUMNS: [IndexColumn; 4] = [
    IndexColumn::Result,
    IndexColumn::WhiteElo,
    IndexColumn::BlackElo,
    IndexColumn::Date,
];

/// What a segment of an index has on the games at a position.
pub(super) struct Indexed<'i> {
    segment: &'i Segment,
    /// The first game of the segment, counted from 0 over all archives.
    first_game: u64,
    /// For each game, counted from 0, the place of its move in `moves` plus 1; 0 if the game is not
    /// there.
    places: Vec<u8>,
    /// The moves; `None` for the games that end at the position.
    moves: Vec<Option<Move>>,
    /// The games that may be at the position, too, and have to be replayed, counted from 0 in the
    /// segment.
    candidates: GameSet,
}

impl<'i> Indexed<'i> {
    /// Whether a segment has what is needed.
    pub fn is_possible(segment: &Segment) -> bool {
        segment.has_positions()
            && segment.has_openings()
            && COLUMNS.iter().all(|&column| segment.has_column(column))
    }

    /// Looks a position up. `first_game` is the first game of the segment, counted from 0 over all
    /// archives.
    ///
    /// # Errors
    /// Io of the index; corrupt.
    pub fn look_up(segment: &'i Segment, first_game: u64, position: &Position) -> Result<Self> {
        let mut indexed = Self {
            segment,
            first_game,
            places: Vec::new(),
            moves: Vec::new(),
            candidates: GameSet::none(segment.games()),
        };
        match segment.position(Keys::of_position(position))? {
            Found::Candidates(groups) => {
                for game in groups
                    .into_iter()
                    .flat_map(|group| segment.slots().games_of_group(group))
                {
                    indexed.candidates.insert(game);
                }
            }
            Found::All(found) => {
                indexed.places = vec![0; segment.games() as usize];
                let legal = Legal::new(position);
                let mut places = [0; 256];
                for node in found.nodes {
                    let node = segment.node(node)?;
                    let mut children = Vec::with_capacity(node.children.len());
                    for child in &node.children {
                        let place = indexed.place_of(&legal, child.ordinal, &mut places)?;
                        children.push((child.first + u64::from(child.games), place));
                    }
                    let mut at = node.games().start;
                    let mut children = children.into_iter().peekable();
                    segment.games_of_tree(node.games(), |game| {
                        while children.next_if(|&(end, _)| end <= at).is_some() {}
                        let place = children.peek().map_or(0, |&(_, place)| place);
                        indexed.add(game, place);
                        at += 1;
                    })?;
                }
                for (game, ordinal) in found.games {
                    let place = indexed.place_of(&legal, ordinal, &mut places)?;
                    indexed.add(game.into(), place);
                }
            }
        }
        Ok(indexed)
    }

    /// Announces that what the index has on games will be read.
    pub fn announce<'a>(all: impl Iterator<Item = &'a Self>)
    where
        'i: 'a,
    {
        let segments: Vec<&Segment> = all
            .filter(|indexed| !indexed.places.is_empty())
            .map(|indexed| indexed.segment)
            .collect();
        Segment::announce(&segments, &COLUMNS);
    }

    /// The place of a move plus 1; 0 if the move is not known.
    fn place_of(&mut self, legal: &Legal, ordinal: u8, places: &mut [u8; 256]) -> Result<u8> {
        let known = &mut places[usize::from(ordinal)];
        if *known == 0 && ordinal != LARGE_ORDINAL {
            self.moves.push(match ordinal {
                GAME_OVER => None,
                ordinal if u32::from(ordinal) < legal.count() => Some(legal.nth(ordinal.into())),
                _ => return Err(Error::corrupt("the index has a move that is not legal")),
            });
            *known = self.moves.len() as u8;
        }
        Ok(*known)
    }

    fn add(&mut self, game: u64, place: u8) {
        match self.places.get_mut(game as usize) {
            Some(known) if place > 0 => *known = place,
            _ => self.candidates.insert(game),
        }
    }

    /// What the index has on a game, which is counted from 0 over all archives.
    ///
    /// # Errors
    /// Io of the index; corrupt.
    pub fn facts(&self, game: u64) -> Result<Occurrence> {
        let place = [game - self.first_game];
        let mut values = [None; COLUMNS.len()];
        for (value, column) in values.iter_mut().zip(COLUMNS) {
            self.segment
                .column_of_games(column, &place, |found| *value = found)?;
        }
        Ok(occurrence(game, values))
    }

    /// The games of a block that have to be replayed, counted from 0 over all archives.
    pub fn candidates(&self, place: &Place) -> impl Iterator<Item = u64> {
        let first = place.first_game - self.first_game;
        let games = self.candidates.within(first..first + place.games);
        games.map(|game| self.first_game + game)
    }

    /// The parts in which the games can be added.
    pub fn chunks(&self) -> std::ops::Range<usize> {
        0..self.places.len().div_ceil(CHUNK as usize)
    }

    /// Adds the games of a part that are wanted.
    ///
    /// # Errors
    /// Io of the index; corrupt.
    pub fn tally(&self, chunk: usize, wanted: &Wanted, tally: &mut Tally) -> Result<()> {
        let first = chunk * CHUNK as usize;
        let places = &self.places[first..self.places.len().min(first + CHUNK as usize)];
        let first = first as u64;
        let games: Vec<u64> = (first..)
            .zip(places)
            .filter(|&(game, &place)| place > 0 && wanted.contains(self.first_game + game))
            .map(|(game, _)| game)
            .collect();
        if games.is_empty() {
            return Ok(());
        }
        let mut columns: [Vec<Option<u32>>; 4] =
            std::array::from_fn(|_| Vec::with_capacity(games.len()));
        for (values, column) in columns.iter_mut().zip(COLUMNS) {
            self.segment
                .column_of_games(column, &games, |value| values.push(value))?;
        }
        let [results, white, black, dates] = &columns;
        let (lists, side) = (tally.lists(), tally.measured());
        let mut sums = vec![Sums::default(); self.moves.len()];
        for (row, &game) in games.iter().enumerate() {
            let seen = occurrence(
                self.first_game + game,
                [results[row], white[row], black[row], dates[row]],
            );
            let place = usize::from(places[(game - first) as usize]) - 1;
            sums[place].add(&seen, side);
            if lists {
                tally.list(&seen, self.moves[place]);
            }
        }
        for (&played, sums) in self.moves.iter().zip(&sums) {
            if sums.games > 0 {
                tally.add_sums(played, sums);
            }
        }
        Ok(())
    }
}

/// A game, counted from 0, with these values of [`COLUMNS`].
#[inline]
fn occurrence(game: u64, [result, white, black, date]: [Option<u32>; 4]) -> Occurrence {
    let rating = |value: Option<u32>| value.map(|rating| rating as u16);
    Occurrence {
        game: GameNumber::from_index(game),
        result: result.and_then(result_of),
        ratings: ByColor {
            white: rating(white),
            black: rating(black),
        },
        date: date.map(date_of),
    }
}
