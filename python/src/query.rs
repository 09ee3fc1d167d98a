//! Conditions on games from keyword arguments, one for each field of [`Query`].
//!
//! A value becomes the text that the command line takes, and is read by its own type, so that forms and
//! messages are the same: `(2200, None)` is `2200..`, a date is `2013-01-05`. An error names the keyword.

use std::{fmt::Display, str::FromStr};

use ign_archive::{
    Error, Query, parse_opening, parse_signature,
    query::{Bounds, RangeEnd, Score, TagPattern, TextPattern, parse_position},
};
use pyo3::{
    prelude::*,
    types::{PyBool, PyDict, PyInt, PyList, PyString, PyTuple},
};

use crate::failure::{Failure, Result, usage};

/// The keywords.
const KEYWORDS: [&str; 32] = [
    "white",
    "black",
    "player",
    "elo",
    "white_elo",
    "black_elo",
    "elo_diff",
    "date",
    "result",
    "eco",
    "opening_name",
    "time_control",
    "speed",
    "event",
    "site",
    "termination",
    "tags",
    "id",
    "opening",
    "plies",
    "signature",
    "like",
    "repetition",
    "fifty_moves",
    "position",
    "board",
    "material",
    "pattern",
    "final",
    "has_clocks",
    "has_evals",
    "commented",
];

/// The query of keyword arguments. `None` as a value sets no condition.
///
/// # Errors
/// Usage if a keyword is unknown or its value has another form.
pub fn read(conditions: Option<&Bound<PyDict>>) -> Result<Query> {
    let mut query = Query::default();
    for (keyword, value) in conditions.into_iter().flat_map(|dict| dict.iter()) {
        let keyword: String = keyword.extract()?;
        if !value.is_none() {
            set(&mut query, &keyword, &value).map_err(|failure| named(&keyword, failure))?;
        } else if !is_known(&keyword) {
            return Err(unknown(&keyword));
        }
    }
    if query.positions.last_only && query.positions.is_empty() {
        return Err(usage(
            "final needs a condition on the last position",
            "add position, board, material or pattern",
        ));
    }
    Ok(query)
}

/// Sets one condition.
fn set(query: &mut Query, keyword: &str, value: &Bound<PyAny>) -> Result<()> {
    let Query { positions, .. } = query;
    match keyword {
        "white" => query.white = Some(pattern(value)?),
        "black" => query.black = Some(pattern(value)?),
        "player" => query.player = Some(pattern(value)?),
        "elo" => query.elo = Some(range(value)?),
        "white_elo" => query.white_elo = Some(range(value)?),
        "black_elo" => query.black_elo = Some(range(value)?),
        "elo_diff" => query.elo_diff = Some(range(value)?),
        "date" => query.date = Some(range(value)?),
        "result" => query.result = several(value)?,
        "eco" => query.eco = Some(range(value)?),
        "opening_name" => query.opening_name = Some(pattern(value)?),
        "time_control" => query.time_control = Some(pattern(value)?),
        "speed" => query.speed = several(value)?,
        "event" => query.event = Some(pattern(value)?),
        "site" => query.site = Some(pattern(value)?),
        "termination" => query.termination = Some(pattern(value)?),
        "tags" => query.tags = tags(value)?,
        "id" => query.id = Some(text(value)?.parse()?),
        "opening" => query.opening = Some(parse_opening(&words(value)?)?),
        "plies" => query.plies = Some(range(value)?),
        "signature" => {
            let parts = words(value)?;
            let parts: Vec<String> = parts.split_whitespace().map(str::to_owned).collect();
            query.signature = Some(parse_signature(&parts)?);
        }
        "like" => query.like = Some(Score::read(words(value)?.as_bytes())?),
        "repetition" => query.repetition = flag(value)?,
        "fifty_moves" => query.fifty_moves = flag(value)?,
        "position" => positions.position = Some(parse_position(&fen(value)?)?),
        "board" => positions.board = Some(parse_position(&fen(value)?)?),
        "material" => positions.material = Some(text(value)?.parse()?),
        "pattern" => positions.pattern = Some(text(value)?.parse()?),
        "final" => positions.last_only = flag(value)?,
        "has_clocks" => query.has_clocks = flag(value)?,
        "has_evals" => query.has_evals = flag(value)?,
        "commented" => query.commented = flag(value)?,
        _ => return Err(unknown(keyword)),
    }
    Ok(())
}

fn is_known(keyword: &str) -> bool {
    KEYWORDS.contains(&keyword)
}

/// The error for an unknown keyword, with the one that was probably meant.
fn unknown(keyword: &str) -> Failure {
    let remedy = match closest(keyword) {
        Some(known) => format!("did you mean {known}?"),
        None => format!("the conditions are {}", KEYWORDS.join(", ")),
    };
    usage(format!("there is no condition '{keyword}'"), remedy)
}

/// The known keyword with the fewest edits, if few letters differ.
fn closest(keyword: &str) -> Option<&'static str> {
    let plain = |text: &str| text.to_ascii_lowercase().replace('_', "");
    let wanted = plain(keyword);
    let distance = |known: &&&'static str| edits(&wanted, &plain(known));
    let known = KEYWORDS.iter().min_by_key(distance)?;
    (edits(&wanted, &plain(known)) <= 1 + wanted.len() / 4).then_some(*known)
}

/// The least number of letters to insert, remove or replace.
fn edits(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in other.bytes().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

/// Names the keyword in an error.
fn named(keyword: &str, failure: Failure) -> Failure {
    match failure {
        Failure::Ign(error) if is_known(keyword) => {
            let message = format!("{keyword}: {}", error.message());
            let named = Error::new(error.kind(), message);
            match error.remedy() {
                Some(remedy) => named.with_remedy(remedy).into(),
                None => named.into(),
            }
        }
        other => other,
    }
}

/// A value as the text of the command line: text, a number, a date.
fn text(value: &Bound<PyAny>) -> Result<String> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_cow()?.into_owned());
    }
    let is_number = value.is_instance_of::<PyInt>() || value.hasattr("__index__")?;
    let is_date = value.hasattr("isoformat")?;
    if value.is_instance_of::<PyBool>() || !(is_number || is_date) {
        return Err(wrong(value, "a text"));
    }
    // The text of a time starts with its date.
    let text = match is_date {
        true => value.call_method0("isoformat")?.str()?,
        false => value.str()?,
    };
    let text = text.to_cow()?;
    Ok(match is_date {
        true => text.split('T').next().unwrap_or_default().to_owned(),
        false => text.into_owned(),
    })
}

/// A range: `(2200, None)`, `2200`, `"2200..2500"`.
fn range<T: RangeEnd + FromStr<Err: Display>>(value: &Bound<PyAny>) -> Result<Bounds<T>> {
    let remedy =
        "give a value, '2200..2500' or (2200, 2500); both ends are included, and None is no end";
    let ends: Option<Vec<Bound<PyAny>>> =
        match value.is_instance_of::<PyTuple>() || value.is_instance_of::<PyList>() {
            true => Some(value.extract()?),
            false => None,
        };
    let written = match ends.as_deref() {
        None => text(value)?,
        Some([min, max]) => {
            let end = |end: &Bound<PyAny>| match end.is_none() {
                true => Ok(String::new()),
                false => text(end),
            };
            format!("{}..{}", end(min)?, end(max)?)
        }
        Some(_) => return Err(usage("a range has two ends", remedy)),
    };
    let range = written.parse::<Bounds<T>>();
    Ok(range.map_err(|error| error.with_remedy(remedy))?)
}

/// A pattern for a whole value.
fn pattern(value: &Bound<PyAny>) -> Result<TextPattern> {
    Ok(TextPattern::new(text(value)?))
}

/// One value, several with commas, or a list.
fn several<T: FromStr<Err = Error>>(value: &Bound<PyAny>) -> Result<Vec<T>> {
    let values = match value.cast::<PyString>() {
        Ok(text) => text.to_cow()?.split(',').map(str::to_owned).collect(),
        Err(_) => list(value)?,
    };
    let values = values.iter().map(|text| text.trim().parse::<T>());
    Ok(values.collect::<ign_archive::Result<_>>()?)
}

/// Words as one text, or as a list.
fn words(value: &Bound<PyAny>) -> Result<String> {
    match text(value) {
        Ok(text) => Ok(text),
        Err(_) => Ok(list(value)?.join(" ")),
    }
}

/// Texts of a list or another iterable.
fn list(value: &Bound<PyAny>) -> Result<Vec<String>> {
    let items = value
        .try_iter()
        .map_err(|_| wrong(value, "a text or a list"))?;
    items.map(|item| text(&item?)).collect()
}

/// A FEN, or a board of python-chess.
fn fen(value: &Bound<PyAny>) -> Result<String> {
    match value.hasattr("fen")? {
        true => text(&value.call_method0("fen")?),
        false => text(value),
    }
}

/// Regular expressions by the names of their tags.
fn tags(value: &Bound<PyAny>) -> Result<Vec<TagPattern>> {
    let dict = value
        .cast::<PyDict>()
        .map_err(|_| wrong(value, "a dictionary such as {'Round': '^3'}"))?;
    let patterns = dict.iter().map(|(name, regex)| {
        Ok(format!("{}={}", text(&name)?, text(&regex)?).parse::<TagPattern>()?)
    });
    patterns.collect()
}

fn flag(value: &Bound<PyAny>) -> Result<bool> {
    value.extract().map_err(|_| wrong(value, "True or False"))
}

/// The error for a value of another type.
fn wrong(value: &Bound<PyAny>, wanted: &str) -> Failure {
    let class = value.get_type();
    let class = class.name().map(|name| name.to_string());
    let class = class.unwrap_or_else(|_| "value".to_owned());
    Error::usage(format!("is a {class}, not {wanted}")).into()
}
