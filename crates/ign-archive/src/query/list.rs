//! Listing: a line a game.

use std::{collections::BTreeSet, io::Write, ops::Range, thread};

use crate::{pipeline::ordered::ordered, reader::Archive};
use ign_format::{
    block::decode::Block,
    columns::Table,
    error::{Error, Result},
};

/// The tags of a line, in order; of tags in one group the first that a game has. Two letters are
/// properties of SGF.
const FIELDS: [&[&str]; 8] = [
    &["White", "PW"],
    &["WhiteElo", "WR"],
    &["Black", "PB"],
    &["BlackElo", "BR"],
    &["Result", "RE"],
    &["UTCDate", "Date", "DT"],
    &["ECO"],
    &["Event", "EV", "GN"],
];

/// What the fields hold, for programs.
pub const NAMES: [&str; FIELDS.len()] = [
    "white",
    "white_elo",
    "black",
    "black_elo",
    "result",
    "date",
    "eco",
    "event",
];

/// Writes a line for each of these games, counted from zero: its number,
/// counted from one, and the fields, separated by tabs.
///
/// # Errors
/// Io, also of `out`; corrupt; usage when the archive has not so many games.
pub fn list(
    archive: &Archive,
    games: Range<u64>,
    out: &mut impl Write,
    threads: usize,
) -> Result<()> {
    let index = archive.index();
    if games.end > index.games() {
        return Err(Error::usage(format!(
            "there is no game {}: the archive has {}",
            games.end,
            index.games()
        ))
        .in_file(archive.path()));
    }
    let blocks = index.blocks.iter().enumerate();
    let overlaps = |first: u64, count: u64| first < games.end && first + count > games.start;
    let blocks: Vec<usize> = blocks
        .filter(|(_, b)| overlaps(b.first_game, b.games))
        .map(|(number, _)| number)
        .collect();
    thread::scope(|scope| {
        let lines = |block: usize| lines(archive, block, &games);
        for lines in ordered(
            scope,
            threads.min(blocks.len()),
            blocks.into_iter().map(Ok),
            lines,
        ) {
            out.write_all(&lines?)?;
        }
        out.flush()?;
        Ok(())
    })
}

fn lines(archive: &Archive, number: usize, games: &Range<u64>) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let write = |game: u64, fields: &[u8]| {
        write!(out, "{}\t", game + 1)?;
        out.extend_from_slice(fields);
        out.push(b'\n');
        Ok(())
    };
    each_game(archive, number, |game| games.contains(&game), write)?;
    Ok(out)
}

/// The fields of these games, which ascend, separated by tabs. Games are counted from zero.
///
/// # Errors
/// Io; corrupt.
pub fn fields(archive: &Archive, games: &[u64], threads: usize) -> Result<Vec<Vec<u8>>> {
    let blocks = archive.index().blocks.iter().enumerate();
    let of_block = |first: u64, count: u64| {
        let next = games.partition_point(|&game| game < first);
        games.get(next).is_some_and(|&game| game < first + count)
    };
    let blocks: Vec<usize> = blocks
        .filter(|(_, b)| of_block(b.first_game, b.games))
        .map(|(number, _)| number)
        .collect();
    thread::scope(|scope| {
        let read = |block: usize| {
            let mut all = Vec::new();
            let wanted = |game| games.binary_search(&game).is_ok();
            each_game(archive, block, wanted, |_, fields| {
                all.push(fields.to_vec());
                Ok(())
            })?;
            Ok(all)
        };
        let mut all = Vec::new();
        for fields in ordered(scope, threads, blocks.into_iter().map(Ok), read) {
            all.extend(fields?);
        }
        Ok(all)
    })
}

/// Shows the fields of the games of a block that are wanted, separated by tabs.
fn each_game(
    archive: &Archive,
    number: usize,
    wanted: impl Fn(u64) -> bool,
    mut visit: impl FnMut(u64, &[u8]) -> Result<()>,
) -> Result<()> {
    let mut read = || {
        let bytes = archive.block_bytes(number)?;
        let block = Block::open(&bytes)?;
        let records = block.records()?;
        let names: Vec<&str> = FIELDS.into_iter().flatten().copied().collect();
        let mut table = block.table(&records, Some(&names))?;
        let first = archive.index().blocks[number].first_game;
        let rows = (0..records.len()).filter(|&record| records.is_game(record));
        let listed: BTreeSet<usize> = (first..)
            .zip(rows.clone())
            .filter(|(game, _)| wanted(*game))
            .map(|(_, row)| row)
            .collect();
        block.fill_openings(&records, &mut table, |row| listed.contains(&row))?;
        let mut out = Vec::new();
        for (game, row) in (first..).zip(rows).filter(|(game, _)| wanted(*game)) {
            out.clear();
            for names in FIELDS {
                // A tab would be a field, an escape a command to the terminal.
                let field = field(&table, names, row).iter();
                out.extend(field.map(|&c| if c.is_ascii_control() { b' ' } else { c }));
                out.push(b'\t');
            }
            out.pop();
            visit(game, &out)?;
        }
        Ok(())
    };
    read().map_err(|e: Error| e.in_block(number as u64).in_file(archive.path()))
}

fn field<'t>(table: &'t Table, names: &[&str], row: usize) -> &'t [u8] {
    let values = names.iter().filter_map(|name| {
        table
            .tag(name.as_bytes())
            .and_then(|tag| table.value(tag, row))
    });
    values
        .into_iter()
        .find(|value| !value.is_empty())
        .unwrap_or(b"-")
}
