//! Errors of the library as Python exceptions, with the same messages.
//!
//! The classes are those of `ign_archive/errors.py`.

use std::ffi::CString;

use ign_archive::{Error, ErrorKind};
use pyo3::{prelude::*, types::PyDict};

/// What ends a function: an error of the library, or a Python exception.
#[derive(Debug)]
pub enum Failure {
    /// An error of the library.
    Ign(Error),
    /// A Python exception that was raised meanwhile.
    Python(PyErr),
}

/// The result of a function that Python calls.
pub type Result<T> = std::result::Result<T, Failure>;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Ign(error)
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Python(error) => error,
            Failure::Ign(error) => Python::attach(|py| exception(py, &error).unwrap_or_else(|e| e)),
        }
    }
}

impl Failure {
    /// Names the argument in which another one is wrong.
    pub fn within(self, argument: &str) -> Self {
        match self {
            Self::Ign(error) => {
                let message = format!("{argument}: {}", error.message());
                Self::Ign(error.with_message(message))
            }
            Self::Python(_) => self,
        }
    }
}

/// The exception of an error.
fn exception(py: Python, error: &Error) -> PyResult<PyErr> {
    let system = std::error::Error::source(error)
        .and_then(|source| source.downcast_ref::<std::io::Error>())
        .and_then(|error| error.raw_os_error().or_else(|| number_of(error.kind())));
    let class = match error.kind() {
        ErrorKind::Usage => "UsageError",
        ErrorKind::Cancelled => "CancelledError",
        ErrorKind::Corrupt => "CorruptError",
        ErrorKind::Unsupported => "UnsupportedError",
        ErrorKind::Io | ErrorKind::ClosedPipe => "FileError",
        _ => "InternalError",
    };
    let fields = PyDict::new(py);
    fields.set_item("message", error.message())?;
    fields.set_item("file", error.file())?;
    fields.set_item("block", error.block())?;
    fields.set_item("game", error.game().map(u64::from))?;
    fields.set_item("byte", error.byte())?;
    fields.set_item("remedy", error.remedy().map(ToString::to_string))?;
    let make = py.import("ign_archive.errors")?.getattr("_make")?;
    let made = make.call1((class, error.to_string(), system, fields))?;
    Ok(PyErr::from_value(made))
}

/// The number of the system for an error of a server.
fn number_of(kind: std::io::ErrorKind) -> Option<i32> {
    match kind {
        std::io::ErrorKind::NotFound => Some(2),
        std::io::ErrorKind::PermissionDenied => Some(13),
        _ => None,
    }
}

/// An exception for a wrong argument.
pub fn usage(message: impl Into<String>, remedy: impl Into<String>) -> Failure {
    Error::usage(message).with_remedy(remedy).into()
}

/// An exception for an argument that is none of these names.
pub fn none_of<'n>(message: String, names: impl Iterator<Item = &'n str>) -> Failure {
    let names: Vec<&str> = names.collect();
    usage(message, format!("write one of {}", names.join(", ")))
}

/// Warns of something that is no error; `level` is 1 for the line of Python that calls, 2 for the
/// caller of it.
pub fn warn(py: Python, message: &str, level: i32) -> PyResult<()> {
    let class = py.import("ign_archive.errors")?.getattr("IgnWarning")?;
    let message = CString::new(message.replace('\0', "?")).unwrap_or_default();
    PyErr::warn(py, &class, &message, level)
}
