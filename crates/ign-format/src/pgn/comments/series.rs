//! Series: the values of one kind in a game's comments, each predicted from the ones before it
//! (spec §4.5.3).
//!
//! * **Clocks** count down. The coded number is the player's thinking time, predicted by the [clock
//!   model](super::clock_model).
//! * **Durations** are thinking times. They are predicted from the last times of both players.
//! * **Other numbers**, mostly evaluations, are coded as the difference from one of three guesses:
//!   the last value, its negative (programs that evaluate from their own side), or the last value
//!   after a move of the same side. The guess with the smallest recent error applies. Differences
//!   and their contexts are seen from the side that has moved: a move rarely improves the
//!   evaluation for its player, but often worsens it. Engine evaluations use the [evaluation
//!   model](super::evals) first.

use super::{
    Networks,
    classes::{class, phase, update_mean},
    clock_model::{ClockNetwork, Clocks},
    context::FieldContext,
    evals::{self, EvalModel},
    formats::{CLOCK, unit},
    time_control::TimeControl,
};
use crate::models::Model;
use ign_entropy::{adaptive::Coder, mixing::MixedSigned};

/// Kind of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Time left on the player's clock.
    Countdown,
    /// Time used for the move.
    Duration,
    /// Any other number. The value separates kinds by the text around the number.
    Other(u8),
}

impl Kind {
    /// The kind of a field, from its mark, its mode and the template text before and after it.
    pub fn of(mark: u8, mode: u8, before: &[u8], after: Option<u8>) -> Self {
        let has_fraction = unit(mark, mode) < 1000;
        match mark {
            CLOCK if before.ends_with(b"clk ") => Self::Countdown,
            CLOCK => Self::Duration,
            _ if after == Some(b's') => Self::Duration,
            // Numbers with a fraction are evaluations, wherever they occur.
            _ if has_fraction => Self::Other(0),
            // The distance of a mate is written as #3 or in words.
            _ if before.ends_with(b"Mate in ") => Self::Other(b'#'),
            _ => Self::Other(before.last().copied().unwrap_or(1)),
        }
    }
}

/// The values of one series in the current game. Values are in thousandths.
#[derive(Debug, Clone, Copy, Default)]
struct History {
    /// The last value of each side.
    own: [Option<i64>; 2],
    /// The last value.
    last: Option<i64>,
    /// The last two differences, or durations, of each side, in units of the field.
    steps: [[i64; 2]; 2],
    /// Mean size of the differences, in 16ths of units.
    mean_step: i64,
}

/// The series of a block, and those of the current game.
#[derive(Debug, Clone)]
pub struct Series {
    clock_network: Model<ClockNetwork>,
    clocks: Clocks,
    /// Whether any value was predicted from the time control.
    pub uses_time_control: bool,
    histories: Vec<(Kind, History)>,
    /// Mean error of the three guesses, for each kind.
    errors: Vec<(Kind, [i64; 3])>,
    /// Thinking times with inputs for the network, and those without.
    predicted_times: MixedSigned<4>,
    times: MixedSigned<4>,
    durations: MixedSigned<3>,
    others: MixedSigned<4>,
    evals: EvalModel,
}

impl Series {
    /// An empty model with these networks.
    pub fn new(networks: Networks) -> Self {
        Self {
            clock_network: networks.clocks,
            clocks: Clocks::default(),
            uses_time_control: false,
            histories: Vec::new(),
            errors: Vec::new(),
            predicted_times: MixedSigned::predicted(),
            times: MixedSigned::default(),
            durations: MixedSigned::default(),
            others: MixedSigned::default(),
            evals: EvalModel::new(networks.evals),
        }
    }
}

/// Fields from this number on share a context.
const MAX_FIELDS: u32 = 1 << 10;
/// Slots from this number on share a context.
const MAX_SLOTS: u32 = 63;

fn entry<T: Default + Copy>(list: &mut Vec<(Kind, T)>, kind: Kind) -> &mut T {
    let place = list
        .iter()
        .position(|(k, _)| *k == kind)
        .unwrap_or_else(|| {
            list.push((kind, T::default()));
            list.len() - 1
        });
    &mut list[place].1
}

impl Series {
    /// Starts a game.
    pub fn begin(&mut self, control: TimeControl) {
        self.clocks = Clocks::new(control);
        self.histories.clear();
        self.evals.begin();
    }

    /// Codes a value; `unit` is the number of thousandths in its unit.
    pub fn code(
        &mut self,
        coder: &mut impl Coder,
        kind: Kind,
        unit: i64,
        context: FieldContext,
        given: i64,
    ) -> i64 {
        match kind {
            Kind::Countdown => self.code_clock(coder, unit, context, given),
            Kind::Duration => self.code_duration(coder, context, given),
            Kind::Other(_) => self.code_other(coder, kind, unit, context, given),
        }
    }

    fn code_clock(
        &mut self,
        coder: &mut impl Coder,
        unit: i64,
        context: FieldContext,
        given: i64,
    ) -> i64 {
        self.uses_time_control = true;
        let point = context.point;
        let side = point.ply & 1;
        let left = self.clocks.left(side) / unit;
        let contexts = self.clocks.contexts(side, unit, point.ply);
        let given_time = left.saturating_sub(given);
        let time = match self.clocks.inputs(side, unit, point) {
            Some(inputs) => {
                let prediction = self.clock_network.network().predict(&inputs);
                let logits = |decision| prediction.logit(decision);
                self.predicted_times
                    .code_predicted(coder, contexts, logits, given_time)
            }
            None => self.times.code(coder, contexts, given_time),
        };
        let value = left.saturating_sub(time);
        let [shown, time] = [value, time].map(|units| units.saturating_mul(unit));
        self.clocks.push(side, unit, shown, time);
        value
    }

    fn code_duration(&mut self, coder: &mut impl Coder, context: FieldContext, given: i64) -> i64 {
        let history = entry(&mut self.histories, Kind::Duration);
        let side = context.point.ply & 1;
        let [own, before] = history.steps[side].map(|t| class(t).min(31));
        let opponent = class(history.steps[1 - side][0]).min(31);
        let field = context.field.min(MAX_FIELDS) as usize;
        let contexts = [
            field * 16 + phase(context.point.ply),
            (2 * own + before + opponent) / 4 * 32 + own,
            own * 32 + opponent,
        ];
        let value = self.durations.code(coder, contexts, given);
        history.steps[side] = [value, history.steps[side][0]];
        value
    }

    fn code_other(
        &mut self,
        coder: &mut impl Coder,
        kind: Kind,
        unit: i64,
        context: FieldContext,
        given: i64,
    ) -> i64 {
        let history = entry(&mut self.histories, kind);
        let errors = entry(&mut self.errors, kind);
        let ply = context.point.ply;
        let side = ply & 1;
        let last = history.last.unwrap_or(0);
        let own = history.own[side].unwrap_or(last);
        let guesses = [last, last.saturating_neg(), own];
        let best = (0..3).min_by_key(|&i| errors[i]).unwrap_or(0);
        let guess = guesses[best] / unit;
        let (field, slot) = (context.field.min(MAX_FIELDS), context.slot.min(MAX_SLOTS));
        let (field, slot) = (field as usize, slot as usize);
        // Values are seen from the side that has moved.
        let sign = if side == 1 { -1 } else { 1 };
        let signed = |value: i64| match value.saturating_mul(sign) {
            loss @ ..0 => class(loss.saturating_neg()).min(31),
            gain => 32 + class(gain).min(31),
        };
        let guess_class = signed(guess);
        let contexts = [
            guess_class * 64 + signed(history.steps[1 - side][0]),
            (slot * 64 + guess_class) * 16 + (field & 15),
            (slot * 32 + class(history.mean_step / 16).min(31)) * 16 + (field & 15),
            field * 16 + phase(ply),
        ];
        let is_eval = context.is_evaluation && kind == Kind::Other(0) && unit == evals::UNIT;
        let predicted = if is_eval {
            self.evals.code(coder, &context, given)
        } else {
            None
        };
        let value = predicted.unwrap_or_else(|| {
            let step = given.saturating_sub(guess).saturating_mul(sign);
            guess.saturating_add(self.others.code(coder, contexts, step) * sign)
        });
        if is_eval {
            self.evals.update(&context, value);
        }
        let step = value.saturating_sub(guess);
        let exact = value.saturating_mul(unit);
        for (error, guess) in errors.iter_mut().zip(guesses) {
            let off = exact.saturating_sub(guess).saturating_abs().min(1 << 20);
            *error += (off * 16 - *error) / 16;
        }
        history.own[side] = Some(exact);
        history.last = Some(exact);
        history.steps[side] = [step, history.steps[side][0]];
        history.mean_step = update_mean(history.mean_step, step.saturating_abs());
        value
    }
}
