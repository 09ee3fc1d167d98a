//! Does `ign index` write an index that changes no result, and do its options and errors hold?

use std::fs;

use ign_testing::games;
use serde_json::Value;

use crate::util::Folder;

const POSITION: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";

/// A folder with the archive `a.ign` of 300 games in several blocks.
fn archive() -> Folder {
    let folder = Folder::with("a.pgn", games(300));
    folder
        .ign(&["pack", "-q", "-B", "16K", "--coding", "ign", "a.pgn"])
        .done();
    folder
}

/// A folder with the archives `a.ign`, `empty.ign` and `b.ign`, and `whole.ign` with the same
/// games.
fn archives() -> Folder {
    let (a, b) = (games(120), games(200));
    let folder = Folder::with("whole.pgn", [&a[..], &b].concat());
    folder.write("a.pgn", a);
    folder.write("b.pgn", b);
    folder.write("empty.pgn", "");
    for (name, coding) in [
        ("whole.pgn", "ign"),
        ("a.pgn", "ign"),
        ("b.pgn", "weighted"),
        ("empty.pgn", "ign"),
    ] {
        let options = ["pack", "-q", "-B", "16K", "--coding", coding, name];
        folder.ign(&options).done();
    }
    folder
}

/// Questions to an archive; each has an answer.
fn questions() -> Vec<Vec<&'static str>> {
    vec![
        vec!["find", "--result", "1-0"],
        vec!["find", "--white-elo", "1500..", "--json", "--count"],
        vec!["find", "--player", "*a*", "--list"],
        vec!["find", "--position", POSITION, "--pgn"],
        vec!["find", "--opening", "1. e4", "--plies", "10..", "--count"],
        vec!["find", "--result", "1-0", "--limit", "9", "--skip", "2"],
        vec!["find", "--result", "1-0", "--sample", "5"],
        vec!["tree"],
        vec!["tree", "--position", POSITION, "--result", "0-1", "--json"],
        vec!["tree", "--depth", "2"],
        vec!["list", "--opening", "1. d4"],
    ]
}

/// Lines of a list without the packed file, which is the last of ten fields.
fn without_files(lines: &[u8]) -> Vec<u8> {
    let lines = lines.split_inclusive(|&byte| byte == b'\n').map(|line| {
        let tabs = line.iter().filter(|&&byte| byte == b'\t').count();
        match line.iter().rposition(|&byte| byte == b'\t') {
            Some(last) if tabs == 9 => [&line[..last], b"\n"].concat(),
            _ => line.to_vec(),
        }
    });
    lines.collect::<Vec<_>>().concat()
}

/// The answers of archives to all questions, without the packed files of games.
fn answers(folder: &Folder, inputs: &[&str]) -> Vec<Vec<u8>> {
    let answer = |question: Vec<&str>| {
        let args = [&question[..1], inputs, &question[1..], &["-q"]].concat();
        without_files(&folder.ign(&args).done())
    };
    questions().into_iter().map(answer).collect()
}

#[test]
fn every_choice_of_sections_gives_the_same_answers() {
    let folder = archive();
    let expected = answers(&folder, &["a.ign"]);
    let mut lens = Vec::new();
    for without in [
        "",
        "columns",
        "players",
        "openings",
        "positions",
        "columns,players,openings,positions",
    ] {
        let mut args = vec!["index", "-f", "a.ign", "-v"];
        if !without.is_empty() {
            args.extend(["--without", without]);
        }
        let run = folder.ign(&args);
        assert!(
            run.err.contains("a.ign.idx: indexed 300 games"),
            "{}",
            run.err
        );
        // A table has a line for each section.
        assert!(!run.err.contains('?'), "{}", run.err);
        assert!(run.err.lines().any(|line| line.starts_with("section ")));
        assert!(run.done().is_empty());
        lens.push(folder.read("a.ign.idx").len());
        assert!(answers(&folder, &["a.ign"]) == expected, "{without}");
        let run = folder.ign(&["find", "a.ign", "--result", "1-0", "--explain"]);
        assert!(!run.err.contains("searched without"), "{}", run.err);
        let uses_index = run.err.lines().any(|line| line.contains(" index "));
        assert_eq!(uses_index, !without.starts_with("columns"), "{}", run.err);
    }
    // Without the opening tree, common positions list all of their games.
    let smaller = [1, 2, 4, 5].map(|choice| lens[choice]);
    assert!(smaller.iter().all(|&len| len < lens[0]), "{lens:?}");
    let run = folder.ign(&["index", "-f", "-q", "a.ign"]);
    assert!(run.err.is_empty(), "{}", run.err);
    assert!(answers(&folder, &["a.ign", "--no-index"]) == expected);
    let args = [
        "find",
        "a.ign",
        "--result",
        "1-0",
        "--explain",
        "--no-index",
    ];
    let run = folder.ign(&args);
    assert!(!run.err.contains(" index "), "{}", run.err);
}

#[test]
fn an_index_of_some_plies_gives_the_same_answers_and_keeps_its_depth() {
    // After 1. e4 e5 2. Qh5 Nc6 3. Qe2 Nb8, which no index of four plies has.
    const LATE: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPQPPP/RNB1KBNR w KQkq -";
    let folder = archive();
    let returning = "[Event \"?\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Qe2 Nb8 4. Nf3 *\n\n";
    folder.write("b.pgn", returning.repeat(2));
    folder.ign(&["append", "-q", "a.ign", "b.pgn"]).done();
    let late = ["find", "a.ign", "--position", LATE, "--count"];
    assert_eq!(folder.ign(&late).done(), b"2\n");
    let expected = answers(&folder, &["a.ign"]);
    let whole = {
        folder.ign(&["index", "-q", "a.ign"]).done();
        folder.read("a.ign.idx").len()
    };
    let run = folder.ign(&["index", "a.ign", "--plies", "4"]);
    run.failed(
        1,
        "a.ign.idx: the index has positions of more plies than --plies (-f replaces the index)",
    );
    let run = folder.ign(&["index", "-f", "a.ign", "--plies", "4"]);
    let said = "a.ign.idx: indexed 302 games, positions within 4 plies, ";
    assert!(run.err.contains(said), "{}", run.err);
    assert!(folder.read("a.ign.idx").len() < whole);
    assert!(answers(&folder, &["a.ign"]) == expected);
    let run = folder.ign(&[&late[..], &["--explain"]].concat());
    assert!(
        run.err.contains("positions after ply 4  not in the index"),
        "{}",
        run.err
    );
    assert_eq!(run.done(), b"2\n");
    let early = ["find", "a.ign", "--position", POSITION, "--explain"];
    let run = folder.ign(&early);
    assert!(!run.err.contains("after ply"), "{}", run.err);
    // New games are indexed to the same depth, by both commands.
    folder.ign(&["append", "-q", "a.ign", "b.pgn"]).done();
    let info = String::from_utf8(folder.ign(&["info", "a.ign"]).done()).unwrap();
    let said = "304 games in 2 segments, positions within 4 plies";
    assert!(info.contains(said), "{info}");
    let run = folder.ign(&["index", "a.ign"]);
    let said = "has all 304 games, positions within 4 plies";
    assert!(run.err.contains(said), "{}", run.err);
    assert_eq!(folder.ign(&late).done(), b"4\n");
    let run = folder.ign(&["index", "a.ign", "--plies", "6"]);
    let said = "indexed 304 games, positions within 6 plies";
    assert!(run.err.contains(said), "{}", run.err);
    assert_eq!(folder.ign(&late).done(), b"4\n");
    folder
        .ign(&["index", "a.ign", "--plies", "0"])
        .failed(1, "invalid value '0'");
}

#[test]
fn an_index_is_the_same_whatever_the_memory() {
    // With the least memory, the positions of these are more than is sorted at once.
    let folder = Folder::with("a.pgn", games(12_000));
    let pack = ["pack", "-q", "--coding", "ign", "a.pgn"];
    folder.ign(&pack).done();
    folder.ign(&["index", "-q", "a.ign"]).done();
    let expected = folder.read("a.ign.idx");
    for memory in ["16M", "2G"] {
        let args = ["index", "-q", "-f", "a.ign", "--memory", memory];
        folder.ign(&args).done();
        assert!(folder.read("a.ign.idx") == expected, "{memory}");
    }
    let run = folder.ign(&["index", "-f", "a.ign", "--memory", "much"]);
    run.failed(1, "write a size such as 64K or 8M");
    let run = folder.ign(&["index", "-f", "a.ign", "--memory", "15M"]);
    run.failed(1, "write a size of at least 16M");
}

#[test]
fn a_dry_run_shows_the_sections_and_writes_nothing() {
    let folder = archive();
    let run = folder.ign(&["index", "a.ign", "--dry-run"]);
    let table = String::from_utf8(run.done()).unwrap();
    for row in [
        "columns ",
        "players ",
        "openings ",
        "positions ",
        "materials ",
    ] {
        assert!(table.lines().any(|line| line.starts_with(row)), "{table}");
    }
    assert!(table.contains("for 300 games, estimated from "), "{table}");
    assert!(!folder.path("a.ign.idx").exists());
    let total = |folder: &Folder, options: &[&str]| -> Value {
        let report = folder.ign(&[&["index", "a.ign", "--json"], options].concat());
        serde_json::from_slice(&report.done()).unwrap()
    };
    let (estimated, smaller) = (
        total(&folder, &["--dry-run"]),
        total(&folder, &["--dry-run", "--plies", "4"]),
    );
    let built = total(&folder, &[]);
    let bytes = |report: &Value| report["index_bytes"].as_f64().unwrap();
    assert_eq!(estimated["action"], "estimated");
    assert_eq!(estimated["games"], 300);
    let ratio = bytes(&estimated) / bytes(&built);
    assert!((0.8..1.25).contains(&ratio), "{ratio}");
    assert!(bytes(&smaller) < bytes(&estimated));
}

#[test]
fn an_index_is_not_overwritten_and_unwritable_places_are_errors() {
    let folder = archive();
    folder.ign(&["index", "a.ign"]).done();
    let index = folder.read("a.ign.idx");
    // It has all games.
    let run = folder.ign(&["index", "a.ign", "-v"]);
    assert!(
        run.err.contains("a.ign.idx: has all 300 games"),
        "{}",
        run.err
    );
    run.done();
    assert!(folder.read("a.ign.idx") == index);
    folder.write("other", "text");
    folder
        .ign(&["index", "a.ign", "-o", "other"])
        .failed(2, "-f overwrites it");
    folder.remove("other");
    folder.ign(&["index", "-f", "a.ign"]).done();
    assert!(folder.read("a.ign.idx") == index);
    // Threads do not change the bytes.
    let piped = folder.ign(&["index", "-T", "1", "-c", "a.ign"]).done();
    assert!(piped == index);
    folder
        .ign(&["index", "a.ign", "-o", "none/a.idx"])
        .failed(1, "create it first");
    folder
        .ign(&["index", "-f", "a.ign", "-o", "a.ign"])
        .failed(1, "the output is also an input");
    folder.ign(&["index", "none.ign"]).failed(1, "none.ign");
    folder.ign(&["index", "-"]).failed(1, "not from a pipe");
    folder.ign(&["index", "a.pgn"]).failed(2, "a.pgn");
    folder
        .ign(&["index", "a.ign", "--without", "nothing"])
        .failed(1, "nothing");
    folder.ign(&["index"]).failed(1, "A.ign");
    let names = ["a.ign", "a.ign.idx", "a.pgn"];
    assert_eq!(folder.names(), names);
}

#[test]
fn an_index_that_is_damaged_or_stale_is_reported_and_ignored() {
    let folder = archive();
    let expected = answers(&folder, &["a.ign"]);
    folder.ign(&["index", "a.ign"]).done();
    let index = folder.read("a.ign.idx");
    let check = |bytes: &[u8], words: &str| {
        folder.write("a.ign.idx", bytes);
        assert!(answers(&folder, &["a.ign"]) == expected);
        let run = folder.ign(&["find", "a.ign", "--position", POSITION]);
        assert!(
            run.err.contains("searched without the index"),
            "{}",
            run.err
        );
        assert!(run.err.contains(words), "{}", run.err);
        assert!(run.err.contains("ign index -f"), "{}", run.err);
        run.done();
        let verified = folder.ign(&["verify", "a.ign.idx"]);
        assert_eq!(verified.code, Some(2), "{}", verified.err);
    };
    check(&index[..index.len() - 1], "the end of an index is missing");
    check(&[], "the index is cut off");
    check(&folder.read("a.ign"), "the end of an index is missing");
    // Bytes of the directory, and of a section.
    let mut damaged = index.clone();
    damaged[index.len() - 60] ^= 1;
    check(&damaged, "a.ign.idx");
    // The index of other games.
    let other = Folder::with("a.pgn", games(200));
    other
        .ign(&["pack", "-q", "--coding", "ign", "a.pgn"])
        .done();
    other.ign(&["index", "a.ign"]).done();
    check(&other.read("a.ign.idx"), "build it again with ign index");
    let info = folder.ign(&["info", "a.ign"]).done();
    let info = String::from_utf8(info).unwrap();
    assert!(info.contains("search index a.ign.idx:"), "{info}");
    assert!(
        info.contains("not used: the index belongs to another"),
        "{info}"
    );
    folder.ign(&["index", "-f", "a.ign"]).done();
    let info = folder.ign(&["info", "--json", "a.ign"]).done();
    let info: Value = serde_json::from_slice(&info).unwrap();
    assert_eq!(
        info["search_index"]["index_bytes"],
        folder.read("a.ign.idx").len()
    );
    assert!(info["search_index"]["rejected"].is_null());
}

/// Packs `a.pgn` alone or with `b.pgn` as `a.ign`, with equal first blocks.
fn pack_grown(folder: &Folder, inputs: &[&str]) {
    let options = [
        "pack", "-q", "-f", "-B", "16K", "--coding", "ign", "-o", "a.ign",
    ];
    folder.ign(&[&options[..], inputs].concat()).done();
}

#[test]
fn an_index_is_extended_when_the_archive_has_grown() {
    let folder = archives();
    pack_grown(&folder, &["a.pgn"]);
    folder.ign(&["index", "a.ign"]).done();
    let first = folder.read("a.ign.idx");
    pack_grown(&folder, &["a.pgn", "b.pgn"]);
    let expected = answers(&folder, &["whole.ign"]);
    assert!(answers(&folder, &["a.ign"]) == expected);
    // The index answers for the games that it has.
    let run = folder.ign(&["find", "a.ign", "--result", "1-0", "--count", "--explain"]);
    for source in ["  index  ", "  Result  "] {
        assert!(run.err.contains(source), "{}", run.err);
    }
    let info = String::from_utf8(folder.ign(&["info", "a.ign"]).done()).unwrap();
    assert!(info.contains("bytes, 120 games in 1 segment"), "{info}");
    let verified = folder.ign(&["verify", "a.ign.idx"]);
    assert!(
        verified.err.contains("not indexed are the last 200 games"),
        "{}",
        verified.err
    );
    verified.done();
    let run = folder.ign(&["index", "a.ign", "-v"]);
    assert!(
        run.err.contains("a.ign.idx: extended by 200 games"),
        "{}",
        run.err
    );
    let mut segments = run
        .err
        .lines()
        .skip_while(|line| !line.starts_with("segment"));
    assert!(segments.nth(2).unwrap().contains(" 200 "), "{}", run.err);
    run.done();
    let extended = folder.read("a.ign.idx");
    assert!(extended.starts_with(&first));
    assert!(answers(&folder, &["a.ign"]) == expected);
    let run = folder.ign(&["find", "a.ign", "--result", "1-0", "--count", "--explain"]);
    assert!(!run.err.contains("  Result  "), "{}", run.err);
    let verified = folder.ign(&["verify", "a.ign.idx"]);
    assert!(
        verified.err.contains("320 games in 2 segments"),
        "{}",
        verified.err
    );
    verified.done();
    // A section is removed, and added again.
    let without = ["index", "a.ign", "--without", "players"];
    folder.ign(&without).failed(
        1,
        "a.ign.idx: the index has a section that --without leaves out (-f replaces the index)",
    );
    let run = folder.ign(&[&without[..], &["-f"]].concat());
    assert!(
        run.err.contains("a.ign.idx: indexed 320 games"),
        "{}",
        run.err
    );
    run.done();
    let run = folder.ign(&["index", "a.ign"]);
    assert!(
        run.err.contains("a.ign.idx: indexed 320 games"),
        "{}",
        run.err
    );
    run.done();
    // The archive is another one.
    pack_grown(&folder, &["b.pgn"]);
    folder
        .ign(&["index", "a.ign"])
        .failed(2, "build it again with ign index -f");
}

#[test]
fn verify_checks_every_byte_of_an_index_and_its_archives() {
    let folder = archives();
    let inputs = ["a.ign", "empty.ign", "b.ign"];
    let args = [&["index"], &inputs[..], &["-o", "all.idx"]].concat();
    folder.ign(&args).done();
    let run = folder.ign(&["verify", "all.idx"]);
    assert!(run.err.contains("the index of 320 games"), "{}", run.err);
    assert!(!run.err.contains("not compared"), "{}", run.err);
    run.done();
    let index = folder.read("all.idx");
    for step in 0..10 {
        let mut damaged = index.clone();
        damaged[index.len() * step / 10] ^= 4;
        folder.write("damaged.idx", damaged);
        folder
            .ign(&["verify", "damaged.idx"])
            .failed(2, "damaged.idx");
    }
    folder.remove("b.ign");
    let run = folder.ign(&["verify", "all.idx"]);
    let words = "not compared with 1 archive that is not beside it";
    assert!(run.err.contains(words), "{}", run.err);
    run.done();
    fs::copy(folder.path("whole.ign"), folder.path("b.ign")).unwrap();
    folder
        .ign(&["verify", "all.idx"])
        .failed(2, "the index does not match b.ign");
}

#[test]
fn several_archives_are_searched_like_one() {
    let folder = archives();
    let inputs = ["a.ign", "empty.ign", "b.ign"];
    let run = |command: &[&str], rest: &[&str]| {
        let args = [command, &inputs[..], rest, &["-q"]].concat();
        folder.ign(&args).done()
    };
    let names = |out: Vec<u8>| -> Vec<String> {
        let out = String::from_utf8(out).unwrap();
        out.lines().map(str::to_owned).collect()
    };
    // The name of a game of `whole.ign`.
    let name = |number: u64| match number {
        ..=120 => format!("a.ign:{number}"),
        _ => format!("b.ign:{}", number - 120),
    };
    let whole = |command: &str, rest: &[&str]| {
        let args = [&[command, "whole.ign"], rest, &["-q"]].concat();
        folder.ign(&args).done()
    };
    let condition = ["--result", "1-0", "--position", POSITION];
    let with = |more: &[&'static str]| [&condition[..], more].concat();
    let check = |index: &[&'static str]| {
        let run = |command: &str, rest: &[&'static str]| run(&[command], &[rest, index].concat());
        for more in [
            &[][..],
            &["--limit", "3", "--skip", "1"],
            &["--sample", "4"],
        ] {
            let found = names(run("find", &with(more)));
            let numbers = names(whole("find", &with(more)));
            let expected: Vec<_> = numbers.iter().map(|n| name(n.parse().unwrap())).collect();
            assert_eq!(found, expected);
            assert!(!found.is_empty());
        }
        for form in ["--pgn", "--count"] {
            assert!(run("find", &with(&[form])) == whole("find", &with(&[form])));
        }
        let count = run("find", &with(&["--json", "--count"]));
        let count: Value = serde_json::from_slice(&count).unwrap();
        let list = names(run("list", &condition));
        assert_eq!(list, names(run("find", &with(&["--list"]))));
        let lines = names(whole("list", &condition));
        assert_eq!(count["found"], list.len());
        assert_eq!(count["games"], 320);
        let found = run("find", &with(&["--json"]));
        let found = names(found).into_iter();
        let found: Vec<Value> = found
            .map(|game| serde_json::from_str(&game).unwrap())
            .collect();
        assert_eq!(found.len(), list.len());
        for ((line, other), game) in list.iter().zip(&lines).zip(&found) {
            let (number, fields) = other.split_once('\t').unwrap();
            let name = name(number.parse().unwrap());
            let (fields, _) = fields.rsplit_once('\t').unwrap();
            let (file, _) = name.split_once('.').unwrap();
            assert_eq!(*line, format!("{name}\t{fields}\t{file}.pgn"));
            let archive = game["archive"].as_str().unwrap();
            assert_eq!(format!("{archive}:{}", game["game"]), name);
        }
        for rest in [&[][..], &["--depth", "2"], &["--result", "0-1"]] {
            assert!(run("tree", rest) == whole("tree", rest));
        }
        let tree = |out: Vec<u8>| serde_json::from_slice::<Value>(&out).unwrap();
        let [ours, theirs] = [run("tree", &["--json"]), whole("tree", &["--json"])].map(tree);
        assert_eq!(ours["topGames"], theirs["topGames"]);
        assert_eq!(names(run("list", &[])).len(), 320);
    };
    check(&[]);
    folder.ign(&["index", "b.ign"]).done();
    check(&[]);
    let args = [&["index"], &inputs[..], &["-o", "all.idx"]].concat();
    folder.ign(&args).done();
    check(&["--index", "all.idx"]);
    // The games found as an archive.
    run(&["find"], &[&condition[..], &["-o", "some.ign"]].concat());
    let text = folder.ign(&["unpack", "some.ign", "-c"]).done();
    assert!(text == whole("find", &with(&["--pgn"])));
}

#[test]
fn a_shared_index_of_other_archives_is_reported_and_ignored() {
    let folder = archives();
    let index = |inputs: &[&str]| folder.ign(&[&["index"], inputs].concat());
    index(&["a.ign", "b.ign"]).failed(1, "name it with -o");
    index(&["a.ign", "b.ign", "-o", "all.idx"]).done();
    let find = |inputs: &[&str]| {
        let args = [&["find"], inputs, &["--result", "1-0"]].concat();
        folder.ign(&args)
    };
    for inputs in [&["b.ign", "a.ign"][..], &["a.ign"], &["a.ign", "empty.ign"]] {
        let plain = find(inputs).done();
        let run = find(&[inputs, &["--index", "all.idx"]].concat());
        let why = match inputs {
            ["b.ign", "a.ign"] => {
                "the index has the archives in another order (name them in this order: a.ign b.ign)"
            }
            _ => "the index belongs to other archives",
        };
        let why = format!("all.idx: {why}");
        assert!(run.err.contains(&why), "{}", run.err);
        assert!(
            run.err.contains("searched without the index"),
            "{}",
            run.err
        );
        assert!(run.done() == plain);
    }
    find(&["a.ign", "b.ign", "--index", "none.idx"]).failed(1, "none.idx");
    find(&["a.ign", "--index", "all.idx", "--no-index"]).failed(1, "--no-index");
    find(&["a.ign", "none.ign"]).failed(1, "none.ign");
    find(&["a.ign", "-"]).failed(1, "not from a pipe");
}

#[test]
fn a_range_needs_a_single_archive() {
    let folder = archives();
    let list = |args: &[&str]| folder.ign(&[&["list"], args].concat());
    let lines = String::from_utf8(list(&["a.ign", "3..5"]).done()).unwrap();
    assert_eq!(lines.lines().count(), 3);
    list(&["a.ign", "b.ign", "3..5"]).failed(1, "a range of games needs a single archive");
    list(&["a.ign", "0"]).failed(1, "games are numbered from 1");
    list(&["a.ign", "121"]).failed(1, "there is no game 121");
    list(&["a.ign", "1..2..3"]).failed(1, "RANGE");
    list(&["a.ign", "none"]).failed(1, "none");
    for args in [
        ["list", "a.ign", "1-3"],
        ["find", "a.ign", "5"],
        ["tree", "a.ign", "1..3"],
    ] {
        folder
            .ign(&args)
            .failed(1, "ign get and ign list take numbers of games");
    }
}
