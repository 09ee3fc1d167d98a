//! The columns of the table of games: their names, types and sources.

use std::{fmt, sync::Arc};

use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use ign_archive::{Error, Result, scan::ScanColumn, text::closest};

use crate::encoding::Encoding;

/// A column of the table of games.
///
/// Names are those of Lichess's own data sets where these have the column. Text that is not UTF-8
/// is read as ISO 8859-1. `?`, `-` and an empty value are text. In typed columns they are null.
///
/// | name | type | null | source |
/// | --- | --- | --- | --- |
/// | `number` | UInt64 | never | the number of the game in its archive, from 1 |
/// | `Event`, `Site`, `Round`, `White`, `Black`, `Result`, `WhiteTitle`, `BlackTitle`, `ECO`, `Opening`, `Termination`, `TimeControl`, `Variant`, `FEN` | Utf8, dictionary | the game does not have the tag | the tag of this name, as it is written |
/// | `Date`, `UTCDate` | Date32 | no such tag, or no complete day of the calendar: `2013.01.??` | the tag |
/// | `UTCTime` | Time32, milliseconds | no such tag, or no time `HH:MM:SS` | the tag |
/// | `WhiteElo`, `BlackElo` | Int32 | no such tag, or no number from 1 to 9999: `?` | the tag |
/// | `WhiteRatingDiff`, `BlackRatingDiff` | Int32 | no such tag, or no number of up to four digits | the tag |
/// | `plies` | Int32 | the game is kept as text, or is not a game of chess | the number of legal moves of the main line |
/// | `moves` | List of Utf8, dictionary | as for `plies` | the legal moves of the main line in UCI notation: `e2e4`, `e7e8q`, `N@f3`; castling as in python-chess |
/// | `clocks` | List of Float32 | no move has a clock | seconds left after each move of the main line, from `[%clk 0:02:59.9]`; null for a move without one |
/// | `evals` | List of Float32 | no move has an evaluation | pawns, from White's point of view, after each move, from `[%eval -0.31]`; null for a move without one, and for a mate |
/// | `mates` | List of Int32 | as for `evals` | moves to mate after each move, negative if Black mates, from `[%eval #3]` |
/// | `comments` | List of Struct (`ply` Int32, `text` Utf8) | there are none | the comments of the main line, each with the number of plies before it: 0 is before the first move |
/// | `signature` | Utf8 | never | the signature, as `ign find --signature` takes it: `A=e4f6?? B=??d5c3` |
/// | `other_tags` | List of Struct (`name` Utf8, `value` Utf8) | there are none | the tags without a column of their own, values that are null in their typed column, and tags that are repeated or written in another form |
///
/// Three columns are returned only if they are named: `file`, the name of the packed file that
/// holds the game; `movetext`, the text after the tags; and `pgn`, the whole text of the game.
/// `file` is Utf8, dictionary, and null if the text came from standard input; the others are Utf8
/// and never null.
///
/// A game whose moves are partly kept as text, because a move is illegal for example, has its legal
/// moves in `moves`; `clocks`, `evals` and `mates` have an item for every move that is written.
///
/// `tag:NAME` is the tag NAME as text, whatever its name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GameColumn {
    name: String,
    source: ScanColumn,
}

/// The number of columns that are returned only if they are named.
const ON_REQUEST: usize = 3;

/// What begins the name of a column that is any tag.
const TAG: &str = "tag:";

/// A name, and the source; a column without one is the tag of this name as text.
type Known = (&'static str, Option<ScanColumn>);

/// The columns in their order.
static COLUMNS: [Known; 33] = [
    ("number", Some(ScanColumn::Number)),
    ("Event", None),
    ("Site", None),
    ("Date", Some(ScanColumn::LocalDate)),
    ("Round", None),
    ("White", None),
    ("Black", None),
    ("Result", None),
    ("WhiteTitle", None),
    ("BlackTitle", None),
    ("WhiteElo", Some(ScanColumn::WhiteElo)),
    ("BlackElo", Some(ScanColumn::BlackElo)),
    ("WhiteRatingDiff", Some(ScanColumn::WhiteRatingDiff)),
    ("BlackRatingDiff", Some(ScanColumn::BlackRatingDiff)),
    ("UTCDate", Some(ScanColumn::UtcDate)),
    ("UTCTime", Some(ScanColumn::UtcTime)),
    ("ECO", None),
    ("Opening", None),
    ("Termination", None),
    ("TimeControl", None),
    ("Variant", None),
    ("FEN", None),
    ("plies", Some(ScanColumn::Plies)),
    ("moves", Some(ScanColumn::Moves)),
    ("clocks", Some(ScanColumn::Clocks)),
    ("evals", Some(ScanColumn::Evals)),
    ("mates", Some(ScanColumn::Mates)),
    ("comments", Some(ScanColumn::Comments)),
    ("signature", Some(ScanColumn::Signature)),
    ("other_tags", Some(ScanColumn::OtherTags)),
    ("file", Some(ScanColumn::File)),
    ("movetext", Some(ScanColumn::Movetext)),
    ("pgn", Some(ScanColumn::Pgn)),
];

impl GameColumn {
    /// The columns that are returned if none are named, in the order of the table.
    pub fn all() -> Vec<Self> {
        let columns = COLUMNS[..COLUMNS.len() - ON_REQUEST].iter();
        columns.map(Self::of).collect()
    }

    /// A column of the table.
    fn of((name, source): &Known) -> Self {
        let tag = || ScanColumn::Tag((*name).to_owned());
        Self {
            name: (*name).to_owned(),
            source: source.clone().unwrap_or_else(tag),
        }
    }

    /// The column of this name. Upper and lower case differ.
    ///
    /// # Errors
    /// Usage if there is no such column.
    pub fn named(name: &str) -> Result<Self> {
        if let Some(tag) = name.strip_prefix(TAG).filter(|tag| !tag.is_empty()) {
            return Ok(Self {
                name: name.to_owned(),
                source: ScanColumn::Tag(tag.to_owned()),
            });
        }
        let known = COLUMNS.iter().find(|(known, _)| *known == name);
        known.map(Self::of).ok_or_else(|| {
            let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
            let remedy = match closest(name, &names) {
                Some(known) => format!("did you mean {known}?"),
                None => format!("name one of {}, or {TAG}NAME", names.join(", ")),
            };
            Error::usage(format!("there is no column '{name}'")).with_remedy(remedy)
        })
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
    pub fn source(&self) -> &ScanColumn {
        &self.source
    }

    /// The field of the schema.
    pub fn field(&self, encoding: Encoding) -> Field {
        let (data_type, is_nullable) = match self.source {
            ScanColumn::Number => (DataType::UInt64, false),
            ScanColumn::WhiteElo
            | ScanColumn::BlackElo
            | ScanColumn::WhiteRatingDiff
            | ScanColumn::BlackRatingDiff => (DataType::Int32, true),
            ScanColumn::LocalDate | ScanColumn::UtcDate => (DataType::Date32, true),
            ScanColumn::UtcTime => (DataType::Time32(TimeUnit::Millisecond), true),
            ScanColumn::Plies => (DataType::Int32, true),
            ScanColumn::Moves => (DataType::List(move_field(encoding)), true),
            ScanColumn::Clocks | ScanColumn::Evals => {
                (DataType::List(item(DataType::Float32)), true)
            }
            ScanColumn::Mates => (DataType::List(item(DataType::Int32)), true),
            ScanColumn::Comments => (DataType::List(comment_field()), true),
            ScanColumn::OtherTags => (DataType::List(tag_field()), true),
            ScanColumn::Signature | ScanColumn::Movetext | ScanColumn::Pgn => {
                (DataType::Utf8, false)
            }
            // A tag, or the name of a file.
            _ => (encoding.text_type(), true),
        };
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
    let structure = DataType::Struct(fields.into_iter().collect());
    Arc::new(Field::new_list_field(structure, false))
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
