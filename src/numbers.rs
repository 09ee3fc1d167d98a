//! Numbers as people read them.

use std::time::Duration;

use ign_archive::stats::ratio;
use indicatif::HumanCount;

/// A number with thousands separators: `12,345`.
pub fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// A number of things: `1 game`, `2 games`.
pub fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(number))
}

/// A number of plies: `1 ply`, `2 plies`.
pub fn plies(number: u64) -> String {
    let name = if number == 1 { "ply" } else { "plies" };
    format!("{} {name}", grouped(number))
}

/// A duration in seconds.
pub fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

/// A number with this many decimals, or a dash for `None`.
pub fn fixed(number: Option<f64>, decimals: usize) -> String {
    number.map_or_else(|| "-".into(), |n| format!("{n:.decimals$}"))
}

/// A ratio in percent, or a dash if `whole` is 0.
pub fn percent(part: u64, whole: u64) -> String {
    ratio(part, whole).map_or_else(|| "-".into(), |ratio| format!("{:.1}%", 100.0 * ratio))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let numbers = [0, 999, 1000, 1_234_567, u64::MAX].map(grouped);
        let expected = [
            "0",
            "999",
            "1,000",
            "1,234,567",
            "18,446,744,073,709,551,615",
        ];
        assert_eq!(numbers, expected);
    }

    #[test]
    fn missing_numbers_are_dashes() {
        assert_eq!((fixed(None, 2), percent(0, 0)), ("-".into(), "-".into()));
        assert_eq!(
            (fixed(Some(1.0), 2), percent(1, 8)),
            ("1.00".into(), "12.5%".into())
        );
    }
}
