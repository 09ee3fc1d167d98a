//! Inputs: plain text or compressed, files or standard input, as a stream of
//! pieces.
//!
//! What an input is, its first bytes tell, not its name. Where it can be read at
//! several places at once it is: a plain file in ranges, a .zst file of
//! independent frames, as pzstd writes it, frame by frame. The rest is read by
//! one thread, while the workers work.

use std::{
    fs::File,
    io::{self, Cursor, Read},
    path::{Path, PathBuf},
    sync::Arc,
    thread::{self, Scope},
};

use super::{Progress, ordered::ordered};
use crate::reader::read_exact_at;
use ign_format::{
    container::frame::{self, ZSTD_MAGIC},
    error::{Error, Kind, Result},
};

/// An input, as the user named it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// `-`
    Stdin,
    /// A file.
    File(PathBuf),
}

/// Pieces of text in order.
pub type Pieces<'scope> = Box<dyn Iterator<Item = Result<Vec<u8>>> + Send + 'scope>;

/// First bytes that tell what an input is.
const START: usize = 12;
/// Bytes of a piece where they are ours to choose.
const PIECE: usize = 1 << 20;
/// The largest frame that is decompressed at once; a file with a larger one is
/// read as a stream.
const MAX_FRAME: u64 = 1 << 26;
/// Window of zstd streams: 2 GiB, for those packed with `--long=31`.
const MAX_WINDOW_LOG: u32 = 31;
/// pzstd puts a skippable frame before each frame: this magic, the length 4,
/// and the frame's compressed size.
const PZSTD_MAGIC: u32 = 0x184D_2A50;
const PZSTD_HEADER_LEN: u64 = 12;

impl Input {
    /// Reads `-` as standard input.
    pub fn from_name(name: &Path) -> Self {
        if name == Path::new("-") {
            Self::Stdin
        } else {
            Self::File(name.to_path_buf())
        }
    }

    /// The name for messages.
    pub fn display(&self) -> PathBuf {
        match self {
            Self::Stdin => PathBuf::from("standard input"),
            Self::File(path) => path.clone(),
        }
    }

    /// The name to keep in an archive: without folders, empty for standard input.
    pub fn source_name(&self) -> Vec<u8> {
        match self {
            Self::Stdin => Vec::new(),
            Self::File(path) => path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned().into_bytes())
                .unwrap_or_default(),
        }
    }

    /// Bytes on disk, where that can be told.
    ///
    /// # Errors
    /// Io, or usage when it is a directory.
    pub fn len(&self) -> Result<Option<u64>> {
        let Self::File(path) = self else {
            return Ok(None);
        };
        let metadata = path.metadata().map_err(|e| Error::from(e).in_file(path))?;
        if metadata.is_dir() {
            return Err(Error::usage("is a directory; name the files in it").in_file(path));
        }
        Ok(metadata.is_file().then_some(metadata.len()))
    }

    /// The whole text, for what is small.
    ///
    /// # Errors
    /// Io, or usage when it is a directory.
    pub fn text(&self) -> Result<Vec<u8>> {
        let progress = Progress::default();
        thread::scope(|scope| {
            let mut text = Vec::new();
            for piece in self.open(scope, 1, &progress)? {
                text.extend(piece?);
            }
            Ok(text)
        })
    }

    /// Opens it. Threads that read ahead belong to the scope.
    ///
    /// # Errors
    /// Io, or usage when it is a directory.
    pub fn open<'scope>(
        &self,
        scope: &'scope Scope<'scope, '_>,
        threads: usize,
        progress: &'scope Progress,
    ) -> Result<Pieces<'scope>> {
        let name = self.display();
        let pieces = match self {
            Self::Stdin => stream(io::stdin(), progress).map_err(|e| e.in_file(&name))?,
            Self::File(path) => open_file(path, self.len()?, scope, threads, progress)
                .map_err(|e| e.in_file(path))?,
        };
        Ok(Box::new(
            pieces.map(move |piece| piece.map_err(|e| e.in_file(&name))),
        ))
    }
}

fn open_file<'scope>(
    path: &Path,
    len: Option<u64>,
    scope: &'scope Scope<'scope, '_>,
    threads: usize,
    progress: &'scope Progress,
) -> Result<Pieces<'scope>> {
    let file = File::open(path)?;
    let Some(len) = len else {
        return stream(file, progress);
    };
    let mut start = [0; START];
    let known = usize::try_from(len).unwrap_or(usize::MAX).min(START);
    read_exact_at(&file, &mut start[..known], 0)?;
    match Compression::of(&start[..known])? {
        None => {
            let file = Arc::new(file);
            let ranges = (0..len)
                .step_by(PIECE)
                .map(move |at| Ok((at, (len - at).min(PIECE as u64) as usize)));
            let read = move |(at, len): (u64, usize)| {
                let mut bytes = vec![0; len];
                read_exact_at(&file, &mut bytes, at).map_err(|e| Error::from(e).at_byte(at))?;
                progress.add_input(len as u64);
                Ok(bytes)
            };
            Ok(Box::new(ordered(scope, threads.min(2), ranges, read)))
        }
        Some(Compression::Zstd) => match independent_frames(&file, len)? {
            Some(frames) => {
                let file = Arc::new(file);
                let read = move |frame: Frame| {
                    let text = frame.decompress(&file)?;
                    progress.add_input(frame.len + PZSTD_HEADER_LEN);
                    Ok(text)
                };
                Ok(Box::new(ordered(
                    scope,
                    threads,
                    frames.into_iter().map(Ok),
                    read,
                )))
            }
            None => stream(file, progress),
        },
        Some(_) => stream(file, progress),
    }
}

/// How an input is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compression {
    Zstd,
    Gzip,
    Bzip2,
}

impl Compression {
    /// By the first bytes, up to [`START`] of them.
    ///
    /// # Errors
    /// Usage, when they are those of an archive: its frames are zstd's, but what
    /// they hold is no text.
    fn of(start: &[u8]) -> Result<Option<Self>> {
        if frame::is_kind(start, frame::Kind::Header) {
            return Err(
                Error::usage("is an ign archive already").with_remedy("ign unpack gives its text")
            );
        }
        let magic = start.first_chunk().map(|magic| u32::from_le_bytes(*magic));
        Ok(match start {
            // Any skippable frame may come first.
            _ if magic == Some(ZSTD_MAGIC) || magic.is_some_and(|m| m & !0xf == PZSTD_MAGIC) => {
                Some(Self::Zstd)
            }
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Self::Bzip2),
            _ => None,
        })
    }
}

/// A frame of a .zst file that can be decompressed by itself.
#[derive(Debug, Clone, Copy)]
struct Frame {
    offset: u64,
    len: u64,
    text_len: usize,
}

impl Frame {
    fn decompress(&self, file: &File) -> Result<Vec<u8>> {
        let mut bytes = vec![0; self.len as usize];
        read_exact_at(file, &mut bytes, self.offset)
            .map_err(|e| Error::from(e).at_byte(self.offset))?;
        let text = zstd::bulk::decompress(&bytes, self.text_len);
        text.map_err(|e| not_whole("zstd", &e).at_byte(self.offset))
    }
}

/// The frames of a file made by pzstd, or none when it is of another make.
fn independent_frames(file: &File, len: u64) -> Result<Option<Vec<Frame>>> {
    let mut frames = Vec::new();
    let mut at = 0;
    while at < len {
        // Header of the skippable frame and the longest header of a zstd frame.
        let mut head = [0; PZSTD_HEADER_LEN as usize + 18];
        let known = (len - at).min(head.len() as u64) as usize;
        read_exact_at(file, &mut head[..known], at)?;
        let word = |i: usize| u32::from_le_bytes(head[i..i + 4].try_into().expect("four bytes"));
        let frame_len = u64::from(word(8));
        let text_len = zstd::zstd_safe::get_frame_content_size(
            &head[PZSTD_HEADER_LEN as usize..known.max(PZSTD_HEADER_LEN as usize)],
        );
        let is_pzstd = known > PZSTD_HEADER_LEN as usize
            && word(0) == PZSTD_MAGIC
            && word(4) == 4
            && word(12) == ZSTD_MAGIC;
        let end = at + PZSTD_HEADER_LEN + frame_len;
        match text_len {
            Ok(Some(text_len))
                if is_pzstd && end <= len && frame_len <= MAX_FRAME && text_len <= MAX_FRAME =>
            {
                frames.push(Frame {
                    offset: at + PZSTD_HEADER_LEN,
                    len: frame_len,
                    text_len: text_len as usize,
                });
            }
            _ => return Ok(None),
        }
        at = end;
    }
    Ok(Some(frames))
}

/// Reads any stream by one thread, decompressing it if need be.
fn stream<'scope>(
    input: impl Read + Send + 'scope,
    progress: &'scope Progress,
) -> Result<Pieces<'scope>> {
    let mut input = Counting { input, progress };
    let mut start = Vec::with_capacity(START);
    (&mut input).take(START as u64).read_to_end(&mut start)?;
    let compression = Compression::of(&start)?;
    let whole = Cursor::new(start).chain(input);
    let (reader, name): (Box<dyn Read + Send + 'scope>, _) = match compression {
        None => (Box::new(whole), ""),
        Some(Compression::Zstd) => {
            let mut decoder = zstd::stream::read::Decoder::new(whole)?;
            decoder.window_log_max(MAX_WINDOW_LOG)?;
            (Box::new(decoder), "zstd")
        }
        Some(Compression::Gzip) => (Box::new(flate2::read::MultiGzDecoder::new(whole)), "gzip"),
        Some(Compression::Bzip2) => (Box::new(bzip2::read::MultiBzDecoder::new(whole)), "bzip2"),
    };
    Ok(Box::new(StreamPieces {
        reader: Some(reader),
        compression: name,
        text_len: 0,
    }))
}

/// Counts what is read.
struct Counting<'a, R> {
    input: R,
    progress: &'a Progress,
}

impl<R: Read> Read for Counting<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(buffer)?;
        self.progress.add_input(n as u64);
        Ok(n)
    }
}

/// Pieces of a reader, until its end or its first error.
struct StreamPieces<'a> {
    reader: Option<Box<dyn Read + Send + 'a>>,
    /// The compression's name for messages, empty without.
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

impl StreamPieces<'_> {
    fn explain(&self, error: io::Error) -> Error {
        if self.compression.is_empty() || error.raw_os_error().is_some() {
            return error.into();
        }
        not_whole(self.compression, &error).at_byte(self.text_len)
    }
}

fn not_whole(compression: &str, error: &io::Error) -> Error {
    Error::new(
        Kind::Corrupt,
        format!("the {compression} data is damaged or cut off: {error}"),
    )
    .with_remedy("fetch or copy the file again")
}
