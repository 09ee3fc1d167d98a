//! The games of a block of which some columns are damaged, as far as columns that are whole give
//! them.
//!
//! Without the moves nothing is returned. With the layout, records have their text without what is
//! in columns that cannot be decoded. Without it, moves are written in SAN with their numbers, and
//! comments, variations and text are not used.

use std::borrow::Cow;

use crate::{
    block::{
        Fixed,
        decode::{block::Block, records::Records, render::Pass, tags::derive},
    },
    columns::{Codec, Table, derived::GameEnd},
    error::{Error, Result},
    pgn::{
        number::MoveNumber,
        render::{Names, Played, check_room},
        start::Start,
    },
};
use ign_notation::chess::san::Naming;

/// The texts of all records of a block, without what is lost.
#[derive(Debug, Default)]
pub struct RecordTexts {
    /// The texts, one after the other.
    pub text: Vec<u8>,
    /// Where that of each record ends.
    pub ends: Vec<usize>,
}

impl Block<'_> {
    /// The tags of all records that do not depend on damaged columns; with `names` only these.
    /// Values that follow from the moves have none.
    ///
    /// # Errors
    /// Corrupt, also if the schemas are damaged.
    pub fn whole_tags(
        &self,
        records: &Records,
        damaged: &[usize],
        names: Option<&[&str]>,
    ) -> Result<Table> {
        let readable = self.readable_tags(damaged);
        let head = self.head();
        let wanted = |tag: u16| {
            let name = &head.tag_names[usize::from(tag)];
            let is_named = names.is_none_or(|names| names.iter().any(|n| n.as_bytes() == name));
            readable[usize::from(tag)] && is_named
        };
        self.table_of(records, records.len(), |_| true, wanted)
    }

    /// Fills in the opening tags of a table that follow from the moves, if neither the moves nor
    /// the column of these tags depend on damaged columns.
    ///
    /// # Errors
    /// As [`fill_openings`](Self::fill_openings).
    pub fn fill_whole_openings(
        &self,
        records: &Records,
        damaged: &[usize],
        table: &mut Table,
    ) -> Result<()> {
        let columns = &self.head().columns;
        let openings = columns
            .iter()
            .position(|c| c.codec == Codec::Openings as u8);
        if openings.is_some_and(|place| !damaged.contains(&place)) && self.keeps_moves(damaged) {
            self.fill_openings(records, table, |_| true)?;
        }
        Ok(())
    }

    /// The text of all records in their own layout, without what is in the damaged columns and in
    /// those that cannot be decoded without them. Whether its games are those of the block is up to
    /// the caller. `None` if the moves or the layout are lost.
    ///
    /// # Errors
    /// Corrupt.
    pub fn reduced_text(&self, damaged: &[usize]) -> Result<Option<RecordTexts>> {
        if !self.keeps_moves(damaged) || self.is_damaged(Fixed::Layout, damaged) {
            return Ok(None);
        }
        let records = self.records()?;
        let pass = Pass {
            unreadable: self.unreadable(damaged),
            ..Pass::default()
        };
        let mut texts = RecordTexts::default();
        let (all, ends) = (records.len(), &mut texts.ends);
        let mut look = |out: &mut Vec<u8>| {
            ends.push(out.len());
            Ok(())
        };
        self.render_each(&records, all, |_| true, pass, &mut texts.text, &mut look)?;
        Ok(Some(texts))
    }

    /// The text of all games in a plain layout, without what is in the damaged columns: tags, moves
    /// and result. Whether the game keeps its place is up to the caller: each game is a record that
    /// ends with an empty line. `None` if the moves cannot be decoded without the damaged columns.
    ///
    /// # Errors
    /// Corrupt.
    pub fn salvaged_text(&self, damaged: &[usize]) -> Result<Option<RecordTexts>> {
        let head = self.head();
        if !self.keeps_moves(damaged) {
            return Ok(None);
        }
        let readable = self.readable_tags(damaged);
        let records = self.records()?;
        let mut table = self.whole_tags(&records, damaged, None)?;
        // Tags of the opening follow from the first moves.
        self.fill_whole_openings(&records, damaged, &mut table)?;
        let salvage = Salvage {
            block: self,
            records: &records,
            table: &table,
            readable: &readable,
            max: 4 * head.text_len + 1024,
        };
        let RecordTexts {
            text: mut out,
            mut ends,
        } = RecordTexts::default();
        let starts = records.starts(&table)?;
        let [column] = self.fixed(Fixed::Moves)?;
        let mut moves = self.moves_column(&column, &records, &starts)?;
        let mut movetext = Vec::new();
        for row in 0..records.len() {
            movetext.clear();
            let mut end = None;
            match starts.of(row).filter(|_| records.is_game(row)) {
                Some(start) => {
                    let game = moves.next_game()?;
                    let (position, plies) = match start {
                        Start::Chess(chess) => {
                            let names = Played::new(chess.position, game, Naming::Standard);
                            write_moves(start, names, &mut movetext)?
                        }
                        Start::Variant(variant) => {
                            let board = variant.board.clone();
                            let names = Played::new(board, game, Naming::Standard);
                            write_moves(start, names, &mut movetext)?
                        }
                    };
                    end = Some(GameEnd::new(start, position, plies));
                }
                None => moves.skip()?,
            }
            if records.is_game(row) {
                salvage.record(row, end.as_ref(), &movetext, &mut out)?;
            }
            ends.push(out.len());
        }
        Ok(Some(RecordTexts { text: out, ends }))
    }
}

/// The parts of a block that are whole.
struct Salvage<'a> {
    block: &'a Block<'a>,
    records: &'a Records,
    table: &'a Table,
    readable: &'a [bool],
    /// Limit of the length of the output.
    max: usize,
}

impl Salvage<'_> {
    fn record(
        &self,
        row: usize,
        end: Option<&GameEnd>,
        movetext: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let names = &self.block.head().tag_names;
        let mut result: Cow<[u8]> = Cow::Borrowed(b"*");
        for &tag in self.records.tags(row) {
            if !self.readable[usize::from(tag)] {
                continue;
            }
            let value = match self.table.value(tag, row) {
                Some(value) => Cow::Borrowed(value),
                None => match derive(self.block, self.table, tag, row, end) {
                    Ok(value) => Cow::Owned(value),
                    Err(_) => continue,
                },
            };
            let name = &names[usize::from(tag)];
            check_room(out, &value, self.max)?;
            out.push(b'[');
            out.extend_from_slice(name);
            out.extend_from_slice(b" \"");
            out.extend_from_slice(&value);
            out.extend_from_slice(b"\"]\n");
            if name == b"Result" && [&b"1-0"[..], b"0-1", b"1/2-1/2"].contains(&&value[..]) {
                result = value;
            }
        }
        check_room(out, movetext, self.max)?;
        out.push(b'\n');
        out.extend_from_slice(movetext);
        out.extend_from_slice(&result);
        out.extend_from_slice(b"\n\n");
        Ok(())
    }
}

/// Writes moves with their numbers, each followed by a space. Returns the position after them, for
/// chess, and their number.
fn write_moves(
    start: &Start,
    mut names: impl Names,
    out: &mut Vec<u8>,
) -> Result<(Option<ign_notation::chess::Position>, usize)> {
    let mut number = MoveNumber::new(start.fullmoves());
    let mut white = start.white_starts();
    let mut plies = 0;
    while let Some(name) = names.next_name()? {
        if white || plies == 0 {
            out.extend_from_slice(number.text());
            out.extend_from_slice(if white { b". " } else { b"... " });
        }
        name.append_to(out);
        out.push(b' ');
        if !white {
            number.advance();
        }
        white = !white;
        plies += 1;
        if plies > crate::container::MAX_PLIES {
            return Err(Error::corrupt("a game has too many moves"));
        }
    }
    Ok((names.position().copied(), plies))
}
