//! The class `Game`.

use std::sync::Arc;

use ign_archive::{Archives, decode_text, format_a, format_b};
use pyo3::{
    prelude::*,
    sync::PyOnceLock,
    types::{PyBytes, PyDict, PyList, PyString, PyType},
};

use crate::{
    chess_text,
    failure::Result,
    integers::to_python,
    strings::{Names, uci_list},
};

#[doc = docs!("Game")]
#[pyclass(frozen, module = "ign_archive")]
pub struct Game {
    game: ign_archive::Game,
    opened: Arc<Archives>,
    archive: usize,
}

impl Game {
    /// A game of one of the archives.
    pub fn new(game: ign_archive::Game, opened: &Arc<Archives>, archive: usize) -> Self {
        Self {
            game,
            opened: opened.clone(),
            archive,
        }
    }

    /// Decodes a part without Python's lock.
    fn decode<'g, T: Send>(
        &'g self,
        py: Python,
        decode: impl FnOnce(&'g ign_archive::Game) -> ign_archive::Result<T> + Send,
    ) -> Result<T> {
        Ok(py.detach(|| decode(&self.game))?)
    }
}

#[pymethods]
impl Game {
    #[doc = docs!("Game.number")]
    #[getter]
    pub fn number(&self) -> u64 {
        self.opened.games_before(self.archive) + self.game.number().get()
    }

    #[doc = docs!("Game.number_in_file")]
    #[getter]
    fn number_in_file(&self) -> u64 {
        self.game.number().get()
    }

    #[doc = docs!("Game.path")]
    #[getter]
    fn path(&self) -> String {
        self.opened.archives()[self.archive]
            .path()
            .display()
            .to_string()
    }

    #[doc = docs!("Game.source")]
    #[getter]
    fn source(&self) -> std::borrow::Cow<'_, str> {
        decode_text(&self.game.source().name)
    }

    #[doc = docs!("Game.tags")]
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
        let tags = self.decode(py, |game| Ok(game.tags()?.collect::<Vec<_>>()))?;
        let names = Names::shared(py);
        let dict = PyDict::new(py);
        for (name, value) in tags {
            let name = names.get(py, &name);
            // The first value of a repeated tag counts.
            if !dict.contains(&name)? {
                dict.set_item(name, PyString::new(py, &value))?;
            }
        }
        Ok(dict)
    }

    #[doc = docs!("Game.tag")]
    #[pyo3(signature = (name, default=None))]
    fn tag<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> Result<Option<Bound<'py, PyAny>>> {
        let value = self.decode(py, |game| game.tag(name))?;
        Ok(match value {
            Some(value) => Some(PyString::new(py, &value).into_any()),
            None => default,
        })
    }

    #[doc = docs!("Game.tag_bytes")]
    fn tag_bytes<'py>(&self, py: Python<'py>, name: &str) -> Result<Option<Bound<'py, PyBytes>>> {
        let value = self.decode(py, |game| game.tag_bytes(name))?;
        Ok(value.map(|value| PyBytes::new(py, value)))
    }

    #[doc = docs!("Game.result")]
    #[getter]
    fn result<'py>(&self, py: Python<'py>) -> Result<Option<Bound<'py, PyAny>>> {
        self.tag(py, "Result", None)
    }

    #[doc = docs!("Game.moves")]
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyList>> {
        let moves = self.decode(py, |game| game.uci_codes())?;
        Ok(uci_list(py, moves.iter().copied())?)
    }

    #[doc = docs!("Game.san")]
    #[getter]
    fn san(&self, py: Python) -> Result<Vec<String>> {
        self.decode(py, |game| game.san())
    }

    #[doc = docs!("Game.plies")]
    #[getter]
    fn plies(&self, py: Python) -> Result<usize> {
        self.decode(py, |game| game.plies())
    }

    fn __len__(&self, py: Python) -> Result<usize> {
        self.plies(py)
    }

    fn __bool__(&self) -> bool {
        true
    }

    #[doc = docs!("Game.pgn_bytes")]
    #[getter]
    fn pgn_bytes<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>> {
        let text = self.decode(py, |game| game.pgn())?;
        Ok(PyBytes::new(py, text))
    }

    #[doc = docs!("Game.pgn")]
    #[getter]
    fn pgn<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyString>> {
        let text = self.decode(py, |game| game.pgn())?;
        Ok(PyString::new(py, &decode_text(text)))
    }

    #[doc = docs!("Game.clocks")]
    #[getter]
    fn clocks(&self, py: Python) -> Result<Vec<Option<f64>>> {
        let clocks = self.decode(py, |game| game.clocks())?;
        let seconds = |clock: Option<std::time::Duration>| clock.map(|time| time.as_secs_f64());
        Ok(clocks.into_iter().map(seconds).collect())
    }

    #[doc = docs!("Game.evals")]
    #[getter]
    fn evals<'py>(&self, py: Python<'py>) -> Result<Vec<Option<Bound<'py, PyAny>>>> {
        let evals = self.decode(py, |game| game.evals())?;
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let class = CLASS.import(py, "ign_archive.types", "Eval")?;
        let value = |eval: Option<ign_archive::Eval>| {
            eval.map(|eval| match eval {
                ign_archive::Eval::Centipawns(centipawns) => class.call1((centipawns, py.None())),
                ign_archive::Eval::Mate(moves) => class.call1((py.None(), moves)),
            })
            .transpose()
        };
        let evals: PyResult<_> = evals.into_iter().map(value).collect();
        Ok(evals?)
    }

    #[doc = docs!("Game.comments")]
    #[getter]
    fn comments(&self, py: Python) -> Result<Vec<(usize, String)>> {
        self.decode(py, |game| game.comments())
    }

    #[doc = docs!("Game.integer")]
    #[getter]
    fn integer<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        let integer = self.decode(py, |game| game.ign())?;
        Ok(to_python(py, &integer)?)
    }

    #[doc = docs!("Game.signature")]
    #[getter]
    fn signature(&self, py: Python) -> Result<(String, String)> {
        let signature = self.decode(py, |game| game.signature())?;
        Ok((format_a(&signature), format_b(&signature)))
    }

    #[doc = docs!("Game.to_chess")]
    fn to_chess<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        let text = self.decode(py, |game| game.pgn())?;
        let text = decode_text(text);
        let read = py.detach(|| chess_text::read(&text));
        // Without python-chess, `_chess` says so.
        let read = read.and_then(|read| read.to_python(py).ok());
        let convert = py.import("ign_archive._chess")?.getattr("to_chess")?;
        Ok(convert.call1((&*text, read))?)
    }

    fn __eq__(&self, other: &Bound<PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            other.number() == self.number() && other.path() == self.path()
        })
    }

    fn __hash__(&self) -> u64 {
        self.number()
    }

    fn __repr__(&self, py: Python) -> Result<String> {
        let tag = |name: &str| -> Result<String> {
            let value = self.decode(py, |game| game.tag(name))?;
            Ok(value.map_or_else(|| "?".to_owned(), |value| value.into_owned()))
        };
        let (white, black, result) = (tag("White")?, tag("Black")?, tag("Result")?);
        let number = self.number();
        Ok(format!("<Game {number}: {white} – {black} {result}>"))
    }
}
