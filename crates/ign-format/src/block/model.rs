//! A block with the data of a model (spec §3.4).
//!
//! It has no text and no games, so it is read, copied, recovered and protected by parity as every other block.

use crate::{
    block::{Coding, Encoded, Fixed, Kind, decode::Block, encode::framing},
    columns::storage,
    container::{
        MAX_STREAMS_LEN, NotUnderstoodCounts,
        block_head::{Column, Head},
        checksum,
    },
    error::{Error, Result},
    models::{ModelId, Models},
};

/// Maximum length of the block of a model, in bytes. Its streams are at most half as long (spec §7).
pub const MAX_MODEL_LEN: u64 = 2 * MAX_STREAMS_LEN;

/// Encodes the data of a model of an architecture as a block, compressed at a zstd level.
///
/// # Errors
/// Internal.
pub fn encode_model(architecture: u8, data: &[u8], level: i32) -> Result<Encoded> {
    let mut body = Vec::new();
    let mut column = Column::new(Fixed::Model as u8, Vec::new(), Vec::new());
    column
        .streams
        .push(storage::compress(&mut body, data, level, false)?);
    let head = Head {
        game: Kind::Chess as u8,
        coding: Coding::Ign as u8,
        text_len: 0,
        text_checksum: checksum(b""),
        records: 0,
        games: 0,
        plies: 0,
        not_understood: NotUnderstoodCounts::default(),
        models: vec![ModelId::of_data(architecture, data)],
        tag_names: Vec::new(),
        columns: vec![column],
    };
    let check = |block: &Block| match block.model_data()? {
        Some((_, decoded)) if decoded == data => Ok(()),
        _ => Err(Error::corrupt("the data of the model differ")),
    };
    framing::complete(&head, &body, Models::builtin(), Some(check))
}

impl Block<'_> {
    /// The identity and the data of the model that the block is; `None` if it is another block.
    ///
    /// # Errors
    /// Corrupt, if the data have another hash.
    pub fn model_data(&self) -> Result<Option<(ModelId, Vec<u8>)>> {
        if self.fixed_column(Fixed::Model).is_none() {
            return Ok(None);
        }
        let [data] = self.fixed(Fixed::Model)?;
        let id = self.head().models[0];
        if ModelId::of_data(id.architecture, &data) != id {
            return Err(Error::corrupt(format!(
                "the data of the model {id} have another hash"
            )));
        }
        Ok(Some((id, data.into_owned())))
    }
}
