//! Blocks that are copied from archives as they are stored.

use ign_format::{
    block::is_model,
    container::{
        block_head::{Head, Prefix},
        checksum,
        frame::skippable_len,
        index::{BlockEntry, mismatch},
        stream::Stream,
        version,
    },
    error::{Error, Result},
    models::ModelId,
};

use crate::archive::Archive;

/// A block as it is stored. Its checksums have been compared, those of columns only if the version
/// of the block is one that is read; nothing is decoded.
pub(super) struct StoredBlock {
    pub bytes: Vec<u8>,
    pub prefix: Prefix,
    pub head_len: usize,
}

/// Copies of a model in an archive.
pub(crate) const MODEL_COPIES: u32 = 2;

impl StoredBlock {
    /// The identity of the model that the block is, if it is one.
    pub fn model(&self) -> Option<ModelId> {
        if self.prefix.text_len > 0 {
            return None;
        }
        let head = Head::read(&self.bytes[..self.head_len]).ok()?;
        is_model(&head).then(|| head.models[0])
    }

    /// The models of an archive, each once: blocks without text that are models, or are of a version
    /// that is not read. Damaged copies are left out.
    ///
    /// # Errors
    /// As [`read`](Self::read), but for damage.
    pub fn models(archive: &Archive) -> Result<Vec<Self>> {
        let mut models: Vec<Self> = Vec::new();
        for (number, block) in archive.blocks().iter().enumerate() {
            if block.text_len > 0 {
                continue;
            }
            let block = match Self::read(archive, number) {
                Err(error) if error.is_data_error() => continue,
                block => block?,
            };
            let id = block.model();
            let is_it = |other: &Self| match id {
                Some(_) => other.model() == id,
                None => other.bytes == block.bytes,
            };
            let may_be_model = id.is_some() || version::check(block.prefix.version).is_err();
            if may_be_model && !models.iter().any(is_it) {
                models.push(block);
            }
        }
        Ok(models)
    }

    /// Reads a block, numbered from 0.
    ///
    /// # Errors
    /// Io; cancelled; corrupt, unsupported, with the block and the file.
    pub fn read(archive: &Archive, number: usize) -> Result<Self> {
        let bytes = archive.block_bytes(number)?;
        archive.in_block(number, || Self::checked(bytes, &archive.blocks()[number]))
    }

    fn checked(bytes: Vec<u8>, entry: &BlockEntry) -> Result<Self> {
        let block = Self::of(bytes)?;
        entry.check_totals(&block.prefix)?;
        if block.head_len as u64 != entry.head_len {
            return Err(mismatch());
        }
        Ok(block)
    }

    /// The block that is all of `bytes`.
    ///
    /// # Errors
    /// Corrupt, unsupported.
    pub(super) fn of(bytes: Vec<u8>) -> Result<Self> {
        let head_len = skippable_len(&bytes)
            .map_or(bytes.len() as u64, |len| len)
            .min(bytes.len() as u64) as usize;
        let (head, body) = bytes.split_at(head_len);
        let prefix = Prefix::read(head)?;
        if prefix.body_len != body.len() as u64 {
            return Err(mismatch());
        }
        if version::check(prefix.version).is_ok() {
            Self::check_columns(&Head::read(head)?, body)?;
        }
        Ok(Self {
            prefix,
            head_len,
            bytes,
        })
    }

    /// Compares the checksums of the frames after a head.
    fn check_columns(head: &Head, mut body: &[u8]) -> Result<()> {
        for stream in head.columns.iter().flat_map(|column| &column.streams) {
            let Stream::Framed(frame) = stream else {
                continue;
            };
            let (stored, rest) = body
                .split_at_checked(frame.stored_len)
                .ok_or_else(|| Error::corrupt("the columns of a block are cut off"))?;
            if checksum(stored) != frame.checksum {
                return Err(Error::corrupt("the checksum of a column differs"));
            }
            body = rest;
        }
        Ok(())
    }
}
