//! The file of an index as a segment is written.

use std::io::Write;

use ign_format::{
    container::frame::{self, Kind},
    error::Result,
};

use crate::index::{
    columns::{Chunk, IndexColumn, Layout},
    directory::Directory,
    source::Extent,
    spool::Spool,
};

/// What was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexSummary {
    /// The number of games.
    pub games: u64,
    /// The number of bytes.
    pub len: u64,
    /// The bytes of each section, with their frames.
    pub sections: Vec<(&'static str, u64)>,
}

/// The file as it is written.
pub(super) struct IndexFile<'o> {
    out: &'o mut dyn Write,
    /// The bytes of the file so far.
    len: u64,
    /// Its directory, filled in as sections are written.
    pub directory: Directory,
    sections: Vec<(&'static str, u64)>,
}

impl<'o> IndexFile<'o> {
    /// A segment without sections that starts at byte `start`.
    pub fn new(out: &'o mut dyn Write, start: u64) -> Self {
        Self {
            out,
            len: start,
            directory: Directory {
                start,
                ..Directory::default()
            },
            sections: Vec::new(),
        }
    }

    fn append(&mut self, name: &'static str, bytes: &[u8]) -> Result<Extent> {
        self.out.write_all(bytes)?;
        let place = Extent {
            offset: self.len,
            len: bytes.len() as u64,
        };
        self.len += place.len;
        match self
            .sections
            .iter_mut()
            .find(|(section, _)| *section == name)
        {
            Some((_, len)) => *len += place.len,
            None => self.sections.push((name, place.len)),
        }
        Ok(place)
    }

    /// Writes a section; `name` is for the summary.
    ///
    /// # Errors
    /// Io.
    pub fn section(&mut self, name: &'static str, payload: &[u8]) -> Result<Extent> {
        self.append(name, &frame::seal(Kind::Section, payload))
    }

    /// Writes a column.
    ///
    /// # Errors
    /// Io, also of temporary files.
    pub fn column(&mut self, column: IndexColumn, values: &Spool) -> Result<()> {
        let mut layout = Layout {
            count: values.len(),
            chunks: Vec::new(),
        };
        let chunk_len = column.chunk_len();
        for first in (0..layout.count).step_by(chunk_len as usize) {
            let values = values.read(first..layout.count.min(first + chunk_len))?;
            let (mut chunk, bytes) = Chunk::write(&values);
            chunk.place = if bytes.is_empty() {
                Extent {
                    offset: self.len,
                    len: 0,
                }
            } else {
                self.section(column.name(), &bytes)?
            };
            layout.chunks.push(chunk);
        }
        self.directory.columns.push((column, layout));
        Ok(())
    }

    /// Writes the directory and the end.
    ///
    /// # Errors
    /// Io.
    pub fn finish(mut self, games: u64) -> Result<IndexSummary> {
        let directory = self.directory.write(self.len);
        self.append("directory", &directory)?;
        self.out.flush()?;
        Ok(IndexSummary {
            games,
            len: self.len - self.directory.start,
            sections: self.sections,
        })
    }
}
