//! Integer Game Notation and archives of games.

pub mod bits;
pub mod chess;
pub mod notation;
