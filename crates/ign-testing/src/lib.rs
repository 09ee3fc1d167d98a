//! What the tests and benchmarks of all crates share.
//!
//! - [`games`], [`variant_games`], [`kings_games`], [`null_games`], [`go`] and others generate games. [`Collection`]
//!   has real games, and generated ones of the same kind where there are no real ones. [`forms`]
//!   are games as people write them.
//! - [`answers`] are the forms of the answers of the HTTP interface.
//! - [`require`] is for what a test needs beside cargo: it skips the test, or fails it if
//!   `IGN_REQUIRE` says so.
//! - [`cases`] are fewer random cases than `make proof` tries.
//! - [`Folder`] is a temporary folder, [`Run`] a finished command, [`FileServer`] a server that can
//!   misbehave.
//! - [`reshaped_move_model`] and [`repeated_parameters`] are data of models.
//! - [`ours`], [`both`] and [`chess960`] convert from shakmaty.
//!
//! The crate is used by the tests of crates that it depends on. Types of these crates may be in its
//! interface, since integration tests use the same build of the library; unit tests use another
//! build.

pub mod answers;
mod blocks;
mod boards;
mod collections;
mod file_server;
mod folder;
mod forms;
mod games;
pub mod go;
mod kings;
mod models;
mod needs;
mod nulls;
mod random;
mod variants;

pub use blocks::parts_round_trip;
pub use boards::{both, chess960, ours};
pub use collections::{Collection, corpus, corpus_path, difficult_files, has_real_games};
pub use file_server::{FileServer, Manner, Request};
pub use folder::{Folder, Run};
pub use forms::{Form, forms};
pub use games::{
    analysed, clocked_games, commented, games, games_of_seed, repeated_games, wrapped,
};
pub use kings::kings_games;
pub use models::{repeated_parameters, reshaped_move_model};
pub use needs::{Need, cases, is_full, python, require};
pub use nulls::null_games;
pub use random::Random;
pub use variants::variant_games;
