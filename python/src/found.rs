//! The class `GameList`: some games of an archive, which may be the argument `where`.

use std::sync::Arc;

use ign_archive::{Archives, GameNumber, Packer, Query};
use pyo3::{
    exceptions::{PyIndexError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict, PySlice},
};

use crate::{
    arguments::{count, is_number, keys, wrong},
    failure::{Result, usage},
    game::Game,
    games::GameIterator,
    interrupt::interruptible,
    numbers::Numbers,
    opened::{self, Opened, Reduced},
    output::Output,
    query,
};

#[doc = docs!("GameList")]
#[pyclass(frozen, sequence, module = "ign_archive")]
pub struct GameList {
    opened: Arc<Opened>,
    numbers: Numbers,
}

/// What is taken from a sequence.
pub enum Subscript<'py> {
    /// One element.
    One(i64),
    /// A slice.
    Slice(Bound<'py, PySlice>),
}

impl<'py> Subscript<'py> {
    /// The place that a value names.
    ///
    /// # Errors
    /// Usage if it is neither a number nor a slice; `examples` says what to write.
    pub fn read(place: &Bound<'py, PyAny>, examples: &str) -> Result<Self> {
        if let Ok(slice) = place.cast::<PySlice>() {
            return Ok(Self::Slice(slice.clone()));
        }
        if !is_number(place)? {
            let remedy = format!("write {examples}");
            return Err(wrong(
                "the place of a game",
                place,
                "a number or a slice",
                &remedy,
            ));
        }
        // No list is so long.
        let beyond = if place.lt(0)? { i64::MIN } else { i64::MAX };
        Ok(Self::One(place.extract().unwrap_or(beyond)))
    }
}

impl GameList {
    /// Games by their numbers.
    pub fn new(opened: Arc<Opened>, numbers: Numbers) -> Self {
        Self { opened, numbers }
    }

    /// The archives of the games.
    pub fn opened(&self) -> &Arc<Opened> {
        &self.opened
    }

    /// The numbers of the games.
    pub fn game_numbers(&self) -> &Numbers {
        &self.numbers
    }
}

/// The game with this number.
///
/// # Errors
/// Usage if there is no such game; io; corrupt.
pub fn one_game(py: Python, opened: &Arc<Opened>, number: u64) -> Result<Game> {
    let (archive, game) = py.detach(|| {
        let place = opened.locate(number)?;
        let game = opened.archives()[place.archive].game(place.number)?;
        Ok::<_, ign_archive::Error>((place.archive, game))
    })?;
    Ok(Game::new(game, opened, archive))
}

#[pymethods]
impl GameList {
    fn __len__(&self) -> usize {
        self.numbers.len()
    }

    fn __iter__(&self) -> GameIterator {
        GameIterator::new(self.opened.clone(), self.numbers.clone())
    }

    #[doc = docs!("GameList.__contains__")]
    fn __contains__(&self, game: &Bound<PyAny>) -> bool {
        let number = number_in(&self.opened, game);
        number.is_some_and(|number| self.numbers.contains(number))
    }

    #[doc = docs!("GameList.index")]
    #[pyo3(signature = (game, start=0, stop=None))]
    fn index(&self, game: &Bound<PyAny>, start: i64, stop: Option<i64>) -> Result<usize> {
        let place = number_in(&self.opened, game).and_then(|number| self.numbers.place_of(number));
        // As for every sequence, negative ends count from the end.
        let len = self.numbers.len() as i64;
        let end = |end: i64| {
            if end < 0 {
                end.saturating_add(len)
            } else {
                end
            }
        };
        let range = end(start)..stop.map_or(len, end);
        place
            .filter(|&place| range.contains(&(place as i64)))
            .ok_or_else(|| no_such_game(game).into())
    }

    #[doc = docs!("GameList.count")]
    fn count(&self, game: &Bound<PyAny>) -> usize {
        self.__contains__(game).into()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        place: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, PyAny>> {
        let len = self.numbers.len();
        match Subscript::read(place, "found[0] or found[:10]")? {
            Subscript::One(place) => {
                let from_start = if place < 0 {
                    place.saturating_add(len as i64)
                } else {
                    place
                };
                let place = usize::try_from(from_start)
                    .ok()
                    .filter(|&p| p < len)
                    .ok_or_else(|| {
                        PyIndexError::new_err(format!("the list has {len} games, counted from 0"))
                    })?;
                let game = one_game(py, &self.opened, self.numbers.get(place).get())?;
                Ok(Bound::new(py, game)?.into_any())
            }
            Subscript::Slice(slice) => {
                let places = slice.indices(len as isize)?;
                let Ok(step) = usize::try_from(places.step) else {
                    return Err(backward().into());
                };
                let start = places.start as usize;
                let end = (places.stop as usize).max(start);
                let numbers = self.numbers.slice(start..end, step);
                let list = Self::new(self.opened.clone(), numbers);
                Ok(Bound::new(py, list)?.into_any())
            }
        }
    }

    #[doc = docs!("GameList.numbers")]
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        let numbers = self.numbers.iter().map(GameNumber::get);
        let bytes: Vec<u8> = numbers.flat_map(u64::to_ne_bytes).collect();
        let array = py.import("array")?.getattr("array")?;
        Ok(array.call1(("Q", PyBytes::new(py, &bytes)))?)
    }

    #[doc = docs!("GameList.within")]
    fn within(&self, other: &Self) -> Result<Self> {
        if !Arc::ptr_eq(&self.opened, &other.opened) {
            return Err(usage(
                "the lists are of games of different archives",
                "open the archive once for both",
            ));
        }
        let both = self
            .numbers
            .iter()
            .filter(|n| other.numbers.contains(n.get()));
        Ok(Self::new(
            self.opened.clone(),
            Numbers::in_order(both.collect()),
        ))
    }

    #[doc = docs!("GameList.find")]
    #[pyo3(signature = (*, sort=None, limit=None, **conditions))]
    fn find(
        &self,
        py: Python,
        sort: Option<&Bound<PyAny>>,
        limit: Option<&Bound<PyAny>>,
        conditions: Option<&Bound<PyDict>>,
    ) -> Result<Self> {
        let limit = count("limit", limit)?;
        let keys = keys("sort", sort)?;
        let query = query::read(conditions)?;
        let ascending = self.numbers.ascending();
        let Some(last) = ascending.len().checked_sub(1) else {
            return Ok(Self::new(self.opened.clone(), ascending));
        };
        let range = ascending.get(0).get()..=ascending.get(last).get();
        let is_range = matches!(self.numbers, Numbers::Range(_));
        let first = limit.filter(|_| is_range && keys.is_empty());
        let mut found = opened::find_within(py, &self.opened, &query, range, first)?;
        if !is_range {
            // The games keep the order of the list, unless they are sorted.
            let list = if keys.is_empty() {
                &self.numbers
            } else {
                &ascending
            };
            let both = list.iter().filter(|number| found.contains(number.get()));
            found = Numbers::in_order(both.collect());
        }
        let found = opened::sorted(py, &self.opened, found, keys, limit)?;
        Ok(Self::new(self.opened.clone(), found))
    }

    #[doc = docs!("GameList.pack")]
    #[pyo3(signature = (out, *, coding=None, overwrite=false))]
    fn pack(
        &self,
        py: Python,
        out: std::path::PathBuf,
        coding: Option<&str>,
        overwrite: bool,
    ) -> Result<u64> {
        let coding = coding.map(crate::files::read_coding).transpose()?;
        interruptible(py, |cancel| {
            let archives = Archives::clone(&self.opened).with_cancel(cancel.flag());
            let games: Vec<GameNumber> = self.numbers.iter().collect();
            // As for the command, the options are those of the first archive that has some of the
            // games.
            let mut packer = match games.first() {
                Some(&game) => {
                    let archive = &archives.archives()[archives.locate(game)?.archive];
                    Packer::like(archive)?.threads(archive.threads())
                }
                None => Packer::new(),
            };
            if let Some(coding) = coding {
                packer = packer.coding(coding);
            }
            let inputs = archives.archives().iter().map(|archive| archive.path());
            let output = Output::file(&out, overwrite, inputs)?;
            let packer = packer.on_progress(cancel.on_progress(None));
            let (output, summary) = packer.pack_games_of(&archives, &games, output)?;
            output.finish()?;
            Ok(summary.games)
        })
    }

    /// Pickling stores how the archive was opened, and the numbers.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> Result<Reduced<'py, (Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
        let archive = self.opened.archive(py)?.into_any();
        Ok(match &self.numbers {
            Numbers::Range(numbers) if !numbers.is_empty() => {
                let item = py.import("operator")?.getattr("getitem")?;
                let slice = py.get_type::<PySlice>();
                (item, (archive, slice.call1((numbers.start, numbers.end))?))
            }
            numbers => {
                let name = match numbers {
                    Numbers::Ordered(_) => "_in_order",
                    _ => "select",
                };
                let select = archive.get_type().getattr(name)?;
                (select, (archive, self.numbers(py)?))
            }
        })
    }

    fn __repr__(&self) -> String {
        let games = self.numbers.len();
        let end = if games == 1 { "" } else { "s" };
        format!("<GameList of {games} game{end} of {}>", self.opened.name())
    }
}

/// The argument `where`: the conditions on the games of `opened`, and the games among which they
/// choose.
///
/// # Errors
/// As [`query::read`]; usage if the list is one of games of another archive.
pub fn chosen(wanted: Option<&Bound<PyAny>>, opened: &Arc<Opened>) -> Result<(Query, Numbers)> {
    let Some(wanted) = wanted else {
        return Ok((Query::default(), opened::all(opened)));
    };
    if let Ok(conditions) = wanted.cast::<PyDict>() {
        return Ok((query::read(Some(conditions))?, opened::all(opened)));
    }
    let Ok(games) = wanted.cast::<GameList>() else {
        return Err(wrong(
            "where",
            wanted,
            "a dictionary or a list of games",
            "give conditions such as {'white': 'Carlsen*'}, or what find returns",
        ));
    };
    let games = games.get();
    if !Arc::ptr_eq(games.opened(), opened) {
        return Err(usage(
            "the list is one of games of another archive",
            "use the archive that the list is from",
        ));
    }
    Ok((Query::default(), games.game_numbers().clone()))
}

/// The number among the games of `opened` that a game or a number of Python names; `None` if it is
/// no number, or a game of another archive.
pub fn number_in(opened: &Arc<Opened>, game: &Bound<PyAny>) -> Option<u64> {
    let Ok(game) = game.cast::<Game>() else {
        return game.extract().ok();
    };
    let game = game.get();
    let (own, other) = (game.number(), game.opened());
    let path = |opened: &Opened| {
        let place = opened.locate(own).ok()?;
        Some(opened.archives()[place.archive].path().to_owned())
    };
    let is_same = Arc::ptr_eq(opened, other) || path(opened) == path(other);
    is_same.then_some(own)
}

/// The exception for a game that a sequence does not have.
pub fn no_such_game(game: &Bound<PyAny>) -> PyErr {
    let name = game
        .repr()
        .map_or_else(|_| "it".into(), |name| name.to_string());
    PyValueError::new_err(format!("{name} is not among the games"))
}

/// The exception for a slice with a negative step.
pub fn backward() -> PyErr {
    PyValueError::new_err("a slice of games has a positive step; reversed() goes backward")
}
