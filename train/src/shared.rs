//! What parameters have in common: a parameter is the sum of its own part and of parts that it
//! frequencies with others like it (a piece's weights on a square, whatever attacks it there; a move's,
//! wherever it comes from, or mirrored). Shared parts learn from many more games and own parts are
//! held small, so that what is seldom seen is guessed from what is like it. Scorer and archives
//! know only the sums.

use ign_format::model::{
    inputs, output_rows,
    parameters::{FEATURE_SCORES, OUTPUT_WEIGHTS},
    shape::{ACTIVATIONS, HIDDEN_UNITS, PAIR_TABLES},
};
use rustc_hash::FxHashMap;

/// Parameters next to each other that frequency parts as long as they are.
struct Slot {
    base: usize,
    width: usize,
    /// Where these parts begin.
    shared: Vec<usize>,
}

/// Which parameters frequency which parts.
pub struct Shared {
    slots: Vec<Slot>,
    /// How many shared parts there are.
    pub count: usize,
}

/// Gives places to parts, by what they stand for.
#[derive(Default)]
struct Places {
    known: FxHashMap<(&'static str, usize), usize>,
    count: usize,
}

impl Places {
    /// The places of the parts that all parameters with the same key of a kind frequency.
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

impl Shared {
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

    /// Takes shared parts out of parameters: means, one kind after the other, a few times over.
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

    /// Sums gradients up to those of shared parts.
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

    /// Adds shared parts to own ones.
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

    /// By parameter: whether it frequencies parts.
    pub fn sharing(&self, parameters: usize) -> Vec<bool> {
        let mut sharing = vec![false; parameters];
        for slot in &self.slots {
            sharing[slot.base..][..slot.width].fill(true);
        }
        sharing
    }
}

/// A square or the one across, whichever is on the left half.
fn fold(square: usize) -> usize {
    square.min(square ^ 7)
}

/// How far it is from one square to another, in ranks and files, as one number below 256.
fn step(from: usize, to: usize) -> usize {
    (to / 8 + 8 - from / 8) * 16 + (to % 8 + 8 - from % 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ign_format::model::parameters::PARAMETERS;

    #[test]
    fn parts_add_up_to_what_was_split() {
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
    fn a_shared_part_has_the_gradients_of_all_that_share_it() {
        let shared = Shared::new();
        let slopes = vec![1.0; PARAMETERS];
        let mut sums = vec![0.0; shared.count];
        shared.gather(&slopes, &mut sums);
        let frequencies: f32 = (shared.slots.iter())
            .map(|slot| (slot.width * slot.shared.len()) as f32)
            .sum();
        // Sums beyond 2^24 are rounded.
        assert!((sums.iter().sum::<f32>() - frequencies).abs() < frequencies * 1e-3);
        assert!(sums.iter().all(|&sum| sum >= 1.0));
    }
}
