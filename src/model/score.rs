//! The model at work, in whole numbers.

#[cfg(target_arch = "x86_64")]
use pulp::{NullaryFnOnce, cast, i8x16, x86::V3};

use super::{
    Line, STYLES,
    features::{Choice, MAX_INPUTS, Scene},
    parameters::{Parameters, UNITS, WIDTH},
    shares::Shares,
};
use crate::chess::Legal;

/// Scores of biases and traits are in 1/32, those of rows in 1/8192.
const TRAIT_SHIFT: u32 = 8;

/// 1 among units and activations.
const ONE: i16 = 128;
/// Units that are summed at once.
const BLOCK: usize = 64;

/// Gives shares: the model with the space it works in, one for each thread.
#[derive(Clone)]
pub struct Scorer {
    parameters: &'static Parameters,
    style: u8,
    choices: Vec<Choice>,
    scores: Vec<i32>,
    #[cfg(target_arch = "x86_64")]
    avx2: Option<V3>,
    active: [i16; WIDTH],
}

impl Scorer {
    /// A scorer for games of one style.
    ///
    /// # Panics
    /// When there is no such style.
    pub fn new(style: u8) -> Self {
        assert!(style < STYLES, "no style {style}");
        Self {
            parameters: Parameters::embedded(),
            style,
            choices: Vec::new(),
            scores: Vec::new(),
            #[cfg(target_arch = "x86_64")]
            avx2: V3::try_new(),
            active: [0; WIDTH],
        }
    }

    /// The style it scores for.
    pub fn style(&self) -> u8 {
        self.style
    }

    /// Replaces `shares` by those of what may happen next.
    pub fn score(&mut self, line: &Line, shares: &mut Shares) {
        let legal = Legal::new(line.position());
        #[cfg(target_arch = "x86_64")]
        if let Some(vectors) = self.avx2 {
            return vectors.vectorize(Scoring {
                scorer: self,
                vectors,
                line,
                legal: &legal,
                shares,
            });
        }
        self.score_with(Portable, line, &legal, shares);
    }

    #[inline(always)]
    fn score_with(
        &mut self,
        vectors: impl Vectors,
        line: &Line,
        legal: &Legal,
        shares: &mut Shares,
    ) {
        let scene = Scene::new(line, legal);
        scene.moves(&mut self.choices);
        if self.choices.is_empty() {
            return shares.clear();
        }
        self.activate(&scene);
        let parameters = self.parameters;
        let tables = parameters.tables();
        self.scores.clear();
        for choice in &self.choices {
            let rows = choice.rows.map(|row| parameters.row(usize::from(row)));
            let row = usize::from(choice.rows[0]);
            let score = vectors.score(&self.active, rows);
            let mut tabled = parameters.row_bias(row);
            for entry in choice.traits {
                tabled += i32::from(tables[entry as usize]);
            }
            self.scores.push(score + (tabled << TRAIT_SHIFT));
        }
        let (row, traits) = scene.end(self.style);
        let mut tabled = parameters.row_bias(row);
        for entry in traits {
            tabled += i32::from(tables[entry]);
        }
        self.scores
            .push(vectors.score(&self.active, [parameters.row(row)]) + (tabled << TRAIT_SHIFT));
        shares.set(
            self.choices.iter().map(|choice| choice.played),
            &self.scores,
        );
    }

    /// Sums up the inputs and multiplies units in pairs: activations in 1/128.
    #[inline(always)]
    fn activate(&mut self, scene: &Scene) {
        let mut inputs = [0u16; MAX_INPUTS];
        let mut count = 0;
        scene.inputs(self.style, |input| {
            inputs[count] = input as u16;
            count += 1;
        });
        // So many units at once stay in registers while the inputs go by.
        let mut units = [0i16; UNITS];
        for (block, units) in units.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
            let from = block * BLOCK;
            let mut sums = [0i16; BLOCK];
            for (sum, &bias) in sums.iter_mut().zip(&self.parameters.biases()[from..]) {
                *sum = 2 * i16::from(bias);
            }
            for &input in &inputs[..count] {
                let weights = &self.parameters.input(usize::from(input))[from..from + BLOCK];
                for i in 0..BLOCK {
                    sums[i] += i16::from(weights[i]);
                }
            }
            *units = sums;
        }
        let (left, right) = units.split_at(WIDTH);
        for i in 0..WIDTH {
            let product = left[i].clamp(0, ONE) * right[i].clamp(0, ONE);
            self.active[i] = (product + ONE / 2) >> ONE.trailing_zeros();
        }
    }
}

/// The sums of products that most of the time goes into. Whole numbers that cannot overflow:
/// every way to add them up gives the same.
trait Vectors: Copy {
    /// The score of the sum of some rows, in 1/8192.
    fn score<const N: usize>(self, active: &[i16; WIDTH], rows: [&[i8; WIDTH]; N]) -> i32;
}

/// For any machine.
#[derive(Clone, Copy)]
struct Portable;

impl Vectors for Portable {
    #[inline(always)]
    fn score<const N: usize>(self, active: &[i16; WIDTH], rows: [&[i8; WIDTH]; N]) -> i32 {
        let mut sum = 0;
        for (i, &active) in active.iter().enumerate() {
            let weight: i16 = rows.iter().map(|row| i16::from(row[i])).sum();
            sum += i32::from(active) * i32::from(weight);
        }
        sum
    }
}

#[cfg(target_arch = "x86_64")]
impl Vectors for V3 {
    #[inline(always)]
    fn score<const N: usize>(self, active: &[i16; WIDTH], rows: [&[i8; WIDTH]; N]) -> i32 {
        let mut sum = self.splat_i32x8(0);
        for (i, active) in active.as_chunks::<16>().0.iter().enumerate() {
            let mut weights = self.splat_i16x16(0);
            for row in rows {
                let row: i8x16 = cast(row.as_chunks::<16>().0[i]);
                weights = self.wrapping_add_i16x16(weights, self.convert_i8x16_to_i16x16(row));
            }
            let products = self.multiply_wrapping_add_adjacent_i16x16(cast(*active), weights);
            sum = self.wrapping_add_i32x8(sum, products);
        }
        let lanes: [i32; 8] = cast(sum);
        lanes.iter().sum()
    }
}

/// The scoring of one position, compiled for AVX2.
#[cfg(target_arch = "x86_64")]
struct Scoring<'a> {
    scorer: &'a mut Scorer,
    vectors: V3,
    line: &'a Line,
    legal: &'a Legal,
    shares: &'a mut Shares,
}

#[cfg(target_arch = "x86_64")]
impl NullaryFnOnce for Scoring<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.scorer
            .score_with(self.vectors, self.line, self.legal, self.shares);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Start, san};

    /// The game of the first document: Fischer and Spassky, 1992.
    const GAME: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 c4 c6 \
                        cxb5 axb5 Nc3 Bb7 Bg5 b4 Nb1 h6 Bh4 c5 dxe5 Nxe4 Bxe7 Qxe7 exd6 Qf6 Nbd2 Nxd6 \
                        Nc4 Nxc4 Bxc4 Nb6 Ne5 Rae8 Bxf7+ Rxf7 Nxf7 Rxe1+ Qxe1 Kxf7 Qe3 Qg5 Qxg5 hxg5 \
                        b3 Ke6 a3 Kd6 axb4 cxb4 Ra5 Nd5 f3 Bc8 Kf2 Bf5 Ra7 g6 Ra6+ Kc5 Ke1 Nf4 g3 Nxh3 \
                        Kd2 Kb5 Rd6 Kc5 Ra6 Nf2 g4 Bd3 Re6";

    /// The positions of the game, the start and the last included.
    fn lines() -> Vec<Line> {
        let mut line = Line::new(&Start::default());
        let mut lines = vec![line.clone()];
        for token in GAME.split_whitespace() {
            let legal = Legal::new(line.position());
            line.play(san::resolve(&legal, token.as_bytes()).expect("a game of history"));
            lines.push(line.clone());
        }
        lines
    }

    fn invented(fen: &[u8]) -> Line {
        Line::new(&Start::from_fen(fen).expect("two kings"))
    }

    #[test]
    fn shares_are_of_the_legal_moves_in_order_and_the_end() {
        let (mut scorer, mut shares) = (Scorer::new(1), Shares::default());
        for line in lines() {
            scorer.score(&line, &mut shares);
            let mut legal = Vec::new();
            Legal::new(line.position()).each_move(|played| legal.push(played));
            assert_eq!(shares.moves(), legal);
            assert_eq!(shares.shares().len(), legal.len() + 1);
            assert!(shares.shares().iter().all(|&share| share >= 1));
            assert_eq!(shares.total(), shares.shares().iter().sum::<u32>());
            assert!(shares.total() < 1 << 24);
        }
    }

    #[test]
    fn vectors_do_not_change_the_numbers() {
        let mut scorer = Scorer::new(0);
        let mut portable = scorer.clone();
        #[cfg(target_arch = "x86_64")]
        {
            portable.avx2 = None;
        }
        let (mut ours, mut theirs) = (Shares::default(), Shares::default());
        for line in lines() {
            scorer.score(&line, &mut ours);
            portable.score(&line, &mut theirs);
            assert_eq!(ours.shares(), theirs.shares());
        }
    }

    #[test]
    fn a_scorer_forgets_the_games_before() {
        let mut used = Scorer::new(0);
        let (mut ours, mut theirs) = (Shares::default(), Shares::default());
        for line in lines().iter().rev() {
            used.score(line, &mut ours);
            Scorer::new(0).score(line, &mut theirs);
            assert_eq!(ours.shares(), theirs.shares());
        }
    }

    #[test]
    fn the_model_knows_the_game() {
        // Uniform shares would take 5 bits a ply; the model takes about half.
        let (mut scorer, mut shares) = (Scorer::new(1), Shares::default());
        let lines = lines();
        let mut bits = 0.0;
        for (line, token) in lines.iter().zip(GAME.split_whitespace()) {
            let legal = Legal::new(line.position());
            let played = san::resolve(&legal, token.as_bytes()).expect("a game of history");
            scorer.score(line, &mut shares);
            let choice = shares.moves().binary_search(&played).expect("legal");
            let (_, share) = shares.interval(choice);
            bits += (f64::from(shares.total()) / f64::from(share)).log2();
        }
        assert!(bits / 85.0 < 3.0, "{} bits a ply", bits / 85.0);
    }

    #[test]
    fn invented_positions_have_shares_too() {
        let (mut scorer, mut shares) = (Scorer::new(2), Shares::default());
        for fen in [
            &b"QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q3K2Q/k1QQQQQQ w - - 0 1"[..],
            b"QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ/QQQQQ1kQ b - - 0 1",
            b"7k/8/8/8/8/8/8/7K w - - 0 1",
            b"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        ] {
            let Ok(start) = Start::from_fen(fen) else {
                continue;
            };
            scorer.score(&Line::new(&start), &mut shares);
            assert!(shares.total() < 1 << 24);
        }
        // The known position with the most moves, and one where nothing may move.
        scorer.score(
            &invented(b"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"),
            &mut shares,
        );
        assert_eq!(shares.moves().len(), 218);
        scorer.score(&invented(b"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), &mut shares);
        assert_eq!((shares.shares().len(), shares.total()), (0, 0));
    }
}
