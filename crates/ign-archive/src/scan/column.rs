//! The columns that a scan can return.

use std::fmt;

/// Declares the columns: for each its documentation, its name, and the tags that it is read from;
/// of several, the first with a value of the right form.
macro_rules! columns {
    ($($(#[$doc:meta])* $column:ident $name:literal [$($tag:literal),*],)*) => {
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
        /// | `Plies` | the number of moves of both sides, as far as they are legal | the game is kept as text, or is not a game of chess |
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
        /// | `OtherTags` | names and values of the tags that no other column returns: those outside [`TEXT_TAGS`](ScanColumn::TEXT_TAGS), values that are null in their typed column, and the second and further tags of the same name | there are none |
        /// | `File` | the [name](crate::Source::name) of the packed file that holds the game | the name is empty: the text came from standard input |
        /// | `Movetext` | the text after the tags, without white space at its ends | never |
        /// | `Pgn` | the whole text of the game | never |
        /// | all others | the value of the tag, to the byte, without the escapes `\"` and `\\` | the tag is missing; `?` and an empty value are values |
        ///
        /// Names of tags are those of PGN. The properties of an SGF file are tags too: `Tag("PB".into())`.
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ScanColumn {
            $($(#[$doc])* $column,)*
            /// Any tag, as text.
            Tag(String),
        }

        impl ScanColumn {
            /// The columns other than [`Tag`](Self::Tag), in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$column),*];

            /// The name of the column: the name of its tag, or that of the variant.
            pub fn name(&self) -> &str {
                match self {
                    $(Self::$column => $name,)*
                    Self::Tag(name) => name,
                }
            }

            /// The tags that the column is read from.
            pub(super) fn tags(&self) -> Vec<&str> {
                match self {
                    $(Self::$column => vec![$($tag),*],)*
                    Self::Tag(name) => vec![name],
                }
            }
        }
    };
}

columns! {
    /// The number of the game in its archive.
    Number "Number" [],
    /// White's name.
    White "White" ["White"],
    /// Black's name.
    Black "Black" ["Black"],
    /// White's rating.
    WhiteElo "WhiteElo" ["WhiteElo"],
    /// Black's rating.
    BlackElo "BlackElo" ["BlackElo"],
    /// The date.
    Date "Date" ["UTCDate", "Date"],
    /// The time of day.
    Time "Time" ["UTCTime", "Time"],
    /// The result.
    Result "Result" ["Result"],
    /// The ECO code.
    Eco "ECO" ["ECO"],
    /// The name of the opening.
    Opening "Opening" ["Opening"],
    /// The time control.
    TimeControl "TimeControl" ["TimeControl"],
    /// The event.
    Event "Event" ["Event"],
    /// The site.
    Site "Site" ["Site"],
    /// How the game ended.
    Termination "Termination" ["Termination"],
    /// The number of plies.
    Plies "Plies" [],
    /// The change of White's rating.
    WhiteRatingDiff "WhiteRatingDiff" ["WhiteRatingDiff"],
    /// The change of Black's rating.
    BlackRatingDiff "BlackRatingDiff" ["BlackRatingDiff"],
    /// The day of the Date tag, which is that of the place where the game was played.
    LocalDate "LocalDate" ["Date"],
    /// The day of the UTCDate tag.
    UtcDate "UTCDate" ["UTCDate"],
    /// The time of the UTCTime tag.
    UtcTime "UTCTime" ["UTCTime"],
    /// The moves.
    // Whether castling is written as in Chess960 depends on the variant.
    Moves "Moves" ["Variant"],
    /// The clock times.
    Clocks "Clocks" [],
    /// The evaluations in pawns.
    Evals "Evals" [],
    /// The evaluations in moves to mate.
    Mates "Mates" [],
    /// The comments.
    Comments "Comments" [],
    /// The signature.
    Signature "Signature" [],
    /// The tags without a column of their own.
    OtherTags "OtherTags" [],
    /// The name of the packed file.
    File "File" [],
    /// The text after the tags.
    Movetext "Movetext" [],
    /// The whole text.
    Pgn "Pgn" [],
}

impl ScanColumn {
    /// Whether the column is read from the moves or the text of the games.
    pub(super) fn needs_text(&self) -> bool {
        matches!(
            self,
            Self::Moves
                | Self::Clocks
                | Self::Evals
                | Self::Mates
                | Self::Comments
                | Self::OtherTags
                | Self::Movetext
                | Self::Pgn
        )
    }

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
}

/// The column of this [name](ScanColumn::name). Every other name is that of a tag.
impl From<&str> for ScanColumn {
    fn from(name: &str) -> Self {
        let named = Self::ALL
            .iter()
            .find(|column| column.name() == name)
            .cloned();
        named.unwrap_or_else(|| Self::Tag(name.to_owned()))
    }
}

impl fmt::Display for ScanColumn {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}
