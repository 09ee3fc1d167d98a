//! The model at work, in whole numbers.

#[cfg(target_arch = "x86_64")]
use pulp::{
    NullaryFnOnce,
    x86::{V3, V4},
};

use super::{
    Line, STYLES,
    choices::{Choice, Choices},
    features::PositionFeatures,
    frequencies::Frequencies,
    inputs::MAX_EVENTS,
    lanes::SUMS,
    parameters::{Parameters, WIDTH},
    squares::Squares,
    tables::END_TRAITS,
    units::Units,
    vectors::Vectors,
};
use ign_notation::chess::{Legal, simd::Portable};

/// Scores of biases and traits are in 1/32, those of rows in 1/8192.
const TRAIT_SHIFT: u32 = 8;
/// 1 among units and activations.
const ONE: i16 = 128;

/// Gives frequencies: the model with the space it works in, one for each thread.
#[derive(Clone)]
pub struct Scorer {
    style: u8,
    choices: Choices,
    scores: Vec<i32>,
    machine: Machine,
    /// By place.
    units: Vec<Units>,
}

impl Scorer {
    /// A scorer for games of one style.
    ///
    /// # Panics
    /// When there is no such style.
    pub fn new(style: u8) -> Self {
        assert!(style < STYLES, "no style {style}");
        Self {
            style,
            choices: Choices::default(),
            scores: Vec::new(),
            machine: Machine::this(),
            units: Vec::new(),
        }
    }

    /// Replaces `frequencies` by those of what may happen next.
    pub fn score(&mut self, line: &Line, frequencies: &mut Frequencies) {
        self.score_at(0, line, frequencies);
    }

    /// The same of one of several games that are played in turn: it is quicker where each has a
    /// place of its own, numbered from 0, since most of a position was there the move before.
    pub fn score_at(&mut self, place: usize, line: &Line, frequencies: &mut Frequencies) {
        if self.units.len() <= place {
            self.units
                .resize(place + 1, Units::new(Parameters::embedded()));
        }
        match self.machine {
            #[cfg(target_arch = "x86_64")]
            Machine::Avx512(vectors) => vectors.vectorize(Scoring {
                scorer: self,
                vectors,
                place,
                line,
                frequencies,
            }),
            #[cfg(target_arch = "x86_64")]
            Machine::Avx2(vectors) => vectors.vectorize(Scoring {
                scorer: self,
                vectors,
                place,
                line,
                frequencies,
            }),
            Machine::Any => self.score_with(Portable, place, line, frequencies),
        }
    }

    #[inline(always)]
    fn score_with(
        &mut self,
        vectors: impl Vectors,
        place: usize,
        line: &Line,
        frequencies: &mut Frequencies,
    ) {
        let legal = &Legal::with(vectors, line.position());
        let origins = legal.list(&mut frequencies.moves);
        if frequencies.moves.is_empty() {
            return frequencies.clear();
        }
        let features = PositionFeatures::with(vectors, line, legal);
        let [last, own] = features.landed();
        let squares = Squares::of(&features, vectors);
        features.choices_with(
            vectors,
            &squares,
            &frequencies.moves,
            origins,
            &mut self.choices,
        );
        let active = self.activate(vectors, place, &features, &squares);
        let parameters = Parameters::embedded();
        let [exchange, victim, relation, target, again, pawn] = features.setting().starts();
        let judge = Judge {
            vectors,
            active: vectors.load(&active),
            parameters,
            replies: parameters.replies(last),
            repeats: parameters.repeats(own),
            sums: [
                parameters.sums(exchange),
                parameters.sums(victim),
                parameters.sums(relation),
                parameters.sums(target),
                parameters.sums(again),
                parameters.sums(pawn),
            ],
        };
        let list = self.choices.list();
        self.scores.resize(list.len(), 0);
        for (score, choice) in self.scores.iter_mut().zip(list) {
            *score = judge.score(choice);
        }
        let (row, traits) = features.end(self.style);
        self.scores.push(judge.end(row, traits));
        frequencies.set(&self.scores);
    }

    /// Sums up the inputs and multiplies units in pairs: activations in 1/128.
    #[inline(always)]
    fn activate(
        &mut self,
        vectors: impl Vectors,
        place: usize,
        features: &PositionFeatures,
        squares: &Squares,
    ) -> [u8; WIDTH] {
        let mut events = [0u16; MAX_EVENTS];
        let mut count = 0;
        features.events(|input| {
            events[count] = input as u16;
            count += 1;
        });
        let (pieces, state) = (features.pieces(squares), features.state(self.style));
        let (units, events) = (&mut self.units[place], &events[..count]);
        let side = usize::from(features.turn != 0);
        let units = units.of(
            vectors,
            Parameters::embedded(),
            side,
            &pieces,
            &state,
            events,
        );
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
    /// Scores by where a move lands: as a reply to the last one, behind one's own last one.
    replies: &'static [i8; 512],
    repeats: &'static [i8; 512],
    /// Sums of scores by the lanes of a move.
    sums: [&'static [i16; 1 << 16]; SUMS],
}

impl<V: Vectors> Judge<V> {
    /// The score of a move.
    #[inline(always)]
    fn score(&self, choice: &Choice) -> i32 {
        let parameters = self.parameters;
        let row = usize::from(choice.row);
        let [a, b, c, d, sums @ ..] = &choice.lanes.0;
        let context = |row: &u16| parameters.row(usize::from(*row));
        let rows = [
            parameters.row(row),
            context(a),
            context(b),
            context(c),
            context(d),
        ];
        let landing = usize::from(choice.landing) % 512;
        let mut tabled = parameters.row_bias(row)
            + i32::from(self.replies[landing])
            + i32::from(self.repeats[landing])
            + parameters.opening(choice.opening);
        for (table, &entry) in self.sums.iter().zip(sums) {
            tabled += i32::from(table[usize::from(entry)]);
        }
        self.vectors.product(&self.active, rows) + (tabled << TRAIT_SHIFT)
    }

    /// The score of the end.
    #[inline(always)]
    fn end(&self, row: usize, traits: [usize; END_TRAITS]) -> i32 {
        let mut tabled = self.parameters.row_bias(row);
        for entry in traits {
            tabled += self.parameters.end(entry);
        }
        let product = self
            .vectors
            .product(&self.active, [self.parameters.row(row)]);
        product + (tabled << TRAIT_SHIFT)
    }
}

/// What the machine has.
#[derive(Clone, Copy, Debug)]
enum Machine {
    #[cfg(target_arch = "x86_64")]
    Avx512(V4),
    #[cfg(target_arch = "x86_64")]
    Avx2(V3),
    Any,
}

impl Machine {
    /// All that this one can do, the best first.
    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(V4::try_new().map(Self::Avx512));
            all.extend(V3::try_new().map(Self::Avx2));
        }
        all.push(Self::Any);
        all
    }

    fn this() -> Self {
        Self::all()[0]
    }
}

/// The scoring of one position, compiled for what the vectors need.
#[cfg(target_arch = "x86_64")]
struct Scoring<'a, V> {
    scorer: &'a mut Scorer,
    vectors: V,
    place: usize,
    line: &'a Line,
    frequencies: &'a mut Frequencies,
}

#[cfg(target_arch = "x86_64")]
impl<V: Vectors> NullaryFnOnce for Scoring<'_, V> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.scorer
            .score_with(self.vectors, self.place, self.line, self.frequencies);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        container::checksum,
        model::{
            parameters::TRAIT_SCORES,
            tables::{ALL_ROWS, CONTEXTS, TRAIT, TRAITS},
        },
    };
    use ign_notation::chess::{Start, san};

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
        let (mut scorer, mut frequencies) = (Scorer::new(1), Frequencies::default());
        for line in lines().into_iter().chain(INVENTED.map(invented)) {
            scorer.score(&line, &mut frequencies);
            let mut legal = Vec::new();
            Legal::new(line.position()).each_move(|played| legal.push(played));
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
    fn vectors_do_not_change_the_numbers() {
        let mut scorer = Scorer::new(0);
        let (mut ours, mut theirs) = (Frequencies::default(), Frequencies::default());
        let invented = INVENTED.map(invented);
        for machine in Machine::all() {
            let mut other = Scorer {
                machine,
                ..scorer.clone()
            };
            for line in lines().iter().chain(&invented) {
                scorer.score(line, &mut ours);
                other.score(line, &mut theirs);
                assert_eq!(ours.frequencies(), theirs.frequencies(), "{machine:?}");
            }
        }
    }

    #[test]
    fn sums_of_scores_are_of_the_entries_that_a_choice_has() {
        let parameters = Parameters::embedded();
        let tables = parameters.bytes();
        let score = |entry: usize| i32::from(tables[TRAIT_SCORES + entry] as i8);
        let (mut moves, mut choices) = (Vec::new(), Choices::default());
        let invented = INVENTED.map(invented);
        let mut with_all = [false; TRAITS];
        for line in lines().iter().chain(&invented) {
            let legal = Legal::new(line.position());
            let origins = legal.list(&mut moves);
            let features = PositionFeatures::new(line, &legal);
            features.choices(&moves, origins, &mut choices);
            for choice in choices.list() {
                let (rows, entries) = features.places(choice);
                assert!(rows.iter().all(|&row| row < ALL_ROWS));
                let starts = features.setting().starts();
                let sums = starts.iter().zip(&choice.lanes.0[CONTEXTS..]);
                let sum = sums.map(|(&start, &lane)| parameters.sums(start)[usize::from(lane)]);
                let mut sum = sum.map(i32::from).sum::<i32>();
                for (number, &entry) in entries.iter().enumerate() {
                    assert!(
                        (TRAIT[number]..TRAIT[number + 1]).contains(&entry),
                        "{number}"
                    );
                    with_all[number] |= entry > TRAIT[number];
                    if ![1, 4, 9].contains(&number) {
                        sum -= score(entry);
                    }
                }
                assert_eq!(sum, 0);
            }
        }
        assert_eq!(with_all, [true; TRAITS]);
    }

    #[test]
    fn a_scorer_forgets_the_games_before() {
        let mut used = Scorer::new(0);
        let (mut ours, mut theirs) = (Frequencies::default(), Frequencies::default());
        for line in lines().iter().rev() {
            used.score(line, &mut ours);
            Scorer::new(0).score(line, &mut theirs);
            assert_eq!(ours.frequencies(), theirs.frequencies());
        }
    }

    #[test]
    fn the_model_knows_the_game() {
        // Uniform frequencies would take 5 bits a ply; the model takes about half.
        let (mut scorer, mut frequencies) = (Scorer::new(1), Frequencies::default());
        let lines = lines();
        let mut bits = 0.0;
        for (line, token) in lines.iter().zip(GAME.split_whitespace()) {
            let legal = Legal::new(line.position());
            let played = san::resolve(&legal, token.as_bytes()).expect("a game of history");
            scorer.score(line, &mut frequencies);
            let choice = frequencies.moves().binary_search(&played).expect("legal");
            let (_, frequency) = frequencies.interval(choice);
            bits += (f64::from(frequencies.total()) / f64::from(frequency)).log2();
        }
        assert!(bits / 85.0 < 3.0, "{} bits a ply", bits / 85.0);
    }

    /// Positions that no game reaches: queens wherever they fit, next to nothing.
    const INVENTED: [&[u8]; 5] = [
        b"7k/8/8/8/8/8/8/7K w - - 0 1",
        b"QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/kQ2K1QQ b - - 0 1",
        // The known position with the most moves.
        b"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        // Promotions of all kinds, en passant, castling to both sides.
        b"1n1qk2r/P1P5/8/3pP3/8/8/8/R3K2R w KQk d6 0 1",
        b"r3k2r/8/8/8/3Pp3/8/1p4p1/R1B1K1NR b kq d3 0 1",
    ];

    #[test]
    fn invented_positions_have_shares_too() {
        let (mut scorer, mut frequencies) = (Scorer::new(2), Frequencies::default());
        for fen in INVENTED {
            scorer.score(&invented(fen), &mut frequencies);
            assert!(frequencies.total() < 1 << 24);
        }
        scorer.score(&invented(INVENTED[2]), &mut frequencies);
        assert_eq!(frequencies.moves().len(), 218);
        // Stalemate: nothing may move.
        scorer.score(
            &invented(b"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
            &mut frequencies,
        );
        assert_eq!(
            (frequencies.frequencies().len(), frequencies.total()),
            (0, 0)
        );
    }

    #[test]
    fn the_shares_are_these_on_every_machine() {
        let mut hash = Vec::new();
        let mut frequencies = Frequencies::default();
        for style in 0..STYLES {
            let mut scorer = Scorer::new(style);
            let invented = INVENTED.map(invented);
            for line in lines().iter().chain(&invented) {
                scorer.score(line, &mut frequencies);
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
