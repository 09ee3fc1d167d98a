//! Values of conditions: what a text, a number or a position must be.

mod bounds;
mod date;
mod eco;
mod ending;
mod file;
mod id;
mod like;
mod material;
mod opening;
mod pattern;
mod pawns;
mod positions;
mod ranges;
mod rating;
mod result;
mod signature;
mod speed;
mod text;
mod time_control;
mod unmoved;

pub use bounds::{Bounds, RangeEnd};
pub use date::Date;
pub use eco::Eco;
pub use ending::{Ending, has_insufficient_material};
pub(crate) use ending::{LastPosition, Termination};
pub(crate) use file::FilePattern;
pub use id::GameId;
#[cfg(feature = "duplicates")]
pub(crate) use id::address_of_game;
pub(crate) use like::Comparison;
pub use like::Score;
pub use material::Material;
pub(crate) use material::Pieces;
pub use opening::parse_opening;
pub use pattern::BoardPattern;
pub(crate) use positions::{PositionFilter, normal, parse_any_position};
pub use positions::{parse_board, parse_position};
pub use ranges::Ranges;
pub(crate) use rating::read_rating;
pub use result::GameResult;
pub(crate) use result::{in_movetext, of_word};
pub use signature::{format_a, format_b, parse_signature};
pub use speed::Speed;
pub use text::TextPattern;
#[cfg(feature = "duplicates")]
pub(crate) use text::fold;
pub(crate) use text::folded;
pub(crate) use time_control::TimeControl;
