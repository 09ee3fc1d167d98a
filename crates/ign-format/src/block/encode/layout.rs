//! Stage 5: the layouts of the records become the layout column.

use crate::{
    error::Result,
    pgn::layout::{Layout, LayoutModel},
};
use ign_entropy::adaptive::Encoder;

/// Encodes the layouts, record by record.
#[derive(Default)]
pub struct LayoutEncoder {
    model: LayoutModel,
    coder: Encoder,
}

impl LayoutEncoder {
    /// The model after the last record.
    pub fn model(&self) -> &LayoutModel {
        &self.model
    }

    /// Adds a record.
    ///
    /// # Errors
    /// Internal.
    pub fn push(&mut self, layout: &mut Layout) -> Result<()> {
        self.model.code(&mut self.coder, layout)
    }

    /// The codes of the column.
    pub fn finish(self) -> Vec<u8> {
        self.coder.finish()
    }
}
