//! The class `Positions`: positions as NumPy arrays.

use std::sync::{Mutex, PoisonError};

use ign_archive::{
    Error, PositionBatch, PositionColumn, PositionScan,
    positions::{NO_CLOCK, NO_EVAL, NO_MOVE, planes},
};
use numpy::{Element, PyArray1};
use pyo3::{
    exceptions::PyImportError,
    prelude::*,
    sync::MutexExt as _,
    types::{PyDict, PyList, PyTuple},
};

use crate::{
    archive::Archive,
    failure::{Result, usage},
    interrupt::interruptible,
    numbers::Numbers,
    query::Where,
    strings::uci_list,
};

/// Boards of a position.
const BOARDS: usize = 12;

/// How boards are returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Boards {
    Bits,
    Bytes,
    Floats,
}

/// An iterator over batches of positions: dictionaries of NumPy arrays.
#[pyclass(frozen, module = "ign_archive")]
pub struct Positions(Mutex<State>);

struct State {
    /// The scan before the first batch is requested: its options are set, but nothing is read.
    options: Option<Prepared>,
    /// Positions of chess need a greater alignment than objects of Python have.
    scan: Option<Box<PositionScan>>,
    boards: Boards,
}

/// What a scan is made of, when its first batch is requested.
struct Prepared {
    archives: ign_archive::Archives,
    choose: Box<dyn FnOnce(PositionScan) -> PositionScan + Send>,
}

/// The positions of the games of an archive.
#[pyfunction]
#[pyo3(signature = (archive, batch=4096, *, shuffle_buffer=None, seed=0, planes=None, columns=None,
    r#where=None, every_nth=1, min_ply=0, max_ply=None, final_positions=false, variants=false, shard=None,
    resume=None, threads=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn positions(
    archive: &Bound<Archive>,
    batch: usize,
    shuffle_buffer: Option<usize>,
    seed: u64,
    planes: Option<&Bound<PyAny>>,
    columns: Option<Vec<String>>,
    r#where: Option<Where>,
    every_nth: u64,
    min_ply: u32,
    max_ply: Option<u32>,
    final_positions: bool,
    variants: bool,
    shard: Option<(u64, u64)>,
    resume: Option<String>,
    threads: Option<usize>,
) -> Result<Positions> {
    needs_numpy(archive.py())?;
    let opened = archive.get().opened();
    let boards = read_planes(planes)?;
    let columns = match columns {
        Some(names) => names
            .iter()
            .map(|name| named(name))
            .collect::<Result<Vec<_>>>()?,
        None => PositionColumn::DEFAULT.to_vec(),
    };
    let (query, numbers) = Where::read(r#where, opened)?;
    let choose = move |scan: PositionScan| {
        let mut scan = scan
            .filter(&query)
            .columns(columns)
            .batch(batch)
            .every_nth(every_nth)
            .min_ply(min_ply)
            .final_positions(final_positions)
            .variants(variants);
        scan = match numbers {
            Numbers::Range(games) => scan.range(games),
            Numbers::List(games) => scan.only(games),
        };
        if let Some(ply) = max_ply {
            scan = scan.max_ply(ply);
        }
        if let Some((shard, shards)) = shard {
            scan = scan.shard(shard, shards);
        }
        if let Some(buffer) = shuffle_buffer {
            scan = scan.shuffle(buffer, seed);
        }
        if let Some(token) = resume {
            scan = scan.resume(token);
        }
        if let Some(threads) = threads {
            scan = scan.threads(threads);
        }
        scan
    };
    Ok(Positions(Mutex::new(State {
        options: Some(Prepared {
            archives: opened.archives.clone(),
            choose: Box::new(choose),
        }),
        scan: None,
        boards,
    })))
}

/// The moves in UCI notation; the number of a move in the array `move` is its place in the list.
#[pyfunction]
pub fn uci_moves(py: Python) -> Result<Bound<PyList>> {
    let moves = ign_archive::uci_moves();
    Ok(uci_list(py, 0..moves.len() as u16)?)
}

/// Imports NumPy, without which arrays cannot be made.
///
/// # Errors
/// `ImportError`.
fn needs_numpy(py: Python) -> PyResult<()> {
    py.import("numpy").map(|_| ()).map_err(|cause| {
        let error = PyImportError::new_err("positions() needs NumPy: pip install numpy");
        error.set_cause(py, Some(cause));
        error
    })
}

/// The column of an array.
///
/// # Errors
/// Usage if there is no such array.
fn named(name: &str) -> Result<PositionColumn> {
    let mut columns = PositionColumn::ALL.into_iter();
    let found = columns.find(|column| column.name() == name);
    found.ok_or_else(|| {
        let names = PositionColumn::ALL.map(PositionColumn::name).join(", ");
        usage(
            format!("positions have no column '{name}'"),
            format!("name some of {names}"),
        )
    })
}

/// Reads the argument `planes`.
///
/// # Errors
/// Usage.
fn read_planes(planes: Option<&Bound<PyAny>>) -> Result<Boards> {
    let Some(planes) = planes else {
        return Ok(Boards::Bits);
    };
    if let Ok(wanted) = planes.extract::<bool>() {
        return Ok(if wanted { Boards::Bytes } else { Boards::Bits });
    }
    match planes.extract::<String>().as_deref() {
        Ok("uint8") => Ok(Boards::Bytes),
        Ok("float32") => Ok(Boards::Floats),
        _ => Err(usage(
            format!("planes is {planes}"),
            "give False, True, \"uint8\" or \"float32\"",
        )),
    }
}

impl State {
    /// What `work` returns of the scan, which is started on the first call; `None` if starting it has
    /// failed. Ctrl-C ends the first call, which searches for the games; later ones take milliseconds.
    fn with_scan<T: Send>(
        &mut self,
        py: Python,
        work: impl FnOnce(&mut PositionScan) -> ign_archive::Result<T> + Send,
    ) -> Result<Option<T>> {
        if let Some(prepared) = self.options.take() {
            let (scan, done) = interruptible(py, |cancel| {
                let archives = prepared.archives.with_cancel(cancel.flag());
                let mut scan = (prepared.choose)(archives.positions());
                let done = work(&mut scan)?;
                Ok((scan, done))
            })?;
            self.scan = Some(Box::new(scan));
            return Ok(Some(done));
        }
        py.check_signals()?;
        let Some(scan) = &mut self.scan else {
            return Ok(None);
        };
        Ok(Some(py.detach(|| work(scan))?))
    }
}

#[pymethods]
impl Positions {
    fn __iter__(this: PyRef<Self>) -> PyRef<Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> Result<Option<Bound<'py, PyDict>>> {
        let state = self.0.lock_py_attached(py);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        let boards = state.boards;
        let batch = state.with_scan(py, move |scan| {
            let batch = scan.next().transpose()?;
            Ok(batch.map(|batch| Arrays::new(batch, boards)))
        })?;
        batch.flatten().map(|batch| batch.into_dict(py)).transpose()
    }

    /// The place after the last batch.
    #[getter]
    fn token(&self, py: Python) -> Result<String> {
        let state = self.0.lock_py_attached(py);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        let token = state.with_scan(py, PositionScan::token)?;
        let failed = || Error::usage("the iteration has ended with an error");
        Ok(token.ok_or_else(failed)?)
    }

    /// The games without positions that were passed so far.
    #[getter]
    fn skipped<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
        let state = self.0.lock_py_attached(py);
        let state = state.unwrap_or_else(PoisonError::into_inner);
        let skipped = state.scan.as_deref().map(PositionScan::skipped);
        let skipped = skipped.unwrap_or_default();
        let dict = PyDict::new(py);
        dict.set_item("without_moves", skipped.without_moves)?;
        dict.set_item("variants", skipped.variants)?;
        dict.set_item("other", skipped.other)?;
        Ok(dict)
    }
}

/// A batch with the planes that are wanted.
struct Arrays {
    batch: PositionBatch,
    bytes: Vec<u8>,
    floats: Vec<f32>,
}

impl Arrays {
    fn new(mut batch: PositionBatch, boards: Boards) -> Self {
        let (mut bytes, mut floats) = (Vec::new(), Vec::new());
        match boards {
            Boards::Bits => {}
            Boards::Bytes => planes::append(&std::mem::take(&mut batch.boards), 1, &mut bytes),
            Boards::Floats => planes::append(&std::mem::take(&mut batch.boards), 1.0, &mut floats),
        }
        Self {
            batch,
            bytes,
            floats,
        }
    }

    /// The arrays by name. Vectors become arrays without a copy where the types are the same.
    fn into_dict(self, py: Python<'_>) -> Result<Bound<'_, PyDict>> {
        let Self {
            batch,
            bytes,
            floats,
        } = self;
        let rows = batch.len();
        let dict = PyDict::new(py);
        add(&dict, "boards", batch.boards, &[rows, BOARDS])?;
        add(&dict, "planes", bytes, &[rows, BOARDS, 8, 8])?;
        add(&dict, "planes", floats, &[rows, BOARDS, 8, 8])?;
        add(&dict, "game", of(&batch.game, |game| game as i64), &[rows])?;
        add(&dict, "ply", of(&batch.ply, |ply| ply as i32), &[rows])?;
        add(&dict, "white_to_move", batch.white_to_move, &[rows])?;
        add(&dict, "castling", batch.castling, &[rows])?;
        add(&dict, "en_passant", batch.en_passant, &[rows])?;
        add(&dict, "halfmoves", of(&batch.halfmoves, i32::from), &[rows])?;
        let fullmoves = of(&batch.fullmoves, |number| {
            i32::try_from(number).unwrap_or(i32::MAX)
        });
        add(&dict, "fullmoves", fullmoves, &[rows])?;
        let code = |code| if code == NO_MOVE { -1 } else { code as i16 };
        add(&dict, "move", of(&batch.played, code), &[rows])?;
        add(&dict, "result", batch.result, &[rows])?;
        let elo = |elo| elo as i16;
        add(&dict, "white_elo", of(&batch.white_elo, elo), &[rows])?;
        add(&dict, "black_elo", of(&batch.black_elo, elo), &[rows])?;
        let seconds = |ms| {
            if ms == NO_CLOCK {
                f32::NAN
            } else {
                (f64::from(ms) / 1000.0) as f32
            }
        };
        add(&dict, "clock", of(&batch.clock, seconds), &[rows])?;
        let pawns = |cp| {
            if cp == NO_EVAL {
                f32::NAN
            } else {
                cp as f32 / 100.0
            }
        };
        add(&dict, "eval", of(&batch.cp, pawns), &[rows])?;
        let moves = |mate| if mate == NO_EVAL { 0 } else { mate };
        add(&dict, "mate", of(&batch.mate, moves), &[rows])?;
        for (name, texts) in [("fen", batch.fen), ("epd", batch.epd)] {
            if !texts.is_empty() {
                let texts = (0..texts.len()).map(|row| texts.get(row));
                dict.set_item(name, PyList::new(py, texts)?)?;
            }
        }
        Ok(dict)
    }
}

/// The values of a column as another type.
fn of<T: Copy, N>(values: &[T], convert: impl Fn(T) -> N) -> Vec<N> {
    values.iter().map(|&value| convert(value)).collect()
}

/// Adds an array of this shape to a dictionary, unless it has no values.
fn add<T: Element>(
    dict: &Bound<PyDict>,
    name: &str,
    values: Vec<T>,
    shape: &[usize],
) -> PyResult<()> {
    if values.is_empty() {
        return Ok(());
    }
    let array = PyArray1::from_vec(dict.py(), values);
    if shape.len() == 1 {
        return dict.set_item(name, array);
    }
    let shape = PyTuple::new(dict.py(), shape)?;
    dict.set_item(name, array.call_method1("reshape", (shape,))?)
}
