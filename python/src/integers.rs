//! Moves to integers and back.

use ign_archive::{
    Error, Integer,
    integers::{self, Notation, Options},
};
use ign_notation::chess::variant::Variant;
use pyo3::{
    prelude::*,
    types::{PyBytes, PyInt, PyList},
};
use rug::integer::Order;

use crate::failure::{Result, none_of, usage};

/// The greatest number of bits of an integer that is decoded: more than any game has.
const MAX_BITS: u64 = 1 << 24;

/// The integer of the moves of one game.
#[pyfunction]
pub fn encode<'py>(
    py: Python<'py>,
    text: &str,
    coding: &str,
    fen: Option<String>,
    variant: Option<&str>,
) -> Result<Bound<'py, PyAny>> {
    let options = options(coding, fen, variant)?;
    let mut integers = Vec::new();
    py.detach(|| {
        integers::encode(text.as_bytes(), &options, false, |game| {
            integers.push(game.integer);
            match integers.len() {
                1 => Ok(()),
                _ => Err(Error::usage("the text has several games")
                    .with_remedy("encode the moves of one game at a time")),
            }
        })
    })?;
    let integer = integers.pop().unwrap_or_default();
    Ok(to_python(py, &integer)?)
}

/// The moves of an integer, in UCI notation.
#[pyfunction]
pub fn decode<'py>(
    py: Python<'py>,
    integer: &Bound<'py, PyAny>,
    coding: &str,
    fen: Option<String>,
    variant: Option<&str>,
    plies: Option<usize>,
) -> Result<Bound<'py, PyList>> {
    let options = options(coding, fen, variant)?;
    let integer = read_integer(integer)?;
    let decoded = py.detach(|| integers::decode(&integer, plies, &options))?;
    let moves = decoded.steps.iter().take(decoded.plies);
    Ok(PyList::new(py, moves.map(|step| step.uci.as_str()))?)
}

fn options(coding: &str, fen: Option<String>, variant: Option<&str>) -> Result<Options> {
    let notation = Notation::ALL
        .iter()
        .copied()
        .find(|n| n.name() == coding)
        .ok_or_else(|| {
            let names = Notation::ALL.iter().map(|form| form.name());
            none_of(format!("there is no coding '{coding}'"), names)
        })?;
    let variant = variant.map(|name| {
        Variant::of_name(name.as_bytes()).ok_or_else(|| {
            let names = Variant::ALL.iter().map(|one| one.name());
            none_of(format!("unknown variant '{name}'"), names)
        })
    });
    Ok(Options::new()
        .notation(notation)
        .variant(variant.transpose()?)
        .fen(fen))
}

/// An integer as a Python integer.
pub fn to_python<'py>(py: Python<'py>, integer: &Integer) -> PyResult<Bound<'py, PyAny>> {
    let bytes = PyBytes::new(py, &integer.to_digits::<u8>(Order::Lsf));
    let class = py.get_type::<PyInt>();
    class.call_method1("from_bytes", (bytes, "little"))
}

/// A Python integer.
///
/// # Errors
/// Usage if it is negative or larger than that of any game; `TypeError` if it is none.
fn read_integer(value: &Bound<PyAny>) -> Result<Integer> {
    let value = value
        .py()
        .import("operator")?
        .getattr("index")?
        .call1((value,))?;
    if value.lt(0)? {
        return Err(usage(
            "no game has a negative integer",
            "give an integer of at least 0",
        ));
    }
    let bits: u64 = value.call_method0("bit_length")?.extract()?;
    if bits > MAX_BITS {
        return Err(usage(
            format!("the integer has {bits} bits, more than any game"),
            "give the integer of a game",
        ));
    }
    let bytes = value.call_method1("to_bytes", (bits.div_ceil(8), "little"))?;
    let digits = bytes.cast::<PyBytes>().map_err(PyErr::from)?.as_bytes();
    Ok(Integer::from_digits(digits, Order::Lsf))
}
