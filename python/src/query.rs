//! Which games: conditions from keyword arguments, with the names of [`Query::NAMES`] and `tags`, or a list.
//!
//! A value becomes the text that [`Query::set`] takes, so that forms and messages are those of the command
//! line: `(2200, None)` is `2200..`, a date is `2013-01-05`, a list is joined.

use std::sync::Arc;

use ign_archive::{Error, Query};
use pyo3::{
    prelude::*,
    types::{PyBool, PyDict, PyList, PyString, PyTuple},
};

use crate::{
    failure::{Failure, Result, usage},
    found::GameList,
    numbers::Numbers,
    opened::Opened,
};

/// The argument `where`.
#[derive(FromPyObject)]
pub enum Where<'py> {
    /// The games of a list.
    Games(Bound<'py, GameList>),
    /// The games that meet conditions.
    Conditions(Bound<'py, PyDict>),
}

impl Where<'_> {
    /// The conditions on the games of `opened`, and the games among which they choose.
    ///
    /// # Errors
    /// As [`read`]; usage if the list is one of games of another archive.
    pub fn read(wanted: Option<Self>, opened: &Arc<Opened>) -> Result<(Query, Numbers)> {
        Ok(match wanted {
            None => (Query::default(), opened.all()),
            Some(Self::Conditions(conditions)) => (read(Some(&conditions))?, opened.all()),
            Some(Self::Games(games)) => {
                let games = games.get();
                if !Arc::ptr_eq(games.opened(), opened) {
                    return Err(usage(
                        "the list is one of games of another archive",
                        "use the archive that the list is from",
                    ));
                }
                (Query::default(), games.game_numbers().clone())
            }
        })
    }
}

/// The query of keyword arguments. `None` as a value sets no condition.
///
/// # Errors
/// Usage if a keyword is unknown or its value has another form.
pub fn read(conditions: Option<&Bound<PyDict>>) -> Result<Query> {
    let mut query = Query::default();
    for (keyword, value) in conditions.into_iter().flat_map(|dict| dict.iter()) {
        let keyword: String = keyword.extract()?;
        match &keyword[..] {
            "tags" if value.is_none() => {}
            "tags" => {
                let tags = value
                    .cast::<PyDict>()
                    .map_err(|_| wrong("tags", &value, "a dictionary such as {'Round': '^3'}"))?;
                for (name, regex) in tags {
                    let (name, regex) = (text("tags", &name)?, text("tags", &regex)?);
                    query.set("tag", &format!("{name}={regex}"))?;
                }
            }
            // An unknown name is an error whatever its value.
            name if value.is_none() && Query::NAMES.contains(&name) => {}
            name if value.is_none() => query.set(name, "")?,
            name => query.set(name, &text_of(name, &value)?)?,
        }
    }
    query.check()?;
    Ok(query)
}

/// The text of a condition.
fn text_of(name: &str, value: &Bound<PyAny>) -> Result<String> {
    match name {
        "elo" | "white_elo" | "black_elo" | "elo_diff" | "date" | "eco" | "plies" => {
            range(name, value)
        }
        "result" | "speed" | "mean_elo" => joined(name, value, ","),
        "opening" | "signature" | "like" => joined(name, value, " "),
        "position" | "board" if value.hasattr("fen")? => text(name, &value.call_method0("fen")?),
        "repetition" | "fifty_moves" | "final" | "has_clocks" | "has_evals" | "commented" => {
            match value.extract::<bool>() {
                Ok(flag) => Ok(flag.to_string()),
                Err(_) => Err(wrong(name, value, "True or False")),
            }
        }
        _ => text(name, value),
    }
}

/// A text, a number or a date as text.
fn text(name: &str, value: &Bound<PyAny>) -> Result<String> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_cow()?.into_owned());
    }
    if value.hasattr("isoformat")? {
        // The text of a time starts with its date.
        let time = value.call_method0("isoformat")?.str()?;
        let date = time.to_cow()?.split('T').next().map(str::to_owned);
        return Ok(date.unwrap_or_default());
    }
    if value.is_instance_of::<PyBool>() || !value.hasattr("__index__")? {
        return Err(wrong(name, value, "a text"));
    }
    Ok(value.str()?.to_cow()?.into_owned())
}

/// A range: `(2200, None)`, `2200`, `"2200..2500"`.
fn range(name: &str, value: &Bound<PyAny>) -> Result<String> {
    if !value.is_instance_of::<PyTuple>() && !value.is_instance_of::<PyList>() {
        return text(name, value);
    }
    let ends: Vec<Bound<PyAny>> = value.extract()?;
    let [min, max] = &ends[..] else {
        return Err(usage(
            format!("{name}: a range has two ends"),
            "give a value, '2200..2500' or (2200, 2500); both ends are included, and None is no end",
        ));
    };
    let end = |end: &Bound<PyAny>| match end.is_none() {
        true => Ok(String::new()),
        false => text(name, end),
    };
    Ok(format!("{}..{}", end(min)?, end(max)?))
}

/// A text, or the texts of a list or another iterable.
fn joined(name: &str, value: &Bound<PyAny>, separator: &str) -> Result<String> {
    if let Ok(text) = text(name, value) {
        return Ok(text);
    }
    let items = value
        .try_iter()
        .map_err(|_| wrong(name, value, "a text or a list"))?;
    let texts: Result<Vec<String>> = items.map(|item| text(name, &item?)).collect();
    Ok(texts?.join(separator))
}

/// The error for a value of another type.
fn wrong(name: &str, value: &Bound<PyAny>, wanted: &str) -> Failure {
    let class = value.get_type();
    let class = class.name().map(|name| name.to_string());
    let class = class.unwrap_or_else(|_| "value".to_owned());
    Error::usage(format!("{name}: is a {class}, not {wanted}")).into()
}
