//! The games as pgn-reader and shakmaty see them, and the explorer's answers by counting them one
//! by one.

use std::{cmp::Reverse, collections::BTreeMap, ops::ControlFlow};

use ign_archive::{
    pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor},
    shakmaty::{CastlingMode, Chess, EnPassantMode, fen::Fen},
};
use serde_json::{Value, json};

/// A game.
#[derive(Debug, Default, Clone)]
pub struct Game {
    /// Its number over all archives, from 1.
    pub number: u64,
    pub tags: BTreeMap<String, String>,
    /// The first four fields of the FEN of each position.
    pub positions: Vec<String>,
    /// The moves, in UCI notation and in SAN.
    pub moves: Vec<(String, String)>,
}

impl Game {
    pub fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", String::as_str)
    }

    pub fn rating(&self, name: &str) -> Option<u64> {
        self.tag(name).parse().ok().filter(|&rating| rating > 0)
    }

    /// The mean rating, rounded down.
    pub fn mean_rating(&self) -> Option<u64> {
        Some((self.rating("WhiteElo")? + self.rating("BlackElo")?) / 2)
    }

    /// `2013-01`
    pub fn month(&self) -> String {
        self.tag("UTCDate")[..7].replace('.', "-")
    }

    /// The speed by the rule of Lichess; the games of the tests all have clocks.
    pub fn speed(&self) -> &'static str {
        let (base, increment) = self.tag("TimeControl").split_once('+').unwrap();
        let seconds = |text: &str| text.parse::<u64>().unwrap();
        match seconds(base) + 40 * seconds(increment) {
            0..30 => "ultraBullet",
            30..180 => "bullet",
            180..480 => "blitz",
            480..1500 => "rapid",
            1500..21600 => "classical",
            _ => "correspondence",
        }
    }

    /// The game as the explorer describes it.
    pub fn describe(&self) -> Value {
        let player = |name, rating| json!({"name": self.tag(name), "rating": self.rating(rating)});
        let month = self.month();
        json!({
            "id": self.tag("Site").strip_prefix("https://lichess.org/").unwrap(),
            "winner": match self.tag("Result") {
                "1-0" => Some("white"),
                "0-1" => Some("black"),
                _ => None,
            },
            "speed": self.speed(),
            "mode": if self.tag("Event").starts_with("Rated") { "rated" } else { "casual" },
            "white": player("White", "WhiteElo"),
            "black": player("Black", "BlackElo"),
            "year": month[..4].parse::<u64>().unwrap(),
            "month": month,
        })
    }
}

/// The first four fields of the FEN of a position.
pub fn key(position: &Chess) -> String {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Reads games, which are numbered from `first`.
pub fn read(text: &[u8], first: u64) -> Vec<Game> {
    let games = Reader::new(text)
        .read_games(&mut Visit)
        .collect::<Result<Vec<_>, _>>();
    let games = (first..).zip(games.unwrap());
    games
        .map(|(number, game)| Game { number, ..game })
        .collect()
}

struct Visit;

impl Visitor for Visit {
    type Tags = Game;
    type Movetext = (Game, Chess);
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag) -> ControlFlow<Game> {
        let name = String::from_utf8(name.to_vec()).unwrap();
        let value = String::from_utf8(value.as_bytes().to_vec()).unwrap();
        game.tags.insert(name, value);
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, mut game: Game) -> ControlFlow<Game, (Game, Chess)> {
        let start = Chess::default();
        game.positions.push(key(&start));
        ControlFlow::Continue((game, start))
    }

    fn san(&mut self, (game, position): &mut (Game, Chess), san: SanPlus) -> ControlFlow<Game> {
        let played = san.san.to_move(position).unwrap();
        let uci = played.to_uci(CastlingMode::Standard).to_string();
        let san = SanPlus::from_move_and_play_unchecked(position, played);
        game.moves.push((uci, san.to_string()));
        game.positions.push(key(position));
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut (Game, Chess)) -> ControlFlow<Game, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, (game, _): (Game, Chess)) -> Game {
        game
    }
}

/// How an answer is put together.
pub struct Shown {
    pub moves: usize,
    pub top_games: usize,
    pub recent_games: usize,
    pub history: bool,
    /// The side whose opponents and performance are measured; the side that moves if there is
    /// none.
    pub player: Option<bool>,
}

/// The answer of the explorer on games that meet the filters, without names of openings. Games
/// without moves do not count.
pub fn answer(games: &[&Game], position: &str, shown: &Shown) -> Value {
    let reach = |game: &&Game| game.positions.iter().position(|p| p == position);
    let through: Vec<(&Game, usize)> = games
        .iter()
        .filter(|game| !game.moves.is_empty())
        .filter_map(|game| Some((*game, reach(game)?)))
        .collect();
    let white_moves = position.split(' ').nth(1) == Some("w");
    let measured = shown.player.unwrap_or(white_moves);
    let mut by_move: BTreeMap<&str, (&str, Vec<&Game>)> = BTreeMap::new();
    for &(game, ply) in &through {
        if let Some((uci, san)) = game.moves.get(ply) {
            by_move.entry(uci).or_insert((san, Vec::new())).1.push(game);
        }
    }
    let mut moves: Vec<_> = by_move.into_iter().collect();
    moves.sort_by_key(|(uci, (_, games))| (Reverse(games.len()), order(uci)));
    let moves = moves
        .into_iter()
        .take(shown.moves)
        .map(|(uci, (san, games))| {
            let mut value = json!({"uci": uci, "san": san});
            add_results(&mut value, &games);
            let (opponents, performance) = performance(&games, measured);
            match shown.player {
                Some(_) => value["averageOpponentRating"] = json!(opponents),
                None => value["averageRating"] = json!(average(&games)),
            }
            value["performance"] = json!(performance);
            let only = (games.len() == 1).then(|| games[0].describe());
            value["game"] = json!(only);
            value
        });
    let mut value = json!({"moves": moves.collect::<Vec<Value>>()});
    let all: Vec<&Game> = through.iter().map(|(game, _)| *game).collect();
    add_results(&mut value, &all);
    let rated = through
        .iter()
        .copied()
        .filter(|(game, _)| game.rating("WhiteElo").is_some() && game.rating("BlackElo").is_some());
    let by_rating = |game: &Game| {
        let sum = game.rating("WhiteElo").unwrap() + game.rating("BlackElo").unwrap();
        (Reverse(sum), game.number)
    };
    let by_date = |game: &Game| {
        (
            Reverse(game.tag("UTCDate").to_owned()),
            Reverse(game.number),
        )
    };
    value["topGames"] = list(rated.collect(), by_rating, shown.top_games);
    value["recentGames"] = list(through.clone(), by_date, shown.recent_games);
    if shown.history {
        let mut months: BTreeMap<String, Vec<&Game>> = BTreeMap::new();
        for game in all.into_iter().filter(|game| game.tag("Result") != "*") {
            months.entry(game.month()).or_default().push(game);
        }
        let months = months.into_iter().map(|(month, games)| {
            let mut value = json!({"month": month});
            add_results(&mut value, &games);
            value
        });
        value["history"] = json!(months.collect::<Vec<Value>>());
    }
    if shown.player.is_some() {
        value["queuePosition"] = json!(0);
    }
    value
}

/// The first `count` games in an order, each with the move that it played after a ply.
fn list<K: Ord>(mut games: Vec<(&Game, usize)>, order: impl Fn(&Game) -> K, count: usize) -> Value {
    games.sort_by_key(|(game, _)| order(game));
    let games = games.iter().take(count).map(|(game, ply)| {
        let mut value = game.describe();
        value["uci"] = json!(game.moves.get(*ply).map(|(uci, _)| uci));
        value
    });
    json!(games.collect::<Vec<Value>>())
}

/// The place of a move in the canonical order of the notation, where equal counts are listed in.
fn order(uci: &str) -> ign_notation::chess::Move {
    let role = uci
        .chars()
        .nth(4)
        .and_then(ign_archive::shakmaty::Role::from_char);
    let squares = ign_notation::chess::Move::of_squares(&uci.as_bytes()[..4]).unwrap();
    ign_notation::chess::Move::new(squares.from(), squares.to(), role)
}

fn add_results(value: &mut Value, games: &[&Game]) {
    for (name, result) in [("white", "1-0"), ("draws", "1/2-1/2"), ("black", "0-1")] {
        let count = games
            .iter()
            .filter(|game| game.tag("Result") == result)
            .count();
        value[name] = json!(count);
    }
}

/// The mean rating of both players.
fn average(games: &[&Game]) -> Option<u64> {
    let both = games
        .iter()
        .filter_map(|game| Some([game.rating("WhiteElo")?, game.rating("BlackElo")?]));
    let all: Vec<u64> = both.flatten().collect();
    rounded(all.iter().sum(), all.len() as u64)
}

fn rounded(sum: u64, count: u64) -> Option<u64> {
    (count > 0).then(|| (sum + count / 2) / count)
}

/// The mean rating of the opponents of a side, and its performance.
fn performance(games: &[&Game], of_white: bool) -> (Option<u64>, Option<i64>) {
    let opponent = if of_white { "BlackElo" } else { "WhiteElo" };
    let scored = games.iter().filter_map(|game| {
        let won = match game.tag("Result") {
            "1-0" => 1,
            "0-1" => -1,
            "1/2-1/2" => 0,
            _ => return None,
        };
        Some((game.rating(opponent)?, if of_white { won } else { -won }))
    });
    let scored: Vec<(u64, i64)> = scored.collect();
    let count = scored.len() as u64;
    let sum: u64 = scored.iter().map(|(rating, _)| rating).sum();
    let balance: i64 = scored.iter().map(|(_, won)| won).sum();
    let performance = (sum as f64 + 400.0 * balance as f64) / count as f64;
    (
        rounded(sum, count),
        (count > 0).then(|| performance.round() as i64),
    )
}
