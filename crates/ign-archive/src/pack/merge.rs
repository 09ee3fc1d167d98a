//! Merging: the blocks of several archives in one, copied without decoding.

use std::{collections::BTreeMap, io::Write, thread};

use ign_format::{
    container::meta::{MIXED, Meta},
    error::{Error, Result},
    models::ModelId,
};

use super::{
    Summary,
    copy::{MODEL_COPIES, StoredBlock},
    writer::ArchiveWriter,
};
use crate::{
    archive::Archive,
    ordered::ordered,
    progress::{Counters, OnProgress, progress_setter},
};

/// Threads that read blocks and compare their checksums. Writing takes longer.
const READERS: usize = 2;

/// Writes the games of archives, one archive after the other, into one archive. Blocks are copied
/// as they are: nothing is decoded, but the checksums of all frames are compared. Codings may
/// differ. The text of the new archive is that of the archives in this order, and their inputs are
/// its inputs.
///
/// ```
/// use ign_archive::{Archive, Input, Merger, Packer};
///
/// let archive = |name: &str, text: &'static str| {
///     let input = Input::reader(name, text.as_bytes());
///     let (bytes, _) = Packer::new().pack([input], Vec::new())?;
///     Archive::from_read_at(bytes, name)
/// };
/// let archives = [archive("one", "1. e4 *\n")?, archive("two", "1. d4 *\n")?];
/// let (bytes, summary) = Merger::new().merge(&archives, Vec::new())?;
/// assert_eq!(summary.games, 2);
/// let mut text = Vec::new();
/// Archive::from_read_at(bytes, "both")?.unpack(&mut text)?;
/// assert_eq!(text, b"1. e4 *\n1. d4 *\n");
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Merger<'p> {
    on_progress: OnProgress<'p>,
}

impl<'p> Merger<'p> {
    /// A merger without a callback.
    pub fn new() -> Self {
        Self::default()
    }

    progress_setter!();

    /// Merges archives. Returns `out` and what the archive holds. The bytes of the progress are
    /// those of archives.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if there are no archives, or damaged blocks of one are
    /// [left out](Archive::open_damaged); [`Io`](crate::ErrorKind::Io), also of `out`;
    /// [`Corrupt`](crate::ErrorKind::Corrupt) if a frame of a block is damaged;
    /// [`Cancelled`](crate::ErrorKind::Cancelled).
    pub fn merge<W: Write>(mut self, archives: &[Archive], out: W) -> Result<(W, Summary)> {
        archives.iter().try_for_each(Archive::check_complete)?;
        let mut writer = ArchiveWriter::new(out, &meta_of(archives)?)?;
        let counters = Counters::default();
        let jobs = archives.iter().flat_map(|archive| {
            let blocks = 0..archive.blocks().len();
            blocks.map(move |block| Ok((archive, block)))
        });
        thread::scope(|scope| {
            let read = |(archive, block)| StoredBlock::read(archive, block);
            // Each model is kept twice.
            let mut models: BTreeMap<ModelId, u32> = BTreeMap::new();
            for block in ordered(scope, READERS, jobs, read) {
                let block = block?;
                if let Some(model) = block.model() {
                    let copies = models.entry(model).or_default();
                    *copies += 1;
                    if *copies > MODEL_COPIES {
                        continue;
                    }
                }
                writer.stored_block(&block)?;
                counters.add_bytes(block.bytes.len() as u64);
                counters.add_games(block.prefix.games as u64);
                counters.report(&mut self.on_progress)?;
            }
            Ok::<_, Error>(())
        })?;
        let sources = archives.iter().flat_map(|archive| archive.sources());
        sources.for_each(|source| writer.source(source.clone()));
        writer.finish()
    }
}

/// The metadata of an archive that is merged: level and block size are those of the first archive.
fn meta_of(archives: &[Archive]) -> Result<Meta> {
    let [first, others @ ..] = archives else {
        return Err(Error::usage("there are no archives to merge"));
    };
    let first = first.meta()?;
    let mut coding = first.coding.clone();
    for other in others {
        if other.meta()?.coding != coding {
            coding = MIXED.to_owned();
        }
    }
    Ok(Meta::new(&coding, first.level, first.block_size))
}

#[cfg(test)]
mod tests {
    use ign_format::{
        block::decode::Block,
        container::{block_head::Head, checksum, stream::Stream},
    };

    use super::*;
    use crate::{Coding, ErrorKind, Input, Packer};

    fn archive(name: &str, text: &str, coding: Coding) -> Vec<u8> {
        let input = Input::reader(name, std::io::Cursor::new(text.to_owned()));
        let packer = Packer::new().coding(coding).block_size(1 << 12);
        packer.pack([input], Vec::new()).unwrap().0
    }

    fn open(bytes: &[u8]) -> Archive {
        Archive::from_read_at(bytes.to_vec(), "a.ign").unwrap()
    }

    #[test]
    fn merge_of_packed_inputs_is_the_archive_that_packs_them_together() {
        let game = "[Event \"?\"]\n[Site \"x\"]\n\n1. e4 e5 2. Nf3 *\n\n";
        let texts = [
            game.repeat(300),
            String::new(),
            "no game\n".repeat(900),
            // Shorter ones would share a block if they were packed together.
            game.repeat(100),
        ];
        for &coding in Coding::ALL {
            let archives: Vec<_> = texts
                .iter()
                .map(|text| open(&archive("a", text, coding)))
                .collect();
            let inputs = texts
                .clone()
                .map(|text| Input::reader("a", std::io::Cursor::new(text)));
            let packer = Packer::new().coding(coding).block_size(1 << 12);
            let (packed, expected) = packer.pack(inputs, Vec::new()).unwrap();
            let (merged, summary) = Merger::new().merge(&archives, Vec::new()).unwrap();
            assert!(merged == packed);
            assert_eq!(summary, expected);
        }
    }

    #[test]
    fn codings_may_differ() {
        let texts = ["1. e4 *\n\n", "1. d4 *\n\n", "1. c4 *\n\n"];
        let archives: Vec<_> = texts
            .into_iter()
            .zip(Coding::ALL.iter().copied())
            .map(|(text, coding)| open(&archive("a", text, coding)))
            .collect();
        let merged = open(&Merger::new().merge(&archives, Vec::new()).unwrap().0);
        assert_eq!(merged.meta().unwrap().coding, "mixed");
        merged.verify().unwrap();
        assert_eq!(merged.game(3).unwrap().pgn().unwrap(), b"1. c4 *\n\n");
    }

    fn invert(bytes: &mut [u8]) {
        bytes.iter_mut().for_each(|byte| *byte = !*byte);
    }

    /// An archive whose columns are noise, with the checksums of the noise.
    fn of_noise(archive: &Archive) -> Vec<u8> {
        let meta = archive.meta().unwrap();
        let mut writer = ArchiveWriter::new(Vec::new(), &meta).unwrap();
        for number in 0..archive.blocks().len() {
            let mut block = StoredBlock::read(archive, number).unwrap();
            let mut head = Head::read(&block.bytes[..block.head_len]).unwrap();
            let mut at = block.head_len;
            for stream in head.columns.iter_mut().flat_map(|c| &mut c.streams) {
                match stream {
                    Stream::Inline(codes) | Stream::InlineMixed { codes, .. } => invert(codes),
                    Stream::Framed(frame) => {
                        let stored = &mut block.bytes[at..at + frame.stored_len];
                        invert(stored);
                        frame.checksum = checksum(stored);
                        at += frame.stored_len;
                    }
                }
            }
            let head = head.write();
            block.bytes[..head.len()].copy_from_slice(&head);
            writer.stored_block(&block).unwrap();
        }
        writer.source(archive.sources()[0].clone());
        writer.finish().unwrap().0
    }

    #[test]
    fn no_block_is_decoded() {
        let mut text = Vec::new();
        ign_sample::Sample::new(60, 1).write(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let noise = open(&of_noise(&open(&archive("a", &text, Coding::Weighted))));
        let blocks = noise.blocks().len();
        assert!(blocks > 3);
        for block in 0..blocks {
            let bytes = noise.block_bytes(block).unwrap();
            assert!(Block::open(&bytes).and_then(|block| block.text()).is_err());
        }
        let (merged, summary) = Merger::new()
            .merge(&[noise.clone(), noise.clone()], Vec::new())
            .unwrap();
        assert_eq!(summary.games, 120);
        let merged = open(&merged);
        for block in 0..2 * blocks {
            let bytes = merged.block_bytes(block).unwrap();
            assert!(bytes == noise.block_bytes(block % blocks).unwrap());
        }
    }

    #[test]
    fn detects_every_flipped_byte_of_a_block() {
        let game = "[Event \"a long name, so that there are frames\"]\n\n1. e4 {%} e5 2. Nf3 *\n\n";
        let bytes = archive("a", &game.repeat(80), Coding::Ign);
        let whole = open(&bytes);
        let block = whole.blocks()[0];
        for at in block.offset..block.offset + block.stored_len {
            let mut bad = bytes.clone();
            bad[at as usize] ^= 4;
            let error = Merger::new()
                .merge(&[whole.clone(), open(&bad)], Vec::new())
                .unwrap_err();
            assert_eq!(
                (error.kind(), error.block()),
                (ErrorKind::Corrupt, Some(1)),
                "{at}"
            );
        }
        assert_eq!(
            Merger::new().merge(&[], Vec::new()).unwrap_err().kind(),
            ErrorKind::Usage
        );
    }
}
