//! Packing: inputs to one archive.
//!
//! ```text
//! Input ─► pieces of text ─► BlockCutter ─► Joiner ─► blocks of text ─► workers ─► ArchiveWriter ─► archive
//!          (input.rs)        (cut.rs)       (join.rs) numbered jobs     encode,    (writer.rs)
//!                                                                       check
//! ```
//!
//! An input that is shorter than a block shares its block with its neighbours. A longer one has
//! blocks of its own.
//!
//! The writer starts an archive or continues one (`append`). `merge` and `split` give it blocks
//! that are already encoded.
//!
//! The result depends on the inputs and the options alone, not on the number of threads. At most
//! the number of threads plus 4 blocks are in memory.

mod append;
mod compression;
pub(crate) mod copy;
mod cut;
mod digest;
mod folder;
pub(crate) mod input;
mod join;
mod members;
mod merge;
mod part;
mod resume;
mod split;
mod subset;
mod texts;
mod transcode;
pub(crate) mod writer;

pub use ign_format::block::MovesSample;

pub use append::Appender;
pub use folder::FolderFiles;
pub use input::Input;
pub use merge::Merger;
pub use part::Division;
pub use resume::UnfinishedArchive;
pub use split::{Split, SplitBy, SplitPart, Splitter};
#[cfg(feature = "duplicates")]
pub(crate) use subset::inputs_of_sources;
pub use writer::{Fallbacks, Summary, Utf16Inputs};

pub use crate::temp_file::AnonymousTempFile;

use std::{
    collections::BTreeSet,
    io::{self, Write},
    ops::RangeInclusive,
    thread,
};

use self::{
    copy::MODEL_COPIES,
    join::{Job, jobs},
    split::grouped,
    texts::EncodedTexts,
    writer::ArchiveWriter,
};
use crate::{
    archive::default_threads,
    models::ModelFile,
    ordered::ordered,
    progress::{Counters, OnProgress, progress_setter},
};
use ign_format::{
    block::{
        Coding, codes_moves,
        encode::{Encoded, Options},
        encode_model_of,
    },
    container::{index::check_name, meta::Meta},
    error::{Error, Kind as ErrorKind, Result},
    models::ModelId,
};

/// Packs text into archives: options with chained setters, then [`pack`](Self::pack).
///
/// Each block is decoded again and compared with its text before it is written, unless
/// [`verify`](Self::verify) says otherwise. A block that does not decode to its text is stored with
/// its games as text, and [counted](Summary::fallbacks).
///
/// ```
/// use ign_archive::{Archive, Coding, Input, Packer};
/// use std::ops::ControlFlow;
///
/// let games = "[Event \"One\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";
/// let input = Input::reader("games.pgn", games.as_bytes());
/// let (bytes, summary) = Packer::new()
///     .coding(Coding::Ign)
///     .threads(2)
///     .on_progress(|progress| {
///         eprintln!("{} games", progress.games);
///         ControlFlow::Continue(()) // Break cancels
///     })
///     .pack([input], Vec::new())?;
/// assert_eq!((summary.games, summary.plies), (1, 4));
///
/// let archive = Archive::from_read_at(bytes, "games.ign")?;
/// assert_eq!(archive.game(1)?.pgn()?, games.as_bytes());
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Debug)]
pub struct Packer<'p> {
    options: Options,
    block_size: usize,
    threads: usize,
    on_progress: OnProgress<'p>,
    /// Whether the built-in models are stored.
    embeds: bool,
    /// What an earlier run has left.
    kept: Option<UnfinishedArchive>,
    /// The number of games that the inputs have together.
    expected_games: Option<u64>,
}

impl Default for Packer<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'p> Packer<'p> {
    /// The block sizes that [`block_size`](Self::block_size) accepts, in bytes of text.
    pub const BLOCK_SIZES: RangeInclusive<usize> = 1 << 12..=1 << 26;
    /// The default block size, in bytes of text.
    pub const DEFAULT_BLOCK_SIZE: usize = 8 << 20;
    /// The levels that [`level`](Self::level) accepts: those of zstd.
    pub const LEVELS: RangeInclusive<i32> = 1..=22;

    /// Options for the smallest archives: weighted moves, level 16, blocks of 8 MiB of text, every
    /// block verified, as many threads as the machine runs at once.
    pub fn new() -> Self {
        Self {
            options: Options::default(),
            block_size: Self::DEFAULT_BLOCK_SIZE,
            threads: default_threads(),
            on_progress: OnProgress::default(),
            embeds: false,
            kept: None,
            expected_games: None,
        }
    }

    /// Uses a model instead of the built-in one of its architecture. The archive holds it twice, so
    /// that it can be read without the file.
    ///
    /// # Errors
    /// [`Corrupt`](crate::ErrorKind::Corrupt) and [`Unsupported`](crate::ErrorKind::Unsupported),
    /// if the program cannot use it.
    pub fn model(mut self, model: &ModelFile) -> Result<Self> {
        self.options.models = model.add_to(&self.options.models)?;
        Ok(self)
    }

    /// Whether the archive holds the built-in models that it uses, so that reading it needs nothing
    /// but the specification of the format. It does not by default.
    #[must_use]
    pub fn embed(mut self, embeds: bool) -> Self {
        self.embeds = embeds;
        self
    }

    /// How moves are coded.
    #[must_use]
    pub fn coding(mut self, coding: Coding) -> Self {
        self.options.coding = coding;
        self
    }

    /// The zstd level of text columns, limited to [`LEVELS`](Self::LEVELS). From level 20 on, text
    /// is coded by context mixing, which is smaller and slower to read.
    #[must_use]
    pub fn level(mut self, level: i32) -> Self {
        self.options.level = level.clamp(*Self::LEVELS.start(), *Self::LEVELS.end());
        self
    }

    /// Whether each block is decoded and compared with its text before it is written.
    #[must_use]
    pub fn verify(mut self, verify: bool) -> Self {
        self.options.verify = verify;
        self
    }

    /// The bytes of text that a block holds at least, except the last; a block holds at most twice
    /// as many. Limited to [`BLOCK_SIZES`](Self::BLOCK_SIZES). Larger blocks pack tighter; a single
    /// game is read faster from smaller ones.
    #[must_use]
    pub fn block_size(mut self, bytes: usize) -> Self {
        self.block_size = bytes.clamp(*Self::BLOCK_SIZES.start(), *Self::BLOCK_SIZES.end());
        self
    }

    /// The number of worker threads. The archive does not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    progress_setter!();

    /// Continues an archive that an earlier run with the same inputs and options has begun. The
    /// output of [`pack`](Self::pack) must be the file of which this was kept. All inputs are read
    /// again, but text whose block is there is only compared with it. The archive is the one that
    /// is packed at once.
    ///
    /// Packing then fails with [`Usage`](crate::ErrorKind::Usage) if the inputs differ where blocks
    /// are kept, or if the options differ.
    #[must_use]
    pub fn resume(mut self, kept: UnfinishedArchive) -> Self {
        self.kept = Some(kept);
        self
    }

    /// Sets the number of games that the inputs must have together, as a site publishes it. Packing
    /// fails at its end with [`Corrupt`](crate::ErrorKind::Corrupt) if they have another number.
    #[must_use]
    pub fn expect_games(mut self, games: u64) -> Self {
        self.expected_games = Some(games);
        self
    }

    /// Packs the inputs, one after the other, into one archive. Returns `out` and what the archive
    /// holds. After an error, what was written to `out` is no archive.
    ///
    /// # Errors
    /// Those of the inputs and of `out`; [`Cancelled`](crate::ErrorKind::Cancelled);
    /// [`Usage`](crate::ErrorKind::Usage) if a move model is given, and the coding needs none;
    /// [`Internal`](crate::ErrorKind::Internal) if a block does not give its text back.
    pub fn pack<W: Write>(
        self,
        inputs: impl IntoIterator<Item = Input>,
        out: W,
    ) -> Result<(W, Summary)> {
        let inputs: Vec<Input> = inputs.into_iter().collect();
        self.pack_observed(&inputs, out, |_| Ok(()), |()| Ok(()))
    }

    /// The metadata of an archive that is packed with these options.
    fn meta(&self) -> Meta {
        let Options { coding, level, .. } = self.options;
        Meta::new(coding.name(), level, self.block_size as u64)
    }

    /// Encodes the inputs and passes each block on, without keeping an archive. The worker threads
    /// call `observe` on each block; `take` receives what it returned, in the order of the blocks.
    /// For statistics over text that is not packed. The bytes of a block are those of its frames in
    /// an archive.
    ///
    /// # Errors
    /// Those of the inputs, of `observe` and of `take`.
    pub fn each_block<O: Send>(
        self,
        inputs: impl IntoIterator<Item = Input>,
        observe: impl Fn(&[u8]) -> Result<O> + Sync,
        take: impl FnMut(O) -> Result<()>,
    ) -> Result<Summary> {
        let inputs: Vec<Input> = inputs.into_iter().collect();
        let observe = |block: &Encoded| observe(&block.bytes);
        let (_, summary) = self.pack_observed(&inputs, io::sink(), observe, take)?;
        Ok(summary)
    }

    /// Packs as [`pack`](Self::pack) does. The worker threads call `observe` on each block; `take`
    /// receives what it returned, in the order of the blocks.
    fn pack_observed<W: Write, O: Send>(
        mut self,
        inputs: &[Input],
        out: W,
        observe: impl Fn(&Encoded) -> Result<O> + Sync,
        take: impl FnMut(O) -> Result<()>,
    ) -> Result<(W, Summary)> {
        let kept = self.kept.take();
        let mut writer = ArchiveWriter::resume(out, &self.meta(), kept)?;
        self.write_blocks(inputs, &mut writer, observe, take)?;
        writer.finish()
    }

    /// Encodes the inputs, and writes their blocks and sources.
    fn write_blocks<W: Write, O: Send>(
        mut self,
        inputs: &[Input],
        writer: &mut ArchiveWriter<W>,
        observe: impl Fn(&Encoded) -> Result<O> + Sync,
        mut take: impl FnMut(O) -> Result<()>,
    ) -> Result<()> {
        for input in inputs {
            check_name(&input.source_name())?;
        }
        let options = self.options;
        let given: Vec<ModelId> = options.models.held().collect();
        if options.coding != Coding::Weighted
            && let Some(id) = given.iter().find(|id| codes_moves(id.architecture))
        {
            let (name, coding) = (id.name(), options.coding.name());
            return Err(Error::usage(format!(
                "the {name} has no use: the coding {coding} stores moves without a model"
            ))
            .with_remedy("leave out the model, or choose the coding weighted"));
        }
        let mut used: BTreeSet<ModelId> = BTreeSet::new();
        let mut models = Vec::new();
        let mut games = 0;
        let kept = writer.kept().cloned();
        let kept = kept.as_ref();
        let work = |(job, known): (Job, Vec<_>)| {
            let known = match kept.filter(|_| !known.is_empty()) {
                Some(kept) => kept.encoded(&known, &job.texts, &options)?,
                None => None,
            };
            let encoded = match known {
                Some(encoded) => encoded,
                None => job.texts.encode(job.kind, &options)?,
            };
            let observed = encoded.blocks.iter().map(&observe);
            Ok((observed.collect::<Result<Vec<_>>>()?, encoded, job.ended))
        };
        let counters = Counters::default();
        thread::scope(|scope| {
            let mut known = kept.into_iter().flat_map(UnfinishedArchive::each_block);
            let jobs = jobs(scope, inputs, self.block_size, self.threads, &counters);
            let jobs = jobs.map(move |job| {
                let job = job?;
                let known = resume::of_text(&mut known, job.texts.text.len() as u64);
                Ok((job, known))
            });
            // The games of the input that has not ended.
            let mut open_games = 0;
            for done in ordered(scope, self.threads, jobs, work) {
                let (observed, encoded, ended) = done?;
                let EncodedTexts {
                    blocks,
                    games: games_of_texts,
                } = encoded;
                for (block, observed) in blocks.iter().zip(observed) {
                    used.extend(&block.models);
                    for &id in &block.models {
                        let is_kept = self.embeds || !id.is_published();
                        if is_kept && !writer.has_model(id) {
                            let model = encode_model_of(&options.models, id, options.level)?;
                            let model = model.ok_or_else(|| {
                                Error::internal("a block names a model that packing does not have")
                            })?;
                            writer.block(&model)?;
                            writer.add_model(id);
                            if given.contains(&id) {
                                writer.count_model(MODEL_COPIES, model.bytes.len());
                            }
                            models.push(model);
                        }
                    }
                    writer.block(block)?;
                    games += block.games as u64;
                    counters.add_games(block.games as u64);
                    counters.add_text(block.text_len as u64);
                    take(observed)?;
                    counters.report(&mut self.on_progress)?;
                }
                let mut games_of_texts = games_of_texts.into_iter();
                open_games += games_of_texts.next().unwrap_or(0);
                for (mut source, is_utf16) in ended {
                    if is_utf16 {
                        writer.note_utf16();
                    }
                    source.games = std::mem::take(&mut open_games);
                    writer.source(source);
                    open_games = games_of_texts.next().unwrap_or(0);
                }
            }
            check_games(games, self.expected_games)?;
            // A second copy, far from the first one.
            models.iter().try_for_each(|model| writer.block(model))?;
            let unused = given.iter().filter(|id| !used.contains(id));
            writer.note_unused_models(unused.count());
            Ok(())
        })
    }
}

/// Compares the number of games with the one that was stated.
///
/// # Errors
/// Corrupt, if they differ.
fn check_games(games: u64, stated: Option<u64>) -> Result<()> {
    match stated {
        Some(stated) if stated != games => Err(Error::new(
            ErrorKind::Corrupt,
            format!(
                "the inputs have {} games, and {} were stated",
                grouped(games),
                grouped(stated)
            ),
        )
        .with_remedy("fetch or copy them again, or check the stated number")),
        _ => Ok(()),
    }
}
