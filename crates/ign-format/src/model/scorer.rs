//! Scoring: from a game's history to the frequencies of its choices, in integer arithmetic.

#[cfg(target_arch = "x86_64")]
use pulp::{
    NullaryFnOnce,
    x86::{V3, V4},
};

use super::{
    MoveModel,
    accumulator::Accumulator,
    choices::{Choice, Choices},
    features::PositionFeatures,
    frequencies::Frequencies,
    fused::FUSED_TABLES,
    history::History,
    inputs::MAX_EVENTS,
    kernels::Kernels,
    parameters::Parameters,
    shape::{ACTIVATIONS, END_TABLES},
    square_features::SquareFeatures,
};
use crate::models::Architecture as _;
use ign_notation::chess::{Legal, simd::Portable};

/// Binary logarithm of the ratio of scales: scores of biases and feature tables are in 1/32, dot
/// products in 1/8192.
const TABLE_SHIFT: u32 = 8;
/// The fixed-point 1 of hidden units and activations.
const ONE: i16 = 128;

/// A style of play, as a model describes it. A copy is cheap.
#[derive(Debug, Clone)]
pub struct Style {
    model: MoveModel,
    number: u8,
}

impl Style {
    /// The style of a model with this number; `None` if the model has fewer.
    pub fn new(model: MoveModel, number: u8) -> Option<Self> {
        (number < model.styles()).then_some(Self { model, number })
    }

    /// All styles of a model.
    pub fn all(model: &MoveModel) -> impl Iterator<Item = Self> + use<> {
        let model = model.clone();
        (0..model.styles()).map(move |number| Self {
            model: model.clone(),
            number,
        })
    }

    /// A style of the built-in model.
    ///
    /// # Panics
    /// If `number` is not below [`STYLES`](super::STYLES).
    pub fn builtin(number: u8) -> Self {
        Self::new(Parameters::builtin(), number).expect("the built-in model has the style")
    }

    /// The model.
    pub fn model(&self) -> &MoveModel {
        &self.model
    }

    /// The number, from 0.
    pub fn number(&self) -> u8 {
        self.number
    }
}

/// Computes frequencies. It holds working space, so each thread needs its own.
#[derive(Debug, Clone)]
pub struct Scorer {
    style: Style,
    choices: Choices,
    scores: Vec<i32>,
    instructions: InstructionSet,
    /// By slot.
    accumulators: Vec<Accumulator>,
}

impl Scorer {
    /// A scorer for games of one style.
    pub fn new(style: Style) -> Self {
        Self {
            style,
            choices: Choices::default(),
            scores: Vec::new(),
            instructions: InstructionSet::best(),
            accumulators: Vec::new(),
        }
    }

    /// Replaces `frequencies` by those of the choices in the current position.
    pub fn score(&mut self, history: &History, frequencies: &mut Frequencies) {
        self.score_at(0, history, frequencies);
    }

    /// Like [`score`](Scorer::score), for one of several games that are scored in turn. Each game
    /// should use a slot of its own, numbered from 0: scoring is faster if the slot was last used
    /// for a similar position. The result does not depend on the slot.
    pub fn score_at(&mut self, slot: usize, history: &History, frequencies: &mut Frequencies) {
        if self.accumulators.len() <= slot {
            self.accumulators
                .resize(slot + 1, Accumulator::new(self.style.model()));
        }
        match self.instructions {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512(simd) => simd.vectorize(Scoring {
                scorer: self,
                simd,
                slot,
                history,
                frequencies,
            }),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2(simd) => simd.vectorize(Scoring {
                scorer: self,
                simd,
                slot,
                history,
                frequencies,
            }),
            InstructionSet::Portable => self.score_with(Portable, slot, history, frequencies),
        }
    }

    #[inline(always)]
    fn score_with(
        &mut self,
        simd: impl Kernels,
        slot: usize,
        history: &History,
        frequencies: &mut Frequencies,
    ) {
        let legal = &Legal::with(simd, history.position());
        let origins = legal.list(&mut frequencies.moves);
        if frequencies.moves.is_empty() {
            return frequencies.clear();
        }
        let features = PositionFeatures::with(simd, history, legal);
        let [last, own] = features.last_landings();
        let squares = SquareFeatures::of(&features, simd);
        features.choices_with(
            simd,
            &squares,
            &frequencies.moves,
            origins,
            &mut self.choices,
        );
        let parameters: &Parameters = self.style.model();
        let activations = activate(
            simd,
            parameters,
            self.style.number,
            &mut self.accumulators[slot],
            &features,
            &squares,
        );
        let [exchange, victim, relation, target, repeat, pawn] = features.selector().starts();
        let output = OutputLayer {
            simd,
            activations: simd.load(&activations),
            parameters,
            replies: parameters.replies(last),
            continuations: parameters.continuations(own),
            fused: [
                parameters.fused(exchange),
                parameters.fused(victim),
                parameters.fused(relation),
                parameters.fused(target),
                parameters.fused(repeat),
                parameters.fused(pawn),
            ],
        };
        let list = self.choices.list();
        self.scores.resize(list.len(), 0);
        for (score, choice) in self.scores.iter_mut().zip(list) {
            *score = output.move_score(choice);
        }
        let (row, entries) = features.end(self.style.number);
        self.scores.push(output.end_score(row, entries));
        frequencies.set(&self.scores);
    }
}

/// The activations of a position, in 1/128: sums of embeddings, clipped and multiplied in pairs.
#[inline(always)]
fn activate(
    simd: impl Kernels,
    parameters: &Parameters,
    style: u8,
    accumulator: &mut Accumulator,
    features: &PositionFeatures,
    squares: &SquareFeatures,
) -> [u8; ACTIVATIONS] {
    let mut events = [0u16; MAX_EVENTS];
    let mut count = 0;
    features.event_inputs(|input| {
        events[count] = input as u16;
        count += 1;
    });
    let pieces = features.piece_inputs(squares);
    let state = features.state_inputs(style);
    let side = usize::from(features.flip != 0);
    let events = &events[..count];
    let units = accumulator.update(simd, parameters, side, &pieces, &state, events);
    let (left, right) = units.split_at(ACTIVATIONS);
    std::array::from_fn(|i| {
        let product = left[i].clamp(0, ONE) * right[i].clamp(0, ONE);
        ((product + ONE / 2) >> ONE.trailing_zeros()) as u8
    })
}

/// The output layer of a position: computes the scores of its choices, in 1/8192.
struct OutputLayer<'p, V: Kernels> {
    simd: V,
    activations: V::Activations,
    parameters: &'p Parameters,
    /// Scores by landing, given the landing of the opponent's last move.
    replies: &'p [i8; 512],
    /// Scores by landing, given the landing of the own last move.
    continuations: &'p [i8; 512],
    /// The parts of the fused tables that the position selects.
    fused: [&'p [i16; 1 << 16]; FUSED_TABLES],
}

impl<V: Kernels> OutputLayer<'_, V> {
    #[inline(always)]
    fn move_score(&self, choice: &Choice) -> i32 {
        let parameters = self.parameters;
        let row = usize::from(choice.row);
        let [a, b, c, d, entries @ ..] = &choice.lanes.0;
        let context = |row: &u16| parameters.output_row(usize::from(*row));
        let rows = [
            parameters.output_row(row),
            context(a),
            context(b),
            context(c),
            context(d),
        ];
        let landing = usize::from(choice.landing) % 512;
        let mut table_score = parameters.output_bias(row)
            + i32::from(self.replies[landing])
            + i32::from(self.continuations[landing])
            + parameters.opening(choice.opening);
        for (table, &entry) in self.fused.iter().zip(entries) {
            table_score += i32::from(table[usize::from(entry)]);
        }
        self.simd.dot(&self.activations, rows) + (table_score << TABLE_SHIFT)
    }

    #[inline(always)]
    fn end_score(&self, row: usize, entries: [usize; END_TABLES]) -> i32 {
        let mut table_score = self.parameters.output_bias(row);
        for entry in entries {
            table_score += self.parameters.end_score(entry);
        }
        let rows = [self.parameters.output_row(row)];
        self.simd.dot(&self.activations, rows) + (table_score << TABLE_SHIFT)
    }
}

/// The instruction set whose kernels are used.
#[derive(Clone, Copy, Debug)]
enum InstructionSet {
    #[cfg(target_arch = "x86_64")]
    Avx512(V4),
    #[cfg(target_arch = "x86_64")]
    Avx2(V3),
    Portable,
}

impl InstructionSet {
    /// All that this machine supports, the fastest first.
    fn supported() -> Vec<Self> {
        let mut all = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(V4::try_new().map(Self::Avx512));
            all.extend(V3::try_new().map(Self::Avx2));
        }
        all.push(Self::Portable);
        all
    }

    fn best() -> Self {
        Self::supported()[0]
    }
}

/// The scoring of one position as a function object, which `vectorize` compiles for an instruction
/// set.
#[cfg(target_arch = "x86_64")]
struct Scoring<'a, V> {
    scorer: &'a mut Scorer,
    simd: V,
    slot: usize,
    history: &'a History,
    frequencies: &'a mut Frequencies,
}

#[cfg(target_arch = "x86_64")]
impl<V: Kernels> NullaryFnOnce for Scoring<'_, V> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.scorer
            .score_with(self.simd, self.slot, self.history, self.frequencies);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        container::checksum,
        model::shape::{
            CONTEXTS, CONTINUATION_TABLE, MOVE_TABLE, MOVE_TABLES, OPENING_TABLE, OUTPUT_ROWS,
            REPLY_TABLE,
        },
    };
    use ign_notation::chess::{Start, san};

    /// Fischer–Spassky, 1992: the example game of document 000.
    const GAME: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 c4 c6 \
                        cxb5 axb5 Nc3 Bb7 Bg5 b4 Nb1 h6 Bh4 c5 dxe5 Nxe4 Bxe7 Qxe7 exd6 Qf6 Nbd2 Nxd6 \
                        Nc4 Nxc4 Bxc4 Nb6 Ne5 Rae8 Bxf7+ Rxf7 Nxf7 Rxe1+ Qxe1 Kxf7 Qe3 Qg5 Qxg5 hxg5 \
                        b3 Ke6 a3 Kd6 axb4 cxb4 Ra5 Nd5 f3 Bc8 Kf2 Bf5 Ra7 g6 Ra6+ Kc5 Ke1 Nf4 g3 Nxh3 \
                        Kd2 Kb5 Rd6 Kc5 Ra6 Nf2 g4 Bd3 Re6";

    /// The game at each ply, from the start to the last position.
    fn histories() -> Vec<History> {
        let mut history = History::new(&Start::default());
        let mut histories = vec![history.clone()];
        for token in GAME.split_whitespace() {
            let legal = Legal::new(history.position());
            history.play(san::resolve(&legal, token.as_bytes()).expect("a legal move"));
            histories.push(history.clone());
        }
        histories
    }

    fn from_fen(fen: &[u8]) -> History {
        History::new(&Start::from_fen(fen).expect("a valid FEN"))
    }

    #[test]
    fn frequencies_are_those_of_the_legal_moves_in_order_and_the_end() {
        let (mut scorer, mut frequencies) =
            (Scorer::new(Style::builtin(1)), Frequencies::default());
        for history in histories().into_iter().chain(ARTIFICIAL.map(from_fen)) {
            scorer.score(&history, &mut frequencies);
            let mut legal = Vec::new();
            Legal::new(history.position()).each_move(|played| legal.push(played));
            assert_eq!(frequencies.moves(), legal);
            let end = usize::from(!legal.is_empty());
            assert_eq!(frequencies.frequencies().len(), legal.len() + end);
            assert!(
                frequencies
                    .frequencies()
                    .iter()
                    .all(|&frequency| frequency >= 1)
            );
            assert_eq!(
                frequencies.total(),
                frequencies.frequencies().iter().sum::<u32>()
            );
            assert!(frequencies.total() < 1 << 24);
        }
    }

    #[test]
    fn instruction_sets_give_the_same_frequencies() {
        let builtin = Parameters::builtin();
        // The extremes, and sums that saturate.
        let patterns: [&[u8]; 4] = [&[127], &[128], &[127, 128], &[3, 250, 129, 77, 0, 127, 128]];
        let extreme = patterns.map(|parameters| {
            let data = ign_testing::repeated_parameters(&builtin.data(), 2, parameters);
            MoveModel::read(&data).unwrap()
        });
        let (mut best, mut other_frequencies) = (Frequencies::default(), Frequencies::default());
        let artificial = ARTIFICIAL.map(from_fen);
        for model in extreme.iter().chain([&builtin]) {
            let mut scorer = Scorer::new(Style::new(model.clone(), 0).unwrap());
            for instructions in InstructionSet::supported() {
                let mut other = Scorer {
                    instructions,
                    ..scorer.clone()
                };
                for history in histories().iter().chain(&artificial) {
                    scorer.score(history, &mut best);
                    other.score(history, &mut other_frequencies);
                    let other = other_frequencies.frequencies();
                    assert_eq!(best.frequencies(), other, "{instructions:?}");
                }
            }
        }
    }

    #[test]
    fn fused_tables_sum_the_entries_of_a_choice() {
        let parameters = Parameters::builtin();
        let score = |entry: usize| i32::from(parameters.scores()[entry]);
        let (mut moves, mut choices) = (Vec::new(), Choices::default());
        let artificial = ARTIFICIAL.map(from_fen);
        let mut varies = [false; MOVE_TABLES];
        for history in histories().iter().chain(&artificial) {
            let legal = Legal::new(history.position());
            let origins = legal.list(&mut moves);
            let features = PositionFeatures::new(history, &legal);
            features.choices(&moves, origins, &mut choices);
            for choice in choices.list() {
                let (rows, entries) = features.indices(choice);
                assert!(rows.iter().all(|&row| row < OUTPUT_ROWS));
                let starts = features.selector().starts();
                let fused = starts
                    .iter()
                    .zip(&choice.lanes.0[CONTEXTS..])
                    .map(|(&start, &lane)| parameters.fused(start)[usize::from(lane)]);
                let mut rest = fused.map(i32::from).sum::<i32>();
                for (table, &entry) in entries.iter().enumerate() {
                    assert!(
                        (MOVE_TABLE[table]..MOVE_TABLE[table + 1]).contains(&entry),
                        "table {table}"
                    );
                    varies[table] |= entry > MOVE_TABLE[table];
                    if ![REPLY_TABLE, CONTINUATION_TABLE, OPENING_TABLE].contains(&table) {
                        rest -= score(entry);
                    }
                }
                assert_eq!(rest, 0);
            }
        }
        assert_eq!(varies, [true; MOVE_TABLES]);
    }

    #[test]
    fn frequencies_do_not_depend_on_positions_scored_before() {
        let mut used = Scorer::new(Style::builtin(0));
        let (mut after_others, mut alone) = (Frequencies::default(), Frequencies::default());
        for history in histories().iter().rev() {
            used.score(history, &mut after_others);
            Scorer::new(Style::builtin(0)).score(history, &mut alone);
            assert_eq!(after_others.frequencies(), alone.frequencies());
        }
    }

    #[test]
    fn model_predicts_a_master_game() {
        // Uniform frequencies would take 5 bits a ply; the model takes about half.
        let (mut scorer, mut frequencies) =
            (Scorer::new(Style::builtin(1)), Frequencies::default());
        let histories = histories();
        let mut bits = 0.0;
        for (history, token) in histories.iter().zip(GAME.split_whitespace()) {
            let legal = Legal::new(history.position());
            let played = san::resolve(&legal, token.as_bytes()).expect("a legal move");
            scorer.score(history, &mut frequencies);
            let choice = frequencies.moves().binary_search(&played).expect("legal");
            let (_, frequency) = frequencies.interval(choice);
            bits += (f64::from(frequencies.total()) / f64::from(frequency)).log2();
        }
        assert!(bits / 85.0 < 3.0, "{} bits a ply", bits / 85.0);
    }

    /// Artificial positions at the extremes: few pieces, many queens, all special moves.
    const ARTIFICIAL: [&[u8]; 5] = [
        b"7k/8/8/8/8/8/8/7K w - - 0 1",
        b"QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/kQ2K1QQ b - - 0 1",
        // The known position with the most moves.
        b"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        // Promotions of all kinds, en passant, castling to both sides.
        b"1n1qk2r/P1P5/8/3pP3/8/8/8/R3K2R w KQk d6 0 1",
        b"r3k2r/8/8/8/3Pp3/8/1p4p1/R1B1K1NR b kq d3 0 1",
    ];

    #[test]
    fn artificial_positions_have_frequencies() {
        let (mut scorer, mut frequencies) =
            (Scorer::new(Style::builtin(2)), Frequencies::default());
        for fen in ARTIFICIAL {
            scorer.score(&from_fen(fen), &mut frequencies);
            assert!(frequencies.total() < 1 << 24);
        }
        scorer.score(&from_fen(ARTIFICIAL[2]), &mut frequencies);
        assert_eq!(frequencies.moves().len(), 218);
        // Stalemate.
        scorer.score(
            &from_fen(b"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
            &mut frequencies,
        );
        assert_eq!(
            (frequencies.frequencies().len(), frequencies.total()),
            (0, 0)
        );
    }

    #[test]
    fn frequencies_have_the_expected_checksum() {
        let mut hash = Vec::new();
        let mut frequencies = Frequencies::default();
        for style in Style::all(&Parameters::builtin()) {
            let mut scorer = Scorer::new(style);
            let artificial = ARTIFICIAL.map(from_fen);
            for history in histories().iter().chain(&artificial) {
                scorer.score(history, &mut frequencies);
                let bytes = frequencies
                    .frequencies()
                    .iter()
                    .flat_map(|frequency| frequency.to_le_bytes());
                hash.extend(bytes);
            }
        }
        assert_eq!(checksum(&hash), 10_331_200_926_807_111_418);
    }
}
