//! Where data goes: a file that appears whole or not at all, or standard output.

use std::{
    fs::File,
    io::{self, BufWriter, IsTerminal, StdoutLock, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::interrupt;
use ign_format::error::{Error, Result};

/// A destination that is open.
pub enum Output {
    /// Standard output.
    Stdout(BufWriter<StdoutLock<'static>>),
    /// A temporary file beside its final name.
    File {
        /// The temporary file.
        out: BufWriter<NamedTempFile>,
        /// Its final name.
        path: PathBuf,
        /// Whether it may replace a file of that name.
        force: bool,
    },
    /// A device or a pipe that exists: written as it is.
    Special(BufWriter<File>, PathBuf),
}

/// Bytes gathered before each write.
const BUFFER: usize = 1 << 18;

impl Output {
    /// Standard output, for text.
    pub fn stdout() -> Self {
        Self::Stdout(BufWriter::with_capacity(BUFFER, io::stdout().lock()))
    }

    /// Standard output, for bytes that a terminal would not take well.
    ///
    /// # Errors
    /// Usage, when it is a terminal.
    pub fn binary_stdout() -> Result<Self> {
        if io::stdout().is_terminal() {
            return Err(Error::usage("an archive is not for a terminal")
                .with_remedy("name a file with -o, or redirect"));
        }
        Ok(Self::stdout())
    }

    /// A file. It gets its name when [`Output::finish`] is reached.
    ///
    /// # Errors
    /// Usage when it exists, unless `force`; io.
    pub fn file(path: &Path, force: bool) -> Result<Self> {
        Self::open(path, force).map_err(|e| e.in_file(path))
    }

    /// Refuses to write over what is to be read.
    ///
    /// # Errors
    /// Usage, when the file is among the inputs.
    pub fn refuse_inputs<'a>(
        path: &Path,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<()> {
        let Some(output) = path.canonicalize().ok().filter(|path| path.is_file()) else {
            return Ok(());
        };
        let same = |input: &Path| input.canonicalize().is_ok_and(|input| input == output);
        if inputs.into_iter().any(same) {
            return Err(Error::usage("is an input itself")
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
                    BufWriter::with_capacity(BUFFER, file),
                    path.to_path_buf(),
                ));
            }
            Ok(_) if !force => {
                return Err(Error::usage("exists already").with_remedy("-f overwrites it"));
            }
            Ok(_) | Err(_) => {}
        }
        if path
            .as_os_str()
            .to_string_lossy()
            .ends_with(std::path::MAIN_SEPARATOR)
        {
            return Err(Error::usage("names a folder; name a file"));
        }
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        if !folder.is_dir() {
            let folder = folder.display();
            return Err(
                Error::usage(format!("there is no folder {folder}")).with_remedy("make it first")
            );
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".ign-").suffix(".partial");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = interrupt::removes(|| builder.tempfile_in(folder))?;
        Ok(Self::File {
            out: BufWriter::with_capacity(BUFFER, file),
            path: path.to_path_buf(),
            force,
        })
    }

    /// Ends the output: flushes, syncs, and gives a file its name.
    ///
    /// # Errors
    /// Io; usage, when a file of that name has appeared meanwhile.
    pub fn finish(self) -> Result<()> {
        match self {
            Self::Stdout(mut out) => out.flush().map_err(Error::from),
            Self::Special(mut out, path) => out.flush().map_err(|e| Error::from(e).in_file(path)),
            Self::File { out, path, force } => {
                Self::persist(out, &path, force).map_err(|e| e.in_file(path))
            }
        }
    }

    fn persist(out: BufWriter<NamedTempFile>, path: &Path, force: bool) -> Result<()> {
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        let persisted = if force {
            file.persist(path)
        } else {
            file.persist_noclobber(path)
        };
        match persisted {
            Ok(_) => Ok(()),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(Error::usage("appeared meanwhile").with_remedy("-f overwrites it"))
            }
            Err(error) => Err(error.error.into()),
        }
    }

    fn inner(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(out) => out,
            Self::File { out, .. } => out,
            Self::Special(out, _) => out,
        }
    }
}

/// A file for the time that a command takes, in the system's folder for such.
pub struct Scratch(NamedTempFile);

impl Scratch {
    /// An empty one.
    ///
    /// # Errors
    /// Io.
    pub fn new() -> Result<Self> {
        let folder = std::env::temp_dir();
        let make = || tempfile::Builder::new().prefix("ign-").tempfile_in(&folder);
        let file = interrupt::removes(make);
        let file = file.map_err(|e| {
            Error::from(e)
                .in_file(&folder)
                .with_remedy("name another folder for temporary files in TMPDIR")
        })?;
        Ok(Self(file))
    }

    /// Its name.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// To be written.
    pub fn writer(&mut self) -> impl Write {
        BufWriter::with_capacity(BUFFER, &mut self.0)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner().flush()
    }
}
