//! Where an archive, an index or a text is: in a file, or in an object on a server.

use std::{
    io::{self, Read},
    ops::Range,
    path::{Path, PathBuf},
};

use ign_format::error::{Error, Result};
#[cfg(feature = "remote")]
use ign_remote::{Address, Object};
#[cfg(feature = "remote")]
pub use ign_remote::{Traffic, traffic};

use crate::{
    check::snapshot::{open_snapshot, read_snapshot},
    source::{self, ReadAt},
};

/// A place that was named by a path or an address.
#[derive(Debug, Clone)]
pub(crate) enum Location {
    /// A file.
    File(PathBuf),
    /// An object on a server.
    #[cfg(feature = "remote")]
    Remote(Address),
}

impl Location {
    /// The place that a name means: `https://…`, `http://…`, `s3://…` and `gs://…` are addresses, `file://…` and
    /// everything else is a path.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) for an address that names no object, and in a program
    /// without the feature `remote`.
    pub fn of(name: &Path) -> Result<Self> {
        match name.to_str().filter(|name| is_address(name)) {
            None => Ok(Self::File(name.to_path_buf())),
            Some(address) => {
                Self::of_address(address).map_err(|e| e.in_file(without_secrets(address)))
            }
        }
    }

    #[cfg(feature = "remote")]
    fn of_address(address: &str) -> Result<Self> {
        let usage = |error: io::Error| Error::usage(error.to_string());
        match ign_remote::local_path(address).map_err(usage)? {
            Some(path) => Ok(Self::File(path)),
            None => address.parse().map(Self::Remote).map_err(usage),
        }
    }

    #[cfg(not(feature = "remote"))]
    fn of_address(_: &str) -> Result<Self> {
        let error = Error::usage("is an address, and this program was built without remote files");
        Err(error.with_remedy("download the file, or build with the feature remote"))
    }

    /// The name for messages, without what may be secret in an address.
    pub fn name(&self) -> PathBuf {
        match self {
            Self::File(path) => path.clone(),
            #[cfg(feature = "remote")]
            Self::Remote(address) => address.to_string().into(),
        }
    }

    /// The name without folders.
    pub fn file_name(&self) -> String {
        match self {
            Self::File(path) => {
                let name = path.file_name().unwrap_or_default();
                name.to_string_lossy().into_owned()
            }
            #[cfg(feature = "remote")]
            Self::Remote(address) => address.name().to_owned(),
        }
    }

    /// The place of the search index beside an archive.
    pub fn index(&self) -> Self {
        match self {
            Self::File(path) => Self::File(path_of(path)),
            #[cfg(feature = "remote")]
            Self::Remote(address) => Self::Remote(address.with_suffix(".idx")),
        }
    }

    /// The place of the archive beside which a search index is, if the index is named as
    /// [`index`](Self::index) names it.
    pub fn archive(&self) -> Option<Self> {
        match self {
            Self::File(path) => {
                let is_index = path.extension().is_some_and(|extension| extension == "idx");
                is_index.then(|| Self::File(path.with_extension("")))
            }
            #[cfg(feature = "remote")]
            Self::Remote(address) => {
                let name = address.name().strip_suffix(".idx")?;
                Some(Self::Remote(address.with_name(name)))
            }
        }
    }

    /// The place of a file in the same folder.
    pub fn beside(&self, name: &str) -> Self {
        match self {
            Self::File(path) => Self::File(path.with_file_name(name)),
            #[cfg(feature = "remote")]
            Self::Remote(address) => Self::Remote(address.with_name(&name.replace('%', "%25"))),
        }
    }

    /// The path, if it is a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            #[cfg(feature = "remote")]
            Self::Remote(_) => None,
        }
    }

    /// The number of bytes; `None` if it is not a regular file.
    ///
    /// # Errors
    /// Io; usage for a directory.
    pub fn len(&self) -> Result<Option<u64>> {
        let Some(path) = self.path() else {
            let len = self.open()?.size();
            return len
                .map(Some)
                .map_err(|e| Error::from(e).in_file(self.name()));
        };
        let metadata = path.metadata().map_err(|e| Error::from(e).in_file(path))?;
        if metadata.is_dir() {
            return Err(Error::usage("is a directory; name the files in it").in_file(path));
        }
        Ok(metadata.is_file().then_some(metadata.len()))
    }

    /// Opens it for reading at any place.
    ///
    /// # Errors
    /// Io; usage if a path names no regular file.
    pub fn open(&self) -> Result<Box<dyn ReadAt>> {
        let open = || -> Result<Box<dyn ReadAt>> {
            match self {
                Self::File(path) => Ok(Box::new(source::open_file(path)?)),
                #[cfg(feature = "remote")]
                Self::Remote(address) => match Object::open(address) {
                    Err(error)
                        if error.kind() == io::ErrorKind::NotFound
                            && address.name().contains('*') =>
                    {
                        Err(Error::usage("is a pattern, and one object is needed here")
                            .with_remedy("name each object"))
                    }
                    opened => Ok(Box::new(RemoteObject(opened.map_err(Error::io)?))),
                },
            }
        };
        open().map_err(|e| e.in_file(self.name()))
    }

    /// Calls `read` with an archive file in a state in which no process is writing it, or with
    /// another source. `read` must not read bytes after the archive later.
    ///
    /// # Errors
    /// Those of `read`; as [`open`](Self::open); usage if another process is writing the file.
    pub fn read_archive<T>(&self, read: impl Fn(Box<dyn ReadAt>) -> Result<T>) -> Result<T> {
        match self {
            Self::File(path) => read_snapshot(path, |file| read(Box::new(file))),
            #[cfg(feature = "remote")]
            Self::Remote(_) => read(self.open()?),
        }
        .map_err(|e| e.in_file(self.name()))
    }

    /// Opens an archive file that may be damaged, in a state in which no process is writing it, or
    /// another source.
    ///
    /// # Errors
    /// As [`read_archive`](Self::read_archive).
    pub fn open_archive(&self) -> Result<Box<dyn ReadAt>> {
        match self {
            Self::File(path) => match open_snapshot(path) {
                Ok(file) => Ok(Box::new(file)),
                Err(error) => Err(error.in_file(path)),
            },
            #[cfg(feature = "remote")]
            Self::Remote(_) => self.open(),
        }
    }
}

/// The path of the index of an archive: its own path with `.idx` added.
pub fn path_of(archive: &Path) -> PathBuf {
    let mut path = archive.as_os_str().to_owned();
    path.push(".idx");
    path.into()
}

/// Copies a file to an object on a server, which appears there when it is complete, in place of one
/// of its name.
///
/// # Errors
/// [`Io`](crate::ErrorKind::Io); [`Usage`](crate::ErrorKind::Usage) if the address names no object
/// of a store.
#[cfg(feature = "remote")]
pub fn upload(file: impl AsRef<Path>, address: impl AsRef<Path>) -> Result<()> {
    match Location::of(address.as_ref())? {
        Location::Remote(address) => ign_remote::upload(file.as_ref(), &address)
            .map_err(|e| Error::io(e).in_file(address.to_string())),
        Location::File(path) => Err(Error::usage("is not the address of an object").in_file(path)),
    }
}

/// The name of a file for messages: the path, or the address without what may be secret in it.
pub fn message_name(path: impl AsRef<Path>) -> PathBuf {
    let path = path.as_ref();
    match (Location::of(path), path.to_str()) {
        (Ok(location), _) => location.name(),
        (Err(_), Some(address)) => without_secrets(address).into(),
        (Err(_), None) => path.to_path_buf(),
    }
}

/// The archives that an argument names: an address with `*` in its name,
/// `s3://bucket/folder/*.ign`, names all objects of the folder that match, and everything else is
/// one name. (A shell replaces patterns of files.)
///
/// # Errors
/// [`Io`](crate::ErrorKind::Io), also if no object matches.
pub fn expand(path: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
    let path = path.as_ref();
    #[cfg(feature = "remote")]
    if let Location::Remote(address) = Location::of(path)?
        && address.name().contains('*')
    {
        let in_folder = |e: io::Error| Error::io(e).in_file(address.to_string());
        let found = ign_remote::matching(&address).map_err(in_folder)?;
        if found.is_empty() {
            let error = io::Error::new(io::ErrorKind::NotFound, "no object matches the pattern");
            return Err(in_folder(error));
        }
        return Ok(found
            .iter()
            .map(|address| address.in_full().into())
            .collect());
    }
    Ok(vec![path.to_path_buf()])
}

/// The path of a file that is to be written: the path itself, or that of a `file://` address.
///
/// # Errors
/// [`Usage`](crate::ErrorKind::Usage) if it is the address of an object on a server.
pub fn local_path(path: impl AsRef<Path>) -> Result<PathBuf> {
    let location = Location::of(path.as_ref())?;
    location.path().map(Path::to_path_buf).ok_or_else(|| {
        Error::usage("is on a server, and files are written on this machine only")
            .with_remedy(
                "name a file of this machine with -o, or change a copy there, and upload it",
            )
            .in_file(location.name())
    })
}

/// An address that cannot be read, without query, fragment and user.
fn without_secrets(address: &str) -> String {
    let end = address.find(['?', '#']).unwrap_or(address.len());
    let (scheme, rest) = address[..end].split_once("://").unwrap_or_default();
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    format!("{scheme}://{rest}")
}

/// Whether a name is meant as an address: it begins with a scheme and `://`.
pub fn is_address(name: &str) -> bool {
    let scheme = name.split_once("://").map_or("", |(scheme, _)| scheme);
    // A single letter is a drive of Windows.
    scheme.len() > 1 && scheme.bytes().all(|c| c.is_ascii_alphanumeric())
}

/// Opens an archive file for reading at any place, for [`Recoverer`](crate::Recoverer). The path
/// may be an address, as in [`Archive::open`](crate::Archive::open). Returns the source, and its
/// name for messages. While it is open, bytes that another process appends are not part of it. If
/// bytes follow the archive that is in the file, as after an append that was interrupted, nobody
/// can append to it through this library until the source is dropped.
///
/// # Errors
/// [`Io`](crate::ErrorKind::Io); [`Usage`](crate::ErrorKind::Usage) if a path names no regular
/// file.
pub fn open_archive_file(path: impl AsRef<Path>) -> Result<(Box<dyn ReadAt>, PathBuf)> {
    let location = Location::of(path.as_ref())?;
    Ok((location.open_archive()?, location.name()))
}

/// Opens a file of any kind for reading at any place, as [`open_archive_file`] opens archives.
///
/// # Errors
/// As [`open_archive_file`].
pub fn open_file(path: impl AsRef<Path>) -> Result<(Box<dyn ReadAt>, PathBuf)> {
    let location = Location::of(path.as_ref())?;
    Ok((location.open()?, location.name()))
}

/// An object on a server.
#[cfg(feature = "remote")]
struct RemoteObject(Object);

#[cfg(feature = "remote")]
impl ReadAt for RemoteObject {
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.size())
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let read = self.0.read_exact_at(buffer, offset);
        read.map_err(|error| Error::io(error).into())
    }

    fn will_read(&self, ranges: &[Range<u64>]) {
        self.0.will_read(ranges.iter().cloned());
    }
}

/// Bytes of a source as a stream.
pub(crate) struct Stream<S> {
    source: S,
    bytes: Range<u64>,
}

impl<S: ReadAt> Stream<S> {
    /// The bytes of a range, which must be inside the source.
    pub fn of(source: S, bytes: Range<u64>) -> Self {
        Self { source, bytes }
    }
}

impl<S: ReadAt> Read for Stream<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.bytes.end.saturating_sub(self.bytes.start);
        let len = left.min(buffer.len() as u64) as usize;
        let part = &mut buffer[..len];
        self.source.read_exact_at(part, self.bytes.start)?;
        self.bytes.start += len as u64;
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_returns_the_bytes_of_its_range() {
        for (bytes, text) in [(0..8, "abcdefgh"), (3..5, "de"), (8..8, "")] {
            let mut read = String::new();
            let mut stream = Stream::of(b"abcdefgh".to_vec(), bytes);
            stream.read_to_string(&mut read).unwrap();
            assert_eq!(read, text);
        }
    }

    #[test]
    fn names_are_paths_unless_they_have_a_scheme() {
        for path in ["a.ign", "/tmp/a.ign", "C:\\a.ign", "c://a.ign", "a:b", "-"] {
            let location = Location::of(Path::new(path)).unwrap();
            assert_eq!(location.path(), Some(Path::new(path)));
        }
        let address = Path::new("ftp://me:pass@host/a.ign?key");
        let error = Location::of(address).unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::Usage);
        assert_eq!(error.file(), Some("ftp://host/a.ign"));
        assert_eq!(message_name(address), Path::new("ftp://host/a.ign"));
    }

    #[cfg(feature = "remote")]
    #[test]
    fn addresses_are_objects_whose_names_have_no_secrets() {
        let place = Location::of(Path::new("https://me:pass@host/b/a.ign?key=1")).unwrap();
        assert_eq!(place.name(), Path::new("https://host/b/a.ign"));
        assert_eq!(place.file_name(), "a.ign");
        assert_eq!(place.index().name(), Path::new("https://host/b/a.ign.idx"));
        assert!(place.path().is_none());
        assert_eq!(place.index().archive().unwrap().name(), place.name());
        assert!(place.archive().is_none());
        assert_eq!(
            place.beside("50%.ign").name(),
            Path::new("https://host/b/50%25.ign")
        );
        let place = Location::of(Path::new("file:///tmp/a%20b.ign")).unwrap();
        assert_eq!(place.name(), Path::new("/tmp/a b.ign"));
        assert_eq!(place.path(), Some(Path::new("/tmp/a b.ign")));
        assert_eq!(place.index().archive().unwrap().path(), place.path());
        assert_eq!(place.beside("c.ign").path(), Some(Path::new("/tmp/c.ign")));
    }
}
