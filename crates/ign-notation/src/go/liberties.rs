//! Pseudo-liberties of chains.
//!
//! A liberty is counted once for each adjacent stone of the chain. The sum and the sum of squares
//! of their numbers give in constant time whether the chain has no liberty or exactly one, and can
//! be updated in constant time.

/// The pseudo-liberties of a chain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Liberties {
    /// The number of pairs of a stone and an adjacent liberty.
    pub count: u32,
    sum: u32,
    squares: u64,
}

impl Liberties {
    /// Adds the liberty `at` for one stone.
    #[inline]
    pub fn add(&mut self, at: u16) {
        self.count += 1;
        self.sum += u32::from(at);
        self.squares += u64::from(at) * u64::from(at);
    }

    /// Removes the liberty `at` for one stone.
    #[inline]
    pub fn remove(&mut self, at: u16) {
        self.count -= 1;
        self.sum -= u32::from(at);
        self.squares -= u64::from(at) * u64::from(at);
    }

    /// Adds the liberties of another chain.
    pub fn join(&mut self, other: Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Whether there is exactly one liberty: all numbers are equal exactly if the square of their
    /// mean is the mean of their squares.
    #[inline]
    pub fn is_single(self) -> bool {
        self.count > 0 && u64::from(self.count) * self.squares == u64::from(self.sum).pow(2)
    }
}
