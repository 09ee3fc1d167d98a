//! A column of records in parts, so that one record can be read without all before it, and
//! with a model that has learned all the same (spec §4.5.4).
//!
//! The first part begins with a model that knows nothing. Every other begins
//! with the model as the first part left it: so it knows what these games are
//! like, and yet needs no part but the first.

use crate::{
    columns::check_overrun,
    error::{Error, Result},
};
use ign_entropy::adaptive::{Coder, Decoder, Encoder, Number};

/// The streams of a column.
#[derive(Debug, Clone, Default)]
pub struct Packed {
    /// Codes of all parts.
    pub codes: Vec<u8>,
    /// Text of all parts.
    pub text: Vec<u8>,
    /// How long the parts are, coded. Empty if nothing was packed.
    pub parts: Vec<u8>,
}

/// How long a part is.
#[derive(Debug, Clone, Copy)]
struct Lengths {
    records: u64,
    /// Bytes of codes and of text.
    codes: u64,
    text: u64,
}

/// The estimates behind [`Lengths`].
#[derive(Default)]
struct LengthModel([Number<3>; 3]);

impl LengthModel {
    fn code(&mut self, coder: &mut impl Coder, given: Lengths) -> Lengths {
        let [records, codes, text] = &mut self.0;
        Lengths {
            records: records.code(coder, given.records),
            codes: codes.code(coder, given.codes),
            text: text.code(coder, given.text),
        }
    }
}

/// What a record of a part is coded by.
pub struct Turn<'p, M, C, T> {
    /// Whether it is the first of its part that is coded.
    pub is_first: bool,
    /// The model of the part.
    pub model: &'p mut M,
    /// Its codes.
    pub coder: &'p mut C,
    /// Its text.
    pub text: &'p mut T,
}

/// Packs a column, record by record.
pub struct Packer<M> {
    out: Packed,
    lengths: LengthModel,
    length_coder: Encoder,
    model: M,
    coder: Encoder,
    /// The model that parts begin with, once the first has ended.
    base: Option<M>,
    /// Whether nothing of the part is coded yet.
    is_fresh: bool,
    records: u64,
    /// Bytes of text of the parts before.
    text_before: usize,
}

impl<M: Default> Default for Packer<M> {
    fn default() -> Self {
        Self {
            out: Packed::default(),
            lengths: LengthModel::default(),
            length_coder: Encoder::new(),
            model: M::default(),
            coder: Encoder::new(),
            base: None,
            is_fresh: true,
            records: 0,
            text_before: 0,
        }
    }
}

impl<M: Clone + Default> Packer<M> {
    /// Whether the part under way is the first, from which all others learn.
    pub fn is_in_first(&self) -> bool {
        self.base.is_none()
    }

    /// What is coded of the record under way.
    pub fn record(&mut self) -> Turn<'_, M, Encoder, Vec<u8>> {
        Turn {
            is_first: std::mem::take(&mut self.is_fresh),
            model: &mut self.model,
            coder: &mut self.coder,
            text: &mut self.out.text,
        }
    }

    /// Ends a record, and perhaps the part.
    pub fn end_record(&mut self, ends_part: bool) {
        self.records += 1;
        if ends_part {
            self.end_part();
        }
    }

    fn end_part(&mut self) {
        let codes = std::mem::take(&mut self.coder).finish();
        let text = self.out.text.len() - self.text_before;
        let lengths = Lengths {
            records: self.records,
            codes: codes.len() as u64,
            text: text as u64,
        };
        self.lengths.code(&mut self.length_coder, lengths);
        self.out.codes.extend_from_slice(&codes);
        self.text_before = self.out.text.len();
        self.records = 0;
        self.is_fresh = true;
        match &self.base {
            Some(base) => self.model.clone_from(base),
            None => self.base = Some(self.model.clone()),
        }
    }

    /// The streams; all are empty if nothing was coded.
    pub fn finish(mut self) -> Packed {
        if self.is_fresh && self.base.is_none() {
            return Packed::default();
        }
        if self.records > 0 {
            self.end_part();
        }
        self.out.parts = self.length_coder.finish();
        self.out
    }
}

/// A part, and whether it is needed.
struct Part<'a> {
    records: usize,
    codes: &'a [u8],
    text: &'a [u8],
    is_first: bool,
    needed: bool,
}

/// Unpacks a column, record by record.
pub struct Unpacker<'a, M> {
    /// The parts to come, the next last.
    parts: Vec<Part<'a>>,
    /// The part under way, and the records of it that are to come.
    part: Option<Part<'a>>,
    left: usize,
    coder: Decoder<'a>,
    model: M,
    base: Option<M>,
    /// Whether nothing of the part is decoded yet.
    is_fresh: bool,
}

impl<'a, M: Clone + Default> Unpacker<'a, M> {
    /// The column of so many records; those that are not wanted may be left out.
    ///
    /// # Errors
    /// Corrupt when the parts are not those of the streams.
    pub fn new(
        [mut codes, mut text, lengths]: [&'a [u8]; 3],
        records: usize,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Self> {
        let mut first = 0;
        let mut found = Vec::new();
        let (mut model, mut coder) = (LengthModel::default(), Decoder::new(lengths));
        while first < records && !lengths.is_empty() {
            let none = Lengths {
                records: 0,
                codes: 0,
                text: 0,
            };
            let len = model.code(&mut coder, none);
            check_overrun(&coder)?;
            let count = len.records as usize;
            if !(1..=records - first).contains(&count) {
                return Err(wrong());
            }
            let take = |stream: &mut &'a [u8], len: u64| {
                let most = usize::try_from(len).unwrap_or(usize::MAX);
                stream.split_off(..most).ok_or_else(wrong)
            };
            let own_codes = take(&mut codes, len.codes)?;
            let own_text = take(&mut text, len.text)?;
            found.push(Part {
                records: count,
                codes: own_codes,
                text: own_text,
                is_first: found.is_empty(),
                needed: (first..first + count).any(&wanted),
            });
            first += count;
        }
        if !codes.is_empty() || !text.is_empty() {
            return Err(wrong());
        }
        // All others learn from the first.
        if found.iter().any(|part| part.needed) {
            found[0].needed = true;
        }
        found.reverse();
        Ok(Self {
            parts: found,
            part: None,
            left: 0,
            coder: Decoder::new(&[]),
            model: M::default(),
            base: None,
            is_fresh: true,
        })
    }

    /// The records that are decoded.
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

    /// How many records each part has, before any record is asked for.
    pub fn lens(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().rev().map(|part| part.records)
    }

    /// Leaves all records out.
    pub fn need_none(&mut self) {
        self.parts.iter_mut().for_each(|part| part.needed = false);
    }

    /// The model, as the last record that was decoded has left it.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// Goes on to the next record.
    ///
    /// # Errors
    /// Corrupt when text of the part before is left over.
    pub fn next_record(&mut self) -> Result<()> {
        if self.left == 0
            && let Some(next) = self.parts.pop()
        {
            self.begin(next)?;
        }
        self.left = self.left.saturating_sub(1);
        Ok(())
    }

    /// Whether the record is in the first part, from which all others learn.
    pub fn is_in_first(&self) -> bool {
        self.part.as_ref().is_some_and(|part| part.is_first)
    }

    /// Whether the record is in a part that is needed.
    pub fn is_needed(&self) -> bool {
        self.part.as_ref().is_some_and(|part| part.needed)
    }

    /// Decodes what the record has, which is nothing where that is not needed.
    ///
    /// # Errors
    /// Corrupt when it is in no part; those of `decode`.
    pub fn decode<T: Default>(
        &mut self,
        decode: impl FnOnce(Turn<'_, M, Decoder<'a>, &'a [u8]>) -> Result<T>,
    ) -> Result<T> {
        let missing = || Error::corrupt("a record is in no part of a column");
        let part = self.part.as_mut().ok_or_else(missing)?;
        if !part.needed {
            return Ok(T::default());
        }
        let decoded = decode(Turn {
            is_first: std::mem::take(&mut self.is_fresh),
            model: &mut self.model,
            coder: &mut self.coder,
            text: &mut part.text,
        })?;
        check_overrun(&self.coder)?;
        Ok(decoded)
    }

    fn begin(&mut self, next: Part<'a>) -> Result<()> {
        self.finish()?;
        if self.part.is_some() {
            let others = self.parts.iter().any(|part| part.needed);
            match &self.base {
                Some(base) if next.needed => self.model.clone_from(base),
                // The last that is needed may as well go on with the model itself.
                None if next.needed && others => self.base = Some(self.model.clone()),
                _ => {}
            }
        }
        self.coder = Decoder::new(next.codes);
        self.left = next.records;
        self.part = Some(next);
        self.is_fresh = true;
        Ok(())
    }

    /// Fails when text of the part under way is left over.
    ///
    /// # Errors
    /// Corrupt.
    pub fn finish(&self) -> Result<()> {
        match &self.part {
            Some(part) if part.needed && !part.text.is_empty() => {
                Err(Error::corrupt("text is left over in a part of a column"))
            }
            _ => Ok(()),
        }
    }
}

fn wrong() -> Error {
    Error::corrupt("the parts of a column do not fit its streams")
}
