//! Series: the numbers of one kind that a game's comments give one after the
//! other, and what the next is expected to be (spec §4.5.3).
//!
//! Clocks run down: what is coded is how long the player thought, foreseen by
//! his last thinking times, by his opponent's, by the time he has left and by how
//! far the game has come. Durations are thinking times themselves. All other
//! numbers, evaluations above all, are coded as steps from what stood there
//! before: the number before, its opposite (programs that speak for their own
//! side), or the player's own last, whichever has been nearest so far. Steps and
//! what foretells them are seen from the side that has moved: a move can hardly
//! improve its player's evaluation, but often spoils it.

use super::spelling::{CLOCK, unit};
use crate::bits::{mixed::Steps, range::Coder};

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
            _ => Self::Other(before.last().copied().unwrap_or(1)),
        }
    }
}

/// The base and the increment of a game's clocks, in thousandths of a second.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TimeControl {
    base: i64,
    increment: i64,
    /// Whether the clock starts anew with each move.
    anew: bool,
}

impl TimeControl {
    /// From the value of a tag: `base+increment`, `base`, `moves/base`, in
    /// seconds; anything else tells nothing.
    pub fn of_tag(value: Option<&[u8]>) -> Self {
        let seconds = |text: &[u8]| {
            let plain = (1..=7).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
            plain.then(|| {
                text.iter()
                    .fold(0, |n, c| n * 10 + i64::from(c - b'0') * 1000)
            })
        };
        let value = value.unwrap_or_default();
        let split = |at: u8| {
            let at = value.iter().position(|&c| c == at)?;
            Some((&value[..at], &value[at + 1..]))
        };
        let (base, increment, anew) = match (split(b'/'), split(b'+')) {
            (Some((moves, base)), None) => (seconds(base), Some(0), moves == b"1"),
            (None, Some((base, increment))) => (seconds(base), seconds(increment), false),
            (None, None) => (seconds(value), Some(0), false),
            _ => (None, None, false),
        };
        match (base, increment) {
            (Some(base), Some(increment)) => Self {
                base,
                increment,
                anew,
            },
            _ => Self::default(),
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

/// Moves a mean, in 16ths, towards the next value.
fn follow(mean: i64, value: i64) -> i64 {
    let value = value.saturating_mul(16);
    if mean == 0 {
        return value;
    }
    mean.saturating_add(value.saturating_sub(mean) / 4)
}

/// Where a field stands.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Number of the place in the game's gaps.
    pub slot: u32,
    /// Number of the field within all templates.
    pub field: u32,
    /// Half-moves before it.
    pub ply: usize,
}

/// The series of a block, and of the game that is under way.
#[derive(Clone, Default)]
pub struct Series {
    control: TimeControl,
    /// Whether the time control has helped to tell anything.
    pub asked_control: bool,
    past: Vec<(Kind, Past)>,
    /// For each kind how far the three guesses have been off lately.
    misses: Vec<(Kind, [i64; 3])>,
    clocks: Steps<4>,
    durations: Steps<3>,
    others: Steps<4>,
}

/// Fields beyond this share a context.
const MOST_FIELDS: u32 = 1 << 10;
/// And slots beyond this.
const MOST_SLOTS: u32 = 63;

/// The class of a magnitude: exact below 4, then two for each power of two.
fn class(value: i64) -> usize {
    let value = value.clamp(0, i64::from(u32::MAX)) as u32;
    if value < 4 {
        return value as usize;
    }
    let log = 31 - value.leading_zeros();
    (2 * log + (value >> (log - 1) & 1)) as usize
}

/// How far a game has come: the phase of a player's move number.
fn phase(ply: usize) -> usize {
    match ply / 2 {
        moves @ 0..=2 => moves,
        3..=5 => 3,
        6..=9 => 4,
        10..=15 => 5,
        16..=24 => 6,
        25..=39 => 7,
        _ => 8,
    }
}

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
        self.control = control;
        self.past.clear();
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
        let control = self.control;
        self.asked_control = true;
        let past = entry(&mut self.past, Kind::Countdown);
        let side = place.ply & 1;
        let left = match past.own[side] {
            Some(_) if control.anew => control.base,
            Some(own) => own.saturating_add(control.increment),
            None if control.base > 0 => control.base,
            None => past.last.unwrap_or(0),
        };
        let [mine, before] = past.steps[side];
        let [theirs, _] = past.steps[1 - side];
        let share = if control.base > 0 {
            (left.saturating_mul(8) / control.base).clamp(0, 9) as usize
        } else {
            10
        };
        let time_left = class(left / 1000).min(31);
        let usual = past.usual[side] / 16;
        let [mine, before, theirs, usual] = [mine, before, theirs, usual].map(|t| class(t).min(31));
        let contexts = [
            (class(control.base / 1000).min(31) * 16 + phase(place.ply)) * 16 + share,
            (2 * mine + before + theirs) / 4 * 32 + time_left,
            mine * 32 + theirs,
            usual * 16 + phase(place.ply),
        ];
        let left = left / unit;
        let thought = self
            .clocks
            .code(coder, contexts, left.saturating_sub(given));
        let value = left.saturating_sub(thought);
        past.own[side] = Some(value.saturating_mul(unit));
        past.last = past.own[side];
        past.steps[side] = [thought, past.steps[side][0]];
        past.usual[side] = follow(past.usual[side], thought);
        value
    }

    fn code_duration(&mut self, coder: &mut impl Coder, place: Place, given: i64) -> i64 {
        let past = entry(&mut self.past, Kind::Duration);
        let side = place.ply & 1;
        let [mine, before] = past.steps[side].map(|t| class(t).min(31));
        let theirs = class(past.steps[1 - side][0]).min(31);
        let field = place.field.min(MOST_FIELDS) as usize;
        let contexts = [
            field * 16 + phase(place.ply),
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
        let side = place.ply & 1;
        let last = past.last.unwrap_or(0);
        let guesses = [last, -last, past.own[side].unwrap_or(last)];
        let best = (0..3).min_by_key(|&i| misses[i]).unwrap_or(0);
        let guess = guesses[best] / unit;
        let (field, slot) = (place.field.min(MOST_FIELDS), place.slot.min(MOST_SLOTS));
        let (field, slot) = (field as usize, slot as usize);
        // From the side that has moved.
        let sign = if side == 1 { -1 } else { 1 };
        let signed = |value: i64| match value * sign {
            loss @ ..0 => class(-loss).min(31),
            gain => 32 + class(gain).min(31),
        };
        let stands = signed(guess);
        let contexts = [
            stands * 64 + signed(past.steps[1 - side][0]),
            (slot * 64 + stands) * 16 + (field & 15),
            (slot * 32 + class(past.usual[0] / 16).min(31)) * 16 + (field & 15),
            field * 16 + phase(place.ply),
        ];
        let step = given.saturating_sub(guess).saturating_mul(sign);
        let step = self.others.code(coder, contexts, step) * sign;
        let value = guess.saturating_add(step);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_as_programs_write_them() {
        let read = |text: &str| {
            let control = TimeControl::of_tag(Some(text.as_bytes()));
            (control.base, control.increment, control.anew)
        };
        assert_eq!(read("180+2"), (180_000, 2000, false));
        assert_eq!(read("300"), (300_000, 0, false));
        assert_eq!(read("40/7200"), (7_200_000, 0, false));
        assert_eq!(read("1/259200"), (259_200_000, 0, true));
        for text in ["-", "", "?", "1+2+3", "40/7200+30", "99999999"] {
            assert_eq!(read(text), (0, 0, false), "{text}");
        }
        assert_eq!(TimeControl::of_tag(None), TimeControl::default());
    }

    #[test]
    fn classes_grow_with_their_values() {
        let classes: Vec<usize> = [-5, 0, 3, 4, 5, 6, 8, 12, 16, i64::MAX].map(class).to_vec();
        assert_eq!(classes, [0, 0, 3, 4, 4, 5, 6, 7, 8, 63]);
    }
}
