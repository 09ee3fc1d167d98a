//! Searches over all games: the evaluation of a [`Query`].
//!
//! If an archive has an index, the index decides the conditions that it knows about. The conditions
//! that are left are evaluated block by block on the games that are left.
//!
//! | file | holds |
//! | --- | --- |
//! | `search` | the search of a collection of archives, which may be one archive |
//! | `plan` | the conditions of a query, sorted by what they read |
//! | `game` | what it means that a game matches |
//! | `block` | the matching games of a block, in stages |
//! | `tags`, `replay`, `comments`, `signature` | the conditions of each kind |
//! | `unmoved` | games that need not be replayed |
//! | `narrow` | the games that the index leaves |
//! | `game_set` | a set of games |
//! | `explanation` | what the stages read |
//! | `opening`, `signature_text` | forms of conditions |

pub(crate) mod block;
mod comments;
mod explanation;
mod game;
pub(crate) mod game_set;
mod narrow;
mod opening;
mod plan;
mod replay;
mod search;
mod signature;
mod signature_text;
mod tags;
pub(crate) mod unmoved;

pub use explanation::{Explanation, Stage};
pub(crate) use narrow::Narrowing;
pub use opening::parse_opening;
pub(crate) use plan::{Evaluate, Plan};
pub use signature_text::{format_a, format_b, parse_signature};
pub(crate) use tags::{Test, Value};

use crate::{archive::Archive, archives::Archives, query::Query};
use ign_format::error::Result;

impl Archive {
    /// The numbers of the games that match a query, from 1, ascending. Of each block only the
    /// columns that the query names are decoded.
    ///
    /// ```no_run
    /// use ign_archive::{Archive, Query};
    ///
    /// let archive = Archive::open("games.ign")?;
    /// let query = Query::new().player("carlsen*").elo(2700..);
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
        Archives::from(self).find(query)
    }

    /// The first `limit` of the games that [`find`](Self::find) returns. Blocks are searched in
    /// order until there are so many.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn find_first(&self, query: &Query, limit: usize) -> Result<Vec<u64>> {
        Archives::from(self).find_first(query, limit)
    }

    /// [`find`](Self::find), with what each stage of the search read.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn explain(&self, query: &Query) -> Result<Explanation> {
        Archives::from(self).explain(query)
    }
}
