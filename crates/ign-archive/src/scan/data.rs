//! The values of a column, of any type.

use super::{
    annotations::Comments, lists::Lists, other_tags::TagPairs, strings::Strings, text::TextColumn,
    values::Values,
};
use crate::values::{Date, Eco, GameResult};

/// The values of a column, one for each row of its batch.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ColumnData {
    /// Numbers of games; no value is null.
    Number(Vec<u64>),
    /// Ratings.
    Rating(Values<u16>),
    /// Dates.
    Date(Values<Date>),
    /// Seconds since midnight.
    Time(Values<u32>),
    /// Results.
    Result(Values<GameResult>),
    /// ECO codes.
    Eco(Values<Eco>),
    /// Numbers of plies.
    Plies(Values<u32>),
    /// Changes of ratings.
    Difference(Values<i16>),
    /// Days since 1970-01-01.
    Days(Values<i32>),
    /// Moves: codes of [`uci_moves`](crate::scan::uci_moves).
    Moves(Lists<Vec<u16>>),
    /// Clock times in seconds, or evaluations in pawns.
    Decimals(Lists<Values<f32>>),
    /// Moves to mate.
    Mates(Lists<Values<i32>>),
    /// Comments.
    Comments(Lists<Comments>),
    /// Tags.
    Tags(Lists<TagPairs>),
    /// Text in which few values are equal; no value is null.
    Strings(Strings),
    /// Text, dictionary-encoded.
    Text(TextColumn),
}

impl ColumnData {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Number(values) => values.len(),
            Self::Rating(values) => values.len(),
            Self::Date(values) => values.len(),
            Self::Time(values) | Self::Plies(values) => values.len(),
            Self::Result(values) => values.len(),
            Self::Eco(values) => values.len(),
            Self::Difference(values) => values.len(),
            Self::Days(values) => values.len(),
            Self::Moves(lists) => lists.len(),
            Self::Decimals(lists) => lists.len(),
            Self::Mates(lists) => lists.len(),
            Self::Comments(lists) => lists.len(),
            Self::Tags(lists) => lists.len(),
            Self::Strings(strings) => strings.len(),
            Self::Text(text) => text.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of bytes of the values in memory.
    pub fn size(&self) -> u64 {
        fn bytes_of<T: Copy>(values: &Values<T>) -> usize {
            size_of_val(values.values()) + values.validity().as_bytes().len()
        }
        fn bytes_of_lists<T>(lists: &Lists<T>, items: usize) -> usize {
            size_of_val(lists.offsets()) + lists.validity().as_bytes().len() + items
        }
        let size = match self {
            Self::Number(numbers) => size_of_val(&numbers[..]),
            Self::Rating(ratings) => bytes_of(ratings),
            Self::Date(dates) => bytes_of(dates),
            Self::Time(numbers) | Self::Plies(numbers) => bytes_of(numbers),
            Self::Result(results) => bytes_of(results),
            Self::Eco(codes) => bytes_of(codes),
            Self::Difference(differences) => bytes_of(differences),
            Self::Days(days) => bytes_of(days),
            Self::Moves(moves) => bytes_of_lists(moves, size_of_val(&moves.items()[..])),
            Self::Decimals(decimals) => bytes_of_lists(decimals, bytes_of(decimals.items())),
            Self::Mates(mates) => bytes_of_lists(mates, bytes_of(mates.items())),
            Self::Comments(comments) => {
                let items = comments.items();
                bytes_of_lists(comments, size_of_val(items.plies()) + items.text().size())
            }
            Self::Tags(tags) => {
                let items = tags.items();
                bytes_of_lists(tags, items.names().size() + items.values().size())
            }
            Self::Strings(text) => text.size(),
            Self::Text(text) => {
                let buffers = size_of_val(text.codes()) + size_of_val(text.offsets());
                buffers + text.bytes().len() + text.validity().as_bytes().len()
            }
        };
        size as u64
    }

    /// The numbers of games of a column [`Number`](super::ScanColumn::Number).
    pub fn as_numbers(&self) -> Option<&[u64]> {
        match self {
            Self::Number(values) => Some(values),
            _ => None,
        }
    }

    /// The ratings of a column of ratings.
    pub fn as_ratings(&self) -> Option<&Values<u16>> {
        match self {
            Self::Rating(values) => Some(values),
            _ => None,
        }
    }

    /// The dates of a column [`Date`](super::ScanColumn::Date).
    pub fn as_dates(&self) -> Option<&Values<Date>> {
        match self {
            Self::Date(values) => Some(values),
            _ => None,
        }
    }

    /// The seconds since midnight of a column [`Time`](super::ScanColumn::Time).
    pub fn as_times(&self) -> Option<&Values<u32>> {
        match self {
            Self::Time(values) => Some(values),
            _ => None,
        }
    }

    /// The results of a column [`Result`](super::ScanColumn::Result).
    pub fn as_results(&self) -> Option<&Values<GameResult>> {
        match self {
            Self::Result(values) => Some(values),
            _ => None,
        }
    }

    /// The codes of a column [`Eco`](super::ScanColumn::Eco).
    pub fn as_ecos(&self) -> Option<&Values<Eco>> {
        match self {
            Self::Eco(values) => Some(values),
            _ => None,
        }
    }

    /// The numbers of plies of a column [`Plies`](super::ScanColumn::Plies).
    pub fn as_plies(&self) -> Option<&Values<u32>> {
        match self {
            Self::Plies(values) => Some(values),
            _ => None,
        }
    }

    /// The moves of a column [`Moves`](super::ScanColumn::Moves).
    pub fn as_moves(&self) -> Option<&Lists<Vec<u16>>> {
        match self {
            Self::Moves(lists) => Some(lists),
            _ => None,
        }
    }

    /// The text of a column of text.
    pub fn as_text(&self) -> Option<&TextColumn> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}
