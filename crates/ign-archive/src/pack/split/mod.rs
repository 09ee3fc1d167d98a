//! Splitting: one archive to several, by numbers of games, by size, by inputs, or by the values of
//! a tag.
//!
//! ```text
//! archive ─► Reader: blocks as they are, ─► Collector: texts of a part ─► encode ─► PartWriter ─► archives
//!            or texts of a block's games    joined to blocks              (threads)  one for each
//!            (threads; reader.rs)           (collect.rs)                             part (parts.rs)
//! ```
//!
//! A block of which all games go to one part is copied without decoding. Text between games goes
//! with the game before it, and with the first game at the start of a block or of an input. Divided
//! by inputs, it goes with its input.

mod collect;
mod names;
mod parts;
mod plan;
mod reader;
mod sized;

use std::{io::Write, str::FromStr};

use ign_format::error::{Error, Result};

use self::parts::Parts;
use super::{Summary, copy::StoredBlock};
use crate::{
    archive::Archive,
    keys::GameKey,
    progress::{OnProgress, progress_setter},
};

/// How the games of an archive are divided.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SplitBy {
    /// Archives of this many games, in order; the last may have fewer.
    Games(u64),
    /// Archives of at most this many bytes, in order. A block is cut only if it is longer.
    Bytes(u64),
    /// An archive for each input that was packed, in order, except empty ones. Blocks that inputs
    /// share are packed again. Parts of an input that follow each other are in one archive.
    Source,
    /// An archive for each value of a tag. The name of the tag may be in lower case.
    Tag(String),
    /// An archive for each day: that of the UTCDate tag, or of the Date tag; of Go games the first
    /// day of the DT property.
    Day,
    /// An archive for each month.
    Month,
    /// An archive for each year.
    Year,
    /// An archive for each value of a key, as [counting](crate::CountBuilder) has them. Bands of
    /// numbers are named as ranges: `1600..1799`.
    Key(GameKey),
}

impl FromStr for SplitBy {
    type Err = Error;

    /// Reads `date`, `month`, `year`, `file`, a [key](GameKey) with a number such as `elo:200` or
    /// `eco:1`, a key of ratings, plies or speeds, or else the name of a tag.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if a key has a wrong number.
    fn from_str(text: &str) -> Result<Self> {
        let is_key = |key: GameKey| key.is_computed();
        Ok(match text {
            "date" => Self::Day,
            "month" => Self::Month,
            "year" => Self::Year,
            "file" => Self::Source,
            _ if text.contains(':') || text.parse().is_ok_and(is_key) => Self::Key(text.parse()?),
            tag => Self::Tag(tag.to_owned()),
        })
    }
}

impl SplitBy {
    /// The maximum number of archives. All are open until the last one is written, so that a caller
    /// can give them their names together. Systems allow some 1,000 open files, and an archive that
    /// replaces another takes two of them.
    pub const MAX_PARTS: usize = 400;
}

/// One of the archives.
#[derive(Debug)]
#[non_exhaustive]
pub struct SplitPart<W> {
    /// What tells it from the others: a number such as `001`, the name of an input without
    /// extensions such as `.pgn.zst`, or a value. Every character that is neither letter, digit,
    /// nor one of `-+.,` is replaced by `_`. Games without a value are in the part `unknown`.
    /// Names that would be equal, or differ in case alone, get a suffix: `-2`, `-3`. A value that
    /// is `unknown` itself gets one too.
    pub name: String,
    /// Where it was written.
    pub out: W,
    /// What it holds.
    pub summary: Summary,
}

/// What a [`Splitter`] has written.
#[derive(Debug)]
#[non_exhaustive]
pub struct Split<W> {
    /// The archives: in the order of their games, or of the values.
    pub parts: Vec<SplitPart<W>>,
    /// The number of blocks that were copied without decoding.
    pub copied_blocks: u64,
    /// The number of new blocks, of games that were decoded and encoded again.
    pub encoded_blocks: u64,
}

/// Divides the games of an archive among several archives.
///
/// Every byte of the text is in one of them. Divided by games, bytes or inputs, they
/// [merge](crate::Merger) in their order to an archive of the same text. Inputs that are divided
/// are parts of inputs in the new archives, under the same name.
///
/// ```
/// use ign_archive::{Archive, Input, Packer, Splitter, pack::SplitBy};
///
/// let text = "[Date \"2023.12.31\"]\n\n1. e4 *\n\n[Date \"2024.01.01\"]\n\n1. d4 *\n\n";
/// let input = Input::reader("a.pgn", text.as_bytes());
/// let (bytes, _) = Packer::new().pack([input], Vec::new())?;
/// let archive = Archive::from_read_at(bytes, "a.ign")?;
///
/// let split = Splitter::new(SplitBy::Year).split(&archive, |_name| Ok(Vec::new()))?;
/// let names: Vec<_> = split.parts.iter().map(|part| &part.name).collect();
/// assert_eq!(names, ["2023", "2024"]);
/// let bytes = split.parts[1].out.clone();
/// let games = Archive::from_read_at(bytes, "a-2024.ign")?;
/// assert_eq!(games.game(1)?.pgn()?, archive.game(2)?.pgn()?);
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Debug)]
pub struct Splitter<'p> {
    by: SplitBy,
    on_progress: OnProgress<'p>,
}

impl<'p> Splitter<'p> {
    /// Divides games by a property of them.
    pub fn new(by: SplitBy) -> Self {
        Self {
            by,
            on_progress: OnProgress::default(),
        }
    }

    progress_setter!();

    /// Divides an archive. `open` is called with the [name](SplitPart::name) of each part and
    /// returns where it is written. The bytes of the progress are those of text.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if there would be more than [`SplitBy::MAX_PARTS`]
    /// archives, if the archive is empty, if damaged blocks of it are [left
    /// out](Archive::open_damaged), or if no game has the tag; [`Io`](crate::ErrorKind::Io), also
    /// of the outputs; [`Corrupt`](crate::ErrorKind::Corrupt);
    /// [`Unsupported`](crate::ErrorKind::Unsupported) if the text of some games alone would be that
    /// of more or fewer games; [`Cancelled`](crate::ErrorKind::Cancelled). After an error, what was
    /// written is no archive.
    pub fn split<W: Write>(
        self,
        archive: &Archive,
        mut open: impl FnMut(&str) -> Result<W>,
    ) -> Result<Split<W>> {
        archive.check_complete()?;
        let Self { by, on_progress } = self;
        let split = || {
            if archive.blocks().is_empty() {
                return Err(Error::usage("is empty: there is nothing to split"));
            }
            let meta = archive.meta()?;
            let models = StoredBlock::models(archive)?;
            let mut parts = Parts::new(archive, &meta, models, &mut open, on_progress);
            match &by {
                SplitBy::Bytes(limit) => sized::split(archive, *limit, &meta, &mut parts)?,
                by => collect::split(archive, &plan::Plan::new(archive, by)?, &meta, &mut parts)?,
            }
            parts.finish()
        };
        split().map_err(|e| match e.kind() {
            // Errors of outputs name their files, or have no place.
            crate::ErrorKind::Io => e,
            _ => e.in_file(archive.path()),
        })
    }
}

/// The error of too many parts.
fn too_many(parts: &str) -> Error {
    let max = SplitBy::MAX_PARTS;
    Error::usage(format!(
        "{parts} archives would be written, and at most {max} can be"
    ))
}

/// A number with thousands separators, as messages write it: `12,345`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap_or_default())
        .collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_separated() {
        assert_eq!([0, 999, 10_919].map(grouped), ["0", "999", "10,919"]);
        assert_eq!(grouped(1_000_000), "1,000,000");
    }
}
