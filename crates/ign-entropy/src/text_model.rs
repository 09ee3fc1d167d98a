//! Text told by what stood behind the same letters before (spec §9.6).
//!
//! A byte is eight decisions, from the highest bit down. Each is predicted by several contexts: the
//! bytes in front of it, none to five of them, and the word so far; and by what followed where the
//! text last went on like this for four bytes or more. As in [`mixed`](super::mixed) their odds are
//! weighed, here with a weight of its own for each number of answers that an estimate has seen: of
//! two contexts the longer one knows better, once it knows anything.
//!
//! It takes a fifth less than zstd, and some hundred times as long to read: for text that is short, or
//! that nobody waits for.

use super::{
    adaptive::{Coder, Decoder, Encoder},
    mixing::{Estimate, Learning, ONE, error, share, squash},
};

/// Contexts of a byte: none to three bytes before it, five, and the word so far.
const CONTEXTS: usize = 6;
/// Estimates are told apart by how many bits it takes to write how many answers they have seen, up
/// to seven.
const SEEN: usize = 8;
/// A match is worth following from so many bytes on.
const SHORTEST: usize = 4;
/// Longer ones are as good as these.
const LONGEST: usize = 31;
/// Decisions of half a byte: its first estimate says whose they are.
const ROW: usize = 16;
/// There are at most 2^this rows.
const MAX_ROWS: u32 = 18;

static LEARNING: Learning = Learning::new(14, 10);

/// 2^64 and 2^32 divided by the golden ratio: what is multiplied by them is spread.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
const SPREAD_32: u32 = 0x9E37_79B1;

/// The estimates of half a byte behind a context.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Row {
    /// Tells contexts apart that would have the same row; 0 for none.
    owner: u32,
    /// By the bits so far, behind a leading one.
    estimates: [Estimate; ROW - 1],
}

impl Row {
    const NEW: Self = Self {
        owner: 0,
        estimates: [Estimate::NEW; ROW - 1],
    };
}

/// What is known of a text from what it has been so far.
struct Model {
    rows: Vec<Row>,
    /// By the bit of the byte, the context, and what its estimate has seen.
    weights: [[[i32; SEEN]; CONTEXTS]; 8],
    /// By the bit of the byte: of what a match predicts.
    of_match: [i32; 8],
    /// By the length of the match, and the bit that it predicts.
    matched: [[Estimate; 2]; LONGEST + 1],
    /// Where the text went on behind bytes of this hash.
    places: Vec<u32>,
    /// The last bytes, the last one lowest, and the word so far.
    last: u64,
    word: u32,
    /// Where what is to be expected stands, and how many bytes before it are the last ones.
    place: usize,
    length: usize,
}

impl Model {
    /// One for so many bytes.
    fn new(len: usize) -> Self {
        let bits = (2 * len.max(1)).next_power_of_two().ilog2().min(MAX_ROWS);
        Self {
            rows: vec![Row::NEW; 1 << bits],
            weights: [[[ONE * 3 / 10; SEEN]; CONTEXTS]; 8],
            of_match: [ONE * 3 / 10; 8],
            matched: [[Estimate::NEW; 2]; LONGEST + 1],
            places: vec![0; 1 << bits],
            last: 0,
            word: 0,
            place: 0,
            length: 0,
        }
    }

    /// Finds the rows of half a byte: the first, 0, or behind a first, 16 + it.
    #[inline]
    fn rows(&mut self, half: u64) -> [usize; CONTEXTS] {
        let bytes = |count: u32| self.last & ((1 << (8 * count)) - 1);
        let contexts = [
            bytes(0),
            bytes(1),
            bytes(2),
            bytes(3),
            bytes(5),
            self.word.into(),
        ];
        let bits = self.rows.len().ilog2();
        let mut number = 0;
        contexts.map(|context| {
            let key = context << 8 | number << 5 | half;
            number += 1;
            let spread = key.wrapping_mul(SPREAD);
            let at = (spread >> (u64::BITS - bits)) as usize;
            let owner = (spread >> 16) as u32 | 1;
            let row = &mut self.rows[at];
            if row.owner != owner {
                *row = Row { owner, ..Row::NEW };
            }
            at
        })
    }

    /// Codes the next byte.
    #[inline]
    fn code(&mut self, coder: &mut impl Coder, given: u8, text: &[u8]) -> u8 {
        let mut expected = (self.length > 0).then(|| text[self.place]);
        let mut byte = 1;
        for half in [4, 0] {
            let rows = self.rows(if half == 4 { 0 } else { byte as u64 });
            let mut node = 1;
            for i in (half..half + 4).rev() {
                let predicted = expected.map(|byte| usize::from(byte >> i & 1));
                let yes = self.bit(coder, i, &rows, node - 1, predicted, given >> i & 1 == 1);
                if predicted.is_some_and(|bit| bit != usize::from(yes)) {
                    expected = None;
                    self.length = 0;
                }
                node = node << 1 | usize::from(yes);
            }
            byte = byte << 4 | node & 15;
        }
        byte as u8
    }

    /// Codes a bit of a byte: the place of its estimates in their rows, and what a match predicts.
    #[inline]
    fn bit(
        &mut self,
        coder: &mut impl Coder,
        bit: usize,
        rows: &[usize; CONTEXTS],
        node: usize,
        predicted: Option<usize>,
        given: bool,
    ) -> bool {
        let weights = &mut self.weights[bit];
        let mut odds = [0; CONTEXTS];
        let mut seen = [0; CONTEXTS];
        let mut sum = 0;
        for i in 0..CONTEXTS {
            let estimate = self.rows[rows[i]].estimates[node];
            odds[i] = estimate.odds();
            seen[i] = (u32::BITS - estimate.seen().leading_zeros()).min(SEEN as u32 - 1) as usize;
            sum += i64::from(odds[i]) * i64::from(weights[i][seen[i]]);
        }
        let mut matched = predicted.map(|bit| &mut self.matched[self.length.min(LONGEST)][bit]);
        let of_match = matched.as_ref().map_or(0, |estimate| estimate.odds());
        sum += i64::from(of_match) * i64::from(self.of_match[bit]);
        let all = (sum >> 16) as i32;
        let yes = coder.decide(share(all), given);
        let error = error(squash(all), yes);
        for i in 0..CONTEXTS {
            LEARNING.weigh(&mut weights[i][seen[i]], odds[i], error);
            self.rows[rows[i]].estimates[node].learn(&LEARNING, yes);
        }
        LEARNING.weigh(&mut self.of_match[bit], of_match, error);
        if let Some(estimate) = &mut matched {
            estimate.learn(&LEARNING, yes);
        }
        yes
    }

    /// Learns the last byte of the text so far.
    #[inline]
    fn note(&mut self, text: &[u8]) {
        let &byte = text.last().expect("a byte was coded");
        self.last = self.last << 8 | u64::from(byte);
        self.word = match byte {
            b'A'..=b'Z' | b'a'..=b'z' | 128.. => {
                let letter = u32::from(byte | 32);
                (self.word.wrapping_add(letter)).wrapping_mul(SPREAD_32)
            }
            _ => 0,
        };
        if text.len() < SHORTEST {
            return;
        }
        let spread = (self.last as u32).wrapping_mul(SPREAD_32);
        let before = &mut self.places[(spread >> (u32::BITS - self.rows.len().ilog2())) as usize];
        if self.length > 0 {
            self.place += 1;
            self.length += 1;
        } else {
            self.place = *before as usize;
            let alike = text[..self.place].iter().rev().zip(text.iter().rev());
            let length = alike.take(LONGEST).take_while(|(a, b)| a == b).count();
            self.length = if length < SHORTEST { 0 } else { length };
        }
        *before = text.len() as u32;
    }
}

/// Between so many bytes it is seen whether there are codes still.
const CHECKED: usize = 1 << 12;

/// Codes of a text.
pub fn encode(text: &[u8]) -> Vec<u8> {
    let mut coder = Encoder::new();
    let mut model = Model::new(text.len());
    for (at, &byte) in text.iter().enumerate() {
        model.code(&mut coder, byte, text);
        model.note(&text[..=at]);
    }
    coder.finish()
}

/// The text of so many bytes that is told by codes; any codes tell one.
///
/// # Errors
/// Those of `check`, which is asked now and then, so that a few codes cannot ask for much text.
pub fn decode<E>(
    coder: &mut Decoder,
    len: usize,
    check: impl Fn(&Decoder) -> Result<(), E>,
) -> Result<Vec<u8>, E> {
    let mut model = Model::new(len);
    let mut text = Vec::with_capacity(len);
    while text.len() < len {
        if text.len().is_multiple_of(CHECKED) {
            check(coder)?;
        }
        let byte = model.code(coder, 0, &text);
        text.push(byte);
        model.note(&text);
    }
    check(coder)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decode_all(codes: &[u8], len: usize) -> Vec<u8> {
        let text: Result<_, ()> = decode(&mut Decoder::new(codes), len, |_| Ok(()));
        text.expect("nothing is checked")
    }

    #[test]
    fn codes_that_have_ended_are_found_out_before_all_is_told() {
        let asked = std::cell::Cell::new(0);
        let check = |coder: &Decoder| {
            asked.set(asked.get() + 1);
            if coder.overrun() > 100 {
                Err(())
            } else {
                Ok(())
            }
        };
        let noise: Vec<u8> = (0..1000u64).map(|i| ((i * i * 40503) >> 9) as u8).collect();
        assert!(decode(&mut Decoder::new(&noise), 1 << 24, check).is_err());
        assert!(asked.get() < 10, "asked {} times", asked.get());
    }

    #[test]
    fn what_came_before_is_cheap() {
        let one = b"White has a slight advantage, but the bishops are of opposite colours.";
        assert_eq!(encode(b""), b"");
        let (once, often) = (encode(one).len(), encode(&one.repeat(100)).len());
        assert!(once < one.len(), "{once} bytes");
        assert!(often < once + 60, "{often} bytes");
    }

    #[test]
    fn the_codes_are_those_of_the_format() {
        let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O \
            White has the pair of bishops; White has a pawn more; Black has the pair of bishops. \
            Weiß steht besser; Weiß gewinnt.";
        let codes = "3174a92e8878f26992a4a4f12128dbba4f6d55acce43a87e19d99a9785c4cda12728adee\
            327f28f6c625830921216b1cf2767bad3efebdcefa575f60891e3d15c52977859489f62f\
            23ce89400979537a5fb614cf16b4fc1ca3deada187d5a4c527a06610a7eb205709fe66ad\
            473a1597d611b7e34ba989fbad56";
        let hex = |codes: Vec<u8>| {
            codes
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
        };
        assert_eq!(hex(encode(text.as_bytes())), codes);
    }

    proptest! {
        #[test]
        fn text_comes_back(words in prop::collection::vec("[a-d ]{1,6}|\\PC", 0..300)) {
            let text = words.concat().into_bytes();
            prop_assert_eq!(decode_all(&encode(&text), text.len()), text);
        }

        #[test]
        fn any_codes_are_text(codes in prop::collection::vec(any::<u8>(), 0..300), len in 0usize..3000) {
            prop_assert_eq!(decode_all(&codes, len).len(), len);
        }
    }
}
