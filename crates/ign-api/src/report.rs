//! The statistics page as JSON.

use ign_archive::{
    query::Speed,
    stats::{Stats, histogram::Histogram, moves::Ply, ratio, weighted::BIT_PARTS},
};
use serde::Serialize;

use crate::{
    answer::iso_date,
    played::{BAND, Played, Results},
};

/// Openings of the list.
const OPENINGS: usize = 100;
/// Bars of a histogram.
const BINS: usize = 40;
/// Plies are shown as long as this part of the games reaches them.
const MIN_GAMES: f64 = 0.005;

/// The answer.
#[derive(Debug, Serialize)]
pub struct Report {
    ready: bool,
    games: u64,
    plies: u64,
    text_bytes: u64,
    archive_bytes: u64,
    bytes_per_game: Option<f64>,
    bits_per_ply: Option<f64>,
    /// Where the bytes go, the largest part first.
    columns: Vec<Part>,
    /// Games by the bits of their moves.
    bits_per_game: Bars,
    /// Games by their plies.
    plies_per_game: Bars,
    /// Moves by their bits under the move model.
    bits_of_plies: Bars,
    /// Bits of a ply in several encodings.
    encodings: Vec<Encoding>,
    /// Choice and cost by ply, from 1.
    by_ply: Vec<Choice>,
    openings: Vec<Opening>,
    ratings: Vec<Band>,
    days: Vec<Day>,
    speeds: Vec<Class>,
}

#[derive(Debug, Serialize)]
struct Part {
    name: String,
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct Bars {
    mean: Option<f64>,
    median: Option<f64>,
    /// The lower end of the first bar, and the width of each.
    first: f64,
    width: f64,
    counts: Vec<u64>,
    /// Games or moves beyond the last bar, at most one in a hundred.
    beyond: u64,
}

#[derive(Debug, Serialize)]
struct Encoding {
    name: &'static str,
    bits_per_ply: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Choice {
    /// Games that have this ply.
    games: u64,
    /// The mean number of legal moves.
    legal_moves: Option<f64>,
    /// The mean binary logarithm of the number of legal moves.
    equal_bits: Option<f64>,
    /// The mean number of bits of the move under the move model.
    model_bits: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Opening {
    eco: String,
    name: String,
    #[serde(flatten)]
    results: Results,
}

#[derive(Debug, Serialize)]
struct Band {
    from: u16,
    to: u16,
    #[serde(flatten)]
    results: Results,
}

#[derive(Debug, Serialize)]
struct Day {
    date: String,
    games: u64,
}

#[derive(Debug, Serialize)]
struct Class {
    speed: &'static str,
    games: u64,
}

impl Report {
    /// The report on these figures.
    pub fn new(stats: &Stats, played: &Played) -> Self {
        let parts = stats.space.parts().into_iter().map(|(name, bytes)| Part {
            name: name.to_owned(),
            bytes,
        });
        let days = played.days.iter().map(|(date, &games)| Day {
            date: iso_date(*date),
            games,
        });
        let bands = played.ratings.iter().map(|(&from, &results)| Band {
            from,
            to: from + BAND - 1,
            results,
        });
        let speeds = Speed::ALL.iter().copied().map(|speed| Class {
            speed: speed.name(),
            games: played.speeds.get(&speed).copied().unwrap_or(0),
        });
        Self {
            ready: true,
            games: stats.games.games,
            plies: stats.games.plies,
            text_bytes: stats.space.text_len,
            archive_bytes: stats.space.archive_len,
            bytes_per_game: stats.bytes_per_game(),
            bits_per_ply: stats.bits_per_ply(),
            columns: parts.collect(),
            bits_per_game: bars(&stats.bits_of_games(), 1),
            plies_per_game: bars(&stats.games.lengths, 1),
            bits_of_plies: Bars {
                mean: stats.weighted.all().mean_bits(),
                ..bars(&stats.weighted.by_bits, BIT_PARTS)
            },
            encodings: encodings(stats),
            by_ply: by_ply(stats),
            openings: openings(played),
            ratings: bands.collect(),
            days: days.collect(),
            speeds: speeds.collect(),
        }
    }
}

/// A histogram of values in fractions of a unit.
fn bars(histogram: &Histogram, parts: usize) -> Bars {
    let bins = histogram.bins(BINS);
    let whole = |value: usize| value as f64 / parts as f64;
    Bars {
        mean: histogram.mean().map(|mean| mean / parts as f64),
        median: histogram.percentile(50).map(whole),
        first: whole(bins.first),
        width: whole(bins.width),
        counts: bins.counts,
        beyond: bins.beyond,
    }
}

/// The encodings of the picture of `ign stats`.
fn encodings(stats: &Stats) -> Vec<Encoding> {
    let moves = &stats.moves;
    let plies = stats.games.plies;
    let all = [
        ("origin and destination", moves.square_bits() as f64),
        ("number in whole bits", moves.whole_bits() as f64),
        ("integer with end moves", moves.ends.bits() as f64),
        ("plain integer", moves.plain.bits() as f64),
        ("sum of logarithms", moves.entropy()),
        ("move model", stats.weighted.bits()),
        ("this archive", moves.stored_bits() as f64),
    ];
    let encoding = |(name, bits): (&'static str, f64)| Encoding {
        name,
        bits_per_ply: (plies > 0).then(|| bits / plies as f64),
    };
    all.map(encoding).into()
}

fn by_ply(stats: &Stats) -> Vec<Choice> {
    let plies = &stats.moves.by_ply;
    let games = plies.first().map_or(0, |ply| ply.positions);
    let enough = |ply: &&Ply| ply.positions as f64 >= MIN_GAMES * games as f64;
    let choice = |(number, ply): (usize, &Ply)| Choice {
        games: ply.positions,
        legal_moves: ratio(ply.choices, ply.positions),
        equal_bits: (ply.positions > 0).then(|| ply.entropy / ply.positions as f64),
        model_bits: stats
            .weighted
            .by_ply
            .get(number)
            .and_then(|t| t.mean_bits()),
    };
    plies
        .iter()
        .take_while(enough)
        .enumerate()
        .map(choice)
        .collect()
}

/// The openings that were played most.
fn openings(played: &Played) -> Vec<Opening> {
    let mut openings: Vec<_> = played.openings.iter().collect();
    openings.sort_unstable_by_key(|&(key, results)| (std::cmp::Reverse(results.games), key));
    openings.truncate(OPENINGS);
    let opening = |((eco, name), &results): (&(String, String), &Results)| Opening {
        eco: eco.clone(),
        name: name.clone(),
        results,
    };
    openings.into_iter().map(opening).collect()
}
