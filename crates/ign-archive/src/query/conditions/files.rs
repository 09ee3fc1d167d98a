//! Conditions on the file that a game was packed from.

use crate::{
    plan::{Evaluate, Plan},
    query::{
        condition::{Condition, Form, Heading, Reads},
        entries::Query,
    },
    values::{FilePattern, TextPattern},
};

pub const FILE: Condition = Condition {
    name: "file",
    form: Form::Pattern,
    heading: Heading::File,
    label: "Packed file",
    help: "The name of the packed file, in any case of letters, with all, some or none of its folders: a.pgn \
           and 2020/a.pgn find games/2020/a.pgn; * matches any text",
    example: "games/2020/*",
    reads: Reads::GameNumber,
    section: None,
    read: |text| Ok(Box::new(FilePattern::new(text))),
};

impl Evaluate for FilePattern {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        plan.file = Some(self);
    }
}

impl Query {
    /// The name of the packed file in any case of letters, the whole stored name or its last
    /// components: `a.pgn` matches `games/2020/a.pgn` as well. Text from standard input has the empty name.
    pub fn file(self, name: impl Into<TextPattern>) -> Self {
        self.with(&FILE, FilePattern::new(name))
    }
}
