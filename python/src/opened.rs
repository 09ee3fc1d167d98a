//! Searches of open archives, which Ctrl-C ends.

use std::ops::RangeBounds;

use ign_archive::{Archives, Query};
use pyo3::Python;

use crate::{failure::Result, interrupt::interruptible, numbers::Numbers};

/// The numbers of all games.
pub fn all(archives: &Archives) -> Numbers {
    Numbers::Range(1..archives.len() + 1)
}

/// The numbers of the games of a range that meet all conditions, of the first `limit` games at most.
///
/// # Errors
/// As [`Archives::find_within`]; the exception of a signal.
pub fn find_within(
    py: Python,
    archives: &Archives,
    query: &Query,
    games: impl RangeBounds<u64> + Send,
    limit: Option<usize>,
) -> Result<Numbers> {
    let found = interruptible(py, |cancel| {
        let archives = archives.clone().with_cancel(cancel.flag());
        archives.find_within(query, games, limit.unwrap_or(usize::MAX))
    })?;
    Ok(Numbers::List(found.into()))
}
