//! Bits of the moves: as stored, per game, and in other encodings.

use std::io::Write;

use crate::{
    numbers::{fixed, grouped},
    output::Output,
    table::Table,
};
use ign_archive::Result;
use ign_archive::stats::Report;
use ign_archive::stats::{moves::Cost, ratio, weighted::IN_PRINT};

/// Writes the tables.
pub fn write(report: &Report, out: &mut Output) -> Result<()> {
    let coding = match report.codings() {
        names if names.is_empty() => "none".into(),
        names => names,
    };
    writeln!(out, "\nMoves, coded as {coding}")?;
    write!(
        out,
        "{}\n{}\n{}",
        stored(report),
        quantiles(report),
        encodings(report)
    )?;
    let (plain, ends) = (&report.stats.moves.plain, &report.stats.moves.ends);
    let games = report.stats.games.lengths.count();
    if let (Some(prefix), Some(ends)) = (
        ratio(plain.prefix_bits(), games),
        mean_difference(ends, plain),
    ) {
        writeln!(
            out,
            "A length prefix costs {prefix:.2} bits a game; end moves cost {ends:.2} bits more."
        )?;
    }
    Ok(())
}

/// Mean bits per game that one coding takes more than another.
fn mean_difference(one: &Cost, other: &Cost) -> Option<f64> {
    Some(one.mean()? - other.mean()?)
}

fn stored(report: &Report) -> Table {
    let (games, moves) = (&report.stats.games, &report.stats.moves);
    let positions = games.plies + games.lengths.count();
    // Groups do not encode again what the signatures determine.
    let with_signatures = if moves.group_bits > 0 && !games.are_all_go() {
        report.stats.bits_with_signatures()
    } else {
        0
    };
    let mut table = Table::new(&["", "bits", "bits a ply", "bits a position"]);
    for (name, bits) in [
        ("integers", moves.stored.integer_bits()),
        ("length prefixes", moves.stored.prefix_bits()),
        ("groups of games", moves.group_bits),
        ("all", moves.stored_bits()),
        ("all, with the signatures", with_signatures),
    ] {
        if bits == 0 && name != "all" {
            continue;
        }
        let [ply, position] = [games.plies, positions].map(|n| fixed(ratio(bits, n), 4));
        table.row([&name, &grouped(bits), &ply, &position]);
    }
    table
}

fn quantiles(report: &Report) -> Table {
    let (games, moves) = (&report.stats.games, &report.stats.moves);
    let bits_of_a_game = match moves.group_bits {
        0 => "bits a game",
        _ => "bits of its moves",
    };
    let mut table = Table::new(&["", "minimum", "median", "mean", "p99", "maximum"]);
    for (name, histogram) in [
        (bits_of_a_game, &report.stats.bits_of_games()),
        ("bits of its integer", &moves.stored.integers),
        ("plies a game", &games.lengths),
        ("legal moves", &moves.choices),
    ] {
        if histogram.count() == 0 && moves.group_bits > 0 {
            continue;
        }
        let integer = |n: Option<usize>| n.map_or_else(|| "-".into(), |n| grouped(n as u64));
        table.row([
            &name,
            &integer(histogram.min()),
            &integer(histogram.percentile(50)),
            &fixed(histogram.mean(), 2),
            &integer(histogram.percentile(99)),
            &integer(histogram.max()),
        ]);
    }
    table
}

fn encodings(report: &Report) -> Table {
    let stats = &report.stats;
    let (plies, games) = (stats.games.plies, stats.games.lengths.count());
    let moves = &stats.moves;
    let header = [
        "The same games in other encodings",
        "bits",
        "bits a ply",
        "bits a game",
    ];
    let mut table = Table::new(&header);
    let mut row = |name: &str, bits: f64| {
        let mean = |n: u64| (n > 0).then(|| bits / n as f64);
        table.row([
            &name,
            &grouped(bits.round() as u64),
            &fixed(mean(plies), 4),
            &fixed(mean(games), 2),
        ]);
    };
    let go = stats.games.are_all_go();
    if !go {
        let name = "origin and destination, 12 bits a ply, no length";
        row(name, moves.square_bits() as f64);
    }
    let name = "number of the move in whole bits, no length";
    row(name, moves.whole_bits() as f64);
    row("with end moves, integers", moves.ends.integer_bits() as f64);
    let name = "with end moves, integers and prefixes";
    row(name, moves.ends.bits() as f64);
    row("plain, integers and prefixes", moves.plain.bits() as f64);
    row("plain, integers", moves.plain.integer_bits() as f64);
    row("sum of log2 of the legal moves, no length", moves.entropy());
    row(
        "sum of -log2 of the model's probabilities",
        stats.weighted.bits(),
    );
    for (who, from, to) in IN_PRINT.iter().filter(|_| !go) {
        let bits = if from == to {
            format!("{from:.2}")
        } else {
            format!("{from:.2}-{to:.2}")
        };
        let name = format!("published, other games: {who}");
        table.row([&name, &"", &bits, &""]);
    }
    table
}
