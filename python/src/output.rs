//! Output files that appear whole or not at all.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use ign_archive::{Error, ErrorKind, NewFile, Result};

/// Bytes collected before each write.
const BUFFER_LEN: usize = 1 << 18;

/// A temporary file next to its final name, removed unless it is finished.
pub struct Output {
    out: BufWriter<NewFile>,
    path: PathBuf,
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
                return Err(Error::usage("already exists").with_remedy(OVERWRITE));
            }
        }
        Ok(Self {
            out: BufWriter::with_capacity(BUFFER_LEN, NewFile::create(path, overwrite)?),
            path: path.to_owned(),
        })
    }

    /// The temporary file, for reading and writing without the buffer.
    pub fn as_file(&self) -> &File {
        self.out.get_ref().as_file()
    }

    /// Writes what is left and gives the files their names, all of them or none.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_all(outputs: Vec<Self>) -> Result<()> {
        let files = outputs.into_iter().map(Self::flushed);
        let files: Vec<NewFile> = files.collect::<Result<_>>()?;
        for file in &files {
            file.sync()?;
        }
        NewFile::finish_all(files)
    }

    /// Writes what is left and gives the file its name.
    ///
    /// # Errors
    /// Io; usage if another program has created the file meanwhile.
    pub fn finish(self) -> Result<()> {
        self.flushed()?
            .finish()
            .map_err(|error| match error.kind() {
                ErrorKind::Usage => error.with_remedy(OVERWRITE),
                _ => error,
            })
    }

    /// The file with all that was written.
    fn flushed(self) -> Result<NewFile> {
        let Self { out, path } = self;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error);
        file.map_err(|e| Error::from(e).in_file(path))
    }
}

/// How an existing file is replaced.
pub const OVERWRITE: &str = "overwrite=True replaces it";

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
