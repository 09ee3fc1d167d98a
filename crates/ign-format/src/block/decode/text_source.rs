//! The loop that writes the text of a block: the texts of its records one after the other.

use super::selection::Selection;
use crate::error::Result;

/// The source of the texts of the records of a block, in order.
pub(in crate::block) trait TextSource {
    /// Goes to the next record, and appends its text to `out` if it is selected.
    ///
    /// # Errors
    /// Corrupt.
    fn next(&mut self, row: usize, selected: bool, out: &mut Vec<u8>) -> Result<()>;

    /// Fails if columns hold more than the records.
    ///
    /// # Errors
    /// Corrupt.
    fn finish(self) -> Result<()>;
}

/// Appends the texts of the selected records, and calls `look` after each.
///
/// # Errors
/// Corrupt, and those of `look`.
pub(in crate::block) fn append_selected(
    mut texts: impl TextSource,
    selection: &Selection,
    out: &mut Vec<u8>,
    look: &mut impl FnMut(&mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    for row in 0..selection.rows {
        let selected = selection.contains(row);
        texts.next(row, selected, out)?;
        if selected {
            look(out)?;
        }
    }
    if selection.rows == selection.records() {
        texts.finish()?;
    }
    Ok(())
}
