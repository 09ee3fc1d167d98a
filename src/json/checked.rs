//! What is damaged, and what was recovered.

use std::{
    ops::{Range, RangeInclusive},
    path::Path,
    time::Instant,
};

use serde::Serialize;

use super::{
    NotUnderstood,
    games::{Tags, fields},
    name, not_understood, seconds,
};
use ign_archive::{
    Error,
    check::{self, Depth},
    index::VerifiedIndex,
    recover::{Lost, Method, Recovered},
};

/// What models and coders compute on this machine.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SelfTest {
    /// The widest instructions of the processor that are used: `AVX2`.
    pub instructions: &'static str,
    /// Whether all of it is what the format states.
    pub right: bool,
    /// The known answers.
    pub answers: Vec<Answer>,
    /// Seconds that the test took.
    pub seconds: f64,
}

/// A known answer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Answer {
    /// What was computed: `move model`.
    name: &'static str,
    /// Whether this machine computes what the format states.
    right: bool,
    /// The SHA-256 that the format states, in hexadecimal.
    stated: &'static str,
    /// The SHA-256 that this machine computes, in hexadecimal.
    computed: String,
}

impl From<&check::KnownAnswer> for Answer {
    fn from(answer: &check::KnownAnswer) -> Self {
        Self {
            name: answer.name,
            right: answer.is_right(),
            stated: answer.stated,
            computed: answer.computed.clone(),
        }
    }
}

/// An archive that was verified.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Verified {
    /// The archive.
    archive: String,
    /// Whether nothing that was checked is damaged.
    whole: bool,
    /// What was checked: every byte and every text, checksums alone (`--quick`), or some blocks
    /// (`--sample`).
    depth: Checked,
    /// The seed of the sample; null without `--sample`.
    seed: Option<u64>,
    /// Games of the archive; null if this is not known.
    games: Option<u64>,
    /// Bytes of the text; null if this is not known.
    text_bytes: Option<u64>,
    /// Bytes of the archive; null if this is not known.
    archive_bytes: Option<u64>,
    /// Blocks of the archive; null if this is not known.
    blocks: Option<u64>,
    /// Blocks that were decoded.
    decoded_blocks: u64,
    /// Games in the blocks that were checked.
    checked_games: u64,
    /// Games in the decoded blocks that are not, or only partly, understood: their number as
    /// `games`, then that for each reason.
    not_understood: NotUnderstood,
    /// All damage. Empty if there is none.
    damage: Vec<Damage>,
    /// Seconds that the check took.
    seconds: f64,
}

/// What was checked.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum Checked {
    Full,
    Quick,
    Sample,
}

impl Verified {
    /// The report on an archive; `verified` is the error if nothing of an archive was found.
    pub fn new(
        archive: &Path,
        depth: Depth,
        verified: Result<&check::Verified, &Error>,
        checked_games: u64,
        start: Instant,
    ) -> Self {
        let damage = match verified {
            Ok(verified) => verified.damage.iter().map(Damage::from).collect(),
            Err(error) => vec![Damage::of_file(error)],
        };
        let verified = verified.ok();
        let (depth, seed) = match depth {
            Depth::Quick => (Checked::Quick, None),
            Depth::Sample { seed, .. } => (Checked::Sample, Some(seed)),
            _ => (Checked::Full, None),
        };
        Self {
            archive: name(archive),
            whole: damage.is_empty(),
            depth,
            seed,
            games: verified.map(|verified| verified.games),
            text_bytes: verified.map(|verified| verified.text_len),
            archive_bytes: verified.map(|verified| verified.file_len),
            blocks: verified.map(|verified| verified.blocks),
            decoded_blocks: verified.map_or(0, |verified| verified.decoded),
            checked_games,
            not_understood: verified
                .map(|verified| not_understood(&verified.not_understood))
                .unwrap_or_default(),
            damage,
            seconds: seconds(start),
        }
    }
}

/// A search index that was verified.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct IndexVerified {
    /// The index.
    index: String,
    /// Whether nothing that was checked is damaged.
    whole: bool,
    /// Games that the index covers; null if this is not known.
    games: Option<u64>,
    /// Games of its archives that it does not cover; null if this is not known.
    missing_games: Option<u64>,
    /// Bytes of the index; null if this is not known.
    index_bytes: Option<u64>,
    /// Segments of the index; null if this is not known.
    segments: Option<u64>,
    /// The number of its archives; null if this is not known.
    archives: Option<u64>,
    /// The number of its archives that are in its folder. Only these were compared with it; null
    /// if this is not known.
    compared_archives: Option<u64>,
    /// All damage. Empty if there is none.
    damage: Vec<Damage>,
    /// Seconds that the check took.
    seconds: f64,
}

impl IndexVerified {
    /// The report on an index; `verified` is the error if it is damaged.
    pub fn new(index: &Path, verified: Result<&VerifiedIndex, &Error>, start: Instant) -> Self {
        let damage: Vec<Damage> = verified.err().map(Damage::of_file).into_iter().collect();
        let verified = verified.ok();
        Self {
            index: name(index),
            whole: damage.is_empty(),
            games: verified.map(|verified| verified.games),
            missing_games: verified.map(|verified| verified.missing),
            index_bytes: verified.map(|verified| verified.len),
            segments: verified.map(|verified| verified.segments as u64),
            archives: verified.map(|verified| verified.archives as u64),
            compared_archives: verified.map(|verified| verified.found as u64),
            damage,
            seconds: seconds(start),
        }
    }
}

/// A damaged place.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Damage {
    /// The part of the file: `header`, `metadata`, `block`, `index`, `footer`, `source`, `gap`, or
    /// `file` for all of it.
    place: &'static str,
    /// The number of the block, from 1; null outside blocks.
    block: Option<u64>,
    #[serde(flatten)]
    games: Games,
    #[serde(flatten)]
    bytes: Bytes,
    /// The damaged columns of a block of which others may be whole.
    damaged_columns: Vec<String>,
    /// What is wrong.
    reason: String,
}

impl Damage {
    fn of_file(error: &Error) -> Self {
        Self {
            place: "file",
            block: None,
            games: None.into(),
            bytes: None.into(),
            damaged_columns: Vec::new(),
            reason: error.message().to_owned(),
        }
    }
}

impl From<&check::Damage> for Damage {
    fn from(damage: &check::Damage) -> Self {
        let (block, bytes) = match &damage.place {
            check::Place::Block { number, bytes } => (Some(*number), Some(bytes)),
            check::Place::Gap(bytes) => (None, Some(bytes)),
            _ => (None, None),
        };
        Self {
            place: damage.place.name(),
            block,
            games: damage.games.as_ref().into(),
            bytes: bytes.into(),
            damaged_columns: damage.columns.clone(),
            reason: damage.error.message().to_owned(),
        }
    }
}

/// Games that follow each other.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Games {
    /// The number of the first game, from 1; null if there is none, or if it is not known.
    first_game: Option<u64>,
    /// The number of the last game; null as `first_game`.
    last_game: Option<u64>,
}

impl From<Option<&RangeInclusive<u64>>> for Games {
    fn from(games: Option<&RangeInclusive<u64>>) -> Self {
        Self {
            first_game: games.map(|games| *games.start()),
            last_game: games.map(|games| *games.end()),
        }
    }
}

/// Bytes of a file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Bytes {
    /// The place of the first byte in the file, from 0; null if it is not known.
    first_byte: Option<u64>,
    /// The number of bytes; null as `first_byte`.
    bytes: Option<u64>,
}

impl From<Option<&Range<u64>>> for Bytes {
    fn from(bytes: Option<&Range<u64>>) -> Self {
        Self {
            first_byte: bytes.map(|bytes| bytes.start),
            bytes: bytes.map(|bytes| bytes.end.saturating_sub(bytes.start)),
        }
    }
}

/// What was recovered.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Recovery {
    /// The damaged archive.
    archive: String,
    /// The file that was written.
    output: String,
    /// How: as it is, because its parity says that nothing is damaged; by parity; or by a new
    /// archive of the intact parts, also where an archive without parity is not damaged.
    method: How,
    /// Whether the new archive has all that the old one had.
    complete: bool,
    /// Games of the new archive.
    games: u64,
    /// Bytes of the new archive.
    archive_bytes: u64,
    /// Bytes that were repaired by parity.
    repaired_bytes: u64,
    /// Parts of the damaged archive that are lost.
    lost: Vec<LostPart>,
    /// Blocks of which the games are in the new archive without some columns.
    reduced: Vec<LostPart>,
    /// What else there is to state, a sentence each.
    notes: Vec<String>,
    /// Seconds that the command took.
    seconds: f64,
}

/// How an archive was recovered.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum How {
    Copied,
    Repaired,
    Rebuilt,
}

impl Recovery {
    /// The report.
    pub fn new(archive: &Path, output: &Path, recovered: &Recovered, start: Instant) -> Self {
        let (method, repaired) = match &recovered.method {
            Method::Copied => (How::Copied, &[][..]),
            Method::Repaired(bytes) => (How::Repaired, &bytes[..]),
            _ => (How::Rebuilt, &[][..]),
        };
        let parts = |lost: &[Lost]| lost.iter().map(LostPart::from).collect();
        Self {
            archive: name(archive),
            output: name(output),
            method,
            complete: recovered.is_complete(),
            games: recovered.games,
            archive_bytes: recovered.archive_len,
            repaired_bytes: repaired.iter().map(|bytes| bytes.end - bytes.start).sum(),
            lost: parts(&recovered.lost),
            reduced: parts(&recovered.reduced),
            notes: recovered.notes.clone(),
            seconds: seconds(start),
        }
    }
}

/// A damaged part of the old archive.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LostPart {
    /// The number of the block, from 1; null for bytes that may have been blocks.
    block: Option<u64>,
    #[serde(flatten)]
    games: Games,
    #[serde(flatten)]
    bytes: Bytes,
    /// The damaged columns.
    damaged_columns: Vec<String>,
    /// Columns that are whole, but are lost because they depend on damaged ones.
    lost_with: Vec<String>,
    /// What is wrong.
    reason: String,
    /// What is known of each game, in order: the fields of `ign list`, null for those that are
    /// lost. Empty if nothing is known.
    known: Vec<Tags>,
}

impl From<&Lost> for LostPart {
    fn from(lost: &Lost) -> Self {
        Self {
            block: lost.block,
            games: lost.games.as_ref().into(),
            bytes: Some(&lost.bytes).into(),
            damaged_columns: lost.columns.clone(),
            lost_with: lost.lost_with.clone(),
            reason: lost.reason.clone(),
            known: (lost.known.iter())
                .map(|line| Tags::read(&mut fields(line)))
                .collect(),
        }
    }
}
