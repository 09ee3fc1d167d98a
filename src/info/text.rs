//! The structure of an archive as text.

use std::{collections::BTreeSet, io::Write};

use super::search_index::SearchIndex;
use crate::{
    index::to_depth,
    messages::printable,
    numbers::{counted, grouped, percent},
    output::Output,
    pack::not_understood,
    table::Table,
};
use ign_archive::{
    Archive, GameKind, Result,
    structure::{BlockStructure, OtherFrames, StreamStructure, Structure},
};

/// Writes a block, numbered from 0, with its columns.
///
/// # Errors
/// Io.
pub fn write_block(
    out: &mut Output,
    archive: &Archive,
    number: usize,
    block: &BlockStructure,
) -> Result<()> {
    let entry = &archive.blocks()[number];
    if let Some(id) = block.model {
        writeln!(
            out,
            "block {}: {} bytes, {} {id}",
            number + 1,
            grouped(entry.stored_len),
            id.name()
        )?;
        return Ok(());
    }
    let kind = match block.kind {
        GameKind::Chess => "",
        GameKind::Go => " of Go",
    };
    let games = match entry.games {
        0 => String::new(),
        games => format!(
            " ({} to {})",
            grouped(entry.first_game + 1),
            grouped(entry.first_game + games)
        ),
    };
    writeln!(
        out,
        "block {}: {} bytes, {}{kind}{games}, {}, {} plies, {} bytes of text, moves {}",
        number + 1,
        grouped(entry.stored_len),
        counted(block.games, "game"),
        counted(block.records, "record"),
        grouped(block.plies),
        grouped(entry.text_len),
        block.coding.name()
    )?;
    for column in &block.columns {
        let streams: Vec<_> = column.streams.iter().map(described).collect();
        let model = if column.uses_name_model {
            ", name model"
        } else {
            ""
        };
        writeln!(
            out,
            "  {} ({}{model}): {}",
            column.name,
            column.codec,
            streams.join(", ")
        )?;
    }
    Ok(())
}

/// How a stream is stored, and its size before and after.
fn described(stream: &StreamStructure) -> String {
    let how = match (stream.is_inline, stream.compression) {
        (true, "plain") => "in head".to_owned(),
        (true, compression) => format!("in head, {compression}"),
        (false, compression) => compression.to_owned(),
    };
    format!(
        "{how} {} -> {}",
        grouped(stream.len),
        grouped(stream.stored_len)
    )
}

/// Writes the totals: versions and options, sources, frames, columns.
///
/// # Errors
/// Io, corrupt.
pub fn write(out: &mut Output, archive: &Archive, structure: &Structure) -> Result<()> {
    let meta = archive.meta()?;
    let versions: Vec<_> = structure.versions.keys().map(u8::to_string).collect();
    writeln!(
        out,
        "{}: format version {}, packed by {}",
        printable(&archive.path().to_string_lossy()),
        versions.join(" and "),
        printable(&meta.program)
    )?;
    if structure.unread_blocks > 0 {
        writeln!(
            out,
            "{} not described: use a later version of ign",
            counted(structure.unread_blocks, "block")
        )?;
    }
    let codings: Vec<_> = structure.codings.iter().copied().collect();
    writeln!(
        out,
        "moves {}, zstd level {}, block size {}",
        if codings.is_empty() {
            printable(&meta.coding)
        } else {
            codings.join(" and ")
        },
        meta.level,
        grouped(meta.block_size)
    )?;
    write_models(out, structure)?;
    if let Some(note) = not_understood(&structure.not_understood, archive.len()) {
        writeln!(out, "{note}")?;
    }
    let sources = archive.sources().iter().zip(archive.games_of_sources());
    for ((source, games), blocks) in sources.zip(archive.blocks_of_sources()) {
        let name = printable(&source.title());
        let kind = if source.is_part {
            "part of source"
        } else {
            "source"
        };
        let games = match games.end - games.start {
            0 => "no games".to_owned(),
            1 => format!("game {}", grouped(games.start)),
            _ => format!(
                "games {} to {}",
                grouped(games.start),
                grouped(games.end - 1)
            ),
        };
        write!(
            out,
            "{kind} {name}: {games}, {} bytes of text, {}",
            grouped(source.text_len),
            counted(blocks, "block")
        )?;
        match source.text_checksum {
            Some(checksum) => writeln!(out, ", XXH64 {checksum:016x}")?,
            None => writeln!(out)?,
        }
        if let Some(sha256) = source.sha256 {
            writeln!(out, "  SHA-256 of the file {sha256}")?;
        }
    }
    writeln!(
        out,
        "games {}, plies {}, text {} bytes",
        grouped(archive.len()),
        grouped(archive.plies()),
        grouped(archive.text_len())
    )?;
    if let Some(index) = SearchIndex::beside(archive)? {
        let state = match &index.rejected {
            Some(error) => format!(", not used: {}", error.message()),
            None => {
                let segments = counted(index.segments as u64, "segment");
                let depth = to_depth(index.depth);
                format!(", {} in {segments}{depth}", counted(index.games, "game"))
            }
        };
        writeln!(
            out,
            "search index {}: {} bytes{state}",
            printable(&index.path.to_string_lossy()),
            grouped(index.len)
        )?;
    }
    let other = archive.other_frames()?;
    write_parity(out, archive, &other)?;
    let frames = frames(archive, structure, &other);
    write!(out, "\n{frames}\n{}", columns(structure))?;
    Ok(())
}

/// Writes a line for each model that the archive needs or holds: whether it is built in, embedded,
/// or missing.
fn write_models(out: &mut Output, structure: &Structure) -> Result<()> {
    let held = structure.models.keys();
    let all: BTreeSet<_> = held.chain(&structure.needed_models).collect();
    for id in all {
        write!(out, "{} {id}: ", id.name())?;
        let Some(held) = structure.models.get(id) else {
            let state = if id.is_builtin() {
                "built in"
            } else {
                "missing: what it codes cannot be read"
            };
            writeln!(out, "{state}")?;
            continue;
        };
        let blocks = held.blocks.iter();
        let numbers: Vec<_> = blocks.map(|&block| grouped(block as u64 + 1)).collect();
        writeln!(
            out,
            "{}embedded in {} {}, {} bytes",
            if id.is_builtin() {
                "built in, and "
            } else {
                ""
            },
            if numbers.len() == 1 {
                "block"
            } else {
                "blocks"
            },
            numbers.join(" and "),
            grouped(held.stored_len)
        )?;
    }
    Ok(())
}

/// Writes a line for each parity set, and how much of the archive they protect.
fn write_parity(out: &mut Output, archive: &Archive, other: &OtherFrames) -> Result<()> {
    for set in other.parity_sets() {
        writeln!(
            out,
            "parity of bytes {} to {}: any {} of {} of {} bytes can be repaired ({})",
            grouped(set.protected.start),
            grouped(set.protected.end),
            grouped(set.recovery_shards.into()),
            counted(set.data_shards.into(), "shard"),
            grouped(set.shard_len),
            percent(set.recovery_shards.into(), set.data_shards.into())
        )?;
    }
    // A later set need not protect the sets before it.
    let places = other.parity_sets().map(|set| set.bytes);
    let inner = places.filter(|bytes| bytes.start < archive.file_len());
    let parity: u64 = inner.map(|bytes| bytes.end - bytes.start).sum();
    let open = archive
        .file_len()
        .saturating_sub(other.protected_len() + parity);
    if other.parity_sets().len() > 0 && open > 0 {
        writeln!(
            out,
            "not protected are {} bytes, {} of the archive: games were appended after the parity (ign parity adds \
             more)",
            grouped(open),
            percent(open, archive.file_len())
        )?;
    }
    Ok(())
}

fn frames(archive: &Archive, structure: &Structure, other: &OtherFrames) -> Table {
    let blocks = archive.blocks().len() as u64;
    let column_frames = structure.column_frames();
    let columns_len = archive.blocks_len() - structure.heads_len;
    let mut table = Table::new(&["frames", "count", "bytes", "share"]);
    for (name, count, bytes) in [
        ("header", 1, structure.header_len),
        ("meta", 1, structure.meta_len),
        ("block heads", blocks, structure.heads_len),
        ("columns", column_frames, columns_len),
        ("index", 1, structure.block_table_len),
        ("footer", 1, structure.footer_len),
        ("superseded", other.superseded, other.superseded_len),
        ("parity", other.parity_frames, other.parity_len),
        // The header, the metadata, the index and the footer are one frame each.
        (
            "all",
            4 + blocks + column_frames + other.superseded + other.parity_frames,
            archive.end(),
        ),
    ] {
        if ["superseded", "parity"].contains(&name) && count == 0 {
            continue;
        }
        let share = 100.0 * bytes as f64 / archive.end() as f64;
        table.row([
            &name,
            &grouped(count),
            &grouped(bytes),
            &format_args!("{share:.2}%"),
        ]);
    }
    table
}

fn columns(structure: &Structure) -> Table {
    let mut table = Table::new(&["column", "codec", "blocks", "bytes", "packed"]).left(1);
    for (name, total) in &structure.columns {
        table.row([
            name,
            &total.codec,
            &grouped(total.blocks),
            &grouped(total.len),
            &grouped(total.stored_len),
        ]);
    }
    table
}
