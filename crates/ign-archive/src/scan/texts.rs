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
    bytes: Vec<u8>,
    /// The text of each row; `None` if it is not needed. Empty if none is.
    ranges: Vec<Option<Range<usize>>>,
    /// For each row whether its movetext has more than moves. Empty if nothing depends on that.
    annotated: Vec<bool>,
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
        let is_needed = |row: usize| needs_all || texts.annotated.get(row) == Some(&true);
        let needed: Vec<bool> = (0..rows.len()).map(is_needed).collect();
        let count = needed.iter().filter(|&&needed| needed).count();
        if count == 0 {
            return Ok(texts);
        }
        let row_of = |record: usize| rows.binary_search(&record).ok();
        let mut ends = Vec::with_capacity(count);
        let mut record_ends = Vec::new();
        // The complete text is decoded in lockstep, and is verified.
        let decodes_all = 4 * count >= 3 * records.len();
        texts.bytes = if decodes_all {
            block.text_by_record(records, moves, |end| record_ends.push(end))?
        } else {
            block.text_of_some(
                records,
                moves,
                |record| row_of(record).is_some_and(|row| needed[row]),
                |end| ends.push(end),
            )?
        };
        let mut ends = ends.into_iter();
        let mut last = 0;
        texts.ranges = vec![None; rows.len()];
        for (row, &record) in rows.iter().enumerate().filter(|&(row, _)| needed[row]) {
            let (start, end) = if decodes_all {
                (
                    record
                        .checked_sub(1)
                        .map_or(0, |before| record_ends[before]),
                    record_ends[record],
                )
            } else {
                (last, ends.next().unwrap_or(last))
            };
            texts.ranges[row] = Some(start..end);
            last = end;
        }
        Ok(texts)
    }

    /// The text of a row, if it is needed.
    pub fn of(&self, row: usize) -> Option<&[u8]> {
        let range = self.ranges.get(row)?.clone()?;
        Some(&self.bytes[range])
    }

    /// Whether the movetext of a row has more than moves. Known if a column depends on it.
    pub fn is_annotated(&self, row: usize) -> bool {
        self.annotated.get(row) == Some(&true)
    }
}
