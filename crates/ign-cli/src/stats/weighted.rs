//! What the move model makes of the moves, for people: how many bits, where in the games, and how
//! often the move played was one it thought likely.

use std::io::Write;

use super::{
    Report,
    text::{fixed, percent},
};
use crate::{grouped, output::Output};
use ign_archive::stats::weighted::{Phase, Tally};
use ign_format::{error::Result, model};

/// Ranks that have a row, each from here to the next; the last goes on.
const RANKS: [usize; 8] = [1, 2, 3, 4, 5, 6, 11, 21];

/// Writes the section.
pub fn write(report: &Report, out: &mut Output) -> Result<()> {
    let weighed = &report.stats.weighed;
    let all = weighed.all();
    if all.moves == 0 {
        return Ok(());
    }
    writeln!(
        out,
        "\n{:<30}{:>14}{:>14}{:>18}{:>20}",
        "How likely the moves were", "moves", "bits a move", "all legal alike", "first guess right"
    )?;
    let mut row = |name: &str, tally: &Tally| {
        writeln!(
            out,
            "{name:<30}{:>14}{:>14}{:>18}{:>20}",
            grouped(tally.moves),
            fixed(tally.mean_bits(), 3),
            fixed(tally.mean_alike(), 3),
            percent(tally.first, tally.moves)
        )
    };
    for (first, last, tally) in weighed.buckets() {
        let name = match last {
            Some(last) => format!("half-moves {first} to {last}"),
            None => format!("half-moves from {first} on"),
        };
        row(&name, &tally)?;
    }
    for phase in Phase::ALL {
        let name = match phase {
            Phase::Opening => "opening: nearly all pieces",
            Phase::Middle => "middle: up to 50 of 62",
            Phase::End => "end: up to 26 of 62",
        };
        row(name, &weighed.by_phase[phase as usize])?;
    }
    row("all moves", &all)?;
    let mean = (weighed.ends > 0).then(|| weighed.end_bits / weighed.ends as f64);
    writeln!(
        out,
        "{:<30}{:>14}{:>14}",
        "that a game ends here",
        grouped(weighed.ends),
        fixed(mean, 3)
    )?;
    writeln!(
        out,
        "A model of how people play (version {}) gives each legal move a share, and the end of the\n\
         game one: a move with half of all costs 1 bit, with a quarter 2. Its first guess is the\n\
         move with the greatest share. Of 62: knights, bishops 3, rooks 5, queens 9, of both sides.",
        model::VERSION
    )?;
    ranks(report, out)
}

fn ranks(report: &Report, out: &mut Output) -> Result<()> {
    let by_rank = &report.stats.weighed.by_rank;
    writeln!(
        out,
        "\n{:<30}{:>14}{:>14}{:>18}",
        "Move played, by the model", "moves", "share", "so far"
    )?;
    let mut so_far = 0;
    let ends = RANKS.into_iter().skip(1).chain([usize::MAX]);
    for (first, end) in RANKS.into_iter().zip(ends) {
        let count = by_rank.below(end) - so_far;
        so_far += count;
        let name = match (first, end) {
            (1, _) => "its likeliest".into(),
            (_, usize::MAX) => format!("number {first} or beyond"),
            _ if first + 1 == end => format!("number {first}"),
            _ => format!("number {first} to {}", end - 1),
        };
        writeln!(
            out,
            "{name:<30}{:>14}{:>14}{:>18}",
            grouped(count),
            percent(count, by_rank.count()),
            percent(so_far, by_rank.count())
        )?;
    }
    Ok(())
}
