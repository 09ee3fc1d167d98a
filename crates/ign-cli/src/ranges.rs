//! Games by number, as people name them: `7`, `200..300`, `5000..`.

use std::{ops::Range, str::FromStr};

use ign_format::error::{Error, Result};

/// Games from the first to the last, both counted from one and both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameRange {
    first: u64,
    /// None: to the last game of the archive.
    last: Option<u64>,
}

impl GameRange {
    /// All games.
    pub const ALL: Self = Self {
        first: 1,
        last: None,
    };

    /// The games counted from zero, in an archive with so many.
    ///
    /// # Errors
    /// Usage, when the archive has not all of them.
    pub fn resolve(self, games: u64) -> Result<Range<u64>> {
        let last = self.last.unwrap_or(games);
        let missing = last.max(self.first);
        // All games of an archive without any are none.
        if missing > games && self != Self::ALL {
            let error = Error::usage(format!(
                "there is no game {missing}: the archive has {games}"
            ));
            return Err(match self.first {
                first if first <= games => error.with_remedy(format!("{first}.. goes to the last")),
                _ => error,
            });
        }
        Ok(self.first - 1..last)
    }
}

impl FromStr for GameRange {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let number = |text: &str| match text.parse::<u64>() {
            Ok(0) => Err("games are counted from 1".to_string()),
            Ok(number) => Ok(number),
            Err(_) => {
                Err("behind the archive write a number or a range such as 200..300".to_string())
            }
        };
        let Some((first, last)) = text.split_once("..") else {
            let only = number(text)?;
            return Ok(Self {
                first: only,
                last: Some(only),
            });
        };
        let first = if first.is_empty() { 1 } else { number(first)? };
        let last = if last.is_empty() {
            None
        } else {
            Some(number(last)?)
        };
        if last.is_some_and(|last| last < first) {
            return Err("the range ends before it starts".into());
        }
        Ok(Self { first, last })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends_and_stay_within_the_archive() {
        let resolve = |text: &str| {
            text.parse::<GameRange>()
                .map_err(|_| ())
                .and_then(|r| r.resolve(10).map_err(|_| ()))
        };
        assert_eq!(resolve("1"), Ok(0..1));
        assert_eq!(resolve("3..10"), Ok(2..10));
        assert_eq!(resolve("9.."), Ok(8..10));
        assert_eq!(resolve("..2"), Ok(0..2));
        for wrong in ["0", "11", "3..11", "11..", "12..", "3..2", "", "x", "1..x"] {
            assert_eq!(resolve(wrong), Err(()), "{wrong}");
        }
        assert_eq!(GameRange::ALL.resolve(0).unwrap(), 0..0);
    }
}
