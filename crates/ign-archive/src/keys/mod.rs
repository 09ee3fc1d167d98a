//! Properties of games by which they are counted and sorted: each is read from columns of a scan.

mod key;
mod values;

use ign_format::error::{Error, Result};
use rustc_hash::FxHashMap;

pub use self::key::GameKey;
pub(crate) use self::values::Coded;
pub use self::values::KeyValue;
use crate::scan::{Batch, ScanColumn};

/// The columns that the values of keys are read from, key by key.
pub(crate) fn columns(keys: &[GameKey]) -> Vec<ScanColumn> {
    keys.iter().flat_map(GameKey::columns).collect()
}

/// The values of keys in a batch that has their [`columns`].
///
/// # Errors
/// Internal if the batch has other columns.
pub(crate) fn read(batch: &Batch, keys: &[GameKey]) -> Result<Vec<Coded>> {
    let mut rest = batch.columns();
    let mut read = |key: &GameKey| {
        let (columns, others) = rest
            .split_at_checked(key.columns().len())
            .ok_or_else(|| Error::internal("a batch lacks a column"))?;
        rest = others;
        Coded::read(key, columns)
    };
    keys.iter().map(&mut read).collect()
}

/// The distinct values of a key in all batches, by number.
#[derive(Debug, Default)]
pub(crate) struct Dictionary(FxHashMap<KeyValue, u32>);

impl Dictionary {
    /// The numbers of values. Those that did not occur before get the next numbers.
    pub fn codes_of(&mut self, values: Vec<KeyValue>) -> Vec<u32> {
        let code = |value| {
            let next = self.0.len() as u32;
            *self.0.entry(value).or_insert(next)
        };
        values.into_iter().map(code).collect()
    }

    /// The values, in the order of their numbers.
    pub fn into_values(self) -> Vec<KeyValue> {
        let mut values = vec![KeyValue::Missing; self.0.len()];
        for (value, code) in self.0 {
            values[code as usize] = value;
        }
        values
    }
}
