//! Where the bytes of an archive come from.
//!
//! A reader needs a size and reads at given offsets, nothing else: a file, a buffer in memory, or
//! anything that answers requests for byte ranges.

use std::{fs::File, io, ops::Range, path::Path, sync::Arc};

use ign_format::error::{Error, Result};

/// A sequence of bytes that can be read at any offset, by several threads at once.
///
/// It is implemented for files, for buffers in memory and for shared sources. The bytes must not
/// change while an archive is open over them.
///
/// ```
/// use ign_archive::{Archive, ReadAt};
/// use std::{io, sync::atomic::{AtomicUsize, Ordering}};
///
/// /// Counts the requests that reach a source.
/// struct Counted(Vec<u8>, AtomicUsize);
///
/// impl ReadAt for Counted {
///     fn size(&self) -> io::Result<u64> {
///         self.0.size()
///     }
///
///     fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
///         self.1.fetch_add(1, Ordering::Relaxed);
///         self.0.read_exact_at(buffer, offset)
///     }
/// }
///
/// # let games = "[Event \"?\"]\n\n1. e4 *\n\n";
/// # let packer = ign_archive::Packer::new();
/// # let (bytes, _) = packer.pack([ign_archive::Input::reader("a", games.as_bytes())], Vec::new())?;
/// let archive = Archive::from_read_at(Counted(bytes, AtomicUsize::new(0)), "memory")?;
/// assert_eq!(archive.len(), 1);
/// # Ok::<(), ign_archive::Error>(())
/// ```
pub trait ReadAt: Send + Sync {
    /// The number of bytes.
    ///
    /// # Errors
    /// Those of the source.
    fn size(&self) -> io::Result<u64>;

    /// Fills the buffer with the bytes from `offset` on.
    ///
    /// # Errors
    /// [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) if the source ends inside the buffer, and
    /// those of the source.
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()>;

    /// Announces the ranges that will be read next, in order. A source that is far away may request
    /// them in advance. By default nothing happens.
    fn will_read(&self, ranges: &[Range<u64>]) {
        _ = ranges;
    }
}

impl ReadAt for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }

    #[cfg(windows)]
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        use std::os::windows::fs::FileExt;
        let (mut rest, mut offset) = (buffer, offset);
        while !rest.is_empty() {
            match self.seek_read(rest, offset)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                n => (rest, offset) = (&mut rest[n..], offset + n as u64),
            }
        }
        Ok(())
    }

    /// There are no files.
    #[cfg(not(any(unix, windows)))]
    fn read_exact_at(&self, _: &mut [u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Opens a regular file that is read at any place.
pub(crate) fn open_file(path: &Path) -> Result<File> {
    check_regular(path)?;
    Ok(File::open(path)?)
}

/// Refuses folders and pipes before they are opened, since opening a pipe waits for its writer.
pub(crate) fn check_regular(path: &Path) -> Result<()> {
    let metadata = path.metadata()?;
    if metadata.is_dir() {
        return Err(Error::usage("is a directory; name an archive"));
    }
    if !metadata.is_file() {
        return Err(
            Error::usage("is not a regular file, and an archive is read from its end")
                .with_remedy("save it to a file first"),
        );
    }
    Ok(())
}

impl ReadAt for [u8] {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let bytes = usize::try_from(offset)
            .ok()
            .and_then(|start| self.get(start..)?.get(..buffer.len()))
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(bytes);
        Ok(())
    }
}

impl ReadAt for Vec<u8> {
    fn size(&self) -> io::Result<u64> {
        self[..].size()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self[..].read_exact_at(buffer, offset)
    }
}

/// A pointer to a source is a source.
macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<S: ReadAt + ?Sized> ReadAt for $pointer {
            fn size(&self) -> io::Result<u64> {
                (**self).size()
            }

            fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
                (**self).read_exact_at(buffer, offset)
            }

            fn will_read(&self, ranges: &[Range<u64>]) {
                (**self).will_read(ranges);
            }
        }
    )*};
}

forward!(&S, Box<S>, Arc<S>);

/// A source whose errors name it, so that they differ from those of what is written meanwhile.
pub(crate) struct Named<'s>(pub &'s dyn ReadAt, pub &'s Path);

impl Named<'_> {
    fn named(&self, error: io::Error) -> io::Error {
        Error::from(error).in_file(self.1).into()
    }
}

impl ReadAt for Named<'_> {
    fn size(&self) -> io::Result<u64> {
        self.0.size().map_err(|e| self.named(e))
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let read = self.0.read_exact_at(buffer, offset);
        read.map_err(|e| self.named(e))
    }

    fn will_read(&self, ranges: &[Range<u64>]) {
        self.0.will_read(ranges);
    }
}

/// Reads `len` bytes at `offset`.
///
/// # Errors
/// Io; unsupported if they exceed the address space of the machine.
pub(crate) fn read_exact<S: ReadAt + ?Sized>(source: &S, offset: u64, len: u64) -> Result<Vec<u8>> {
    let too_long = |_| Error::unsupported("is too long for the memory of this machine");
    let mut bytes = vec![0; usize::try_from(len).map_err(too_long)?];
    source.read_exact_at(&mut bytes, offset)?;
    Ok(bytes)
}

/// The first bytes of a source.
pub(crate) struct Front<S> {
    source: S,
    /// The number of bytes.
    len: u64,
}

impl<S: ReadAt> Front<S> {
    /// The first `len` bytes of a source.
    pub fn new(source: S, len: u64) -> Self {
        Self { source, len }
    }
}

impl<S: ReadAt> ReadAt for Front<S> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        match offset.checked_add(buffer.len() as u64) {
            Some(end) if end <= self.len => self.source.read_exact_at(buffer, offset),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_read_at_offsets_and_not_past_their_end() {
        let source: Arc<[u8]> = Arc::from(&b"abcdef"[..]);
        let mut buffer = [0; 3];
        source.read_exact_at(&mut buffer, 3).unwrap();
        assert_eq!((&buffer, source.size().unwrap()), (b"def", 6));
        for offset in [4, 7, u64::MAX] {
            let error = source.read_exact_at(&mut buffer, offset).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        }
    }
}
