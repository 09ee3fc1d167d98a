//! Positions in random order: as many as the buffer holds are shuffled together, then the next
//! ones.
//!
//! The order of a buffer depends on the seed and on the number of the buffer alone, so a scan
//! continues from any place after reading one buffer.

use ign_format::error::Result;

use super::{options::Shuffle, random::Random, row::Row, stream::Stream, token::Cursor};

/// A shuffled buffer.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    rows: Vec<Row>,
    /// The rows in the order in which they are used.
    order: Vec<u32>,
    /// How many of them have been used.
    used: usize,
    /// The place of its first row.
    start: Cursor,
}

impl Buffer {
    /// Fills the empty buffer with the next rows of a stream, in random order; returns whether
    /// there were any.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn fill(&mut self, stream: &mut Stream, shuffle: Shuffle) -> Result<bool> {
        let (start, used) = stream.begin_buffer();
        self.start = start;
        self.rows.clear();
        while self.rows.len() < shuffle.buffer {
            let rows = stream.take(shuffle.buffer - self.rows.len())?;
            if rows.is_empty() {
                break;
            }
            self.rows.extend_from_slice(rows);
        }
        self.order.clear();
        self.order.extend(0..self.rows.len() as u32);
        Random::new(shuffle.seed, self.start.buffers).shuffle(&mut self.order);
        self.used = used.min(self.order.len());
        Ok(!self.rows.is_empty())
    }

    /// Uses up to `count` rows.
    pub fn take(&mut self, count: usize) -> impl ExactSizeIterator<Item = &Row> + Clone {
        let first = self.used;
        self.used = self.order.len().min(first + count);
        let order = self.order[first..self.used].iter();
        order.map(|&row| &self.rows[row as usize])
    }

    /// The number of rows that have not been used.
    pub fn left(&self) -> usize {
        self.order.len() - self.used
    }

    /// The place from which a scan continues with the rows that have not been used.
    pub fn place(&self) -> Cursor {
        Cursor {
            used: self.used as u64,
            ..self.start
        }
    }
}
