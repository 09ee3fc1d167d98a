//! Signatures computed from the moves, to verify the signature column.

#[cfg(feature = "go")]
use crate::block::{Kind, go};
use crate::{
    block::decode::{block::Block, records::Records},
    error::Result,
};
use ign_notation::signature::{Signature, element_of_ply};

impl Block<'_> {
    /// The signatures of a block's games, computed from their moves, and the number of plies of all
    /// games.
    ///
    /// # Errors
    /// Corrupt.
    pub fn played_signatures(&self) -> Result<(Vec<Signature>, u64)> {
        let records = self.records()?;
        #[cfg(feature = "go")]
        if self.kind() == Kind::Go {
            let (signatures, plies) = go::played_signatures(self, &records)?;
            return Ok((of_games(&records, &signatures), plies));
        }
        let mut signatures = vec![[None; 6]; records.len()];
        let mut plies = 0;
        self.walk_games(&records, |mut game| {
            let mut ply = 0;
            game.moves.play(game.start, |legal, played| {
                ply += 1;
                if let Some(element) = element_of_ply(ply) {
                    signatures[game.record][element] = Some(legal.landing(played).to_u32() as u16);
                }
            })?;
            plies += ply as u64;
            Ok(())
        })?;
        Ok((of_games(&records, &signatures), plies))
    }
}

/// The signatures of the records that are games.
fn of_games(records: &Records, signatures: &[Signature]) -> Vec<Signature> {
    let games = records.games();
    games.map(|record| signatures[record]).collect()
}
