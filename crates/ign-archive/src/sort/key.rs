//! What games are sorted by.

use std::{cmp::Ordering, fmt, str::FromStr};

use ign_format::error::{Error, Result};

use crate::keys::{GameKey, KeyValue};

/// A key of an order of games, ascending or descending: the text `elo` or `elo:desc`.
///
/// Numbers are in the order of their size, dates in that of time, and texts in that of their
/// characters in Unicode, so `A` to `Z` are before `a` to `z`. Results are in the order `*`, `0-0`,
/// `0-1`, `1-0`, `1/2-1/2`. An unknown month or day is before all others.
///
/// ```
/// use ign_archive::{GameKey, SortKey};
///
/// let key: SortKey = "white-elo:desc".parse()?;
/// assert_eq!((key.key().name(), key.is_descending()), ("white_elo", true));
/// assert_eq!(key, SortKey::from("white_elo".parse::<GameKey>()?).descending());
/// assert!("elos".parse::<SortKey>().is_err());
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SortKey {
    key: GameKey,
    is_descending: bool,
}

impl From<GameKey> for SortKey {
    /// The key, ascending.
    fn from(key: GameKey) -> Self {
        Self {
            key,
            is_descending: false,
        }
    }
}

impl SortKey {
    /// The same key, descending.
    #[must_use]
    pub fn descending(self) -> Self {
        Self {
            is_descending: true,
            ..self
        }
    }

    /// The property by which games are sorted.
    pub fn key(&self) -> &GameKey {
        &self.key
    }

    /// Whether the game with the greatest value is the first.
    pub fn is_descending(&self) -> bool {
        self.is_descending
    }

    /// The order of two values. A missing one is after all others.
    pub(super) fn compare(&self, one: &KeyValue, other: &KeyValue) -> Ordering {
        let is_missing = |value: &KeyValue| *value == KeyValue::Missing;
        let order = one.cmp(other);
        if self.is_descending && !is_missing(one) && !is_missing(other) {
            order.reverse()
        } else {
            order
        }
    }
}

impl FromStr for SortKey {
    type Err = Error;

    /// Reads a [`GameKey`], perhaps with `:asc` or `:desc` after it.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if the text is not a key.
    fn from_str(text: &str) -> Result<Self> {
        let of = |key: &str, is_descending| {
            Ok(Self {
                key: key.parse()?,
                is_descending,
            })
        };
        if let Some(meant) = meant(text) {
            return Err(Error::usage(format!("'{text}' is not a key"))
                .with_remedy(format!("write {meant}")));
        }
        match text.rsplit_once(':') {
            Some((key, "desc")) => of(key, true),
            Some((key, "asc")) => of(key, false),
            // Neither a tag nor the width of a band.
            Some((key, end)) if key != "tag" && !end.bytes().all(|c| c.is_ascii_digit()) => {
                let key = of(key, false)?;
                Err(Error::usage(format!("'{text}': '{end}' is not an order"))
                    .with_remedy(format!("write {key}, or {key}:desc for descending order")))
            }
            _ => of(text, false),
        }
    }
}

/// What is meant by an order in another form: `-elo`, `elo desc`, `rating`.
fn meant(text: &str) -> Option<String> {
    let (name, end) = match text.strip_prefix(['-', '+']) {
        Some(name) => (name, if text.starts_with('-') { ":desc" } else { "" }),
        None => match text.split_once([' ', '=', '/']) {
            Some((name, order)) => (name, order_of(order.trim())?),
            None => (text, ""),
        },
    };
    let name = match name.to_ascii_lowercase().as_str() {
        "rating" | "ratings" => "elo".to_owned(),
        "length" | "moves" => "plies".to_owned(),
        name => name.parse::<GameKey>().map(|_| name.to_owned()).ok()?,
    };
    let meant = format!("{name}{end}");
    (meant != text && text.parse::<GameKey>().is_err()).then_some(meant)
}

/// The ending that has the meaning of a word after a key.
fn order_of(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "desc" | "descending" | "down" | "reverse" => Some(":desc"),
        "asc" | "ascending" | "up" => Some(""),
        _ => None,
    }
}

impl fmt::Display for SortKey {
    /// Writes the name of the key, and `:desc` if it is descending.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let end = if self.is_descending { ":desc" } else { "" };
        write!(f, "{}{end}", self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_games_with_a_direction() {
        for &name in GameKey::NAMES {
            for (end, is_descending) in [("", false), (":asc", false), (":desc", true)] {
                let key: SortKey = format!("{name}{end}").parse().unwrap();
                assert_eq!(
                    (key.key().name(), key.is_descending()),
                    (name, is_descending)
                );
            }
        }
        let key: SortKey = "elo:200:desc".parse().unwrap();
        assert_eq!((key.key().band(), key.is_descending()), (Some(200), true));
        for (text, name) in [
            ("tag:Round:desc", "Round"),
            ("tag:Round", "Round"),
            ("tag:desc", ""),
        ] {
            let key = text.parse::<SortKey>();
            let found = key.as_ref().map_or("", |key| key.key().name());
            assert_eq!(found, name, "{text}");
        }
        for (text, meant) in [
            ("-elo", "elo:desc"),
            ("+elo", "elo"),
            ("elo desc", "elo:desc"),
            ("white-elo descending", "white-elo:desc"),
            ("Date asc", "date"),
            ("rating", "elo"),
            ("-rating", "elo:desc"),
            ("moves desc", "plies:desc"),
        ] {
            let error = text.parse::<SortKey>().unwrap_err();
            let remedy = error.remedy().unwrap().to_string();
            assert_eq!(remedy, format!("write {meant}"), "{text}");
            assert!(meant.parse::<SortKey>().is_ok(), "{meant}");
        }
        for wrong in [
            "-",
            " desc",
            "-foo",
            "elo elo",
            "",
            ":desc",
            "elo:down",
            "elo:desc:desc",
            "desc",
            "tag:",
            "elos:down",
        ] {
            assert!(wrong.parse::<SortKey>().is_err(), "{wrong}");
        }
    }
}
