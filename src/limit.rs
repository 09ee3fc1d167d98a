//! `--limit` and `--skip`: the first of the games, or those after them.

use super::numbers::{counted, grouped};

/// How many games are wanted.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Limit {
    /// Only the first N games
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    limit: Option<usize>,
    /// Without the first N games: --skip 100 --limit 50 is the third page of 50. If no game is
    /// left, the exit status is 1
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    skip: usize,
}

impl Limit {
    /// The number of games up to the last one that is wanted, if there is a limit.
    pub fn end(self) -> Option<usize> {
        let end = |limit: usize| limit.saturating_add(self.skip);
        self.limit.map(end)
    }

    /// [`end`](Self::end), or a number that no game has.
    pub fn end_or_all(self) -> usize {
        self.end().unwrap_or(usize::MAX)
    }

    /// Whether all games are wanted.
    pub fn is_all(self) -> bool {
        self.limit.is_none() && self.skip == 0
    }

    /// Removes the games that are not wanted.
    pub fn cut<T>(self, games: &mut Vec<T>) {
        games.truncate(self.end_or_all());
        games.drain(..self.skip.min(games.len()));
    }

    /// What is said if `--skip` leaves out all games that were found; `found` is their number up to
    /// the last one that is wanted.
    pub fn skips_all(self, found: usize) -> Option<String> {
        let games = match found {
            1 => "the only game".to_owned(),
            _ => format!("all {}", counted(found as u64, "game")),
        };
        let skips_all = found > 0 && self.skip >= found;
        skips_all.then(|| format!("--skip {} leaves out {games}", grouped(self.skip as u64)))
    }
}

/// Reads a number of games.
pub fn at_least_one(text: &str) -> Result<usize, &'static str> {
    match text.parse() {
        Ok(0) | Err(_) => Err("write a number of games, at least 1"),
        Ok(number) => Ok(number),
    }
}
