//! An archive in another coding of its moves.

use std::{io::Write, thread};

use ign_format::{
    block::{Options, transcode},
    container::meta::Meta,
    error::Result,
};

use super::{Packer, Summary, writer::ArchiveWriter};
use crate::{archive::Archive, ordered::ordered, progress::Counters, sources::Piece};

impl Packer<'_> {
    /// Packs an archive in the [coding](Self::coding) of this packer, without its text: the moves
    /// are decoded and encoded again, and everything else is copied. Inputs, blocks and numbers of
    /// games stay the same, so the [level](Self::level) and the [block size](Self::block_size) are
    /// those of the archive.
    ///
    /// ```
    /// use ign_archive::{Archive, Coding, Input, Packer};
    ///
    /// let input = Input::reader("a.pgn", &b"1. e4 e5 2. Nf3 *\n"[..]);
    /// let (bytes, _) = Packer::new().coding(Coding::Ign).pack([input], Vec::new())?;
    /// let plain = Archive::from_read_at(bytes, "plain.ign")?;
    /// let (bytes, _) = Packer::new().coding(Coding::Weighted).transcode(&plain, Vec::new())?;
    /// let weighted = Archive::from_read_at(bytes, "weighted.ign")?;
    /// assert_eq!(weighted.game(1)?.pgn()?, plain.game(1)?.pgn()?);
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of `out`; [`Usage`](crate::ErrorKind::Usage) if damaged blocks of the archive are
    /// [left out](Archive::open_damaged); [`Corrupt`](crate::ErrorKind::Corrupt) if a block is
    /// damaged; [`Unsupported`](crate::ErrorKind::Unsupported) if another move model coded the
    /// moves; [`Cancelled`](crate::ErrorKind::Cancelled).
    pub fn transcode<W: Write>(mut self, archive: &Archive, out: W) -> Result<(W, Summary)> {
        archive.check_complete()?;
        let meta = archive.meta()?;
        let options = Options {
            level: meta.level,
            models: self.options.models.reading(archive.models()),
            ..self.options
        };
        let counters = Counters::default();
        let encode = |number: usize| {
            let bytes = archive.block_bytes(number)?;
            let ends = ends_in(archive, number);
            archive.in_block(number, || transcode(&bytes, &ends, &options))
        };
        thread::scope(|scope| {
            let meta = Meta::new(options.coding.name(), meta.level, meta.block_size);
            let mut writer = ArchiveWriter::new(out, &meta)?;
            let blocks = (0..archive.blocks().len()).map(Ok);
            for block in ordered(scope, self.threads, blocks, encode) {
                let block = block?;
                writer.block(&block)?;
                counters.add_games(block.games as u64);
                counters.add_bytes(block.text_len as u64);
                counters.report(&mut self.on_progress)?;
            }
            let sources = archive.sources().iter();
            sources.for_each(|source| writer.source(source.clone()));
            writer.finish()
        })
    }
}

/// Where the texts of sources end in a block.
fn ends_in(archive: &Archive, number: usize) -> Vec<usize> {
    let piece = Piece::of_block(&archive.blocks()[number]);
    let within = archive.places().within(&piece);
    let ends = within.map(|(_, own)| (own.text.end - piece.text.start) as usize);
    ends.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Coding, Input};

    /// Games with tags, comments, variations, variants, draws, text, and moves that are text.
    fn text() -> String {
        let kinds = [
            "[Event \"a\"]\n[White \"Ann\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 2. Nf3 Nc6 1/2-1/2\n\n",
            "[Event \"b\"]\n\n1. d4 {best} d5 (1... Nf6 2. c4 (2. Bf4 {x}) 2... e6) 2. c4 $1 *\n\n",
            "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 Ke7 2. e5 *\n\n",
            "[Variant \"Atomic\"]\n\n1. e4 d5 2. exd5 *\n\n",
            "[Event \"c\"]\n\n1. e4 e5 2. Ke3 *\n\n",
            "a line of text\n\n",
            "1. f3 e5 2. g4 Qh4# 0-1\n\n",
            "[Event \"d\"]\n\n*\n\n",
        ];
        (0..900).map(|i| kinds[i * 7 % kinds.len()]).collect()
    }

    fn packed(coding: Coding, name: &str, text: &str) -> Archive {
        let packer = Packer::new().coding(coding).block_size(1 << 14).level(5);
        let second = Input::reader("b", &b"1. d4 d5 *\n"[..]);
        let first = Input::reader(name, std::io::Cursor::new(text.to_owned()));
        let (bytes, _) = packer.pack([first, second], Vec::new()).unwrap();
        Archive::from_read_at(bytes, "a.ign").unwrap()
    }

    #[test]
    fn the_archive_is_the_one_that_packing_in_the_other_coding_makes() {
        let sgf = "(;GM[1]FF[4]SZ[9];B[ee];W[ec];B[cc];W[gg])\n".repeat(40);
        for (name, text) in [("a.pgn", text()), ("a.sgf", sgf)] {
            for &from in Coding::ALL {
                let archive = packed(from, name, &text);
                for &to in Coding::ALL {
                    let packer = Packer::new().coding(to);
                    let (bytes, summary) = packer.transcode(&archive, Vec::new()).unwrap();
                    let expected = packed(to, name, &text);
                    let expected = expected.read_at(0, expected.file_len()).unwrap();
                    assert!(bytes == expected, "{name}: {from:?} to {to:?}");
                    assert_eq!(summary.archive_len, expected.len() as u64);
                }
            }
        }
    }

    /// Packing from text does not read the columns that searches use, which are made again.
    #[test]
    fn damaged_blocks_are_rejected_or_do_not_matter() {
        let archive = packed(Coding::Ign, "a.pgn", &text());
        let bytes = archive.read_at(0, archive.file_len()).unwrap();
        let block = archive.blocks()[0];
        let mut rejected = 0;
        for &to in Coding::ALL {
            let expected = Packer::new().coding(to);
            let (expected, _) = expected.transcode(&archive, Vec::new()).unwrap();
            for at in (block.offset..block.offset + block.stored_len).step_by(97) {
                let mut damaged = bytes.clone();
                damaged[at as usize] ^= 4;
                let damaged = Archive::from_read_at(damaged, "a.ign").unwrap();
                match Packer::new().coding(to).transcode(&damaged, Vec::new()) {
                    Ok((bytes, _)) => assert!(bytes == expected, "byte {at} to {to:?}"),
                    Err(error) => {
                        assert_eq!(error.kind(), crate::ErrorKind::Corrupt, "{error}");
                        assert_eq!(error.block(), Some(1));
                        rejected += 1;
                    }
                }
            }
        }
        assert!(rejected > 20, "{rejected}");
    }
}
