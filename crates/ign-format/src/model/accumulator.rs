//! The accumulator: sums of input embeddings, updated incrementally from position to position (as
//! in efficiently updatable neural networks, NNUE).
//!
//! Between two positions with the same side to move, most pieces stay where they are, and castling
//! rights, ply bucket and material seldom change. So the sum over these inputs is kept with the
//! inputs, and only the embeddings of changed inputs are subtracted and added. Sums of integers are
//! exact, so they do not depend on the previous position. Event inputs are added on top each time.

use super::{
    aligned::Aligned,
    inputs::{NO_INPUT, STATE},
    kernels::{Kernels, PieceInputs},
    parameters::Parameters,
    shape::HIDDEN_UNITS,
};

/// The embedding sums of a game, for each side to move.
#[derive(Debug, Clone)]
pub(super) struct Accumulator([SideSums; 2]);

/// The sum of the embeddings of these inputs and of twice the biases.
#[derive(Debug, Clone)]
struct SideSums {
    pieces: PieceInputs,
    state: [u16; STATE],
    sums: Aligned<[i16; HIDDEN_UNITS]>,
}

/// An upper limit of the inputs that change at once: a power of two, so that a mask replaces a
/// bounds check.
const MAX_CHANGES: usize = 128;

impl Accumulator {
    /// The sums of an empty board.
    pub fn new(parameters: &Parameters) -> Self {
        let empty = SideSums {
            pieces: Aligned([NO_INPUT; 64]),
            state: [NO_INPUT; STATE],
            sums: Aligned(parameters.hidden_biases().map(|bias| 2 * i16::from(bias))),
        };
        Self([empty.clone(), empty])
    }

    /// Updates the sums of the side to move to these piece and state inputs. Returns the hidden
    /// units, which include the event inputs.
    #[inline(always)]
    pub fn update(
        &mut self,
        simd: impl Kernels,
        parameters: &Parameters,
        side: usize,
        pieces: &PieceInputs,
        state: &[u16; STATE],
        events: &[u16],
    ) -> [i16; HIDDEN_UNITS] {
        let kept = &mut self.0[side % 2];
        let mut changed = simd.differences(pieces, &kept.pieces);
        let (mut removed, mut added) = ([0; MAX_CHANGES], [0; MAX_CHANGES]);
        let (mut removed_count, mut added_count) = (0, 0);
        let mut replace = |before: u16, now: u16| {
            removed[removed_count % MAX_CHANGES] = before;
            removed_count += usize::from(before != NO_INPUT);
            added[added_count % MAX_CHANGES] = now;
            added_count += usize::from(now != NO_INPUT);
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
        let embedding = |input: u16| parameters.embedding(input.into());
        (kept.pieces, kept.state) = (*pieces, *state);
        kept.sums.0 = simd.update(
            &kept.sums.0,
            &removed[..removed_count],
            &added[..added_count],
            embedding,
        );
        simd.update(&kept.sums.0, &[], events, embedding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::Architecture as _;
    use ign_notation::chess::simd::Portable;

    #[test]
    fn hidden_units_do_not_depend_on_the_previous_position() {
        let parameters = &*Parameters::builtin();
        let mut accumulator = Accumulator::new(parameters);
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        let mut pieces = Aligned([NO_INPUT; 64]);
        let mut state = [NO_INPUT; STATE];
        for round in 0..200 {
            // Every 20th round is an unrelated position; otherwise a few squares change.
            for _ in 0..if round % 20 == 0 { 200 } else { 5 } {
                let input = random(4000) as u16;
                pieces.0[random(64) as usize] = if input < 3072 { input } else { NO_INPUT };
            }
            if round % 3 == 0 {
                state[random(STATE as u64) as usize] = 4350 + random(40) as u16;
                state[random(STATE as u64) as usize] = NO_INPUT;
            }
            let events = [3072 + random(1000) as u16, 4402];
            let side = random(2) as usize;
            let units = accumulator.update(Portable, parameters, side, &pieces, &state, &events);
            let mut other = Accumulator::new(parameters);
            let fresh = other.update(Portable, parameters, side, &pieces, &state, &events);
            assert_eq!(units, fresh);
            let kept_inputs = pieces.0.iter().chain(&state);
            let sum = kept_inputs
                .filter(|&&input| input != NO_INPUT)
                .chain(&events)
                .map(|&input| i32::from(parameters.embedding(input.into())[7]));
            let bias = 2 * i32::from(parameters.hidden_biases()[7]);
            assert_eq!(i32::from(units[7]), bias + sum.sum::<i32>());
        }
    }
}
