//! Do commands that read take several archives, and tell their games and packed files apart?

use ign_testing::games_of_seed;
use serde_json::Value;

use crate::util::Folder;

/// The names of archives and their numbers of games; the last text has no line end.
const ARCHIVES: [(&str, u64); 4] = [("a", 30), ("none", 0), ("b c", 20), ("d", 10)];

fn text_of(games: u64) -> Vec<u8> {
    let mut text = games_of_seed(games, games);
    // What follows the text of `b c` would run into it.
    if games == 20 {
        text.truncate(text.trim_ascii_end().len());
    }
    text
}

fn archives() -> Folder {
    let folder = Folder::new();
    for (name, games) in ARCHIVES {
        folder.write(&format!("{name}.pgn"), text_of(games));
        folder.ign(&["pack", &format!("{name}.pgn")]).done();
    }
    folder
}

const NAMES: [&str; 4] = ["a.ign", "none.ign", "b c.ign", "d.ign"];

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn unpack_writes_the_texts_one_after_the_other() {
    let folder = archives();
    let mut expected = text_of(30);
    expected.extend(text_of(20));
    expected.push(b'\n');
    expected.extend(text_of(10));
    let args = [&["unpack", "-c"], &NAMES[..]].concat();
    assert!(folder.ign(&args).done() == expected);
    let args = [&["unpack", "-o", "all.pgn"], &NAMES[..]].concat();
    let run = folder.ign(&args);
    let note = format!(
        "all.pgn: unpacked 60 games, {} bytes",
        grouped(expected.len())
    );
    assert!(run.err.contains(&note), "{}", run.err);
    run.done();
    assert!(folder.read("all.pgn") == expected);
    // The games are those of the archives.
    folder.ign(&["pack", "all.pgn"]).done();
    let count = folder.ign(&["find", "all.ign", "--count"]).done();
    assert_eq!(count, b"60\n");

    let names = folder.names();
    for (args, words) in [
        (&["a.ign", "d.ign"][..], "needs a file name"),
        (&["a.ign", "d.ign", "3..4", "-c"], "needs a single archive"),
        (
            &["a.ign", "d.ign", "--files", "-o", "x"],
            "need a single archive",
        ),
        (&["a.ign", "3", "--files", "-o", "x"], "whole files"),
        (&["a.ign", "x", "-c"], "x"),
        (&["a.ign", "d.ign", "-f", "-o", "d.ign"], "d.ign"),
    ] {
        folder.ign(&[&["unpack"], args].concat()).failed(1, words);
    }
    assert_eq!(folder.names(), names);
}

fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let (first, rest) = digits.split_at(digits.len() - 3);
    format!("{first},{rest}")
}

#[test]
fn info_describes_each_archive() {
    let folder = archives();
    let one = |name: &str, options: &[&str]| {
        let args = [&["info", name], options].concat();
        text(folder.ign(&args).done())
    };
    for options in [&[][..], &["-v"]] {
        let all = text(folder.ign(&[&["info"], options, &NAMES].concat()).done());
        let expected = NAMES.map(|name| one(name, options)).join("\n");
        assert_eq!(all, expected);
    }
    let lines = text(
        folder
            .ign(&[&["info", "--json"], &NAMES[..]].concat())
            .done(),
    );
    assert_eq!(lines.lines().count(), NAMES.len());
    for (line, name) in lines.lines().zip(NAMES) {
        let value: Value = serde_json::from_str(line).unwrap();
        let expected: Value = serde_json::from_str(&one(name, &["--json"])).unwrap();
        assert_eq!(value, expected);
        assert_eq!(value["archive"], name);
    }
}

#[test]
fn stats_shows_archives_and_pgn_side_by_side() {
    let folder = archives();
    let inputs = ["a.ign", "d.pgn", "b c.ign", "none.ign"];
    let args = [&["stats", "-q"], &inputs[..]].concat();
    let table = text(folder.ign(&args).done());
    let row = |name: &str| -> Vec<String> {
        let line = table.lines().find(|line| line.starts_with(name));
        let line = line.unwrap_or_else(|| panic!("{name}\n{table}"));
        line[name.len()..]
            .split_whitespace()
            .map(String::from)
            .collect()
    };
    assert_eq!(row("games  "), ["30", "10", "20", "0"]);
    let json = |inputs: &[&str]| {
        text(
            folder
                .ign(&[&["stats", "-q", "--json"], inputs].concat())
                .done(),
        )
    };
    let lines = json(&inputs);
    assert_eq!(lines.lines().count(), inputs.len());
    for (place, (line, input)) in lines.lines().zip(inputs).enumerate() {
        let value: Value = serde_json::from_str(line).unwrap();
        let expected: Value = serde_json::from_str(&json(&[input])).unwrap();
        assert_eq!(value, expected);
        assert_eq!(value["archive"], input);
        let figure = |name: &str| row(name)[place].replace(',', "");
        assert_eq!(figure("plies  "), value["plies"].to_string());
        assert_eq!(figure("bytes of text "), value["text_bytes"].to_string());
        assert_eq!(
            figure("bytes of archive "),
            value["archive_bytes"].to_string()
        );
        if let Some(bytes) = value["bytes_per_game"].as_f64() {
            assert_eq!(figure("bytes a game "), format!("{bytes:.2}"));
            assert_eq!(figure("all "), format!("{bytes:.3}"));
        }
    }
    let value: Value = serde_json::from_str(&json(&["./a.ign"])).unwrap();
    assert_eq!(value["archive"], "./a.ign");
    let args = [&["stats", "-q", "--svg", "all.svg"], &inputs[..]].concat();
    folder.ign(&args).done();
    let picture = text(folder.read("all.svg"));
    for input in inputs {
        assert!(picture.contains(input), "{input}");
    }
    assert!(picture.contains("width=\"4800\""));
    // Figures of a single input are reported as before.
    let single = text(folder.ign(&["stats", "-q", "a.ign"]).done());
    assert!(single.starts_with("a.ign\n") && single.contains("Where the bytes go"));
    folder
        .ign(&["stats", "a.ign", "--svg", "d.pgn", "-f", "d.pgn"])
        .failed(1, "d.pgn");
    folder.ign(&["stats", "-", "-"]).failed(1, "only once");
    folder.ign(&["stats", "a.ign", "x.ign"]).failed(1, "x.ign");
}

/// What a search of several archives prints names the games for `ign get`.
#[test]
fn get_takes_games_as_find_prints_them() {
    let folder = archives();
    let found = text(
        folder
            .ign(&[&["find"], &NAMES[..], &["--result", "1-0"]].concat())
            .done(),
    );
    let found: Vec<&str> = found.lines().collect();
    assert!(found.len() > 20);
    assert!(found.iter().any(|name| name.starts_with("b c.ign:")));
    let games = |args: &[&str]| folder.ign(&[&["get"], args].concat()).done();
    let pgn = [&["find"], &NAMES[..], &["--result", "1-0", "--pgn"]].concat();
    assert!(games(&found) == folder.ign(&pgn).done());
    // In any order, ranges, and the same archive by its name.
    let d = games(&["d.ign", "2..3"]);
    assert!(games(&["d.ign:2..3"]) == d);
    let mut both = games(&["d.ign", "5.."]);
    both.extend(games(&["a.ign", "1"]));
    assert!(games(&["d.ign:5..", "a.ign:1"]) == both);
    assert!(games(&["a.ign", "d.ign:5..", "1"]) == both);
    assert!(games(&["a.ign", "d.ign:5..", "a.ign:1"]) == both);
    // Numbers count through.
    let all = [&NAMES[..], &["1.."]].concat();
    let mut expected = text_of(30);
    expected.extend(text_of(20));
    expected.extend(b"\n\n");
    expected.extend(text_of(10));
    assert!(games(&all) == expected);
    let some = [&NAMES[..], &["51", "30..31"]].concat();
    let mut expected = games(&["d.ign", "1"]);
    expected.extend(games(&["a.ign", "30"]));
    expected.extend(games(&["b c.ign", "1"]));
    assert!(games(&some) == expected);
    // An id is searched for in all archives.
    let game = games(&["d.ign", "4"]);
    let site = text(game.clone());
    let site = site
        .split("[Site \"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    assert!(games(&[&NAMES[..], &[site]].concat()) == game);
}

#[test]
fn get_says_what_is_wrong_with_names_of_games() {
    let folder = archives();
    for (args, words) in [
        (&["a.ign:31"][..], "a.ign: there is no game 31"),
        (&["a.ign:0"], "a.ign:0"),
        (&["d.ign:1", "5"], "the archive of the game is not named"),
        (&["x.ign:1"], "x.ign"),
        (&["a.ign", "x.ign", "1"], "x.ign"),
        (&["a.ign", "d.ign", "41"], "there is no game 41"),
        (
            &["a.ign", "d.ign", "nosuchid"],
            "no game has the id 'nosuchid'",
        ),
        (&["a.ign", "1-3"], "write a game number or a range"),
        (&["a.ign:1", "-f", "-o", "a.ign"], "a.ign"),
    ] {
        folder.ign(&[&["get"], args].concat()).failed(1, words);
    }
}

/// A file whose name ends like the name of a game is an archive.
#[cfg(unix)]
#[test]
fn an_existing_file_is_no_game() {
    let folder = archives();
    folder.write("a.ign:2", folder.read("d.ign"));
    let second = folder.ign(&["get", "d.ign", "2"]).done();
    assert!(folder.ign(&["get", "a.ign:2", "2"]).done() == second);
}

#[test]
fn lists_and_searches_tell_packed_files_apart() {
    let folder = archives();
    folder
        .ign(&["pack", "a.pgn", "d.pgn", "-o", "both.ign"])
        .done();
    let lines = |args: &[&str]| text(folder.ign(args).done());
    let files = |lines: &str| -> Vec<String> {
        let last = lines.lines().map(|line| line.rsplit('\t').next().unwrap());
        last.map(String::from).collect()
    };
    let expected = [vec!["a.pgn"; 30], vec!["d.pgn"; 10]].concat();
    assert_eq!(files(&lines(&["list", "both.ign"])), expected);
    let found = lines(&["find", "both.ign", "--list", "--file", "D.*"]);
    assert_eq!(files(&found), vec!["d.pgn"; 10]);
    assert!(found.starts_with("31\t"));
    let table = ["export", "both.ign", "-c", "--format", "csv"];
    let table = lines(&[&table[..], &["--columns", "file", "--file", "d.pgn"]].concat());
    assert_eq!(table, format!("file\n{}", "d.pgn\n".repeat(10)));
    let tree = lines(&["tree", "both.ign", "--json", "--file", "a.pgn"]);
    let tree: Value = serde_json::from_str(&tree).unwrap();
    let counts = ["white", "draws", "black"].map(|name| tree[name].as_u64().unwrap());
    assert!(counts.iter().sum::<u64>() <= 30 && counts[0] > 0);
    folder
        .ign(&["find", "both.ign", "--file", "a"])
        .failed(1, "0 games in 40 games");
}
