//! Claims of documents 001 and 002 (listed in docs/sources.md) beside measurements of a collection.
//!
//! Document 001 estimates the integer of m plies at (m + 1)·log2(20) bits. The measurement is the
//! mean of the games of exactly that length. The document counts m boards in a game of m plies, so
//! bits per board are bits per ply. Length prefixes are left out on both sides. Document 002 gives
//! no numbers, but says what is likely.

use super::{Stats, moves::Length, ratio, signatures::Uniqueness};

/// A claim and the measurement beside it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Claim {
    /// The document's number.
    pub document: &'static str,
    /// The subject of the claim.
    pub subject: String,
    /// The claim, quoted where it is short.
    pub claimed: &'static str,
    /// The measurement; `None` if the collection has nothing to measure.
    pub measured: Option<f64>,
    /// The unit of the measurement.
    pub unit: Unit,
    /// The number of games measured.
    pub games: u64,
}

/// The unit of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unit {
    /// Plies.
    Plies,
    /// Legal moves.
    Moves,
    /// Bits per game.
    Bits,
    /// Bits per position or per ply.
    BitsEach,
    /// Percent of the games.
    Percent,
}

impl Unit {
    /// The number of decimals to print.
    pub const fn decimals(self) -> usize {
        match self {
            Self::BitsEach => 3,
            Self::Percent => 2,
            _ => 1,
        }
    }

    /// The text after the number.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Plies => "plies",
            Self::Moves => "moves",
            Self::Bits | Self::BitsEach => "bits",
            Self::Percent => "% of games",
        }
    }
}

/// The claims of documents 001 and 002 with the measurements of this collection.
pub(super) fn claims(stats: &Stats, signatures: &Uniqueness) -> Vec<Claim> {
    let (lengths, moves) = (&stats.games.lengths, &stats.moves);
    let games = lengths.count();
    let mut out = Vec::new();
    let mut claim = |document, subject: &str, claimed, measured, unit, games| {
        let subject = subject.to_string();
        out.push(Claim {
            document,
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
        "plies in a game, average",
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
        "bits per board, amortized",
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
        let of = |what| format!("{what} of {plies} plies");
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
            &of("bits per board, game"),
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
        let subject = format!("with end moves, game of {plies} plies");
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
        "games of at most 55 plies",
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
    fn the_numbers_of_document_001_follow_from_its_formula() {
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
