//! A query: the conditions that are set.

use std::{any::Any, sync::Arc};

use ign_format::error::{Error, Result};

use super::{
    condition::{Condition, Reads},
    conditions::Excluded,
};
use crate::{
    index::Facts,
    plan::{Evaluate, Plan},
};

/// A conjunction of conditions on games: a game matches if it meets every condition. Without
/// conditions every game matches.
///
/// A condition on a tag is not met by a game that lacks the tag, or whose value has another form: a
/// rating `?` is in no range. The tags of a game are its first lines of the form `[Name "value"]`;
/// a line of another form, or one that repeats a name, ends them and belongs to the movetext.
///
/// A condition that is set again replaces the earlier one, except [`tag`](Self::tag),
/// [`later`](Self::later) and [`exclude`](Self::exclude). Cloning copies no values.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// In the order of their evaluation.
    entries: Vec<Entry>,
}

/// A condition with its value.
#[derive(Debug, Clone)]
struct Entry {
    condition: &'static Condition,
    value: Arc<dyn Evaluate>,
}

/// Conditions that the facts of a game decide, by their names.
#[derive(Debug, Clone)]
pub(crate) struct FactsQuery<'q>(Vec<(&'static str, &'q dyn Evaluate)>);

impl FactsQuery<'_> {
    /// Whether there are only conditions of these names.
    pub fn has_only(&self, names: &[&str]) -> bool {
        self.0.iter().all(|(name, _)| names.contains(name))
    }

    /// Whether there is a condition of this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(other, _)| *other == name)
    }

    /// Whether a game with these facts matches.
    #[inline]
    pub fn accepts(&self, facts: &Facts) -> bool {
        self.0
            .iter()
            .all(|(_, value)| value.decide(facts) == Some(true))
    }

    /// Whether a game with these facts meets the condition of a name, if there is one.
    pub fn meets(&self, name: &str, facts: &Facts) -> bool {
        let mut values = self.0.iter().filter(|(other, _)| *other == name);
        values.all(|(_, value)| value.decide(facts) == Some(true))
    }
}

impl Query {
    /// A query without conditions.
    pub fn new() -> Self {
        Self::default()
    }

    /// The query with one more condition.
    pub(super) fn with(mut self, condition: &'static Condition, value: impl Evaluate) -> Self {
        self.insert(condition, Arc::new(value));
        self
    }

    /// Sets a condition.
    pub(super) fn insert(&mut self, condition: &'static Condition, value: Arc<dyn Evaluate>) {
        if !condition.is_repeatable() {
            self.remove(condition.name);
        }
        let key = |condition: &Condition| (condition.reads, condition.name);
        let at = self
            .entries
            .partition_point(|entry| key(entry.condition) <= key(condition));
        self.entries.insert(at, Entry { condition, value });
    }

    /// The first value of this type.
    pub(super) fn value<T: Any>(&self) -> Option<&T> {
        let mut values = self.entries.iter().map(|entry| &*entry.value as &dyn Any);
        values.find_map(<dyn Any>::downcast_ref)
    }

    /// Removes the condition of this name. Returns whether there was one.
    pub fn remove(&mut self, name: &str) -> bool {
        let before = self.entries.len();
        self.entries.retain(|entry| entry.condition.name != name);
        self.entries.len() < before
    }

    /// Removes the conditions on positions.
    pub fn remove_positions(&mut self) {
        let of_positions = [Reads::Positions, Reads::LastPosition];
        self.entries
            .retain(|entry| !of_positions.contains(&entry.condition.reads));
    }

    /// The conditions that are set, in the order of their evaluation.
    pub fn conditions(&self) -> impl Iterator<Item = &'static Condition> {
        self.entries.iter().map(|entry| entry.condition)
    }

    /// The conditions and their values that an index may decide, in the order of its sections.
    pub(crate) fn in_index(&self) -> Vec<(&'static Condition, &Arc<dyn Evaluate>)> {
        let indexed = self
            .entries
            .iter()
            .filter(|e| e.condition.section.is_some());
        let mut all: Vec<_> = indexed.map(|e| (e.condition, &e.value)).collect();
        all.sort_by_key(|(condition, _)| condition.section);
        all
    }

    /// Removes the condition with this value, which a query that this one was cloned from has.
    pub(crate) fn remove_value(&mut self, value: &Arc<dyn Evaluate>) {
        self.entries
            .retain(|entry| !Arc::ptr_eq(&entry.value, value));
    }

    /// Removes the conditions that follow from the number of a game.
    pub(crate) fn remove_of_numbers(&mut self) {
        self.entries
            .retain(|entry| entry.condition.reads != Reads::GameNumber);
    }

    /// Whether a condition of this name is set.
    pub fn has(&self, name: &str) -> bool {
        self.conditions().any(|condition| condition.name == name)
    }

    /// Whether no condition is set, so that every game matches. Which positions are meant, such as
    /// the last one, is no condition by itself.
    pub fn is_empty(&self) -> bool {
        self.conditions().all(|c| c.reads == Reads::LastPosition)
    }

    /// Whether conditions say which positions those on positions are about, or how they are
    /// compared.
    pub fn has_modified_positions(&self) -> bool {
        self.conditions().any(|c| c.reads == Reads::LastPosition)
    }

    /// Whether there are conditions on positions.
    pub fn has_positions(&self) -> bool {
        self.conditions().any(|c| c.reads == Reads::Positions)
    }

    /// Whether a condition needs the moves of games.
    pub(crate) fn needs_moves(&self) -> bool {
        self.entries.iter().any(|entry| {
            match (&*entry.value as &dyn Any).downcast_ref::<Excluded>() {
                Some(Excluded(query)) => query.needs_moves(),
                None => entry.condition.reads >= Reads::FirstMoves,
            }
        })
    }

    /// The query as conditions on the facts that an index has of a game; `None` if it has others.
    pub(crate) fn on_facts(&self) -> Option<FactsQuery<'_>> {
        let conditions = self.entries.iter();
        let conditions = conditions.map(|entry| (entry.condition.name, &*entry.value));
        let query = FactsQuery(conditions.collect());
        let mut values = query.0.iter();
        let decided = values.all(|(_, value)| value.decide(&Facts::default()).is_some());
        decided.then_some(query)
    }

    /// What is evaluated on each game.
    pub(crate) fn plan(&self) -> Plan<'_> {
        let mut plan = Plan::default();
        for entry in &self.entries {
            entry.value.plan(entry.condition.name, &mut plan);
        }
        plan.replay.positions.complete();
        plan
    }

    /// Checks that the conditions fit together.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if a condition says which positions are meant or how they
    /// are compared, such as [`last_position`](Self::last_position), and there is no condition on
    /// positions.
    pub fn check(&self) -> Result<()> {
        let positions = self.plan().replay.positions;
        let problem = if self.has_positions() {
            return Ok(());
        } else if positions.first.last_only {
            "final: there is no condition on the last position"
        } else if positions.flips {
            "flipped: there is no condition on positions"
        } else if self.has("lasting") {
            "lasting: there is no condition on positions"
        } else if self.has("later") {
            "later: there is no condition on an earlier position"
        } else {
            return Ok(());
        };
        Err(Error::usage(problem).with_remedy("add position, board, material or pattern"))
    }
}
