//! A table of intervals as a file, and lookup of positions in it.
//!
//! The file is a sealed frame of kind `ignE` (format-spec.md §1.1). docs/endgames.md describes its
//! payload: the pieces, the side to move, the indexing function, and then, coded by the adaptive
//! range coder (format-spec.md §9), the change of value and the length of each interval.

use shakmaty::{Color, Role};

use super::{
    error::{Error, ErrorKind, Result},
    fold::Squares,
    intervals::{Interval, View},
    material::{MAX_PIECES, Material},
    numbering::{Canonical, Numbering},
    placement::{placed, swapped},
    seal,
    table::Table,
    value::{MAX_PLIES, Value},
};
use ign_entropy::adaptive::{Coder, Decoder, Encoder, Number};
use ign_notation::chess::Position;

/// The first byte of the payload.
const VERSION: u8 = 1;
/// Stored in place of a piece index where there is none.
const NO_PIECE: u8 = 255;
/// Bytes of the payload before the pieces.
const HEAD_LEN: usize = 6;

/// The values of an endgame with one side to move, as intervals.
#[derive(Debug)]
pub struct IntervalTable {
    material: Material,
    turn: Color,
    numbering: Numbering,
    canonical: Canonical,
    intervals: Vec<Interval>,
}

impl IntervalTable {
    /// The intervals of a solved endgame.
    pub fn new(table: &Table, turn: Color, numbering: &Numbering) -> Self {
        let view = View::new(table, turn, numbering, &[]);
        Self {
            material: table.material().clone(),
            turn,
            numbering: numbering.clone(),
            canonical: Canonical::new(table.material(), numbering.anchor),
            intervals: view.intervals(numbering),
        }
    }

    /// The pieces.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The indexing function.
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// The intervals in ascending order of their indices.
    pub fn intervals(&self) -> &[Interval] {
        &self.intervals
    }

    /// The value of a legal position, found by binary search.
    pub fn value_at(&self, squares: Squares) -> Option<Value> {
        let index = self.numbering.index(self.canonical.of(squares));
        let at = self
            .intervals
            .partition_point(|interval| interval.last < index);
        Value::from_byte(self.intervals.get(at)?.value)
    }

    /// The value of a chess position.
    ///
    /// # Errors
    /// [`Usage`](ErrorKind::Usage) if the position has other pieces, the other side to move,
    /// castling rights or an en passant square.
    pub fn value(&self, position: &Position) -> Result<Value> {
        if position.castling_rooks().any() || position.en_passant().any() {
            return Err(Error::usage(
                "an interval table covers neither castling rights nor en passant",
            )
            .with_remedy("name the pieces instead of the table, which solves the endgame"));
        }
        let (material, squares) = placed(position)?;
        let (squares, turn) = if material == self.material {
            (squares, position.turn())
        } else if material.swapped() == self.material {
            (swapped(&material, squares), !position.turn())
        } else {
            let message = format!(
                "the position is one of {material}, not of {}",
                self.material
            );
            return Err(Error::usage(message));
        };
        if turn != self.turn {
            let message = format!("the table is for positions with {} to move", self.turn);
            return Err(Error::usage(message));
        }
        self.value_at(squares)
            .ok_or_else(|| Error::corrupt("an interval has no value"))
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let byte = |piece: usize| piece as u8;
        let numbering = &self.numbering;
        let (base, moved) = numbering
            .relative
            .map_or((NO_PIECE, 0), |(base, moved)| (byte(base), moved));
        let mut out = vec![
            VERSION,
            u8::from(self.turn.is_white()) | u8::from(numbering.reflected) << 1,
            numbering.anchor.map_or(NO_PIECE, byte),
            base,
            moved,
            self.material.pieces().len() as u8,
        ];
        out.extend(
            self.material
                .pieces()
                .iter()
                .map(|piece| piece.char() as u8),
        );
        out.extend(&numbering.order);
        out.extend((self.intervals.len() as u32).to_le_bytes());
        let mut coder = Encoder::new();
        let mut model = Model::default();
        for interval in &self.intervals {
            model.code(&mut coder, *interval);
        }
        out.extend(coder.finish());
        seal::seal(&out)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// [`Corrupt`](ErrorKind::Corrupt) if they are damaged, [`Unsupported`](ErrorKind::Unsupported)
    /// if they are of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let payload = seal::open(bytes)?;
        let malformed =
            |what: &str| Error::corrupt(format!("malformed {what} in the endgame file"));
        let (head, rest) = payload
            .split_first_chunk::<HEAD_LEN>()
            .ok_or_else(|| malformed("first fields"))?;
        let [version, flags, anchor, base, moved, count] = *head;
        if version != VERSION {
            let message =
                format!("the endgame file has version {version}; this program reads {VERSION}");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let piece_count = usize::from(count);
        if !(3..=MAX_PIECES).contains(&piece_count) || rest.len() < 3 * piece_count + 4 {
            return Err(malformed("pieces"));
        }
        let (names, rest) = rest.split_at(piece_count);
        let (order, rest) = rest.split_at(2 * piece_count);
        let (count, stream) = rest
            .split_first_chunk()
            .ok_or_else(|| malformed("intervals"))?;
        let pieces = names
            .iter()
            .map(|&name| shakmaty::Piece::from_char(char::from(name)))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| malformed("pieces"))?;
        let others = pieces[2..]
            .iter()
            .copied()
            .filter(|piece| piece.role != Role::King);
        let material = Material::new(others)?;
        if material.pieces() != pieces {
            return Err(malformed("pieces"));
        }
        let some = |piece: u8| (piece != NO_PIECE).then_some(usize::from(piece));
        let numbering = Numbering {
            anchor: some(anchor),
            relative: some(base).map(|base| (base, moved)),
            reflected: flags & 2 > 0,
            order: order.to_vec(),
        };
        if flags > 3 || base == NO_PIECE && moved != 0 || !numbering.suits(&pieces) {
            return Err(malformed("indexing function"));
        }
        let positions = 1u64 << (6 * piece_count);
        let intervals = read_intervals(stream, u32::from_le_bytes(*count), positions)?;
        Ok(Self {
            canonical: Canonical::new(&material, numbering.anchor),
            turn: Color::from_white(flags & 1 > 0),
            material,
            numbering,
            intervals,
        })
    }
}

/// The adaptive model of intervals: the change of value in the context of the previous change, the
/// length in the context of the change.
#[derive(Default)]
struct Model {
    changes: [Number<4>; CONTEXTS],
    lengths: [Number<4>; CONTEXTS],
    /// The value of the previous interval.
    value: i64,
    /// The previous change of value, as encoded.
    change: u64,
    /// The first index of the next interval.
    start: u64,
}

/// The number of contexts: encoded changes from the last one on share it.
const CONTEXTS: usize = 12;

impl Model {
    /// Codes an interval. Returns the index after it and its value; those of a decoder can be out
    /// of range.
    fn code(&mut self, coder: &mut impl Coder, interval: Interval) -> (u64, i64) {
        let context = |change: u64| (change as usize).min(CONTEXTS - 1);
        // Signed to unsigned: 1, −1, 2, −2, … become 1, 2, 3, 4, …
        let difference = i64::from(interval.value) - self.value;
        let unsigned = if difference > 0 {
            2 * difference - 1
        } else {
            -2 * difference
        };
        let change = self.changes[context(self.change)].code(coder, unsigned as u64);
        let given = u64::from(interval.last) + 1 - self.start.min(u64::from(interval.last));
        let length = self.lengths[context(change)].code(coder, given);
        self.change = change;
        // Saturating, since a damaged stream can hold any numbers.
        let half = (change / 2) as i64;
        self.value = self
            .value
            .saturating_add(if change % 2 == 1 { half + 1 } else { -half });
        self.start = self.start.saturating_add(length);
        (self.start, self.value)
    }
}

/// Decodes `count` intervals, which must cover all indices below `positions`.
fn read_intervals(stream: &[u8], count: u32, positions: u64) -> Result<Vec<Interval>> {
    let malformed =
        |what: String| Error::corrupt(format!("malformed intervals in the endgame file: {what}"));
    if u64::from(count) > positions {
        return Err(malformed(format!(
            "{count} intervals of {positions} indices"
        )));
    }
    let mut coder = Decoder::new(stream);
    let mut model = Model::default();
    let mut intervals = Vec::new();
    let mut before = 0;
    for _ in 0..count {
        let (end, value) = model.code(&mut coder, Interval { last: 0, value: 0 });
        if coder.overrun() > MAX_OVERRUN {
            return Err(malformed("the stream ends early".into()));
        }
        if end <= before || end > positions || !(0..=i64::from(MAX_PLIES) + 1).contains(&value) {
            return Err(malformed(format!("end {end}, value {value}")));
        }
        before = end;
        intervals.push(Interval {
            last: (end - 1) as u32,
            value: value as u8,
        });
    }
    if before != positions {
        return Err(malformed(format!(
            "the last one ends at {before} of {positions}"
        )));
    }
    Ok(intervals)
}

/// The most bytes that decoding a valid stream reads past its end.
const MAX_OVERRUN: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Tables;

    fn table(turn: Color) -> (Tables, IntervalTable) {
        let tables = Tables::solve(&Material::parse("KQK").unwrap(), &|_, _| {}).unwrap();
        let numbering = Numbering {
            anchor: Some(1),
            relative: Some((1, 4)),
            reflected: true,
            order: vec![3, 1, 0, 2, 5, 4],
        };
        let table = IntervalTable::new(tables.main(), turn, &numbering);
        (tables, table)
    }

    #[test]
    fn a_file_round_trips_and_has_the_value_of_every_position() {
        for turn in Color::ALL {
            let (tables, table) = table(turn);
            let bytes = table.to_bytes();
            let back = IntervalTable::from_bytes(&bytes).unwrap();
            assert_eq!(back.intervals, table.intervals);
            assert_eq!(back.numbering, table.numbering);
            assert_eq!((back.material(), back.turn), (table.material(), turn));
            assert_eq!(back.to_bytes(), bytes);
            assert!(bytes.len() < 12_000, "{}", bytes.len());
            for position in 0..1u32 << 18 {
                let squares = crate::numbering::from_address(position, None);
                let known = tables.main().value(squares, turn);
                assert!(known.is_none() || back.value_at(squares) == known);
            }
        }
    }

    #[test]
    fn rejects_damaged_files_and_never_panics() {
        let (_, table) = table(Color::White);
        let bytes = table.to_bytes();
        for at in (0..bytes.len()).step_by(37) {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            assert!(IntervalTable::from_bytes(&bytes).is_err());
        }
        // With a valid checksum: the result is an error or a complete table.
        let payload = seal::open(&bytes).unwrap();
        for at in (0..60).chain((60..payload.len()).step_by(211)) {
            for flip in [1, 0x80, 0xff] {
                let mut payload = payload.to_vec();
                payload[at] ^= flip;
                if let Ok(read) = IntervalTable::from_bytes(&seal::seal(&payload)) {
                    assert_eq!(read.intervals.last().unwrap().last, (1 << 18) - 1);
                }
            }
        }
        for len in 0..60 {
            let cut = seal::seal(&payload[..len]);
            assert!(IntervalTable::from_bytes(&cut).is_err());
        }
    }

    #[test]
    fn rejects_positions_that_the_table_does_not_cover() {
        let (_, table) = table(Color::White);
        let value = |fen: &str| table.value(&Position::from_fen(fen.as_bytes()).unwrap());
        assert_eq!(value("k7/8/1K6/8/8/8/8/6Q1 w - -").unwrap(), Value::Win(1));
        // The same position with the colours exchanged.
        assert_eq!(value("6q1/8/8/8/8/1k6/8/K7 b - -").unwrap(), Value::Win(1));
        for (fen, words) in [
            ("k7/8/1K6/8/8/8/8/6Q1 b - -", "with white to move"),
            ("k7/8/1K6/8/8/8/8/7R w - -", "one of KRK"),
            ("k7/8/1K6/8/8/8/8/6QR w - -", "one of KQRK"),
            ("k7/8/1K6/8/8/8/8/5QRR w - -", "at most 4 pieces"),
        ] {
            let error = value(fen).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
