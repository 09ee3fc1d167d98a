//! Conditions from keyword arguments, with the names of [`CONDITIONS`] (`tags` for `tag`).
//!
//! A value becomes the text that [`Query::set`] takes, so that forms and messages are those of the
//! command line: a tuple is a range, `(2200, None)` is `2200..`; a list or another iterable means
//! one of its items; a date is `2013-01-05`. Two players, moves and signatures are sequences, in a
//! list or a tuple.

use std::collections::BTreeMap;

use ign_archive::{
    Query,
    query::{CONDITIONS, Condition, Form},
};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyDict, PyIterator, PyList, PyString, PyTuple},
};

use crate::{
    arguments::{is_number, wrong},
    failure::{Result, usage},
};

/// The query of keyword arguments. `None` as a value sets no condition.
///
/// # Errors
/// Usage if a keyword is unknown or its value has another form.
pub fn read(conditions: Option<&Bound<PyDict>>) -> Result<Query> {
    let mut query = Query::default();
    for (keyword, value) in conditions.into_iter().flat_map(|dict| dict.iter()) {
        let keyword = string("where", &keyword)?;
        // An unknown name is an error whatever its value.
        let Some(condition) = CONDITIONS.iter().find(|known| keyword_of(known) == keyword) else {
            return Err(Query::unknown(&keyword, CONDITIONS.iter().map(|c| keyword_of(c))).into());
        };
        if value.is_none() {
            continue;
        }
        match condition.form {
            Form::Expression => query = tags(query, &value)?,
            Form::Condition if condition.name == "later" => query = with_later(query, &value)?,
            Form::Condition => query = excluding(query, &value)?,
            form => query.set(condition.name, &text_of(condition.name, form, &value)?)?,
        }
    }
    query.check()?;
    Ok(query)
}

/// The forms of the conditions, by keyword.
#[pyfunction]
pub fn condition_forms() -> BTreeMap<&'static str, &'static str> {
    let forms = CONDITIONS.iter().map(|c| (keyword_of(c), c.form.name()));
    forms.collect()
}

/// The keyword of a condition: a dictionary has all conditions on other tags.
fn keyword_of(condition: &Condition) -> &'static str {
    match condition.form {
        Form::Expression => "tags",
        _ => condition.name,
    }
}

/// Adds the conditions of the dictionary `tags`.
fn tags(mut query: Query, value: &Bound<PyAny>) -> Result<Query> {
    const REMEDY: &str = "give regular expressions by tag, such as {'Round': '^3'}";
    let tags = value
        .cast::<PyDict>()
        .map_err(|_| wrong("tags", value, "a dictionary", REMEDY))?;
    for (name, regex) in tags {
        let (name, regex) = (string("tags", &name)?, string("tags", &regex)?);
        if name.is_empty() {
            return Err(usage("tags: a tag has no name", REMEDY));
        }
        query = query.tag(&name, &regex).map_err(|error| {
            let message = format!("tags: {name}: {}", error.message());
            match error.remedy() {
                Some(remedy) => usage(message, remedy.to_string()),
                None => usage(message, REMEDY),
            }
        })?;
    }
    Ok(query)
}

/// Excludes the games that meet one of the conditions of a dictionary, or of a list of them.
fn excluding(mut query: Query, value: &Bound<PyAny>) -> Result<Query> {
    const NAME: &str = "exclude";
    const REMEDY: &str = "give conditions by keyword, such as {'eco': 'B20..B99'}";
    let dictionaries = items(value)?.unwrap_or_else(|| vec![value.clone()]);
    for dictionary in &dictionaries {
        let conditions = dictionary
            .cast::<PyDict>()
            .map_err(|_| wrong(NAME, dictionary, "a dictionary", REMEDY))?;
        for (keyword, value) in conditions {
            let one = PyDict::new(value.py());
            one.set_item(&keyword, value)?;
            if string(NAME, &keyword)? == NAME {
                return Err(usage(
                    format!("{NAME}: {keyword} cannot be excluded"),
                    REMEDY,
                ));
            }
            let excluded = read(Some(&one)).map_err(|failure| failure.within(NAME))?;
            if !excluded.is_empty() {
                query = query.exclude(excluded);
            }
        }
    }
    Ok(query)
}

/// Adds the conditions on later positions: a dictionary for each, or a text.
fn with_later(mut query: Query, value: &Bound<PyAny>) -> Result<Query> {
    const NAME: &str = "later";
    const REMEDY: &str = "give conditions on a position by keyword, such as {'material': 'KRKR'}";
    for one in items(value)?.unwrap_or_else(|| vec![value.clone()]) {
        if one.is_instance_of::<PyString>() {
            query.set(NAME, &string(NAME, &one)?)?;
            continue;
        }
        let conditions = one
            .cast::<PyDict>()
            .map_err(|_| wrong(NAME, &one, "a dictionary", REMEDY))?;
        let later = read(Some(conditions)).map_err(|failure| failure.within(NAME))?;
        query = query.later(later).map_err(|error| {
            let message = format!("{NAME}: {}", error.message());
            usage(message, REMEDY)
        })?;
    }
    Ok(query)
}

/// The text of a condition.
fn text_of(name: &str, form: Form, value: &Bound<PyAny>) -> Result<String> {
    match form {
        Form::Numbers => ranges(name, value, number),
        Form::Dates => ranges(name, value, day),
        Form::Codes => ranges(name, value, string),
        Form::Patterns => joined(name, value, ";", string),
        Form::Choices(_) => choices(name, value),
        Form::Moves => joined(name, value, " ", played),
        Form::Signature | Form::Score => joined(name, value, " ", string),
        Form::Fen => fen(name, value),
        Form::Id | Form::Number => number(name, value),
        Form::Flag => {
            let flag = value
                .extract::<bool>()
                .map_err(|_| wrong(name, value, "True or False", "None sets no condition"))?;
            Ok(flag.to_string())
        }
        _ => string(name, value),
    }
}

/// How a value is read as text.
type Read = fn(&str, &Bound<PyAny>) -> Result<String>;

/// A text.
fn string(name: &str, value: &Bound<PyAny>) -> Result<String> {
    let text = value
        .cast::<PyString>()
        .map_err(|_| wrong(name, value, "a text", "give a text"))?;
    Ok(text.to_cow()?.into_owned())
}

/// A whole number, perhaps as text.
fn number(name: &str, value: &Bound<PyAny>) -> Result<String> {
    if value.is_instance_of::<PyString>() || is_number(value)? {
        Ok(value.str()?.to_cow()?.into_owned())
    } else {
        Err(wrong(
            name,
            value,
            "a whole number",
            "give a number or a text",
        ))
    }
}

/// A date, perhaps as text, or a year.
fn day(name: &str, value: &Bound<PyAny>) -> Result<String> {
    if value.hasattr("isoformat")? {
        // The text of a time starts with its date.
        let time = value.call_method0("isoformat")?.str()?;
        let date = time.to_cow()?.split('T').next().map(str::to_owned);
        return Ok(date.unwrap_or_default());
    }
    if value.is_instance_of::<PyString>() || is_number(value)? {
        Ok(value.str()?.to_cow()?.into_owned())
    } else {
        Err(wrong(
            name,
            value,
            "a date",
            "give a datetime.date or a text such as '2013-01'",
        ))
    }
}

/// A move as text, as a move of python-chess, or moves as an integer.
fn played(name: &str, value: &Bound<PyAny>) -> Result<String> {
    if value.hasattr("uci")? {
        string(name, &value.call_method0("uci")?)
    } else {
        number(name, value)
    }
}

/// A position: its FEN, or a board of python-chess.
///
/// # Errors
/// Usage if it is neither.
pub fn fen(name: &str, value: &Bound<PyAny>) -> Result<String> {
    if value.is_instance_of::<PyString>() {
        return string(name, value);
    }
    if value.hasattr("fen")? {
        return string(name, &value.call_method0("fen")?);
    }
    let remedy = "give the text of a position, or a chess.Board";
    Err(wrong(name, value, "a FEN", remedy))
}

/// The items of a list or a tuple.
fn items<'py>(value: &Bound<'py, PyAny>) -> Result<Option<Vec<Bound<'py, PyAny>>>> {
    let is_list = value.is_instance_of::<PyTuple>() || value.is_instance_of::<PyList>();
    Ok(is_list.then(|| value.extract()).transpose()?)
}

/// A range, `(2200, None)`; a value, `2200`; or one as text, `"2200..2500"`.
fn range(name: &str, value: &Bound<PyAny>, read: Read) -> Result<String> {
    const REMEDY: &str = "give a value, '2200..2500' or (2200, 2500); both ends are included, and None is no end; a list \
                          means one of its items";
    let Ok(ends) = value.cast::<PyTuple>() else {
        return read(name, value);
    };
    let ends: Vec<Bound<PyAny>> = ends.iter().collect();
    let [min, max] = &ends[..] else {
        return Err(usage(
            format!("{name}: a range has two ends, and a tuple is a range"),
            REMEDY,
        ));
    };
    let end = |end: &Bound<PyAny>| {
        if end.is_none() {
            Ok(String::new())
        } else {
            read(name, end)
        }
    };
    let (min, max) = (end(min)?, end(max)?);
    if [&min, &max]
        .iter()
        .any(|end| end.contains("..") || end.contains(','))
    {
        return Err(usage(
            format!("{name}: an end of a range is a range"),
            REMEDY,
        ));
    }
    Ok(format!("{min}..{max}"))
}

/// One or more ranges: as [`range`], or a list or another iterable of these, which means one of
/// them.
fn ranges(name: &str, value: &Bound<PyAny>, read: Read) -> Result<String> {
    let Some(items) = alternatives(value) else {
        return range(name, value, read);
    };
    let texts: Vec<String> = items
        .map(|item| range(name, &item?, read))
        .collect::<Result<_>>()?;
    if texts.is_empty() {
        return Err(usage(
            format!("{name}: the list is empty"),
            "a list means one of its items, and None sets no condition",
        ));
    }
    Ok(texts.join(","))
}

/// A word, or a list or another iterable of words, which means one of them.
fn choices(name: &str, value: &Bound<PyAny>) -> Result<String> {
    if value.is_instance_of::<PyTuple>() {
        let list = PyList::new(value.py(), value.extract::<Vec<Bound<PyAny>>>()?)?;
        return Err(usage(
            format!("{name}: a tuple is a range, and words have none"),
            format!("write {}: a list means one of its items", list.repr()?),
        ));
    }
    joined(name, value, ",", string)
}

/// The items of a list or another iterable, but for texts, tuples, bytes and dictionaries.
fn alternatives<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyIterator>> {
    let is_one = value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyTuple>()
        || value.is_instance_of::<PyBytes>()
        || value.is_instance_of::<PyDict>();
    if is_one { None } else { value.try_iter().ok() }
}

/// A value, or the values of a list or another iterable.
fn joined(name: &str, value: &Bound<PyAny>, separator: &str, read: Read) -> Result<String> {
    if value.is_instance_of::<PyString>() {
        return read(name, value);
    }
    let Ok(items) = value.try_iter() else {
        return read(name, value);
    };
    let texts: Result<Vec<String>> = items.map(|item| read(name, &item?)).collect();
    Ok(texts?.join(separator))
}
