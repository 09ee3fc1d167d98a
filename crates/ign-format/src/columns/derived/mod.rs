//! Derived columns: values that follow from the moves, such as the number of plies or the final
//! position (spec §4.3.7).
//!
//! The codes hold for each record whether its value is the derived one, and the details of a FEN
//! that the position does not determine. Any other value is a line of the text. A derived value is
//! left as [`Span::derived`] in the table; whoever replays the game computes it
//! ([`Derivation::value`]). So a reader replays only the games that it needs.

pub(super) mod derivation;

use std::borrow::Cow;

use ign_entropy::adaptive::{Bit, Coder, Encoder, Number};

pub use self::derivation::{Derivation, DerivedTag, FenDetails, GameEnd};
use super::{
    parts,
    streams::{Streams, codes_and_text},
    table::{Span, Table},
};
use crate::{
    container::block_head::Column,
    error::{Error, Result},
};

/// Number of bits of a file (spec §4.3.7).
const FILE_BITS: u32 = 3;

/// An adaptive bit with the last answer as its context.
#[derive(Default)]
struct RepeatedBit {
    bits: [Bit; 2],
    last: bool,
}

impl RepeatedBit {
    fn code(&mut self, coder: &mut impl Coder, bit: bool) -> bool {
        self.last = coder.bit(&mut self.bits[usize::from(self.last)], bit);
        self.last
    }
}

/// The statistics of a part.
struct Model {
    derivation: Derivation,
    is_text: RepeatedBit,
    has_clock: RepeatedBit,
    has_unused_en_passant: RepeatedBit,
    clock: Number,
}

impl Model {
    fn new(flags: u8) -> Self {
        Self {
            derivation: Derivation::from_flags(flags),
            is_text: RepeatedBit::default(),
            has_clock: RepeatedBit::default(),
            has_unused_en_passant: RepeatedBit::default(),
            clock: Number::default(),
        }
    }

    /// Codes the details of a derived value, or `None` for a line of text.
    ///
    /// # Errors
    /// Corrupt, if the clock is too large.
    fn code(
        &mut self,
        coder: &mut impl Coder,
        details: Option<FenDetails>,
    ) -> Result<Option<FenDetails>> {
        if self.is_text.code(coder, details.is_none()) {
            return Ok(None);
        }
        let given = details.unwrap_or_default();
        let mut details = FenDetails::default();
        if self.derivation == Derivation::Position {
            if self.has_clock.code(coder, given.clock.is_some()) {
                let plies = self.clock.code(coder, given.clock.unwrap_or(0).into());
                let clock = u16::try_from(plies)
                    .map_err(|_| Error::corrupt("the half-move clock of a FEN is too large"))?;
                details.clock = Some(clock);
            }
            let given = given.unused_en_passant;
            if self.has_unused_en_passant.code(coder, given.is_some()) {
                let file = coder.uniform(given.unwrap_or(0).into(), FILE_BITS);
                details.unused_en_passant = Some(file as u8);
            }
        }
        Ok(Some(details))
    }
}

/// Encodes the column, as the derivations in [`Table::derived`] allow.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    let tag = column.tags[0];
    let derived = table.derived.iter().find(|(t, _)| *t == tag);
    let mut out = parts::Packer::default();
    for rows in parts::of(table.rows) {
        let mut coder = Encoder::new();
        let mut model = Model::new(column.flags);
        for row in rows {
            let Some(value) = table.value(tag, row) else {
                continue;
            };
            let details = derived.and_then(|(_, derived)| derived.rows[row]);
            let coded = model.code(&mut coder, details);
            if coded.expect("the clock is in range").is_none() {
                out.line(value);
            }
        }
        out.end(coder);
    }
    out.finish()
}

/// Decodes the column in the parts that the table needs. Derived values become
/// [`Span::derived`].
///
/// # Errors
/// Corrupt, if the streams end early.
pub fn decode(table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
    let (codes, lines) = codes_and_text(streams)?;
    let tag = column.tags[0];
    for (mut part, mut lines) in parts::open(table, codes, lines)? {
        let mut model = Model::new(column.flags);
        for row in part.rows.clone() {
            if !table.span(tag, row).is_present() {
                continue;
            }
            let span = match model.code(&mut part.coder, None)? {
                Some(details) => Span::derived(details.to_number()),
                None => table.add(lines.next_line()?),
            };
            table.set(tag, row, span);
            part.check()?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_a_clock_beyond_16_bits() {
        use ign_entropy::adaptive::Decoder;
        let mut coder = Encoder::new();
        let mut model = Model::new(Derivation::Position as u8);
        model.is_text.code(&mut coder, false);
        model.has_clock.code(&mut coder, true);
        model.clock.code(&mut coder, 1 << 16);
        let bytes = coder.finish();
        let read = Model::new(Derivation::Position as u8).code(&mut Decoder::new(&bytes), None);
        assert!(read.is_err());
    }
}
