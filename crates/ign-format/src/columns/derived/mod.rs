//! Derived columns: values that follow from the moves, such as the number of plies or the final
//! position (spec §4.3.7).
//!
//! The codes hold for each record whether its value is the derived one, and the details of a FEN
//! that the position does not determine. Any other value is a line of the text. A derived value is
//! left as [`Span::derived`] in the table; whoever replays the game computes it
//! ([`Derivation::value`]). So a reader replays only the games that it needs.

pub(super) mod derivation;

use std::borrow::Cow;

use ign_entropy::adaptive::{Bit, Coder, Number};

pub use self::derivation::{Derivation, DerivedTag, FenDetails, GameEnd};
use super::{
    parts::Packer,
    rows,
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
#[derive(Default)]
struct Model {
    is_text: RepeatedBit,
    has_clock: RepeatedBit,
    has_unused_en_passant: RepeatedBit,
    clock: Number,
}

impl Model {
    /// Codes the details of a derived value, or `None` for a line of text.
    ///
    /// # Errors
    /// Corrupt, if the clock is too large.
    fn code(
        &mut self,
        coder: &mut impl Coder,
        derivation: Derivation,
        details: Option<FenDetails>,
    ) -> Result<Option<FenDetails>> {
        if self.is_text.code(coder, details.is_none()) {
            return Ok(None);
        }
        let given = details.unwrap_or_default();
        let mut details = FenDetails::default();
        if derivation == Derivation::Position {
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
    let derivation = Derivation::from_flags(column.flags);
    rows::encode::<Model>(table, column, Packer::default(), |model, coder, row| {
        let details = derived.and_then(|(_, derived)| derived.rows[row]);
        let coded = model.code(coder, derivation, details)?;
        Ok(coded.is_some())
    })
}

/// Decodes the column in the parts that the table needs. Derived values become
/// [`Span::derived`].
///
/// # Errors
/// Corrupt, if the streams end early.
pub fn decode(table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
    let streams = codes_and_text(streams)?;
    let derivation = Derivation::from_flags(column.flags);
    rows::decode::<Model>(table, column, streams, |model, coder, table, row| {
        let Some(details) = model.code(coder, derivation, None)? else {
            return Ok(false);
        };
        table.set(column.tags[0], row, Span::derived(details.to_number()));
        Ok(true)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_a_clock_beyond_16_bits() {
        use ign_entropy::adaptive::{Decoder, Encoder};
        let mut coder = Encoder::new();
        let mut model = Model::default();
        model.is_text.code(&mut coder, false);
        model.has_clock.code(&mut coder, true);
        model.clock.code(&mut coder, 1 << 16);
        let bytes = coder.finish();
        let mut decoder = Decoder::new(&bytes);
        let read = Model::default().code(&mut decoder, Derivation::Position, None);
        assert!(read.is_err());
    }
}
