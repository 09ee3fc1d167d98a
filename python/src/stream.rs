//! The record batches of some games of several archives.

use ign_archive::Archives;
use ign_arrow::{Encoding, GameColumn, RecordBatches};

use crate::numbers::Numbers;

/// The record batches of the games with these numbers, archive by archive, numbered over all archives.
pub fn batches(
    opened: &Archives,
    numbers: &Numbers,
    columns: &[GameColumn],
    encoding: Encoding,
) -> RecordBatches {
    let archives = opened.archives().iter().enumerate();
    let mut done = 0;
    let scans = archives.filter_map(|(place, archive)| {
        let before = opened.games_before(place);
        let end = numbers.count_up_to(before + archive.len());
        let own = done..end;
        done = end;
        let scan = || match numbers.slice(own.clone(), 1).less(before) {
            Numbers::Range(numbers) => archive.scan().range(numbers),
            Numbers::List(numbers) => archive.scan().only(numbers),
        };
        (!own.is_empty()).then(|| (before, scan()))
    });
    RecordBatches::of_all(scans, columns, encoding)
}
