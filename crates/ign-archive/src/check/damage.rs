//! A place of a file that is damaged.

use std::ops::{Range, RangeInclusive};

use ign_format::error::{Error, Kind};

/// A part of an archive file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// The header: the first frame.
    Header,
    /// The metadata record after it.
    Metadata,
    /// A block.
    Block {
        /// Its number, from 1, in the order of the games.
        number: u64,
        /// Its bytes in the file.
        bytes: Range<u64>,
    },
    /// The block table.
    BlockTable,
    /// The footer.
    Footer,
    /// An input of the archive, numbered from 1: its blocks are whole, but together they are not
    /// the text that was packed.
    Source(u64),
    /// Bytes between the parts of the file, or after them, that belong to none.
    Gap(Range<u64>),
}

impl Place {
    /// The name for reports: `block`, `gap`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Metadata => "metadata",
            Self::Block { .. } => "block",
            Self::BlockTable => "index",
            Self::Footer => "footer",
            Self::Source(_) => "source",
            Self::Gap(_) => "gap",
        }
    }
}

/// A damaged place of an archive.
#[derive(Debug)]
#[non_exhaustive]
pub struct Damage {
    /// The part of the file.
    pub place: Place,
    /// The names of the damaged columns of a block whose head is whole.
    pub columns: Vec<String>,
    /// The games of a damaged block, numbered from 1; `None` if it has none, or their number is
    /// not known.
    pub games: Option<RangeInclusive<u64>>,
    /// Whether it is a block that needs a model of which no copy is whole.
    pub lacks_model: bool,
    /// What is wrong there.
    pub error: Error,
}

impl Damage {
    /// Whether it is a block that is whole as far as checksums show, but that this program cannot
    /// read: the block needs a later version of the format, or a model that is missing.
    pub fn is_unread(&self) -> bool {
        matches!(self.place, Place::Block { .. }) && self.error.kind() == Kind::Unsupported
    }

    /// Damage outside blocks.
    pub(crate) fn of(place: Place, error: Error) -> Self {
        Self {
            place,
            columns: Vec::new(),
            games: None,
            lacks_model: false,
            error,
        }
    }
}
