//! Does `ign count` print what a count of the tags and moves in the text gives?

use std::collections::BTreeMap;

use serde_json::{Value, json};

use ign_testing::{games, go};

use crate::util::Folder;

/// The value of a tag of a game.
pub fn tag<'g>(game: &'g str, name: &str) -> Option<&'g str> {
    let start = format!("[{name} \"");
    let line = game.lines().find_map(|line| line.strip_prefix(&start))?;
    line.strip_suffix("\"]")
}

pub fn number(game: &str, name: &str) -> Option<u64> {
    tag(game, name)?.parse().ok()
}

/// The games of a generated text.
pub fn split(text: &str) -> Vec<&str> {
    text.split("\n\n[Event ").collect()
}

/// The words of the movetext that are moves.
fn plies(game: &str) -> u64 {
    let movetext = game.rsplit("\"]\n\n").next().unwrap();
    let words = movetext.split_whitespace();
    let is_move = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic()) && !word.starts_with("eval")
    };
    words.filter(is_move).count() as u64
}

/// The value of a key, counted from the text.
pub fn value(game: &str, key: &str) -> Value {
    let band = |number: u64, width: u64| json!(number / width * width);
    let both = || Some((number(game, "WhiteElo")? + number(game, "BlackElo")?) / 2);
    match key {
        "white" => json!(tag(game, "White")),
        "black" => json!(tag(game, "Black")),
        "event" => json!(tag(game, "Event").or_else(|| game.strip_prefix('"')?.split('"').next())),
        "time-control" => json!(tag(game, "TimeControl")),
        "variant" => json!(tag(game, "Variant")),
        "result" => json!(tag(game, "Result")),
        "eco:1" => json!(
            tag(game, "ECO")
                .filter(|eco| *eco != "?")
                .map(|eco| &eco[..1])
        ),
        "eco:2" => json!(
            tag(game, "ECO")
                .filter(|eco| *eco != "?")
                .map(|eco| &eco[..2])
        ),
        "eco" => json!(tag(game, "ECO").filter(|eco| *eco != "?")),
        "elo:200" => both().map_or(Value::Null, |elo| band(elo, 200)),
        "elo" => json!(both()),
        "elo-diff" | "elo_diff:100" => {
            let elo = |name| Some(number(game, name)? as i64);
            let diff = || Some(elo("WhiteElo")? - elo("BlackElo")?);
            let band = |diff: i64| diff.div_euclid(100) * 100;
            match key {
                "elo-diff" => json!(diff()),
                _ => json!(diff().map(band)),
            }
        }
        "white_elo" | "white-elo" => json!(number(game, "WhiteElo")),
        "black-elo" => json!(number(game, "BlackElo")),
        "black_elo:50" => number(game, "BlackElo").map_or(Value::Null, |elo| band(elo, 50)),
        "year" => json!(tag(game, "UTCDate").map(|date| &date[..4])),
        "month" => json!(tag(game, "UTCDate").map(|date| date[..7].replace('.', "-"))),
        "date" => json!(tag(game, "UTCDate").map(|date| date.replace('.', "-"))),
        "plies" => json!(plies(game)),
        "plies:10" => band(plies(game), 10),
        _ => json!(tag(game, key.strip_prefix("tag:").expect(key))),
    }
}

/// The name of the column of a key.
fn name(key: &str) -> String {
    let name = key.strip_prefix("tag:").unwrap_or(key);
    name.split(':').next().unwrap().replace('-', "_")
}

/// The rows that `ign count` should print: those with the most games first, then by values.
fn expected(games: &[&str], keys: &[&str]) -> Vec<Value> {
    let mut counts: BTreeMap<Vec<String>, (Vec<Value>, u64)> = BTreeMap::new();
    for game in games {
        let values: Vec<Value> = keys.iter().map(|key| value(game, key)).collect();
        // Numbers in their order, and a missing value after all others.
        let order = |value: &Value| match value {
            Value::Null => "~".to_owned(),
            Value::Number(number) => format!("{:>6}", number.as_i64().unwrap() + 10_000),
            text => text.as_str().unwrap().to_owned(),
        };
        let place = counts.entry(values.iter().map(order).collect());
        place.or_insert((values, 0)).1 += 1;
    }
    let mut rows: Vec<(Vec<Value>, u64)> = counts.into_values().collect();
    rows.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
    let row = |(values, games): (Vec<Value>, u64)| {
        let names = keys.iter().map(|key| name(key));
        let mut object: serde_json::Map<String, Value> = names.zip(values).collect();
        object.insert("games".to_owned(), json!(games));
        Value::Object(object)
    };
    rows.into_iter().map(row).collect()
}

fn json_of(folder: &Folder, args: &[&str]) -> Value {
    let out = folder.ign(&[&["count", "--json"], args].concat()).done();
    serde_json::from_slice(&out).unwrap()
}

#[test]
fn rows_are_those_of_an_independent_count_with_and_without_an_index() {
    let text = String::from_utf8(games(400)).unwrap();
    let all = split(&text);
    let folder = Folder::with("g.pgn", &text);
    folder.ign(&["pack", "-q", "-B", "64K", "g.pgn"]).done();
    folder
        .ign(&[
            "pack", "-q", "-B", "64K", "--coding", "ign", "g.pgn", "-o", "i.ign",
        ])
        .done();
    let strong: Vec<&str> = all
        .iter()
        .copied()
        .filter(|game| {
            let elo = ["WhiteElo", "BlackElo"].map(|name| number(game, name).unwrap_or(0));
            elo.iter().all(|&elo| elo >= 1600) && tag(game, "Result") == Some("1-0")
        })
        .collect();
    assert!(strong.len() > 10 && strong.len() < all.len() / 2);
    for is_indexed in [false, true] {
        for archive in ["g.ign", "i.ign"] {
            if is_indexed {
                folder.ign(&["index", "-q", archive]).done();
            }
            for keys in [
                &["white"][..],
                &["event"],
                &["result"],
                &["eco"],
                &["eco:1", "result"],
                &["eco:2", "elo:200", "month"],
                &["white_elo"],
                &["black_elo:50"],
                &["elo_diff:100"],
                &["year"],
                &["date", "time-control"],
                &["plies:10"],
                &["plies:10", "eco", "event", "result", "white"],
                &["variant"],
                &["tag:WhiteTitle"],
            ] {
                let by = keys.join(",");
                let found = json_of(&folder, &[archive, "--by", &by]);
                assert_eq!(found["games"], all.len(), "{archive} {by}");
                assert_eq!(found["rows"], json!(expected(&all, keys)), "{archive} {by}");
                let conditions = ["--elo", "1600..", "--result", "1-0"];
                let args = [&[archive, "--by", &by][..], &conditions].concat();
                let found = json_of(&folder, &args);
                assert_eq!(found["games"], strong.len(), "{archive} {by}");
                assert_eq!(
                    found["rows"],
                    json!(expected(&strong, keys)),
                    "{archive} {by}"
                );
            }
        }
    }
    // Several archives are one collection, also with a shared index.
    let doubled = [&all[..], &all].concat();
    let rows = json!(expected(&doubled, &["eco", "plies:10"]));
    folder
        .ign(&["index", "-q", "g.ign", "i.ign", "-o", "both.idx"])
        .done();
    for index in [&["--no-index"][..], &[], &["--index", "both.idx"]] {
        let args = [&["g.ign", "i.ign", "--by", "eco,plies:10"][..], index].concat();
        assert_eq!(json_of(&folder, &args)["rows"], rows, "{index:?}");
    }
}

/// Missing tags, values in other forms, null moves, no moves, an unknown variant, text after the
/// moves.
pub const ODD: &str = "\
[White \"Ann\"]\n[Date \"1985.??.??\"]\n[TimeControl \"15 min + 10 s\"]\n\n1. e4 e5 1-0\n
[White \"Ann\"]\n[Date \"1985.03.??\"]\n[WhiteElo \"1500?\"]\n\n1. e4 -- 2. d4 *\n
[White \"?\"]\n[Result \"1:0\"]\n[ECO \"B90/01\"]\n\n*\n
[White \"J\\\"r\"]\n[Variant \"Unknown\"]\n\n1. e4 e5 0-1\n
[Variant \"Atomic\"]\n[ECO \"?\"]\n\n1. e4 Ke7 2. what { text } *\n";

#[test]
fn values_in_other_forms_are_understood_and_missing_ones_are_counted() {
    let folder = Folder::with("odd.pgn", ODD);
    for coding in ["weighted", "ign"] {
        folder
            .ign(&["pack", "-qf", "--coding", coding, "odd.pgn"])
            .done();
        for is_indexed in [false, true] {
            if is_indexed {
                folder.ign(&["index", "-qf", "odd.ign"]).done();
            }
            for (by, rows) in [
                ("white", "white,games Ann,2 ?,1 \"J\"\"r\",1 ,1"),
                ("month", "month,games ,3 1985,1 1985-03,1"),
                ("year", "year,games ,3 1985,2"),
                ("speed", "speed,games ,4 rapid,1"),
                ("result", "result,games *,2 1-0,2 0-1,1"),
                ("eco", "eco,games ,4 B90,1"),
                ("white_elo:1000", "white_elo,games ,4 1000,1"),
                ("elo", "elo,games ,5"),
                ("plies", "plies,games 0,1 1,1 2,1 3,1 ,1"),
                ("variant", "variant,games ,3 Atomic,1 Unknown,1"),
                ("tag:Nothing", "Nothing,games ,5"),
            ] {
                let args = ["count", "odd.ign", "--by", by, "-c", "--format", "csv"];
                let out = String::from_utf8(folder.ign(&args).done()).unwrap();
                let found: Vec<&str> = out.lines().collect();
                let place = format!("{coding} {is_indexed} {by}");
                assert_eq!(found, rows.split(' ').collect::<Vec<_>>(), "{place}");
            }
        }
        folder.remove("odd.ign.idx");
    }
}

#[test]
fn the_table_has_bands_and_says_what_the_limit_leaves_out() {
    let folder = Folder::with("odd.pgn", ODD);
    folder.ign(&["pack", "-q", "odd.pgn"]).done();
    let text = |args: &[&str]| {
        let out = folder.ign(&[&["count", "odd.ign"], args].concat()).done();
        String::from_utf8(out).unwrap()
    };
    assert_eq!(
        text(&["--by", "plies:2,white", "--sort", "keys", "--limit", "3"]),
        "plies  white  games  share\n 0..1  ?          1  20.0%\n 0..1  -          1  20.0%\n \
         2..3  Ann        2  40.0%\n1 more row in 1 game; --limit shows more\n"
    );
    for (file, starts) in [
        ("o.csv", &b"eco,games\n"[..]),
        ("o.jsonl", b"{\"eco\":null,\"games\":4}\n"),
        ("o.parquet", b"PAR1"),
        ("o.arrow", b"ARROW1"),
        ("o.txt", b"eco  games"),
    ] {
        folder
            .ign(&["count", "odd.ign", "--by", "eco", "-o", file])
            .done();
        assert!(folder.read(file).starts_with(starts), "{file}");
    }
    for (args, words) in [
        (&["--by", "ecos"][..], "'ecos' is not a key"),
        (&["--by", "elo:0"], "from 1 to 10000"),
        (&["--by", "eco,eco:1"], "the key eco is given twice"),
        (&["--by", "tag:games"], "has the name of the column"),
        (&["--by", "eco", "-o", "o.pdf"], "names no format"),
        (&["--by", "eco", "-o", "o.epd"], "has positions"),
        (&["--by", "eco", "-o", "o.csv"], "exists"),
        (
            &["--by", "eco", "--white", "Nobody"],
            "no game meets the conditions",
        ),
    ] {
        folder
            .ign(&[&["count", "odd.ign"], args].concat())
            .failed(1, words);
    }
    assert!(!folder.names().contains(&"o.pdf".to_owned()));
}

#[test]
fn games_of_go_are_counted_by_their_properties() {
    let folder = Folder::with("g.sgf", go::collection(30));
    folder.ign(&["pack", "-q", "g.sgf"]).done();
    let found = json_of(&folder, &["g.ign", "--by", "tag:PB"]);
    assert_eq!(found["games"], 30);
    let games = found["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["games"].as_u64().unwrap());
    assert_eq!(games.sum::<u64>(), 30);
    let found = json_of(&folder, &["g.ign", "--by", "white,plies"]);
    assert_eq!(
        found["rows"],
        json!([{"white": null, "plies": null, "games": 30}])
    );
}

#[test]
fn an_archive_without_games_has_no_rows() {
    let folder = Folder::with("e.pgn", "");
    folder.ign(&["pack", "-q", "e.pgn"]).done();
    folder
        .ign(&["count", "e.ign", "--by", "eco"])
        .failed(1, "there are no games");
}
