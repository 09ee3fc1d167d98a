//! Searches over all games: the evaluation of a [`Query`] without an index.
//!
//! | file | holds |
//! | --- | --- |
//! | `game` | what it means that a game matches |
//! | `block` | the matching games of a block, in stages |
//! | `tags`, `replay`, `comments`, `signature` | the conditions of each kind |
//! | `explanation` | what the stages read |
//! | `draws`, `opening`, `signature_text` | forms of conditions |

pub(crate) mod block;
mod comments;
mod draws;
mod explanation;
mod game;
mod opening;
mod replay;
mod signature;
mod signature_text;
mod tags;

pub use draws::Draws;
pub use explanation::{Explanation, Stage};
pub use opening::parse_opening;
pub use signature_text::{format_a, format_b, parse_signature};

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
        if query.is_empty() {
            return Ok((1..=self.len()).collect());
        }
        let blocks = 0..self.index().blocks.len();
        let find = |number| {
            let found = block::matching(self, number, query, None)?.games;
            Ok(self.numbered(number, found))
        };
        Ok(each_block(self, blocks, find)?.concat())
    }

    /// The first `limit` of the games that [`find`](Self::find) returns. Blocks are searched in order
    /// until there are so many.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn find_first(&self, query: &Query, limit: usize) -> Result<Vec<u64>> {
        let mut found = Vec::new();
        let mut next = 0;
        let blocks = self.index().blocks.len();
        while found.len() < limit && next < blocks {
            let end = blocks.min(next + self.threads());
            let find = |number| {
                let found = block::matching(self, number, query, None)?.games;
                Ok(self.numbered(number, found))
            };
            found.extend(each_block(self, next..end, find)?.concat());
            next = end;
        }
        found.truncate(limit);
        Ok(found)
    }

    /// [`find`](Self::find), with what each stage of the search read.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn explain(&self, query: &Query) -> Result<Explanation> {
        let blocks = 0..self.index().blocks.len();
        let matching = |number| block::matching(self, number, query, None);
        let mut explanation = Explanation {
            games: self.len(),
            ..Explanation::default()
        };
        for (number, matching) in each_block(self, blocks, matching)?.into_iter().enumerate() {
            let found = self.numbered(number, matching.games);
            explanation.found.extend(found);
            explanation.add(matching.stages);
        }
        Ok(explanation)
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
