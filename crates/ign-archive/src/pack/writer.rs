//! The file around the blocks: header, metadata, blocks as they come, index, footer.
//!
//! One writer appends, counts and remembers lengths. It compresses nothing; its memory is a few bytes
//! per block.

use std::io::Write;

use ign_format::{
    block::encode::{Encoded, Options, PartlyText},
    container::{
        footer::{self, Footer},
        header,
        index::{BlockEntry, Index, Source},
        meta::Meta,
    },
    error::Result,
};

/// Writes one archive.
pub(crate) struct ArchiveWriter<W> {
    out: W,
    /// Bytes written.
    position: u64,
    index: Index,
    plies: u64,
    partly_text: PartlyText,
    /// Blocks of the current source.
    source_blocks: u64,
}

/// What a finished archive holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// Games.
    pub games: u64,
    /// Plies that are coded as moves.
    pub plies: u64,
    /// Bytes of text.
    pub text_len: u64,
    /// Bytes of the archive.
    pub archive_len: u64,
    /// Games of which some movetext is kept as text, because the notation cannot express it.
    pub partly_text: PartlyText,
}

impl<W: Write> ArchiveWriter<W> {
    /// Starts an archive.
    pub(super) fn new(out: W, options: &Options, block_size: u64) -> Result<Self> {
        let mut writer = Self::empty(out);
        writer.append(&header::write())?;
        let meta = Meta::new(options.coding.name(), options.level, block_size);
        writer.append(&meta.write()?)?;
        Ok(writer)
    }

    /// Starts an archive with this metadata frame.
    pub(crate) fn with_meta(out: W, meta: &[u8]) -> Result<Self> {
        let mut writer = Self::empty(out);
        writer.append(&header::write())?;
        writer.append(meta)?;
        Ok(writer)
    }

    fn empty(out: W) -> Self {
        Self {
            out,
            position: 0,
            index: Index::default(),
            plies: 0,
            partly_text: PartlyText::default(),
            source_blocks: 0,
        }
    }

    fn append(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(bytes)?;
        self.position += bytes.len() as u64;
        Ok(())
    }

    /// Appends a block.
    pub(crate) fn block(&mut self, block: &Encoded) -> Result<()> {
        self.partly_text
            .append(block.partly_text, self.index.games());
        let entry = BlockEntry {
            offset: 0,
            head_len: block.head_len as u64,
            stored_len: block.bytes.len() as u64,
            text_len: block.text_len as u64,
            text_offset: 0,
            games: block.games as u64,
            first_game: 0,
        };
        self.copied_block(&block.bytes, entry, block.plies)
    }

    /// Appends the bytes of a block of an archive, with the totals of its entry and its number of plies.
    pub(crate) fn copied_block(
        &mut self,
        bytes: &[u8],
        entry: BlockEntry,
        plies: u64,
    ) -> Result<()> {
        self.index.blocks.push(BlockEntry {
            offset: self.position,
            text_offset: self.index.text_len(),
            first_game: self.index.games(),
            ..entry
        });
        self.append(bytes)?;
        self.plies += plies;
        self.source_blocks += 1;
        Ok(())
    }

    /// Ends a source: the blocks since the last source are its text.
    pub(crate) fn source(&mut self, name: &[u8], text_len: u64, text_checksum: u64) {
        let blocks = std::mem::take(&mut self.source_blocks);
        self.index.sources.push(Source {
            name: name.to_vec(),
            text_len,
            text_checksum,
            blocks,
        });
    }

    /// Writes the index and the footer, and returns `out`.
    pub(crate) fn finish(mut self) -> Result<(W, Summary)> {
        let index_offset = self.position;
        self.append(&self.index.write())?;
        let footer = Footer {
            index_offset,
            index_len: self.position - index_offset,
            games: self.index.games(),
            plies: self.plies,
            text_len: self.index.text_len(),
            file_len: self.position + footer::LEN as u64,
        };
        self.append(&footer.write())?;
        self.out.flush()?;
        let summary = Summary {
            games: footer.games,
            plies: footer.plies,
            text_len: footer.text_len,
            archive_len: footer.file_len,
            partly_text: self.partly_text,
        };
        Ok((self.out, summary))
    }
}
