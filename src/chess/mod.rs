//! Chess.

pub mod reference;
