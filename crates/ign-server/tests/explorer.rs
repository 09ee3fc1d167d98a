//! Are the answers of the explorer those that counting the games one by one gives?

use crate::support::{
    Served,
    model::{self, Game, Shown},
};
use ign_testing::{Random, cases, games, games_of_seed};
use serde_json::Value;

/// Questions of each kind of server.
const GAMES: u64 = 500;

/// The lower ends of the rating groups, and the first number that is in none.
const GROUPS: [u64; 10] = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500, 10_000];
const SPEEDS: [&str; 6] = [
    "ultraBullet",
    "bullet",
    "blitz",
    "rapid",
    "classical",
    "correspondence",
];

type Filter = Box<dyn Fn(&Game) -> bool>;

/// A request with what meets its filters.
struct Question {
    path: &'static str,
    parameters: Vec<(&'static str, String)>,
    filters: Vec<Filter>,
    position: String,
    shown: Shown,
}

impl Question {
    fn random(seed: u64, games: &[Game]) -> Self {
        let mut random = Random(seed);
        let game = &games[random.below(games.len())];
        let ply = random.below(game.positions.len().min(40));
        let position = game.positions[ply].clone();
        let mut question = Self {
            path: ["/lichess", "/lichess", "/masters", "/player"][random.below(4)],
            parameters: Vec::new(),
            filters: Vec::new(),
            position: position.clone(),
            shown: Shown {
                moves: 12,
                top_games: 4,
                recent_games: 4,
                history: random.below(2) == 0,
                player: None,
            },
        };
        let history = question.shown.history.to_string();
        question.parameters.push(("history", history));
        match random.below(2) {
            0 => question.parameters.push(("fen", position)),
            _ => {
                let line = game.moves[..ply].iter().map(|(uci, _)| uci.clone());
                let line: Vec<String> = line.collect();
                question.parameters.push(("play", line.join(",")));
            }
        }
        match question.path {
            "/lichess" => question.lichess(&mut random, game),
            "/masters" => question.masters(&mut random, game),
            _ => question.player(&mut random, game),
        }
        if random.below(4) == 0 {
            question.further(&mut random, game);
        }
        if random.below(3) == 0 {
            question.shown.moves = random.below(4);
            let moves = question.shown.moves.to_string();
            question.parameters.push(("moves", moves));
        }
        question
    }

    fn add(&mut self, name: &'static str, value: String, holds: impl Fn(&Game) -> bool + 'static) {
        self.parameters.push((name, value));
        self.filters.push(Box::new(holds));
    }

    fn lichess(&mut self, random: &mut Random, game: &Game) {
        self.speeds(random);
        if random.below(2) == 0 {
            let groups: Vec<usize> = (0..9).filter(|_| random.below(3) > 0).collect();
            let text: Vec<String> = groups.iter().map(|&g| GROUPS[g].to_string()).collect();
            let is_any = groups.is_empty() || groups.len() == 9;
            self.add("ratings", text.join(","), move |game| {
                let is_in = |mean: u64| {
                    let mut groups = groups.iter();
                    groups.any(|&g| (GROUPS[g]..GROUPS[g + 1]).contains(&mean))
                };
                is_any || game.mean_rating().is_some_and(is_in)
            });
        }
        if random.below(3) == 0 {
            let month = game.month();
            let value = month.clone();
            match random.below(2) {
                0 => self.add("since", value, move |game| game.month() >= month),
                _ => self.add("until", value, move |game| game.month() <= month),
            }
        }
        if random.below(3) == 0 {
            self.shown.top_games = random.below(4);
            self.shown.recent_games = random.below(12).min(8);
            let [top, recent] = [self.shown.top_games, self.shown.recent_games];
            self.parameters.push(("topGames", top.to_string()));
            self.parameters.push(("recentGames", recent.to_string()));
        }
    }

    fn masters(&mut self, random: &mut Random, game: &Game) {
        self.shown.top_games = 15;
        self.shown.recent_games = 0;
        if random.below(3) == 0 {
            let year = game.month()[..4].to_owned();
            self.add("since", year.clone(), move |game| game.month() >= year);
        }
    }

    fn player(&mut self, random: &mut Random, game: &Game) {
        let white = random.below(2) == 0;
        let (color, tag) = if white {
            ("white", "White")
        } else {
            ("black", "Black")
        };
        let name = game.tag(tag).to_owned();
        self.shown.player = Some(white);
        self.shown.top_games = 0;
        self.shown.recent_games = 8;
        self.parameters.push(("color", color.to_owned()));
        self.add("player", name.clone(), move |game| {
            game.tag(tag).eq_ignore_ascii_case(&name)
        });
        self.speeds(random);
        if random.below(3) == 0 {
            let mode = ["rated", "casual"][random.below(2)];
            self.add("modes", mode.to_owned(), move |game| {
                game.tag("Event").to_lowercase().starts_with(mode)
            });
        }
    }

    fn speeds(&mut self, random: &mut Random) {
        if random.below(2) == 0 {
            let speeds: Vec<&str> = SPEEDS
                .into_iter()
                .filter(|_| random.below(2) == 0)
                .collect();
            self.add("speeds", speeds.join(","), move |game| {
                speeds.is_empty() || speeds.contains(&game.speed())
            });
        }
    }

    /// Conditions of a search.
    fn further(&mut self, random: &mut Random, game: &Game) {
        match random.below(3) {
            0 => {
                let result = game.tag("Result").to_owned();
                self.add("result", result.clone(), move |game| {
                    game.tag("Result") == result
                });
            }
            1 => {
                let rating = game.rating("BlackElo").unwrap_or(1500);
                self.add("black_elo", format!("..{rating}"), move |game| {
                    game.rating("BlackElo").is_some_and(|other| other <= rating)
                });
            }
            _ => {
                // Some games have no code.
                let eco = game.tag("ECO").replace('?', "B")[..1].to_owned();
                self.add("eco", format!("{eco}00..{eco}99"), move |game| {
                    game.tag("ECO").starts_with(&eco)
                });
            }
        }
    }
}

/// Removes the names of openings, which the model does not know.
fn without_openings(mut value: Value) -> Value {
    let object = value.as_object_mut().unwrap();
    assert!(object.remove("opening").is_some());
    for played in value["moves"].as_array_mut().unwrap() {
        assert!(played.as_object_mut().unwrap().remove("opening").is_some());
    }
    value
}

#[test]
fn random_questions_are_answered_as_counting_does() {
    let texts = [games(GAMES), games_of_seed(GAMES / 2, 2)];
    let mut all = model::read(&texts[0], 1);
    all.extend(model::read(&texts[1], GAMES + 1));
    let [one, other] = texts.each_ref().map(|text| &text[..]);
    let servers = [true, false].map(|has_index| Served::with(&[one, other], has_index, |_| {}));
    let questions = cases(250, 1000);
    let mut found = 0;
    for seed in 0..questions {
        let question = Question::random(seed, &all);
        let meets = |game: &&Game| question.filters.iter().all(|holds| holds(game));
        let games: Vec<&Game> = all.iter().filter(meets).collect();
        let expected = model::answer(&games, &question.position, &question.shown);
        found += usize::from(expected["white"] != 0);
        // Without an index an answer takes longer.
        let asked = if seed % 4 == 0 {
            &servers[..]
        } else {
            &servers[..1]
        };
        for served in asked {
            let reply = served.ask(question.path, &question.parameters);
            let answer = without_openings(reply.ok());
            assert_eq!(answer, expected, "seed {seed}: {:?}", question.parameters);
        }
    }
    // Most questions are about games that exist.
    assert!(found as u64 > questions / 4, "{found}");
}

#[test]
fn a_source_answers_for_its_own_games() {
    let texts = [games(60), games_of_seed(30, 2)];
    let [one, other] = texts.each_ref().map(|text| &text[..]);
    let served = Served::with(&[one, other], true, |_| {});
    let total = |path: &str| {
        let value = served.get(path).ok();
        ["white", "draws", "black"].map(|name| value[name].as_u64().unwrap())
    };
    let [first, second] = ["/lichess?source=0", "/lichess?source=1"].map(total);
    let sum: Vec<u64> = first.iter().zip(second).map(|(a, b)| a + b).collect();
    assert_eq!(total("/lichess").to_vec(), sum);
    assert_ne!(first, second);
    let reply = served.get("/lichess?source=2");
    assert_eq!(
        (reply.status, &reply.json()["parameter"]),
        (400, &"source".into())
    );
    // Games are numbered over all sources.
    let listed = served.get("/api/games?source=1&limit=1").ok();
    assert_eq!(listed["games"][0]["number"], 61);
    assert_eq!(listed["games"][0]["source_number"], 1);
    assert_eq!(listed["total"], 30);
    let game = served.get("/api/game/61").ok();
    assert_eq!(game["source"], "1");
    assert_eq!(game, served.get("/api/game/1?source=1").ok());
}

#[test]
fn names_of_openings_are_looked_up_along_the_line() {
    let served = Served::new(20);
    let name = |play: &str| {
        let value = served.get(&format!("/lichess?play={play}")).ok();
        value["opening"]["name"].as_str().map(str::to_owned)
    };
    assert_eq!(name("").as_deref(), None);
    assert_eq!(name("e2e4,c7c5").as_deref(), Some("Sicilian Defense"));
    // The position has no name of its own.
    assert_eq!(
        name("e2e4,c7c5,h2h4,h7h5,a2a3").as_deref(),
        name("e2e4,c7c5,h2h4,h7h5").as_deref()
    );
    assert!(name("e2e4,c7c5,h2h4,h7h5,a2a3").is_some());
}

#[test]
fn masters_games_are_text() {
    let text = games(30);
    let served = Served::with(&[&text], true, |_| {});
    let all = model::read(&text, 1);
    let id = all[11]
        .tag("Site")
        .strip_prefix("https://lichess.org/")
        .unwrap();
    let reply = served.get(&format!("/masters/pgn/{id}"));
    assert_eq!(reply.status, 200);
    let pgn = String::from_utf8(reply.body).unwrap();
    assert!(pgn.contains(all[11].tag("Site")), "{pgn}");
    assert_eq!(served.get("/masters/pgn/12").body, pgn.as_bytes());
    for unknown in ["31", "0", "zzzzzzzz", "..%2f..%2fetc%2fpasswd", "a b"] {
        let unknown = unknown.replace(' ', "%20");
        let reply = served.get(&format!("/masters/pgn/{unknown}"));
        assert_eq!(reply.status, 404, "{unknown}");
    }
}
