//! Temporary files without a name.

#[cfg(not(target_family = "wasm"))]
use std::fs::File;
use std::{
    env,
    io::{self, Read, Seek, SeekFrom, Write},
};

use ign_format::error::{Error, Result};

use crate::source::ReadAt;

/// What a temporary file is where there are no files.
#[cfg(target_family = "wasm")]
type File = io::Cursor<Vec<u8>>;

/// A temporary file in the folder of the system. It has no name, or none that lasts, so the system
/// removes it when the process ends in any way. Its errors name the folder.
///
/// It is not buffered. Where there are no files, it is in memory.
#[derive(Debug)]
pub struct AnonymousTempFile(File);

impl AnonymousTempFile {
    /// Creates an empty file.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io).
    pub fn new() -> Result<Self> {
        #[cfg(not(target_family = "wasm"))]
        let created = tempfile::tempfile();
        #[cfg(target_family = "wasm")]
        let created = Ok(File::default());
        Ok(Self(created.map_err(named)?))
    }
}

fn named(error: io::Error) -> io::Error {
    let error = Error::from(error).in_file(env::temp_dir());
    error
        .with_remedy("set TMPDIR to another folder for temporary files")
        .into()
}

impl Read for AnonymousTempFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(named)
    }
}

impl Write for AnonymousTempFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(named)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for AnonymousTempFile {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.0.seek(place).map_err(named)
    }
}

#[cfg(target_family = "wasm")]
impl ReadAt for File {
    fn size(&self) -> io::Result<u64> {
        self.get_ref().size()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.get_ref().read_exact_at(buffer, offset)
    }
}

impl ReadAt for AnonymousTempFile {
    fn size(&self) -> io::Result<u64> {
        self.0.size().map_err(named)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.0.read_exact_at(buffer, offset).map_err(named)
    }
}
