//! Integer Game Notation and archives of games.

pub mod chess;
