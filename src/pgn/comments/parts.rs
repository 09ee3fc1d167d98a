//! The comments of a block, record by record (spec §4.5.4).

use super::{CommentModel, Record};
use crate::{error::Result, pgn::parts};

/// A part ends behind the record with which it has so many comments and a group of the moves ends,
/// so that what a part takes are the moves of few groups: two of them have more, one has fewer.
const PART: usize = 1400;

/// Packs the comments of a block.
pub struct Packer {
    parts: parts::Packer<CommentModel>,
    /// Whether the time controls of the games have helped to tell them.
    asked_control: bool,
    /// Comments since the last group ended.
    count: usize,
}

impl Default for Packer {
    fn default() -> Self {
        Self {
            parts: parts::Packer::new(PART),
            asked_control: false,
            count: 0,
        }
    }
}

impl Packer {
    /// Adds a record: the comments it has, each with its `}`, how many moves, and whether no
    /// group of them is under way behind it.
    ///
    /// # Errors
    /// None but those of a model that fails on what it is given.
    pub fn push(
        &mut self,
        record: Record,
        comments: &[u8],
        plies: usize,
        ends_group: bool,
    ) -> Result<()> {
        if record.layout.comments {
            let turn = self.parts.record();
            turn.model.code(
                turn.coder,
                turn.text,
                record,
                Some((comments, plies)),
                None,
                usize::MAX,
            )?;
            self.asked_control |= turn.model.asked_control();
            self.count += memchr::memchr_iter(b'}', comments).count();
        }
        self.parts.end_record(if ends_group {
            std::mem::take(&mut self.count)
        } else {
            0
        });
        Ok(())
    }

    /// The streams, and whether the time controls of the games have helped to tell them.
    pub fn finish(self) -> (parts::Packed, bool) {
        (self.parts.finish(), self.asked_control)
    }
}

/// Unpacks the comments of a block.
pub struct Unpacker<'a> {
    /// The parts.
    pub parts: parts::Unpacker<'a, CommentModel>,
    out: Vec<u8>,
}

impl<'a> Unpacker<'a> {
    /// The comments of so many records; those of records that are not wanted may
    /// be left out.
    ///
    /// # Errors
    /// Corrupt when the parts are not those of the streams.
    pub fn new(
        streams: [&'a [u8]; 3],
        records: usize,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Self> {
        Ok(Self {
            parts: parts::Unpacker::new(streams, records, wanted)?,
            out: Vec::new(),
        })
    }

    /// Goes on to the next record; tells whether it is among those that are decoded.
    ///
    /// # Errors
    /// Corrupt when text of the part before is left over.
    pub fn next_record(&mut self) -> Result<bool> {
        self.parts.next_record()?;
        Ok(self.parts.is_needed())
    }

    /// The comments of the record, at most so many bytes; nothing where they are not needed, or
    /// only learned from.
    ///
    /// # Errors
    /// Corrupt.
    pub fn take(&mut self, record: Record, most: Option<usize>) -> Result<&[u8]> {
        self.out.clear();
        if record.layout.comments {
            let out = most.is_some().then_some(&mut self.out);
            let most = most.unwrap_or(usize::MAX);
            self.parts.decode(|turn| {
                let (coder, text) = (turn.coder, turn.text);
                turn.model.code(coder, text, record, None, out, most)
            })?;
        }
        Ok(&self.out)
    }
}
