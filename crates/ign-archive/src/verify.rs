//! Verification: every byte of an archive is checked.
//!
//! All frames must follow each other without a gap, every checksum must match, every block must give
//! its text, and index and footer must agree with the blocks. What passes can be unpacked to the byte.

use std::{io, ops::ControlFlow};

use crate::{
    archive::Archive,
    progress::{Progress, ignore},
    superseded,
    threads::each_block,
    unpack::block_text,
};
use ign_format::{
    block::decode::{Block, Played},
    container::{frame::skippable_len, header},
    error::{Error, Result},
};

impl Archive {
    /// Checks every byte of the archive.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt) with the place of the
    /// first damage; [`Unsupported`](crate::ErrorKind::Unsupported) if moves were coded by a move
    /// model that this program does not have.
    pub fn verify(&self) -> Result<()> {
        self.verify_with(ignore)
    }

    /// As [`verify`](Self::verify), with a callback after each block. If it returns
    /// [`ControlFlow::Break`], verification ends with an error of kind
    /// [`Cancelled`](crate::ErrorKind::Cancelled).
    ///
    /// # Errors
    /// As [`verify`](Self::verify), and `Cancelled`.
    pub fn verify_with(&self, on_progress: impl FnMut(Progress) -> ControlFlow<()>) -> Result<()> {
        self.check_frames()?;
        self.unpack_with(io::sink(), on_progress)?;
        self.check_games()
    }

    /// Decodes every block and returns an error for each that is damaged, with the games that it
    /// holds. The games of other blocks can be read.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io).
    pub fn damaged_blocks(&self) -> Result<Vec<Error>> {
        let blocks = &self.index().blocks;
        let check = |number: usize| {
            let first = blocks[number].first_game + 1;
            let games = match blocks[number].games {
                0 => "it holds no games".to_owned(),
                1 => format!("it holds game {first}"),
                games => format!("it holds games {first}..{}", first + games - 1),
            };
            match block_text(self, number) {
                Ok(_) => Ok(None),
                Err(error) if error.exit_code() == 2 => Ok(Some(error.with_remedy(games))),
                Err(error) => Err(error),
            }
        };
        let checked = each_block(self, 0..blocks.len(), check)?;
        Ok(checked.into_iter().flatten().collect())
    }

    /// Header, metadata, blocks, index and footer must fill the file.
    fn check_frames(&self) -> Result<()> {
        let check = || {
            self.meta()?;
            let at = header::LEN as u64;
            let meta_len = skippable_len(&self.read_at(at, 8)?).unwrap_or(0);
            let blocks = self.index().blocks.iter().map(|b| (b.offset, b.stored_len));
            let mut end = at + meta_len;
            for (offset, len) in blocks.chain([(self.footer().index_offset, 0)]) {
                superseded::frames(self, end..offset)?;
                end = offset + len;
            }
            match self.trailing_len() {
                0 => Ok(()),
                more => Err(Error::corrupt(format!("{more} bytes after the footer"))
                    .at_byte(self.file_len())
                    .with_remedy("ign append and ign recover remove them")),
            }
        };
        check().map_err(|e: Error| e.in_file(self.path()))
    }

    /// The signatures and unmoved pawns of the blocks must be those of their games, and the plies must
    /// add up.
    fn check_games(&self) -> Result<()> {
        let blocks = &self.index().blocks;
        let check = |number: usize| {
            let bytes = self.block_bytes(number)?;
            self.in_block(number, || {
                let block = Block::open(&bytes)?;
                let records = block.records()?;
                let Played {
                    signatures,
                    unmoved_pawns,
                    plies,
                } = block.played(&records)?;
                let differs = |what| Err(Error::corrupt(what));
                if plies != block.head().plies {
                    return differs("the number of moves of a block is not that of its head");
                }
                if signatures != block.signatures()? {
                    return differs("the signatures of a block are not those of its games");
                }
                if unmoved_pawns != block.unmoved_pawns(&records)? {
                    return differs("the unmoved pawns of a block are not those of its games");
                }
                if signatures.len() as u64 != blocks[number].games {
                    return differs("the number of games of a block is not that of the index");
                }
                Ok(plies)
            })
        };
        let plies = each_block(self, 0..blocks.len(), check)?;
        if plies.iter().sum::<u64>() != self.footer().plies {
            let error = Error::corrupt("footer and blocks contradict each other");
            return Err(error.in_file(self.path()));
        }
        Ok(())
    }
}
