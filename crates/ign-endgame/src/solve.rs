//! Retrograde analysis: computes the value of every position of an endgame.
//!
//! Positions are decided in the order of their distance from mate. Iteration 0 decides the
//! checkmates. Iteration `n` takes back one move from every position that iteration `n − 1`
//! decided:
//!
//! * For odd `n`, a position with a move to a position that is lost in `n − 1` is won in `n`.
//! * For even `n`, a position whose moves all lead to positions won for the opponent, the last of
//!   them in `n − 1`, is lost in `n`.
//!
//! Captures and promotions lead to other tables, which are solved before. A position that such a
//! move decides waits in a list for its iteration. Positions that are never decided are draws.
//!
//! Positions are folded by the white king ([`Fold`](super::fold::Fold)).
//!
//! Invariant: after iteration `n` exactly the positions at most `n` plies from mate are decided.
//! The result is therefore independent of the order within an iteration and of the number of
//! threads. Within an iteration threads set values with atomic compare-and-exchange.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicU8, Ordering},
};

use rayon::prelude::*;
use shakmaty::Color;

use super::{
    error::{Error, Result},
    fold::Squares,
    material::{Material, WHITE_KING},
    rules::{Rules, Step},
    table::{Layout, Table},
    value::{ILLEGAL, MAX_PLIES, OPEN, Value},
};

/// A position of a table with the side to move: twice its index, plus 1 if White is to move.
type Node = u32;

/// The fewest positions that are worth a task of their own.
const MIN_TASK: usize = 1 << 12;

/// Solves an endgame. `leave` returns the value, for the opponent, of the position after a capture
/// or promotion; `progress` is called with the number of each iteration.
///
/// # Errors
/// [`Internal`](super::ErrorKind::Internal) if a mate is longer than a [`Value`] can store.
pub fn solve(
    material: &Material,
    leave: &(impl Fn(&Step) -> Value + Sync),
    progress: &dyn Fn(u8),
) -> Result<Table> {
    let solver = Solver::new(material, leave);
    let mut waiting = solver.classify_all();
    let mut decided = Vec::new();
    for plies in 0..=MAX_PLIES {
        progress(plies);
        let due = std::mem::take(&mut waiting.by_plies[usize::from(plies)]);
        decided = solver.iterate(plies, &decided, &due, &mut waiting);
        let mut later = waiting.by_plies[usize::from(plies) + 1..].iter();
        if decided.is_empty() && !waiting.watched_pending && later.all(Vec::is_empty) {
            let Solver { layout, values, .. } = solver;
            let plain =
                |values: Vec<AtomicU8>| values.into_iter().map(AtomicU8::into_inner).collect();
            return Ok(Table::new(material.clone(), layout, values.map(plain)));
        }
    }
    Err(Error::internal(format!(
        "a mate of {material} takes more than {MAX_PLIES} plies"
    )))
}

struct Solver<'a, L> {
    rules: Rules,
    layout: Layout,
    /// Values as bytes by the side to move, Black first, then by index; [`OPEN`] if undecided.
    values: [Vec<AtomicU8>; 2],
    leave: &'a L,
}

/// Positions that a later iteration decides or may decide.
struct Waiting {
    /// Positions that captures or promotions decide, by the iteration that does it.
    by_plies: Vec<Vec<Node>>,
    /// Positions with a double pawn step that can be answered en passant. No table has the
    /// position after the step, so taking back moves never leads here: every iteration evaluates
    /// these positions.
    watched: Vec<Node>,
    /// Whether a later iteration decides a watched position by the values known so far.
    watched_pending: bool,
}

impl Waiting {
    fn new() -> Self {
        Self {
            by_plies: vec![Vec::new(); usize::from(u8::MAX) + 1],
            watched: Vec::new(),
            watched_pending: false,
        }
    }

    fn merge(mut self, other: Self) -> Self {
        for (all, more) in self.by_plies.iter_mut().zip(other.by_plies) {
            all.extend(more);
        }
        self.watched.extend(other.watched);
        self
    }
}

impl<'a, L: Fn(&Step) -> Value + Sync> Solver<'a, L> {
    fn new(material: &Material, leave: &'a L) -> Self {
        let layout = Layout::new(material);
        let open = || (0..layout.len()).map(|_| AtomicU8::new(OPEN)).collect();
        Self {
            rules: Rules::new(material.pieces()),
            values: [open(), open()],
            layout,
            leave,
        }
    }

    fn node(&self, folded: Squares, turn: Color) -> Node {
        (self.layout.index(folded) << 1) as u32 | turn as u32
    }

    fn position(&self, node: Node) -> (Squares, Color) {
        let turn = Color::from_white(node & 1 == 1);
        (self.layout.squares((node >> 1) as usize), turn)
    }

    fn byte(&self, node: Node) -> &AtomicU8 {
        &self.values[(node & 1) as usize][(node >> 1) as usize]
    }

    /// Marks illegal positions, and finds the checkmates and the positions that captures or
    /// promotions decide.
    fn classify_all(&self) -> Waiting {
        (0..2 * self.layout.len())
            .into_par_iter()
            .with_min_len(MIN_TASK)
            .fold(Waiting::new, |mut waiting, node| {
                self.classify(node as Node, &mut waiting);
                waiting
            })
            .reduce(Waiting::new, Waiting::merge)
    }

    fn classify(&self, node: Node, waiting: &mut Waiting) {
        let (squares, turn) = self.position(node);
        if !self.rules.is_legal(squares, turn) {
            self.byte(node).store(ILLEGAL, Ordering::Relaxed);
            return;
        }
        let (mut stays, mut leaves, mut watched) = (false, false, false);
        let mut win = None;
        let mut longest = 0;
        _ = self.rules.each_move(squares, turn, |step| {
            watched |= step.en_passant_capturer.is_some();
            if step.captured.is_none() && step.promotion.is_none() {
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
            waiting.watched.push(node);
        }
        let mut wait = |plies: u8| waiting.by_plies[usize::from(plies)].push(node);
        match win {
            Some(plies) => wait(plies),
            None if stays => {}
            None if leaves && longest < u8::MAX => wait(longest),
            None if leaves => {}
            None if self.rules.in_check(squares, turn) => wait(0),
            None => {}
        }
    }

    /// Decides all positions `plies` from mate, given those that the previous iteration decided and
    /// those that waited for this one. Returns them.
    fn iterate(&self, plies: u8, last: &[Node], due: &[Node], waiting: &mut Waiting) -> Vec<Node> {
        let from_last = each(last, plies, |node, found| {
            let (squares, turn) = self.position(node);
            self.rules.each_unmove(squares, !turn, |before| {
                let folded = self.layout.fold.fold(before, WHITE_KING);
                self.decide_predecessor(self.node(folded, !turn), found);
                if let Some(twin) = self.layout.fold.twin(folded, WHITE_KING) {
                    self.decide_predecessor(self.node(twin, !turn), found);
                }
            });
        });
        let [from_due, from_watched] = [due, &waiting.watched[..]].map(|nodes| {
            each(nodes, plies, |node, found| {
                if !self.is_open(node) {
                    return;
                }
                match self.distance(node) {
                    Some(now) if now == plies => self.decide(node, found),
                    Some(later) => found.pending |= later > plies,
                    None => {}
                }
            })
        });
        let found = from_last.merge(from_due).merge(from_watched);
        waiting.watched_pending = found.pending;
        for (later, node) in found.later {
            waiting.by_plies[usize::from(later)].push(node);
        }
        found.decided
    }

    fn is_open(&self, node: Node) -> bool {
        self.byte(node).load(Ordering::Relaxed) == OPEN
    }

    /// Decides a position in this iteration, unless another task has just done so.
    fn decide(&self, node: Node, found: &mut Found) {
        let byte = Value::mate(found.plies).to_byte();
        let before =
            self.byte(node)
                .compare_exchange(OPEN, byte, Ordering::Relaxed, Ordering::Relaxed);
        if before.is_ok() {
            found.decided.push(node);
        }
    }

    /// Decides, if possible, a position with a move to a position of the previous iteration.
    fn decide_predecessor(&self, node: Node, found: &mut Found) {
        if !self.is_open(node) {
            return;
        }
        if found.plies % 2 == 1 {
            // One move to a lost position suffices, and no quicker one exists.
            return self.decide(node, found);
        }
        match self.distance(node) {
            Some(plies) if plies == found.plies => self.decide(node, found),
            // A capture or promotion delays the loss.
            Some(plies) if plies > found.plies && plies.is_multiple_of(2) => {
                found.later.push((plies, node));
            }
            _ => {}
        }
    }

    /// The distance to mate of a position by the values known so far: of the quickest known win, or
    /// of the loss if every move is known to lose.
    fn distance(&self, node: Node) -> Option<u8> {
        let (squares, turn) = self.position(node);
        let (mut best, mut any) = (Value::Loss(0), false);
        _ = self.rules.each_move(squares, turn, |step| {
            let value = self.value_after(&step, turn).before();
            best = if any { best.better(value) } else { value };
            any = true;
            ControlFlow::Continue(())
        });
        match best {
            // No moves: checkmate or stalemate.
            _ if !any => self.rules.in_check(squares, turn).then_some(0),
            Value::Draw => None,
            Value::Win(plies) | Value::Loss(plies) => Some(plies),
        }
    }

    /// The value, for the opponent, of the position after a move; a draw while it is undecided.
    fn value_after(&self, step: &Step, turn: Color) -> Value {
        if step.captured.is_some() || step.promotion.is_some() {
            return (self.leave)(step);
        }
        let folded = self.layout.fold.fold(step.squares, WHITE_KING);
        let byte = self.byte(self.node(folded, !turn)).load(Ordering::Relaxed);
        let value = Value::from_byte(byte).expect("a legal move leads to a legal position");
        let capture = step
            .en_passant_capturer
            .and_then(|capturer| self.rules.en_passant(step, capturer));
        let Some(capture) = capture else {
            return value;
        };
        let capturing = (self.leave)(&capture).before();
        let has_moves = self
            .rules
            .each_move(step.squares, !turn, |_| ControlFlow::Break(()));
        if has_moves.is_break() {
            value.better(capturing)
        } else {
            capturing
        }
    }
}

/// What one iteration, or a task of it, has found.
struct Found {
    /// The number of the iteration.
    plies: u8,
    /// Positions that it has decided.
    decided: Vec<Node>,
    /// Whether a watched or due position is decided by a later iteration.
    pending: bool,
    /// Positions for the waiting lists, with their iterations.
    later: Vec<(u8, Node)>,
}

impl Found {
    fn new(plies: u8) -> Self {
        Self {
            plies,
            decided: Vec::new(),
            pending: false,
            later: Vec::new(),
        }
    }

    fn merge(mut self, other: Self) -> Self {
        self.decided.extend(other.decided);
        self.pending |= other.pending;
        self.later.extend(other.later);
        self
    }
}

/// Runs `work` on each position in parallel and collects what it finds.
fn each(nodes: &[Node], plies: u8, work: impl Fn(Node, &mut Found) + Sync) -> Found {
    nodes
        .par_iter()
        .with_min_len(MIN_TASK)
        .fold(
            || Found::new(plies),
            |mut found, &node| {
                work(node, &mut found);
                found
            },
        )
        .reduce(|| Found::new(plies), Found::merge)
}
