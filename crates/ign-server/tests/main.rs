//! The tests of this crate, in one program, which is linked once.

mod append;
mod bad_requests;
#[cfg(unix)]
mod engine;
mod explorer;
mod lifecycle;
mod page_requests;
mod schema;
mod support;
