//! Histograms as bars of block characters.

use crate::{numbers::grouped, table::Table};
use ign_archive::stats::histogram::Histogram;

/// Maximum number of rows.
const MAX_BINS: usize = 20;
/// Characters of the longest bar.
const BAR: usize = 60;

/// The lines of a histogram, empty if it is.
pub fn drawn(title: &str, histogram: &Histogram) -> String {
    let bins = histogram.bins(MAX_BINS);
    let Some(&max) = bins.counts.iter().max() else {
        return String::new();
    };
    let max = max.max(bins.beyond);
    let mut table = Table::without_header(3).right(0).left(2);
    let mut row = |label: String, count: u64| {
        table.row([&label, &grouped(count), &bar(count, max)]);
    };
    for (i, &count) in bins.counts.iter().enumerate() {
        let start = bins.first + i * bins.width;
        let label = match bins.width {
            1 => start.to_string(),
            width => format!("{start}-{}", start + width - 1),
        };
        row(label, count);
    }
    if bins.beyond > 0 {
        let start = bins.first + bins.counts.len() * bins.width;
        row(format!("{start}+"), bins.beyond);
    }
    format!("\n{title}\n{table}")
}

/// A bar with a resolution of an eighth of a character. Any count above 0 is visible.
fn bar(count: u64, max: u64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (u128::from(count) * (BAR as u128 * 8)).div_ceil(u128::from(max.max(1))) as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_proportional_and_bounded() {
        assert_eq!(bar(0, 0), "");
        assert_eq!(bar(10, 10).chars().count(), BAR);
        assert_eq!(bar(5, 10).chars().count(), BAR / 2);
        assert_eq!(bar(1, u64::MAX), "▏");
    }
}
