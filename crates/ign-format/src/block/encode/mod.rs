//! From text to a block: `stages` packs games of chess; for Go see `block::go`. The other files are stages.

mod columns;
mod derived;
pub(in crate::block) mod fault;
pub mod framing;
mod layout;
pub(in crate::block) mod moves;
mod payloads;
pub mod records;
pub(in crate::block) mod stages;
pub mod tags;

pub use self::stages::encode;
pub use crate::block::options::{Encoded, Options};
use crate::{block::Kind, error::Result, models::known_answers};

/// Packs a text of this kind of games.
///
/// # Errors
/// As [`encode`]; unsupported for Go in a program that was built without the feature `go`.
pub fn encode_kind(kind: Kind, text: Vec<u8>, options: &Options) -> Result<Encoded> {
    kind.check_supported()?;
    known_answers::check(options.coding)?;
    #[cfg(feature = "go")]
    if kind == Kind::Go {
        return crate::block::go::encode(text, options);
    }
    encode(text, options)
}
