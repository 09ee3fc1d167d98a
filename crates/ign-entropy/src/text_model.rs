//! Order-N text model with a match model (spec §9.6).
//!
//! A byte is eight binary decisions from the highest bit down. Six contexts predict each: the last
//! 0, 1, 2, 3 and 5 bytes (orders 0 to 3 and 5), and the start of the current word. A match model
//! finds the last place where the last four or more bytes occurred and predicts the byte that
//! followed there. Logistic mixing combines the predictions ([`logistic`](super::logistic)), with a
//! separate weight for each confidence: a long context predicts better than a short one as soon as
//! it has seen some bits.
//!
//! The result is a fifth smaller than that of zstd and takes about a hundred times as long to
//! decode. It suits text that is short or rarely read.

use super::{
    adaptive::{Coder, Decoder, Encoder},
    logistic::{Estimate, Learning, ONE, error, probability, squash},
};

/// Contexts of a byte: the last 0, 1, 2, 3 and 5 bytes, and the start of the word.
const CONTEXTS: usize = 6;
/// Confidence classes of estimates: the bit length of the number of bits seen, at most seven.
const CONFIDENCES: usize = 8;
/// The shortest match that predicts, in bytes.
const MIN_MATCH: usize = 4;
/// Longer matches count as this length.
const MAX_MATCH: usize = 31;
/// Binary decisions of half a byte.
const DECISIONS: usize = 15;
/// The hash table has at most 2^this slots.
const MAX_SLOT_BITS: u32 = 18;

static LEARNING: Learning = Learning::new(14, 10);

/// Multipliers of Fibonacci hashing: 2^64 and 2^32 divided by the golden ratio.
const HASH_64: u64 = 0x9E37_79B9_7F4A_7C15;
const HASH_32: u32 = 0x9E37_79B1;

/// The estimates of half a byte after a context: one slot of the hash table, one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Slot {
    /// A check of the context that uses the slot; 0 if none does.
    owner: u32,
    /// In heap order: node n of the tree of the half's bits is element n - 1.
    estimates: [Estimate; DECISIONS],
}

impl Slot {
    const NEW: Self = Self {
        owner: 0,
        estimates: [Estimate::NEW; DECISIONS],
    };
}

/// The state of the model after the text so far.
struct Model {
    /// Hash table of context estimates. A context evicts another from its slot.
    slots: Vec<Slot>,
    /// Weight of a context, by bit of the byte, context and confidence.
    weights: [[[i32; CONFIDENCES]; CONTEXTS]; 8],
    /// Weight of the match model, by bit of the byte.
    match_weights: [i32; 8],
    /// Estimates of the match model, by match length and predicted bit.
    match_estimates: [[Estimate; 2]; MAX_MATCH + 1],
    /// For the hash of four bytes, the offset in the text after their last occurrence.
    occurrences: Vec<u32>,
    /// The last eight bytes, the last one in the lowest bits.
    last: u64,
    /// Hash of the current word.
    word: u32,
    /// Offset of the byte that the match predicts.
    match_at: usize,
    /// Length of the match; 0 if there is none.
    match_len: usize,
}

impl Model {
    /// A model for a text of `len` bytes, which determines the size of its tables.
    fn new(len: usize) -> Self {
        let bits = (2 * len.max(1))
            .next_power_of_two()
            .ilog2()
            .min(MAX_SLOT_BITS);
        Self {
            slots: vec![Slot::NEW; 1 << bits],
            weights: [[[ONE * 3 / 10; CONFIDENCES]; CONTEXTS]; 8],
            match_weights: [ONE * 3 / 10; 8],
            match_estimates: [[Estimate::NEW; 2]; MAX_MATCH + 1],
            occurrences: vec![0; 1 << bits],
            last: 0,
            word: 0,
            match_at: 0,
            match_len: 0,
        }
    }

    /// Finds the slots of half a byte: `half` is 0 for the upper one, 16 + the upper one for the
    /// lower one.
    #[inline]
    fn find_slots(&mut self, half: u64) -> [usize; CONTEXTS] {
        let bytes = |count: u32| self.last & ((1 << (8 * count)) - 1);
        let contexts = [
            bytes(0),
            bytes(1),
            bytes(2),
            bytes(3),
            bytes(5),
            self.word.into(),
        ];
        let bits = self.slots.len().ilog2();
        let mut number = 0;
        contexts.map(|context| {
            let key = context << 8 | number << 5 | half;
            number += 1;
            let hash = key.wrapping_mul(HASH_64);
            let at = (hash >> (u64::BITS - bits)) as usize;
            let owner = (hash >> 16) as u32 | 1;
            let slot = &mut self.slots[at];
            if slot.owner != owner {
                *slot = Slot { owner, ..Slot::NEW };
            }
            at
        })
    }

    /// Codes the byte after `text`.
    #[inline]
    fn code(&mut self, coder: &mut impl Coder, given: u8, text: &[u8]) -> u8 {
        let mut expected = (self.match_len > 0).then(|| text[self.match_at]);
        let mut byte = 1;
        for half in [4, 0] {
            let slots = self.find_slots(if half == 4 { 0 } else { byte as u64 });
            let mut node = 1;
            for i in (half..half + 4).rev() {
                let predicted = expected.map(|byte| usize::from(byte >> i & 1));
                let bit = self.bit(coder, i, &slots, node - 1, predicted, given >> i & 1 == 1);
                if predicted.is_some_and(|predicted| predicted != usize::from(bit)) {
                    expected = None;
                    self.match_len = 0;
                }
                node = node << 1 | usize::from(bit);
            }
            byte = byte << 4 | node & 15;
        }
        byte as u8
    }

    /// Codes bit `position` of a byte. `node` is the index of its estimate in each of `slots`,
    /// `predicted` the bit that the match predicts.
    #[inline]
    fn bit(
        &mut self,
        coder: &mut impl Coder,
        position: usize,
        slots: &[usize; CONTEXTS],
        node: usize,
        predicted: Option<usize>,
        given: bool,
    ) -> bool {
        let weights = &mut self.weights[position];
        let mut logits = [0; CONTEXTS];
        let mut confidences = [0; CONTEXTS];
        let mut sum = 0;
        for i in 0..CONTEXTS {
            let estimate = self.slots[slots[i]].estimates[node];
            let confidence = u32::BITS - estimate.seen().leading_zeros();
            logits[i] = estimate.logit();
            confidences[i] = confidence.min(CONFIDENCES as u32 - 1) as usize;
            sum += i64::from(logits[i]) * i64::from(weights[i][confidences[i]]);
        }
        let mut match_estimate =
            predicted.map(|bit| &mut self.match_estimates[self.match_len.min(MAX_MATCH)][bit]);
        let match_logit = match_estimate
            .as_ref()
            .map_or(0, |estimate| estimate.logit());
        sum += i64::from(match_logit) * i64::from(self.match_weights[position]);
        let mixed = (sum >> 16) as i32;
        let bit = coder.bit_with_probability(probability(mixed), given);
        let error = error(squash(mixed), bit);
        for i in 0..CONTEXTS {
            LEARNING.update_weight(&mut weights[i][confidences[i]], logits[i], error);
            self.slots[slots[i]].estimates[node].adapt(&LEARNING, bit);
        }
        LEARNING.update_weight(&mut self.match_weights[position], match_logit, error);
        if let Some(estimate) = &mut match_estimate {
            estimate.adapt(&LEARNING, bit);
        }
        bit
    }

    /// Updates contexts and match with the last byte of the text so far.
    #[inline]
    fn update(&mut self, text: &[u8]) {
        let &byte = text.last().expect("a byte was coded");
        self.last = self.last << 8 | u64::from(byte);
        self.word = match byte {
            b'A'..=b'Z' | b'a'..=b'z' | 128.. => {
                let letter = u32::from(byte | 32);
                (self.word.wrapping_add(letter)).wrapping_mul(HASH_32)
            }
            _ => 0,
        };
        if text.len() < MIN_MATCH {
            return;
        }
        let hash = (self.last as u32).wrapping_mul(HASH_32);
        let slot = hash >> (u32::BITS - self.slots.len().ilog2());
        let occurrence = &mut self.occurrences[slot as usize];
        if self.match_len > 0 {
            self.match_at += 1;
            self.match_len += 1;
        } else {
            self.match_at = *occurrence as usize;
            let pairs = text[..self.match_at].iter().rev().zip(text.iter().rev());
            let len = pairs.take(MAX_MATCH).take_while(|(a, b)| a == b).count();
            self.match_len = if len < MIN_MATCH { 0 } else { len };
        }
        *occurrence = text.len() as u32;
    }
}

/// The number of bytes decoded between two checks.
const CHECK_INTERVAL: usize = 1 << 12;

/// Encodes a text.
pub fn encode(text: &[u8]) -> Vec<u8> {
    let mut coder = Encoder::new();
    let mut model = Model::new(text.len());
    for (at, &byte) in text.iter().enumerate() {
        model.code(&mut coder, byte, text);
        model.update(&text[..=at]);
    }
    coder.finish()
}

/// Decodes a text of `len` bytes. Any stream decodes to some text.
///
/// # Errors
/// Those of `check`, which is called every few thousand bytes and at the end. It should fail when
/// the decoder has read far past its input ([`Decoder::overrun`]), so that a short stream cannot
/// claim a long text.
pub fn decode<E>(
    coder: &mut Decoder,
    len: usize,
    check: impl Fn(&Decoder) -> Result<(), E>,
) -> Result<Vec<u8>, E> {
    let mut model = Model::new(len);
    let mut text = Vec::with_capacity(len);
    while text.len() < len {
        if text.len().is_multiple_of(CHECK_INTERVAL) {
            check(coder)?;
        }
        let byte = model.code(coder, 0, &text);
        text.push(byte);
        model.update(&text);
    }
    check(coder)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decode_all(stream: &[u8], len: usize) -> Vec<u8> {
        let text: Result<_, ()> = decode(&mut Decoder::new(stream), len, |_| Ok(()));
        text.expect("the check never fails")
    }

    #[test]
    fn a_stream_that_has_ended_fails_before_the_whole_text_is_decoded() {
        let checks = std::cell::Cell::new(0);
        let check = |coder: &Decoder| {
            checks.set(checks.get() + 1);
            if coder.overrun() > 100 {
                Err(())
            } else {
                Ok(())
            }
        };
        let noise: Vec<u8> = (0..1000u64).map(|i| ((i * i * 40503) >> 9) as u8).collect();
        assert!(decode(&mut Decoder::new(&noise), 1 << 24, check).is_err());
        assert!(checks.get() < 10, "{} checks", checks.get());
    }

    #[test]
    fn repeated_text_is_cheap() {
        let text = b"White has a slight advantage, but the bishops are of opposite colours.";
        assert_eq!(encode(b""), b"");
        let (once, repeated) = (encode(text).len(), encode(&text.repeat(100)).len());
        assert!(once < text.len(), "{once} bytes");
        assert!(repeated < once + 60, "{repeated} bytes");
    }

    #[test]
    fn encodes_a_text_to_fixed_bytes() {
        let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O \
            White has the pair of bishops; White has a pawn more; Black has the pair of bishops. \
            Weiß steht besser; Weiß gewinnt.";
        let expected = "3174a92e8878f26992a4a4f12128dbba4f6d55acce43a87e19d99a9785c4cda12728adee\
            327f28f6c625830921216b1cf2767bad3efebdcefa575f60891e3d15c52977859489f62f\
            23ce89400979537a5fb614cf16b4fc1ca3deada187d5a4c527a06610a7eb205709fe66ad\
            473a1597d611b7e34ba989fbad56";
        let hex = |stream: Vec<u8>| {
            stream
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
        };
        assert_eq!(hex(encode(text.as_bytes())), expected);
    }

    proptest! {
        #[test]
        fn round_trips_any_text(words in prop::collection::vec("[a-d ]{1,6}|\\PC", 0..300)) {
            let text = words.concat().into_bytes();
            prop_assert_eq!(decode_all(&encode(&text), text.len()), text);
        }

        #[test]
        fn any_stream_decodes_to_a_text(stream in prop::collection::vec(any::<u8>(), 0..300), len in 0usize..3000) {
            prop_assert_eq!(decode_all(&stream, len).len(), len);
        }
    }
}
