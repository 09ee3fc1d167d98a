//! Variants of chess, as Lichess and FICS play them.
//!
//! [`Variant`] names the rules and knows the names that collections use for them. [`Board`] is a
//! position and plays moves. [`Legal`] lists the legal moves of a position in canonical order,
//! reads and writes them. [`Start`] is the position of a FEN. Moves are [`Move`](super::Move),
//! including drops.
//!
//! Crazyhouse, King of the Hill, Three-check and Losers change only the end of the game, the pieces
//! in hand or the choice of moves, so their moves on the board come from [`super::Legal`]. The
//! rules of the others are shakmaty's. Spec §8.1.1 describes all of them. Positions of chess with
//! other kings than its laws allow are here too, because they also need a list of moves (§8.1.2).
//!
//! Variants are rare (a few games in a thousand), so simplicity matters more than speed: moves are
//! listed, sorted and searched.

mod board;
mod crazyhouse;
mod kings;
mod legal;
mod names;
mod start;

pub use board::Board;
pub use legal::Legal;
pub use names::{Variant, is_chess960};
pub use start::Start;
