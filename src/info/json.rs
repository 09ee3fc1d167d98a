//! The structure of an archive as JSON.

use serde_json::{Map, Value, json};

use super::{
    search_index::SearchIndex,
    totals::{Totals, games_of_sources},
};
use ign_archive::Archive;
use ign_archive::format::{container::VERSION, error::Result};

/// Everything about an archive except its single blocks.
///
/// # Errors
/// Io, corrupt.
pub fn value(archive: &Archive, totals: &Totals) -> Result<Value> {
    let (index, footer, meta) = (archive.index(), archive.footer(), archive.meta()?);
    let columns = totals.columns.iter().map(|(name, total)| {
        let value = json!({
            "codec": total.codec,
            "blocks": total.blocks,
            "bytes": total.len,
            "packed_bytes": total.stored_len,
        });
        (name.clone(), value)
    });
    let other = archive.other_frames()?;
    let sources = index
        .sources
        .iter()
        .zip(games_of_sources(index))
        .map(|(source, games)| {
            json!({
                "name": String::from_utf8_lossy(&source.name),
                "text_bytes": source.text_len,
                "is_part": source.is_part,
                "xxh64": format!("{:016x}", source.text_checksum),
                "blocks": source.blocks,
                "games": games.end - games.start,
                "first_game": (!games.is_empty()).then_some(games.start + 1),
                "last_game": (!games.is_empty()).then_some(games.end),
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
    let signatures = totals.columns.get("signatures");
    Ok(json!({
        "format_version": VERSION,
        "program": meta.program,
        "coding": meta.coding,
        "codings": totals.codings,
        "level": meta.level,
        "block_size": meta.block_size,
        "archive_bytes": archive.file_len(),
        "superseded_bytes": other.superseded_len,
        "parity_bytes": other.parity_len,
        "protected_bytes": other.protected_len(),
        "parity": parity_sets.collect::<Vec<_>>(),
        "trailing_bytes": archive.trailing_len(),
        "text_bytes": footer.text_len,
        "games": footer.games,
        "plies": footer.plies,
        "blocks": index.blocks.len(),
        "block_head_bytes": totals.head_len,
        "signature_bytes": signatures.map_or(0, |total| total.stored_len),
        "index_bytes": footer.index_len,
        "search_index": search_index,
        "sources": sources.collect::<Vec<_>>(),
        "columns": columns.collect::<Map<_, _>>(),
    }))
}
