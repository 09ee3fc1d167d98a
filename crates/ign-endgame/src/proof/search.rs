//! The search for the shortest game, from both ends.
//!
//! For each length in turn, the shortest that could be first: layers of positions grow from the
//! start forwards and from the goal backwards, half-move by half-move, the smaller one first,
//! until one half-move is left between them. Positions from which the moves that are left cannot
//! suffice are left out ([`bound`](super::bound)), and so are those that were there before: once
//! no shorter game exists, every position of a shortest game is as far from both ends as it can be.
//!
//! Invariant: if no limit was met, a game is found for the least length that has one.

use std::collections::{HashMap, hash_map::Entry};

use rustc_hash::FxBuildHasher;
use shakmaty::Color;

use super::{
    bound::{fits, needed},
    packed::{Packed, pack, unpack},
    retro::predecessors,
};
use ign_notation::chess::{Legal, Move, Position};

/// How far a search may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The longest game, in half-moves.
    pub plies: u32,
    /// Positions looked at.
    pub positions: u64,
    /// Bytes for positions that are kept.
    pub memory: u64,
}

/// What ended a search early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Positions looked at.
    Positions,
    /// Bytes for positions that are kept.
    Memory,
}

/// What a search came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A shortest game.
    Found(Vec<Move>),
    /// Every game that reaches the position has more half-moves than the limit.
    NoneWithin(u32),
    /// No game reaches it, however long.
    Never,
    /// A limit ended the search: every game has at least so many half-moves.
    Undecided(u32, Limit),
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stage {
    /// Half-moves of the games looked for now.
    pub plies: u32,
    /// Half-moves gone forwards and backwards.
    pub gone: (u32, u32),
    /// Positions looked at, of all lengths.
    pub positions: u64,
}

/// Bytes that a position kept takes: its entry and the list's, with the room that both leave.
const POSITION_BYTES: u64 = 96;
/// How many times more positions lie before a position than behind it, roughly.
const BACKWARDS: usize = 2;

/// A shortest game from the usual start to `goal`, and how many positions were looked at.
pub fn shortest(goal: &Position, limits: Limits, told: &dyn Fn(Stage)) -> (Outcome, u64) {
    let start = Position::default();
    let Some(least) = needed(&start, goal) else {
        return (Outcome::Never, 0);
    };
    let mut search = Search {
        goal: *goal,
        start,
        limits,
        positions: 0,
        told,
    };
    // White begins: with him to move the number is even.
    let mut plies = u32::from(goal.turn().is_black());
    while !fits(least, Color::White, plies) {
        plies += 2;
    }
    while plies <= limits.plies {
        match search.of_length(plies) {
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
    told: &'a dyn Fn(Stage),
}

/// Positions from one end on, layer by layer.
struct Front {
    /// Every position with the number of that towards its end; and all of the last layers.
    nodes: Vec<(Packed, u32)>,
    /// Where the last layer begins.
    last: usize,
    /// Half-moves from the end.
    plies: u32,
    /// Numbers of positions, by whose turn it is.
    numbers: [HashMap<Packed, u32, FxBuildHasher>; 2],
}

impl Front {
    fn new(position: &Position) -> Self {
        let mut front = Self {
            nodes: Vec::new(),
            last: 0,
            plies: 0,
            numbers: [HashMap::default(), HashMap::default()],
        };
        front.add(position, 0);
        front
    }

    fn add(&mut self, position: &Position, from: u32) {
        let packed = pack(position);
        if let Entry::Vacant(entry) = self.numbers[position.turn() as usize].entry(packed) {
            entry.insert(self.nodes.len() as u32);
            self.nodes.push((packed, from));
        }
    }

    fn layer(&self) -> usize {
        self.nodes.len() - self.last
    }

    fn bytes(&self) -> u64 {
        self.nodes.len() as u64 * POSITION_BYTES
    }

    /// The positions from a number to the end.
    fn way(&self, mut number: u32) -> Vec<Packed> {
        let mut way = vec![self.nodes[number as usize].0];
        while number != 0 {
            number = self.nodes[number as usize].1;
            way.push(self.nodes[number as usize].0);
        }
        way
    }
}

impl Search<'_> {
    /// A game of just so many half-moves, if there is one; none shorter exists.
    fn of_length(&mut self, plies: u32) -> Result<Option<Vec<Move>>, Limit> {
        let (mut ahead, mut back) = (Front::new(&self.start), Front::new(&self.goal));
        if plies == 0 {
            return Ok((pack(&self.start) == pack(&self.goal)).then(Vec::new));
        }
        while ahead.plies + back.plies + 1 < plies {
            let stage = Stage {
                plies,
                gone: (ahead.plies, back.plies),
                positions: self.positions,
            };
            (self.told)(stage);
            if ahead.layer() <= back.layer().saturating_mul(BACKWARDS) {
                self.go_ahead(&mut ahead, plies, back.bytes())?;
            } else {
                self.go_back(&mut back, plies, ahead.bytes())?;
            }
            if ahead.layer() == 0 || back.layer() == 0 {
                return Ok(None);
            }
        }
        self.meet(&ahead, &back)
    }

    /// Counts a position, and says if a limit is met.
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

    fn go_ahead(&mut self, front: &mut Front, plies: u32, others: u64) -> Result<(), Limit> {
        let turn = turn_after(front.plies);
        let left = plies - front.plies - 1;
        let layer = front.last..front.nodes.len();
        front.last = layer.end;
        front.plies += 1;
        for number in layer {
            let position = unpack(front.nodes[number].0, turn);
            let goal = self.goal;
            Legal::new(&position).each_move(|played| {
                let mut next = position;
                next.play(played);
                if needed(&next, &goal).is_some_and(|needed| fits(needed, !turn, left)) {
                    front.add(&next, number as u32);
                }
            });
            self.count(front.bytes() + others)?;
        }
        Ok(())
    }

    fn go_back(&mut self, front: &mut Front, plies: u32, others: u64) -> Result<(), Limit> {
        let left = plies - front.plies - 1;
        let turn = turn_after(left + 1);
        let layer = front.last..front.nodes.len();
        front.last = layer.end;
        front.plies += 1;
        for number in layer {
            let position = unpack(front.nodes[number].0, turn);
            let start = self.start;
            predecessors(&position, &mut |before| {
                if needed(&start, &before).is_some_and(|needed| fits(needed, Color::White, left)) {
                    front.add(&before, number as u32);
                }
            });
            self.count(front.bytes() + others)?;
        }
        Ok(())
    }

    /// Looks for the move between the two fronts.
    fn meet(&mut self, ahead: &Front, back: &Front) -> Result<Option<Vec<Move>>, Limit> {
        let turn = turn_after(ahead.plies);
        for (number, (packed, _)) in ahead.nodes.iter().enumerate().skip(ahead.last) {
            let position = unpack(*packed, turn);
            let mut met = None;
            Legal::new(&position).each_move(|played| {
                let mut next = position;
                next.play(played);
                let other = back.numbers[!turn as usize].get(&pack(&next));
                let other = other.filter(|&&other| other as usize >= back.last);
                met = met.or(other.copied());
            });
            if let Some(met) = met {
                let mut way = ahead.way(number as u32);
                way.reverse();
                way.extend(back.way(met));
                return Ok(Some(moves(&way)));
            }
            self.count(0)?;
        }
        Ok(None)
    }
}

/// Whose turn it is after so many half-moves.
fn turn_after(plies: u32) -> Color {
    Color::from_white(plies.is_multiple_of(2))
}

/// The moves that lead along these positions.
fn moves(way: &[Packed]) -> Vec<Move> {
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
    way[1..].iter().map(step).collect()
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

    /// All positions by their distance from the start.
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
    fn distances_are_those_of_going_through_all_games() {
        for (plies, layer) in layers(5).iter().enumerate() {
            // All positions near the start, some of those farther away.
            let step = [1, 1, 1, 7, 401, 9001][plies];
            for position in layer.iter().step_by(step) {
                let fen = position.fen_fields();
                assert_eq!(length(position), plies, "{}", String::from_utf8_lossy(&fen));
            }
        }
    }

    #[test]
    fn as_many_positions_are_reached_as_others_count() {
        // Different positions after so many half-moves, also such as can be reached sooner.
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
    fn moves_taken_back_are_all_there_are() {
        // Whatever leads to a position is among those from which one comes by taking back.
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
