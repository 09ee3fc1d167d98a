//! The structure of an archive as JSON.

use serde_json::{Map, Value, json};

use super::{search_index::SearchIndex, totals::Totals};
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
    let sources = index.sources.iter().map(|source| {
        json!({
            "name": String::from_utf8_lossy(&source.name),
            "text_bytes": source.text_len,
            "is_part": source.is_part,
            "xxh64": format!("{:016x}", source.text_checksum),
            "blocks": source.blocks,
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
        "superseded_bytes": archive.superseded()?.1,
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
