//! The tests of this crate, in one program, which is linked once.

mod files;
mod functions;
mod games;
mod positions;
mod util;
