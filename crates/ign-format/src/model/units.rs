//! The units of the network, from the position before to the next one.
//!
//! Most pieces stand as they stood when the same side was to move before, and castling rights, plies
//! and material are mostly the same. So what these add to the units is kept with the inputs that it
//! is the sum of, and only what changed is added and taken away; whatever was kept before, the sum
//! is the same.

use super::{
    inputs::{NO_INPUT, Pieces, STATE},
    parameters::{Aligned, Parameters, UNITS},
    vectors::Vectors,
};

/// Sums of a game for each side to move.
#[derive(Clone)]
pub(super) struct Units([Kept; 2]);

/// Twice the biases and the weights of these inputs.
#[derive(Clone)]
struct Kept {
    pieces: Pieces,
    state: [u16; STATE],
    sums: Aligned<[i16; UNITS]>,
}

/// More inputs than can come at once, and a power of two.
const MAX: usize = 128;

impl Units {
    /// Those of no pieces.
    pub fn new(parameters: &Parameters) -> Self {
        let kept = Kept {
            pieces: Aligned([NO_INPUT; 64]),
            state: [NO_INPUT; STATE],
            sums: Aligned(parameters.biases().map(|bias| 2 * i16::from(bias))),
        };
        Self([kept.clone(), kept])
    }

    /// The units of a position with these pieces, this state and other inputs, of one side to move.
    #[inline(always)]
    pub fn of(
        &mut self,
        vectors: impl Vectors,
        parameters: &Parameters,
        side: usize,
        pieces: &Pieces,
        state: &[u16; STATE],
        others: &[u16],
    ) -> [i16; UNITS] {
        let kept = &mut self.0[side % 2];
        let mut changed = vectors.differ(pieces, &kept.pieces);
        let (mut gone, mut come) = ([0; MAX], [0; MAX]);
        let (mut gone_count, mut come_count) = (0, 0);
        let mut replace = |before: u16, now: u16| {
            gone[gone_count % MAX] = before;
            gone_count += usize::from(before != NO_INPUT);
            come[come_count % MAX] = now;
            come_count += usize::from(now != NO_INPUT);
        };
        while changed != 0 {
            let square = changed.trailing_zeros() as usize % 64;
            changed &= changed - 1;
            replace(kept.pieces.0[square], pieces.0[square]);
        }
        if *state != kept.state {
            for (&before, &now) in kept.state.iter().zip(state) {
                if before != now {
                    replace(before, now);
                }
            }
        }
        let weights = |input: u16| parameters.input(input.into());
        (kept.pieces, kept.state) = (*pieces, *state);
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
    use ign_notation::chess::simd::Portable;

    #[test]
    fn units_do_not_depend_on_what_stood_before() {
        let parameters = Parameters::embedded();
        let mut kept = Units::new(parameters);
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        let mut pieces = Aligned([NO_INPUT; 64]);
        let mut state = [NO_INPUT; STATE];
        for round in 0..200 {
            // Now and then another game, else some squares change.
            for _ in 0..if round % 20 == 0 { 200 } else { 5 } {
                let input = random(4000) as u16;
                pieces.0[random(64) as usize] = if input < 3072 { input } else { NO_INPUT };
            }
            if round % 3 == 0 {
                state[random(STATE as u64) as usize] = 4350 + random(40) as u16;
                state[random(STATE as u64) as usize] = NO_INPUT;
            }
            let others = [3072 + random(1000) as u16, 4402];
            let side = random(2) as usize;
            let ours = kept.of(Portable, parameters, side, &pieces, &state, &others);
            let mut fresh = Units::new(parameters);
            let fresh = fresh.of(Portable, parameters, side, &pieces, &state, &others);
            assert_eq!(ours, fresh);
            let kept_inputs = pieces.0.iter().chain(&state);
            let sum = kept_inputs
                .filter(|&&input| input != NO_INPUT)
                .chain(&others);
            let sum = sum.map(|&input| i32::from(parameters.input(input.into())[7]));
            let bias = 2 * i32::from(parameters.biases()[7]);
            assert_eq!(i32::from(ours[7]), bias + sum.sum::<i32>());
        }
    }
}
