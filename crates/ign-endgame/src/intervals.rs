//! M-intervals of document 004: runs of indices whose positions have the same distance to mate.
//!
//! Unused indices belong to the interval of the next used one, by the document's convention; those
//! after the last used index belong to the last interval. The intervals of a table therefore
//! depend on the indexing function only, and no other partition has fewer.

use rayon::prelude::*;
use shakmaty::Color;

use super::{
    numbering::{Canonical, Numbering, from_address},
    table::Table,
    value::ILLEGAL,
};

/// The values of one side to move by address (see [`Numbering::address`]); [`ILLEGAL`] for unused
/// positions. It serves all numberings that differ only in the order of coordinates.
#[derive(Debug)]
pub struct View {
    values: Vec<u8>,
}

/// A run of indices. It starts after the previous interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The last index.
    pub last: u32,
    /// The byte of its [`Value`](super::value::Value).
    pub value: u8,
}

/// Pieces with fixed squares: only positions with these pieces on these squares are used.
pub type Fixed = [(usize, u8)];

impl View {
    /// The values of the positions with `turn` to move, with the options of `numbering`. Its order
    /// of coordinates is ignored.
    pub fn new(table: &Table, turn: Color, numbering: &Numbering, fixed: &Fixed) -> Self {
        let material = table.material();
        let canonical = Canonical::new(material, numbering.anchor);
        let positions = 1u32 << (6 * material.pieces().len());
        let value = |address| {
            let squares = from_address(address, numbering.relative);
            let is_used = canonical.of(squares) == squares
                && fixed
                    .iter()
                    .all(|&(piece, square)| squares[piece] == square);
            if is_used {
                table.byte(squares, turn)
            } else {
                ILLEGAL
            }
        };
        Self {
            values: (0..positions).into_par_iter().map(value).collect(),
        }
    }

    /// The number of used positions.
    pub fn legal(&self) -> u64 {
        self.values
            .iter()
            .filter(|&&value| value != ILLEGAL)
            .count() as u64
    }

    /// The different values in ascending order, each with its number of positions.
    pub fn histogram(&self) -> Vec<(u8, u64)> {
        let mut counts = [0u64; 256];
        self.values
            .iter()
            .for_each(|&value| counts[usize::from(value)] += 1);
        let counted = (0..ILLEGAL).map(|value| (value, counts[usize::from(value)]));
        counted.filter(|&(_, count)| count > 0).collect()
    }

    /// The number of intervals, or some number above `max` if there are more than that.
    ///
    /// The scan carries the value of the last used position from index to index, so it runs on one
    /// thread; the [`search`](super::search) scans several orders in parallel.
    pub fn count(&self, numbering: &Numbering, max: u64) -> u64 {
        let walk = Walk::new(numbering);
        let mut count = 0;
        let mut current = ILLEGAL;
        for &slow in &walk.slow {
            for &fast in &walk.fast {
                let value = self.values[(slow ^ fast) as usize];
                let starts = (value != ILLEGAL) & (value != current);
                count += u64::from(starts);
                current = if starts { value } else { current };
            }
            if count > max {
                break;
            }
        }
        count
    }

    /// The intervals.
    pub fn intervals(&self, numbering: &Numbering) -> Vec<Interval> {
        let walk = Walk::new(numbering);
        let mut intervals: Vec<Interval> = Vec::new();
        let addresses = walk
            .slow
            .iter()
            .flat_map(|slow| walk.fast.iter().map(move |fast| slow ^ fast));
        for (last, address) in (0..).zip(addresses) {
            let value = self.values[address as usize];
            if value != ILLEGAL {
                match intervals.last_mut() {
                    Some(interval) if interval.value == value => interval.last = last,
                    _ => intervals.push(Interval { last, value }),
                }
            }
        }
        if let Some(interval) = intervals.last_mut() {
            interval.last = self.values.len() as u32 - 1;
        }
        intervals
    }
}

/// One byte for every index, used or not.
pub fn raw(intervals: &[Interval]) -> Vec<u8> {
    let mut raw = Vec::new();
    for interval in intervals {
        raw.resize(interval.last as usize + 1, interval.value);
    }
    raw
}

/// The addresses of all indices in order: index `h·fast.len() + l` has the address
/// `slow[h] ^ fast[l]`.
///
/// The address is linear in the bits of the index over exclusive or, also for reflected digits, so
/// the contributions of the high and the low half of the index can be tabulated separately.
struct Walk {
    slow: Vec<u32>,
    fast: Vec<u32>,
}

impl Walk {
    fn new(numbering: &Numbering) -> Self {
        let bits = 3 * numbering.order.len();
        let fast_bits = bits / 2;
        Self {
            slow: (0..1 << (bits - fast_bits))
                .map(|high: u32| numbering.address(high << fast_bits))
                .collect(),
            fast: (0..1 << fast_bits)
                .map(|low| numbering.address(low))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{material::Material, tables::Tables};

    fn tables() -> Tables {
        Tables::solve(&Material::parse("KQK").unwrap(), &|_, _| {}).unwrap()
    }

    /// White king e8, black king a8.
    const KINGS: [(usize, u8); 2] = [(0, 60), (1, 56)];

    #[test]
    fn the_documents_example_has_ten_intervals_by_f1_and_two_by_f2() {
        let tables = tables();
        let f1 = Numbering::f1(3);
        let view = View::new(tables.main(), Color::White, &f1, &KINGS);
        assert_eq!(view.legal(), 45);
        // Mate in three moves is five plies, byte 6; mate in four moves byte 8.
        assert_eq!(
            view.histogram().iter().map(|h| h.0).collect::<Vec<_>>(),
            [6, 8]
        );
        let ends = |numbering: &Numbering| {
            let intervals = view.intervals(numbering);
            assert_eq!(view.count(numbering, 999), intervals.len() as u64);
            // The document ends its tables with the last index of these kings.
            let end = |i: &Interval| (i.last.min(233_279), i.value / 2);
            intervals.iter().map(end).collect::<Vec<_>>()
        };
        assert_eq!(
            ends(&f1),
            [
                (233_217, 3),
                (233_222, 4),
                (233_225, 3),
                (233_231, 4),
                (233_233, 3),
                (233_239, 4),
                (233_241, 3),
                (233_247, 4),
                (233_249, 3),
                (233_279, 4),
            ]
        );
        assert_eq!(ends(&Numbering::f2(3)), [(233_228, 3), (233_279, 4)]);
    }

    #[test]
    fn intervals_have_the_values_of_the_table_for_every_numbering() {
        let tables = tables();
        let mut numbering = Numbering::plain(vec![3, 0, 5, 1, 4, 2]);
        for (anchor, relative, reflected) in [
            (None, None, false),
            (Some(1), None, true),
            (Some(0), Some((1, 4)), true),
            (Some(2), Some((0, 6)), false),
        ] {
            numbering = Numbering {
                anchor,
                relative,
                reflected,
                ..numbering
            };
            let material = tables.main().material();
            let canonical = Canonical::new(material, anchor);
            for turn in Color::ALL {
                let view = View::new(tables.main(), turn, &numbering, &[]);
                let intervals = view.intervals(&numbering);
                let raw = raw(&intervals);
                assert_eq!(raw.len(), 1 << 18);
                assert_eq!(view.count(&numbering, u64::MAX), intervals.len() as u64);
                assert!(view.count(&numbering, 10) > 10);
                for position in 0..1u32 << 18 {
                    let squares = from_address(position, None);
                    let byte = tables.main().byte(squares, turn);
                    let index = numbering.index(canonical.of(squares));
                    assert!(byte == ILLEGAL || raw[index as usize] == byte);
                }
            }
        }
    }
}
