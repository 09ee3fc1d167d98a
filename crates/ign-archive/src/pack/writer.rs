//! The file around the blocks: header, metadata, blocks as they come, index, footer.
//!
//! One writer appends, counts and remembers lengths. It compresses nothing; its memory is a few bytes
//! per block. It starts a new archive, or continues one at its end.

use std::io::Write;

use ign_format::{
    block::encode::{Encoded, PartlyText},
    container::{
        SourceChecksum,
        block_head::Head,
        footer::{self, Footer},
        header,
        index::{BlockEntry, Index, Source},
        meta::Meta,
    },
    error::Result,
};

use crate::archive::Archive;

/// Writes one archive, or what follows the end of one.
pub(crate) struct ArchiveWriter<W> {
    out: W,
    /// Bytes of the archive so far.
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
    /// Games of which some movetext is kept as text, because the notation cannot express it. Games that
    /// were copied without decoding are not examined.
    pub partly_text: PartlyText,
}

impl<W: Write> ArchiveWriter<W> {
    /// Starts an archive.
    pub(crate) fn new(out: W, meta: &Meta) -> Result<Self> {
        let mut writer = Self {
            out,
            position: 0,
            index: Index::default(),
            plies: 0,
            partly_text: PartlyText::default(),
            source_blocks: 0,
        };
        writer.write(&header::write())?;
        writer.write(&meta.write()?)?;
        Ok(writer)
    }

    /// Continues an archive; `out` writes at its end.
    pub(crate) fn after(archive: &Archive, out: W) -> Self {
        Self {
            out,
            position: archive.file_len(),
            index: archive.index().clone(),
            plies: archive.plies(),
            partly_text: PartlyText::default(),
            source_blocks: 0,
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(bytes)?;
        self.position += bytes.len() as u64;
        Ok(())
    }

    /// Bytes of the archive if it were finished now.
    pub(crate) fn finished_len(&self) -> u64 {
        self.position + self.index.write().len() as u64 + footer::LEN as u64
    }

    /// Appends a block that was encoded.
    pub(crate) fn block(&mut self, block: &Encoded) -> Result<()> {
        self.partly_text
            .append(block.partly_text, self.index.games());
        let [head_len, text_len, games] = [block.head_len, block.text_len, block.games];
        let totals = [head_len, text_len, games].map(|n| n as u64);
        self.add_block(&block.bytes, totals, block.plies)
    }

    /// Appends a block of another archive. `head` is its head, of `head_len` bytes.
    pub(crate) fn copied_block(&mut self, bytes: &[u8], head: &Head, head_len: u64) -> Result<()> {
        let totals = [head_len, head.text_len as u64, head.games as u64];
        self.add_block(bytes, totals, head.plies)
    }

    fn add_block(&mut self, bytes: &[u8], totals: [u64; 3], plies: u64) -> Result<()> {
        let [head_len, text_len, games] = totals;
        self.index.blocks.push(BlockEntry {
            offset: self.position,
            head_len,
            stored_len: bytes.len() as u64,
            text_len,
            text_offset: self.index.text_len(),
            games,
            first_game: self.index.games(),
        });
        self.write(bytes)?;
        self.plies += plies;
        self.source_blocks += 1;
        Ok(())
    }

    /// Ends a source: the blocks since the last source are its text. Their number is counted here.
    pub(crate) fn source(&mut self, source: Source) {
        let blocks = std::mem::take(&mut self.source_blocks);
        self.index.sources.push(Source { blocks, ..source });
    }

    /// Ends a source that is a part of an input: the blocks since the last source, which have texts of
    /// this length and checksum. Without such blocks nothing is added.
    pub(crate) fn part(&mut self, name: &[u8], text_len: u64, checksum: &SourceChecksum) {
        if self.source_blocks > 0 {
            self.source(Source {
                name: name.to_vec(),
                text_len,
                is_part: true,
                text_checksum: checksum.value(),
                blocks: 0,
            });
        }
    }

    /// Writes the index and the footer, and returns `out`. `before_footer` is called between them.
    pub(crate) fn finish_with(
        mut self,
        before_footer: impl FnOnce(&mut W) -> Result<()>,
    ) -> Result<(W, Summary)> {
        let index_offset = self.position;
        self.write(&self.index.write())?;
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
            partly_text: self.partly_text,
        };
        Ok((self.out, summary))
    }

    /// Writes the index and the footer, and returns `out`.
    pub(crate) fn finish(self) -> Result<(W, Summary)> {
        self.finish_with(|_| Ok(()))
    }
}
