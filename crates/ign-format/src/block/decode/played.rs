//! What the columns of signatures and of unmoved pawns must hold, computed from the moves, to verify
//! them.

use shakmaty::Bitboard;

#[cfg(feature = "go")]
use crate::block::{Kind, go};
use crate::{
    block::decode::{block::Block, records::Records},
    columns::pawns,
    error::Result,
};
use ign_notation::signature::{Signature, element_of_ply};

/// What the moves of a block's games show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Played {
    /// The signature of each game.
    pub signatures: Vec<Signature>,
    /// For each record the unmoved pawns, as [`Block::unmoved_pawns`] returns them.
    pub unmoved_pawns: Vec<Option<Bitboard>>,
    /// The number of plies of all games.
    pub plies: u64,
}

impl Block<'_> {
    /// Plays all games of the block, which has these records.
    ///
    /// # Errors
    /// Corrupt.
    pub fn played(&self, records: &Records) -> Result<Played> {
        let mut unmoved_pawns = vec![None; records.len()];
        #[cfg(feature = "go")]
        if self.kind() == Kind::Go {
            let (signatures, plies) = go::played_signatures(self, records)?;
            return Ok(Played {
                signatures: of_games(records, &signatures),
                unmoved_pawns,
                plies,
            });
        }
        let mut signatures = vec![[None; 6]; records.len()];
        let mut plies = 0;
        let has_pawns = self.coding().stores_unmoved_pawns();
        self.walk_games(records, |mut game| {
            let mut ply = 0;
            game.moves.play_through(game.start, |legal, played| {
                let Some(played) = played else {
                    let is_chess = game.start.as_chess().is_some();
                    if has_pawns && is_chess && records.has_moves(game.record) {
                        unmoved_pawns[game.record] = Some(pawns::unmoved(&legal.board()));
                    }
                    return;
                };
                ply += 1;
                if let Some(element) = element_of_ply(ply) {
                    signatures[game.record][element] = Some(legal.landing(played).to_u32() as u16);
                }
            })?;
            plies += ply as u64;
            Ok(())
        })?;
        Ok(Played {
            signatures: of_games(records, &signatures),
            unmoved_pawns,
            plies,
        })
    }
}

/// The signatures of the records that are games.
fn of_games(records: &Records, signatures: &[Signature]) -> Vec<Signature> {
    let games = records.games();
    games.map(|record| signatures[record]).collect()
}
