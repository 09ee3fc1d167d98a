//! The tests of this crate, in one program, which is linked once.

mod positions;
mod tables;
