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
    time::Instant,
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

/// The ways to search: with an index or without, the number of threads.
const ALL_WAYS: [(bool, usize); 4] = [(true, 1), (true, 2), (false, 1), (false, 2)];

/// Asserts that an archive answers as the model does, in these ways.
fn assert_answer(archive: &Archive, question: &Question, seed: u64, expected: &[u64], ways: &[(bool, usize)]) {
    for &(uses_index, threads) in ways {
        let archive = archive.clone().with_index(uses_index).with_threads(threads);
        let name = || {
            format!(
                "seed {seed}, {}, index {uses_index}, {threads} threads",
                question.text
            )
        };
        let found = archive.find(&question.query).unwrap_or_else(|error| panic!("{}: {error}", name()));
        assert!(found == expected, "{}: {}", name(), differences(&found, expected));
        let limit = (seed % 7) as usize;
        let first = archive.find_first(&question.query, limit).unwrap();
        assert_eq!(first, expected[..limit.min(expected.len())], "{}", name());
    }
    assert!(archive.rejected_index().is_none());
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
    games
}

/// What a run of questions was about, for the report.
#[derive(Default)]
struct Report {
    /// The number of questions with each field, and of those that found some games but not all.
    fields: BTreeMap<&'static str, [u64; 2]>,
}

impl Report {
    fn add(&mut self, question: &Question, found: usize, games: usize) {
        for field in question.fields() {
            let [asked, telling] = self.fields.entry(field).or_default();
            *asked += 1;
            *telling += u64::from((1..games).contains(&found));
        }
    }

    /// Asserts that each field was asked for, and that some answers have games.
    fn assert_complete(&self) {
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
    let text = data::generated(1_200, 1);
    let plain = pack(&text, Coding::Ign, 300_000);
    let games = games_of(&plain.archive, &text);
    assert!(plain.archive.index().blocks.len() > 2);
    let mut report = Report::default();
    for seed in 0..2_000 {
        let question = question(seed, &games);
        let expected = question.answer(&games);
        assert_answer(&plain.archive, &question, seed, &expected, &ALL_WAYS);
        report.add(&question, expected.len(), games.len());
    }
    report.assert_complete();
}

