//! Appending to an archive.
//!
//! ```text
//! header | metadata | blocks | index | footer ─► … | footer | mark | new blocks | index of all blocks | footer
//! ```
//!
//! Bytes of the archive are never written again. The mark is on the disk before anything else, and
//! the new index before the new footer, so the archive opens as it was until it opens with all new
//! games. Then the mark is changed to say that the append is complete.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use ign_format::{
    container::{
        NotUnderstoodCounts,
        append_mark::{self, State},
    },
    error::{Error, Kind, Result},
};

use super::{
    Input, MovesSample, Packer, Summary,
    writer::{ArchiveWriter, Fallbacks, Utf16Inputs},
};
use crate::{
    archive::Archive,
    check::{
        end::{Rest, last_footer, read_footer},
        scan::shows_complete,
        verify::check_front,
    },
    file_lock::{is_same, open_locked},
    growing::{Growing, cut, write_at},
    location::local_path,
    source::ReadAt,
};

/// Bytes collected before each write.
const BUFFER_LEN: usize = 1 << 18;

/// An archive file that is open for appending, and locked: nobody else can append to it or replace
/// it through this library. Readers are not affected. They see the new games when they open it
/// again.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.ign");
/// use ign_archive::{Appender, Archive, Input, Packer};
///
/// let january = Input::reader("january.pgn", &b"1. e4 e5 *\n"[..]);
/// Packer::new().pack([january], std::fs::File::create(&path)?)?;
///
/// let february = Input::reader("february.pgn", &b"1. d4 d5 *\n1. c4 *\n"[..]);
/// let appender = Appender::open(&path)?;
/// let packer = appender.packer()?.threads(2);
/// let summary = appender.append(packer, [february])?;
/// assert_eq!(summary.games, 3);
///
/// let archive = Archive::open(&path)?;
/// assert_eq!(archive.game(3)?.san()?, ["c4"]);
/// # Ok(())
/// # }
/// ```
///
/// A search index beside the archive answers for the games before.
/// [`IndexBuilder::extend`](crate::index::IndexBuilder::extend) adds the new ones.
#[derive(Debug)]
pub struct Appender {
    file: File,
    path: PathBuf,
    /// The same, for a process that changes its folder.
    absolute: PathBuf,
    archive: Archive,
    removed_len: u64,
}

impl Appender {
    /// Opens and locks an archive file. If an append to it was interrupted, its
    /// [remains](Archive::trailing_len) are removed, and so is parity that was not finished, if the
    /// archive is whole without it.
    ///
    /// # Errors
    /// Those of [`Archive::open`], as [`Corrupt`](crate::ErrorKind::Corrupt) if the end of the
    /// archive is damaged or cut off; [`Io`](crate::ErrorKind::Io) if the file cannot be written;
    /// [`Usage`](crate::ErrorKind::Usage) if another process is writing it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = &local_path(path)?;
        if path == Path::new("-") {
            return Err(
                Error::usage("standard output is not an archive").with_remedy("name a file")
            );
        }
        // Without a lock, for the errors of files that are no archives.
        Archive::open(path)?;
        let absolute = std::path::absolute(path)?;
        let open = || {
            let file = open_locked(path, File::options().read(true).write(true))?;
            let read = |file: &File| Archive::of_file(file.try_clone()?, path);
            let mut archive = read(&file)?;
            let removed_len = archive.trailing_len();
            // An append needs the metadata: if they are damaged, nothing is removed.
            archive.meta()?;
            if removed_len > 0 {
                let (size, end) = (file.size()?, archive.end());
                let rest = last_footer(&file, size)?.rest;
                if rest == Rest::Parity {
                    // It may be damaged, and repair the archive all the same.
                    check_front(&file, end)?;
                }
                let after_mark = end + append_mark::LEN as u64;
                if rest == Rest::Append && shows_complete(&file, size, after_mark..size)? {
                    return Err(Rest::Unknown.excess(end, size));
                }
                cut(&file, archive.end())?;
                file.sync_all()?;
                archive = read(&file)?;
            }
            Ok(Self {
                file,
                path: path.to_path_buf(),
                absolute,
                archive,
                removed_len,
            })
        };
        open().map_err(|e: Error| e.in_file(path))
    }

    /// Cuts a file to the archive that ended at byte `start` before an append, for a program that a
    /// signal ends while it appends. An append that readers may have seen stays, and so does what
    /// was appended after it. Returns whether the append stays.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Usage`](crate::ErrorKind::Usage) if the path is an address
    /// of a server.
    pub fn undo(path: impl AsRef<Path>, start: u64) -> Result<bool> {
        let path = local_path(path)?;
        Self::undo_in(&path, start).map_err(|e| e.in_file(path))
    }

    fn undo_in(path: &Path, start: u64) -> Result<bool> {
        let file = File::options().read(true).write(true).open(path)?;
        let size = file.size()?;
        let mut mark = [0; append_mark::LEN];
        // Without a whole mark nothing else has been written.
        let state = match file.read_exact_at(&mut mark, start) {
            Ok(()) => append_mark::read(&mark, start).ok(),
            Err(_) => Some(State::Appending),
        };
        let has_no_footer = || {
            let error = read_footer(&file, size).err();
            error.is_some_and(|error| error.kind() == Kind::Corrupt)
        };
        if size > start && state == Some(State::Appending) && has_no_footer() {
            cut(&file, start)?;
            return Ok(false);
        }
        Ok(size > start && state.is_some())
    }

    /// The archive as it is before anything is appended.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// The number of bytes of an interrupted append that were removed.
    pub fn removed_len(&self) -> u64 {
        self.removed_len
    }

    /// A packer with the coding, the level and the block size that the archive was packed with. If
    /// it was merged from several codings, the coding is the default.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt).
    pub fn packer(&self) -> Result<Packer<'static>> {
        Packer::like(&self.archive)
    }

    /// Packs inputs and appends them. Returns what the archive then holds; of the games that are
    /// not understood only the new ones are counted. After an error the archive is as it was, and
    /// without inputs nothing is written. It is an error if the file is replaced or removed meanwhile:
    /// the games would be lost.
    ///
    /// # Errors
    /// Those of [`Packer::pack`]; [`Usage`](crate::ErrorKind::Usage) if an input is an archive.
    pub fn append(
        self,
        packer: Packer,
        inputs: impl IntoIterator<Item = Input>,
    ) -> Result<Summary> {
        let inputs: Vec<Input> = inputs.into_iter().collect();
        if inputs.is_empty() {
            let footer = self.archive.footer();
            return Ok(Summary {
                games: footer.games,
                plies: footer.plies,
                text_len: footer.text_len,
                archive_len: footer.file_len,
                not_understood: NotUnderstoodCounts::default(),
                unread: 0,
                fallbacks: Fallbacks::default(),
                utf16: Utf16Inputs::default(),
                models_len: 0,
                unused_models: 0,
                moves_sample: MovesSample::default(),
            });
        }
        let appended = self.write(packer, &inputs);
        if appended.is_err() {
            // If this fails, the archive opens as it was, or with all games if only the last step
            // failed.
            _ = cut(&self.file, self.archive.end());
            _ = self.file.sync_all();
        }
        appended.map_err(|e| e.in_file(&self.path))
    }

    /// An error if the mark is gone: a signal handler may have cut the file to undo the append.
    fn check_mark(&self) -> Result<()> {
        let start = self.archive.end();
        let mut bytes = [0; append_mark::LEN];
        let read = self.file.read_exact_at(&mut bytes, start);
        if read.is_ok() && append_mark::read(&bytes, start).is_ok() {
            Ok(())
        } else {
            Err(Error::new(
                Kind::Cancelled,
                "the file was cut while games were appended",
            ))
        }
    }

    /// An error if the path no longer names the locked file.
    fn check_name(&self) -> Result<()> {
        let is_own = match self.absolute.metadata() {
            Ok(metadata) => is_same(&self.file, &metadata)?,
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        };
        if is_own {
            return Ok(());
        }
        let message = "the file was replaced or removed while games were appended to it";
        Err(Error::new(Kind::Io, message).with_remedy("append them again"))
    }

    fn write(&self, packer: Packer, inputs: &[Input]) -> Result<Summary> {
        let start = self.archive.end();
        let mark = |state| -> Result<()> {
            write_at(&self.file, start, &append_mark::write(start, state))?;
            Ok(self.file.sync_all()?)
        };
        mark(State::Appending)?;
        let out = BufWriter::with_capacity(BUFFER_LEN, Growing(&self.file));
        let mut writer = ArchiveWriter::after(&self.archive, out)?;
        packer.write_blocks(inputs, &mut writer, |_| Ok(()), |()| Ok(()))?;
        let (_, summary) = writer.finish_with(|out| {
            out.flush()?;
            out.get_ref().0.sync_all()?;
            self.check_mark()?;
            self.check_name()
        })?;
        self.file.sync_all()?;
        self.check_mark()?;
        mark(State::Complete)?;
        Ok(summary)
    }
}
