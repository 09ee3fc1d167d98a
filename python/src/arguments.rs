//! Arguments of several functions, and the errors for values that they cannot have.

use std::str::FromStr;

use pyo3::{
    prelude::*,
    types::{PyBool, PyString},
};

use crate::failure::{Failure, Result, usage};

/// The error for a value of another type.
pub fn wrong(name: &str, value: &Bound<PyAny>, wanted: &str, remedy: &str) -> Failure {
    let class = value
        .get_type()
        .name()
        .map(|name| name.to_string())
        .unwrap_or_else(|_| "value".to_owned());
    let article = if class.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) {
        "an"
    } else {
        "a"
    };
    usage(
        format!("{name}: is {article} {class}, not {wanted}"),
        remedy,
    )
}

/// Whether a value is a whole number. A bool is none.
pub fn is_number(value: &Bound<PyAny>) -> PyResult<bool> {
    Ok(!value.is_instance_of::<PyBool>() && value.hasattr("__index__")?)
}

/// A whole number of at least 0; `None` if the argument is not given.
///
/// # Errors
/// Usage.
pub fn count<T: TryFrom<u64>>(name: &str, value: Option<&Bound<PyAny>>) -> Result<Option<T>> {
    let Some(value) = value else {
        return Ok(None);
    };
    if !is_number(value)? {
        return Err(wrong(
            name,
            value,
            "a whole number",
            "give a number such as 10",
        ));
    }
    let number = value.extract::<u64>().ok();
    match number.and_then(|number| T::try_from(number).ok()) {
        Some(number) => Ok(Some(number)),
        None => Err(usage(
            format!("{name} is {value}"),
            if value.lt(0)? {
                "give a whole number of at least 0"
            } else {
                "give a smaller number"
            },
        )),
    }
}

/// A number of threads; `None` if the argument is not given.
///
/// # Errors
/// Usage if it is no number of at least 1.
pub fn threads(value: Option<&Bound<PyAny>>) -> Result<Option<usize>> {
    match count("threads", value)? {
        Some(0) => Err(usage(
            "threads is 0",
            "give at least 1, or None for as many as the machine runs at once",
        )),
        threads => Ok(threads),
    }
}

/// Keys of games: texts, or one text in which commas separate them. Empty if the argument is not
/// given.
///
/// # Errors
/// Usage.
pub fn keys<K: FromStr<Err = ign_archive::Error>>(
    name: &str,
    value: Option<&Bound<PyAny>>,
) -> Result<Vec<K>> {
    let text = value.and_then(|value| value.cast::<PyString>().ok());
    let texts = match text {
        Some(text) => text.to_cow()?.split(',').map(str::to_owned).collect(),
        None => names(name, value)?.unwrap_or_default(),
    };
    let keys = texts.iter().map(|text| text.trim().parse::<K>());
    Ok(keys.collect::<ign_archive::Result<_>>()?)
}

/// A list of names; `None` if the argument is not given.
///
/// # Errors
/// Usage.
pub fn names(name: &str, value: Option<&Bound<PyAny>>) -> Result<Option<Vec<String>>> {
    let Some(value) = value else {
        return Ok(None);
    };
    let remedy = match value.cast::<PyString>() {
        Ok(text) => format!("write [{}]", text.repr()?),
        Err(_) => "give a list of texts".to_owned(),
    };
    if value.is_instance_of::<PyString>() {
        return Err(wrong(name, value, "a list of names", &remedy));
    }
    let items = value
        .try_iter()
        .map_err(|_| wrong(name, value, "a list of names", &remedy))?
        .map(|item| {
            let item = item?;
            let text = item
                .cast::<PyString>()
                .map_err(|_| wrong(name, &item, "a name", &remedy))?;
            Ok(text.to_cow()?.into_owned())
        });
    items.collect::<Result<_>>().map(Some)
}
