//! The columns of the table of games: their names, types and sources.

use std::{fmt, sync::Arc};

use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use ign_archive::{Column, Error, Result};

use crate::encoding::Encoding;

/// A column of the table of games.
///
/// Names are those of Lichess's own data sets where these have the column. Text that is not UTF-8 is read
/// as ISO 8859-1. `?`, `-` and an empty value are text. In typed columns they are null.
///
/// | name | type | null | source |
/// | --- | --- | --- | --- |
/// | `number` | UInt64 | never | the number of the game in its archive, from 1 |
/// | `Event`, `Site`, `Round`, `White`, `Black`, `Result`, `WhiteTitle`, `BlackTitle`, `ECO`, `Opening`, `Termination`, `TimeControl`, `Variant`, `FEN` | Utf8, dictionary | the game does not have the tag | the tag of this name, as it is written |
/// | `Date`, `UTCDate` | Date32 | no such tag, or no complete day of the calendar: `2013.01.??` | the tag |
/// | `UTCTime` | Time32, milliseconds | no such tag, or no time `HH:MM:SS` | the tag |
/// | `WhiteElo`, `BlackElo` | Int16 | no such tag, or no number from 1 to 9999: `?` | the tag |
/// | `WhiteRatingDiff`, `BlackRatingDiff` | Int16 | no such tag, or no number of up to four digits | the tag |
/// | `plies` | Int32 | the game is kept as text, or is no game of chess | the number of legal moves of the main line |
/// | `moves` | List of Utf8, dictionary | as for `plies` | the legal moves of the main line in UCI notation: `e2e4`, `e7e8q`, `N@f3`; castling as in python-chess |
/// | `clocks` | List of Float32 | no move has a clock | seconds left after each move of the main line, from `[%clk 0:02:59.9]`; null for a move without one |
/// | `evals` | List of Float32 | no move has an evaluation | pawns, from White's point of view, after each move, from `[%eval -0.31]`; null for a move without one, and for a mate |
/// | `mates` | List of Int32 | as for `evals` | moves to mate after each move, negative if Black mates, from `[%eval #3]` |
/// | `comments` | List of Struct (`ply` Int32, `text` Utf8) | there are none | the comments of the main line, each with the number of plies before it: 0 is before the first move |
/// | `signature` | Utf8 | never | the signature, as `ign find --signature` takes it: `A=e4f6?? B=??d5c3` |
/// | `other_tags` | List of Struct (`name` Utf8, `value` Utf8) | there are none | the tags without a column of their own, values that are null in their typed column, and tags that are repeated or written in another form |
///
/// Two columns are returned only if they are named: `movetext`, the text after the tags, and `pgn`, the
/// whole text of the game. Both are Utf8 and never null.
///
/// A game whose moves are partly kept as text, because a move is illegal for example, has its legal moves
/// in `moves`; `clocks`, `evals` and `mates` have an item for every move that is written.
///
/// `tag:NAME` is the tag NAME as text, whatever its name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GameColumn {
    name: String,
    kind: Kind,
    source: Column,
}

/// The types of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Number,
    Text,
    Rating,
    Difference,
    Date,
    Time,
    Plies,
    Moves,
    Decimals,
    Mates,
    Comments,
    Tags,
    Strings,
}

/// The number of columns that are returned only if they are named.
const ON_REQUEST: usize = 2;

/// What begins the name of a column that is any tag.
const TAG: &str = "tag:";

/// A text column that is a tag.
const fn text(name: &'static str) -> (&'static str, Kind, Option<Column>) {
    (name, Kind::Text, None)
}

/// The columns in their order. A column without a source is a tag as text.
const COLUMNS: [(&str, Kind, Option<Column>); 32] = [
    ("number", Kind::Number, Some(Column::Number)),
    text("Event"),
    text("Site"),
    ("Date", Kind::Date, Some(Column::LocalDate)),
    text("Round"),
    text("White"),
    text("Black"),
    text("Result"),
    text("WhiteTitle"),
    text("BlackTitle"),
    ("WhiteElo", Kind::Rating, Some(Column::WhiteElo)),
    ("BlackElo", Kind::Rating, Some(Column::BlackElo)),
    (
        "WhiteRatingDiff",
        Kind::Difference,
        Some(Column::WhiteRatingDiff),
    ),
    (
        "BlackRatingDiff",
        Kind::Difference,
        Some(Column::BlackRatingDiff),
    ),
    ("UTCDate", Kind::Date, Some(Column::UtcDate)),
    ("UTCTime", Kind::Time, Some(Column::UtcTime)),
    text("ECO"),
    text("Opening"),
    text("Termination"),
    text("TimeControl"),
    text("Variant"),
    text("FEN"),
    ("plies", Kind::Plies, Some(Column::Plies)),
    ("moves", Kind::Moves, Some(Column::Moves)),
    ("clocks", Kind::Decimals, Some(Column::Clocks)),
    ("evals", Kind::Decimals, Some(Column::Evals)),
    ("mates", Kind::Mates, Some(Column::Mates)),
    ("comments", Kind::Comments, Some(Column::Comments)),
    ("signature", Kind::Strings, Some(Column::Signature)),
    ("other_tags", Kind::Tags, Some(Column::OtherTags)),
    ("movetext", Kind::Strings, Some(Column::Movetext)),
    ("pgn", Kind::Strings, Some(Column::Pgn)),
];

impl GameColumn {
    /// The columns that are returned if none are named, in the order of the table.
    pub fn all() -> Vec<Self> {
        let mut columns = Self::known();
        columns.truncate(COLUMNS.len() - ON_REQUEST);
        columns
    }

    /// The columns of tags: those of [`all`](Self::all) that need neither moves nor movetext.
    pub fn all_tags() -> Vec<Self> {
        let is_tag = |column: &Self| {
            use Kind::{Date, Difference, Rating, Text, Time};
            let tags = [Date, Difference, Rating, Text, Time];
            tags.contains(&column.kind)
        };
        Self::known().into_iter().filter(is_tag).collect()
    }

    /// All columns, without those of `tag:NAME`.
    fn known() -> Vec<Self> {
        let column = |(name, kind, source): &(&str, Kind, Option<Column>)| Self {
            name: (*name).to_owned(),
            kind: *kind,
            source: source
                .clone()
                .unwrap_or_else(|| Column::Tag((*name).to_owned())),
        };
        COLUMNS.iter().map(column).collect()
    }

    /// The column of this name. Upper and lower case differ.
    ///
    /// # Errors
    /// Usage if there is no such column.
    pub fn named(name: &str) -> Result<Self> {
        if let Some(tag) = name.strip_prefix(TAG).filter(|tag| !tag.is_empty()) {
            return Ok(Self {
                name: name.to_owned(),
                kind: Kind::Text,
                source: Column::Tag(tag.to_owned()),
            });
        }
        let all = Self::known();
        let names: Vec<&str> = all.iter().map(Self::name).collect();
        match names.iter().position(|known| *known == name) {
            Some(place) => Ok(all[place].clone()),
            None => Err(Error::usage(format!("there is no column '{name}'"))
                .with_remedy(format!("name one of {}, or {TAG}NAME", names.join(", ")))),
        }
    }

    /// The columns of these names, in their order.
    ///
    /// # Errors
    /// Usage if there is no such column, or if one is named twice.
    pub fn named_all<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> Result<Vec<Self>> {
        let mut columns: Vec<Self> = Vec::new();
        for name in names {
            let column = Self::named(name.as_ref())?;
            if columns.contains(&column) {
                return Err(Error::usage(format!("column {column} is named twice")));
            }
            columns.push(column);
        }
        Ok(columns)
    }

    /// The name of the column.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What a scan must return for the column.
    pub fn source(&self) -> &Column {
        &self.source
    }

    /// The field of the schema.
    pub fn field(&self, encoding: Encoding) -> Field {
        let data_type = match self.kind {
            Kind::Number => DataType::UInt64,
            Kind::Text => encoding.text_type(),
            Kind::Rating | Kind::Difference => DataType::Int16,
            Kind::Date => DataType::Date32,
            Kind::Time => DataType::Time32(TimeUnit::Millisecond),
            Kind::Plies => DataType::Int32,
            Kind::Moves => DataType::List(move_field(encoding)),
            Kind::Decimals => DataType::List(item(DataType::Float32)),
            Kind::Mates => DataType::List(item(DataType::Int32)),
            Kind::Comments => DataType::List(comment_field()),
            Kind::Tags => DataType::List(tag_field()),
            Kind::Strings => DataType::Utf8,
        };
        let is_nullable = !matches!(self.kind, Kind::Number | Kind::Strings);
        Field::new(&self.name, data_type, is_nullable)
    }
}

/// The items of a list of moves.
pub(crate) fn move_field(encoding: Encoding) -> Arc<Field> {
    Arc::new(Field::new_list_field(encoding.move_type(), false))
}

/// The items of a list of numbers, which may be null.
pub(crate) fn item(data_type: DataType) -> Arc<Field> {
    Arc::new(Field::new_list_field(data_type, true))
}

/// The items of a list of comments.
pub(crate) fn comment_field() -> Arc<Field> {
    structure([("ply", DataType::Int32), ("text", DataType::Utf8)])
}

/// The items of a list of tags.
pub(crate) fn tag_field() -> Arc<Field> {
    structure([("name", DataType::Utf8), ("value", DataType::Utf8)])
}

fn structure(fields: [(&str, DataType); 2]) -> Arc<Field> {
    let fields = fields.map(|(name, data_type)| Field::new(name, data_type, false));
    let fields = DataType::Struct(fields.into_iter().collect());
    Arc::new(Field::new_list_field(fields, false))
}

/// The schema of a table with these columns.
pub fn schema(columns: &[GameColumn], encoding: Encoding) -> SchemaRef {
    let fields = columns.iter().map(|column| column.field(encoding));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

impl fmt::Display for GameColumn {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.name)
    }
}
