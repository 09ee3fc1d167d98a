//! Pace: how long a player thinks about a move (spec §4.5.6).
//!
//! What there is to predict it by goes into *inputs*: how far the game has come, the time control
//! and the time left, how long both have thought lately, and the move itself, since nobody thinks
//! long about taking back. A [`Network`] makes of them the odds of each decision by which a number
//! is coded; there they stand beside what the block's other clocks let expect.

use std::sync::LazyLock;

use super::move_features::MoveFeatures;
use ign_entropy::{
    mixing::DECISIONS,
    network::{Network, Shape, first_rows, rows},
};

/// How many inputs there are.
pub const INPUTS: usize = 24;
/// How many values each input can have.
const VALUES: [usize; INPUTS] = [
    64, 32, 16, 64, 48, 64, 64, 64, 64, 128, 128, 9, 4, 7, 7, 6, 16, 64, 16, 64, 32, 6, 64, 64,
];
/// Where the values of each input begin among those of all.
const FIRST: [usize; INPUTS] = first_rows(VALUES);
/// The values of all inputs.
const ROWS: usize = FIRST[INPUTS - 1] + VALUES[INPUTS - 1];
/// Products of two units each.
const WIDTH: usize = 32;
const UNITS: usize = 2 * WIDTH;
/// How large the network is.
pub const SHAPE: Shape = Shape {
    rows: ROWS,
    width: WIDTH,
    decisions: DECISIONS,
};

/// The class of a magnitude: exact below 4, then two for each power of two.
pub fn class(value: i64) -> usize {
    classes::<1>(value)
}

/// Exact below `2 << BITS`, then `1 << BITS` classes for each power of two.
pub fn classes<const BITS: u32>(value: i64) -> usize {
    let value = value.clamp(0, i64::from(u32::MAX)) as u32;
    let log = (value | 1).ilog2();
    match log.checked_sub(BITS) {
        Some(below @ 1..) => ((below << BITS) + (value >> below)) as usize,
        _ => value as usize,
    }
}

/// Moves a mean, in 16ths, towards the next value.
pub fn follow(mean: i64, value: i64) -> i64 {
    let value = value.saturating_mul(16);
    if mean == 0 {
        return value;
    }
    mean.saturating_add(value.saturating_sub(mean) / 4)
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

/// Means take no thinking time for longer.
const LONGEST: i64 = 1 << 32;

/// What is known of a player's clock. Times in thousandths of a second.
#[derive(Debug, Clone, Copy, Default)]
struct Player {
    /// What it showed last.
    clock: Option<i64>,
    /// The last two thinking times, the last one first.
    thought: [Option<i64>; 2],
    /// How long he has thought lately, in 16ths.
    usual: i64,
    /// For each of the last eight moves, the last in the lowest bit, whether it took no time.
    at_once: u8,
}

/// The clocks of a game so far.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clocks {
    control: TimeControl,
    players: [Player; 2],
    /// What was shown last, by either.
    last: i64,
}

/// When in a game a comment speaks.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// How many moves have been played.
    pub ply: usize,
    /// All moves of the game; none where they are not known.
    pub moves: &'a [MoveFeatures],
}

impl Moment<'_> {
    /// The key of the position, if it is known and of an opening.
    pub fn key(&self) -> Option<u64> {
        let played = self.moves.get(self.ply.checked_sub(1)?)?;
        Some(played.key).filter(|&key| key != 0)
    }
}

/// Values of the inputs, as the numbers of their rows.
pub type Inputs = [u16; INPUTS];

impl Clocks {
    /// Those of a game that has not begun.
    pub fn new(control: TimeControl) -> Self {
        Self {
            control,
            ..Self::default()
        }
    }

    /// What a side's clock would show next if he did not think.
    pub fn left(&self, side: usize) -> i64 {
        let control = self.control;
        match self.players[side].clock {
            Some(_) if control.anew => control.base,
            Some(clock) => clock.saturating_add(control.increment),
            None if control.base > 0 => control.base,
            None => self.last,
        }
    }

    /// Notes that a side's clock shows this, having thought so long.
    pub fn note(&mut self, side: usize, unit: i64, shown: i64, thought: i64) {
        let player = &mut self.players[side];
        player.clock = Some(shown);
        player.thought = [Some(thought), player.thought[0]];
        player.usual = follow(player.usual, thought.clamp(0, LONGEST));
        player.at_once =
            player.at_once << 1 | u8::from(thought <= if unit < 1000 { unit } else { 0 });
        self.last = shown;
    }

    /// The contexts of the next thinking time of a side, in so many thousandths a unit.
    pub fn contexts(&self, side: usize, unit: i64, ply: usize) -> [usize; 4] {
        let TimeControl { base, .. } = self.control;
        let (player, other) = (&self.players[side], &self.players[1 - side]);
        let left = self.left(side);
        let share = match base {
            1.. => (left.saturating_mul(8) / base).clamp(0, 9) as usize,
            _ => 10,
        };
        let units = |time: Option<i64>| class(time.unwrap_or(0) / unit).min(31);
        let [mine, before] = player.thought.map(units);
        let theirs = units(other.thought[0]);
        [
            (class(base / 1000).min(31) * 16 + phase(ply)) * 16 + share,
            (2 * mine + before + theirs) / 4 * 32 + class(left / 1000).min(31),
            mine * 32 + theirs,
            class(player.usual / 16 / unit).min(31) * 16 + phase(ply),
        ]
    }

    /// The inputs for the next thinking time of a side; none where the network knows nothing of
    /// such clocks: it was taught whole seconds and tenths, behind moves.
    pub fn inputs(&self, side: usize, unit: i64, moment: Moment) -> Option<Inputs> {
        let tenths = match unit {
            1000 => 0,
            100 => 1,
            _ => return None,
        };
        let ply = moment.ply.checked_sub(1)?;
        let played = moment.moves.get(ply).copied().unwrap_or_default();
        let back = |plies| moment.moves.get(ply.checked_sub(plies)?);
        let ahead = |plies| moment.moves.get(ply + plies);
        let TimeControl {
            base, increment, ..
        } = self.control;
        let (player, other) = (&self.players[side], &self.players[1 - side]);
        let left = self.left(side);
        let share = match base {
            1.. => left.saturating_mul(32) / base,
            _ => 0,
        };
        let time =
            |time: Option<i64>| time.map_or(0, |t| 32 * tenths + class(t / unit).min(30) + 1);
        let mean = |player: &Player| match player.thought[0] {
            Some(_) => 64 * tenths + classes::<2>(player.usual / 4 / unit).min(62) + 1,
            None => 0,
        };
        let values: [usize; INPUTS] = [
            (ply / 2).min(63),
            class(base / 1000).min(31),
            class(increment / 1000).min(15),
            classes::<2>(left / 1000).min(63),
            share.clamp(0, 47) as usize,
            time(player.thought[0]),
            time(player.thought[1]),
            time(other.thought[0]),
            time(other.thought[1]),
            mean(player),
            mean(other),
            player.at_once.count_ones() as usize,
            side + 2 * tenths,
            usize::from(played.role),
            usize::from(played.victim),
            usize::from(played.answer) + 3 * usize::from(played.in_check),
            back(1).map_or(0, taking),
            usize::from(played.material),
            class(moment.moves.len().saturating_sub(moment.ply) as i64).min(15),
            ahead(1).map_or(0, answering),
            usize::from(played.again) + 2 * back(2).map_or(0, taking),
            usize::from(played.threat),
            usize::from(played.to),
            ahead(2).map_or(0, answering),
        ];
        Some(rows(values, FIRST))
    }
}

/// What moves, and whether it takes.
pub fn taking(seen: &MoveFeatures) -> usize {
    usize::from(seen.role) + 8 * usize::from(seen.victim > 0)
}

/// The same, and whether it takes back and answers a check.
fn answering(seen: &MoveFeatures) -> usize {
    taking(seen) + 8 * usize::from(seen.answer > 0) + 32 * usize::from(seen.in_check)
}

/// How far a game has come: the phase of a player's move number.
pub fn phase(ply: usize) -> usize {
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

static EMBEDDED: LazyLock<Network<'static, WIDTH, UNITS>> =
    LazyLock::new(|| Network::from_bytes(include_bytes!("clock_model.bin"), SHAPE));

/// The network of the format.
pub fn network() -> &'static Network<'static, WIDTH, UNITS> {
    &EMBEDDED
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::checksum;

    #[test]
    fn the_network_is_that_of_the_format() {
        assert_eq!(
            checksum(include_bytes!("clock_model.bin")),
            0xbfe3_75d9_6788_f455
        );
    }

    #[test]
    fn inputs_are_the_rows_of_what_is_known() {
        let mut clocks = Clocks::new(TimeControl::of_tag(Some(b"180+2")));
        clocks.note(0, 1000, 178_000, 4000);
        clocks.note(1, 1000, 180_000, 0);
        let pawn = MoveFeatures {
            role: 1,
            material: 62,
            ..MoveFeatures::default()
        };
        let moves = [pawn; 10];
        let inputs = |unit, ply| {
            let moment = Moment { ply, moves: &moves };
            let rows = clocks.inputs(0, unit, moment)?;
            let values = rows
                .iter()
                .zip(FIRST)
                .map(|(&row, first)| usize::from(row) - first);
            Some(values.collect::<Vec<_>>())
        };
        let class_180 = class(180);
        let expected = vec![
            1,
            class_180,
            2,
            classes::<2>(180),
            32,
            5,
            0,
            1,
            0,
            13,
            1,
            0,
            0,
            1,
            0,
            0,
            1,
            62,
            5,
            1,
            2,
            0,
            0,
            1,
        ];
        assert_eq!(inputs(1000, 3), Some(expected));
        // In tenths: other rows, and a move that took none of them.
        let tenths = inputs(100, 3).unwrap();
        assert_eq!((tenths[5], tenths[12]), (32 + class(40) + 1, 2));
        // Where the moves are not known.
        assert_eq!(inputs(1000, 30).unwrap()[13..], [0; 11]);
        // Not behind a move; in hundredths.
        assert_eq!((inputs(1000, 0), inputs(10, 3)), (None, None));
    }

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
