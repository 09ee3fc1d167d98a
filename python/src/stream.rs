//! The record batches of some games of several archives.

use std::{collections::VecDeque, sync::Arc};

use arrow_array::{
    ArrayRef, RecordBatch, RecordBatchReader, cast::AsArray as _, types::UInt64Type,
};
use arrow_schema::{ArrowError, SchemaRef};
use ign_archive::Archive;
use ign_arrow::{Encoding, GameColumn, RecordBatches, schema};

use crate::{numbers::Numbers, opened::Opened};

/// The record batches of some games, archive by archive. The first error ends the iteration.
pub struct Stream {
    columns: Vec<GameColumn>,
    encoding: Encoding,
    /// The archives that are still to come.
    rest: VecDeque<Part>,
    current: Option<(u64, RecordBatches)>,
}

/// The games of one archive.
struct Part {
    archive: Archive,
    /// The number of games in the archives before it.
    before: u64,
    /// The numbers in the archive.
    numbers: Numbers,
}

impl Stream {
    /// The games with these numbers.
    pub fn new(
        opened: &Opened,
        numbers: Numbers,
        columns: &[GameColumn],
        encoding: Encoding,
    ) -> Self {
        let archives = opened.archives.archives().iter().enumerate();
        let mut done = 0;
        let parts = archives.filter_map(|(place, archive)| {
            let before = opened.before(place);
            let end = numbers.count_up_to(before + archive.len());
            let own = done..end;
            done = end;
            (!own.is_empty()).then(|| Part {
                archive: archive.clone(),
                before,
                numbers: numbers.slice(own, 1).less(before),
            })
        });
        Self {
            rest: parts.collect(),
            columns: columns.to_vec(),
            encoding,
            current: None,
        }
    }

    /// Starts to read the next archive.
    fn open_next(&mut self) -> Option<()> {
        let part = self.rest.pop_front()?;
        let scan = match part.numbers {
            Numbers::Range(numbers) => part.archive.scan().range(numbers),
            Numbers::List(numbers) => part.archive.scan().only(numbers),
        };
        let batches = RecordBatches::of(scan, &self.columns, self.encoding);
        self.current = Some((part.before, batches));
        Some(())
    }

    /// Numbers the games over all archives.
    fn renumbered(&self, batch: RecordBatch, before: u64) -> Result<RecordBatch, ArrowError> {
        let number = |column: &GameColumn| column.name() == "number";
        match self.columns.iter().position(number) {
            Some(place) if before > 0 => {
                let mut arrays = batch.columns().to_vec();
                let numbers = arrays[place].as_primitive::<UInt64Type>();
                let numbers: ArrayRef = Arc::new(numbers.unary::<_, UInt64Type>(|n| n + before));
                arrays[place] = numbers;
                RecordBatch::try_new(batch.schema(), arrays)
            }
            _ => Ok(batch),
        }
    }
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.current.is_none() {
                self.open_next()?;
            }
            let (before, batches) = self.current.as_mut()?;
            match (*before, batches.next()) {
                (before, Some(Ok(batch))) => return Some(self.renumbered(batch, before)),
                (_, Some(Err(error))) => {
                    self.current = None;
                    self.rest.clear();
                    return Some(Err(error));
                }
                (_, None) => self.current = None,
            }
        }
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        schema(&self.columns, self.encoding)
    }
}
