//! A column while an index is built: its values in order, in memory or in a temporary file.

use std::{
    io::{BufWriter, Write as _},
    ops::Range,
};

use ign_format::error::Result;

use crate::{source::ReadAt, temp_file::AnonymousTempFile};

/// Values that are held in memory.
const HELD: usize = 1 << 19;
/// Bytes of a value in the file.
const VALUE: usize = size_of::<u32>();
/// The code of a missing value. No column has so large a value.
const MISSING: u32 = u32::MAX;

/// The values of a column.
#[derive(Debug, Default)]
pub struct Spool {
    /// The last values.
    held: Vec<u32>,
    /// Those before them, and their number.
    file: Option<AnonymousTempFile>,
    written: u64,
}

impl Spool {
    /// Adds a value.
    ///
    /// # Errors
    /// Io of the temporary file.
    pub fn push(&mut self, value: Option<u32>) -> Result<()> {
        if self.held.len() == HELD {
            self.spill()?;
        }
        self.held.push(value.unwrap_or(MISSING));
        Ok(())
    }

    fn spill(&mut self) -> Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            empty => empty.insert(AnonymousTempFile::new()?),
        };
        let mut out = BufWriter::with_capacity(1 << 18, file);
        for value in &self.held {
            out.write_all(&value.to_le_bytes())?;
        }
        out.flush()?;
        self.written += self.held.len() as u64;
        self.held.clear();
        Ok(())
    }

    /// The number of values.
    pub fn len(&self) -> u64 {
        self.written + self.held.len() as u64
    }

    /// Visits all values.
    ///
    /// # Errors
    /// Io of the temporary file; those of `visit`.
    pub fn each(&self, mut visit: impl FnMut(Option<u32>) -> Result<()>) -> Result<()> {
        for first in (0..self.len()).step_by(HELD) {
            let values = self.read(first..self.len().min(first + HELD as u64))?;
            values.into_iter().try_for_each(&mut visit)?;
        }
        Ok(())
    }

    /// Some of the values, which there must be.
    ///
    /// # Errors
    /// Io of the temporary file.
    pub fn read(&self, range: Range<u64>) -> Result<Vec<Option<u32>>> {
        let mut values = Vec::with_capacity((range.end - range.start) as usize);
        let known = |value: u32| (value != MISSING).then_some(value);
        let in_file = range.start.min(self.written)..range.end.min(self.written);
        if let (Some(file), false) = (&self.file, in_file.is_empty()) {
            let mut bytes = vec![0; (in_file.end - in_file.start) as usize * VALUE];
            file.read_exact_at(&mut bytes, in_file.start * VALUE as u64)?;
            let (read, _) = bytes.as_chunks();
            values.extend(read.iter().map(|&bytes| known(u32::from_le_bytes(bytes))));
        }
        let held = |place: u64| place.saturating_sub(self.written) as usize;
        let held = &self.held[held(range.start)..held(range.end)];
        values.extend(held.iter().copied().map(known));
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_from_memory_and_from_the_file() {
        for count in [0, 1, HELD - 1, HELD, HELD + 1, 2 * HELD + 70_000] {
            let value =
                |place: usize| (place % 7 != 3).then_some((place * 31 % 100_003) as u32 + 5);
            let mut spool = Spool::default();
            for place in 0..count {
                spool.push(value(place)).unwrap();
            }
            assert_eq!(spool.len(), count as u64);
            let values: Vec<_> = (0..count).map(value).collect();
            for range in [
                0..count,
                0..count / 2,
                count / 2..count,
                count.min(HELD - 5)..count.min(HELD + 5),
            ] {
                let read = spool.read(range.start as u64..range.end as u64).unwrap();
                assert!(read == values[range.clone()], "{count} {range:?}");
            }
        }
    }
}
