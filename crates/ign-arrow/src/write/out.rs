//! Keeps the error of an output.
//!
//! Encoders of CSV, JSON, Arrow and Parquet make texts of the errors of what they write to, and
//! lose whether the reader has gone away or the disk is full. So the first error is kept here, and
//! the encoder gets its kind only.

use std::{
    io::{self, ErrorKind, Write},
    sync::{Arc, Mutex, PoisonError},
};

use ign_archive::{Error, Result};

/// An output whose first error is kept.
pub struct Out<W> {
    out: W,
    kept: Kept,
}

/// The first error of an output, for whoever writes to it through an encoder.
#[derive(Clone, Default)]
pub struct Kept(Arc<Mutex<Option<Error>>>);

impl<W> Out<W> {
    /// An output, and where its error will be.
    pub fn new(out: W) -> (Self, Kept) {
        let kept = Kept::default();
        let out = Self {
            out,
            kept: kept.clone(),
        };
        (out, kept)
    }

    /// The output itself.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn keep<T>(&self, done: io::Result<T>) -> io::Result<T> {
        done.map_err(|error| match error.kind() {
            // The call is repeated.
            ErrorKind::Interrupted => error,
            kind => {
                self.kept.set(error.into());
                kind.into()
            }
        })
    }
}

impl<W: Write> Write for Out<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.out.write(bytes);
        self.keep(done)
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.out.flush();
        self.keep(done)
    }
}

impl Kept {
    fn set(&self, error: Error) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get_or_insert(error);
    }

    /// What an encoder has returned, with the error of the output in place of its own.
    pub fn or<T>(&self, done: Result<T>) -> Result<T> {
        done.map_err(|error| {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            kept.take().unwrap_or(error)
        })
    }
}
