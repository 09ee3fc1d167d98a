//! Offsets of items that are stored one after the other, as Arrow has them.

use std::ops::Range;

use ign_format::error::{Error, Result};

/// Where an item is; `None` if there are fewer. It starts at its offset and ends at the next one.
pub fn item(offsets: &[i32], index: usize) -> Option<Range<usize>> {
    let (start, end) = (offsets.get(index)?, offsets.get(index + 1)?);
    Some(*start as usize..*end as usize)
}

/// A length as an offset of Arrow.
///
/// # Errors
/// Unsupported from 2³¹.
pub fn offset(len: usize) -> Result<i32> {
    i32::try_from(len).map_err(|_| Error::unsupported("a column of a block exceeds 2 GiB"))
}
