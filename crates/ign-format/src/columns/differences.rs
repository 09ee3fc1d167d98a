//! Integers coded as differences, for columns of [`dates`](super::dates) and
//! [`numbers`](super::numbers).

use crate::error::{Error, Result};
use ign_entropy::adaptive::{Bit, Coder, Signed};

/// The statistics of a part.
#[derive(Default)]
pub struct Differences {
    is_text: [Bit; 2],
    was_text: bool,
    from_reference: Signed,
    from_before: Signed,
    /// The last value.
    before: i64,
}

impl Differences {
    /// Codes the difference of a value from the reference or, if there is none, from the last
    /// value; returns the sum, which `add` makes of base and difference. `None` stands for text.
    ///
    /// # Errors
    /// Corrupt, if there is no such sum.
    pub fn code(
        &mut self,
        coder: &mut impl Coder,
        reference: Option<i64>,
        value: Option<i64>,
        difference: impl Fn(i64, i64) -> i64,
        add: impl Fn(i64, i64) -> Option<i64>,
    ) -> Result<Option<i64>> {
        let is_text = &mut self.is_text[usize::from(self.was_text)];
        self.was_text = coder.bit(is_text, value.is_none());
        if self.was_text {
            return Ok(None);
        }
        let (model, base) = match reference {
            Some(base) => (&mut self.from_reference, base),
            None => (&mut self.from_before, self.before),
        };
        let given = value.map_or(0, |value| difference(base, value));
        let sum = add(base, model.code(coder, given));
        self.before = sum.ok_or_else(|| Error::corrupt("a number is out of range"))?;
        Ok(Some(self.before))
    }
}
