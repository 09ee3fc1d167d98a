//! The class `Archive`.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use ign_archive::{Archives, GameNumber, PositionScan, check::Damage, text::games_text};
use ign_arrow::Encoding;
use pyo3::{
    exceptions::PyIndexError,
    prelude::*,
    types::{PyDict, PySlice, PyTuple},
};

use crate::{
    arguments::{count, keys, names, threads, wrong},
    count::CountTable,
    failure::{Result, usage, warn},
    found::{GameList, Subscript, backward, no_such_game, number_in, one_game},
    games::GameIterator,
    interrupt::interruptible,
    numbers::Numbers,
    opened::{self, Opened, Source},
    query,
    scan::Scan,
    tree,
};

#[doc = docs!("Archive")]
#[pyclass(frozen, weakref, module = "ign_archive")]
pub struct Archive {
    name: String,
    /// `None` if the archive is closed.
    opened: Mutex<Option<Arc<Opened>>>,
}

/// Positions of a record batch.
const POSITIONS: usize = 1 << 14;

/// Opens archives as one collection.
#[pyfunction]
#[pyo3(signature = (paths, index=None, threads=None, use_index=true, damaged=false))]
pub fn open<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    index: Option<PathBuf>,
    threads: Option<&Bound<'py, PyAny>>,
    use_index: bool,
    damaged: bool,
) -> Result<Bound<'py, Archive>> {
    let threads = self::threads(threads)?;
    let name = |path: &PathBuf| path.clone().into_os_string();
    let names = paths.iter().map(name).collect();
    let source = (names, index.as_ref().map(name), threads, use_index, damaged);
    let (archives, warnings) = py.detach(|| {
        let mut warnings = Vec::new();
        let opened: ign_archive::Result<Vec<_>> = paths
            .iter()
            .map(|path| {
                let archive = if damaged {
                    let (archive, damage) = ign_archive::Archive::open_damaged(path)?;
                    warnings.extend(damage.iter().map(|damage| left_out(&archive, damage)));
                    archive
                } else {
                    ign_archive::Archive::open(path)?
                };
                warnings.extend(archive.trailing_warning());
                Ok(archive.with_search_index(use_index))
            })
            .collect();
        let mut archives = Archives::from(opened?);
        if let Some(threads) = threads {
            archives = archives.with_threads(threads);
        }
        let archives = match index.filter(|_| use_index) {
            Some(index) => archives.with_shared_index(index)?,
            None => archives,
        };
        Ok::<_, ign_archive::Error>((archives, warnings))
    })?;
    for warning in warnings {
        // The caller of the caller, which is `open` of the package.
        warn(py, &warning, 2)?;
    }
    Ok(Arc::new(Opened::new(archives, source)).archive(py)?)
}

/// What damage leaves out, as the command says it.
fn left_out(archive: &ign_archive::Archive, damage: &Damage) -> String {
    let path = archive.path().display();
    let error = damage.error.message();
    match (&damage.games, damage.error.block()) {
        (Some(games), Some(block)) => {
            format!(
                "{path}: left out {}, block {block}: {error}",
                games_text(games)
            )
        }
        (None, Some(block)) => format!("{path}: block {block}: {error}"),
        _ => format!("{path}: {}: {error}", damage.place.name()),
    }
}

impl Archive {
    /// An open archive that is an argument.
    ///
    /// # Errors
    /// Usage.
    pub fn read<'a, 'py>(value: &'a Bound<'py, PyAny>) -> Result<&'a Bound<'py, Self>> {
        let remedy = "open it: ign.open(path)";
        let archive = value.cast::<Self>();
        archive.map_err(|_| wrong("archive", value, "an open archive", remedy))
    }

    /// An archive of Python.
    pub fn of(opened: Arc<Opened>) -> Self {
        Self {
            name: opened.name(),
            opened: Mutex::new(Some(opened)),
        }
    }

    /// The archives.
    ///
    /// # Errors
    /// Usage if they are closed.
    pub fn opened(&self) -> Result<Arc<Opened>> {
        self.if_open().ok_or_else(|| {
            let message = format!("{}: the archive is closed", self.name);
            usage(message, "open it again: ign.open(path)")
        })
    }

    fn if_open(&self) -> Option<Arc<Opened>> {
        let opened = self.opened.lock();
        opened.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The game that an index names.
    ///
    /// # Errors
    /// `IndexError`.
    fn number_of(opened: &Opened, index: i64) -> PyResult<u64> {
        let len = opened.len();
        let number = match u64::try_from(index) {
            Ok(number) => number,
            Err(_) => (len + 1).saturating_sub(index.unsigned_abs()),
        };
        match index {
            0 => Err(PyIndexError::new_err(
                "games are numbered from 1: the first game is [1], the last is [-1]",
            )),
            _ if number == 0 || number > len => Err(PyIndexError::new_err(format!(
                "there is no game {index}: the games are numbered from 1 to {len}"
            ))),
            _ => Ok(number),
        }
    }

    /// The numbers of a slice: as a slice of Python, but of numbers that start at 1.
    fn slice(opened: &Opened, slice: &Bound<PySlice>) -> PyResult<Numbers> {
        let end = |name: &str| slice.getattr(name)?.extract::<Option<i64>>();
        let (start, stop, step) = (end("start")?, end("stop")?, end("step")?);
        if start == Some(0) {
            return Err(PyIndexError::new_err(
                "games are numbered from 1: the first ten games are [1:11] or [:11]",
            ));
        }
        let step = usize::try_from(step.unwrap_or(1))
            .ok()
            .filter(|&step| step > 0)
            .ok_or_else(backward)?;
        let len = opened.len();
        let number = |index: i64| match u64::try_from(index) {
            Ok(number) => number.clamp(1, len + 1),
            Err(_) => (len + 1).saturating_sub(index.unsigned_abs()).max(1),
        };
        let start = start.map_or(1, number);
        let stop = stop.map_or(len + 1, number).max(start);
        let places = start as usize - 1..stop as usize - 1;
        Ok(opened::all(opened).slice(places, step))
    }
}

#[pymethods]
impl Archive {
    #[doc = docs!("Archive.__len__")]
    fn __len__(&self) -> Result<usize> {
        Ok(usize::try_from(self.opened()?.len()).unwrap_or(usize::MAX))
    }

    fn __iter__(&self) -> Result<GameIterator> {
        let opened = self.opened()?;
        let all = opened::all(&opened);
        Ok(GameIterator::new(opened, all))
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        let opened = self.opened()?;
        let all = opened::all(&opened);
        let reversed = py.import("builtins")?.getattr("reversed")?;
        Ok(reversed.call1((GameList::new(opened, all),))?)
    }

    #[doc = docs!("Archive.__contains__")]
    fn __contains__(&self, game: &Bound<PyAny>) -> Result<bool> {
        let opened = self.opened()?;
        let number = number_in(&opened, game);
        Ok(number.is_some_and(|number| opened::all(&opened).contains(number)))
    }

    #[doc = docs!("Archive.index")]
    #[pyo3(signature = (game, start=None, stop=None))]
    fn index(&self, game: &Bound<PyAny>, start: Option<i64>, stop: Option<i64>) -> Result<u64> {
        let opened = self.opened()?;
        let place = PySlice::full(game.py());
        let slice = match (start, stop) {
            (None, None) => place,
            (start, stop) => {
                let class = place.get_type();
                class
                    .call1((start, stop))?
                    .cast_into()
                    .map_err(PyErr::from)?
            }
        };
        let numbers = Self::slice(&opened, &slice)?;
        let number = number_in(&opened, game).filter(|&number| numbers.contains(number));
        number.ok_or_else(|| no_such_game(game).into())
    }

    #[doc = docs!("Archive.count")]
    #[doc = docs!("conditions")]
    #[pyo3(
        signature = (*game, by=None, **conditions),
        text_signature = "($self, game=..., /, *, by=None, **conditions)"
    )]
    fn count<'py>(
        &self,
        py: Python<'py>,
        game: &Bound<'py, PyTuple>,
        by: Option<&Bound<'py, PyAny>>,
        conditions: Option<&Bound<'py, PyDict>>,
    ) -> Result<Bound<'py, PyAny>> {
        // None is a game too that no archive has.
        match (game.len(), by, conditions) {
            (1, None, None) => {
                let count = usize::from(self.__contains__(&game.get_item(0)?)?);
                Ok(count.into_pyobject(py).map_err(PyErr::from)?.into_any())
            }
            (0, Some(_), _) => {
                let keys = keys("by", by)?;
                let query = query::read(conditions)?;
                let table = CountTable::count(py, &*self.opened()?, keys, &query)?;
                Ok(Bound::new(py, table)?.into_any())
            }
            _ => Err(usage(
                "count takes a game, or the keys by which games are counted",
                "write a.count(game) or a.count(by=[\"eco\", \"result\"])",
            )),
        }
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        place: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, PyAny>> {
        let opened = self.opened()?;
        Ok(match Subscript::read(place, "a[5] or a[1:11]")? {
            Subscript::One(index) => {
                let game = one_game(py, &opened, Self::number_of(&opened, index)?)?;
                Bound::new(py, game)?.into_any()
            }
            Subscript::Slice(slice) => {
                let numbers = Self::slice(&opened, &slice)?;
                Bound::new(py, GameList::new(opened, numbers))?.into_any()
            }
        })
    }

    #[doc = docs!("Archive.close")]
    fn close(&self) {
        let opened = self.opened.lock();
        *opened.unwrap_or_else(PoisonError::into_inner) = None;
    }

    #[doc = docs!("Archive.closed")]
    #[getter]
    fn closed(&self) -> bool {
        self.if_open().is_none()
    }

    fn __enter__(this: Bound<Self>) -> Result<Bound<Self>> {
        this.get().opened()?;
        Ok(this)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<PyTuple>) {
        self.close();
    }

    #[doc = docs!("Archive.paths")]
    #[getter]
    fn paths(&self) -> Result<Vec<String>> {
        let opened = self.opened()?;
        let archives = opened.archives().iter();
        Ok(archives
            .map(|archive| archive.path().display().to_string())
            .collect())
    }

    #[doc = docs!("Archive.blocks")]
    #[getter]
    fn blocks<'py>(&self, py: Python<'py>) -> Result<Vec<Bound<'py, PyAny>>> {
        let class = py.import("ign_archive.types")?.getattr("Block")?;
        let opened = self.opened()?;
        let opened = &*opened;
        let archives = opened.archives().iter().enumerate();
        let blocks = archives.flat_map(|(place, archive)| {
            let first = opened.games_before(place) + 1;
            let blocks = archive.blocks().iter();
            blocks.map(move |block| {
                let first = first + block.first_game;
                (place, first, block.games, block.stored_len, block.text_len)
            })
        });
        Ok(blocks
            .map(|block| class.call1(block))
            .collect::<PyResult<_>>()?)
    }

    #[doc = docs!("Archive.plies")]
    #[getter]
    fn plies(&self) -> Result<u64> {
        let opened = self.opened()?;
        let archives = opened.archives().iter();
        Ok(archives.map(|archive| archive.plies()).sum())
    }

    #[doc = docs!("Archive.threads")]
    #[getter]
    fn threads(&self) -> Result<usize> {
        let opened = self.opened()?;
        let first = opened.archives().first();
        Ok(first.map_or(1, |archive| archive.threads()))
    }

    #[doc = docs!("Archive.select")]
    fn select(&self, numbers: &Bound<PyAny>) -> Result<GameList> {
        let opened = self.opened()?;
        let read = numbers.extract::<Vec<u64>>();
        let mut numbers = read.map_err(|_| {
            usage(
                "numbers is not a list of game numbers",
                "give a list such as [1, 5]; games are numbered from 1",
            )
        })?;
        numbers.sort_unstable();
        numbers.dedup();
        for &number in [numbers.first(), numbers.last()].into_iter().flatten() {
            opened.locate(number)?;
        }
        let numbers = numbers.into_iter().filter_map(GameNumber::new);
        Ok(GameList::new(opened, Numbers::List(numbers.collect())))
    }

    #[doc = docs!("Archive.find")]
    #[doc = docs!("conditions")]
    #[pyo3(signature = (*, sort=None, limit=None, **conditions))]
    fn find(
        &self,
        py: Python,
        sort: Option<&Bound<PyAny>>,
        limit: Option<&Bound<PyAny>>,
        conditions: Option<&Bound<PyDict>>,
    ) -> Result<GameList> {
        let limit = count("limit", limit)?;
        let keys = keys("sort", sort)?;
        let query = query::read(conditions)?;
        let opened = self.opened()?;
        let first = limit.filter(|_| keys.is_empty());
        let found = opened::find_within(py, &opened, &query, .., first)?;
        let found = opened::sorted(py, &opened, found, keys, limit)?;
        Ok(GameList::new(opened, found))
    }

    /// The games with these numbers, in this order, for lists that are pickled.
    fn _in_order(&self, numbers: Vec<u64>) -> Result<GameList> {
        let opened = self.opened()?;
        let mut games = Vec::with_capacity(numbers.len());
        for number in numbers {
            opened.locate(number)?;
            games.extend(GameNumber::new(number));
        }
        Ok(GameList::new(opened, Numbers::in_order(games)))
    }

    #[doc = docs!("Archive.tree")]
    #[pyo3(
        signature = (position=None, *, depth=None, top_games=None, recent_games=None, history=false, **conditions),
        text_signature = "($self, position=None, *, depth=1, top_games=0, recent_games=0, history=False, **conditions)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn tree<'py>(
        &self,
        py: Python<'py>,
        position: Option<&Bound<'py, PyAny>>,
        depth: Option<&Bound<'py, PyAny>>,
        top_games: Option<&Bound<'py, PyAny>>,
        recent_games: Option<&Bound<'py, PyAny>>,
        history: bool,
        conditions: Option<&Bound<'py, PyDict>>,
    ) -> Result<Bound<'py, PyAny>> {
        let depth = count("depth", depth)?.unwrap_or(1);
        let top_games = count("top_games", top_games)?.unwrap_or(0);
        let recent_games = count("recent_games", recent_games)?.unwrap_or(0);
        let mut query = query::read(conditions)?;
        let root = tree::root(position, &mut query)?;
        let opened = self.opened()?;
        let tree = interruptible(py, |cancel| {
            let archives = Archives::clone(&opened).with_cancel(cancel.flag());
            ign_archive::TreeBuilder::new()
                .depth(depth)
                .top_games(top_games)
                .recent_games(recent_games)
                .history(history)
                .build(&archives, &root, &query)
        })?;
        opened::warn_of_rejected(py, &opened)?;
        Ok(tree::to_python(py, &tree)?)
    }

    #[doc = docs!("Archive.scan")]
    #[pyo3(signature = (columns=None, *, r#where=None, limit=None, categorical=false, move_dictionary=true))]
    fn scan(
        &self,
        columns: Option<&Bound<PyAny>>,
        r#where: Option<&Bound<PyAny>>,
        limit: Option<&Bound<PyAny>>,
        categorical: bool,
        move_dictionary: bool,
    ) -> Result<Scan> {
        let encoding = Encoding {
            text: categorical,
            moves: move_dictionary,
        };
        let columns = names("columns", columns)?;
        let limit = count("limit", limit)?;
        Scan::new(&self.opened()?, columns, r#where, limit, encoding)
    }

    #[doc = docs!("Archive.scan_positions")]
    #[pyo3(signature = (columns=None, *, r#where=None, every_nth=None, min_ply=None, max_ply=None,
        final_positions=false, variants=false, numbers_after=None, move_dictionary=true),
        text_signature = "($self, columns=None, *, where=None, every_nth=1, min_ply=0, max_ply=None, \
        final_positions=False, variants=False, numbers_after=0, move_dictionary=True)")]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn scan_positions(
        &self,
        columns: Option<&Bound<PyAny>>,
        r#where: Option<&Bound<PyAny>>,
        every_nth: Option<&Bound<PyAny>>,
        min_ply: Option<&Bound<PyAny>>,
        max_ply: Option<&Bound<PyAny>>,
        final_positions: bool,
        variants: bool,
        numbers_after: Option<&Bound<PyAny>>,
        move_dictionary: bool,
    ) -> Result<Scan> {
        let every_nth = count("every_nth", every_nth)?.unwrap_or(1);
        let min_ply = count("min_ply", min_ply)?.unwrap_or(0);
        let max_ply = count("max_ply", max_ply)?;
        let numbers_after = count("numbers_after", numbers_after)?.unwrap_or(0);
        let choose = move |scan: PositionScan| {
            let scan = scan
                .batch(POSITIONS)
                .every_nth(every_nth)
                .min_ply(min_ply)
                .final_positions(final_positions)
                .variants(variants)
                .after(numbers_after);
            match max_ply {
                Some(ply) => scan.max_ply(ply),
                None => scan,
            }
        };
        let opened = self.opened()?;
        choose(opened.positions()).check()?;
        let encoding = Encoding {
            text: false,
            moves: move_dictionary,
        };
        let columns = names("columns", columns)?;
        Scan::positions(&opened, columns, r#where, encoding, Box::new(choose))
    }

    #[doc = docs!("Archive.rejected_indexes")]
    #[getter]
    fn rejected_indexes(&self) -> Result<Vec<String>> {
        let opened = self.opened()?;
        let errors = opened.rejected_indexes();
        Ok(errors.map(ToString::to_string).collect())
    }

    /// Pickling opens the same files again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> Result<(Bound<'py, PyAny>, Source)> {
        let source = self.opened()?.source().clone();
        Ok((py.import("ign_archive._native")?.getattr("open")?, source))
    }

    /// What notebooks show.
    fn _repr_html_(this: Bound<Self>) -> PyResult<Bound<PyAny>> {
        let html = this.py().import("ign_archive._html")?;
        html.call_method1("archive", (this,))
    }

    fn __repr__(&self) -> String {
        let name = &self.name;
        let Some(opened) = self.if_open() else {
            return format!("<Archive {name}: closed>");
        };
        let games = opened.len();
        let end = if games == 1 { "" } else { "s" };
        format!("<Archive {name}: {games} game{end}>")
    }
}
