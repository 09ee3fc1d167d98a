//! The parameters of a request: `?fen=…&speeds=blitz,rapid`.
//!
//! Each endpoint takes its parameters by name. What is left over are conditions on games, or
//! errors: a misspelled name is never ignored.

use std::{ops::RangeInclusive, str::FromStr};

use ign_archive::text::closest;

use crate::failure::{Failure, Result};

/// The greatest number of parameters.
const MAX_PARAMETERS: usize = 100;

/// The parameters of a request that have not been taken, in their order.
#[derive(Debug, Clone, Default)]
pub struct Parameters {
    pairs: Vec<(String, String)>,
    /// The names that an endpoint has taken, whether they were given or not.
    taken: Vec<&'static str>,
}

impl Parameters {
    /// Reads the query string of an address.
    ///
    /// # Errors
    /// There are too many.
    pub fn read(query: Option<&str>) -> Result<Self> {
        let pairs: Vec<_> = form_urlencoded::parse(query.unwrap_or_default().as_bytes())
            .into_owned()
            .take(MAX_PARAMETERS + 1)
            .collect();
        if pairs.len() <= MAX_PARAMETERS {
            Ok(Self {
                pairs,
                taken: Vec::new(),
            })
        } else {
            Err(Failure::new(
                400,
                format!("there are more than {MAX_PARAMETERS} parameters"),
            ))
        }
    }

    /// Whether a parameter is given.
    pub fn has(&self, name: &str) -> bool {
        self.pairs.iter().any(|(known, _)| known == name)
    }

    /// Takes the value of a parameter.
    ///
    /// # Errors
    /// It is given twice.
    pub fn take(&mut self, name: &'static str) -> Result<Option<String>> {
        self.taken.push(name);
        let mut found = None;
        let mut is_repeated = false;
        self.pairs.retain_mut(|(known, value)| {
            if known == name {
                is_repeated |= found.replace(std::mem::take(value)).is_some();
                return false;
            }
            true
        });
        if is_repeated {
            Err(Failure::parameter(name, format!("{name} is given twice")))
        } else {
            Ok(found)
        }
    }

    /// Takes a number in a range; `default` if it is not given.
    ///
    /// # Errors
    /// It is given twice, or is not a number of the range.
    pub fn number<N>(
        &mut self,
        name: &'static str,
        range: RangeInclusive<N>,
        default: N,
    ) -> Result<N>
    where
        N: FromStr + PartialOrd + std::fmt::Display,
    {
        let Some(text) = self.take(name)? else {
            return Ok(default);
        };
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let (min, max) = range.into_inner();
            Failure::parameter(name, format!("{name}: write a number from {min} to {max}"))
        })
    }

    /// Takes `true` or `false`, in any case.
    ///
    /// # Errors
    /// It is given twice or has another value.
    pub fn flag(&mut self, name: &'static str, default: bool) -> Result<bool> {
        // Python's clients write True.
        let text = self.take(name)?.map(|text| text.to_ascii_lowercase());
        match text.as_deref() {
            None => Ok(default),
            Some("false" | "0") => Ok(false),
            Some("true" | "1") => Ok(true),
            Some(_) => Err(Failure::parameter(
                name,
                format!("{name}: write true or false"),
            )),
        }
    }

    /// Takes values that are separated by commas; none if the parameter is missing or empty.
    ///
    /// # Errors
    /// It is given twice, or `read` does not know a value; `known` says which ones there are.
    pub fn list<T>(
        &mut self,
        name: &'static str,
        known: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>> {
        let text = self.take(name)?.unwrap_or_default();
        let values = text
            .split(',')
            .map(str::trim)
            .filter(|v| !v.is_empty())
            .map(|value| {
                read(value).ok_or_else(|| {
                    let value: String = value.chars().take(40).collect();
                    Failure::parameter(name, format!("{name}: '{value}' is none of {known}"))
                })
            });
        values.collect()
    }

    /// The names that were taken: the parameters of the endpoint.
    pub fn taken(&self) -> &[&'static str] {
        &self.taken
    }

    /// The parameters that are left.
    pub fn rest(self) -> Vec<(String, String)> {
        self.pairs
    }

    /// Ends the reading where no conditions on games are possible.
    ///
    /// # Errors
    /// Parameters are left.
    pub fn finish(self) -> Result<()> {
        match self.pairs.first() {
            None => Ok(()),
            Some((name, _)) => Err(unknown(name, &self.taken)),
        }
    }
}

/// The keys that these words of a parameter name, at most `max`.
///
/// # Errors
/// A word names no key, or there are more.
pub fn keys<'w, K: FromStr<Err = ign_archive::Error>>(
    name: &'static str,
    words: impl Iterator<Item = &'w str>,
    max: usize,
) -> Result<Vec<K>> {
    let keys: Vec<K> = words
        .map(str::parse)
        .collect::<ign_archive::Result<_>>()
        .map_err(|error| Failure::from(error).of(name))?;
    if keys.len() > max {
        let message = format!("{name}: there are more than {max} keys");
        return Err(Failure::parameter(name, message));
    }
    Ok(keys)
}

/// The failure for a parameter that is none of `known`.
pub fn unknown(name: &str, known: &[&str]) -> Failure {
    let shown: String = name.chars().take(40).collect();
    let remedy = match closest(name, known) {
        Some(known) => format!("; did you mean {known}?"),
        None if known.is_empty() => String::new(),
        None => format!("; there are {}", known.join(", ")),
    };
    Failure::parameter(&shown, format!("there is no parameter '{shown}'{remedy}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(query: &str) -> Parameters {
        Parameters::read(Some(query)).unwrap()
    }

    #[test]
    fn values_are_decoded_and_taken_once() {
        let mut read = parameters("fen=8%2F8+w&moves=3&history=True&speeds=blitz,,rapid");
        assert_eq!(read.take("fen").unwrap().as_deref(), Some("8/8 w"));
        assert_eq!(read.number("moves", 0..=12, 12), Ok(3));
        assert_eq!(read.number("moves", 0..=12, 12), Ok(12));
        assert_eq!(read.flag("history", false), Ok(true));
        let speed = |text: &str| Some(text.len());
        assert_eq!(read.list("speeds", "", speed), Ok(vec![5, 5]));
        assert_eq!(read.finish(), Ok(()));
    }

    #[test]
    fn wrong_values_are_errors_that_name_the_parameter() {
        let failed = |failure: Failure, name: &str| {
            assert_eq!(failure.status, 400);
            assert_eq!(failure.clone().of(name), failure);
        };
        failed(parameters("a=1&a=2").take("a").unwrap_err(), "a");
        for text in ["n=13", "n=-1", "n=x", "n=", "n=99999999999999999999"] {
            failed(parameters(text).number("n", 0..=12, 0).unwrap_err(), "n");
        }
        failed(parameters("f=yes").flag("f", false).unwrap_err(), "f");
        let none = parameters("l=x").list("l", "a, b", |_| None::<u8>);
        failed(none.unwrap_err(), "l");
        failed(parameters("x=1").finish().unwrap_err(), "x");
        assert!(Parameters::read(Some(&"a&".repeat(101))).is_err());
    }
}
