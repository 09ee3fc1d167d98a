//! From text to a block: `stages` packs games of chess; for Go see `block::go`. The other files are
//! stages.

mod columns;
mod derived;
pub(crate) mod fault;
pub mod framing;
mod layout;
pub(in crate::block) mod moves;
mod payloads;
pub mod records;
pub(in crate::block) mod stages;
pub mod tags;

pub use self::stages::encode;
pub use crate::block::options::{Encoded, Options};
use crate::{
    block::Kind,
    error::{Error, Result},
    known_answers,
};

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

/// Packs texts of this kind of games, one after the other, in one block. `ends` are their ends; the
/// last one is that of `text`, which is moved and returned. The records of each text are those that
/// it has in a block of its own.
///
/// `None` if that is not so, because there is no room for the tags of all texts, or if the block
/// does not decode to the texts: fewer texts have to be in a block.
///
/// # Errors
/// As [`encode_kind`].
pub fn encode_texts(
    kind: Kind,
    text: &mut Vec<u8>,
    ends: &[usize],
    options: &Options,
) -> Result<Option<Encoded>> {
    if ends.len() <= 1 {
        return encode_kind(kind, std::mem::take(text), options).map(Some);
    }
    if !ends.is_sorted() || ends.last() != Some(&text.len()) {
        return Err(Error::internal("texts do not end where their text does"));
    }
    kind.check_supported()?;
    known_answers::check(options.coding)?;
    #[cfg(feature = "go")]
    if kind == Kind::Go {
        return Ok(crate::block::go::encode_games(text, ends, options).unwrap_or_default());
    }
    Ok(stages::encode_games(text, ends, options).unwrap_or_default())
}
