//! Is the answer of several archives that of one archive of the same games, with and without
//! indexes?

use std::{
    fs::{self, File},
    ops::ControlFlow,
    path::PathBuf,
};

use ign_archive::{
    Archive, Archives, Coding, ErrorKind, Finder, GameNumber, Input, Packer, Progress, Query,
    TreeBuilder,
    index::{IndexBuilder, IndexSections},
    query::{GameResult, parse_opening, parse_position},
};
use ign_testing::{games, games_of_seed};
use tempfile::TempDir;

/// The number of games of each archive; the second archive is empty.
const GAMES: [u64; 4] = [90, 0, 70, 80];
const CODINGS: [Coding; 4] = [Coding::Ign, Coding::Ign, Coding::IgnEnd, Coding::Weighted];
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
const AFTER_E4_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";

/// Archives in a folder, and one archive of all their games.
struct Data {
    folder: TempDir,
    paths: Vec<PathBuf>,
    whole: Archive,
}

impl Data {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (mut paths, mut all) = (Vec::new(), Vec::new());
        for (number, (games, coding)) in GAMES.into_iter().zip(CODINGS).enumerate() {
            let text = games_of_seed(games, 7 + number as u64);
            all.extend_from_slice(&text);
            let path = folder.path().join(format!("{number}.ign"));
            pack(text, coding, &path);
            paths.push(path);
        }
        let path = folder.path().join("whole.ign");
        pack(all, Coding::Ign, &path);
        let whole = Archive::open(path).unwrap();
        assert_eq!(whole.len(), GAMES.iter().sum::<u64>());
        Self {
            folder,
            paths,
            whole,
        }
    }

    fn archives(&self) -> Archives {
        Archives::open(&self.paths).unwrap().with_threads(2)
    }

    /// Writes an index of some archives.
    fn index(&self, name: &str, archives: &[Archive], sections: IndexSections) -> PathBuf {
        let path = self.folder.path().join(name);
        let mut out = File::create(&path).unwrap();
        IndexBuilder::new()
            .sections(sections)
            .build(archives, &mut out)
            .unwrap();
        path
    }

    fn shared(&self, sections: IndexSections) -> PathBuf {
        self.index("all.idx", self.archives().archives(), sections)
    }

    /// Asserts that every question has the answer of the archive of all games.
    #[track_caller]
    fn check(&self, archives: &Archives) {
        for (name, query) in queries() {
            let expected = self.whole.find(&query).unwrap();
            assert!(!expected.is_empty(), "{name}");
            let found = archives.find(&query).unwrap();
            assert_eq!(found, expected, "{name}");
            let explanation = archives.explain(&query).unwrap();
            assert_eq!((explanation.games, &explanation.found), (240, &found));
            for limit in [0, 1, 7, 100] {
                let first = archives.find_first(&query, limit).unwrap();
                assert_eq!(first, found[..limit.min(found.len())], "{name} {limit}");
                for (start, end) in [(1, 241), (80, 120), (90, 91), (91, 161), (170, 999), (7, 7)] {
                    let within = archives.find_within(&query, start..end, limit).unwrap();
                    let is_in = |game: &GameNumber| (start..end).contains(&game.get());
                    let wanted = found.iter().copied().filter(is_in).take(limit);
                    assert!(wanted.eq(within), "{name} {start}..{end} {limit}");
                }
            }
            for (position, depth) in [(START, 1), (AFTER_E4_E5, 1), (START, 3)] {
                let position = parse_position(position).unwrap();
                let tree = |archives: &Archives| {
                    let builder = TreeBuilder::new().depth(depth).history(true);
                    let builder = builder.top_games(5).recent_games(5);
                    builder.build(archives, &position, &query).unwrap()
                };
                let expected = tree(&Archives::from(&self.whole));
                assert_eq!(tree(archives), expected, "{name}");
                // The same counts without the numbers of games.
                let builder = TreeBuilder::new().depth(depth).game_numbers(false);
                let mut counted = builder.build(archives, &position, &query).unwrap().counts;
                assert_eq!((counted.first_game, counted.last_game), (None, None));
                counted.first_game = expected.counts.first_game;
                counted.last_game = expected.counts.last_game;
                assert_eq!(counted, expected.counts, "{name}");
            }
        }
    }
}

fn pack(text: Vec<u8>, coding: Coding, path: &PathBuf) {
    let packer = Packer::new().coding(coding).block_size(40_000).threads(2);
    let input = Input::reader("games.pgn", std::io::Cursor::new(text));
    packer.pack([input], File::create(path).unwrap()).unwrap();
}

fn queries() -> Vec<(&'static str, Query)> {
    let opening = parse_opening("1. e4").unwrap();
    let position = parse_position(AFTER_E4_E5).unwrap();
    vec![
        ("all", Query::new()),
        ("result", Query::new().result([GameResult::WhiteWins])),
        ("elo", Query::new().white_elo(1500..)),
        ("player", Query::new().player("*a*")),
        ("opening", Query::new().opening(opening)),
        (
            "position and plies",
            Query::new().position(position).plies(10..),
        ),
        ("repetition", Query::new().repetition(true)),
    ]
}

#[test]
fn several_archives_answer_like_one_without_indexes() {
    let data = Data::new();
    let archives = data.archives();
    data.check(&archives);
    assert_eq!(archives.rejected_indexes().count(), 0);
    // The sum over the archives.
    for (name, query) in queries() {
        let own = archives.archives().iter().enumerate();
        let sum: Vec<u64> = own
            .flat_map(|(archive, of)| {
                let before: u64 = GAMES[..archive].iter().sum();
                let found = of.find(&query).unwrap().into_iter();
                found.map(move |number| before + number.get())
            })
            .collect();
        assert_eq!(archives.find(&query).unwrap(), sum, "{name}");
    }
}

#[test]
fn several_archives_answer_like_one_with_indexes_of_some() {
    let data = Data::new();
    for archive in [1, 3] {
        let archives = data.archives();
        let of = &archives.archives()[archive..=archive];
        data.index(&format!("{archive}.ign.idx"), of, IndexSections::ALL);
    }
    let archives = data.archives();
    assert!(archives.archives()[3].search_index().is_some());
    data.check(&archives);
    let query = &queries()[1].1;
    let explanation = archives.explain(query).unwrap();
    let sources: Vec<&str> = explanation.stages.iter().map(|s| &*s.reads).collect();
    assert_eq!(sources, ["index", "Result"]);
    assert_eq!(archives.rejected_indexes().count(), 0);
}

#[test]
fn several_archives_answer_like_one_with_a_shared_index() {
    let data = Data::new();
    let without: [fn(&mut IndexSections); 6] = [
        |_| (),
        |sections| sections.columns = false,
        |sections| sections.players = false,
        |sections| sections.openings = false,
        |sections| sections.positions = false,
        |sections| sections.materials = false,
    ];
    for remove in without {
        let mut sections = IndexSections::ALL;
        remove(&mut sections);
        let path = data.shared(sections);
        let archives = data.archives().with_shared_index(&path).unwrap();
        data.check(&archives);
        let rejected = archives.rejected_indexes().next();
        assert!(rejected.is_none(), "{rejected:?}");
    }
    let archives = data
        .archives()
        .with_shared_index(data.shared(IndexSections::ALL))
        .unwrap();
    let explanation = archives.explain(&queries()[5].1).unwrap();
    assert!(
        explanation
            .stages
            .iter()
            .all(|stage| stage.reads == "index")
    );
}

#[test]
fn a_shared_index_of_other_archives_is_rejected_and_not_used() {
    let data = Data::new();
    let path = data.shared(IndexSections::ALL);
    let check = |archives: Archives| {
        assert_eq!(archives.rejected_indexes().count(), 1);
        data.check(&archives);
    };
    let swapped = [3, 1, 2, 0].map(|number| &data.paths[number]);
    let swapped = Archives::open(swapped)
        .unwrap()
        .with_shared_index(&path)
        .unwrap();
    assert_eq!(swapped.rejected_indexes().count(), 1);
    assert_eq!(swapped.find(&Query::default()).unwrap().len(), 240);
    let some = Archives::open(&data.paths[..3]).unwrap();
    let some = some.with_shared_index(&path).unwrap();
    assert_eq!(some.rejected_indexes().count(), 1);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    check(data.archives().with_shared_index(&path).unwrap());
    fs::write(&path, []).unwrap();
    check(data.archives().with_shared_index(&path).unwrap());
    fs::write(&path, &bytes).unwrap();
    // The same games with another coding.
    let text = {
        let mut text = Vec::new();
        data.archives().archives()[2].unpack(&mut text).unwrap();
        text
    };
    pack(text, Coding::Ign, &data.paths[2]);
    check(data.archives().with_shared_index(&path).unwrap());
    let missing = data.archives().with_shared_index("nowhere.idx");
    assert_eq!(missing.err().unwrap().kind(), ErrorKind::Io);
}

#[test]
fn a_damaged_section_of_a_shared_index_is_found_when_it_is_read() {
    let data = Data::new();
    let path = data.shared(IndexSections::ALL);
    let bytes = fs::read(&path).unwrap();
    let mut rejected = 0;
    for step in 0..12 {
        let mut damaged = bytes.clone();
        let place = bytes.len() * step / 12;
        damaged[place] ^= 1;
        fs::write(&path, damaged).unwrap();
        let archives = data.archives().with_shared_index(&path).unwrap();
        data.check(&archives);
        rejected += archives.rejected_indexes().count();
    }
    // Some sections are not read by any of the queries.
    assert!(rejected > 2, "{rejected}");
}

#[test]
fn lines_texts_and_archives_of_games_come_from_all_archives() {
    let data = Data::new();
    let archives = data.archives();
    let games = archives.find(&queries()[4].1).unwrap();
    let text = |out: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = Vec::new();
        out(&mut bytes);
        bytes
    };
    let ranges: Vec<_> = games
        .iter()
        .map(|number| number.get()..=number.get())
        .collect();
    let expected = text(&|out| data.whole.write_games(&ranges, out).unwrap());
    assert!(text(&|out| archives.write_games(&games, out).unwrap()) == expected);
    let packer = || Packer::new().coding(Coding::Ign);
    let (bytes, summary) = packer()
        .pack_games_of(&archives, &games, Vec::new())
        .unwrap();
    assert_eq!(summary.games, games.len() as u64);
    let packed = Archive::from_read_at(bytes, "some.ign").unwrap();
    assert!(text(&|out| _ = packed.unpack(out).unwrap()) == expected);
    let lines = String::from_utf8(text(&|out| archives.list_games(&games, out).unwrap())).unwrap();
    let whole = String::from_utf8(text(&|out| data.whole.list_games(&games, out).unwrap()));
    let whole = whole.unwrap();
    assert_eq!(lines.lines().count(), games.len());
    for ((line, other), &game) in lines.lines().zip(whole.lines()).zip(&games) {
        let (name, fields) = line.split_once('\t').unwrap();
        assert_eq!(name, archives.name_of(game).unwrap());
        let place = archives.locate(game).unwrap();
        assert!(name.ends_with(&format!("{}.ign:{}", place.archive, place.number)));
        assert_eq!(fields, other.split_once('\t').unwrap().1);
    }
    let all = String::from_utf8(text(&|out| archives.list(out).unwrap())).unwrap();
    assert_eq!(all.lines().count(), 240);
    for wrong in [0, 241] {
        assert_eq!(archives.locate(wrong).unwrap_err().kind(), ErrorKind::Usage);
        assert_eq!(archives.game(wrong).err().unwrap().kind(), ErrorKind::Usage);
    }
    let beyond = GameNumber::from_index(240);
    let written = archives.write_games(&[beyond], Vec::new());
    assert_eq!(written.unwrap_err().kind(), ErrorKind::Usage);
    let last = archives.locate(240).unwrap();
    assert_eq!((last.archive, last.number.get()), (3, 80));
}

#[test]
fn a_text_without_a_line_end_does_not_run_into_the_next() {
    let archive = |text: &'static str| {
        let input = Input::reader("a.pgn", text.as_bytes());
        let (bytes, _) = Packer::new()
            .coding(Coding::Ign)
            .pack([input], Vec::new())
            .unwrap();
        Archive::from_read_at(bytes, "a.ign").unwrap()
    };
    let archives = Archives::from(vec![archive("1. e4 *"), archive("1. d4 *\n")]);
    let games = archives.find(&Query::default()).unwrap();
    let mut text = Vec::new();
    archives.write_games(&games, &mut text).unwrap();
    assert_eq!(text, b"1. e4 *\n\n1. d4 *\n");
    let (_, summary) = Packer::new()
        .coding(Coding::Ign)
        .pack_games_of(&archives, &games, Vec::new())
        .unwrap();
    assert_eq!(summary.games, 2);
}

#[test]
fn no_archives_have_no_games() {
    let none = Archives::from(Vec::new());
    assert!(none.is_empty());
    assert!(none.find(&Query::default()).unwrap().is_empty());
    let start = parse_position(START).unwrap();
    let tree = none.tree(&start, &Query::default()).unwrap();
    assert_eq!(tree.counts.games, 0);
}

#[test]
fn searches_and_trees_report_progress_and_can_be_cancelled() {
    let input = Input::reader("games", std::io::Cursor::new(games(300)));
    let packer = Packer::new().block_size(4096);
    let (bytes, _) = packer.pack([input], Vec::new()).unwrap();
    let archive = Archive::from_read_at(bytes, "games").unwrap();
    let position = parse_position(START).unwrap();
    let query = Query::new().elo(1..);
    for threads in [1, 3] {
        let archives = Archives::from(vec![archive.clone().with_threads(threads)]);
        for last in [3, usize::MAX] {
            let progress = |calls: &mut usize, games: &mut u64, progress: Progress| {
                *calls += 1;
                *games = progress.games;
                if *calls < last {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            };
            let (mut calls, mut games) = (0, 0);
            let found = Finder::new()
                .on_progress(|done| progress(&mut calls, &mut games, done))
                .find(&archives, &query);
            match last {
                3 => assert_eq!(found.unwrap_err().kind(), ErrorKind::Cancelled),
                _ => assert_eq!(found.unwrap(), archive.find(&query).unwrap()),
            }
            let is_whole = last == usize::MAX;
            assert_eq!((calls == 3, games == archives.len()), (!is_whole, is_whole));
            let (mut calls, mut games) = (0, 0);
            let tree = TreeBuilder::new()
                .on_progress(|done| progress(&mut calls, &mut games, done))
                .build(&archives, &position, &Query::new());
            match tree {
                Err(error) => assert_eq!(error.kind(), ErrorKind::Cancelled),
                Ok(tree) => assert_eq!(tree, archive.tree(&position, &Query::new()).unwrap()),
            }
            assert_eq!((calls == 3, games == archives.len()), (!is_whole, is_whole));
        }
    }
}
