//! Conditions by name, each read from text: `white_elo`, `2200..`.
//!
//! Names and texts are those of the command line, with `_` for `-`. The server, the Python package
//! and the extension of DuckDB use [`Query::set`]. The command reads the same conditions from its
//! flags, which have the types of the fields of [`Query`].

use ign_format::error::{Error, Result};

use super::{Bounds, Query, RangeEnd, Score, TextPattern, parse_board, parse_position};
use crate::find::{parse_opening, parse_signature};

/// The greatest number of letters in which a name may differ from the one that was meant, for each
/// four letters, plus one.
const EDITS_PER_LETTERS: usize = 4;

impl Query {
    /// The names of the conditions.
    pub const NAMES: [&'static str; 33] = [
        "white",
        "black",
        "player",
        "elo",
        "white_elo",
        "black_elo",
        "mean_elo",
        "elo_diff",
        "date",
        "result",
        "eco",
        "opening_name",
        "time_control",
        "speed",
        "event",
        "site",
        "termination",
        "tag",
        "id",
        "opening",
        "plies",
        "signature",
        "like",
        "repetition",
        "fifty_moves",
        "position",
        "board",
        "material",
        "pattern",
        "final",
        "has_clocks",
        "has_evals",
        "commented",
    ];

    /// Sets the condition of this name from text. The text of a flag such as `repetition` is `true`
    /// or `false`, in any case: `false` selects the games that `true` does not select, but
    /// `final=false` is no condition. The text of `like` is movetext; that of `tag` is
    /// `NAME=REGEX`, and it adds a condition. Values of `result`, `speed` and `mean_elo` are
    /// separated by commas.
    ///
    /// After the last condition, [`check`](Self::check) checks that they fit together.
    ///
    /// ```
    /// use ign_archive::Query;
    ///
    /// let mut query = Query::default();
    /// query.set("white_elo", "2200..")?;
    /// query.set("speed", "blitz,rapid")?;
    /// let error = query.set("wite_elo", "2200").unwrap_err();
    /// assert_eq!(error.remedy(), Some("did you mean white_elo?"));
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if there is no condition of this name, with the name that
    /// was probably meant, or if the text has another form. The message begins with the name.
    pub fn set(&mut self, name: &str, text: &str) -> Result<()> {
        if !Self::NAMES.contains(&name) {
            return Err(Self::unknown(name, &Self::NAMES));
        }
        self.set_known(name, text).map_err(|error| {
            let named = Error::new(error.kind(), format!("{name}: {}", error.message()));
            match error.remedy() {
                Some(remedy) => named.with_remedy(remedy),
                None => named,
            }
        })
    }

    fn set_known(&mut self, name: &str, text: &str) -> Result<()> {
        let pattern = || Some(TextPattern::new(text));
        let positions = &mut self.positions;
        match name {
            "white" => self.white = pattern(),
            "black" => self.black = pattern(),
            "player" => self.player = pattern(),
            "elo" => self.elo = Some(range(text)?),
            "white_elo" => self.white_elo = Some(range(text)?),
            "black_elo" => self.black_elo = Some(range(text)?),
            "mean_elo" => self.mean_elo = several(text, range)?,
            "elo_diff" => self.elo_diff = Some(range(text)?),
            "date" => self.date = Some(range(text)?),
            "result" => self.result = several(text, str::parse)?,
            "eco" => self.eco = Some(range(text)?),
            "opening_name" => self.opening_name = pattern(),
            "time_control" => self.time_control = pattern(),
            "speed" => self.speed = several(text, str::parse)?,
            "event" => self.event = pattern(),
            "site" => self.site = pattern(),
            "termination" => self.termination = pattern(),
            "tag" => self.tags.push(text.parse()?),
            "id" => self.id = Some(text.parse()?),
            "opening" => self.opening = Some(parse_opening(text)?),
            "plies" => self.plies = Some(range(text)?),
            "signature" => {
                let parts: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
                self.signature = Some(parse_signature(&parts)?);
            }
            "like" => self.like = Some(Score::read(text.as_bytes())?),
            "repetition" => self.repetition = Some(flag(text)?),
            "fifty_moves" => self.fifty_moves = Some(flag(text)?),
            "position" => positions.position = Some(parse_position(text)?),
            "board" => positions.board = Some(parse_board(text)?),
            "material" => positions.material = Some(text.parse()?),
            "pattern" => positions.pattern = Some(text.parse()?),
            "final" => positions.last_only = flag(text)?,
            "has_clocks" => self.has_clocks = Some(flag(text)?),
            "has_evals" => self.has_evals = Some(flag(text)?),
            "commented" => self.commented = Some(flag(text)?),
            _ => return Err(Self::unknown(name, &Self::NAMES)),
        }
        Ok(())
    }

    /// The error for a name that is none of `names`, the names of the conditions of an interface,
    /// with the one that was probably meant.
    pub fn unknown(name: &str, names: &[&str]) -> Error {
        let remedy = match closest(name, names) {
            Some(known) => format!("did you mean {known}?"),
            None => format!("the conditions are {}", names.join(", ")),
        };
        Error::usage(format!("there is no condition '{name}'")).with_remedy(remedy)
    }

    /// Checks that the conditions fit together.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if the last position is asked for without a condition on
    /// it.
    pub fn check(&self) -> Result<()> {
        if self.positions.last_only && self.positions.is_empty() {
            Err(
                Error::usage("final: there is no condition on the last position")
                    .with_remedy("add position, board, material or pattern"),
            )
        } else {
            Ok(())
        }
    }
}

/// The name among `known` that was probably meant by another one: the one with the fewest letters
/// to insert, remove or replace, if these are few. The case of letters and underscores do not
/// count.
///
/// ```
/// use ign_archive::query::closest;
///
/// assert_eq!(closest("whiteElo", &["white", "white_elo"]), Some("white_elo"));
/// assert_eq!(closest("knight", &["white", "white_elo"]), None);
/// ```
pub fn closest<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    // Longer texts are no misspelled names, and comparing takes the product of the lengths.
    const MAX_LEN: usize = 40;
    let plain = |text: &str| text.to_ascii_lowercase().replace('_', "");
    let wanted = plain(name);
    if wanted.len() > MAX_LEN {
        return None;
    }
    let distances = known
        .iter()
        .map(|&known| (edits(&wanted, &plain(known)), known));
    let (distance, known) = distances.min_by_key(|&(distance, _)| distance)?;
    (distance <= 1 + wanted.len() / EDITS_PER_LETTERS).then_some(known)
}

/// The least number of bytes to insert, remove or replace.
fn edits(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in other.bytes().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

/// Reads a range.
fn range<T: RangeEnd>(text: &str) -> Result<Bounds<T>> {
    let range = text.parse::<Bounds<T>>();
    range.map_err(|e| e.with_remedy("write a value, 'a..b' with both included, 'a..' or '..b'"))
}

/// Reads values that are separated by commas.
fn several<T>(text: &str, read: impl Fn(&str) -> Result<T>) -> Result<Vec<T>> {
    text.split(',').map(|value| read(value.trim())).collect()
}

/// Reads a flag.
fn flag(text: &str) -> Result<bool> {
    match &*text.to_ascii_lowercase() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(Error::usage(format!("'{text}' is no flag")).with_remedy("write true or false")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Speed;

    /// A value for each condition.
    fn value(name: &str) -> &'static str {
        match name {
            "elo" | "white_elo" | "black_elo" | "plies" => "20..2500",
            "mean_elo" => "1600..1799,2200..",
            "elo_diff" => "-200..100",
            "date" => "2013-01",
            "result" => "draw,1-0",
            "eco" => "B20..B99",
            "speed" => "blitz,rapid",
            "tag" => "Round=^3",
            "id" => "j1dkb5dw",
            "opening" | "like" => "1. e4 e5 2. f4",
            "signature" => "A=e4f6?? B=??d5c3",
            "position" | "board" => "8/8/4k3/8/8/4K3/4P3/8 w - -",
            "material" => "KRPKR",
            "pattern" => "Kg1,[Qq]d4",
            "repetition" | "fifty_moves" | "final" | "has_clocks" | "has_evals" | "commented" => {
                "true"
            }
            _ => "Carlsen*",
        }
    }

    #[test]
    fn every_name_sets_a_condition_of_its_own() {
        let mut texts = std::collections::BTreeSet::new();
        for name in Query::NAMES {
            let mut query = Query::default();
            query.set(name, value(name)).unwrap();
            // The end of a game alone is no condition.
            assert_eq!(query.is_empty(), name == "final", "{name}");
            texts.insert(format!("{query:?}"));
        }
        assert_eq!(texts.len(), Query::NAMES.len());
    }

    #[test]
    fn values_are_those_of_the_command_line() {
        let mut query = Query::default();
        query.set("speed", "blitz, rapid").unwrap();
        query.set("mean_elo", "1600..1799,2200..").unwrap();
        query.set("tag", "Round=^3").unwrap();
        query.set("tag", "Annotator=.").unwrap();
        assert_eq!(query.speed, [Speed::Blitz, Speed::Rapid]);
        assert_eq!(query.mean_elo, [(1600..=1799).into(), (2200..).into()]);
        assert_eq!(query.tags.len(), 2);
        query.set("repetition", "true").unwrap();
        query.set("repetition", "false").unwrap();
        assert_eq!(query.repetition, Some(false));
        query.set("final", "false").unwrap();
        assert!(!query.positions.last_only);
    }

    #[test]
    fn errors_begin_with_the_name() {
        for (name, text) in [
            ("white_elo", "x"),
            ("date", "yesterday"),
            ("speed", "blitz,fast"),
            ("final", "yes"),
            ("tag", "Round"),
            ("position", "8/8"),
            ("opening", "1. e5"),
        ] {
            let error = Query::default().set(name, text).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::Usage);
            assert!(error.message().starts_with(name), "{error}");
        }
        let mut query = Query::default();
        query.set("final", "true").unwrap();
        assert!(query.check().is_err());
        query.set("material", "KQK").unwrap();
        assert!(query.check().is_ok());
    }

    #[test]
    fn unknown_names_suggest_known_ones() {
        for (name, meant) in [
            ("whiteelo", Some("white_elo")),
            ("White-Elo", Some("white_elo")),
            ("playr", Some("player")),
            ("fiftymoves", Some("fifty_moves")),
            ("", None),
            ("colour", None),
        ] {
            assert_eq!(closest(name, &Query::NAMES), meant, "{name}");
        }
        assert_eq!(closest(&"w".repeat(1 << 20), &Query::NAMES), None);
        let error = Query::default().set("colour", "white").unwrap_err();
        assert!(error.remedy().unwrap().starts_with("the conditions are"));
    }
}
