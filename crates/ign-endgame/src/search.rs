//! Search for the indexing function with the fewest intervals.
//!
//! A *family* is the set of functions that differ only in the order of their coordinates. Three
//! pieces have 720 orders, and all are tried. Four pieces have 40,320, too many for tables of 16
//! million entries: there a local search starts from the order of F1 and exchanges two coordinates
//! or moves one, until no such step gives fewer intervals. Its result need not be the best.
//!
//! Families are searched in parallel, each on its own, and of equal orders the first is taken. The
//! result does not depend on the number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use shakmaty::Color;

use super::{
    intervals::{Fixed, View},
    material::{BLACK_KING, Material, WHITE_KING},
    numbering::{Coordinate, Numbering, is_anchor},
    table::Table,
};

/// The result for one family.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Best {
    /// The function with the fewest intervals; of equal ones the first found.
    pub numbering: Numbering,
    /// Its number of intervals.
    pub intervals: u64,
    /// The number of orders tried.
    pub tried: u64,
    /// Whether all orders were tried.
    pub complete: bool,
    /// The number of used positions.
    pub legal: u64,
    /// The number of different values among them, a lower bound of the number of intervals.
    pub distinct: u64,
}

/// The families to search; the first is that of the document.
///
/// For three pieces these are all combinations of options. For four pieces, where each family
/// takes long, they are the reflected ones folded by a king, which are the best for three pieces.
pub fn families(material: &Material) -> Vec<Numbering> {
    let pieces = material.pieces();
    let f1 = Numbering::f1(pieces.len());
    if pieces.len() > 3 {
        let mut families = vec![f1.clone()];
        for anchor in [WHITE_KING, BLACK_KING] {
            for relative in [None, Some((BLACK_KING, 0b1100))] {
                families.push(Numbering {
                    anchor: Some(anchor),
                    relative,
                    reflected: true,
                    ..f1.clone()
                });
            }
        }
        return families;
    }
    let anchors = (0..pieces.len()).filter(|&piece| is_anchor(pieces, piece));
    let mut families = Vec::new();
    for anchor in [None].into_iter().chain(anchors.map(Some)) {
        for relative in relatives(pieces.len()) {
            for reflected in [false, true] {
                families.push(Numbering {
                    anchor,
                    relative,
                    reflected,
                    ..f1.clone()
                });
            }
        }
    }
    families
}

/// All values of [`Numbering::relative`].
fn relatives(pieces: usize) -> Vec<Option<(usize, u8)>> {
    let mut relatives = vec![None];
    for base in 0..pieces {
        let others = ((1u8 << pieces) - 1) & !(1 << base);
        let some = (1..=others).filter(|moved| moved & !others == 0);
        relatives.extend(some.map(|moved| Some((base, moved))));
    }
    relatives
}

/// Searches families for the table of one side to move. Results are in the order of `families`;
/// `progress` is called with the number of families done.
pub fn search(
    table: &Table,
    turn: Color,
    fixed: &Fixed,
    families: &[Numbering],
    progress: &(dyn Fn(usize) + Sync),
) -> Vec<Best> {
    let done = AtomicUsize::new(0);
    // One task for each family, since they take different times.
    let families = families.par_iter().with_max_len(1);
    families
        .map(|family| {
            let best = search_family(table, turn, fixed, family);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            best
        })
        .collect()
}

fn search_family(table: &Table, turn: Color, fixed: &Fixed, family: &Numbering) -> Best {
    let view = View::new(table, turn, family, fixed);
    let mut search = Search {
        best: family.clone(),
        intervals: u64::MAX,
        tried: 0,
        view: &view,
    };
    let complete = family.order.len() <= 6;
    if complete {
        let mut order: Vec<Coordinate> = (0..family.order.len() as u8).collect();
        search.exhaustive(&mut order, 0);
    } else {
        search.local(family.order.clone());
    }
    Best {
        numbering: search.best,
        intervals: search.intervals,
        tried: search.tried,
        complete,
        legal: view.legal(),
        distinct: view.histogram().len() as u64,
    }
}

struct Search<'v> {
    best: Numbering,
    intervals: u64,
    tried: u64,
    view: &'v View,
}

impl Search<'_> {
    /// Tries an order. Returns its number of intervals, or some number above `max`.
    fn attempt(&mut self, order: &[Coordinate], max: u64) -> u64 {
        let numbering = Numbering {
            order: order.to_vec(),
            ..self.best.clone()
        };
        self.tried += 1;
        let intervals = self.view.count(&numbering, max);
        if intervals < self.intervals {
            (self.best, self.intervals) = (numbering, intervals);
        }
        intervals
    }

    /// Tries all orders that start with the first `at` coordinates of `order`, in ascending order.
    fn exhaustive(&mut self, order: &mut [Coordinate], at: usize) {
        if at == order.len() {
            self.attempt(order, self.intervals);
            return;
        }
        for from in at..order.len() {
            order[at..=from].rotate_right(1);
            self.exhaustive(order, at + 1);
            order[at..=from].rotate_left(1);
        }
    }

    /// Moves from an order to its best neighbour while that has fewer intervals.
    fn local(&mut self, mut order: Vec<Coordinate>) {
        let mut intervals = self.attempt(&order, u64::MAX);
        loop {
            let mut better = None;
            for neighbour in neighbours(&order) {
                let count = self.attempt(&neighbour, intervals);
                if count < intervals {
                    (better, intervals) = (Some(neighbour), count);
                }
            }
            match better {
                Some(neighbour) => order = neighbour,
                None => return,
            }
        }
    }
}

/// The orders with two coordinates exchanged or one moved.
fn neighbours(order: &[Coordinate]) -> Vec<Vec<Coordinate>> {
    let mut neighbours = Vec::new();
    for from in 0..order.len() {
        for to in 0..order.len() {
            if from < to {
                let mut neighbour = order.to_vec();
                neighbour.swap(from, to);
                neighbours.push(neighbour);
            }
            // A move by one place is an exchange.
            if from.abs_diff(to) > 1 {
                let mut neighbour = order.to_vec();
                let coordinate = neighbour.remove(from);
                neighbour.insert(to, coordinate);
                neighbours.push(neighbour);
            }
        }
    }
    neighbours
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Tables;
    use std::collections::BTreeSet;

    fn kqk() -> Tables {
        Tables::solve(&Material::parse("KQK").unwrap(), &|_, _| {}).unwrap()
    }

    #[test]
    fn the_documents_example_needs_two_intervals() {
        let tables = kqk();
        let families = [Numbering::f1(3)];
        let kings = [(0, 60), (1, 56)];
        let best = search(tables.main(), Color::White, &kings, &families, &|_| {});
        assert_eq!(
            (best[0].intervals, best[0].distinct, best[0].legal),
            (2, 2, 45)
        );
        assert_eq!((best[0].tried, best[0].complete), (720, true));
    }

    #[test]
    fn tries_every_order_once_and_takes_the_first_of_the_best() {
        let tables = kqk();
        let family = Numbering {
            anchor: Some(1),
            ..Numbering::f1(3)
        };
        let families = std::slice::from_ref(&family);
        let found = search(tables.main(), Color::White, &[], families, &|_| {});
        let view = View::new(tables.main(), Color::White, &family, &[]);
        let mut least = (u64::MAX, Vec::new());
        let mut seen = BTreeSet::new();
        for number in 0..6u32.pow(6) {
            let order: Vec<u8> = (0..6)
                .rev()
                .map(|i| (number / 6u32.pow(i) % 6) as u8)
                .collect();
            let numbering = Numbering {
                order: order.clone(),
                ..family.clone()
            };
            if order.iter().collect::<BTreeSet<_>>().len() == 6 {
                seen.insert(order.clone());
                least = least.min((view.count(&numbering, u64::MAX), order));
            }
        }
        assert_eq!(seen.len() as u64, found[0].tried);
        assert_eq!(
            least,
            (found[0].intervals, found[0].numbering.order.clone())
        );
    }

    #[test]
    fn neighbours_are_different_orders_each_once() {
        let order: Vec<u8> = (0..8).collect();
        let neighbours = neighbours(&order);
        let different: BTreeSet<_> = neighbours.iter().cloned().collect();
        assert_eq!(different.len(), neighbours.len());
        assert_eq!(neighbours.len(), 28 + 56 - 14);
        assert!(!different.contains(&order));
    }
}
