//! Parts of files that are packed by several processes.

use std::path::{Path, PathBuf};

use ign_archive::{Division, Input};
use pyo3::prelude::*;

use crate::failure::Result;

/// A file that is packed: its path, or its path and two borders.
#[derive(FromPyObject)]
pub enum InputFile {
    /// A whole file.
    Whole(PathBuf),
    /// The part between two borders.
    Part(PathBuf, u64, u64),
}

impl InputFile {
    /// The path.
    pub fn path(&self) -> &Path {
        match self {
            Self::Whole(path) | Self::Part(path, ..) => path,
        }
    }

    /// The input of a packer.
    pub fn input(&self) -> Input {
        match self {
            Self::Whole(path) => Input::file(path),
            Self::Part(path, start, end) => Input::part(path, *start..*end),
        }
    }
}

/// Where a file can be divided: None before any byte; the offsets of its frames, and at last its end; or why it
/// cannot be divided.
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
