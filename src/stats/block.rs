//! The figures of one block: its directory read, its games played.

use super::{
    Games,
    moves::{GamePlayer, Moves},
    signatures::Signatures,
    space::Space,
    weighed::Weighed,
};
use crate::{
    archive::{Coding, Fixed, decode::Block, groups::Played},
    error::Result,
    format::signatures::{Signature, element_of_ply},
};

/// What one block tells.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BlockFigures {
    /// Where its bytes go.
    pub space: Space,
    /// Its games.
    pub games: Games,
    /// Their moves.
    pub moves: Moves,
    /// What the move model makes of them.
    pub weighed: Weighed,
    /// Their signatures.
    pub signatures: Signatures,
}

impl BlockFigures {
    /// Of the block that is exactly `bytes`.
    ///
    /// With end moves the archive tells how games ended; otherwise a game counts
    /// as drawn by agreement when its Result says that it was drawn and there
    /// were moves left.
    ///
    /// # Errors
    /// Corrupt.
    pub fn of(bytes: &[u8]) -> Result<Self> {
        let block = Block::open(bytes)?;
        let head = block.head();
        let records = block.records()?;
        let results = block.table(&records, Some(&["Result"]))?;
        let result = results.tag(b"Result");
        let drawn =
            |record| result.and_then(|tag| results.value(tag, record)) == Some(&b"1/2-1/2"[..]);
        let mut games = Games {
            blocks: 1,
            games: head.games as u64,
            other_records: (head.records - head.games) as u64,
            partly_text: block.partly_text(&records)?,
            plies: head.plies,
            codings: [block.coding().name()].into(),
            ..Games::default()
        };
        let mut player = GamePlayer::default();
        let mut signatures: Vec<Signature> = vec![[None; 6]; records.len()];
        let mut played_games = Played::default();
        let mut ordinals = Vec::new();
        block.walk_games(&records, |mut game| {
            let mut ply = 0;
            ordinals.clear();
            let signature = &mut signatures[game.record];
            let choices = game.moves.play(game.start, |legal, played| {
                let (ordinal, count) = legal.ordinal_and_count(played);
                player.ply(ordinal, count);
                ordinals.push(ordinal);
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
            played_games.push(game.start, ordinals.iter().copied());
            Ok(())
        })?;
        let mut moves = player.finish();
        if block.coding() == Coding::Weighted {
            moves.group_bits = 8 * block.fixed_len(Fixed::Moves) as u64;
        }
        let style = block.style()?.unwrap_or_else(|| played_games.style());
        let mut counted = Signatures::default();
        let is_game = |record: &usize| records.is_game(*record);
        for record in (0..records.len()).filter(is_game) {
            counted.push(&signatures[record]);
        }
        Ok(Self {
            space: Space::of_block(&block, bytes.len() as u64),
            games,
            moves,
            weighed: Weighed::of(&played_games, style),
            signatures: counted,
        })
    }
}
