//! The structure of an archive as text.

use std::io::Write;

use super::{
    search_index::SearchIndex,
    totals::{Totals, codec_name, games_of_sources},
};
use crate::{
    numbers::{counted, grouped, percent},
    output::Output,
    table::Table,
};
use ign_archive::format::{
    block::{Kind, decode::Block},
    columns::{Codec, dictionary},
    container::{
        VERSION,
        block_head::Column,
        footer, header,
        index::BlockEntry,
        stream::{Compression, Stream},
    },
    error::Result,
};
use ign_archive::{Archive, OtherFrames};

/// Writes a block with its columns. `number` is zero-based, `len` is the size of the block in the
/// archive.
///
/// # Errors
/// Io.
pub fn write_block(
    out: &mut Output,
    number: usize,
    entry: &BlockEntry,
    block: &Block,
    len: usize,
) -> Result<()> {
    let head = block.head();
    let kind = match block.kind() {
        Kind::Chess => "",
        Kind::Go => " of Go",
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
        grouped(len as u64),
        counted(head.games as u64, "game"),
        counted(head.records as u64, "record"),
        grouped(head.plies),
        grouped(head.text_len as u64),
        block.coding().name()
    )?;
    for column in &head.columns {
        let streams: Vec<_> = column.streams.iter().map(described).collect();
        writeln!(
            out,
            "  {} ({}{}): {}",
            block.column_name(column),
            codec_name(column.codec),
            if uses_name_model(column) {
                ", name model"
            } else {
                ""
            },
            streams.join(", ")
        )?;
    }
    Ok(())
}

/// Whether the characters of the names are coded by the name model.
fn uses_name_model(column: &Column) -> bool {
    let codec = Codec::from_number(column.codec);
    codec.is_ok_and(|codec| codec.may_use_name_model())
        && column.flags & dictionary::NAME_MODEL != 0
}

/// How a stream is stored, and its size before and after.
fn described(stream: &Stream) -> String {
    let how = match stream {
        Stream::Inline(_) => "in head",
        Stream::InlineMixed { .. } => "in head, mixed",
        Stream::Framed(frame) => match frame.compression {
            Compression::None => "plain",
            Compression::Zstd => "zstd",
            Compression::Mixed => "mixed",
        },
    };
    format!(
        "{how} {} -> {}",
        grouped(stream.stream_len() as u64),
        grouped(stream.stored_len() as u64)
    )
}

/// Writes the totals: versions and options, sources, frames, columns.
///
/// # Errors
/// Io, corrupt.
pub fn write(out: &mut Output, archive: &Archive, totals: &Totals) -> Result<()> {
    let (index, footer, meta) = (archive.index(), archive.footer(), archive.meta()?);
    writeln!(
        out,
        "{}: format version {VERSION}, packed by {}",
        archive.path().display(),
        meta.program
    )?;
    let codings: Vec<_> = totals.codings.iter().copied().collect();
    writeln!(
        out,
        "moves {}, zstd level {}, block size {}",
        if codings.is_empty() {
            meta.coding
        } else {
            codings.join(" and ")
        },
        meta.level,
        grouped(meta.block_size)
    )?;
    for (source, games) in index.sources.iter().zip(games_of_sources(index)) {
        let name = source.title();
        let (kind, of) = if source.is_part {
            ("part of source", " of checksums")
        } else {
            ("source", "")
        };
        let games = match games.end - games.start {
            0 => "no games".to_owned(),
            1 => format!("game {}", grouped(games.end)),
            _ => format!(
                "games {} to {}",
                grouped(games.start + 1),
                grouped(games.end)
            ),
        };
        writeln!(
            out,
            "{kind} {name}: {games}, {} bytes of text, {}, XXH64{of} {:016x}",
            grouped(source.text_len),
            counted(source.blocks, "block"),
            source.text_checksum
        )?;
    }
    writeln!(
        out,
        "games {}, plies {}, text {} bytes",
        grouped(footer.games),
        grouped(footer.plies),
        grouped(footer.text_len)
    )?;
    if let Some(index) = SearchIndex::beside(archive)? {
        let state = match &index.rejected {
            Some(error) => format!(", not used: {}", error.message()),
            None => {
                let segments = counted(index.segments as u64, "segment");
                format!(", {} in {segments}", counted(index.games, "game"))
            }
        };
        writeln!(
            out,
            "search index {}: {} bytes{state}",
            index.path.display(),
            grouped(index.len)
        )?;
    }
    let other = archive.other_frames()?;
    write_parity(out, archive, &other)?;
    let frames = frames(archive, totals, &other)?;
    write!(out, "\n{frames}\n{}", columns(totals))?;
    Ok(())
}

/// Writes a line for each parity set, and how much of the archive they protect.
fn write_parity(out: &mut Output, archive: &Archive, other: &OtherFrames) -> Result<()> {
    for set in &other.parity_sets {
        writeln!(
            out,
            "parity of bytes {} to {}: any {} of {} of {} bytes can be repaired ({})",
            grouped(set.start),
            grouped(set.end),
            grouped(set.recovery.into()),
            counted(set.data.into(), "shard"),
            grouped(set.shard_len),
            percent(set.recovery.into(), set.data.into())
        )?;
    }
    // A later set need not protect the sets before it.
    let sets = other.parity_sets.iter();
    let inner = sets.filter(|set| set.at < archive.file_len());
    let parity: u64 = inner.map(|set| set.file_end() - set.at).sum();
    let open = archive
        .file_len()
        .saturating_sub(other.protected_len() + parity);
    if !other.parity_sets.is_empty() && open > 0 {
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

fn frames(archive: &Archive, totals: &Totals, other: &OtherFrames) -> Result<Table> {
    let (index, footer) = (archive.index(), archive.footer());
    let meta_len = archive.meta()?.write()?.len() as u64;
    let blocks = index.blocks.len() as u64;
    let block_len = index.stored_len();
    let column_frames = totals.column_frames();
    let mut table = Table::new(&["frames", "count", "bytes", "share"]);
    for (name, count, bytes) in [
        ("header", 1, header::LEN as u64),
        ("meta", 1, meta_len),
        ("block heads", blocks, totals.head_len),
        ("columns", column_frames, block_len - totals.head_len),
        ("index", 1, footer.index_len),
        ("footer", 1, footer::LEN as u64),
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
    Ok(table)
}

fn columns(totals: &Totals) -> Table {
    let mut table = Table::new(&["column", "codec", "blocks", "bytes", "packed"]).left(1);
    for (name, total) in &totals.columns {
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
