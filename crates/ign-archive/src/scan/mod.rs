//! Typed columns of many games: ratings as numbers, names as codes of a dictionary.
//!
//! ```text
//! Scan ─► blocks with wanted games ─► read: tag table, plies ─► Batch of ColumnData, in order
//! ```
//!
//! A batch has the games of one block. Threads read the blocks in advance; at most the number of
//! threads plus 4 blocks and batches are in memory.

mod annotations;
mod batch;
mod column;
mod data;
mod days;
mod indexed;
mod lists;
mod mapped;
mod numbers;
mod other_tags;
mod read;
mod strings;
mod text;
mod texts;
mod values;

use std::{
    fmt,
    ops::{Range, RangeBounds},
    sync::Arc,
};

use ign_format::{error::Result, game_number::GameNumber};

pub(crate) use self::read::{columns_of_games, columns_of_loaded};
pub use self::{
    annotations::Comments,
    batch::Batch,
    column::ScanColumn,
    data::ColumnData,
    lists::Lists,
    mapped::MappedScan,
    other_tags::TagPairs,
    strings::Strings,
    text::{TextColumn, TextParts},
    values::{Validity, Values},
};
use self::{
    indexed::{Indexed, SharedIndex},
    read::read_columns,
};
pub use crate::uci::{UciMoves, uci_moves};
use crate::{
    archive::{Archive, MAX_BY_COLUMN},
    archives::Archives,
    ordered::{Ordered, ordered_detached},
    progress::OnProgress,
    query::Query,
    wanted::Wanted,
};

/// An iterator over [`Batch`]es of typed columns, one for each block with games of the scan, in
/// order.
///
/// Only the tags that the columns are read from, and those that these depend on, are decoded. No
/// value becomes a string of its own: text is stored once for each distinct value of a batch.
///
/// ```
/// # use ign_archive::{Archive, Input, Packer};
/// # let text = b"[White \"Ann\"]\n[WhiteElo \"2100\"]\n\n1. e4 *\n\n[White \"Ann\"]\n[WhiteElo \"?\"]\n\n1. d4 *\n\n";
/// # let (bytes, _) = Packer::new().pack([Input::reader("a.pgn", &text[..])], Vec::new())?;
/// # let archive = Archive::from_read_at(bytes, "a.ign")?;
/// use ign_archive::scan::{ScanColumn, ColumnData};
///
/// for batch in archive.scan().columns([ScanColumn::White, ScanColumn::WhiteElo]) {
///     let batch = batch?;
///     let [ColumnData::Text(white), ColumnData::Rating(elo)] = batch.columns() else {
///         unreachable!("the columns have the order of the call");
///     };
///     assert_eq!(batch.games(), [1, 2]);
///     assert_eq!((white.codes(), white.value(0)), (&[0, 0][..], Some(&b"Ann"[..])));
///     assert_eq!(elo.iter().collect::<Vec<_>>(), [Some(2100), None]);
/// }
/// # Ok::<(), ign_archive::Error>(())
/// ```
///
/// The first error ends the iteration.
pub struct Scan {
    plan: Plan,
    batches: Option<MappedScan<Batch>>,
}

impl fmt::Debug for Scan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scan")
            .field("archive", &self.plan.archive)
            .field("columns", &self.plan.columns)
            .field("games", &self.plan.games)
            .finish_non_exhaustive()
    }
}

/// What is scanned.
#[derive(Clone)]
struct Plan {
    archive: Archive,
    columns: Vec<ScanColumn>,
    /// The games, counted from 0.
    games: Range<u64>,
    /// The chosen games, or all if `None`.
    chosen: Option<Arc<[GameNumber]>>,
    query: Query,
    /// The index of several archives, if the archive is one of them.
    index: SharedIndex,
}

impl Archives {
    /// The columns of the games that match a query, archive by archive, each with the number of
    /// games before the archive.
    ///
    /// # Errors
    /// As [`Archive::find`].
    pub fn scans(&self, query: &Query) -> Result<Vec<(u64, Scan)>> {
        if query.is_empty() {
            let all = self.archives().iter().enumerate();
            return Ok(all
                .map(|(number, archive)| self.scan_of(number, archive))
                .collect());
        }
        self.scans_of(&self.find(query)?)
    }

    /// The columns of these games, which must ascend, as [`scans`](Self::scans).
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if there is no such game.
    pub fn scans_of(&self, games: &[GameNumber]) -> Result<Vec<(u64, Scan)>> {
        let by_archive = self.by_archive(games)?.into_iter();
        let scans = by_archive.map(|(number, archive, games)| {
            let (before, scan) = self.scan_of(number, archive);
            (before, scan.only(games))
        });
        Ok(scans.collect())
    }

    /// The columns of one of the archives, which is counted from 0, and the number of games before
    /// it.
    fn scan_of(&self, number: usize, archive: &Archive) -> (u64, Scan) {
        let before = self.games_before(number);
        let mut scan = archive.scan();
        scan.plan.index = self.index_in_use().map(|index| (index.clone(), before));
        (before, scan)
    }
}

impl Archive {
    /// Typed columns of the games. See [`Scan`].
    pub fn scan(&self) -> Scan {
        Scan {
            plan: Plan {
                archive: self.clone(),
                columns: Vec::new(),
                games: 0..self.len(),
                chosen: None,
                query: Query::default(),
                index: None,
            },
            batches: None,
        }
    }
}

impl Scan {
    /// Chooses the columns. Without a choice a batch has the numbers of its games only.
    #[must_use]
    pub fn columns(mut self, columns: impl IntoIterator<Item = ScanColumn>) -> Self {
        self.plan.columns = columns.into_iter().collect();
        self
    }

    /// Chooses the games, numbered from 1. Numbers that the archive does not have are left out.
    #[must_use]
    pub fn range(mut self, games: impl RangeBounds<u64>) -> Self {
        self.plan.games = self.plan.archive.clamp(games);
        self
    }

    /// Chooses some games by their numbers, in ascending order. Numbers that the archive
    /// does not have are left out, and blocks without any of the games are not read.
    #[must_use]
    pub fn only(mut self, games: impl Into<Arc<[GameNumber]>>) -> Self {
        self.plan.chosen = Some(games.into());
        self
    }

    /// Chooses the games that match a query. They are searched for when the first batch is
    /// requested.
    #[must_use]
    pub fn filter(mut self, query: &Query) -> Self {
        self.plan.query = query.clone();
        self
    }

    /// Does work on each batch on the threads that decode it. The results are returned in order.
    pub fn map_batches<R: Send + 'static>(
        self,
        work: impl Fn(Batch) -> Result<R> + Clone + Send + 'static,
    ) -> MappedScan<R> {
        let plan = self.plan;
        MappedScan::new(move || plan.start(work))
    }
}

impl Plan {
    /// Starts the threads. A batch without games has no result.
    fn start<R: Send + 'static>(
        self,
        work: impl Fn(Batch) -> Result<R> + Clone + Send + 'static,
    ) -> Result<Ordered<'static, Option<R>>> {
        let Self {
            archive,
            columns,
            games,
            chosen,
            query,
            index,
        } = self;
        let chosen = Wanted::of_numbers(chosen.as_deref(), archive.len());
        let wanted = Wanted::of(
            &Archives::from(&archive),
            &query,
            &mut OnProgress::default(),
        )?
        .and(chosen);
        let mut blocks = archive.blocks_of(&games);
        blocks.retain(|&block| {
            let entry = &archive.blocks()[block];
            wanted.has_any(entry.first_game..entry.first_game + entry.games)
        });
        let needs_text = columns.iter().any(ScanColumn::needs_text);
        let by_column = blocks.len() <= MAX_BY_COLUMN && !needs_text;
        if !by_column {
            archive.will_read(&blocks);
        } else if !Indexed::may_suffice(&columns) {
            let tags: Vec<&str> = columns.iter().flat_map(ScanColumn::tags).collect();
            archive.will_read_columns(&blocks, &tags, &[]);
        }
        let threads = archive.threads().min(blocks.len());
        // The threads share the list of games.
        let wanted = Arc::new(wanted);
        let of_block = move |block: usize| {
            let is_wanted = |game| games.contains(&game) && wanted.contains(game);
            let indexed = Indexed::of_block(&archive, &index, block, &columns);
            let batch = read_columns(&archive, block, by_column, &columns, indexed, &is_wanted)?;
            // A block may have games, but none in the range and the query.
            if batch.is_empty() {
                Ok(None)
            } else {
                work(batch).map(Some)
            }
        };
        Ok(ordered_detached(
            threads,
            blocks.into_iter().map(Ok),
            of_block,
        ))
    }
}

impl Iterator for Scan {
    type Item = Result<Batch>;

    fn next(&mut self) -> Option<Result<Batch>> {
        let start = || {
            let plan = self.plan.clone();
            MappedScan::new(move || plan.start(Ok))
        };
        self.batches.get_or_insert_with(start).next()
    }
}
