//! Temporary files that exist as long as a command runs.

use std::{
    io::{BufWriter, Write},
    path::Path,
};

use tempfile::NamedTempFile;

use super::{interrupt, output::BUFFER_LEN};
use ign_archive::{Error, Result};

/// A temporary file in the folder of the system, removed when it is dropped.
pub struct Scratch(NamedTempFile);

impl Scratch {
    /// Creates an empty file.
    ///
    /// # Errors
    /// Io.
    pub fn new() -> Result<Self> {
        let folder = std::env::temp_dir();
        let create = || tempfile::Builder::new().prefix("ign-").tempfile_in(&folder);
        let file = interrupt::removed_on_interrupt(create).map_err(|e| {
            Error::from(e)
                .in_file(&folder)
                .with_remedy("set TMPDIR to another folder for temporary files")
        })?;
        Ok(Self(file))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// A buffered writer to the file.
    pub fn writer(&mut self) -> impl Write {
        BufWriter::with_capacity(BUFFER_LEN, &mut self.0)
    }
}
