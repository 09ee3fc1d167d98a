//! Which records are rendered, and which others must be decoded for them.
//!
//! Comments and variations are coded in parts of several records, and some of them depend on the
//! moves. So rendering one record may decode payloads and moves of others. [`Survey`] walks the
//! layouts in advance, which is cheap, and finds out what can be left out.

use std::ops::Range;

use crate::{
    block::{decode::layouts::Layouts, starts::Starts},
    error::Result,
    pgn::variations::choices::PART,
};

/// The records to render.
pub struct Selection {
    /// Records after these are not rendered.
    pub rows: usize,
    /// For each record of the block whether it is rendered.
    selected: Vec<bool>,
    /// Whether all records of the block are.
    pub all: bool,
}

impl Selection {
    /// Those of the first `rows` of `records` records that are `wanted`.
    pub fn new(records: usize, rows: usize, wanted: impl Fn(usize) -> bool) -> Self {
        let selected: Vec<bool> = (0..records).map(|row| row < rows && wanted(row)).collect();
        Self {
            rows,
            all: selected.iter().all(|&selected| selected),
            selected,
        }
    }

    /// Number of records of the block.
    pub fn records(&self) -> usize {
        self.selected.len()
    }

    /// Whether a record is rendered.
    #[inline]
    pub fn contains(&self, row: usize) -> bool {
        self.selected[row]
    }

    /// For each record whether the moves of its variations are decoded: if any record in its part
    /// of them is selected.
    pub fn variations(&self, starts: &Starts) -> Vec<bool> {
        let mut needed = self.selected.clone();
        for part in starts.played().chunks(PART) {
            let any = part.iter().any(|&row| needed[row as usize]);
            part.iter().for_each(|&row| needed[row as usize] = any);
        }
        needed
    }
}

/// What the layouts show about the selected records.
#[derive(Default)]
pub struct Survey<'a> {
    /// Whether any selected record has comments.
    pub with_comments: bool,
    /// Whether any selected record has variations.
    pub with_variations: bool,
    /// Bytes of each record in the text column.
    text_lens: Vec<usize>,
    /// Consecutive records of which nothing is needed.
    pub gap: Range<usize>,
    /// The layouts at the end of the gap.
    after_gap: Option<Layouts<'a>>,
}

impl<'a> Survey<'a> {
    /// Walks the layouts of the first records. `payloads` are the records whose comments or
    /// variations must be decoded if any selected record has such.
    ///
    /// # Errors
    /// Corrupt.
    pub fn new(
        mut layouts: Layouts<'a>,
        selection: &Selection,
        payloads: impl Iterator<Item = usize>,
    ) -> Result<Self> {
        let rows = selection.rows;
        let mut needed: Vec<bool> = selection.selected[..rows].to_vec();
        let first = needed.iter().position(|&needed| needed).unwrap_or(rows);
        payloads
            .filter(|&row| row < rows)
            .for_each(|row| needed[row] = true);
        let longest = longest_gap(&needed);
        let mut survey = Self::default();
        let (mut after_first, mut after_longest) = (None, None);
        for row in 0..rows {
            if row == first {
                after_first = Some(layouts.clone());
            }
            if row == longest.end {
                after_longest = Some(layouts.clone());
            }
            layouts.next()?;
            let layout = &layouts.layout;
            survey.with_comments |= layout.comments && selection.contains(row);
            survey.with_variations |= layout.variations && selection.contains(row);
            survey.text_lens.push(layouts.text_len());
        }
        (survey.gap, survey.after_gap) = if survey.with_comments || survey.with_variations {
            (longest, after_longest)
        } else {
            (0..first, after_first)
        };
        Ok(survey)
    }

    /// At the first record after the gap, once: the layouts to go on with, and the bytes of the
    /// text column that belong to the gap.
    pub fn resume(&mut self, row: usize) -> Option<(Layouts<'a>, usize)> {
        let layouts = self.after_gap.take_if(|_| row == self.gap.end)?;
        let lens = &self.text_lens[self.gap.clone()];
        let text_len = lens.iter().copied().fold(0, usize::saturating_add);
        Some((layouts, text_len))
    }
}

/// The longest run of records that are not needed, before one that is.
fn longest_gap(needed: &[bool]) -> Range<usize> {
    let mut longest = 0..0;
    let mut start = 0;
    for (row, _) in needed.iter().enumerate().filter(|&(_, &needed)| needed) {
        if row - start > longest.len() {
            longest = start..row;
        }
        start = row + 1;
    }
    longest
}
