//! The archives that are written, with the sources of their blocks.

use std::io::Write;

use ign_format::{
    block::{
        Coding, Kind as GameKind,
        encode::{Encoded, Options},
    },
    container::meta::Meta,
    error::{Error, Result},
};

use super::{Split, SplitPart, StoredBlock};
use crate::{
    archive::Archive,
    pack::{copy::MODEL_COPIES, texts::Texts, writer::ArchiveWriter},
    progress::{Counters, OnProgress},
    sources::{Left, Piece},
};

/// Texts of sources that become a block.
pub(super) struct NewTexts {
    pub texts: Texts,
    /// The number of games of each text.
    pub games: Vec<u64>,
    pub kind: GameKind,
    pub coding: Coding,
    /// What the texts are of the text of the archive.
    pub pieces: Vec<Piece>,
}

impl NewTexts {
    /// Nothing yet, of this kind of games.
    pub fn new(kind: GameKind, coding: Coding) -> Self {
        Self {
            texts: Texts::default(),
            games: Vec::new(),
            kind,
            coding,
            pieces: Vec::new(),
        }
    }

    /// Adds records; `continues` if the last ones are of the same source.
    pub fn push(&mut self, continues: bool, text: &[u8], piece: &Piece) {
        let games = piece.games.end - piece.games.start;
        match self.games.last_mut() {
            Some(last) if continues => {
                *last += games;
                self.texts.extend(text);
            }
            _ => {
                self.games.push(games);
                self.texts.push(text.to_vec());
            }
        }
        match self.pieces.last_mut() {
            Some(last) if last.text.end == piece.text.start => {
                last.text.end = piece.text.end;
                last.games.end = piece.games.end;
            }
            _ => self.pieces.push(piece.clone()),
        }
    }
}

/// What is written to a part.
pub(super) enum NewBlock {
    /// A block as it is in the archive.
    Stored(StoredBlock, Piece),
    /// What was encoded again: a block, or several if one has no room.
    Encoded(Vec<Encoded>, Vec<Piece>),
}

impl NewBlock {
    /// Encodes texts that must be those of their numbers of games.
    ///
    /// # Errors
    /// Unsupported if they are those of more or fewer games; internal.
    pub fn encode(new: NewTexts, level: i32) -> Result<Self> {
        let options = Options {
            coding: new.coding,
            level,
            ..Options::default()
        };
        let encoded = new.texts.encode(new.kind, &options)?;
        if encoded.games != new.games {
            let sum = |games: &[u64]| games.iter().sum::<u64>();
            return Err(Error::unsupported(format!(
                "the text of {} games alone would be packed as {} games",
                sum(&new.games),
                sum(&encoded.games)
            ))
            .with_remedy("divide the archive at other games"));
        }
        Ok(Self::Encoded(encoded.blocks, new.pieces))
    }

    /// Bytes in the archive.
    pub fn stored_len(&self) -> u64 {
        match self {
            Self::Stored(block, _) => block.bytes.len() as u64,
            Self::Encoded(blocks, _) => blocks.iter().map(|block| block.bytes.len() as u64).sum(),
        }
    }

    /// The number of blocks.
    pub fn count(&self) -> usize {
        match self {
            Self::Stored(..) => 1,
            Self::Encoded(blocks, _) => blocks.len(),
        }
    }

    /// What it is of the text of the archive.
    pub fn pieces(&self) -> &[Piece] {
        match self {
            Self::Stored(_, piece) => std::slice::from_ref(piece),
            Self::Encoded(_, pieces) => pieces,
        }
    }
}

/// The archives.
pub(super) struct Parts<'a, W> {
    archive: &'a Archive,
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
    left: Left,
    /// The most bytes that its sources take in the index.
    sources_len: u64,
}

impl<'a, W: Write> Parts<'a, W> {
    pub fn new(
        archive: &'a Archive,
        meta: &Meta,
        models: Vec<StoredBlock>,
        open: &'a mut dyn FnMut(&str) -> Result<W>,
        on_progress: OnProgress<'a>,
    ) -> Self {
        Self {
            archive,
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
            left: Left::default(),
            sources_len: 0,
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
        let last = self.parts[number].left.last();
        let new_sources = sources_len(self.archive, block, last);
        let part = &mut self.parts[number];
        part.sources_len += new_sources;
        match block {
            NewBlock::Stored(block, _) => {
                part.writer.stored_block(block)?;
                self.copied_blocks += 1;
            }
            NewBlock::Encoded(blocks, _) => {
                for block in blocks {
                    part.writer.block(block)?;
                }
                self.encoded_blocks += blocks.len() as u64;
            }
        }
        for piece in block.pieces() {
            part.left.add(self.archive.places(), piece);
            self.counters.add_bytes(piece.text.end - piece.text.start);
            self.counters.add_games(piece.games.end - piece.games.start);
        }
        self.counters.report(&mut self.on_progress)
    }

    /// The most bytes that a part would have after one more block.
    pub fn len_with(&self, number: usize, block: &NewBlock) -> u64 {
        let part = &self.parts[number];
        let sources = part.sources_len + sources_len(self.archive, block, part.left.last());
        part.writer
            .len_with(block.count(), block.stored_len(), sources)
    }

    /// Finishes all archives.
    pub fn finish(self) -> Result<Split<W>> {
        let sources = self.archive.sources();
        let finish = |mut part: PartWriter<W>| {
            for source in part.left.of(sources) {
                part.writer.source(source);
            }
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

/// The most bytes that the sources of a block take in an index, but for those of this source.
pub(super) fn sources_len(archive: &Archive, block: &NewBlock, known: Option<usize>) -> u64 {
    let pieces = block.pieces().iter();
    let within = pieces.flat_map(|piece| archive.places().within(piece));
    let (mut last, mut len) = (known, 0);
    for (source, _) in within {
        if last != Some(source) {
            len += archive.sources()[source].max_len();
        }
        last = Some(source);
    }
    len
}
