//! Letters: the new words of a column, spelled one letter after the other (spec §4.3.1).
//!
//! Names of players are short and do not resemble each other, so zstd finds little in them. A
//! [`Network`] that was taught names predicts each letter by those before it; bits of the letter
//! are decided by its odds, from the highest down. Where zstd does better, a column keeps to it.
//!
//! Words are spelled in *chunks* of 128 lines, each on its own, so that a word is had
//! without most others: [`Spelled`] lines are read when one of their chunk is first asked for, and
//! no further than it was announced that they would be.

use std::sync::{LazyLock, OnceLock};

use crate::error::{Error, Result};
use ign_entropy::{
    adaptive::{Coder, Decoder, Encoder},
    logistic,
    network::{Network, Shape, first_rows, rows},
    varint,
};

/// Lines of a chunk; the last may have fewer (spec §4.3.1).
const CHUNK: usize = 128;
/// The most letters of a line: there it ends, whatever follows.
const LONGEST: usize = 255;
/// The most letters of a chunk: there its line ends, and those behind it have none. So few bytes
/// cannot ask for much.
const MAX: usize = 4096;
/// What stands behind the letters of a shorter line.
const END: u8 = b'\n';

/// How many inputs there are.
pub const INPUTS: usize = 13;
/// How many values each input can have.
const VALUES: [usize; INPUTS] = [72, 72, 72, 72, 40, 40, 40, 40, 16, 64, 64, 1296, 2048];
/// Where the values of each input begin among those of all.
const FIRST: [usize; INPUTS] = first_rows(VALUES);
/// The values of all inputs.
const ROWS: usize = FIRST[INPUTS - 1] + VALUES[INPUTS - 1];
/// Products of two units each.
const WIDTH: usize = 32;
const UNITS: usize = 2 * WIDTH;
/// How large the network is.
pub const SHAPE: Shape = Shape {
    rows: ROWS,
    width: WIDTH,
    decisions: 256,
};

static NETWORK: LazyLock<Network<'static, WIDTH, UNITS>> =
    LazyLock::new(|| Network::from_bytes(include_bytes!("name_model.bin"), SHAPE));

/// The class of a letter, capitals apart; 0 is none.
fn fine(letter: u8) -> usize {
    usize::from(match letter {
        0 => 0,
        b'a'..=b'z' => letter - b'a' + 1,
        b'A'..=b'Z' => letter - b'A' + 27,
        b'0'..=b'9' => letter - b'0' + 53,
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

/// The class of a letter, capitals and small ones alike, digits too; 0 is none.
fn coarse(letter: u8) -> usize {
    match fine(letter) {
        class @ 0..27 => class,
        class @ 27..53 => class - 26,
        53..63 => 27,
        class @ 63..68 => class - 35,
        68 | 69 => 33,
        class => class - 36,
    }
}

/// Small letters, capitals, digits, all else.
fn kind(letter: u8) -> usize {
    match letter {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    }
}

/// What kinds of letters a line has, so that the next may be predicted to have them too.
pub fn style(line: &[u8]) -> usize {
    line.iter().fold(0, |style, &letter| {
        style
            | match letter {
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

/// The inputs for the letter behind these of a line, the line before being of that style.
pub fn inputs(letters: &[u8], style: usize) -> [u16; INPUTS] {
    let back = |n: usize| letters.len().checked_sub(n).map_or(0, |i| letters[i]);
    let last = kind(back(1));
    let alike = letters.iter().rev().take_while(|&&c| kind(c) == last);
    let key = |letters| (1..=letters).fold(0, |key, n| key * 36 + coarse(back(n)));
    let values = [
        fine(back(1)),
        fine(back(2)),
        fine(back(3)),
        fine(back(4)),
        coarse(back(5)),
        coarse(back(6)),
        coarse(back(7)),
        coarse(back(8)),
        letters.len().min(15),
        alike.take(15).count() + 16 * last,
        style,
        key(2),
        key(3) * 40_503 % 65_536 / 32,
    ];
    rows(values, FIRST)
}

/// The decisions by which a letter is coded: the node of each in the tree of its bits, and the
/// answer.
pub fn decisions(letter: u8) -> impl Iterator<Item = (u8, bool)> {
    let path = 256 | u32::from(letter);
    (0..8)
        .rev()
        .map(move |bit| ((path >> (bit + 1)) as u8, path >> bit & 1 == 1))
}

/// Codes a line behind one of that style and adds it to `out`, the letters of the chunk, without its
/// end; when decoding, what is given does not matter.
fn code(coder: &mut impl Coder, style: usize, given: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    while out.len() - start < LONGEST && out.len() < MAX {
        let letters = &out[start..];
        let prediction = NETWORK.predict(&inputs(letters, style));
        let given = given.get(letters.len()).copied().unwrap_or(END);
        let mut node = 1usize;
        for bit in (0..8).rev() {
            let p0 = logistic::probability(prediction.logit(node));
            node = node << 1 | usize::from(coder.bit_with_probability(p0, given >> bit & 1 == 1));
        }
        match node as u8 {
            END => return,
            letter => out.push(letter),
        }
    }
}

/// The stream that spells these lines; none if one of them, or a chunk, is too long.
pub fn spell(text: &[u8]) -> Option<Vec<u8>> {
    let lines: Vec<&[u8]> = text.strip_suffix(&[END])?.split(|&c| c == END).collect();
    let spell_chunk = |chunk: &[&[u8]]| {
        let (mut coder, mut before, mut letters) = (Encoder::new(), 0, Vec::new());
        for line in chunk {
            let start = letters.len();
            code(&mut coder, before, line, &mut letters);
            if letters.len() - start < line.len() {
                return None;
            }
            before = style(line);
        }
        Some(coder.finish())
    };
    let chunks = lines.chunks(CHUNK).map(spell_chunk);
    let chunks = chunks.collect::<Option<Vec<_>>>()?;
    let mut out = Vec::new();
    varint::write(&mut out, lines.len() as u64);
    for chunk in &chunks[..chunks.len() - 1] {
        varint::write(&mut out, chunk.len() as u64);
    }
    out.extend(chunks.into_iter().flatten());
    Some(out)
}

/// Spelled lines, of which chunks are read when one of theirs is asked for.
#[derive(Debug, Clone)]
pub struct Spelled {
    count: usize,
    chunks: Vec<Chunk>,
}

/// A chunk of lines.
#[derive(Debug, Clone)]
struct Chunk {
    codes: Vec<u8>,
    /// How many of its lines, from the first on, it was announced would be asked for.
    announced: usize,
    /// Its lines, once they have been read: those announced, and all.
    read: [OnceLock<Told>; 2],
}

/// The first lines of a chunk.
#[derive(Debug, Clone)]
struct Told {
    letters: Vec<u8>,
    /// Where each line ends among the letters.
    ends: Vec<usize>,
}

impl Spelled {
    /// The lines of a stream, of so many at most.
    ///
    /// # Errors
    /// Corrupt when the chunks are not those of the stream.
    pub fn open(mut stream: &[u8], most: usize) -> Result<Self> {
        let count = varint::read_limited(&mut stream, most as u64, "a column's number of words")?;
        let mut lens = Vec::new();
        for _ in 1..count.div_ceil(CHUNK) {
            let most = stream.len() as u64;
            lens.push(varint::read_limited(&mut stream, most, "a chunk of words")?);
        }
        let chunk = |codes: &[u8]| Chunk {
            codes: codes.to_vec(),
            announced: 0,
            read: Default::default(),
        };
        let mut chunks = Vec::with_capacity(lens.len() + 1);
        for len in lens {
            let cut_off = || Error::corrupt("the words of a column are cut off");
            chunks.push(chunk(stream.split_off(..len).ok_or_else(cut_off)?));
        }
        chunks.push(chunk(stream));
        Ok(Self { count, chunks })
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Announces that a line will be asked for, before any is.
    pub fn announce(&mut self, number: usize) {
        let announced = &mut self.chunks[number / CHUNK].announced;
        *announced = (number % CHUNK + 1).max(*announced);
    }

    /// A line by its number, below that of all. Whatever the codes are, they spell something.
    pub fn line(&self, number: usize) -> &[u8] {
        let chunk = number / CHUNK;
        let place = number % CHUNK;
        let lines = self.chunks[chunk].lines(place, CHUNK.min(self.count - chunk * CHUNK));
        let start = place.checked_sub(1).map_or(0, |before| lines.ends[before]);
        &lines.letters[start..lines.ends[place]]
    }
}

impl Chunk {
    /// Its lines, so many, as far as announced if the one at this place is among them.
    fn lines(&self, place: usize, count: usize) -> &Told {
        let [announced, all] = &self.read;
        let lines = announced.get_or_init(|| self.read(self.announced));
        if place < lines.ends.len() {
            return lines;
        }
        all.get_or_init(|| self.read(count))
    }

    /// Reads so many lines.
    fn read(&self, count: usize) -> Told {
        let (mut coder, mut before) = (Decoder::new(&self.codes), 0);
        let (mut letters, mut ends) = (Vec::new(), Vec::with_capacity(count));
        for _ in 0..count {
            let start = letters.len();
            code(&mut coder, before, &[], &mut letters);
            before = style(&letters[start..]);
            ends.push(letters.len());
        }
        Told { letters, ends }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::checksum;

    fn lines_of(stream: &[u8], most: usize) -> Result<Vec<Vec<u8>>> {
        let spelled = Spelled::open(stream, most)?;
        let line = |number| spelled.line(number).to_vec();
        Ok((0..spelled.count()).map(line).collect())
    }

    fn joined(lines: &[Vec<u8>]) -> Vec<u8> {
        let ended = lines.iter().map(|line| [line, &b"\n"[..]].concat());
        ended.collect::<Vec<_>>().concat()
    }

    #[test]
    fn the_network_is_that_of_the_format() {
        assert_eq!(
            checksum(include_bytes!("name_model.bin")),
            0x03fe_56f7_84a9_17a3
        );
    }

    #[test]
    fn inputs_are_the_rows_of_what_is_known() {
        let values = |letters: &[u8], style| {
            let rows = inputs(letters, style);
            let values = rows.iter().zip(FIRST);
            values
                .map(|(&row, first)| usize::from(row) - first)
                .collect::<Vec<_>>()
        };
        let key = (36 * 36 * 27 + 36 * 27 + 2) * 40_503 % 65_536 / 32;
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
                key
            ]
        );
        let none = [0, 0, 0, 0, 0, 0, 0, 0, 0, 16 * 3, 63, 0, 0];
        assert_eq!(values(b"", 63), none);
        assert_eq!(style("Ann, (É)".as_bytes()), 1 + 2 + 8 + 16);
        assert_eq!(style(b"x_1"), 4 + 16 + 32);
        let coarse_of = |letters: &[u8]| letters.iter().map(|&c| coarse(c)).collect::<Vec<_>>();
        assert_eq!(
            coarse_of(b"zZ0_-., ()\xc3?"),
            [26, 26, 27, 28, 29, 30, 31, 32, 33, 33, 34, 35]
        );
    }

    #[test]
    fn lines_come_back_whichever_is_asked_for_first() {
        let mut lines: Vec<Vec<u8>> = (0..3 * CHUNK + 7)
            .map(|i| format!("Player_{}", i * i % 1000).into_bytes())
            .collect();
        lines[5] = vec![];
        lines[6] = (0..=255).filter(|&c| c != b'\n').collect();
        let stream = spell(&joined(&lines)).unwrap();
        assert_eq!(lines_of(&stream, lines.len()).unwrap(), lines);
        let spelled = Spelled::open(&stream, lines.len()).unwrap();
        for number in [3 * CHUNK + 6, CHUNK, 6, CHUNK - 1, 5] {
            assert_eq!(spelled.line(number), lines[number], "{number}");
        }
    }

    #[test]
    fn names_take_little_more_than_half_of_their_letters() {
        let names = b"Alexander_1990\nchess_master\nMagnus Carlsen\nknightrider77\n";
        let len = spell(names).unwrap().len();
        assert!(len * 9 < names.len() * 5, "{len} of {}", names.len());
    }

    #[test]
    fn what_cannot_be_spelled_is_left_to_zstd() {
        assert!(spell(b"").is_none());
        assert!(spell(&joined(&[vec![b'x'; LONGEST]])).is_some());
        assert!(spell(&joined(&[vec![b'x'; LONGEST + 1]])).is_none());
        let mut full = vec![vec![b'x'; MAX / 32]; 32];
        full.push(vec![]);
        let stream = spell(&joined(&full)).unwrap();
        assert_eq!(lines_of(&stream, 33).unwrap(), full);
        full.push(vec![b'x']);
        assert!(spell(&joined(&full)).is_none());
    }

    #[test]
    fn streams_that_are_cut_or_foreign_are_refused_or_spell_something() {
        let lines: Vec<Vec<u8>> = (0..200).map(|i| format!("n{i}").into_bytes()).collect();
        let stream = spell(&joined(&lines)).unwrap();
        assert!(Spelled::open(&stream, 199).is_err());
        assert!(Spelled::open(&[], 10).is_err());
        for len in 0..stream.len() {
            let _ = lines_of(&stream[..len], 200);
        }
        for byte in 0..=255 {
            let lines = lines_of(&[&[100][..], &[byte; 40]].concat(), 200).unwrap();
            assert!(lines.concat().len() <= MAX);
        }
        // A chunk longer than the stream.
        assert!(Spelled::open(&[0x81, 0x01, 0x05, 1], 200).is_err());
    }
}
