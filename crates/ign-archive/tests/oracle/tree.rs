//! The opening tree, by counting games one by one.

use std::collections::BTreeMap;

use super::{Game, rules::Parts, tags};

/// The counts of a node: games, won by White, drawn, won by Black, without a further move.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    pub games: u64,
    pub white: u64,
    pub draws: u64,
    pub black: u64,
    pub ended: u64,
    pub average_rating: Option<u16>,
    pub performance: Option<i32>,
    pub last_played: Option<tags::Date>,
    pub first_game: u64,
    pub last_game: u64,
}

/// A node: its counts and its moves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Node {
    pub counts: Counts,
    pub moves: BTreeMap<String, (String, Node)>,
}

/// The date of a game: that of UTCDate, or of Date if UTCDate is missing or no date.
pub fn date(game: &Game) -> Option<tags::Date> {
    let date = |name| game.tag(name).and_then(tags::date);
    date("UTCDate").or_else(|| date("Date"))
}

/// The moves played from a position in games, given with their numbers.
pub fn grow(position: &Parts, depth: usize, games: &[(u64, &Game)]) -> Node {
    let reaches = |game: &Game| game.positions.iter().position(|parts| parts == position);
    let found: Vec<_> = games
        .iter()
        .filter(|(_, game)| game.is_chess)
        .filter_map(|&(number, game)| Some((number, game, reaches(game)?)))
        .collect();
    node(position.turn.is_white(), depth, &found)
}

fn node(white_moves: bool, depth: usize, games: &[(u64, &Game, usize)]) -> Node {
    node_of(white_moves, white_moves, depth, games)
}

/// `measured` is the side whose performance counts.
fn node_of(measured: bool, white_moves: bool, depth: usize, games: &[(u64, &Game, usize)]) -> Node {
    let count = |result: &str| {
        let has = |game: &Game| game.result == Some(result);
        games.iter().filter(|(_, game, _)| has(game)).count() as u64
    };
    let ratings = |game: &Game| {
        ["WhiteElo", "BlackElo"].map(|name| game.tag(name).and_then(tags::rating).map(f64::from))
    };
    let both = games.iter().filter_map(|(_, game, _)| match ratings(game) {
        [Some(white), Some(black)] => Some((white + black) / 2.0),
        _ => None,
    });
    let both: Vec<f64> = both.collect();
    let points: Vec<(f64, f64)> = games
        .iter()
        .filter_map(|(_, game, _)| {
            let opponent = ratings(game)[usize::from(measured)]?;
            let white = match game.result? {
                "1-0" => 1.0,
                "0-1" => -1.0,
                "1/2-1/2" => 0.0,
                _ => return None,
            };
            Some((opponent, if measured { white } else { -white }))
        })
        .collect();
    let mean = |sum: f64, count: usize| (count > 0).then(|| (sum / count as f64).round());
    let sum = points
        .iter()
        .map(|(rating, score)| rating + 400.0 * score)
        .sum();
    let counts = Counts {
        games: games.len() as u64,
        white: count("1-0"),
        draws: count("1/2-1/2"),
        black: count("0-1"),
        ended: games
            .iter()
            .filter(|(_, game, at)| depth > 0 && game.moves.len() == *at)
            .count() as u64,
        average_rating: mean(both.iter().sum(), both.len()).map(|mean| mean as u16),
        performance: mean(sum, points.len()).map(|mean| mean as i32),
        last_played: games.iter().filter_map(|(_, game, _)| date(game)).max(),
        first_game: games.first().map_or(0, |first| first.0),
        last_game: games.last().map_or(0, |last| last.0),
    };
    let mut moves: BTreeMap<String, (String, Vec<_>)> = BTreeMap::new();
    if depth > 0 {
        for &(number, game, at) in games {
            if let Some(played) = game.moves.get(at) {
                let entry = moves.entry(played.uci.to_string());
                let (_, next) = entry.or_insert_with(|| (played.san.to_string(), Vec::new()));
                next.push((number, game, at + 1));
            }
        }
    }
    let child = |(uci, (san, games)): (String, (String, Vec<_>))| {
        let child = node_of(white_moves, !white_moves, depth - 1, &games);
        (uci, (san, child))
    };
    Node {
        counts,
        moves: moves.into_iter().map(child).collect(),
    }
}
