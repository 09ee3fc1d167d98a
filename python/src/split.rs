//! Splitting an archive into several.

use std::path::{Path, PathBuf};

use ign_archive::{Splitter, location::local_path, pack::SplitBy};
use pyo3::{prelude::*, types::PyDict};

use crate::{
    arguments::count,
    failure::{Result, usage},
    files::{opened, summarized},
    interrupt::interruptible,
    output::Output,
};

/// How an archive is split.
///
/// # Errors
/// Usage if not exactly one way is given.
fn split_by(
    games: Option<&Bound<PyAny>>,
    bytes: Option<&Bound<PyAny>>,
    by: Option<&str>,
) -> Result<SplitBy> {
    match (count("games", games)?, count("bytes", bytes)?, by) {
        (Some(0), None, None) => Err(usage("games is 0", "give at least 1")),
        (Some(games), None, None) => Ok(SplitBy::Games(games)),
        (None, Some(bytes), None) => Ok(SplitBy::Bytes(bytes)),
        (None, None, Some(by)) => Ok(by.parse()?),
        _ => Err(usage(
            "how to split is not one of games, bytes and by",
            "give one of them: games=100_000, bytes=95_000_000, by=\"month\"",
        )),
    }
}

/// Writes the games of an archive into several, which are described in order.
#[pyfunction]
#[pyo3(signature = (archive, games, bytes, by, folder, threads, overwrite, progress))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn split<'py>(
    py: Python<'py>,
    archive: PathBuf,
    games: Option<&Bound<'py, PyAny>>,
    bytes: Option<&Bound<'py, PyAny>>,
    by: Option<&str>,
    folder: Option<PathBuf>,
    threads: Option<&Bound<'py, PyAny>>,
    overwrite: bool,
    progress: Option<Py<PyAny>>,
) -> Result<Vec<Bound<'py, PyDict>>> {
    let by = split_by(games, bytes, by)?;
    let threads = crate::arguments::threads(threads)?;
    let written = interruptible(py, |cancel| {
        // An address is the name of an object, whose archives are written here.
        let source = local_path(&archive)
            .unwrap_or_else(|_| PathBuf::from(archive.file_name().unwrap_or_default()));
        let folder = folder.unwrap_or_else(|| source.parent().unwrap_or(Path::new("")).to_owned());
        let path = |part: &str| {
            let mut name = source.file_stem().unwrap_or_default().to_owned();
            name.push(format!("-{part}.ign"));
            folder.join(name)
        };
        let archive = opened(&archive, threads)?;
        let split = Splitter::new(by)
            .on_progress(cancel.on_progress(progress.as_ref()))
            .split(&archive, |part| {
                Output::file(&path(part), overwrite, [archive.path()])
            })?;
        let (mut outputs, mut written) = (Vec::new(), Vec::new());
        for part in split.parts {
            outputs.push(part.out);
            written.push((path(&part.name), part.summary));
        }
        Output::finish_all(outputs)?;
        Ok(written)
    })?;
    let described = written.iter().map(|(path, summary)| {
        let dict = summarized(py, summary)?;
        dict.set_item("archive", path.display().to_string())?;
        Ok(dict)
    });
    described.collect()
}
