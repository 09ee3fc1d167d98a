//! The description of a condition, from which every interface is made: the flags and the help of
//! the command, the keyword arguments of Python, the options of Spark and DuckDB, the parameters of
//! the server, the form of its page, and the tables of the documentation.

use ign_format::error::Result;

use crate::plan::Evaluate;

/// A condition that a [`Query`](crate::Query) can have: a row of
/// [`CONDITIONS`](crate::query::CONDITIONS).
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
    pub section: Option<IndexSection>,
    /// Reads the value from text.
    pub(crate) read: fn(&str) -> Result<Box<dyn Evaluate>>,
}

impl Condition {
    /// Whether a query can have the condition more than once.
    pub fn is_repeatable(&self) -> bool {
        matches!(self.form, Form::Expression | Form::Condition)
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
    /// Two texts as of [`Pattern`](Self::Pattern), separated by a semicolon.
    Patterns,
    /// `NAME=REGEX`: a tag and a regular expression that matches anywhere in its value. The
    /// condition can be given several times.
    Expression,
    /// The id of a game on a server, or its address.
    Id,
    /// A positive integer.
    Number,
    /// Integers, or ranges of them, separated by commas: [`Ranges`](crate::query::Ranges).
    Numbers,
    /// Values of [`Date`](crate::query::Date), or ranges of them, separated by commas.
    Dates,
    /// Codes such as `B20`, or ranges of them, separated by commas.
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
    /// `NAME=VALUE`: another condition and its value. The condition can be given several times.
    Condition,
}

impl Form {
    /// The name of the form: one lower-case word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pattern => "pattern",
            Self::Patterns => "patterns",
            Self::Expression => "expression",
            Self::Id => "id",
            Self::Number => "number",
            Self::Numbers => "numbers",
            Self::Dates => "dates",
            Self::Codes => "codes",
            Self::Choices(_) => "choices",
            Self::Moves => "moves",
            Self::Score => "score",
            Self::Signature => "signature",
            Self::Fen => "fen",
            Self::Word => "word",
            Self::Flag => "flag",
            Self::Condition => "condition",
        }
    }
}

/// A group of conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
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
    /// The file that was packed.
    File,
    /// Conditions that must not be met.
    Exclusion,
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
            Self::File => "Packed file",
            Self::Exclusion => "Excluded games",
        }
    }
}

/// What a search reads to evaluate a condition on a game. Conditions are evaluated in this order,
/// so that the cheap ones leave few games for the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reads {
    /// Nothing: the condition follows from the number of the game.
    GameNumber,
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
    /// Nothing by itself: which positions the conditions on positions are about, and how they are
    /// compared.
    LastPosition,
    /// All moves.
    Moves,
    /// How the movetext is written, and text that is not understood.
    Layout,
    /// The text of the game.
    Comments,
    /// What the condition that the value names reads.
    NamedCondition,
}

/// A section of a search index. Sections are used in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum IndexSection {
    /// Players and their games.
    Players,
    /// Material with few pieces, and the games in which it occurs.
    Materials,
    /// Positions and the games in which they occur.
    Positions,
    /// The opening tree.
    Openings,
    /// Columns of fixed width: ratings, dates, results, codes, plies, time controls.
    Columns,
}

/// Reads values that are separated by commas.
pub(super) fn several<T>(text: &str, read: impl Fn(&str) -> Result<T>) -> Result<Vec<T>> {
    text.split(',').map(|value| read(value.trim())).collect()
}
