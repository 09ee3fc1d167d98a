//! Does what the page requests beyond the explorer's interface equal counting the games one by one?

use std::collections::BTreeSet;

use crate::support::{
    Served,
    model::{self, Game},
};
use ign_testing::{Random, cases, games, games_of_seed};
use serde_json::{Value, json};

const GAMES: u64 = 200;

fn numbers(list: &Value) -> Vec<u64> {
    let games = list["games"].as_array().unwrap().iter();
    games.map(|game| game["number"].as_u64().unwrap()).collect()
}

/// The first ply at which a game has a position.
fn ply_of(game: &Game, position: &str) -> Option<usize> {
    game.positions.iter().position(|other| other == position)
}

/// Two archives, the second without an index, and their games.
fn served() -> (Served, Vec<Game>) {
    let texts = [games(GAMES), games_of_seed(GAMES, 2)];
    let served = Served::with(&[&texts[0], &texts[1]], false, |_| {});
    crate::support::build_index(&served.archive(0));
    let mut all = model::read(&texts[0], 1);
    all.extend(model::read(&texts[1], GAMES + 1));
    (served, all)
}

#[test]
fn lists_have_the_games_through_a_position_that_meet_conditions_elsewhere() {
    let (served, games) = served();
    for seed in 0..cases(10, 30) {
        let mut random = Random(seed);
        let game = &games[random.below(games.len())];
        let ply = random.below(game.positions.len().min(12));
        let position = &game.positions[ply];
        let other = &game.positions[random.below(game.positions.len().min(20))];
        let has_other = random.below(2) == 0;
        // A game without moves has no positions, as in a tree.
        let expected: Vec<u64> = games
            .iter()
            .filter(|game| !game.moves.is_empty())
            .filter(|game| ply_of(game, position).is_some())
            .filter(|game| !has_other || ply_of(game, other).is_some())
            .map(|game| game.number)
            .collect();
        let mut parameters = match random.below(2) {
            0 => vec![("fen", position.clone())],
            _ => {
                let moves: Vec<&str> = game.moves[..ply].iter().map(|(uci, _)| &**uci).collect();
                vec![("play", moves.join(","))]
            }
        };
        if has_other {
            parameters.push(("position", other.clone()));
        }
        parameters.extend([("count", "true".to_owned()), ("limit", "500".to_owned())]);
        let list = served.ask("/api/games", &parameters).ok();
        assert_eq!(
            numbers(&list),
            expected[..expected.len().min(500)],
            "{parameters:?}"
        );
        assert_eq!(list["total"], json!(expected.len()), "{parameters:?}");
        for (listed, number) in list["games"].as_array().unwrap().iter().zip(&expected) {
            let game = &games[*number as usize - 1];
            assert_eq!(
                listed["ply"],
                json!(ply_of(game, position)),
                "{parameters:?}"
            );
        }
    }
}

#[test]
fn the_table_and_the_list_of_a_search_count_the_same_games() {
    let (served, _) = served();
    let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR+b+KQkq+-";
    for asked in [
        "pattern=Qh5",
        "pattern=Qh5&play=e2e4",
        "play=e2e4,e7e5&source=1",
        &format!("position={e4}&play=e2e4"),
        "material=KRPKR&speed=blitz",
        "white_elo=1500..&source=1",
    ] {
        let list = served.get(&format!("/api/games?{asked}&count=true")).ok();
        let found = served
            .get(&format!("/api/games?{asked}&count=true&limit=500"))
            .ok();
        let results = ["1-0", "1/2-1/2", "0-1"];
        let games = found["games"].as_array().unwrap().iter();
        let decided = games.filter(|game| {
            let is_decided = results.contains(&game["result"].as_str().unwrap_or_default());
            is_decided && game["plies"] != json!(0)
        });
        let tree = served.get(&format!("/lichess?{asked}")).ok();
        let counted = ["white", "draws", "black"].map(|key| tree[key].as_u64().unwrap());
        assert_eq!(
            counted.iter().sum::<u64>(),
            decided.count() as u64,
            "{asked}"
        );
        assert_eq!(list["total"], found["total"], "{asked}");
        let first = served.get(&format!("/api/games?{asked}")).ok();
        assert_eq!(numbers(&first), numbers(&list), "{asked}");
        let progress = served.get(&format!("/api/progress?{asked}")).ok();
        assert_eq!(progress, json!({"progress": null}));
    }
}

#[test]
fn counts_names_and_annotations_are_those_of_the_games() {
    let (served, games) = served();
    let e4: Vec<&Game> = games
        .iter()
        .filter(|game| game.moves.first().is_some_and(|(uci, _)| uci == "e2e4"))
        .collect();
    let counted = served.get("/api/count?by=result&play=e2e4").ok();
    for row in counted["rows"].as_array().unwrap() {
        let of_result = e4
            .iter()
            .filter(|game| row[0] == json!(game.tag("Result")))
            .count();
        assert_eq!(row[1], json!(of_result), "{row}");
    }
    assert_eq!(counted["games"], json!(e4.len()));
    let limited = served.get("/api/count?by=white,result&limit=3").ok();
    assert_eq!(limited["rows"].as_array().unwrap().len(), 3);
    assert!(limited["all_rows"].as_u64().unwrap() > 3);
    for wrong in ["by=", "by=what", "by=eco,eco,eco,eco,eco", "limit=1"] {
        let reply = served.get(&format!("/api/count?{wrong}"));
        assert_eq!(
            (reply.status, &reply.json()["parameter"]),
            (400, &json!("by")),
            "{wrong}"
        );
    }

    let indexed = Served::new(GAMES);
    let name = games[0].tag("White");
    let letters: String = name.chars().take(3).collect();
    let names = indexed.ask(
        "/api/names",
        &[("name", letters), ("limit", "50".to_owned())],
    );
    let names = names.ok();
    let found = names["names"]
        .as_array()
        .unwrap()
        .iter()
        .find(|found| found["name"] == *name);
    let of_name = games[..GAMES as usize].iter();
    let of_name = of_name.filter(|game| [game.tag("White"), game.tag("Black")].contains(&name));
    assert_eq!(found.unwrap()["games"], json!(of_name.count()));
    assert_eq!(indexed.get("/api/names?name=*").status, 400);

    let annotated = served.get("/api/annotations?play=e2e4").ok();
    let through = served.get("/api/games?play=e2e4&count=true").ok();
    assert_eq!(annotated["games"], through["total"]);
    assert_eq!(annotated["read"], through["total"]);
    let moves = annotated["moves"].as_array().unwrap().iter();
    let read: u64 = moves.map(|played| played["games"].as_u64().unwrap()).sum();
    assert_eq!(
        read,
        e4.iter().filter(|game| game.moves.len() > 1).count() as u64
    );

    let text = served.get("/api/games.pgn?numbers=7,2,7");
    let both = [2, 7].map(|number| served.get(&format!("/api/game/{number}.pgn")).body);
    assert_eq!(text.body, both.concat());
    for wrong in ["0", "", "1&white=a", "1&limit=1"] {
        let answer = served.get(&format!("/api/games.pgn?numbers={wrong}"));
        assert_eq!(answer.status, 400, "{wrong}");
    }
}

#[test]
fn thinking_times_evaluations_and_blunders_are_means() {
    let game = |moves: &str| format!("[TimeControl \"60+1\"]\n[Result \"*\"]\n\n{moves} *\n\n");
    let text = [
        "1. e4 {[%clk 0:01:00] [%eval 0.2]} e5 {[%clk 0:00:58] [%eval 0.4]} 2. Nf3 {[%clk 0:00:51] [%eval 0.3]}",
        "1. e4 {[%clk 0:01:00] [%eval 0.2]} e5 {[%clk 0:00:56] [%eval #-2]} 2. Nf3 {[%clk 0:00:57]}",
        "1. e4 {[%eval 0.2]} e5 {[%eval 4.0]} 2. Nf3",
    ]
    .map(game)
    .concat();
    let served = Served::with(&[text.as_bytes()], true, |_| {});
    let of =
        |play: &str| served.get(&format!("/api/annotations?play={play}")).ok()["moves"][0].clone();
    let expected = |games: u64, seconds: Value, pawns: Value, blunders: Value, counts: [u64; 2]| {
        json!({"games": games, "clocks": counts[0], "seconds": seconds, "evals": counts[1],
            "pawns": pawns, "blunders": blunders})
    };
    for (play, san, expected) in [
        (
            "e2e4",
            "e5",
            expected(3, json!(3.0), json!(-1.867), json!(0.333), [2, 3]),
        ),
        (
            "e2e4,e7e5",
            "Nf3",
            expected(3, json!(7.0), json!(0.3), json!(0.0), [2, 1]),
        ),
    ] {
        let mut found = of(play);
        assert_eq!(found["san"], san);
        found.as_object_mut().unwrap().remove("san");
        assert_eq!(found, expected, "{play}");
    }
}

#[test]
fn the_last_position_can_be_that_of_the_moves_played() {
    let (served, games) = served();
    for game in games.iter().filter(|game| !game.moves.is_empty()).take(5) {
        for plies in [game.moves.len(), game.moves.len() - 1] {
            let position = &game.positions[plies];
            let last = games.iter().filter(|game| !game.moves.is_empty());
            let last = last.filter(|game| game.positions.last() == Some(position));
            let expected: Vec<u64> = last.map(|game| game.number).collect();
            let moves: Vec<&str> = game.moves[..plies].iter().map(|(uci, _)| &**uci).collect();
            for at in [("play", moves.join(",")), ("fen", position.clone())] {
                let parameters = [at, ("final", "true".to_owned())];
                let list = served.ask("/api/games", &parameters).ok();
                assert_eq!(numbers(&list), expected, "{parameters:?}");
                let tree = served.ask("/lichess", &parameters).ok();
                let counts = ["white", "draws", "black"].map(|key| tree[key].as_u64().unwrap());
                let results = ["1-0", "1/2-1/2", "0-1"];
                let decided = expected.iter().filter(|&&number| {
                    let result = games[number as usize - 1].tag("Result");
                    results.contains(&result)
                });
                assert_eq!(
                    counts.iter().sum::<u64>(),
                    decided.count() as u64,
                    "{parameters:?}"
                );
            }
        }
    }
}

#[test]
fn pages_and_downloads_at_a_position_are_parts_of_its_list() {
    let (served, _) = served();
    let all = served.get("/api/games?play=e2e4&position=rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR+w+KQkq+-&limit=500");
    let all = numbers(&all.ok());
    assert!(all.len() > 20);
    let page = "/api/games?play=e2e4&position=rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR+w+KQkq+-&offset=5&limit=7";
    assert_eq!(numbers(&served.get(page).ok()), all[5..12]);
    let text = served.get(&page.replace("/api/games?", "/api/games.pgn?"));
    let ids = model::read(&text.body, 1);
    let listed = served.get(page).ok();
    let listed: Vec<&str> = (0..7)
        .map(|n| listed["games"][n]["site"].as_str().unwrap())
        .collect();
    assert_eq!(
        ids.iter().map(|game| game.tag("Site")).collect::<Vec<_>>(),
        listed
    );
    let beyond = served.get("/api/games?play=e2e4&offset=100000");
    assert_eq!(numbers(&beyond.ok()), Vec::<u64>::new());
}

#[test]
fn extended_answers_have_ratings_dates_and_numbers_and_others_do_not() {
    let (served, games) = served();
    let plain = served.get("/lichess?play=e2e4").ok();
    let extended = served.get("/lichess?play=e2e4&extended=true").ok();
    let new: BTreeSet<&String> = extended.as_object().unwrap().keys().collect();
    let old: BTreeSet<&String> = plain.as_object().unwrap().keys().collect();
    assert_eq!(
        new.difference(&old)
            .map(|key| key.as_str())
            .collect::<Vec<_>>(),
        ["averageRating", "performance"]
    );

    let position = &games
        .iter()
        .find(|game| game.moves[0].0 == "e2e4")
        .unwrap()
        .positions[1];
    let here: Vec<&Game> = games
        .iter()
        .filter(|game| ply_of(game, position).is_some())
        .collect();
    let rated: Vec<u64> = here
        .iter()
        .filter_map(|game| Some(game.rating("WhiteElo")? + game.rating("BlackElo")?))
        .collect();
    let mean = rated.iter().sum::<u64>() as f64 / (2 * rated.len()) as f64;
    let average = extended["averageRating"].as_f64().unwrap();
    assert!((average - mean).abs() <= 1.0, "{average} {mean}");

    for (old, new) in plain["moves"]
        .as_array()
        .unwrap()
        .iter()
        .zip(extended["moves"].as_array().unwrap())
    {
        let played = |game: &&&Game| {
            let ply = ply_of(game, position).unwrap();
            game.moves
                .get(ply)
                .is_some_and(|(uci, _)| *uci == new["uci"])
        };
        let last = here
            .iter()
            .filter(played)
            .map(|game| game.tag("UTCDate").replace('.', "-"))
            .max();
        assert_eq!(new["lastPlayed"], json!(last), "{new}");
        assert!(old.get("lastPlayed").is_none());
    }
    for game in extended["topGames"].as_array().unwrap() {
        let number = game["number"].as_u64().unwrap();
        assert_eq!(game["id"], games[number as usize - 1].describe()["id"]);
        let opened = served.get(&format!("/api/game/{number}")).ok();
        assert_eq!(opened["id"], game["id"]);
    }
    assert!(plain["topGames"][0].get("number").is_none());
    // In a source, too, numbers are those over all archives.
    let of_source = served.get("/lichess?source=1&extended=true").ok();
    let number = of_source["topGames"][0]["number"].as_u64().unwrap();
    assert!(number > GAMES);
    assert_eq!(
        of_source["topGames"][0]["id"],
        games[number as usize - 1].describe()["id"]
    );
}

#[test]
fn moves_have_no_games_on_request() {
    let (served, games) = served();
    let line: Vec<&str> = games[0].moves[..12]
        .iter()
        .map(|(uci, _)| &uci[..])
        .collect();
    let url = format!("/lichess?moves=100&play={}", line.join(","));
    let with = served.get(&url).ok();
    let mut without = served.get(&format!("{url}&moveGames=false")).ok();
    let moves = with["moves"].as_array().unwrap();
    assert!(moves.iter().any(|played| !played["game"].is_null()));
    for (with, without) in moves.iter().zip(without["moves"].as_array_mut().unwrap()) {
        assert!(without["game"].is_null());
        without["game"] = with["game"].clone();
    }
    assert_eq!(with, without);
    assert_eq!(served.get("/lichess?moveGames=x").status, 400);
}

#[test]
fn wrong_positions_of_lists_are_errors_with_their_parameters() {
    let (served, _) = served();
    for (query, parameter) in [
        ("fen=x", "fen"),
        ("play=e2e5", "play"),
        ("fem=x", "fem"),
        ("extended=x", "extended"),
    ] {
        let reply = served.get(&format!("/api/games?{query}"));
        assert_eq!(reply.status, 400, "{query}");
        assert_eq!(reply.json()["parameter"], parameter, "{query}");
    }
    assert_eq!(served.get("/lichess?extended=x").status, 400);
}

#[test]
fn lists_are_sorted_by_the_keys_of_ign_find() {
    let (served, games) = served();
    let rating = |game: &Game| game.tag("WhiteElo").parse::<i64>().ok();
    let day = |game: &Game| {
        let dates = ["UTCDate", "Date"].map(|name| game.tag(name).to_owned());
        let date = dates.into_iter().find(|date| !date.is_empty());
        date.map(|date| date.replace('?', "0"))
    };
    let mut by_rating: Vec<&Game> = games.iter().collect();
    // Games without a value are the last; equal ones keep their order.
    by_rating.sort_by_key(|game| rating(game).map_or((1, 0), |rating| (0, -rating)));
    let mut by_day: Vec<&Game> = games.iter().collect();
    by_day.sort_by_key(|game| {
        (
            day(game).is_none(),
            day(game),
            rating(game).is_none(),
            rating(game),
        )
    });
    for (sort, sorted) in [
        ("white_elo:desc", by_rating),
        ("date, white-elo:asc", by_day),
    ] {
        let sorted: Vec<u64> = sorted.iter().map(|game| game.number).collect();
        for (offset, limit) in [(0, 500), (0, 7), (33, 50), (395, 50), (1000, 5)] {
            let parameters = [
                ("sort", sort.to_owned()),
                ("offset", offset.to_string()),
                ("limit", limit.to_string()),
            ];
            let list = served.ask("/api/games", &parameters).ok();
            let end = (offset + limit).min(sorted.len());
            let expected = &sorted[offset.min(end)..end];
            assert_eq!(numbers(&list), expected, "{parameters:?}");
            assert_eq!(list["total"], json!(sorted.len()), "{parameters:?}");
        }
    }
    let of =
        |parameters: &[(&'static str, String)]| numbers(&served.ask("/api/games", parameters).ok());
    // With conditions the same games, in another order.
    let conditions = [("result", "1-0".to_owned()), ("limit", "500".to_owned())];
    let found = of(&conditions);
    let sorted = of(&[&conditions[..], &[("sort", "plies".to_owned())]].concat());
    assert_ne!(sorted, found);
    assert_eq!(BTreeSet::from_iter(sorted), BTreeSet::from_iter(found));
}

#[test]
fn a_game_whose_text_is_hard_to_read_has_the_moves_of_the_archive() {
    let game =
        |tags: &str, moves: &str| format!("[Event \"?\"]\n{tags}\n[Result \"1-0\"]\n\n{moves}\n\n");
    let odd = [
        r#"[White "Smith, John "Jack""]"#,
        r#"[White "Smith, "Jack" John"]"#,
        r#"[White "Smith]"#,
        r#"[White "Smith""#,
        r#"[White Smith]"#,
    ];
    let texts = [
        "1. e4 e5 { good } 2. Nf3 Nc6 1-0",
        "1. e4 e5 2. Nf3 { not closed 2... Nc6 1-0",
        "1. e4 e5 2. Nf3 (2. Nc3 2... Nc6 1-0",
        "1. e4 e5 2. Qh8 Nc6 1-0",
        "1-0",
    ];
    let mut text = String::new();
    for tags in odd.into_iter().chain([r#"[White "Smith"]"#]) {
        for moves in texts {
            text += &game(tags, moves);
        }
    }
    let served = Served::with(&[text.as_bytes()], true, |_| {});
    let count = served.get("/api/sources").ok()["games"].as_u64().unwrap();
    assert!(count >= 25);
    let mut with_comment = 0;
    for number in 1..=count {
        let game = served.get(&format!("/api/game/{number}")).ok();
        let moves = game["moves"].as_array().unwrap();
        let plies = game["plies"].as_u64().unwrap_or_default();
        assert!(moves.len() as u64 >= plies, "{game}");
        with_comment += u32::from(moves.iter().any(|m| m["comment"] == "good"));
    }
    assert!(with_comment >= odd.len() as u32, "{with_comment}");
}
