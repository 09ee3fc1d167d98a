//! A column in parts, so that a record is decoded without most of the records before it (spec
//! §4.5.4).
//!
//! The first part starts with an unadapted model. Every other part starts with the model as the
//! first part left it. So all parts profit from adaptation, and each needs only the first part.

use crate::{
    columns::check_overrun,
    error::{Error, Result},
};
use ign_entropy::adaptive::{Coder, Decoder, Encoder, Number};

/// Streams of a column.
#[derive(Debug, Clone, Default)]
pub struct Packed {
    /// Codes of all parts.
    pub codes: Vec<u8>,
    /// Text of all parts.
    pub text: Vec<u8>,
    /// Coded lengths of the parts; empty if nothing was packed.
    pub parts: Vec<u8>,
}

/// Lengths of a part.
#[derive(Debug, Clone, Copy)]
struct Lengths {
    records: u64,
    /// Number of bytes of codes and of text.
    codes: u64,
    text: u64,
}

/// Model of the [`Lengths`].
#[derive(Debug, Default)]
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

/// State of the current part, with which its next record is coded.
#[derive(Debug)]
pub struct PartState<'p, M, C, T> {
    /// Whether nothing of the part has been coded yet.
    pub is_first: bool,
    /// The part's model.
    pub model: &'p mut M,
    /// Coder of the part's codes.
    pub coder: &'p mut C,
    /// The part's text.
    pub text: &'p mut T,
}

/// Packs a column, record by record.
#[derive(Debug)]
pub struct Packer<M> {
    out: Packed,
    lengths: LengthModel,
    length_coder: Encoder,
    model: M,
    coder: Encoder,
    /// The model that parts start with; `None` during the first part.
    base: Option<M>,
    /// Whether nothing of the part has been coded yet.
    is_fresh: bool,
    records: u64,
    /// Length of the text of earlier parts.
    text_before: usize,
}

impl<M: Clone + Default> Default for Packer<M> {
    fn default() -> Self {
        Self::new(M::default())
    }
}

impl<M: Clone> Packer<M> {
    /// A packer whose first part starts with this model.
    pub fn new(model: M) -> Self {
        Self {
            out: Packed::default(),
            lengths: LengthModel::default(),
            length_coder: Encoder::new(),
            model,
            coder: Encoder::new(),
            base: None,
            is_fresh: true,
            records: 0,
            text_before: 0,
        }
    }

    /// Whether the current part is the first.
    pub fn is_in_first(&self) -> bool {
        self.base.is_none()
    }

    /// The state with which the current record is coded.
    pub fn record(&mut self) -> PartState<'_, M, Encoder, Vec<u8>> {
        PartState {
            is_first: std::mem::take(&mut self.is_fresh),
            model: &mut self.model,
            coder: &mut self.coder,
            text: &mut self.out.text,
        }
    }

    /// Ends a record, and the part if `ends_part`.
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

    /// The streams; all empty if nothing was coded.
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

/// A part of an unpacker.
#[derive(Debug)]
struct Part<'a> {
    records: usize,
    codes: &'a [u8],
    text: &'a [u8],
    is_first: bool,
    needed: bool,
}

/// Unpacks a column, record by record.
#[derive(Debug)]
pub struct Unpacker<'a, M> {
    /// The remaining parts, in reverse order.
    parts: Vec<Part<'a>>,
    /// The current part, and the number of its remaining records.
    part: Option<Part<'a>>,
    left: usize,
    coder: Decoder<'a>,
    model: M,
    base: Option<M>,
    /// Whether nothing of the part has been decoded yet.
    is_fresh: bool,
}

impl<'a, M: Clone> Unpacker<'a, M> {
    /// An unpacker of a column with this number of records, whose first part starts with
    /// `first_model`. Records that are not wanted may be
    /// skipped.
    ///
    /// # Errors
    /// Returns a corruption error if the parts do not fit the streams.
    pub fn new(
        first_model: M,
        [mut codes, mut text, lengths]: [&'a [u8]; 3],
        records: usize,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Self> {
        let mut first = 0;
        let mut found = Vec::new();
        let (mut model, mut coder) = (LengthModel::default(), Decoder::new(lengths));
        while first < records && !lengths.is_empty() {
            let any = Lengths {
                records: 0,
                codes: 0,
                text: 0,
            };
            let len = model.code(&mut coder, any);
            check_overrun(&coder)?;
            let count = len.records as usize;
            if !(1..=records - first).contains(&count) {
                return Err(mismatch());
            }
            let take = |stream: &mut &'a [u8], len: u64| {
                let len = usize::try_from(len).unwrap_or(usize::MAX);
                stream.split_off(..len).ok_or_else(mismatch)
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
            return Err(mismatch());
        }
        // Every part needs the first.
        if found.iter().any(|part| part.needed) {
            found[0].needed = true;
        }
        found.reverse();
        Ok(Self {
            parts: found,
            part: None,
            left: 0,
            coder: Decoder::new(&[]),
            model: first_model,
            base: None,
            is_fresh: true,
        })
    }

    /// Numbers of the records that are decoded.
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

    /// Number of records in each remaining part.
    pub fn lens(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().rev().map(|part| part.records)
    }

    /// Skips all records.
    pub fn skip_all(&mut self) {
        self.parts.iter_mut().for_each(|part| part.needed = false);
    }

    /// The model after the last decoded record.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// Goes to the next record.
    ///
    /// # Errors
    /// Returns a corruption error if text of the previous part is left over.
    pub fn next_record(&mut self) -> Result<()> {
        if self.left == 0
            && let Some(next) = self.parts.pop()
        {
            self.begin(next)?;
        }
        self.left = self.left.saturating_sub(1);
        Ok(())
    }

    /// Whether the current record is in the first part.
    pub fn is_in_first(&self) -> bool {
        self.part.as_ref().is_some_and(|part| part.is_first)
    }

    /// Whether the current record is in a part that is decoded.
    pub fn is_needed(&self) -> bool {
        self.part.as_ref().is_some_and(|part| part.needed)
    }

    /// Decodes the current record; returns the default if its part is skipped.
    ///
    /// # Errors
    /// Returns a corruption error if the record is in no part, and the errors of `decode`.
    pub fn decode<T: Default>(
        &mut self,
        decode: impl FnOnce(PartState<'_, M, Decoder<'a>, &'a [u8]>) -> Result<T>,
    ) -> Result<T> {
        let missing = || Error::corrupt("a column has fewer parts than records");
        let part = self.part.as_mut().ok_or_else(missing)?;
        if !part.needed {
            return Ok(T::default());
        }
        let decoded = decode(PartState {
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
                // The last part needs no copy of the model.
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

    /// Checks that no text of the current part is left over.
    ///
    /// # Errors
    /// Returns a corruption error otherwise.
    pub fn finish(&self) -> Result<()> {
        match &self.part {
            Some(part) if part.needed && !part.text.is_empty() => {
                Err(Error::corrupt("text is left over in a part of a column"))
            }
            _ => Ok(()),
        }
    }
}

fn mismatch() -> Error {
    Error::corrupt("the parts of a column do not fit its streams")
}
