//! What games are counted and sorted by.

use std::{fmt, str::FromStr};

use ign_format::error::{Error, Result};

use crate::{scan::ScanColumn, text::closest};

/// A property of games, by which they are [counted](crate::CountBuilder) and
/// [sorted](crate::Sorter).
///
/// | key | value |
/// | --- | --- |
/// | `white`, `black`, `event`, `site`, `round`, `opening`, `termination`, `time_control`, `variant`, `tag:NAME` | the value of the tag |
/// | `file` | the name of the packed file |
/// | `eco`, `eco:2`, `eco:1` | the ECO code, or its first letters |
/// | `elo:N`, `white_elo:N`, `black_elo:N` | the mean rating of both players, rounded down, or the rating of one, in bands of N; without N each rating |
/// | `elo_diff:N` | White's rating minus Black's, in bands of N; without N each number |
/// | `date`, `month`, `year` | the date, or its first parts: `2013-01-05`, `2013-01`, `2013`; unknown parts are left out |
/// | `result`, `speed` | as the conditions of these names |
/// | `plies:N` | the number of plies, in bands of N; without N each number |
///
/// A hyphen in a name is the same as `_`.
///
/// ```
/// use ign_archive::GameKey;
///
/// let key: GameKey = "elo:200".parse()?;
/// assert_eq!((key.name(), key.band()), ("elo", Some(200)));
/// assert!("elo:0".parse::<GameKey>().is_err());
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GameKey {
    name: String,
    pub(super) of: Property,
}

/// How the value of a game follows from columns.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Property {
    /// The text of a column.
    Text(ScanColumn),
    /// The speed of the time control.
    Speed,
    Result,
    /// The ECO code divided by this: 1 for the code, 10 and 100 for its first letters.
    Eco(u16),
    /// The date with this number of parts.
    Date(u8),
    /// A rating in bands.
    Elo(Ratings, u32),
    /// The number of plies in bands.
    Plies(u32),
}

/// Of whom a rating is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Ratings {
    /// Of both, added.
    Sum,
    White,
    Black,
    /// The mean of both.
    Mean,
    /// White's minus Black's.
    Difference,
}

/// The letters of an ECO code.
const ECO_LETTERS: u32 = 3;

impl GameKey {
    /// The names of the keys other than tags by `tag:NAME`.
    pub const NAMES: &'static [&'static str] = &[
        "white",
        "black",
        "event",
        "site",
        "round",
        "opening",
        "termination",
        "time_control",
        "variant",
        "file",
        "eco",
        "elo",
        "white_elo",
        "black_elo",
        "elo_diff",
        "date",
        "month",
        "year",
        "result",
        "speed",
        "plies",
    ];

    /// The name without a number; of `tag:NAME` the name of the tag.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The width of the bands of a key of numbers: 1 if each number is a band. `None` for a key of
    /// texts. The value of a band is its least number.
    pub fn band(&self) -> Option<u32> {
        match self.of {
            Property::Elo(_, band) | Property::Plies(band) => Some(band),
            _ => None,
        }
    }

    /// Whether its values are numbers or speeds, which follow from tags or moves and are not the
    /// text of a tag.
    pub(crate) fn is_computed(&self) -> bool {
        self.band().is_some() || self.of == Property::Speed
    }

    /// The key for sorting: the order of means that are not rounded is that of the sums.
    pub(crate) fn exact(mut self) -> Self {
        if self.of == Property::Elo(Ratings::Mean, 1) {
            self.of = Property::Elo(Ratings::Sum, 1);
        }
        self
    }

    /// The columns that the values are read from.
    pub(super) fn columns(&self) -> Vec<ScanColumn> {
        match &self.of {
            Property::Text(column) => vec![column.clone()],
            Property::Speed => vec![ScanColumn::TimeControl],
            Property::Result => vec![ScanColumn::Result],
            Property::Eco(_) => vec![ScanColumn::Eco],
            Property::Date(_) => vec![ScanColumn::Date],
            Property::Elo(Ratings::White, _) => vec![ScanColumn::WhiteElo],
            Property::Elo(Ratings::Black, _) => vec![ScanColumn::BlackElo],
            Property::Elo(Ratings::Mean | Ratings::Sum | Ratings::Difference, _) => {
                vec![ScanColumn::WhiteElo, ScanColumn::BlackElo]
            }
            Property::Plies(_) => vec![ScanColumn::Plies],
        }
    }
}

impl FromStr for GameKey {
    type Err = Error;

    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if the text is not a key.
    fn from_str(text: &str) -> Result<Self> {
        if let Some(tag) = text.strip_prefix("tag:").filter(|tag| !tag.is_empty()) {
            return Ok(Self {
                name: tag.to_owned(),
                of: Property::Text(ScanColumn::Tag(tag.to_owned())),
            });
        }
        let (name, number) = match text.split_once(':') {
            Some((name, number)) => (name, Some(number)),
            None => (text, None),
        };
        let name = name.to_ascii_lowercase().replace('-', "_");
        let unknown = || {
            let remedy = match (&*name, closest(&name, Self::NAMES)) {
                // The name of the condition.
                ("mean_elo", _) => "the mean of both ratings is the key elo".to_owned(),
                (_, Some(known)) => format!("did you mean {known}?"),
                _ => format!(
                    "write one of {}, or tag:NAME for any tag",
                    Self::NAMES.join(", ")
                ),
            };
            Error::usage(format!("'{text}' is not a key")).with_remedy(remedy)
        };
        let read = |default: u32, least: u32, most: u32| match number {
            None => Ok(default),
            Some(number) => number
                .parse()
                .ok()
                .filter(|number| (least..=most).contains(number))
                .ok_or_else(|| {
                    Error::usage(format!("'{text}': the number is from {least} to {most}"))
                }),
        };
        let band = || read(1, 1, MAX_BAND);
        let plain = |of| match number {
            None => Ok(of),
            Some(_) => Err(Error::usage(format!(
                "'{text}': the key {name} has no number"
            ))),
        };
        let of = match name.as_str() {
            "white" => plain(Property::Text(ScanColumn::White)),
            "black" => plain(Property::Text(ScanColumn::Black)),
            "event" => plain(Property::Text(ScanColumn::Event)),
            "site" => plain(Property::Text(ScanColumn::Site)),
            "round" => plain(Property::Text(ScanColumn::Tag("Round".to_owned()))),
            "opening" => plain(Property::Text(ScanColumn::Opening)),
            "termination" => plain(Property::Text(ScanColumn::Termination)),
            "time_control" => plain(Property::Text(ScanColumn::TimeControl)),
            "variant" => plain(Property::Text(ScanColumn::Tag("Variant".to_owned()))),
            "file" => plain(Property::Text(ScanColumn::File)),
            "eco" => {
                let letters = read(ECO_LETTERS, 1, ECO_LETTERS)?;
                Ok(Property::Eco(10u16.pow(ECO_LETTERS - letters)))
            }
            "elo" => Ok(Property::Elo(Ratings::Mean, band()?)),
            "white_elo" => Ok(Property::Elo(Ratings::White, band()?)),
            "black_elo" => Ok(Property::Elo(Ratings::Black, band()?)),
            "elo_diff" => Ok(Property::Elo(Ratings::Difference, band()?)),
            "date" => plain(Property::Date(3)),
            "month" => plain(Property::Date(2)),
            "year" => plain(Property::Date(1)),
            "result" => plain(Property::Result),
            "speed" => plain(Property::Speed),
            "plies" => Ok(Property::Plies(band()?)),
            _ => Err(unknown()),
        };
        Ok(Self { of: of?, name })
    }
}

/// The greatest width of a band.
const MAX_BAND: u32 = 10_000;

impl fmt::Display for GameKey {
    /// Writes the name.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_key_and_wrong_numbers_are_errors() {
        for &name in GameKey::NAMES {
            assert_eq!(name.parse::<GameKey>().unwrap().name(), name);
        }
        assert_eq!(
            "White-Elo:50".parse::<GameKey>().unwrap().name(),
            "white_elo"
        );
        assert_eq!(
            "tag:Annotator".parse::<GameKey>().unwrap().name(),
            "Annotator"
        );
        for wrong in [
            "",
            "tag:",
            "elos",
            "elo:",
            "elo:0",
            "elo:-1",
            "elo:10001",
            "eco:0",
            "eco:4",
            "month:2",
            "white:1",
            "elo:200:1",
        ] {
            assert!(wrong.parse::<GameKey>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn unknown_keys_suggest_known_ones() {
        for (wrong, remedy) in [
            ("mean-elo", "the mean of both ratings is the key elo"),
            ("mean_elo:200", "the mean of both ratings is the key elo"),
            ("whiteelo", "did you mean white_elo?"),
            ("colour", "write one of white, black,"),
        ] {
            let error = wrong.parse::<GameKey>().unwrap_err();
            let given = error.remedy().unwrap().to_string();
            assert!(given.starts_with(remedy), "{wrong}: {given}");
        }
    }
}
