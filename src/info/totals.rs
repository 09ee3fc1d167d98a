//! Sums over all blocks of an archive.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use ign_archive::format::{
    block::decode::Block,
    columns::Codec,
    container::{index::Index, stream::Stream},
};

/// The games of each source, counted from 0.
pub fn games_of_sources(index: &Index) -> Vec<Range<u64>> {
    let mut blocks = index.blocks.iter();
    let mut first = 0;
    let games = index.sources.iter().map(|source| {
        let count = source.block_count();
        let own: u64 = blocks.by_ref().take(count).map(|block| block.games).sum();
        let games = first..first + own;
        first = games.end;
        games
    });
    games.collect()
}

/// Sums over blocks.
#[derive(Default)]
pub struct Totals {
    /// By the name of the column.
    pub columns: BTreeMap<String, ColumnTotal>,
    /// The codings of moves that occur.
    pub codings: BTreeSet<&'static str>,
    /// Bytes of block heads.
    pub head_len: u64,
}

/// A column in all blocks.
#[derive(Default)]
pub struct ColumnTotal {
    /// The codec of the last block.
    pub codec: &'static str,
    /// Blocks with this column.
    pub blocks: u64,
    /// Bytes before compression.
    pub len: u64,
    /// Bytes in the archive.
    pub stored_len: u64,
    /// Streams with a frame of their own; the others are stored in the block head.
    pub frames: u64,
}

impl Totals {
    /// Adds a block. Its head takes `head_len` bytes.
    pub fn add(&mut self, block: &Block, head_len: u64) {
        self.head_len += head_len;
        self.codings.insert(block.coding().name());
        for column in &block.head().columns {
            let total = self.columns.entry(block.column_name(column)).or_default();
            total.codec = codec_name(column.codec);
            total.blocks += 1;
            for stream in &column.streams {
                total.len += stream.stream_len() as u64;
                total.stored_len += stream.stored_len() as u64;
                total.frames += u64::from(matches!(stream, Stream::Framed(_)));
            }
        }
    }

    /// Streams with a frame of their own.
    pub fn column_frames(&self) -> u64 {
        self.columns.values().map(|total| total.frames).sum()
    }
}

/// The name of a codec; columns without a codec have a fixed form.
pub fn codec_name(number: u8) -> &'static str {
    Codec::from_number(number).map_or("fixed", Codec::name)
}
