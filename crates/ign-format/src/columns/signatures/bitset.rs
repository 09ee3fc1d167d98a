//! A bit for each of a sequence of games.

/// Bits by index, the lowest bit of the first word first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Bitset {
    words: Vec<u64>,
    len: usize,
}

impl Bitset {
    /// A bit for each byte, set where it equals `value`.
    pub fn equal_to(bytes: &[u8], value: u8) -> Self {
        let word = |bytes: &[u8]| {
            let bits = bytes.iter().enumerate();
            bits.fold(0, |word, (i, &byte)| word | u64::from(byte == value) << i)
        };
        Self {
            words: bytes.chunks(64).map(word).collect(),
            len: bytes.len(),
        }
    }

    /// Clears the bits that are not set in `other`, which has the same length.
    pub fn intersect(&mut self, other: &Self) {
        for (word, kept) in self.words.iter_mut().zip(&other.words) {
            *word &= kept;
        }
    }

    /// Clears all bits.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Inverts all bits.
    pub fn invert(&mut self) {
        self.words.iter_mut().for_each(|word| *word = !*word);
        if let Some(last) = self.words.last_mut() {
            *last &= u64::MAX >> ((64 - self.len % 64) % 64);
        }
    }

    /// Number of set bits.
    pub fn count_ones(&self) -> usize {
        let ones = self.words.iter().map(|word| word.count_ones() as usize);
        ones.sum()
    }

    /// Indices of the set bits, ascending.
    pub fn ones(&self) -> impl Iterator<Item = u64> {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(i as u64 * 64 + u64::from(bit))
            })
        })
    }

    /// Maps bits over the set bits of `selection` to bits over all of its indices: bit n of `self`
    /// becomes the n-th set bit of `selection`. (A parallel bit deposit.)
    pub fn deposit(&self, selection: &Self) -> Self {
        let mut deposited = Self {
            words: vec![0; selection.words.len()],
            len: selection.len,
        };
        let mut ones = self.ones().peekable();
        let mut before = 0;
        for (word, out) in selection.words.iter().zip(&mut deposited.words) {
            let count = u64::from(word.count_ones());
            let mut left = *word;
            let mut passed = 0;
            while let Some(rank) = ones.next_if(|&rank| rank < before + count) {
                for _ in passed..rank - before {
                    left &= left - 1;
                }
                passed = rank - before;
                *out |= left & left.wrapping_neg();
            }
            before += count;
        }
        deposited
    }
}
