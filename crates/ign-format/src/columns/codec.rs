//! The codecs of tag columns by number: one place that dispatches to the module of each.

use std::borrow::Cow;

use super::{
    dates, derived, dictionary, ids, numbers, openings, ratings, streams::Streams, table::Table,
    templates,
};
use crate::{
    container::block_head::Column,
    error::{Error, Result},
};

/// How a tag column is encoded (spec §4.3). The values are the numbers in the directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    /// Numbers of values in a growing dictionary.
    Dictionary = 16,
    /// Differences of dates, and of times with them.
    Dates = 17,
    /// Identifiers of eight base-62 characters after a common prefix.
    Ids = 18,
    /// Ratings and rating changes of both players.
    Ratings = 19,
    /// Differences of integers, or of times of day.
    Numbers = 20,
    /// Values that contain the players' names.
    Templates = 21,
    /// Values derived from the moves.
    Derived = 22,
    /// Names and codes of openings, by an opening book.
    Openings = 23,
}

impl Codec {
    const ALL: [Self; 8] = [
        Self::Dictionary,
        Self::Dates,
        Self::Ids,
        Self::Ratings,
        Self::Numbers,
        Self::Templates,
        Self::Derived,
        Self::Openings,
    ];

    /// The codec with this number.
    ///
    /// # Errors
    /// Corrupt, if there is none.
    pub fn from_number(number: u8) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|&codec| codec as u8 == number)
            .ok_or_else(|| Error::corrupt(format!("a column has an unknown codec, {number}")))
    }

    /// The name for messages and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dictionary => "dictionary",
            Self::Dates => "dates",
            Self::Ids => "ids",
            Self::Ratings => "ratings",
            Self::Numbers => "numbers",
            Self::Templates => "templates",
            Self::Derived => "derived",
            Self::Openings => "openings",
        }
    }

    /// The flags that it defines; any other must be 0.
    pub const fn flags(self) -> u8 {
        match self {
            Self::Dictionary => {
                dictionary::RECENT
                    | dictionary::PREDICT
                    | dictionary::PAIRED
                    | dictionary::FIRST_VALUES
                    | dictionary::NAME_MODEL
            }
            Self::Templates => {
                dictionary::RECENT
                    | dictionary::PREDICT
                    | dictionary::FIRST_VALUES
                    | dictionary::NAME_MODEL
            }
            Self::Numbers => numbers::TIMES,
            Self::Derived => derived::Derivation::Position as u8,
            Self::Ratings => ratings::PLUS_ZERO,
            Self::Openings => openings::BOOK_NUMBER,
            Self::Dates | Self::Ids => 0,
        }
    }

    /// Whether the [name model](super::name_model) may encode its text.
    pub const fn may_use_name_model(self) -> bool {
        matches!(self, Self::Dictionary | Self::Templates)
    }

    /// Whether [`Codec::decode`] omits the values of tags that the table does not need.
    pub const fn omits_unneeded(self) -> bool {
        matches!(self, Self::Ratings)
    }

    /// Whether equal values have equal spans, apart from values that are not in the codes.
    pub const fn has_equal_spans(self) -> bool {
        matches!(self, Self::Dictionary)
    }

    /// Encodes the values of a column. The codec sets the flags of the column, and removes
    /// references that do not help.
    pub fn encode(self, table: &mut Table, column: &mut Column) -> Streams {
        match self {
            Self::Dictionary => dictionary::encode(table, column),
            Self::Dates => dates::encode(table, column),
            Self::Ids => ids::encode(table, column),
            Self::Ratings => ratings::encode(table, column),
            Self::Numbers => numbers::encode(table, column),
            Self::Templates => templates::encode(table, column),
            Self::Derived => derived::encode(table, column),
            Self::Openings => openings::encode(table, column),
        }
    }

    /// Decodes the values of a column in the parts that the table needs.
    ///
    /// # Errors
    /// Corrupt, if the streams end early or contradict the column.
    pub fn decode(self, table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
        match self {
            Self::Dictionary => dictionary::decode(table, column, streams),
            Self::Dates => dates::decode(table, column, streams),
            Self::Ids => ids::decode(table, column, streams),
            Self::Ratings => ratings::decode(table, column, streams),
            Self::Numbers => numbers::decode(table, column, streams),
            Self::Templates => templates::decode(table, column, streams),
            Self::Derived => derived::decode(table, column, streams),
            Self::Openings => openings::decode(table, column, streams),
        }
    }
}
