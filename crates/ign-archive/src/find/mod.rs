//! Searches over all games: the evaluation of a [`Query`].
//!
//! If an archive has an index, the index decides the conditions that it knows about. The conditions
//! that are left are evaluated block by block on the games that are left.
//!
//! | file | holds |
//! | --- | --- |
//! | `search` | the search of a collection of archives, which may be one archive |
//! | `game` | what it means that a game matches |
//! | `block` | the matching games of a block, in stages |
//! | `tags`, `replay`, `comments`, `signature` | the conditions of each kind |
//! | `unmoved` | games that need not be replayed |
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
mod search;
mod signature;
mod signature_text;
mod tags;
pub(crate) mod unmoved;

pub use draws::Draws;
pub use explanation::{Explanation, Stage};
pub use opening::parse_opening;
pub use signature_text::{format_a, format_b, parse_signature};

use crate::{archive::Archive, collection::Collection, query::Query};
use ign_format::{block::opening_prefix::OpeningPrefix, error::Result};
use ign_notation::signature::Signature;

impl Archive {
    /// The numbers of the games that match a query, from 1, ascending. Of each block only the
    /// columns that the query names are decoded.
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
    /// [`Corrupt`](crate::ErrorKind::Corrupt); [`Unsupported`](crate::ErrorKind::Unsupported) if
    /// moves were coded by another move model.
    pub fn find(&self, query: &Query) -> Result<Vec<u64>> {
        Ok(Collection::of(self).search(query, usize::MAX)?.found)
    }

    /// The first `limit` of the games that [`find`](Self::find) returns. Blocks are searched in
    /// order until there are so many.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn find_first(&self, query: &Query, limit: usize) -> Result<Vec<u64>> {
        Ok(Collection::of(self).search(query, limit)?.found)
    }

    /// [`find`](Self::find), with what each stage of the search read.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn explain(&self, query: &Query) -> Result<Explanation> {
        Collection::of(self).search(query, usize::MAX)
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

    /// The games whose signature has these squares; `None` matches any square. Of each block only
    /// the head and the levels that are asked for are read.
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

    /// The games in which a draw could be claimed by each of the rules that are `true`, and by none
    /// that is `false`, whether it was claimed or not. All games are replayed.
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
}
