//! Does each endpoint answer in the form that clients of the explorer, and the page, are written for?

use crate::support::Served;
use ign_testing::games;
use serde_json::Value;

/// The form of a value.
enum Form {
    Number,
    Text,
    Flag,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// The form or null.
    Or(&'static Form),
    List(&'static Form),
    /// An object with these keys, and no others.
    Object(Keys),
    /// An object with the keys of all these lists, and no others.
    All(&'static [Keys]),
    /// A pair of texts.
    Pair,
    /// An object with any keys and values of this form.
    Map(&'static Form),
    Any,
}

/// Keys of an object, with their values.
type Keys = &'static [(&'static str, Form)];

use Form::{All, Any, Flag, List, Map, Number, Object, OneOf, Or, Pair, Text};

impl Form {
    fn check(&self, value: &Value, place: &str) {
        let is_it = match self {
            Number => value.is_number(),
            Text => value.is_string(),
            Flag => value.is_boolean(),
            Any => true,
            OneOf(texts) => value.as_str().is_some_and(|text| texts.contains(&text)),
            Or(form) => {
                if !value.is_null() {
                    form.check(value, place);
                }
                true
            }
            List(form) => {
                let list = value.as_array();
                for (number, item) in list.into_iter().flatten().enumerate() {
                    form.check(item, &format!("{place}[{number}]"));
                }
                list.is_some()
            }
            Pair => {
                let pair = value.as_array();
                pair.is_some_and(|pair| pair.len() == 2 && pair.iter().all(Value::is_string))
            }
            Map(form) => {
                let map = value.as_object();
                for (key, item) in map.into_iter().flatten() {
                    form.check(item, &format!("{place}.{key}"));
                }
                map.is_some()
            }
            Object(keys) => {
                check_keys(value, &[keys], place);
                true
            }
            All(lists) => {
                check_keys(value, lists, place);
                true
            }
        };
        assert!(is_it, "{place} has another form: {value}");
    }
}

/// Checks that a value is an object with the keys of these lists, and no others.
fn check_keys(value: &Value, lists: &[Keys], place: &str) {
    let Some(object) = value.as_object() else {
        panic!("{place} is no object: {value}");
    };
    let keys = || lists.iter().copied().flatten();
    for (key, form) in keys() {
        let item = object.get(*key);
        let item = item.unwrap_or_else(|| panic!("{place} has no {key}: {value}"));
        form.check(item, &format!("{place}.{key}"));
    }
    for key in object.keys() {
        let is_known = keys().any(|(known, _)| known == key);
        assert!(is_known, "{place}.{key} is not in the interface: {value}");
    }
}

const OPENING: Form = Or(&Object(&[("eco", Text), ("name", Text)]));
const PLAYER: Form = Object(&[("name", Or(&Text)), ("rating", Or(&Number))]);
const COLOR: Form = OneOf(&["white", "black"]);
const SPEED: Form = OneOf(&[
    "ultraBullet",
    "bullet",
    "blitz",
    "rapid",
    "classical",
    "correspondence",
]);
const RESULTS: Keys = &[("white", Number), ("draws", Number), ("black", Number)];
const GAME_KEYS: Keys = &[
    ("id", Text),
    ("winner", Or(&COLOR)),
    ("speed", Or(&SPEED)),
    ("mode", Or(&OneOf(&["rated", "casual"]))),
    ("white", PLAYER),
    ("black", PLAYER),
    ("year", Or(&Number)),
    ("month", Or(&Text)),
];
const GAME: Form = Object(GAME_KEYS);
const LISTED: Form = All(&[GAME_KEYS, &[("uci", Or(&Text))]]);
const MOVE_KEYS: Keys = &[
    ("uci", Text),
    ("san", Text),
    ("performance", Or(&Number)),
    ("game", Or(&GAME)),
    ("opening", OPENING),
];
const MOVE: Form = All(&[MOVE_KEYS, RESULTS, &[("averageRating", Or(&Number))]]);
const PLAYER_MOVE: Form = All(&[
    MOVE_KEYS,
    RESULTS,
    &[("averageOpponentRating", Or(&Number))],
]);
const MONTH: Form = All(&[&[("month", Text)], RESULTS]);
const ANSWER_KEYS: Keys = &[
    ("topGames", List(&LISTED)),
    ("recentGames", List(&LISTED)),
    ("opening", OPENING),
];
const MOVES: Keys = &[("moves", List(&MOVE))];
const LICHESS: Form = All(&[RESULTS, MOVES, ANSWER_KEYS]);
const LICHESS_HISTORY: Form = All(&[RESULTS, MOVES, ANSWER_KEYS, &[("history", List(&MONTH))]]);
const OF_PLAYER: Form = All(&[
    RESULTS,
    &[("moves", List(&PLAYER_MOVE)), ("queuePosition", Number)],
    ANSWER_KEYS,
]);

#[test]
fn the_explorer_answers_in_its_form() {
    let text = games(200);
    let served = Served::with(&[&text], true, |_| {});
    for play in ["", "e2e4", "d2d4,d7d5", "a2a4,h7h5,a1a3"] {
        let get = |path: &str| served.get(&format!("{path}play={play}")).ok();
        LICHESS.check(&get("/lichess?"), "lichess");
        LICHESS_HISTORY.check(&get("/lichess?history=true&"), "lichess");
        LICHESS.check(&get("/masters?"), "masters");
    }
    let name = &crate::support::model::read(&text, 1)[0]
        .tag("White")
        .to_owned();
    let reply = served.get(&format!("/player?player={name}&color=white"));
    assert_eq!(reply.header("content-type"), "application/x-ndjson");
    // One object, on a line of its own.
    assert_eq!(reply.body.iter().filter(|&&c| c == b'\n').count(), 1);
    assert_eq!(reply.body.last(), Some(&b'\n'));
    let answer = reply.ok();
    OF_PLAYER.check(&answer, "player");
    assert!(!answer["recentGames"].as_array().unwrap().is_empty());
    let pgn = served.get("/masters/pgn/1");
    assert_eq!(pgn.header("content-type"), "application/x-chess-pgn");
}

const RATED: Form = Object(&[
    ("name", Or(&Text)),
    ("rating", Or(&Number)),
    ("title", Or(&Text)),
]);
const EVAL: Form = Map(&Number);
const PLAYED: Form = Object(&[
    ("san", Text),
    ("uci", Text),
    ("fen", Text),
    ("clock", Or(&Number)),
    ("eval", Or(&EVAL)),
    ("nags", List(&Number)),
    ("comment", Or(&Text)),
    ("variations", List(&List(&Any))),
]);
const IN_LIST_KEYS: Keys = &[
    ("number", Number),
    ("source", Text),
    ("source_number", Number),
    ("id", Text),
    ("white", RATED),
    ("black", RATED),
    ("result", Or(&OneOf(&["1-0", "0-1", "1/2-1/2", "*"]))),
    ("date", Or(&Text)),
    ("time_control", Or(&Text)),
    ("speed", Or(&SPEED)),
    ("eco", Or(&Text)),
    ("opening", Or(&Text)),
    ("event", Or(&Text)),
    ("round", Or(&Text)),
    ("site", Or(&Text)),
    ("termination", Or(&Text)),
    ("plies", Or(&Number)),
    ("ply", Or(&Number)),
];
const IN_LIST: Form = Object(IN_LIST_KEYS);
const ONE_GAME: Form = All(&[
    IN_LIST_KEYS,
    &[
        ("kind", OneOf(&["chess", "go"])),
        ("tags", List(&Pair)),
        ("start", Or(&Text)),
        ("moves", List(&PLAYED)),
        ("comment", Or(&Text)),
        ("text", Or(&OneOf(&["kept"]))),
        ("pgn_url", Text),
    ],
]);
const BARS: Form = Object(&[
    ("mean", Or(&Number)),
    ("median", Or(&Number)),
    ("first", Number),
    ("width", Number),
    ("counts", List(&Number)),
    ("beyond", Number),
]);
const STATS: Form = Object(&[
    ("ready", Flag),
    ("games", Number),
    ("plies", Number),
    ("text_bytes", Number),
    ("archive_bytes", Number),
    ("bytes_per_game", Or(&Number)),
    ("bits_per_ply", Or(&Number)),
    (
        "columns",
        List(&Object(&[("name", Text), ("bytes", Number)])),
    ),
    ("bits_per_game", BARS),
    ("plies_per_game", BARS),
    ("bits_of_plies", BARS),
    (
        "encodings",
        List(&Object(&[("name", Text), ("bits_per_ply", Or(&Number))])),
    ),
    (
        "by_ply",
        List(&Object(&[
            ("games", Number),
            ("legal_moves", Or(&Number)),
            ("equal_bits", Or(&Number)),
            ("model_bits", Or(&Number)),
        ])),
    ),
    (
        "openings",
        List(&All(&[
            &[("eco", Text), ("name", Text), ("games", Number)],
            RESULTS,
        ])),
    ),
    (
        "ratings",
        List(&All(&[
            &[("from", Number), ("to", Number), ("games", Number)],
            RESULTS,
        ])),
    ),
    ("days", List(&Object(&[("date", Text), ("games", Number)]))),
    (
        "speeds",
        List(&Object(&[("speed", SPEED), ("games", Number)])),
    ),
]);

#[test]
fn sources_lists_positions_and_statistics_have_their_forms() {
    let text = games(150);
    let served = Served::with(&[&text], true, |_| {});
    let sources = Object(&[
        (
            "sources",
            List(&Object(&[
                ("name", Text),
                ("games", Number),
                ("bytes", Number),
                ("text_bytes", Number),
                ("plies", Number),
                ("index", Flag),
            ])),
        ),
        ("games", Number),
        ("version", Text),
        ("etag", Text),
    ]);
    sources.check(&served.get("/api/sources").ok(), "sources");
    let list = Object(&[
        ("total", Or(&Number)),
        ("offset", Number),
        ("games", List(&IN_LIST)),
    ]);
    for query in [
        "",
        "limit=3&offset=100",
        "elo=1500..&count=true",
        "board=8/8/4k3/8/8/4K3/8/8",
    ] {
        list.check(&served.get(&format!("/api/games?{query}")).ok(), query);
    }
    let position = Object(&[
        ("fen", Text),
        ("opening", OPENING),
        ("turn", COLOR),
        ("check", Flag),
        ("promotes", Flag),
        ("legal", Map(&List(&Text))),
        (
            "outcome",
            Or(&Object(&[("winner", Or(&COLOR)), ("reason", Text)])),
        ),
        (
            "line",
            List(&Object(&[
                ("uci", Text),
                ("san", Text),
                ("fen", Text),
                ("opening", OPENING),
            ])),
        ),
    ]);
    for query in [
        "",
        "play=e2e4,e7e5",
        "play=f2f3,e7e5,g2g4,d8h4",
        "fen=7k/P7/8/8/8/8/8/K7_w_-_-",
    ] {
        let value = served.get(&format!("/api/position?{query}")).ok();
        position.check(&value, query);
        let is_over = query.ends_with("d8h4");
        assert_eq!(value["outcome"].is_null(), !is_over, "{query}");
        assert_eq!(value["promotes"], query.contains("P7"), "{query}");
    }
    let stats = loop {
        let reply = served.get("/api/stats");
        match reply.status {
            202 => {
                let form = Object(&[("ready", Flag), ("progress", Number)]);
                form.check(&reply.json(), "progress");
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            _ => break reply.ok(),
        }
    };
    STATS.check(&stats, "stats");
    let sum = |list: &str, of: &str| -> u64 {
        let list = stats[list].as_array().unwrap().iter();
        list.map(|item| item[of].as_u64().unwrap()).sum()
    };
    assert_eq!(sum("days", "games"), 150);
    assert_eq!(sum("speeds", "games"), 150);
    assert_eq!(
        sum("columns", "bytes"),
        stats["archive_bytes"].as_u64().unwrap()
    );
}

#[test]
fn games_have_clocks_evaluations_comments_and_variations() {
    let text = "[Event \"Casual game\"]\n[White \"Ann\"]\n[WhiteTitle \"WFM\"]\n[Black \"Ben\"]\n[Result \"0-1\"]\n\n\
        { First. } 1. f3?! { [%eval -0.7] [%clk 0:03:00.5] Odd. } 1... e5 { [%eval #-1] } \
        (1... e6 2. g4 $2 (2. e4 d5)) 2. g4?? Qh4# 0-1\n\n\
        [White \"Cid\"]\n[Black \"Dan\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n[SetUp \"1\"]\n\n1. O-O Ke7 *\n\n\
        [White \"Eve\"]\n[Black \"Fay\"]\n\n1. e4 e5 2. Ke3 Nf6 *\n\n\
        [White \"Gus\"]\n[Black \"Hal\"]\n\n*\n\n\
        [White \"Ida\"]\n[Black \"Jon\"]\n[Variant \"Atomic\"]\n\n1. Nf3 d5 2. Nd4 e6 3. Nxe6 *\n";
    let served = Served::with(&[text.as_bytes()], false, |_| {});
    let games: Vec<Value> = (1..=5)
        .map(|n| served.get(&format!("/api/game/{n}")).ok())
        .collect();
    games.iter().for_each(|game| ONE_GAME.check(game, "game"));
    let [first, castled, broken, empty, atomic] = &games[..] else {
        unreachable!("five games");
    };
    assert_eq!(first["white"]["title"], "WFM");
    assert_eq!(first["tags"][1], serde_json::json!(["White", "Ann"]));
    assert_eq!(
        (&first["comment"], &first["text"]),
        (&"First.".into(), &Value::Null)
    );
    let moves = first["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 4);
    assert_eq!(moves[0]["clock"], 180.5);
    assert_eq!(moves[0]["eval"]["cp"], -70);
    assert_eq!(moves[0]["comment"], "Odd.");
    assert_eq!(moves[0]["nags"], serde_json::json!([6]));
    assert_eq!(moves[1]["eval"]["mate"], -1);
    let variation = &moves[1]["variations"][0];
    assert_eq!(
        (&variation[0]["san"], &variation[1]["san"]),
        (&"e6".into(), &"g4".into())
    );
    assert_eq!(variation[1]["variations"][0][1]["uci"], "d7d5");
    assert_eq!(
        (&moves[3]["san"], &moves[3]["uci"]),
        (&"Qh4#".into(), &"d8h4".into())
    );
    assert_eq!(castled["moves"][0]["uci"], "e1g1");
    assert_eq!(castled["start"], "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    // The king cannot go to e3.
    assert_eq!(
        (broken["moves"].as_array().unwrap().len(), &broken["text"]),
        (2, &"kept".into())
    );
    assert_eq!(
        (empty["moves"].as_array().unwrap().len(), &empty["text"]),
        (0, &Value::Null)
    );
    let fen = atomic["moves"][4]["fen"].as_str().unwrap();
    assert!(
        fen.starts_with("rnbqkbnr/ppp2ppp/8/3p4/8/8/PPPPPPPP/RNBQKB1R b"),
        "{fen}"
    );
    // The text is that which was packed.
    let all: Vec<u8> = (1..=5)
        .flat_map(|n| served.get(&format!("/api/game/{n}.pgn")).body)
        .collect();
    assert_eq!(all, text.as_bytes());
}

#[test]
fn lists_of_games_are_those_of_a_search() {
    let text = games(120);
    let served = Served::with(&[&text], true, |_| {});
    let all = crate::support::model::read(&text, 1);
    let won: Vec<u64> = all
        .iter()
        .filter(|game| game.tag("Result") == "1-0")
        .map(|game| game.number)
        .collect();
    let numbers = |query: &str| -> (Vec<u64>, Value) {
        let value = served.get(&format!("/api/games?result=white&{query}")).ok();
        let games = value["games"].as_array().unwrap().iter();
        let numbers = games.map(|game| game["number"].as_u64().unwrap());
        (numbers.collect(), value["total"].clone())
    };
    let count = won.len() as u64;
    assert!(count > 3);
    assert_eq!(numbers("limit=500"), (won.clone(), count.into()));
    assert_eq!(numbers("limit=2"), (won[..2].to_vec(), Value::Null));
    assert_eq!(
        numbers("limit=2&offset=1&count=true"),
        (won[1..3].to_vec(), count.into())
    );
    assert_eq!(numbers("offset=1000000").0, Vec::<u64>::new());
    // The ply of the position that was searched for.
    let position = &all[7].positions[5];
    let reply = served.ask("/api/games", &[("position", position.clone())]);
    let games = reply.ok();
    for game in games["games"].as_array().unwrap() {
        let number = game["number"].as_u64().unwrap() as usize;
        let ply = all[number - 1].positions.iter().position(|p| p == position);
        assert_eq!(game["ply"].as_u64(), ply.map(|ply| ply as u64));
    }
    // A download is the text of the games.
    let download = served.get("/api/games.pgn?result=white");
    assert!(
        download
            .header("content-disposition")
            .starts_with("attachment")
    );
    let read = crate::support::model::read(&download.body, 1);
    let sites = |games: &[&crate::support::model::Game]| -> Vec<String> {
        games
            .iter()
            .map(|game| game.tag("Site").to_owned())
            .collect()
    };
    let wanted: Vec<_> = won.iter().map(|&n| &all[n as usize - 1]).collect();
    assert_eq!(sites(&read.iter().collect::<Vec<_>>()), sites(&wanted));
    assert_eq!(served.get("/api/games.pgn").body, text);
}

#[test]
fn null_moves_are_listed_counted_and_followed() {
    let text = b"1. e4 -- 2. d4 (2. c4 -- 3. Nf3) e5 *\n\n1. e4 f6 2. Qh5+ -- *\n\n";
    let served = Served::with(&[text], false, |_| ());
    let game = served.get("/api/game/1").ok();
    let listed = |key: &str| {
        let moves = game["moves"].as_array().unwrap().iter();
        moves.map(|played| played[key].clone()).collect::<Vec<_>>()
    };
    assert_eq!(listed("san"), ["e4", "--", "d4", "e5"]);
    assert_eq!(listed("uci"), ["e2e4", "0000", "d2d4", "e7e5"]);
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2";
    assert_eq!(listed("fen")[1], fen);
    assert_eq!(game["moves"][2]["variations"][0][1]["san"], "--");
    assert!(game["text"].is_null());
    // A side in check does not pass.
    let checked = served.get("/api/game/2").ok();
    assert_eq!(checked["moves"].as_array().map(Vec::len), Some(3));
    let tree = served.get("/lichess?play=e2e4").ok();
    assert_eq!(tree["moves"][0]["uci"], "0000");
    assert_eq!(tree["moves"][0]["san"], "--");
    let after = served.get("/lichess?play=e2e4,0000").ok();
    assert_eq!(after["moves"][0]["san"], "d4");
    assert_eq!(served.get("/lichess?play=e2e4,f7f6,d1h5,0000").status, 400);
}
