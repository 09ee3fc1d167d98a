//! The `ign` command.
fn main() {}
