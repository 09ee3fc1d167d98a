//! The moves column of a block of Go (spec §14.3).
//!
//! **Integers.** A record with a start has the integer of its main line, like a game of chess. One
//! integer for every [`CHUNK`] explicit moves of its variations follows, in the order of the text,
//! without end moves.
//!
//! **Weighted.** Records are divided into groups of [`GROUP`]. A group is one stream of the
//! frequency coder (spec §9.3): the moves of its records, one record after the other, with
//! variations in the order of the text. The model gives the frequencies of the legal moves of each
//! position. The layout has the number of moves, so the end of a game is not encoded.

use crate::{
    block::{Coding, Options},
    container::MAX_INTEGER_BITS,
    error::{Error, Result},
    go_model::{MoveModel, Scorer},
    sgf::{parse::Played, render::Moves},
};
use ign_entropy::{BitReader, BitWriter, frequencies, prefixed, varint};
use ign_notation::{
    Game,
    go::{Move, Position},
    radix,
};

/// Number of records in a group; the last group of a block may have fewer (spec §14.3).
pub const GROUP: usize = 8;
/// Number of explicit moves of variations that share an integer (spec §14.3).
pub const CHUNK: usize = 256;

/// An encoded move: the move, its frequency, the cumulative frequency before it, and the total.
#[derive(Debug, Clone, Copy)]
pub struct Interval {
    played: Move,
    before: u32,
    frequency: u32,
    total: u32,
}

/// When a block is checked, the model is evaluated again for one in this many groups. The streams
/// of the others are only compared with the intervals they were written with.
const WEIGHED: usize = 8;

/// Encodes the column, record by record.
pub struct Writer {
    coding: Coding,
    /// Digits of the record's main line, as ordinals and counts of legal moves.
    main: Vec<(u32, u32)>,
    /// Digits of each chunk of its variations.
    chunks: Vec<Vec<(u32, u32)>>,
    /// Number of explicit moves in the last chunk.
    said: usize,
    /// Number of legal moves after the main line, if end moves are encoded.
    choices: u32,
    /// Intervals of the current group.
    intervals: Vec<Interval>,
    /// Intervals of all finished groups, if kept for checking.
    known: Option<Vec<Interval>>,
    /// Length of `intervals` before the current record.
    before_record: usize,
    scorer: Scorer,
    records: usize,
    bits: Vec<u8>,
    /// Integers in limbs, in the order of the column.
    integers: Vec<Vec<u64>>,
    streams: Vec<u8>,
    lens: Vec<u64>,
}

impl Writer {
    /// Creates a writer. If the block is verified, weighted intervals are kept for that and
    /// returned by [`Self::finish`].
    pub fn new(options: &Options) -> Self {
        let (coding, keep) = (options.coding, options.verify);
        Self {
            coding,
            main: Vec::new(),
            chunks: Vec::new(),
            said: 0,
            choices: 0,
            intervals: Vec::new(),
            known: (keep && coding == Coding::Weighted).then(Vec::new),
            before_record: 0,
            scorer: Scorer::new(options.models.preferred()),
            records: 0,
            bits: Vec::new(),
            integers: Vec::new(),
            streams: Vec::new(),
            lens: Vec::new(),
        }
    }

    /// Adds the next move of the record.
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
            self.intervals.push(Interval {
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

    /// Drops the moves of the current record.
    pub fn forget_record(&mut self) {
        self.main.clear();
        self.chunks.clear();
        self.intervals.truncate(self.before_record);
    }

    /// Ends the current record, whose game begins at `start`.
    pub fn end_record(&mut self, start: Option<&Position>) {
        self.records += 1;
        self.before_record = self.intervals.len();
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
        for interval in &self.intervals {
            encoder.encode(interval.before, interval.frequency, interval.total);
        }
        encoder.finish();
        if let Some(known) = &mut self.known {
            known.extend_from_slice(&self.intervals);
        }
        self.intervals.clear();
        self.before_record = 0;
        self.lens.push((self.streams.len() - start) as u64);
    }

    /// Returns the column, and the intervals of all groups if they were kept.
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
        let mut out = Vec::new();
        for len in self.lens {
            varint::write(&mut out, len);
        }
        out.extend_from_slice(&self.streams);
        (out, self.known)
    }
}

/// Pushes digits of plain IGN, which count from 1.
fn push_plain(encoder: &mut radix::Encoder, digits: &[(u32, u32)]) {
    for &(ordinal, count) in digits {
        encoder.push(ordinal + 1, count);
    }
}

/// Decodes the column, record by record.
pub struct Reader<'a> {
    coding: Coding,
    integers: BitReader<'a>,
    limbs: Vec<u64>,
    decoder: radix::Decoder,
    /// Number of explicit moves left in the current chunk of variations.
    said_left: usize,
    /// Whether the main line is being read.
    in_main: bool,
    /// Number of legal moves after the main line so far, if end moves are encoded.
    choices: u32,
    streams: &'a [u8],
    /// End of each group in `streams`.
    ends: Vec<usize>,
    group: frequencies::Decoder<'a>,
    /// `None` if the moves are not weighted.
    scorer: Option<Scorer>,
    /// Intervals not yet compared, if known.
    known: Option<std::slice::Iter<'a, Interval>>,
    /// Number of the current group.
    group_number: usize,
}

impl<'a> Reader<'a> {
    /// Opens the column of a block with `records` records, with its model if the moves are
    /// weighted.
    ///
    /// # Errors
    /// Corrupt if the group lengths are invalid.
    pub fn new(
        column: &'a [u8],
        model: Option<MoveModel>,
        coding: Coding,
        records: usize,
    ) -> Result<Self> {
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
            scorer: model.map(Scorer::new),
            known: None,
            group_number: 0,
        };
        if coding == Coding::Weighted {
            reader.read_lens(column, records)?;
        }
        Ok(reader)
    }

    fn read_lens(&mut self, column: &'a [u8], records: usize) -> Result<()> {
        let mut rest = column;
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

    /// Sets the known intervals of all groups, for checking.
    pub fn know(&mut self, known: Option<&'a [Interval]>) {
        self.known = known.map(<[Interval]>::iter);
    }

    /// Whether records are in groups. If so, a record's moves can only be decoded after those of
    /// the earlier records of its group.
    pub fn has_groups(&self) -> bool {
        self.coding == Coding::Weighted
    }

    /// Begins record number `record`, whose game begins at `start`.
    ///
    /// # Errors
    /// Corrupt if its integer is invalid.
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

    /// Reads the next integer.
    fn take(&mut self) -> Result<()> {
        prefixed::read_integer(&mut self.integers, &mut self.limbs, MAX_INTEGER_BITS)
            .map_err(|_| malformed())?;
        self.decoder.load(&self.limbs);
        Ok(())
    }

    /// The last integer read, in limbs, lowest first; `None` if weighted. It is the integer of the
    /// main line until a move of a variation is read.
    pub fn integer(&self) -> Option<&[u64]> {
        (!self.has_groups()).then_some(&self.limbs)
    }

    /// Skips the record, whose variations have `said` explicit moves.
    ///
    /// # Errors
    /// Corrupt if an integer is invalid.
    pub fn skip(&mut self, said: usize) -> Result<()> {
        if !self.has_groups() {
            for _ in 0..said.div_ceil(CHUNK) {
                self.take()?;
            }
        }
        Ok(())
    }

    /// Ends the record after all of its moves have been read.
    ///
    /// # Errors
    /// Corrupt if its integers encode more moves.
    pub fn end(&mut self) -> Result<()> {
        if self.in_main {
            self.end_main()?;
        }
        if self.has_groups() || self.decoder.is_zero() {
            return Ok(());
        }
        Err(malformed())
    }

    /// Checks that the integer of the main line encodes nothing further but the end move, if any.
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

    /// Ends the column.
    ///
    /// # Errors
    /// Corrupt if integers are left.
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
            let known = self
                .known
                .as_mut()
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
            let scorer = self.scorer.as_mut().ok_or_else(malformed)?;
            scorer.score(position);
            let value = self.group.target(scorer.total());
            let (choice, before, frequency) = scorer.find(value);
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
