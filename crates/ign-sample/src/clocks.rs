//! Time controls, thinking times and clocks.
//!
//! Thinking times are generated whether or not clocks are written, since they decide who loses on
//! time. A dump with clocks therefore has the same games as one without. Invariant: a clock rises
//! by at most the increment in a move.

use super::random::{Random, Weighted};

/// Base time and increment.
#[derive(Debug, Clone, Copy)]
pub struct TimeControl {
    /// The value of the tag: `180+2`.
    pub name: &'static str,
    /// Base time in seconds.
    base: u32,
    /// Seconds added after each move.
    increment: u32,
}

impl TimeControl {
    /// The value of the `Event` tag. Speeds are classified by the time for 40 moves, as on Lichess.
    pub const fn event(&self) -> &'static str {
        match self.base + 40 * self.increment {
            0..180 => "Rated Bullet game",
            180..480 => "Rated Blitz game",
            _ => "Rated Classical game",
        }
    }
}

/// Draws time controls with realistic frequencies.
#[derive(Debug)]
pub struct Controls(Weighted);

impl Controls {
    /// The common time controls of [`TABLE`].
    pub fn new() -> Controls {
        Controls(Weighted::new(TABLE.iter().map(|row| row.0)))
    }

    /// A random time control.
    #[inline]
    pub fn draw(&self, random: &mut Random) -> &'static TimeControl {
        &TABLE[self.0.draw(random)].1
    }
}

/// A row of [`TABLE`]; the name is composed of the numbers.
macro_rules! control {
    ($weight:literal, $base:literal, $increment:literal) => {
        (
            $weight,
            TimeControl {
                name: concat!($base, "+", $increment),
                base: $base,
                increment: $increment,
            },
        )
    };
}

/// Time controls with their weights.
static TABLE: [(u32, TimeControl); 24] = [
    control!(300, 60, 0),
    control!(180, 300, 0),
    control!(150, 180, 0),
    control!(110, 120, 0),
    control!(80, 300, 8),
    control!(70, 180, 2),
    control!(70, 600, 0),
    control!(60, 240, 0),
    control!(55, 300, 5),
    control!(50, 300, 3),
    control!(40, 120, 1),
    control!(40, 60, 1),
    control!(35, 180, 3),
    control!(35, 900, 0),
    control!(30, 480, 0),
    control!(30, 420, 0),
    control!(25, 600, 5),
    control!(25, 30, 0),
    control!(20, 600, 10),
    control!(20, 480, 8),
    control!(15, 900, 15),
    control!(15, 1200, 0),
    control!(10, 1800, 0),
    control!(10, 1800, 20),
];

/// The clock of one player. Times are in tenths of a second.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    left: u32,
    increment: u32,
    /// The typical thinking time.
    typical: u32,
    /// Below this the player hurries.
    low: u32,
}

/// Each side plays its opening up to this move faster.
const OPENING_MOVES: u32 = 5;

impl Clock {
    /// A clock at the start of a game, for a player of random speed.
    pub fn new(control: &TimeControl, random: &mut Random) -> Clock {
        let base = control.base * 10;
        let speed = 22 + random.below(64);
        Clock {
            left: base,
            increment: control.increment * 10,
            typical: base / speed + control.increment * 7,
            low: base / 12,
        }
    }

    /// Subtracts the thinking time of the move with this zero-based number and adds the increment.
    /// A move takes at most half of the time left, so no clock runs out here; a loss on time is
    /// decided when the game ends.
    #[inline]
    pub fn think(&mut self, number: u32, random: &mut Random) {
        if number == 0 {
            return;
        }
        let bits = random.bits();
        // The product of two uniform numbers: mostly small, sometimes large.
        let (a, b) = ((bits & 255) as u32, (bits >> 8 & 255) as u32);
        let typical = if self.left < self.low {
            self.typical.min(self.left / 10) + 1
        } else if number < OPENING_MOVES {
            self.typical / 3
        } else {
            self.typical
        };
        let spent = ((typical * (a * b / 64)) >> 8) + 3 + (bits >> 16 & 7) as u32;
        self.left -= spent.min(self.left / 2);
        self.left += self.increment;
    }

    /// Time pressure in percent: 0 with a third of the base time or more, 100 with a twelfth or
    /// less.
    pub fn pressure(&self) -> u32 {
        let (low, third) = (self.low, 4 * self.low);
        100 * third.saturating_sub(self.left.max(low)) / (third - low).max(1)
    }

    /// The displayed time in seconds.
    #[inline]
    pub const fn seconds(&self) -> u32 {
        self.left.div_ceil(10)
    }
}
