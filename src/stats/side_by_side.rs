//! The reports of several inputs as one table each for the totals and for where the bytes go, with
//! a column for each input.

use std::{collections::BTreeMap, io::Write};

use crate::{
    messages::shortened,
    numbers::{fixed, grouped, percent},
    output::Output,
    table::Table,
};
use ign_archive::{
    Result,
    stats::{Report, ratio},
};

/// Maximum length of the name of an input.
const MAX_NAME: usize = 24;
/// Maximum number of parts shown one by one.
const MAX_PARTS: usize = 24;
/// Maximum length of the name of a part of archives.
const MAX_PART: usize = 40;

/// A row of the table of totals.
type Row = (&'static str, fn(&Report) -> String);

const ROWS: [Row; 10] = [
    ("games", |r| grouped(r.stats.games.games)),
    ("plies", |r| grouped(r.stats.games.plies)),
    ("plies a game", |r| fixed(r.stats.games.lengths.mean(), 1)),
    ("bytes of text", |r| grouped(r.stats.space.text_len)),
    ("bytes of archive", |r| grouped(r.stats.space.archive_len)),
    ("times smaller than the text", |r| {
        let space = &r.stats.space;
        fixed(ratio(space.text_len, space.archive_len), 2)
    }),
    ("bytes a game", |r| fixed(r.stats.bytes_per_game(), 2)),
    ("bits a ply", |r| fixed(r.stats.bits_per_ply(), 2)),
    ("games not understood", |r| {
        let games = &r.stats.games;
        percent(games.not_understood.total(), games.games)
    }),
    ("records without a game", |r| {
        grouped(r.stats.games.other_records)
    }),
];

/// Writes both tables.
///
/// # Errors
/// Io.
pub fn write(reports: &[Report], out: &mut Output) -> Result<()> {
    let names: Vec<String> = reports
        .iter()
        .map(|report| shortened(&report.name, MAX_NAME))
        .collect();
    let table = |title: &'static str| {
        let names = names.iter().map(String::as_str);
        Table::new(&std::iter::once(title).chain(names).collect::<Vec<_>>())
    };
    let mut totals = table("");
    for (name, figure) in ROWS {
        let figures = reports.iter().map(figure);
        totals.cells_of(std::iter::once(name.to_owned()).chain(figures));
    }
    let mut table = table("Bytes a game");
    let mut row = |name: &str, lens: &[Option<u64>]| {
        let each = lens.iter().zip(reports).map(|(len, report)| match len {
            Some(len) => fixed(ratio(*len, report.stats.games.games), 3),
            None => "-".to_owned(),
        });
        table.cells_of(std::iter::once(shortened(name, MAX_PART)).chain(each));
    };
    let parts = parts_of(reports);
    let (shown, rest) = parts.split_at(parts.len().min(MAX_PARTS));
    for (name, lens) in shown {
        row(name, lens);
    }
    if !rest.is_empty() {
        let sum = |place: usize| rest.iter().filter_map(|(_, lens)| lens[place]).sum();
        let sums: Vec<_> = (0..reports.len()).map(|place| Some(sum(place))).collect();
        row(&format!("{} more", rest.len()), &sums);
    }
    let all = reports.iter().map(|r| Some(r.stats.space.archive_len));
    row("all", &all.collect::<Vec<_>>());
    write!(out, "{totals}\n{table}")?;
    Ok(())
}

/// The parts of all archives with their bytes in each, those with the most bytes a game first.
fn parts_of(reports: &[Report]) -> Vec<(String, Vec<Option<u64>>)> {
    let mut all: BTreeMap<String, Vec<Option<u64>>> = BTreeMap::new();
    for (place, report) in reports.iter().enumerate() {
        for (name, len) in report.stats.space.parts() {
            let lens = all
                .entry(name.to_string())
                .or_insert_with(|| vec![None; reports.len()]);
            lens[place] = Some(len);
        }
    }
    let each = |lens: &[Option<u64>]| -> f64 {
        let each = lens.iter().zip(reports).filter_map(|(len, report)| {
            let games = report.stats.games.games;
            len.map(|len| len as f64 / games.max(1) as f64)
        });
        each.sum()
    };
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by(|(_, one), (_, other)| each(other).total_cmp(&each(one)));
    all
}
