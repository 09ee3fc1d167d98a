//! Which part each game goes to.

use std::{
    collections::{BTreeMap, BTreeSet},
    iter,
};

use ign_format::{
    container::index::Source,
    error::{Error, Remedy, Result},
};

use super::{SplitBy, grouped, names, too_many};
use crate::{
    archive::Archive,
    file_names::continues,
    keys::{self, GameKey, KeyValue},
    scan::{ColumnData, ScanColumn, columns_of_games},
    sources::Piece,
    text::decode_text,
    threads::each_block,
    values::Date,
};

/// The tag of the date of a Go game.
const GO_DATE: &str = "DT";
/// The remedy of too many values.
const FEWER: &str =
    "divide by something with fewer values, such as the year, or in wider bands: elo:200";
/// The number of tags that an error lists.
const MAX_LISTED: usize = 40;

/// The parts of an archive, and how games are assigned to them.
pub(super) struct Plan {
    /// The names of the parts.
    pub names: Vec<String>,
    rule: Rule,
    /// For each block the part of all its games, if they have the same.
    whole: Vec<Option<usize>>,
}

/// How games are assigned.
enum Rule {
    /// This many games in a row for each part.
    Games(u64),
    /// By their inputs; the parts of the inputs.
    Source(Vec<usize>),
    /// By their values; the parts of the values.
    Values(Key, BTreeMap<Value, usize>),
}

/// The value of a game. Games without one are last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    /// The least number of a band.
    Band(i32),
    Known(String),
    Unknown,
}

impl Value {
    /// The value as part of a name; `band` is the width of the bands of numbers.
    fn name(&self, band: u32) -> Option<String> {
        match self {
            Self::Band(least) if band == 1 => Some(least.to_string()),
            Self::Band(least) => {
                let greatest = i64::from(*least) + i64::from(band) - 1;
                Some(format!("{least}..{greatest}"))
            }
            Self::Known(value) => Some(value.clone()),
            Self::Unknown => None,
        }
    }
}

impl From<&KeyValue> for Value {
    fn from(value: &KeyValue) -> Self {
        match value {
            KeyValue::Number(least) => Self::Band(*least),
            KeyValue::Text(text) => Self::Known(text.to_string()),
            KeyValue::Missing => Self::Unknown,
        }
    }
}

/// What the value of a game is.
#[derive(Clone)]
enum Key {
    Tag(String),
    /// This many parts of its date: year, month, day.
    Date(usize),
    Property(GameKey),
}

impl Plan {
    /// Divides an archive that has blocks. Values are read once for the plan.
    pub fn new(archive: &Archive, by: &SplitBy) -> Result<Self> {
        let key = match by {
            SplitBy::Games(games) => return Self::by_games(archive, *games),
            SplitBy::Source => return Self::by_source(archive),
            SplitBy::Tag(name) => Key::Tag(name.clone()),
            SplitBy::Key(key) => Key::Property(key.clone()),
            SplitBy::Day => Key::Date(3),
            SplitBy::Month => Key::Date(2),
            SplitBy::Year => Key::Date(1),
            SplitBy::Bytes(_) => return Err(Error::internal("sizes need no plan")),
        };
        Self::by_values(archive, key)
    }

    fn by_games(archive: &Archive, games: u64) -> Result<Self> {
        if games == 0 {
            return Err(Error::usage("games must be at least 1"));
        }
        let count = archive.len().div_ceil(games).max(1);
        if count > SplitBy::MAX_PARTS as u64 {
            let remedy = format!(
                "take {} games or more for each",
                grouped(archive.len().div_ceil(SplitBy::MAX_PARTS as u64))
            );
            return Err(too_many(&grouped(count)).with_remedy(remedy));
        }
        let part = |game: u64| (game / games) as usize;
        let mut before = 0;
        let blocks = archive.blocks().iter();
        let whole = blocks.map(|block| {
            if block.games == 0 {
                return Some(before);
            }
            let first = part(block.first_game);
            before = part(block.first_game + block.games - 1);
            (first == before).then_some(first)
        });
        Ok(Self {
            whole: whole.collect(),
            names: (0..count as usize).map(names::numbered).collect(),
            rule: Rule::Games(games),
        })
    }

    fn by_source(archive: &Archive) -> Result<Self> {
        let mut inputs: Vec<&Source> = Vec::new();
        let mut parts = Vec::new();
        for source in archive.sources() {
            let continues = |before: &&Source| continues(before, source);
            if source.text_len > 0 && !inputs.last().is_some_and(continues) {
                inputs.push(source);
            }
            parts.push(inputs.len().saturating_sub(1));
        }
        if inputs.len() > SplitBy::MAX_PARTS {
            let remedy = Remedy::UnpackSource;
            return Err(too_many(&grouped(inputs.len() as u64)).with_remedy(remedy));
        }
        let titles: Vec<String> = inputs
            .iter()
            .map(|input| names::without_extensions(&input.title()))
            .collect();
        let whole = archive.blocks().iter().map(|block| {
            let piece = Piece::of_block(block);
            let mut own = archive.places().within(&piece);
            let part = own.next().map_or(0, |(source, _)| parts[source]);
            own.all(|(source, _)| parts[source] == part).then_some(part)
        });
        Ok(Self {
            names: names::names(titles.iter().map(|title| Some(&**title))),
            whole: whole.collect(),
            rule: Rule::Source(parts),
        })
    }

    fn by_values(archive: &Archive, key: Key) -> Result<Self> {
        let blocks = 0..archive.blocks().len();
        let distinct = each_block(archive, blocks, |block| {
            let values: BTreeSet<Value> = key.values(archive, block)?.into_iter().collect();
            // More would not be used.
            Ok(values
                .into_iter()
                .take(SplitBy::MAX_PARTS + 1)
                .collect::<Vec<_>>())
        })?;
        let mut values: BTreeSet<&Value> = BTreeSet::new();
        for value in distinct.iter().flatten() {
            values.insert(value);
            if values.len() > SplitBy::MAX_PARTS {
                let more = format!("more than {}", SplitBy::MAX_PARTS);
                return Err(too_many(&more).with_remedy(FEWER));
            }
        }
        if !values.is_empty() && values.iter().all(|value| **value == Value::Unknown) {
            match &key {
                Key::Tag(tag) => return Err(no_values(archive, &format!("the tag {tag}"))),
                Key::Property(key) => return Err(no_values(archive, key.name())),
                Key::Date(_) => {}
            }
        }
        if values.is_empty() {
            values.insert(&Value::Unknown);
        }
        let parts: BTreeMap<Value, usize> = values.iter().copied().cloned().zip(0..).collect();
        let band = match &key {
            Key::Property(key) => key.band().unwrap_or(1),
            _ => 1,
        };
        let known: Vec<_> = values.iter().map(|value| value.name(band)).collect();
        let names = names::names(known.iter().map(Option::as_deref));
        // Blocks without games go with the block before.
        let mut before = distinct
            .iter()
            .flatten()
            .next()
            .map_or(0, |value| parts[value]);
        let whole = distinct.iter().map(|values| match &values[..] {
            [] => Some(before),
            [value] => {
                before = parts[value];
                Some(before)
            }
            _ => None,
        });
        Ok(Self {
            whole: whole.collect(),
            names,
            rule: Rule::Values(key, parts),
        })
    }

    /// The part of all games of a block, if they have the same.
    pub fn of_block(&self, block: usize) -> Option<usize> {
        self.whole[block]
    }

    /// The part of a source, if archives are divided by them.
    pub fn of_source(&self, source: usize) -> Option<usize> {
        match &self.rule {
            Rule::Source(parts) => parts.get(source).copied(),
            _ => None,
        }
    }

    /// The parts of the games of a block, in order; `None` if they go with their sources.
    pub fn of_games(&self, archive: &Archive, block: usize) -> Result<Option<Vec<usize>>> {
        let parts: Result<Vec<usize>> = match &self.rule {
            Rule::Games(games) => {
                let entry = &archive.blocks()[block];
                let all = entry.first_game..entry.first_game + entry.games;
                Ok(all.map(|game| (game / games) as usize).collect())
            }
            Rule::Source(_) => return Ok(None),
            Rule::Values(key, parts) => {
                let part = |value: Value| {
                    let part = parts.get(&value).copied();
                    part.ok_or_else(|| Error::internal("a value appeared meanwhile"))
                };
                key.values(archive, block)?.into_iter().map(part).collect()
            }
        };
        parts.map(Some)
    }
}

impl Key {
    /// The values of the games of a block, in order.
    fn values(&self, archive: &Archive, block: usize) -> Result<Vec<Value>> {
        let games = archive.blocks()[block].games as usize;
        if games == 0 {
            return Ok(Vec::new());
        }
        let name = match self {
            Self::Property(key) => return of_property(archive, block, key),
            Self::Date(_) => GO_DATE,
            Self::Tag(name) => name,
        };
        let tag = tag_of(archive, block, name)?.map(ScanColumn::Tag);
        let columns: Vec<ScanColumn> = match self {
            Self::Date(_) => iter::once(ScanColumn::Date).chain(tag).collect(),
            _ => tag.into_iter().collect(),
        };
        if columns.is_empty() {
            return Ok(vec![Value::Unknown; games]);
        }
        let batch = columns_of_games(archive, block, false, &columns, &|_| true)?;
        Ok(match (batch.columns(), self) {
            ([ColumnData::Text(column)], Self::Tag(_)) => (0..column.len())
                .map(|row| value_of(column.get(row)))
                .collect(),
            ([ColumnData::Date(dates)], Self::Date(parts)) => {
                dates.iter().map(|date| day_of(date, *parts)).collect()
            }
            ([ColumnData::Date(dates), ColumnData::Text(others)], Self::Date(parts)) => {
                let other = |row| others.get(row).and_then(first_date);
                let dates = dates.iter().enumerate();
                dates
                    .map(|(row, date)| day_of(date.or_else(|| other(row)), *parts))
                    .collect()
            }
            _ => return Err(Error::internal("the column has another type")),
        })
    }
}

/// The values of a property of the games of a block, in order.
fn of_property(archive: &Archive, block: usize, key: &GameKey) -> Result<Vec<Value>> {
    let keys = [key.clone()];
    let batch = columns_of_games(archive, block, false, &keys::columns(&keys), &|_| true)?;
    let coded = keys::read(&batch, &keys)?
        .pop()
        .ok_or_else(|| Error::internal("a key has no values"))?;
    let values: Vec<Value> = coded.values.iter().map(Value::from).collect();
    let codes = coded.codes.iter();
    Ok(codes.map(|&code| values[code as usize].clone()).collect())
}

/// The first of the dates of an SGF property: `1970-12-23,24` are two days.
fn first_date(value: &[u8]) -> Option<Date> {
    Date::read(value.split(|&c| c == b',').next()?)
}

/// The error of a tag, or another property, of which no game has a value. It lists the tags.
fn no_values(archive: &Archive, what: &str) -> Error {
    let error = Error::usage(format!("no game has a value of {what}"));
    let blocks = 0..archive.blocks().len();
    let names = each_block(archive, blocks, |block| {
        Ok(archive.block_head(block)?.tag_names)
    });
    // The error is that of the tag, whatever else is wrong.
    let names: BTreeSet<Vec<u8>> = names.into_iter().flatten().flatten().collect();
    let mut listed: Vec<_> = names.iter().map(|name| decode_text(name)).collect();
    if listed.len() > MAX_LISTED {
        listed.truncate(MAX_LISTED);
        listed.push("…".into());
    }
    error.with_remedy(format!(
        "divide by date, month, year, file, a band such as elo:200, or a tag: {}",
        listed.join(", ")
    ))
}

/// The name of a tag as a block has it: the name itself, or one that differs in case alone.
fn tag_of(archive: &Archive, block: usize, name: &str) -> Result<Option<String>> {
    let bytes = archive.block_bytes(block)?;
    archive.in_block(block, || {
        let open = archive.block(&bytes)?;
        let names = &open.head().tag_names;
        let exact = names.iter().find(|known| *known == name.as_bytes());
        let found = exact.or_else(|| {
            let same = |known: &&Vec<u8>| known.eq_ignore_ascii_case(name.as_bytes());
            names.iter().find(same)
        });
        Ok(found.map(|name| String::from_utf8_lossy(name).into_owned()))
    })
}

fn value_of(value: Option<&[u8]>) -> Value {
    let is_known = |value: &&[u8]| value.iter().any(|c| !b"?-. ".contains(c));
    value.filter(is_known).map_or(Value::Unknown, |value| {
        Value::Known(decode_text(value).into_owned())
    })
}

/// `2013-01-05`, `2013-01` or `2013`; `xx` for a month or a day that is unknown.
fn day_of(date: Option<Date>, parts: usize) -> Value {
    let Some(date) = date else {
        return Value::Unknown;
    };
    let two = |part: u8| match part {
        0 => "xx".to_owned(),
        part => format!("{part:02}"),
    };
    let all = [format!("{:04}", date.year), two(date.month), two(date.day)];
    Value::Known(all[..parts].join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_named_as_far_as_they_are_known() {
        let day = |text: &str, parts| day_of(Date::read(text.as_bytes()), parts);
        let known = |text: &str| Value::Known(text.to_owned());
        assert_eq!(day("2013.01.05", 3), known("2013-01-05"));
        assert_eq!(day("2013.01.??", 3), known("2013-01-xx"));
        assert_eq!(day("2013.??.??", 2), known("2013-xx"));
        assert_eq!(day("987.01.05", 1), known("0987"));
        assert_eq!(day("????.??.??", 1), Value::Unknown);
    }

    #[test]
    fn values_without_content_are_unknown() {
        for value in [
            None,
            Some(&b""[..]),
            Some(b"?"),
            Some(b"-"),
            Some(b"????.??.??"),
        ] {
            assert_eq!(value_of(value), Value::Unknown);
        }
        assert_eq!(value_of(Some(b"Caf\xe9")), Value::Known("Café".into()));
    }
}
