//! What answers a request of the interface of `ign serve`, without HTTP: a path and its query
//! become a [`Task`], and the task JSON or PGN.
//!
//! ```text
//! path, query ─► parameters ─► selection ─► Task ─► key: the answer is kept
//!                                                └─► compute: archives ─► JSON, PGN
//! ```
//!
//! | file | holds |
//! | --- | --- |
//! | `paths` | the paths, and what answers each |
//! | `task` | what is to be done for an answer |
//! | `request`, `parameters`, `selection`, `root` | the content of a request |
//! | `explorer` | the interface of the Lichess explorer |
//! | [`answer`] | an answer of the explorer as JSON |
//! | `annotations`, `conditions`, `count`, `game`, `games`, `line`, `names`, `position`, `sources`, `statistics` | an endpoint each |
//! | `played`, `report` | what the statistics have |
//! | `collection` | the archives as sources, and the games of their blocks |
//! | `searches` | searches that several requests share |
//! | `key` | what identifies an answer |
//! | `failure` | errors as answers |
//!
//! `ign-server` keeps answers by their keys and computes others on its threads; `ign-web` runs a
//! task where it is. Nothing in a request names a file: sources are chosen by name from those of
//! the [`Collection`].

#![deny(missing_docs)]

mod annotations;
pub mod answer;
mod collection;
mod conditions;
mod count;
mod explorer;
mod failure;
mod game;
mod games;
mod key;
mod line;
mod names;
mod parameters;
mod paths;
#[cfg(feature = "stats")]
mod played;
mod position;
#[cfg(feature = "stats")]
mod report;
mod request;
mod root;
mod searches;
mod selection;
mod sources;
pub mod statistics;
mod task;

pub use self::{
    collection::{Cancel, Collection, Memory, Source, View},
    conditions::list as conditions,
    failure::{Failure, Result, Unreadable, archive_name, message_of},
    key::Key,
    paths::{paths, plan},
    request::{Building, Served},
    task::{Compute, Download, Found, Reply, Task, Work},
};
