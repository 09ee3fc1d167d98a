//! What to search for: [`Query`], its conditions and their values.
//!
//! ```
//! use ign_archive::{Query, query::{Speed, parse_opening}};
//!
//! let query = Query::new()
//!     .elo(2200..=2500)
//!     .speed([Speed::Blitz, Speed::Rapid])
//!     .opening(parse_opening("1. e4 e5 2. f4")?);
//! # Ok::<(), ign_archive::Error>(())
//! ```
//!
//! Conditions can be set by name, from text, as well:
//!
//! ```
//! use ign_archive::Query;
//!
//! let mut query = Query::new();
//! query.set("white_elo", "2200..")?;
//! query.set("speed", "blitz,rapid")?;
//! let error = query.set("wite_elo", "2200").unwrap_err();
//! assert_eq!(error.remedy().unwrap().to_string(), "did you mean white_elo?");
//! # Ok::<(), ign_archive::Error>(())
//! ```
//!
//! [`CONDITIONS`] lists the conditions. A condition is a file or a part of one in `conditions`, and
//! a line there; everything else that names conditions follows from it.

mod by_name;
mod condition;
mod conditions;
mod entries;

pub use condition::{Condition, Form, Heading, IndexSection, Reads};
pub use conditions::CONDITIONS;
pub(crate) use entries::FactsQuery;
pub use entries::Query;

pub use crate::{
    plan::{Explanation, Stage},
    values::{
        BoardPattern, Bounds, Date, Eco, Ending, GameId, GameResult, Material, RangeEnd, Ranges,
        Score, Speed, TextPattern, format_a, format_b, has_insufficient_material, parse_board,
        parse_opening, parse_position, parse_signature,
    },
};
pub use ign_format::block::opening_prefix::OpeningPrefix;
