//! New files, which appear whole or not at all.
//!
//! A file is written under a temporary name beside its final name, and locked while it is written.
//! Then it is synced and renamed. A file that replaces another has its permissions. If the final
//! name is a symbolic link, the file is written beside the target of the link, and replaces that. A
//! process that is killed leaves the temporary file, without a lock: whoever writes into that
//! folder next removes it, unless the folder has very many files.
//!
//! A file that can be continued gets a third name in between, that of its path with `.part` added.
//! It keeps this name until it is finished, also when the process ends, and nobody removes it.

use std::{
    ffi::OsStr,
    fs::{self, File, Permissions},
    io::{self, ErrorKind, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use ign_format::{
    container::checksum,
    error::{Error, Result},
};
use tempfile::TempPath;

use crate::{
    file_lock::{Lock, busy, is_same, open_locked},
    location::local_path,
};

/// What temporary names begin and end with.
const PREFIX: &str = ".ign-";
const SUFFIX: &str = ".partial";
/// What is added to the name of a file that can be continued.
const PART: &str = ".part";
/// The longest file name, in bytes, that becomes a part of the temporary name.
const MAX_NAME: usize = 200;
/// How often a new file is tried, and how long to wait in between: another process may hold the
/// lock of a temporary file for a moment, to see whether it was left over.
const ATTEMPTS: u32 = 10;
const PAUSE: Duration = Duration::from_millis(10);
/// The greatest number of files of a folder among which leftovers are looked for: many files may be
/// written into it.
const MAX_LISTED: usize = 1000;
/// The greatest number of symbolic links that are followed, as in Linux.
const MAX_LINKS: usize = 40;

/// A file that is being written. It gets its name when it is [finished](Self::finish); if it is
/// dropped before, nothing is left of it.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.ign");
/// use ign_archive::{Input, NewFile, Packer};
///
/// let input = Input::reader("games.pgn", &b"1. e4 e5 *\n"[..]);
/// let file = NewFile::create(&path, false)?;
/// // While this file is written, nobody else can write one of that name.
/// assert!(NewFile::create(&path, false).is_err());
/// let (file, _) = Packer::new().pack([input], file)?;
/// assert!(!path.exists());
/// file.finish()?;
/// assert!(path.exists());
/// # Ok(())
/// # }
/// ```
///
/// It is not buffered.
#[derive(Debug)]
pub struct NewFile {
    // Dropped before the file: while the temporary file has its name, it is locked.
    temporary: TempPath,
    file: File,
    path: PathBuf,
    replaces: bool,
    /// The permissions of the file that will be replaced.
    before: Option<Permissions>,
    /// The file that will be replaced, locked so that nobody appends to it meanwhile.
    _replaced: Option<File>,
    /// Bytes that were written.
    written: u64,
    /// From how many bytes on it is kept.
    kept_from: Option<u64>,
    /// Whether it has the name of a part, and stays when it is dropped.
    is_kept: bool,
}

impl NewFile {
    /// Whether a file of this name is the temporary file of a new one. A process that was killed has
    /// left it, unless it is in use.
    pub fn is_temporary(name: &OsStr) -> bool {
        let name = name.to_string_lossy();
        name.starts_with(PREFIX) && name.ends_with(SUFFIX)
    }

    /// Starts a file. If `replaces` is set, it may replace a regular file of that name, whose
    /// permissions it then has. If the name is a symbolic link, the target of the link is written.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if there is such a file already and may not be replaced,
    /// if the path names no file, or if another process is writing it;
    /// [`Io`](crate::ErrorKind::Io).
    pub fn create(path: impl AsRef<Path>, replaces: bool) -> Result<Self> {
        let path = &local_path(path)?;
        Self::open(path, replaces).map_err(|e| e.in_file(path))
    }

    /// Continues the file that an earlier process has [kept](Self::part_path), or starts one that
    /// is kept from its first byte on. Writing goes on after the bytes that are there.
    ///
    /// # Errors
    /// As [`create`](Self::create); [`Usage`](crate::ErrorKind::Usage) if the part is no regular
    /// file.
    pub fn resume(path: impl AsRef<Path>, replaces: bool) -> Result<Self> {
        let mut new = Self::create(path, replaces)?;
        let part = new.part_path();
        let adopted = match part.symlink_metadata() {
            Err(_) => new.keep(),
            Ok(metadata) if !metadata.is_file() => Err(Error::usage("is not a regular file")),
            Ok(_) => new.adopt(&part),
        };
        adopted.map_err(|e| e.in_file(part))?;
        Ok(new)
    }

    /// Goes on with the part of an earlier process. The temporary file has kept others away until
    /// the part is locked.
    fn adopt(&mut self, part: &Path) -> Result<()> {
        self.file = open_locked(part, File::options().read(true).write(true))?;
        self.temporary = kept_path(part)?;
        self.is_kept = true;
        Ok(())
    }

    /// From this number of written bytes on, the file is kept under its
    /// [`part_path`](Self::part_path), whatever happens, so that it can be continued. A file of
    /// this name that is there already is not replaced; then nothing is kept.
    pub fn keep_from(&mut self, bytes: u64) {
        self.kept_from = Some(bytes);
    }

    /// The name of the file while it can be continued: its path with `.part` added.
    pub fn part_path(&self) -> PathBuf {
        let mut part = self.path.clone().into_os_string();
        part.push(PART);
        part.into()
    }

    /// Gives the file the name of a part.
    fn keep(&mut self) -> Result<()> {
        let part = self.part_path();
        // Whoever else may create it holds the temporary name first.
        if part.symlink_metadata().is_ok() {
            return Err(Error::usage("already exists"));
        }
        fs::rename(&self.temporary, &part)?;
        let mut before = std::mem::replace(&mut self.temporary, kept_path(&part)?);
        before.disable_cleanup(true);
        self.is_kept = true;
        Ok(())
    }

    fn open(path: &Path, replaces: bool) -> Result<Self> {
        if path.file_name().is_none() {
            return Err(Error::usage("is the name of a folder; name a file"));
        }
        let before = match path.metadata() {
            Ok(metadata) if metadata.is_dir() => {
                return Err(Error::usage("is a directory; name a file"));
            }
            Ok(metadata) if !metadata.is_file() => {
                return Err(Error::usage("is not a regular file"));
            }
            Ok(_) if !replaces => return Err(Error::usage("already exists")),
            Err(_) if !replaces && path.is_symlink() => {
                return Err(Error::usage("is a link to a file that does not exist"));
            }
            found => found.ok().map(|metadata| metadata.permissions()),
        };
        let path = &target_of(path)?;
        let Some(name) = path.file_name() else {
            return Err(Error::usage("is a link to a folder; name a file"));
        };
        let folder = folder_of(path);
        if !folder.is_dir() {
            let folder = folder.display();
            return Err(Error::usage(format!("the folder {folder} does not exist"))
                .with_remedy("create it first"));
        }
        let temporary = folder.join(temporary_name(name));
        let (file, temporary) = create_locked(temporary, path, before.as_ref())?;
        remove_leftovers(folder);
        let replaced = if before.is_some() {
            lock_replaced(path)?
        } else {
            None
        };
        let new = Self {
            temporary,
            file,
            path: path.clone(),
            replaces,
            before,
            _replaced: replaced,
            written: 0,
            kept_from: None,
            is_kept: false,
        };
        new.check_part()?;
        Ok(new)
    }

    /// Checks that no other process is writing the part of this name.
    ///
    /// # Errors
    /// Usage, if one is.
    fn check_part(&self) -> Result<()> {
        match File::options()
            .read(true)
            .write(true)
            .open(self.part_path())
        {
            // Without permission to write it, no other process of this user writes it.
            Err(_) => Ok(()),
            Ok(part) => match Lock::try_on(&part)? {
                Lock::Busy => Err(busy(&self.path)),
                Lock::Held | Lock::Unsupported => Ok(()),
            },
        }
    }

    /// The temporary file, which can be read and written at any place.
    pub fn as_file(&self) -> &File {
        &self.file
    }

    /// The path of the file until it is finished. A program that ends early, on a signal for
    /// example, may remove it; if it does not, the next one that writes into the folder does.
    pub fn temporary_path(&self) -> &Path {
        &self.temporary
    }

    /// Waits until the file is on the disk. [`finish`](Self::finish) does so too.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io).
    pub fn sync(&self) -> Result<()> {
        self.file.sync_all().map_err(|e| self.error(e))
    }

    /// Waits until the file is on the disk, and gives it its name.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Usage`](crate::ErrorKind::Usage) if another program has
    /// created a file of that name meanwhile, which may not be replaced.
    pub fn finish(self) -> Result<()> {
        if let Some(before) = &self.before {
            keep_permissions(&self.file, before).map_err(|e| self.error(e))?;
        }
        self.sync()?;
        let Self {
            temporary,
            file,
            path,
            replaces,
            before: _,
            _replaced,
            ..
        } = self;
        // If the folder cannot be synced, the file has no name yet.
        let folder = open_folder(folder_of(&path)).map_err(|e| Error::from(e).in_file(&path))?;
        let persisted = if replaces {
            temporary.persist(&path)
        } else {
            temporary.persist_noclobber(&path)
        };
        let renamed = match persisted {
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {
                Err(Error::usage("was created by another program meanwhile"))
            }
            Err(error) => Err(error.error.into()),
            Ok(()) => sync_folder(folder).map_err(Error::from),
        };
        drop(file);
        renamed.map_err(|e: Error| e.in_file(path))
    }

    /// Gives files their names, all of them or none. If one of several cannot get its name, those
    /// that have theirs are removed, except those that have replaced others: the error names these.
    /// [`sync`](Self::sync) all of them before, because that takes longest.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_all(files: Vec<Self>) -> Result<()> {
        let is_single = files.len() == 1;
        let mut named = Vec::new();
        for file in files {
            let handle = file.file.try_clone().map_err(|e| file.error(e));
            let (path, replaces) = (file.path.clone(), file.path.exists());
            let finished = handle.and_then(|handle| {
                named.push((handle, path, replaces));
                file.finish()
            });
            match finished {
                Ok(()) => {}
                // It may have its name, if the folder could not be synced after that. It is whole
                // then.
                Err(error) if is_single => return Err(error),
                Err(error) => {
                    let there = named.iter().filter(|(file, path, _)| is_at(file, path));
                    let left: Vec<_> = there
                        .filter(|(_, path, replaces)| *replaces || fs::remove_file(path).is_err())
                        .map(|(_, path, _)| path.display().to_string())
                        .collect();
                    return Err(if left.is_empty() {
                        error
                    } else {
                        error.with_remedy(format!("already in place: {}", left.join(", ")))
                    });
                }
            }
        }
        Ok(())
    }

    fn error(&self, error: io::Error) -> Error {
        Error::from(error).in_file(&self.path)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut write = || {
            if self.is_kept {
                // What an earlier process wrote may have been read through this file.
                self.file.seek(SeekFrom::End(0))?;
            }
            self.file.write(bytes)
        };
        let written = write().map_err(|e| io::Error::from(self.error(e)))?;
        self.written += written as u64;
        if self.kept_from.is_some_and(|from| self.written >= from) {
            self.kept_from = None;
            // If it cannot be kept, it is written all the same.
            _ = self.keep();
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// The file that a path names: the target of the link, if it is a symbolic link. The target need
/// not exist.
///
/// # Errors
/// Io; usage if links form a cycle.
fn target_of(path: &Path) -> Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        if !path.is_symlink() {
            return Ok(path);
        }
        let target = fs::read_link(&path)?;
        path = folder_of(&path).join(target);
    }
    Err(Error::usage("is a symbolic link through too many others"))
}

/// Permissions for a temporary file: those of the file that it will replace, so that nobody can
/// read it who cannot read that. Its owner can write it, or could not remove it after the process
/// was killed.
#[cfg(unix)]
fn restrict(options: &mut fs::OpenOptions, before: &Permissions) {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    options.mode(before.mode() & 0o777 | 0o600);
}

#[cfg(not(unix))]
fn restrict(_: &mut fs::OpenOptions, _: &Permissions) {}

/// Gives a file the permissions of the one that it replaces, where the system can.
#[cfg(unix)]
fn keep_permissions(file: &File, before: &Permissions) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = Permissions::from_mode(before.mode() & 0o777);
    unless_refused(file.set_permissions(permissions)).map(drop)
}

#[cfg(not(unix))]
fn keep_permissions(_: &File, _: &Permissions) -> io::Result<()> {
    Ok(())
}

/// `.ign-games.ign.partial` for `games.ign`. Names that are long or not UTF-8 are replaced by their
/// checksum.
fn temporary_name(name: &OsStr) -> String {
    match name.to_str() {
        Some(name) if name.len() <= MAX_NAME => format!("{PREFIX}{name}{SUFFIX}"),
        _ => format!("{PREFIX}{:016x}{SUFFIX}", checksum(name.as_encoded_bytes())),
    }
}

/// A path that stays when it is dropped.
fn kept_path(part: &Path) -> Result<TempPath> {
    let mut path = TempPath::try_from_path(part)?;
    path.disable_cleanup(true);
    Ok(path)
}

/// Creates a temporary file and locks it. It is removed when its path is dropped. `before` are the
/// permissions of the file that it will replace.
fn create_locked(
    temporary: PathBuf,
    path: &Path,
    before: Option<&Permissions>,
) -> Result<(File, TempPath)> {
    for attempt in 0..ATTEMPTS {
        if attempt > 0 {
            thread::sleep(PAUSE);
        }
        // A file that exists is never written: it may be a link to another one.
        let mut options = File::options();
        options.read(true).write(true).create_new(true);
        if let Some(before) = before {
            restrict(&mut options, before);
        }
        match options.open(&temporary) {
            Ok(file) => {
                let lock = Lock::try_on(&file).inspect_err(|_| _ = fs::remove_file(&temporary))?;
                match lock {
                    Lock::Held | Lock::Unsupported if is_at(&file, &temporary) => {
                        return Ok((file, TempPath::try_from_path(temporary)?));
                    }
                    // Another process took it for left over.
                    _ => {}
                }
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => remove_leftover(&temporary)?,
            Err(error) => return Err(error.into()),
        }
    }
    Err(busy(path))
}

/// Removes a temporary file, unless it is being written.
///
/// # Errors
/// Io; usage if it cannot be known whether the file is being written.
fn remove_leftover(temporary: &Path) -> Result<()> {
    let file = match File::options().read(true).write(true).open(temporary) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Error::from(error).in_file(temporary)),
    };
    match Lock::try_on(&file)? {
        Lock::Busy => Ok(()),
        Lock::Held if is_at(&file, temporary) => match fs::remove_file(temporary) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        },
        // Another process has finished it and perhaps started the next one.
        Lock::Held if !temporary.is_symlink() => Ok(()),
        Lock::Held | Lock::Unsupported => Err(Error::usage("is in the way")
            .with_remedy("remove it if no other ign process is writing it")
            .in_file(temporary)),
    }
}

/// Removes temporary files of processes that were killed. What cannot be removed stays, and so does
/// what is beyond the first [`MAX_LISTED`] files of a folder.
fn remove_leftovers(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.take(MAX_LISTED) {
        if NewFile::is_temporary(&entry.file_name()) {
            _ = remove_leftover(&entry.path());
        }
    }
}

/// Whether an open file is the one at a path, not a link to it.
fn is_at(file: &File, path: &Path) -> bool {
    let metadata = path.symlink_metadata();
    metadata.is_ok_and(|metadata| is_same(file, &metadata).unwrap_or(false))
}

/// Locks a file that will be replaced. Some network file systems lock only files that are open for
/// writing, so it is, if that is permitted. Without permission to open it at all there is no lock.
///
/// # Errors
/// Usage if another process is writing it; io.
#[cfg(unix)]
fn lock_replaced(path: &Path) -> Result<Option<File>> {
    use ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    let opened = match File::options().read(true).write(true).open(path) {
        Err(error) if matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem) => {
            File::open(path)
        }
        opened => opened,
    };
    let file = match opened {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::PermissionDenied => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    match Lock::try_on(&file)? {
        Lock::Busy => Err(busy(path)),
        Lock::Held | Lock::Unsupported => Ok(Some(file)),
    }
}

/// Locks of this system keep others from reading, so there is none.
#[cfg(not(unix))]
fn lock_replaced(_: &Path) -> Result<Option<File>> {
    Ok(None)
}

/// Opens a folder to sync it, where the system can do that for a folder that may be read.
fn open_folder(folder: &Path) -> io::Result<Option<File>> {
    if cfg!(not(unix)) {
        return Ok(None);
    }
    unless_refused(File::open(folder))
}

/// Waits until the names of a folder are on the disk.
fn sync_folder(folder: Option<File>) -> io::Result<()> {
    let synced = folder.map(|folder| unless_refused(folder.sync_all()));
    synced.transpose().map(drop)
}

/// Nothing, if the system does not do this for folders, or not for this user.
fn unless_refused<R>(result: io::Result<R>) -> io::Result<Option<R>> {
    use ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    match result {
        Err(error) if matches!(error.kind(), InvalidInput | PermissionDenied | Unsupported) => {
            Ok(None)
        }
        result => result.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind as Kind;
    #[cfg(unix)]
    use crate::file_lock::open_locked;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn file_appears_whole_when_it_is_finished_and_leaves_nothing_when_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ign");
        let mut file = NewFile::create(&path, false).unwrap();
        file.write_all(b"one").unwrap();
        assert_eq!(names(folder.path()), [".ign-a.ign.partial"]);
        file.finish().unwrap();
        assert_eq!(names(folder.path()), ["a.ign"]);
        let error = NewFile::create(&path, false).unwrap_err();
        assert!(error.to_string().ends_with("already exists"), "{error}");
        let mut file = NewFile::create(&path, true).unwrap();
        file.write_all(b"two").unwrap();
        drop(file);
        assert_eq!(names(folder.path()), ["a.ign"]);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        let mut file = NewFile::create(&path, true).unwrap();
        file.write_all(b"three").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"three");
    }

    #[test]
    fn a_file_that_is_kept_stays_and_is_continued_by_one_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ign");
        let mut file = NewFile::create(&path, false).unwrap();
        file.keep_from(3);
        file.write_all(b"12").unwrap();
        assert_eq!(names(folder.path()), [".ign-a.ign.partial"]);
        file.write_all(b"34").unwrap();
        assert_eq!(names(folder.path()), ["a.ign.part"]);
        for second in [NewFile::create(&path, true), NewFile::resume(&path, true)] {
            let error = second.unwrap_err();
            assert!(error.message().contains("another ign process is writing"));
        }
        drop(file);
        // Another writer leaves it alone.
        NewFile::create(folder.path().join("b.ign"), false).unwrap();
        drop(NewFile::create(&path, false).unwrap());
        assert_eq!(names(folder.path()), ["a.ign.part"]);
        let mut file = NewFile::resume(&path, false).unwrap();
        let mut start = [0];
        crate::ReadAt::read_exact_at(file.as_file(), &mut start, 0).unwrap();
        file.write_all(b"5").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"12345");
        assert_eq!(names(folder.path()), ["a.ign"]);

        let mut file = NewFile::resume(folder.path().join("b.ign"), false).unwrap();
        assert_eq!(names(folder.path()), ["a.ign", "b.ign.part"]);
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert_eq!(names(folder.path()), ["a.ign", "b.ign"]);
        fs::create_dir(folder.path().join("c.ign.part")).unwrap();
        let error = NewFile::resume(folder.path().join("c.ign"), false).unwrap_err();
        assert!(error.message().contains("is not a regular file"), "{error}");
    }

    #[test]
    fn rejects_a_second_writer_until_the_first_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ign");
        for replaces in [false, true] {
            let first = NewFile::create(&path, replaces).unwrap();
            let error = NewFile::create(&path, replaces).unwrap_err();
            assert_eq!(error.kind(), Kind::Usage);
            assert!(error.message().contains("another ign process is writing"));
            // Other names are free.
            NewFile::create(folder.path().join("b.ign"), false).unwrap();
            assert_eq!(names(folder.path()).len(), 1 + usize::from(replaces));
            if replaces {
                drop(first)
            } else {
                first.finish().unwrap()
            }
        }
        NewFile::create(&path, true).unwrap();
    }

    #[test]
    fn removes_temporary_files_that_were_left_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let others = [".ign-x", "x.partial", "a.pgn", ".ignition.partial"];
        for name in [
            ".ign-a.ign.partial",
            ".ign-b.ign.partial",
            ".ign-Ab12.partial",
        ] {
            fs::write(folder.path().join(name), b"left").unwrap();
        }
        for name in others {
            fs::write(folder.path().join(name), b"other").unwrap();
        }
        let written = NewFile::create(folder.path().join("c.ign"), false).unwrap();
        let mut file = NewFile::create(folder.path().join("a.ign"), false).unwrap();
        file.write_all(b"new").unwrap();
        let mut expected = others.map(str::to_owned).to_vec();
        expected.extend([".ign-a.ign.partial", ".ign-c.ign.partial"].map(str::to_owned));
        expected.sort();
        assert_eq!(names(folder.path()), expected);
        file.finish().unwrap();
        written.finish().unwrap();
        assert_eq!(fs::read(folder.path().join("a.ign")).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_replaces_another_has_its_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ign");
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        for before in [0o600, 0o640, 0o444, 0o666] {
            fs::write(&path, b"old").unwrap();
            fs::set_permissions(&path, Permissions::from_mode(before)).unwrap();
            let mut file = NewFile::create(&path, true).unwrap();
            // While it is written, nobody else may do more with it.
            assert_eq!(mode(file.temporary_path()) & !before & 0o077, 0);
            file.write_all(b"new").unwrap();
            file.finish().unwrap();
            assert_eq!(mode(&path), before);
            assert_eq!(fs::read(&path).unwrap(), b"new");
            fs::remove_file(&path).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_its_target_is_written() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let [near, far] = ["near", "far"].map(|name| folder.path().join(name));
        for folder in [&near, &far] {
            fs::create_dir(folder).unwrap();
        }
        let (link, target) = (near.join("link.ign"), far.join("a.ign"));
        symlink("between.ign", &link).unwrap();
        symlink("../far/a.ign", near.join("between.ign")).unwrap();
        let write = |bytes: &[u8]| {
            let mut file = NewFile::create(&link, true).unwrap();
            file.write_all(bytes).unwrap();
            file.finish().unwrap();
            assert!(link.is_symlink());
            assert!(!target.is_symlink());
            assert_eq!(fs::read(&target).unwrap(), bytes);
            assert_eq!((names(&near).len(), names(&far).len()), (2, 1));
        };
        let without_target = NewFile::create(&link, false).unwrap_err();
        assert_eq!(without_target.kind(), Kind::Usage);
        write(b"one");
        write(b"two");
        assert!(NewFile::create(&link, false).is_err());
        // Whoever writes the link and whoever writes its target exclude each other.
        let _first = NewFile::create(&link, true).unwrap();
        assert!(NewFile::create(&target, true).is_err());
        let circle = near.join("circle.ign");
        symlink("circle.ign", &circle).unwrap();
        assert_eq!(
            NewFile::create(&circle, true).unwrap_err().kind(),
            Kind::Usage
        );
    }

    #[cfg(unix)]
    #[test]
    fn of_several_files_that_of_a_link_is_removed_at_its_target() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let [link, target, other] =
            ["a.ign", "target", "b.ign"].map(|name| folder.path().join(name));
        symlink(&target, &link).unwrap();
        let files = [&link, &other].map(|path| NewFile::create(path, true).unwrap());
        // A folder is not replaced by a file.
        fs::create_dir(&other).unwrap();
        NewFile::finish_all(files.into()).unwrap_err();
        assert!(link.is_symlink() && !target.exists());
        assert_eq!(names(folder.path()).len(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn the_replaced_file_is_locked_as_a_file_open_for_writing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ign");
        fs::write(&path, b"text").unwrap();
        let file = lock_replaced(&path).unwrap().unwrap();
        // The length of a file that is open for reading cannot be set.
        file.set_len(4).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn does_not_write_through_a_link_of_the_temporary_name() {
        let folder = tempfile::tempdir().unwrap();
        let victim = folder.path().join("victim");
        fs::write(&victim, b"text").unwrap();
        let link = folder.path().join(".ign-a.ign.partial");
        std::os::unix::fs::symlink(&victim, &link).unwrap();
        let error = NewFile::create(folder.path().join("a.ign"), false).unwrap_err();
        assert!(error.to_string().contains("is in the way"), "{error}");
        assert_eq!(fs::read(&victim).unwrap(), b"text");
    }

    #[test]
    fn threads_that_write_the_same_name_never_mix() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ign");
        thread::scope(|scope| {
            for byte in b'a'..b'e' {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..30 {
                        match NewFile::create(path, true) {
                            Ok(mut file) => {
                                file.write_all(&[byte; 100]).unwrap();
                                file.finish().unwrap();
                            }
                            Err(error) => assert_eq!(error.kind(), Kind::Usage, "{error}"),
                        }
                    }
                });
            }
        });
        assert_eq!(names(folder.path()), ["a.ign"]);
        let bytes = fs::read(&path).unwrap();
        assert!(bytes.len() == 100 && bytes.iter().all(|&byte| byte == bytes[0]));
    }

    #[test]
    fn rejects_folders_and_long_names_work() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().to_owned(), folder.path().join("none/a.ign")] {
            assert_eq!(NewFile::create(path, true).unwrap_err().kind(), Kind::Usage);
        }
        let path = folder.path().join("x".repeat(250));
        NewFile::create(&path, false).unwrap().finish().unwrap();
        assert!(path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_locked_still_has_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = &folder.path().join("a");
        fs::write(path, b"text").unwrap();
        thread::scope(|scope| {
            let replacing = scope.spawn(move || {
                for _ in 0..500 {
                    _ = NewFile::create(path, true).and_then(NewFile::finish);
                }
            });
            while !replacing.is_finished() {
                match open_locked(path, File::options().read(true).write(true)) {
                    Ok(file) => assert!(is_same(&file, &path.metadata().unwrap()).unwrap()),
                    Err(error) => assert_eq!(error.kind(), Kind::Usage, "{error}"),
                }
            }
        });
    }
}
