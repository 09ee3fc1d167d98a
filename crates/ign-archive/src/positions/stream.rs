//! The rows of all units of a scan, in order.

use std::sync::Arc;

use ign_format::error::Result;

use super::{
    options::Selection,
    plan::{self, Unit},
    row::Row,
    rows::{self, UnitRows},
    skipped::SkippedGames,
    source::Source,
    token::Cursor,
};
use crate::{
    archive::Archive,
    ordered::{Ordered, ordered_detached},
};

/// The rows that are left.
pub(super) struct Stream {
    units: Ordered<'static, UnitRows>,
    /// The unit that is being read.
    unit: Option<UnitRows>,
    at: Cursor,
}

impl Stream {
    /// Starts threads that read the units from a place on.
    pub fn start(
        archives: Vec<Archive>,
        threads: usize,
        selection: Selection,
        units: &[Unit],
        at: Cursor,
    ) -> Self {
        let first = units.len().min(at.unit as usize);
        let blocks: Vec<Vec<Unit>> = plan::by_block(&units[first..])
            .map(<[Unit]>::to_vec)
            .collect();
        // Reading a block is fast unless its comments are decoded.
        let readers = if selection.needs_comments() {
            threads
        } else {
            1
        };
        let selection = Arc::new(selection);
        let read = {
            let (archives, selection): (Arc<[Archive]>, _) = (archives.into(), selection.clone());
            move |units: Vec<Unit>| {
                let place = units[0].place;
                let archive = &archives[place.archive];
                let source =
                    archive.in_block(place.block, || Source::read(archive, place, &selection))?;
                Ok((Arc::new(source), units))
            }
        };
        let sources = ordered_detached(readers, blocks.into_iter().map(Ok), read);
        let jobs = sources.flat_map(|read| match read {
            Ok((source, units)) => {
                let jobs = units.into_iter().map(|unit| Ok((source.clone(), unit)));
                jobs.collect()
            }
            Err(error) => vec![Err(error)],
        });
        let replay = move |(source, unit): (Arc<Source>, Unit)| {
            rows::of_unit(&source, unit.part, &selection)
        };
        Self {
            units: ordered_detached(threads, jobs, replay),
            unit: None,
            at,
        }
    }

    /// The next rows, at most `count`; none at the end.
    ///
    /// # Errors
    /// Io; corrupt; unsupported if another move model coded the moves.
    pub fn take(&mut self, count: usize) -> Result<&[Row]> {
        while self.left() == 0 {
            if let Some(unit) = self.unit.take() {
                self.at.unit += 1;
                self.at.row = 0;
                self.at.skipped.add(unit.skipped);
            }
            match self.units.next() {
                Some(unit) => self.unit = Some(unit?),
                None => return Ok(&[]),
            }
        }
        let first = self.at.row as usize;
        let count = count.min(self.left());
        self.at.row += count as u64;
        let rows = self
            .unit
            .as_ref()
            .map(|unit| &unit.rows[first..first + count]);
        Ok(rows.unwrap_or_default())
    }

    /// The rows of the current unit that are left.
    fn left(&self) -> usize {
        let rows = self.unit.as_ref().map_or(0, |unit| unit.rows.len());
        rows.saturating_sub(self.at.row as usize)
    }

    /// The place after the rows taken.
    pub fn place(&self) -> Cursor {
        self.at
    }

    /// The place where the next buffer begins, and how many of its rows are used already.
    pub fn begin_buffer(&mut self) -> (Cursor, usize) {
        let used = std::mem::take(&mut self.at.used);
        let start = self.at;
        self.at.buffers += 1;
        (start, used as usize)
    }

    /// The games without positions in the units that were begun.
    pub fn skipped(&self) -> SkippedGames {
        let mut skipped = self.at.skipped;
        if let Some(unit) = &self.unit {
            skipped.add(unit.skipped);
        }
        skipped
    }
}
