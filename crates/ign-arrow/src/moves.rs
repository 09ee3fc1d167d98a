//! The dictionary of moves, shared by all batches.

use std::sync::{Arc, LazyLock};

use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use ign_archive::uci_moves;

/// The UCI notation of every move, by its code.
pub(crate) fn dictionary() -> ArrayRef {
    static MOVES: LazyLock<ArrayRef> = LazyLock::new(|| {
        let moves = uci_moves();
        let offsets = OffsetBuffer::new(ScalarBuffer::from(moves.offsets().to_vec()));
        let text = Buffer::from(moves.text().as_bytes());
        Arc::new(StringArray::new(offsets, text, None))
    });
    MOVES.clone()
}
