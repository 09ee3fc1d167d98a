//! The units of the network, from the position before to the next one.
//!
//! Most pieces stand as they stood when the same side was to move before. So what the pieces add
//! to the units is kept with the inputs that it is the sum of, and only what changed is added and
//! taken away; whatever was kept before, the sum is the same.

use super::{
    inputs::{NO_PIECE, Pieces},
    parameters::{Aligned, Parameters, UNITS},
    vectors::Vectors,
};

/// Sums of a game for each side to move.
#[derive(Clone)]
pub(super) struct Units([Kept; 2]);

/// Twice the biases and the weights of these pieces.
#[derive(Clone)]
struct Kept {
    pieces: Pieces,
    sums: Aligned<[i16; UNITS]>,
}

impl Units {
    /// Those of no pieces.
    pub fn new(parameters: &Parameters) -> Self {
        let kept = Kept {
            pieces: Aligned([NO_PIECE; 64]),
            sums: Aligned(parameters.biases().map(|bias| 2 * i16::from(bias))),
        };
        Self([kept.clone(), kept])
    }

    /// The units of a position with these pieces and other inputs, of one side to move.
    #[inline(always)]
    pub fn of(
        &mut self,
        vectors: impl Vectors,
        parameters: &Parameters,
        side: usize,
        pieces: &Pieces,
        others: &[u16],
    ) -> [i16; UNITS] {
        let kept = &mut self.0[side % 2];
        let mut changed = vectors.differ(pieces, &kept.pieces);
        let (mut gone, mut come) = ([0; 64], [0; 64]);
        let (mut gone_count, mut come_count) = (0, 0);
        while changed != 0 {
            let square = changed.trailing_zeros() as usize % 64;
            changed &= changed - 1;
            let (before, now) = (kept.pieces.0[square], pieces.0[square]);
            gone[gone_count % 64] = before;
            gone_count += usize::from(before != NO_PIECE);
            come[come_count % 64] = now;
            come_count += usize::from(now != NO_PIECE);
        }
        let weights = |input: u16| parameters.input(input.into());
        kept.pieces = *pieces;
        kept.sums.0 = vectors.change(
            &kept.sums.0,
            &gone[..gone_count],
            &come[..come_count],
            weights,
        );
        vectors.change(&kept.sums.0, &[], others, weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::vectors::Portable;

    #[test]
    fn units_do_not_depend_on_what_stood_before() {
        let parameters = Parameters::embedded();
        let mut kept = Units::new(parameters);
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        let mut pieces = Aligned([NO_PIECE; 64]);
        for round in 0..200 {
            // Now and then another game, else some squares change.
            for _ in 0..if round % 20 == 0 { 200 } else { 5 } {
                let input = random(4000) as u16;
                pieces.0[random(64) as usize] = if input < 3072 { input } else { NO_PIECE };
            }
            let others = [3072 + random(1000) as u16, 4402];
            let side = random(2) as usize;
            let ours = kept.of(Portable, parameters, side, &pieces, &others);
            let mut fresh = Units::new(parameters);
            assert_eq!(ours, fresh.of(Portable, parameters, side, &pieces, &others));
            let sum = pieces
                .0
                .iter()
                .filter(|&&piece| piece != NO_PIECE)
                .chain(&others);
            let sum = sum.map(|&input| i32::from(parameters.input(input.into()).0[7]));
            let bias = 2 * i32::from(parameters.biases()[7]);
            assert_eq!(i32::from(ours[7]), bias + sum.sum::<i32>());
        }
    }
}
