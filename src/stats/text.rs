//! The report as text: tables and histograms of at most 100 columns.

mod histogram;
mod likelihood;
mod moves;
mod overview;
mod signatures;

use std::io::Write;

use crate::output::Output;
use ign_archive::Result;
use ign_archive::stats::Report;

/// Maximum number of characters in a line.
const WIDTH: usize = 100;

/// Writes the whole report.
///
/// # Errors
/// Io.
pub fn write(report: &Report, out: &mut Output) -> Result<()> {
    let stats = &report.stats;
    overview::write(report, out, WIDTH)?;
    moves::write(report, out)?;
    likelihood::write(&stats.weighted, out)?;
    signatures::write(report, out)?;
    let title = match stats.moves.group_bits {
        0 => "Games by bits, length prefix included",
        _ => "Games by bits of their moves",
    };
    for (title, histogram) in [
        (title, &stats.bits_of_games()),
        ("Games by plies", &stats.games.lengths),
    ] {
        write!(out, "{}", histogram::drawn(title, histogram))?;
    }
    Ok(())
}
