//! Does a game name the file that it was packed from, in every way that games are read?

use std::{fs::File, io::Cursor};

use ign_archive::{
    Archive, Archives, Coding, Game, GameNumber, Input, Packer, Query, Splitter,
    index::{self, IndexBuilder},
    pack::SplitBy,
    scan::ScanColumn,
};
use ign_testing::games_of_seed;
use tempfile::TempDir;

/// Names of files and how many games each has. Standard input has no name.
const FILES: [(&str, u64); 7] = [
    ("games/2020/a.pgn", 40),
    ("games/2020/empty.pgn", 0),
    ("games/2021/a.pgn", 30),
    ("a.pgn", 25),
    ("", 20),
    ("Großmeister/Müller.pgn", 15),
    ("games/2021/a.pgn", 10),
];

/// Patterns, and the places of the files that they match.
const PATTERNS: [(&str, &[usize]); 13] = [
    ("a.pgn", &[0, 2, 3, 6]),
    ("A.PGN", &[0, 2, 3, 6]),
    ("games/2020/a.pgn", &[0]),
    ("games/2021/*", &[2, 6]),
    ("*/a.pgn", &[0, 2, 6]),
    ("*.pgn", &[0, 1, 2, 3, 5, 6]),
    ("*", &[0, 1, 2, 3, 4, 5, 6]),
    ("muller.pgn", &[5]),
    ("empty.pgn", &[1]),
    ("", &[4]),
    ("2020/a.pgn", &[0]),
    ("020/a.pgn", &[]),
    ("pgn", &[]),
];

struct Data {
    archives: Archives,
    /// The place of the file of each game.
    files: Vec<usize>,
    _folder: TempDir,
}

impl Data {
    /// Archives of some of the files each, with or without an index beside them.
    fn new(shares: &[&[usize]], coding: Coding, has_index: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut all = Vec::new();
        for (number, share) in shares.iter().enumerate() {
            let path = folder.path().join(format!("{number}.ign"));
            let inputs = share.iter().map(|&file| {
                let (name, games) = FILES[file];
                let text = games_of_seed(games, file as u64);
                Input::reader(name, Cursor::new(text))
            });
            let packer = Packer::new().coding(coding).block_size(1 << 13);
            packer.pack(inputs, File::create(&path).unwrap()).unwrap();
            let archive = Archive::open(&path).unwrap();
            if has_index {
                let mut out = File::create(index::path_of(&path)).unwrap();
                let archives = std::slice::from_ref(&archive);
                IndexBuilder::new().build(archives, &mut out).unwrap();
            }
            all.push(archive);
        }
        let files = shares.iter().copied().flatten();
        let files = files.flat_map(|&file| std::iter::repeat_n(file, FILES[file].1 as usize));
        let archives = Archives::from(all).with_threads(2);
        let files: Vec<usize> = files.collect();
        assert_eq!(archives.len(), files.len() as u64);
        Self {
            archives,
            files,
            _folder: folder,
        }
    }

    fn all() -> Vec<Self> {
        let whole: &[&[usize]] = &[&[0, 1, 2, 3, 4, 5, 6]];
        let divided: &[&[usize]] = &[&[0, 1], &[1], &[2, 3, 4], &[5, 6]];
        let mut all = Vec::new();
        for shares in [whole, divided] {
            all.push(Self::new(shares, Coding::Weighted, false));
            all.push(Self::new(shares, Coding::Ign, true));
        }
        all
    }

    fn games(&self) -> impl Iterator<Item = Game> {
        (1..=self.archives.len()).map(|number| self.archives.game(number).unwrap())
    }

    /// The numbers of the games that a property selects, given the place of its file.
    fn numbers(&self, is: impl Fn(usize, &Game) -> bool) -> Vec<GameNumber> {
        let games = (0..).zip(self.games()).zip(&self.files);
        let selected = games.filter(|((_, game), file)| is(**file, game));
        selected
            .map(|((index, _), _)| GameNumber::from_index(index))
            .collect()
    }
}

#[test]
fn games_are_found_by_the_name_of_their_file() {
    for data in Data::all() {
        for (pattern, files) in PATTERNS {
            let query = Query::new().file(pattern);
            let expected = data.numbers(|file, _| files.contains(&file));
            let found = data.archives.find(&query).unwrap();
            assert_eq!(found, expected, "{pattern}");
            let matching = data.numbers(|_, game| query.matches(game).unwrap());
            assert_eq!(matching, expected, "{pattern}");
            let explanation = data.archives.explain(&query).unwrap();
            let [stage] = &explanation.stages[..] else {
                panic!("the names of files are the only stage");
            };
            assert_eq!((stage.bytes, stage.games), (0, expected.len() as u64));
            // Within ranges, and the first of them.
            for (start, end) in [(1, 1000), (41, 60), (20, 90), (7, 7)] {
                for limit in [0, 1, 12, usize::MAX] {
                    let within = data.archives.find_within(&query, start..end, limit);
                    let is_in = |game: &&GameNumber| (start..end).contains(&game.get());
                    let expected = expected.iter().filter(is_in).take(limit);
                    assert!(expected.eq(&within.unwrap()), "{pattern} {start}..{end}");
                }
            }
        }
        for archive in data.archives.archives() {
            assert!(archive.rejected_index().is_none());
        }
    }
}

#[test]
fn other_conditions_are_evaluated_on_the_games_of_the_file() {
    for data in Data::all() {
        let mut some = 0;
        for (name, value) in [
            ("result", "1-0"),
            ("elo", "1500.."),
            ("opening", "1. e4"),
            ("plies", "40.."),
            ("signature", "A=??????"),
            (
                "position",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -",
            ),
            ("has_clocks", "false"),
        ] {
            let mut only = Query::new();
            only.set(name, value).unwrap();
            let without = data.archives.find(&only).unwrap();
            for (pattern, files) in PATTERNS {
                let query = only.clone().file(pattern);
                let of_files = data.numbers(|file, _| files.contains(&file));
                let expected: Vec<_> = without
                    .iter()
                    .copied()
                    .filter(|game| of_files.binary_search(game).is_ok())
                    .collect();
                let found = data.archives.find(&query).unwrap();
                assert_eq!(found, expected, "{pattern} {name} {value}");
                some += usize::from(!found.is_empty() && found.len() < of_files.len());
                let first = data.archives.find_first(&query, 3).unwrap();
                assert_eq!(first, expected[..expected.len().min(3)]);
            }
        }
        assert!(some > 10, "{some} answers had some games of a file");
    }
}

#[test]
fn games_lists_and_columns_name_the_file() {
    for data in Data::all() {
        for (game, &file) in data.games().zip(&data.files) {
            assert_eq!(game.source().name, FILES[file].0.as_bytes());
        }
        let mut lines = Vec::new();
        data.archives.list(&mut lines).unwrap();
        let mut columns = Vec::new();
        for (_, scan) in data.archives.scans(&Query::new()).unwrap() {
            for batch in scan.columns([ScanColumn::from("File"), ScanColumn::White]) {
                let batch = batch.unwrap();
                let text = batch.columns()[0].as_text().unwrap();
                let names = (0..batch.len()).map(|row| text.text(row).map(String::from));
                columns.extend(names);
            }
        }
        let lines = String::from_utf8(lines).unwrap();
        assert_eq!(lines.lines().count(), data.files.len());
        assert_eq!(columns.len(), data.files.len());
        for ((line, column), &file) in lines.lines().zip(&columns).zip(&data.files) {
            let name = FILES[file].0;
            let listed = if name.is_empty() { "-" } else { name };
            assert_eq!(line.rsplit('\t').next(), Some(listed));
            assert_eq!(line.split('\t').count(), 10);
            assert_eq!(column.as_deref(), (!name.is_empty()).then_some(name));
        }
    }
}

/// Parts of files keep the name, and games that are copied too.
#[test]
fn games_keep_the_name_of_their_file_in_other_archives() {
    let data = Data::new(&[&[0, 1, 2, 3, 4, 5, 6]], Coding::Ign, false);
    let archive = &data.archives.archives()[0];
    let names = |archives: &[Archive]| -> Vec<Vec<u8>> {
        let games = archives.iter().flat_map(Archive::games);
        games
            .map(|game| game.unwrap().source().name.clone())
            .collect()
    };
    let expected: Vec<Vec<u8>> = data
        .files
        .iter()
        .map(|&file| FILES[file].0.into())
        .collect();
    for each in [7, 35, 60] {
        let split = Splitter::new(SplitBy::Games(each))
            .split(archive, |_| Ok(Vec::new()))
            .unwrap();
        let parts = split.parts.into_iter();
        let parts: Vec<Archive> = parts
            .map(|part| Archive::from_read_at(part.out, &part.name).unwrap())
            .collect();
        assert_eq!(names(&parts), expected);
    }
    let found = archive.find(&Query::new().file("games/*")).unwrap();
    let (copy, _) = Packer::new()
        .pack_games_of(&data.archives, &found, Vec::new())
        .unwrap();
    let copy = Archive::from_read_at(copy, "copy.ign").unwrap();
    let of_found: Vec<_> = found
        .iter()
        .map(|game| expected[game.index() as usize].clone())
        .collect();
    assert_eq!(names(&[copy]), of_found);
}

/// Control characters of a name do not divide a line or reach a terminal.
#[test]
fn lists_print_no_control_characters_of_a_name() {
    let input = Input::reader("a\tb\n\u{1b}[1m.pgn", "1. e4 *\n".as_bytes());
    let (bytes, _) = Packer::new().pack([input], Vec::new()).unwrap();
    let archive = Archive::from_read_at(bytes, "a.ign").unwrap();
    let mut line = Vec::new();
    archive.list(.., &mut line).unwrap();
    assert!(line.ends_with(b"\ta b  [1m.pgn\n"));
}
