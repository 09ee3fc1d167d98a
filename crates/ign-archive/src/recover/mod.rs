//! Recovery: copies the intact parts of a damaged archive to a new one.
//!
//! If the archive has parity, its bytes are repaired, and the result is the archive as it was.
//! Otherwise, or if there is more damage than parity repairs, a new archive is made of the blocks
//! that are whole: each is decoded, verified and copied. Of a block with damaged columns the games
//! are encoded again without what is lost, if their moves are whole.
//!
//! | file | holds |
//! | --- | --- |
//! | `blocks` | a block, copied or encoded again |
//! | `report` | what was recovered and what is lost |

mod blocks;
mod report;

use std::{
    collections::BTreeSet,
    fs::File,
    io::{BufWriter, Seek, SeekFrom, Write},
    path::Path,
    thread,
};

use ign_format::{
    block::{Coding, encode::Options, encode_model_of, is_model},
    container::{index::BlockEntry, meta::Meta},
    error::{Error, Result},
    models::ModelId,
};

use self::blocks::{Block, Outcome, recovered};
pub use self::report::{Lost, Method, Recovered};
use crate::{
    archive::default_threads,
    check::{
        Damage, Place, Verifier,
        frames::read_at,
        outline::{MIN_APPENDED, Outline, Unknown, block_bytes},
    },
    models::{self, ModelFile},
    ordered::ordered,
    pack::{Packer, copy::MODEL_COPIES, writer::ArchiveWriter},
    parity::repair,
    progress::{Counters, OnProgress, progress_setter},
    source::{Named, ReadAt},
    sources::{Left, Piece, Places, SourceTexts},
    temp_file::AnonymousTempFile,
};

/// Bytes that are copied at a time.
const COPIED: u64 = 1 << 20;

/// Recovers damaged archives.
#[derive(Debug)]
pub struct Recoverer<'p> {
    threads: usize,
    on_progress: OnProgress<'p>,
    models: Vec<ModelFile>,
}

impl Default for Recoverer<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'p> Recoverer<'p> {
    /// Recovers with as many threads as the machine runs at once.
    pub fn new() -> Self {
        Self {
            threads: default_threads(),
            on_progress: OnProgress::default(),
            models: Vec::new(),
        }
    }

    /// Uses a model of which the archive may have lost all copies, and restores these.
    #[must_use]
    pub fn model(mut self, model: ModelFile) -> Self {
        self.models.push(model);
        self
    }

    /// The number of threads.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    progress_setter!();

    /// Recovers a damaged archive, which messages call `name`, into `out`, an empty file that can
    /// be read and written. `source` is not changed.
    ///
    /// An error of `out` names no file: the caller knows its name.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt) if nothing of an
    /// archive is found; [`Unsupported`](crate::ErrorKind::Unsupported);
    /// [`Cancelled`](crate::ErrorKind::Cancelled).
    pub fn recover(
        self,
        source: &dyn ReadAt,
        name: impl AsRef<Path>,
        out: &File,
    ) -> Result<Recovered> {
        let name = name.as_ref();
        let recovered = try_recover(&Named(source, name), name, out, self);
        recovered.map_err(|error| {
            if error.is_data_error() {
                error.in_file(name)
            } else {
                error
            }
        })
    }
}

fn try_recover(
    source: &dyn ReadAt,
    name: &Path,
    out: &File,
    mut recoverer: Recoverer,
) -> Result<Recovered> {
    let mut outline = Outline::read(source)?;
    outline.check_blocks(source)?;
    outline.search(source)?;
    let mut notes = Vec::new();
    let mut scratch = None;
    if outline.has_moved_parity {
        notes.push("parity cannot repair bytes that were inserted or removed before it".into());
    }
    if !outline.sets.is_empty() {
        copy(source, out)?;
        let repaired = repair(source, &outline.sets, out)?;
        for beyond in &repaired.failed {
            notes.push(format!(
                "parity cannot repair {} damaged shards of {} bytes: {} recovery shards are whole",
                beyond.lost, beyond.shard_len, beyond.left
            ));
        }
        // A few bytes after the last set hold no games.
        let end = outline
            .sets
            .iter()
            .map(|set| set.file_end())
            .max()
            .unwrap_or(0);
        let size = out.size()?;
        let has_excess = (end + 1..end + MIN_APPENDED).contains(&size);
        if has_excess {
            out.set_len(end)?;
            notes.push(match size - end {
                1 => "1 byte after the archive is left out".into(),
                bytes => format!("{bytes} bytes after the archive are left out"),
            });
        }
        // A set that fails does not matter if another one for the same bytes repaired them.
        if repaired.failed.is_empty() || !repaired.repaired.is_empty() {
            let mut verifier = Verifier::new().threads(recoverer.threads);
            let verify = |outline: Outline| outline.verify(out, &mut verifier);
            if let Some(verified) = if_whole(Outline::read(out).and_then(verify))?
                && verified.damage.iter().all(Damage::is_unread)
                && (recoverer.models.is_empty() || verified.damage.is_empty())
            {
                out.sync_all()?;
                return Ok(Recovered {
                    games: verified.games,
                    archive_len: verified.file_len,
                    method: if repaired.repaired.is_empty() && repaired.rewritten == 0 {
                        Method::Copied
                    } else {
                        Method::Repaired(repaired.repaired)
                    },
                    notes,
                    ..Recovered::default()
                });
            }
            if repaired.failed.is_empty() {
                notes.push(
                    "the bytes that parity protects are whole, but others are damaged: they were appended \
                     after ign parity"
                        .into(),
                );
            }
        }
        if !repaired.repaired.is_empty() {
            let mut copied = AnonymousTempFile::new()?;
            copy(out, &mut copied)?;
            outline = Outline::read(&copied)?;
            outline.check_blocks(&copied)?;
            outline.search(&copied)?;
            scratch = Some(copied);
        }
        out.set_len(0)?;
        let mut out = out;
        out.seek(SeekFrom::Start(0))?;
    }
    let source = match &scratch {
        Some(repaired) => repaired,
        None => source,
    };
    let mut recovered = rebuild(source, name, outline, out, &mut recoverer)?;
    notes.append(&mut recovered.notes);
    recovered.notes = notes;
    Ok(recovered)
}

/// The result, unless the bytes are damaged.
///
/// # Errors
/// Io, and others that are no damage.
fn if_whole<R>(result: Result<R>) -> Result<Option<R>> {
    match result {
        Err(error) if error.is_data_error() => Ok(None),
        result => result.map(Some),
    }
}

/// Copies a file into an empty one.
fn copy(source: &dyn ReadAt, mut out: impl Write) -> Result<()> {
    let size = source.size()?;
    for at in (0..size).step_by(COPIED as usize) {
        out.write_all(&read_at(source, size, at, COPIED.min(size - at))?)?;
    }
    Ok(())
}

/// Makes an archive of the intact parts.
fn rebuild(
    source: &dyn ReadAt,
    name: &Path,
    mut outline: Outline,
    out: &File,
    recoverer: &mut Recoverer,
) -> Result<Recovered> {
    let file_len = outline.file_len;
    let mut report = Recovered::default();
    let (meta, options) = metadata(source, &outline)?;
    let gaps = outline.gaps(source)?;
    let unknown = outline.unknown(&gaps);
    let listed = std::mem::take(&mut outline.blocks);
    let entries: Vec<BlockEntry> = listed.iter().map(|block| block.entry).collect();
    let models = models::of_blocks(source, file_len, &entries, &recoverer.models)?;
    let mut given = Given::of(source, file_len, &entries, &recoverer.models)?;
    report.notes.append(&mut given.notes);
    let lost = given.lost;
    let counters = Counters::default();
    let mut writer = ArchiveWriter::with_meta(BufWriter::new(out), &meta)?;
    let sources = std::mem::take(&mut outline.sources);
    let places = Places::of(&sources);
    let work = |number: usize| {
        let entry = &entries[number];
        let mut bytes = block_bytes(source, file_len, entry)?;
        // The columns beyond the end of the file are lost.
        if listed[number]
            .damage
            .as_ref()
            .is_some_and(|damage| !damage.columns.is_empty())
        {
            bytes.resize(entry.stored_len as usize, 0);
        }
        Ok(recovered(
            bytes,
            &listed[number],
            &models,
            lost,
            &places,
            &options,
        ))
    };
    let known = outline.known_sources;
    thread::scope(|scope| {
        let jobs = (0..entries.len()).map(Ok);
        let outcomes = (0..).zip(ordered(scope, recoverer.threads, jobs, work));
        let mut texts = SourceTexts::new(&sources[..known], 0);
        let mut left = Left::default();
        for (number, outcome) in outcomes {
            let outcome: Outcome = outcome?;
            let entry: &BlockEntry = &entries[number];
            let is_whole = !outcome.is_damaged();
            if !is_whole {
                let lost = Lost::of(number, entry, &outcome);
                match outcome.block {
                    Some(_) => report.reduced.push(lost),
                    None => report.lost.push(lost),
                }
            }
            let mut known_text = None;
            if let Some((block, own)) = outcome.block {
                match block {
                    Block::Copied { bytes, plies } => {
                        writer.copied_block(&bytes, *entry, plies)?;
                        left.add(&places, &Piece::of_block(entry));
                    }
                    Block::Encoded { block, .. } if is_whole => {
                        writer.block(&block)?;
                        left.add(&places, &Piece::of_block(entry));
                    }
                    Block::Encoded { block, sources } => {
                        writer.block(&block)?;
                        for ((source, len), &games) in sources.iter().zip(&block.games_of_texts) {
                            left.add_changed(*source, *len, games);
                        }
                    }
                    Block::Model(encoded, id) => {
                        given.lost.take_if(|lost| *lost == id);
                        report.notes.push(format!(
                            "restored the {} {id}, block {}",
                            id.name(),
                            number + 1
                        ));
                        writer.block(&encoded)?;
                    }
                    Block::Unread { bytes, prefix, why } => {
                        writer.copied_block(&bytes, *entry, prefix.plies)?;
                        left.add(&places, &Piece::of_block(entry));
                        report.notes.push(format!(
                            "block {} is copied, but not checked: {why}",
                            number + 1
                        ));
                    }
                }
                known_text = own.filter(|_| is_whole);
            }
            texts.add(entry.text_len, known_text.as_deref());
            counters.add_bytes(entry.text_len);
            counters.add_games(entry.games);
            counters.report(&mut recoverer.on_progress)?;
        }
        if let Some(id) = given.lost
            && let Some(model) = encode_model_of(&models, id, options.level)?
        {
            let note = format!("added the {} {id}, of which no copy was found", id.name());
            report.notes.push(note);
            for _ in 0..MODEL_COPIES {
                writer.block(&model)?;
            }
        }
        let mut sources = sources.clone();
        for number in texts.differ {
            let source = &mut sources[number];
            let name = String::from_utf8_lossy(&source.name);
            report.notes.push(format!(
                "all blocks of source {} ({name}) are whole, but they are not in their order, or \
                 not those that were packed",
                number + 1
            ));
            report.is_uncertain = true;
            // They are those of another text.
            (source.text_checksum, source.sha256) = (None, None);
        }
        if let Some(found) = sources.get_mut(known) {
            found.name = file_name(name);
        }
        // A source of which nothing is left is not listed.
        left.with_empty(&sources)
            .into_iter()
            .for_each(|source| writer.source(source));
        Ok::<(), Error>(())
    })?;
    let (_, summary) = writer.finish()?;
    out.sync_all()?;
    report.games = summary.games;
    report.archive_len = summary.archive_len;
    if let Some(unknown) = unknown {
        note(unknown, gaps, &mut report);
    }
    if !outline.is_listed && !entries.is_empty() {
        let lost = "the index is lost, and with it the names of the packed files and where each one begins";
        report.notes.push(lost.into());
    }
    Ok(report)
}

/// The models that are given for recovery, compared with those that the archive needs.
#[derive(Default)]
struct Given {
    /// What is to be said of them.
    notes: Vec<String>,
    /// The model that blocks need and of which not even the head of a copy is left, if it is only
    /// one.
    lost: Option<ModelId>,
}

impl Given {
    /// # Errors
    /// Io.
    fn of(
        source: &dyn ReadAt,
        file_len: u64,
        entries: &[BlockEntry],
        files: &[ModelFile],
    ) -> Result<Self> {
        if files.is_empty() {
            return Ok(Self::default());
        }
        let (mut needed, mut held) = (BTreeSet::new(), BTreeSet::new());
        for entry in entries {
            if let Some(head) = models::head(source, file_len, entry)? {
                let ids = if is_model(&head) {
                    &mut held
                } else {
                    &mut needed
                };
                ids.extend(head.models);
            }
        }
        let is_needed = |file: &&ModelFile| needed.contains(&file.id());
        let unused = files.iter().filter(|file| !is_needed(file));
        let notes = unused.map(|file| {
            let (name, id) = (file.id().name(), file.id());
            format!(
                "no block needs the {name} {id} of {}",
                file.path().display()
            )
        });
        let lost = files.iter().filter(is_needed).map(ModelFile::id);
        let lost: Vec<ModelId> = lost.filter(|id| !held.contains(id)).collect();
        Ok(Self {
            notes: notes.collect(),
            lost: match lost[..] {
                [id] => Some(id),
                _ => None,
            },
        })
    }
}

/// Reports that games may be lost which no index lists.
fn note(unknown: Unknown, gaps: Vec<Damage>, report: &mut Recovered) {
    report.is_uncertain = true;
    report.notes.push(unknown.to_string());
    if matches!(unknown, Unknown::AfterFooter | Unknown::InFooter) {
        return;
    }
    for gap in gaps {
        if let Place::Gap(bytes) = gap.place {
            report.lost.push(Lost {
                bytes,
                ..Lost::default()
            });
        }
    }
}

/// The metadata frame of the new archive, and the options with which games are encoded again.
fn metadata(source: &dyn ReadAt, outline: &Outline) -> Result<(Vec<u8>, Options)> {
    let mut options = Options::default();
    if let Some(frame) = &outline.meta {
        let meta = Meta::read(frame)?;
        options.level = meta.level;
        options.coding = Coding::named(&meta.coding).unwrap_or_default();
        return Ok((frame.clone(), options));
    }
    // The record is lost; a block shows the coding.
    for block in outline.blocks.iter().filter(|block| block.damage.is_none()) {
        let bytes = block_bytes(source, outline.file_len, &block.entry)?;
        if let Ok(block) = ign_format::block::decode::Block::open(&bytes) {
            options.coding = block.coding();
            break;
        }
    }
    let block_size = Packer::DEFAULT_BLOCK_SIZE as u64;
    let meta = Meta::new(options.coding.name(), options.level, block_size);
    Ok((meta.write()?, options))
}

/// The name of a file without folders.
fn file_name(path: &Path) -> Vec<u8> {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned().into_bytes()
}
