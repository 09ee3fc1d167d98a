//! Python strings that occur in many games, made once: moves in UCI notation, and names of tags.

use std::sync::{Mutex, PoisonError};

use ign_archive::scan::uci_moves;
use pyo3::{
    prelude::*,
    sync::PyOnceLock,
    types::{PyList, PyString},
};
use rustc_hash::FxHashMap;

/// The greatest number of names that are kept. A name of a tag can be any text.
const MAX_NAMES: usize = 1 << 12;

type Cell = PyOnceLock<Py<PyString>>;

/// Moves in UCI notation, as a list, from their codes.
pub fn uci_list(
    py: Python<'_>,
    codes: impl ExactSizeIterator<Item = u16>,
) -> PyResult<Bound<'_, PyList>> {
    static TABLE: PyOnceLock<Box<[Cell]>> = PyOnceLock::new();
    let moves = uci_moves();
    let table = TABLE.get_or_init(py, || (0..moves.len()).map(|_| Cell::new()).collect());
    PyList::new(
        py,
        codes.map(|code| {
            let cell = &table[usize::from(code)];
            cell.get_or_init(py, || {
                PyString::new(py, moves.get(code).unwrap_or_default()).unbind()
            })
            .bind(py)
        }),
    )
}

/// Names of tags.
pub struct Names(Mutex<FxHashMap<String, Py<PyString>>>);

impl Names {
    /// The names of this process.
    pub fn shared(py: Python<'_>) -> &Self {
        static NAMES: PyOnceLock<Names> = PyOnceLock::new();
        NAMES.get_or_init(py, || Self(Mutex::default()))
    }

    /// A name as a Python string.
    pub fn get<'py>(&self, py: Python<'py>, name: &str) -> Bound<'py, PyString> {
        // The lock of Python is held here and nothing below waits for it, so this lock is free.
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(string) = names.get(name) {
            return string.bind(py).clone();
        }
        let string = PyString::new(py, name);
        if names.len() < MAX_NAMES {
            names.insert(name.to_owned(), string.clone().unbind());
        }
        string
    }
}
