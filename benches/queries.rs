//! Times of whole processes of `ign find` and `ign tree`, with and without the index.
//!
//! ```text
//! cargo bench --bench queries [-- ARCHIVE [COUNT]]
//! ```
//!
//! Without an archive, the Lichess month of the data folder is packed in both codings into a
//! temporary folder. Positions are chosen at random from its games, COUNT (100) of each kind. For
//! each query the table gives the median, the 95th percentile and the greatest wall time, in
//! milliseconds. Each query is run once before it is timed. Answers with the index are compared
//! with those without it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use ign_archive::{Archive, query::parse_position};
use ign_notation::chess::{Legal, Position};
use ign_testing::Random;

/// Runs per query.
const RUNS: usize = 20;
/// Milliseconds after which no more queries of a kind are run without the index.
const MAX_WITHOUT: f64 = 3000.0;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let count = arguments
        .get(1)
        .map_or(100, |n| n.parse().expect("COUNT is a number"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut archives: Vec<(String, PathBuf)> = Vec::new();
    match arguments.first() {
        Some(path) => archives.push((path.clone(), path.into())),
        None => {
            let Some(data) = ign_testing::corpus_path("lichess_2013-01.pgn.zst") else {
                return;
            };
            for coding in ["ign", "weighted"] {
                let path = folder.path().join(format!("{coding}.ign"));
                let packed = ign()
                    .args(["pack", "-q", "--coding", coding, "-o"])
                    .arg(&path)
                    .arg(&data)
                    .status();
                assert!(packed.expect("ign runs").success());
                archives.push((coding.into(), path));
            }
        }
    }
    for (name, path) in archives {
        measure(&name, &path, count, folder.path());
    }
}

fn ign() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ign"))
}

fn measure(name: &str, archive: &Path, count: usize, folder: &Path) {
    // The same archive without an index beside it.
    let plain = folder.join("without-index.ign");
    _ = fs::remove_file(&plain);
    if fs::hard_link(archive, &plain).is_err() {
        fs::copy(archive, &plain).expect("a copy of the archive");
    }
    let start = Instant::now();
    let indexed = ign()
        .args(["index", "-f", "-q", "-T2"])
        .arg(archive)
        .status();
    assert!(indexed.expect("ign runs").success());
    println!("{name}: indexed in {:.2} s", start.elapsed().as_secs_f64());
    println!(
        "{:<34} {:>8} {:>8} {:>8} {:>12}",
        "query", "median", "p95", "max", "without index"
    );
    let open = Archive::open(archive).expect("an archive");
    let mut random = Random(7);
    for (kind, plies) in [("early", 4..12), ("middle", 20..40), ("endgame", 70..120)] {
        let positions: Vec<Position> = positions(&open, &mut random, plies, count);
        report(
            &format!("position, {kind}"),
            archive,
            &plain,
            &of_positions(&positions, &["--count"]),
            1,
        );
        report(
            &format!("position, {kind}, first ten"),
            archive,
            &plain,
            &of_positions(&positions, &["--limit", "10"]),
            1,
        );
        let trees: Vec<Vec<String>> = positions
            .iter()
            .map(|p| vec!["tree".into(), "--position".into(), fen(p)])
            .collect();
        report(&format!("moves, {kind}"), archive, &plain, &trees, 1);
        if kind == "middle" {
            let absent: Vec<Position> = positions.iter().filter_map(absent).collect();
            report(
                "position, absent",
                archive,
                &plain,
                &of_positions(&absent, &["--count"]),
                1,
            );
        }
    }
    let find = |words: &[&str]| {
        let all = ["find", "--count"].iter().chain(words);
        vec![all.map(ToString::to_string).collect::<Vec<_>>()]
    };
    let player = open
        .game(open.len() / 2)
        .expect("a game")
        .tag("White")
        .expect("a tag")
        .expect("a name")
        .into_owned();
    report(
        "player",
        archive,
        &plain,
        &find(&["--player", &player]),
        RUNS,
    );
    report(
        "opening 1. e4 e5 2. f4",
        archive,
        &plain,
        &find(&["--opening", "1. e4 e5 2. f4"]),
        RUNS,
    );
    let three = [
        "--elo",
        "1800..2200",
        "--date",
        "2013-01-05..2013-01-07",
        "--time-control",
        "300+0",
    ];
    report(
        "rating, date and time control",
        archive,
        &plain,
        &find(&three),
        RUNS,
    );
    for words in [
        &["--elo", "2000.."][..],
        &["--date", "2013-01-05"],
        &["--result", "draw"],
        &["--eco", "B20..B99"],
        &["--time-control", "300+0"],
        &["--speed", "bullet"],
        &["--white", "a*"],
    ] {
        report(&words.join(" "), archive, &plain, &find(words), RUNS);
    }
    report(
        "tree of the starting position",
        archive,
        &plain,
        &[vec!["tree".into()]],
        RUNS,
    );
}

fn of_positions(positions: &[Position], words: &[&str]) -> Vec<Vec<String>> {
    let find = |position: &Position| {
        let mut all = vec!["find".to_owned(), "--position".into(), fen(position)];
        all.extend(words.iter().map(ToString::to_string));
        all
    };
    positions.iter().map(find).collect()
}

fn fen(position: &Position) -> String {
    String::from_utf8(position.fen_fields()).expect("a FEN is ASCII")
}

/// Positions at random plies of random games that are long enough.
fn positions(
    archive: &Archive,
    random: &mut Random,
    plies: std::ops::Range<usize>,
    count: usize,
) -> Vec<Position> {
    let mut found = Vec::new();
    while found.len() < count {
        let number = 1 + random.below(archive.len() as usize) as u64;
        let game = archive.game(number).expect("a game");
        let ply = plies.start + random.below(plies.len());
        if let Some(position) = game.positions().expect("positions").nth(ply) {
            let fen = shakmaty::fen::Fen::from_position(&position, shakmaty::EnPassantMode::Legal);
            found.push(parse_position(&fen.to_string()).expect("a position of a game"));
        }
    }
    found
}

/// The position after a move that nobody plays there: the last of the legal moves, and the last
/// again.
fn absent(position: &Position) -> Option<Position> {
    let mut position = *position;
    for _ in 0..2 {
        let legal = Legal::new(&position);
        let last = legal.count().checked_sub(1)?;
        position.play(legal.nth(last));
    }
    Some(position)
}

/// Times queries with the index, each `runs` times, and the first of them without.
fn report(name: &str, archive: &Path, plain: &Path, queries: &[Vec<String>], runs: usize) {
    let run = |archive: &Path, query: &[String]| {
        let start = Instant::now();
        let output = ign()
            .args(&query[..1])
            .arg("-qT2")
            .arg(archive)
            .args(&query[1..])
            .output();
        let time = start.elapsed().as_secs_f64() * 1000.0;
        (time, output.expect("ign runs").stdout)
    };
    let (mut times, mut without) = (Vec::new(), Vec::new());
    for (number, query) in queries.iter().enumerate() {
        let (_, expected) = run(archive, query);
        for _ in 0..runs {
            times.push(run(archive, query).0);
        }
        // Weighted archives take seconds.
        if number == 0 || without.iter().sum::<f64>() < MAX_WITHOUT {
            let (time, found) = run(plain, query);
            assert_eq!(found, expected, "{query:?}");
            without.push(time);
        }
    }
    let quantile = |times: &mut Vec<f64>, part: f64| {
        times.sort_by(f64::total_cmp);
        times[((times.len() - 1) as f64 * part) as usize]
    };
    println!(
        "{name:<34} {:>8.1} {:>8.1} {:>8.1} {:>12.1}",
        quantile(&mut times, 0.5),
        quantile(&mut times, 0.95),
        quantile(&mut times, 1.0),
        quantile(&mut without, 0.5)
    );
}
