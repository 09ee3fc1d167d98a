//! What the page needs beside the explorer: sources, lists of games, games, positions.

mod conditions;
mod download;
mod game;
mod games;
mod line;
mod position;
mod reload;
mod sources;
mod stats;

pub use self::{
    conditions::conditions,
    game::game,
    games::{games, games_pgn, progress},
    position::position,
    reload::reload,
    sources::sources,
    stats::stats,
};

/// The type of PGN.
pub const PGN: &str = "application/x-chess-pgn";
