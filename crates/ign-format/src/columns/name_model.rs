//! The name model: a network that predicts the characters of players' names (spec §4.3.1).
//!
//! Names are short and differ from each other, so zstd finds few repetitions in them. This model
//! predicts each byte from the eight before it, and from the style of the line before. A byte is
//! coded as eight binary decisions, the highest bit first, with the probabilities of a
//! [`NameNetwork`] that was trained on names. The block names the model that it needs.

use crate::models::network_architecture;
use ign_entropy::{
    adaptive::Coder,
    logistic,
    network::{Shape, first_rows, rows},
};

/// Ends a line that is shorter than [`MAX_LINE`].
pub(super) const END: u8 = b'\n';
/// Maximum length of a line in bytes; a line of this length has no [`END`] (spec §4.3.1).
pub(super) const MAX_LINE: usize = 255;
/// Maximum length of the lines of a chunk in bytes (spec §4.3.1). At this length the current line
/// ends, and all further lines are empty, so that few codes cannot demand many bytes.
pub(super) const MAX_CHUNK: usize = 4096;

/// Number of inputs of the network.
pub const INPUTS: usize = 13;
/// Number of values of each input (spec §4.3.1).
pub(crate) const VALUES: [usize; INPUTS] = [72, 72, 72, 72, 40, 40, 40, 40, 16, 64, 64, 1296, 2048];
/// The first row of embeddings of each input.
pub(crate) const FIRST: [usize; INPUTS] = first_rows(VALUES);
/// Number of rows of embeddings.
const ROWS: usize = FIRST[INPUTS - 1] + VALUES[INPUTS - 1];
/// Number of hidden units: products of two embedding dimensions each (spec §4.3.1).
const WIDTH: usize = 32;
/// Number of embedding dimensions.
const UNITS: usize = 2 * WIDTH;
/// The dimensions of the network. A decision is a node of the binary tree of a byte's bits.
pub const SHAPE: Shape = Shape {
    rows: ROWS,
    width: WIDTH,
    decisions: 256,
};

network_architecture!(
    /// The parameters of the network: a model of architecture 5 (spec §8.6).
    NameNetwork,
    5,
    "name model",
    include_bytes!("name_model.bin")
);

/// The class of a byte, with lower and upper case distinct; 0 stands for no byte.
fn fine_class(byte: u8) -> usize {
    usize::from(match byte {
        0 => 0,
        b'a'..=b'z' => byte - b'a' + 1,
        b'A'..=b'Z' => byte - b'A' + 27,
        b'0'..=b'9' => byte - b'0' + 53,
        b'_' => 63,
        b'-' => 64,
        b'.' => 65,
        b',' => 66,
        b' ' => 67,
        b'(' => 68,
        b')' => 69,
        128.. => 70,
        _ => 71,
    })
}

/// The class of a byte, without distinction of case, and with all digits alike; 0 stands for no
/// byte.
fn coarse_class(byte: u8) -> usize {
    match fine_class(byte) {
        class @ 0..27 => class,
        class @ 27..53 => class - 26,
        53..63 => 27,
        class @ 63..68 => class - 35,
        68 | 69 => 33,
        class => class - 36,
    }
}

/// The kind of a byte: lower case, upper case, digit, other.
fn kind(byte: u8) -> usize {
    match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    }
}

/// The style of a line: a set of the kinds of bytes that are in it. It predicts the next line,
/// because the names of one server or database look alike.
pub fn style(line: &[u8]) -> usize {
    line.iter().fold(0, |style, &byte| {
        style
            | match byte {
                b',' => 1,
                b' ' => 2,
                b'0'..=b'9' => 4,
                b'A'..=b'Z' => 8,
                b'a'..=b'z' => 16,
                b'_' | b'-' => 32,
                _ => 0,
            }
    })
}

/// The rows of embeddings that predict the byte after these bytes of a line. `style` is that of the
/// line before.
pub fn inputs(line: &[u8], style: usize) -> [u16; INPUTS] {
    let back = |n: usize| line.len().checked_sub(n).map_or(0, |i| line[i]);
    let last = kind(back(1));
    let alike = line.iter().rev().take_while(|&&c| kind(c) == last);
    let hash = |len| (1..=len).fold(0, |hash, n| hash * 36 + coarse_class(back(n)));
    let values = [
        fine_class(back(1)),
        fine_class(back(2)),
        fine_class(back(3)),
        fine_class(back(4)),
        coarse_class(back(5)),
        coarse_class(back(6)),
        coarse_class(back(7)),
        coarse_class(back(8)),
        line.len().min(15),
        alike.take(15).count() + 16 * last,
        style,
        hash(2),
        hash(3) * 40_503 % 65_536 / 32,
    ];
    rows(values, FIRST)
}

/// The binary decisions of a byte: the node in the tree of its bits, and the bit.
pub fn decisions(byte: u8) -> impl Iterator<Item = (u8, bool)> {
    let path = 256 | u32::from(byte);
    (0..8)
        .rev()
        .map(move |bit| ((path >> (bit + 1)) as u8, path >> bit & 1 == 1))
}

/// Codes a line after one of this style, and appends it without its end to `chunk`, the lines of
/// the chunk so far. A decoder ignores `line`.
pub(super) fn code_line(
    model: &NameNetwork,
    coder: &mut impl Coder,
    style: usize,
    line: &[u8],
    chunk: &mut Vec<u8>,
) {
    let network = model.network();
    let start = chunk.len();
    while chunk.len() - start < MAX_LINE && chunk.len() < MAX_CHUNK {
        let before = &chunk[start..];
        let prediction = network.predict(&inputs(before, style));
        let byte = line.get(before.len()).copied().unwrap_or(END);
        let mut node = 1usize;
        for bit in (0..8).rev() {
            let no = logistic::probability(prediction.logit(node));
            node = node << 1 | usize::from(coder.bit_with_probability(no, byte >> bit & 1 == 1));
        }
        match node as u8 {
            END => return,
            byte => chunk.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::checksum;

    #[test]
    fn the_weights_are_those_of_the_format() {
        assert_eq!(
            checksum(include_bytes!("name_model.bin")),
            0x03fe_56f7_84a9_17a3
        );
    }

    #[test]
    fn inputs_are_rows_of_embeddings() {
        let values = |line: &[u8], style| {
            let rows = inputs(line, style);
            let values = rows.iter().zip(FIRST);
            values
                .map(|(&row, first)| usize::from(row) - first)
                .collect::<Vec<_>>()
        };
        let hash = (36 * 36 * 27 + 36 * 27 + 2) * 40_503 % 65_536 / 32;
        assert_eq!(
            values(b"aB_-xb98", 5),
            [
                61,
                62,
                2,
                24,
                29,
                28,
                2,
                1,
                8,
                2 + 16 * 2,
                5,
                27 * 36 + 27,
                hash
            ]
        );
        let none = [0, 0, 0, 0, 0, 0, 0, 0, 0, 16 * 3, 63, 0, 0];
        assert_eq!(values(b"", 63), none);
        assert_eq!(style("Ann, (É)".as_bytes()), 1 + 2 + 8 + 16);
        assert_eq!(style(b"x_1"), 4 + 16 + 32);
        let coarse_of = |bytes: &[u8]| bytes.iter().map(|&c| coarse_class(c)).collect::<Vec<_>>();
        assert_eq!(
            coarse_of(b"zZ0_-., ()\xc3?"),
            [26, 26, 27, 28, 29, 30, 31, 32, 33, 33, 34, 35]
        );
    }
}
