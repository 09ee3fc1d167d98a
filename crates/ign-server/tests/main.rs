//! The tests of this crate, in one program, which is linked once.

mod bad_requests;
mod explorer;
mod lifecycle;
mod page_requests;
mod schema;
mod support;
