//! The positions of many games as flat vectors, a row for each position: for training and for
//! statistics.
//!
//! ```text
//! PositionScan ─► units in order ─► Source: block, tags, comments ─► rows by replay ─► [Buffer] ─► batch
//! ```
//!
//! One thread (several if comments are decoded) reads blocks, others replay the games of a unit. At
//! most the number of threads plus 4 blocks and as many units are in memory, and the buffer.
//!
//! | file | holds |
//! | --- | --- |
//! | `column`, `batch` | the columns, and [`PositionBatch`] |
//! | [`planes`] | boards as planes of numbers |
//! | `row` | one position |
//! | `options`, `plan` | what is wanted; units and shards |
//! | `token`, `random`, `buffer` | places, random order |
//! | `source` | a block, and what is known of its games |
//! | `decode`, `rows` | the moves of a unit, and its positions |
//! | `stream` | the rows of all units in order |

mod batch;
mod buffer;
mod column;
mod decode;
mod options;
mod plan;
pub mod planes;
mod random;
mod row;
mod rows;
mod skipped;
mod source;
mod stream;
mod token;

use std::{
    fmt,
    ops::RangeBounds,
    sync::{Arc, atomic::AtomicBool},
};

use ign_format::{
    error::{Error, Result},
    game_number::GameNumber,
};

pub use self::{
    batch::{NO_CLOCK, NO_EVAL, NO_MOVE, PositionBatch, TextRows, UNKNOWN_RESULT},
    column::PositionColumn,
    skipped::SkippedGames,
};
use self::{
    buffer::Buffer,
    column::Columns,
    options::{Options, Selection, Shuffle},
    stream::Stream,
    token::Cursor,
};
use crate::{
    archive::{Archive, clamp},
    archives::Archives,
    progress::OnProgress,
    query::Query,
    wanted::Wanted,
};

/// Positions of a batch: so few that the offsets of its text are below 2^31.
const MAX_BATCH: usize = 1 << 24;
/// Rows that are written into a batch together.
const TILE: usize = 256;

/// An iterator over the positions of the games of an archive, or of several, in
/// [`PositionBatch`]es.
///
/// Without [`shuffle`](Self::shuffle) positions come in the order of the games and of their moves.
/// A game of `n` moves has `n` positions, each with the move played there; with
/// [`final_positions`](Self::final_positions) also the one after the last move. Games count as far
/// as their moves are legal. Chess960, and games from other starting positions, are included.
///
/// Games that have no positions are counted ([`skipped`](Self::skipped)): those without a legal
/// move, those kept as text because their rules or their starting position are not known, those of
/// Go, and those of variants of chess unless [`variants`](Self::variants) includes them.
///
/// ```
/// # use ign_archive::{Archive, Input, Packer};
/// # let text = b"[WhiteElo \"2100\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";
/// # let (bytes, _) = Packer::new().pack([Input::reader("a.pgn", &text[..])], Vec::new())?;
/// # let archive = Archive::from_read_at(bytes, "a.ign")?;
/// use ign_archive::Query;
///
/// let strong = Query::new().white_elo(2000..);
/// let mut positions = archive.positions().filter(&strong).min_ply(1).shuffle(100_000, 7);
/// for batch in &mut positions {
///     let batch = batch?;
///     assert_eq!(batch.len(), 3);
///     assert_eq!(batch.boards.len(), 12 * batch.len());
///     assert_eq!(batch.result, [-1; 3]);
/// }
/// assert_eq!(positions.skipped().total(), 0);
/// # Ok::<(), ign_archive::Error>(())
/// ```
///
/// The first error ends the iteration.
pub struct PositionScan {
    archives: Archives,
    threads: usize,
    options: Options,
    reading: Option<Reading>,
    is_over: bool,
}

impl fmt::Debug for PositionScan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PositionScan")
            .field("archives", &self.archives)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

impl Archive {
    /// The positions of the games. See [`PositionScan`].
    pub fn positions(&self) -> PositionScan {
        PositionScan::new(Archives::from(self))
    }
}

impl Archives {
    /// The positions of the games of all archives, in order. Games are numbered from 1 over all
    /// archives: those of the second follow those of the first. See [`PositionScan`].
    pub fn positions(&self) -> PositionScan {
        PositionScan::new(self.clone())
    }
}

impl PositionScan {
    fn new(archives: Archives) -> Self {
        Self {
            options: Options::new(archives.len()),
            threads: archives.threads(),
            archives,
            reading: None,
            is_over: false,
        }
    }

    /// Chooses the games that match a query. They are searched for when the first batch is
    /// requested. A condition on positions chooses games, not positions.
    #[must_use]
    pub fn filter(mut self, query: &Query) -> Self {
        self.options.query = query.clone();
        self
    }

    /// Chooses some games by their numbers. Numbers that no game has are left out.
    #[must_use]
    pub fn only(mut self, games: impl Into<Arc<[GameNumber]>>) -> Self {
        self.options.only = Some(games.into());
        self
    }

    /// Chooses the games, numbered from 1. Numbers that no game has are left out.
    #[must_use]
    pub fn range(mut self, games: impl RangeBounds<u64>) -> Self {
        self.options.games = clamp(games, self.archives.len());
        self
    }

    /// Offsets the game numbers by `games`. [`every_nth`](Self::every_nth) counts with these numbers;
    /// [`range`](Self::range) and [`only`](Self::only) do not.
    #[must_use]
    pub fn after(mut self, games: u64) -> Self {
        self.options.before = games;
        self
    }

    /// Chooses the columns. The default is [`PositionColumn::DEFAULT`].
    #[must_use]
    pub fn columns(mut self, columns: impl IntoIterator<Item = PositionColumn>) -> Self {
        self.options.columns = Columns::of(columns);
        self
    }

    /// Chooses every `n`-th position of each game: those where the number of the game and the ply
    /// together are divisible by `n`. So all plies occur, and both sides to move, also if `n` is
    /// even.
    #[must_use]
    pub fn every_nth(mut self, n: u64) -> Self {
        self.options.every_nth = n;
        self
    }

    /// Skips positions before this ply.
    #[must_use]
    pub fn min_ply(mut self, ply: u32) -> Self {
        self.options.min_ply = ply;
        self
    }

    /// Skips positions after this ply.
    #[must_use]
    pub fn max_ply(mut self, ply: u32) -> Self {
        self.options.max_ply = ply.min(u32::MAX - 1);
        self
    }

    /// Sets whether the last position of each game, in which no move was played, is included. It is
    /// not by default.
    #[must_use]
    pub fn final_positions(mut self, are_included: bool) -> Self {
        self.options.final_positions = are_included;
        self
    }

    /// Sets whether games of variants of chess are included. They are not by default: a position
    /// has no column for the variant, the pieces in hand or the remaining checks.
    #[must_use]
    pub fn variants(mut self, are_included: bool) -> Self {
        self.options.variants = are_included;
        self
    }

    /// Sets the number of positions of a batch, 4,096 by default and at most 16,777,216. Only the
    /// last batch has fewer.
    #[must_use]
    pub fn batch(mut self, positions: usize) -> Self {
        self.options.batch = positions.min(MAX_BATCH);
        self
    }

    /// Sets the number of threads that replay games; that of the archives by default. The positions
    /// and their order do not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Returns positions in a random order that the seed determines: blocks are read in random
    /// order, and `buffer` positions at a time are shuffled. The buffer takes 144 bytes a position.
    #[must_use]
    pub fn shuffle(mut self, buffer: usize, seed: u64) -> Self {
        let buffer = buffer.min(u32::MAX as usize);
        self.options.shuffle = Some(Shuffle { buffer, seed });
        self
    }

    /// Chooses shard number `shard`, from 0, of `shards` parts of the games. The parts are
    /// disjoint, complete and of similar size whatever the seed, and the workers that each read one
    /// of them read different blocks, except where one part ends and the next begins.
    #[must_use]
    pub fn shard(mut self, shard: u64, shards: u64) -> Self {
        self.options.shard = (shard, shards);
        self
    }

    /// Continues where another scan was when it returned this [`token`](Self::token). The archive
    /// and all options that choose or order positions must be the same; columns, batch size and
    /// threads may differ.
    #[must_use]
    pub fn resume(mut self, token: impl Into<String>) -> Self {
        self.options.token = Some(token.into());
        self
    }

    /// Ends the scan with [`Cancelled`](crate::ErrorKind::Cancelled) when the flag is set, as
    /// [`Archives::with_cancel`] does.
    #[must_use]
    pub fn with_cancel(mut self, flag: &Arc<AtomicBool>) -> Self {
        self.archives = self.archives.with_cancel(flag);
        self
    }

    /// Checks the options without reading anything. The first batch checks them too.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if there is no such shard, if a number is 0 that must not
    /// be, if no ply can be between the limits, or if the text to resume from is no token.
    pub fn check(&self) -> Result<()> {
        self.options.check()
    }

    /// The place after the last batch, for [`resume`](Self::resume).
    ///
    /// # Errors
    /// As those of the first batch.
    pub fn token(&mut self) -> Result<String> {
        let reading = self.reading()?;
        Ok(reading.place().token(reading.fingerprint))
    }

    /// The games without positions, as far as the scan has read. After the last batch, all of the
    /// scan.
    pub fn skipped(&self) -> SkippedGames {
        let reading = self.reading.as_ref();
        reading.map_or_else(SkippedGames::default, |reading| reading.stream.skipped())
    }

    /// Starts the threads on the first call.
    fn reading(&mut self) -> Result<&mut Reading> {
        if self.reading.is_none() {
            self.reading = Some(Reading::start(&self.archives, self.threads, &self.options)?);
        }
        let reading = self.reading.as_mut();
        reading.ok_or_else(|| Error::internal("a scan of positions was not started"))
    }

    fn read(&mut self) -> Result<Option<PositionBatch>> {
        let (columns, size) = (self.options.columns, self.options.batch);
        let reading = self.reading()?;
        // A batch may be larger than the archive.
        let mut batch = PositionBatch::with_capacity(columns, size.min(1 << 16));
        while batch.len() < size {
            let count = (size - batch.len()).min(TILE);
            if !reading.append(columns, count, &mut batch)? {
                break;
            }
        }
        Ok((!batch.is_empty()).then_some(batch))
    }
}

impl Iterator for PositionScan {
    type Item = Result<PositionBatch>;

    fn next(&mut self) -> Option<Result<PositionBatch>> {
        if self.is_over {
            return None;
        }
        let batch = self.read();
        self.is_over = !matches!(batch, Ok(Some(_)));
        batch.transpose()
    }
}

/// A scan that has started.
struct Reading {
    stream: Stream,
    shuffle: Option<Shuffle>,
    buffer: Buffer,
    fingerprint: u64,
}

impl Reading {
    /// Starts the threads.
    fn start(archives: &Archives, threads: usize, options: &Options) -> Result<Self> {
        options.check()?;
        let only = Wanted::of_numbers(options.only.as_deref(), archives.len());
        let wanted = Wanted::of(archives, &options.query, &mut OnProgress::default())?.and(only);
        let archives = archives.archives();
        let selection = Selection::new(options, wanted);
        let fingerprint = options.fingerprint(archives, &selection);
        let place = match &options.token {
            None => Cursor::default(),
            Some(token) => Cursor::read(token)?.of(fingerprint)?,
        };
        let units = plan::units(archives, &selection, options);
        Ok(Self {
            stream: Stream::start(archives.to_vec(), threads, selection, &units, place),
            shuffle: options.shuffle,
            buffer: Buffer::default(),
            fingerprint,
        })
    }

    /// The place from which another scan continues.
    fn place(&self) -> Cursor {
        match self.buffer.left() {
            0 => self.stream.place(),
            _ => self.buffer.place(),
        }
    }

    /// Appends up to `count` positions to a batch; returns whether there were any.
    fn append(
        &mut self,
        columns: Columns,
        count: usize,
        batch: &mut PositionBatch,
    ) -> Result<bool> {
        let Some(shuffle) = self.shuffle else {
            let rows = self.stream.take(count)?;
            batch.extend(columns, rows.iter());
            return Ok(!rows.is_empty());
        };
        while self.buffer.left() == 0 {
            if !self.buffer.fill(&mut self.stream, shuffle)? {
                return Ok(false);
            }
        }
        batch.extend(columns, self.buffer.take(count));
        Ok(true)
    }
}
