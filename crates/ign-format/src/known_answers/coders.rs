//! Sums of what the coders write (spec §9.7).
//!
//! Each function returns the values, a row for each i of the specification, and their stream.
//! `tests/vectors/coders` has both.

use ign_entropy::{
    BitWriter,
    adaptive::{Coder as _, Encoder, Number, Signed},
    frequencies,
    mixing::MixedSigned,
    prefixed, rice, text_model,
};
use sha2::{Digest, Sha256};

use super::{COUNT, Choices, Sum};

/// All coders.
pub(super) const ALL: [Sum; 6] = [
    Sum {
        name: "integer codes",
        stated: "05b4aa70073847c61d62707488d80efbdb3a6c28cb9a07b16fbd7bf27e1eed80",
        compute: || sum(&integer_codes().1),
    },
    Sum {
        name: "adaptive numbers",
        stated: "d8dcb95330848960dc05960ffe627e1ad3d6045a8a6933f0b4b694bf01114f0a",
        compute: || sum(&numbers().1),
    },
    Sum {
        name: "frequency coder",
        stated: "e7209adccd1fe2032f2a560991cd429c3d4229372315347848f4992fb1f59342",
        compute: || sum(&choices().1),
    },
    Sum {
        name: "mixed numbers",
        stated: "e5ae298280d109be278a0a3f826abfd942731941bbc809dbd24457cb72c4e9ec",
        compute: || sum(&mixed(None).1),
    },
    Sum {
        name: "mixed numbers with a network",
        stated: "7e19a5624b31901c305bac8cbd833cde903c91455f57ecdef642c99c12ce1c92",
        compute: || sum(&mixed(Some(logit)).1),
    },
    Sum {
        name: "text model",
        stated: "37e0205f6f79b05e3d0e2169247762539dbf63ee76139d0aeda9528c5435aaa6",
        compute: || sum(&text_model::encode(&text())),
    },
];

fn sum(stream: &[u8]) -> Sha256 {
    Sha256::new_with_prefix(stream)
}

impl Choices {
    /// A number of up to `bits` bits, at most 31. Small numbers are as frequent as large ones.
    fn number(&mut self, bits: usize) -> u64 {
        let bits = self.below(bits + 1);
        self.below(1 << bits) as u64
    }

    /// Such a number, positive or negative.
    fn signed(&mut self, bits: usize) -> i64 {
        let number = self.number(bits) as i64;
        if self.below(2) == 1 { -number } else { number }
    }
}

/// Rows of an integer, a Rice parameter and a value.
fn integer_codes() -> (Vec<[u64; 3]>, Vec<u8>) {
    let (mut choices, mut stream) = (Choices(1), Vec::new());
    let mut writer = BitWriter::new(&mut stream);
    let row = |_| {
        let row = [
            choices.number(31),
            choices.below(12) as u64,
            choices.number(14),
        ];
        let [integer, parameter, value] = row;
        prefixed::write_integer(&mut writer, &[integer]);
        rice::write(&mut writer, value, parameter as u32);
        row
    };
    let rows = (0..COUNT).map(row).collect();
    writer.finish();
    (rows, stream)
}

/// Rows of a number, a signed number, and a value of 20 bits that is equally likely.
fn numbers() -> (Vec<(u64, i64, u64)>, Vec<u8>) {
    let (mut choices, mut coder) = (Choices(1), Encoder::new());
    let (mut number, mut signed) = (Number::<3>::default(), Signed::default());
    let row = |_| {
        (
            number.code(&mut coder, choices.number(31)),
            signed.code(&mut coder, choices.signed(31)),
            coder.uniform(choices.below(1 << 20) as u64, 20),
        )
    };
    let rows = (0..COUNT).map(row).collect();
    (rows, coder.finish())
}

/// Rows of a total, a frequency, and the sum of those before it.
fn choices() -> (Vec<[u32; 3]>, Vec<u8>) {
    let (mut choices, mut stream) = (Choices(1), Vec::new());
    let mut coder = frequencies::Encoder::new(&mut stream);
    let row = |_| {
        let total = 1 + choices.number(23) as usize;
        let frequency = 1 + choices.below(total);
        let before = choices.below(total - frequency + 1);
        let row = [total, frequency, before].map(|number| number as u32);
        coder.encode(row[2], row[1], row[0]);
        row
    };
    let rows = (0..COUNT).map(row).collect();
    coder.finish();
    (rows, stream)
}

/// Rows of a signed number and its two contexts, coded with the logits of a network or without.
fn mixed(logit: Option<fn(usize, usize) -> i32>) -> (Vec<(i64, [usize; 2])>, Vec<u8>) {
    let (mut choices, mut coder) = (Choices(1), Encoder::new());
    let mut model = match logit {
        Some(_) => MixedSigned::<2>::predicted(),
        None => MixedSigned::default(),
    };
    let row = |number: usize| {
        let (value, contexts) = (choices.signed(20), [choices.below(4), number % 5]);
        match logit {
            Some(logit) => {
                let prediction = |decision| logit(number, decision);
                model.code_predicted(&mut coder, contexts, prediction, value)
            }
            None => model.code(&mut coder, contexts, value),
        };
        (value, contexts)
    };
    let rows = (0..COUNT).map(row).collect();
    (rows, coder.finish())
}

/// What takes the place of the logits of a network.
fn logit(number: usize, decision: usize) -> i32 {
    ((37 * decision + 11 * number) % 1001) as i32 - 500
}

/// A text with repetitions.
fn text() -> Vec<u8> {
    let (mut choices, mut text) = (Choices(1), Vec::new());
    for _ in 0..COUNT {
        let is_repeated = choices.below(2) == 1;
        if is_repeated && text.len() >= 8 {
            let start = choices.below(text.len() - 7);
            text.extend_from_within(start..start + 8);
        } else {
            text.push(32 + choices.below(95) as u8);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf};

    use serde_json::{Value, json};

    use super::*;

    /// The files of `tests/vectors/coders`; `IGN_UPDATE=1` writes them.
    #[test]
    fn the_vectors_are_the_values_and_their_streams() {
        let text = text();
        let stream = text_model::encode(&text);
        let vectors: [(Value, Vec<u8>); 6] = [
            of(integer_codes()),
            of(numbers()),
            of(choices()),
            of(mixed(None)),
            of(mixed(Some(logit))),
            (json!(String::from_utf8(text).unwrap()), stream),
        ];
        for (sum, (values, stream)) in ALL.iter().zip(vectors) {
            let hex: String = stream.iter().map(|byte| format!("{byte:02x}")).collect();
            let vector =
                json!({"coder": sum.name, "sha256": sum.stated, "stream": hex, "values": values});
            let name = format!("{}.json", sum.name.replace(' ', "-"));
            let file = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
                .join("../../tests/vectors/coders")
                .join(name);
            let vector = format!("{vector}\n");
            if std::env::var_os("IGN_UPDATE").is_some() {
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(&file, &vector).unwrap();
            }
            assert!(
                fs::read_to_string(&file).unwrap() == vector,
                "{}",
                file.display()
            );
        }
    }

    fn of((rows, stream): (impl serde::Serialize, Vec<u8>)) -> (Value, Vec<u8>) {
        (json!(rows), stream)
    }
}
