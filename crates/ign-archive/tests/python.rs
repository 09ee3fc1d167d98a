//! Tests that start Python. They are a program of their own: a program that starts has the locks of
//! this process for a moment, which other tests would notice.

mod independent_reader;
#[allow(
    dead_code,
    unused_imports,
    reason = "the tests of queries use the other parts"
)]
mod oracle;
mod python_chess;
