//! Parameter sharing in training: a parameter is the sum of its own part and of parts that it
//! shares with similar parameters. For example, the weights of a piece on a square share a part for
//! all attack states; those of a move share a part for all origins, and one with the mirrored move.
//!
//! Shared parts get gradients from many more positions, and weight decay keeps own parts small, so
//! rare parameters are estimated from similar ones. Only the sums are part of the format.

use ign_format::model::{
    inputs, output_rows,
    parameters::{FEATURE_SCORES, OUTPUT_WEIGHTS},
    shape::{ACTIVATIONS, HIDDEN_UNITS, PAIR_TABLES},
};
use rustc_hash::FxHashMap;

/// A range of parameters, and the shared parts of the same length that are added to it.
#[derive(Debug)]
struct Slot {
    base: usize,
    width: usize,
    /// The first index of each shared part.
    shared: Vec<usize>,
}

/// Which parameters share which parts.
#[derive(Debug)]
pub struct Shared {
    slots: Vec<Slot>,
    /// Number of shared values: the total length of all shared parts.
    pub count: usize,
}

/// Assigns indices to shared parts by their keys.
#[derive(Default)]
struct Places {
    known: FxHashMap<(&'static str, usize), usize>,
    count: usize,
}

impl Places {
    /// The indices of the shared parts with these keys: a kind of part, and a value of that kind.
    fn of<const KINDS: usize>(
        &mut self,
        width: usize,
        keys: [(&'static str, usize); KINDS],
    ) -> Vec<usize> {
        let place = |key| {
            *self.known.entry(key).or_insert_with(|| {
                self.count += width;
                self.count - width
            })
        };
        keys.map(place).to_vec()
    }
}

impl Default for Shared {
    fn default() -> Self {
        Self::new()
    }
}

impl Shared {
    /// Which parameters of the move model share which parts.
    pub fn new() -> Self {
        let mut places = Places::default();
        let mut slots = Vec::new();
        let mut add = |base, width, shared| {
            slots.push(Slot {
                base,
                width,
                shared,
            });
        };
        for input in 0..inputs::LAST {
            let (piece, square, state) = (input / 256, input / 4 % 64, input % 4);
            let keys = [
                ("piece, square", piece * 64 + square),
                (
                    "piece, state, fold",
                    (piece * 4 + state) * 64 + fold(square),
                ),
                ("piece, state, rank", (piece * 4 + state) * 8 + square / 8),
            ];
            add(
                input * HIDDEN_UNITS,
                HIDDEN_UNITS,
                places.of(HIDDEN_UNITS, keys),
            );
        }
        for (square_kind, rank_kind, start) in [
            ("last", "last, rank", inputs::LAST),
            ("own", "own, rank", inputs::OWN),
            ("before", "before, rank", inputs::EARLIER),
        ] {
            for landing in 0..384 {
                let keys = [
                    (square_kind, landing % 64),
                    (rank_kind, landing / 64 * 8 + landing / 8 % 8),
                ];
                let base = (start + landing) * HIDDEN_UNITS;
                add(base, HIDDEN_UNITS, places.of(HIDDEN_UNITS, keys));
            }
        }
        for (row, (piece, from, to)) in output_rows::ordinary_moves().into_iter().enumerate() {
            let (way, mirrored) = (from * 64 + to, (from ^ 7) * 64 + (to ^ 7));
            let keys = [
                ("to", piece * 64 + to),
                ("from", piece * 64 + from),
                ("fold of the way", piece * 4096 + way.min(mirrored)),
                ("step", piece * 256 + step(from, to)),
            ];
            add(
                OUTPUT_WEIGHTS + row * ACTIVATIONS,
                ACTIVATIONS,
                places.of(ACTIVATIONS, keys),
            );
        }
        for (table, [pair_kind, role_kind, step_kind]) in PAIR_TABLES.into_iter().zip([
            ["reply", "reply to role", "step of reply"],
            ["repeat", "repeat of role", "step of repeat"],
        ]) {
            let start = FEATURE_SCORES + table;
            for entry in 0..385 * 384 {
                let (last, landing) = (entry / 384, entry % 384);
                let (role, piece) = (last / 64, landing / 64);
                let by_step = (role * 6 + piece) * 256 + step(last % 64, landing % 64);
                let keys = [
                    (pair_kind, last * 6 + piece),
                    (role_kind, role * 384 + landing),
                    (step_kind, by_step),
                ];
                add(start + entry, 1, places.of(1, keys));
            }
        }
        Self {
            slots,
            count: places.count,
        }
    }

    /// Moves what parameters have in common into the shared parts: subtracts the mean of each
    /// part's parameters, one kind of part after another, in four rounds.
    pub fn split(&self, own: &mut [f32], shared: &mut [f32]) {
        let most = self.slots.iter().map(|slot| slot.shared.len()).max();
        for _ in 0..4 {
            for kind in 0..most.unwrap_or(0) {
                let (mut counts, mut sums) = (vec![0u32; self.count], vec![0.0; self.count]);
                let each = |visit: &mut dyn FnMut(usize, usize)| {
                    for slot in &self.slots {
                        if let Some(at) = slot.shared.get(kind) {
                            (0..slot.width).for_each(|i| visit(slot.base + i, at + i));
                        }
                    }
                };
                each(&mut |parameter, part| {
                    counts[part] += 1;
                    sums[part] += own[parameter];
                });
                for (sum, &count) in sums.iter_mut().zip(&counts) {
                    *sum /= count.max(1) as f32;
                }
                each(&mut |parameter, part| own[parameter] -= sums[part]);
                for (part, mean) in shared.iter_mut().zip(&sums) {
                    *part += mean;
                }
            }
        }
    }

    /// Computes the gradients of shared parts: the sums over the parameters that share them.
    pub fn gather(&self, slopes: &[f32], shared: &mut [f32]) {
        shared.fill(0.0);
        for slot in &self.slots {
            for &at in &slot.shared {
                let sums = &mut shared[at..][..slot.width];
                for (sum, slope) in sums.iter_mut().zip(&slopes[slot.base..]) {
                    *sum += slope;
                }
            }
        }
    }

    /// Adds shared parts to own parts, in place.
    pub fn spread(&self, shared: &[f32], whole: &mut [f32]) {
        for slot in &self.slots {
            for &at in &slot.shared {
                let parts = &shared[at..][..slot.width];
                for (whole, part) in whole[slot.base..].iter_mut().zip(parts) {
                    *whole += part;
                }
            }
        }
    }

    /// For each parameter, whether it shares parts.
    pub fn sharing(&self, parameters: usize) -> Vec<bool> {
        let mut sharing = vec![false; parameters];
        for slot in &self.slots {
            sharing[slot.base..][..slot.width].fill(true);
        }
        sharing
    }
}

/// Mirrors a square to the files a to d.
fn fold(square: usize) -> usize {
    square.min(square ^ 7)
}

/// The difference of two squares in ranks and files, as a number below 256.
fn step(from: usize, to: usize) -> usize {
    (to / 8 + 8 - from / 8) * 16 + (to % 8 + 8 - from % 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ign_format::model::parameters::PARAMETERS;

    #[test]
    fn own_and_shared_parts_sum_to_the_split_parameters() {
        let shared = Shared::new();
        let whole: Vec<f32> = (0..PARAMETERS).map(|i| (i * 37 % 101) as f32).collect();
        let (mut own, mut parts) = (whole.clone(), vec![0.0; shared.count]);
        shared.split(&mut own, &mut parts);
        assert!(own.iter().map(|part| part.abs()).sum::<f32>() < whole.iter().sum::<f32>() * 0.8);
        shared.spread(&parts, &mut own);
        let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-2;
        assert!(own.iter().zip(&whole).all(near));
    }

    #[test]
    fn gradient_of_a_shared_part_sums_over_its_parameters() {
        let shared = Shared::new();
        let slopes = vec![1.0; PARAMETERS];
        let mut sums = vec![0.0; shared.count];
        shared.gather(&slopes, &mut sums);
        let frequencies: f32 = (shared.slots.iter())
            .map(|slot| (slot.width * slot.shared.len()) as f32)
            .sum();
        // Single precision rounds sums above 2^24.
        assert!((sums.iter().sum::<f32>() - frequencies).abs() < frequencies * 1e-3);
        assert!(sums.iter().all(|&sum| sum >= 1.0));
    }
}
