//! Time: the controls people choose, and what their thinking leaves on the clocks.
//!
//! Thinking is modelled whether or not clocks are written, since it decides who loses on time; so a dump with clocks shows the very games of the dump without. Invariant: what a clock shows
//! goes up by no more than the increment a move.

use super::random::{Random, Weighted};

/// Time for the whole game and what is added a move.
#[derive(Debug, Clone, Copy)]
pub struct TimeControl {
    /// As the tag has it, `180+2`.
    pub name: &'static str,
    /// Seconds at the start.
    base: u32,
    /// Seconds added after each move.
    increment: u32,
}

impl TimeControl {
    /// What the event is called. Forty moves are taken for a game.
    pub const fn event(&self) -> &'static str {
        match self.base + 40 * self.increment {
            0..180 => "Rated Bullet game",
            180..480 => "Rated Blitz game",
            _ => "Rated Classical game",
        }
    }
}

/// Draws time controls as often as people choose them.
#[derive(Debug)]
pub struct Controls(Weighted);

impl Controls {
    /// The customary ones.
    pub fn new() -> Controls {
        Controls(Weighted::new(TABLE.iter().map(|row| row.0)))
    }

    /// One of them.
    #[inline]
    pub fn draw(&self, random: &mut Random) -> &'static TimeControl {
        &TABLE[self.0.draw(random)].1
    }
}

/// A row of the table: the name is made of the numbers.
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

/// One player's clock. Times are in tenths of a second.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    left: u32,
    increment: u32,
    /// A usual move's time.
    usual: u32,
    /// Below this, moves are hurried.
    low: u32,
}

/// Moves a side that are played from memory.
const KNOWN: u32 = 5;

impl Clock {
    /// A full clock, for somebody as quick or slow as chance has it.
    pub fn new(control: &TimeControl, random: &mut Random) -> Clock {
        let base = control.base * 10;
        let haste = 22 + random.below(64);
        Clock {
            left: base,
            increment: control.increment * 10,
            usual: base / haste + control.increment * 7,
            low: base / 12,
        }
    }

    /// Thinks about the move with this number, counted from zero. Whoever has nearly no time left
    /// moves in what there is: who runs out of it is settled where the game ends.
    #[inline]
    pub fn think(&mut self, number: u32, random: &mut Random) {
        if number == 0 {
            return;
        }
        let bits = random.bits();
        // A product of two uniform numbers: mostly short, sometimes long.
        let (a, b) = ((bits & 255) as u32, (bits >> 8 & 255) as u32);
        let usual = if self.left < self.low {
            self.usual.min(self.left / 10) + 1
        } else if number < KNOWN {
            self.usual / 3
        } else {
            self.usual
        };
        let spent = ((usual * (a * b / 64)) >> 8) + 3 + (bits >> 16 & 7) as u32;
        self.left -= spent.min(self.left / 2);
        self.left += self.increment;
    }

    /// How scarce time is, in percent: 0 with a third left, or more; 100 with a twelfth or less.
    pub fn haste(&self) -> u32 {
        let (low, third) = (self.low, 4 * self.low);
        100 * third.saturating_sub(self.left.max(low)) / (third - low).max(1)
    }

    /// What the clock shows, in seconds.
    #[inline]
    pub const fn shows(&self) -> u32 {
        self.left.div_ceil(10)
    }
}
