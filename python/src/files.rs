//! Whole files: packing, unpacking, search indexes, verification, statistics.

use std::path::{Path, PathBuf};

use ign_archive::{
    Archive, Archives, Coding, Error, Input, Packer,
    index::{self as search_index, Sections},
    stats::{self as statistics, Report},
};
use pyo3::{prelude::*, types::PyDict};

use crate::{
    failure::{Result, usage},
    interrupt::interruptible,
    output::Output,
};

/// Reads the name of a coding.
///
/// # Errors
/// Usage if there is no such coding.
pub fn read_coding(name: &str) -> Result<Coding> {
    Coding::named(name).ok_or_else(|| {
        let names = Coding::ALL.map(Coding::name).join(", ");
        usage(
            format!("there is no coding '{name}'"),
            format!("write one of {names}"),
        )
    })
}

/// Packs files into an archive.
#[pyfunction]
#[pyo3(signature = (files, out, coding, level, block_size, threads, verify, overwrite, progress))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn pack<'py>(
    py: Python<'py>,
    files: Vec<PathBuf>,
    out: PathBuf,
    coding: &str,
    level: i32,
    block_size: Option<usize>,
    threads: Option<usize>,
    verify: bool,
    overwrite: bool,
    progress: Option<Py<PyAny>>,
) -> Result<Bound<'py, PyDict>> {
    let coding = read_coding(coding)?;
    if !Packer::LEVELS.contains(&level) {
        return Err(usage("level is out of range", "give a level from 1 to 22"));
    }
    if block_size.is_some_and(|size| !Packer::BLOCK_SIZES.contains(&size)) {
        let (min, max) = (Packer::BLOCK_SIZES.start(), Packer::BLOCK_SIZES.end());
        let remedy = format!("give a number of bytes from {min} to {max}");
        return Err(usage("block_size is out of range", remedy));
    }
    let summary = interruptible(py, |cancel| {
        let inputs: Vec<Input> = files.iter().map(Input::file).collect();
        for input in &inputs {
            input.len()?;
        }
        let output = Output::file(&out, overwrite, files.iter().map(PathBuf::as_path))?;
        let mut packer = Packer::new()
            .coding(coding)
            .level(level)
            .verify(verify)
            .block_size(block_size.unwrap_or(Packer::DEFAULT_BLOCK_SIZE))
            .on_progress(cancel.on_progress(progress.as_ref()));
        if let Some(threads) = threads {
            packer = packer.threads(threads);
        }
        let (output, summary) = packer.pack(inputs, output)?;
        output.finish()?;
        Ok(summary)
    })?;
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
    threads: Option<usize>,
    overwrite: bool,
    progress: Option<Py<PyAny>>,
) -> Result<u64> {
    interruptible(py, |cancel| {
        let archive = opened(&archive, threads)?;
        let mut output = Output::file(&out, overwrite, [archive.path()])?;
        let written = archive.unpack_with(&mut output, cancel.on_progress(progress.as_ref()))?;
        output.finish()?;
        Ok(written)
    })
}

/// Builds a search index.
#[pyfunction]
#[pyo3(signature = (archives, out, without, threads, overwrite, progress))]
pub fn index<'py>(
    py: Python<'py>,
    archives: Vec<PathBuf>,
    out: Option<PathBuf>,
    without: Vec<String>,
    threads: Option<usize>,
    overwrite: bool,
    progress: Option<Py<PyAny>>,
) -> Result<Bound<'py, PyDict>> {
    let mut sections = Sections::ALL;
    let mut named = [
        ("columns", &mut sections.columns),
        ("players", &mut sections.players),
        ("openings", &mut sections.openings),
        ("positions", &mut sections.positions),
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
        let mut output = Output::file(&path, overwrite, archives.iter().map(PathBuf::as_path))?;
        let on_progress = cancel.on_progress(progress.as_ref());
        let opened = opened.with_cancel(cancel.flag());
        let summary = search_index::build(opened.archives(), sections, &mut output, on_progress)?;
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

/// Checks every byte of an archive, and of the index beside it.
#[pyfunction]
pub fn verify(
    py: Python,
    archive: PathBuf,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> Result<()> {
    interruptible(py, |cancel| {
        let archive = opened(&archive, threads)?.with_cancel(cancel.flag().clone());
        archive.verify_with(cancel.on_progress(progress.as_ref()))?;
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
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> Result<String> {
    let coding = coding.map(read_coding).transpose()?;
    interruptible(py, |cancel| {
        let on_progress = cancel.on_progress(progress.as_ref());
        let input = Input::file(&path);
        let stats = if statistics::is_archive(&input)? {
            if coding.is_some() {
                return Err(Error::usage("the coding of an archive is fixed").in_file(&path));
            }
            statistics::of_archive(&opened(&path, threads)?, on_progress)?
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
        let name = path.file_name().unwrap_or_default();
        let report = Report::new(name.to_string_lossy().into_owned(), stats);
        Ok(report.json().to_string())
    })
}

fn opened(path: &Path, threads: Option<usize>) -> ign_archive::Result<Archive> {
    let archive = Archive::open(path)?;
    Ok(match threads {
        Some(threads) => archive.with_threads(threads),
        None => archive,
    })
}
