//! Listing: a line a game.

use std::{io::Write, ops::Range, thread};

use crate::{
    archive::{decode::Block, reader::Archive},
    columns::Table,
    error::{Error, Result},
    pipeline::ordered::ordered,
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
    let read = || {
        let bytes = archive.block_bytes(number)?;
        let block = Block::open(&bytes)?;
        let records = block.records()?;
        let wanted: Vec<&str> = FIELDS.into_iter().flatten().copied().collect();
        let table = block.table(&records, Some(&wanted))?;
        let first = archive.index().blocks[number].first_game;
        let rows = (0..records.len()).filter(|&record| records.is_game(record));
        let mut out = Vec::new();
        for (game, row) in (first..).zip(rows).filter(|(game, _)| games.contains(game)) {
            write!(out, "{}", game + 1)?;
            for names in FIELDS {
                out.push(b'\t');
                // A tab would be a field, an escape a command to the terminal.
                out.extend(
                    field(&table, names, row)
                        .iter()
                        .map(|&c| if c.is_ascii_control() { b' ' } else { c }),
                );
            }
            out.push(b'\n');
        }
        Ok(out)
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
