//! Chess game archives over HTTP: the interface of the Lichess opening explorer, searches, games,
//! and a page for a browser.
//!
//! ```text
//! connection ─► router ─► ign-api: task ─► cache of answers ─► worker ─► archives
//!               limits                    ETag                queue
//! ```
//!
//! | file | holds |
//! | --- | --- |
//! | `server` | connections, their limits, the graceful stop |
//! | `router` | paths, headers of all answers, the access log |
//! | `tasks` | the answers of `ign-api` as answers of the server |
//! | `collection` | opens the archives |
//! | `indexing` | indexes that are built while the server runs |
//! | `cache`, `workers` | answers that are kept, and the threads that compute the others |
//! | `download` | text that is written while it is sent |
//! | `statistics` | statistics, which are computed once |
//! | `reload` | opens the archives again |
//! | `append` | appends games of the page, if that is permitted |
//! | `engine`, `uci` | values of positions by the user's engine, and its process |
//! | `permits` | which of the two this server does |
//! | `assets` | the page |
//! | `json`, `failure` | values and errors as answers |
//!
//! Nothing in a request names a file: sources are chosen by name from those that were opened at the
//! start, and the page is part of the program.

#![deny(missing_docs)]

mod app;
mod append;
mod assets;
mod cache;
mod collection;
mod download;
mod engine;
mod failure;
mod indexer;
mod indexing;
mod json;
mod log;
mod options;
mod origin;
mod permits;
mod reload;
mod router;
mod server;
mod statistics;
mod tasks;
mod uci;
mod workers;

pub use ign_api::{answer, conditions};

pub use self::{
    assets::page_files,
    options::{Engine, Options},
    server::{Server, Stopper},
};
