//! Series: the numbers of one kind that a game's comments give one after the
//! other, and what the next is expected to be (spec §4.5.3).
//!
//! Clocks run down: what is coded is how long the player thought, predicted by
//! his last thinking times, by his opponent's, by the time he has left and by how
//! far the game has come. Durations are thinking times themselves. All other
//! numbers, evaluations above all, are coded as steps from what stood there
//! before: the number before, its opposite (programs that speak for their own
//! side), or the player's own last, whichever has been nearest so far. Steps and
//! what predicts them are seen from the side that has moved: a move can hardly
//! improve its player's evaluation, but often spoils it. Of those that engines say of a position
//! more is known ([`evals`]).

use super::{
    clock_model::{self, Clocks, Moment, TimeControl, class, follow, phase},
    evals::{self, Evals, Glyph},
    formats::{CLOCK, unit},
};
use ign_entropy::{adaptive::Coder, mixing::MixedSigned};

/// How a series goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Time left on the player's clock.
    Countdown,
    /// Time used for the move.
    Duration,
    /// Any other number; which kind of, by what stands around it.
    Other(u8),
}

impl Kind {
    /// The kind of a field, by its mark, its mode, and the template around it.
    pub fn of(mark: u8, mode: u8, before: &[u8], after: Option<u8>) -> Self {
        let fraction = unit(mark, mode) < 1000;
        match mark {
            CLOCK if before.ends_with(b"clk ") => Self::Countdown,
            CLOCK => Self::Duration,
            _ if after == Some(b's') => Self::Duration,
            // Numbers with a fraction are evaluations, wherever they stand.
            _ if fraction => Self::Other(0),
            // A mate's distance is told in words too.
            _ if before.ends_with(b"Mate in ") => Self::Other(b'#'),
            _ => Self::Other(before.last().copied().unwrap_or(1)),
        }
    }
}

/// What a game's comments have said in one series. Values in thousandths.
#[derive(Debug, Clone, Copy, Default)]
struct Past {
    /// The last value of each side.
    own: [Option<i64>; 2],
    /// The last value.
    last: Option<i64>,
    /// The last two steps, or thinking times, of each side, in units.
    steps: [[i64; 2]; 2],
    /// How long each side has thought lately, or how large steps were, in 16ths of units.
    usual: [i64; 2],
}

/// Where a field stands.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// Number of the place in the game's gaps.
    pub slot: u32,
    /// Number of the field within all templates.
    pub field: u32,
    /// Where in the game.
    pub moment: Moment<'a>,
    /// What the glyph there says of the move.
    pub glyph: Glyph,
    /// Whether it is for an evaluation of what is on the board.
    pub evaluates: bool,
}

/// The series of a block, and of the game that is under way.
#[derive(Clone)]
pub struct Series {
    game: Clocks,
    /// Whether the time control has helped to tell anything.
    pub asked_control: bool,
    past: Vec<(Kind, Past)>,
    /// For each kind how far the three guesses have been off lately.
    misses: Vec<(Kind, [i64; 3])>,
    /// Thinking times that the network predicts, and those that it does not.
    predicted: MixedSigned<4>,
    clocks: MixedSigned<4>,
    durations: MixedSigned<3>,
    others: MixedSigned<4>,
    evals: Evals,
}

impl Default for Series {
    fn default() -> Self {
        Self {
            game: Clocks::default(),
            asked_control: false,
            past: Vec::new(),
            misses: Vec::new(),
            predicted: MixedSigned::predicted(),
            clocks: MixedSigned::default(),
            durations: MixedSigned::default(),
            others: MixedSigned::default(),
            evals: Evals::default(),
        }
    }
}

/// Fields beyond this share a context.
const MAX_FIELDS: u32 = 1 << 10;
/// And slots beyond this.
const MAX_SLOTS: u32 = 63;

fn entry<T: Default + Copy>(list: &mut Vec<(Kind, T)>, kind: Kind) -> &mut T {
    let place = list.iter().position(|(k, _)| *k == kind);
    let place = place.unwrap_or_else(|| {
        list.push((kind, T::default()));
        list.len() - 1
    });
    &mut list[place].1
}

impl Series {
    /// Begins a game.
    pub fn begin(&mut self, control: TimeControl) {
        self.game = Clocks::new(control);
        self.past.clear();
        self.evals.begin();
    }

    /// Codes a value, in units of so many thousandths.
    pub fn code(
        &mut self,
        coder: &mut impl Coder,
        kind: Kind,
        unit: i64,
        place: Place,
        given: i64,
    ) -> i64 {
        match kind {
            Kind::Countdown => self.code_clock(coder, unit, place, given),
            Kind::Duration => self.code_duration(coder, place, given),
            Kind::Other(_) => self.code_other(coder, kind, unit, place, given),
        }
    }

    fn code_clock(&mut self, coder: &mut impl Coder, unit: i64, place: Place, given: i64) -> i64 {
        self.asked_control = true;
        let moment = place.moment;
        let side = moment.ply & 1;
        let left = self.game.left(side) / unit;
        let contexts = self.game.contexts(side, unit, moment.ply);
        let step = left.saturating_sub(given);
        let thought = match self.game.inputs(side, unit, moment) {
            Some(inputs) => {
                let prediction = clock_model::network().predict(&inputs);
                let odds = |decision| prediction.logit(decision);
                self.predicted.code_predicted(coder, contexts, odds, step)
            }
            None => self.clocks.code(coder, contexts, step),
        };
        let value = left.saturating_sub(thought);
        let [shown, thought] = [value, thought].map(|units| units.saturating_mul(unit));
        self.game.note(side, unit, shown, thought);
        value
    }

    fn code_duration(&mut self, coder: &mut impl Coder, place: Place, given: i64) -> i64 {
        let past = entry(&mut self.past, Kind::Duration);
        let side = place.moment.ply & 1;
        let [mine, before] = past.steps[side].map(|t| class(t).min(31));
        let theirs = class(past.steps[1 - side][0]).min(31);
        let field = place.field.min(MAX_FIELDS) as usize;
        let contexts = [
            field * 16 + phase(place.moment.ply),
            (2 * mine + before + theirs) / 4 * 32 + mine,
            mine * 32 + theirs,
        ];
        let value = self.durations.code(coder, contexts, given);
        past.steps[side] = [value, past.steps[side][0]];
        value
    }

    fn code_other(
        &mut self,
        coder: &mut impl Coder,
        kind: Kind,
        unit: i64,
        place: Place,
        given: i64,
    ) -> i64 {
        let past = entry(&mut self.past, kind);
        let misses = entry(&mut self.misses, kind);
        let side = place.moment.ply & 1;
        let last = past.last.unwrap_or(0);
        let guesses = [last, last.saturating_neg(), past.own[side].unwrap_or(last)];
        let best = (0..3).min_by_key(|&i| misses[i]).unwrap_or(0);
        let guess = guesses[best] / unit;
        let (field, slot) = (place.field.min(MAX_FIELDS), place.slot.min(MAX_SLOTS));
        let (field, slot) = (field as usize, slot as usize);
        // From the side that has moved.
        let sign = if side == 1 { -1 } else { 1 };
        let signed = |value: i64| match value.saturating_mul(sign) {
            loss @ ..0 => class(loss.saturating_neg()).min(31),
            gain => 32 + class(gain).min(31),
        };
        let stands = signed(guess);
        let contexts = [
            stands * 64 + signed(past.steps[1 - side][0]),
            (slot * 64 + stands) * 16 + (field & 15),
            (slot * 32 + class(past.usual[0] / 16).min(31)) * 16 + (field & 15),
            field * 16 + phase(place.moment.ply),
        ];
        let evaluates = place.evaluates && kind == Kind::Other(0) && unit == evals::UNIT;
        let predicted = match evaluates {
            true => self.evals.code(coder, &place, given),
            false => None,
        };
        let value = predicted.unwrap_or_else(|| {
            let step = given.saturating_sub(guess).saturating_mul(sign);
            guess.saturating_add(self.others.code(coder, contexts, step) * sign)
        });
        if evaluates {
            self.evals.note(&place, value);
        }
        let step = value.saturating_sub(guess);
        let exact = value.saturating_mul(unit);
        for (miss, guess) in misses.iter_mut().zip(guesses) {
            let off = exact.saturating_sub(guess).saturating_abs().min(1 << 20);
            *miss += (off * 16 - *miss) / 16;
        }
        past.own[side] = Some(exact);
        past.last = Some(exact);
        past.steps[side] = [step, past.steps[side][0]];
        past.usual[0] = follow(past.usual[0], step.saturating_abs());
        value
    }
}
