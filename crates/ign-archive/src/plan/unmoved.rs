//! Games whose unmoved pawns exclude positions: they are not replayed.

use ign_format::{
    block::{
        Fixed,
        decode::{Block, Records},
        starts::Starts,
    },
    error::Result,
};

use crate::values::PositionFilter;

/// Unmoved pawns are read if at least one of this many records is left: their column is decoded as
/// a whole, and the replay of a game takes about as many times longer as its part of the column.
const MIN_SHARE: usize = 16;

/// Whether reading the unmoved pawns takes less time than to replay the games that they exclude.
pub(crate) fn is_worth_reading(positions: &PositionFilter, left: &[bool]) -> bool {
    let games = left.iter().filter(|&&left| left).count();
    games * MIN_SHARE >= left.len() && positions.is_decided_by_unmoved()
}

/// The records that are left and whose unmoved pawns do not exclude the positions.
///
/// # Errors
/// Corrupt.
pub(crate) fn not_excluded(
    positions: &PositionFilter,
    block: &Block,
    records: &Records,
    left: &[bool],
) -> Result<Vec<bool>> {
    if block.head().column_index(Fixed::Pawns as u8).is_none() {
        return Ok(left.to_vec());
    }
    let games = left.iter().zip(block.unmoved_pawns(records)?);
    let may_match = games.map(|(&left, unmoved)| {
        left && unmoved.is_none_or(|unmoved| positions.allows_unmoved(unmoved))
    });
    Ok(may_match.collect())
}

/// The columns that are read.
pub(crate) fn columns(block: &Block) -> Vec<usize> {
    let index = |fixed| block.head().column_index(fixed as u8);
    let Some(pawns) = index(Fixed::Pawns) else {
        return Vec::new();
    };
    let mut columns = block.tag_columns(&Starts::TAGS);
    columns.extend(index(Fixed::Signatures));
    columns.push(pawns);
    columns
}
