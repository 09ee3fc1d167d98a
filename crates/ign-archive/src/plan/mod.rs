//! The plan of a search: the conditions of a query, sorted by what they read.
//!
//! | file | holds |
//! | --- | --- |
//! | `tags`, `replay`, `ending`, `comments` | the conditions of each kind |
//! | `sequence` | several positions of a game, one after another |
//! | `unmoved`, `lengths` | games that need not be replayed |
//! | `passage` | games that pass through a position, within the depth of an index or anywhere |
//! | `narrow` | the games that an index leaves |
//! | `game_set` | a set of games |
//! | `stage` | what the stages of a search read |

mod comments;
mod ending;
mod game_set;
pub(crate) mod lengths;
mod narrow;
pub(crate) mod passage;
mod replay;
mod sequence;
mod stage;
mod tags;
pub(crate) mod unmoved;

use std::{any::Any, fmt::Debug};

use ign_format::{block::opening_prefix::OpeningPrefix, error::Result};
use ign_notation::signature::Signature;

use crate::{
    index::Facts,
    query::Query,
    values::{Ending, FilePattern, GameResult},
};

pub(crate) use self::stage::add;
pub use self::stage::{Explanation, Stage};
pub(crate) use self::{
    comments::{Contents, Wanted},
    ending::{LastSeen, last_positions},
    game_set::GameSet,
    narrow::{Narrowed, Narrowing},
    replay::Replay,
    sequence::Progress,
    tags::{Property, TagCondition, Test, Value, has},
};

/// A condition with its value: how it is decided for a game, and what an index knows about it.
pub(crate) trait Evaluate: Any + Debug + Send + Sync {
    /// Adds the condition to a plan. `name` is the name of the condition.
    fn plan<'q>(&'q self, name: &'static str, plan: &mut Plan<'q>);

    /// Keeps the games of an index that may meet the condition. Returns whether all of them do:
    /// then the condition need not be evaluated. An index that lacks the section keeps all.
    ///
    /// # Errors
    /// Io of the index; corrupt.
    fn narrow(&self, _name: &'static str, _index: &mut Narrowing) -> Result<bool> {
        Ok(false)
    }

    /// Whether a game with these facts meets the condition; `None` if they do not decide it.
    fn decide(&self, _facts: &Facts) -> Option<bool> {
        None
    }
}

/// What is evaluated on each game.
#[derive(Default)]
pub(crate) struct Plan<'q> {
    /// The name of the packed file. A search decides it before blocks are read.
    pub file: Option<&'q FilePattern>,
    /// The squares of the signature.
    pub signature: Option<&'q Signature>,
    /// The conditions on tags, in the order of their evaluation.
    pub tags: Vec<TagCondition<'q>>,
    /// The results of which the game must have one.
    pub results: Option<&'q [GameResult]>,
    /// The first moves.
    pub opening: Option<&'q OpeningPrefix>,
    /// What a replay of the moves decides.
    pub replay: Replay<'q>,
    /// The endings of which the game must have one.
    pub endings: Option<&'q [Ending]>,
    /// Whether the game must be not, or only partly, understood.
    pub not_understood: Option<bool>,
    /// What comments must hold.
    pub comments: Wanted,
    /// The queries that the game must not match.
    pub excluded: Vec<&'q Query>,
}

impl<'q> Plan<'q> {
    /// Adds a condition on the values of tags.
    pub fn tags(&mut self, name: &'q str, tags: impl IntoIterator<Item = &'q str>, test: Test<'q>) {
        self.tags.push(TagCondition {
            name,
            tags: tags.into_iter().collect(),
            test,
        });
    }
}
