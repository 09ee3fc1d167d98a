//! The move model in floating point: logits, losses and gradients.
//!
//! The network has one hidden layer over the inputs of a position. Hidden units are clipped to 0..1
//! and multiplied in pairs, which gives the activations. The logit of a choice (a legal move, or
//! the end of the game) is the dot product of the activations with the sum of its output rows, plus
//! the bias of its own row, plus the scores of its feature table entries.

use ign_format::model::{
    History,
    choices::Choices,
    features::PositionFeatures,
    inputs::MAX_INPUTS,
    parameters::{FEATURE_SCORES, HIDDEN_BIASES, OUTPUT_BIASES, OUTPUT_WEIGHTS},
    shape::{self, ACTIVATIONS, HIDDEN_UNITS},
};
use ign_format::pgn::game_state::GameState;
use ign_notation::{
    Game as _,
    chess::{Legal, Move, rules::Board as _},
};

use crate::{games::Game, random::Random};

/// Number of partial sums of a dot product, equal on every machine.
const LANES: usize = 16;

/// Choices whose gradient is smaller than this are skipped: most choices of most positions.
const NEGLIGIBLE: f32 = 5e-4;

/// The cross-entropy of games, in bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loss {
    /// Bits of the moves, which include that the game continues.
    pub moves: f64,
    /// Bits of the ends of games.
    pub ends: f64,
    /// Plies.
    pub plies: u64,
    /// Games.
    pub games: u64,
    /// Number of moves played that had the highest logit.
    pub first: u64,
}

impl Loss {
    /// Adds another loss.
    pub fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.ends += other.ends;
        self.plies += other.plies;
        self.games += other.games;
        self.first += other.first;
    }

    /// Bits per ply, ends included.
    pub fn bits(&self) -> f64 {
        (self.moves + self.ends) / self.plies as f64
    }
}

/// The parameters that contribute to the logit of a choice.
#[derive(Debug)]
struct Seen {
    /// Its output rows, its own first.
    rows: Vec<usize>,
    /// Its feature table entries.
    traits: Vec<usize>,
    /// The sum of its rows.
    weights: [f32; ACTIVATIONS],
    /// Its logit, later its unnormalized probability.
    score: f32,
}

/// Computes losses and gradients; keeps its buffers between positions.
#[derive(Debug)]
pub struct Worker {
    inputs: Vec<usize>,
    moves: Vec<Move>,
    choices: Choices,
    /// The choices of the position: the moves, then the end. Entries after these are unused.
    seen: Vec<Seen>,
    units: [f32; HIDDEN_UNITS],
    active: [f32; ACTIVATIONS],
    /// The gradient with respect to the activations.
    towards: [f32; ACTIVATIONS],
    /// Probability that an activation is dropped in training.
    dropout: f32,
    /// Factor of each activation: 0 if it is dropped, else 1 / (1 - dropout).
    kept: [f32; ACTIVATIONS],
    random: Random,
}

impl Default for Worker {
    fn default() -> Self {
        Self {
            inputs: Vec::with_capacity(MAX_INPUTS),
            moves: Vec::new(),
            choices: Choices::default(),
            seen: Vec::new(),
            units: [0.0; HIDDEN_UNITS],
            active: [0.0; ACTIVATIONS],
            towards: [0.0; ACTIVATIONS],
            dropout: 0.0,
            kept: [1.0; ACTIVATIONS],
            random: Random(0),
        }
    }
}

impl Worker {
    /// A worker that drops activations at random when it computes gradients.
    pub fn dropping(dropout: f32, lot: u64) -> Self {
        Self {
            dropout,
            random: Random(lot),
            ..Self::default()
        }
    }

    /// Draws at random which activations are kept.
    fn draw(&mut self) {
        let limit = (self.dropout * 65536.0) as u64;
        let more = 1.0 / (1.0 - self.dropout);
        for four in self.kept.chunks_mut(4) {
            let drawn = self.random.draw();
            for (i, kept) in four.iter_mut().enumerate() {
                let out = drawn >> (16 * i) & 0xffff < limit;
                *kept = if out { 0.0 } else { more };
            }
        }
    }

    /// Plays through a game, and adds its loss to `loss` and its gradient, in nats, to `gradient`.
    pub fn game(
        &mut self,
        parameters: &[f32],
        game: &Game,
        loss: &mut Loss,
        mut gradient: Option<&mut [f32]>,
    ) {
        let mut state = game.state();
        for &played in &game.moves {
            // A null move is not a choice: the format stores it elsewhere.
            if !played.is_null() {
                let bits = self.choice(
                    parameters,
                    &state,
                    game.style,
                    Some(played),
                    gradient.as_deref_mut(),
                );
                loss.moves += f64::from(bits.0);
                loss.first += u64::from(bits.1);
            }
            state.play(played);
        }
        let bits = self.choice(parameters, &state, game.style, None, gradient);
        loss.ends += f64::from(bits.0);
        loss.plies += game.moves.len() as u64;
        loss.games += 1;
    }

    /// The cross-entropy of the choice in bits, and whether it had the highest logit. No move means
    /// that the game ends here.
    fn choice(
        &mut self,
        parameters: &[f32],
        state: &GameState,
        style: u8,
        played: Option<Move>,
        gradient: Option<&mut [f32]>,
    ) -> (f32, bool) {
        let GameState::Variant(game) = state else {
            return state.history().map_or((0.0, false), |line| {
                self.position(parameters, line, style, played, None, gradient)
            });
        };
        let legal = game.board().legal();
        let legal = legal.moves();
        match state.history() {
            _ if legal.is_empty() => (0.0, false),
            Some(line) => self.position(parameters, line, style, played, Some(legal), gradient),
            None => (((legal.len() + 1) as f32).log2(), false),
        }
    }

    /// [`choice`](Self::choice) in a position that the model predicts. `variant` are the legal
    /// moves of a variant, in order: the choices are those of them that chess has, which the
    /// softmax is over, and others, which have a third of the probability in equal parts and no
    /// gradient (spec §8.5.4).
    fn position(
        &mut self,
        parameters: &[f32],
        line: &History,
        style: u8,
        played: Option<Move>,
        variant: Option<&[Move]>,
        gradient: Option<&mut [f32]>,
    ) -> (f32, bool) {
        let legal = Legal::new(line.position());
        let origins = legal.list(&mut self.moves);
        if self.moves.is_empty() {
            let choices = variant.map_or(1, |legal| legal.len() + 1);
            return ((choices as f32).log2(), false);
        }
        let features = PositionFeatures::new(line, &legal);
        self.inputs.clear();
        features.inputs(style, |input| self.inputs.push(input));
        self.units
            .copy_from_slice(&parameters[HIDDEN_BIASES..][..HIDDEN_UNITS]);
        for &input in &self.inputs {
            let weights = &parameters[input * HIDDEN_UNITS..][..HIDDEN_UNITS];
            for (unit, weight) in self.units.iter_mut().zip(weights) {
                *unit += weight;
            }
        }
        let (left, right) = self.units.split_at(ACTIVATIONS);
        for i in 0..ACTIVATIONS {
            self.active[i] = left[i].clamp(0.0, 1.0) * right[i].clamp(0.0, 1.0);
        }
        if gradient.is_some() && self.dropout > 0.0 {
            self.draw();
            for (active, kept) in self.active.iter_mut().zip(&self.kept) {
                *active *= kept;
            }
        }

        features.choices(&self.moves, origins, &mut self.choices);
        for (number, choice) in self.choices.list().iter().enumerate() {
            let (rows, traits) = features.indices(choice);
            let seen = place(&mut self.seen, number);
            seen.look(parameters, &self.active, &rows, &traits);
        }
        let (row, traits) = features.end(style);
        let end = place(&mut self.seen, self.moves.len());
        end.look(parameters, &self.active, &[row], &traits);
        let seen = &mut self.seen[..self.moves.len() + 1];
        let mut others = 0;
        if let Some(legal) = variant {
            others = legal.len();
            for (seen, played) in seen.iter_mut().zip(&self.moves) {
                if legal.binary_search(played).is_ok() {
                    others -= 1;
                } else {
                    // Its probability is 0, and it gets no gradient.
                    seen.score = f32::NEG_INFINITY;
                }
            }
        }
        let target = match played {
            Some(played) => match self.moves.binary_search(&played) {
                Ok(target) => target,
                // Another move of a variant.
                Err(_) => return (((3 * others.max(1)) as f32).log2(), false),
            },
            None => self.moves.len(),
        };
        let highest = seen.iter().map(|seen| seen.score).fold(f32::MIN, f32::max);
        let was_first = seen[target].score == highest;
        let mut sum = 0.0;
        for seen in &mut *seen {
            seen.score = (seen.score - highest).exp();
            sum += seen.score;
        }
        let frequency = seen[target].score / sum;
        let mut bits = -frequency.max(1e-30).log2();
        if others > 0 {
            bits += 1.5f32.log2();
        }

        if let Some(gradient) = gradient {
            self.towards = [0.0; ACTIVATIONS];
            for (choice, seen) in seen.iter().enumerate() {
                let slope = seen.score / sum - f32::from(u8::from(choice == target));
                if slope.abs() < NEGLIGIBLE {
                    continue;
                }
                for i in 0..ACTIVATIONS {
                    self.towards[i] += slope * seen.weights[i];
                }
                for row in &seen.rows {
                    let slopes = &mut gradient[OUTPUT_WEIGHTS + row * ACTIVATIONS..][..ACTIVATIONS];
                    for (sum, active) in slopes.iter_mut().zip(&self.active) {
                        *sum += slope * active;
                    }
                }
                // Only the own row of a choice has a bias.
                gradient[OUTPUT_BIASES + seen.rows[0]] += slope;
                for entry in &seen.traits {
                    gradient[FEATURE_SCORES + entry] += slope;
                }
            }
            let mut slopes = [0.0; HIDDEN_UNITS];
            for i in 0..ACTIVATIONS {
                self.towards[i] *= self.kept[i];
                let (a, b) = (self.units[i], self.units[ACTIVATIONS + i]);
                let within = |unit: f32| f32::from(u8::from(unit > 0.0 && unit < 1.0));
                slopes[i] = self.towards[i] * b.clamp(0.0, 1.0) * within(a);
                slopes[ACTIVATIONS + i] = self.towards[i] * a.clamp(0.0, 1.0) * within(b);
            }
            for &input in &self.inputs {
                let sums = &mut gradient[input * HIDDEN_UNITS..][..HIDDEN_UNITS];
                for (sum, slope) in sums.iter_mut().zip(&slopes) {
                    *sum += slope;
                }
            }
            for (sum, slope) in gradient[HIDDEN_BIASES..][..HIDDEN_UNITS]
                .iter_mut()
                .zip(&slopes)
            {
                *sum += slope;
            }
        }
        (bits, was_first)
    }
}

/// The entry of a choice, added if it is the next one.
fn place(seen: &mut Vec<Seen>, choice: usize) -> &mut Seen {
    if seen.len() == choice {
        seen.push(Seen {
            rows: Vec::new(),
            traits: Vec::new(),
            weights: [0.0; ACTIVATIONS],
            score: 0.0,
        });
    }
    &mut seen[choice]
}

impl Seen {
    /// Computes the logit of a choice from its output rows, its own first, and its table entries.
    fn look(
        &mut self,
        parameters: &[f32],
        active: &[f32; ACTIVATIONS],
        rows: &[usize],
        traits: &[usize],
    ) {
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        self.traits.clear();
        self.traits.extend_from_slice(traits);
        self.weights = [0.0; ACTIVATIONS];
        for row in rows {
            let more = &parameters[OUTPUT_WEIGHTS + row * ACTIVATIONS..][..ACTIVATIONS];
            for (sum, weight) in self.weights.iter_mut().zip(more) {
                *sum += weight;
            }
        }
        self.score = dot(active, &self.weights) + parameters[OUTPUT_BIASES + rows[0]];
        for entry in traits {
            self.score += parameters[FEATURE_SCORES + entry];
        }
    }
}

/// A dot product, summed in lanes so that the order of additions is the same on every machine.
fn dot(a: &[f32; ACTIVATIONS], b: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for i in 0..LANES {
            lanes[i] += a[i] * b[i];
        }
    }
    let mut sum = 0.0;
    for lane in lanes {
        sum += lane;
    }
    sum
}

/// Whether a parameter belongs to a sparse table: one whose entries each occur rarely.
pub fn is_sparse(parameter: usize) -> bool {
    parameter >= FEATURE_SCORES && shape::is_sparse(parameter - FEATURE_SCORES)
}
