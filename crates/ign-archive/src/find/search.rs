//! The search of a collection: what the indexes decide, then block after block.

use std::{collections::VecDeque, ops::Range, sync::Arc};

use ign_format::{block::Fixed, error::Result, game_number::GameNumber};

use super::{
    block::{self, Matching},
    ranges::Ranges,
};
use crate::{
    archives::{Archives, LocatedBlock, Part},
    plan::{Explanation, GameSet, Narrowed, Stage, add},
    progress::{Counters, OnProgress},
    query::Query,
    threads::each_reported,
};

/// How many times more blocks are searched when those before did not have enough games.
const WAVE_GROWTH: usize = 4;

/// Games to look for.
enum Job<'a> {
    /// Those that the index has found, counted from 0 over all archives.
    Found(Vec<u64>),
    /// Those of a block.
    Block {
        place: LocatedBlock<'a>,
        /// The conditions that the index has not decided.
        rest: Arc<Query>,
        /// The games of the block that may match, counted from 0; `None` for all.
        candidates: Option<Vec<u64>>,
    },
}

impl Archives {
    /// The first `limit` games of a range, counted from 0, that match a query, and what the search
    /// read. Blocks without games of the range are not read. With a limit the blocks are searched
    /// in order until the limit is reached.
    ///
    /// # Errors
    /// Those of [`Archive::find`](crate::Archive::find).
    pub(crate) fn search(
        &self,
        query: &Query,
        games: Range<u64>,
        limit: usize,
        on_progress: &mut OnProgress,
    ) -> Result<Explanation> {
        let mut explanation = Explanation {
            games: games.end.saturating_sub(games.start),
            ..Explanation::default()
        };
        // With a limit a few blocks are searched first, then more and more.
        let mut at_a_time = match limit {
            usize::MAX => usize::MAX,
            _ => self.threads(),
        };
        let plan = query.plan();
        let ranges = Ranges::of_files(self, games, plan.file);
        if plan.file.is_some() {
            explanation.stages.push(Stage {
                name: "file".to_owned(),
                reads: "names of files".to_owned(),
                bytes: 0,
                games: ranges.games(),
            });
        }
        let mut query = query.clone();
        query.remove_of_numbers();
        let overlaps = |part: &Part| ranges.overlaps(part.first_game..part.end());
        let mut parts = self.parts().into_iter().filter(overlaps);
        let mut jobs = VecDeque::new();
        let counters = Counters::default();
        while explanation.found.len() < limit {
            while jobs.len() < at_a_time
                && let Some(part) = parts.next()
            {
                jobs.extend(part.jobs(&query, &ranges, limit, &mut explanation));
            }
            if jobs.is_empty() {
                break;
            }
            let now: Vec<Job> = jobs.drain(..at_a_time.min(jobs.len())).collect();
            announce(&now);
            let run = |job: Job| job.run(&counters);
            let report = || counters.report(on_progress);
            for matching in each_reported(self.threads(), now, run, report)? {
                let found = matching.games.into_iter();
                let found = found.filter(|&game| ranges.overlaps(game..game + 1));
                explanation.found.extend(found.map(GameNumber::from_index));
                add(&mut explanation.stages, matching.stages);
            }
            at_a_time = at_a_time.saturating_mul(WAVE_GROWTH);
        }
        explanation.found.truncate(limit);
        // Every search for positions has this stage, but few blocks need it.
        let is_read = |stage: &Stage| stage.bytes > 0 || stage.reads != Fixed::Pawns.name();
        explanation.stages.retain(is_read);
        Ok(explanation)
    }
}

/// Announces the blocks that the jobs read, archive by archive.
fn announce(jobs: &[Job]) {
    let places = jobs.iter().filter_map(|job| match job {
        // A search for signatures reads only a column of most blocks.
        Job::Block { place, rest, .. } if !rest.has("signature") => Some(*place),
        _ => None,
    });
    LocatedBlock::announce(&places.collect::<Vec<_>>());
}

impl<'a> Part<'a> {
    /// Asks the index, and lists what is left to do for the games of some ranges.
    fn jobs(
        &self,
        query: &Query,
        ranges: &Ranges,
        limit: usize,
        explanation: &mut Explanation,
    ) -> Vec<Job<'a>> {
        let Narrowed {
            games,
            rest,
            stages,
        } = self.narrowed(query);
        add(&mut explanation.stages, stages);
        if rest.is_empty() {
            return vec![Job::Found(match &games {
                Some(games) => {
                    let first = self.first_game;
                    let found = ranges.within(first..self.end()).flat_map(|range| {
                        let found = games.within(range.start - first..range.end - first);
                        found.map(|game| first + game)
                    });
                    found.take(limit).collect()
                }
                // Damaged blocks may be left out.
                None => {
                    let games = self.places().flat_map(|place| ranges.within(place.range()));
                    games.flatten().take(limit).collect()
                }
            })];
        }
        let rest = Arc::new(rest);
        let jobs: Vec<_> = self
            .places()
            .filter(|place| ranges.overlaps(place.range()))
            .filter_map(|place| {
                let candidates = games.as_ref().map(|games| self.candidates(games, &place));
                // A block without candidates is not read.
                let is_read = candidates.as_ref().is_none_or(|games| !games.is_empty());
                is_read.then(|| Job::Block {
                    place,
                    rest: rest.clone(),
                    candidates,
                })
            })
            .collect();
        if rest.needs_moves() && !jobs.is_empty() {
            self.preload();
        }
        jobs
    }

    /// The games of a set, counted from 0 in the part, that are in a block, counted from 0 in the
    /// block.
    fn candidates(&self, games: &GameSet, place: &LocatedBlock) -> Vec<u64> {
        let first = place.first_game - self.first_game;
        let games = games.within(first..first + place.games);
        games.map(|game| game - first).collect()
    }

    /// What the index leaves of a query. It decides nothing if there is no index, or it is damaged.
    fn narrowed(&self, query: &Query) -> Narrowed {
        if let Some(segment) = self.segment() {
            match Narrowed::of(query, self, segment) {
                Ok(narrowed) => return narrowed,
                Err(error) => self.reject_index(error),
            }
        }
        Narrowed {
            games: None,
            rest: query.clone(),
            stages: Vec::new(),
        }
    }
}

impl Job<'_> {
    /// The games found, counted from 0 over all archives.
    fn run(self, counters: &Counters) -> Result<Matching> {
        match self {
            Self::Found(games) => Ok(Matching {
                games,
                stages: Vec::new(),
            }),
            Self::Block {
                place,
                rest,
                candidates,
            } => {
                let (archive, block) = (place.archive, place.block);
                let mut matching =
                    block::matching(archive, block, &rest.plan(), candidates.as_deref())?;
                for game in &mut matching.games {
                    *game += place.first_game;
                }
                place.count(counters);
                Ok(matching)
            }
        }
    }
}
