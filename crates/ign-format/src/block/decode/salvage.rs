//! The games of a block of which some columns are damaged, as far as columns that are whole give
//! them.
//!
//! A column is decoded only with those that it depends on:
//!
//! | column | depends on |
//! | --- | --- |
//! | any | the schemas |
//! | moves | the tags that give the start of a game; in weighted games the signatures |
//! | tags | the tags to which the directory refers; opening tags and derived tags on the moves |
//! | text | the layout |
//! | comments | the layout, the moves, and the tag to which the directory refers (the time control) |
//! | variations | the layout, the moves |
//!
//! Without the moves nothing is returned. With the layout, records have their text without what is
//! in columns that cannot be decoded. Without it, moves are written in SAN with their numbers, and
//! comments, variations and text are not used.

use std::borrow::Cow;

use crate::{
    block::{
        Coding, Fixed, Kind,
        decode::{block::Block, records::Records, render::Pass, tags::derive},
        starts::Starts,
    },
    columns::{Codec, Table, derived::GameEnd},
    container::block_head::Column,
    error::{Error, Result},
    pgn::{
        number::MoveNumber,
        render::{Missing, Names, Played, check_room},
        start::Start,
    },
};
use ign_notation::chess::san::Naming;

/// What of a block cannot be read, because columns are damaged.
#[derive(Debug, Default)]
pub(in crate::block) struct Unreadable {
    /// For each tag name of the head whether its values cannot be; empty if all can.
    tags: Vec<bool>,
    /// Comments.
    pub comments: bool,
    /// Variations.
    pub variations: bool,
    /// Movetext that is stored as text.
    pub text: bool,
}

impl Unreadable {
    /// Whether the values of a tag cannot be read.
    pub fn has_tag(&self, tag: u16) -> bool {
        self.tags.get(usize::from(tag)).is_some_and(|&is| is)
    }

    /// What its records lack. Whether the block has a Result tag that can be read is known to the
    /// caller.
    pub fn of_records(&self, has_no_result: bool) -> Missing {
        Missing {
            comments: self.comments,
            variations: self.variations,
            text: self.text,
            result: has_no_result && self.tags.contains(&true),
        }
    }
}

impl Block<'_> {
    /// Whether a fixed column is among the damaged ones.
    fn is_damaged(&self, fixed: Fixed, damaged: &[usize]) -> bool {
        let place = self.head().column_index(fixed as u8);
        place.is_some_and(|place| damaged.contains(&place))
    }

    /// What cannot be read if these columns are damaged, and the moves are not.
    fn unreadable(&self, damaged: &[usize]) -> Unreadable {
        let readable = self.readable_tags(damaged);
        let layout = self.is_damaged(Fixed::Layout, damaged);
        let is_lost = |fixed: Fixed| layout || self.is_damaged(fixed, damaged);
        let comments = self.fixed_column(Fixed::Comments);
        let mut refs = comments.iter().flat_map(|column| &column.refs);
        Unreadable {
            comments: is_lost(Fixed::Comments) || refs.any(|&tag| !readable[usize::from(tag)]),
            variations: is_lost(Fixed::Variations),
            text: is_lost(Fixed::Text),
            tags: readable
                .into_iter()
                .map(|is_readable| !is_readable)
                .collect(),
        }
    }

    /// The columns that are whole but cannot be decoded without the damaged ones, by their places
    /// in the directory. If `keeps_layout` is not set, nothing of the columns that depend on the
    /// layout is used.
    pub fn columns_lost_with(&self, damaged: &[usize], keeps_layout: bool) -> Vec<usize> {
        let unreadable = self.unreadable(damaged);
        let columns = self.head().columns.iter().enumerate();
        let is_lost = |column: &Column| match Fixed::ALL.iter().find(|f| **f as u8 == column.codec)
        {
            Some(Fixed::Layout) => !keeps_layout,
            Some(Fixed::Comments) => !keeps_layout || unreadable.comments,
            Some(Fixed::Variations) => !keeps_layout || unreadable.variations,
            Some(Fixed::Text) => !keeps_layout || unreadable.text,
            Some(_) => false,
            None => column.tags.iter().any(|&tag| unreadable.has_tag(tag)),
        };
        // A column of tags without content has values that are all predicted. A fixed column has
        // none.
        let has_content = |column: &Column| {
            !column.tags.is_empty() || column.streams.iter().any(|s| s.stream_len() > 0)
        };
        columns
            .filter(|&(place, column)| {
                !damaged.contains(&place) && is_lost(column) && has_content(column)
            })
            .map(|(place, _)| place)
            .collect()
    }

    /// For each tag name of the head whether its values can be decoded: neither its column is
    /// damaged nor one that it refers to.
    fn readable_tags(&self, damaged: &[usize]) -> Vec<bool> {
        let head = self.head();
        let mut readable = vec![false; head.tag_names.len()];
        for (place, column) in head.columns.iter().enumerate() {
            // References point to earlier columns.
            let refs_are = column.refs.iter().all(|&tag| readable[usize::from(tag)]);
            for &tag in &column.tags {
                readable[usize::from(tag)] = refs_are && !damaged.contains(&place);
            }
        }
        readable
    }

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

    /// Whether this is a block of chess whose moves can be decoded without the damaged columns.
    fn keeps_moves(&self, damaged: &[usize]) -> bool {
        let needs_signatures = self.coding() == Coding::Weighted;
        let moves_are_lost = self.is_damaged(Fixed::Schemas, damaged)
            || self.is_damaged(Fixed::Moves, damaged)
            || needs_signatures && self.is_damaged(Fixed::Signatures, damaged);
        let readable = self.readable_tags(damaged);
        let names = self.head().tag_names.iter().zip(&readable);
        let mut lost = names
            .filter(|&(_, is_readable)| !is_readable)
            .map(|(name, _)| name);
        let gives_start = |name: &Vec<u8>| Starts::TAGS.iter().any(|tag| tag.as_bytes() == name);
        self.kind() == Kind::Chess && !moves_are_lost && !lost.any(gives_start)
    }

    /// The text of all records in their own layout, without what is in the damaged columns and in
    /// those that cannot be decoded without them. Whether its games are those of the block is up to
    /// the caller. `None` if the moves or the layout are lost.
    ///
    /// # Errors
    /// Corrupt.
    pub fn reduced_text(&self, damaged: &[usize]) -> Result<Option<Vec<u8>>> {
        if !self.keeps_moves(damaged) || self.is_damaged(Fixed::Layout, damaged) {
            return Ok(None);
        }
        let records = self.records()?;
        let pass = Pass {
            unreadable: self.unreadable(damaged),
            ..Pass::default()
        };
        let (all, mut out) = (records.len(), Vec::new());
        self.render_each(&records, all, |_| true, pass, &mut out, &mut |_| Ok(()))?;
        Ok(Some(out))
    }

    /// The text of all games in a plain layout, without what is in the damaged columns: tags, moves
    /// and result. Whether the game keeps its place is up to the caller: each game is a record that
    /// ends with an empty line. `None` if the moves cannot be decoded without the damaged columns.
    ///
    /// # Errors
    /// Corrupt.
    pub fn salvaged_text(&self, damaged: &[usize]) -> Result<Option<Vec<u8>>> {
        let head = self.head();
        if !self.keeps_moves(damaged) {
            return Ok(None);
        }
        let readable = self.readable_tags(damaged);
        let records = self.records()?;
        let mut table = self.whole_tags(&records, damaged, None)?;
        // Tags of the opening follow from the first moves.
        let openings = head
            .columns
            .iter()
            .position(|c| c.codec == Codec::Openings as u8);
        if openings.is_some_and(|place| !damaged.contains(&place)) {
            self.fill_openings(&records, &mut table, |_| true)?;
        }
        let salvage = Salvage {
            block: self,
            records: &records,
            table: &table,
            readable: &readable,
            max: 4 * head.text_len + 1024,
        };
        let mut out = Vec::new();
        let starts = Starts::of_table(&table, |row| records.has_moves(row));
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
        }
        Ok(Some(out))
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
