//! Training games and held-out games.

use std::path::PathBuf;

use ign_archive::{Archive, Coding, Input, Packer};
use ign_format::{
    block::decode::Block,
    error::{Error, Result},
    model::STYLES,
};
use ign_notation::chess::Move;
use ign_training::games::{self, Game};
use rustc_hash::FxHashSet;

/// A file of games and their style.
#[derive(Clone, Debug)]
pub struct Source {
    /// The style of all its games.
    pub style: u8,
    /// PGN, compressed or not, or an archive.
    pub path: PathBuf,
}

impl std::str::FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let (style, path) = text
            .split_once('=')
            .ok_or("expected STYLE=FILE, for example 0=lichess.pgn.zst")?;
        let style: u8 = style.parse().map_err(|_| "the style must be an integer")?;
        if style >= STYLES {
            return Err(format!("the style must be from 0 to {}", STYLES - 1));
        }
        Ok(Self {
            style,
            path: path.into(),
        })
    }
}

/// The games of a source, in order.
pub fn load(source: &Source) -> Result<Vec<Game>> {
    let mut games = Vec::new();
    if source.path.extension().is_some_and(|e| e == "ign") {
        let archive = Archive::open(&source.path)?;
        for number in 0..archive.blocks().len() {
            games.extend(games_of(&archive.block_bytes(number)?, source.style)?);
        }
    } else {
        let packer = Packer::new().coding(Coding::Ign).level(1).verify(false);
        packer.each_block(
            [Input::file(&source.path)],
            |block| games_of(block, source.style),
            |more| {
                games.extend(more);
                Ok(())
            },
        )?;
    }
    if games.is_empty() {
        return Err(Error::usage("contains no games").in_file(&source.path));
    }
    Ok(games)
}

/// The games of chess of a block. The built-in model is trained on chess alone.
fn games_of(bytes: &[u8], style: u8) -> Result<Vec<Game>> {
    let mut games = games::games_of(&Block::open(bytes)?)?;
    games.retain(Game::is_chess);
    games.iter_mut().for_each(|game| game.style = style);
    Ok(games)
}

/// Splits off the last fifth of a source for evaluation.
pub fn hold_out(games: &mut Vec<Game>) -> Vec<Game> {
    games.split_off(games.len() - games.len() / 5)
}

/// Removes training games whose moves equal those of a held-out game.
pub fn without(games: Vec<Game>, held_out: &FxHashSet<Box<[Move]>>) -> Vec<Game> {
    games
        .into_iter()
        .filter(|game| !held_out.contains(&game.moves))
        .collect()
}
