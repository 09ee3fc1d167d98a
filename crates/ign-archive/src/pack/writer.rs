//! The file around the blocks: header, metadata, blocks as they come, index, footer.
//!
//! One writer appends, counts and remembers lengths. It compresses nothing; its memory is a few
//! bytes per block. It starts a new archive, or continues one at its end.

use std::io::Write;

use ign_format::{
    block::{Encoded, MovesSample},
    container::{
        NotUnderstoodCounts, append_mark,
        footer::{self, Footer},
        frame, header,
        index::{BlockEntry, Index, Source},
        meta::Meta,
    },
    error::Result,
    models::ModelId,
};

use super::{copy::StoredBlock, resume::UnfinishedArchive};
use crate::{archive::Archive, models};

/// Bytes of a block in the index: five numbers and a checksum, and a share of the number of blocks.
pub(super) const MAX_ENTRY_LEN: u64 = 60;
/// Bytes of the frame of the index and of the footer.
pub(super) const AROUND_INDEX: u64 = (frame::SEAL_LEN + footer::LEN) as u64;

/// Writes one archive, or what follows the end of one.
pub(crate) struct ArchiveWriter<W> {
    out: W,
    /// Bytes of the archive so far.
    position: u64,
    index: Index,
    plies: u64,
    not_understood: NotUnderstoodCounts,
    unread: u64,
    fallbacks: Fallbacks,
    utf16: Utf16Inputs,
    models_len: u64,
    unused_models: u64,
    moves_sample: MovesSample,
    /// Sources so far.
    sources: u64,
    /// The models that the archive holds.
    models: Vec<ModelId>,
    /// The start of the archive, if it is there already.
    kept: Option<UnfinishedArchive>,
}

/// What a finished archive holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Games.
    pub games: u64,
    /// Plies that are coded as moves.
    pub plies: u64,
    /// Bytes of text.
    pub text_len: u64,
    /// Bytes of the archive.
    pub archive_len: u64,
    /// Games that are not, or only partly, understood, of those that were packed.
    pub not_understood: NotUnderstoodCounts,
    /// Bytes of text that was not read for games, because there are too many tag names for one
    /// block.
    pub unread: u64,
    /// Blocks that did not decode to their text in the requested encoding.
    pub fallbacks: Fallbacks,
    /// Inputs in UTF-16, in which no games are found.
    pub utf16: Utf16Inputs,
    /// Bytes of the copies of the models that were [given](crate::Packer::model).
    pub models_len: u64,
    /// Number of given models that no game needs; the archive does not hold them.
    pub unused_models: u64,
    /// What a sample of the moves takes with the move model that was given, and with the built-in
    /// one; zeros if none was given.
    pub moves_sample: MovesSample,
}

/// Inputs in UTF-16. If there are other inputs, they are packed as they are, as text without games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Utf16Inputs {
    /// Number of such inputs.
    pub inputs: u64,
    /// The first such input, counted from 0 among those that were packed.
    pub first: Option<u64>,
}

/// Blocks that did not decode to their text, which is a defect of this program, and that were
/// verified in a simpler encoding: games as text, or the coding of the archive that was transcoded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fallbacks {
    /// Number of such blocks.
    pub blocks: u64,
    /// The first such block, counted from 1.
    pub first: Option<u64>,
}

impl<W: Write> ArchiveWriter<W> {
    /// Starts an archive.
    pub(super) fn new(out: W, meta: &Meta) -> Result<Self> {
        Self::with_meta(out, &meta.write()?)
    }

    /// Starts an archive of which the start may be there already; `out` writes after it.
    pub(super) fn resume(out: W, meta: &Meta, kept: Option<UnfinishedArchive>) -> Result<Self> {
        Self::start(out, &meta.write()?, kept)
    }

    /// Starts an archive with this metadata frame.
    pub(crate) fn with_meta(out: W, meta: &[u8]) -> Result<Self> {
        Self::start(out, meta, None)
    }

    fn start(out: W, meta: &[u8], kept: Option<UnfinishedArchive>) -> Result<Self> {
        let mut writer = Self {
            out,
            position: 0,
            index: Index::default(),
            plies: 0,
            not_understood: NotUnderstoodCounts::default(),
            unread: 0,
            fallbacks: Fallbacks::default(),
            utf16: Utf16Inputs::default(),
            models_len: 0,
            unused_models: 0,
            moves_sample: MovesSample::default(),
            sources: 0,
            models: Vec::new(),
            kept,
        };
        writer.write(&header::write())?;
        writer.write(meta)?;
        Ok(writer)
    }

    /// Continues an archive; `out` writes after the mark of the append at its end.
    ///
    /// # Errors
    /// Those of reading the heads of its models.
    pub(super) fn after(archive: &Archive, out: W) -> Result<Self> {
        let models = models::ids(archive)?;
        Ok(Self {
            out,
            position: archive.end() + append_mark::LEN as u64,
            index: archive.block_table().clone(),
            plies: archive.plies(),
            not_understood: NotUnderstoodCounts::default(),
            unread: 0,
            fallbacks: Fallbacks::default(),
            utf16: Utf16Inputs::default(),
            models_len: 0,
            unused_models: 0,
            moves_sample: MovesSample::default(),
            sources: 0,
            models,
            kept: None,
        })
    }

    /// The start of the archive that was there already.
    pub(super) fn kept(&self) -> Option<&UnfinishedArchive> {
        self.kept.as_ref()
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let mut new = bytes;
        if let Some(kept) = &self.kept
            && let left @ 1.. = kept.len().saturating_sub(self.position)
        {
            let known = usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()));
            kept.compare(&bytes[..known], self.position)?;
            new = &bytes[known..];
        }
        self.out.write_all(new)?;
        self.position += bytes.len() as u64;
        Ok(())
    }

    /// Bytes of the archive if it were finished after some more blocks of `more` bytes, with
    /// sources of this length, at most.
    pub(super) fn len_with(&self, blocks: usize, more: u64, sources: u64) -> u64 {
        let blocks = (self.index.blocks.len() + blocks) as u64;
        self.position + more + sources + blocks * MAX_ENTRY_LEN + AROUND_INDEX
    }

    /// Whether the archive holds a model.
    pub(super) fn has_model(&self, id: ModelId) -> bool {
        self.models.contains(&id)
    }

    /// Notes that the archive holds a model.
    pub(super) fn add_model(&mut self, id: ModelId) {
        self.models.push(id);
    }

    /// Appends a block that was encoded.
    pub(crate) fn block(&mut self, block: &Encoded) -> Result<()> {
        self.not_understood.add(&block.not_understood);
        self.unread += block.unread as u64;
        if let Some(sample) = block.moves_sample {
            self.moves_sample.with_model += sample.with_model;
            self.moves_sample.with_builtin += sample.with_builtin;
        }
        if block.is_fallback {
            self.fallbacks.blocks += 1;
            let number = self.index.blocks.len() as u64 + 1;
            self.fallbacks.first.get_or_insert(number);
        }
        let stored_len = block.bytes.len();
        let entry = BlockEntry::new(block.head_len, stored_len, block.text_len, block.games);
        self.copied_block(&block.bytes, entry, block.plies)
    }

    /// Appends a block of another archive.
    pub(super) fn stored_block(&mut self, block: &StoredBlock) -> Result<()> {
        let (head_len, stored_len) = (block.head_len, block.bytes.len());
        let (text_len, games) = (block.prefix.text_len, block.prefix.games);
        let entry = BlockEntry::new(head_len, stored_len, text_len, games);
        self.copied_block(&block.bytes, entry, block.prefix.plies)
    }

    /// Appends the bytes of a block, with its lengths, its number of games and its number of plies.
    pub(crate) fn copied_block(
        &mut self,
        bytes: &[u8],
        mut entry: BlockEntry,
        plies: u64,
    ) -> Result<()> {
        let head = &bytes[..entry.head_len as usize];
        entry.offset = self.position;
        entry.head_checksum = frame::stored_checksum(head).unwrap_or_default();
        entry.text_offset = self.index.text_len();
        entry.first_game = self.index.games();
        self.index.blocks.push(entry);
        self.write(bytes)?;
        self.plies += plies;
        Ok(())
    }

    /// Adds a source. The text of all sources is that of all blocks.
    pub(crate) fn source(&mut self, source: Source) {
        self.sources += 1;
        self.index.sources.push(source);
    }

    /// Writes the index and the footer, and returns `out`. `before_footer` is called between them.
    pub(super) fn finish_with(
        mut self,
        before_footer: impl FnOnce(&mut W) -> Result<()>,
    ) -> Result<(W, Summary)> {
        let index_offset = self.position;
        self.write(&self.index.write_checked()?)?;
        before_footer(&mut self.out)?;
        let footer = Footer {
            index_offset,
            index_len: self.position - index_offset,
            games: self.index.games(),
            plies: self.plies,
            text_len: self.index.text_len(),
            file_len: self.position + footer::LEN as u64,
        };
        self.write(&footer.write())?;
        self.out.flush()?;
        let summary = Summary {
            games: footer.games,
            plies: footer.plies,
            text_len: footer.text_len,
            archive_len: footer.file_len,
            not_understood: self.not_understood,
            unread: self.unread,
            fallbacks: self.fallbacks,
            utf16: self.utf16,
            models_len: self.models_len,
            unused_models: self.unused_models,
            moves_sample: self.moves_sample,
        };
        Ok((self.out, summary))
    }

    /// Notes that the source that is added next is in UTF-16.
    pub(crate) fn note_utf16(&mut self) {
        self.utf16.inputs += 1;
        self.utf16.first.get_or_insert(self.sources);
    }

    /// Counts the copies of a model.
    pub(super) fn count_model(&mut self, copies: u32, len: usize) {
        self.models_len += u64::from(copies) * len as u64;
    }

    /// Notes how many models no game needs.
    pub(super) fn note_unused_models(&mut self, count: usize) {
        self.unused_models = count as u64;
    }

    /// Writes the index and the footer, and returns `out`.
    pub(crate) fn finish(self) -> Result<(W, Summary)> {
        self.finish_with(|_| Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Archive, ErrorKind, Input, Packer};

    #[test]
    fn refuses_names_that_readers_reject() {
        let packed = |len: usize| {
            let input = Input::reader("a".repeat(len), &b"1. e4 *\n"[..]);
            Packer::new().pack([input], Vec::new())
        };
        let (bytes, _) = packed(1 << 16).unwrap();
        Archive::from_read_at(bytes, "a.ign").unwrap();
        let error = packed((1 << 16) + 1).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert!(error.message().contains("65537 bytes"), "{error}");
    }
}
