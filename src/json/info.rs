//! The structure of an archive.

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZeroU32,
};

use serde::Serialize;

use super::{NotUnderstood, name, not_understood};
use crate::info::SearchIndex;
use ign_archive::{Archive, Result, structure};

/// An archive, without its single blocks.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Info {
    /// The archive.
    archive: String,
    /// The highest version of the format that a block needs.
    format_version: u8,
    /// Blocks that need a later version than this program reads; their columns and games that are
    /// not understood are not counted.
    unread_blocks: u64,
    /// The program that packed the archive.
    program: String,
    /// The requested coding of the moves; `mixed` if archives with several codings were
    /// merged.
    coding: String,
    /// The codings that the blocks have.
    codings: BTreeSet<&'static str>,
    /// The zstd level.
    level: i32,
    /// Bytes of text for each block.
    block_size: u64,
    /// Bytes of the archive up to the end of its footer, without the parity after it.
    archive_bytes: u64,
    /// Bytes of earlier indexes and footers, which appends left behind.
    superseded_bytes: u64,
    /// Bytes of the parity.
    parity_bytes: u64,
    /// Bytes that the parity protects.
    protected_bytes: u64,
    /// The parity sets.
    parity_sets: Vec<ParitySet>,
    /// Bytes after the archive that do not belong to it.
    trailing_bytes: u64,
    /// Bytes of the text.
    text_bytes: u64,
    /// Games.
    games: u64,
    /// Plies that are coded as moves.
    plies: u64,
    /// Games that are not, or only partly, understood: their number as `games`, then that for each
    /// reason.
    not_understood: NotUnderstood,
    /// Blocks.
    blocks: u64,
    /// Bytes of the heads of the blocks.
    block_head_bytes: u64,
    /// Bytes of the signatures.
    signature_bytes: u64,
    /// Bytes of the table of the blocks.
    block_table_bytes: u64,
    /// The search index beside the archive; null if there is none.
    search_index: Option<IndexBeside>,
    /// The models that the archive holds.
    models: Vec<HeldModel>,
    /// The packed files.
    sources: Vec<Source>,
    /// The columns, by their names.
    columns: BTreeMap<String, Column>,
}

/// A parity set.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ParitySet {
    /// Bytes of the set.
    parity_bytes: u64,
    /// Bytes that the set protects.
    protected_bytes: u64,
    /// The place of the first of them in the file, from 0.
    protected_from: u64,
    /// Shards of the protected bytes.
    data_shards: u32,
    /// Recovery shards: as many damaged shards can be repaired.
    recovery_shards: u32,
    /// Bytes of a shard.
    shard_bytes: u64,
}

/// A search index.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct IndexBeside {
    /// The index.
    index: String,
    /// Bytes of the index.
    index_bytes: u64,
    /// Games that the index covers; 0 if it is not used.
    games: u64,
    /// Segments of the index; 0 if it is not used.
    segments: u64,
    /// Plies within which the positions of the index occur; null for all positions.
    plies: Option<u32>,
    /// Why searches do not use it; null if they do.
    rejected: Option<String>,
}

/// A model that the archive holds.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct HeldModel {
    /// What it is, such as `move model`.
    model: &'static str,
    /// The number of its architecture.
    architecture: u8,
    /// Its hash in hexadecimal.
    hash: String,
    /// Whether it is part of this program.
    is_built_in: bool,
    /// The numbers of the blocks that hold it, from 1.
    block_numbers: Vec<u64>,
    /// Bytes of these blocks.
    bytes: u64,
}

/// A packed file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Source {
    /// The packed file; empty if it was standard input.
    file: String,
    /// Bytes of the text.
    text_bytes: u64,
    /// Whether it is a part of a file: the archive was split, or recovered without some blocks.
    is_part: bool,
    /// XXH64 of the text in hexadecimal; null for parts and for files that share a block, whose
    /// blocks have it.
    xxh64: Option<String>,
    /// SHA-256 of the file as it was packed, so of the compressed bytes if it was compressed, in
    /// hexadecimal; null if none was stated then.
    sha256: Option<String>,
    /// Blocks that have text of it; several files may share one.
    blocks: u64,
    /// Games.
    games: u64,
    /// The number of the first game, from 1; null without games.
    first_game: Option<u64>,
    /// The number of the last game; null without games.
    last_game: Option<u64>,
}

/// A column of all blocks.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Column {
    /// The encoding.
    codec: &'static str,
    /// Blocks that have the column.
    blocks: u64,
    /// Bytes before compression.
    bytes: u64,
    /// Bytes in the file.
    packed_bytes: u64,
}

impl Info {
    /// The structure of an archive.
    ///
    /// # Errors
    /// Io, corrupt.
    pub fn new(archive: &Archive, structure: &structure::Structure) -> Result<Self> {
        let meta = archive.meta()?;
        let columns = structure.columns.iter().map(|(name, total)| {
            let column = Column {
                codec: total.codec,
                blocks: total.blocks,
                bytes: total.len,
                packed_bytes: total.stored_len,
            };
            (name.clone(), column)
        });
        let other = archive.other_frames()?;
        let sources = archive
            .sources()
            .iter()
            .zip(archive.games_of_sources())
            .zip(archive.blocks_of_sources())
            .map(|((source, games), blocks)| Source {
                file: String::from_utf8_lossy(&source.name).into_owned(),
                text_bytes: source.text_len,
                is_part: source.is_part,
                xxh64: source.text_checksum.map(|sum| format!("{sum:016x}")),
                sha256: source.sha256.map(|sha256| sha256.to_string()),
                blocks,
                games: games.end - games.start,
                first_game: (!games.is_empty()).then_some(games.start),
                last_game: (!games.is_empty()).then_some(games.end - 1),
            });
        let parity = other.parity_sets().map(|set| ParitySet {
            parity_bytes: set.bytes.end - set.bytes.start,
            protected_bytes: set.protected.end - set.protected.start,
            protected_from: set.protected.start,
            data_shards: set.data_shards,
            recovery_shards: set.recovery_shards,
            shard_bytes: set.shard_len,
        });
        let search_index = SearchIndex::beside(archive)?.map(|index| IndexBeside {
            index: name(&index.path),
            index_bytes: index.len,
            games: index.games,
            segments: index.segments as u64,
            plies: index.depth.map(NonZeroU32::get),
            rejected: index.rejected.map(|error| error.message().to_owned()),
        });
        let models = structure.models.iter().map(|(id, held)| HeldModel {
            model: id.name(),
            architecture: id.architecture,
            hash: id.hash_text(),
            is_built_in: id.is_builtin(),
            block_numbers: held.blocks.iter().map(|&block| block as u64 + 1).collect(),
            bytes: held.stored_len,
        });
        let signatures = structure.columns.get("signatures");
        Ok(Self {
            archive: name(archive.path()),
            format_version: structure.versions.keys().max().copied().unwrap_or_default(),
            unread_blocks: structure.unread_blocks,
            program: meta.program,
            coding: meta.coding,
            codings: structure.codings.clone(),
            level: meta.level,
            block_size: meta.block_size,
            archive_bytes: archive.file_len(),
            superseded_bytes: other.superseded_len,
            parity_bytes: other.parity_len,
            protected_bytes: other.protected_len(),
            parity_sets: parity.collect(),
            trailing_bytes: archive.trailing_len(),
            text_bytes: archive.text_len(),
            games: archive.len(),
            plies: archive.plies(),
            not_understood: not_understood(&structure.not_understood),
            blocks: archive.blocks().len() as u64,
            block_head_bytes: structure.heads_len,
            signature_bytes: signatures.map_or(0, |total| total.stored_len),
            block_table_bytes: structure.block_table_len,
            search_index,
            models: models.collect(),
            sources: sources.collect(),
            columns: columns.collect(),
        })
    }
}
