//! Do the columns of a scan equal the tags and plies of the games?

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use ign_archive::{
    Archive, Coding, Game, GameNumber, Input, Packer, Query, ReadAt, index,
    query::{Date, Eco, GameResult, format_a, format_b},
    scan::{Batch, ColumnData, ScanColumn, uci_moves},
    shakmaty::CastlingMode,
    text::decode_text,
};
use ign_testing::{cases, games_of_seed};

use crate::oracle::Indexed;

/// Missing and empty tags, `?`, repeated tags, Latin-1, derived values, text without tags or moves,
/// unknown variants, an illegal move.
const ODD: &[u8] = b"\
[White \"J\xf8rgen\"]\n[Black \"?\"]\n[WhiteElo \"?\"]\n[BlackElo \" 1500 \"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n
[White \"\"]\n[Black \"J\xc3\xb8rgen\"]\n[WhiteElo \"1500?\"]\n[BlackElo \"0\"]\n[Result \"won\"]\n\n*\n
[Date \"1997.??.??\"]\n[UTCDate \"????.??.??\"]\n[UTCTime \"23:59:59\"]\n[ECO \"B90/01\"]\n[PlyCount \"3\"]\n\n1. d4 d5 2. c4 *\n
[White \"A\"]\n[White \"B\"]\n[Time \"9:00\"]\n[PlyCount \"3\"]\n\n1. d4 d5 2. Ke8 *\n
1. c4 c5 1/2-1/2\n
[Variant \"Unknown\"]\n[Opening \"?\"]\n[Termination \"Time \\\"forfeit\\\"\"]\n[PlyCount \"2\"]\n\n1. e4 e5 0-1\n
[Variant \"Atomic\"]\n[WhiteElo \"10000\"]\n[BlackElo \"9999\"]\n[ECO \"?\"]\n\n1. e4 *\n
[White \"J\xf8rgen\"]\n[TimeControl \"-\"]\n[UTCDate \"2020.02.30\"]\n[CurrentPosition \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n\n1. e4 *\n";

fn archive(text: &[u8], coding: Coding, block_size: usize) -> Archive {
    let packer = Packer::new().coding(coding).block_size(block_size);
    let (bytes, _) = packer
        .pack(
            [Input::reader("games.pgn", text.to_vec().leak() as &[u8])],
            Vec::new(),
        )
        .unwrap();
    Archive::from_read_at(bytes, "games.ign").unwrap()
}

fn columns() -> Vec<ScanColumn> {
    let tags = [
        "PlyCount",
        "CurrentPosition",
        "ECO",
        "WhiteElo",
        "Round",
        "Variant",
    ];
    let tags = tags.map(|name| ScanColumn::Tag(name.to_owned()));
    ScanColumn::ALL.iter().cloned().chain(tags).collect()
}

/// The first value of the tags that is read.
fn first<T>(game: &Game, names: &[&str], read: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
    let value = |name: &&str| game.tag_bytes(name).unwrap().and_then(&read);
    names.iter().find_map(value)
}

fn rating(value: &[u8]) -> Option<u16> {
    let text = std::str::from_utf8(value).ok()?.trim();
    let text = text.strip_suffix('?').unwrap_or(text);
    let is_number = text.bytes().all(|c| c.is_ascii_digit()) && text.len() <= 4;
    text.parse().ok().filter(|&rating| is_number && rating > 0)
}

fn time(value: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(value)
        .ok()
        .filter(|text| text.len() == 8)?;
    let parts: Option<Vec<u32>> = text.split(':').map(|part| part.parse().ok()).collect();
    match parts?[..] {
        [h @ ..24, m @ ..60, s @ ..60] => Some(3600 * h + 60 * m + s),
        _ => None,
    }
}

/// The number of values, unless none is stated.
fn stated<T>(values: &[Option<T>]) -> Option<usize> {
    values.iter().any(Option::is_some).then_some(values.len())
}

#[track_caller]
fn check(batch: &Batch, row: usize, game: &Game) {
    assert_eq!(batch.games()[row], game.number());
    for (column, data) in columns().iter().zip(batch.columns()) {
        let place = format!("{column} of game {}", game.number());
        assert_eq!(data.len(), batch.len(), "{place}");
        let rating_of = |name| first(game, &[name], rating);
        match (column, data) {
            (ScanColumn::Number, ColumnData::Number(numbers)) => {
                assert_eq!(numbers[row], game.number());
            }
            (ScanColumn::WhiteElo, ColumnData::Rating(ratings)) => {
                assert_eq!(ratings.get(row), rating_of("WhiteElo"), "{place}");
            }
            (ScanColumn::BlackElo, ColumnData::Rating(ratings)) => {
                assert_eq!(ratings.get(row), rating_of("BlackElo"), "{place}");
            }
            (ScanColumn::Date, ColumnData::Date(dates)) => {
                let date = first(game, &["UTCDate", "Date"], Date::read);
                assert_eq!(dates.get(row), date, "{place}");
            }
            (ScanColumn::Time, ColumnData::Time(times)) => {
                assert_eq!(
                    times.get(row),
                    first(game, &["UTCTime", "Time"], time),
                    "{place}"
                );
            }
            (ScanColumn::Result, ColumnData::Result(results)) => {
                let result = game.result().unwrap().map(|result| result.to_string());
                let found = results.get(row).map(GameResult::as_str);
                assert_eq!(found, result.as_deref(), "{place}");
            }
            (ScanColumn::Eco, ColumnData::Eco(codes)) => {
                assert_eq!(codes.get(row), first(game, &["ECO"], Eco::read), "{place}");
            }
            (ScanColumn::Plies, ColumnData::Plies(plies)) => {
                // The rules of the variant are not known, so the game is kept as text.
                let is_text = game.tag("Variant").unwrap().as_deref() == Some("Unknown");
                let expected = (!is_text).then(|| game.plies().unwrap() as u32);
                assert_eq!(plies.get(row), expected, "{place}");
            }
            (ScanColumn::UtcTime, ColumnData::Time(times)) => {
                assert_eq!(times.get(row), first(game, &["UTCTime"], time), "{place}");
            }
            (ScanColumn::LocalDate | ScanColumn::UtcDate, ColumnData::Days(days)) => {
                let name = match column {
                    ScanColumn::UtcDate => "UTCDate",
                    _ => "Date",
                };
                let date = first(game, &[name], Date::read).filter(|date| date.day > 0);
                let exists = date.is_some_and(|date| (date.month, date.day) != (2, 30));
                assert_eq!(days.get(row).is_some(), exists, "{place}");
            }
            (
                ScanColumn::WhiteRatingDiff | ScanColumn::BlackRatingDiff,
                ColumnData::Difference(values),
            ) => {
                let tag = game.tag(column.name()).unwrap();
                assert_eq!(
                    values.get(row),
                    tag.and_then(|diff| diff.parse().ok()),
                    "{place}"
                );
            }
            (ScanColumn::Moves, ColumnData::Moves(lists)) => {
                let is_text = game.tag("Variant").unwrap().as_deref() == Some("Unknown");
                let moves = game.moves().unwrap();
                let expected =
                    moves.map(|played| played.to_uci(CastlingMode::Standard).to_string());
                let expected: Option<Vec<String>> = (!is_text).then(|| expected.collect());
                let text = |code: &u16| uci_moves().get(*code).unwrap().to_owned();
                let found = lists.get(row).map(|codes| codes.iter().map(text).collect());
                assert_eq!(found, expected, "{place}");
            }
            (ScanColumn::Clocks | ScanColumn::Evals, ColumnData::Decimals(lists)) => {
                let len = match column {
                    ScanColumn::Clocks => stated(&game.clocks().unwrap()),
                    _ => stated(&game.evals().unwrap()),
                };
                assert_eq!(lists.range(row).map(|items| items.len()), len, "{place}");
            }
            (ScanColumn::Mates, ColumnData::Mates(lists)) => {
                let len = stated(&game.evals().unwrap());
                assert_eq!(lists.range(row).map(|items| items.len()), len, "{place}");
            }
            (ScanColumn::Comments, ColumnData::Comments(lists)) => {
                let comments = lists.items();
                let of = |at: usize| {
                    (
                        comments.plies()[at] as usize,
                        comments.text().get(at).unwrap().to_owned(),
                    )
                };
                let found: Vec<_> = lists.range(row).unwrap_or_default().map(of).collect();
                assert_eq!(found, game.comments().unwrap(), "{place}");
            }
            (ScanColumn::Signature, ColumnData::Strings(text)) => {
                let signature = game.signature().unwrap();
                let (a, b) = (format_a(&signature), format_b(&signature));
                assert_eq!(text.get(row), Some(&*format!("A={a} B={b}")), "{place}");
            }
            (ScanColumn::OtherTags, ColumnData::Tags(lists)) => {
                let tags = lists.items();
                for tag in lists.range(row).unwrap_or_default() {
                    let name = tags.names().get(tag).unwrap();
                    assert!(
                        !ScanColumn::TEXT_TAGS.contains(&name) || name == "White",
                        "{place}"
                    );
                }
            }
            (ScanColumn::Pgn | ScanColumn::Movetext, ColumnData::Strings(text)) => {
                let pgn = decode_text(game.pgn().unwrap());
                match column {
                    ScanColumn::Pgn => assert_eq!(text.get(row), Some(&*pgn), "{place}"),
                    _ => assert!(pgn.trim().ends_with(text.get(row).unwrap()), "{place}"),
                }
            }
            (ScanColumn::File, ColumnData::Text(text)) => {
                assert_eq!(text.get(row), Some(&game.source().name[..]), "{place}");
            }
            (_, ColumnData::Text(text)) => {
                let written = game.tag_bytes(column.name()).unwrap();
                let is_plain = |value: &&[u8]| !value.contains(&b'\\');
                if let Some(written) = written.filter(is_plain) {
                    assert_eq!(text.get(row), Some(written), "{place}");
                }
                assert_eq!(text.text(row), game.tag(column.name()).unwrap(), "{place}");
            }
            (_, data) => panic!("{place}: {data:?}"),
        }
    }
}

/// Checks all games, that no batch has equal values with different codes, and that a column alone
/// is the one among all others.
fn check_all(archive: &Archive, query: &Query, numbers: &[u64]) {
    let mut rows = Vec::new();
    let alone = columns().into_iter().map(|column| {
        let scan = archive.scan().columns([column]).filter(query);
        scan.map(|batch| batch.unwrap().into_parts().1.remove(0))
            .collect::<Vec<_>>()
    });
    let alone: Vec<_> = alone.collect();
    for (number, batch) in archive.scan().columns(columns()).filter(query).enumerate() {
        let batch = batch.unwrap();
        for (column, alone) in batch.columns().iter().zip(&alone) {
            assert_eq!(*column, alone[number]);
        }
        assert!(!batch.is_empty());
        for text in batch.columns().iter().filter_map(ColumnData::as_text) {
            let mut values: Vec<_> = text.values().collect();
            values.sort_unstable();
            values.dedup();
            assert_eq!(values.len(), text.distinct());
        }
        for (row, &number) in batch.games().iter().enumerate() {
            check(&batch, row, &archive.game(number).unwrap());
            rows.push(number);
        }
    }
    assert_eq!(rows, numbers);
}

#[test]
fn columns_equal_the_tags_of_generated_games() {
    let text = games_of_seed(cases(350, 700), 3);
    for coding in [Coding::Ign, Coding::Weighted] {
        let archive = archive(&text, coding, 1 << 16);
        assert!(archive.blocks().len() > 3);
        let all: Vec<u64> = (1..=archive.len()).collect();
        for threads in [1, 3] {
            check_all(
                &archive.clone().with_threads(threads),
                &Query::default(),
                &all,
            );
        }
        let query = Query::new().elo(1700..);
        let found = archive.find(&query).unwrap();
        assert!(!found.is_empty() && found.len() < archive.len() as usize * 6 / 7);
        let found: Vec<u64> = found.into_iter().map(u64::from).collect();
        check_all(&archive, &query, &found);
    }
}

/// A source that counts the bytes that are read of it.
struct Counted(Vec<u8>, Arc<AtomicU64>);

impl ReadAt for Counted {
    fn size(&self) -> io::Result<u64> {
        self.0.size()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.1.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        self.0.read_exact_at(buffer, offset)
    }
}

#[test]
fn only_the_columns_that_are_needed_are_read() {
    let text = games_of_seed(2000, 3);
    let inputs = [Input::reader("games.pgn", &*text.leak())];
    let (bytes, _) = Packer::new().pack(inputs, Vec::new()).unwrap();
    let len = bytes.len() as u64;
    let read = Arc::new(AtomicU64::new(0));
    let archive = Archive::from_read_at(Counted(bytes, read.clone()), "games.ign").unwrap();
    let read_for = |column| {
        read.store(0, Ordering::Relaxed);
        let rows: usize = archive
            .scan()
            .columns([column])
            .map(|batch| batch.unwrap().len())
            .sum();
        assert_eq!(rows, 2000);
        read.load(Ordering::Relaxed)
    };
    let [rating, name, moves] =
        [ScanColumn::WhiteElo, ScanColumn::White, ScanColumn::Moves].map(read_for);
    assert!(moves > len * 9 / 10, "{moves} of {len}");
    assert!(
        name < len / 2 && rating < len / 2,
        "{name}, {rating} of {len}"
    );
}

#[test]
fn columns_equal_the_tags_of_odd_games() {
    for coding in [Coding::Ign, Coding::Weighted] {
        let archive = archive(ODD, coding, Packer::DEFAULT_BLOCK_SIZE);
        let all: Vec<u64> = (1..=archive.len()).collect();
        assert!(all.len() >= 8);
        check_all(&archive, &Query::default(), &all);
    }
}

#[test]
fn missing_and_unreadable_values_are_null_and_text_is_kept_as_written() {
    let archive = archive(ODD, Coding::Ign, Packer::DEFAULT_BLOCK_SIZE);
    let wanted = [
        ScanColumn::White,
        ScanColumn::WhiteElo,
        ScanColumn::BlackElo,
        ScanColumn::Plies,
    ];
    let mut batches = archive.scan().columns(wanted).range(..=3);
    let batch = batches.next().unwrap().unwrap();
    assert!(batches.next().is_none());
    let white = batch.columns()[0].as_text().unwrap();
    let values: Vec<_> = (0..3).map(|row| white.get(row)).collect();
    assert_eq!(values, [Some(&b"J\xf8rgen"[..]), Some(b""), None]);
    assert!(!white.is_utf8());
    let ratings = [1, 2].map(|column: usize| batch.columns()[column].as_ratings().unwrap());
    assert_eq!(
        ratings[0].iter().collect::<Vec<_>>(),
        [None, Some(1500), None]
    );
    assert_eq!(
        ratings[1].iter().collect::<Vec<_>>(),
        [Some(1500), None, None]
    );
    assert_eq!(batch.columns()[3].as_plies().unwrap().values(), [2, 0, 3]);
}

#[test]
fn an_empty_archive_and_a_query_without_games_have_no_batches() {
    let empty = archive(b"", Coding::Ign, Packer::DEFAULT_BLOCK_SIZE);
    assert!(empty.scan().columns(columns()).next().is_none());
    let archive = archive(ODD, Coding::Ign, Packer::DEFAULT_BLOCK_SIZE);
    let query = Query::new().white("Nobody");
    let mut none = archive.scan().columns(columns()).filter(&query);
    assert!(none.next().is_none());
    assert!(archive.scan().range(100..).next().is_none());
}

#[test]
fn chosen_games_are_those_of_the_whole_scan() {
    let text = games_of_seed(300, 3);
    let archive = archive(&text, Coding::Ign, 60_000);
    assert!(archive.blocks().len() > 2);
    let columns = [ScanColumn::White, ScanColumn::Opening, ScanColumn::Plies];
    type Row = (u64, Vec<u8>, Vec<u8>, Option<u32>);
    let rows = |batches: Vec<Batch>| -> Vec<Row> {
        let row = |batch: &Batch, row: usize| -> Row {
            let [white, opening, plies] = batch.columns() else {
                unreachable!("three columns");
            };
            let text = |column: &ColumnData| {
                let value = column.as_text().unwrap().get(row);
                value.unwrap_or_default().to_vec()
            };
            let plies = plies.as_plies().unwrap().get(row);
            (batch.games()[row], text(white), text(opening), plies)
        };
        let of_batch = |batch: &Batch| (0..batch.len()).map(|n| row(batch, n)).collect::<Vec<_>>();
        batches.iter().flat_map(of_batch).collect()
    };
    let scan = || archive.scan().columns(columns.clone());
    let all = rows(scan().collect::<Result<_, _>>().unwrap());
    for chosen in [
        vec![],
        vec![1],
        vec![7, 8, 150, 300],
        vec![299, 301, 9999],
        (1..=300).collect(),
    ] {
        let numbers = chosen.iter().copied().filter_map(GameNumber::new);
        let some = scan().only(numbers.collect::<Vec<_>>());
        let some = rows(some.collect::<Result<_, _>>().unwrap());
        let expected = all.iter().filter(|row| chosen.contains(&row.0));
        assert_eq!(some, expected.cloned().collect::<Vec<_>>(), "{chosen:?}");
    }
    let some = [10, 20, 30].map(|game| GameNumber::new(game).unwrap());
    let some = scan().only(some).range(15..=25);
    let some = rows(some.collect::<Result<_, _>>().unwrap());
    assert_eq!(some.iter().map(|row| row.0).collect::<Vec<_>>(), [20]);
}

#[test]
fn columns_of_an_index_equal_those_of_the_moves() {
    let null_moves = ign_testing::null_games(40, 5).into_bytes();
    let generated = games_of_seed(300, 3);
    for (text, parts) in [(ODD, 1), (&null_moves[..], 1), (&generated, 3)] {
        for coding in [Coding::Ign, Coding::Weighted] {
            for segments in 1..=parts {
                let indexed = Indexed::in_parts(text, coding, 1 << 14, parts, segments);
                let rows = |archive: &Archive, query: &Query| -> Vec<Batch> {
                    let scan = archive.scan().columns([ScanColumn::Plies, ScanColumn::Eco]);
                    scan.filter(query).collect::<Result<_, _>>().unwrap()
                };
                let archive = &indexed.archive;
                for query in [Query::new(), Query::new().white("*a*")] {
                    let expected = rows(&archive.clone().with_search_index(false), &query);
                    assert_eq!(rows(archive, &query), expected);
                }
                assert!(archive.rejected_index().is_none());
            }
        }
    }
}

#[test]
fn a_damaged_index_changes_no_column() {
    let text = games_of_seed(100, 3);
    let indexed = Indexed::of(&text, Coding::Ign, 1 << 14);
    let path = index::path_of(indexed.archive.path());
    let plies = |archive: &Archive| -> Vec<Batch> {
        let scan = archive.scan().columns([ScanColumn::Plies, ScanColumn::Eco]);
        scan.collect::<Result<_, _>>().unwrap()
    };
    let expected = plies(&indexed.archive.clone().with_search_index(false));
    let bytes = std::fs::read(&path).unwrap();
    let mut rejected = 0;
    for place in (0..bytes.len()).step_by(bytes.len() / 50) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 4;
        std::fs::write(&path, damaged).unwrap();
        let archive = Archive::open(indexed.archive.path()).unwrap();
        assert_eq!(plies(&archive), expected, "byte {place}");
        rejected += u32::from(archive.rejected_index().is_some());
    }
    assert!(rejected > 0);
}
