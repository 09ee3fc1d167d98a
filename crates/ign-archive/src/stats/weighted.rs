//! The cost of moves under the move model, whatever the coding of the archive.
//!
//! The games of a block are replayed with the model, as they would be packed. A choice of frequency
//! `w` in a total of `W` costs `log2(W/w)` bits. The sums are floating point; no byte of an archive
//! depends on them.

use super::{histogram::Histogram, ratio::ratio};
use ign_format::{
    block::groups::{GROUP, Lockstep, Played},
    model::{Frequencies, Style},
    pgn::game_state::GameState,
};

/// The version of the move model.
pub const MODEL_VERSION: u8 = ign_format::model::VERSION;

/// Published costs of other systems in bits per ply, each on games of its own choice: name, lowest,
/// highest.
pub const IN_PRINT: &[(&str, f64, f64)] = &[
    ("Lichess's own coder", 4.40, 4.40),
    ("large neural networks", 2.15, 2.26),
];

/// Moves and their cost.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Tally {
    /// The number of moves.
    pub moves: u64,
    /// Their ideal cost under the model, in bits.
    pub bits: f64,
    /// Their cost if all legal moves were equally likely, in bits: the sum of the logarithms of
    /// the numbers of legal moves.
    pub alike: f64,
    /// Moves to which the model gave the highest frequency of their position.
    pub first: u64,
}

impl Tally {
    /// Adds another tally.
    pub(super) fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.bits += other.bits;
        self.alike += other.alike;
        self.first += other.first;
    }

    /// Bits per move under the model; `None` without moves.
    pub fn mean_bits(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.bits / self.moves as f64)
    }

    /// Bits per move if all legal moves were equally likely; `None` without moves.
    pub fn mean_alike(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.alike / self.moves as f64)
    }

    /// The fraction of moves to which the model gave the highest frequency; `None` without moves.
    pub fn guessed(&self) -> Option<f64> {
        ratio(self.first, self.moves)
    }
}

/// The phases of a game. In chess they follow from the material of both sides together, without
/// pawns: knights and bishops count 3, rooks 5, queens 9, which makes 62 at the start. In Go they
/// follow from the number of moves played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Material above 50; in Go fewer than 50 moves.
    Opening = 0,
    /// Material from 27 to 50, for example without queens; in Go fewer than 150 moves.
    Middle = 1,
    /// Material up to 26, for example a rook and two minor pieces each.
    End = 2,
}

impl Phase {
    /// The phase of a game of Go after this number of moves.
    #[cfg(feature = "go")]
    pub(super) fn of_go(moves: usize) -> Self {
        match moves {
            0..50 => Self::Opening,
            50..150 => Self::Middle,
            _ => Self::End,
        }
    }

    /// All phases, in order.
    pub const ALL: &'static [Self] = &[Self::Opening, Self::Middle, Self::End];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }

    fn of(material: u32) -> Self {
        match material {
            51.. => Self::Opening,
            27.. => Self::Middle,
            _ => Self::End,
        }
    }
}

/// The cost of the moves of a collection under the model.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Weighted {
    /// Moves by the number of plies before them.
    pub by_ply: Vec<Tally>,
    by_phase: [Tally; 3],
    /// Moves by their rank among the legal moves in order of frequency: 1 is the highest.
    pub by_rank: Histogram,
    /// Moves by their ideal cost, in [parts](BIT_PARTS) of a bit, rounded down.
    pub by_bits: Histogram,
    /// Games that ended in a position with legal moves, so that the end is a choice.
    pub ends: u64,
    /// The ideal cost of these ends, in bits.
    pub end_bits: f64,
    /// Games by the ideal cost of all their choices in bits, rounded up.
    pub games: Histogram,
}

/// The parts of a bit in which [`Weighted::by_bits`] counts.
pub const BIT_PARTS: usize = 10;

/// The last ply of each bucket of [`Weighted::buckets`]; one more bucket holds the plies beyond.
const BUCKETS: [usize; 7] = [10, 20, 30, 40, 60, 80, 120];

impl Weighted {
    /// Replays the games of a block with the model for this style.
    pub(super) fn of(played: &Played, style: Style) -> Self {
        let mut weighted = Self::default();
        let mut lockstep = Lockstep::new(style);
        for first in (0..played.len()).step_by(GROUP) {
            let games = first..played.len().min(first + GROUP);
            let mut bits = [0.0; GROUP];
            let count = games.len();
            played.play(
                &mut lockstep,
                games,
                |game, ply, state, frequencies, choice| {
                    bits[game] += weighted.choice(ply, state, frequencies, choice);
                },
            );
            for bits in &bits[..count] {
                weighted.games.add(bits.ceil() as usize);
            }
        }
        weighted
    }

    /// Counts a choice and returns its bits.
    fn choice(
        &mut self,
        ply: usize,
        state: &GameState,
        frequencies: &Frequencies,
        choice: usize,
    ) -> f64 {
        let count = frequencies.moves().len();
        if choice == count {
            let frequency = frequencies.frequencies()[choice];
            let bits = (f64::from(frequencies.total()) / f64::from(frequency)).log2();
            self.ends += 1;
            self.end_bits += bits;
            return bits;
        }
        let phase = Phase::of(state.material());
        self.played(
            ply,
            phase,
            &frequencies.frequencies()[..count],
            frequencies.total(),
            choice,
        )
    }

    /// Counts a move by its index among the frequencies, and returns its bits.
    pub(super) fn played(
        &mut self,
        ply: usize,
        phase: Phase,
        frequencies: &[u32],
        total: u32,
        choice: usize,
    ) -> f64 {
        let (frequency, count) = (frequencies[choice], frequencies.len());
        let bits = (f64::from(total) / f64::from(frequency)).log2();
        // Among equal frequencies the earlier move ranks higher, so that ranks are distinct.
        let ranked = frequencies.iter().enumerate();
        let above =
            ranked.filter(|&(i, &other)| other > frequency || other == frequency && i < choice);
        let rank = above.count() + 1;
        let tally = Tally {
            moves: 1,
            bits,
            alike: (count as f64).log2(),
            first: u64::from(rank == 1),
        };
        if self.by_ply.len() <= ply {
            self.by_ply.resize(ply + 1, Tally::default());
        }
        self.by_ply[ply].add(&tally);
        self.by_phase[phase as usize].add(&tally);
        self.by_rank.add(rank);
        self.by_bits.add((bits * BIT_PARTS as f64) as usize);
        bits
    }

    /// Adds a block.
    pub(super) fn add(&mut self, other: &Self) {
        if self.by_ply.len() < other.by_ply.len() {
            self.by_ply.resize(other.by_ply.len(), Tally::default());
        }
        for (sum, more) in self.by_ply.iter_mut().zip(&other.by_ply) {
            sum.add(more);
        }
        for (sum, more) in self.by_phase.iter_mut().zip(&other.by_phase) {
            sum.add(more);
        }
        self.by_rank.merge(&other.by_rank);
        self.by_bits.merge(&other.by_bits);
        self.ends += other.ends;
        self.end_bits += other.end_bits;
        self.games.merge(&other.games);
    }

    /// The moves of a phase.
    pub fn phase(&self, phase: Phase) -> &Tally {
        &self.by_phase[phase as usize]
    }

    /// The sum over all moves.
    pub fn all(&self) -> Tally {
        let mut all = Tally::default();
        self.by_phase.iter().for_each(|tally| all.add(tally));
        all
    }

    /// The ideal cost of all moves and ends, in bits.
    pub fn bits(&self) -> f64 {
        self.all().bits + self.end_bits
    }

    /// Moves by ranges of plies: first ply, last ply (counted from 1; `None` for the open range),
    /// and tally. Ranges that no game reaches are left out.
    pub fn buckets(&self) -> Vec<(usize, Option<usize>, Tally)> {
        let mut out = Vec::new();
        let mut first = 0;
        let ends = BUCKETS.iter().map(|&end| Some(end)).chain([None]);
        for last in ends {
            let end = last.unwrap_or(usize::MAX).min(self.by_ply.len());
            let mut tally = Tally::default();
            let plies = self.by_ply.get(first..end).unwrap_or(&[]);
            plies.iter().for_each(|ply| tally.add(ply));
            if tally.moves > 0 {
                out.push((first + 1, last, tally));
            }
            first = end;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ign_format::model::{History, Scorer};
    use ign_notation::chess::{Legal, Start};

    fn played(games: &[&str]) -> Played {
        let start =
            Start::from_fen(b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
        let mut played = Played::default();
        for game in games {
            let mut position = start.position;
            let ordinals: Vec<u32> = (game.split_whitespace())
                .map(|word| {
                    let legal = Legal::new(&position);
                    let played =
                        ign_notation::chess::san::resolve(&legal, word.as_bytes()).unwrap();
                    position.play(played);
                    legal.ordinal_and_count(played).0
                })
                .collect();
            played.push(
                &ign_format::pgn::start::Start::Chess(start),
                ordinals.into_iter(),
                &[],
                None,
            );
        }
        played
    }

    #[test]
    fn counts_each_move_once_in_each_view() {
        let games = ["f3 e5 g4 Qh4", "e4 e5", ""];
        let weighted = Weighted::of(&played(&games), Style::builtin(0));
        assert_eq!((weighted.all().moves, weighted.by_rank.count()), (6, 6));
        assert_eq!(weighted.by_bits.count(), 6);
        let plies = weighted.by_ply.iter().map(|tally| tally.moves);
        assert_eq!(plies.collect::<Vec<_>>(), [2, 2, 1, 1]);
        assert_eq!(weighted.by_phase.map(|tally| tally.moves), [6, 0, 0]);
        // After mate there is no choice.
        assert_eq!((weighted.ends, weighted.games.count()), (2, 3));
        // 20 · 20 · 19 · 30, and 20 · 20.
        let alike = (228_000f64 * 400.0).log2();
        assert!((weighted.all().alike - alike).abs() < 1e-9);
        let buckets = weighted.buckets();
        assert_eq!(buckets.len(), 1);
        assert_eq!((buckets[0].0, buckets[0].1), (1, Some(10)));
        assert_eq!(buckets[0].2.moves, 6);
    }

    #[test]
    fn bits_and_ranks_follow_from_the_frequencies() {
        let weighted = Weighted::of(&played(&["e4"]), Style::builtin(1));
        let start = Start::from_fen(b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let mut frequencies = Frequencies::default();
        Scorer::new(Style::builtin(1)).score(&History::new(&start.unwrap()), &mut frequencies);
        // e4 is number 13 of the 20.
        let bits =
            (f64::from(frequencies.total()) / f64::from(frequencies.frequencies()[13])).log2();
        assert!((weighted.all().bits - bits).abs() < 1e-9);
        let mut order: Vec<usize> = (0..20).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(frequencies.frequencies()[i]));
        let rank = order.iter().position(|&i| i == 13).unwrap() + 1;
        assert_eq!(weighted.by_rank.iter().collect::<Vec<_>>(), [(rank, 1)]);
        let tenths = (bits * 10.0) as usize;
        assert_eq!(weighted.by_bits.iter().collect::<Vec<_>>(), [(tenths, 1)]);
        assert_eq!(weighted.all().first, u64::from(rank == 1));
    }

    #[test]
    fn phases_follow_the_material() {
        for (fen, phase) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
                Phase::Opening,
            ),
            ("r1bqkb1r/8/8/8/8/8/8/R1BQKB1R w - - 0 1", Phase::Middle),
            ("r2qk3/8/8/8/8/8/8/R2QK3 w - - 0 1", Phase::Middle),
            ("r3k3/p7/8/8/8/8/P7/R2QK3 w - - 0 1", Phase::End),
        ] {
            let start = Start::from_fen(fen.as_bytes()).unwrap();
            assert_eq!(Phase::of(start.position.material()), phase, "{fen}");
        }
    }

    #[test]
    fn blocks_add_up() {
        let (one, other) = (["e4 e5 Nf3"], ["d4", "Nf3 d5 g3"]);
        let mut sum = Weighted::of(&played(&one), Style::builtin(0));
        sum.add(&Weighted::of(&played(&other), Style::builtin(0)));
        let all = Weighted::of(
            &played(&["e4 e5 Nf3", "d4", "Nf3 d5 g3"]),
            Style::builtin(0),
        );
        assert!((sum.bits() - all.bits()).abs() < 1e-9);
        assert_eq!(
            (sum.by_rank, sum.games, sum.ends),
            (all.by_rank, all.games, all.ends)
        );
    }
}
