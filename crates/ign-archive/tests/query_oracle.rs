//! Do random queries find exactly the games that match by the documentation? Games are parsed and
//! conditions are evaluated by an independent model (`oracle`), for archives of several codings,
//! with and without an index, with one thread and with two.
//!
//! `make queries` asks 20,000 queries about 20,000 real games.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use crate::oracle::{
    Game, Indexed, Question, archives,
    conditions::{self, some_position},
    data,
    rules::Parts,
    tags, tree,
};
use ign_archive::{
    Archive, Archives, Coding, Query, TreeBuilder,
    query::{Date, parse_position},
    tree::{Counts, TreeMove},
};
use ign_testing::{Random, cases};

/// The number of questions between two reports of the time.
const PROGRESS: u64 = 500;

/// The ways to search for the question of a seed: with an index and without, each with one thread
/// or two. Every combination is as frequent.
fn ways(seed: u64) -> [(bool, usize); 2] {
    [(true, seed), (false, seed / 2)]
        .map(|(uses_index, number)| (uses_index, 1 + (number % 2) as usize))
}

/// Checks that an archive answers as the model does.
fn check_answer(
    archive: &Archive,
    question: &Question,
    seed: u64,
    expected: &[u64],
) -> Result<(), String> {
    for (uses_index, threads) in ways(seed) {
        let archive = archive
            .clone()
            .with_search_index(uses_index)
            .with_threads(threads);
        let wrong = |why: String| {
            let text = &question.text;
            format!("seed {seed}, {text}, index {uses_index}, {threads} threads: {why}")
        };
        let found = archive.find(&question.query);
        let found = found.map_err(|error| wrong(error.to_string()))?;
        if found != expected {
            let found: Vec<u64> = found.into_iter().map(u64::from).collect();
            return Err(wrong(differences(&found, expected)));
        }
        let limit = (seed % 7) as usize;
        let first = archive.find_first(&question.query, limit);
        let first = first.map_err(|error| wrong(error.to_string()))?;
        if first != expected[..limit.min(expected.len())] {
            return Err(wrong(format!("the first {limit} are {first:?}")));
        }
    }
    match archive.rejected_index() {
        Some(error) => Err(error.to_string()),
        None => Ok(()),
    }
}

/// The first games that only one of two answers has.
fn differences(found: &[u64], expected: &[u64]) -> String {
    let only = |one: &[u64], other: &[u64]| -> Vec<u64> {
        let missing = one.iter().filter(|game| other.binary_search(game).is_err());
        missing.copied().take(5).collect()
    };
    format!(
        "{} games found, {} expected; wrong {:?}, missing {:?}",
        found.len(),
        expected.len(),
        only(found, expected),
        only(expected, found)
    )
}

/// What a run of questions was about, and what went wrong.
#[derive(Default)]
struct Report {
    /// The number of questions with each field, and of those that found some games but not all.
    fields: BTreeMap<&'static str, [u64; 2]>,
    /// The time of the answers of the model and of the archives, of all threads together.
    model: Duration,
    archives: Duration,
    failures: Vec<String>,
}

impl Report {
    /// Asks the questions of some seeds, on all cores.
    fn ask(&mut self, archive: &Archive, games: &[Game], seeds: std::ops::Range<u64>) {
        let next = AtomicU64::new(seeds.start);
        let ask = || {
            let mut report = Self::default();
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= seeds.end {
                    return report;
                }
                report.ask_one(archive, games, seed);
            }
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(ask)).collect();
            for worker in workers {
                self.add(worker.join().unwrap());
            }
        });
    }

    fn ask_one(&mut self, archive: &Archive, games: &[Game], seed: u64) {
        if seed.is_multiple_of(PROGRESS) {
            eprintln!(
                "question {seed}: model {:?}, archives {:?}",
                self.model, self.archives
            );
        }
        let question = question(seed, games);
        let start = Instant::now();
        let expected = question.answer(games);
        self.model += start.elapsed();
        let start = Instant::now();
        let checked = check_answer(archive, &question, seed, &expected);
        self.archives += start.elapsed();
        if let Err(failure) = checked {
            eprintln!("{failure}");
            self.failures.push(failure);
        }
        for field in question.fields() {
            let [asked, telling] = self.fields.entry(field).or_default();
            *asked += 1;
            *telling += u64::from((1..games.len()).contains(&expected.len()));
        }
    }

    fn add(&mut self, other: Self) {
        for (field, counts) in other.fields {
            let own = self.fields.entry(field).or_default();
            own.iter_mut()
                .zip(counts)
                .for_each(|(own, more)| *own += more);
        }
        self.model += other.model;
        self.archives += other.archives;
        self.failures.extend(other.failures);
    }

    fn assert_correct(&self) {
        let first: Vec<&str> = self.failures.iter().take(20).map(String::as_str).collect();
        let count = self.failures.len();
        assert!(count == 0, "{count} wrong answers\n{}", first.join("\n"));
    }

    /// Asserts that each field was asked for, with answers that have some games and not all.
    fn assert_complete(&self) {
        for field in conditions::FIELDS {
            let [asked, telling] = self.fields.get(field).copied().unwrap_or_default();
            assert!(
                telling > 0,
                "{field}: {asked} questions, {telling} with some games"
            );
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
    let text = data::generated(1_000, 1);
    let indexed = Indexed::of(&text, Coding::Ign, 300_000);
    let games = indexed.games(&text);
    assert!(indexed.archive.blocks().len() > 2);
    let mut report = Report::default();
    report.ask(&indexed.archive, &games, 0..cases(600, 1_500));
    report.assert_correct();
    report.assert_complete();
}

#[test]
fn random_queries_find_the_games_that_match_in_other_codings() {
    for (coding, seed) in [(Coding::Weighted, 2), (Coding::IgnEnd, 3)] {
        let text = data::generated(200, seed);
        let indexed = Indexed::of(&text, coding, 100_000);
        let games = indexed.games(&text);
        let mut report = Report::default();
        report.ask(
            &indexed.archive,
            &games,
            10_000 * seed..10_000 * seed + cases(80, 250),
        );
        report.assert_correct();
    }
}

#[test]
fn random_queries_find_the_games_that_match_in_indexes_of_several_segments() {
    for (parts, segments, seed) in [(2, 2, 5), (3, 3, 6), (12, 12, 7), (4, 3, 8)] {
        let text = data::generated(400, seed);
        let indexed = Indexed::in_parts(&text, Coding::Ign, 50_000, parts, segments);
        let games = indexed.games(&text);
        let mut report = Report::default();
        report.ask(
            &indexed.archive,
            &games,
            10_000 * seed..10_000 * seed + cases(80, 250),
        );
        report.assert_correct();
    }
}

#[test]
fn indexes_of_any_depth_find_the_games_and_the_moves_that_match() {
    let depths = [
        (Coding::Ign, 1, 13),
        (Coding::Ign, 10, 14),
        (Coding::Ign, 40, 15),
        (Coding::Ign, 70, 16),
        (Coding::Weighted, 10, 17),
    ];
    for (coding, plies, seed) in depths {
        let text = data::generated(300, seed);
        let indexed = Indexed::to_depth(&text, coding, 50_000, plies);
        let games = indexed.games(&text);
        let mut report = Report::default();
        let seeds = 10_000 * seed..10_000 * seed + cases(30, 250);
        report.ask(&indexed.archive, &games, seeds.clone());
        report.assert_correct();
        check_trees(
            &indexed.archive,
            &games,
            seeds.start..seeds.start + cases(20, 60),
        );
        let whole = indexed.archive.clone().with_search_index(false);
        for seed in 0..cases(60, 400) {
            let position = some_position(&mut Random(seed), &games).fen();
            let query = Query::new().position(parse_position(&position).unwrap());
            let found = [&indexed.archive, &whole].map(|archive| archive.find(&query).unwrap());
            assert_eq!(found[0], found[1], "{plies} plies: {position}");
        }
        assert!(indexed.archive.rejected_index().is_none());
    }
}

#[test]
fn trees_count_the_games_and_moves_that_match_in_indexes_of_several_segments() {
    for (parts, segments, seed) in [(2, 2, 9), (3, 3, 10), (12, 12, 11), (4, 3, 12)] {
        let text = data::generated(300, seed);
        let indexed = Indexed::in_parts(&text, Coding::Ign, 50_000, parts, segments);
        let games = indexed.games(&text);
        check_trees(
            &indexed.archive,
            &games,
            1_000 * seed..1_000 * seed + cases(20, 60),
        );
    }
}

/// The counts of the model, from those of the library.
fn counts(counts: &Counts) -> tree::Counts {
    let date =
        |Date { year, month, day }: Date| -> tags::Date { (year.into(), month.into(), day.into()) };
    tree::Counts {
        games: counts.games,
        white: counts.white,
        draws: counts.draws,
        black: counts.black,
        ended: counts.ended,
        average_rating: counts.average_rating,
        performance: counts.performance,
        last_played: counts.last_played.map(date),
        first_game: counts.first_game.map_or(0, u64::from),
        last_game: counts.last_game.map_or(0, u64::from),
    }
}

/// A node of the model, from one of the library.
fn node(own: &Counts, moves: &[TreeMove]) -> tree::Node {
    assert!(moves.is_sorted_by_key(|next| std::cmp::Reverse(next.counts.games)));
    let children = moves.iter().map(|next| {
        let child = node(&next.counts, &next.moves);
        (next.uci.clone(), (next.san.clone(), child))
    });
    tree::Node {
        counts: counts(own),
        moves: children.collect(),
    }
}

/// Compares the trees of random positions and filters.
fn check_trees(archive: &Archive, games: &[Game], seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let mut random = Random(seed);
        let start = Parts::of_fen(crate::oracle::games::STANDARD);
        let parts = match seed % 8 {
            0 => start,
            _ => some_position(&mut random, games),
        };
        let filter = data::one_in(&mut random, 2).then(|| question(seed, games));
        let depth = 1 + random.below(3);
        let numbered = (1..).zip(games);
        let wanted: Vec<(u64, &Game)> = numbered
            .filter(|(_, game)| filter.as_ref().is_none_or(|filter| filter.holds(game)))
            .collect();
        let expected = tree::grow(&parts, depth, &wanted);
        let query = filter
            .as_ref()
            .map_or_else(Query::default, |f| f.query.clone());
        let position = parse_position(&parts.fen()).unwrap();
        for (uses_index, threads) in ways(seed) {
            let archive = archive
                .clone()
                .with_search_index(uses_index)
                .with_threads(threads);
            let options = TreeBuilder::default().depth(depth);
            let grown = options
                .build(&Archives::from(&archive), &position, &query)
                .unwrap();
            let name = || {
                let filter = filter.as_ref().map_or("", |filter| &filter.text);
                format!("seed {seed}, {}, {filter}, index {uses_index}", parts.fen())
            };
            let found = node(&grown.counts, &grown.moves);
            assert_eq!(found, expected, "{}", name());
        }
    }
}

#[test]
fn trees_count_the_games_and_moves_that_match() {
    let text = data::generated(500, 4);
    let indexed = Indexed::of(&text, Coding::Ign, 100_000);
    let games = indexed.games(&text);
    check_trees(&indexed.archive, &games, 0..cases(60, 200));
}

#[test]
#[ignore = "takes minutes: make queries"]
fn random_queries_find_the_games_of_lichess_that_match() {
    ask_about(
        &data::first_games("lichess_2013-01.pgn.zst", 10_000),
        8_000,
        1_000_000,
    );
}

#[test]
#[ignore = "takes minutes: make queries"]
fn random_queries_find_the_games_of_tournaments_that_match() {
    ask_about(
        &data::first_games("otb_pgnmentor.pgn.zst", 10_000),
        8_000,
        1_024_000,
    );
}

#[test]
#[ignore = "takes minutes: make queries"]
fn random_queries_find_the_games_of_difficult_files_that_match() {
    let files = data::small_difficult_files(100_000);
    // Between two games, since the games of a file may depend on what is around it. What is before
    // the first tag of a file would belong to the last game of the file before it.
    let game = &b"\n\n[Event \"?\"]\n\n1. e4 *\n\n"[..];
    let agrees = |text: &&Vec<u8>| {
        let whole = [game, text, game].concat();
        text.trim_ascii_start().starts_with(b"[")
            && Indexed::of(&whole, Coding::Ign, 1 << 20).agrees(&whole)
    };
    let read: Vec<&[u8]> = files.iter().filter(agrees).map(Vec::as_slice).collect();
    eprintln!("{} of {} files", read.len(), files.len());
    assert!(read.len() * 100 >= files.len() * 85);
    ask_about(&read.join(&b"\n\n"[..]), 4_000, 1_048_000);
}

/// Asks many questions about real games; the seeds are those from `first` on.
fn ask_about(text: &[u8], questions: u64, mut first: u64) {
    let mut report = Report::default();
    let indexed = Indexed::of(text, Coding::Ign, 1 << 20);
    let games = indexed.games(text);
    report.ask(&indexed.archive, &games, first..first + questions);
    check_trees(&indexed.archive, &games, first..first + questions / 20);
    first += questions;
    report.assert_correct();
    // An index that was extended eleven times.
    let extended = Indexed::in_parts(text, Coding::Ign, 1 << 20, 12, 12);
    report.ask(&extended.archive, &games, first..first + questions / 4);
    check_trees(&extended.archive, &games, first..first + questions / 40);
    first += questions;
    // A part of the games in the coding that is slow to decode.
    let part = archives::parts_of(text, text.len().div_ceil(1 << 20))[0];
    let weighted = Indexed::of(part, Coding::Weighted, 1 << 18);
    let some = weighted.games(part);
    report.ask(&weighted.archive, &some, first..first + questions / 20);
    for (field, [asked, telling]) in &report.fields {
        eprintln!("{field}: {asked} questions, {telling} with some games");
    }
    eprintln!(
        "{} games: model {:?}, archives {:?}",
        games.len(),
        report.model,
        report.archives
    );
    report.assert_correct();
}
