//! Does every command with `--json` print what `docs/json.md` states, for one archive and for
//! several?

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    path::Path,
};

use ign_testing::{games, games_of_seed, variant_games};
use serde_json::Value;

use crate::util::Folder;

/// The types of the keys of a table, by their paths: `parts[].games`.
type Table = BTreeMap<String, String>;

/// The tables of the page, by their headings.
fn tables() -> BTreeMap<String, Table> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md");
    let page = fs::read_to_string(page).unwrap();
    let sections = page.split("\n## ").skip(1);
    let table = |section: &str| {
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
        let row = |row: &str| {
            let (key, rest) = row.split_once("` | ").unwrap();
            (key.to_owned(), rest.split_once(" | ").unwrap().0.to_owned())
        };
        rows.map(row).collect()
    };
    sections
        .map(|section| {
            let heading = section.lines().next().unwrap().replace('`', "");
            (heading, table(section))
        })
        .collect()
}

/// Checks a value at a path against its type.
fn check(table: &Table, path: &str, kind: &str, value: &Value) {
    let is_one_of = |kinds: &str| {
        let mut kinds = kinds.split(", ").flat_map(|kinds| kinds.split(" or "));
        kinds.any(|kind| match kind {
            "null" => value.is_null(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_u64(),
            "number" => value.is_number(),
            named => named == format!("`{value}`"),
        })
    };
    let singular = |kinds: &str| match kinds.split_once(' ') {
        Some((word, rest)) if rest.starts_with("or ") => {
            format!("{} {rest}", word.trim_end_matches('s'))
        }
        Some(_) => kinds.to_owned(),
        None => kinds.trim_end_matches('s').to_owned(),
    };
    let other = kind.strip_suffix(" or null");
    if other.is_some() && value.is_null() {
        return;
    }
    if let Some(items) = kind.strip_prefix("array of ") {
        let array = value.as_array();
        for item in array.unwrap_or_else(|| panic!("{path}: {value}")) {
            check(table, &format!("{path}[]"), &singular(items), item);
        }
    } else if let Some(values) = kind.strip_prefix("map of ") {
        let map = value.as_object();
        for value in map.unwrap_or_else(|| panic!("{path}: {value}")).values() {
            check(table, &format!("{path}.*"), &singular(values), value);
        }
    } else if other.unwrap_or(kind) == "object" {
        check_object(table, &format!("{path}."), value);
    } else {
        assert!(is_one_of(kind), "{path} is {value}, not {kind}");
    }
}

/// Checks that an object has exactly the keys of the table that begin with a path, and their
/// values.
fn check_object(table: &Table, before: &str, value: &Value) {
    let object = value.as_object();
    let object = object.unwrap_or_else(|| panic!("{before}: {value}"));
    let keys = table.iter().filter_map(|(path, kind)| {
        let key = path.strip_prefix(before)?;
        (!key.contains(['.', '['])).then_some((key, kind))
    });
    let keys: BTreeMap<&str, &String> = keys.collect();
    let own: BTreeSet<&str> = object.keys().map(|key| &**key).collect();
    let documented: BTreeSet<&str> = keys.keys().copied().collect();
    assert_eq!(own, documented, "{before}");
    for (key, kind) in keys {
        check(table, &format!("{before}{key}"), kind, &object[key]);
    }
}

/// A folder with the files that the commands read.
fn folder() -> Folder {
    let folder = Folder::with("a.pgn", games(60));
    folder.write("b.pgn", games_of_seed(30, 7));
    folder.write("same.pgn", games(4));
    folder.write("one.pgn", games(1));
    folder.write("empty.pgn", "");
    folder.write("go.sgf", "(;GM[1]SZ[9]PB[Ann];B[aa];W[bb])");
    folder.write("bad.txt", "no game\n");
    folder.write("odd.pgn", variant_games(12));
    for text in ["a.pgn", "b.pgn", "empty.pgn", "go.sgf", "bad.txt"] {
        folder.ign(&["pack", "-q", "-B4K", text]).done();
    }
    let pack = ["pack", "-q", "-B4K", "a.pgn", "b.pgn", "-o", "safe.ign"];
    folder
        .ign(&[&pack[..], &["--parity", "5%"]].concat())
        .done();
    for name in ["grown.ign", "bare.ign"] {
        folder.write(name, folder.read("a.ign"));
    }
    folder.ign(&["index", "-q", "a.ign"]).done();
    folder.ign(&["index", "-q", "grown.ign"]).done();
    let mut damaged = folder.read("a.ign");
    let place = damaged.len() / 3;
    damaged[place] ^= 0x55;
    folder.write("damaged.ign", damaged);
    let mut index = folder.read("a.ign.idx");
    let place = index.len() / 2;
    index[place] ^= 0x55;
    folder.write("damaged.idx", index);
    let whole = folder.read("a.ign");
    folder.write("cut.ign", &whole[..whole.len() - 100]);
    let order = "endgame -q KQK --order BKR,BKF,WKR,WKF,WQR,WQF -o kqk.m";
    folder.ign(&words(order)).done();
    folder
}

fn words(command: &str) -> Vec<&str> {
    command.split(' ').collect()
}

/// Heading, command, exit status, number of objects; in the order in which they run.
const CASES: &[(&str, &str, i32, usize)] = &[
    ("ign info", "info a.ign", 0, 1),
    (
        "ign info",
        "info safe.ign b.ign empty.ign go.ign bad.ign",
        0,
        5,
    ),
    ("ign stats", "stats a.ign", 0, 1),
    (
        "ign stats",
        "stats a.ign b.pgn empty.ign go.ign bad.ign",
        0,
        5,
    ),
    ("ign list, and ign find --list", "list a.ign", 0, 60),
    ("ign list, and ign find --list", "list a.ign 7..9", 0, 3),
    (
        "ign list, and ign find --list",
        "list a.ign safe.ign go.ign",
        0,
        151,
    ),
    (
        "ign list, and ign find --list",
        "list a.ign --limit 5",
        0,
        5,
    ),
    (
        "ign list, and ign find --list",
        "list a.ign --elo 4000..",
        1,
        0,
    ),
    (
        "ign list, and ign find --list",
        "find a.ign b.ign --list",
        0,
        90,
    ),
    ("ign find", "find a.ign", 0, 60),
    ("ign find", "find a.ign b.ign", 0, 90),
    ("ign find", "find a.ign --elo 4000..", 1, 0),
    ("ign find --count", "find a.ign --count", 0, 1),
    (
        "ign find --count",
        "find a.ign b.ign --count --limit 3",
        0,
        1,
    ),
    ("ign find --count", "find a.ign --count --elo 4000..", 1, 1),
    ("ign count", "count a.ign --by eco", 0, 1),
    ("ign count", "count a.ign b.ign --by white,elo:100", 0, 1),
    ("ign count", "count a.ign --by eco --elo 4000..", 1, 1),
    ("ign duplicates", "duplicates a.ign same.pgn", 0, 8),
    ("ign duplicates", "duplicates go.ign", 1, 0),
    (
        "ign duplicates --count",
        "duplicates a.ign same.pgn --count",
        0,
        1,
    ),
    ("ign duplicates --count", "duplicates go.ign --count", 1, 1),
    ("ign pack", "pack a.pgn -o new.ign", 0, 1),
    (
        "ign pack",
        "pack a.pgn b.pgn -o safe2.ign --parity 5%",
        0,
        1,
    ),
    ("ign pack", "pack bad.txt -fo new.ign", 0, 1),
    ("ign append", "append grown.ign b.pgn", 0, 1),
    ("ign append", "append bare.ign b.pgn bad.txt", 0, 1),
    ("ign merge", "merge a.ign b.ign -o merged.ign", 0, 1),
    ("ign merge", "merge a.ign -fo merged.ign", 0, 1),
    ("ign split", "split safe.ign --games 40", 0, 1),
    ("ign site", "site a.ign b.ign -o public", 0, 1),
    ("ign site", "site a.ign -fo public", 0, 1),
    (
        "ign transcode",
        "transcode a.ign --coding ign -o coded.ign",
        0,
        1,
    ),
    ("ign unpack", "unpack a.ign -o out.pgn", 0, 1),
    ("ign unpack", "unpack a.ign b.ign -fo out.pgn", 0, 1),
    ("ign unpack", "unpack a.ign 3..5 -fo out.pgn", 0, 1),
    ("ign unpack", "unpack safe.ign --files -o files", 0, 1),
    (
        "ign unpack",
        "unpack safe.ign --file b.pgn -fo out.pgn",
        0,
        1,
    ),
    ("ign export", "export a.ign b.ign -o out.csv", 0, 1),
    ("ign export", "export a.ign -o out.epd", 0, 1),
    ("ign train", "train odd.pgn --passes 1 -o odd.model", 0, 1),
    (
        "ign train",
        "train odd.pgn --passes 0.01 -o none.model",
        1,
        1,
    ),
    ("ign sample", "sample -n 3 -o sample.pgn", 0, 1),
    ("ign index", "index b.ign", 0, 1),
    ("ign index", "index b.ign", 0, 1),
    ("ign index", "index a.ign b.ign -o both.idx", 0, 1),
    ("ign index", "index a.ign b.ign --dry-run --plies 20", 0, 1),
    ("ign parity", "parity b.ign 50%", 0, 1),
    ("ign parity", "parity b.ign 50%", 0, 1),
    ("ign selftest", "selftest", 0, 1),
    ("ign verify of an archive", "verify a.ign", 0, 1),
    (
        "ign verify of an archive",
        "verify a.ign damaged.ign b.ign cut.ign a.pgn",
        2,
        5,
    ),
    (
        "ign verify of an archive",
        "verify --quick damaged.ign",
        2,
        1,
    ),
    (
        "ign verify of an archive",
        "verify --sample 50% a.ign",
        0,
        1,
    ),
    ("ign verify of an archive", "verify a.ign missing.ign", 1, 1),
    ("ign verify of a search index", "verify a.ign.idx", 0, 1),
    (
        "ign verify of a search index",
        "verify a.ign.idx damaged.idx both.idx",
        2,
        3,
    ),
    ("ign recover", "recover a.ign -o good.ign", 0, 1),
    ("ign recover", "recover damaged.ign -fo good.ign", 4, 1),
    ("ign encode", "encode one.pgn", 0, 1),
    ("ign encode", "encode -v --coding weighted a.pgn", 0, 60),
    ("ign encode --mod", "encode --mod e4", 0, 1),
    ("ign decode", "decode 143395 5", 0, 2),
    ("ign decode", "decode -v --go=(;SZ[9]) 73", 0, 1),
    (
        "ign position",
        "position rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR",
        0,
        1,
    ),
    (
        "ign position",
        "position --plies 1 rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR",
        1,
        1,
    ),
    ("ign endgame", "endgame KQK", 0, 1),
    (
        "ign endgame",
        "endgame KQK --order BKR,BKF,WKR,WKF,WQR,WQF",
        0,
        1,
    ),
    (
        "ign endgame of a position",
        "endgame KQK 8/8/8/5k2/8/8/1Q6/K7 8/8/8/5k2/8/8/3Q4/K7",
        0,
        2,
    ),
    (
        "ign endgame of a position",
        "endgame kqk.m 8/8/8/5k2/8/8/1Q6/K7",
        0,
        1,
    ),
    ("ign endgame of a table", "endgame kqk.m", 0, 1),
];

#[test]
fn every_command_prints_what_the_page_states() {
    let tables = tables();
    let folder = folder();
    let mut used = BTreeSet::new();
    for &(heading, command, code, objects) in CASES {
        let mut args = words(command);
        args.push("--json");
        let run = folder.ign(&args);
        assert_eq!(run.code, Some(code), "{command}: {}", run.err);
        let out = String::from_utf8(run.out).unwrap();
        assert_eq!(out.lines().count(), objects, "{command}: {out}{}", run.err);
        for line in out.lines() {
            let value: Value = serde_json::from_str(line).unwrap();
            let table = &tables[heading];
            let checked = std::panic::catch_unwind(|| check_object(table, "", &value));
            let shown: String = line.chars().take(500).collect();
            assert!(checked.is_ok(), "{command}: {shown}");
        }
        used.insert(heading);
    }
    let all: BTreeSet<&str> = tables.keys().map(|heading| &**heading).collect();
    assert_eq!(used, all);
}

/// `ign tree` answers as the explorer of Lichess does, which tests of the server compare.
#[test]
fn every_command_with_json_is_tested() {
    let folder = Folder::new();
    let help = |args: &[&str]| String::from_utf8(folder.ign(args).done()).unwrap();
    let all = help(&["help"]);
    let (_, list) = all.split_once("Commands:\n").unwrap();
    let names = list.lines().take_while(|line| !line.is_empty());
    let names = names.filter_map(|line| line.split_whitespace().next());
    let with_json = names.filter(|name| help(&["help", name]).contains("--json"));
    let tested = CASES.iter().map(|(_, command, ..)| words(command)[0]);
    let tested: BTreeSet<&str> = tested.chain(["tree"]).collect();
    assert_eq!(with_json.collect::<BTreeSet<&str>>(), tested);
}

/// The object that a command prints.
fn object(folder: &Folder, command: &str) -> Value {
    let args = [&words(command)[..], &["--json"]].concat();
    let run = folder.ign(&args);
    serde_json::from_slice(&run.out).unwrap_or_else(|_| panic!("{command}: {}", run.err))
}

#[test]
fn what_is_reported_is_what_was_written() {
    let folder = folder();
    let info = |name: &str| object(&folder, &format!("info {name}"));
    let amounts = ["games", "plies", "text_bytes", "archive_bytes"];
    for (command, output) in [
        ("pack a.pgn b.pgn -o x1.ign", "x1.ign"),
        ("merge a.ign b.ign -o x2.ign", "x2.ign"),
        ("transcode a.ign --coding ign -o x3.ign", "x3.ign"),
    ] {
        let report = object(&folder, command);
        assert_eq!(report["output"], output);
        for key in amounts {
            assert_eq!(report[key], info(output)[key], "{command}: {key}");
        }
    }
    let before = info("grown.ign");
    let report = object(&folder, "append grown.ign b.pgn");
    let after = info("grown.ign");
    for key in amounts {
        let [before, new] = [&before[key], &report["appended"][key]].map(|n| n.as_u64().unwrap());
        assert_eq!(before + new, after[key], "{key}");
        assert_eq!(report[key], after[key], "{key}");
    }
    assert_eq!(report["search_index"]["action"], "extended");
    assert_eq!(report["search_index"]["games"], 30);
    assert_eq!(object(&folder, "index grown.ign")["action"], "complete");
    let split = object(&folder, "split safe.ign --by file");
    for (part, name) in split["parts"].as_array().unwrap().iter().zip(["a", "b"]) {
        let output = part["output"].as_str().unwrap();
        assert_eq!(output, format!("safe-{name}.ign"));
        for key in amounts {
            assert_eq!(part[key], info(output)[key], "{output}: {key}");
        }
    }
    let text = folder.read("a.pgn").len();
    let unpacked = object(&folder, "unpack a.ign -o x.pgn");
    assert_eq!(unpacked["text_bytes"], text);
    assert_eq!(unpacked["games"], 60);
    let files = object(&folder, "unpack safe.ign --files -f");
    assert_eq!(
        (&files["output"], &files["files"]),
        (&".".into(), &2.into())
    );
    let protected = object(&folder, "parity b.ign 10%");
    assert_eq!(protected["parity_bytes"], info("b.ign")["parity_bytes"]);
}

#[test]
fn verify_reports_damage_as_data() {
    let folder = folder();
    let report = object(&folder, "verify damaged.ign");
    assert_eq!(report["whole"], false);
    let [damage] = &report["damage"].as_array().unwrap()[..] else {
        panic!("{report}")
    };
    assert_eq!(damage["place"], "block");
    let run = folder.ign(&["verify", "damaged.ign"]);
    let block = damage["block"].as_u64().unwrap();
    assert!(run.err.contains(&format!("block {block}")), "{}", run.err);
    assert!(damage["first_game"].as_u64() <= damage["last_game"].as_u64());
    // All that is said is in the object; what prevents the check is an error.
    let run = folder.ign(&["verify", "--json", "damaged.ign"]);
    assert_eq!((run.code, &*run.err), (Some(2), ""));
    let run = folder.ign(&["verify", "--json", "missing.ign"]);
    assert!(run.out.is_empty() && run.err.contains("missing.ign"));
    run.failed(1, "missing.ign");
    // What cannot be opened at all is damaged as a whole.
    let report = object(&folder, "verify a.pgn");
    assert_eq!(report["damage"][0]["place"], "file");
    assert_eq!(report["games"], Value::Null);
}

#[test]
fn json_needs_standard_output_alone() {
    let folder = folder();
    for command in [
        "pack a.pgn -c",
        "pack -",
        "merge a.ign b.ign -c",
        "transcode a.ign --coding ign -c",
        "unpack a.ign -c",
        "unpack a.ign -o -",
        "export a.ign -c --format csv",
        "train odd.pgn -c",
        "sample",
        "index a.ign -c",
    ] {
        let run = folder.ign(&[&words(command)[..], &["--json"]].concat());
        assert!(run.out.is_empty(), "{command}");
        run.failed(1, "--json prints to standard output");
    }
}

/// Without messages on standard error, which `-q` asks for, JSON is printed all the same.
#[test]
fn reports_replace_messages() {
    let folder = folder();
    for options in [&["--json"][..], &["--json", "-q"]] {
        for command in [
            "merge a.ign b.ign -fo m.ign",
            "verify a.ign",
            "parity b.ign",
        ] {
            let run = folder.ign(&[&words(command)[..], options].concat());
            assert_eq!(run.err, "", "{command}");
            assert!(run.out.starts_with(b"{"), "{command}");
        }
    }
}

/// Names of files do not add lines to text, nor control characters.
#[cfg(unix)]
#[test]
fn control_characters_of_names_are_not_printed() {
    let folder = Folder::new();
    folder.write("a\nb\x1b.pgn", games(2));
    let archive = "a\nb\x1b.ign";
    for command in [
        &["pack", "a\nb\x1b.pgn"][..],
        &["index", archive],
        &["info", archive],
        &["info", "-v", archive],
        &["info", archive, archive],
        &["stats", archive],
        &["stats", archive, archive],
        &["list", archive],
        &["find", archive, "--list"],
        &["find", archive, archive, "--list"],
        &["count", archive, "--by", "file"],
        &["verify", archive],
        &["verify", archive, archive],
        &["duplicates", archive, archive],
        &["parity", archive],
        &["unpack", archive, "--files", "-fo", "out"],
    ] {
        let run = folder.ign(command);
        for printed in [run.err.as_bytes(), &run.out] {
            let printed = String::from_utf8_lossy(printed);
            assert!(!printed.contains("a\nb"), "{command:?}: {printed}");
            assert!(!printed.contains('\x1b'), "{command:?}: {printed}");
        }
    }
}

/// Names with quotes, controls and line ends are the names themselves.
#[cfg(unix)]
#[test]
fn names_come_back_from_json() {
    let folder = Folder::new();
    let name = "a \"b\"\t\n\u{e9}\\.pgn";
    folder.write(name, games(2));
    let archive = name.replace(".pgn", ".ign");
    let line = |args: &[&str]| -> Value {
        let out = folder.ign(&[args, &["--json"]].concat()).done();
        assert_eq!(out.iter().filter(|&&c| c == b'\n').count(), 1);
        serde_json::from_slice(&out).unwrap()
    };
    assert_eq!(line(&["pack", name])["output"], *archive);
    let info = line(&["info", &archive]);
    assert_eq!(info["archive"], *archive);
    assert_eq!(info["sources"][0]["file"], *name);
    assert_eq!(
        line(&["list", &archive, "--limit", "1"])["archive"],
        *archive
    );
    assert_eq!(
        line(&["find", &archive, "--limit", "1"])["archive"],
        *archive
    );
    let listed: [&OsStr; 3] = ["duplicates".as_ref(), name.as_ref(), "--json".as_ref()];
    folder.write("copy.pgn", games(1));
    let copies = folder
        .ign(&[&listed[..], &["copy.pgn".as_ref()]].concat())
        .done();
    let first = copies.split(|&c| c == b'\n').next().unwrap();
    let first: Value = serde_json::from_slice(first).unwrap();
    assert_eq!(first["archive"], *name);
}
