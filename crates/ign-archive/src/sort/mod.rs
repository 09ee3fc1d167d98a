//! Games in the order of their properties.
//!
//! ```text
//! Scan ─► batches ─► codes of each key ─► rows: codes and game ─► ranks ─► sorted rows
//!         threads                         in the order of the blocks
//! ```
//!
//! A row holds a number for each key and the game: no value of a game. The distinct values of the
//! keys are held once. With a limit, the rows that cannot be among the first are removed whenever
//! there are twice as many as wanted, and with them the values that no row has.

mod key;
mod rows;

use std::sync::Arc;

use ign_format::{
    error::{Error, Result},
    game_number::GameNumber,
};

pub use self::key::SortKey;
use self::rows::{Part, Rows};
use crate::{
    archives::Archives,
    keys::{self, GameKey},
    progress::{Counters, OnProgress, progress_setter},
    query::Query,
    scan::{Batch, Scan},
};

/// The greatest number of keys.
const MAX_KEYS: usize = 8;

/// Sorts games by keys: the first key counts most. Games with equal values keep their order, and
/// games without a value are the last, also if the key is descending.
///
/// Values come from the search index, or from the columns of the blocks. Without an index
/// `plies` needs the moves of the games, and `eco` their first moves where the code follows from
/// them; no other key needs moves.
///
/// Memory is about 40 bytes a game with one or two keys, 4 bytes more for each further key, and the
/// distinct values of the keys. With a [limit](Self::limit) it is that of twice as many games, and
/// the numbers of the games.
///
/// ```
/// # use ign_archive::{Archive, Archives, Input, Packer};
/// # let text = b"[WhiteElo \"2100\"]\n\n1. e4 *\n\n[White \"Ann\"]\n\n1. d4 *\n\n[WhiteElo \"2199\"]\n\n1. c4 *\n\n";
/// # let (bytes, _) = Packer::new().pack([Input::reader("a.pgn", &text[..])], Vec::new())?;
/// # let archives = Archives::from(&Archive::from_read_at(bytes, "a.ign")?);
/// use ign_archive::{Query, Sorter};
///
/// let found = archives.find(&Query::new())?;
/// let sorted = Sorter::new(["white_elo:desc".parse()?]).sort(&archives, &found)?;
/// assert_eq!(sorted, [3, 1, 2]);
/// let best = Sorter::new(["white_elo:desc".parse()?]).limit(1).sort(&archives, &found)?;
/// assert_eq!(best, [3]);
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Debug)]
pub struct Sorter<'p> {
    keys: Vec<SortKey>,
    limit: usize,
    on_progress: OnProgress<'p>,
}

impl<'p> Sorter<'p> {
    /// Sorts by these keys.
    pub fn new(keys: impl IntoIterator<Item = SortKey>) -> Self {
        Self {
            keys: keys.into_iter().collect(),
            limit: usize::MAX,
            on_progress: OnProgress::default(),
        }
    }

    /// Returns only the first of the sorted games.
    #[must_use]
    pub fn limit(mut self, games: usize) -> Self {
        self.limit = games;
        self
    }

    progress_setter!();

    /// Sorts games, which must ascend, as a search returns them.
    ///
    /// # Errors
    /// As [`Archive::scan`](crate::Archive::scan); [`Usage`](crate::ErrorKind::Usage) if there are
    /// no keys or more than 8, or a game does not exist.
    pub fn sort(self, archives: &Archives, games: &[GameNumber]) -> Result<Vec<GameNumber>> {
        match self.keys.len() {
            0 => Err(Error::usage("there is no key to sort by")),
            1 => self.sort_rows::<1>(archives, games),
            2 => self.sort_rows::<2>(archives, games),
            3 | 4 => self.sort_rows::<4>(archives, games),
            5..=MAX_KEYS => self.sort_rows::<MAX_KEYS>(archives, games),
            keys => Err(Error::usage(format!("{keys} keys to sort by"))
                .with_remedy(format!("give at most {MAX_KEYS}"))),
        }
    }

    /// [`sort`](Self::sort) with rows for this number of keys.
    fn sort_rows<const KEYS: usize>(
        self,
        archives: &Archives,
        games: &[GameNumber],
    ) -> Result<Vec<GameNumber>> {
        let Self {
            keys,
            limit,
            mut on_progress,
        } = self;
        let of_games: Arc<[GameKey]> = keys.iter().map(|key| key.key().clone().exact()).collect();
        let mut rows = Rows::<KEYS>::new(&keys, limit);
        let counters = Counters::default();
        // All games need no list of their numbers.
        let scans = if games.len() as u64 == archives.len() {
            archives.scans(&Query::new())?
        } else {
            archives.scans_of(games)?
        };
        for (before, scan) in scans {
            for part in parts(scan, &of_games) {
                let part = part?;
                let games = part.games.len() as u64;
                rows.add(before, part);
                counters.add_games(games);
                counters.report(&mut on_progress)?;
            }
        }
        Ok(rows.finish())
    }
}

/// The games of each batch of a scan, read on its threads.
fn parts(scan: Scan, keys: &Arc<[GameKey]>) -> impl Iterator<Item = Result<Part>> + use<> {
    let keys = keys.clone();
    scan.columns(keys::columns(&keys))
        .map_batches(move |batch: Batch| {
            let read = keys::read(&batch, &keys)?.into_iter();
            Ok(Part {
                keys: read.map(|coded| (coded.values, coded.codes)).collect(),
                games: batch.into_parts().0,
            })
        })
}
