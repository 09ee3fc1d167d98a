//! Mixed-radix arithmetic: digits in playing order to an integer and back, without allocation for
//! each game.
//!
//! The integer of digits `d1, d2, …` with bases `b1, b2, …` is `d1 + b1·(d2 + b2·(d3 + …))`. Digits
//! are zero-based (`0 ≤ d < b`) or one-based (`1 ≤ d ≤ b`, a bijective numeration, in which
//! different digit strings of any lengths are different integers).
//!
//! **Encoding.** All bases are known in advance. Digits are combined into pairs `(K, N)`, their
//! integer and the product of their bases, as long as both fit in 64 bits: about 13 chess moves.
//! The long integer is then multiplied once a pair, from the last pair back: `X ← K + N·X`.
//!
//! **Decoding.** A base is known only from the position before the move, so every ply divides the
//! whole integer in place by a small number. With limbs of 48 bits this is one multiplication a
//! limb for bases below 256 (chess has at most 218 moves): remainder and limb together are below
//! 2^56, where the high half of the product with ⌈2^64/b⌉ is the exact quotient. On 300-bit
//! integers this takes a quarter of rug's time.
//!
//! Digits with unequal frequencies cannot be combined before `X` is known: see the module
//! `weighted`.
//!
//! The modules `plain`, `ends` and `counted` are built on this module. Integers are 64-bit limbs,
//! lowest first; with the feature `integers`, `to_integer` and `to_limbs` convert them to and from
//! rug.

#[cfg(feature = "integers")]
use rug::{Integer, integer::Order};

/// Digits to an integer. Reusable: [`clear`](Encoder::clear) keeps the memory.
///
/// ```
/// use ign_notation::radix::Encoder;
///
/// let mut encoder = Encoder::new();
/// for (digit, base) in [(13, 20), (11, 20), (13, 29), (19, 29)] {
///     encoder.push(digit, base); // zero-based: 1.e4 e5 2.Nf3 f6
/// }
/// assert_eq!(encoder.finish(), [13 + 20 * (11 + 20 * (13 + 29 * 19))]);
/// ```
#[derive(Clone, Debug)]
pub struct Encoder {
    /// Full pairs `(K, N)` in playing order.
    pairs: Vec<(u64, u64)>,
    /// The integer of the digits that are not in `pairs` yet.
    value: u64,
    /// The product of the bases of these digits.
    product: u64,
    /// The result of the last [`finish`](Encoder::finish).
    limbs: Vec<u64>,
}

impl Default for Encoder {
    fn default() -> Self {
        Encoder::new()
    }
}

impl Encoder {
    /// An encoder without digits, whose integer is 0.
    pub const fn new() -> Self {
        Encoder {
            pairs: Vec::new(),
            value: 0,
            product: 1,
            limbs: Vec::new(),
        }
    }

    /// Removes the digits and keeps the memory.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.value = 0;
        self.product = 1;
    }

    /// Appends the digit of the next ply: 0 to `base`, with `base` ≥ 1.
    #[inline]
    pub fn push(&mut self, digit: u32, base: u32) {
        debug_assert!(base > 0 && digit <= base, "digit {digit} in base {base}");
        // Both checks are needed: with base 1 the value grows and the product does not.
        if let Some(product) = self.product.checked_mul(u64::from(base))
            && let Some(term) = self.product.checked_mul(u64::from(digit))
            && let Some(value) = self.value.checked_add(term)
        {
            self.value = value;
            self.product = product;
        } else {
            self.pairs.push((self.value, self.product));
            self.value = u64::from(digit);
            self.product = u64::from(base);
        }
    }

    /// The integer of the digits so far: 64-bit limbs, lowest first, without leading zeros (empty
    /// for 0). More digits may follow.
    pub fn finish(&mut self) -> &[u64] {
        self.limbs.clear();
        if self.value > 0 {
            self.limbs.push(self.value);
        }
        for &(value, product) in self.pairs.iter().rev() {
            let mut carry = value;
            for limb in &mut self.limbs {
                let wide = u128::from(*limb) * u128::from(product) + u128::from(carry);
                *limb = wide as u64;
                carry = (wide >> 64) as u64;
            }
            if carry > 0 {
                self.limbs.push(carry);
            }
        }
        &self.limbs
    }

    /// [`finish`](Encoder::finish) as a rug integer.
    #[cfg(feature = "integers")]
    pub fn to_integer(&mut self) -> Integer {
        to_integer(self.finish())
    }
}

/// The number of bits in a limb of [`Decoder`].
const LIMB_BITS: u32 = 48;
/// The greatest base for which [`Decoder`] divides by multiplication.
const SMALL_BASE: usize = 255;

/// `⌈2^64 / b⌉` for every small base from 2. It exceeds `2^64 / b` by less than 1, so its product
/// with `v < 2^48·b` exceeds `2^64·v / b` by less than `2^48·b ≤ 2^64 / b`. This is too little to
/// reach the next multiple, so the high half is `⌊v / b⌋`.
const RECIPROCALS: [u64; SMALL_BASE + 1] = {
    let mut table = [0; SMALL_BASE + 1];
    let mut base = 2;
    while base <= SMALL_BASE {
        table[base] = u64::MAX / base as u64 + 1;
        base += 1;
    }
    table
};

/// An integer to digits, one at a time, from the first ply.
///
/// Reusable: [`load`](Decoder::load) replaces the integer and keeps the memory.
///
/// ```
/// use ign_notation::radix::Decoder;
///
/// let mut decoder = Decoder::new();
/// decoder.load(&[225_833]);
/// assert_eq!([20, 20, 29, 29].map(|base| decoder.take(base)), [13, 11, 13, 19]);
/// assert!(decoder.is_zero());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    /// The rest of the integer: limbs of 48 bits, lowest first, without leading zeros.
    limbs: Vec<u64>,
}

impl Decoder {
    /// A decoder of 0.
    pub const fn new() -> Self {
        Decoder { limbs: Vec::new() }
    }

    /// Replaces the integer: 64-bit limbs, lowest first.
    pub fn load(&mut self, limbs: &[u64]) {
        self.limbs.clear();
        let mask = (1 << LIMB_BITS) - 1;
        // Three limbs of 64 bits are four of 48.
        for chunk in limbs.chunks(3) {
            let limb = |i: usize| chunk.get(i).copied().unwrap_or(0);
            let (low, middle, high) = (limb(0), limb(1), limb(2));
            self.limbs.extend_from_slice(&[
                low & mask,
                (low >> 48 | middle << 16) & mask,
                (middle >> 32 | high << 32) & mask,
                high >> 16,
            ]);
        }
        self.trim();
    }

    /// [`load`](Decoder::load) from a rug integer, whose sign is ignored.
    #[cfg(feature = "integers")]
    pub fn load_integer(&mut self, integer: &Integer) {
        self.load(&to_limbs(integer));
    }

    /// Whether the rest is 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// Whether the rest is `value`.
    #[inline]
    pub fn equals(&self, value: u32) -> bool {
        match self.limbs[..] {
            [] => value == 0,
            [limb] => limb == u64::from(value),
            _ => false,
        }
    }

    /// Removes a zero-based digit, 0 to `base − 1`.
    ///
    /// # Panics
    /// If `base` is 0: a position without moves has no digit.
    #[inline]
    pub fn take(&mut self, base: u32) -> u32 {
        assert!(base > 0, "a digit in base 0");
        if base as usize <= SMALL_BASE {
            self.divide_small(base)
        } else {
            self.divide(base)
        }
    }

    /// Removes a one-based digit, 1 to `base`; returns 0 if there are no more digits.
    ///
    /// # Panics
    /// If `base` is 0: a position without moves has no digit.
    #[inline]
    pub fn take_one_based(&mut self, base: u32) -> u32 {
        if self.is_zero() {
            return 0;
        }
        match self.take(base) {
            // Remainder 0 is the digit `base`; the quotient, which is not 0, is one too large.
            0 => {
                self.decrement();
                base
            }
            digit => digit,
        }
    }

    /// Divides by 1 to 255 in place; returns the remainder.
    #[inline]
    fn divide_small(&mut self, base: u32) -> u32 {
        if base == 1 {
            return 0;
        }
        let reciprocal = u128::from(RECIPROCALS[base as usize]);
        let base = u64::from(base);
        let mut remainder = 0;
        for limb in self.limbs.iter_mut().rev() {
            let value = remainder << LIMB_BITS | *limb;
            let quotient = ((u128::from(value) * reciprocal) >> 64) as u64;
            remainder = value - quotient * base;
            *limb = quotient;
        }
        self.trim_one();
        remainder as u32
    }

    /// Divides by any base in place; returns the remainder. Half a limb at a time: remainder and
    /// half limb (32 + 24 bits) fit in 64 bits.
    fn divide(&mut self, base: u32) -> u32 {
        const HALF: u32 = LIMB_BITS / 2;
        let base = u64::from(base);
        let mut remainder = 0;
        for limb in self.limbs.iter_mut().rev() {
            let high = remainder << HALF | *limb >> HALF;
            let low = (high % base) << HALF | *limb & ((1 << HALF) - 1);
            *limb = ((high / base) << HALF) | (low / base);
            remainder = low % base;
        }
        self.trim_one();
        remainder as u32
    }

    /// Subtracts 1 from an integer that is not 0.
    fn decrement(&mut self) {
        for limb in &mut self.limbs {
            if *limb > 0 {
                *limb -= 1;
                break;
            }
            *limb = (1 << LIMB_BITS) - 1;
        }
        self.trim_one();
    }

    /// Removes the top limb if it is 0. After a division by less than a limb, at most one is.
    #[inline]
    fn trim_one(&mut self) {
        if self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
    }

    /// Removes zero limbs at the top.
    fn trim(&mut self) {
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
    }
}

/// Converts limbs, lowest first, to a rug integer.
#[cfg(feature = "integers")]
pub fn to_integer(limbs: &[u64]) -> Integer {
    Integer::from_digits(limbs, Order::Lsf)
}

/// The limbs of a rug integer, lowest first, without its sign.
#[cfg(feature = "integers")]
pub fn to_limbs(integer: &Integer) -> Vec<u64> {
    integer.to_digits(Order::Lsf)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, digit by digit on a rug integer.
    fn slow(digits: &[(u32, u32)]) -> Integer {
        let mut integer = Integer::new();
        for &(digit, base) in digits.iter().rev() {
            integer *= base;
            integer += digit;
        }
        integer
    }

    fn check(digits: &[(u32, u32)], one_based: bool) {
        let mut encoder = Encoder::new();
        encoder.push(7, 9);
        encoder.finish();
        encoder.clear();
        digits.iter().for_each(|&(d, b)| encoder.push(d, b));
        assert_eq!(encoder.to_integer(), slow(digits));
        assert_ne!(encoder.finish().last(), Some(&0));
        let mut decoder = Decoder::new();
        decoder.load(&[3; 5]);
        decoder.load(encoder.finish());
        for &(digit, base) in digits {
            let taken = if one_based {
                decoder.take_one_based(base)
            } else {
                decoder.take(base)
            };
            assert_eq!(taken, digit);
        }
        assert!(decoder.is_zero() && decoder.equals(0));
    }

    fn digits(
        bases: impl Strategy<Value = u32>,
        len: std::ops::Range<usize>,
        one_based: bool,
    ) -> impl Strategy<Value = Vec<(u32, u32)>> {
        let digit = (bases, any::<u32>(), 0..4u8).prop_map(move |(base, random, edge)| {
            let digit = match edge {
                0 => 0,
                1 => base - 1,
                _ => random % base,
            };
            (digit + u32::from(one_based), base)
        });
        prop::collection::vec(digit, len)
    }

    #[test]
    fn no_digits_are_zero() {
        check(&[], false);
        check(&[], true);
        assert!(Encoder::new().finish().is_empty());
        let mut decoder = Decoder::new();
        assert_eq!(decoder.take(20), 0);
        assert_eq!(decoder.take_one_based(20), 0);
        decoder.load(&[0, 0, 0, 0]);
        assert!(decoder.is_zero());
    }

    #[test]
    fn round_trips_the_extreme_digits_of_every_small_base() {
        for base in 1..=300 {
            for digit in [0, 1, base / 2, base - 1] {
                check(&vec![(digit.min(base - 1), base); 100], false);
            }
            for digit in [1, base / 2, base] {
                check(&vec![(digit.max(1), base); 100], true);
            }
        }
        for base in [65_535, 65_536, 65_537, u32::MAX - 1, u32::MAX] {
            check(&[(base - 1, base); 50], false);
            check(&[(base, base); 50], true);
        }
    }

    #[test]
    fn small_bases_divide_exactly_at_the_edges_of_a_limb() {
        for base in 2..=255u64 {
            let top = (base << LIMB_BITS) - 1;
            for value in [
                0,
                1,
                base - 1,
                base,
                top,
                top - 1,
                top - base,
                top - base + 1,
            ] {
                let quotient = (u128::from(value) * u128::from(RECIPROCALS[base as usize])) >> 64;
                assert_eq!(quotient as u64, value / base);
            }
        }
    }

    #[test]
    fn round_trips_ten_thousand_plies_and_long_runs_of_forced_moves() {
        let mut seed = 1u32;
        let digits: Vec<_> = (0..10_000)
            .map(|_| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let base = (seed >> 8) % 218 + 1;
                (seed % base, base)
            })
            .collect();
        check(&digits, false);
        let shifted: Vec<_> = digits.iter().map(|&(d, b)| (d + 1, b)).collect();
        check(&shifted, true);
        let mut forced = vec![(1, 1); 5_000];
        forced.push((20, 20));
        forced.extend(vec![(1, 1); 5_000]);
        check(&forced, true);
    }

    #[test]
    fn equals_compares_the_rest() {
        let mut decoder = Decoder::new();
        decoder.load(&[5]);
        assert!(decoder.equals(5) && !decoder.equals(0) && !decoder.equals(6));
        decoder.load(&[5, 1]);
        assert!(!decoder.equals(5));
    }

    proptest! {
        #[test]
        fn zero_based_digits_agree_with_the_definition(digits in digits(1..=300u32, 0..2_000, false)) {
            check(&digits, false);
        }

        #[test]
        fn one_based_digits_agree_with_the_definition(digits in digits(1..=300u32, 0..2_000, true)) {
            check(&digits, true);
        }

        #[test]
        fn round_trips_digits_of_any_base(zero in digits(1..=u32::MAX, 0..60, false), one in digits(1..=u32::MAX, 0..60, true)) {
            check(&zero, false);
            check(&one, true);
        }
    }
}
