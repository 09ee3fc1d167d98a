//! Games in which a draw could be claimed.

use crate::archive::Archive;
use ign_format::error::Result;
use ign_notation::chess::repetition::Watch;

/// The rules by which a player may claim a draw.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Draws {
    /// A position occurred three times.
    pub repetition: bool,
    /// Fifty moves of each side without a pawn move or a capture.
    pub fifty_moves: bool,
}

impl Archive {
    /// The games of chess and its variants in which a draw could be claimed by each of the rules
    /// chosen, whether it was claimed or not. All games are replayed.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt);
    /// [`Unsupported`](crate::ErrorKind::Unsupported) if moves were coded by another move model.
    pub fn find_draws(&self, rules: Draws) -> Result<Vec<u64>> {
        super::games(self, |block, records| {
            let mut found = Vec::new();
            let mut watch = Watch::default();
            block.walk_games(records, |mut game| {
                let moves = &mut game.moves;
                moves.play_through(game.start, |legal, played| watch.see(legal, played))?;
                let seen = watch.finish();
                if (seen.repetition || !rules.repetition)
                    && (seen.fifty_moves || !rules.fifty_moves)
                {
                    found.push(game.record);
                }
                Ok(())
            })?;
            Ok(found)
        })
    }
}
