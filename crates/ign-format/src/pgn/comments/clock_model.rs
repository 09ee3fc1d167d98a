//! Clock model: predicts the thinking time of a move (spec §4.5.6).
//!
//! A small network maps 24 categorical inputs (game phase, time control, time left, recent thinking
//! times of both players, features of the moves) to the probability of each binary decision of the
//! number's code. The coder mixes these probabilities with adaptive contexts of the block.

use super::{
    classes::{class, classes, phase, update_mean},
    context::GamePoint,
    move_features::MoveFeatures,
    time_control::TimeControl,
};
use crate::models::network_architecture;
use ign_entropy::{
    mixing::DECISIONS,
    network::{Shape, first_rows, rows},
};

/// Number of inputs.
pub const INPUTS: usize = 24;
/// Number of values of each input.
pub(crate) const VALUES: [usize; INPUTS] = [
    64, 32, 16, 64, 48, 64, 64, 64, 64, 128, 128, 9, 4, 7, 7, 6, 16, 64, 16, 64, 32, 6, 64, 64,
];
/// Index of the first value of each input among the values of all inputs.
pub(crate) const FIRST: [usize; INPUTS] = first_rows(VALUES);
/// Number of values of all inputs: rows of the embedding.
const ROWS: usize = FIRST[INPUTS - 1] + VALUES[INPUTS - 1];
/// Number of hidden units: products of two embedding dimensions each.
const WIDTH: usize = 32;
const UNITS: usize = 2 * WIDTH;
/// Dimensions of the network.
pub const SHAPE: Shape = Shape {
    rows: ROWS,
    width: WIDTH,
    decisions: DECISIONS,
};

network_architecture!(
    /// The parameters of the network: a model of architecture 3 (spec §8.6).
    ClockNetwork,
    3,
    "clock model",
    include_bytes!("clock_model.bin")
);

/// Thinking times are clamped to this before they enter a mean.
const MAX_TIME: i64 = 1 << 32;

/// Clock of a player. Times are in thousandths of a second.
#[derive(Debug, Clone, Copy, Default)]
struct Player {
    /// The last time shown.
    clock: Option<i64>,
    /// The last two thinking times, the last one first.
    times: [Option<i64>; 2],
    /// Mean of recent thinking times, in 16ths.
    mean: i64,
    /// Whether each of the last eight moves took no time, the last one in the lowest bit.
    instant: u8,
}

/// Clocks of a game so far.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clocks {
    control: TimeControl,
    players: [Player; 2],
    /// The last time shown by either clock.
    last: i64,
}

/// Rows of the network's embedding, one for each input.
pub type Inputs = [u16; INPUTS];

impl Clocks {
    /// Clocks before the first move.
    pub fn new(control: TimeControl) -> Self {
        Self {
            control,
            ..Self::default()
        }
    }

    /// The time that a side's clock would show after a move that takes no time.
    pub fn left(&self, side: usize) -> i64 {
        let control = self.control;
        match self.players[side].clock {
            Some(_) if control.per_move => control.base,
            Some(clock) => clock.saturating_add(control.increment),
            None if control.base > 0 => control.base,
            None => self.last,
        }
    }

    /// Adds a time shown by a side's clock, and the thinking time that follows from it.
    pub fn push(&mut self, side: usize, unit: i64, shown: i64, time: i64) {
        let player = &mut self.players[side];
        player.clock = Some(shown);
        player.times = [Some(time), player.times[0]];
        player.mean = update_mean(player.mean, time.clamp(0, MAX_TIME));
        player.instant = player.instant << 1 | u8::from(time <= if unit < 1000 { unit } else { 0 });
        self.last = shown;
    }

    /// Contexts of the next thinking time of a side; `unit` is in thousandths of a second.
    pub fn contexts(&self, side: usize, unit: i64, ply: usize) -> [usize; 4] {
        let TimeControl { base, .. } = self.control;
        let (player, other) = (&self.players[side], &self.players[1 - side]);
        let left = self.left(side);
        let fraction = match base {
            1.. => (left.saturating_mul(8) / base).clamp(0, 9) as usize,
            _ => 10,
        };
        let units = |time: Option<i64>| class(time.unwrap_or(0) / unit).min(31);
        let [own, before] = player.times.map(units);
        let opponent = units(other.times[0]);
        [
            (class(base / 1000).min(31) * 16 + phase(ply)) * 16 + fraction,
            (2 * own + before + opponent) / 4 * 32 + class(left / 1000).min(31),
            own * 32 + opponent,
            class(player.mean / 16 / unit).min(31) * 16 + phase(ply),
        ]
    }

    /// Network inputs for the next thinking time of a side. `None` before the first move and for
    /// units other than seconds and tenths, which the network was not trained on.
    pub fn inputs(&self, side: usize, unit: i64, point: GamePoint) -> Option<Inputs> {
        let tenths = match unit {
            1000 => 0,
            100 => 1,
            _ => return None,
        };
        let ply = point.last_move()?;
        let played = point.moves.get(ply).copied().unwrap_or_default();
        let back = |plies| point.moves.get(ply.checked_sub(plies)?);
        let ahead = |plies| point.moves.get(ply + plies);
        let TimeControl {
            base, increment, ..
        } = self.control;
        let (player, other) = (&self.players[side], &self.players[1 - side]);
        let left = self.left(side);
        let fraction = match base {
            1.. => left.saturating_mul(32) / base,
            _ => 0,
        };
        let time =
            |time: Option<i64>| time.map_or(0, |t| 32 * tenths + class(t / unit).min(30) + 1);
        let mean = |player: &Player| match player.times[0] {
            Some(_) => 64 * tenths + classes::<2>(player.mean / 4 / unit).min(62) + 1,
            None => 0,
        };
        let values: [usize; INPUTS] = [
            (ply / 2).min(63),
            class(base / 1000).min(31),
            class(increment / 1000).min(15),
            classes::<2>(left / 1000).min(63),
            fraction.clamp(0, 47) as usize,
            time(player.times[0]),
            time(player.times[1]),
            time(other.times[0]),
            time(other.times[1]),
            mean(player),
            mean(other),
            player.instant.count_ones() as usize,
            side + 2 * tenths,
            usize::from(played.role),
            usize::from(played.captured),
            usize::from(played.recapture) + 3 * usize::from(played.in_check),
            back(1).map_or(0, MoveFeatures::role_and_capture),
            usize::from(played.material),
            class(point.moves.len().saturating_sub(point.ply) as i64).min(15),
            ahead(1).map_or(0, MoveFeatures::reply),
            usize::from(played.same_piece) + 2 * back(2).map_or(0, MoveFeatures::role_and_capture),
            usize::from(played.threat),
            usize::from(played.to),
            ahead(2).map_or(0, MoveFeatures::reply),
        ];
        Some(rows(values, FIRST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::checksum;

    #[test]
    fn network_matches_its_checksum() {
        assert_eq!(
            checksum(include_bytes!("clock_model.bin")),
            0xbfe3_75d9_6788_f455
        );
    }

    #[test]
    fn inputs_are_rows_of_the_embedding() {
        let mut clocks = Clocks::new(TimeControl::of_tag(Some(b"180+2")));
        clocks.push(0, 1000, 178_000, 4000);
        clocks.push(1, 1000, 180_000, 0);
        let pawn = MoveFeatures {
            role: 1,
            material: 62,
            ..MoveFeatures::default()
        };
        let moves = [pawn; 10];
        let inputs = |unit, ply| {
            let point = GamePoint { ply, moves: &moves };
            let rows = clocks.inputs(0, unit, point)?;
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
        // In tenths of a second: other rows, and an instant move.
        let tenths = inputs(100, 3).unwrap();
        assert_eq!((tenths[5], tenths[12]), (32 + class(40) + 1, 2));
        // With unknown moves.
        assert_eq!(inputs(1000, 30).unwrap()[13..], [0; 11]);
        // Before the first move; in hundredths of a second.
        assert_eq!((inputs(1000, 0), inputs(10, 3)), (None, None));
    }
}
