//! The texts of the rows of a batch, as far as columns are read from them.

use std::ops::Range;

use ign_format::{
    block::{
        decode::{Block, Records},
        moves::MoveLists,
    },
    error::Result,
    pgn::tags::{Tag, TagReader},
};

use super::column::ScanColumn;

/// The texts of some rows.
#[derive(Default)]
pub(super) struct Texts {
    exact: Part,
    /// Those of annotated rows whose moves are not in SAN, with moves in SAN.
    in_san: Part,
    /// For each row whether its movetext has more than moves. Empty if nothing depends on that.
    annotated: Vec<bool>,
}

/// Texts one after the other.
#[derive(Default)]
struct Part {
    bytes: Vec<u8>,
    /// The text of each row; `None` if it is not needed. Empty if none is.
    ranges: Vec<Option<Range<usize>>>,
}

impl Part {
    fn of(&self, row: usize) -> Option<&[u8]> {
        let range = self.ranges.get(row)?.clone()?;
        Some(&self.bytes[range])
    }

    /// The texts of the `needed` rows. `decode` is given which records they are, and passes the
    /// length of its text after each of them.
    fn of_some(
        rows: &[usize],
        needed: &[bool],
        decode: impl FnOnce(&dyn Fn(usize) -> bool, &mut dyn FnMut(usize)) -> Result<Vec<u8>>,
    ) -> Result<Self> {
        let is_needed = |record| {
            let row = rows.binary_search(&record).ok();
            row.is_some_and(|row| needed[row])
        };
        let mut ends = Vec::new();
        let bytes = decode(&is_needed, &mut |end| ends.push(end))?;
        let mut ends = ends.into_iter().peekable();
        let mut start = 0;
        let range = |&needed: &bool| {
            let end = ends.next_if(|_| needed)?;
            Some(std::mem::replace(&mut start, end)..end)
        };
        let ranges = needed.iter().map(range).collect();
        Ok(Self { bytes, ranges })
    }

    /// The texts of all records of a block, verified, of which `rows` are asked.
    fn of_all(
        block: &Block,
        records: &Records,
        moves: Option<&MoveLists>,
        rows: &[usize],
    ) -> Result<Self> {
        let mut ends = vec![0];
        let bytes = block.text_by_record(records, moves, |end| ends.push(end))?;
        let range = |&record: &usize| Some(ends[record]..ends[record + 1]);
        let ranges = rows.iter().map(range).collect();
        Ok(Self { bytes, ranges })
    }
}

/// Whether a column is read from what is written between moves.
pub(super) fn is_annotation(column: &ScanColumn) -> bool {
    matches!(
        column,
        ScanColumn::Clocks | ScanColumn::Evals | ScanColumn::Mates | ScanColumn::Comments
    )
}

/// The movetext of a game, without white space at its ends.
pub(super) fn movetext<'t>(pgn: &'t [u8], room: &mut Vec<Tag>) -> &'t [u8] {
    let section = TagReader::default().read(pgn, 0, room);
    pgn[section.end..].trim_ascii()
}

impl Texts {
    /// The texts that the columns need. `rows` are the records of the rows, ascending; `moves` are
    /// those of all games of the block, if they are decoded already.
    ///
    /// # Errors
    /// Corrupt; unsupported when another move model coded the moves.
    pub fn read(
        block: &Block,
        records: &Records,
        moves: Option<&MoveLists>,
        columns: &[ScanColumn],
        rows: &[usize],
    ) -> Result<Self> {
        let needs_all =
            columns.contains(&ScanColumn::Pgn) || columns.contains(&ScanColumn::Movetext);
        let needs_annotated = columns.iter().any(is_annotation);
        let mut texts = Self::default();
        if needs_annotated {
            let annotated = block.annotated(records)?;
            texts.annotated = rows.iter().map(|&record| annotated[record]).collect();
        }
        let is_needed = |row: usize| needs_all || texts.is_annotated(row);
        let needed: Vec<bool> = (0..rows.len()).map(is_needed).collect();
        let count = needed.iter().filter(|&&needed| needed).count();
        if count == 0 {
            return Ok(texts);
        }
        // The complete text is decoded in lockstep, and is verified.
        texts.exact = if 4 * count >= 3 * records.len() {
            Part::of_all(block, records, moves, rows)?
        } else {
            Part::of_some(rows, &needed, |is_needed, ended| {
                block.text_of_some(records, moves, is_needed, ended)
            })?
        };
        if needs_annotated {
            let in_san = block.in_san(records)?;
            let is_otherwise =
                |(row, &record): (usize, &usize)| texts.is_annotated(row) && !in_san[record];
            let otherwise: Vec<bool> = rows.iter().enumerate().map(is_otherwise).collect();
            if otherwise.contains(&true) {
                texts.in_san = Part::of_some(rows, &otherwise, |is_needed, ended| {
                    block.san_text_of_some(records, moves, is_needed, ended)
                })?;
            }
        }
        Ok(texts)
    }

    /// The text of a row, if it is needed.
    pub fn of(&self, row: usize) -> Option<&[u8]> {
        self.exact.of(row)
    }

    /// The text of a row with its moves in SAN, if its movetext has more than moves. Known if a
    /// column depends on it.
    pub fn annotated(&self, row: usize) -> Option<&[u8]> {
        let is_annotated = self.is_annotated(row);
        is_annotated.then(|| self.in_san.of(row).or_else(|| self.exact.of(row)))?
    }

    fn is_annotated(&self, row: usize) -> bool {
        self.annotated.get(row) == Some(&true)
    }
}
