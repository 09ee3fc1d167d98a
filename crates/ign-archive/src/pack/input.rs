//! Inputs of the packer: text or compressed text, from files, standard input or any reader, as a
//! stream of pieces.
//!
//! The first bytes of an input decide its compression, not its name. Plain files are read in
//! ranges, and .zst files of independent frames, as pzstd writes them, frame by frame, by several
//! threads. Everything else is read by one thread while the workers work.

use std::{
    fmt,
    fs::File,
    io::{self, BufReader, Cursor, Read},
    ops::Range,
    path::{Path, PathBuf},
    slice,
    sync::{Arc, Mutex},
    thread::{self, Scope},
};

use super::{
    compression::{Compression, Frame, START, frames_between, not_whole, start_of},
    digest::Digest,
    members::Members,
    part,
};
use crate::{
    file_names::{COMPRESSED, name_of_path, path_of_bytes},
    location::{Location, Stream, message_name},
    ordered::ordered,
    progress::Counters,
    source::ReadAt,
};
use ign_format::{
    container::{Sha256, footer, frame, header},
    error::{Error, Result},
};

/// One input: text, plain or compressed by zstd, gzip or bzip2.
///
/// ```
/// use ign_archive::Input;
///
/// let inputs = [
///     Input::file("january.pgn.zst"),
///     Input::stdin(),
///     Input::reader("made.pgn", &b"1. e4 e5 *\n"[..]),
/// ];
/// assert_eq!(inputs[0].source_name(), b"january.pgn.zst");
/// ```
pub struct Input {
    from: From,
    /// The name that an archive stores for it, unless it is that of the file.
    name: Option<Vec<u8>>,
    /// The SHA-256 that its bytes must have.
    sha256: Option<Sha256>,
}

enum From {
    Stdin,
    File(PathBuf),
    /// Bytes of a file.
    Part(PathBuf, Range<u64>),
    /// A reader, until it is opened.
    Reader {
        name: String,
        reader: Mutex<Option<Box<dyn Read + Send>>>,
    },
}

/// Pieces of text in order.
pub(crate) type Pieces<'scope> = Box<dyn Iterator<Item = Result<Vec<u8>>> + Send + 'scope>;

/// Bytes of a piece, except of decompressed frames.
const PIECE: usize = 1 << 20;
/// The largest frame that is decompressed at once. A file with a larger one is read as a stream.
const MAX_FRAME: u64 = 1 << 26;

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Input").field(&self.display()).finish()
    }
}

impl<T: AsRef<Path> + ?Sized> std::convert::From<&T> for Input {
    /// [`Input::file`].
    fn from(path: &T) -> Self {
        Self::file(path.as_ref())
    }
}

impl Input {
    fn of(from: From) -> Self {
        Self {
            from,
            name: None,
            sha256: None,
        }
    }

    /// Sets the name that an archive stores for this input: a file name, or a path with `/` between
    /// its folders.
    ///
    /// ```
    /// use ign_archive::Input;
    ///
    /// let input = Input::file("/home/ann/chess/2024/may.pgn").named("2024/may.pgn");
    /// assert_eq!(input.source_name(), b"2024/may.pgn");
    /// ```
    pub fn named(mut self, name: impl Into<Vec<u8>>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets the SHA-256 that its bytes must have, as they are read: those of a compressed file are
    /// not decompressed before. It is compared at the end of the input, whose last block is not
    /// packed if it differs, and the archive [keeps](crate::Source::sha256) it.
    ///
    /// ```
    /// use ign_archive::{ErrorKind, Input, Packer, Sha256};
    ///
    /// let input = Input::reader("games.pgn", &b"1. e4 e5 *\n"[..]).sha256(Sha256::new([0; 32]));
    /// let error = Packer::new().pack([input], Vec::new()).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Corrupt);
    /// ```
    pub fn sha256(mut self, sha256: Sha256) -> Self {
        self.sha256 = Some(sha256);
        self
    }

    /// The SHA-256 that its bytes must have.
    pub(super) fn stated_sha256(&self) -> Option<Sha256> {
        self.sha256
    }

    /// The extensions of the names of compressed files.
    pub const COMPRESSED: &[&str] = COMPRESSED;

    /// A file, or with the feature `remote` an object on a server: `https://…`, `s3://…`, `gs://…`.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::of(From::File(path.into()))
    }

    /// A part of a file between two borders where it can be [divided](super::Division). It starts
    /// with the first game after the first border, and ends before the first game after the second;
    /// at the start and the end of the file, it starts and ends there. So the texts of all parts,
    /// in order, are the text of the file.
    pub fn part(path: impl Into<PathBuf>, bytes: Range<u64>) -> Self {
        Self::of(From::Part(path.into(), bytes))
    }

    /// Whether it is a part of a file.
    pub(super) fn is_part(&self) -> bool {
        matches!(self.from, From::Part(..))
    }

    /// Standard input.
    pub fn stdin() -> Self {
        Self::of(From::Stdin)
    }

    /// Any reader. It is read once; the archive keeps `name` for it. Text that is owned is read
    /// with a [`Cursor`](std::io::Cursor):
    ///
    /// ```
    /// use std::io::Cursor;
    /// use ign_archive::{Input, Packer};
    ///
    /// let text = String::from("1. e4 e5 *\n");
    /// let input = Input::reader("games.pgn", Cursor::new(text));
    /// let (_, summary) = Packer::new().pack([input], Vec::new())?;
    /// assert_eq!(summary.games, 1);
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    pub fn reader(name: impl Into<String>, reader: impl Read + Send + 'static) -> Self {
        Self::of(From::Reader {
            name: name.into(),
            reader: Mutex::new(Some(Box::new(reader))),
        })
    }

    /// A file, or standard input for `-`.
    pub fn from_name(name: impl AsRef<Path>) -> Self {
        match name.as_ref() {
            name if name == Path::new("-") => Self::stdin(),
            path => Self::file(path),
        }
    }

    /// The files that a list names, one in each line or in front of each `separator`. Each is
    /// [named](Self::named) by its path in the list, without a root; of a path with `..` by its
    /// file name. Empty lines are left out; before a line feed, so is a carriage return.
    pub fn listed(list: &[u8], separator: u8) -> Result<Vec<Self>> {
        let lines = list.split(|&byte| byte == separator);
        let lines = lines.map(|line| match line.strip_suffix(b"\r") {
            Some(line) if separator == b'\n' => line,
            _ => line,
        });
        lines
            .filter(|line| !line.is_empty())
            .map(|line| {
                let path = path_of_bytes(line)?;
                let name = name_of_path(&path);
                Ok(Self::file(path).named(name))
            })
            .collect()
    }

    /// The path of a file; `None` for other inputs.
    pub fn path(&self) -> Option<&Path> {
        match &self.from {
            From::File(path) | From::Part(path, _) => Some(path),
            From::Stdin | From::Reader { .. } => None,
        }
    }

    /// The name for messages.
    pub fn display(&self) -> PathBuf {
        match &self.from {
            From::Stdin => PathBuf::from("standard input"),
            From::File(path) | From::Part(path, _) => message_name(path),
            From::Reader { name, .. } => name.into(),
        }
    }

    /// The name that an archive stores for this input: that of [`named`](Self::named), or else the
    /// file name without folders; empty for standard input.
    pub fn source_name(&self) -> Vec<u8> {
        if let Some(name) = &self.name {
            return name.clone();
        }
        match &self.from {
            From::Stdin => Vec::new(),
            From::File(path) | From::Part(path, _) => Location::of(path)
                .map(|location| location.file_name().into_bytes())
                .unwrap_or_default(),
            From::Reader { name, .. } => name.clone().into_bytes(),
        }
    }

    /// The number of bytes on disk; `None` if it is not a regular file.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io), or [`Usage`](crate::ErrorKind::Usage) for a directory.
    pub fn len(&self) -> Result<Option<u64>> {
        match self.path() {
            Some(path) => Location::of(path)?.len(),
            None => Ok(None),
        }
    }

    /// Whether the input is an archive, by its first frame or, if that is damaged, by its last. Only
    /// regular files can be archives: an archive is read from its end. A file with the extension
    /// `.ign` must be one.
    ///
    /// # Errors
    /// As [`len`](Self::len); [`Corrupt`](crate::ErrorKind::Corrupt) if a file with the extension
    /// of archives is none, as when it is [opened](crate::Archive::open).
    pub fn is_archive(&self) -> Result<bool> {
        let Some(path) = self.path() else {
            return Ok(false);
        };
        let location = Location::of(path)?;
        if location.path().is_some() && self.len()?.is_none() {
            return Ok(false);
        }
        let read = || {
            let file = location.open()?;
            let len = file.size()?;
            let bytes = |frame_len: usize, from_end: bool| {
                let frame_len = len.min(frame_len as u64);
                let mut bytes = vec![0; frame_len as usize];
                let offset = if from_end { len - frame_len } else { 0 };
                file.read_exact_at(&mut bytes, offset)?;
                Result::Ok(bytes)
            };
            Ok(header::is_at(&bytes(header::LEN, false)?)
                || frame::is_kind(&bytes(footer::LEN, true)?, frame::Kind::Footer))
        };
        let is_archive = read().map_err(|e: Error| e.in_file(location.name()))?;
        let name = location.file_name();
        let extension = Path::new(&name).extension().unwrap_or_default();
        if !is_archive && extension.eq_ignore_ascii_case("ign") {
            return Err(header::no_archive().in_file(location.name()));
        }
        Ok(is_archive)
    }

    /// Whether bytes begin as those of a compressed file or an archive, which
    /// [`reader`](Self::reader) does not take as text.
    pub fn is_compressed(bytes: &[u8]) -> bool {
        !matches!(Compression::of(bytes), Ok(None))
    }

    /// The whole text in memory, decompressed. For small inputs.
    ///
    /// # Errors
    /// As [`len`](Self::len); [`Corrupt`](crate::ErrorKind::Corrupt) if compressed data is damaged.
    pub fn text(&self) -> Result<Vec<u8>> {
        let counters = Counters::default();
        thread::scope(|scope| {
            let mut text = Vec::new();
            for piece in self.open(scope, 1, &counters)? {
                text.extend(piece?);
            }
            Ok(text)
        })
    }

    /// Opens the input. Threads that read in advance belong to the scope.
    pub(crate) fn open<'scope>(
        &self,
        scope: &'scope Scope<'scope, '_>,
        threads: usize,
        counters: &'scope Counters,
    ) -> Result<Pieces<'scope>> {
        let name = self.display();
        let seen = Seen {
            counters,
            digest: self.sha256.map(|_| Digest::default()),
        };
        let digest = seen.digest.clone();
        let pieces = match &self.from {
            From::Stdin => stream(io::stdin(), seen),
            From::File(path) => open_file(path, self.len()?, scope, threads, seen),
            From::Part(..) if self.sha256.is_some() => {
                Err(Error::usage("a part of a file has no SHA-256 of its own"))
            }
            From::Part(path, bytes) => part::open(path, bytes, counters)
                .map(|(reader, compression)| StreamPieces::boxed(reader, compression)),
            From::Reader { reader, .. } => {
                let mut reader = reader.lock().unwrap_or_else(|e| e.into_inner());
                match reader.take() {
                    Some(reader) => stream(reader, seen),
                    None => Err(Error::usage("this reader was read already")),
                }
            }
        };
        let pieces = pieces.map_err(|e| e.in_file(&name))?;
        let stated = self.sha256.zip(digest);
        let compared = stated.into_iter().filter_map(|(stated, digest)| {
            // It is known when all pieces have been taken.
            digest.compare(&stated).err().map(Err)
        });
        Ok(Box::new(
            pieces
                .chain(compared)
                .map(move |piece| piece.map_err(|e| e.in_file(&name))),
        ))
    }
}

/// What is noted of the bytes of an input.
#[derive(Clone)]
struct Seen<'a> {
    counters: &'a Counters,
    /// Their SHA-256, if it is compared.
    digest: Option<Digest>,
}

impl Seen<'_> {
    /// Notes the next bytes of the input.
    fn note(&self, bytes: &[u8]) {
        self.counters.add_bytes(bytes.len() as u64);
        if let Some(digest) = &self.digest {
            digest.add(bytes);
        }
    }
}

/// A reader whose bytes are noted.
struct Noting<'a, R> {
    input: R,
    seen: Seen<'a>,
}

impl<R: Read> Read for Noting<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(buffer)?;
        self.seen.note(&buffer[..n]);
        Ok(n)
    }
}

fn open_file<'scope>(
    path: &Path,
    len: Option<u64>,
    scope: &'scope Scope<'scope, '_>,
    threads: usize,
    seen: Seen<'scope>,
) -> Result<Pieces<'scope>> {
    let location = Location::of(path)?;
    let Some(path) = location.path() else {
        let source = location.open()?;
        let bytes = 0..source.size()?;
        source.will_read(slice::from_ref(&bytes));
        return stream(Stream::of(source, bytes), seen);
    };
    let file = File::open(path)?;
    let Some(len) = len else {
        return stream(file, seen);
    };
    match Compression::of(&start_of(&file, len)?)? {
        None => {
            let file = Arc::new(file);
            let ranges = (0..len)
                .step_by(PIECE)
                .map(move |at| Ok((at, (len - at).min(PIECE as u64) as usize)));
            let read = move |(at, len): (u64, usize)| {
                let mut bytes = vec![0; len];
                file.read_exact_at(&mut bytes, at)
                    .map_err(|e| Error::from(e).at_byte(at))?;
                Ok(bytes)
            };
            let pieces = ordered(scope, threads.min(2), ranges, read);
            Ok(Box::new(pieces.inspect(move |piece| {
                if let Ok(piece) = piece {
                    seen.note(piece);
                }
            })))
        }
        Some(Compression::Zstd) => match frames_of_known_len(&file, len)? {
            Some(frames) => {
                let file = Arc::new(file);
                let read = move |frame: Frame| {
                    let stored = frame.read(&file)?;
                    let text = frame.decompress(&stored)?;
                    Ok((stored, text))
                };
                let texts = ordered(scope, threads, frames.into_iter().map(Ok), read);
                Ok(Box::new(texts.map(move |read| {
                    let (stored, text) = read?;
                    seen.note(&stored);
                    Ok(text)
                })))
            }
            None => stream(file, seen),
        },
        Some(_) => stream(file, seen),
    }
}

/// The frames of a file that pzstd wrote, if their headers have the lengths of their texts, which
/// are small enough to be decompressed at once; `None` for other files.
fn frames_of_known_len(file: &File, len: u64) -> Result<Option<Vec<Frame>>> {
    let is_small = |frame: &Frame| {
        frame.len <= MAX_FRAME && frame.text_len.is_some_and(|text_len| text_len <= MAX_FRAME)
    };
    let frames = frames_between(file, 0..len)?;
    Ok(frames.filter(|frames| frames.iter().all(is_small)))
}

/// Reads a stream by one thread, and decompresses it if it is compressed.
fn stream<'scope>(input: impl Read + Send + 'scope, seen: Seen<'scope>) -> Result<Pieces<'scope>> {
    let mut input = Noting { input, seen };
    let mut start = Vec::with_capacity(START);
    let read = (&mut input).take(START as u64).read_to_end(&mut start);
    read?;
    let compression = Compression::of(&start)?;
    let whole = Cursor::new(start).chain(input);
    Ok(match compression {
        None => StreamPieces::boxed(Box::new(whole), ""),
        Some(compression) => {
            let whole = BufReader::with_capacity(1 << 17, whole);
            let members = Members::new(compression, whole)?;
            StreamPieces::boxed(Box::new(members), compression.name())
        }
    })
}

/// The pieces of a reader, until its end or its first error.
struct StreamPieces<'a> {
    reader: Option<Box<dyn Read + Send + 'a>>,
    /// The compression's name for messages; empty if there is none.
    compression: &'static str,
    text_len: u64,
}

impl Iterator for StreamPieces<'_> {
    type Item = Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        let reader = self.reader.as_mut()?;
        let mut piece = Vec::with_capacity(PIECE);
        let read = reader.take(PIECE as u64).read_to_end(&mut piece);
        self.text_len += piece.len() as u64;
        match read {
            Ok(0) => {
                self.reader = None;
                None
            }
            Ok(_) => Some(Ok(piece)),
            Err(error) => {
                self.reader = None;
                Some(Err(self.explain(error)))
            }
        }
    }
}

impl<'a> StreamPieces<'a> {
    /// The pieces of a reader that decompresses what this compression has made.
    fn boxed(reader: Box<dyn Read + Send + 'a>, compression: &'static str) -> Pieces<'a> {
        Box::new(Self {
            reader: Some(reader),
            compression,
            text_len: 0,
        })
    }

    fn explain(&self, error: io::Error) -> Error {
        if self.compression.is_empty() || error.raw_os_error().is_some() {
            return error.into();
        }
        not_whole(self.compression, &error).at_byte(self.text_len)
    }
}
