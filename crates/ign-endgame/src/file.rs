//! An interval table as a file, and looking positions up in it.
//!
//! A sealed frame of kind `ignE` (format-spec.md §1.1), whose payload docs/endgames.md describes:
//! the men, the side to move, the indexing function, and then, through the adaptive range coder
//! (format-spec.md §9), how each interval's value differs from the one before, and its length.

use shakmaty::{Color, Role};

use super::{
    fold::Squares,
    intervals::{Interval, View},
    material::{MAX_PIECES, Material},
    numbering::{Canonical, Numbering},
    solve::Table,
    tables::{exchanged, placed},
    value::{MAX_PLIES, Value},
};
use ign_entropy::adaptive::{Coder, Decoder, Encoder, Number};
use ign_format::{
    container::frame::{self, Kind},
    error::{Error, Result},
};
use ign_notation::chess::Position;

/// The first byte of the payload.
const VERSION: u8 = 1;
/// Stands for no man.
const NO_MAN: u8 = 255;
/// Bytes of the payload before the men.
const HEAD: usize = 6;

/// One side's values of an endgame as intervals.
#[derive(Debug)]
pub struct IntervalTable {
    material: Material,
    turn: Color,
    numbering: Numbering,
    canonical: Canonical,
    intervals: Vec<Interval>,
}

impl IntervalTable {
    /// The table of a solved endgame.
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

    /// The men.
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

    /// The intervals, by their numbers.
    pub fn intervals(&self) -> &[Interval] {
        &self.intervals
    }

    /// What a legal position of these men is worth: a binary search.
    pub fn value_at(&self, squares: Squares) -> Option<Value> {
        let number = self.numbering.number(self.canonical.of(squares));
        let at = self
            .intervals
            .partition_point(|interval| interval.last < number);
        Value::from_byte(self.intervals.get(at)?.value)
    }

    /// What a position of chess is worth.
    ///
    /// # Errors
    /// Usage when it has other men, the other side to move, or rights that tables leave out.
    pub fn value(&self, position: &Position) -> Result<Value> {
        if position.castling_rooks().any() || position.en_passant().any() {
            return Err(Error::usage(
                "an interval table knows neither castling nor taking in passing",
            )
            .with_remedy("ask for the endgame by its men, which solves it"));
        }
        let (material, squares) = placed(position)?;
        let (squares, turn) = if material == self.material {
            (squares, position.turn())
        } else if material.swapped() == self.material {
            (exchanged(&material, squares), !position.turn())
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

    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let man = |man: usize| man as u8;
        let numbering = &self.numbering;
        let (base, moved) = numbering
            .relative
            .map_or((NO_MAN, 0), |(base, moved)| (man(base), moved));
        let mut out = vec![
            VERSION,
            u8::from(self.turn.is_white()) | u8::from(numbering.winding) << 1,
            numbering.anchor.map_or(NO_MAN, man),
            base,
            moved,
            self.material.men().len() as u8,
        ];
        out.extend(self.material.men().iter().map(|piece| piece.char() as u8));
        out.extend(&numbering.order);
        out.extend((self.intervals.len() as u32).to_le_bytes());
        let mut coder = Encoder::new();
        let mut model = Model::default();
        for interval in &self.intervals {
            model.code(&mut coder, *interval);
        }
        out.extend(coder.finish());
        frame::seal(Kind::Endgame, &out)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Corrupt; unsupported when it is of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let payload = frame::open(Kind::Endgame, bytes)?;
        let malformed = |what: &str| Error::corrupt(format!("the endgame's {what} are malformed"));
        let (head, rest) = payload
            .split_first_chunk::<HEAD>()
            .ok_or_else(|| malformed("first bytes"))?;
        let [version, flags, anchor, base, moved, men] = *head;
        if version != VERSION {
            let message = format!("an endgame of version {version}, this program reads {VERSION}");
            return Err(Error::new(ign_format::error::Kind::Unsupported, message));
        }
        let men = usize::from(men);
        if !(3..=MAX_PIECES).contains(&men) || rest.len() < 3 * men + 4 {
            return Err(malformed("men"));
        }
        let (names, rest) = rest.split_at(men);
        let (order, rest) = rest.split_at(2 * men);
        let (count, bits) = rest
            .split_first_chunk()
            .ok_or_else(|| malformed("intervals"))?;
        let pieces = names
            .iter()
            .map(|&name| shakmaty::Piece::from_char(char::from(name)));
        let pieces = pieces
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| malformed("men"))?;
        let others = pieces[2..]
            .iter()
            .copied()
            .filter(|piece| piece.role != Role::King);
        let material = Material::new(others)?;
        if material.men() != pieces {
            return Err(malformed("men"));
        }
        let some = |man: u8| (man != NO_MAN).then_some(usize::from(man));
        let numbering = Numbering {
            anchor: some(anchor),
            relative: some(base).map(|base| (base, moved)),
            winding: flags & 2 > 0,
            order: order.to_vec(),
        };
        if flags > 3 || base == NO_MAN && moved != 0 || !numbering.suits(&pieces) {
            return Err(malformed("indexing function"));
        }
        let positions = 1u64 << (6 * men);
        let intervals = read_intervals(bits, u32::from_le_bytes(*count), positions)?;
        Ok(Self {
            canonical: Canonical::new(&material, numbering.anchor),
            turn: Color::from_white(flags & 1 > 0),
            material,
            numbering,
            intervals,
        })
    }
}

/// What predicts the next interval: the change of value before it, and for its length its own.
#[derive(Default)]
struct Model {
    changes: [Number<4>; CONTEXTS],
    lengths: [Number<4>; CONTEXTS],
    /// The value before, and how it had changed.
    value: i64,
    change: u64,
    /// The first number of the next interval.
    start: u64,
}

/// Changes that are told apart; larger ones count as the largest.
const CONTEXTS: usize = 12;

impl Model {
    /// Codes an interval; a decoder's may be out of bounds.
    fn code(&mut self, coder: &mut impl Coder, interval: Interval) -> (u64, i64) {
        let context = |change: u64| (change as usize).min(CONTEXTS - 1);
        // 1 is one more, 2 one less, 3 two more, … Values that follow each other differ.
        let change = i64::from(interval.value) - self.value;
        let folded = if change > 0 {
            2 * change - 1
        } else {
            -2 * change
        };
        let folded = self.changes[context(self.change)].code(coder, folded as u64);
        let length = u64::from(interval.last) + 1 - self.start.min(u64::from(interval.last));
        let length = self.lengths[context(folded)].code(coder, length);
        self.change = folded;
        // A decoder may be given anything: sums must not overflow.
        let half = (folded / 2) as i64;
        self.value = self
            .value
            .saturating_add(if folded % 2 == 1 { half + 1 } else { -half });
        self.start = self.start.saturating_add(length);
        (self.start, self.value)
    }
}

/// Intervals from their stream, which must fill all numbers below `positions`.
fn read_intervals(stream: &[u8], count: u32, positions: u64) -> Result<Vec<Interval>> {
    let malformed =
        |what: String| Error::corrupt(format!("the endgame's intervals are malformed: {what}"));
    if u64::from(count) > positions {
        return Err(malformed(format!(
            "{count} of them for {positions} numbers"
        )));
    }
    let mut coder = Decoder::new(stream);
    let mut model = Model::default();
    let mut intervals = Vec::new();
    let mut before = 0;
    for _ in 0..count {
        let (end, value) = model.code(&mut coder, Interval { last: 0, value: 0 });
        if coder.overrun() > LAST_BYTES {
            return Err(malformed("they end early".into()));
        }
        if end <= before || end > positions || !(0..=i64::from(MAX_PLIES) + 1).contains(&value) {
            return Err(malformed(format!("number {end}, value {value}")));
        }
        before = end;
        intervals.push(Interval {
            last: (end - 1) as u32,
            value: value as u8,
        });
    }
    if before != positions {
        return Err(malformed(format!("they end at {before} of {positions}")));
    }
    Ok(intervals)
}

/// Bytes that a decoder may ask for beyond the end of a sound stream.
const LAST_BYTES: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Tables;

    fn table(turn: Color) -> (Tables, IntervalTable) {
        let tables = Tables::solve(&Material::parse("KQK").unwrap(), 2, &|_, _| {}).unwrap();
        let numbering = Numbering {
            anchor: Some(1),
            relative: Some((1, 4)),
            winding: true,
            order: vec![3, 1, 0, 2, 5, 4],
        };
        let table = IntervalTable::new(tables.wanted(), turn, &numbering);
        (tables, table)
    }

    #[test]
    fn a_table_comes_back_from_its_file_and_knows_every_position() {
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
                let known = tables.wanted().value(squares, turn);
                assert!(known.is_none() || back.value_at(squares) == known);
            }
        }
    }

    #[test]
    fn damage_is_seen_whatever_it_says() {
        let (_, table) = table(Color::White);
        let bytes = table.to_bytes();
        for at in (0..bytes.len()).step_by(37) {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            assert!(IntervalTable::from_bytes(&bytes).is_err());
        }
        // Sealed anew, so that the checksum is true: nothing but an error or a table may come.
        let payload = frame::open(Kind::Endgame, &bytes).unwrap();
        for at in (0..60).chain((60..payload.len()).step_by(211)) {
            for flip in [1, 0x80, 0xff] {
                let mut payload = payload.to_vec();
                payload[at] ^= flip;
                if let Ok(read) = IntervalTable::from_bytes(&frame::seal(Kind::Endgame, &payload)) {
                    assert_eq!(read.intervals.last().unwrap().last, (1 << 18) - 1);
                }
            }
        }
        for len in 0..60 {
            let cut = frame::seal(Kind::Endgame, &payload[..len]);
            assert!(IntervalTable::from_bytes(&cut).is_err());
        }
    }

    #[test]
    fn what_the_table_is_not_about_is_said() {
        let (_, table) = table(Color::White);
        let value = |fen: &str| table.value(&Position::from_fen(fen.as_bytes()).unwrap());
        assert_eq!(value("k7/8/1K6/8/8/8/8/6Q1 w - -").unwrap(), Value::Win(1));
        // The same with the colours exchanged.
        assert_eq!(value("6q1/8/8/8/8/1k6/8/K7 b - -").unwrap(), Value::Win(1));
        for (fen, words) in [
            ("k7/8/1K6/8/8/8/8/6Q1 b - -", "with white to move"),
            ("k7/8/1K6/8/8/8/8/7R w - -", "one of KRK"),
            ("k7/8/1K6/8/8/8/8/6QR w - -", "one of KQRK"),
            ("k7/8/1K6/8/8/8/8/5QRR w - -", "at most 4 men"),
        ] {
            let error = value(fen).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
