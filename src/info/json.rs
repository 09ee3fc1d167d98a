//! The structure of an archive as JSON.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::search_index::SearchIndex;
use ign_archive::{Archive, Result, structure::Structure};

/// Everything about an archive except its single blocks.
///
/// # Errors
/// Io, corrupt.
pub fn value(archive: &Archive, structure: &Structure) -> Result<Value> {
    let meta = archive.meta()?;
    let columns = structure.columns.iter().map(|(name, total)| {
        let value = json!({
            "codec": total.codec,
            "blocks": total.blocks,
            "bytes": total.len,
            "packed_bytes": total.stored_len,
        });
        (name.clone(), value)
    });
    let other = archive.other_frames()?;
    let sources = archive
        .sources()
        .iter()
        .zip(archive.games_of_sources())
        .map(|(source, games)| {
            json!({
                "name": String::from_utf8_lossy(&source.name),
                "text_bytes": source.text_len,
                "is_part": source.is_part,
                "xxh64": format!("{:016x}", source.text_checksum),
                "blocks": source.blocks,
                "games": games.end - games.start,
                "first_game": (!games.is_empty()).then_some(games.start),
                "last_game": (!games.is_empty()).then_some(games.end - 1),
            })
        });
    let parity_sets = other.parity_sets.iter().map(|set| {
        json!({
            "protected_bytes": set.end - set.start,
            "protected_from": set.start,
            "data_shards": set.data,
            "recovery_shards": set.recovery,
            "shard_bytes": set.shard_len,
            "bytes": set.file_end() - set.at,
        })
    });
    let search_index = SearchIndex::beside(archive)?.map(|index| {
        json!({
            "bytes": index.len,
            "games": index.games,
            "segments": index.segments,
            "rejected": index.rejected.map(|error| error.message().to_owned()),
        })
    });
    let signatures = structure.columns.get("signatures");
    Ok(json!({
        "archive": archive.path().to_string_lossy(),
        "format_version": structure.version,
        "program": meta.program,
        "coding": meta.coding,
        "codings": structure.codings,
        "level": meta.level,
        "block_size": meta.block_size,
        "archive_bytes": archive.file_len(),
        "superseded_bytes": other.superseded_len,
        "parity_bytes": other.parity_len,
        "protected_bytes": other.protected_len(),
        "parity": parity_sets.collect::<Vec<_>>(),
        "trailing_bytes": archive.trailing_len(),
        "text_bytes": archive.text_len(),
        "games": archive.len(),
        "plies": archive.plies(),
        "not_understood": structure.not_understood.fields().collect::<BTreeMap<_, _>>(),
        "blocks": archive.blocks().len(),
        "block_head_bytes": structure.heads_len,
        "signature_bytes": signatures.map_or(0, |total| total.stored_len),
        "index_bytes": structure.block_table_len,
        "search_index": search_index,
        "sources": sources.collect::<Vec<_>>(),
        "columns": columns.collect::<Map<_, _>>(),
    }))
}
