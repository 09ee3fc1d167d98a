//! Are the figures of `ign stats` correct?

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use ign_testing::{Collection, Folder};
use serde_json::Value;

/// Fool's mate, scholar's mate, the Opera game, and a draw agreed after two plies.
const GAMES: &str = "\
[Event \"Fool's mate\"]
[Result \"0-1\"]

1. f3 e5 2. g4 Qh4# 0-1

[Event \"Scholar's mate\"]
[Result \"1-0\"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[Event \"Opera\"]
[White \"Morphy\"]
[Result \"1-0\"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7
8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7
14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0

[Event \"Short\"]
[Result \"1/2-1/2\"]

1. e4 e5 1/2-1/2
";

/// Writes a file and returns its path.
fn file(folder: &Folder, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    folder.write(name, bytes);
    folder.path(name)
}

/// Packs a file with these options and returns the archive.
fn packed(folder: &Folder, input: &Path, options: &[&str]) -> PathBuf {
    let out = folder.path("packed.ign");
    let mut command = ign();
    command
        .args(["pack", "-q", "-f", "-o"])
        .arg(&out)
        .arg(input);
    assert!(command.args(options).status().unwrap().success());
    out
}

fn ign() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ign"));
    command.stdin(Stdio::null());
    command
}

fn run(input: &Path, options: &[&str]) -> Output {
    let mut command = ign();
    command
        .arg("stats")
        .arg(input)
        .args(options)
        .output()
        .unwrap()
}

fn json(input: &Path, options: &[&str]) -> Value {
    let output = run(input, &[options, &["--json"]].concat());
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text(input: &Path, options: &[&str]) -> String {
    let output = run(input, options);
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn fools_mate_takes_18_bits_and_a_prefix_of_8() {
    let folder = Folder::new();
    let game = GAMES.split("\n[Event \"Sch").next().unwrap();
    let stats = json(&file(&folder, "mate.pgn", game), &["--coding", "ign"]);
    assert_eq!((&stats["games"], &stats["plies"]), (&1.into(), &4.into()));
    let moves = &stats["moves"];
    assert_eq!(moves["coding"], "ign");
    assert_eq!(moves["integer_bits"], 18);
    // gamma(19) has 9 bits; one of them is the leading one of the integer.
    assert_eq!(moves["prefix_bits"], 8);
    assert_eq!(moves["bits_per_ply"], 6.5);
    assert_eq!(moves["bits_per_position"], 5.2);
    // There are 20 · 20 · 19 · 30 such sequences of moves.
    assert_eq!(stats["legal_moves"]["mean"], 22.25);
    let bits = stats["encodings"]["entropy"]["bits"].as_f64().unwrap();
    assert!((bits - 228_000f64.log2()).abs() < 1e-9);
    assert_eq!(stats["encodings"]["squares"]["bits"], 48);
    assert_eq!(stats["encodings"]["whole_bits"]["bits"], 20);
    // The position ends the game, so end moves only increase the bases:
    // 14 + 21 · (8 + 21 · (15 + 20 · 17)) = 156737.
    assert_eq!(stats["encodings"]["ign-end"]["integer_bits"], 18);
    assert_eq!(stats["encodings"]["ign"]["integer_bits"], 18);
}

#[test]
fn counts_games_by_length_and_signature() {
    let folder = Folder::new();
    let stats = json(&file(&folder, "games.pgn", GAMES), &[]);
    assert_eq!((&stats["games"], &stats["plies"]), (&4.into(), &46.into()));
    let lengths = &stats["game_plies"];
    let lengths = ["min", "median", "mean", "max"].map(|key| lengths[key].as_f64().unwrap());
    assert_eq!(lengths, [2.0, 4.0, 11.5, 33.0]);
    let signatures = &stats["signatures"];
    assert_eq!(signatures["largest"]["games"], 3);
    assert_eq!(signatures["largest"]["a"], "??????");
    let counted = ["unique", "unique_a", "unique_b", "complete", "without"];
    assert_eq!(
        counted.map(|key| signatures[key].as_u64().unwrap()),
        [1, 1, 1, 0, 3]
    );
    assert_eq!(stats["not_understood"]["games"], 0);
    assert_eq!(stats["text_bytes"], GAMES.len());
    assert_eq!(stats["by_ply"][0]["legal_moves"], 20.0);
    assert_eq!(stats["by_ply"].as_array().unwrap().len(), 33);
}

#[test]
fn text_and_archive_have_the_same_figures() {
    let folder = Folder::new();
    let many = format!("no game\n\n{}", GAMES.repeat(60));
    let pgn = file(&folder, "games.pgn", &many);
    for options in [
        &["-B", "4K"][..],
        &["-B", "4K", "--coding", "ign-end"],
        &["-B", "4K", "--coding", "weighted"],
        &[],
    ] {
        let mut of_text = json(&pgn, options);
        let archive = packed(&folder, &pgn, options);
        let mut of_archive = json(&archive, &["-T", "1"]);
        assert_eq!(
            of_archive["archive_bytes"],
            fs::metadata(&archive).unwrap().len()
        );
        for stats in [&mut of_text, &mut of_archive] {
            stats["archive"] = Value::Null;
        }
        assert_eq!(of_text, of_archive, "{options:?}");
        assert_eq!(of_text["games"], 240);
        assert_eq!(of_text["other_records"], 1);
        assert_eq!(
            bytes_by_part(&of_text),
            of_text["archive_bytes"].as_u64().unwrap()
        );
    }
}

fn bytes_by_part(stats: &Value) -> u64 {
    let columns = stats["columns"].as_object().unwrap().values();
    let columns: u64 = columns.map(|len| len.as_u64().unwrap()).sum();
    let frames = ["block_head_bytes", "other_bytes"];
    columns
        + frames
            .map(|key| stats[key].as_u64().unwrap())
            .iter()
            .sum::<u64>()
}

#[test]
fn both_plain_codings_measure_the_same_integers() {
    let folder = Folder::new();
    let pgn = file(&folder, "games.pgn", GAMES);
    let plain = json(&pgn, &["--coding", "ign"]);
    let ends = json(&pgn, &["--coding", "ign-end"]);
    assert_eq!(plain["encodings"], ends["encodings"]);
    for (stats, name) in [(plain, "ign"), (ends, "ign-end")] {
        assert_eq!(stats["moves"]["coding"], name);
        for key in ["integer_bits", "prefix_bits"] {
            assert_eq!(stats["moves"][key], stats["encodings"][name][key]);
        }
    }
}

#[test]
fn model_figures_do_not_depend_on_the_coding() {
    let folder = Folder::new();
    let pgn = file(&folder, "games.pgn", GAMES);
    let of = |coding| json(&pgn, &["--coding", coding])["likelihood"].clone();
    let likelihood = of("weighted");
    assert_eq!((&likelihood, &likelihood), (&of("ign"), &of("ign-end")));
    assert_eq!(likelihood["all"]["moves"], 46);
    let counts = likelihood["by_rank"].as_array().unwrap();
    let count = |value: &Value| value.as_u64().unwrap();
    assert_eq!(counts.iter().map(count).sum::<u64>(), 46);
    let frequency = likelihood["all"]["guessed_first"].as_f64().unwrap();
    assert!((frequency - count(&counts[0]) as f64 / 46.0).abs() < 1e-9);
    // The three mates end by the rules; one game ends by agreement.
    assert_eq!(likelihood["ends"], 1);
    let phases = likelihood["phases"].as_object().unwrap().values();
    assert_eq!(phases.map(|phase| count(&phase["moves"])).sum::<u64>(), 46);
    let buckets = likelihood["by_plies"].as_array().unwrap();
    let moves: Vec<u64> = buckets.iter().map(|s| count(&s["moves"])).collect();
    assert_eq!(moves, [4 + 7 + 10 + 2, 10, 10, 3]);
    assert_eq!(
        (&buckets[3]["from"], &buckets[3]["to"]),
        (&31.into(), &40.into())
    );
    assert_eq!(likelihood["by_ply"].as_array().unwrap().len(), 33);
}

#[test]
fn weighted_moves_take_as_many_bits_as_their_probabilities_predict() {
    let folder = Folder::new();
    let mut games = Vec::new();
    ign_sample::Sample::new(300, 1).write(&mut games).unwrap();
    let stats = json(
        &file(&folder, "games.pgn", games),
        &["--coding", "weighted"],
    );
    assert_eq!(stats["moves"]["coding"], "weighted");
    let stored = stats["moves"]["group_bits"].as_f64().unwrap();
    let worth = stats["encodings"]["weighted"]["bits"].as_f64().unwrap();
    // The signature constrains six moves and the end of the game. For the end and about four moves
    // per game, this saves two or three bits each, but less than the signature takes. (The end and
    // the length of a group's stream take about two bytes.)
    let saved = worth - stored;
    assert!((300.0 * 6.0..300.0 * 16.0).contains(&saved), "{saved}");
    let with_signatures = stats["moves"]["bits_with_signatures"].as_f64().unwrap();
    assert!(with_signatures > worth, "{with_signatures} for {worth}");
    assert_eq!(stats["moves"]["bits"], stats["moves"]["group_bits"]);
    assert_eq!(stats["moves"]["integer_bits"], 0);
}

#[test]
fn measures_inputs_without_games() {
    let folder = Folder::new();
    let empty = file(&folder, "empty.pgn", "");
    let prose = file(&folder, "prose.txt", "no game at all\n");
    let archive = packed(&folder, &empty, &[]);
    for input in [empty, prose, archive] {
        let stats = json(&input, &[]);
        assert_eq!((&stats["games"], &stats["plies"]), (&0.into(), &0.into()));
        for figure in [&stats["bytes_per_game"], &stats["moves"]["bits_per_ply"]] {
            assert!(figure.is_null());
        }
        let picture = folder.path("empty.svg");
        let report = text(&input, &["--svg", picture.to_str().unwrap(), "-f"]);
        let picture = fs::read_to_string(picture).unwrap();
        for text in [report, picture] {
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
    }
}

#[test]
fn reports_have_all_sections_in_100_columns() {
    let folder = Folder::new();
    let name = "games.pgn".repeat(12);
    let report = text(&file(&folder, &name, GAMES), &[]);
    for part in [
        "games.pgn",
        "Where the bytes go",
        "signatures",
        "all, with the signatures",
        "Moves, coded as weighted",
        "The same games in other encodings",
        "351, then 177",
        "unique by A and B",
        "Games by plies",
    ] {
        assert!(report.contains(part), "{part}");
    }
    let long = report.lines().find(|line| line.chars().count() > 100);
    assert_eq!(long, None);
}

#[test]
fn draws_one_svg_and_overwrites_only_with_force() {
    let folder = Folder::new();
    let pgn = file(&folder, "a<b&c.pgn", GAMES);
    let path = folder.path("figures.svg");
    let options = ["--svg", path.to_str().unwrap()];
    text(&pgn, &options);
    let picture = fs::read_to_string(&path).unwrap();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    assert!(picture.contains("a&lt;b&amp;c.pgn") && !picture.contains("a<b"));
    assert_eq!(run(&pgn, &options).status.code(), Some(1));
    text(&pgn, &[&options[..], &["-f"]].concat());
}

#[test]
fn rejects_meaningless_options_and_damaged_archives() {
    let folder = Folder::new();
    let pgn = file(&folder, "games.pgn", GAMES);
    let archive = packed(&folder, &pgn, &[]);
    for options in [["--coding", "ign"], ["-B", "64K"]] {
        assert_eq!(run(&archive, &options).status.code(), Some(1));
    }
    assert_eq!(run(&folder.path("missing.pgn"), &[]).status.code(), Some(1));
    let whole = fs::read(&archive).unwrap();
    let cut = file(&folder, "cut.ign", &whole[..whole.len() - 9]);
    assert_eq!(run(&cut, &[]).status.code(), Some(2));
}

#[test]
fn figures_of_a_lichess_month_are_in_the_published_ranges() {
    let collection = Collection::open("lichess_2013-01.pgn.zst");
    let is_real = collection.is_real;
    let folder = Folder::new();
    // The first 5,000 games or so are enough.
    let slice = file(&folder, "slice.pgn", collection.first_bytes(4 << 20));
    let stats = json(&slice, &["-B1M", "--coding", "ign"]);
    let games = stats["games"].as_u64().unwrap();
    let bits = |name: &str| stats["encodings"][name]["bits_per_ply"].as_f64().unwrap();
    let integer = stats["moves"]["integer_bits_per_ply"].as_f64().unwrap();
    let entropy = bits("entropy");
    // Per game, the integer and the logarithm differ by less than one bit.
    assert!((integer - entropy).abs() < 1.0 / 60.0);
    assert!(entropy < bits("ign") && bits("ign") < bits("ign-end"));
    assert!(bits("ign-end") < bits("whole_bits") && bits("whole_bits") < 12.0);
    let unique = |key: &str| stats["signatures"][key].as_f64().unwrap() / games as f64;
    assert!(unique("unique") > 0.75 && unique("unique") > unique("unique_a"));
    assert_eq!(
        bytes_by_part(&stats),
        stats["archive_bytes"].as_u64().unwrap()
    );
    if is_real {
        assert!((5_000..6_000).contains(&games), "{games}");
        assert!((4.5..4.7).contains(&entropy), "{entropy}");
    }
}
