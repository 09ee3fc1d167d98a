//! Games by number, as arguments name them: `7`, `200..300`, `5000..`.

use std::{ops::RangeInclusive, path::PathBuf, str::FromStr};

use ign_archive::{Error, Result};

/// Games from the first to the last, one-based, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameRange {
    first: u64,
    /// `None` is the last game of the archive.
    last: Option<u64>,
}

impl GameRange {
    /// All games.
    pub const ALL: Self = Self {
        first: 1,
        last: None,
    };

    /// The zero-based range in an archive of `games` games.
    ///
    /// # Errors
    /// Usage, if the archive lacks some of them.
    pub fn resolve(self, games: u64) -> Result<RangeInclusive<u64>> {
        let last = self.last.unwrap_or(games);
        let missing = last.max(self.first);
        // An empty archive has no first game, but all of its games are an empty range.
        if missing > games && self != Self::ALL {
            let error = Error::usage(format!(
                "there is no game {missing}; the archive has {games}"
            ));
            return Err(match self.first {
                first if first <= games => {
                    error.with_remedy(format!("{first}.. reads to the last game"))
                }
                _ => error,
            });
        }
        Ok(self.first..=last)
    }
}

/// The archives, and the range after a single one, that arguments name. An archive whose name is a
/// range is written `./200`.
///
/// # Errors
/// Usage, if the range is invalid, or if there are several archives.
pub fn archives_and_range(inputs: &[PathBuf]) -> Result<(&[PathBuf], Option<GameRange>)> {
    let is_range = |input: &PathBuf| {
        let is_in_range = |c: char| c.is_ascii_digit() || c == '.';
        input
            .to_str()
            .is_some_and(|text| text.chars().all(is_in_range))
    };
    // The first is an archive, whatever its name.
    match inputs {
        [_, range] if is_range(range) => {
            let text = range.to_string_lossy();
            let range = text.parse::<GameRange>().map_err(|message| {
                Error::usage(format!("invalid value '{text}' for RANGE: {message}"))
            })?;
            Ok((&inputs[..1], Some(range)))
        }
        [_, more @ ..] if more.iter().any(is_range) => Err(several_archives()),
        archives => Ok((archives, None)),
    }
}

/// A range numbers the games of one archive.
pub fn several_archives() -> Error {
    Error::usage("a range of games needs a single archive")
        .with_remedy("name one archive and then the range")
}

impl FromStr for GameRange {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let number = |text: &str| match text.parse::<u64>() {
            Ok(0) => Err("games are numbered from 1".to_string()),
            Ok(number) => Ok(number),
            Err(_) => Err("write a game number or a range such as 200..300".to_string()),
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
    fn resolves_ranges_with_both_ends_within_the_archive() {
        let resolve = |text: &str| {
            text.parse::<GameRange>()
                .map_err(|_| ())
                .and_then(|r| r.resolve(10).map_err(|_| ()))
        };
        assert_eq!(resolve("1"), Ok(1..=1));
        assert_eq!(resolve("3..10"), Ok(3..=10));
        assert_eq!(resolve("9.."), Ok(9..=10));
        assert_eq!(resolve("..2"), Ok(1..=2));
        for wrong in ["0", "11", "3..11", "11..", "12..", "3..2", "", "x", "1..x"] {
            assert_eq!(resolve(wrong), Err(()), "{wrong}");
        }
        assert!(GameRange::ALL.resolve(0).unwrap().is_empty());
    }
}
