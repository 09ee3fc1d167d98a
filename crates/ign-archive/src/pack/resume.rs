//! Packing that goes on after it was stopped.
//!
//! ```text
//! part    header | metadata | block | block | … | block | half a block
//! inputs  ───────────────────── text ─────────────────────────────────── more text
//!                               compared with the checksums of blocks    encoded
//! ```
//!
//! A packer that is stopped leaves the start of an archive. Blocks depend on the inputs and the
//! options alone, so a later run reads the inputs again from their start, cuts them as the first
//! one did, and takes each block that is whole instead of encoding its text, if the text has the
//! checksum that the block states. All else that the writer writes before the end of the last whole
//! block is compared with the bytes that are there. So the finished archive is the one of a run
//! that was not stopped.

use std::{fs::File, sync::Arc};

use ign_format::{
    block::{Encoded, Options, decode::Block},
    container::{
        block_head::{self, Head},
        checksum,
        frame::{self, skippable_len},
        header,
        meta::Meta,
    },
    error::{Error, Result},
    models::ModelId,
};

use super::{
    copy::StoredBlock,
    texts::{EncodedTexts, Texts},
};
use crate::{
    new_file::NewFile,
    source::{ReadAt, read_exact},
};

/// What a packer that was stopped has left: the start of an archive, up to the end of its last
/// whole block.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.ign");
/// use ign_archive::{Input, NewFile, Packer, pack::UnfinishedArchive};
///
/// let games = || Input::reader("games.pgn", std::io::Cursor::new("1. e4 e5 *\n".repeat(1000)));
/// let packer = || Packer::new().block_size(4096);
/// // This run ends early, with some of the blocks in games.ign.part.
/// let stopped = packer()
///     .on_progress(|_| std::ops::ControlFlow::Break(()))
///     .pack([games()], NewFile::resume(&path, false)?);
/// assert!(stopped.is_err() && !path.exists());
///
/// let file = NewFile::resume(&path, false)?;
/// let kept = UnfinishedArchive::of(&file)?;
/// assert_eq!(kept.blocks(), 1);
/// let (file, _) = packer().resume(kept).pack([games()], file)?;
/// file.finish()?;
///
/// let (whole, _) = packer().pack([games()], Vec::new())?;
/// assert_eq!(std::fs::read(&path)?, whole);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct UnfinishedArchive {
    file: Arc<File>,
    /// Where the last whole block ends; 0 if nothing is whole.
    len: u64,
    /// The blocks with text.
    blocks: Arc<Vec<KeptBlock>>,
    games: u64,
}

/// A whole block of the part.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeptBlock {
    offset: u64,
    len: u64,
    text_len: u64,
    text_checksum: u64,
}

impl UnfinishedArchive {
    /// Finds the whole blocks of a file that was [kept](NewFile::resume), by their checksums, and
    /// removes what follows the last of them.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Usage`](crate::ErrorKind::Usage) if it is not the start of
    /// an archive.
    pub fn of(file: &NewFile) -> Result<Self> {
        let find = || {
            let found = Self::find(file.as_file())?;
            file.as_file().set_len(found.len)?;
            Ok(found)
        };
        find().map_err(|e: Error| e.in_file(file.temporary_path()))
    }

    fn find(file: &File) -> Result<Self> {
        let mut kept = Self {
            file: Arc::new(file.try_clone()?),
            len: 0,
            blocks: Arc::default(),
            games: 0,
        };
        let size = file.size()?;
        let header = header::write();
        let known = size.min(header.len() as u64);
        if read_exact(file, 0, known)? != header[..known as usize] {
            return Err(
                Error::usage("is not what a stopped ign pack of this version has left")
                    .with_remedy("remove it, or name another archive"),
            );
        }
        let after_header = header.len() as u64;
        let Some(meta) = frame_at(file, after_header, size, frame::Kind::Meta)? else {
            return Ok(kept);
        };
        if Meta::read(&meta).is_err() {
            return Ok(kept);
        }
        kept.len = after_header + meta.len() as u64;
        let mut blocks = Vec::new();
        while let Some(block) = block_at(file, kept.len, size)? {
            let len = block.bytes.len() as u64;
            if block.prefix.text_len > 0 {
                blocks.push(KeptBlock {
                    offset: kept.len,
                    len,
                    text_len: block.prefix.text_len as u64,
                    text_checksum: block.prefix.text_checksum,
                });
            }
            kept.games += block.prefix.games as u64;
            kept.len += len;
        }
        kept.blocks = Arc::new(blocks);
        Ok(kept)
    }

    /// Whole blocks with text.
    pub fn blocks(&self) -> u64 {
        self.blocks.len() as u64
    }

    /// Games of these blocks.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Bytes of text of these blocks.
    pub fn text_len(&self) -> u64 {
        self.blocks.iter().map(|block| block.text_len).sum()
    }

    /// Bytes of the archive that are kept.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The blocks with text, in order.
    pub(super) fn each_block(&self) -> impl Iterator<Item = KeptBlock> + Send + '_ {
        self.blocks.iter().copied()
    }

    /// The blocks of texts, if they have these texts; `None` if some of them are missing.
    ///
    /// # Errors
    /// Usage, if they were packed from other texts or with other models; io.
    pub(super) fn encoded(
        &self,
        known: &[KeptBlock],
        texts: &Texts,
        options: &Options,
    ) -> Result<Option<EncodedTexts>> {
        let mut rest = &texts.text[..];
        let mut encoded = EncodedTexts::default();
        // The texts whose ends are not found yet, and the games of the first of them so far.
        let mut ends = texts.ends.iter().peekable();
        let (mut games, mut last_end) = (0, 0);
        let mut is_divided = true;
        for &block in known {
            let text = usize::try_from(block.text_len).unwrap_or(usize::MAX);
            let Some(text) = rest.split_off(..text) else {
                return Err(differs("an input has changed since"));
            };
            let first = texts.text.len() - rest.len() - text.len();
            let block = self.block(block, text, options)?;
            if texts.ends.len() <= 1 {
                games += block.games as u64;
            } else {
                // The archive would not have the games of each text.
                let decoded = Block::open_with(&block.bytes, &options.models)?;
                let records = decoded.records()?;
                let mut number = 0;
                decoded.text_by_record(&records, None, |end| {
                    while let Some(&text) = ends.next_if(|&&text| text < first + end) {
                        is_divided &= text == last_end;
                        encoded.games.push(std::mem::take(&mut games));
                    }
                    last_end = first + end;
                    games += u64::from(records.is_game(number));
                    number += 1;
                })?;
            }
            encoded.blocks.push(block);
        }
        if !rest.is_empty() {
            return Ok(None);
        }
        if !is_divided {
            return Err(differs("its inputs were others"));
        }
        for _ in ends {
            encoded.games.push(std::mem::take(&mut games));
        }
        Ok(Some(encoded))
    }

    /// A block, if it has this text.
    ///
    /// # Errors
    /// Usage, if it was packed from other text or with other models; io.
    fn block(&self, block: KeptBlock, text: &[u8], options: &Options) -> Result<Encoded> {
        let text_len = text.len() as u64;
        if text_len != block.text_len || checksum(text) != block.text_checksum {
            return Err(differs("an input has changed since"));
        }
        let block = StoredBlock::of(read_exact(&*self.file, block.offset, block.len)?)?;
        let head = Head::read(&block.bytes[..block.head_len])?;
        let is_preferred = |id: ModelId| options.models.preferred_id(id.architecture) == Some(id);
        if !head.models.iter().copied().all(is_preferred) {
            return Err(differs("it was packed with other models"));
        }
        Ok(Encoded {
            head_len: block.head_len,
            text_len: head.text_len,
            models: head.models,
            games: head.games,
            games_of_texts: vec![head.games as u64],
            plies: head.plies,
            not_understood: head.not_understood,
            // What the first run has reported is not known any more.
            unread: 0,
            is_fallback: false,
            moves_sample: None,
            bytes: block.bytes,
        })
    }

    /// Compares bytes that are to be written at a place before the end of the last whole block.
    ///
    /// # Errors
    /// Usage, if others are there; io.
    pub(super) fn compare(&self, bytes: &[u8], at: u64) -> Result<()> {
        if read_exact(&*self.file, at, bytes.len() as u64)? == bytes {
            Ok(())
        } else {
            Err(differs(
                "it was packed with other options, models or inputs, or by another version",
            ))
        }
    }
}

/// Takes the blocks of a text of this length.
pub(super) fn of_text(
    known: &mut impl Iterator<Item = KeptBlock>,
    text_len: u64,
) -> Vec<KeptBlock> {
    let mut left = text_len;
    let mut blocks = Vec::new();
    while left > 0
        && let Some(block) = known.next()
    {
        left = left.saturating_sub(block.text_len);
        blocks.push(block);
    }
    blocks
}

/// The error of a part that another run has begun.
fn differs(why: &str) -> Error {
    Error::usage(format!(
        "what is kept of the archive cannot be continued: {why}"
    ))
    .with_remedy("repeat it as it was, or remove that file to start again")
}

/// The bytes of the sealed frame of this kind at a place; `None` if there is none that ends in the
/// file.
fn frame_at(file: &File, at: u64, size: u64, kind: frame::Kind) -> Result<Option<Vec<u8>>> {
    const START: u64 = 12;
    if size.saturating_sub(at) < START {
        return Ok(None);
    }
    let start = read_exact(file, at, START)?;
    let len = skippable_len(&start).filter(|&len| {
        frame::is_kind(&start, kind) && len <= block_head::MAX_FRAME_LEN && len <= size - at
    });
    len.map(|len| read_exact(file, at, len)).transpose()
}

/// The block at a place; `None` if there is no whole one.
fn block_at(file: &File, at: u64, size: u64) -> Result<Option<StoredBlock>> {
    let Some(mut bytes) = frame_at(file, at, size, frame::Kind::Block)? else {
        return Ok(None);
    };
    let head_len = bytes.len() as u64;
    let Ok(head) = Head::read(&bytes) else {
        return Ok(None);
    };
    let body_len = head.body_len();
    if body_len > size - at - head_len {
        return Ok(None);
    }
    bytes.extend(read_exact(file, at + head_len, body_len)?);
    match StoredBlock::of(bytes) {
        Err(error) if error.is_data_error() => Ok(None),
        block => block.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Cursor, path::Path};

    use super::*;
    use crate::{Archive, Coding, ErrorKind, Input, Packer};

    /// Two inputs of several blocks, one without text, and one without games.
    fn inputs() -> Vec<Input> {
        let texts = [
            ("a.pgn", ign_testing::games(40)),
            ("empty.pgn", Vec::new()),
            ("b.pgn", ign_testing::games_of_seed(30, 5)),
            ("c.txt", b"no game\n".repeat(900)),
        ];
        let input = |(name, text)| Input::reader(name, Cursor::new(text));
        texts.map(input).into()
    }

    fn packer() -> Packer<'static> {
        Packer::new()
            .coding(Coding::Ign)
            .block_size(1 << 12)
            .threads(2)
    }

    /// Packs after what is kept, and returns the archive.
    fn resumed(path: &Path, packer: Packer, inputs: Vec<Input>) -> Result<Vec<u8>> {
        let file = NewFile::resume(path, true)?;
        let packer = packer.resume(UnfinishedArchive::of(&file)?);
        let (file, _) = packer.pack(inputs, file)?;
        file.finish()?;
        Ok(fs::read(path)?)
    }

    #[test]
    fn after_any_number_of_bytes_the_archive_is_that_of_one_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ign");
        let part = folder.path().join("a.ign.part");
        let (whole, summary) = packer().pack(inputs(), Vec::new()).unwrap();
        let archive = Archive::from_read_at(whole.clone(), "a.ign").unwrap();
        assert!(archive.blocks().len() > 10);
        let ends = archive
            .blocks()
            .iter()
            .map(|block| block.bytes().end as usize);
        let lens = (0..whole.len())
            .step_by(997)
            .chain(ends.clone())
            .chain(ends.map(|end| end - 1));
        for len in lens.chain([0, 1, 22, 23, 62, whole.len()]) {
            // After a loss of power the file may end with zeros, or with bytes of another file.
            for tail in [&[][..], &[0; 5000], &[0x5a; 300]] {
                if len < 22 && !tail.is_empty() {
                    continue;
                }
                let mut bytes = [&whole[..len], tail].concat();
                if let (Some(next), Some(byte)) = (whole.get(len), bytes.get_mut(len))
                    && next == byte
                {
                    *byte ^= 1;
                }
                fs::write(&part, bytes).unwrap();
                let file = NewFile::resume(&path, true).unwrap();
                let kept = UnfinishedArchive::of(&file).unwrap();
                let blocks = archive
                    .blocks()
                    .iter()
                    .filter(|block| block.bytes().end as usize <= len);
                assert_eq!(
                    kept.games(),
                    blocks.clone().map(|block| block.games).sum::<u64>()
                );
                assert_eq!(
                    kept.text_len(),
                    blocks.map(|block| block.text_len).sum::<u64>()
                );
                let (file, resumed) = packer().resume(kept).pack(inputs(), file).unwrap();
                assert_eq!(resumed, summary);
                file.finish().unwrap();
                assert!(fs::read(&path).unwrap() == whole, "{len} bytes");
                assert!(!part.exists());
            }
        }
    }

    #[test]
    fn a_damaged_block_and_all_after_it_are_packed_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ign");
        let (whole, _) = packer().pack(inputs(), Vec::new()).unwrap();
        for at in (100..whole.len()).step_by(701) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x10;
            fs::write(folder.path().join("a.ign.part"), damaged).unwrap();
            assert!(resumed(&path, packer(), inputs()).unwrap() == whole, "{at}");
        }
    }

    #[test]
    fn models_in_the_archive_are_kept_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ign");
        let packer = || packer().coding(Coding::Weighted).embed(true);
        let (whole, _) = packer().pack(inputs(), Vec::new()).unwrap();
        for part in 1..6 {
            let len = whole.len() * part / 6;
            fs::write(folder.path().join("a.ign.part"), &whole[..len]).unwrap();
            assert!(
                resumed(&path, packer(), inputs()).unwrap() == whole,
                "{len}"
            );
        }
    }

    #[test]
    fn other_options_and_inputs_are_refused_and_the_part_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ign");
        let part = folder.path().join("a.ign.part");
        let (whole, _) = packer().pack(inputs(), Vec::new()).unwrap();
        let kept = &whole[..whole.len() * 2 / 3];
        let mut other = inputs();
        other[0] = Input::reader("a.pgn", Cursor::new(ign_testing::games_of_seed(40, 9)));
        let mut shorter = inputs();
        shorter.truncate(1);
        for (packer, inputs, words) in [
            (packer(), other, "an input has changed since"),
            (packer(), shorter, "other options, models or inputs"),
            (packer().coding(Coding::Weighted), inputs(), "other options"),
            (packer().level(3), inputs(), "other options"),
            (packer().block_size(1 << 13), inputs(), "other options"),
            (packer().embed(true), inputs(), "other options"),
        ] {
            fs::write(&part, kept).unwrap();
            let error = resumed(&path, packer, inputs).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage);
            assert!(error.message().contains(words), "{error}");
            assert!(!path.exists());
            let len = fs::read(&part).unwrap().len();
            assert!(len > kept.len() / 2 && kept.starts_with(&fs::read(&part).unwrap()));
        }
        assert!(resumed(&path, packer(), inputs()).unwrap() == whole);
        for bytes in [&b"[Event \"x\"]\n\n1. e4 *\n"[..], &[0; 100]] {
            fs::write(&part, bytes).unwrap();
            let error = resumed(&path, packer(), inputs()).unwrap_err();
            assert!(error.message().contains("is not what"), "{error}");
            assert_eq!(fs::read(&part).unwrap(), bytes);
        }
    }
}
