//! The tests of the crate.

mod paths;
