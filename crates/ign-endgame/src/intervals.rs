//! M-intervals: stretches of numbers whose positions are all as many moves from mate.
//!
//! Illegal positions do not matter, and by the document's convention belong to the next legal one;
//! those behind the last legal one to the last interval. So the intervals of a table depend on
//! nothing but its indexing function, and no other division makes fewer of them.

use super::{
    numbering::{Canonical, Numbering, from_address},
    solve::Table,
    value::ILLEGAL,
};
use shakmaty::Color;

/// One side's values by address, see [`Numbering::address`]; [`ILLEGAL`] where they do not matter.
#[derive(Debug)]
pub struct View {
    values: Vec<u8>,
}

/// A stretch of numbers, from where the one before ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The last number of it.
    pub last: u32,
    /// The byte of its [`Value`](super::value::Value).
    pub value: u8,
}

/// Men who stay where they are: only these positions count.
pub type Fixed = [(usize, u8)];

impl View {
    /// The values of positions with `turn` to move, folded and relative as `numbering` says; its
    /// order is not looked at.
    pub fn new(table: &Table, turn: Color, numbering: &Numbering, fixed: &Fixed) -> Self {
        let material = table.material();
        let canonical = Canonical::new(material, numbering.anchor);
        let positions = 1u32 << (6 * material.men().len());
        let value = |address| {
            let squares = from_address(address, numbering.relative);
            let counts = canonical.of(squares) == squares
                && fixed.iter().all(|&(man, square)| squares[man] == square);
            if counts {
                table.byte(squares, turn)
            } else {
                ILLEGAL
            }
        };
        Self {
            values: (0..positions).map(value).collect(),
        }
    }

    /// How many positions matter.
    pub fn legal(&self) -> u64 {
        self.values
            .iter()
            .filter(|&&value| value != ILLEGAL)
            .count() as u64
    }

    /// The different values, ascending, with how many positions have each.
    pub fn histogram(&self) -> Vec<(u8, u64)> {
        let mut counts = [0u64; 256];
        self.values
            .iter()
            .for_each(|&value| counts[usize::from(value)] += 1);
        let counted = (0..ILLEGAL).map(|value| (value, counts[usize::from(value)]));
        counted.filter(|&(_, count)| count > 0).collect()
    }

    /// The number of intervals, or, if there are more than `most`, some number above it.
    pub fn count(&self, numbering: &Numbering, most: u64) -> u64 {
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
            if count > most {
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

/// A byte for every number, those that do not matter as the intervals have them.
pub fn raw(intervals: &[Interval]) -> Vec<u8> {
    let mut raw = Vec::new();
    for interval in intervals {
        raw.resize(interval.last as usize + 1, interval.value);
    }
    raw
}

/// The addresses of all numbers in order: each is one of `slow` and, sooner changing, one of
/// `fast`, combined by exclusive or. For an address takes bits of the number, or, where digits
/// wind, exclusive ors of two: what the high half of a number does to it and what the low half
/// does never meet.
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
        Tables::solve(&Material::parse("KQK").unwrap(), 2, &|_, _| {}).unwrap()
    }

    /// White king e8, black king a8.
    const KINGS: [(usize, u8); 2] = [(0, 60), (1, 56)];

    #[test]
    fn the_case_of_the_document_has_its_ten_intervals_and_its_two() {
        let tables = tables();
        let first = Numbering::document_1(3);
        let view = View::new(tables.wanted(), Color::White, &first, &KINGS);
        assert_eq!(view.legal(), 45);
        // Three moves are five half-moves, and the byte is one more; four moves eight.
        assert_eq!(
            view.histogram().iter().map(|h| h.0).collect::<Vec<_>>(),
            [6, 8]
        );
        let ends = |numbering: &Numbering| {
            let intervals = view.intervals(numbering);
            assert_eq!(view.count(numbering, 999), intervals.len() as u64);
            // The document ends its tables with the kings' last number.
            let end = |i: &Interval| (i.last.min(233_279), i.value / 2);
            intervals.iter().map(end).collect::<Vec<_>>()
        };
        assert_eq!(
            ends(&first),
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
        assert_eq!(
            ends(&Numbering::document_2(3)),
            [(233_228, 3), (233_279, 4)]
        );
    }

    #[test]
    fn intervals_hold_what_the_table_holds_whatever_the_numbering() {
        let tables = tables();
        let mut numbering = Numbering::plain(vec![3, 0, 5, 1, 4, 2]);
        for (anchor, relative, winding) in [
            (None, None, false),
            (Some(1), None, true),
            (Some(0), Some((1, 4)), true),
            (Some(2), Some((0, 6)), false),
        ] {
            numbering = Numbering {
                anchor,
                relative,
                winding,
                ..numbering
            };
            let material = tables.wanted().material();
            let canonical = Canonical::new(material, anchor);
            for turn in Color::ALL {
                let view = View::new(tables.wanted(), turn, &numbering, &[]);
                let intervals = view.intervals(&numbering);
                let raw = raw(&intervals);
                assert_eq!(raw.len(), 1 << 18);
                assert_eq!(view.count(&numbering, u64::MAX), intervals.len() as u64);
                assert!(view.count(&numbering, 10) > 10);
                for position in 0..1u32 << 18 {
                    let squares = from_address(position, None);
                    let byte = tables.wanted().byte(squares, turn);
                    let number = numbering.number(canonical.of(squares));
                    assert!(byte == ILLEGAL || raw[number as usize] == byte);
                }
            }
        }
    }
}
