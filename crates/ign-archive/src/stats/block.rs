//! The statistics of one block: its directory is read, its games are replayed.

use super::{
    Games,
    moves::{GamePlayer, Moves},
    signatures::Signatures,
    space::Space,
    weighted::Weighted,
};
use ign_format::{
    block::{Coding, Fixed, decode::Block, groups::Played},
    error::Result,
    model::Parameters,
    models::Architecture as _,
    models::Models,
};
use ign_notation::{
    chess::repetition::Watch,
    signature::{Signature, element_of_ply},
};

use crate::{results, values::GameResult};

/// The statistics of one block.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct BlockFigures {
    /// Where its bytes go.
    pub space: Space,
    /// Its games.
    pub games: Games,
    /// Their moves.
    pub moves: Moves,
    /// Their cost under the move model.
    pub weighted: Weighted,
    /// Their signatures.
    pub signatures: Signatures,
}

impl BlockFigures {
    /// The statistics of the block that is exactly `bytes`, and may need one of these models.
    ///
    /// With end moves the archive stores how games ended. Otherwise a game counts as drawn by
    /// agreement if its result is a draw and the final position has legal moves.
    ///
    /// # Errors
    /// Corrupt.
    pub fn of(bytes: &[u8], models: &Models) -> Result<Self> {
        let block = Block::open_with(bytes, models)?;
        let head = block.head();
        let records = block.records()?;
        let table = block.table(&records, Some(&["Result"]))?;
        let numbers: Vec<usize> = (0..records.len()).collect();
        let results = results::of_records(&block, &records, &table, &numbers)?;
        let drawn = |record: usize| results[record] == Some(GameResult::Draw);
        let mut games = Games {
            blocks: 1,
            games: head.games as u64,
            other_records: (head.records - head.games) as u64,
            not_understood: head.not_understood,
            plies: head.plies,
            codings: [block.coding().name()].into(),
            kinds: [block.kind().name()].into(),
            ..Games::default()
        };
        #[cfg(feature = "go")]
        if block.kind() == ign_format::block::Kind::Go {
            return super::go::figures(&block, &records, games, bytes.len() as u64);
        }
        let mut player = GamePlayer::default();
        let mut signatures: Vec<Signature> = vec![[None; 6]; records.len()];
        let mut played_games = Played::default();
        let mut ordinals = Vec::new();
        let mut watch = Watch::default();
        block.walk_games(&records, |mut game| {
            let mut ply = 0;
            watch.begin(game.start.halfmoves());
            ordinals.clear();
            let signature = &mut signatures[game.record];
            let choices = game.moves.play_through(game.start, |legal, played| {
                watch.see(legal, played);
                let Some(played) = played else {
                    return;
                };
                match legal.digit(played) {
                    Some((ordinal, count)) => {
                        player.ply(ordinal, count);
                        ordinals.push(ordinal);
                    }
                    None => player.pass(),
                }
                ply += 1;
                if let Some(element) = element_of_ply(ply) {
                    signature[element] = Some(legal.landing(played).to_u32() as u16);
                }
            })?;
            let ends = match block.coding() {
                Coding::IgnEnd => game.moves.ends(),
                _ if choices == 0 => 0,
                _ => 1 + u32::from(drawn(game.record)),
            };
            let stored = game.bits().map(|bits| bits.integer);
            let plies = player.end(choices, ends, stored);
            games.lengths.add(plies);
            games.claimable.add(watch.finish(), drawn(game.record));
            let nulls = records.nulls().of(game.record);
            played_games.push(game.start, ordinals.iter().copied(), nulls, None);
            Ok(())
        })?;
        let mut moves = player.finish();
        if block.coding() == Coding::Weighted {
            moves.group_bits = 8 * block.fixed_len(Fixed::Moves) as u64;
        }
        let style = match block.style()? {
            Some(style) => style,
            None => played_games.style(&Parameters::builtin()),
        };
        let mut counted = Signatures::default();
        let is_game = |record: &usize| records.is_game(*record);
        for record in (0..records.len()).filter(is_game) {
            counted.push(&signatures[record]);
        }
        Ok(Self {
            space: Space::of_block(&block, bytes.len() as u64),
            games,
            moves,
            weighted: Weighted::of(&played_games, style),
            signatures: counted,
        })
    }
}
