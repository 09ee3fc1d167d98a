//! What a moves column of weighted games begins with: the style.

use crate::{
    error::{Error, Result},
    model::{MoveModel, Style},
};

/// Bytes of the header.
pub const HEADER_LEN: usize = 1;

/// Writes the header.
pub fn write(style: &Style) -> Vec<u8> {
    vec![style.number()]
}

/// Reads the style of play of a model from a column that is not empty.
///
/// # Errors
/// Corrupt.
pub fn read_style(column: &[u8], model: MoveModel) -> Result<Style> {
    let &number = column.first().ok_or_else(malformed)?;
    Style::new(model, number).ok_or_else(|| Error::corrupt("the moves column has an unknown style"))
}

/// The error of a column whose lengths do not agree with its bytes.
pub fn malformed() -> Error {
    Error::corrupt("the moves column is malformed: the lengths of its groups do not fit")
}
