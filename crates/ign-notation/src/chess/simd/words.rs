//! The operations on eight words.

/// A word for each direction: north, south, east, west, then the diagonals.
pub type Rays = [u64; 8];

/// Counts of 0 to 7 by direction and square, as bit planes of weight 1, 2 and 4.
pub type Planes<R> = [R; 3];

/// The SIMD operations of one instruction set.
pub trait Words: Copy {
    /// Eight words in registers.
    type Rays: Copy;

    /// What the instructions are called: `AVX2`.
    fn name(self) -> &'static str;

    /// Loads words.
    fn rays(self, words: Rays) -> Self::Rays;

    /// The same word in every direction.
    #[inline(always)]
    fn all(self, word: u64) -> Self::Rays {
        self.rays([word; 8])
    }

    /// Rotates each word left by its own number of bits, 0 to 63.
    fn rotate(self, rays: Self::Rays, by: &Rays) -> Self::Rays;

    /// Shifts each word right by `by` bits, 0 to 63.
    fn right(self, rays: Self::Rays, by: u32) -> Self::Rays;

    /// Shifts each word left by `by` bits, 0 to 63.
    fn left(self, rays: Self::Rays, by: u32) -> Self::Rays;

    /// Bitwise and.
    fn and(self, one: Self::Rays, other: Self::Rays) -> Self::Rays;

    /// Bitwise or.
    fn or(self, one: Self::Rays, other: Self::Rays) -> Self::Rays;

    /// Bitwise exclusive or.
    fn xor(self, one: Self::Rays, other: Self::Rays) -> Self::Rays;

    /// The words of `one` whose counterpart in `other` is not 0; 0 elsewhere.
    fn and_where_any(self, one: Self::Rays, other: Self::Rays) -> Self::Rays;

    /// Stores the words.
    fn words(self, rays: Self::Rays) -> Rays;

    /// By direction: the sum of the counts of each rank, a byte each.
    fn by_rank(self, planes: Planes<Self::Rays>) -> Self::Rays;

    /// By direction: the count of each square of one rank, a byte each.
    fn of_rank(self, planes: Planes<Self::Rays>, rank: u32) -> Self::Rays;

    /// Whether any word is not 0.
    fn has_any(self, rays: Self::Rays) -> bool;

    /// The union of the words.
    #[inline(always)]
    fn any(self, rays: Self::Rays) -> u64 {
        self.words(rays).iter().fold(0, |all, word| all | word)
    }

    /// The sum of the words, byte by byte. No byte may overflow.
    fn merged(self, rays: Self::Rays) -> u64;

    /// The sum of all bytes. The bytes of each word must add up to at most 255.
    fn total(self, rays: Self::Rays) -> u32;
}
