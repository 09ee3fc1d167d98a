//! Where data is written: standard output, or a file that appears whole or not at all.

use std::{
    fs::File,
    io::{self, BufWriter, IsTerminal, Stdout, Write},
    path::{Path, PathBuf},
};

use super::interrupt::{Undo, Unfinished};
use ign_archive::{Error, ErrorKind, NewFile, Result, local_path};

/// An open destination.
pub enum Output {
    /// Standard output.
    Stdout(BufWriter<Stdout>),
    /// A temporary file next to its final name.
    File {
        /// The temporary file.
        out: BufWriter<NewFile>,
        /// Until the file has its name, an interrupt removes it.
        unfinished: Unfinished,
    },
    /// An existing device or pipe, written directly.
    Special(BufWriter<File>, PathBuf),
}

/// Bytes collected before each write.
pub const BUFFER_LEN: usize = 1 << 18;

impl Output {
    /// Standard output, for text.
    pub fn stdout() -> Self {
        Self::Stdout(BufWriter::with_capacity(BUFFER_LEN, io::stdout()))
    }

    /// Standard output, for binary data.
    ///
    /// # Errors
    /// Usage, if standard output is a terminal.
    pub fn binary_stdout() -> Result<Self> {
        if io::stdout().is_terminal() {
            return Err(Error::usage("binary data cannot be written to a terminal")
                .with_remedy("name a file with -o, or redirect the output"));
        }
        Ok(Self::stdout())
    }

    /// A file. It gets its name when [`Output::finish`] is called.
    ///
    /// # Errors
    /// Usage, if the file exists and `force` is not set; io.
    pub fn file(path: &Path, force: bool) -> Result<Self> {
        let path = &local_path(path)?;
        Self::open(path, force).map_err(|e| e.in_file(path))
    }

    /// Refuses to overwrite an input.
    ///
    /// # Errors
    /// Usage, if `path` is one of the inputs.
    pub fn refuse_inputs<'a>(
        path: &Path,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<()> {
        let Some(output) = path.canonicalize().ok().filter(|path| path.is_file()) else {
            return Ok(());
        };
        let same = |input: &Path| input.canonicalize().is_ok_and(|input| input == output);
        if inputs.into_iter().any(same) {
            return Err(Error::usage("the output is also an input")
                .with_remedy("name another file with -o")
                .in_file(path));
        }
        Ok(())
    }

    fn open(path: &Path, force: bool) -> Result<Self> {
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => {
                return Err(Error::usage("is a directory; name a file"));
            }
            Ok(metadata) if !metadata.is_file() => {
                let file = File::options().write(true).open(path)?;
                return Ok(Self::Special(
                    BufWriter::with_capacity(BUFFER_LEN, file),
                    path.to_path_buf(),
                ));
            }
            Ok(_) if !force => {
                return Err(Error::usage("already exists").with_remedy("-f overwrites it"));
            }
            Ok(_) | Err(_) => {}
        }
        if path
            .as_os_str()
            .to_string_lossy()
            .ends_with(std::path::MAIN_SEPARATOR)
        {
            return Err(Error::usage("is the name of a folder; name a file"));
        }
        let (file, unfinished) = Unfinished::new(
            || NewFile::create(path, force),
            |file| Undo::Remove(file.temporary_path().to_path_buf()),
        )?;
        Ok(Self::File {
            out: BufWriter::with_capacity(BUFFER_LEN, file),
            unfinished,
        })
    }

    /// The temporary file, with all that was written in it, to be read and written at any place.
    ///
    /// # Errors
    /// Io; usage, if the output is no file.
    pub fn as_file(&mut self) -> Result<&File> {
        match self {
            Self::File { out, .. } => {
                out.flush()?;
                Ok(out.get_ref().as_file())
            }
            Self::Stdout(_) | Self::Special(..) => Err(Error::usage(
                "the output must be a file that can be read again",
            )
            .with_remedy("name a regular file with -o")),
        }
    }

    /// Flushes the output; syncs a file and gives it its name.
    ///
    /// # Errors
    /// Io; usage, if another process has created the file in the meantime.
    pub fn finish(self) -> Result<()> {
        match self {
            Self::Stdout(_) | Self::Special(..) => {
                let mut out = self;
                Ok(out.flush()?)
            }
            Self::File { out, unfinished } => {
                let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
                // This takes long, and an interrupt may come in between.
                file.sync()?;
                let finished = unfinished.finish(|| file.finish());
                finished.map_err(|error| match error.kind() {
                    ErrorKind::Usage => error.with_remedy("-f overwrites it"),
                    _ => error,
                })
            }
        }
    }

    /// Writes to what it is. An error names it.
    fn with<R>(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<R>) -> io::Result<R> {
        let (written, name) = match self {
            // A new file names itself.
            Self::File { out, .. } => return write(out),
            Self::Stdout(out) => (write(out), Path::new("standard output")),
            Self::Special(out, path) => (write(out), path.as_path()),
        };
        written.map_err(|e| Error::from(e).in_file(name).into())
    }
}

/// Errors name the file, so that they differ from those of the inputs.
impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(|out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.with(|out| out.flush())
    }
}
