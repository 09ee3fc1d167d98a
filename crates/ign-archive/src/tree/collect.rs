//! The tree of archives: what the indexes have, and the games of the blocks that are replayed.

use ign_format::{
    error::{Error, Result},
    game_number::GameNumber,
};
use ign_notation::chess::Position;

use super::{Tree, TreeBuilder, indexed::Indexed, replay, tally::Tally};
use crate::{
    archives::{Archives, LocatedBlock, Part},
    index::Segment,
    progress::{Counters, OnProgress},
    query::{FactsQuery, Query},
    threads::each_reported,
    values::normal,
    wanted::Wanted,
};

/// Games to count.
enum Job<'a, 'i> {
    /// A part of those that an index has.
    Chunk(&'a Part<'a>, &'i Indexed<'i>, usize),
    /// Some of a block, counted from 0 over all archives, that have to be replayed.
    Block(
        &'a Part<'a>,
        LocatedBlock<'a>,
        Vec<u64>,
        Option<&'i Indexed<'i>>,
    ),
}

/// The games of a tree.
enum Chosen<'a> {
    Matching(&'a Query),
    Games(&'a [GameNumber]),
}

impl<'a> Chosen<'a> {
    fn on_facts(&self) -> Option<FactsQuery<'a>> {
        match self {
            Self::Matching(query) => query.on_facts(),
            Self::Games(_) => None,
        }
    }

    fn wanted(&self, archives: &Archives, on_progress: &mut OnProgress) -> Result<Wanted> {
        match self {
            Self::Matching(query) => Wanted::of(archives, query, on_progress),
            Self::Games(games) => Ok(Wanted::of_numbers(Some(games), archives.len())),
        }
    }
}

impl TreeBuilder<'_> {
    /// The tree of the games that match a query, numbered from 1 over all archives.
    ///
    /// # Errors
    /// As [`Archive::tree`](crate::Archive::tree); [`Usage`](crate::ErrorKind::Usage) if the depth
    /// is 0 or greater than [`MAX_DEPTH`](Self::MAX_DEPTH), or the laws of chess do not allow the
    /// kings of the position.
    pub fn build(
        mut self,
        archives: &Archives,
        position: &Position,
        query: &Query,
    ) -> Result<Tree> {
        self.build_of(archives, position, &Chosen::Matching(query))
    }

    /// The tree of some games, numbered from 1 over all archives, such as those that a search has
    /// found. Games that do not pass through the position do not count.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_of_games(
        mut self,
        archives: &Archives,
        position: &Position,
        games: &[GameNumber],
    ) -> Result<Tree> {
        self.build_of(archives, position, &Chosen::Games(games))
    }

    fn build_of(
        &mut self,
        archives: &Archives,
        position: &Position,
        chosen: &Chosen,
    ) -> Result<Tree> {
        let options = self.options;
        if !(1..=TreeBuilder::MAX_DEPTH).contains(&options.depth) {
            let max = TreeBuilder::MAX_DEPTH;
            return Err(Error::usage(format!(
                "a tree of depth {}: the depth is from 1 to {max}",
                options.depth
            )));
        }
        if !position.has_regular_kings() {
            let message =
                "a tree has no games from a position whose kings the laws of chess do not allow";
            return Err(Error::usage(message).with_remedy("search for its games with find"));
        }
        let position = normal(*position);
        let new = || Tally::new(position.turn(), options);
        let uses_indexes = options.depth == 1;
        let parts = archives.parts();
        // If the indexes decide all conditions, games need not be searched before.
        let on_facts = chosen.on_facts().filter(|query| {
            let mut segments = parts.iter().map(Part::segment);
            let decides = |segment: &Segment| Indexed::decides(segment, query);
            uses_indexes && segments.all(|segment| segment.is_some_and(decides))
        });
        let wanted = match &on_facts {
            Some(_) => Wanted::All,
            None => chosen.wanted(archives, &mut self.on_progress)?,
        };
        let mut indexed: Vec<Option<Indexed>> = Vec::with_capacity(parts.len());
        for part in &parts {
            let found = || part.indexed(&position, on_facts.as_ref(), &new());
            let found = uses_indexes.then(found).flatten();
            if found.is_none() && on_facts.is_some() {
                // The index is damaged and not used any more.
                return self.build_of(archives, &position, chosen);
            }
            indexed.push(found);
        }
        let mut jobs = Vec::new();
        for (part, indexed) in parts.iter().zip(&indexed) {
            if let Some(indexed) = indexed {
                let chunks = indexed.parts();
                jobs.extend(chunks.map(|chunk| Job::Chunk(part, indexed, chunk)));
            }
            let chunks = jobs.len();
            for place in part.places() {
                let range = place.first_game..place.first_game + place.games;
                if !wanted.has_any(range.clone()) {
                    continue;
                }
                let is_wanted = |&game: &u64| wanted.contains(game);
                let games: Vec<u64> = match indexed {
                    Some(indexed) => indexed.candidates(&place).filter(is_wanted).collect(),
                    None => range.filter(is_wanted).collect(),
                };
                if !games.is_empty() {
                    jobs.push(Job::Block(part, place, games, indexed.as_ref()));
                }
            }
            if jobs.len() > chunks {
                part.preload();
            }
        }
        let blocks = jobs.iter().filter_map(|job| match job {
            Job::Block(_, place, ..) => Some(*place),
            Job::Chunk(..) => None,
        });
        let by_column = LocatedBlock::announce_moves(&blocks.collect::<Vec<_>>());
        Indexed::announce(indexed.iter().flatten());
        // A damaged column of an index gives no tally.
        let counters = Counters::default();
        let count = |job: Job| -> Result<Option<Tally>> {
            let mut tally = new();
            let (part, indexed) = match job {
                Job::Chunk(part, indexed, chunk) => {
                    (part, indexed.tally(chunk, &wanted, &mut tally))
                }
                Job::Block(part, place, games, indexed) => {
                    let tallied = replay::tally_block(
                        &place,
                        by_column,
                        &position,
                        options.depth,
                        &games,
                        indexed,
                        &mut tally,
                    );
                    place.count(&counters);
                    (part, tallied?)
                }
            };
            match indexed {
                Ok(()) => Ok(Some(tally)),
                Err(error) => {
                    part.reject_index(error);
                    Ok(None)
                }
            }
        };
        let mut sum = new();
        let report = || counters.report(&mut self.on_progress);
        for tally in each_reported(archives.threads(), jobs, count, report)? {
            match tally {
                Some(tally) => sum.merge(tally),
                // The index is not used any more, so the games are replayed.
                None => return self.build_of(archives, &position, chosen),
            }
        }
        Ok(Tree::new(position, &sum))
    }
}

impl<'a> Part<'a> {
    /// What the index has on a position; `None` if there is no index, or it is damaged or
    /// incomplete.
    fn indexed<'q>(
        &self,
        position: &Position,
        query: Option<&'q FactsQuery<'q>>,
        tally: &Tally,
    ) -> Option<Indexed<'q>>
    where
        'a: 'q,
    {
        let segment = self
            .segment()
            .filter(|segment| Indexed::is_possible(segment))?;
        match Indexed::look_up(self, segment, position, query, tally) {
            Ok(indexed) => Some(indexed),
            Err(error) => {
                self.reject_index(error);
                None
            }
        }
    }
}
