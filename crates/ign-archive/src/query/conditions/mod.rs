//! The conditions of a [`Query`](crate::Query), one file for each kind. A file has the descriptions
//! of its conditions, how they are evaluated, and their setters; [`CONDITIONS`] has a line for
//! each.

mod comments;
mod exclude;
mod files;
mod flag;
mod later;
mod moves;
mod players;
mod positions;
mod tags;

pub(super) use self::exclude::Excluded;
use super::condition::Condition;

/// All conditions, in the order of the help.
pub const CONDITIONS: &[&Condition] = &[
    &players::WHITE,
    &players::BLACK,
    &players::PLAYER,
    &players::PLAYERS,
    &players::ELO,
    &players::WHITE_ELO,
    &players::BLACK_ELO,
    &players::MEAN_ELO,
    &players::ELO_DIFF,
    &tags::DATE,
    &tags::RESULT,
    &tags::ECO,
    &tags::OPENING_NAME,
    &tags::TIME_CONTROL,
    &tags::SPEED,
    &tags::EVENT,
    &tags::SITE,
    &tags::TERMINATION,
    &tags::TAG,
    &tags::ID,
    &moves::OPENING,
    &moves::PLIES,
    &moves::SIGNATURE,
    &moves::LIKE,
    &moves::REPETITION,
    &moves::FIFTY_MOVES,
    &moves::ENDING,
    &positions::POSITION,
    &positions::BOARD,
    &positions::MATERIAL,
    &positions::PATTERN,
    &positions::FINAL,
    &positions::FLIP,
    &positions::LASTING,
    &later::LATER,
    &comments::HAS_CLOCKS,
    &comments::HAS_EVALS,
    &comments::COMMENTED,
    &comments::NOT_UNDERSTOOD,
    &files::FILE,
    &exclude::EXCLUDE,
];
