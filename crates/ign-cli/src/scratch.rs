//! Temporary files that exist as long as a command runs.

use std::{
    io::{BufWriter, Write},
    path::Path,
};

use tempfile::NamedTempFile;

use super::{
    interrupt::{Undo, Unfinished},
    output::BUFFER_LEN,
};
use ign_archive::{Error, Result};

/// A temporary file in the folder of the system, removed when it is dropped.
pub struct Scratch {
    file: NamedTempFile,
    _unfinished: Unfinished,
}

impl Scratch {
    /// Creates an empty file.
    ///
    /// # Errors
    /// Io.
    pub fn new() -> Result<Self> {
        let folder = std::env::temp_dir();
        let create = || {
            let created = tempfile::Builder::new().prefix("ign-").tempfile_in(&folder);
            created.map_err(|e| {
                Error::from(e)
                    .in_file(&folder)
                    .with_remedy("set TMPDIR to another folder for temporary files")
            })
        };
        let (file, unfinished) =
            Unfinished::new(create, |file| Undo::Remove(file.path().to_path_buf()))?;
        Ok(Self {
            file,
            _unfinished: unfinished,
        })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// A buffered writer to the file.
    pub fn writer(&mut self) -> impl Write {
        BufWriter::with_capacity(BUFFER_LEN, &mut self.file)
    }
}
