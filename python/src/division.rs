//! What is packed: files, parts of files that several processes pack, and texts of Python.

use std::{
    io::{self, Cursor, Read},
    path::{Path, PathBuf},
};

use ign_archive::{Input, pack::Division};
use pyo3::{prelude::*, pybacked::PyBackedBytes};

use crate::{failure::Result, interrupt::Cancel};

/// What is packed. Texts have the name that the archive stores.
#[derive(FromPyObject)]
pub enum InputFile {
    /// A whole file.
    Whole(PathBuf),
    /// The part of a file between two borders.
    Part(PathBuf, u64, u64),
    /// A text.
    Text(String, PyBackedBytes),
    /// A text in pieces: an iterator of bytes.
    Pieces(String, Py<PyAny>),
}

impl InputFile {
    /// The path.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Whole(path) | Self::Part(path, ..) => Some(path),
            Self::Text(..) | Self::Pieces(..) => None,
        }
    }

    /// The input of a packer. An exception of an iterator cancels the work.
    pub fn input(self, cancel: &Cancel) -> Input {
        match self {
            Self::Whole(path) => Input::file(path),
            Self::Part(path, start, end) => Input::part(path, start..end),
            Self::Text(name, text) => Input::reader(name, Cursor::new(text)),
            Self::Pieces(name, pieces) => {
                let cancel = cancel.clone();
                let piece = Cursor::default();
                Input::reader(
                    name,
                    PiecesReader {
                        pieces,
                        piece,
                        cancel,
                    },
                )
            }
        }
    }
}

/// Reads the bytes that an iterator of Python returns, a piece at a time.
struct PiecesReader {
    pieces: Py<PyAny>,
    piece: Cursor<Vec<u8>>,
    cancel: Cancel,
}

impl PiecesReader {
    /// The next piece; `None` at the end.
    fn next(&self) -> PyResult<Option<Vec<u8>>> {
        Python::attach(|py| {
            let mut pieces = self.pieces.bind(py).try_iter()?;
            let piece = pieces.next().transpose()?;
            piece.map(|piece| piece.extract()).transpose()
        })
    }
}

impl Read for PiecesReader {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.piece.read(bytes)?;
            if read > 0 || bytes.is_empty() {
                return Ok(read);
            }
            match self.next() {
                Ok(Some(piece)) => self.piece = Cursor::new(piece),
                Ok(None) => return Ok(0),
                Err(error) => {
                    let message = error.to_string();
                    self.cancel.because_of(error);
                    return Err(io::Error::other(message));
                }
            }
        }
    }
}

/// Where a file can be divided: None before any byte; the offsets of its frames, and at last its
/// end; or why it cannot be divided.
#[derive(IntoPyObject)]
pub enum Borders {
    Anywhere(Option<()>),
    Frames(Vec<u64>),
    Nowhere(&'static str),
}

/// Where a file can be divided.
#[pyfunction]
pub fn division(py: Python, path: PathBuf) -> Result<Borders> {
    Ok(match py.detach(|| Division::of(path))? {
        Division::Frames(borders) => Borders::Frames(borders),
        Division::Nowhere(reason) => Borders::Nowhere(reason),
        _ => Borders::Anywhere(None),
    })
}
