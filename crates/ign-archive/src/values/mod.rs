//! Values of conditions: what a text, a number or a position must be.

mod bounds;
mod classes;
mod date;
mod id;
mod like;
mod material;
mod opening;
mod pattern;
mod pawns;
mod positions;
mod rating;
mod signature;
mod text;
mod unmoved;

pub use bounds::{Bounds, RangeEnd};
pub use classes::{Eco, GameResult, Speed};
pub use date::Date;
pub use id::GameId;
pub(crate) use like::Comparison;
pub use like::Score;
pub use material::Material;
pub use opening::parse_opening;
pub use pattern::BoardPattern;
pub(crate) use positions::{PositionFilter, normal};
pub use positions::{parse_board, parse_position};
pub(crate) use rating::read_rating;
pub use signature::{format_a, format_b, parse_signature};
pub use text::TextPattern;
