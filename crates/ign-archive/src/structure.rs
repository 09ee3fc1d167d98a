//! The structure of an archive: what its blocks hold, column by column.

pub use crate::superseded::OtherFrames;
pub use ign_format::container::{index::BlockEntry, meta::Meta};

use std::collections::{BTreeMap, BTreeSet};

use ign_format::{
    block::{Coding, Kind as GameKind, decode::Block, is_model, uses_name_model},
    columns::Codec,
    container::{
        NotUnderstoodCounts,
        block_head::{Column, Prefix},
        footer, header,
        stream::{Compression, Stream as StoredStream},
        version,
    },
    error::Result,
    models::ModelId,
};

use crate::archive::Archive;

/// The structure of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlockStructure {
    /// Chess or Go.
    pub kind: GameKind,
    /// The coding of the moves.
    pub coding: Coding,
    /// The number of records: games, and texts that are none.
    pub records: u64,
    /// The number of games.
    pub games: u64,
    /// The number of plies that are coded as moves.
    pub plies: u64,
    /// The games that are not, or only partly, understood.
    pub not_understood: NotUnderstoodCounts,
    /// The model, if it is the block of one: then it has no records.
    pub model: Option<ModelId>,
    /// The models that it needs, if it is not the block of one.
    pub needed_models: Vec<ModelId>,
    /// The columns, in the order of the block.
    pub columns: Vec<ColumnStructure>,
}

/// A column of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ColumnStructure {
    /// The name: that of a tag, or of a fixed column.
    pub name: String,
    /// The codec; `fixed` for a column that has a form of its own.
    pub codec: &'static str,
    /// Whether characters of names are coded by the name model.
    pub uses_name_model: bool,
    /// The streams.
    pub streams: Vec<StreamStructure>,
}

/// A stream of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct StreamStructure {
    /// Whether it is in the head of the block, not in a frame of its own.
    pub is_inline: bool,
    /// How it is compressed: `plain`, `zstd`, `mixed`.
    pub compression: &'static str,
    /// Bytes before compression.
    pub len: u64,
    /// Bytes in the archive.
    pub stored_len: u64,
}

/// Sums over all blocks, and the sizes of the other frames.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Structure {
    /// The versions of the format that blocks need, with the number of their blocks. An archive
    /// without blocks has the version that this program writes.
    pub versions: BTreeMap<u8, u64>,
    /// Blocks of a version that this program does not read. Their columns and reasons are in no
    /// total.
    pub unread_blocks: u64,
    /// The games that are not, or only partly, understood.
    pub not_understood: NotUnderstoodCounts,
    /// By the name of the column.
    pub columns: BTreeMap<String, ColumnTotal>,
    /// The codings of moves that occur.
    pub codings: BTreeSet<&'static str>,
    /// The models that the archive holds.
    pub models: BTreeMap<ModelId, HeldModel>,
    /// The models that blocks of games need. Those that the archive does not hold are built in, or
    /// missing.
    pub needed_models: BTreeSet<ModelId>,
    /// Bytes of the header.
    pub header_len: u64,
    /// Bytes of the metadata.
    pub meta_len: u64,
    /// Bytes of the heads of blocks.
    pub heads_len: u64,
    /// Bytes of the block table.
    pub block_table_len: u64,
    /// Bytes of the footer.
    pub footer_len: u64,
}

/// A model that an archive holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeldModel {
    /// The blocks that hold it, numbered from 0.
    pub blocks: Vec<usize>,
    /// Bytes of these blocks.
    pub stored_len: u64,
}

/// A column in all blocks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
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

impl Structure {
    /// Streams with a frame of their own.
    pub fn column_frames(&self) -> u64 {
        self.columns.values().map(|total| total.frames).sum()
    }

    fn add(&mut self, number: usize, entry: &BlockEntry, block: &BlockStructure) {
        if let Some(id) = block.model {
            let model = self.models.entry(id).or_default();
            model.blocks.push(number);
            model.stored_len += entry.stored_len;
        } else {
            self.codings.insert(block.coding.name());
            self.needed_models.extend(&block.needed_models);
        }
        for column in &block.columns {
            let total = self.columns.entry(column.name.clone()).or_default();
            total.codec = column.codec;
            total.blocks += 1;
            for stream in &column.streams {
                total.len += stream.len;
                total.stored_len += stream.stored_len;
                total.frames += u64::from(!stream.is_inline);
            }
        }
    }
}

impl Archive {
    /// The structure of the archive. All blocks are read, and nothing is decoded. `visit` receives
    /// the structure of each block of a version that this program reads, numbered from 0.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt); those of `visit`.
    pub fn structure(
        &self,
        mut visit: impl FnMut(usize, &BlockStructure) -> Result<()>,
    ) -> Result<Structure> {
        let mut all = Structure {
            header_len: header::LEN as u64,
            meta_len: self.meta()?.write()?.len() as u64,
            block_table_len: self.footer().index_len,
            footer_len: footer::LEN as u64,
            ..Structure::default()
        };
        for number in self.will_read_all() {
            let bytes = self.block_bytes(number)?;
            let head_len = self.blocks()[number].head_len;
            all.heads_len += head_len;
            let prefix = self.in_block(number, || Prefix::read(&bytes[..head_len as usize]))?;
            *all.versions.entry(prefix.version).or_default() += 1;
            if version::check(prefix.version).is_err() {
                all.unread_blocks += 1;
                continue;
            }
            let block = self.in_block(number, || Ok(BlockStructure::of(&Block::open(&bytes)?)))?;
            all.not_understood.add(&block.not_understood);
            all.add(number, &self.blocks()[number], &block);
            visit(number, &block)?;
        }
        if all.versions.is_empty() {
            all.versions.insert(version::STRUCTURE, 0);
        }
        Ok(all)
    }
}

impl BlockStructure {
    fn of(block: &Block) -> Self {
        let head = block.head();
        let column = |column: &Column| ColumnStructure {
            name: block.column_name(column),
            codec: Codec::from_number(column.codec).map_or("fixed", Codec::name),
            uses_name_model: uses_name_model(column),
            streams: column.streams.iter().map(StreamStructure::of).collect(),
        };
        Self {
            kind: block.kind(),
            coding: block.coding(),
            records: head.records as u64,
            games: head.games as u64,
            plies: head.plies,
            not_understood: head.not_understood,
            model: is_model(head).then(|| head.models[0]),
            needed_models: if is_model(head) {
                Vec::new()
            } else {
                head.models.clone()
            },
            columns: head.columns.iter().map(column).collect(),
        }
    }
}

impl StreamStructure {
    fn of(stream: &StoredStream) -> Self {
        let (is_inline, compression) = match stream {
            StoredStream::Inline(_) => (true, Compression::None),
            StoredStream::InlineMixed { .. } => (true, Compression::Mixed),
            StoredStream::Framed(frame) => (false, frame.compression),
        };
        Self {
            is_inline,
            compression: match compression {
                Compression::None => "plain",
                Compression::Zstd => "zstd",
                Compression::Mixed => "mixed",
            },
            len: stream.stream_len() as u64,
            stored_len: stream.stored_len() as u64,
        }
    }
}
