//! Conditions on later positions: those after the positions that meet the other conditions.

use ign_format::error::{Error, Result};

use crate::{
    plan::{Evaluate, Narrowing, Plan},
    query::{
        CONDITIONS,
        condition::{Condition, Form, Heading, IndexSection, Reads},
        entries::Query,
    },
    values::PositionFilter,
};

pub const LATER: Condition = Condition {
    name: "later",
    form: Form::Condition,
    heading: Heading::Positions,
    label: "Then these positions",
    help: "After the position of the other conditions, a later position meets this one: position, board, material, \
           pattern, lasting; several on one position with semicolons: \"material=KRKR;lasting=8\"; repeatable: \
           each is about a position after that of the one before",
    example: "material=KRKR",
    reads: Reads::LastPosition,
    section: Some(IndexSection::Positions),
    read: |text| Ok(Box::new(Later::read(text)?)),
};

const REMEDY: &str = "write position, board, material or pattern, such as material=KRKR";

/// What a later position must meet.
#[derive(Debug)]
struct Later(PositionFilter);

impl Later {
    fn new(query: &Query) -> Result<Self> {
        let allowed = |condition: &Condition| {
            condition.reads == Reads::Positions || condition.name == "lasting"
        };
        if let Some(other) = query.conditions().find(|condition| !allowed(condition)) {
            let message = format!("{} is not a condition on a later position", other.name);
            return Err(Error::usage(message).with_remedy(REMEDY));
        }
        if !query.has_positions() {
            return Err(Error::usage("there is no condition on a position").with_remedy(REMEDY));
        }
        Ok(Self(query.plan().replay.positions.first))
    }

    /// Reads `NAME=VALUE`, several with semicolons.
    fn read(text: &str) -> Result<Self> {
        let mut query = Query::new();
        for part in text.split(';') {
            let (name, value) = part.split_once('=').ok_or_else(|| {
                Error::usage(format!("'{part}' is not a condition with its value"))
                    .with_remedy(REMEDY)
            })?;
            let name = name.trim().replace('-', "_");
            // Conditions in conditions are not read.
            if name == LATER.name || name == "exclude" {
                let message = format!("{name} is not a condition on a later position");
                return Err(Error::usage(message).with_remedy(REMEDY));
            }
            let set = query.set(&name, value.trim());
            set.map_err(|error| match with_semicolons(part) {
                Some(meant) => Error::usage(error.message()).with_remedy(format!(
                    "semicolons separate the conditions on one position: \"{meant}\""
                )),
                None => error,
            })?;
        }
        Self::new(&query)
    }
}

/// The text with semicolons in place of the commas before conditions; `None` if it has no such
/// comma.
fn with_semicolons(text: &str) -> Option<String> {
    let mut parts = text.split(',');
    let mut meant = parts.next()?.to_owned();
    for part in parts {
        let name = part.split_once('=').map(|(name, _)| name.trim());
        let is_name = |name: &str| CONDITIONS.iter().any(|condition| condition.name == name);
        meant.push(if name.is_some_and(is_name) { ';' } else { ',' });
        meant += part;
    }
    (meant != text).then_some(meant)
}

impl Evaluate for Later {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        plan.replay.positions.later.push(self.0.clone());
    }

    fn narrow(&self, _: &'static str, index: &mut Narrowing) -> Result<bool> {
        index.later(&self.0)?;
        Ok(false)
    }
}

impl Query {
    /// After the position that meets the conditions on positions, and those of earlier calls, a
    /// later position meets the conditions of another query: conditions on positions, and
    /// [`lasting`](Self::lasting).
    ///
    /// ```
    /// use ign_archive::Query;
    ///
    /// let won = Query::new()
    ///     .material("KRPKR".parse()?)
    ///     .later(Query::new().material("KRQKR".parse()?))?;
    /// # assert!(won.has("later"));
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if the other query has no conditions on positions, or
    /// others.
    pub fn later(self, query: Query) -> Result<Self> {
        Ok(self.with(&LATER, Later::new(&query)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_conditions_on_a_position() {
        for text in [
            "material=KRKR",
            " position=8/8/4k3/8/8/4K3/4P3/8 w - -",
            "pattern=Kg1,[Qq]d4 ; material=Q=1",
            "board=8/8/4k3/8/8/4K3/4P3/8;lasting=4",
        ] {
            assert!(LATER.check(text).is_ok(), "{text}");
        }
        for (wrong, words) in [
            ("material", "not a condition with its value"),
            ("", "not a condition with its value"),
            ("material=KRKR;", "not a condition with its value"),
            ("materal=KRKR", "no condition 'materal'"),
            ("material=x", "material: 'x'"),
            ("lasting=4", "no condition on a position"),
            (
                "material=KRKR,lasting=4",
                "semicolons separate the conditions on one position: \"material=KRKR;lasting=4\"",
            ),
            ("pattern=Kg1,Kg8,lasting=4", "\"pattern=Kg1,Kg8;lasting=4\""),
            ("material=KRKR;lasting=0", "lasting: '0'"),
            ("eco=B20", "eco is not a condition on a later position"),
            ("final=true", "final is not"),
            ("flipped=true", "flipped is not"),
            ("later=material=KRKR", "later is not"),
            ("exclude=material=KRKR", "exclude is not"),
        ] {
            let error = LATER.check(wrong).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::Usage);
            let remedy = error.remedy().map(ToString::to_string).unwrap_or_default();
            let said = format!("{error} {remedy}");
            assert!(said.contains(words), "{said}");
        }
    }
}
