//! Does each endpoint answer in the form that clients of the explorer, and the page, are written
//! for?

use crate::support::Served;
use ign_testing::{
    answers::{
        COMPUTING, LICHESS, LICHESS_HISTORY, LIST, OF_PLAYER, ONE_GAME, POSITION, SOURCES, STATS,
    },
    games,
};
use serde_json::Value;

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

#[test]
fn sources_lists_positions_and_statistics_have_their_forms() {
    let text = games(150);
    let served = Served::with(&[&text], true, |_| {});
    SOURCES.check(&served.get("/api/sources").ok(), "sources");
    for query in [
        "",
        "limit=3&offset=100",
        "elo=1500..&count=true",
        "board=8/8/4k3/8/8/4K3/8/8",
    ] {
        LIST.check(&served.get(&format!("/api/games?{query}")).ok(), query);
    }
    for query in [
        "",
        "play=e2e4,e7e5",
        "play=f2f3,e7e5,g2g4,d8h4",
        "fen=7k/P7/8/8/8/8/8/K7_w_-_-",
    ] {
        let value = served.get(&format!("/api/position?{query}")).ok();
        POSITION.check(&value, query);
        let is_over = query.ends_with("d8h4");
        assert_eq!(value["outcome"].is_null(), !is_over, "{query}");
        assert_eq!(value["promotes"], query.contains("P7"), "{query}");
    }
    let stats = loop {
        let reply = served.get("/api/stats");
        match reply.status {
            202 => {
                COMPUTING.check(&reply.json(), "progress");
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
