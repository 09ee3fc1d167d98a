//! A block with the data of a model (spec §3.4).
//!
//! It has no text and no games, so it is read, copied, recovered and protected by parity as every
//! other block.

use crate::{
    block::{Coding, Encoded, Fixed, Kind, decode::Block, encode::framing},
    columns::storage,
    container::{
        NotUnderstoodCounts,
        block_head::{Column, Head},
        checksum,
    },
    error::{Error, Result},
    models::{ModelId, Models},
};

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

/// A model as a block, compressed at a zstd level; `None` if `models` do not have it.
///
/// # Errors
/// Those of reading the model; internal.
pub fn encode_model_of(models: &Models, id: ModelId, level: i32) -> Result<Option<Encoded>> {
    let data = models.data(id)?;
    data.map(|data| encode_model(id.architecture, &data, level))
        .transpose()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        columns::name_model::NameNetwork,
        error::Kind as ErrorKind,
        models::{Architecture as _, PUBLISHED},
    };

    /// The block of the name model after a change of its head.
    fn changed(change: impl FnOnce(&mut Head)) -> Vec<u8> {
        let bytes = encode_model(5, &NameNetwork::builtin().data(), 1)
            .unwrap()
            .bytes;
        let block = Block::open(&bytes).unwrap();
        let mut head = block.head().clone();
        let body = bytes[bytes.len() - head.body_len() as usize..].to_vec();
        change(&mut head);
        [head.write(), body].concat()
    }

    #[test]
    fn a_block_returns_the_data_of_its_model() {
        for (architecture, data) in [(5, NameNetwork::builtin().data()), (9, vec![7; 1000])] {
            let encoded = encode_model(architecture, &data, 3).unwrap();
            let block = Block::open(&encoded.bytes).unwrap();
            let (id, found) = block.model_data().unwrap().unwrap();
            assert_eq!(id, ModelId::of_data(architecture, &data));
            assert!(found == data);
            assert!(block.verified_text().unwrap().is_empty());
        }
    }

    #[test]
    fn a_model_is_alone_in_its_block() {
        assert!(Block::open(&changed(|_| {})).is_ok());
        let changes: [fn(&mut Head); 9] = [
            |head| head.coding = Coding::Weighted as u8,
            |head| head.game = Kind::Go as u8,
            |head| head.text_len = 9,
            |head| head.models.clear(),
            |head| head.models.push(PUBLISHED[0]),
            |head| head.tag_names.push(b"Event".to_vec()),
            |head| head.columns[0].flags = 1,
            |head| head.columns[0].streams.clear(),
            |head| {
                head.columns
                    .push(Column::new(Fixed::Text as u8, Vec::new(), Vec::new()))
            },
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let bytes = changed(change);
            let error = Block::open(&bytes).map(drop).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Corrupt, "change {number}");
        }
    }

    #[test]
    fn data_of_another_model_are_corrupt() {
        let bytes = changed(|head| head.models = vec![PUBLISHED[0]]);
        let block = Block::open(&bytes).unwrap();
        let error = block.model_data().unwrap_err();
        assert!(error.message().contains("have another hash"), "{error}");
        assert!(block.verified_text().is_err());
    }
}
