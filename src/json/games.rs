//! Rows of games: those of lists, searches, duplicates and counts.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    io::{self, Write},
    path::Path,
};

use serde::Serialize;

use super::name;
use ign_archive::{Archives, CountTable, GameNumber, KeyValue, duplicates::Duplicates};

/// A game that was found.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Found<'a> {
    /// The archive.
    pub archive: &'a str,
    /// The number of the game in the archive, from 1.
    pub game: u64,
}

/// How many games were found.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FoundCount {
    /// Games that were found.
    pub found: u64,
    /// Whether `--limit` may have left out others.
    pub limited: bool,
    /// Games of all archives.
    pub games: u64,
}

/// A game of a list.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Listed<'a> {
    /// The archive.
    archive: &'a str,
    /// The number of the game in the archive, from 1.
    game: u64,
    #[serde(flatten)]
    tags: Tags,
    /// The packed file; null if it was standard input.
    file: Option<String>,
}

/// The fields of `ign list`. A value is null if the game lacks it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tags {
    /// White's name, as it is in the text.
    white: Option<String>,
    /// White's rating.
    white_elo: Option<String>,
    /// Black's name.
    black: Option<String>,
    /// Black's rating.
    black_elo: Option<String>,
    /// The result.
    result: Option<String>,
    /// The date.
    date: Option<String>,
    /// The ECO code.
    eco: Option<String>,
    /// The event.
    event: Option<String>,
}

impl Tags {
    /// Reads the fields of a line, in the order of [`ign_archive::Archive::LIST_FIELDS`].
    pub fn read<'f>(fields: &mut impl Iterator<Item = &'f [u8]>) -> Self {
        let [white, white_elo, black, black_elo, result, date, eco, event] =
            std::array::from_fn(|_| field(fields.next()));
        Self {
            white,
            white_elo,
            black,
            black_elo,
            result,
            date,
            eco,
            event,
        }
    }
}

/// The fields of a line.
pub fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&c| c == b'\t')
}

/// A field; `None` for the dash of one that is missing.
fn field(field: Option<&[u8]>) -> Option<String> {
    let field = field.filter(|field| *field != b"-")?;
    Some(String::from_utf8_lossy(field).into_owned())
}

/// Writes the lines of [`ign_archive::Archive::list`], or those of
/// [`ign_archive::Archives::list_games`], as objects.
pub struct ListWriter<'o, W> {
    lines: Lines<'o>,
    out: &'o mut W,
    /// The start of a line that is not complete.
    start: Vec<u8>,
}

/// Of what games lines are.
enum Lines<'o> {
    /// Games of this archive, whose numbers are in the lines.
    Of(String),
    /// These games.
    Games(&'o Archives, std::slice::Iter<'o, GameNumber>),
}

impl<'o, W: Write> ListWriter<'o, W> {
    /// A writer for the lines of one archive.
    pub fn new(archive: &Path, out: &'o mut W) -> Self {
        Self {
            lines: Lines::Of(name(archive)),
            out,
            start: Vec::new(),
        }
    }

    /// A writer for the lines of these games, in this order.
    pub fn of_games(archives: &'o Archives, games: &'o [GameNumber], out: &'o mut W) -> Self {
        Self {
            lines: Lines::Games(archives, games.iter()),
            out,
            start: Vec::new(),
        }
    }

    fn write_line(&mut self, line: &[u8]) -> io::Result<()> {
        let mut fields = fields(line);
        let number = fields.next().and_then(|number| str::from_utf8(number).ok());
        let lost = || io::Error::other("a line of a list has no number");
        let (archive, game) = match &mut self.lines {
            Lines::Of(archive) => {
                let game = number.and_then(|number| number.parse().ok());
                (Cow::Borrowed(&**archive), game.ok_or_else(lost)?)
            }
            Lines::Games(archives, games) => {
                let place = archives.locate(*games.next().ok_or_else(lost)?)?;
                let archive = name(archives.archives()[place.archive].path());
                (Cow::Owned(archive), place.number.get())
            }
        };
        let listed = Listed {
            archive: &archive,
            game,
            tags: Tags::read(&mut fields),
            file: field(fields.next()),
        };
        super::write(self.out, &listed)
    }
}

impl<W: Write> Write for ListWriter<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut lines = bytes.split(|&c| c == b'\n');
        let rest = lines.next_back().unwrap_or_default();
        for line in lines {
            if self.start.is_empty() {
                self.write_line(line)?;
                continue;
            }
            let mut whole = std::mem::take(&mut self.start);
            whole.extend_from_slice(line);
            self.write_line(&whole)?;
        }
        self.start.extend_from_slice(rest);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A game of a group of duplicates.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Duplicate<'a> {
    /// The number of its group, from 1.
    pub group: u64,
    /// The first game of a group is the one to keep. A group has copies of it, or games apart,
    /// which are other games with equal moves.
    pub role: Role,
    /// The archive, or the text, that has the game.
    pub archive: &'a str,
    /// The number of the game there, from 1.
    pub game: u64,
    /// Plies of the game.
    pub plies: u64,
    #[serde(flatten)]
    pub tags: Tags,
}

/// What becomes of a game of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Keep,
    Copy,
    Apart,
}

impl Role {
    /// Its name, also in lists.
    pub fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Copy => "copy",
            Self::Apart => "apart",
        }
    }
}

/// How many duplicates there are.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DuplicateCount {
    /// Games of all inputs; with conditions, those that meet them.
    games: u64,
    /// Games that are copies of another.
    duplicates: u64,
    /// Groups of a game and its copies.
    groups: u64,
    /// Groups of different games with equal moves.
    apart_groups: u64,
    /// The games of these groups.
    apart_games: u64,
    /// Games that are not compared, because their moves are partly stored as text.
    not_compared: u64,
}

impl From<&Duplicates> for DuplicateCount {
    fn from(found: &Duplicates) -> Self {
        let copies = found.groups.iter().map(|group| group.copies().len() as u64);
        let apart = found
            .different
            .iter()
            .map(|group| group.members().len() as u64);
        Self {
            games: found.games,
            duplicates: copies.sum(),
            groups: found.groups.len() as u64,
            apart_groups: found.different.len() as u64,
            apart_games: apart.sum(),
            not_compared: found.partly_text,
        }
    }
}

/// Games counted by keys.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Counted {
    /// Games that meet the conditions.
    games: u64,
    /// The rows: the value of each key of `--by`, with the name of the key, and `games`. A band is
    /// its least number.
    rows: Vec<BTreeMap<String, Cell>>,
    /// Rows that `--limit` left out.
    rows_left_out: u64,
}

/// A value of a row.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Cell {
    Number(i64),
    Text(String),
    Missing(()),
}

impl Counted {
    /// The rows of a table.
    pub fn new(table: &CountTable, left_out: usize) -> Self {
        let cell = |value: &KeyValue| match value {
            KeyValue::Number(number) => Cell::Number((*number).into()),
            KeyValue::Text(text) => Cell::Text(text.to_string()),
            KeyValue::Missing => Cell::Missing(()),
        };
        let rows = table.rows.iter().map(|row| {
            let names = table.keys.iter().map(|key| key.name().to_owned());
            let cells = row.values.iter().map(cell);
            let games = (
                CountTable::GAMES.to_owned(),
                Cell::Number(row.games.try_into().unwrap_or(i64::MAX)),
            );
            names.zip(cells).chain([games]).collect()
        });
        Self {
            games: table.games,
            rows: rows.collect(),
            rows_left_out: left_out as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ign_archive::Archive;

    #[test]
    fn tags_are_the_fields_of_lists() {
        let values = Archive::LIST_FIELDS.iter().map(|name| name.as_bytes());
        let tags = serde_json::to_value(Tags::read(&mut values.into_iter())).unwrap();
        let tags = tags.as_object().unwrap();
        assert_eq!(tags.len(), Archive::LIST_FIELDS.len());
        assert!(tags.iter().all(|(name, value)| value == name), "{tags:?}");
    }

    #[test]
    fn lines_become_objects_wherever_they_are_cut() {
        let lines = b"1\tA\t-\tB\t2000\t*\t-\t-\t\xe9\ta.pgn\n20\t-\t-\t-\t-\t-\t-\t-\t-\t-\n";
        let written = |cut: usize| {
            let mut out = Vec::new();
            let mut writer = ListWriter::new(Path::new("a.ign"), &mut out);
            writer.write_all(&lines[..cut]).unwrap();
            writer.write_all(&lines[cut..]).unwrap();
            String::from_utf8(out).unwrap()
        };
        let whole = written(0);
        assert_eq!(
            whole,
            "{\"archive\":\"a.ign\",\"game\":1,\"white\":\"A\",\"white_elo\":null,\"black\":\"B\",\
             \"black_elo\":\"2000\",\"result\":\"*\",\"date\":null,\"eco\":null,\"event\":\"\u{fffd}\",\
             \"file\":\"a.pgn\"}\n\
             {\"archive\":\"a.ign\",\"game\":20,\"white\":null,\"white_elo\":null,\"black\":null,\
             \"black_elo\":null,\"result\":null,\"date\":null,\"eco\":null,\"event\":null,\"file\":null}\n"
        );
        assert!((0..=lines.len()).all(|cut| written(cut) == whole));
    }
}
