//! Text streams encoded by the [name model](super::name_model) (spec §4.3.1).
//!
//! The stream begins with the number of lines. The lines are coded in *chunks* of 128, each with a
//! range coder of its own, so that a reader that needs few names decodes few chunks.
//! [`LazyNames`] decodes a chunk when one of its lines is first accessed, and only up to the last
//! line that was registered before.

use std::sync::OnceLock;

use ign_entropy::{
    adaptive::{Decoder, Encoder},
    varint,
};

use super::name_model::{END, NameNetwork, code_line, style};
use crate::{
    error::{Error, Result},
    models::Model,
};

/// Number of lines of a chunk; the last may have fewer (spec §4.3.1).
const CHUNK: usize = 128;

/// Encodes lines, each ended by a line feed, with a model. Returns `None` if there are none, or if
/// a line or a chunk exceeds its limit.
pub fn encode(model: &NameNetwork, text: &[u8]) -> Option<Vec<u8>> {
    let lines: Vec<&[u8]> = text.strip_suffix(&[END])?.split(|&c| c == END).collect();
    let encode_chunk = |lines: &[&[u8]]| {
        let (mut coder, mut style_before, mut chunk) = (Encoder::new(), 0, Vec::new());
        for line in lines {
            let start = chunk.len();
            code_line(model, &mut coder, style_before, line, &mut chunk);
            if chunk.len() - start < line.len() {
                return None;
            }
            style_before = style(line);
        }
        Some(coder.finish())
    };
    let chunks = lines
        .chunks(CHUNK)
        .map(encode_chunk)
        .collect::<Option<Vec<_>>>()?;
    let mut out = Vec::new();
    varint::write(&mut out, lines.len() as u64);
    for chunk in &chunks[..chunks.len() - 1] {
        varint::write(&mut out, chunk.len() as u64);
    }
    out.extend(chunks.into_iter().flatten());
    Some(out)
}

/// The lines of a stream, decoded on first access.
#[derive(Debug, Clone)]
pub struct LazyNames {
    model: Model<NameNetwork>,
    count: usize,
    chunks: Vec<Chunk>,
}

/// A chunk of lines.
#[derive(Debug, Clone)]
struct Chunk {
    codes: Vec<u8>,
    /// Number of lines up to the last registered one.
    registered: usize,
    /// The registered lines, once decoded.
    prefix: OnceLock<DecodedLines>,
    /// All lines, once decoded: only if one is accessed that was not registered.
    all: OnceLock<DecodedLines>,
}

/// The first lines of a chunk.
#[derive(Debug, Clone)]
struct DecodedLines {
    text: Vec<u8>,
    /// The end of each line in `text`.
    ends: Vec<usize>,
}

impl LazyNames {
    /// Opens a stream of at most `max` lines, which this model encoded.
    ///
    /// # Errors
    /// Corrupt, if there are more lines, or the stream is shorter than its chunks.
    pub fn open(model: Model<NameNetwork>, mut stream: &[u8], max: usize) -> Result<Self> {
        let count = varint::read_limited(&mut stream, max as u64, "a column's number of strings")?;
        let mut lens = Vec::new();
        for _ in 1..count.div_ceil(CHUNK) {
            let max = stream.len() as u64;
            lens.push(varint::read_limited(&mut stream, max, "a chunk of names")?);
        }
        let chunk = |codes: &[u8]| Chunk {
            codes: codes.to_vec(),
            registered: 0,
            prefix: OnceLock::new(),
            all: OnceLock::new(),
        };
        let mut chunks = Vec::with_capacity(lens.len() + 1);
        for len in lens {
            let cut_off = || Error::corrupt("the names of a column are cut off");
            chunks.push(chunk(stream.split_off(..len).ok_or_else(cut_off)?));
        }
        chunks.push(chunk(stream));
        Ok(Self {
            model,
            count,
            chunks,
        })
    }

    /// Number of lines.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Registers that a line will be read. Call it for all such lines before the first
    /// [`line`](Self::line): a chunk is decoded once, up to its last registered line.
    pub fn register_read(&mut self, number: usize) {
        let registered = &mut self.chunks[number / CHUNK].registered;
        *registered = (number % CHUNK + 1).max(*registered);
    }

    /// The line with this number, which must be less than [`count`](Self::count). Any codes
    /// decode to some line.
    pub fn line(&self, number: usize) -> &[u8] {
        let chunk = number / CHUNK;
        let place = number % CHUNK;
        let count = CHUNK.min(self.count - chunk * CHUNK);
        let lines = self.chunks[chunk].lines(&self.model, place, count);
        let start = place.checked_sub(1).map_or(0, |before| lines.ends[before]);
        &lines.text[start..lines.ends[place]]
    }
}

impl Chunk {
    /// Lines of the chunk, which has `count`, that include the one at `place`.
    fn lines(&self, model: &NameNetwork, place: usize, count: usize) -> &DecodedLines {
        let decode = |count| self.decode(model, count);
        let prefix = self.prefix.get_or_init(|| decode(self.registered));
        if place < prefix.ends.len() {
            return prefix;
        }
        self.all.get_or_init(|| decode(count))
    }

    /// Decodes the first `count` lines.
    fn decode(&self, model: &NameNetwork, count: usize) -> DecodedLines {
        let (mut coder, mut style_before) = (Decoder::new(&self.codes), 0);
        let (mut text, mut ends) = (Vec::new(), Vec::with_capacity(count));
        for _ in 0..count {
            let start = text.len();
            code_line(model, &mut coder, style_before, &[], &mut text);
            style_before = style(&text[start..]);
            ends.push(text.len());
        }
        DecodedLines { text, ends }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::name_model::{MAX_CHUNK, MAX_LINE},
        *,
    };
    use crate::models::Architecture as _;

    fn encoded(text: &[u8]) -> Option<Vec<u8>> {
        encode(&NameNetwork::builtin(), text)
    }

    fn open(stream: &[u8], max: usize) -> Result<LazyNames> {
        LazyNames::open(NameNetwork::builtin(), stream, max)
    }

    fn lines_of(stream: &[u8], max: usize) -> Result<Vec<Vec<u8>>> {
        let names = open(stream, max)?;
        let line = |number| names.line(number).to_vec();
        Ok((0..names.count()).map(line).collect())
    }

    fn joined(lines: &[Vec<u8>]) -> Vec<u8> {
        let ended = lines.iter().map(|line| [line, &b"\n"[..]].concat());
        ended.collect::<Vec<_>>().concat()
    }

    #[test]
    fn lines_round_trip_in_any_order_of_access() {
        let mut lines: Vec<Vec<u8>> = (0..3 * CHUNK + 7)
            .map(|i| format!("Player_{}", i * i % 1000).into_bytes())
            .collect();
        lines[5] = vec![];
        lines[6] = (0..=255).filter(|&c| c != b'\n').collect();
        let stream = encoded(&joined(&lines)).unwrap();
        assert_eq!(lines_of(&stream, lines.len()).unwrap(), lines);
        let names = open(&stream, lines.len()).unwrap();
        for number in [3 * CHUNK + 6, CHUNK, 6, CHUNK - 1, 5] {
            assert_eq!(names.line(number), lines[number], "{number}");
        }
    }

    #[test]
    fn names_take_little_more_than_half_of_their_bytes() {
        let names = b"Alexander_1990\nchess_master\nMagnus Carlsen\nknightrider77\n";
        let len = encoded(names).unwrap().len();
        assert!(len * 9 < names.len() * 5, "{len} of {}", names.len());
    }

    #[test]
    fn rejects_empty_text_and_long_lines_and_chunks() {
        assert!(encoded(b"").is_none());
        assert!(encoded(&joined(&[vec![b'x'; MAX_LINE]])).is_some());
        assert!(encoded(&joined(&[vec![b'x'; MAX_LINE + 1]])).is_none());
        let mut full = vec![vec![b'x'; MAX_CHUNK / 32]; 32];
        full.push(vec![]);
        let stream = encoded(&joined(&full)).unwrap();
        assert_eq!(lines_of(&stream, 33).unwrap(), full);
        full.push(vec![b'x']);
        assert!(encoded(&joined(&full)).is_none());
    }

    #[test]
    fn truncated_and_random_streams_are_errors_or_decode_to_some_lines() {
        let lines: Vec<Vec<u8>> = (0..200).map(|i| format!("n{i}").into_bytes()).collect();
        let stream = encoded(&joined(&lines)).unwrap();
        assert!(open(&stream, 199).is_err());
        assert!(open(&[], 10).is_err());
        for len in 0..stream.len() {
            let _ = lines_of(&stream[..len], 200);
        }
        for byte in 0..=255 {
            let lines = lines_of(&[&[100][..], &[byte; 40]].concat(), 200).unwrap();
            assert!(lines.concat().len() <= MAX_CHUNK);
        }
        // A chunk longer than the stream.
        assert!(open(&[0x81, 0x01, 0x05, 1], 200).is_err());
    }
}
