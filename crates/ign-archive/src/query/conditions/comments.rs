//! Conditions on comments: those in braces, wherever they are in the movetext.

use crate::{
    find::{Evaluate, Plan},
    query::{Condition, Form, Heading, Query, Reads, condition::flag},
};

pub const HAS_CLOCKS: Condition = Condition {
    name: "has_clocks",
    form: Form::Flag,
    heading: Heading::Content,
    label: "With clock times",
    help: "A comment states the time on a clock, [%clk ...]",
    example: "true",
    reads: Reads::Comments,
    section: None,
    read: |text| Ok(Box::new(Clocks(flag(text)?))),
};

/// Whether a comment states the time on a clock.
#[derive(Debug)]
struct Clocks(bool);

impl Evaluate for Clocks {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        plan.comments.clocks = Some(self.0);
    }
}

pub const HAS_EVALS: Condition = Condition {
    name: "has_evals",
    label: "With evaluations",
    help: "A comment states an evaluation, [%eval ...]",
    read: |text| Ok(Box::new(Evals(flag(text)?))),
    ..HAS_CLOCKS
};

/// Whether a comment states an engine's evaluation.
#[derive(Debug)]
struct Evals(bool);

impl Evaluate for Evals {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        plan.comments.evals = Some(self.0);
    }
}

pub const COMMENTED: Condition = Condition {
    name: "commented",
    label: "With comments",
    help: "A comment has text other than commands",
    read: |text| Ok(Box::new(Commented(flag(text)?))),
    ..HAS_CLOCKS
};

/// Whether a comment has text.
#[derive(Debug)]
struct Commented(bool);

impl Evaluate for Commented {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        plan.comments.text = Some(self.0);
    }
}

impl Query {
    /// Whether a comment states the time on a clock (`[%clk …]`).
    pub fn has_clocks(self, is: bool) -> Self {
        self.with(&HAS_CLOCKS, Clocks(is))
    }

    /// Whether a comment states an engine's evaluation (`[%eval …]`).
    pub fn has_evals(self, is: bool) -> Self {
        self.with(&HAS_EVALS, Evals(is))
    }

    /// Whether a comment has text other than commands such as `[%clk …]`.
    pub fn commented(self, is: bool) -> Self {
        self.with(&COMMENTED, Commented(is))
    }
}
