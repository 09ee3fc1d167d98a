//! Retrograde analysis: what every position of an endgame is worth.
//!
//! Positions are decided in the order of their distance from mate. First come those that are
//! mate. Then, half-move by half-move, from those decided last one goes back: whoever can move to
//! a position that is lost in `n − 1` wins in `n`; who can move only to positions won by the
//! other side, of which the last was found now, loses in `n`. Moves that take or promote leave
//! the table: what they lead to is known already, and the position waits for its half-move in a
//! list. What is never decided is drawn.
//!
//! Every white king stands in the corner that [`Fold`] brings him to.
//!
//! Invariant: after half-move `n` exactly the positions at most `n` half-moves from mate are
//! decided. So the result does not depend on the order within one, nor on threads.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicU8, Ordering},
    thread,
};

use shakmaty::Color;

use super::{
    fold::{Fold, Squares},
    material::{Material, WHITE_KING},
    rules::{Rules, Step},
    value::{ILLEGAL, MAX_PLIES, OPEN, Value},
};
use ign_format::error::{Error, Result};

/// The value of every position of one endgame.
#[derive(Debug)]
pub struct Table {
    material: Material,
    fold: Fold,
    /// By the side to move, Black first; then by the number of the position.
    values: [Vec<u8>; 2],
}

/// A position of a table with the side to move: its number, doubled, and one for White.
type Place = u32;

/// Positions below which a step is not worth a thread.
const A_THREAD: usize = 1 << 12;

impl Table {
    /// The men.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// What a position is worth; none if it is illegal.
    pub fn value(&self, squares: Squares, turn: Color) -> Option<Value> {
        Value::from_byte(self.byte(squares, turn))
    }

    /// The same as its byte, [`ILLEGAL`] if it is.
    pub fn byte(&self, squares: Squares, turn: Color) -> u8 {
        let folded = self.fold.fold(squares, WHITE_KING);
        self.values[turn as usize][number(&self.fold, self.material.men().len(), folded)]
    }

    /// A position of the longest win of the side to move, or of its longest loss: the first in
    /// the order of numbers. None if there is none.
    pub fn longest(&self, turn: Color, win: bool) -> Option<Squares> {
        let values = &self.values[turn as usize];
        let wanted = |&(_, &byte): &(usize, &u8)| match Value::from_byte(byte) {
            Some(Value::Win(_)) => win,
            Some(Value::Loss(_)) => !win,
            _ => false,
        };
        let longest = values.iter().enumerate().filter(wanted).rev();
        let (number, _) = longest.max_by_key(|(_, byte)| **byte)?;
        Some(squares(&self.fold, self.material.men().len(), number))
    }

    /// Solves an endgame. `leave` tells what a move is worth, to the other side, that takes or
    /// promotes and so leads to other men; `told` hears of each half-move.
    ///
    /// # Errors
    /// Internal when a mate takes more half-moves than a value holds.
    pub fn solve(
        material: &Material,
        threads: usize,
        leave: &(impl Fn(&Step) -> Value + Sync),
        told: &dyn Fn(u8),
    ) -> Result<Self> {
        let mut solver = Solver::new(material, threads, leave);
        let mut waiting = solver.begin();
        let mut decided = Vec::new();
        for plies in 0..=MAX_PLIES {
            told(plies);
            let due = std::mem::take(&mut waiting.by_plies[usize::from(plies)]);
            decided = solver.decide(plies, &decided, &due, &mut waiting);
            let mut more = waiting.by_plies[usize::from(plies) + 1..].iter();
            if decided.is_empty() && !waiting.more && more.all(Vec::is_empty) {
                let Solver { fold, values, .. } = solver;
                let plain =
                    |values: Vec<AtomicU8>| values.into_iter().map(AtomicU8::into_inner).collect();
                return Ok(Self {
                    material: material.clone(),
                    fold,
                    values: values.map(plain),
                });
            }
        }
        Err(Error::internal(format!(
            "a mate of {material} takes too many moves"
        )))
    }
}

/// The number of a folded position.
fn number(fold: &Fold, men: usize, folded: Squares) -> usize {
    let king = fold.number(folded[WHITE_KING]);
    let others = folded[1..men].iter();
    others.fold(king, |number, &square| number << 6 | usize::from(square))
}

/// The position of a number.
fn squares(fold: &Fold, men: usize, mut number: usize) -> Squares {
    let mut squares = Squares::default();
    for square in squares[1..men].iter_mut().rev() {
        *square = (number & 63) as u8;
        number >>= 6;
    }
    squares[WHITE_KING] = fold.corner()[number];
    squares
}

struct Solver<'a, L> {
    rules: Rules,
    men: usize,
    fold: Fold,
    values: [Vec<AtomicU8>; 2],
    threads: usize,
    leave: &'a L,
}

/// Positions that wait for their half-move.
struct Waiting {
    by_plies: Vec<Vec<Place>>,
    /// Positions with a double step that can be answered in passing. What it leads to is none of
    /// the table's positions, so that nothing leads back here: they are looked at every time.
    watched: Vec<Place>,
    /// Some of these will be decided though nothing else is.
    more: bool,
}

impl Waiting {
    fn new() -> Self {
        Self {
            by_plies: vec![Vec::new(); usize::from(u8::MAX) + 1],
            watched: Vec::new(),
            more: false,
        }
    }

    fn add(&mut self, other: Self) {
        for (all, more) in self.by_plies.iter_mut().zip(other.by_plies) {
            all.extend(more);
        }
        self.watched.extend(other.watched);
    }
}

impl<'a, L: Fn(&Step) -> Value + Sync> Solver<'a, L> {
    fn new(material: &Material, threads: usize, leave: &'a L) -> Self {
        let men = material.men();
        let fold = Fold::new(material.has_pawns());
        let positions = fold.corner().len() << (6 * (men.len() - 1));
        let open = || (0..positions).map(|_| AtomicU8::new(OPEN)).collect();
        Self {
            rules: Rules::new(men),
            men: men.len(),
            fold,
            values: [open(), open()],
            threads: threads.max(1),
            leave,
        }
    }

    fn place(&self, folded: Squares, turn: Color) -> Place {
        (number(&self.fold, self.men, folded) << 1) as u32 | turn as u32
    }

    fn at(&self, place: Place) -> (Squares, Color) {
        let turn = Color::from_white(place & 1 == 1);
        (squares(&self.fold, self.men, (place >> 1) as usize), turn)
    }

    fn byte(&self, place: Place) -> &AtomicU8 {
        &self.values[(place & 1) as usize][(place >> 1) as usize]
    }

    /// Splits work among the threads; results in the order of their parts.
    fn share<T: Send>(
        &self,
        len: usize,
        work: impl Fn(std::ops::Range<usize>) -> T + Sync,
    ) -> Vec<T> {
        let parts = self.threads.min(len / A_THREAD + 1);
        let part = |i: usize| len * i / parts..len * (i + 1) / parts;
        let work = &work;
        thread::scope(|scope| {
            let others: Vec<_> = (1..parts)
                .map(|i| scope.spawn(move || work(part(i))))
                .collect();
            let first = work(part(0));
            let joined = others.into_iter().map(|thread| match thread.join() {
                Ok(done) => done,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            std::iter::once(first).chain(joined).collect()
        })
    }

    /// Marks what is illegal, and finds out which positions decide themselves, and when: mates,
    /// and those where a move leaves the table.
    fn begin(&mut self) -> Waiting {
        let parts = self.share(self.values[0].len() * 2, |places| {
            let mut waiting = Waiting::new();
            for place in places {
                self.look_at(place as Place, &mut waiting);
            }
            waiting
        });
        let mut all = Waiting::new();
        parts.into_iter().for_each(|part| all.add(part));
        all
    }

    fn look_at(&self, place: Place, waiting: &mut Waiting) {
        let (squares, turn) = self.at(place);
        if !self.rules.is_legal(squares, turn) {
            self.byte(place).store(ILLEGAL, Ordering::Relaxed);
            return;
        }
        let (mut stays, mut leaves, mut watched) = (false, false, false);
        let mut win = None;
        let mut longest = 0;
        _ = self.rules.each_move(squares, turn, |step| {
            watched |= step.taker.is_some();
            if step.taken.is_none() && step.promotion.is_none() {
                stays = true;
                return ControlFlow::Continue(());
            }
            leaves = true;
            match (self.leave)(&step).before() {
                Value::Win(plies) => win = Some(win.map_or(plies, |least: u8| least.min(plies))),
                Value::Loss(plies) => longest = longest.max(plies),
                Value::Draw => longest = u8::MAX,
            }
            ControlFlow::Continue(())
        });
        if watched {
            waiting.watched.push(place);
        }
        let mut wait = |plies: u8| waiting.by_plies[usize::from(plies)].push(place);
        match win {
            Some(plies) => wait(plies),
            None if stays => {}
            None if leaves && longest < u8::MAX => wait(longest),
            None if leaves => {}
            None if self.rules.in_check(squares, turn) => wait(0),
            None => {}
        }
    }

    /// Decides all positions so many half-moves from mate, from those decided one half-move
    /// before and those that were waiting for this one.
    fn decide(
        &self,
        plies: u8,
        last: &[Place],
        due: &[Place],
        waiting: &mut Waiting,
    ) -> Vec<Place> {
        let from_last = self.share(last.len(), |part| {
            let mut found = Found::new(plies);
            for &place in &last[part] {
                let (squares, turn) = self.at(place);
                self.rules.each_unmove(squares, !turn, |before| {
                    let folded = self.fold.fold(before, WHITE_KING);
                    self.consider(self.place(folded, !turn), &mut found);
                    if let Some(twin) = self.fold.twin(folded, WHITE_KING) {
                        self.consider(self.place(twin, !turn), &mut found);
                    }
                });
            }
            found
        });
        let looked_at = [due, &waiting.watched[..]].map(|list| {
            self.share(list.len(), |part| {
                let mut found = Found::new(plies);
                for &place in &list[part] {
                    match self.decides_at(place) {
                        _ if !self.is_open(place) => {}
                        Some(now) if now == plies => self.settle(place, &mut found),
                        Some(later) => found.more |= later > plies,
                        None => {}
                    }
                }
                found
            })
        });
        let mut decided = Vec::new();
        waiting.more = false;
        for found in from_last.into_iter().chain(looked_at.into_iter().flatten()) {
            decided.extend(found.decided);
            waiting.more |= found.more;
            for (later, place) in found.later {
                waiting.by_plies[usize::from(later)].push(place);
            }
        }
        decided
    }

    fn is_open(&self, place: Place) -> bool {
        self.byte(place).load(Ordering::Relaxed) == OPEN
    }

    /// Decides a position, unless another has done so.
    fn settle(&self, place: Place, found: &mut Found) {
        let byte = Value::mate(found.plies).to_byte();
        let before =
            self.byte(place)
                .compare_exchange(OPEN, byte, Ordering::Relaxed, Ordering::Relaxed);
        if before.is_ok() {
            found.decided.push(place);
        }
    }

    /// A position from which a move leads to one that was decided last.
    fn consider(&self, place: Place, found: &mut Found) {
        if !self.is_open(place) {
            return;
        }
        if found.plies % 2 == 1 {
            // A move to what is lost is enough, and no quicker one was found.
            return self.settle(place, found);
        }
        match self.decides_at(place) {
            Some(plies) if plies == found.plies => self.settle(place, found),
            // A way out lasts longer.
            Some(plies) if plies > found.plies && plies.is_multiple_of(2) => {
                found.later.push((plies, place));
            }
            _ => {}
        }
    }

    /// In how many half-moves the position is decided by all that is known now: a win by the
    /// quickest move known, or a loss when every move is known to lose.
    fn decides_at(&self, place: Place) -> Option<u8> {
        let (squares, turn) = self.at(place);
        let (mut best, mut any) = (Value::Loss(0), false);
        _ = self.rules.each_move(squares, turn, |step| {
            let value = self.after(&step, turn).before();
            best = if any { best.better(value) } else { value };
            any = true;
            ControlFlow::Continue(())
        });
        match best {
            // Mate, or, not decided by any half-move, stalemate.
            _ if !any => self.rules.in_check(squares, turn).then_some(0),
            Value::Draw => None,
            Value::Win(plies) | Value::Loss(plies) => Some(plies),
        }
    }

    /// What a move is worth to the other side, as far as it is known; a draw if it is not.
    fn after(&self, step: &Step, turn: Color) -> Value {
        if step.taken.is_some() || step.promotion.is_some() {
            return (self.leave)(step);
        }
        let folded = self.fold.fold(step.squares, WHITE_KING);
        let byte = self.byte(self.place(folded, !turn)).load(Ordering::Relaxed);
        let value = Value::from_byte(byte).expect("a legal move leads to a legal position");
        let passing = step
            .taker
            .and_then(|taker| self.rules.in_passing(step, taker));
        let Some(passing) = passing else {
            return value;
        };
        let taking = (self.leave)(&passing).before();
        let has_moves = self
            .rules
            .each_move(step.squares, !turn, |_| ControlFlow::Break(()));
        if has_moves.is_break() {
            value.better(taking)
        } else {
            taking
        }
    }
}

/// What a part of a half-move's work found.
struct Found {
    plies: u8,
    decided: Vec<Place>,
    /// Some that were looked at are decided later.
    more: bool,
    /// Positions to be decided later, with their half-moves.
    later: Vec<(u8, Place)>,
}

impl Found {
    fn new(plies: u8) -> Self {
        Self {
            plies,
            decided: Vec::new(),
            more: false,
            later: Vec::new(),
        }
    }
}
