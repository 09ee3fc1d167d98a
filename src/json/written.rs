//! What commands report about the files that they write.

use std::{collections::BTreeMap, path::Path, time::Instant};

use serde::Serialize;

use super::{NotUnderstood, name, not_understood, seconds};
use ign_archive::{
    index::{Extended, IndexSummary},
    pack::Summary,
    parity,
};
use ign_training::Trained;

/// What is in an archive.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Amounts {
    /// Games.
    games: u64,
    /// Plies that are coded as moves.
    plies: u64,
    /// Bytes of the text.
    text_bytes: u64,
    /// Bytes of the archive.
    archive_bytes: u64,
}

impl From<&Summary> for Amounts {
    fn from(summary: &Summary) -> Self {
        Self {
            games: summary.games,
            plies: summary.plies,
            text_bytes: summary.text_len,
            archive_bytes: summary.archive_len,
        }
    }
}

/// What packing found.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Packing {
    /// Games that are not, or only partly, understood: their number as `games`, then that for each
    /// reason.
    not_understood: NotUnderstood,
    /// Bytes of text that is not searched, because a block has too many tag names for its games.
    unread_bytes: u64,
    /// Blocks that are stored in a simpler form because of a defect of `ign`. The exit status is
    /// then 3.
    fallback_blocks: u64,
}

impl From<&Summary> for Packing {
    fn from(summary: &Summary) -> Self {
        Self {
            not_understood: not_understood(&summary.not_understood),
            unread_bytes: summary.unread,
            fallback_blocks: summary.fallbacks.blocks,
        }
    }
}

/// Parity that was added.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Parity {
    /// Bytes that were added to the archive; 0 if it has this parity already.
    parity_bytes: u64,
    /// Bytes that the parity protects.
    protected_bytes: u64,
    /// Shards of the protected bytes.
    data_shards: u32,
    /// Recovery shards: as many damaged shards can be repaired.
    recovery_shards: u32,
    /// Bytes of a shard.
    shard_bytes: u64,
}

impl From<&parity::Added> for Parity {
    fn from(added: &parity::Added) -> Self {
        Self {
            parity_bytes: added.added,
            protected_bytes: added.protected,
            data_shards: added.data_shards,
            recovery_shards: added.recovery_shards,
            shard_bytes: added.shard_len,
        }
    }
}

/// A new archive.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Packed {
    /// The file that was written.
    pub output: String,
    #[serde(flatten)]
    amounts: Amounts,
    #[serde(flatten)]
    packing: Packing,
    /// The parity that was added; null without `--parity`.
    parity: Option<Parity>,
    /// Seconds that the command took.
    seconds: f64,
}

impl Packed {
    /// The report of packing into this file.
    pub fn new(
        output: &Path,
        summary: &Summary,
        parity: Option<&parity::Added>,
        start: Instant,
    ) -> Self {
        Self {
            output: name(output),
            amounts: summary.into(),
            packing: summary.into(),
            parity: parity.map(Parity::from),
            seconds: seconds(start),
        }
    }
}

/// An archive to which games were appended.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Appended {
    /// The archive.
    pub archive: String,
    #[serde(flatten)]
    pub amounts: Amounts,
    /// What was appended; `appended.archive_bytes` are the bytes by which the file grew.
    pub appended: Amounts,
    #[serde(flatten)]
    pub packing: Packing,
    /// Bytes after the archive that were removed: writing them had been interrupted.
    pub removed_bytes: u64,
    /// The search index beside the archive; null if there is none, or if a warning states why it
    /// could not be extended.
    pub search_index: Option<Indexed>,
    /// Seconds that the command took.
    pub seconds: f64,
}

/// A merged archive.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Merged {
    /// The file that was written.
    pub output: String,
    /// The number of archives that were merged.
    pub archives: u64,
    #[serde(flatten)]
    pub amounts: Amounts,
    /// Seconds that the command took.
    pub seconds: f64,
}

/// An archive that was split.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Split {
    /// The archive that was split.
    pub archive: String,
    /// The archives that were written, in order.
    pub parts: Vec<Part>,
    /// Blocks that were copied as they are.
    pub copied_blocks: u64,
    /// Blocks that were encoded again.
    pub encoded_blocks: u64,
    /// Seconds that the command took.
    pub seconds: f64,
}

/// One of the archives that a split wrote.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Part {
    /// The file that was written.
    pub output: String,
    #[serde(flatten)]
    pub amounts: Amounts,
}

/// A site that was written.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Published {
    /// The folder.
    pub output: String,
    /// The title of the page.
    pub title: String,
    /// The number of archives.
    pub archives: u64,
    /// The archives, in order.
    pub published: Vec<PublishedArchive>,
    /// Files that were written.
    pub files: u64,
    /// Bytes that were written.
    pub bytes: u64,
    /// Seconds that the command took.
    pub seconds: f64,
}

/// An archive of a site.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PublishedArchive {
    /// The name that the page shows.
    pub name: String,
    /// Games.
    pub games: u64,
    /// Bytes of the archive.
    pub archive_bytes: u64,
    /// Bytes of the index; null if there is none.
    pub index_bytes: Option<u64>,
}

/// An archive with another coding.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Transcoded {
    /// The archive that was read.
    pub archive: String,
    /// The file that was written. The numbers are those of this archive.
    pub output: String,
    #[serde(flatten)]
    pub amounts: Amounts,
    /// Bytes of the archive that was read.
    pub read_bytes: u64,
    /// Blocks that are stored in a simpler form because of a defect of `ign`. The exit status is
    /// then 3.
    pub fallback_blocks: u64,
    /// Seconds that the command took.
    pub seconds: f64,
}

/// The text of archives.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Unpacked {
    /// The file that was written; the folder, with `--files`.
    pub output: String,
    /// Games that were written; null with `--files` and `--file`.
    pub games: Option<u64>,
    /// Packed files that were written; null without `--files` and `--file`.
    pub files: Option<u64>,
    /// Bytes that were written.
    pub text_bytes: u64,
    /// Seconds that the command took.
    pub seconds: f64,
}

/// Parity of an archive.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Protected {
    /// The archive.
    pub archive: String,
    #[serde(flatten)]
    pub parity: Parity,
    /// Seconds that the command took.
    pub seconds: f64,
}

/// A search index.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Indexed {
    /// The index.
    index: String,
    /// What was done. `complete`: the index had all games, and nothing was written. `estimated`:
    /// nothing was written, and all numbers of bytes are estimates.
    action: Action,
    /// Games that were indexed: those that the index lacked, if it was extended.
    games: u64,
    /// Bytes that were written.
    index_bytes: u64,
    /// Bytes of each section that was written, by its name.
    sections: BTreeMap<String, u64>,
}

/// What was done to an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Built,
    Extended,
    Complete,
    Estimated,
}

impl Indexed {
    /// The report on an index.
    pub fn new(index: &Path, action: Action, summary: &IndexSummary) -> Self {
        let sections = summary.sections.iter();
        Self {
            index: name(index),
            action,
            games: summary.games,
            index_bytes: summary.len,
            sections: sections
                .map(|&(name, len)| (name.to_owned(), len))
                .collect(),
        }
    }

    /// The report on an index that was extended.
    pub fn extended(index: &Path, extended: &Extended) -> Self {
        let action = match extended {
            Extended {
                is_rebuilt: true, ..
            } => Action::Built,
            Extended { summary, .. } if summary.games == 0 => Action::Complete,
            _ => Action::Extended,
        };
        Self::new(index, action, &extended.summary)
    }
}

/// A search index, and the time that it took.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Indexing {
    #[serde(flatten)]
    pub indexed: Indexed,
    /// Seconds that the command took.
    pub seconds: f64,
}

/// Generated games.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Sampled {
    /// The file that was written.
    pub output: String,
    /// Games.
    pub games: u64,
    /// Seconds that the command took.
    pub seconds: f64,
}

/// A trained model.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Model {
    /// The file of the model.
    output: String,
    /// Whether the file was written: not if the model is not better than the built-in one. The
    /// exit status is then 1.
    written: bool,
    /// Bytes of the model.
    model_bytes: u64,
    /// Games that it was trained on.
    training_games: u64,
    /// Plies of these games.
    training_plies: u64,
    /// Games that were held out and differ from those.
    held_out_games: u64,
    /// Plies of the games held out.
    held_out_plies: u64,
    /// Bits that a ply of the games held out takes with the built-in model.
    bits_before: f64,
    /// Bits that it takes with the trained model.
    bits_after: f64,
    /// Number of games from which on an archive is smaller with the model, which it holds twice;
    /// null if it never is.
    pays_from_games: Option<u64>,
    /// Games that could be used, of which `--games` took a sample.
    usable_games: u64,
    /// Games of variants in whose packing the model has no part.
    unpredicted_games: u64,
    /// Games that were left out because they have more than 1,000 plies.
    too_long_games: u64,
    /// Seconds that the command took.
    seconds: f64,
}

impl Model {
    /// The report of training a model into this file.
    pub fn new(output: &Path, trained: &Trained, start: Instant) -> Self {
        Self {
            output: name(output),
            written: trained.is_better(),
            model_bytes: trained.model().len() as u64,
            training_games: trained.games,
            training_plies: trained.plies,
            held_out_games: trained.before.games,
            held_out_plies: trained.before.plies,
            bits_before: trained.before.bits(),
            bits_after: trained.after.bits(),
            pays_from_games: trained.pays_from(),
            usable_games: trained.found,
            unpredicted_games: trained.unpredicted,
            too_long_games: trained.too_long,
            seconds: seconds(start),
        }
    }
}

/// A table.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Exported {
    /// The file that was written.
    pub output: String,
    /// What a row is.
    pub row: Row,
    /// Rows.
    pub row_count: u64,
    /// Columns.
    pub column_count: u64,
    /// Seconds that the command took.
    pub seconds: f64,
}

/// What a row of a table is.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Row {
    Game,
    Position,
}
