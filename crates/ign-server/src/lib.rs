//! Chess game archives over HTTP: the interface of the Lichess opening explorer, searches, games,
//! and a page for a browser.
//!
//! ```text
//! connection ─► router ─► parameters ─► cache of answers ─► worker ─► archives
//!               limits    selection     ETag               queue     heads of games
//! ```
//!
//! | file | holds |
//! | --- | --- |
//! | `server` | connections, their limits, the graceful stop |
//! | `router` | paths, headers of all answers, the access log |
//! | `parameters`, `selection`, `root` | the content of a request |
//! | `explorer` | the interface of the Lichess explorer |
//! | `api` | sources, games, positions, statistics |
//! | [`answer`] | an answer of the explorer as JSON |
//! | `collection` | the archives as sources, and the games of their blocks |
//! | `indexing` | indexes that are built while the server runs |
//! | `searches` | searches that several requests share |
//! | `cache`, `workers` | answers that are kept, and the threads that compute the others |
//! | `statistics`, `played`, `report` | the statistics page |
//! | `assets` | the page |
//! | `failure` | errors as answers |
//!
//! Nothing in a request names a file: sources are chosen by name from those that were opened at the
//! start, and the page is part of the program.

#![deny(missing_docs)]

pub mod answer;
mod api;
mod app;
mod assets;
mod cache;
mod collection;
mod explorer;
mod failure;
mod indexer;
mod indexing;
mod log;
mod options;
mod origin;
mod parameters;
mod played;
mod report;
mod root;
mod router;
mod searches;
mod selection;
mod server;
mod statistics;
mod workers;

pub use self::{
    api::conditions_list as conditions,
    assets::page_files,
    options::Options,
    server::{Server, Stopper},
};
