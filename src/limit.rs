//! `--limit` and `--skip`: the first of the games, or those after them.

/// How many games are wanted.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Limit {
    /// Only the first N games
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    limit: Option<usize>,
    /// Without the first N games: --skip 100 --limit 50 is the third page of 50
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

    /// The number of games before the first one that is wanted.
    pub fn skip(self) -> usize {
        self.skip
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
}

/// Reads a number of games.
pub fn at_least_one(text: &str) -> Result<usize, &'static str> {
    match text.parse() {
        Ok(0) | Err(_) => Err("write a number of games, at least 1"),
        Ok(number) => Ok(number),
    }
}
