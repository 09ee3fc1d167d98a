//! What to search for: [`Query`], its conditions and their values.
//!
//! ```
//! use ign_archive::{Query, parse_opening, query::Speed};
//!
//! let query = Query::new()
//!     .elo(2200..=2500)
//!     .speed([Speed::Blitz, Speed::Rapid])
//!     .opening(parse_opening("1. e4 e5 2. f4")?);
//! # Ok::<(), ign_archive::Error>(())
//! ```
//!
//! Conditions can be set by name, from text, as well:
//!
//! ```
//! use ign_archive::Query;
//!
//! let mut query = Query::new();
//! query.set("white_elo", "2200..")?;
//! query.set("speed", "blitz,rapid")?;
//! let error = query.set("wite_elo", "2200").unwrap_err();
//! assert_eq!(error.remedy().unwrap().to_string(), "did you mean white_elo?");
//! # Ok::<(), ign_archive::Error>(())
//! ```
//!
//! [`CONDITIONS`] lists the conditions. A condition is a file or a part of one in `conditions`, and
//! a line there; everything else that names conditions follows from it.

mod bounds;
mod classes;
mod condition;
mod conditions;
mod date;
mod id;
mod like;
mod material;
mod pattern;
mod positions;
mod text;
mod unmoved;

use std::{any::Any, sync::Arc};

use ign_format::{
    block::opening_prefix::OpeningPrefix,
    error::{Error, Result},
};
use ign_notation::chess::Position;

pub use bounds::{Bounds, RangeEnd};
pub use classes::{Eco, GameResult, Speed};
pub use condition::{Condition, Form, Heading, Reads, Section, closest};
pub use conditions::CONDITIONS;
pub use date::Date;
pub use id::GameId;
pub(crate) use like::Comparison;
pub use like::Score;
pub use material::Material;
pub use pattern::BoardPattern;
pub(crate) use positions::{PositionFilter, normal};
pub use positions::{parse_board, parse_position};
pub use text::TextPattern;

use crate::find::{Evaluate, Plan};

/// A conjunction of conditions on games: a game matches if it meets every condition. Without
/// conditions every game matches.
///
/// A condition on a tag is not met by a game that lacks the tag, or whose value has another form: a
/// rating `?` is in no range. The tags of a game are its first lines of the form `[Name "value"]`;
/// a line of another form, or one that repeats a name, ends them and belongs to the movetext.
///
/// A condition that is set again replaces the earlier one, except [`tag`](Self::tag). Cloning
/// copies no values.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// In the order of their evaluation.
    entries: Vec<Entry>,
}

/// A condition with its value.
#[derive(Debug, Clone)]
struct Entry {
    /// The place in [`CONDITIONS`].
    place: usize,
    value: Arc<dyn Evaluate>,
}

impl Entry {
    fn condition(&self) -> &'static Condition {
        CONDITIONS[self.place]
    }

    fn is<T: Any>(&self) -> bool {
        self.downcast::<T>().is_some()
    }

    fn downcast<T: Any>(&self) -> Option<&T> {
        let value: &dyn Any = &*self.value;
        value.downcast_ref()
    }
}

impl Query {
    /// A query without conditions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the condition of this name from text, in the form of the condition. `final=false` is no
    /// condition.
    ///
    /// After the last condition, [`check`](Self::check) checks that they fit together.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if there is no condition of this name, with the name that
    /// was probably meant, or if the text has another form. The message begins with the name.
    pub fn set(&mut self, name: &str, text: &str) -> Result<()> {
        let Some(place) = CONDITIONS.iter().position(|known| known.name == name) else {
            return Err(Self::unknown(name, CONDITIONS.iter().map(|c| c.name)));
        };
        let value = (CONDITIONS[place].read)(text).map_err(|error| {
            let named = Error::new(error.kind(), format!("{name}: {}", error.message()));
            match error.remedy() {
                Some(remedy) => named.with_remedy(remedy.clone()),
                None => named,
            }
        })?;
        self.insert(place, value.into());
        Ok(())
    }

    /// The query with one more condition.
    pub(crate) fn with(mut self, condition: &Condition, value: impl Evaluate) -> Self {
        let place = CONDITIONS.iter().position(|c| c.name == condition.name);
        let place = place.expect("every condition is in the table");
        self.insert(place, Arc::new(value));
        self
    }

    fn insert(&mut self, place: usize, value: Arc<dyn Evaluate>) {
        if !CONDITIONS[place].is_repeatable() {
            self.entries.retain(|entry| entry.place != place);
        }
        let key = |place: usize| (CONDITIONS[place].reads, place);
        let at = self
            .entries
            .partition_point(|entry| key(entry.place) <= key(place));
        self.entries.insert(at, Entry { place, value });
    }

    /// Removes the condition of this name. Returns whether there was one.
    pub fn remove(&mut self, name: &str) -> bool {
        let before = self.entries.len();
        self.entries.retain(|entry| entry.condition().name != name);
        self.entries.len() < before
    }

    /// Removes the conditions on positions.
    pub fn remove_positions(&mut self) {
        self.entries
            .retain(|entry| entry.condition().reads != Reads::Positions);
    }

    /// The conditions that are set, in the order of their evaluation.
    pub fn conditions(&self) -> impl Iterator<Item = &'static Condition> {
        self.entries.iter().map(Entry::condition)
    }

    /// The conditions and their values that an index may decide, in the order of its sections.
    pub(crate) fn in_index(&self) -> Vec<(&'static Condition, &dyn Evaluate)> {
        let indexed = self
            .entries
            .iter()
            .filter(|e| e.condition().section.is_some());
        let mut all: Vec<_> = indexed.map(|e| (e.condition(), &*e.value)).collect();
        all.sort_by_key(|(condition, _)| condition.section);
        all
    }

    /// Whether a condition of this name is set.
    pub fn has(&self, name: &str) -> bool {
        self.conditions().any(|condition| condition.name == name)
    }

    /// Whether no condition is set, so that every game matches.
    pub fn is_empty(&self) -> bool {
        self.entries
            .iter()
            .all(|entry| entry.is::<conditions::Final>())
    }

    /// Whether there are conditions on positions.
    pub fn has_positions(&self) -> bool {
        self.entries.iter().any(|entry| {
            entry.condition().reads == Reads::Positions && !entry.is::<conditions::Final>()
        })
    }

    /// The position that must occur, if this is a condition.
    pub fn wanted_position(&self) -> Option<&Position> {
        let mut values = self.entries.iter().filter_map(Entry::downcast);
        values
            .next()
            .map(|conditions::InPosition(position)| position)
    }

    /// The first moves, if they are a condition.
    pub fn wanted_opening(&self) -> Option<&OpeningPrefix> {
        let mut values = self.entries.iter().filter_map(Entry::downcast);
        values.next().map(|conditions::Opening(opening)| opening)
    }

    /// Whether a condition needs the moves of games.
    pub(crate) fn needs_moves(&self) -> bool {
        self.conditions().any(|c| c.reads >= Reads::FirstMoves)
    }

    /// What is evaluated on each game.
    pub(crate) fn plan(&self) -> Plan<'_> {
        let mut plan = Plan::default();
        for entry in &self.entries {
            entry.value.plan(entry.condition().name, &mut plan);
        }
        plan
    }

    /// The error for a name that is none of `names`, the names of the conditions of an interface,
    /// with the one that was probably meant.
    pub fn unknown<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Error {
        let names: Vec<&str> = names.into_iter().collect();
        let remedy = match closest(name, &names) {
            Some(known) => format!("did you mean {known}?"),
            None => format!("the conditions are {}", names.join(", ")),
        };
        Error::usage(format!("there is no condition '{name}'")).with_remedy(remedy)
    }

    /// Checks that the conditions fit together.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if `final` is set without a condition on the last
    /// position.
    pub fn check(&self) -> Result<()> {
        let is_final = |entry: &Entry| entry.downcast() == Some(&conditions::Final(true));
        if self.entries.iter().any(is_final) && !self.has_positions() {
            return Err(
                Error::usage("final: there is no condition on the last position")
                    .with_remedy("add position, board, material or pattern"),
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_condition_has_a_name_and_an_example_of_its_own() {
        let mut names = std::collections::BTreeSet::new();
        let mut debugged = std::collections::BTreeSet::new();
        for condition in CONDITIONS {
            let name = condition.name;
            let mut query = Query::new();
            query.set(name, condition.example).unwrap();
            // The end of a game alone is no condition.
            assert_eq!(query.is_empty(), name == "final", "{name}");
            assert!(query.has(name) && query.conditions().count() == 1);
            assert!(query.remove(name) && !query.remove(name));
            assert!(names.insert(name));
            query.set(name, condition.example).unwrap();
            assert!(debugged.insert(format!("{query:?}")));
            assert!(!condition.help.ends_with('.') && !condition.label.is_empty());
        }
    }

    #[test]
    fn a_condition_replaces_an_earlier_one_except_tags() {
        let mut query = Query::new().speed([Speed::Blitz]);
        query.set("speed", "bullet, rapid").unwrap();
        assert_eq!(query.conditions().count(), 1);
        assert!(format!("{query:?}").contains("[Bullet, Rapid]"));
        query.set("tag", "Round=^3").unwrap();
        query.set("tag", "Annotator=.").unwrap();
        assert_eq!(query.conditions().count(), 3);
        query.set("final", "false").unwrap();
        assert!(query.check().is_ok());
    }

    #[test]
    fn conditions_are_evaluated_from_cheap_to_expensive() {
        let mut query = Query::new();
        for condition in CONDITIONS {
            query.set(condition.name, condition.example).unwrap();
        }
        let order: Vec<Reads> = query.conditions().map(|c| c.reads).collect();
        assert!(order.is_sorted());
        assert_eq!(order[0], Reads::Signatures);
        assert_eq!(order.last(), Some(&Reads::Comments));
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
            let error = Query::new().set(name, text).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::Usage);
            assert!(error.message().starts_with(name), "{error}");
        }
        let mut query = Query::new();
        query.set("final", "true").unwrap();
        assert!(query.check().is_err());
        query.set("material", "KQK").unwrap();
        assert!(query.check().is_ok());
    }

    #[test]
    fn unknown_names_suggest_known_ones() {
        let names: Vec<&str> = CONDITIONS.iter().map(|condition| condition.name).collect();
        for (name, meant) in [
            ("whiteelo", Some("white_elo")),
            ("White-Elo", Some("white_elo")),
            ("playr", Some("player")),
            ("fiftymoves", Some("fifty_moves")),
            ("", None),
            ("colour", None),
        ] {
            assert_eq!(closest(name, &names), meant, "{name}");
        }
        assert_eq!(closest(&"w".repeat(1 << 20), &names), None);
        let error = Query::new().set("colour", "white").unwrap_err();
        let remedy = error.remedy().unwrap().to_string();
        assert!(remedy.starts_with("the conditions are"));
    }
}
