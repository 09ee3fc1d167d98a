//! Recovery of the intact parts of a damaged archive.

use std::path::PathBuf;

use ign_archive::{
    ModelFile, Recoverer,
    location::open_archive_file,
    recover::{Lost, Method, Recovered},
};
use pyo3::{
    prelude::*,
    types::{PyDict, PyList},
};

use crate::{arguments::threads, failure::Result, interrupt::interruptible, output::Output};

/// Writes the intact parts of an archive into a new one, and reports what is lost.
#[pyfunction]
pub fn recover<'py>(
    py: Python<'py>,
    archive: PathBuf,
    out: PathBuf,
    models: Vec<PathBuf>,
    threads: Option<&Bound<'py, PyAny>>,
    overwrite: bool,
    progress: Option<Py<PyAny>>,
) -> Result<Bound<'py, PyDict>> {
    let threads = self::threads(threads)?;
    let recovered = interruptible(py, |cancel| {
        let (source, name) = open_archive_file(&archive)?;
        let output = Output::file(&out, overwrite, [archive.as_path()])?;
        let mut recoverer = Recoverer::new().on_progress(cancel.on_progress(progress.as_ref()));
        for model in models {
            recoverer = recoverer.model(ModelFile::open(model)?);
        }
        if let Some(threads) = threads {
            recoverer = recoverer.threads(threads);
        }
        let recovered = recoverer
            .recover(&*source, &name, output.as_file())
            .map_err(|e| e.in_file(&out))?;
        output.finish()?;
        Ok(recovered)
    })?;
    Ok(report(py, &recovered)?)
}

/// The report, as a dictionary.
fn report<'py>(py: Python<'py>, recovered: &Recovered) -> PyResult<Bound<'py, PyDict>> {
    let parts = |parts: &[Lost]| {
        let parts = parts.iter().map(|lost| {
            let dict = PyDict::new(py);
            dict.set_item("block", lost.block)?;
            dict.set_item("bytes", (lost.bytes.start, lost.bytes.end))?;
            let games = lost.games.as_ref();
            dict.set_item("games", games.map(|games| (*games.start(), *games.end())))?;
            dict.set_item("columns", &lost.columns)?;
            dict.set_item("lost_with", &lost.lost_with)?;
            dict.set_item("reason", &lost.reason)?;
            Ok(dict)
        });
        PyList::new(py, parts.collect::<PyResult<Vec<_>>>()?)
    };
    let dict = PyDict::new(py);
    dict.set_item(
        "method",
        match recovered.method {
            Method::Copied => "copied",
            Method::Repaired(_) => "repaired",
            _ => "rebuilt",
        },
    )?;
    dict.set_item("complete", recovered.is_complete())?;
    dict.set_item("games", recovered.games)?;
    dict.set_item("archive_bytes", recovered.archive_len)?;
    dict.set_item("lost", parts(&recovered.lost)?)?;
    dict.set_item("reduced", parts(&recovered.reduced)?)?;
    dict.set_item("notes", &recovered.notes)?;
    Ok(dict)
}
