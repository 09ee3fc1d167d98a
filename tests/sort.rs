//! Is `--sort` the order that a stable sort by the tags and moves in the text gives?

use std::cmp::Ordering;

use serde_json::{Value, json};

use ign_testing::{games, go};

use crate::{
    count::{ODD, number, split, tag, value},
    util::Folder,
};

/// The order of two values of a key: a missing value is the last, whatever the direction.
fn compare(one: &Value, other: &Value, is_descending: bool) -> Ordering {
    let order = match (one, other) {
        (Value::Null, _) | (_, Value::Null) => return one.is_null().cmp(&other.is_null()),
        (Value::Number(one), Value::Number(other)) => one.as_i64().cmp(&other.as_i64()),
        _ => one.as_str().cmp(&other.as_str()),
    };
    if is_descending {
        order.reverse()
    } else {
        order
    }
}

/// The numbers of games, from 1, in the order of keys such as `elo` and `date:desc`.
fn expected(games: &[&str], wanted: impl Fn(&str) -> bool, keys: &[&str]) -> Vec<usize> {
    let mut rows: Vec<(usize, Vec<Value>)> = Vec::new();
    for (place, game) in (1..).zip(games).filter(|(_, game)| wanted(game)) {
        let values = keys.iter().map(|key| {
            match key.strip_suffix(":desc").unwrap_or(key) {
                // The mean is not rounded.
                "elo" => {
                    let both = ["WhiteElo", "BlackElo"].map(|name| number(game, name));
                    json!(both[0].zip(both[1]).map(|(white, black)| white + black))
                }
                key => value(game, key),
            }
        });
        rows.push((place, values.collect()));
    }
    rows.sort_by(|(_, one), (_, other)| {
        let values = one.iter().zip(other).zip(keys);
        let mut orders = values.map(|((a, b), key)| compare(a, b, key.ends_with(":desc")));
        orders
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    });
    rows.into_iter().map(|(place, _)| place).collect()
}

/// The arguments `--sort KEY` for each key.
fn sort<'k>(keys: &[&'k str]) -> Vec<&'k str> {
    keys.iter().flat_map(|&key| ["--sort", key]).collect()
}

/// The games that `ign find` finds in one archive, in its order.
fn found(folder: &Folder, args: &[&str]) -> Vec<usize> {
    let out = folder.ign(&[&["find", "--json"], args].concat()).done();
    let lines = std::str::from_utf8(&out).unwrap().lines();
    let numbers = lines.map(|line| serde_json::from_str::<Value>(line).unwrap()["game"].clone());
    numbers
        .map(|number| number.as_u64().unwrap() as usize)
        .collect()
}

/// What a command prints.
fn printed(folder: &Folder, args: &[&str]) -> String {
    String::from_utf8(folder.ign(args).done()).unwrap()
}

const ORDERS: &[&[&str]] = &[
    &["elo"],
    &["elo:desc"],
    &["white-elo:desc"],
    &["black-elo"],
    &["elo-diff"],
    &["elo-diff:desc", "white"],
    &["date:desc", "elo:desc"],
    &["plies"],
    &["plies:desc", "result"],
    &["white"],
    &["black:desc"],
    &["eco", "white-elo:desc"],
    &["eco:desc"],
    &["result", "date", "plies:desc"],
    &["event"],
    &["tag:WhiteTitle", "elo:desc"],
    &["tag:WhiteTitle:desc"],
    &["variant"],
    &["result", "eco:1", "month", "elo:200:desc", "white_elo"],
];

#[test]
fn the_order_is_that_of_a_stable_sort_with_and_without_an_index() {
    let text = String::from_utf8(games(400)).unwrap();
    let all = split(&text);
    let folder = Folder::with("g.pgn", &text);
    folder.ign(&["pack", "-q", "-B", "64K", "g.pgn"]).done();
    let ign = [
        "pack", "-q", "-B", "64K", "--coding", "ign", "g.pgn", "-o", "i.ign",
    ];
    folder.ign(&ign).done();
    let is_strong = |game: &str| {
        let elo = ["WhiteElo", "BlackElo"].map(|name| number(game, name).unwrap_or(0));
        elo.iter().all(|&elo| elo >= 1600) && tag(game, "Result") == Some("1-0")
    };
    for is_indexed in [false, true] {
        for archive in ["g.ign", "i.ign"] {
            if is_indexed {
                folder.ign(&["index", "-q", archive]).done();
            }
            for keys in ORDERS {
                let place = format!("{archive} {is_indexed} {keys:?}");
                let sorted = expected(&all, |_| true, keys);
                let args = [&[archive][..], &sort(keys)].concat();
                assert_eq!(found(&folder, &args), sorted, "{place}");
                let args = [&args[..], &["--limit", "7", "--skip", "3"]].concat();
                assert_eq!(found(&folder, &args), sorted[3..10], "{place}");
                let conditions = ["--elo", "1600..", "--result", "1-0"];
                let args = [&[archive][..], &sort(keys), &conditions].concat();
                assert_eq!(
                    found(&folder, &args),
                    expected(&all, is_strong, keys),
                    "{place}"
                );
            }
        }
    }
}

#[test]
fn missing_values_are_the_last_in_both_orders() {
    let folder = Folder::with("odd.pgn", ODD);
    for coding in ["weighted", "ign"] {
        folder
            .ign(&["pack", "-qf", "--coding", coding, "odd.pgn"])
            .done();
        for is_indexed in [false, true] {
            if is_indexed {
                folder.ign(&["index", "-qf", "odd.ign"]).done();
            }
            for (keys, sorted) in [
                ("white", [3, 1, 2, 4, 5]),
                ("white:desc", [4, 1, 2, 3, 5]),
                ("date", [1, 2, 3, 4, 5]),
                ("date:desc", [2, 1, 3, 4, 5]),
                ("speed:desc", [1, 2, 3, 4, 5]),
                ("result", [2, 5, 4, 1, 3]),
                ("result:desc", [1, 3, 4, 2, 5]),
                ("eco:desc", [3, 1, 2, 4, 5]),
                ("white_elo:desc", [2, 1, 3, 4, 5]),
                ("elo", [1, 2, 3, 4, 5]),
                ("elo-diff:desc", [1, 2, 3, 4, 5]),
                ("plies", [3, 5, 1, 2, 4]),
                ("plies:desc", [2, 1, 5, 3, 4]),
                ("tag:Variant:desc,white", [4, 5, 3, 1, 2]),
                ("tag:Nothing:desc", [1, 2, 3, 4, 5]),
            ] {
                let sorted: Vec<usize> = sorted.into();
                let place = format!("{coding} {is_indexed} {keys}");
                assert_eq!(
                    found(&folder, &["odd.ign", "--sort", keys]),
                    sorted,
                    "{place}"
                );
            }
        }
        folder.remove("odd.ign.idx");
    }
}

/// Games without a line end after the last, in two archives with several packed files.
fn several() -> (Folder, Vec<String>) {
    let text = String::from_utf8(games(300)).unwrap();
    let all = split(&text);
    let game = |game: &&str| match game.strip_prefix("[Event ") {
        Some(_) => game.trim_end().to_owned(),
        None => format!("[Event {}", game.trim_end()),
    };
    let all: Vec<String> = all.iter().map(game).collect();
    let folder = Folder::new();
    for (name, games) in [("a", &all[..90]), ("b", &all[90..140]), ("c", &all[140..])] {
        folder.write(&format!("{name}.pgn"), games.join("\n\n"));
    }
    for (archive, files) in [
        ("one.ign", &["a.pgn", "b.pgn"][..]),
        ("two.ign", &["c.pgn"]),
    ] {
        let args = [&["pack", "-q", "-B", "16K", "-o", archive][..], files].concat();
        folder.ign(&args).done();
    }
    (folder, all)
}

#[test]
fn games_of_several_archives_are_written_in_one_order_in_every_form() {
    let (folder, all) = several();
    let texts: Vec<&str> = all.iter().map(|game| &game[..]).collect();
    folder
        .ign(&["index", "-q", "one.ign", "two.ign", "-o", "both.idx"])
        .done();
    let name = |number: &usize| match number {
        1..=140 => format!("one.ign:{number}"),
        _ => format!("two.ign:{}", number - 140),
    };
    for keys in [&["elo:desc"][..], &["plies", "white:desc"], &["tag:Site"]] {
        let sorted = expected(&texts, |_| true, keys);
        let names: Vec<String> = sorted.iter().map(name).collect();
        let archives = ["one.ign", "two.ign"];
        let args = [&archives[..], &sort(keys)].concat();
        for index in [&["--no-index"][..], &[], &["--index", "both.idx"]] {
            let find = |form: &[&str]| {
                printed(&folder, &[&["find", "-q"], &args[..], index, form].concat())
            };
            assert!(find(&[]).lines().eq(names.iter()), "{keys:?} {index:?}");
            for list in [
                find(&["--list"]),
                printed(&folder, &[&["list"], &args[..], index].concat()),
            ] {
                let numbers = list.lines().map(|line| line.split('\t').next().unwrap());
                assert!(numbers.eq(names.iter()), "{keys:?} {index:?}");
                let white = list.lines().map(|line| line.split('\t').nth(1).unwrap());
                let expected = sorted
                    .iter()
                    .map(|&number| tag(texts[number - 1], "White").unwrap_or("-"));
                assert!(white.eq(expected), "{keys:?} {index:?}");
            }
            for list in [find(&["--list", "--json"]), find(&["--json"])] {
                let of = |line: &str| {
                    let object: Value = serde_json::from_str(line).unwrap();
                    format!("{}:{}", object["archive"].as_str().unwrap(), object["game"])
                };
                assert!(
                    list.lines().map(of).eq(names.iter().cloned()),
                    "{keys:?} {index:?}"
                );
            }
            let pgn = find(&["--pgn"]);
            let games = pgn
                .trim_end()
                .split("\n\n[Event ")
                .map(|game| game.trim_end());
            let expected = sorted.iter().map(|&number| texts[number - 1]);
            let expected: Vec<&str> = expected
                .map(|game| game.strip_prefix("[Event ").unwrap())
                .collect();
            let games: Vec<&str> = games
                .map(|game| game.strip_prefix("[Event ").unwrap_or(game))
                .collect();
            assert_eq!(games, expected, "{keys:?} {index:?}");
        }
        // An archive of the games, and its order.
        let pack = [&["find", "-qf"], &args[..], &["-o", "sorted.ign"]].concat();
        folder.ign(&pack).done();
        let listed = printed(&folder, &["find", "-q", "sorted.ign", "--pgn"]);
        let find = [&["find", "-q"], &args[..], &["--pgn"]].concat();
        assert_eq!(listed, printed(&folder, &find), "{keys:?}");
        // Tables: values of all types are those of the games.
        for (format, columns) in [
            ("csv", "number,White,Result,plies,moves,comments"),
            ("jsonl", "number,Event,clocks"),
        ] {
            let form = ["-c", "--format", format, "--columns", columns];
            let table = |more: &[&str]| {
                printed(
                    &folder,
                    &[&["export", "-q"], &archives[..], more, &form].concat(),
                )
            };
            let (plain, sorted_table) = (table(&[]), table(&sort(keys)));
            let plain: Vec<&str> = plain.lines().collect();
            let (header, plain) = plain.split_at(usize::from(format == "csv"));
            let rows = sorted.iter().map(|&number| plain[number - 1]);
            let rows: Vec<&str> = header.iter().copied().chain(rows).collect();
            assert!(
                sorted_table.lines().eq(rows.iter().copied()),
                "{keys:?} {format}"
            );
            let some = table(&[&sort(keys)[..], &["--limit", "9"]].concat());
            assert!(
                some.lines().eq(rows[..9 + header.len()].iter().copied()),
                "{keys:?} {format}"
            );
        }
    }
    for file in ["o.parquet", "o.arrow"] {
        let export = [
            "export",
            "-q",
            "one.ign",
            "two.ign",
            "--sort",
            "eco,elo:desc",
            "-o",
            file,
        ];
        folder.ign(&export).done();
    }
}

#[test]
fn a_range_a_sample_and_a_count_are_of_the_same_games() {
    let (folder, all) = several();
    let texts: Vec<&str> = all[..140].iter().map(|game| &game[..]).collect();
    let list = printed(
        &folder,
        &[
            "list", "one.ign", "20..40", "--sort", "elo:desc", "--limit", "5",
        ],
    );
    let in_range = expected(&texts[..40], |_| true, &["elo:desc"]);
    let in_range = in_range.into_iter().filter(|&number| number >= 20).take(5);
    let numbers = list
        .lines()
        .map(|line| line.split('\t').next().unwrap().parse::<usize>().unwrap());
    assert!(numbers.eq(in_range));
    let mut sample = found(&folder, &["one.ign", "--sample", "30"]);
    let sorted = found(&folder, &["one.ign", "--sample", "30", "--sort", "white"]);
    assert_ne!(sample, sorted);
    sample.sort_by_key(|&number| tag(texts[number - 1], "White").map_or("~", |name| name));
    assert_eq!(sample, sorted);
    let count = ["find", "one.ign", "--result", "1-0", "--count"];
    assert_eq!(
        printed(&folder, &count),
        printed(
            &folder,
            &[&count[..], &["--sort", "elo", "--limit", "1000"]].concat()
        )
    );
}

#[test]
fn wrong_keys_and_orders_are_errors_that_list_what_there_is() {
    let folder = Folder::with("odd.pgn", ODD);
    folder.ign(&["pack", "-q", "odd.pgn"]).done();
    let keys = "write one of white, black, event";
    for (command, sort, words) in [
        ("find", "elos", "did you mean elo?"),
        ("list", "colour:desc", keys),
        (
            "find",
            "elo:down",
            "write elo, or elo:desc for descending order",
        ),
        ("list", "", keys),
        ("list", "tag:", keys),
        ("find", "elo:0", "from 1 to 10000"),
        ("list", "white:3", "has no number"),
        (
            "find",
            "elo,date,plies,white,black,eco,result,event,month",
            "at most 8",
        ),
    ] {
        folder
            .ign(&[command, "odd.ign", "--sort", sort])
            .failed(1, words);
    }
    let positions = [
        "export",
        "odd.ign",
        "--positions",
        "-o",
        "p.csv",
        "--sort",
        "elo",
    ];
    folder.ign(&positions).failed(1, "sorts games");
    for command in [
        &["find", "odd.ign"][..],
        &["list", "odd.ign"],
        &["export", "odd.ign", "-o", "n.csv"],
    ] {
        let args = [command, &["--sort", "elo:desc,tag:X", "--white", "Nobody"]].concat();
        folder.ign(&args).failed(1, "");
    }
    assert!(!folder.names().contains(&"n.csv".to_owned()));
    folder.write("e.pgn", "");
    folder.ign(&["pack", "-q", "e.pgn"]).done();
    folder
        .ign(&["find", "e.ign", "--sort", "elo"])
        .failed(1, "");
}

#[test]
fn games_of_go_are_sorted_by_their_properties() {
    let folder = Folder::with("g.sgf", go::collection(30));
    folder.ign(&["pack", "-q", "g.sgf"]).done();
    let by_name = found(&folder, &["g.ign", "--sort", "tag:PB"]);
    let names = printed(
        &folder,
        &["find", "-q", "g.ign", "--sort", "tag:PB", "--list"],
    );
    let names: Vec<&str> = names
        .lines()
        .map(|line| line.split('\t').nth(3).unwrap())
        .collect();
    assert!(names.is_sorted() && by_name.len() == 30, "{names:?}");
    assert_eq!(
        found(&folder, &["g.ign", "--sort", "white,plies:desc"]),
        (1..=30).collect::<Vec<_>>()
    );
    folder
        .ign(&[
            "find",
            "-q",
            "g.ign",
            "--sort",
            "tag:PB:desc",
            "-o",
            "s.ign",
        ])
        .done();
    assert_eq!(json!(found(&folder, &["s.ign"]).len()), 30);
}
