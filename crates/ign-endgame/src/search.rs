//! The search for a good indexing function: the one with the fewest intervals.
//!
//! A *family* are the functions that differ in the order of their coordinates alone. Three men
//! have 720 orders, and all are tried. Four men have 40,320, too many for tables of 16 million
//! numbers: there the search goes downhill from the document's order, by exchanging two coordinates or
//! moving one elsewhere, until no such step makes fewer intervals; what it finds is good, and need
//! not be the best.
//!
//! Invariant: the result does not depend on the number of threads: families are searched each for
//! itself, and of equals the first is taken.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use shakmaty::Color;

use super::{
    intervals::{Fixed, View},
    material::{BLACK_KING, Material, WHITE_KING},
    numbering::{Coordinate, Numbering, is_anchor},
    solve::Table,
};

/// What came of a family.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Best {
    /// The function with the fewest intervals; of equals the first in order.
    pub numbering: Numbering,
    /// Its intervals.
    pub intervals: u64,
    /// How many orders were tried.
    pub tried: u64,
    /// Whether these are all there are.
    pub complete: bool,
    /// Positions that count.
    pub legal: u64,
    /// Different values among them: no table has fewer intervals.
    pub distinct: u64,
}

/// The families that are tried, the document's own first. Of three men all that there are. Of
/// four, where each takes long, those folded by a king and winding: for three men they are best.
pub fn families(material: &Material) -> Vec<Numbering> {
    let men = material.men();
    let document = Numbering::document_1(men.len());
    if men.len() > 3 {
        let mut families = vec![document.clone()];
        for anchor in [WHITE_KING, BLACK_KING] {
            for relative in [None, Some((BLACK_KING, 0b1100))] {
                families.push(Numbering {
                    anchor: Some(anchor),
                    relative,
                    winding: true,
                    ..document.clone()
                });
            }
        }
        return families;
    }
    let anchors = (0..men.len()).filter(|&man| is_anchor(men, man));
    let mut families = Vec::new();
    for anchor in [None].into_iter().chain(anchors.map(Some)) {
        for relative in relatives(men.len()) {
            for winding in [false, true] {
                families.push(Numbering {
                    anchor,
                    relative,
                    winding,
                    ..document.clone()
                });
            }
        }
    }
    families
}

/// No distances, or those of some of the other men from one.
fn relatives(men: usize) -> Vec<Option<(usize, u8)>> {
    let mut relatives = vec![None];
    for base in 0..men {
        let others = ((1u8 << men) - 1) & !(1 << base);
        let some = (1..=others).filter(|moved| moved & !others == 0);
        relatives.extend(some.map(|moved| Some((base, moved))));
    }
    relatives
}

/// Searches families for one side's table; results in their order. `told` hears how many are done.
pub fn search(
    table: &Table,
    turn: Color,
    fixed: &Fixed,
    families: &[Numbering],
    threads: usize,
    told: &(dyn Fn(usize) + Sync),
) -> Vec<Best> {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let mut found = Vec::new();
        loop {
            let family = next.fetch_add(1, Ordering::Relaxed);
            let Some(numbering) = families.get(family) else {
                return found;
            };
            found.push((family, family_best(table, turn, fixed, numbering)));
            told(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    let mut found: Vec<(usize, Best)> = thread::scope(|scope| {
        let threads: Vec<_> = (1..threads.min(families.len()))
            .map(|_| scope.spawn(work))
            .collect();
        let mut found = work();
        for thread in threads {
            match thread.join() {
                Ok(more) => found.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        found
    });
    found.sort_by_key(|(family, _)| *family);
    found.into_iter().map(|(_, best)| best).collect()
}

fn family_best(table: &Table, turn: Color, fixed: &Fixed, family: &Numbering) -> Best {
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
        search.all(&mut order, 0);
    } else {
        search.downhill(family.order.clone());
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
    /// Tries an order; says how many intervals it has, or just more than `most`.
    fn attempt(&mut self, order: &[Coordinate], most: u64) -> u64 {
        let numbering = Numbering {
            order: order.to_vec(),
            ..self.best.clone()
        };
        self.tried += 1;
        let intervals = self.view.count(&numbering, most);
        if intervals < self.intervals {
            (self.best, self.intervals) = (numbering, intervals);
        }
        intervals
    }

    /// All orders that begin as this one does up to `at`, in ascending order.
    fn all(&mut self, order: &mut [Coordinate], at: usize) {
        if at == order.len() {
            self.attempt(order, self.intervals);
            return;
        }
        for from in at..order.len() {
            order[at..=from].rotate_right(1);
            self.all(order, at + 1);
            order[at..=from].rotate_left(1);
        }
    }

    /// From an order to better ones as long as there are any a step away.
    fn downhill(&mut self, mut order: Vec<Coordinate>) {
        let mut intervals = self.attempt(&order, u64::MAX);
        loop {
            let mut better = None;
            for step in steps(&order) {
                let count = self.attempt(&step, intervals);
                if count < intervals {
                    (better, intervals) = (Some(step), count);
                }
            }
            match better {
                Some(step) => order = step,
                None => return,
            }
        }
    }
}

/// The orders in which two coordinates have changed places, or one has gone elsewhere.
fn steps(order: &[Coordinate]) -> Vec<Vec<Coordinate>> {
    let mut steps = Vec::new();
    for from in 0..order.len() {
        for to in 0..order.len() {
            if from < to {
                let mut step = order.to_vec();
                step.swap(from, to);
                steps.push(step);
            }
            // Going to a neighbour's place is changing places.
            if from.abs_diff(to) > 1 {
                let mut step = order.to_vec();
                let coordinate = step.remove(from);
                step.insert(to, coordinate);
                steps.push(step);
            }
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Tables;
    use std::collections::BTreeSet;

    fn kqk() -> Tables {
        Tables::solve(&Material::parse("KQK").unwrap(), 2, &|_, _| {}).unwrap()
    }

    #[test]
    fn the_case_of_the_document_cannot_be_done_in_fewer_than_two() {
        let tables = kqk();
        let document = [Numbering::document_1(3)];
        let kings = [(0, 60), (1, 56)];
        let best = search(tables.wanted(), Color::White, &kings, &document, 1, &|_| {});
        assert_eq!(
            (best[0].intervals, best[0].distinct, best[0].legal),
            (2, 2, 45)
        );
        assert_eq!((best[0].tried, best[0].complete), (720, true));
    }

    #[test]
    fn all_orders_are_tried_once_and_the_first_of_the_best_is_taken() {
        let tables = kqk();
        let family = Numbering {
            anchor: Some(1),
            ..Numbering::document_1(3)
        };
        let found = search(
            tables.wanted(),
            Color::White,
            &[],
            std::slice::from_ref(&family),
            2,
            &|_| {},
        );
        let view = View::new(tables.wanted(), Color::White, &family, &[]);
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
    fn steps_lead_to_other_orders_each_once() {
        let order: Vec<u8> = (0..8).collect();
        let steps = steps(&order);
        let different: BTreeSet<_> = steps.iter().cloned().collect();
        assert_eq!(different.len(), steps.len());
        assert_eq!(steps.len(), 28 + 56 - 14);
        assert!(!different.contains(&order));
    }
}
