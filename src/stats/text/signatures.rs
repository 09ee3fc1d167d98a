//! Claims of the documents, uniqueness of signatures, and claimable draws.

use std::io::Write;

use crate::{
    numbers::{fixed, grouped, percent},
    output::Output,
    table::Table,
};
use ign_archive::Result;
use ign_archive::query::{format_a, format_b};
use ign_archive::stats::Report;

/// Writes the tables that apply.
pub fn write(report: &Report, out: &mut Output) -> Result<()> {
    if !report.claims.is_empty() {
        write!(out, "\n{}", claims(report))?;
    }
    write!(out, "\n{}", signatures(report))?;
    if !report.stats.games.are_all_go() {
        write!(out, "\n{}", claimable(report))?;
    }
    Ok(())
}

fn claims(report: &Report) -> Table {
    let header = [
        "Claims of the documents",
        "claimed",
        "measured",
        "",
        "games",
    ];
    let mut table = Table::new(&header).left(3);
    for claim in &report.claims {
        table.row([
            &format_args!("{} {}", claim.document, claim.subject),
            &claim.claimed,
            &fixed(claim.measured, claim.unit.decimals()),
            &claim.unit.word(),
            &grouped(claim.games),
        ]);
    }
    table
}

fn signatures(report: &Report) -> Table {
    let counted = &report.signatures;
    let games = counted.games;
    let mut table = Table::new(&["Signatures", "games", "share"]);
    let mut row = |name: &str, count: u64| {
        table.row([&name, &grouped(count), &percent(count, games)]);
    };
    row("unique by A (plies 20, 40, 60)", counted.unique_a);
    row("unique by B (plies 31, 51, 71)", counted.unique_b);
    row("unique by A and B", counted.unique);
    row("shorter than 71 plies", games - counted.complete);
    row("shorter than 20 plies: all six are ??", counted.without);
    if let Some((signature, count)) = &counted.largest {
        let (a, b) = (format_a(signature), format_b(signature));
        row(&format!("most frequent: A={a} B={b}"), *count);
    }
    table
}

fn claimable(report: &Report) -> Table {
    let claimable = report.stats.games.claimable;
    let header = ["Claimable draws", "games", "at the end", "and drawn"];
    let mut table = Table::new(&header);
    for (name, claimed) in [
        ("a position for the third time", claimable.repetition),
        (
            "50 moves without pawn move or capture",
            claimable.fifty_moves,
        ),
    ] {
        let [games, at_end, drawn] =
            [claimed.games, claimed.at_end, claimed.at_end_drawn].map(grouped);
        table.row([&name, &games, &at_end, &drawn]);
    }
    table
}
