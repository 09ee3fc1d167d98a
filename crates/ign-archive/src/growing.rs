//! Changes at the end of a file that other processes may be reading.
//!
//! All changes of an append and of parity go through this file, so that a test can record each
//! state of the file that a reader can meet.

use std::{
    fs::File,
    io::{self, Seek, SeekFrom, Write},
};

use ign_format::error::Result;

/// Writes bytes at a place of a file.
///
/// # Errors
/// Io.
pub(crate) fn write_at(mut file: &File, at: u64, bytes: &[u8]) -> Result<()> {
    file.seek(SeekFrom::Start(at))?;
    Growing(file).write_all(bytes)?;
    Ok(())
}

/// Cuts a file to a length.
///
/// # Errors
/// Io.
pub(crate) fn cut(file: &File, len: u64) -> Result<()> {
    file.set_len(len)?;
    #[cfg(test)]
    record::note(file);
    Ok(())
}

/// A file that is written from its position on.
pub(crate) struct Growing<'f>(pub &'f File);

impl Write for Growing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.0.write(bytes);
        #[cfg(test)]
        record::note(self.0);
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The states of a file, for tests.
#[cfg(test)]
pub(crate) mod record {
    use std::{cell::RefCell, fs::File};

    use crate::source::ReadAt as _;

    thread_local! {
        static STATES: RefCell<Option<Vec<Vec<u8>>>> = const { RefCell::new(None) };
    }

    /// The bytes of the file after each change that `work` makes on this thread.
    pub(crate) fn states(work: impl FnOnce()) -> Vec<Vec<u8>> {
        STATES.set(Some(Vec::new()));
        work();
        STATES.take().unwrap_or_default()
    }

    pub(super) fn note(file: &File) {
        STATES.with_borrow_mut(|states| {
            if let Some(states) = states {
                let mut bytes = vec![0; file.size().unwrap() as usize];
                file.read_exact_at(&mut bytes, 0).unwrap();
                states.push(bytes);
            }
        });
    }
}
