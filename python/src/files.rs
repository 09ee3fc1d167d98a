//! Whole files: packing, unpacking, search indexes, verification, statistics.

use std::{
    num::NonZeroU32,
    path::{Path, PathBuf},
};

use ign_archive::{
    Appender, Archive, Archives, Coding, Error, Input, Merger, ModelFile, Packer, Sha256, Unpacker,
    check::Verifier,
    index::{self as search_index, Index, IndexBuilder, IndexSections},
    location::message_name,
    pack::Summary,
    parity::ParityBuilder,
    stats::{self as statistics, Report, StatsBuilder},
};
use pyo3::{prelude::*, types::PyDict};

use crate::{
    arguments::{count, threads},
    division::InputFile,
    failure::{Result, none_of, usage, warn},
    interrupt::{Cancel, interruptible},
    output::{OVERWRITE, Output},
};

/// Reads the name of a coding.
///
/// # Errors
/// Usage if there is no such coding.
pub fn read_coding(name: &str) -> Result<Coding> {
    Coding::named(name).ok_or_else(|| {
        let names = Coding::ALL.iter().map(|one| one.name());
        none_of(format!("there is no coding '{name}'"), names)
    })
}

/// Options of packing; those that are not given are not changed.
struct Options {
    coding: Option<Coding>,
    level: Option<i32>,
    block_size: Option<usize>,
    threads: Option<usize>,
}

impl Options {
    fn read(
        coding: Option<&str>,
        level: Option<i32>,
        block_size: Option<&Bound<PyAny>>,
        threads: Option<&Bound<PyAny>>,
    ) -> Result<Self> {
        if level.is_some_and(|level| !Packer::LEVELS.contains(&level)) {
            return Err(usage("level is out of range", "give a level from 1 to 22"));
        }
        let block_size = count("block_size", block_size)?;
        if block_size.is_some_and(|size| !Packer::BLOCK_SIZES.contains(&size)) {
            let (min, max) = (Packer::BLOCK_SIZES.start(), Packer::BLOCK_SIZES.end());
            let remedy = format!("give a number of bytes from {min} to {max}");
            return Err(usage("block_size is out of range", remedy));
        }
        Ok(Self {
            coding: coding.map(read_coding).transpose()?,
            level,
            block_size,
            threads: self::threads(threads)?,
        })
    }

    /// A packer with these options.
    fn apply<'p>(&self, mut packer: Packer<'p>) -> Packer<'p> {
        if let Some(coding) = self.coding {
            packer = packer.coding(coding);
        }
        if let Some(level) = self.level {
            packer = packer.level(level);
        }
        if let Some(block_size) = self.block_size {
            packer = packer.block_size(block_size);
        }
        match self.threads {
            Some(threads) => packer.threads(threads),
            None => packer,
        }
    }
}

/// Packs files into an archive.
#[pyfunction]
#[pyo3(signature = (files, out, coding, level, block_size, threads, verify, overwrite, progress, models = Vec::new(),
    embed = false, sha256 = None, expect_games = None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn pack<'py>(
    py: Python<'py>,
    files: Vec<InputFile>,
    out: PathBuf,
    coding: &str,
    level: i32,
    block_size: Option<&Bound<PyAny>>,
    threads: Option<&Bound<PyAny>>,
    verify: bool,
    overwrite: bool,
    progress: Option<Py<PyAny>>,
    models: Vec<PathBuf>,
    embed: bool,
    sha256: Option<&str>,
    expect_games: Option<&Bound<PyAny>>,
) -> Result<Bound<'py, PyDict>> {
    let options = Options::read(Some(coding), Some(level), block_size, threads)?;
    let sha256 = sha256.map(str::parse::<Sha256>).transpose();
    let sha256 = sha256.map_err(|e| usage(format!("sha256: {e}"), "give 64 hexadecimal digits"))?;
    let games: Option<u64> = count("expect_games", expect_games)?;
    let summary = interruptible(py, |cancel| {
        let output = Output::file(&out, overwrite, files.iter().filter_map(InputFile::path))?;
        let mut inputs = inputs(files, cancel)?;
        if let Some(sha256) = sha256 {
            inputs = match <[Input; 1]>::try_from(inputs) {
                Ok([input]) => vec![input.sha256(sha256)],
                Err(inputs) => {
                    let len = inputs.len();
                    let message = format!("one SHA-256 is stated, and there are {len} inputs");
                    return Err(Error::usage(message).with_remedy("pack one file"));
                }
            };
        }
        let mut packer = options
            .apply(Packer::new())
            .verify(verify)
            .embed(embed)
            .on_progress(cancel.on_progress(progress.as_ref()));
        for model in models {
            packer = packer.model(&ModelFile::open(model)?)?;
        }
        if let Some(games) = games {
            packer = packer.expect_games(games);
        }
        let (output, summary) = packer.pack(inputs, output)?;
        output.finish()?;
        Ok(summary)
    })?;
    warn_of_nothing(py, &summary)?;
    summarized(py, &summary)
}

/// Warns of text without games, which the archive holds all the same.
///
/// # Errors
/// The warning, if it is made an exception.
fn warn_of_nothing(py: Python, packed: &Summary) -> PyResult<()> {
    if packed.games > 0 {
        return Ok(());
    }
    let message = match packed.text_len {
        0 => "no games found: there is no text",
        _ => "no games found; extract .zip, .7z, .xz and similar files before packing",
    };
    warn(py, message, 2)
}

/// The inputs of a packer.
///
/// # Errors
/// Io if there is no such file.
fn inputs(files: Vec<InputFile>, cancel: &Cancel) -> ign_archive::Result<Vec<Input>> {
    let inputs: Vec<Input> = files.into_iter().map(|file| file.input(cancel)).collect();
    for input in &inputs {
        input.len()?;
    }
    Ok(inputs)
}

/// What an archive holds, as a dictionary.
pub fn summarized<'py>(py: Python<'py>, summary: &Summary) -> Result<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("games", summary.games)?;
    dict.set_item("plies", summary.plies)?;
    dict.set_item("text_bytes", summary.text_len)?;
    dict.set_item("archive_bytes", summary.archive_len)?;
    Ok(dict)
}

/// Writes the text of an archive.
#[pyfunction]
pub fn unpack(
    py: Python,
    archive: PathBuf,
    out: PathBuf,
    threads: Option<&Bound<PyAny>>,
    overwrite: bool,
    progress: Option<Py<PyAny>>,
) -> Result<u64> {
    let threads = self::threads(threads)?;
    interruptible(py, |cancel| {
        let archive = opened(&archive, threads)?;
        let mut output = Output::file(&out, overwrite, [archive.path()])?;
        let written = Unpacker::new()
            .on_progress(cancel.on_progress(progress.as_ref()))
            .unpack(&archive, &mut output)?;
        output.finish()?;
        Ok(written)
    })
}

/// Builds a search index.
#[pyfunction]
#[pyo3(signature = (archives, out, without, plies, threads, overwrite, progress))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn index<'py>(
    py: Python<'py>,
    archives: Vec<PathBuf>,
    out: Option<PathBuf>,
    without: Vec<String>,
    plies: Option<NonZeroU32>,
    threads: Option<&Bound<PyAny>>,
    overwrite: bool,
    progress: Option<Py<PyAny>>,
) -> Result<Bound<'py, PyDict>> {
    let threads = self::threads(threads)?;
    let mut sections = IndexSections::ALL;
    let mut named = [
        ("columns", &mut sections.columns),
        ("players", &mut sections.players),
        ("openings", &mut sections.openings),
        ("positions", &mut sections.positions),
        ("materials", &mut sections.materials),
    ];
    for name in without {
        match named.iter_mut().find(|(known, _)| *known == name) {
            Some((_, is_wanted)) => **is_wanted = false,
            None => {
                let remedy = format!("write some of {}", named.map(|(name, _)| name).join(", "));
                return Err(usage(format!("an index has no section '{name}'"), remedy));
            }
        }
    }
    let path = match (out, &archives[..]) {
        (Some(path), _) => path,
        (None, [archive]) => search_index::path_of(archive),
        (None, _) => {
            return Err(usage(
                "one index of several archives has no default name",
                "name it with out, or index each archive by itself",
            ));
        }
    };
    let summary = interruptible(py, |cancel| {
        let mut opened = Archives::open(&archives)?;
        if let Some(threads) = threads {
            opened = opened.with_threads(threads);
        }
        let opened = opened.with_cancel(cancel.flag());
        let opened = opened.archives();
        let inputs = archives.iter().map(PathBuf::as_path);
        let builder = IndexBuilder::new()
            .sections(sections)
            .on_progress(cancel.on_progress(progress.as_ref()));
        let existing = if !overwrite && path.is_file() {
            Some(existing_index(&path, opened)?)
        } else {
            None
        };
        // Without the option an index keeps its depth.
        let depth = plies.or(existing.as_ref().and_then(Index::depth));
        let builder = builder.depth(depth);
        if let Some(existing) = &existing
            && existing.sections() == sections
            && existing.depth() == depth
        {
            return Ok(builder.extend(&path, opened)?.summary);
        }
        let mut output = Output::file(&path, overwrite || existing.is_some(), inputs)?;
        let summary = builder.build(opened, &mut output)?;
        output.finish()?;
        Ok(summary)
    })?;
    let dict = PyDict::new(py);
    dict.set_item("path", path.display().to_string())?;
    dict.set_item("games", summary.games)?;
    dict.set_item("bytes", summary.len)?;
    let of_sections = PyDict::new(py);
    for (name, bytes) in summary.sections {
        of_sections.set_item(name, bytes)?;
    }
    dict.set_item("sections", of_sections)?;
    Ok(dict)
}

/// Opens an index that may be extended.
fn existing_index(path: &Path, archives: &[Archive]) -> ign_archive::Result<Index> {
    let members: Vec<&Archive> = archives.iter().collect();
    Index::open(path, &members).map_err(|error| error.with_remedy(OVERWRITE))
}

/// Packs files and appends them to an archive; extends the index beside it.
#[pyfunction]
#[pyo3(signature = (archive, files, coding, level, block_size, threads, verify, progress))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn append<'py>(
    py: Python<'py>,
    archive: PathBuf,
    files: Vec<InputFile>,
    coding: Option<&str>,
    level: Option<i32>,
    block_size: Option<&Bound<PyAny>>,
    threads: Option<&Bound<PyAny>>,
    verify: bool,
    progress: Option<Py<PyAny>>,
) -> Result<Bound<'py, PyDict>> {
    let options = Options::read(coding, level, block_size, threads)?;
    let (before, after, extended) = interruptible(py, |cancel| {
        let inputs = inputs(files, cancel)?;
        let appender = Appender::open(&archive)?;
        let before = appender.archive().clone();
        let packer = options
            .apply(appender.packer()?)
            .verify(verify)
            .on_progress(cancel.on_progress(progress.as_ref()));
        let after = appender.append(packer, inputs)?;
        let index = search_index::path_of(&archive);
        // The games are in the archive already, so an index that cannot be extended is no error.
        let extended = if index.exists() {
            Archive::open(&archive)
                .and_then(|archive| IndexBuilder::new().extend(&index, &[archive]))
                .err()
        } else {
            None
        };
        Ok((before, after, extended))
    })?;
    if let Some(error) = extended {
        let warning = format!("{error}; ign.index(..., overwrite=True) builds it again");
        warn(py, &warning, 2)?;
    }
    let mut appended = after;
    appended.games -= before.len();
    appended.plies -= before.plies();
    appended.text_len -= before.text_len();
    warn_of_nothing(py, &appended)?;
    summarized(py, &appended)
}

/// Writes the games of archives into one.
#[pyfunction]
#[pyo3(signature = (archives, out, overwrite, progress))]
pub fn merge<'py>(
    py: Python<'py>,
    archives: Vec<PathBuf>,
    out: PathBuf,
    overwrite: bool,
    progress: Option<Py<PyAny>>,
) -> Result<Bound<'py, PyDict>> {
    let summary = interruptible(py, |cancel| {
        let opened = Archives::open(&archives)?;
        let output = Output::file(&out, overwrite, archives.iter().map(PathBuf::as_path))?;
        let (output, summary) = Merger::new()
            .on_progress(cancel.on_progress(progress.as_ref()))
            .merge(opened.archives(), output)?;
        output.finish()?;
        Ok(summary)
    })?;
    summarized(py, &summary)
}

/// Writes an archive with another coding of the moves.
#[pyfunction]
#[pyo3(signature = (archive, out, coding, threads, verify, overwrite, progress))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn transcode<'py>(
    py: Python<'py>,
    archive: PathBuf,
    out: PathBuf,
    coding: &str,
    threads: Option<&Bound<'py, PyAny>>,
    verify: bool,
    overwrite: bool,
    progress: Option<Py<PyAny>>,
) -> Result<Bound<'py, PyDict>> {
    let options = Options::read(Some(coding), None, None, threads)?;
    let summary = interruptible(py, |cancel| {
        let archive = opened(&archive, options.threads)?;
        let output = Output::file(&out, overwrite, [archive.path()])?;
        let (output, summary) = options
            .apply(Packer::new())
            .verify(verify)
            .on_progress(cancel.on_progress(progress.as_ref()))
            .transcode(&archive, output)?;
        output.finish()?;
        Ok(summary)
    })?;
    summarized(py, &summary)
}

/// Adds parity to an archive.
#[pyfunction]
#[pyo3(signature = (archive, percent))]
pub fn parity(py: Python<'_>, archive: PathBuf, percent: f64) -> Result<Bound<'_, PyDict>> {
    let added = interruptible(py, |cancel| {
        let builder = ParityBuilder::new(percent).on_progress(cancel.on_progress(None));
        builder.add_to(&archive)
    })?;
    let dict = PyDict::new(py);
    dict.set_item("bytes", added.added)?;
    dict.set_item("shards", added.data_shards)?;
    dict.set_item("recovery_shards", added.recovery_shards)?;
    dict.set_item("shard_bytes", added.shard_len)?;
    Ok(dict)
}

/// Checks every byte of an archive, and of the index beside it.
#[pyfunction]
pub fn verify(
    py: Python,
    archive: PathBuf,
    threads: Option<&Bound<PyAny>>,
    progress: Option<Py<PyAny>>,
) -> Result<()> {
    let threads = self::threads(threads)?;
    interruptible(py, |cancel| {
        let archive = opened(&archive, threads)?.with_cancel(cancel.flag());
        Verifier::new()
            .on_progress(cancel.on_progress(progress.as_ref()))
            .check(&archive)?;
        let index = search_index::path_of(archive.path());
        if index.exists() {
            search_index::verify(index)?;
        }
        Ok(())
    })
}

/// The statistics of an archive or of a text, as JSON.
#[pyfunction]
pub fn stats(
    py: Python,
    path: PathBuf,
    coding: Option<&str>,
    threads: Option<&Bound<PyAny>>,
    progress: Option<Py<PyAny>>,
) -> Result<String> {
    let threads = self::threads(threads)?;
    let coding = coding.map(read_coding).transpose()?;
    interruptible(py, |cancel| {
        let on_progress = cancel.on_progress(progress.as_ref());
        let input = Input::file(&path);
        let stats = if input.is_archive()? {
            if coding.is_some() {
                return Err(Error::usage("the coding of an archive is fixed").in_file(&path));
            }
            StatsBuilder::new()
                .on_progress(on_progress)
                .of_archive(&opened(&path, threads)?)?
        } else {
            let mut packer = Packer::new()
                .coding(coding.unwrap_or(Coding::Weighted))
                // Nothing is written, and the measurement replays every game.
                .verify(false)
                .on_progress(on_progress);
            if let Some(threads) = threads {
                packer = packer.threads(threads);
            }
            statistics::of_inputs([input], packer)?
        };
        let name = message_name(&path);
        let report = Report::new(name.to_string_lossy().into_owned(), stats);
        Ok(report.json())
    })
}

/// Opens an archive.
///
/// # Errors
/// As [`Archive::open`].
pub fn opened(path: &Path, threads: Option<usize>) -> ign_archive::Result<Archive> {
    let archive = Archive::open(path)?;
    Ok(match threads {
        Some(threads) => archive.with_threads(threads),
        None => archive,
    })
}
