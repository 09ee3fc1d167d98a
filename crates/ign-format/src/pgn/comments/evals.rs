//! Evaluation model: predicts the engine evaluation of a position, in centipawns (spec §4.5.7).
//!
//! The coded number is the player's loss by the last move. Three predictors apply, in this order:
//!
//! * the evaluation that the same opening position had before in the block (`PositionEval`);
//! * the glyph: a marked move lost a minimum of winning chances ([`Glyph`]), so the loss is coded
//!   as its excess over that minimum;
//! * a small network of 13 categorical inputs, whose logits are mixed with two adaptive contexts.

use rustc_hash::FxHashMap;

use super::{
    classes::{class, classes, fine_class, phase, signed_class, update_mean},
    context::FieldContext,
    glyph::{Glyph, min_loss},
};
use crate::models::{Model, network_architecture};
use ign_entropy::{
    adaptive::{Bit, Coder},
    mixing::{DECISIONS, MixedSigned},
    network::{Shape, first_rows, rows},
};

/// Number of inputs.
pub const INPUTS: usize = 13;
/// Number of values of each input.
pub(crate) const VALUES: [usize; INPUTS] = [64, 128, 256, 128, 64, 64, 64, 7, 7, 6, 2, 16, 64];
/// Index of the first value of each input among the values of all inputs.
pub(crate) const FIRST: [usize; INPUTS] = first_rows(VALUES);
/// Number of values of all inputs: rows of the embedding.
const ROWS: usize = FIRST[INPUTS - 1] + VALUES[INPUTS - 1];
/// Number of hidden units: products of two embedding dimensions each.
const WIDTH: usize = 16;
const UNITS: usize = 2 * WIDTH;
/// Dimensions of the network.
pub const SHAPE: Shape = Shape {
    rows: ROWS,
    width: WIDTH,
    decisions: DECISIONS,
};

/// Unit of evaluations, in thousandths: one centipawn.
pub const UNIT: i64 = 10;
/// Changes are clamped to this before they enter a mean.
const MAX_CHANGE: i64 = 1 << 20;

network_architecture!(
    /// The parameters of the network: a model of architecture 4 (spec §8.6).
    EvalNetwork,
    4,
    "evaluation model",
    include_bytes!("evals.bin")
);

/// The evaluations of a game so far, in centipawns from White's point of view.
#[derive(Debug, Clone, Copy, Default)]
pub struct EvalHistory {
    /// The last evaluation and the ply it follows.
    last: Option<(usize, i64)>,
    /// The last change; 0 if a glyph marked the move.
    change: i64,
    /// Mean size of the changes by each side's moves, in 16ths. Marked moves count as 0.
    mean_change: [i64; 2],
    /// The last two glyphs, the last one first.
    glyphs: [Glyph; 2],
}

/// Prediction of the loss by a move.
#[derive(Debug)]
pub struct LossPrediction {
    /// The evaluation before the move.
    last: i64,
    /// 1 if White played the move, else -1.
    sign: i64,
    /// The minimum loss that the glyph implies.
    min_loss: i64,
    /// Rows of the network's inputs.
    pub inputs: [u16; INPUTS],
    contexts: [usize; 2],
}

impl LossPrediction {
    /// The loss beyond the minimum at this evaluation.
    pub fn excess(&self, value: i64) -> i64 {
        let loss = self.last.saturating_sub(value).saturating_mul(self.sign);
        loss.saturating_sub(self.min_loss)
    }

    /// The evaluation at this loss beyond the minimum.
    fn value(&self, excess: i64) -> i64 {
        let loss = excess.saturating_add(self.min_loss);
        self.last.saturating_sub(loss.saturating_mul(self.sign))
    }
}

impl EvalHistory {
    /// Predicts the loss by the last move; `None` unless the evaluation before it is known.
    pub fn predict(&self, context: &FieldContext) -> Option<LossPrediction> {
        let (ply, moves) = (context.point.ply, context.point.moves);
        let (last_ply, last) = self.last?;
        let played = context.point.last_move().filter(|&at| at == last_ply)?;
        let side = ply & 1;
        let sign = if side == 1 { 1 } else { -1 };
        let eval = last.saturating_mul(sign);
        let glyph = context.glyph as usize;
        // The loss from which the next worse glyph would apply.
        let next_glyph = min_loss(eval, glyph as i64 + 1);
        // The minimum loss, and the class of the range that the glyph leaves.
        let (least, range) = match context.glyph {
            Glyph::None => match next_glyph.map_or(i64::MAX, |loss| loss.saturating_sub(55)) {
                near @ ..24 => (0, near.max(0) as usize),
                far => (0, (24 + classes::<2>(far - 24)).min(63)),
            },
            Glyph::Blunder => {
                let least = min_loss(eval, 3)?;
                (least, fine_class(least.saturating_sub(165)))
            }
            _ => {
                let least = min_loss(eval, glyph as i64)?;
                let width = next_glyph.map_or(i64::MAX, |loss| loss.saturating_sub(least));
                (least, fine_class(width))
            }
        };
        let features = moves.get(played).copied().unwrap_or_default();
        let reply_to = played.checked_sub(1).and_then(|before| moves.get(before));
        let gives_check = moves.get(ply).is_some_and(|next| next.in_check);
        let values = [
            (ply / 2).min(63),
            signed_class(eval, 64, fine_class),
            glyph * 64 + range,
            signed_class(self.change.saturating_mul(sign), 64, fine_class),
            fine_class(self.mean_change[side] / 4),
            fine_class(self.mean_change[1 - side] / 4),
            glyph * 16 + self.glyphs[0] as usize * 4 + self.glyphs[1] as usize,
            usize::from(features.role),
            usize::from(features.captured),
            usize::from(features.recapture) + 3 * usize::from(features.in_check),
            usize::from(gives_check),
            reply_to.map_or(0, |features| features.role_and_capture()),
            usize::from(features.material),
        ];
        let eval = signed_class(eval, 32, class);
        let contexts = match context.glyph {
            Glyph::None => {
                let mean = self.mean_change[0].saturating_add(self.mean_change[1]) / 32;
                [eval * 16 + phase(ply), class(mean).min(31)]
            }
            _ => [glyph * 64 + eval, glyph * 32 + range / 2],
        };
        Some(LossPrediction {
            last,
            sign,
            min_loss: least,
            inputs: rows(values, FIRST),
            contexts,
        })
    }

    /// Whether the position has an evaluation already.
    fn has(&self, context: &FieldContext) -> bool {
        self.last.is_some_and(|(ply, _)| ply == context.point.ply)
    }

    /// Adds the first evaluation of a position.
    pub fn push(&mut self, context: &FieldContext, value: i64) {
        let (ply, glyph) = (context.point.ply, context.glyph);
        let change = match self.last {
            Some((last_ply, last)) if last_ply + 1 == ply => value.saturating_sub(last),
            _ => 0,
        };
        self.change = if glyph == Glyph::None { change } else { 0 };
        let mean = &mut self.mean_change[ply & 1];
        *mean = update_mean(*mean, self.change.saturating_abs().min(MAX_CHANGE));
        self.glyphs = [glyph, self.glyphs[0]];
        self.last = Some((ply, value));
    }
}

/// The last evaluation of an opening position.
#[derive(Debug, Clone, Copy, Default)]
struct PositionEval {
    value: i64,
    /// How often it was repeated in a row.
    repeats: usize,
}

/// Evaluation model of a block, with the history of the current game.
#[derive(Debug, Clone)]
pub struct EvalModel {
    network: Model<EvalNetwork>,
    history: EvalHistory,
    /// Opening positions by key.
    positions: FxHashMap<u64, PositionEval>,
    /// Whether a known position keeps its evaluation, by its repeats and by the game's phase.
    same: [[Bit; 3]; 4],
    /// Losses by unmarked and by marked moves.
    losses: [MixedSigned<2>; 2],
}

impl EvalModel {
    /// An empty model with this network.
    pub fn new(network: Model<EvalNetwork>) -> Self {
        Self {
            network,
            history: EvalHistory::default(),
            positions: FxHashMap::default(),
            same: Default::default(),
            losses: std::array::from_fn(|_| MixedSigned::predicted()),
        }
    }

    /// Starts a game.
    pub fn begin(&mut self) {
        self.history = EvalHistory::default();
    }

    /// Codes an evaluation in centipawns; returns `None` and codes nothing if there is no
    /// prediction.
    pub fn code(
        &mut self,
        coder: &mut impl Coder,
        context: &FieldContext,
        given: i64,
    ) -> Option<i64> {
        let ply = context.point.ply;
        if self.history.has(context) {
            return None;
        }
        let key = context.point.opening_key();
        if let Some(known) = key.and_then(|key| self.positions.get(&key)) {
            let phase = usize::from(ply > 8) + usize::from(ply > 16);
            let same = &mut self.same[known.repeats.min(3)][phase];
            if coder.bit(same, given == known.value) {
                return Some(known.value);
            }
        }
        let expected = self.history.predict(context)?;
        let prediction = self.network.network().predict(&expected.inputs);
        let logits = |decision| prediction.logit(decision);
        let losses = &mut self.losses[usize::from(context.glyph != Glyph::None)];
        let excess =
            losses.code_predicted(coder, expected.contexts, logits, expected.excess(given));
        Some(expected.value(excess))
    }

    /// Updates the model with an evaluation, however it was coded.
    pub fn update(&mut self, context: &FieldContext, value: i64) {
        if self.history.has(context) {
            return;
        }
        if let Some(key) = context.point.opening_key() {
            let known = self
                .positions
                .entry(key)
                .or_insert(PositionEval { value, repeats: 0 });
            let repeats = if known.value == value {
                known.repeats + 1
            } else {
                0
            };
            *known = PositionEval { value, repeats };
        }
        self.history.push(context, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        container::checksum,
        models::Architecture as _,
        pgn::comments::{context::GamePoint, move_features::MoveFeatures},
    };
    use ign_entropy::adaptive::{Decoder, Encoder};

    #[test]
    fn network_matches_its_checksum() {
        assert_eq!(checksum(include_bytes!("evals.bin")), 0x28bb_b955_d482_5bdb);
    }

    /// Codes games with the same opening: after each move a glyph and an evaluation.
    fn code(coder: &mut impl Coder, games: &[Vec<(Glyph, i64)>]) -> Vec<Vec<i64>> {
        let mut evals = EvalModel::new(EvalNetwork::builtin());
        let moves: Vec<MoveFeatures> = (1..9)
            .map(|key| MoveFeatures {
                key,
                ..MoveFeatures::default()
            })
            .collect();
        let mut game = |evaluations: &Vec<(Glyph, i64)>| {
            evals.begin();
            let mut one = |(i, &(glyph, given)): (usize, &(Glyph, i64))| {
                let context = FieldContext {
                    slot: 0,
                    field: 0,
                    point: GamePoint {
                        ply: i + 1,
                        moves: &moves,
                    },
                    glyph,
                    is_evaluation: true,
                };
                let coded = evals.code(coder, &context, given);
                let value = coded.unwrap_or_else(|| coder.uniform(given as u64, 64) as i64);
                evals.update(&context, value);
                assert_eq!(evals.code(coder, &context, value), None, "coded twice");
                value
            };
            evaluations.iter().enumerate().map(&mut one).collect()
        };
        games.iter().map(&mut game).collect()
    }

    fn bytes_of(games: &[Vec<(Glyph, i64)>]) -> Vec<u8> {
        let mut coder = Encoder::new();
        code(&mut coder, games);
        coder.finish()
    }

    #[test]
    fn repeated_evaluations_of_positions_are_cheap() {
        let game: Vec<_> = (1..9).map(|i| (Glyph::None, i * 37 % 50)).collect();
        let (once, often) = (
            bytes_of(std::slice::from_ref(&game)),
            bytes_of(&vec![game.clone(); 50]),
        );
        assert!(often.len() < once.len() + 20, "{}", often.len());
    }

    #[test]
    fn glyphs_predict_losses() {
        use Glyph::{Inaccuracy, None};
        let game = |glyph| vec![(None, 20), (glyph, 90), (None, 85), (glyph, 150)];
        let len = |glyph| {
            let games: Vec<_> = (0..2000).map(|_| game(glyph)).collect();
            let mut coder = Encoder::new();
            for game in &games {
                code(&mut coder, std::slice::from_ref(game));
            }
            coder.finish().len()
        };
        assert!(len(Inaccuracy) < len(None), "each game coded on its own");
    }

    #[test]
    fn round_trips_evaluations_of_any_size_and_glyph() {
        const LARGE: i64 = 999_999_999_999_999;
        use Glyph::{Blunder, Inaccuracy, Mistake, None};
        let values = [0, 15, -40, 480, -3000, LARGE, -LARGE, 1, 7, 7];
        let game = |shift: usize| {
            let glyphs = [None, Inaccuracy, Mistake, Blunder].into_iter().cycle();
            let rotated = values.iter().cycle().skip(shift).take(10);
            glyphs.skip(shift / 3).zip(rotated.copied()).collect()
        };
        let games: Vec<Vec<(Glyph, i64)>> = (0..30).map(game).collect();
        let bytes = bytes_of(&games);
        let mut silent = games.clone();
        silent
            .iter_mut()
            .flatten()
            .for_each(|(_, value)| *value = 0);
        let found = code(&mut Decoder::new(&bytes), &silent);
        let given = |game: &Vec<(Glyph, i64)>| game.iter().map(|&(_, v)| v).collect();
        let expected: Vec<Vec<i64>> = games.iter().map(given).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn decodes_arbitrary_bytes_without_panic() {
        for byte in 0..=255 {
            let games: Vec<_> = (0..40).map(|i| vec![(Glyph::Blunder, i); 12]).collect();
            code(&mut Decoder::new(&[byte, 0xff, !byte].repeat(9)), &games);
        }
    }
}
