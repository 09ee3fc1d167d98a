//! Conditions by their names.

use ign_format::error::{Error, Result};

use super::{Query, conditions::CONDITIONS};
use crate::text::closest;

impl Query {
    /// Sets the condition of this name from text, in the form of the condition. `final=false` is no
    /// condition.
    ///
    /// After the last condition, [`check`](Self::check) checks that they fit together.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if there is no condition of this name, with the name that
    /// was probably meant, or if the text has another form. The message begins with the name.
    pub fn set(&mut self, name: &str, text: &str) -> Result<()> {
        let Some(condition) = CONDITIONS.iter().find(|known| known.name == name) else {
            return Err(Self::unknown(name, CONDITIONS.iter().map(|c| c.name)));
        };
        let value = (condition.read)(text).map_err(|error| {
            let message = format!("{name}: {}", error.message());
            error.with_message(message)
        })?;
        self.insert(condition, value.into());
        Ok(())
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{Reads, Speed};

    #[test]
    fn every_condition_has_a_name_and_an_example_of_its_own() {
        let mut names = std::collections::BTreeSet::new();
        let mut debugged = std::collections::BTreeSet::new();
        for condition in CONDITIONS {
            let name = condition.name;
            let mut query = Query::new();
            query.set(name, condition.example).unwrap();
            // Which positions are meant is no condition by itself.
            assert_eq!(
                query.is_empty(),
                matches!(name, "final" | "flipped" | "lasting" | "later"),
                "{name}"
            );
            assert!(query.has(name) && query.conditions().count() == 1);
            assert!(query.remove(name) && !query.remove(name));
            assert!(names.insert(name));
            query.set(name, condition.example).unwrap();
            assert!(debugged.insert(format!("{query:?}")));
            assert!(!condition.help.ends_with('.') && !condition.label.is_empty());
        }
    }

    #[test]
    fn a_condition_replaces_an_earlier_one_except_tags_and_excluded_ones() {
        let mut query = Query::new().speed([Speed::Blitz]);
        query.set("speed", "bullet, rapid").unwrap();
        assert_eq!(query.conditions().count(), 1);
        assert!(format!("{query:?}").contains("[Bullet, Rapid]"));
        query.set("tag", "Round=^3").unwrap();
        query.set("tag", "Annotator=.").unwrap();
        assert_eq!(query.conditions().count(), 3);
        query.set("exclude", "white=Ann").unwrap();
        query.set("exclude", "white=Ben").unwrap();
        assert_eq!(query.conditions().count(), 5);
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
        assert_eq!(order[..2], [Reads::GameNumber, Reads::Signatures]);
        assert_eq!(
            order[order.len() - 2..],
            [Reads::Comments, Reads::NamedCondition]
        );
    }

    #[test]
    fn errors_begin_with_the_name() {
        for (name, text) in [
            ("white_elo", "x"),
            ("date", "yesterday"),
            ("speed", "blitz,fast"),
            ("final", "yes"),
            ("lasting", "0"),
            ("later", "material=x"),
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
