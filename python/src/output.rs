//! Output files that appear whole or not at all.

use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use ign_archive::{Error, Result};
use tempfile::NamedTempFile;

/// Bytes collected before each write.
const BUFFER_LEN: usize = 1 << 18;

/// A temporary file next to its final name, removed unless it is finished.
pub struct Output {
    out: BufWriter<NamedTempFile>,
    path: PathBuf,
    overwrite: bool,
}

impl Output {
    /// A file. It gets its name when [`finish`](Self::finish) is called.
    ///
    /// # Errors
    /// Usage if the file exists and may not be overwritten, or is one of the inputs; io.
    pub fn file<'a>(
        path: &Path,
        overwrite: bool,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<Self> {
        Self::open(path, overwrite, inputs).map_err(|e| e.in_file(path))
    }

    fn open<'a>(
        path: &Path,
        overwrite: bool,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<Self> {
        if path.is_dir() {
            return Err(Error::usage("is a directory; name a file"));
        }
        if let Ok(output) = path.canonicalize() {
            let same = |input: &Path| input.canonicalize().is_ok_and(|input| input == output);
            if inputs.into_iter().any(same) {
                return Err(
                    Error::usage("the output is also an input").with_remedy("name another file")
                );
            }
            if !overwrite {
                return Err(already_exists("already exists"));
            }
        }
        let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".ign-").suffix(".partial");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        Ok(Self {
            out: BufWriter::with_capacity(BUFFER_LEN, builder.tempfile_in(folder)?),
            path: path.to_owned(),
            overwrite,
        })
    }

    /// Writes what is left and gives the file its name.
    ///
    /// # Errors
    /// Io; usage if another program has created the file meanwhile.
    pub fn finish(self) -> Result<()> {
        let path = self.path.clone();
        let finish = || {
            let file = self
                .out
                .into_inner()
                .map_err(io::IntoInnerError::into_error)?;
            let persisted = match self.overwrite {
                true => file.persist(&self.path),
                false => file.persist_noclobber(&self.path),
            };
            match persisted {
                Ok(_) => Ok(()),
                Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                    Err(already_exists("was created by another program meanwhile"))
                }
                Err(error) => Err(error.error.into()),
            }
        };
        finish().map_err(|e: Error| e.in_file(path))
    }
}

fn already_exists(message: &str) -> Error {
    Error::usage(message).with_remedy("overwrite=True replaces it")
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
