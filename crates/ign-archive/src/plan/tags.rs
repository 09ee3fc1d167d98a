//! Conditions on the values of tags. They are about values without escapes.

use crate::text::unescape;

/// The value of a tag; `None` if the game lacks the tag.
pub type Value<'v> = Option<&'v [u8]>;

/// A property of a value.
pub type Property<'q> = Box<dyn Fn(&[u8]) -> bool + Sync + 'q>;

/// A property of several values together.
pub type Relation<'q> = Box<dyn Fn(&[Value]) -> bool + Sync + 'q>;

/// A condition on one tag or on several.
pub struct TagCondition<'q> {
    /// The name of the condition.
    pub name: &'q str,
    /// The tags, each once.
    pub tags: Vec<&'q str>,
    /// How their values decide.
    pub test: Test<'q>,
}

/// How the values of the tags of a condition decide whether a game meets it.
pub enum Test<'q> {
    /// Each of the tags is present and its value has this property.
    All(Property<'q>),
    /// One of the tags is present and its value has this property.
    Any(Property<'q>),
    /// The values together have this property. They are as they are written.
    Together(Relation<'q>),
}

/// Whether a value, as it is written, has a property.
#[inline]
pub fn has(value: &[u8], property: &Property) -> bool {
    property(&unescape(value))
}

impl TagCondition<'_> {
    /// Whether values, as they are written, one for each of the tags, meet the condition.
    pub fn holds(&self, values: &[Value]) -> bool {
        match &self.test {
            Test::All(test) => values.iter().all(|v| v.is_some_and(|v| has(v, test))),
            Test::Any(test) => values.iter().any(|v| v.is_some_and(|v| has(v, test))),
            Test::Together(test) => test(values),
        }
    }
}
