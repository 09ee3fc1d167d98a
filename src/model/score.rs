//! The model at work, in whole numbers.

#[cfg(target_arch = "x86_64")]
use pulp::{NullaryFnOnce, cast, i8x32, i32x8, x86::V3};

use super::{
    Line, STYLES,
    inputs::MAX_INPUTS,
    parameters::{Aligned, Parameters, UNITS, WIDTH},
    scene::Scene,
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
    scores: Vec<i32>,
    #[cfg(target_arch = "x86_64")]
    avx2: Option<V3>,
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
            scores: Vec::new(),
            #[cfg(target_arch = "x86_64")]
            avx2: V3::try_new(),
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
        let judge = Judge {
            vectors,
            active: vectors.load(&self.activate(&scene)),
            parameters: self.parameters,
        };
        shares.moves.clear();
        self.scores.clear();
        scene.choices(|choice| {
            shares.moves.push(choice.played);
            self.scores.push(judge.score(choice.rows, choice.traits));
        });
        if self.scores.is_empty() {
            return shares.clear();
        }
        let (row, traits) = scene.end(self.style);
        self.scores.push(judge.score([row], traits));
        shares.set(&self.scores);
    }

    /// Sums up the inputs and multiplies units in pairs: activations in 1/128.
    #[inline(always)]
    fn activate(&self, scene: &Scene) -> [u8; WIDTH] {
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
        std::array::from_fn(|i| {
            let product = left[i].clamp(0, ONE) * right[i].clamp(0, ONE);
            ((product + ONE / 2) >> ONE.trailing_zeros()) as u8
        })
    }
}

/// What turns rows and traits into scores, in 1/8192.
struct Judge<V: Vectors> {
    vectors: V,
    active: V::Active,
    parameters: &'static Parameters,
}

impl<V: Vectors> Judge<V> {
    /// The score of a choice: its own row comes first.
    #[inline(always)]
    fn score<const ROWS: usize, const TRAITS: usize>(
        &self,
        rows: [usize; ROWS],
        traits: [usize; TRAITS],
    ) -> i32 {
        let mut sum = self.vectors.zero();
        for row in rows {
            let row = self.parameters.row(row);
            sum = self.vectors.add_products(sum, &self.active, row);
        }
        let mut tabled = self.parameters.row_bias(rows[0]);
        for entry in traits {
            tabled += self.parameters.trait_score(entry);
        }
        self.vectors.sum(sum) + (tabled << TRAIT_SHIFT)
    }
}

/// The weights of a row.
type Row = Aligned<[i8; WIDTH]>;

/// The sums of products that most of the time goes into. Whole numbers that cannot overflow:
/// every way to add them up gives the same.
trait Vectors: Copy {
    /// Activations at hand.
    type Active;
    /// A sum in parts.
    type Sum;

    /// Takes activations to hand, each at most 128.
    fn load(self, active: &[u8; WIDTH]) -> Self::Active;
    fn zero(self) -> Self::Sum;
    fn add_products(self, sum: Self::Sum, active: &Self::Active, row: &Row) -> Self::Sum;
    fn sum(self, sum: Self::Sum) -> i32;
}

/// For any machine.
#[derive(Clone, Copy)]
struct Portable;

impl Vectors for Portable {
    type Active = [u8; WIDTH];
    type Sum = i32;

    fn load(self, active: &[u8; WIDTH]) -> Self::Active {
        *active
    }

    fn zero(self) -> i32 {
        0
    }

    fn add_products(self, sum: i32, active: &Self::Active, row: &Row) -> i32 {
        let products = active.iter().zip(&row.0);
        sum + products
            .map(|(&active, &weight)| i32::from(active) * i32::from(weight))
            .sum::<i32>()
    }

    fn sum(self, sum: i32) -> i32 {
        sum
    }
}

#[cfg(target_arch = "x86_64")]
impl Vectors for V3 {
    type Active = Aligned<[i8x32; WIDTH / 32]>;
    type Sum = i32x8;

    #[inline(always)]
    fn load(self, active: &[u8; WIDTH]) -> Self::Active {
        Aligned(cast(*active))
    }

    #[inline(always)]
    fn zero(self) -> i32x8 {
        self.splat_i32x8(0)
    }

    #[inline(always)]
    fn add_products(self, mut sum: i32x8, active: &Self::Active, row: &Row) -> i32x8 {
        let ones = self.splat_i16x16(1);
        for (active, weights) in active.0.iter().zip(row.0.as_chunks::<32>().0) {
            // Two products of at most 128 times a byte: 16 bits hold just that.
            let pairs = self.multiply_saturating_add_adjacent_i8x32(*active, cast(*weights));
            let fours = self.multiply_wrapping_add_adjacent_i16x16(pairs, ones);
            sum = self.wrapping_add_i32x8(sum, fours);
        }
        sum
    }

    #[inline(always)]
    fn sum(self, sum: i32x8) -> i32 {
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
    use crate::{
        chess::{Start, san},
        format::checksum,
    };

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

    /// Positions that no game reaches: queens wherever they fit, next to nothing.
    const INVENTED: [&[u8]; 3] = [
        b"7k/8/8/8/8/8/8/7K w - - 0 1",
        b"QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/kQ2K1QQ b - - 0 1",
        // The known position with the most moves.
        b"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    ];

    #[test]
    fn invented_positions_have_shares_too() {
        let (mut scorer, mut shares) = (Scorer::new(2), Shares::default());
        for fen in INVENTED {
            scorer.score(&invented(fen), &mut shares);
            assert!(shares.total() < 1 << 24);
        }
        assert_eq!(shares.moves().len(), 218);
        // Stalemate: nothing may move.
        scorer.score(&invented(b"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), &mut shares);
        assert_eq!((shares.shares().len(), shares.total()), (0, 0));
    }

    #[test]
    fn the_shares_are_these_on_every_machine() {
        let mut hash = Vec::new();
        let mut shares = Shares::default();
        for style in 0..STYLES {
            let mut scorer = Scorer::new(style);
            let invented = INVENTED.map(invented);
            for line in lines().iter().chain(&invented) {
                scorer.score(line, &mut shares);
                let bytes = shares.shares().iter().flat_map(|share| share.to_le_bytes());
                hash.extend(bytes);
            }
        }
        assert_eq!(checksum(&hash), 11_815_191_866_207_050_905);
    }
}
