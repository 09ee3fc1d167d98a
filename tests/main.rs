//! The tests of the command, in one program, which is linked once.
//!
//! `faults`, `limits`, `readers` and `two_writers` are programs of their own: they stop commands at
//! file operations, limit what the system gives, use all processors, and hold locks, which a
//! program that another test starts would have for a moment.

mod bad_conditions;
mod claimable;
mod cli;
mod conditions;
mod corpora;
mod count;
mod damage;
mod docs;
mod duplicates;
mod endgames;
mod export;
mod fallback;
mod find_output;
mod fixtures;
mod folders;
mod forms;
mod go_archive;
mod grow;
mod hints;
mod huge_inputs;
mod index;
mod inputs;
mod json;
mod layout;
mod memory;
mod models;
mod prompt;
mod proof_games;
mod recover;
mod remote;
mod resume;
mod serve;
mod serving;
mod several;
mod site;
mod sort;
mod stats;
mod train;
mod transcode;
mod tree;
mod util;
mod variants;
mod versions;
