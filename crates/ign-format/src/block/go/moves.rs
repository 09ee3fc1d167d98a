//! The moves column of a block of Go (spec §14.3).
//!
//! **Integers.** A record with a start has the integer of its main line, as a game of chess has;
//! then its variations have one for every [`CHUNK`] moves that they say, in the order of the text,
//! without end moves.
//!
//! **Weighted.** Records stand in groups of [`GROUP`]. A group is one stream of the coder by frequencies
//! (spec §9.3): the choices of its records, one record after the other, variations in the order of
//! the text, each by the frequencies that the model gives the position. How many they are the layout
//! tells, so there is no choice for the end.

use crate::{
    block::Coding,
    container::MAX_INTEGER_BITS,
    error::{Error, Kind, Result},
    go_model as model,
    go_model::Scorer,
    sgf::{parse::Played, render::Moves},
};
use ign_entropy::{BitReader, BitWriter, frequencies, prefixed, varint};
use ign_notation::{
    Game,
    go::{Move, Position},
    radix,
};

/// Records of a group; the last of a block may have fewer (spec §14.3).
pub const GROUP: usize = 8;
/// Moves of variations, as the record says them, that frequency an integer (spec §14.3).
pub const CHUNK: usize = 256;

/// A choice of weighted moves: the move, its frequency of the total, and those before it.
#[derive(Debug, Clone, Copy)]
pub struct Interval {
    played: Move,
    before: u32,
    frequency: u32,
    total: u32,
}

/// Groups that are weighed again when a block is checked: one in so many. Of the others it is
/// enough to find that their streams hold the choices with the frequencies that they were written with.
const WEIGHED: usize = 8;

/// Writes the column, record by record.
pub struct Writer {
    coding: Coding,
    /// Digits of the record: of its main line, and of each chunk of its variations.
    main: Vec<(u32, u32)>,
    chunks: Vec<Vec<(u32, u32)>>,
    /// Moves that the last chunk says.
    said: usize,
    /// Number of choices behind the main line.
    choices: u32,
    /// Choices of the group.
    portions: Vec<Interval>,
    /// Those of all groups, kept for checking.
    known: Option<Vec<Interval>>,
    /// How many of them there were before this record.
    before_record: usize,
    scorer: Scorer,
    records: usize,
    bits: Vec<u8>,
    /// Bits of the integers that do not fill a byte yet.
    integers: Vec<Vec<u64>>,
    streams: Vec<u8>,
    lens: Vec<u64>,
}

impl Writer {
    /// One for moves in this coding; `keep` says whether what is known of them is asked for.
    pub fn new(coding: Coding, keep: bool) -> Self {
        Self {
            coding,
            main: Vec::new(),
            chunks: Vec::new(),
            said: 0,
            choices: 0,
            portions: Vec::new(),
            known: (keep && coding == Coding::Weighted).then(Vec::new),
            before_record: 0,
            scorer: Scorer::default(),
            records: 0,
            bits: Vec::new(),
            integers: Vec::new(),
            streams: Vec::new(),
            lens: Vec::new(),
        }
    }

    /// Takes the next move of the record.
    pub fn push(&mut self, played: Played) {
        let Played {
            position,
            played,
            main,
            said,
        } = played;
        let (ordinal, count) = position.ordinal(played).expect("moves taken are legal");
        if self.coding == Coding::Weighted {
            self.scorer.score(position);
            let (before, frequency) = self.scorer.interval(ordinal as usize);
            self.portions.push(Interval {
                played,
                before,
                frequency,
                total: self.scorer.total(),
            });
            return;
        }
        if main {
            self.main.push((ordinal, count));
            if self.coding == Coding::IgnEnd {
                let mut after = position.clone();
                after.play(played);
                self.choices = after.count();
            }
            return;
        }
        if self.chunks.is_empty() || self.said == CHUNK {
            self.chunks.push(Vec::new());
            self.said = 0;
        }
        let chunk = self.chunks.last_mut().expect("one was just made");
        chunk.push((ordinal, count));
        self.said += usize::from(said);
    }

    /// Forgets the moves of the record.
    pub fn forget_record(&mut self) {
        self.main.clear();
        self.chunks.clear();
        self.portions.truncate(self.before_record);
    }

    /// Ends the record, which starts there.
    pub fn end_record(&mut self, start: Option<&Position>) {
        self.records += 1;
        self.before_record = self.portions.len();
        if self.coding == Coding::Weighted {
            if self.records.is_multiple_of(GROUP) {
                self.end_group();
            }
            return;
        }
        let Some(start) = start else {
            return;
        };
        let mut encoder = radix::Encoder::new();
        if self.coding == Coding::IgnEnd {
            let choices = match self.main[..] {
                [] => start.count(),
                _ => self.choices,
            };
            for &(ordinal, count) in &self.main {
                encoder.push(ordinal, count + 1);
            }
            encoder.push(choices, choices + 1);
        } else {
            push_plain(&mut encoder, &self.main);
        }
        self.integers.push(encoder.finish().to_vec());
        for chunk in self.chunks.drain(..) {
            encoder.clear();
            push_plain(&mut encoder, &chunk);
            self.integers.push(encoder.finish().to_vec());
        }
        self.main.clear();
    }

    fn end_group(&mut self) {
        let start = self.streams.len();
        let mut encoder = frequencies::Encoder::new(&mut self.streams);
        for portion in &self.portions {
            encoder.encode(portion.before, portion.frequency, portion.total);
        }
        encoder.finish();
        if let Some(known) = &mut self.known {
            known.extend_from_slice(&self.portions);
        }
        self.portions.clear();
        self.before_record = 0;
        self.lens.push((self.streams.len() - start) as u64);
    }

    /// The column, and the choices of all groups if they were to be kept.
    pub fn finish(mut self) -> (Vec<u8>, Option<Vec<Interval>>) {
        if self.coding != Coding::Weighted {
            let mut writer = BitWriter::new(&mut self.bits);
            for integer in &self.integers {
                prefixed::write_integer(&mut writer, integer);
            }
            writer.finish();
            return (self.bits, None);
        }
        if !self.records.is_multiple_of(GROUP) {
            self.end_group();
        }
        let mut out = vec![model::VERSION];
        out.extend_from_slice(&model::parameters_checksum().to_le_bytes());
        for len in self.lens {
            varint::write(&mut out, len);
        }
        out.extend_from_slice(&self.streams);
        (out, self.known)
    }
}

/// Digits as plain IGN has them, from 1.
fn push_plain(encoder: &mut radix::Encoder, digits: &[(u32, u32)]) {
    for &(ordinal, count) in digits {
        encoder.push(ordinal + 1, count);
    }
}

/// Reads the column, record by record.
pub struct Reader<'a> {
    coding: Coding,
    integers: BitReader<'a>,
    limbs: Vec<u64>,
    decoder: radix::Decoder,
    /// Of the record: moves of variations that its chunk still says, and whether its main line is
    /// being read.
    said_left: usize,
    in_main: bool,
    /// Choices behind the main line so far, where end moves are to be checked.
    choices: u32,
    streams: &'a [u8],
    /// Where each group's stream ends.
    ends: Vec<usize>,
    group: frequencies::Decoder<'a>,
    scorer: Scorer,
    /// Choices that are left of those known, and the number of the group.
    known: Option<std::slice::Iter<'a, Interval>>,
    group_number: usize,
}

impl<'a> Reader<'a> {
    /// Of a block with so many records.
    ///
    /// # Errors
    /// Corrupt; unsupported when another model made the column.
    pub fn new(column: &'a [u8], coding: Coding, records: usize) -> Result<Self> {
        let mut reader = Self {
            coding,
            integers: BitReader::new(column),
            limbs: Vec::new(),
            decoder: radix::Decoder::default(),
            said_left: 0,
            in_main: true,
            choices: 0,
            streams: &[],
            ends: Vec::new(),
            group: frequencies::Decoder::new(&[]),
            scorer: Scorer::default(),
            known: None,
            group_number: 0,
        };
        if coding == Coding::Weighted {
            reader.read_lens(column, records)?;
        }
        Ok(reader)
    }

    fn read_lens(&mut self, column: &'a [u8], records: usize) -> Result<()> {
        let (version, rest) = column.split_first().ok_or_else(malformed)?;
        let (sum, mut rest) = rest.split_first_chunk().ok_or_else(malformed)?;
        if *version != model::VERSION || u64::from_le_bytes(*sum) != model::parameters_checksum() {
            let what = "moves were coded by another model of Go";
            return Err(Error::new(Kind::Unsupported, what)
                .with_remedy("use the version of ign that packed the archive"));
        }
        let most = column.len() as u64;
        let mut end = 0usize;
        for _ in 0..records.div_ceil(GROUP) {
            end += varint::read_limited(&mut rest, most, "the length of a group")?;
            self.ends.push(end);
        }
        if rest.len() != end {
            return Err(malformed());
        }
        self.streams = rest;
        Ok(())
    }

    /// Says what is known of the choices of all groups, for checking them.
    pub fn know(&mut self, known: Option<&'a [Interval]>) {
        self.known = known.map(<[Interval]>::iter);
    }

    /// Whether a record stands in a group, so that its moves are told only behind those of the
    /// records before it there.
    pub fn has_groups(&self) -> bool {
        self.coding == Coding::Weighted
    }

    /// Begins the record of this number, which starts there.
    ///
    /// # Errors
    /// Corrupt.
    pub fn begin(&mut self, record: usize, start: Option<&Position>) -> Result<()> {
        self.in_main = start.is_some();
        self.said_left = 0;
        if self.has_groups() {
            if record.is_multiple_of(GROUP) {
                let group = record / GROUP;
                self.group_number = group;
                let start = group.checked_sub(1).map_or(0, |before| self.ends[before]);
                self.group = frequencies::Decoder::new(&self.streams[start..self.ends[group]]);
            }
            return Ok(());
        }
        let Some(start) = start else {
            self.decoder.load(&[]);
            return Ok(());
        };
        if self.coding == Coding::IgnEnd {
            self.choices = start.count();
        }
        self.take()
    }

    /// Takes the next integer.
    fn take(&mut self) -> Result<()> {
        prefixed::read_integer(&mut self.integers, &mut self.limbs, MAX_INTEGER_BITS)
            .map_err(|_| malformed())?;
        self.decoder.load(&self.limbs);
        Ok(())
    }

    /// The integer of the main line, in limbs, the lowest first; it is the one taken last until a
    /// move of a variation is asked for.
    pub fn integer(&self) -> Option<&[u64]> {
        (!self.has_groups()).then_some(&self.limbs)
    }

    /// Passes over the rest of the record: its variations say so many moves.
    ///
    /// # Errors
    /// Corrupt.
    pub fn skip(&mut self, said: usize) -> Result<()> {
        if !self.has_groups() {
            for _ in 0..said.div_ceil(CHUNK) {
                self.take()?;
            }
        }
        Ok(())
    }

    /// Ends a record all of whose moves have been taken.
    ///
    /// # Errors
    /// Corrupt when its integers hold more.
    pub fn end(&mut self) -> Result<()> {
        if self.in_main {
            self.end_main()?;
        }
        if self.has_groups() || self.decoder.is_zero() {
            return Ok(());
        }
        Err(malformed())
    }

    /// Fails unless the integer of the main line has no more to say than its end.
    fn end_main(&mut self) -> Result<()> {
        self.in_main = false;
        let ended = match self.coding {
            Coding::Weighted => return Ok(()),
            Coding::Ign => true,
            Coding::IgnEnd => self.decoder.take(self.choices + 1) == self.choices,
        };
        if ended && self.decoder.is_zero() {
            return Ok(());
        }
        Err(malformed())
    }

    /// Fails unless all integers have been taken.
    ///
    /// # Errors
    /// Corrupt.
    pub fn finish(self) -> Result<()> {
        if self.has_groups() {
            return Ok(());
        }
        self.integers.finish().map_err(|_| malformed())
    }
}

impl Moves for Reader<'_> {
    fn next_move(&mut self, position: &Position, main: bool, said: bool) -> Result<Move> {
        let ordinal = if self.has_groups() {
            let known = self.known.as_mut();
            let known = known
                .map(|known| known.next().ok_or_else(malformed))
                .transpose()?;
            if let Some(known) = known.filter(|_| !self.group_number.is_multiple_of(WEIGHED)) {
                let value = self.group.target(known.total);
                if value < known.before || value - known.before >= known.frequency {
                    return Err(malformed());
                }
                self.group.take(known.before, known.frequency);
                return Ok(known.played);
            }
            self.scorer.score(position);
            let value = self.group.target(self.scorer.total());
            let (choice, before, frequency) = self.scorer.find(value);
            self.group.take(before, frequency);
            choice as u32
        } else {
            if !main && self.said_left == 0 {
                if self.in_main {
                    self.end_main()?;
                } else if !self.decoder.is_zero() {
                    return Err(malformed());
                }
                self.take()?;
                self.said_left = CHUNK;
            }
            if !main {
                self.said_left -= usize::from(said);
            }
            let count = position.count();
            if main && self.coding == Coding::IgnEnd {
                self.decoder.take(count + 1)
            } else if self.decoder.is_zero() {
                return Err(malformed());
            } else {
                self.decoder.take_one_based(count) - 1
            }
        };
        let played = position.nth(ordinal).ok_or_else(malformed)?;
        if main && self.coding == Coding::IgnEnd {
            let mut after = position.clone();
            after.play(played);
            self.choices = after.count();
        }
        Ok(played)
    }
}

fn malformed() -> Error {
    Error::corrupt("the moves column is malformed")
}
