//! Files and objects on servers, read in parts.

use std::{ffi::OsString, path::PathBuf};

use ign_archive::{
    Error, ReadAt,
    location::{message_name, open_file},
};
use pyo3::{prelude::*, types::PyBytes};

use crate::failure::Result;

/// A file, or an object on a server.
#[pyclass(frozen)]
pub struct Source {
    source: Box<dyn ReadAt>,
    name: PathBuf,
    /// The number of bytes.
    #[pyo3(get)]
    size: u64,
}

#[pymethods]
impl Source {
    #[new]
    fn new(py: Python, path: PathBuf) -> Result<Self> {
        py.detach(|| {
            let (source, name) = open_file(path)?;
            let size = source.size().map_err(|e| Error::from(e).in_file(&name))?;
            Ok(Self { source, name, size })
        })
    }

    /// Announces that all bytes will be read.
    fn announce(&self) {
        self.source.will_read(std::slice::from_ref(&(0..self.size)));
    }

    /// The bytes from an offset on, fewer at the end.
    fn read<'py>(&self, py: Python<'py>, offset: u64, length: u64) -> Result<Bound<'py, PyBytes>> {
        let length = length.min(self.size.saturating_sub(offset));
        let bytes = py.detach(|| {
            let mut bytes = vec![0; length as usize];
            let read = self.source.read_exact_at(&mut bytes, offset);
            read.map(|()| bytes)
                .map_err(|e| Error::from(e).in_file(&self.name))
        })?;
        Ok(PyBytes::new(py, &bytes))
    }
}

/// The objects that an address with a pattern names; for everything else its own name.
#[pyfunction]
pub fn expand(py: Python, path: PathBuf) -> Result<Vec<OsString>> {
    let found = py.detach(|| ign_archive::location::expand(path))?;
    // A path of Python would change the address.
    Ok(found.into_iter().map(PathBuf::into_os_string).collect())
}

/// Copies a file to an object, which appears when it is complete, in place of one of its name.
#[pyfunction]
pub fn upload(py: Python, file: PathBuf, address: PathBuf) -> Result<()> {
    Ok(py.detach(|| ign_archive::location::upload(file, address))?)
}

/// Whether a name is an address.
#[pyfunction]
pub fn is_address(name: &str) -> bool {
    ign_archive::location::is_address(name)
}

/// The name of a path or an address for messages, without what may be secret.
#[pyfunction]
pub fn shown(path: PathBuf) -> OsString {
    message_name(path).into_os_string()
}

#[doc = docs!("traffic")]
#[pyfunction]
pub fn traffic() -> (u64, u64) {
    let traffic = ign_archive::location::traffic();
    (traffic.requests, traffic.bytes)
}
