//! The values of a key in a batch of games, as codes.

use std::{fmt, hash::Hash, sync::Arc};

use ign_format::error::{Error, Result};
use rustc_hash::FxHashMap;

use super::key::{GameKey, Property, Ratings};
use crate::{
    scan::{ColumnData, TextColumn, Values},
    text::decode_text,
    values::{Date, Eco, Speed},
};

/// The value of a key. All values of a key have the same type, or are missing; a missing one comes
/// after all others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyValue {
    /// The least number of a [band](GameKey::band).
    Number(i32),
    /// A text.
    Text(Arc<str>),
    /// The game has no value of the right form.
    Missing,
}

impl fmt::Display for KeyValue {
    /// Writes a missing value as nothing.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
            Self::Missing => Ok(()),
        }
    }
}

/// The values of the games of a batch.
#[derive(Debug)]
pub(crate) struct Coded {
    /// For each game the place of its value.
    pub codes: Vec<u32>,
    /// The values, mostly distinct.
    pub values: Vec<KeyValue>,
}

impl Coded {
    /// Codes properties of games. `value` is called once for each that differs.
    fn of<T: Copy + Eq + Hash>(
        properties: impl Iterator<Item = Option<T>>,
        value: impl Fn(T) -> KeyValue,
    ) -> Self {
        let mut known: FxHashMap<Option<T>, u32> = FxHashMap::default();
        let mut values = Vec::new();
        let code = |property: Option<T>| {
            *known.entry(property).or_insert_with(|| {
                values.push(property.map_or(KeyValue::Missing, &value));
                values.len() as u32 - 1
            })
        };
        let codes = properties.map(code).collect();
        Self { codes, values }
    }

    /// The values of a key in the columns that it is read from.
    ///
    /// # Errors
    /// Internal if these are other columns.
    pub fn read(key: &GameKey, columns: &[ColumnData]) -> Result<Self> {
        use ColumnData as Data;
        Ok(match (&key.of, columns) {
            (Property::Text(_), [Data::Text(text)]) => Self::of(codes(text), |code| {
                self::text(&decode_text(text.value(code).unwrap_or_default()))
            }),
            (Property::Speed, [Data::Text(text)]) => {
                let speeds: Vec<Option<Speed>> =
                    text.values().map(Speed::of_time_control).collect();
                let speed = |code: Option<u32>| speeds[code? as usize];
                Self::of(codes(text).map(speed), |speed| self::text(speed.name()))
            }
            (Property::Result, [Data::Result(results)]) => {
                Self::of(results.iter(), |result| text(result.as_str()))
            }
            (&Property::Eco(divisor), [Data::Eco(ecos)]) => {
                let prefixes = ecos.iter().map(|eco| Some(eco?.number() / divisor));
                Self::of(prefixes, |prefix| {
                    let code = Eco::from_number(prefix * divisor).map(|eco| eco.to_string());
                    let letters = 3 - divisor.ilog10() as usize;
                    text(&code.unwrap_or_default()[..letters])
                })
            }
            (&Property::Date(parts), [Data::Date(dates)]) => {
                let part = |date: Date| Date {
                    year: date.year,
                    month: if parts > 1 { date.month } else { 0 },
                    day: if parts > 2 { date.day } else { 0 },
                };
                Self::of(dates.iter().map(|date| date.map(part)), |date| {
                    text(&known_parts(date))
                })
            }
            (&Property::Plies(band), [Data::Plies(plies)]) => {
                let number = |plies: Option<u32>| Some(i32::try_from(plies?).unwrap_or(i32::MAX));
                bands(plies.iter().map(number), band)
            }
            (&Property::Elo(of, band), [Data::Rating(white), Data::Rating(black)]) => {
                let both = numbers(white).zip(numbers(black));
                let number = |(white, black): (Option<i32>, Option<i32>)| match of {
                    Ratings::Difference => Some(white? - black?),
                    Ratings::Sum => Some(white? + black?),
                    _ => Some((white? + black?) / 2),
                };
                bands(both.map(number), band)
            }
            (&Property::Elo(_, band), [Data::Rating(ratings)]) => bands(numbers(ratings), band),
            _ => return Err(Error::internal("a key is read from other columns")),
        })
    }
}

/// The codes of a column of text.
fn codes(text: &TextColumn) -> impl Iterator<Item = Option<u32>> {
    let codes = text.codes().iter().enumerate();
    codes.map(|(row, &code)| text.validity().is_valid(row).then_some(code))
}

fn numbers(ratings: &Values<u16>) -> impl Iterator<Item = Option<i32>> {
    ratings.iter().map(|rating| rating.map(i32::from))
}

/// Numbers in bands of this width, which is at least 1.
fn bands(numbers: impl Iterator<Item = Option<i32>>, width: u32) -> Coded {
    let width = width as i32;
    Coded::of(
        numbers.map(|number| Some(number?.div_euclid(width))),
        |band| KeyValue::Number(band * width),
    )
}

fn text(text: &str) -> KeyValue {
    KeyValue::Text(Arc::from(text))
}

/// A date as conditions take it, without the parts that are not known.
fn known_parts(date: Date) -> String {
    let Date { year, month, day } = date;
    match (month, day) {
        (0, _) => format!("{year:04}"),
        (_, 0) => format!("{year:04}-{month:02}"),
        _ => format!("{year:04}-{month:02}-{day:02}"),
    }
}
