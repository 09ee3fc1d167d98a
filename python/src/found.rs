//! The class `GameList`: some games of an archive, which may be the argument `where`.

use std::sync::Arc;

use ign_archive::{Archives, GameNumber, Packer, Query};
use pyo3::{
    exceptions::{PyIndexError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict, PySlice},
};

use crate::{
    arguments::{count, is_number, wrong},
    failure::{Result, usage},
    game::Game,
    games::GameIterator,
    interrupt::interruptible,
    numbers::Numbers,
    opened,
    output::Output,
    query,
};

#[doc = docs!("GameList")]
#[pyclass(frozen, sequence, module = "ign_archive")]
pub struct GameList {
    opened: Arc<Archives>,
    numbers: Numbers,
}

/// What is taken from a sequence.
pub enum Place<'py> {
    /// One element.
    One(i64),
    /// A slice.
    Slice(Bound<'py, PySlice>),
}

impl<'py> Place<'py> {
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
    pub fn new(opened: Arc<Archives>, numbers: Numbers) -> Self {
        Self { opened, numbers }
    }

    /// The archives of the games.
    pub fn opened(&self) -> &Arc<Archives> {
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
pub fn one_game(py: Python, opened: &Arc<Archives>, number: u64) -> Result<Game> {
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
        if let Ok(game) = game.cast::<Game>() {
            return self.numbers.contains(game.get().number());
        }
        game.extract::<u64>()
            .is_ok_and(|number| self.numbers.contains(number))
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        place: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, PyAny>> {
        let len = self.numbers.len();
        match Place::read(place, "found[0] or found[:10]")? {
            Place::One(place) => {
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
            Place::Slice(slice) => {
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
            Numbers::List(both.collect()),
        ))
    }

    #[doc = docs!("GameList.find")]
    #[pyo3(signature = (*, limit=None, **conditions))]
    fn find(
        &self,
        py: Python,
        limit: Option<&Bound<PyAny>>,
        conditions: Option<&Bound<PyDict>>,
    ) -> Result<Self> {
        let limit = count("limit", limit)?;
        let query = query::read(conditions)?;
        let limit = limit.unwrap_or(usize::MAX);
        let Some(last) = self.numbers.len().checked_sub(1) else {
            return Ok(Self::new(self.opened.clone(), self.numbers.clone()));
        };
        let range = self.numbers.get(0).get()..=self.numbers.get(last).get();
        let is_range = matches!(self.numbers, Numbers::Range(_));
        let first = if is_range { limit } else { usize::MAX };
        let mut found = opened::find_within(py, &self.opened, &query, range, Some(first))?;
        if !is_range {
            let both = found.iter().filter(|n| self.numbers.contains(n.get()));
            found = Numbers::List(both.take(limit).collect());
        }
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
            // As for the command, the options are those of the first archive that has some of the games.
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

    fn __repr__(&self) -> String {
        let games = self.numbers.len();
        let end = if games == 1 { "" } else { "s" };
        format!("<GameList of {games} game{end} of {}>", self.opened.name())
    }
}

/// The argument `where`: the conditions on the games of `opened`, and the games among which they choose.
///
/// # Errors
/// As [`query::read`]; usage if the list is one of games of another archive.
pub fn chosen(wanted: Option<&Bound<PyAny>>, opened: &Arc<Archives>) -> Result<(Query, Numbers)> {
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

/// The exception for a slice with a negative step.
pub fn backward() -> PyErr {
    PyValueError::new_err("a slice of games has a positive step; reversed() goes backward")
}
