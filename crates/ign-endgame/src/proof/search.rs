//! Bidirectional breadth-first search for the shortest game.
//!
//! The lengths are tried in ascending order, from the lower bound on. For each, a front of
//! positions grows from the start forwards and one from the goal backwards, a ply at a time, the
//! smaller one first, until one ply is left between them. A front drops positions from which the
//! remaining plies do not suffice ([`bound`](super::bound)), and positions that it has seen
//! before: as no shorter game exists, no position of a shortest game is reached earlier.
//!
//! Invariant: if no limit ends the search, it finds a game of the least possible length.
//!
//! The search runs on one thread. Which of several shortest games it finds, and the position at
//! which a limit ends it, follow from the order in which positions are added to the fronts.

use std::collections::{HashMap, hash_map::Entry};

use rustc_hash::FxBuildHasher;
use shakmaty::Color;

use super::{
    bound::{fits, lower_bound},
    packed::{Packed, pack, unpack},
    retro::predecessors,
};
use ign_notation::chess::{Legal, Move, Position};

/// Limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The longest game in plies.
    pub plies: u32,
    /// Positions examined.
    pub positions: u64,
    /// Bytes for the positions of both fronts.
    pub memory: u64,
}

/// The limit that ended a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// [`Limits::positions`].
    Positions,
    /// [`Limits::memory`].
    Memory,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A shortest game.
    Found(Vec<Move>),
    /// Every game that reaches the position has more plies than this limit.
    NoneWithin(u32),
    /// No game reaches the position.
    Never,
    /// A limit ended the search. Every game has at least this many plies.
    Undecided(u32, Limit),
}

/// The progress of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The length tried, in plies.
    pub plies: u32,
    /// The depths of the forward and the backward front, in plies.
    pub depths: (u32, u32),
    /// Positions examined so far, for all lengths.
    pub positions: u64,
}

/// Memory of a position in a front: its entries in the map and in the list, with their spare
/// capacity.
const POSITION_BYTES: u64 = 96;
/// A position has about this many times as many predecessors as successors, so that the backward
/// front grows faster.
const BACKWARD_GROWTH: usize = 2;

/// Finds a shortest game from the standard starting position to `goal`. Returns the outcome and the
/// number of positions examined.
pub fn shortest(goal: &Position, limits: Limits, progress: &dyn Fn(Progress)) -> (Outcome, u64) {
    let start = Position::default();
    let Some(needed) = lower_bound(&start, goal) else {
        return (Outcome::Never, 0);
    };
    let mut search = Search {
        goal: *goal,
        start,
        limits,
        positions: 0,
        progress,
    };
    // The length is even if White is to move.
    let mut plies = u32::from(goal.turn().is_black());
    while !fits(needed, Color::White, plies) {
        plies += 2;
    }
    while plies <= limits.plies {
        match search.try_length(plies) {
            Ok(Some(moves)) => return (Outcome::Found(moves), search.positions),
            Ok(None) => plies += 2,
            Err(limit) => return (Outcome::Undecided(plies, limit), search.positions),
        }
    }
    (Outcome::NoneWithin(limits.plies), search.positions)
}

struct Search<'a> {
    start: Position,
    goal: Position,
    limits: Limits,
    positions: u64,
    progress: &'a dyn Fn(Progress),
}

/// The positions reached from one end, in layers of equal depth.
struct Front {
    /// Every position with the index of its neighbour towards the end; the last layer comes last.
    nodes: Vec<(Packed, u32)>,
    /// Start of the last layer.
    last: usize,
    /// Depth of the last layer in plies.
    depth: u32,
    /// Indices of positions, by the side to move.
    indices: [HashMap<Packed, u32, FxBuildHasher>; 2],
}

impl Front {
    fn new(position: &Position) -> Self {
        let mut front = Self {
            nodes: Vec::new(),
            last: 0,
            depth: 0,
            indices: [HashMap::default(), HashMap::default()],
        };
        front.add(position, 0);
        front
    }

    fn add(&mut self, position: &Position, neighbour: u32) {
        let packed = pack(position);
        if let Entry::Vacant(entry) = self.indices[position.turn() as usize].entry(packed) {
            entry.insert(self.nodes.len() as u32);
            self.nodes.push((packed, neighbour));
        }
    }

    fn layer_len(&self) -> usize {
        self.nodes.len() - self.last
    }

    fn bytes(&self) -> u64 {
        self.nodes.len() as u64 * POSITION_BYTES
    }

    /// The positions on the path from a position to the end.
    fn path(&self, mut index: u32) -> Vec<Packed> {
        let mut path = vec![self.nodes[index as usize].0];
        while index != 0 {
            index = self.nodes[index as usize].1;
            path.push(self.nodes[index as usize].0);
        }
        path
    }
}

impl Search<'_> {
    /// Finds a game of exactly `plies`, given that no shorter one exists.
    fn try_length(&mut self, plies: u32) -> Result<Option<Vec<Move>>, Limit> {
        let (mut forward, mut backward) = (Front::new(&self.start), Front::new(&self.goal));
        if plies == 0 {
            return Ok((pack(&self.start) == pack(&self.goal)).then(Vec::new));
        }
        while forward.depth + backward.depth + 1 < plies {
            (self.progress)(Progress {
                plies,
                depths: (forward.depth, backward.depth),
                positions: self.positions,
            });
            if forward.layer_len() <= backward.layer_len().saturating_mul(BACKWARD_GROWTH) {
                self.step_forward(&mut forward, plies, backward.bytes())?;
            } else {
                self.step_backward(&mut backward, plies, forward.bytes())?;
            }
            if forward.layer_len() == 0 || backward.layer_len() == 0 {
                return Ok(None);
            }
        }
        self.meet(&forward, &backward)
    }

    /// Counts an examined position and checks the limits, given the bytes of both fronts.
    fn count(&mut self, bytes: u64) -> Result<(), Limit> {
        self.positions += 1;
        if self.positions > self.limits.positions {
            return Err(Limit::Positions);
        }
        if bytes > self.limits.memory {
            return Err(Limit::Memory);
        }
        Ok(())
    }

    fn step_forward(
        &mut self,
        front: &mut Front,
        plies: u32,
        other_bytes: u64,
    ) -> Result<(), Limit> {
        let turn = turn_after(front.depth);
        let left = plies - front.depth - 1;
        let layer = front.last..front.nodes.len();
        front.last = layer.end;
        front.depth += 1;
        for index in layer {
            let position = unpack(front.nodes[index].0, turn);
            let goal = self.goal;
            Legal::new(&position).each_move(|played| {
                let mut next = position;
                next.play(played);
                if lower_bound(&next, &goal).is_some_and(|needed| fits(needed, !turn, left)) {
                    front.add(&next, index as u32);
                }
            });
            self.count(front.bytes() + other_bytes)?;
        }
        Ok(())
    }

    fn step_backward(
        &mut self,
        front: &mut Front,
        plies: u32,
        other_bytes: u64,
    ) -> Result<(), Limit> {
        let left = plies - front.depth - 1;
        let turn = turn_after(left + 1);
        let layer = front.last..front.nodes.len();
        front.last = layer.end;
        front.depth += 1;
        for index in layer {
            let position = unpack(front.nodes[index].0, turn);
            let start = self.start;
            predecessors(&position, &mut |before| {
                let needed = lower_bound(&start, &before);
                if needed.is_some_and(|needed| fits(needed, Color::White, left)) {
                    front.add(&before, index as u32);
                }
            });
            self.count(front.bytes() + other_bytes)?;
        }
        Ok(())
    }

    /// Finds a move from the last layer of one front to that of the other.
    fn meet(&mut self, forward: &Front, backward: &Front) -> Result<Option<Vec<Move>>, Limit> {
        let turn = turn_after(forward.depth);
        for (index, (packed, _)) in forward.nodes.iter().enumerate().skip(forward.last) {
            let position = unpack(*packed, turn);
            let mut met = None;
            Legal::new(&position).each_move(|played| {
                let mut next = position;
                next.play(played);
                let other = backward.indices[!turn as usize]
                    .get(&pack(&next))
                    .filter(|&&other| other as usize >= backward.last);
                met = met.or(other.copied());
            });
            if let Some(met) = met {
                let mut path = forward.path(index as u32);
                path.reverse();
                path.extend(backward.path(met));
                return Ok(Some(moves(&path)));
            }
            self.count(0)?;
        }
        Ok(None)
    }
}

/// The side to move after `plies` of a game.
fn turn_after(plies: u32) -> Color {
    Color::from_white(plies.is_multiple_of(2))
}

/// The moves of a path.
fn moves(path: &[Packed]) -> Vec<Move> {
    let mut position = Position::default();
    let step = |packed: &Packed| {
        let mut found = None;
        Legal::new(&position).each_move(|played| {
            let mut next = position;
            next.play(played);
            if pack(&next) == *packed {
                found = found.or(Some(played));
            }
        });
        let found = found.expect("a legal move leads from each position to the next");
        position.play(found);
        found
    };
    path[1..].iter().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const LIMITS: Limits = Limits {
        plies: 12,
        positions: 2_000_000,
        memory: 1 << 30,
    };

    /// All positions at each distance from the start, up to `plies`.
    fn layers(plies: usize) -> Vec<Vec<Position>> {
        let mut seen = HashSet::new();
        let mut layers = vec![vec![Position::default()]];
        for _ in 0..plies {
            let mut next = Vec::new();
            for position in layers.last().unwrap() {
                Legal::new(position).each_move(|played| {
                    let mut after = *position;
                    after.play(played);
                    if seen.insert((pack(&after), after.turn())) {
                        next.push(after);
                    }
                });
            }
            layers.push(next);
        }
        layers
    }

    fn length(goal: &Position) -> usize {
        let (outcome, _) = shortest(goal, LIMITS, &|_| {});
        let Outcome::Found(moves) = outcome else {
            panic!("{outcome:?}");
        };
        let mut position = Position::default();
        for &played in &moves {
            assert!(Legal::new(&position).contains(played));
            position.play(played);
        }
        assert_eq!(pack(&position), pack(goal));
        moves.len()
    }

    #[test]
    fn lengths_agree_with_exhaustive_search() {
        for (plies, layer) in layers(5).iter().enumerate() {
            // All positions near the start, a sample of the others.
            let step = [1, 1, 1, 7, 401, 9001][plies];
            for position in layer.iter().step_by(step) {
                let fen = position.fen_fields();
                assert_eq!(length(position), plies, "{}", String::from_utf8_lossy(&fen));
            }
        }
    }

    #[test]
    fn position_counts_agree_with_published_ones() {
        // Different positions after this many plies, including those reached sooner.
        let mut layer = HashSet::from([pack(&Position::default())]);
        for (plies, count) in [(0, 1), (1, 20), (2, 400), (3, 5_362), (4, 72_078)] {
            assert_eq!(layer.len(), count);
            let mut next = HashSet::new();
            for packed in &layer {
                let position = unpack(*packed, turn_after(plies));
                Legal::new(&position).each_move(|played| {
                    let mut after = position;
                    after.play(played);
                    next.insert(pack(&after));
                });
            }
            layer = next;
        }
    }

    #[test]
    fn predecessors_are_complete() {
        // Every position with a move to a position is among its predecessors.
        let layers = layers(4);
        for position in layers[3]
            .iter()
            .step_by(31)
            .chain(layers[4].iter().step_by(997))
        {
            let mut back = HashSet::new();
            predecessors(position, &mut |before| {
                back.insert(pack(&before));
            });
            let plies = if position.turn().is_white() { 3 } else { 2 };
            for before in &layers[plies] {
                let legal = Legal::new(before);
                let mut leads = false;
                legal.each_move(|played| {
                    let mut after = *before;
                    after.play(played);
                    leads |= pack(&after) == pack(position);
                });
                assert!(!leads || back.contains(&pack(before)));
            }
        }
    }
}
