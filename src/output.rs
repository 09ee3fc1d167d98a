//! Where data is written: standard output, or a file that appears whole or not at all.

use std::{
    fs::{self, File},
    io::{self, BufWriter, IsTerminal, Stdout, Write},
    path::{Path, PathBuf},
};

use super::interrupt::{Undo, Unfinished};
use ign_archive::{Error, ErrorKind, NewFile, Result, location::local_path};

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
/// Bytes of a file that are worth keeping: some half a million games, whose packing takes half a
/// minute.
const KEEP_FROM: u64 = 16 << 20;

/// Creates a folder, and those that it is in, unless it exists.
///
/// # Errors
/// Io, with the folder.
pub fn create_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|e| Error::from(e).in_file(path))
}

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
        let create = || {
            Unfinished::new(
                || NewFile::create(path, force),
                |file| Undo::Remove(file.temporary_path().to_path_buf()),
            )
        };
        Self::open(path, force, create).map_err(|e| e.in_file(path))
    }

    /// A file that is kept under the name of its part when it is not finished, if it is long. If
    /// `resume` is set, a part that was kept is continued, and a new file is kept from its first
    /// byte on.
    ///
    /// # Errors
    /// As [`file`](Self::file); usage if there is a part, and neither `force` nor `resume` is set.
    pub fn resumable(path: &Path, force: bool, resume: bool) -> Result<Self> {
        let path = &local_path(path)?;
        let create = || {
            let open = || {
                if resume {
                    NewFile::resume(path, force)
                } else {
                    new_resumable(path, force)
                }
            };
            Unfinished::new(open, |file| Undo::Keep {
                // What is continued is the part from the start.
                temporary: (!resume).then(|| file.temporary_path().to_path_buf()),
                part: file.part_path(),
            })
        };
        Self::open(path, force, create).map_err(|e| e.in_file(path))
    }

    /// The new file; `None` for other outputs.
    pub fn new_file(&self) -> Option<&NewFile> {
        match self {
            Self::File { out, .. } => Some(out.get_ref()),
            Self::Stdout(_) | Self::Special(..) => None,
        }
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

    fn open(
        path: &Path,
        force: bool,
        create: impl FnOnce() -> Result<(NewFile, Unfinished)>,
    ) -> Result<Self> {
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
        let (file, unfinished) = create()?;
        Ok(Self::File {
            out: BufWriter::with_capacity(BUFFER_LEN, file),
            unfinished,
        })
    }

    /// The temporary file, with all that was written in it, to be read and written at any place.
    ///
    /// # Errors
    /// Io; usage, if the output is not a file.
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
        Self::finish_all([self])
    }

    /// Finishes outputs of which either all appear or none. All files are complete and synced
    /// before the first one gets its name. If one of them cannot get its name, those that have
    /// theirs are removed. What a file has replaced is lost then; the error names such files.
    ///
    /// # Errors
    /// As [`Output::finish`].
    pub fn finish_all(outputs: impl IntoIterator<Item = Self>) -> Result<()> {
        let (mut files, mut all_unfinished) = (Vec::new(), Vec::new());
        for mut output in outputs {
            match output {
                Self::Stdout(_) | Self::Special(..) => output.flush()?,
                Self::File { out, unfinished } => {
                    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
                    // This takes long, and an interrupt may come in between.
                    file.sync()?;
                    files.push(file);
                    all_unfinished.push(unfinished);
                }
            }
        }
        Unfinished::finish_all(all_unfinished, || NewFile::finish_all(files)).map_err(|e| {
            match e.kind() {
                ErrorKind::Usage => e.with_remedy("-f overwrites it"),
                _ => e,
            }
        })
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

/// Starts a file that is kept when it is long.
///
/// # Errors
/// As [`NewFile::create`]; usage if there is a part, and `force` is not set.
fn new_resumable(path: &Path, force: bool) -> Result<NewFile> {
    let mut file = NewFile::create(path, force)?;
    let part = file.part_path();
    if part.symlink_metadata().is_ok() {
        if !force {
            return Err(Error::usage("is what a stopped command has kept")
                .with_remedy("--resume continues it; -f starts again")
                .in_file(part));
        }
        fs::remove_file(&part).map_err(|e| Error::from(e).in_file(&part))?;
    }
    file.keep_from(KEEP_FROM);
    Ok(file)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Two outputs, and a file that another program writes under the second name meanwhile.
    fn finished(folder: &Path, force: bool) -> (Error, [PathBuf; 2]) {
        let paths = ["a-001.ign", "a-002.ign"].map(|name| folder.join(name));
        let outputs = paths.each_ref().map(|path| {
            let mut output = Output::file(path, force).unwrap();
            output.write_all(b"new").unwrap();
            output
        });
        // A folder is not replaced by a file, whatever is forced.
        fs::create_dir(&paths[1]).unwrap();
        (Output::finish_all(outputs).unwrap_err(), paths)
    }

    #[test]
    fn of_several_files_none_appears_if_one_gets_no_name() {
        let folder = tempfile::tempdir().unwrap();
        let (error, paths) = finished(folder.path(), false);
        let place = paths[1].display().to_string();
        assert!(error.to_string().starts_with(&place), "{error}");
        assert!(!error.to_string().contains("already in place"), "{error}");
        let names = fs::read_dir(folder.path()).unwrap();
        assert_eq!(names.count(), 1, "the folder of another program alone");
    }

    #[test]
    fn files_that_have_replaced_others_stay_and_are_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a-001.ign"), "old").unwrap();
        let (error, paths) = finished(folder.path(), true);
        let left = format!("(already in place: {})", paths[0].display());
        assert!(error.to_string().ends_with(&left), "{error}");
        assert_eq!(fs::read(&paths[0]).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
