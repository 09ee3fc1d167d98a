//! The model in floating point: scores, losses and gradients.
//!
//! The network has one layer over the position's inputs. Its units go in pairs, each unit cut to
//! 0..1 and the two multiplied; a choice's score is the product of these activations with its
//! row, plus its bias, plus its traits.

use ign::{
    chess::{Legal, Move},
    model::{
        Line, WIDTH,
        features::{
            self, ALL_ROWS, CONTEXTS, Choice, END_TRAITS, MAX_INPUTS, Scene, TRAIT_COUNT, TRAITS,
            input,
        },
    },
};

pub use ign::model::UNITS;

use crate::data::Game;

/// Lanes that are summed side by side, the same on every machine.
const LANES: usize = 16;

/// Where each part of the parameters begins.
pub const UNIT_WEIGHTS: usize = 0;
pub const UNIT_BIASES: usize = UNIT_WEIGHTS + input::COUNT * UNITS;
pub const ROW_WEIGHTS: usize = UNIT_BIASES + UNITS;
pub const ROW_BIASES: usize = ROW_WEIGHTS + ALL_ROWS * WIDTH;
pub const TRAIT_SCORES: usize = ROW_BIASES + ALL_ROWS;
pub const PARAMETERS: usize = TRAIT_SCORES + TRAIT_COUNT;

/// Gradients smaller than this are not followed: most choices of most positions.
const NEGLIGIBLE: f32 = 5e-4;

/// What games cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loss {
    /// Bits of moves, that the game goes on included.
    pub moves: f64,
    /// Bits of ends.
    pub ends: f64,
    pub plies: u64,
    pub games: u64,
    /// Moves that scored highest.
    pub first: u64,
}

impl Loss {
    pub fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.ends += other.ends;
        self.plies += other.plies;
        self.games += other.games;
        self.first += other.first;
    }

    /// Bits a ply, ends included.
    pub fn bits(&self) -> f64 {
        (self.moves + self.ends) / self.plies as f64
    }
}

/// The space to work in.
pub struct Worker {
    inputs: Vec<usize>,
    choices: Vec<Choice>,
    end: (usize, [usize; END_TRAITS]),
    summed: Vec<[f32; WIDTH]>,
    scores: Vec<f32>,
    units: [f32; UNITS],
    active: [f32; WIDTH],
    towards: [f32; WIDTH],
}

impl Default for Worker {
    fn default() -> Self {
        Self {
            inputs: Vec::with_capacity(MAX_INPUTS),
            choices: Vec::new(),
            end: (0, [0; END_TRAITS]),
            summed: Vec::new(),
            scores: Vec::new(),
            units: [0.0; UNITS],
            active: [0.0; WIDTH],
            towards: [0.0; WIDTH],
        }
    }
}

impl Worker {
    /// Plays a game, adds what it costs to `loss` and, when there is one, its gradient to
    /// `gradient`.
    pub fn game(
        &mut self,
        parameters: &[f32],
        game: &Game,
        loss: &mut Loss,
        mut gradient: Option<&mut [f32]>,
    ) {
        let start = game.start.as_deref().copied().unwrap_or_default();
        let mut line = Line::new(&start);
        for &played in &game.moves {
            let bits = self.position(
                parameters,
                &line,
                game.style,
                Some(played),
                gradient.as_deref_mut(),
            );
            loss.moves += f64::from(bits.0);
            loss.first += u64::from(bits.1);
            line.play(played);
        }
        let bits = self.position(parameters, &line, game.style, None, gradient);
        loss.ends += f64::from(bits.0);
        loss.plies += game.moves.len() as u64;
        loss.games += 1;
    }

    /// Bits of what happened, and whether it scored highest.
    fn position(
        &mut self,
        parameters: &[f32],
        line: &Line,
        style: u8,
        played: Option<Move>,
        gradient: Option<&mut [f32]>,
    ) -> (f32, bool) {
        let legal = Legal::new(line.position());
        if legal.count() == 0 {
            return (0.0, false);
        }
        let scene = Scene::new(line, &legal);
        self.inputs.clear();
        scene.inputs(style, |input| self.inputs.push(input));
        scene.moves(&mut self.choices);
        self.end = scene.end(style);
        let choices = self.choices.len() + 1;

        self.units
            .copy_from_slice(&parameters[UNIT_BIASES..][..UNITS]);
        for &input in &self.inputs {
            let weights = &parameters[UNIT_WEIGHTS + input * UNITS..][..UNITS];
            for (unit, weight) in self.units.iter_mut().zip(weights) {
                *unit += weight;
            }
        }
        let (left, right) = self.units.split_at(WIDTH);
        for i in 0..WIDTH {
            self.active[i] = left[i].clamp(0.0, 1.0) * right[i].clamp(0.0, 1.0);
        }

        self.scores.clear();
        let mut highest = f32::MIN;
        self.summed.clear();
        for choice in 0..choices {
            let mut weights = [0.0; WIDTH];
            for row in self.rows(choice) {
                let more = &parameters[ROW_WEIGHTS + row * WIDTH..][..WIDTH];
                for i in 0..WIDTH {
                    weights[i] += more[i];
                }
            }
            let mut score = dot(&self.active, &weights) + parameters[ROW_BIASES + self.row(choice)];
            self.summed.push(weights);
            for entry in self.traits(choice) {
                score += parameters[TRAIT_SCORES + entry];
            }
            highest = highest.max(score);
            self.scores.push(score);
        }
        let target = match played {
            Some(played) => (self.choices)
                .binary_search_by_key(&played, |choice| choice.played)
                .expect("games are legal"),
            None => self.choices.len(),
        };
        let was_first = self.scores[target] == highest;
        let mut sum = 0.0;
        for score in &mut self.scores {
            *score = (*score - highest).exp();
            sum += *score;
        }
        let share = self.scores[target] / sum;
        let bits = -share.max(1e-30).log2();

        if let Some(gradient) = gradient {
            self.towards = [0.0; WIDTH];
            for choice in 0..choices {
                let slope = self.scores[choice] / sum - f32::from(u8::from(choice == target));
                if slope.abs() < NEGLIGIBLE {
                    continue;
                }
                for i in 0..WIDTH {
                    self.towards[i] += slope * self.summed[choice][i];
                }
                for row in self.rows(choice) {
                    let slopes = &mut gradient[ROW_WEIGHTS + row * WIDTH..][..WIDTH];
                    for (sum, active) in slopes.iter_mut().zip(&self.active) {
                        *sum += slope * active;
                    }
                }
                gradient[ROW_BIASES + self.row(choice)] += slope;
                for entry in self.traits(choice) {
                    gradient[TRAIT_SCORES + entry] += slope;
                }
            }
            let mut slopes = [0.0; UNITS];
            for i in 0..WIDTH {
                let (a, b) = (self.units[i], self.units[WIDTH + i]);
                let within = |unit: f32| f32::from(u8::from(unit > 0.0 && unit < 1.0));
                slopes[i] = self.towards[i] * b.clamp(0.0, 1.0) * within(a);
                slopes[WIDTH + i] = self.towards[i] * a.clamp(0.0, 1.0) * within(b);
            }
            for &input in &self.inputs {
                let sums = &mut gradient[UNIT_WEIGHTS + input * UNITS..][..UNITS];
                for (sum, slope) in sums.iter_mut().zip(&slopes) {
                    *sum += slope;
                }
            }
            for (sum, slope) in gradient[UNIT_BIASES..][..UNITS].iter_mut().zip(&slopes) {
                *sum += slope;
            }
        }
        (bits, was_first)
    }
}

impl Worker {
    /// The row that is a choice's own; the end comes after the moves.
    fn row(&self, choice: usize) -> usize {
        (self.choices.get(choice)).map_or(self.end.0, |choice| usize::from(choice.rows[0]))
    }

    /// The rows of a choice: its own and, of a move, those of its contexts.
    fn rows(&self, choice: usize) -> impl Iterator<Item = usize> + use<> {
        let (rows, used) = match self.choices.get(choice) {
            Some(choice) => (choice.rows.map(usize::from), 1 + CONTEXTS),
            None => ([self.end.0; 1 + CONTEXTS], 1),
        };
        rows.into_iter().take(used)
    }

    /// The entries of a choice in the tables of traits.
    fn traits(&self, choice: usize) -> impl Iterator<Item = usize> + use<> {
        let (entries, used) = match self.choices.get(choice) {
            Some(choice) => (choice.traits.map(|entry| entry as usize), TRAITS),
            None => (
                std::array::from_fn(|i| self.end.1[i.min(END_TRAITS - 1)]),
                END_TRAITS,
            ),
        };
        entries.into_iter().take(used)
    }
}

/// Summed in lanes, so that every machine sums in the same order.
fn dot(a: &[f32; WIDTH], b: &[f32]) -> f32 {
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

/// Whether a parameter is of a table whose entries are each seen seldom.
pub fn is_sparse(parameter: usize) -> bool {
    parameter >= TRAIT_SCORES && features::is_sparse(parameter - TRAIT_SCORES)
}

/// How many steps of a parameter's byte make 1: as the scorer has them.
pub fn scale(parameter: usize) -> f32 {
    match parameter {
        UNIT_WEIGHTS..UNIT_BIASES => 128.0,
        UNIT_BIASES..ROW_WEIGHTS => 64.0,
        ROW_WEIGHTS..ROW_BIASES => 64.0,
        _ => 32.0,
    }
}
