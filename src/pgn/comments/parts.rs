//! The comments of a block in parts, so that those of one game can be read
//! without all others (spec §4.5.4).
//!
//! The first part begins with a model that knows nothing. Every other begins
//! with the model as the first part left it: so it knows what these games are
//! like, and yet needs no part but the first.

use super::{CommentModel, Record};
use crate::{
    bits::{
        range::{Decoder, Encoder},
        varint,
    },
    error::{Error, Result},
};

/// A part ends behind the record with which it has so many comments.
const PART: usize = 4096;

/// The streams of the column.
#[derive(Debug, Clone, Default)]
pub struct Packed {
    /// Codes of all parts.
    pub codes: Vec<u8>,
    /// New strings of all parts.
    pub strings: Vec<u8>,
    /// Of each part: its records, its bytes of codes and of strings.
    pub parts: Vec<u8>,
    /// Whether the time controls of the games have helped to tell them.
    pub asked_control: bool,
}

/// Packs the comments of a block, record by record.
#[derive(Default)]
pub struct Packer {
    out: Packed,
    model: CommentModel,
    coder: Encoder,
    /// The model that parts begin with, once the first has ended.
    base: Option<CommentModel>,
    records: u64,
    comments: usize,
    /// Bytes of strings of the parts before.
    strings_before: usize,
    /// Comments of a record as they will be unpacked.
    unpacked: Vec<u8>,
}

impl Packer {
    /// Adds a record: the comments it has, each with its `}`, and its moves.
    ///
    /// # Errors
    /// None but those of a model that fails on what it is given.
    pub fn push(&mut self, record: Record, comments: &[u8], plies: usize) -> Result<()> {
        self.records += 1;
        if record.layout.comments {
            self.unpacked.clear();
            self.model.code(
                &mut self.coder,
                &mut self.out.strings,
                record,
                Some((comments, plies)),
                &mut self.unpacked,
                usize::MAX,
            )?;
            self.out.asked_control |= self.model.asked_control();
            self.comments += memchr::memchr_iter(b'}', comments).count();
        }
        if self.comments >= PART {
            self.end_part();
        }
        Ok(())
    }

    fn end_part(&mut self) {
        let codes = std::mem::take(&mut self.coder).finish();
        let strings = self.out.strings.len() - self.strings_before;
        for number in [self.records, codes.len() as u64, strings as u64] {
            varint::write(&mut self.out.parts, number);
        }
        self.out.codes.extend_from_slice(&codes);
        self.strings_before = self.out.strings.len();
        (self.records, self.comments) = (0, 0);
        match &self.base {
            Some(base) => self.model.clone_from(base),
            None => self.base = Some(self.model.clone()),
        }
    }

    /// The streams; all are empty if no record had comments.
    pub fn finish(mut self) -> Packed {
        if self.comments == 0 && self.base.is_none() {
            return Packed::default();
        }
        if self.records > 0 {
            self.end_part();
        }
        self.out
    }
}

/// A part, and whether it is needed.
struct Part<'a> {
    records: usize,
    codes: &'a [u8],
    strings: &'a [u8],
    needed: bool,
}

/// Unpacks the comments of a block, record by record.
pub struct Unpacker<'a> {
    /// The parts to come, the next last.
    parts: Vec<Part<'a>>,
    /// The part under way, and the records of it that are to come.
    part: Option<Part<'a>>,
    left: usize,
    coder: Decoder<'a>,
    model: CommentModel,
    base: Option<CommentModel>,
    out: Vec<u8>,
}

impl<'a> Unpacker<'a> {
    /// The comments of so many records; those of records that are not wanted may
    /// be left out.
    ///
    /// # Errors
    /// Corrupt when the parts are not those of the streams.
    pub fn new(
        [codes, strings, mut parts]: [&'a [u8]; 3],
        records: usize,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Self> {
        let wrong = || Error::corrupt("the parts of the comments do not fit the column");
        let (mut codes, mut strings) = (codes, strings);
        let mut first = 0;
        let mut found = Vec::new();
        while !parts.is_empty() {
            let mut number = |most: usize| {
                varint::read_limited(&mut parts, most as u64, "a part of the comments")
            };
            let [count, codes_len, strings_len] = [
                number(records - first)?,
                number(codes.len())?,
                number(strings.len())?,
            ];
            let (own_codes, own_strings);
            (own_codes, codes) = codes.split_at(codes_len);
            (own_strings, strings) = strings.split_at(strings_len);
            if count == 0 {
                return Err(wrong());
            }
            found.push(Part {
                records: count,
                codes: own_codes,
                strings: own_strings,
                // All others learn from the first.
                needed: first == 0 || (first..first + count).any(&wanted),
            });
            first += count;
        }
        if !codes.is_empty() || !strings.is_empty() || !found.is_empty() && first != records {
            return Err(wrong());
        }
        found.reverse();
        Ok(Self {
            parts: found,
            part: None,
            left: 0,
            coder: Decoder::new(&[]),
            model: CommentModel::default(),
            base: None,
            out: Vec::new(),
        })
    }

    /// The records whose comments are decoded.
    pub fn needed(&self) -> impl Iterator<Item = usize> {
        let mut end = 0;
        let parts = self.parts.iter().rev().map(move |part| {
            end += part.records;
            (part.needed, end - part.records..end)
        });
        parts
            .filter(|(needed, _)| *needed)
            .flat_map(|(_, rows)| rows)
    }

    /// The comments of the next record; nothing where they are not needed.
    ///
    /// # Errors
    /// Corrupt.
    pub fn take(&mut self, record: Record, most: usize) -> Result<&[u8]> {
        self.out.clear();
        if self.left == 0
            && let Some(next) = self.parts.pop()
        {
            self.begin(next)?;
        }
        self.left = self.left.saturating_sub(1);
        if !record.layout.comments {
            return Ok(&self.out);
        }
        let missing = || Error::corrupt("a record has comments that are in no part");
        let part = self.part.as_mut().ok_or_else(missing)?;
        if part.needed {
            let (coder, strings) = (&mut self.coder, &mut part.strings);
            self.model
                .code(coder, strings, record, None, &mut self.out, most)?;
            crate::columns::check_overrun(coder)?;
        }
        Ok(&self.out)
    }

    fn begin(&mut self, next: Part<'a>) -> Result<()> {
        if self.part.is_some() && self.base.is_none() {
            self.base = Some(self.model.clone());
        }
        self.finish()?;
        if let Some(base) = &self.base
            && next.needed
        {
            self.model.clone_from(base);
        }
        self.coder = Decoder::new(next.codes);
        self.left = next.records;
        self.part = Some(next);
        Ok(())
    }

    /// Fails when strings of the part under way are left over.
    ///
    /// # Errors
    /// Corrupt.
    pub fn finish(&self) -> Result<()> {
        match &self.part {
            Some(part) if part.needed && !part.strings.is_empty() => {
                Err(Error::corrupt("strings are left over in the comments"))
            }
            _ => Ok(()),
        }
    }
}
