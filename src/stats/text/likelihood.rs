//! The move model on these moves: bits, by phase and ply, and the rank of the move played.

use std::io::Write;

use crate::{
    numbers::{fixed, grouped, percent},
    output::Output,
    table::Table,
};
use ign_archive::{
    Result,
    stats::weighted::{MODEL_VERSION, Phase, Tally, Weighted},
};

/// First ranks of the rows; the last row is open.
const RANKS: [usize; 8] = [1, 2, 3, 4, 5, 6, 11, 21];

/// Writes both tables, unless there are no moves.
pub fn write(weighted: &Weighted, out: &mut Output) -> Result<()> {
    if weighted.all().moves == 0 {
        return Ok(());
    }
    write!(out, "\n{}", probabilities(weighted))?;
    writeln!(
        out,
        "The move model (version {}) gives each legal move and the end of the game a probability.\n\
         A move of probability 1/2 takes 1 bit, of 1/4 2 bits. Its first guess is the most probable\n\
         move. Phases are by material: knights and bishops 3, rooks 5, queens 9, of both sides.",
        MODEL_VERSION
    )?;
    write!(out, "\n{}", ranks(weighted))?;
    Ok(())
}

fn probabilities(weighted: &Weighted) -> Table {
    let mut table = Table::new(&[
        "Probability of the moves",
        "moves",
        "bits a move",
        "if uniform",
        "first guess right",
    ]);
    let mut row = |name: &str, tally: &Tally| {
        table.row([
            &name,
            &grouped(tally.moves),
            &fixed(tally.mean_bits(), 3),
            &fixed(tally.mean_alike(), 3),
            &percent(tally.first, tally.moves),
        ]);
    };
    for (first, last, tally) in weighted.buckets() {
        let name = match last {
            Some(last) => format!("plies {first} to {last}"),
            None => format!("plies from {first}"),
        };
        row(&name, &tally);
    }
    for &phase in Phase::ALL {
        let name = match phase {
            Phase::Opening => "opening: material above 50 of 62",
            Phase::Middle => "middlegame: up to 50 of 62",
            Phase::End => "endgame: up to 26 of 62",
        };
        row(name, weighted.phase(phase));
    }
    row("all moves", &weighted.all());
    let bits = (weighted.ends > 0).then(|| weighted.end_bits / weighted.ends as f64);
    let mean = fixed(bits, 3);
    table.row([&"end of the game", &grouped(weighted.ends), &mean, &"", &""]);
    table
}

fn ranks(weighted: &Weighted) -> Table {
    let by_rank = &weighted.by_rank;
    let header = [
        "Rank of the move by probability",
        "moves",
        "share",
        "cumulative",
    ];
    let mut table = Table::new(&header);
    let mut cumulative = 0;
    let ends = RANKS.into_iter().skip(1).chain([usize::MAX]);
    for (first, end) in RANKS.into_iter().zip(ends) {
        let count = by_rank.below(end) - cumulative;
        cumulative += count;
        let name = match end {
            usize::MAX => format!("{first} or more"),
            _ if first + 1 == end => first.to_string(),
            _ => format!("{first} to {}", end - 1),
        };
        table.row([
            &name,
            &grouped(count),
            &percent(count, by_rank.count()),
            &percent(cumulative, by_rank.count()),
        ]);
    }
    table
}
