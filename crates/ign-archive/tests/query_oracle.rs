//! Do random queries find exactly the games that match by the documentation? Games are parsed and
//! conditions are evaluated by an independent model (`oracle`), for archives of several codings, with
//! and without an index, with one thread and with two.
//!
//! `make queries` asks 20,000 queries about 20,000 real games.

mod oracle;

use std::{
    collections::BTreeMap,
    fs::File,
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use ign_archive::{
    Archive, Coding, Input, Packer, Query, TreeMove, TreeOptions, index,
    query::{Date, parse_position},
};
use ign_testing::Random;
use oracle::{Game, Question, conditions, data, games, tree};

/// An archive with an index beside it.
struct Indexed {
    archive: Archive,
    _folder: tempfile::TempDir,
}

fn pack(text: &[u8], coding: Coding, block_size: usize) -> Indexed {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.ign");
    let packer = Packer::new().coding(coding).block_size(block_size).threads(2);
    let input = Input::reader("games.pgn", std::io::Cursor::new(text.to_vec()));
    packer.pack([input], File::create(&path).unwrap()).unwrap();
    build_index(&path);
    Indexed {
        archive: Archive::open(path).unwrap(),
        _folder: folder,
    }
}

fn build_index(path: &Path) -> PathBuf {
    let archive = Archive::open(path).unwrap();
    let index_path = index::path_of(path);
    let mut out = File::create(&index_path).unwrap();
    let go_on = |_| ControlFlow::Continue(());
    index::build(&[archive], index::Sections::ALL, &mut out, go_on).unwrap();
    index_path
}

/// The ways to search for the question of a seed: with an index and without, each with one thread or two.
/// Every combination is as frequent.
fn ways(seed: u64) -> [(bool, usize); 2] {
    [(true, seed), (false, seed / 2)].map(|(uses_index, number)| (uses_index, 1 + (number % 2) as usize))
}

/// Checks that an archive answers as the model does, in these ways.
fn check_answer(
    archive: &Archive,
    question: &Question,
    seed: u64,
    expected: &[u64],
    ways: &[(bool, usize)],
) -> Result<(), String> {
    for &(uses_index, threads) in ways {
        let archive = archive.clone().with_index(uses_index).with_threads(threads);
        let name = || {
            format!(
                "seed {seed}, {}, index {uses_index}, {threads} threads",
                question.text
            )
        };
        let found = archive
            .find(&question.query)
            .map_err(|error| format!("{}: {error}", name()))?;
        if found != expected {
            return Err(format!("{}: {}", name(), differences(&found, expected)));
        }
        let limit = (seed % 7) as usize;
        let first = archive.find_first(&question.query, limit).unwrap();
        assert_eq!(first, expected[..limit.min(expected.len())], "{}", name());
    }
    assert!(archive.rejected_index().is_none());
    Ok(())
}

/// The first games that only one of two answers has.
fn differences(found: &[u64], expected: &[u64]) -> String {
    let only = |one: &[u64], other: &[u64]| -> Vec<u64> {
        let missing = one.iter().filter(|game| other.binary_search(game).is_err());
        missing.copied().take(5).collect()
    };
    format!(
        "found {} of {}; wrong {:?}, missing {:?}",
        found.len(),
        expected.len(),
        only(found, expected),
        only(expected, found)
    )
}

/// The games of a text by the model, which must be as many as the archive has.
fn games_of(archive: &Archive, text: &[u8]) -> Vec<Game> {
    let games = games::read(text);
    assert_eq!(games.len() as u64, archive.len());
    for (game, theirs) in games.iter().zip(archive.games()) {
        let theirs = theirs.unwrap();
        let plies = theirs.plies().unwrap();
        let text = || String::from_utf8_lossy(theirs.pgn().unwrap()).into_owned();
        assert_eq!(game.moves.len(), plies, "game {}: {}", theirs.number(), text());
        for (name, value) in &game.tags {
            let name = std::str::from_utf8(name).unwrap();
            let theirs = theirs.tag_bytes(name).unwrap();
            assert_eq!(theirs, Some(&value[..]), "{name} of {}", text());
        }
        assert_eq!(theirs.tags().unwrap().count(), game.tags.len(), "{}", text());
    }
    games
}

/// What a run of questions was about, for the report.
#[derive(Default)]
struct Report {
    /// The number of questions with each field, and of those that found some games but not all.
    fields: BTreeMap<&'static str, [u64; 2]>,
    failures: Vec<String>,
}

impl Report {
    fn add(&mut self, question: &Question, found: usize, games: usize) {
        for field in question.fields() {
            let [asked, telling] = self.fields.entry(field).or_default();
            *asked += 1;
            *telling += u64::from((1..games).contains(&found));
        }
    }

    fn check(
        &mut self,
        archive: &Archive,
        question: &Question,
        seed: u64,
        expected: &[u64],
        ways: &[(bool, usize)],
    ) {
        let checked = check_answer(archive, question, seed, expected, ways);
        self.failures.extend(checked.err());
    }

    /// Asserts that no answer was wrong, that each field was asked for, and that some answers have
    /// games.
    fn assert_complete(&self) {
        let first: Vec<&str> = self.failures.iter().take(20).map(String::as_str).collect();
        let count = self.failures.len();
        assert!(count == 0, "{count} wrong answers\n{}", first.join("\n"));
        for field in conditions::FIELDS {
            let [asked, telling] = self.fields.get(field).copied().unwrap_or_default();
            assert!(asked > 0 && telling > 0, "{field}: {asked} questions, {telling} with games");
        }
    }
}

/// The question of a seed: one condition, or two or three together.
fn question(seed: u64, games: &[Game]) -> Question {
    let mut random = Random(seed);
    let kinds = *data::pick(&mut random, &[1, 1, 2, 3]);
    Question::random(&mut random, games, kinds)
}

#[test]
fn random_queries_find_the_games_that_match() {
    let (mut t_oracle, mut t_find) = (Duration::ZERO, Duration::ZERO);
    let t = Instant::now();
    let text = data::generated(1_200, 1);
    let plain = pack(&text, Coding::Ign, 300_000);
    let games = games_of(&plain.archive, &text);
    assert!(plain.archive.index().blocks.len() > 2);
    let mut report = Report::default();
    let mut times: BTreeMap<&str, (u32, Duration)> = BTreeMap::new();
    let t_setup = t.elapsed();
    for seed in 0..2_000 {
        let question = question(seed, &games);
        let t = Instant::now();
        let expected = question.answer(&games);
        t_oracle += t.elapsed();
        let t = Instant::now();
        report.check(&plain.archive, &question, seed, &expected, &ways(seed));
        report.add(&question, expected.len(), games.len());
        t_find += t.elapsed();
        if question.fields().count() == 1 { let e = times.entry(question.fields().next().unwrap()).or_insert((0, Duration::ZERO)); e.0 += 1; e.1 += t.elapsed(); }
    }
    for (f, (n, d)) in times { eprintln!("{f} {:?}", d / n); }
    eprintln!("oracle {t_oracle:?} find {t_find:?} setup {t_setup:?}");
    report.assert_complete();
}

