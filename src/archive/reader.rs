//! An archive that is read: opened in a few reads, its blocks reached at once.
//!
//! Opening reads header, footer and index and trusts them as far as their
//! checksums and limits go; it looks at no block. [`crate::query::verify`] looks
//! at everything. A reader can be shared between threads: reads name their
//! position.

use std::{
    borrow::Cow,
    fs::File,
    path::{Path, PathBuf},
};

use super::{Fixed, meta::Meta};
use crate::{
    columns::{signatures, text},
    error::{Error, Result},
    format::{
        block::{Head, Stream},
        footer::{self, Footer},
        frame::skippable_len,
        header,
        index::{BlockEntry, Index},
        signatures::Signature,
    },
};

/// An open archive.
pub struct Archive {
    file: File,
    path: PathBuf,
    len: u64,
    index: Index,
    footer: Footer,
}

impl Archive {
    /// Opens an archive.
    ///
    /// # Errors
    /// Io when the file cannot be read; corrupt or unsupported when it is no
    /// archive that this program reads.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::open_file(path).map_err(|e| e.in_file(path))
    }

    fn open_file(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            return Err(
                Error::usage("an archive is read from its end, not from a pipe")
                    .remedy("save it to a file first"),
            );
        }
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(Error::usage("is a directory; name an archive"));
        }
        if !metadata.is_file() {
            return Err(
                Error::usage("is not a plain file, and an archive is read from its end")
                    .remedy("save it to a file first"),
            );
        }
        let len = metadata.len();
        let mut archive = Self {
            file,
            path: path.to_path_buf(),
            len,
            index: Index::default(),
            footer: EMPTY,
        };
        let start = archive.read_at(0, (header::LEN as u64).min(len))?;
        header::read(&start)?;
        let footer_at = len
            .checked_sub(footer::LEN as u64)
            .filter(|&at| at >= header::LEN as u64);
        let footer_at =
            footer_at.ok_or_else(|| Error::corrupt("the archive is cut off").at_byte(len))?;
        let end = archive.read_at(footer_at, footer::LEN as u64)?;
        archive.footer = Footer::read(&end, len)?;
        let index = archive.read_at(archive.footer.index_offset, archive.footer.index_len)?;
        archive.index = Index::read(&index, archive.footer.index_offset)?;
        if archive.index.games() != archive.footer.games
            || archive.index.text_len() != archive.footer.text_len
        {
            return Err(Error::corrupt("footer and index contradict each other"));
        }
        Ok(archive)
    }

    /// The file's name, as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the file.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether it holds no text.
    pub fn is_empty(&self) -> bool {
        self.footer.text_len == 0
    }

    /// Sources and blocks.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The totals.
    pub fn footer(&self) -> &Footer {
        &self.footer
    }

    /// The metadata record.
    ///
    /// # Errors
    /// Io, or corrupt.
    pub fn meta(&self) -> Result<Meta> {
        let at = header::LEN as u64;
        let read = || {
            let start = self.read_at(at, 8)?;
            let len = skippable_len(&start).filter(|len| at + len <= self.len);
            let len =
                len.ok_or_else(|| Error::corrupt("no metadata behind the header").at_byte(at))?;
            Meta::read(&self.read_at(at, len)?)
        };
        read().map_err(|e| e.in_file(&self.path))
    }

    /// The bytes of a block, head and columns.
    ///
    /// # Errors
    /// Io.
    pub fn block_bytes(&self, block: usize) -> Result<Vec<u8>> {
        let entry = &self.index.blocks[block];
        self.read_at(entry.offset, entry.stored_len)
            .map_err(|e| e.in_block(block as u64).in_file(&self.path))
    }

    /// Numbers of the games, counted from zero, that have these squares in their
    /// signature. Of each block no more is read than its head and what is asked for.
    ///
    /// # Errors
    /// Io, or corrupt.
    pub fn find_signature(&self, wanted: &Signature) -> Result<Vec<u64>> {
        let mut found = Vec::new();
        for (number, block) in self.index.blocks.iter().enumerate() {
            let find = || match block.games {
                0 => Ok(Vec::new()),
                _ => SignatureColumn::open(self, block)?.find(wanted),
            };
            let games = find().map_err(|e| e.in_block(number as u64).in_file(&self.path))?;
            found.extend(games.into_iter().map(|game| game + block.first_game));
        }
        Ok(found)
    }

    /// The signatures of all games of a block. No more is read of it than its head and these.
    ///
    /// # Errors
    /// Io, or corrupt.
    pub fn signatures(&self, block: usize) -> Result<Vec<Signature>> {
        let entry = &self.index.blocks[block];
        let read = || match entry.games {
            0 => Ok(Vec::new()),
            _ => SignatureColumn::open(self, entry)?.all(),
        };
        read().map_err(|e| e.in_block(block as u64).in_file(&self.path))
    }

    /// Reads `len` bytes at `offset`.
    ///
    /// # Errors
    /// Io; corrupt when the file ends before.
    pub fn read_at(&self, offset: u64, len: u64) -> Result<Vec<u8>> {
        let inside = offset.checked_add(len).is_some_and(|end| end <= self.len);
        if !inside {
            return Err(Error::corrupt("the file ends early").at_byte(self.len));
        }
        let mut bytes = vec![0; len as usize];
        read_exact_at(&self.file, &mut bytes, offset)?;
        Ok(bytes)
    }
}

/// The signatures of a block, read by themselves.
struct SignatureColumn<'a> {
    archive: &'a Archive,
    head: Head,
    /// The column's place in the directory.
    place: usize,
    /// Where its frames start in the file.
    start: u64,
}

impl<'a> SignatureColumn<'a> {
    fn open(archive: &'a Archive, block: &BlockEntry) -> Result<Self> {
        let head = Head::read(&archive.read_at(block.offset, block.head_len)?)?;
        if head.games as u64 != block.games {
            return Err(Error::corrupt("index and head of a block differ"));
        }
        let place = signatures_of(&head)?;
        Ok(Self {
            archive,
            start: block.offset + block.head_len + head.frames_at(place) as u64,
            place,
            head,
        })
    }

    fn streams(&self) -> &[Stream] {
        &self.head.columns[self.place].streams
    }

    fn switches(&self) -> u8 {
        self.head.columns[self.place].switches
    }

    /// The stream of a level.
    fn level(&self, level: usize) -> Result<Cow<'static, [u8]>> {
        let (before, from) = self.streams().split_at(level.min(self.streams().len()));
        let stream = from.first();
        let stream = stream.ok_or_else(|| Error::corrupt("a level of signatures is missing"))?;
        let before: usize = before.iter().map(Stream::frame_len).sum();
        let at = self.start + before as u64;
        let frame = self.archive.read_at(at, stream.frame_len() as u64)?;
        Ok(Cow::Owned(text::unwrap(stream, &frame)?.into_owned()))
    }

    fn all(&self) -> Result<Vec<Signature>> {
        let levels: Result<Vec<_>> = (0..self.streams().len()).map(|l| self.level(l)).collect();
        signatures::decode(&levels?, self.switches(), self.head.games)
    }

    fn find(&self, wanted: &Signature) -> Result<Vec<u64>> {
        signatures::find(wanted, self.switches(), self.head.games, |l| self.level(l))
    }
}

/// The place of the signatures in the directory of a block that has games.
///
/// # Errors
/// Corrupt when there are none.
pub(super) fn signatures_of(head: &Head) -> Result<usize> {
    let place = head.place_of(Fixed::Signatures as u8);
    place.ok_or_else(|| Error::corrupt("a block lacks the signatures of its games"))
}

/// The footer of an archive that is being opened.
const EMPTY: Footer = Footer {
    index_offset: 0,
    index_len: 0,
    games: 0,
    plies: 0,
    text_len: 0,
    file_len: 0,
};

/// Fills `bytes` from a place in the file, moving nobody's cursor.
///
/// # Errors
/// Those of the system.
#[cfg(unix)]
pub fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

/// Fills `bytes` from a place in the file.
///
/// # Errors
/// Those of the system.
#[cfg(windows)]
pub fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> std::io::Result<()> {
    use std::os::windows::fs::FileExt;
    let (mut rest, mut offset) = (bytes, offset);
    while !rest.is_empty() {
        match file.seek_read(rest, offset)? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            n => (rest, offset) = (&mut rest[n..], offset + n as u64),
        }
    }
    Ok(())
}
