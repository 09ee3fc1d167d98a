//! `ign info`

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    path::PathBuf,
    process::ExitCode,
};

use serde_json::json;

use super::{counted, grouped, output::Output};
use ign_archive::reader::Archive;
use ign_format::{
    block::{Kind, decode::Block},
    columns::{Codec, dictionary},
    container::{
        VERSION, footer, header,
        stream::{Compression, Stream},
    },
    error::Result,
};

/// Show what an archive is made of: frames, blocks, columns, versions
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Archive to look at
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    /// Show each block with its columns
    #[arg(short, long)]
    verbose: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "verbose")]
    json: bool,
}

/// Bytes of a column in all blocks.
#[derive(Default)]
struct ColumnTotal {
    codec: &'static str,
    blocks: u64,
    len: u64,
    stored_len: u64,
    frames: u64,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let archive = Archive::open(&args.archive)?;
    let mut totals: BTreeMap<String, ColumnTotal> = BTreeMap::new();
    let mut out = Output::stdout();
    let mut heads = 0;
    let mut codings = BTreeSet::new();
    for number in 0..archive.index().blocks.len() {
        let bytes = archive.block_bytes(number)?;
        let block =
            Block::open(&bytes).map_err(|e| e.in_block(number as u64).in_file(&args.archive))?;
        let entry = &archive.index().blocks[number];
        heads += entry.head_len;
        codings.insert(block.coding().name());
        if args.verbose {
            let head = block.head();
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
                "block {}: {} bytes, {}{}{}, {}, {} plies, {} bytes of text, moves {}",
                number + 1,
                grouped(bytes.len() as u64),
                counted(head.games as u64, "game"),
                match block.kind() {
                    Kind::Chess => "",
                    Kind::Go => " of Go",
                },
                games,
                counted(head.records as u64, "record"),
                grouped(head.plies),
                grouped(head.text_len as u64),
                block.coding().name()
            )?;
        }
        for column in &block.head().columns {
            let name = block.column_name(column);
            let total = totals.entry(name.clone()).or_default();
            let codec = Codec::from_number(column.codec);
            let may_spell = codec.as_ref().is_ok_and(|codec| codec.may_use_name_model());
            total.codec = codec.map_or("fixed", Codec::name);
            total.blocks += 1;
            for stream in &column.streams {
                total.len += stream.stream_len() as u64;
                total.stored_len += stream.stored_len() as u64;
                total.frames += u64::from(matches!(stream, Stream::Framed(_)));
            }
            if args.verbose {
                let streams = column.streams.iter().map(|s| {
                    let how = match s {
                        Stream::Inline(_) => "here",
                        Stream::InlineMixed { .. } => "here mixed",
                        Stream::Framed(frame) => match frame.compression {
                            Compression::None => "plain",
                            Compression::Zstd => "zstd",
                            Compression::Mixed => "mixed",
                        },
                    };
                    format!(
                        "{how} {} -> {}",
                        grouped(s.stream_len() as u64),
                        grouped(s.stored_len() as u64)
                    )
                });
                let is_spelled = may_spell && column.flags & dictionary::NAME_MODEL != 0;
                writeln!(
                    out,
                    "  {name} ({}{}): {}",
                    total.codec,
                    if is_spelled { ", spelled" } else { "" },
                    streams.collect::<Vec<_>>().join(", ")
                )?;
            }
        }
    }
    let write = if args.json { write_json } else { write_text };
    write(&mut out, &archive, &totals, &codings, heads)?;
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn write_text(
    out: &mut Output,
    archive: &Archive,
    totals: &BTreeMap<String, ColumnTotal>,
    codings: &BTreeSet<&str>,
    heads: u64,
) -> Result<()> {
    let (index, footer, meta) = (archive.index(), archive.footer(), archive.meta()?);
    writeln!(
        out,
        "{}: format version {VERSION}, packed by {}",
        archive.path().display(),
        meta.program
    )?;
    writeln!(
        out,
        "moves {}, zstd level {}, block size {}",
        if codings.is_empty() {
            meta.coding.clone()
        } else {
            codings.iter().copied().collect::<Vec<_>>().join(" and ")
        },
        meta.level,
        grouped(meta.block_size)
    )?;
    for source in &index.sources {
        let name = String::from_utf8_lossy(&source.name);
        let name = if name.is_empty() {
            "standard input"
        } else {
            &name
        };
        writeln!(
            out,
            "source {name}: {} bytes of text, {}, XXH64 {:016x}",
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
    writeln!(
        out,
        "\n{:12} {:>8} {:>14} {:>8}",
        "frames", "count", "bytes", "share"
    )?;
    let mut row = |name: &str, count: u64, bytes: u64| {
        let share = 100.0 * bytes as f64 / archive.len() as f64;
        writeln!(
            out,
            "{name:12} {:>8} {:>14} {share:>7.2}%",
            grouped(count),
            grouped(bytes)
        )
    };
    row("header", 1, header::LEN as u64)?;
    row("meta", 1, meta.write()?.len() as u64)?;
    row("block heads", index.blocks.len() as u64, heads)?;
    let columns = index.blocks.iter().map(|b| b.stored_len).sum::<u64>() - heads;
    row("columns", column_frames(totals), columns)?;
    row("index", 1, footer.index_len)?;
    row("footer", 1, footer::LEN as u64)?;
    row("all", frame_count(archive, totals), archive.len())?;
    writeln!(
        out,
        "\n{:52} {:8} {:>6} {:>14} {:>14}",
        "column", "codec", "blocks", "bytes", "packed"
    )?;
    for (name, total) in totals {
        let (len, stored) = (grouped(total.len), grouped(total.stored_len));
        writeln!(
            out,
            "{name:52} {:8} {:>6} {len:>14} {stored:>14}",
            total.codec, total.blocks
        )?;
    }
    Ok(())
}

fn write_json(
    out: &mut Output,
    archive: &Archive,
    totals: &BTreeMap<String, ColumnTotal>,
    codings: &BTreeSet<&str>,
    heads: u64,
) -> Result<()> {
    let (index, footer, meta) = (archive.index(), archive.footer(), archive.meta()?);
    let columns = totals.iter().map(|(name, total)| {
        let value = json!({"codec": total.codec, "blocks": total.blocks, "bytes": total.len, "packed_bytes": total.stored_len});
        (name.clone(), value)
    });
    let sources = index.sources.iter().map(|source| {
        json!({
            "name": String::from_utf8_lossy(&source.name),
            "text_bytes": source.text_len,
            "xxh64": format!("{:016x}", source.text_checksum),
            "blocks": source.blocks,
        })
    });
    let value = json!({
        "format_version": VERSION,
        "program": meta.program,
        "coding": meta.coding,
        "codings": codings,
        "level": meta.level,
        "block_size": meta.block_size,
        "archive_bytes": archive.len(),
        "text_bytes": footer.text_len,
        "games": footer.games,
        "plies": footer.plies,
        "blocks": index.blocks.len(),
        "block_head_bytes": heads,
        "signature_bytes": totals.get("signatures").map_or(0, |total| total.stored_len),
        "index_bytes": footer.index_len,
        "sources": sources.collect::<Vec<_>>(),
        "columns": columns.collect::<serde_json::Map<_, _>>(),
    });
    writeln!(out, "{value:#}")?;
    Ok(())
}

/// All zstd and skippable frames of the file.
fn frame_count(archive: &Archive, totals: &BTreeMap<String, ColumnTotal>) -> u64 {
    let index = archive.index();
    4 + index.blocks.len() as u64 + column_frames(totals)
}

fn column_frames(totals: &BTreeMap<String, ColumnTotal>) -> u64 {
    totals.values().map(|total| total.frames).sum()
}
