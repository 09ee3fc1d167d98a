//! What the seed documents claim, beside what a collection says.
//!
//! Seed 001 estimates the integer of m half-moves as (m + 1)·log2(20) bits, one
//! bit pattern for any game of that length; here stand the means of the games
//! that have just that length. It counts m boards in a game of m half-moves, so
//! bits a board are bits a half-move. Length prefixes are left out on both
//! sides. Seed 002 has no numbers for games, but says what is likely.

use super::{Stats, moves::Length, ratio, signatures::Uniqueness};

/// A claim and its measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The seed document's number.
    pub seed: &'static str,
    /// What the claim is about.
    pub subject: String,
    /// What it says, in its own words where they are short.
    pub claimed: &'static str,
    /// What was measured; none where the collection has nothing to measure.
    pub measured: Option<f64>,
    /// Unit of the measure, and decimals worth showing.
    pub unit: Unit,
    /// How many games the measure rests on.
    pub games: u64,
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Half-moves.
    Plies,
    /// Legal moves.
    Moves,
    /// Bits of a game.
    Bits,
    /// Bits of a position, or of a half-move.
    BitsEach,
    /// Percent of the games.
    Percent,
}

impl Unit {
    /// Decimals worth showing.
    pub const fn decimals(self) -> usize {
        match self {
            Self::BitsEach => 3,
            Self::Percent => 2,
            _ => 1,
        }
    }

    /// The word behind a number.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Plies => "half-moves",
            Self::Moves => "moves",
            Self::Bits | Self::BitsEach => "bits",
            Self::Percent => "% of games",
        }
    }
}

/// The claims of seeds 001 and 002 with what this collection says to them.
pub fn claims(stats: &Stats, signatures: &Uniqueness) -> Vec<Claim> {
    let (lengths, moves) = (&stats.games.lengths, &stats.moves);
    let games = lengths.count();
    let mut out = Vec::new();
    let mut claim = |seed, subject: &str, claimed, measured, unit, games| {
        let subject = subject.to_string();
        out.push(Claim {
            seed,
            subject,
            claimed,
            measured,
            unit,
            games,
        });
    };
    let mean = lengths.mean();
    claim(
        "001",
        "half-moves in a game, average",
        "80, then about 40",
        mean,
        Unit::Plies,
        games,
    );
    let choices = moves.choices.mean();
    claim(
        "001",
        "legal moves in a position",
        "\"always 20\"",
        choices,
        Unit::Moves,
        games,
    );
    let min = moves.plain.integers.min().map(|bits| bits as f64);
    claim(
        "001",
        "bits of a game, smallest",
        "0",
        min,
        Unit::Bits,
        games,
    );
    let average = ratio(moves.plain.integer_bits(), games);
    claim(
        "001",
        "bits of a game, average",
        "351, then 177",
        average,
        Unit::Bits,
        games,
    );
    let largest = moves.plain.integers.max().map(|bits| bits as f64);
    claim(
        "001",
        "bits of a game, largest",
        "1734, then 243",
        largest,
        Unit::Bits,
        games,
    );
    let each = ratio(moves.plain.integer_bits(), stats.games.plies);
    claim(
        "001",
        "bits a board, amortized",
        "4.335 to 4.430",
        each,
        Unit::BitsEach,
        games,
    );
    for (plies, bits, each) in [
        (40, "177", "4.430"),
        (55, "243", "4.401"),
        (80, "351", "4.376"),
        (400, "1734", "4.335"),
    ] {
        let length = moves.by_length.get(plies).copied().unwrap_or_default();
        let measured = ratio(length.plain_bits, length.games);
        let of = |what| format!("{what} of {plies} half-moves");
        claim(
            "001",
            &of("bits of a game"),
            bits,
            measured,
            Unit::Bits,
            length.games,
        );
        let measured = measured.map(|bits| bits / plies as f64);
        claim(
            "001",
            &of("bits a board, game"),
            each,
            measured,
            Unit::BitsEach,
            length.games,
        );
    }
    let with_ends = ratio(moves.ends.integer_bits(), games);
    claim(
        "001",
        "with end moves, average",
        "356",
        with_ends,
        Unit::Bits,
        games,
    );
    for (plies, bits) in [(80, "356"), (400, "1762")] {
        let Length {
            games, ends_bits, ..
        } = moves.by_length.get(plies).copied().unwrap_or_default();
        let subject = format!("with end moves, game of {plies} half-moves");
        claim(
            "001",
            &subject,
            bits,
            ratio(ends_bits, games),
            Unit::Bits,
            games,
        );
    }
    let percent = |part, whole| ratio(part, whole).map(|share| 100.0 * share);
    let short = percent(lengths.below(56), games);
    claim(
        "001",
        "games of at most 55 half-moves",
        "worst case m = 55",
        short,
        Unit::Percent,
        games,
    );
    for (subject, claimed, unique, games) in [
        (
            "unique by moves 20, 40, 60 (A)",
            "\"likely\"",
            signatures.unique_a,
            signatures.games,
        ),
        (
            "unique by moves 31, 51, 71 (B)",
            "\"likely\"",
            signatures.unique_b,
            signatures.games,
        ),
        (
            "unique by all six (A and B)",
            "\"extremely likely\"",
            signatures.unique,
            signatures.games,
        ),
        (
            "the same, of games that have all six",
            "\"extremely likely\"",
            signatures.unique_complete,
            signatures.complete,
        ),
    ] {
        claim(
            "002",
            subject,
            claimed,
            percent(unique, games),
            Unit::Percent,
            games,
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_the_seed_follow_from_its_formula() {
        let bits = |plies: f64, choices: f64| (plies + 1.0) * choices.log2();
        for (plies, choices, claimed) in [
            (40.0, 20.0, 177.0),
            (55.0, 20.0, 243.0),
            (80.0, 20.0, 351.0),
            (400.0, 20.0, 1734.0),
            (80.0, 21.0, 356.0),
            (400.0, 21.0, 1762.0f64),
        ] {
            let difference = claimed - bits(plies, choices);
            assert!((-0.5..1.0).contains(&difference), "{plies} {difference}");
        }
    }

    #[test]
    fn an_empty_collection_measures_nothing() {
        let claims = claims(&Stats::default(), &Uniqueness::default());
        assert!(claims.len() > 15);
        assert!(claims.iter().all(|c| c.measured.is_none() && c.games == 0));
    }
}
