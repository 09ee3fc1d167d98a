//! An independent model of games and queries: the text of a collection is parsed here with regular
//! expressions and shakmaty, and each condition is evaluated by its definition in the
//! documentation. Nothing of the library's parsing, evaluation or index is used.

pub mod archives;
pub mod board;
pub mod conditions;
pub mod data;
pub mod games;
pub mod records;
pub mod rules;
pub mod tags;
pub mod tree;

pub use archives::Indexed;
pub use conditions::Question;
pub use games::Game;
