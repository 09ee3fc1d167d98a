//! A line per game: players, ratings, result, date, opening, event, packed file.

use std::{
    collections::BTreeSet,
    io::Write,
    ops::{Bound, RangeBounds},
    thread,
};

use crate::{archive::Archive, ordered::ordered, text::unescape, threads::each_block};
use ign_format::{block::decode::Block, columns::Table, error::Result, game_number::GameNumber};

/// The tags of a line, in order. Of the tags of one group, the first that a game has is listed.
/// Names of two letters are properties of SGF.
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

impl Archive {
    /// The names of the fields that [`list_fields`](Self::list_fields) returns, in order. A line of
    /// [`list`](Self::list) has the name of the packed file after them.
    pub const LIST_FIELDS: &'static [&'static str] = &[
        "white",
        "white_elo",
        "black",
        "black_elo",
        "result",
        "date",
        "eco",
        "event",
    ];

    /// Writes a line for each game of a range, numbered from 1: its number, the
    /// [fields](Self::LIST_FIELDS) and the name of the packed file, separated by tabs. A missing field is
    /// `-`, and so is the name of standard input; control characters become spaces.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if a game does not exist;
    /// [`Io`](crate::ErrorKind::Io), also of `out`; [`Corrupt`](crate::ErrorKind::Corrupt).
    pub fn list(&self, games: impl RangeBounds<u64>, out: impl Write) -> Result<()> {
        self.list_as("", games, out)
    }

    /// [`list`](Self::list), with a prefix before each number.
    pub(crate) fn list_as(
        &self,
        prefix: &str,
        games: impl RangeBounds<u64>,
        out: impl Write,
    ) -> Result<()> {
        let ends = (games.start_bound(), games.end_bound());
        if matches!(ends, (Bound::Included(first), Bound::Included(last)) if first > last) {
            return Ok(());
        }
        for end in <[_; 2]>::from(ends) {
            if let Bound::Included(&game) = end {
                self.check_exists(game)?;
            }
        }
        let games = self.clamp(games);
        let blocks = self.blocks_of(&games);
        self.write_lines(prefix, blocks, |game| games.contains(&game), out)
    }

    /// Writes the lines of [`list`](Self::list) of some games, in ascending order.
    ///
    /// # Errors
    /// As [`list`](Self::list).
    pub fn list_games(&self, games: &[GameNumber], out: impl Write) -> Result<()> {
        self.list_games_as("", games, out)
    }

    /// [`list_games`](Self::list_games), with a prefix before each number.
    pub(crate) fn list_games_as(
        &self,
        prefix: &str,
        games: &[GameNumber],
        out: impl Write,
    ) -> Result<()> {
        for &game in games.first().into_iter().chain(games.last()) {
            self.check_exists(game.get())?;
        }
        let wanted = |game: u64| games.binary_search(&GameNumber::from_index(game)).is_ok();
        self.write_lines(prefix, self.blocks_with(games), wanted, out)
    }

    /// Writes the lines of the games of these blocks that are wanted, counted from 0.
    fn write_lines(
        &self,
        prefix: &str,
        blocks: Vec<usize>,
        wanted: impl Fn(u64) -> bool + Sync,
        mut out: impl Write,
    ) -> Result<()> {
        let prefix = prefix.replace(|c: char| c.is_control(), " ");
        let lines = |block: usize| {
            let mut out = Vec::new();
            let mut file = Vec::new();
            let mut write = |game: u64, fields: &[u8]| {
                file.clear();
                let source = self.source_of_game(GameNumber::from_index(game));
                push_field(named(&source.name), &mut file);
                write!(out, "{prefix}{}\t", game + 1)?;
                out.extend_from_slice(fields);
                out.push(b'\t');
                out.extend_from_slice(&file);
                out.push(b'\n');
                Ok(())
            };
            each_game(self, block, &wanted, &mut write)?;
            Ok(out)
        };
        self.will_read(&blocks);
        thread::scope(|scope| {
            let threads = self.threads().min(blocks.len());
            for lines in ordered(scope, threads, blocks.into_iter().map(Ok), lines) {
                out.write_all(&lines?)?;
            }
            out.flush()?;
            Ok(())
        })
    }

    /// The [fields](Self::LIST_FIELDS) of games in ascending order, separated by tabs.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt).
    pub fn list_fields(&self, games: &[GameNumber]) -> Result<Vec<Vec<u8>>> {
        let fields = |block: usize| {
            let mut all = Vec::new();
            let wanted = |game| games.binary_search(&GameNumber::from_index(game)).is_ok();
            each_game(self, block, &wanted, &mut |_, fields| {
                all.push(fields.to_vec());
                Ok(())
            })?;
            Ok(all)
        };
        Ok(each_block(self, self.blocks_with(games), fields)?.concat())
    }
}

/// Passes the fields of the games of a block that are wanted to `visit`, separated by tabs. Games
/// are counted from 0.
fn each_game(
    archive: &Archive,
    number: usize,
    wanted: &dyn Fn(u64) -> bool,
    visit: &mut dyn FnMut(u64, &[u8]) -> Result<()>,
) -> Result<()> {
    let bytes = archive.block_bytes(number)?;
    archive.in_block(number, || {
        let block = archive.block(&bytes)?;
        let records = block.records()?;
        let names: Vec<&str> = FIELDS.into_iter().flatten().copied().collect();
        let lost = if archive.lists_unread() {
            block.columns_without_model()?
        } else {
            Vec::new()
        };
        let mut table = if lost.is_empty() {
            block.table(&records, Some(&names))?
        } else {
            block.whole_tags(&records, &lost, Some(&names))?
        };
        let first = archive.blocks()[number].first_game;
        let rows = records.games();
        let listed: BTreeSet<usize> = (first..)
            .zip(rows.clone())
            .filter(|(game, _)| wanted(*game))
            .map(|(_, row)| row)
            .collect();
        if lost.is_empty() {
            block.fill_openings(&records, &mut table, |row| listed.contains(&row))?;
        } else {
            block.fill_whole_openings(&records, &lost, &mut table)?;
        }
        let mut out = Vec::new();
        for (game, row) in (first..).zip(rows).filter(|(game, _)| wanted(*game)) {
            out.clear();
            write_fields(&table, row, &mut out);
            visit(game, &out)?;
        }
        Ok(())
    })
}

/// Appends the fields of a record, separated by tabs.
fn write_fields(table: &Table, row: usize, out: &mut Vec<u8>) {
    for names in FIELDS {
        push_field(&unescape(field(table, names, row)), out);
        out.push(b'\t');
    }
    out.pop();
}

/// Appends a field. A tab would be taken for a separator, an escape for a terminal command.
fn push_field(field: &[u8], out: &mut Vec<u8>) {
    let printed = |&c: &u8| if c.is_ascii_control() { b' ' } else { c };
    out.extend(field.iter().map(printed));
}

/// A value; `-` if it is empty.
fn named(value: &[u8]) -> &[u8] {
    if value.is_empty() { b"-" } else { value }
}

/// The fields of all games of a block as far as they do not depend on its damaged columns.
///
/// # Errors
/// Corrupt, also if it is not known which tags the games have.
pub(crate) fn known_fields(block: &Block, damaged: &[usize]) -> Result<Vec<Vec<u8>>> {
    let records = block.records()?;
    let names: Vec<&str> = FIELDS.into_iter().flatten().copied().collect();
    let mut table = block.whole_tags(&records, damaged, Some(&names))?;
    // The code of the opening follows from the moves; without them it is not known.
    _ = block.fill_whole_openings(&records, damaged, &mut table);
    let fields = records.games().map(|row| {
        let mut out = Vec::new();
        write_fields(&table, row, &mut out);
        out
    });
    Ok(fields.collect())
}

fn field<'t>(table: &'t Table, names: &[&str], row: usize) -> &'t [u8] {
    let values = names.iter().filter_map(|name| {
        table
            .tag(name.as_bytes())
            .and_then(|tag| table.value(tag, row))
    });
    let first = values.into_iter().find(|value| !value.is_empty());
    named(first.unwrap_or_default())
}
