//! The class `Game`.

use std::{sync::Arc, time::Duration};

use ign_archive::{
    ErrorKind,
    movetext::Line,
    query::{Date, format_a, format_b},
    shakmaty::Position as _,
    text::decode_text,
};
use pyo3::{
    prelude::*,
    sync::PyOnceLock,
    types::{PyBytes, PyDict, PyList, PyString, PyType},
};

use crate::{
    archive::Archive,
    chess_text,
    failure::Result,
    integers::to_python,
    opened::{Opened, Reduced},
    strings::{Names, uci_list},
};

#[doc = docs!("Game")]
#[pyclass(frozen, module = "ign_archive")]
pub struct Game {
    game: ign_archive::Game,
    opened: Arc<Opened>,
    archive: usize,
}

impl Game {
    /// A game of one of the archives.
    pub fn new(game: ign_archive::Game, opened: &Arc<Opened>, archive: usize) -> Self {
        Self {
            game,
            opened: opened.clone(),
            archive,
        }
    }

    /// The archives of the game.
    pub fn opened(&self) -> &Arc<Opened> {
        &self.opened
    }

    /// The first of the tags that the game has, for example that of PGN or that of SGF.
    fn first_tag<'py>(
        &self,
        py: Python<'py>,
        names: [&str; 2],
    ) -> Result<Option<Bound<'py, PyString>>> {
        let value = self.decode(py, |game| {
            let mut values = names.into_iter().map(|name| game.tag(name));
            values.find_map(ign_archive::Result::transpose).transpose()
        })?;
        Ok(value.map(|value| PyString::new(py, &value)))
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

/// A variation after some plies of the game, as the class `Variation` of `ign_archive/types.py`.
fn variation<'py>(
    class: &Bound<'py, PyAny>,
    plies: usize,
    line: &Line,
) -> PyResult<Bound<'py, PyAny>> {
    let comments = line.comments.iter().map(|comment| (plies, comment));
    let mut comments: Vec<(usize, &String)> = comments.collect();
    let mut glyphs = Vec::new();
    let mut variations = Vec::new();
    for (before, played) in (plies..).zip(&line.moves) {
        let after = before + 1;
        comments.extend(played.comments.iter().map(|comment| (after, comment)));
        glyphs.extend(played.nags.iter().map(|nag| (after, nag.0)));
        for line in &played.variations {
            variations.push(variation(class, before, line)?);
        }
    }
    let san = line.moves.iter().map(|played| played.san.to_string());
    let fields = PyDict::new(class.py());
    fields.set_item("plies", plies)?;
    fields.set_item("san", san.collect::<Vec<_>>())?;
    fields.set_item("comments", comments)?;
    fields.set_item("glyphs", glyphs)?;
    fields.set_item("variations", variations)?;
    class.call((), Some(&fields))
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

    #[doc = docs!("Game.white")]
    #[getter]
    fn white<'py>(&self, py: Python<'py>) -> Result<Option<Bound<'py, PyString>>> {
        self.first_tag(py, ["White", "PW"])
    }

    #[doc = docs!("Game.black")]
    #[getter]
    fn black<'py>(&self, py: Python<'py>) -> Result<Option<Bound<'py, PyString>>> {
        self.first_tag(py, ["Black", "PB"])
    }

    #[doc = docs!("Game.date")]
    #[getter]
    fn date<'py>(&self, py: Python<'py>) -> Result<Option<Bound<'py, PyAny>>> {
        let date = self.decode(py, |game| {
            for name in ["UTCDate", "Date", "DT"] {
                let date = game
                    .tag(name)?
                    .and_then(|value| Date::read(value.as_bytes()));
                if date.is_some() {
                    return Ok(date);
                }
            }
            Ok(None)
        })?;
        let Some(date) = date.filter(|date| date.day > 0) else {
            return Ok(None);
        };
        let class = py.import("datetime")?.getattr("date")?;
        // The day may be in no calendar.
        Ok(class.call1((date.year, date.month, date.day)).ok())
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

    /// The pieces of the last position as in a FEN, for drawings; `None` without moves, and if
    /// shakmaty does not accept the start.
    #[getter]
    fn _last_board(&self, py: Python) -> Result<Option<String>> {
        self.decode(py, |game| {
            let positions = match game.positions() {
                Err(error) if error.kind() == ErrorKind::Unsupported => return Ok(None),
                positions => positions?,
            };
            let last = positions
                .last()
                .filter(|_| game.plies().is_ok_and(|plies| plies > 0));
            Ok(last.map(|position| position.board().to_string()))
        })
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

    #[doc = docs!("Game.standard_pgn")]
    #[getter]
    fn standard_pgn<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyString>> {
        let text = self.decode(py, |game| game.standard_pgn())?;
        Ok(PyString::new(py, &decode_text(&text)))
    }

    #[doc = docs!("Game.clocks")]
    #[getter]
    fn clocks(&self, py: Python) -> Result<Vec<Option<f64>>> {
        Ok(seconds(self.decode(py, |game| game.clocks())?))
    }

    #[doc = docs!("Game.move_times")]
    #[getter]
    fn move_times(&self, py: Python) -> Result<Vec<Option<f64>>> {
        Ok(seconds(self.decode(py, |game| game.move_times())?))
    }

    #[doc = docs!("Game.evals")]
    #[getter]
    fn evals<'py>(&self, py: Python<'py>) -> Result<Vec<Option<Bound<'py, PyAny>>>> {
        let evals = self.decode(py, |game| game.evals())?;
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let class = CLASS.import(py, "ign_archive.types", "Eval")?;
        let value = |eval: Option<ign_archive::movetext::Eval>| {
            eval.map(|eval| match eval {
                ign_archive::movetext::Eval::Centipawns(centipawns) => {
                    class.call1((centipawns, py.None()))
                }
                ign_archive::movetext::Eval::Mate(moves) => class.call1((py.None(), moves)),
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

    #[doc = docs!("Game.variations")]
    #[getter]
    fn variations<'py>(&self, py: Python<'py>) -> Result<Vec<Bound<'py, PyAny>>> {
        let found = self.decode(py, |game| game.variations())?;
        let class = py.import("ign_archive.types")?.getattr("Variation")?;
        let found = found.iter();
        let variations = found.map(|found| variation(&class, found.plies, found.line));
        Ok(variations.collect::<PyResult<_>>()?)
    }

    /// The movetext, as a variation from the start.
    #[getter]
    fn _movetext<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        let line = self.decode(py, |game| game.movetext())?;
        let class = py.import("ign_archive.types")?.getattr("Variation")?;
        Ok(variation(&class, 0, line)?)
    }

    /// What notebooks show.
    fn _repr_html_(this: Bound<Self>) -> PyResult<Bound<PyAny>> {
        let html = this.py().import("ign_archive._html")?;
        html.call_method1("game", (this,))
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
    fn to_chess<'py>(this: &Bound<'py, Self>) -> Result<Bound<'py, PyAny>> {
        let (py, game) = (this.py(), this.get());
        let text = game.decode(py, |game| game.standard_pgn())?;
        let plies = game.decode(py, |game| game.plies())?;
        let text = decode_text(&text);
        let read = py.detach(|| chess_text::read(&text));
        let read = read.filter(|read| read.plies() >= plies);
        // Without python-chess, `_chess` says so.
        let read = read.and_then(|read| read.to_python(py).ok());
        let convert = py.import("ign_archive._chess")?.getattr("to_chess")?;
        Ok(convert.call1((this, read))?)
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

    /// Pickling stores how the archive was opened, and the number.
    fn __reduce__<'py>(&self, py: Python<'py>) -> Result<Reduced<'py, (Bound<'py, Archive>, u64)>> {
        let item = py.import("operator")?.getattr("getitem")?;
        Ok((item, (self.opened.archive(py)?, self.number())))
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

/// Times in seconds.
fn seconds(times: Vec<Option<Duration>>) -> Vec<Option<f64>> {
    let seconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64());
    times.into_iter().map(seconds).collect()
}
