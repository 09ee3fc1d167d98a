//! The statistics of a block of Go: its games are replayed.

use super::{
    Games,
    block::BlockFigures,
    moves::GamePlayer,
    signatures::Signatures,
    space::Space,
    weighted::{Phase, Weighted},
};
use ign_entropy::prefixed::bit_length;
use ign_format::{
    block::{
        Coding, Fixed,
        decode::{Block, Records},
        go,
    },
    error::Result,
    go_model::{self, Scorer},
    models::Architecture as _,
    sgf::parse,
};
use ign_notation::{Game as _, go::signature::Gathering};

/// The statistics of a block of Go. Moves of variations count only as bytes.
///
/// # Errors
/// Corrupt.
pub fn figures(
    block: &Block,
    records: &Records,
    games: Games,
    stored_len: u64,
) -> Result<BlockFigures> {
    let mut play = GoPlay {
        games,
        player: GamePlayer::default(),
        weighted: Weighted::default(),
        scorer: Scorer::new(go_model::Parameters::builtin()),
        signatures: Signatures::default(),
        game: None,
    };
    go::walk(block, records, &mut play)?;
    let mut moves = play.player.finish();
    if block.coding() == Coding::Weighted {
        moves.group_bits = 8 * block.fixed_len(Fixed::Moves) as u64;
    }
    Ok(BlockFigures {
        space: Space::of_block(block, stored_len),
        games: play.games,
        moves,
        weighted: play.weighted,
        signatures: play.signatures,
    })
}

/// The statistics of a block while its games are replayed.
struct GoPlay {
    games: Games,
    player: GamePlayer,
    weighted: Weighted,
    scorer: Scorer,
    signatures: Signatures,
    /// The current record, if it is a game.
    game: Option<GoGame>,
}

/// A game of Go.
struct GoGame {
    gathering: Option<Gathering>,
    /// The number of legal moves after its last move, if it has a start.
    choices: Option<u32>,
    /// Bits of its integer in the archive.
    stored: Option<u64>,
    plies: usize,
    /// The ideal cost of its choices, in bits.
    bits: f64,
}

impl go::Visitor for GoPlay {
    fn open(&mut self, opening: go::Opening) {
        self.game = opening.is_game.then(|| GoGame {
            gathering: opening.gathering(),
            choices: opening.start.map(|start| start.count()),
            stored: opening.integer.map(bit_length),
            plies: 0,
            bits: 0.0,
        });
    }

    fn played(&mut self, played: parse::Played) {
        let Some(game) = self.game.as_mut().filter(|_| played.main) else {
            return;
        };
        if let Some(gathering) = &mut game.gathering {
            played.gather(gathering);
        }
        let position = played.position;
        let Some((ordinal, count)) = position.ordinal(played.played) else {
            return;
        };
        self.player.ply(ordinal, count);
        self.scorer.score(position);
        let (frequencies, total) = (self.scorer.frequencies(), self.scorer.total());
        let (phase, choice) = (Phase::of_go(game.plies), ordinal as usize);
        game.bits += self
            .weighted
            .played(game.plies, phase, frequencies, total, choice);
        game.plies += 1;
        let mut after = position.clone();
        after.play(played.played);
        game.choices = Some(after.count());
    }

    fn close(&mut self) -> Result<()> {
        let Some(game) = self.game.take() else {
            return Ok(());
        };
        let signature = game.gathering.as_ref().map(Gathering::signature);
        self.signatures.push(&signature.unwrap_or_default());
        if let Some(choices) = game.choices {
            let plies = self.player.end(choices, 1, game.stored);
            self.games.lengths.add(plies);
            self.weighted.games.add(game.bits.ceil() as usize);
        }
        Ok(())
    }
}
