//! Columns of lists: flat items, and where the items of each row are.

use std::ops::Range;

use super::values::Validity;
use crate::offsets::{item, offset};
use ign_format::error::Result;

/// A list for each row, in the memory layout of an Arrow list array: the items of all rows follow
/// each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lists<T> {
    offsets: Vec<i32>,
    validity: Validity,
    items: T,
}

impl<T: Default> Default for Lists<T> {
    fn default() -> Self {
        Self {
            offsets: vec![0],
            validity: Validity::default(),
            items: T::default(),
        }
    }
}

impl<T> Lists<T> {
    /// Appends a row: the items that were added since the last row, of which there are `len` now.
    ///
    /// # Errors
    /// Unsupported beyond 2³¹ items.
    pub(super) fn end_row(&mut self, len: usize, is_valid: bool) -> Result<()> {
        self.offsets.push(offset(len)?);
        self.validity.push(is_valid);
        Ok(())
    }

    /// Items, to be added before [`end_row`](Self::end_row).
    pub(super) fn items_mut(&mut self) -> &mut T {
        &mut self.items
    }

    /// The number of items of the rows that have ended.
    pub(super) fn last_end(&self) -> usize {
        self.offsets.last().map_or(0, |&end| end as usize)
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.validity.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.validity.is_empty()
    }

    /// The index of the first item of each row, and the number of all items.
    pub fn offsets(&self) -> &[i32] {
        &self.offsets
    }

    /// Which rows are not null. The list of a null row is empty.
    pub fn validity(&self) -> &Validity {
        &self.validity
    }

    /// The items of all rows.
    pub fn items(&self) -> &T {
        &self.items
    }

    /// Where the items of a row are; `None` if the row is null, or there are fewer rows.
    pub fn range(&self, row: usize) -> Option<Range<usize>> {
        let is_valid = self.validity.is_valid(row);
        is_valid.then(|| item(&self.offsets, row)).flatten()
    }

    /// Offsets, validity and items.
    pub fn into_parts(self) -> (Vec<i32>, Validity, T) {
        (self.offsets, self.validity, self.items)
    }
}

impl<T> Lists<Vec<T>> {
    /// The list of a row; `None` if it is null, or there are fewer rows.
    pub fn get(&self, row: usize) -> Option<&[T]> {
        self.range(row).map(|range| &self.items[range])
    }
}
