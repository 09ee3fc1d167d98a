//! Tables as files.

use std::{
    io::{self, Write},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use ign_archive::Progress;
use ign_arrow::{Format, WriteOptions, Writer, error_of_arrow};
use pyo3::prelude::*;

use crate::{
    arguments::threads,
    failure::{Result, usage},
    interrupt::interruptible,
    output::Output,
    scan::Scan,
};

/// Counts the bytes that are written.
struct Counted<W> {
    out: W,
    written: Arc<AtomicU64>,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.written.fetch_add(written as u64, Ordering::Relaxed);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes the rows of a scan into a file. Returns their number.
#[pyfunction]
pub fn export(
    py: Python,
    scan: PyRef<Scan>,
    out: PathBuf,
    format: Option<&str>,
    threads: Option<&Bound<PyAny>>,
    overwrite: bool,
    progress: Option<Py<PyAny>>,
) -> Result<u64> {
    let threads = self::threads(threads)?;
    let format = match format {
        None => Format::of_path(&out)?,
        Some(name) => Format::of_extension(name).ok_or_else(|| {
            let known = Format::EXTENSIONS.map(|(extension, _)| extension);
            usage(
                format!("there is no format '{name}'"),
                format!("write one of {}", known.join(", ")),
            )
        })?,
    };
    let is_epd = format == Format::Epd;
    if is_epd && scan.columns() != ["epd"] {
        return Err(usage(
            "an EPD file has positions alone",
            "write them with archive.scan_positions([\"epd\"])",
        ));
    }
    let inputs = scan.paths();
    let rows = scan.start(py, format.encoding())?;
    interruptible(py, move |cancel| {
        let output = Output::file(&out, overwrite, inputs.iter().map(PathBuf::as_path))?;
        let written = Arc::new(AtomicU64::new(0));
        let output = Counted {
            out: output,
            written: written.clone(),
        };
        let mut options = WriteOptions::default();
        if let Some(threads) = threads {
            options = options.threads(threads);
        }
        let mut writer = Writer::new(format, output, rows.schema(), options)?;
        let mut on_progress = cancel.on_progress(progress.as_ref());
        let mut done = Progress::default();
        for batch in rows {
            let batch = batch.map_err(error_of_arrow)?;
            writer.write(&batch)?;
            done.games += batch.num_rows() as u64;
            done.bytes = written.load(Ordering::Relaxed);
            if on_progress(done).is_break() {
                // The exception that has cancelled the work is raised instead.
                return Err(ign_archive::Error::usage("cancelled"));
            }
        }
        writer.finish()?.out.finish()?;
        Ok(done.games)
    })
}
