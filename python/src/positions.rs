//! The class `Positions`: positions as NumPy arrays.

use std::sync::{Mutex, PoisonError};

use ign_archive::{
    Error, PositionScan,
    positions::{NO_CLOCK, NO_EVAL, NO_MOVE, PositionBatch, PositionColumn, planes},
    text::closest,
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
    arguments::{self, count},
    failure::{Result, usage},
    found::chosen,
    interrupt::interruptible,
    stream,
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

#[doc = docs!("Positions")]
#[pyclass(frozen, module = "ign_archive")]
pub struct Positions(Mutex<State>);

struct State {
    /// `None` if starting it has failed. Positions of chess need a greater alignment than objects
    /// of Python have.
    scan: Option<Box<PositionScan>>,
    is_started: bool,
    boards: Boards,
}

#[doc = docs!("positions")]
#[pyfunction]
#[pyo3(signature = (archive, batch=None, *, shuffle_buffer=None, seed=None, planes=None, columns=None,
    r#where=None, every_nth=None, min_ply=None, max_ply=None, final_positions=false, variants=false, shard=None,
    resume=None, threads=None), text_signature = "(archive, batch=4096, *, shuffle_buffer=None, seed=0, planes=None, \
    columns=None, where=None, every_nth=1, min_ply=0, max_ply=None, final_positions=False, variants=False, \
    shard=None, resume=None, threads=None)")]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn positions(
    archive: &Bound<PyAny>,
    batch: Option<&Bound<PyAny>>,
    shuffle_buffer: Option<&Bound<PyAny>>,
    seed: Option<&Bound<PyAny>>,
    planes: Option<&Bound<PyAny>>,
    columns: Option<&Bound<PyAny>>,
    r#where: Option<&Bound<PyAny>>,
    every_nth: Option<&Bound<PyAny>>,
    min_ply: Option<&Bound<PyAny>>,
    max_ply: Option<&Bound<PyAny>>,
    final_positions: bool,
    variants: bool,
    shard: Option<&Bound<PyAny>>,
    resume: Option<String>,
    threads: Option<&Bound<PyAny>>,
) -> Result<Positions> {
    needs_numpy(archive.py())?;
    let opened = &Archive::read(archive)?.get().opened()?;
    let boards = read_planes(planes)?;
    let columns = match arguments::names("columns", columns)? {
        Some(names) => names
            .iter()
            .map(|name| named(name))
            .collect::<Result<Vec<_>>>()?,
        None => PositionColumn::DEFAULT.to_vec(),
    };
    let (query, numbers) = chosen(r#where, opened)?;
    let mut scan = opened
        .positions()
        .filter(&query)
        .columns(columns)
        .every_nth(count("every_nth", every_nth)?.unwrap_or(1))
        .min_ply(count("min_ply", min_ply)?.unwrap_or(0))
        .final_positions(final_positions)
        .variants(variants);
    scan = stream::positions(scan, &numbers);
    if let Some(positions) = count("batch", batch)? {
        scan = scan.batch(positions);
    }
    if let Some(ply) = count("max_ply", max_ply)? {
        scan = scan.max_ply(ply);
    }
    if let Some(shard) = shard {
        let parts = shard.extract::<(u64, u64)>();
        let (part, parts) = parts.map_err(|_| {
            usage(
                format!("shard is {shard}"),
                "give a pair (k, n): part k, from 0, of n",
            )
        })?;
        scan = scan.shard(part, parts);
    }
    let seed = count("seed", seed)?.unwrap_or(0);
    if let Some(buffer) = count("shuffle_buffer", shuffle_buffer)? {
        scan = scan.shuffle(buffer, seed);
    }
    if let Some(token) = resume {
        scan = scan.resume(token);
    }
    if let Some(threads) = arguments::threads(threads)? {
        scan = scan.threads(threads);
    }
    scan.check()?;
    Ok(Positions(Mutex::new(State {
        scan: Some(Box::new(scan)),
        is_started: false,
        boards,
    })))
}

#[doc = docs!("uci_moves")]
#[pyfunction]
pub fn uci_moves(py: Python) -> Result<Bound<PyList>> {
    let moves = ign_archive::scan::uci_moves();
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
    let mut columns = PositionColumn::ALL.iter().copied();
    let found = columns.find(|column| column.name() == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = PositionColumn::ALL
            .iter()
            .map(|column| column.name())
            .collect();
        usage(
            format!("positions have no column '{name}'"),
            match closest(name, &names) {
                Some(known) => format!("did you mean {known}?"),
                None => format!("name some of {}", names.join(", ")),
            },
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
    /// What `work` returns of the scan, which is started on the first call; `None` if starting it
    /// has failed. Ctrl-C ends the first call, which searches for the games; later ones take
    /// milliseconds.
    fn with_scan<T: Send>(
        &mut self,
        py: Python,
        work: impl FnOnce(&mut PositionScan) -> ign_archive::Result<T> + Send,
    ) -> Result<Option<T>> {
        if !self.is_started {
            self.is_started = true;
            let scan = self.scan.take();
            let (scan, done) = interruptible(py, |cancel| {
                let mut scan = scan
                    .map(|scan| Box::new(scan.with_cancel(cancel.flag())))
                    .ok_or_else(|| Error::internal("there is no scan"))?;
                let done = work(&mut scan)?;
                Ok((scan, done))
            })?;
            self.scan = Some(scan);
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
        let mut state = self
            .0
            .lock_py_attached(py)
            .unwrap_or_else(PoisonError::into_inner);
        let boards = state.boards;
        let batch = state.with_scan(py, move |scan| {
            let batch = scan.next().transpose()?;
            Ok(batch.map(|batch| Arrays::new(batch, boards)))
        })?;
        batch.flatten().map(|batch| batch.into_dict(py)).transpose()
    }

    #[doc = docs!("Positions.token")]
    #[getter]
    fn token(&self, py: Python) -> Result<String> {
        let mut state = self
            .0
            .lock_py_attached(py)
            .unwrap_or_else(PoisonError::into_inner);
        let token = state.with_scan(py, PositionScan::token)?;
        let failed = || Error::usage("the iteration has ended with an error");
        Ok(token.ok_or_else(failed)?)
    }

    #[doc = docs!("Positions.skipped")]
    #[getter]
    fn skipped<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
        let state = self
            .0
            .lock_py_attached(py)
            .unwrap_or_else(PoisonError::into_inner);
        let skipped = state
            .scan
            .as_deref()
            .map(PositionScan::skipped)
            .unwrap_or_default();
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
