//! Which records keep some movetext as text.

#[cfg(feature = "go")]
use crate::block::{Kind, go};
use crate::{
    block::decode::{block::Block, records::Records},
    error::Result,
};

impl Block<'_> {
    /// For each record whether it keeps some movetext as text.
    ///
    /// # Errors
    /// Corrupt.
    pub fn keeps_text(&self, records: &Records) -> Result<Vec<bool>> {
        #[cfg(feature = "go")]
        if self.kind() == Kind::Go {
            return go::keeps_text(self, records);
        }
        self.layouts_keep_text(records)
    }
}
