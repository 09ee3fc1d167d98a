//! The description of a condition, from which every interface is made: the flags and the help of
//! the command, the keyword arguments of Python, the options of Spark and DuckDB, the parameters of
//! the server, the form of its page, and the tables of the documentation.

use ign_format::error::{Error, Result};

use super::RangeEnd;
use crate::find::Evaluate;

/// A condition that a [`Query`](crate::Query) can have: a row of [`CONDITIONS`](super::CONDITIONS).
#[derive(Debug)]
#[non_exhaustive]
pub struct Condition {
    /// The name: letters, and `_` between words.
    pub name: &'static str,
    /// The form of the value.
    pub form: Form,
    /// The group in which help and forms list the condition.
    pub heading: Heading,
    /// Some words for a form, such as `White's rating`.
    pub label: &'static str,
    /// A sentence about the games that match and the form of the value, without a period.
    pub help: &'static str,
    /// A value.
    pub example: &'static str,
    /// What a search reads to evaluate it on a game.
    pub reads: Reads,
    /// The section of a search index that decides it, or narrows the choice.
    pub section: Option<Section>,
    /// Reads the value from text.
    pub(crate) read: fn(&str) -> Result<Box<dyn Evaluate>>,
}

impl Condition {
    /// Whether a query can have the condition more than once.
    pub fn is_repeatable(&self) -> bool {
        self.form == Form::Expression
    }

    /// Checks that a text is a value.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if the text has another form.
    pub fn check(&self, text: &str) -> Result<()> {
        (self.read)(text).map(|_| ())
    }
}

/// The form of the value of a condition, as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// A text for the whole value of a tag, in which `*` matches any text.
    Pattern,
    /// `NAME=REGEX`: a tag and a regular expression that matches anywhere in its value. The
    /// condition can be given several times.
    Expression,
    /// The id of a game on a server, or its address.
    Id,
    /// An integer, or a range of them: [`Bounds`](super::Bounds).
    Numbers,
    /// One or more ranges of integers, separated by commas.
    NumberRanges,
    /// A [`Date`](super::Date), or a range of them.
    Dates,
    /// A code such as `B20`, or a range of them.
    Codes,
    /// One or more of these words, separated by commas. There may be other forms of them.
    Choices(&'static [&'static str]),
    /// Moves in SAN or UCI notation, or their integer.
    Moves,
    /// Movetext.
    Score,
    /// Parts such as `A=e4f6??`, separated by spaces.
    Signature,
    /// A position as FEN.
    Fen,
    /// A word in a form of its own.
    Word,
    /// `true` or `false`, in any case.
    Flag,
}

impl Form {
    /// The name of the form: one lower-case word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pattern => "pattern",
            Self::Expression => "expression",
            Self::Id => "id",
            Self::Numbers => "numbers",
            Self::NumberRanges => "ranges",
            Self::Dates => "dates",
            Self::Codes => "codes",
            Self::Choices(_) => "choices",
            Self::Moves => "moves",
            Self::Score => "score",
            Self::Signature => "signature",
            Self::Fen => "fen",
            Self::Word => "word",
            Self::Flag => "flag",
        }
    }
}

/// A group of conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Heading {
    /// Players and ratings.
    Players,
    /// Other tags.
    Tags,
    /// The moves of the main line.
    Moves,
    /// Positions of the main line.
    Positions,
    /// Comments.
    Content,
}

impl Heading {
    /// The title of the group.
    pub fn title(self) -> &'static str {
        match self {
            Self::Players => "Players and ratings",
            Self::Tags => "Tags",
            Self::Moves => "Moves",
            Self::Positions => "Positions",
            Self::Content => "Content",
        }
    }
}

/// What a search reads to evaluate a condition on a game. Conditions are evaluated in this order, so
/// that the cheap ones leave few games for the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reads {
    /// The column of signatures.
    Signatures,
    /// Tags with few different values.
    FewValues(&'static [&'static str]),
    /// Tags whose values are numbers or dates.
    Numbers(&'static [&'static str]),
    /// Tags whose values are names or addresses.
    Texts(&'static [&'static str]),
    /// Tags that may have to be derived from the moves.
    Derived(&'static [&'static str]),
    /// The tag that the value names.
    NamedTag,
    /// The first moves.
    FirstMoves,
    /// The moves up to the position.
    Positions,
    /// All moves.
    Moves,
    /// The text of the game.
    Comments,
}

/// A section of a search index. Sections are used in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Players and their games.
    Players,
    /// Positions and the games in which they occur.
    Positions,
    /// The opening tree.
    Openings,
    /// Columns of fixed width: ratings, dates, results, codes, plies, time controls.
    Columns,
}

/// The greatest number of letters in which a name may differ from the one that was meant, for each
/// four letters, plus one.
const EDITS_PER_LETTERS: usize = 4;

/// The name among `known` that was probably meant by another one: the one with the fewest letters
/// to insert, remove or replace, if these are few. The case of letters and underscores do not
/// count.
///
/// ```
/// use ign_archive::query::closest;
///
/// assert_eq!(closest("whiteElo", &["white", "white_elo"]), Some("white_elo"));
/// assert_eq!(closest("knight", &["white", "white_elo"]), None);
/// ```
pub fn closest<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    // Longer texts are no misspelled names, and comparing takes the product of the lengths.
    const MAX_LEN: usize = 40;
    let plain = |text: &str| text.to_ascii_lowercase().replace('_', "");
    let wanted = plain(name);
    if wanted.len() > MAX_LEN {
        return None;
    }
    let distances = known
        .iter()
        .map(|&known| (edits(&wanted, &plain(known)), known));
    let (distance, known) = distances.min_by_key(|&(distance, _)| distance)?;
    (distance <= 1 + wanted.len() / EDITS_PER_LETTERS).then_some(known)
}

/// The least number of bytes to insert, remove or replace.
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

/// Reads a range.
pub(super) fn range<T: RangeEnd>(text: &str) -> Result<super::Bounds<T>> {
    let range = text.parse::<super::Bounds<T>>();
    range.map_err(|e| e.with_remedy("write a value, 'a..b' with both included, 'a..' or '..b'"))
}

/// Reads values that are separated by commas.
pub(super) fn several<T>(text: &str, read: impl Fn(&str) -> Result<T>) -> Result<Vec<T>> {
    text.split(',').map(|value| read(value.trim())).collect()
}

/// Reads a flag.
pub(super) fn flag(text: &str) -> Result<bool> {
    match &*text.to_ascii_lowercase() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => {
            Err(Error::usage(format!("'{text}' is not a boolean"))
                .with_remedy("write true or false"))
        }
    }
}
