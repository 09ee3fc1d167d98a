//! How repeated text is stored in memory.

use arrow_schema::DataType;

/// How arrays store text that repeats. The values are the same in every encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoding {
    /// Whether text columns are dictionary arrays with keys `Int32`. Each batch has dictionaries
    /// of its own.
    pub text: bool,
    /// Whether moves are dictionary arrays with keys `Int16`. All batches share one dictionary.
    pub moves: bool,
}

impl Encoding {
    /// Dictionary arrays: the least memory, and no copy of the text.
    pub const DICTIONARY: Self = Self {
        text: true,
        moves: true,
    };
    /// Arrays of strings, for consumers that do not read dictionaries.
    pub const PLAIN: Self = Self {
        text: false,
        moves: false,
    };

    /// The type of a text column.
    pub(crate) fn text_type(self) -> DataType {
        if self.text {
            dictionary(DataType::Int32)
        } else {
            DataType::Utf8
        }
    }

    /// The type of a move.
    pub(crate) fn move_type(self) -> DataType {
        if self.moves {
            dictionary(DataType::Int16)
        } else {
            DataType::Utf8
        }
    }
}

fn dictionary(keys: DataType) -> DataType {
    DataType::Dictionary(Box::new(keys), Box::new(DataType::Utf8))
}
