//! A sample of the games of inputs, in bounded memory.

use ign_archive::{Coding, Input, Packer, Progress};
use ign_format::{
    block::decode::Block,
    error::{Error, Result},
    model::Parameters,
    models::Architecture as _,
};
use std::ops::ControlFlow;

use crate::{
    cost,
    games::{Game, games_of},
    random::Random,
};

/// Plies of the longest game that is used. It bounds the memory of a game.
pub const MAX_PLIES: usize = 1000;
/// Bytes of text in a block, which bound the memory of a thread.
const BLOCK_SIZE: usize = 2 << 20;

/// The games that were read.
#[derive(Debug, Default)]
pub struct Collection {
    /// The sample, in the order of the inputs.
    pub games: Vec<Game>,
    /// Games that may be used, of which the sample was drawn.
    pub found: u64,
    /// Games of variants that the move model does not predict.
    pub unpredicted: u64,
    /// Games of more than [`MAX_PLIES`].
    pub too_long: u64,
}

/// What a block holds.
struct BlockGames {
    games: Vec<Game>,
    unpredicted: u64,
    too_long: u64,
}

/// Reads a sample of the games of inputs: each game has the same chance, and all are taken if they
/// are no more than `most`.
///
/// # Errors
/// Those of the inputs; cancelled.
pub fn read(
    inputs: impl IntoIterator<Item = Input>,
    most: usize,
    seed: u64,
    threads: usize,
    on_progress: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Collection> {
    let mut read = Collection::default();
    // The games with the smallest random numbers are a sample, whatever the number of games is.
    let mut drawn: Vec<(u64, u64, Game)> = Vec::new();
    let packer = Packer::new()
        .coding(Coding::Ign)
        .level(1)
        .verify(false)
        .block_size(BLOCK_SIZE)
        .threads(threads)
        .on_progress(on_progress);
    packer.each_block(inputs, of_block, |block| {
        read.unpredicted += block.unpredicted;
        read.too_long += block.too_long;
        for game in block.games {
            let lot = Random(seed ^ read.found << 20).draw();
            drawn.push((lot, read.found, game));
            read.found += 1;
            if drawn.len() >= 2 * most.max(1) {
                keep(&mut drawn, most);
            }
        }
        Ok(())
    })?;
    keep(&mut drawn, most);
    drawn.sort_unstable_by_key(|&(_, number, _)| number);
    read.games = drawn.into_iter().map(|(_, _, game)| game).collect();
    Ok(read)
}

/// Keeps the games with the smallest lots.
fn keep(drawn: &mut Vec<(u64, u64, Game)>, most: usize) {
    if drawn.len() > most {
        drawn.select_nth_unstable_by_key(most, |&(lot, number, _)| (lot, number));
        drawn.truncate(most);
    }
}

fn of_block(bytes: &[u8]) -> Result<BlockGames> {
    let mut games = games_of(&Block::open(bytes)?)?;
    let count = |games: &[Game]| games.len() as u64;
    let all = count(&games);
    games.retain(|game| game.unpredicted().is_none());
    let unpredicted = all - count(&games);
    let all = count(&games);
    games.retain(|game| game.moves.len() <= MAX_PLIES);
    let too_long = all - count(&games);
    let style = cost::style(&Parameters::builtin(), &games);
    games.iter_mut().for_each(|game| game.style = style);
    Ok(BlockGames {
        games,
        unpredicted,
        too_long,
    })
}

impl Collection {
    /// The error of a collection with too few games, `some` games that can be used.
    pub fn too_few(&self, some: usize, needed: usize) -> Error {
        let mut message = match some {
            0 => "no games to train on".to_owned(),
            1 => "1 game is too few to train on".to_owned(),
            _ => format!("{some} games are too few to train on"),
        };
        if self.unpredicted > 0 {
            message += &format!(
                "; {} of variants, such as Atomic, in whose packing the move model has no part",
                self.unpredicted
            );
        }
        Error::usage(message).with_remedy(format!(
            "give at least {needed} different games of chess, Chess960, Crazyhouse, King of the Hill, Three-check or \
             Losers"
        ))
    }
}
