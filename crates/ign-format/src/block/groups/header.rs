//! What a moves column of weighted games begins with: model version, model checksum, style.

use crate::{
    error::{Error, Kind, Remedy, Result},
    model::{self, STYLES},
};

/// Bytes of the header.
pub const HEADER_LEN: usize = 10;

/// Writes the header.
pub fn write(style: u8) -> Vec<u8> {
    let mut out = vec![model::VERSION];
    out.extend_from_slice(&model::CHECKSUM.to_le_bytes());
    out.push(style);
    out
}

/// Reads the style of play from a column that is not empty.
///
/// # Errors
/// Unsupported when another model coded the column; corrupt.
pub fn read_style(column: &[u8]) -> Result<u8> {
    let header = column.first_chunk::<HEADER_LEN>().ok_or_else(malformed)?;
    let [version, checksum @ .., style] = header;
    let checksum = u64::from_le_bytes(*checksum);
    let (known, known_checksum) = (model::VERSION, model::CHECKSUM);
    if (*version, checksum) != (known, known_checksum) {
        return Err(Error::new(
            Kind::Unsupported,
            format!(
                "moves are coded by another move model, version {version} ({checksum:016x}); this program has version {known} ({known_checksum:016x})"
            ),
        )
        .with_remedy(Remedy::OtherVersion));
    }
    if *style >= STYLES {
        return Err(Error::corrupt("the moves column has an unknown style"));
    }
    Ok(*style)
}

/// The error of a column whose lengths do not agree with its bytes.
pub fn malformed() -> Error {
    Error::corrupt("the moves column is malformed: the lengths of its groups do not fit")
}
