//! First values: for each entry of the first reference, the first value that came with it.
//!
//! They are stored in the head of the column (spec §4.3.1), so that a player's title costs no bits
//! in later parts, whose statistics start fresh.

use ign_entropy::adaptive::{Bit, Coder};

use super::{
    model::{Keys, Model, PAIRED, UNKNOWN},
    values::Values,
};
use crate::{
    columns::table::Table,
    container::block_head::Column,
    error::{Error, Result},
};

/// Number of bits of the number of first values (spec §4.3.1).
const COUNT_BITS: u32 = 32;

/// The entry of each first value, by the entry of the key; `None` for a key without a value.
#[derive(Debug, Default)]
pub(super) struct FirstValues(Vec<Option<u32>>);

impl FirstValues {
    /// Finds the first values in the first `rows` rows. Also returns the values of the column with
    /// entries renumbered by first appearance in the head, then in the rows.
    pub fn find(table: &Table, column: &Column, values: &Values, rows: usize) -> (Self, Values) {
        let mut first_values = Vec::new();
        let mut entries = values.entries.iter();
        for row in 0..rows {
            for &tag in &column.tags {
                if !table.span(tag, row).is_present() {
                    continue;
                }
                let entry = *entries.next().expect("an entry for each value");
                if let Some(key) = first_key(table, column, row) {
                    let key = key as usize;
                    first_values.resize(first_values.len().max(key + 1), None);
                    first_values[key] = first_values[key].or(Some(entry));
                }
            }
        }
        let mut renumbered = Values {
            entries: values.entries.clone(),
            spans: Vec::new(),
        };
        let mut numbers = vec![None; values.spans.len()];
        let all = first_values.iter_mut().flatten();
        for entry in all.chain(&mut renumbered.entries) {
            let old = *entry as usize;
            *entry = *numbers[old].get_or_insert_with(|| {
                renumbered.spans.push(values.spans[old]);
                renumbered.spans.len() as u32 - 1
            });
        }
        (Self(first_values), renumbered)
    }

    /// Codes the first values, at most `max` of them, and calls `on_new` with each new entry.
    ///
    /// # Errors
    /// Corrupt, if there are too many, or the codes name an entry that has not appeared.
    pub fn code(
        &mut self,
        coder: &mut impl Coder,
        flags: u8,
        max: usize,
        mut on_new: impl FnMut(u32),
    ) -> Result<()> {
        let count = coder.uniform(self.0.len() as u64, COUNT_BITS) as usize;
        if count > max {
            return Err(Error::corrupt(
                "a dictionary column has more keys than there are values",
            ));
        }
        self.0.resize(count, None);
        let mut model = Model::new(flags & !PAIRED, 0);
        let mut present = [Bit::new(); 2];
        let mut was_present = false;
        for first_value in &mut self.0 {
            was_present = coder.bit(
                &mut present[usize::from(was_present)],
                first_value.is_some(),
            );
            if was_present {
                let known = model.known();
                let entry = first_value.unwrap_or(UNKNOWN);
                *first_value = Some(model.code(coder, Keys::default(), None, entry)?);
                if model.known() > known {
                    on_new(known);
                }
            }
        }
        Ok(())
    }

    /// The first value of the key of a row.
    #[inline]
    pub fn of(&self, table: &Table, column: &Column, row: usize) -> Option<u32> {
        if self.0.is_empty() {
            return None;
        }
        *self.0.get(first_key(table, column, row)? as usize)?
    }
}

/// The entry of the first reference in a row.
fn first_key(table: &Table, column: &Column, row: usize) -> Option<u32> {
    let span = table.span(*column.refs.first()?, row);
    table.dictionary_numbers.get(&span).copied()
}
