//! Arrays of moves, which share one dictionary.

use std::sync::{Arc, LazyLock};

use arrow_array::{ArrayRef, DictionaryArray, Int16Array, StringArray};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use ign_archive::{Result, uci_moves};

use crate::{arrays::unpacked, encoding::Encoding, error::error_of_arrow};

/// The UCI notation of every move, by its code.
static MOVES: LazyLock<ArrayRef> = LazyLock::new(|| {
    let moves = uci_moves();
    let offsets = OffsetBuffer::new(ScalarBuffer::from(moves.offsets().to_vec()));
    let text = Buffer::from(moves.text().as_bytes());
    Arc::new(StringArray::new(offsets, text, None))
});

/// Moves by their codes.
///
/// # Errors
/// Internal if there is no such code; unsupported if the text exceeds 2 GiB.
pub(crate) fn array(codes: Int16Array, encoding: Encoding) -> Result<ArrayRef> {
    let moves = DictionaryArray::try_new(codes, MOVES.clone()).map_err(error_of_arrow)?;
    if encoding.moves {
        Ok(Arc::new(moves))
    } else {
        unpacked(&moves)
    }
}
