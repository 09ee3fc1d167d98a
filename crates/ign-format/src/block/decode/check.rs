//! Verification of a block against the text it was packed from.

use crate::{
    block::decode::{block::Block, render::Pass},
    error::{Error, Result},
};

impl Block<'_> {
    /// Verifies that the block unpacks to `text`, with what `pass` knows of its moves.
    ///
    /// With proven moves one game in eight, or all games of one group in eight, is decoded as a
    /// reader would. Of the others, only the integers or the streams of their groups are compared
    /// with the proven moves; likewise the moves of variations.
    ///
    /// # Errors
    /// Corrupt when it does not.
    pub(in crate::block) fn check_text(&self, text: &[u8], pass: Pass) -> Result<()> {
        let records = self.records()?;
        let mut rest = text;
        let mut compare = |out: &mut Vec<u8>| {
            rest = rest
                .strip_prefix(&out[..])
                .ok_or_else(|| Error::corrupt("the text differs"))?;
            out.clear();
            Ok(())
        };
        let mut out = Vec::new();
        let rows = records.len();
        self.render_each(&records, rows, |_| true, pass, &mut out, &mut compare)?;
        if !rest.is_empty() || self.head().text_len != text.len() {
            return Err(Error::corrupt("the text is cut off"));
        }
        Ok(())
    }
}
