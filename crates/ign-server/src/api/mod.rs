//! What the page needs beside the explorer: sources, lists of games, games, positions.

mod annotations;
mod conditions;
mod count;
mod download;
mod game;
mod games;
mod line;
mod names;
mod position;
mod reload;
mod sources;
mod stats;

pub use self::{
    annotations::annotations,
    conditions::{conditions, list as conditions_list},
    count::count,
    game::game,
    games::{games, games_pgn, progress},
    names::names,
    position::position,
    reload::reload,
    sources::sources,
    stats::stats,
};

/// The type of PGN.
pub const PGN: &str = "application/x-chess-pgn";
