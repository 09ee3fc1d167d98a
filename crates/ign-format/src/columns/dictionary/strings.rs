//! The strings of a column as a decoder sees them: added to the table when they are first used.

use crate::{
    columns::{
        streams::{Lines, too_few_lines},
        table::{Span, Table},
    },
    error::Result,
};

/// Where the strings of a column come from.
pub(super) enum Source<'a> {
    /// The lines that have not been taken, and those that have.
    Lines(Lines<'a>, Vec<&'a [u8]>),
    /// `count` names of [`Table::lazy_names`], from number `first` on.
    LazyNames { count: usize, first: u32 },
}

/// The strings of a column by entry.
pub(super) struct Strings<'a> {
    source: Source<'a>,
    /// The span of each entry; [`Span::PENDING`] for one that has not been used.
    spans: Vec<Span>,
}

impl<'a> Strings<'a> {
    /// Strings of which none is used.
    pub fn new(source: Source<'a>) -> Self {
        let spans = Vec::new();
        Self { source, spans }
    }

    /// Fails if there are fewer than `count` strings.
    ///
    /// # Errors
    /// Corrupt.
    pub fn check(&mut self, count: usize) -> Result<()> {
        match &mut self.source {
            Source::Lines(rest, taken) => {
                while taken.len() < count {
                    taken.push(rest.next_line()?);
                }
                Ok(())
            }
            Source::LazyNames { count: all, .. } if count <= *all => Ok(()),
            Source::LazyNames { .. } => Err(too_few_lines()),
        }
    }

    /// The span of an entry.
    ///
    /// # Errors
    /// Corrupt, if there are too few strings.
    pub fn span(&mut self, table: &mut Table, entry: u32) -> Result<Span> {
        let number = entry as usize;
        if self.spans.len() <= number {
            self.check(number + 1)?;
            self.spans.resize(number + 1, Span::PENDING);
        }
        let span = &mut self.spans[number];
        if *span == Span::PENDING {
            *span = match &self.source {
                Source::Lines(_, taken) => table.add(taken[number]),
                Source::LazyNames { first, .. } => Span::lazy_name(first + entry),
            };
        }
        Ok(*span)
    }

    /// The spans of the entries that have been used, with their entries.
    pub fn used(self) -> impl Iterator<Item = (Span, u32)> {
        let all = self.spans.into_iter().zip(0..);
        all.filter(|&(span, _)| span != Span::PENDING)
    }
}
