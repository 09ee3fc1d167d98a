//! Searches over all games: the evaluation of a [`Query`].
//!
//! If the archive has an index, the index decides the conditions that it knows about. The conditions
//! that are left are evaluated block by block on the games that are left.
//!
//! | file | holds |
//! | --- | --- |
//! | `game` | what it means that a game matches |
//! | `block` | the matching games of a block, in stages |
//! | `tags`, `replay`, `comments`, `signature` | the conditions of each kind |
//! | `narrow` | the conditions that the index decides |
//! | `game_set` | a set of games |
//! | `explanation` | what the stages read |
//! | `draws`, `opening`, `signature_text` | forms of conditions |

pub(crate) mod block;
mod comments;
mod draws;
mod explanation;
mod game;
pub(crate) mod game_set;
mod narrow;
mod opening;
mod replay;
mod signature;
mod signature_text;
mod tags;

pub use draws::Draws;
use explanation::add;
pub use explanation::{Explanation, Stage};
use narrow::Narrowed;
pub use opening::parse_opening;
pub use signature_text::{format_a, format_b, parse_signature};

use std::borrow::Cow;

use crate::{archive::Archive, query::Query, threads::each_block};
use ign_format::{block::opening_prefix::OpeningPrefix, error::Result};
use ign_notation::signature::Signature;

impl Archive {
    /// The numbers of the games that match a query, from 1, ascending. Of each block only the columns
    /// that the query names are decoded.
    ///
    /// ```no_run
    /// use ign_archive::{Archive, Query};
    ///
    /// let archive = Archive::open("games.ign")?;
    /// let query = Query {
    ///     player: Some("carlsen*".into()),
    ///     elo: Some((2700..).into()),
    ///     ..Query::default()
    /// };
    /// for number in archive.find(&query)? {
    ///     println!("{number}");
    /// }
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io), also if the text of a game is rejected by `pgn-reader`;
    /// [`Corrupt`](crate::ErrorKind::Corrupt); [`Unsupported`](crate::ErrorKind::Unsupported) if moves
    /// were coded by another move model.
    pub fn find(&self, query: &Query) -> Result<Vec<u64>> {
        Ok(self.search(query, usize::MAX)?.found)
    }

    /// The first `limit` of the games that [`find`](Self::find) returns. Blocks are searched in order
    /// until there are so many.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn find_first(&self, query: &Query, limit: usize) -> Result<Vec<u64>> {
        Ok(self.search(query, limit)?.found)
    }

    /// [`find`](Self::find), with what each stage of the search read.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn explain(&self, query: &Query) -> Result<Explanation> {
        self.search(query, usize::MAX)
    }

    fn search(&self, query: &Query, limit: usize) -> Result<Explanation> {
        let mut explanation = Explanation {
            games: self.len(),
            ..Explanation::default()
        };
        let (games, rest) = match self.narrowed(query) {
            Some(narrowed) => {
                explanation.stages = narrowed.stages;
                (narrowed.games, Cow::Owned(narrowed.rest))
            }
            None => (None, Cow::Borrowed(query)),
        };
        if rest.is_empty() {
            let all = 0..self.len();
            explanation.found = match &games {
                Some(games) => games.iter().take(limit).map(|game| game + 1).collect(),
                None => all.take(limit).map(|game| game + 1).collect(),
            };
            return Ok(explanation);
        }
        let candidates = |block: usize| {
            let entry = &self.index().blocks[block];
            let first = entry.first_game;
            let games = games.as_ref()?.within(first..first + entry.games);
            Some(games.map(|game| game - first).collect::<Vec<_>>())
        };
        let blocks = 0..self.index().blocks.len();
        let mut blocks = blocks
            .map(|block| (block, candidates(block)))
            .filter(|(_, candidates)| candidates.as_ref().is_none_or(|games| !games.is_empty()))
            .collect::<Vec<_>>()
            .into_iter();
        if rest.needs_moves() {
            self.preload();
        }
        let mut stages = Vec::new();
        while explanation.found.len() < limit && blocks.len() > 0 {
            // With a limit the blocks are searched a few at a time.
            let wave = match limit {
                usize::MAX => blocks.len(),
                _ => self.threads(),
            };
            let wave: Vec<_> = blocks.by_ref().take(wave).collect();
            let matching = |number: usize| {
                let (block, candidates) = &wave[number];
                block::matching(self, *block, &rest, candidates.as_deref())
            };
            let matching = each_block(self, 0..wave.len(), matching)?;
            for ((block, _), matching) in wave.iter().zip(matching) {
                explanation
                    .found
                    .extend(self.numbered(*block, matching.games));
                add(&mut stages, matching.stages);
            }
        }
        explanation.stages.extend(stages);
        explanation.found.truncate(limit);
        Ok(explanation)
    }

    /// What the index decides; `None` if there is no index, or it is damaged.
    fn narrowed(&self, query: &Query) -> Option<Narrowed> {
        let index = self.search_index()?;
        match narrow::narrow(index, query) {
            Ok(narrowed) => Some(narrowed),
            Err(error) => {
                self.reject_index(error);
                None
            }
        }
    }

    /// The games that start with these moves. Of each game only these are decoded.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn find_opening(&self, opening: &OpeningPrefix) -> Result<Vec<u64>> {
        self.find(&Query {
            opening: Some(opening.clone()),
            ..Query::default()
        })
    }

    /// The games whose signature has these squares; `None` matches any square. Of each block only the
    /// head and the levels that are asked for are read.
    ///
    /// Different games can have equal squares, so these are candidates.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn find_signature(&self, wanted: &Signature) -> Result<Vec<u64>> {
        self.find(&Query {
            signature: Some(*wanted),
            ..Query::default()
        })
    }

    /// The games of chess and its variants in which a draw could be claimed by each of the rules
    /// chosen, whether it was claimed or not. All games are replayed.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn find_draws(&self, rules: Draws) -> Result<Vec<u64>> {
        self.find(&Query {
            repetition: rules.repetition,
            fifty_moves: rules.fifty_moves,
            ..Query::default()
        })
    }

    /// The numbers of games of a block, given within the block from 0.
    fn numbered(&self, block: usize, games: Vec<u64>) -> Vec<u64> {
        let first = self.index().blocks[block].first_game;
        games.into_iter().map(|game| first + game + 1).collect()
    }
}
