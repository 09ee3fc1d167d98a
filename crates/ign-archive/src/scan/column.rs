//! The columns that a scan can return.

use std::fmt;

/// A column of a [`Scan`](crate::Scan): a value for each game.
///
/// | columns | values | null |
/// | --- | --- | --- |
/// | `Number` | the number of the game, from 1 | never |
/// | `WhiteElo`, `BlackElo` | a rating from 1 to 9999: `1500`, perhaps in parentheses or with a remark, such as `1500?` and `1500 (FIDE)` | the tag is missing or has another form: `?`, `-`, `0` |
/// | `Date` | a [`Date`](crate::query::Date): that of the UTCDate tag, or of the Date tag if UTCDate is missing or no date | neither has a year |
/// | `Time` | seconds since midnight, from the UTCTime tag, or from the Time tag if UTCTime is missing or no time | neither is a time `HH:MM:SS` |
/// | `Result` | a [`GameResult`](crate::query::GameResult): that of the Result tag, or that at the end of the movetext if the tag does not state how the game ended | neither states a result |
/// | `Eco` | an [`Eco`](crate::query::Eco) code | the tag is missing or does not begin with a code |
/// | `Plies` | the number of moves of both sides, as far as they are legal | the game is kept as text, or is no game of chess |
/// | `WhiteRatingDiff`, `BlackRatingDiff` | a whole number from -9999 to 9999, perhaps with a sign: the change of a rating | the tag is missing or has another form |
/// | `LocalDate` | days since 1970-01-01, from the Date tag: a day of the calendar, year, month and day | the tag is missing, or a part of it is unknown |
/// | `UtcDate` | the same from the UTCDate tag | as for `LocalDate` |
/// | `UtcTime` | seconds since midnight, from the UTCTime tag | the tag is missing or no time `HH:MM:SS` |
/// | `Moves` | the moves of the main line, codes of [`uci_moves`](crate::scan::uci_moves) | as for `Plies`; a game without moves has an empty list |
/// | `Clocks` | the seconds left on the clock after each move of the main line as it is written, from `[%clk …]`, as [`AnnotatedMove::clock`](crate::movetext::AnnotatedMove::clock) reads it | no move has a clock; the value of a move without one is null |
/// | `Evals` | the evaluation after each such move in pawns, from White's point of view, from `[%eval …]` | no move has an evaluation; the value of a move without one, or with a mate, is null |
/// | `Mates` | the moves to mate after each such move, negative if Black mates, from `[%eval #…]` | as for `Evals` |
/// | `Comments` | the comments of the main line, each with the number of plies before it | there are none |
/// | `Signature` | the [`Signature`](crate::Signature) as `ign find` takes it: `A=e4f6?? B=??d5c3` | never |
/// | `OtherTags` | names and values of the tags that no other column returns: those outside [`TEXT_TAGS`](Column::TEXT_TAGS), values that are null in their typed column, and the second and further tags of the same name | there are none |
/// | `File` | the [name](crate::Source::name) of the packed file that holds the game | the name is empty: the text came from standard input |
/// | `Movetext` | the text after the tags, without white space at its ends | never |
/// | `Pgn` | the whole text of the game | never |
/// | all others | the value of the tag, to the byte, without the escapes `\"` and `\\` | the tag is missing; `?` and an empty value are values |
///
/// Names of tags are those of PGN. The properties of an SGF file are tags too: `Tag("PB".into())`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Column {
    /// The number of the game in its archive.
    Number,
    /// White's name.
    White,
    /// Black's name.
    Black,
    /// White's rating.
    WhiteElo,
    /// Black's rating.
    BlackElo,
    /// The date.
    Date,
    /// The time of day.
    Time,
    /// The result.
    Result,
    /// The ECO code.
    Eco,
    /// The name of the opening.
    Opening,
    /// The time control.
    TimeControl,
    /// The event.
    Event,
    /// The site.
    Site,
    /// How the game ended.
    Termination,
    /// The number of plies.
    Plies,
    /// The change of White's rating.
    WhiteRatingDiff,
    /// The change of Black's rating.
    BlackRatingDiff,
    /// The day of the Date tag, which is that of the place where the game was played.
    LocalDate,
    /// The day of the UTCDate tag.
    UtcDate,
    /// The time of the UTCTime tag.
    UtcTime,
    /// The moves.
    Moves,
    /// The clock times.
    Clocks,
    /// The evaluations in pawns.
    Evals,
    /// The evaluations in moves to mate.
    Mates,
    /// The comments.
    Comments,
    /// The signature.
    Signature,
    /// The tags without a column of their own.
    OtherTags,
    /// The name of the packed file.
    File,
    /// The text after the tags.
    Movetext,
    /// The whole text.
    Pgn,
    /// Any tag, as text.
    Tag(String),
}

impl Column {
    /// The columns other than [`Tag`](Self::Tag), in the order of their declaration.
    pub const ALL: &'static [Self] = &[
        Self::Number,
        Self::White,
        Self::Black,
        Self::WhiteElo,
        Self::BlackElo,
        Self::Date,
        Self::Time,
        Self::Result,
        Self::Eco,
        Self::Opening,
        Self::TimeControl,
        Self::Event,
        Self::Site,
        Self::Termination,
        Self::Plies,
        Self::WhiteRatingDiff,
        Self::BlackRatingDiff,
        Self::LocalDate,
        Self::UtcDate,
        Self::UtcTime,
        Self::Moves,
        Self::Clocks,
        Self::Evals,
        Self::Mates,
        Self::Comments,
        Self::Signature,
        Self::OtherTags,
        Self::File,
        Self::Movetext,
        Self::Pgn,
    ];

    /// The tags that a table of games has as columns of text. The column
    /// [`OtherTags`](Self::OtherTags) leaves them out.
    pub const TEXT_TAGS: &'static [&'static str] = &[
        "Event",
        "Site",
        "Round",
        "White",
        "Black",
        "Result",
        "WhiteTitle",
        "BlackTitle",
        "ECO",
        "Opening",
        "Termination",
        "TimeControl",
        "Variant",
        "FEN",
    ];

    /// The name of the column: the name of its tag, or that of the variant.
    pub fn name(&self) -> &str {
        match self {
            Self::Number => "Number",
            Self::Plies => "Plies",
            Self::Moves => "Moves",
            Self::Clocks => "Clocks",
            Self::Evals => "Evals",
            Self::Mates => "Mates",
            Self::Comments => "Comments",
            Self::Signature => "Signature",
            Self::OtherTags => "OtherTags",
            Self::File => "File",
            Self::Movetext => "Movetext",
            Self::Pgn => "Pgn",
            Self::LocalDate => "LocalDate",
            Self::Time => "Time",
            Self::Date => "Date",
            Self::Tag(name) => name,
            _ => self.tags()[0],
        }
    }

    /// The tags that the column is read from; of several, the first with a value of the right form.
    pub(super) fn tags(&self) -> [&str; 2] {
        // The same name twice is one tag.
        let one = |name| [name, name];
        match self {
            Self::Number
            | Self::Plies
            | Self::Clocks
            | Self::Evals
            | Self::Mates
            | Self::Comments
            | Self::Signature
            | Self::OtherTags
            | Self::File
            | Self::Movetext
            | Self::Pgn => one(""),
            // Whether castling is written as in Chess960 depends on the variant.
            Self::Moves => one("Variant"),
            Self::LocalDate => one("Date"),
            Self::UtcDate => one("UTCDate"),
            Self::UtcTime => one("UTCTime"),
            Self::WhiteRatingDiff => one("WhiteRatingDiff"),
            Self::BlackRatingDiff => one("BlackRatingDiff"),
            Self::Date => ["UTCDate", "Date"],
            Self::Time => ["UTCTime", "Time"],
            Self::White => one("White"),
            Self::Black => one("Black"),
            Self::WhiteElo => one("WhiteElo"),
            Self::BlackElo => one("BlackElo"),
            Self::Result => one("Result"),
            Self::Eco => one("ECO"),
            Self::Opening => one("Opening"),
            Self::TimeControl => one("TimeControl"),
            Self::Event => one("Event"),
            Self::Site => one("Site"),
            Self::Termination => one("Termination"),
            Self::Tag(name) => one(name),
        }
    }
}

/// The column of this [name](Column::name). Every other name is that of a tag.
impl From<&str> for Column {
    fn from(name: &str) -> Self {
        let named = Self::ALL
            .iter()
            .find(|column| column.name() == name)
            .cloned();
        named.unwrap_or_else(|| Self::Tag(name.to_owned()))
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}
