//! Pace: how long a player thinks about a move (spec §4.5.6).
//!
//! What there is to foresee it by goes into *inputs*: how far the game has come, the time control
//! and the time left, how long both have thought lately, and the move itself, since nobody thinks
//! long about taking back. A small [`Network`] makes of them the odds of each decision by which
//! [`Steps`](crate::bits::mixed::Steps) code a number; there they stand beside what the block's
//! other clocks let expect. The network was taught beforehand (`docs/clocks.md`), so the first
//! clock of a block is foreseen as well as the last.

use std::sync::LazyLock;

use super::aspects::Aspect;
use crate::bits::mixed;

/// How many inputs there are.
pub const INPUTS: usize = 19;
/// How many values each input can have.
const VALUES: [usize; INPUTS] = [
    64, 32, 16, 64, 48, 64, 64, 64, 64, 128, 128, 9, 4, 7, 7, 6, 16, 64, 16,
];
/// Where the values of each input begin among those of all.
const FIRST: [usize; INPUTS] = {
    let mut first = [0; INPUTS];
    let mut i = 1;
    while i < INPUTS {
        first[i] = first[i - 1] + VALUES[i - 1];
        i += 1;
    }
    first
};
/// The values of all inputs.
pub const ROWS: usize = FIRST[INPUTS - 1] + VALUES[INPUTS - 1];
/// Products of two units each.
pub const WIDTH: usize = 32;
/// Units.
pub const UNITS: usize = 2 * WIDTH;
/// Decisions that are foreseen.
pub const OUTPUTS: usize = mixed::DECISIONS;

/// Where the biases of units begin, behind a row of weights for each value.
pub const UNIT_BIASES: usize = ROWS * UNITS;
/// Where the weights of outputs begin.
pub const OUTPUT_WEIGHTS: usize = UNIT_BIASES + UNITS;
/// Where the biases of outputs begin.
pub const OUTPUT_BIASES: usize = OUTPUT_WEIGHTS + OUTPUTS * WIDTH;
/// All parameters, of a byte each.
pub const PARAMETERS: usize = OUTPUT_BIASES + OUTPUTS;

/// How many steps of a parameter's byte make 1.
pub const fn scale(parameter: usize) -> u16 {
    match parameter {
        0..OUTPUT_WEIGHTS => 64,
        OUTPUT_WEIGHTS..OUTPUT_BIASES => 32,
        _ => 16,
    }
}

/// The class of a magnitude: exact below 4, then two for each power of two.
pub fn class(value: i64) -> usize {
    classes::<1>(value)
}

/// Exact below `2 << BITS`, then `1 << BITS` classes for each power of two.
fn classes<const BITS: u32>(value: i64) -> usize {
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
    pub moves: &'a [Aspect],
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
        let played = moment.moves.get(ply)?;
        let before = ply.checked_sub(1).map(|before| moment.moves[before]);
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
            before.map_or(0, |b| usize::from(b.role) + 8 * usize::from(b.victim > 0)),
            usize::from(played.material),
            class((moment.moves.len() - moment.ply) as i64).min(15),
        ];
        let mut row = values.iter().zip(FIRST);
        Some(std::array::from_fn(|_| {
            row.next()
                .map_or(0, |(value, first)| (value + first) as u16)
        }))
    }
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

/// The network's parameters, in whole steps.
pub struct Network {
    rows: Vec<[i8; UNITS]>,
    biases: [i8; UNITS],
    /// As wide as what they are multiplied with.
    outputs: Vec<[i16; WIDTH]>,
    output_biases: Vec<i8>,
}

static EMBEDDED: LazyLock<Network> =
    LazyLock::new(|| Network::of_bytes(include_bytes!("pace.bin")));

impl Network {
    /// That of the format.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// From [`PARAMETERS`] bytes.
    ///
    /// # Panics
    /// When they are not so many.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        assert_eq!(bytes.len(), PARAMETERS);
        let signed: Vec<i8> = bytes.iter().map(|&byte| byte as i8).collect();
        let (rows, _) = signed[..UNIT_BIASES].as_chunks();
        let (outputs, _) = signed[OUTPUT_WEIGHTS..OUTPUT_BIASES].as_chunks::<WIDTH>();
        let biases = signed[UNIT_BIASES..].first_chunk();
        Self {
            rows: rows.to_vec(),
            biases: *biases.expect("the outputs are behind them"),
            outputs: outputs.iter().map(|row| row.map(i16::from)).collect(),
            output_biases: signed[OUTPUT_BIASES..].to_vec(),
        }
    }

    /// What it foresees by these inputs.
    pub fn foresee(&self, inputs: &Inputs) -> Foresight<'_> {
        let mut units = self.biases.map(i16::from);
        for &row in inputs {
            for (unit, &weight) in units.iter_mut().zip(&self.rows[usize::from(row)]) {
                *unit += i16::from(weight);
            }
        }
        let mut products = [0; WIDTH];
        for (i, product) in products.iter_mut().enumerate() {
            *product = (units[i].clamp(0, 128) * units[WIDTH + i].clamp(-128, 128)) >> 6;
        }
        Foresight {
            network: self,
            products,
        }
    }
}

/// What a network foresees of one number.
pub struct Foresight<'a> {
    network: &'a Network,
    /// In 64ths.
    products: [i16; WIDTH],
}

impl Foresight<'_> {
    /// The odds, in 256ths of their logarithm, that a decision is "no".
    #[inline]
    pub fn odds(&self, decision: usize) -> i32 {
        let weights = &self.network.outputs[decision];
        let products = self.products.iter().zip(weights);
        let sum: i32 = products.map(|(&p, &w)| i32::from(p) * i32::from(w)).sum();
        (sum + 128 * i32::from(self.network.output_biases[decision])) >> 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::checksum;

    #[test]
    fn the_network_is_that_of_the_format() {
        let bytes = include_bytes!("pace.bin");
        assert_eq!(checksum(bytes), 0x1ddc_d13b_5bcf_df54);
    }

    #[test]
    fn a_network_multiplies_units_in_pairs_that_inputs_add_up() {
        let mut bytes = vec![0; PARAMETERS];
        let mut set = |at: usize, value: i8| bytes[at] = value as u8;
        // Units 3 and 35 make product 3, which decision 7 doubles.
        set(UNITS * 5 + 3, 100);
        set(UNITS * 70 + 3, 100);
        set(UNIT_BIASES + WIDTH + 3, -96);
        set(OUTPUT_WEIGHTS + 7 * WIDTH + 3, 64);
        set(OUTPUT_BIASES + 7, 8);
        let network = Network::of_bytes(&bytes);
        let foreseen = |rows: [u16; 2]| {
            let mut inputs = [1; INPUTS];
            inputs[..2].copy_from_slice(&rows);
            network.foresee(&inputs).odds(7)
        };
        // Half of 256ths from the bias; 2 (cut) by -1.5, doubled.
        assert_eq!(foreseen([5, 70]), 128 - 6 * 256);
        // 100/64 by -1.5 is -2.34375, of which 64ths are kept: -150/64.
        assert_eq!(foreseen([5, 1]), 128 - 150 * 64 / 8);
        assert_eq!(foreseen([1, 1]), 128);
    }

    #[test]
    fn inputs_are_the_rows_of_what_is_known() {
        let mut clocks = Clocks::new(TimeControl::of_tag(Some(b"180+2")));
        clocks.note(0, 1000, 178_000, 4000);
        clocks.note(1, 1000, 180_000, 0);
        let pawn = Aspect {
            role: 1,
            material: 62,
            ..Aspect::default()
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
        ];
        assert_eq!(inputs(1000, 3), Some(expected));
        // In tenths: other rows, and a move that took none of them.
        let tenths = inputs(100, 3).unwrap();
        assert_eq!((tenths[5], tenths[12]), (32 + class(40) + 1, 2));
        // Not behind a move, behind more moves than there are, in hundredths.
        assert!(
            [(1000, 0), (1000, 11), (10, 3)]
                .iter()
                .all(|&(u, p)| inputs(u, p).is_none())
        );
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
