//! An archive that is read: opened in a few reads, its blocks reached at once.
//!
//! Opening reads header, footer and index and trusts them as far as their
//! checksums and limits go; it looks at no block. [`crate::query::verify`] looks
//! at everything. A reader can be shared between threads: reads name their
//! position.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use ign_format::{block::Coding, container::meta::Meta};
use ign_format::{
    container::{
        footer::{self, Footer},
        frame::skippable_len,
        header,
        index::Index,
    },
    error::{Error, Result},
    model,
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
                    .with_remedy("save it to a file first"),
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
                    .with_remedy("save it to a file first"),
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

    /// Makes ready for games to be asked for: what weighted moves are decoded with is unpacked while
    /// blocks are read.
    pub fn preload(&self) {
        let requested = |meta: Meta| meta.coding == Coding::Weighted.name();
        if self.meta().is_ok_and(requested) {
            model::load_in_background();
        }
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
