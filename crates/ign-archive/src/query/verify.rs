//! Verifying: every byte of an archive is looked at.
//!
//! All frames must follow each other without a gap, every checksum be true,
//! every block give the text it was packed from, and index and footer say the
//! same as the blocks. What passes can be unpacked to the byte.

use std::{io, thread};

use crate::{
    pipeline::{
        Progress,
        ordered::ordered,
        unpack::{block_text, unpack},
    },
    reader::Archive,
};
use ign_format::{
    block::decode::Block,
    container::{frame::skippable_len, header},
    error::{Error, Result},
};

/// Verifies an archive.
///
/// # Errors
/// Io; corrupt, naming the place.
pub fn verify(archive: &Archive, threads: usize, progress: &Progress) -> Result<()> {
    check_frames(archive)?;
    unpack(archive, &mut io::sink(), threads, progress)?;
    check_signatures(archive, threads).map_err(|e| e.in_file(archive.path()))
}

/// What is wrong with each block that does not give its text back. Games of the others can still be
/// had, one by one.
///
/// # Errors
/// Io.
pub fn damage(archive: &Archive, threads: usize) -> Result<Vec<Error>> {
    let blocks = &archive.index().blocks;
    let look = |number: usize| {
        let first = blocks[number].first_game + 1;
        let games = match blocks[number].games {
            0 => "it holds no games".to_owned(),
            1 => format!("it holds game {first}"),
            games => format!("it holds games {first}..{}", first + games - 1),
        };
        block_text(archive, number)
            .map(drop)
            .map_err(|error| error.with_remedy(games))
    };
    thread::scope(|scope| {
        let mut damage = Vec::new();
        for looked in ordered(scope, threads, (0..blocks.len()).map(Ok), look) {
            match looked {
                Err(error) if error.exit_code() != 2 => return Err(error),
                looked => damage.extend(looked.err()),
            }
        }
        Ok(damage)
    })
}

/// Header, metadata, blocks, index and footer must fill the file.
fn check_frames(archive: &Archive) -> Result<()> {
    let check = || {
        archive.meta()?;
        let at = header::LEN as u64;
        let meta_len = skippable_len(&archive.read_at(at, 8)?).unwrap_or(0);
        let index = archive.index();
        let blocks = index.blocks.iter().map(|b| (b.offset, b.stored_len));
        let mut end = at + meta_len;
        for (offset, len) in blocks.chain([(archive.footer().index_offset, 0)]) {
            if offset != end {
                return Err(
                    Error::corrupt("the index leaves bytes of the file unexplained").at_byte(end),
                );
            }
            end += len;
        }
        Ok(())
    };
    check().map_err(|e: Error| e.in_file(archive.path()))
}

/// The signatures of the blocks must be what their games make, and the moves as many as is said.
fn check_signatures(archive: &Archive, threads: usize) -> Result<()> {
    let blocks = &archive.index().blocks;
    let check = |number: usize| {
        let read = || {
            let bytes = archive.block_bytes(number)?;
            let block = Block::open(&bytes)?;
            let (signatures, plies) = block.played_signatures()?;
            let differs = |what| Err(Error::corrupt(what));
            if plies != block.head().plies {
                return differs("a block has not as many moves as its head says");
            }
            if signatures != block.signatures()? {
                return differs("the signatures of a block are not those of its games");
            }
            if signatures.len() as u64 != blocks[number].games {
                return differs("a block has not as many games as the index says");
            }
            Ok(plies)
        };
        read().map_err(|e: Error| e.in_block(number as u64))
    };
    let plies: u64 = thread::scope(|scope| {
        ordered(scope, threads, (0..blocks.len()).map(Ok), check).sum::<Result<u64>>()
    })?;
    if plies != archive.footer().plies {
        return Err(Error::corrupt("footer and blocks contradict each other"));
    }
    Ok(())
}
