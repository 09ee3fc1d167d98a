//! The record batches of some games of several archives.

use ign_archive::{Archives, PositionScan, Result};
use ign_arrow::{Encoding, GameColumn, RecordBatches, RecordBatchesInOrder};

use crate::{numbers::Numbers, scan::Batches};

/// A scan of the positions of the games with these numbers, in ascending order.
pub fn positions(scan: PositionScan, numbers: &Numbers) -> PositionScan {
    match numbers.ascending() {
        Numbers::Range(games) => scan.range(games),
        numbers => scan.only(numbers.into_list()),
    }
}

/// The record batches of the games with these numbers, in their order, numbered over all archives.
pub fn batches(
    opened: &Archives,
    numbers: &Numbers,
    columns: &[GameColumn],
    encoding: Encoding,
) -> Result<Batches> {
    if let Numbers::Ordered(ordered) = numbers {
        let games = ordered.games.clone();
        let batches = RecordBatchesInOrder::of(opened, games, columns, encoding)?;
        return Ok(Box::new(batches));
    }
    let archives = opened.archives().iter().enumerate();
    let mut done = 0;
    let scans = archives.filter_map(|(place, archive)| {
        let before = opened.games_before(place);
        let end = numbers.count_up_to(before + archive.len());
        let own = done..end;
        done = end;
        let scan = || match numbers.slice(own.clone(), 1).less(before) {
            Numbers::Range(numbers) => archive.scan().range(numbers),
            numbers => archive.scan().only(numbers.into_list()),
        };
        (!own.is_empty()).then(|| (before, scan()))
    });
    // The scans are of archives that the iterator does not borrow.
    let scans: Vec<_> = scans.collect();
    Ok(Box::new(RecordBatches::of_all(scans, columns, encoding)))
}
