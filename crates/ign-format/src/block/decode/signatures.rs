//! The signature column of a block.

use crate::{
    block::{
        Coding, Fixed,
        decode::{block::Block, records::Records},
        known_signatures::KnownSignatures,
        starts::Starts,
    },
    columns::signatures::Levels,
    container::block_head::Head,
    error::{Error, Result},
};
use ign_notation::signature::Signature;

/// The place of the signature column in the directory of a block that has games.
///
/// # Errors
/// Corrupt when there is none.
pub fn column_index(head: &Head) -> Result<usize> {
    let place = head.column_index(Fixed::Signatures as u8);
    place.ok_or_else(|| Error::corrupt("a block lacks the signatures of its games"))
}

impl<'a> Block<'a> {
    /// The signatures of all games, in order.
    ///
    /// # Errors
    /// Corrupt.
    pub fn signatures(&self) -> Result<Vec<Signature>> {
        let levels = self.levels()?;
        Ok(levels.iter().flat_map(|levels| levels.from(0)).collect())
    }

    /// The signature column, if the block has games.
    pub(super) fn levels(&self) -> Result<Option<Levels<'a>>> {
        let head = self.head();
        if head.games == 0 {
            return Ok(None);
        }
        let place = column_index(head)?;
        let flags = head.columns[place].flags;
        Levels::open(self.streams(place)?, flags, head.games).map(Some)
    }

    /// The signatures of the playable games, if decoding the moves needs them.
    ///
    /// # Errors
    /// Corrupt.
    pub(super) fn known_signatures(
        &self,
        records: &Records,
        starts: &Starts,
    ) -> Result<KnownSignatures<'a>> {
        let levels = match self.coding() {
            Coding::Weighted => self.levels()?,
            Coding::Ign | Coding::IgnEnd => None,
        };
        let Some(levels) = levels else {
            return Ok(KnownSignatures::default());
        };
        let games = (0..)
            .zip(records.games())
            .filter(|&(_, record)| starts.is_played(record))
            .map(|(game, _)| game)
            .collect();
        Ok(KnownSignatures::Column { levels, games })
    }
}
