//! Sizes: of the whole archive, and of each column.

use std::io::Write;

use crate::{
    messages::shortened,
    numbers::{fixed, grouped, percent},
    output::Output,
    table::Table,
};
use ign_archive::Result;
use ign_archive::stats::Report;
use ign_archive::stats::ratio;

/// Maximum number of columns shown one by one.
const MAX_PARTS: usize = 24;
/// Maximum length of a column name.
const MAX_NAME: usize = 51;

/// Writes both tables. `width` is the maximum number of characters in a line.
pub fn write(report: &Report, out: &mut Output, width: usize) -> Result<()> {
    writeln!(out, "{}\n", shortened(&report.name, width))?;
    write!(out, "{}", overview(report))?;
    if report.stats.space.archive_len > 0 {
        write!(out, "\n{}", columns(report))?;
    }
    Ok(())
}

fn overview(report: &Report) -> Table {
    let (games, space) = (&report.stats.games, &report.stats.space);
    let mut table = Table::without_header(3).left(2);
    table.row([&"games", &grouped(games.games), &""]);
    let measured = games.lengths.count();
    let mean = games.lengths.mean().map_or_else(String::new, |mean| {
        if measured == games.games {
            format!("{mean:.1} a game")
        } else {
            // Games of variants are not measured, because they have no integer.
            format!(
                "{mean:.1} in each of the {} games of chess",
                grouped(measured)
            )
        }
    });
    table.row([&"plies", &grouped(games.plies), &mean]);
    table.row([&"bytes of text", &grouped(space.text_len), &""]);
    let times = ratio(space.text_len, space.archive_len)
        .filter(|&times| times > 0.0)
        .map_or_else(String::new, |times| {
            format!("{times:.2} times smaller than the text")
        });
    table.row([&"bytes of archive", &grouped(space.archive_len), &times]);
    let each = fixed(report.stats.bytes_per_game(), 2);
    table.row([&"bytes a game", &each, &""]);
    let not_understood = games.not_understood.total();
    let share = percent(not_understood, games.games);
    table.row([&"games not understood", &grouped(not_understood), &share]);
    for (reason, count) in games.not_understood.by_reason() {
        if count > 0 {
            let name = format!("- {}", reason.name());
            table.row([&name, &grouped(count), &percent(count, games.games)]);
        }
    }
    table.row([
        &"records without a game",
        &grouped(games.other_records),
        &"",
    ]);
    table
}

fn columns(report: &Report) -> Table {
    let (space, games) = (&report.stats.space, report.stats.games.games);
    let mut table = Table::new(&["Where the bytes go", "bytes", "B/game", "share"]);
    let mut row = |name: &str, len: u64| {
        table.row([
            &shortened(name, MAX_NAME),
            &grouped(len),
            &fixed(ratio(len, games), 3),
            &percent(len, space.archive_len),
        ]);
    };
    let parts = space.parts();
    let (shown, rest) = parts.split_at(parts.len().min(MAX_PARTS));
    for (name, len) in shown {
        row(name, *len);
    }
    if !rest.is_empty() {
        let name = format!("{} more", rest.len());
        row(&name, rest.iter().map(|(_, len)| len).sum());
    }
    row("all", space.archive_len);
    table
}
