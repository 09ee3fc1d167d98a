//! Does `ign find` write what each of its output options promises?

use ign_testing::{Run, games};
use serde_json::{Value, json};

use crate::util::Folder;

/// A folder with the archive `a.ign` of 300 games in several blocks.
fn archive(coding: &str) -> Folder {
    let folder = Folder::with("a.pgn", games(300));
    let options = ["pack", "-q", "-B", "16K", "--coding", coding, "a.pgn"];
    folder.ign(&options).done();
    folder
}

fn find(folder: &Folder, args: &[&str]) -> Run {
    folder.ign(&[&["find", "a.ign"][..], args].concat())
}

fn numbers(run: Run) -> Vec<u64> {
    let out = String::from_utf8(run.done()).unwrap();
    out.lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn every_form_holds_the_games_found() {
    let folder = archive("ign");
    let condition = ["--opening", "1. e4 e5"];
    let with = |more: &[&str]| find(&folder, &[&condition[..], more].concat());
    let found = numbers(with(&[]));
    assert!(found.len() > 20, "{}", found.len());
    let count = String::from_utf8(with(&["--count"]).done()).unwrap();
    assert_eq!(count, format!("{}\n", found.len()));
    let expected: Vec<Value> = found
        .iter()
        .map(|game| json!({"archive": "a.ign", "game": game}))
        .collect();
    assert_eq!(with(&["--json"]).objects(), expected);
    let expected = json!({"found": found.len(), "limited": false, "games": 300});
    assert_eq!(with(&["--json", "--count"]).objects(), [expected]);
    let names: Vec<String> = found.iter().map(u64::to_string).collect();
    let get: Vec<&str> = ["get", "a.ign"]
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .collect();
    assert!(with(&["--pgn"]).done() == folder.ign(&get).done());
    let all = String::from_utf8(folder.ign(&["list", "a.ign"]).done()).unwrap();
    let lines: String = found
        .iter()
        .map(|&n| format!("{}\n", all.lines().nth(n as usize - 1).unwrap()))
        .collect();
    assert_eq!(String::from_utf8(with(&["--list"]).done()).unwrap(), lines);
    // Text can be written to a file as well.
    with(&["--pgn", "-o", "some.pgn"]).done();
    assert!(folder.read("some.pgn") == folder.ign(&get).done());
    with(&["--list", "-o", "some.pgn"]).failed(1, "already exists");
}

#[test]
fn limit_and_skip_select_a_part_in_order() {
    let folder = archive("ign");
    let all = numbers(find(&folder, &["--result", "1-0"]));
    let part = |more: &[&str]| find(&folder, &[&["--result", "1-0"][..], more].concat());
    assert_eq!(numbers(part(&["--limit", "5"])), all[..5]);
    assert_eq!(numbers(part(&["--limit", "5", "--skip", "3"])), all[3..8]);
    for (limit, limited) in [("2", true), ("9999", false)] {
        let found = part(&["--json", "--limit", limit]).objects();
        let count = &part(&["--json", "--count", "--limit", limit]).objects()[0];
        assert_eq!(count["found"], found.len());
        assert_eq!(count["limited"], limited);
    }
    assert_eq!(numbers(part(&["--skip", "7"])), all[7..]);
    assert_eq!(numbers(part(&["--limit", "9999"])), all);
    assert_eq!(numbers(part(&["--limit", "5", "--explain"])), all[..5]);
    assert_eq!(part(&["--skip", "9999"]).code, Some(1));
    assert_eq!(numbers(find(&folder, &[])), (1..=300).collect::<Vec<_>>());
}

#[test]
fn a_sample_depends_on_the_seed_and_on_nothing_else() {
    let folder = archive("ign");
    let all = numbers(find(&folder, &["--result", "1-0"]));
    let sample = |more: &[&str]| {
        numbers(find(
            &folder,
            &[&["--result", "1-0", "--sample", "20"][..], more].concat(),
        ))
    };
    let one = sample(&["--seed", "7"]);
    assert_eq!(one.len(), 20);
    assert!(one.is_sorted() && one.iter().all(|game| all.contains(game)));
    assert_eq!(sample(&["--seed", "7", "-T", "1"]), one);
    assert_ne!(sample(&["--seed", "8"]), one);
    let more = numbers(find(&folder, &["--result", "1-0", "--sample", "9999"]));
    assert_eq!(more, all);
}

#[test]
fn an_archive_of_the_games_found_holds_their_text() {
    for coding in ["ign", "weighted"] {
        let folder = archive(coding);
        let condition = ["--opening", "1. e4 e5"];
        let with = |more: &[&str]| find(&folder, &[&condition[..], more].concat());
        let text = with(&["--pgn"]).done();
        with(&["-o", "some.ign"]).done();
        folder.ign(&["verify", "some.ign"]).done();
        assert!(folder.ign(&["unpack", "some.ign", "-c"]).done() == text);
        let info = String::from_utf8(folder.ign(&["info", "some.ign"]).done()).unwrap();
        assert!(
            info.contains(&format!("moves {coding}, zstd level 16, block size 16,384")),
            "{info}"
        );
        with(&["-o", "some.ign"]).failed(1, "-f overwrites it");
        with(&["-f", "-o", "some.ign", "--coding", "ign-end"]).done();
        let info = String::from_utf8(folder.ign(&["info", "some.ign"]).done()).unwrap();
        assert!(info.contains("moves ign-end"), "{info}");
        let piped = with(&["-c", "--coding", "ign-end"]).done();
        assert!(piped == folder.read("some.ign"));
        assert_eq!(folder.names(), ["a.ign", "a.pgn", "some.ign"]);
    }
}

#[test]
fn no_archive_appears_without_games_or_after_an_error() {
    let folder = archive("ign");
    find(&folder, &["--white", "nobody", "-o", "b.ign"]).failed(1, "0 games");
    find(&folder, &["-f", "-o", "a.ign"]).failed(1, "the output is also an input");
    find(&folder, &["-o", "b.pgn"]).failed(1, "--pgn writes text");
    find(&folder, &["-o", "none/b.ign"]).failed(1, "create it first");
    // A byte in the middle of the blocks.
    let mut damaged = folder.read("a.ign");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0xff;
    folder.write("damaged.ign", damaged);
    folder
        .ign(&["find", "damaged.ign", "-o", "b.ign"])
        .failed(2, "block");
    assert_eq!(folder.names(), ["a.ign", "a.pgn", "damaged.ign"]);
}

#[test]
fn a_name_of_the_other_kind_is_refused() {
    let folder = archive("ign");
    for args in [
        &["find", "a.ign", "--pgn", "-o", "b.ign"][..],
        &["find", "a.ign", "--list", "-o", "b.idx"],
        &["find", "a.ign", "-o", "b.pgn"],
        &["get", "a.ign", "1", "-o", "b.ign"],
        &["pack", "a.pgn", "-o", "b.pgn"],
        &["duplicates", "a.ign", "-o", "b.idx"],
    ] {
        folder.ign(args).failed(1, "this is the name of");
        assert!(!folder.names().iter().any(|name| name.starts_with('b')));
    }
}

#[test]
fn no_text_appears_without_games() {
    let folder = archive("ign");
    for form in ["--pgn", "--list"] {
        let run = folder.ign(&["find", "a.ign", "--elo", "9000..", form, "-o", "b.txt"]);
        run.failed(1, "0 games");
        assert!(!folder.names().contains(&"b.txt".into()), "{form}");
    }
}

#[test]
fn explain_prints_what_was_read_beside_the_result() {
    let folder = archive("ign");
    let run = find(
        &folder,
        &["--result", "1-0", "--opening", "1. e4", "--explain"],
    );
    for words in ["games left", "Result", "opening"] {
        assert!(run.err.contains(words), "{}", run.err);
    }
    let plain = find(&folder, &["--result", "1-0", "--opening", "1. e4"]);
    assert_eq!(numbers(run), numbers(plain));
}

#[test]
fn long_games_are_found_by_their_signatures() {
    let folder = archive("weighted");
    let run = find(&folder, &["--plies", "20..", "--explain"]);
    let stage = |source: &str| {
        let line = run.err.lines().find(|line| line.contains(source));
        let line = line.unwrap_or_else(|| panic!("{source}\n{}", run.err));
        line.split_whitespace()
            .map(String::from)
            .collect::<Vec<_>>()
    };
    let (signatures, moves) = (stage("signatures"), stage("moves"));
    assert_eq!(moves[2], "0", "bytes of moves");
    assert_eq!(moves[3], signatures[3], "games left");
    let others = find(&folder, &["--not", "plies=20.."]);
    assert_eq!(
        numbers(find(&folder, &["--plies", "..19"])),
        numbers(others)
    );
}

#[test]
fn get_prints_games_by_the_id_in_their_site() {
    let folder = archive("ign");
    let game = String::from_utf8(folder.ign(&["get", "a.ign", "123"]).done()).unwrap();
    let site = game
        .split("[Site \"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let id = site.rsplit('/').next().unwrap();
    for name in [site, id, &format!("{site}/black")] {
        let found = folder.ign(&["get", "a.ign", name]).done();
        assert_eq!(String::from_utf8(found).unwrap(), game, "{name}");
    }
    folder
        .ign(&["get", "a.ign", "nosuchid"])
        .failed(1, "no game has the id 'nosuchid'");
    folder
        .ign(&["get", "a.ign", "7,8"])
        .failed(1, "write a game number or a range");
}
