//! The tests of this crate, in one program, which is linked once.
//!
//! `torture` measures its memory and `python` starts programs: each is a program of its own.

mod append;
mod archives;
mod bad_index;
mod extended_index;
mod files;
mod find;
mod games;
mod kings;
mod null_moves;
mod oracle;
mod parity;
mod partial;
mod positions;
mod published;
mod query_oracle;
mod reading;
mod recover;
mod scan;
mod sgf;
mod shared_blocks;
mod spec_example;
mod split;
mod statistics;
mod values;
