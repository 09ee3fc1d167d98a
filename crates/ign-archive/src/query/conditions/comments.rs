//! Conditions on what a game has beside its moves: comments, those in braces, wherever they are in
//! the movetext; and text that is not understood.

use super::flag::Flag;
use crate::{
    plan::Plan,
    query::{
        condition::{Condition, Form, Heading, Reads},
        entries::Query,
    },
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
    read: |text| Flag::read(text, clocks),
};

pub const HAS_EVALS: Condition = Condition {
    name: "has_evals",
    label: "With evaluations",
    help: "A comment states an evaluation, [%eval ...]",
    read: |text| Flag::read(text, evals),
    ..HAS_CLOCKS
};

pub const COMMENTED: Condition = Condition {
    name: "commented",
    label: "With comments",
    help: "A comment has text other than commands",
    read: |text| Flag::read(text, commented),
    ..HAS_CLOCKS
};

pub const NOT_UNDERSTOOD: Condition = Condition {
    name: "not_understood",
    label: "Not understood",
    help: "The game is not, or only partly, understood: some moves or tags are stored as text only",
    reads: Reads::Layout,
    read: |text| Flag::read(text, not_understood),
    ..HAS_CLOCKS
};

fn clocks(plan: &mut Plan, is: bool) {
    plan.comments.clocks = Some(is);
}

fn evals(plan: &mut Plan, is: bool) {
    plan.comments.evals = Some(is);
}

fn commented(plan: &mut Plan, is: bool) {
    plan.comments.text = Some(is);
}

fn not_understood(plan: &mut Plan, is: bool) {
    plan.not_understood = Some(is);
}

impl Query {
    /// Whether the game is not, or only partly, understood ([`Game::not_understood`]).
    ///
    /// [`Game::not_understood`]: crate::Game::not_understood
    pub fn not_understood(self, is: bool) -> Self {
        self.with(&NOT_UNDERSTOOD, Flag::new(is, not_understood))
    }

    /// Whether a comment states the time on a clock (`[%clk …]`).
    pub fn has_clocks(self, is: bool) -> Self {
        self.with(&HAS_CLOCKS, Flag::new(is, clocks))
    }

    /// Whether a comment states an engine's evaluation (`[%eval …]`).
    pub fn has_evals(self, is: bool) -> Self {
        self.with(&HAS_EVALS, Flag::new(is, evals))
    }

    /// Whether a comment has text other than commands such as `[%clk …]`.
    pub fn commented(self, is: bool) -> Self {
        self.with(&COMMENTED, Flag::new(is, commented))
    }
}
