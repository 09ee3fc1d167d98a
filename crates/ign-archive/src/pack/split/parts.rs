//! The archives that are written, with the sources of their blocks.

use std::io::Write;

use ign_format::{
    block::{
        Coding, Kind as GameKind,
        encode::{Encoded, Options, encode_kind},
    },
    container::{SourceChecksum, checksum, index::Source, meta::Meta},
    error::{Error, Result},
};

use super::{Split, SplitPart, StoredBlock};
use crate::{
    archive::Archive,
    pack::{copy::MODEL_COPIES, writer::ArchiveWriter},
    progress::{Counters, OnProgress},
};

/// Text that becomes a block.
pub(super) struct Text {
    pub text: Vec<u8>,
    pub games: u64,
    pub kind: GameKind,
    pub coding: Coding,
}

/// A block to write.
pub(super) enum NewBlock {
    /// As it is in the archive.
    Stored(StoredBlock),
    /// Encoded again, with the checksum of its text.
    Encoded(Encoded, u64),
}

impl NewBlock {
    /// Encodes text that must be that of its number of games.
    ///
    /// # Errors
    /// Unsupported if it is that of more or fewer games; internal.
    pub fn encode(text: Text, level: i32) -> Result<Self> {
        let sum = checksum(&text.text);
        let options = Options {
            coding: text.coding,
            level,
            ..Options::default()
        };
        let block = encode_kind(text.kind, text.text, &options)?;
        if block.games as u64 != text.games {
            return Err(Error::unsupported(format!(
                "the text of {} games alone would be packed as {} games",
                text.games, block.games
            ))
            .with_remedy("divide the archive at other games"));
        }
        Ok(Self::Encoded(block, sum))
    }

    /// Bytes in the archive.
    pub fn stored_len(&self) -> u64 {
        match self {
            Self::Stored(block) => block.bytes.len() as u64,
            Self::Encoded(block, _) => block.bytes.len() as u64,
        }
    }
}

/// The archives.
pub(super) struct Parts<'a, W> {
    meta: Meta,
    /// The models of the archive, which every part gets.
    models: Vec<StoredBlock>,
    open: &'a mut dyn FnMut(&str) -> Result<W>,
    on_progress: OnProgress<'a>,
    counters: Counters,
    parts: Vec<PartWriter<W>>,
    copied_blocks: u64,
    encoded_blocks: u64,
}

struct PartWriter<W> {
    name: String,
    writer: ArchiveWriter<W>,
    source: SourceSoFar,
}

/// The blocks of the current source in a part.
struct SourceSoFar {
    text_len: u64,
    checksum: SourceChecksum,
    copied: u64,
    encoded: u64,
}

impl SourceSoFar {
    fn new() -> Self {
        Self {
            text_len: 0,
            checksum: SourceChecksum::part(),
            copied: 0,
            encoded: 0,
        }
    }
}

impl<'a, W: Write> Parts<'a, W> {
    pub fn new(
        meta: &Meta,
        models: Vec<StoredBlock>,
        open: &'a mut dyn FnMut(&str) -> Result<W>,
        on_progress: OnProgress<'a>,
    ) -> Self {
        Self {
            meta: Meta::new(&meta.coding, meta.level, meta.block_size),
            models,
            open,
            on_progress,
            counters: Counters::default(),
            parts: Vec::new(),
            copied_blocks: 0,
            encoded_blocks: 0,
        }
    }

    /// Starts the next part.
    pub fn start(&mut self, name: &str) -> Result<()> {
        let mut part = PartWriter {
            name: name.to_owned(),
            writer: ArchiveWriter::new((self.open)(name)?, &self.meta)?,
            source: SourceSoFar::new(),
        };
        for model in &self.models {
            for _ in 0..MODEL_COPIES {
                part.writer.stored_block(model)?;
            }
        }
        self.parts.push(part);
        Ok(())
    }

    /// Bytes of the models in each part.
    pub fn models_len(&self) -> u64 {
        let lens = self.models.iter().map(|model| model.bytes.len() as u64);
        u64::from(MODEL_COPIES) * lens.sum::<u64>()
    }

    /// Writes a block to a part.
    pub fn write(&mut self, number: usize, block: &NewBlock) -> Result<()> {
        let part = &mut self.parts[number];
        let (text_len, text_checksum, games) = match block {
            NewBlock::Stored(block) => {
                part.writer.stored_block(block)?;
                part.source.copied += 1;
                self.copied_blocks += 1;
                (
                    block.prefix.text_len,
                    block.prefix.text_checksum,
                    block.prefix.games,
                )
            }
            NewBlock::Encoded(block, text_checksum) => {
                part.writer.block(block)?;
                part.source.encoded += 1;
                self.encoded_blocks += 1;
                (block.text_len, *text_checksum, block.games)
            }
        };
        part.source.text_len += text_len as u64;
        part.source
            .checksum
            .add_checksum(text_len as u64, text_checksum);
        self.counters.add_bytes(text_len as u64);
        self.counters.add_games(games as u64);
        self.counters.report(&mut self.on_progress)
    }

    /// The most bytes that a part would have after one more block.
    pub fn len_with(&self, number: usize, source: &Source, block: &NewBlock) -> u64 {
        let more = block.stored_len() + (source.name.len() + source.sha256_len()) as u64;
        self.parts[number].writer.len_with(more)
    }

    /// Ends the current source, which is this one and has this number of blocks with text, in all parts.
    pub fn end_source(&mut self, source: &Source, all: u64) {
        for part in &mut self.parts {
            let blocks = part.source.copied + part.source.encoded;
            if blocks == 0 {
                continue;
            }
            let so_far = std::mem::replace(&mut part.source, SourceSoFar::new());
            match so_far.copied {
                copied if copied == all && so_far.encoded == 0 => {
                    part.writer.source(source.clone());
                }
                _ => part.writer.source(Source {
                    name: source.name.clone(),
                    text_len: so_far.text_len,
                    is_part: true,
                    text_checksum: so_far.checksum.value(),
                    sha256: None,
                    blocks,
                }),
            }
        }
    }

    /// Finishes all archives.
    pub fn finish(self) -> Result<Split<W>> {
        let finish = |part: PartWriter<W>| {
            let (out, summary) = part.writer.finish()?;
            Ok(SplitPart {
                name: part.name,
                out,
                summary,
            })
        };
        let parts: Result<Vec<_>> = self.parts.into_iter().map(finish).collect();
        Ok(Split {
            parts: parts?,
            copied_blocks: self.copied_blocks,
            encoded_blocks: self.encoded_blocks,
        })
    }
}

/// For each block of an archive the number of its source, and whether it is the last block of it.
pub(super) fn sources_of_blocks(archive: &Archive) -> impl Iterator<Item = (usize, bool)> + use<> {
    let sources = archive.sources().to_vec();
    sources
        .into_iter()
        .enumerate()
        .flat_map(|(number, source)| {
            (1..=source.blocks).map(move |block| (number, block == source.blocks))
        })
}

/// For each source of an archive the number of its blocks that have text: all but models.
pub(super) fn blocks_with_text(archive: &Archive) -> Vec<u64> {
    let mut counts = vec![0; archive.sources().len()];
    for ((source, _), block) in sources_of_blocks(archive).zip(archive.blocks()) {
        counts[source] += u64::from(block.text_len > 0);
    }
    counts
}
