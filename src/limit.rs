//! `--limit`: the first of the games.

/// How many games are wanted.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Limit {
    /// Only the first N games
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    limit: Option<usize>,
}

impl Limit {
    /// The greatest number of games, if there is one.
    pub fn get(self) -> Option<usize> {
        self.limit
    }

    /// The greatest number of games.
    pub fn or_all(self) -> usize {
        self.limit.unwrap_or(usize::MAX)
    }
}

/// Reads a number of games.
pub fn at_least_one(text: &str) -> Result<usize, &'static str> {
    match text.parse() {
        Ok(0) | Err(_) => Err("write a number of games, at least 1"),
        Ok(number) => Ok(number),
    }
}
