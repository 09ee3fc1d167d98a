//! The number of plies of a game as far as its signature decides it: the signature has an element
//! for each of six plies that the game has.

use ign_format::{
    block::{
        Fixed, Kind,
        decode::{Block, Records},
    },
    container::MAX_PLIES,
    error::Result,
};
use ign_notation::signature::{LEVELS, PLIES};

use crate::values::Ranges;

/// What the signatures decide about the games that are left.
pub(crate) struct Decided {
    /// For each record whether it is left, and may have such a number of plies.
    pub may: Vec<bool>,
    /// For each record whether it has one.
    pub has: Vec<bool>,
}

/// Which of the records that are left may have, and which have, a number of plies in the ranges.
///
/// # Errors
/// Corrupt.
pub(crate) fn decided(
    plies: &Ranges<u32>,
    block: &Block,
    records: &Records,
    left: &[bool],
) -> Result<Decided> {
    let mut decided = Decided {
        may: left.to_vec(),
        has: vec![false; left.len()],
    };
    // A game of Go has signatures, but no plies that count.
    if block.kind() != Kind::Chess {
        return Ok(decided);
    }
    let by_elements = of_elements(plies);
    for (record, signature) in records.games().zip(block.signatures()?) {
        let (may, has) = by_elements[signature.iter().flatten().count()];
        decided.may[record] &= may;
        decided.has[record] = left[record] && has;
    }
    Ok(decided)
}

/// The columns that are read.
pub(crate) fn columns(block: &Block) -> Vec<usize> {
    let column = block.head().column_index(Fixed::Signatures as u8);
    column.into_iter().collect()
}

/// For each number of elements of a signature, whether a game with that many elements may have a
/// number of plies in the ranges, and whether it must.
fn of_elements(plies: &Ranges<u32>) -> [(bool, bool); LEVELS + 1] {
    std::array::from_fn(|elements| {
        let least = elements.checked_sub(1).map_or(0, |last| PLIES[last]);
        let end = PLIES.get(elements).copied().unwrap_or(MAX_PLIES + 1);
        let mut numbers = least as u32..end as u32;
        let may = numbers.clone().any(|number| plies.contains(&number));
        (may, numbers.all(|number| plies.contains(&number)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_plies_between_two_elements_are_decided_by_the_signature() {
        let of = |ranges: &str| of_elements(&ranges.parse().unwrap());
        let (no, perhaps, yes) = ((false, false), (true, false), (true, true));
        assert_eq!(of("20.."), [no, yes, yes, yes, yes, yes, yes]);
        assert_eq!(of("..19"), [yes, no, no, no, no, no, no]);
        assert_eq!(of("..35"), [yes, yes, perhaps, no, no, no, no]);
        assert_eq!(of("0,45..65"), [perhaps, no, no, perhaps, yes, perhaps, no]);
        assert_eq!(of("100.."), [no, no, no, no, no, no, perhaps]);
        assert_eq!(of("71.."), [no, no, no, no, no, no, yes]);
        assert_eq!(of("71..65536"), [no, no, no, no, no, no, yes]);
    }
}
