//! Games that must not meet other conditions.

use ign_format::error::{Error, Result};

use crate::{
    plan::{Evaluate, Narrowing, Plan},
    query::{
        condition::{Condition, Form, Heading, IndexSection, Reads},
        entries::Query,
    },
};

pub const EXCLUDE: Condition = Condition {
    name: "exclude",
    form: Form::Condition,
    heading: Heading::Exclusion,
    label: "Not these conditions",
    help: "The games that do not meet another condition, also those without a value for it: \
           eco=B20..B99; repeatable",
    example: "eco=B20..B99",
    reads: Reads::NamedCondition,
    section: Some(IndexSection::Columns),
    read,
};

/// A query that the games must not match.
#[derive(Debug)]
pub struct Excluded(pub Query);

impl Evaluate for Excluded {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        plan.excluded.push(&self.0);
    }

    fn narrow(&self, name: &'static str, index: &mut Narrowing) -> Result<bool> {
        index.exclude(name, &self.0)
    }
}

/// Reads `NAME=VALUE`.
fn read(text: &str) -> Result<Box<dyn Evaluate>> {
    const REMEDY: &str = "write NAME=VALUE, such as eco=B20..B99";
    let (name, value) = text.split_once('=').ok_or_else(|| {
        Error::usage(format!("'{text}' is not a condition with its value")).with_remedy(REMEDY)
    })?;
    // As the flags of the command are written.
    let name = name.trim().replace('-', "_");
    let mut query = Query::new();
    if name != EXCLUDE.name {
        query.set(&name, value)?;
    }
    if query.is_empty() {
        return Err(Error::usage(format!("{name} cannot be excluded")).with_remedy(REMEDY));
    }
    Ok(Box::new(Excluded(query)))
}

impl Query {
    /// The games that do not match another query: those that do not meet all of its conditions. A
    /// game without a value for a condition does not meet it. Each call excludes further games.
    ///
    /// ```
    /// use ign_archive::{Query, query::Speed};
    ///
    /// let not_blitz = Query::new().elo(2200..).exclude(Query::new().speed([Speed::Blitz]));
    /// # assert!(not_blitz.has("exclude"));
    /// ```
    pub fn exclude(self, query: Query) -> Self {
        self.with(&EXCLUDE, Excluded(query))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_condition_and_its_value() {
        for text in ["eco=B20..B99", "white-elo=2200..", "tag=Round=^3", "site="] {
            assert!(EXCLUDE.check(text).is_ok(), "{text}");
        }
        let nested = "exclude=".repeat(1 << 16);
        for (wrong, words) in [
            ("eco", "not a condition with its value"),
            ("", "not a condition with its value"),
            ("=x", "no condition ''"),
            ("econ=B20", "no condition 'econ'"),
            ("eco=x", "eco: 'x'"),
            ("final=true", "final cannot be excluded"),
            ("flipped=true", "flipped cannot be excluded"),
            (&*nested, "exclude cannot be excluded"),
        ] {
            let error = EXCLUDE.check(wrong).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::Usage);
            assert!(error.message().contains(words), "{error}");
        }
    }
}
