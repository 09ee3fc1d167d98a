//! Do the columns of a table equal the games, and the tags that a regular expression finds in the
//! text?

use arrow_array::{
    Array, ArrayRef, RecordBatch,
    cast::AsArray,
    types::{Date32Type, Float32Type, Int32Type, Time32MillisecondType, UInt64Type},
};
use arrow_schema::DataType;
use ign_archive::{
    Archive, Coding, Game, Query,
    scan::{ScanColumn, uci_moves},
};
use ign_arrow::{Encoding, GameColumn, RecordBatches, arrow_array, arrow_schema};
use ign_testing::Collection;
use regex::Regex;

use crate::util::{ODD, archive, text_at};

/// All columns, those on request too, and tags named like columns.
fn columns() -> Vec<GameColumn> {
    let mut columns = GameColumn::all();
    let more = [
        "file",
        "movetext",
        "pgn",
        "tag:moves",
        "tag:WhiteElo",
        "tag:Annotator",
    ];
    columns.extend(GameColumn::named_all(more).unwrap());
    columns
}

/// The columns that are tags: their names start with a capital letter.
fn tags() -> Vec<GameColumn> {
    let mut columns = GameColumn::all();
    columns.retain(|column| column.name().starts_with(char::is_uppercase));
    columns
}

fn batches(archive: &Archive, encoding: Encoding) -> Vec<RecordBatch> {
    let batches = RecordBatches::of(archive.scan(), &columns(), encoding);
    batches.map(Result::unwrap).collect()
}

/// The value of a text column.
fn text(batch: &RecordBatch, name: &str, row: usize) -> Option<String> {
    text_at(batch.column_by_name(name).unwrap(), row)
}

/// The items of a list; `None` if the list is null.
fn list(batch: &RecordBatch, name: &str, row: usize) -> Option<ArrayRef> {
    let lists = batch.column_by_name(name).unwrap().as_list::<i32>();
    lists.is_valid(row).then(|| lists.value(row))
}

macro_rules! number {
    ($batch:expr, $name:expr, $row:expr, $type:ty) => {{
        let array = $batch
            .column_by_name($name)
            .unwrap()
            .as_primitive::<$type>();
        array.is_valid($row).then(|| array.value($row))
    }};
}

/// The UCI notation of the moves, by shakmaty's own replay of the game.
fn uci_of(game: &Game) -> Option<Vec<String>> {
    use ign_archive::shakmaty::{self, CastlingMode, Position as _};
    let positions: Vec<_> = game.positions().ok()?.collect();
    let start = positions.first()?;
    let is_960 = game
        .tag("Variant")
        .unwrap()
        .is_some_and(|name| name == "Chess960")
        || CastlingMode::detect(&start.to_setup(shakmaty::EnPassantMode::Legal)).is_chess960();
    let mode = if is_960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    Some(
        game.moves()
            .unwrap()
            .map(|played| played.to_uci(mode).to_string())
            .collect(),
    )
}

#[track_caller]
fn check(batch: &RecordBatch, row: usize, game: &Game) {
    let pgn = ign_archive::text::decode_text(game.pgn().unwrap()).into_owned();
    let place = format!("game {}: {pgn}", game.number());
    assert_eq!(
        number!(batch, "number", row, UInt64Type),
        Some(game.number().get())
    );
    for column in tags() {
        let name = column.name();
        let tag = game.tag(name).unwrap().map(|value| value.into_owned());
        match batch.column_by_name(name).unwrap().data_type() {
            DataType::Int32 => {
                let is_rating = name.ends_with("Elo");
                let read = |value: String| {
                    let value = value.trim().trim_start_matches('+');
                    let value = if is_rating {
                        value.trim_end_matches('?')
                    } else {
                        value
                    };
                    value.parse().ok()
                };
                let number = tag.and_then(read);
                let number = number.filter(|n: &i32| !is_rating || (1..=9999).contains(n));
                assert_eq!(
                    number!(batch, name, row, Int32Type),
                    number,
                    "{name} of {place}"
                );
            }
            DataType::Date32 => {
                let day = number!(batch, name, row, Date32Type);
                assert_eq!(
                    day,
                    tag.and_then(|date| crate::util::days(&date)),
                    "{name} of {place}"
                );
            }
            DataType::Time32(_) => {
                let time = number!(batch, name, row, Time32MillisecondType);
                assert_eq!(
                    time,
                    tag.and_then(|time| crate::util::milliseconds(&time)),
                    "{name} of {place}"
                );
            }
            _ => assert_eq!(text(batch, name, row), tag, "{name} of {place}"),
        }
    }
    for name in ["moves", "WhiteElo", "Annotator"] {
        let tag = game.tag(name).unwrap().map(|value| value.into_owned());
        assert_eq!(
            text(batch, &format!("tag:{name}"), row),
            tag,
            "{name} of {place}"
        );
    }
    assert_eq!(text(batch, "pgn", row).as_deref(), Some(&pgn[..]));
    let file = text(batch, "file", row);
    assert_eq!(file.unwrap().as_bytes(), game.source().name);
    let moves = list(batch, "moves", row).map(|moves| crate::util::texts(&moves));
    let plies = number!(batch, "plies", row, Int32Type);
    assert_eq!(
        plies,
        moves.as_ref().map(|moves| moves.len() as i32),
        "{place}"
    );
    assert_eq!(
        moves.clone().unwrap_or_default(),
        uci_of(game).unwrap_or_default(),
        "{place}"
    );
    // Games are kept as text if their rules are not known.
    let is_text = game.tag("Variant").unwrap().as_deref() == Some("Unknown");
    assert_eq!(moves.is_none(), is_text, "{place}");
    check_annotations(batch, row, game, &place);
    check_other_tags(batch, row, game, &pgn, &place);
}

#[track_caller]
fn check_annotations(batch: &RecordBatch, row: usize, game: &Game, place: &str) {
    let floats = |name| {
        let items = list(batch, name, row)?;
        Some(
            items
                .as_primitive::<Float32Type>()
                .iter()
                .collect::<Vec<_>>(),
        )
    };
    let clocks = game.clocks().unwrap();
    let clocks: Vec<Option<f32>> = clocks
        .iter()
        .map(|c| c.map(|c| c.as_secs_f64() as f32))
        .collect();
    let has_clocks = clocks.iter().any(Option::is_some);
    assert_eq!(
        floats("clocks"),
        has_clocks.then_some(clocks),
        "clocks of {place}"
    );
    let evals = game.evals().unwrap();
    let has_evals = evals.iter().any(Option::is_some);
    let pawns = evals.iter().map(|eval| match eval {
        Some(ign_archive::movetext::Eval::Centipawns(n)) => Some(*n as f32 / 100.0),
        _ => None,
    });
    assert_eq!(
        floats("evals"),
        has_evals.then(|| pawns.collect()),
        "evals of {place}"
    );
    let mates = evals.iter().map(|eval| match eval {
        Some(ign_archive::movetext::Eval::Mate(n)) => Some(*n),
        _ => None,
    });
    let found = list(batch, "mates", row);
    let found = found.map(|items| items.as_primitive::<Int32Type>().iter().collect::<Vec<_>>());
    assert_eq!(
        found,
        has_evals.then(|| mates.collect()),
        "mates of {place}"
    );
    let comments = list(batch, "comments", row).map_or_else(Vec::new, |items| {
        let items = items.as_struct();
        let plies = items
            .column(0)
            .as_primitive::<Int32Type>()
            .values()
            .to_vec();
        let plies = plies.into_iter().map(|ply| ply as usize);
        plies.zip(crate::util::texts(items.column(1))).collect()
    });
    assert_eq!(comments, game.comments().unwrap(), "comments of {place}");
}

/// Every tag line that a regular expression finds is in a column of its own or in `other_tags`.
#[track_caller]
fn check_other_tags(batch: &RecordBatch, row: usize, game: &Game, pgn: &str, place: &str) {
    let others = list(batch, "other_tags", row).map_or_else(Vec::new, |items| {
        let items = items.as_struct();
        let values = crate::util::texts(items.column(1));
        crate::util::texts(items.column(0))
            .into_iter()
            .zip(values)
            .collect()
    });
    let line = Regex::new(r#"(?m)^\[\s*(\w+)\s+"(.*)"\s*\]\s*$"#).unwrap();
    let mut missing: Vec<(String, String)> = others;
    let lines = pgn.replace("\r\n", "\n").replace('\r', "\n");
    for found in line.captures_iter(&lines) {
        let value = found[2].replace("\\\"", "\"").replace("\\\\", "\\");
        let (name, value) = (&found[1], &value[..]);
        if let Some(at) = missing
            .iter()
            .position(|tag| tag.0 == name && tag.1 == value)
        {
            missing.remove(at);
            continue;
        }
        let is_column = batch
            .column_by_name(name)
            .is_some_and(|array| array.is_valid(row));
        assert!(is_column, "{name} of {place} is nowhere");
        assert_eq!(game.tag(name).unwrap().as_deref(), Some(value), "{place}");
    }
    assert!(
        missing.is_empty(),
        "{missing:?} of {place} are not in the text"
    );
}

#[test]
fn every_value_of_odd_games_equals_the_game_in_every_coding_and_encoding() {
    for coding in [Coding::Ign, Coding::IgnEnd, Coding::Weighted] {
        for block_size in [500, 1 << 20] {
            let archive = archive(ODD, coding, block_size);
            for encoding in [Encoding::DICTIONARY, Encoding::PLAIN] {
                let mut rows = 0;
                for batch in batches(&archive, encoding) {
                    for row in 0..batch.num_rows() {
                        rows += 1;
                        check(&batch, row, &archive.game(rows).unwrap());
                    }
                }
                assert_eq!(rows, archive.len());
            }
        }
    }
}

#[test]
fn real_games_equal_their_text() {
    for name in [
        "lichess_2013-01.pgn.zst",
        "lichess_users_clk.pgn.zst",
        "otb_pgnmentor.pgn.zst",
        "chesscom.pgn.zst",
    ] {
        // pgn-reader rejects a tag that is cut off.
        let text = Collection::open(name).first_games(300_000);
        for coding in [Coding::Ign, Coding::Weighted] {
            let archive = archive(&text, coding, 1 << 17);
            let mut games = archive.games();
            for batch in batches(&archive, Encoding::DICTIONARY) {
                for row in 0..batch.num_rows() {
                    check(&batch, row, &games.next().unwrap().unwrap());
                }
            }
            assert!(games.next().is_none(), "{name}");
        }
    }
}

#[test]
fn castling_is_written_as_python_chess_writes_it() {
    let archive = archive(ODD, Coding::Ign, 1 << 20);
    let batches = batches(&archive, Encoding::DICTIONARY);
    let all: Vec<Vec<String>> = batches
        .iter()
        .flat_map(|batch| {
            (0..batch.num_rows()).map(|row| {
                list(batch, "moves", row).map_or_else(Vec::new, |l| crate::util::texts(&l))
            })
        })
        .collect();
    // Standard chess; Chess960 by its tag from the usual start; Chess960 by its position.
    for (moves, castling) in [
        ("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", "e1g1"),
        ("e2e3 e7e6 g1f3 g8f6 f1c4", "e1h1"),
        ("g1f3", "c1d1"),
    ] {
        let first: Vec<&str> = moves.split(' ').collect();
        let is_game = |game: &&Vec<String>| {
            game.len() > first.len() && first.iter().zip(*game).all(|(a, b)| *a == b)
        };
        let game = all.iter().find(is_game).unwrap();
        assert!(game.iter().any(|played| played == castling), "{game:?}");
    }
    assert!(all.iter().flatten().any(|played| played == "P@e4"));
}

#[test]
fn the_schema_has_the_documented_names_and_types() {
    let documentation = include_str!("../../../docs/tables.md");
    let plain = ign_arrow::schema(&columns(), Encoding::PLAIN);
    let names: Vec<&String> = plain.fields().iter().map(|field| field.name()).collect();
    for name in names.iter().filter(|name| !name.starts_with("tag:")) {
        assert!(documentation.contains(&format!("`{name}`")), "{name}");
    }
    let field = |name: &str| plain.field_with_name(name).unwrap();
    assert_eq!(field("number").data_type(), &DataType::UInt64);
    assert!(!field("number").is_nullable() && field("White").is_nullable());
    assert_eq!(field("UTCDate").data_type(), &DataType::Date32);
    assert_eq!(field("WhiteElo").data_type(), &DataType::Int32);
    for batch in batches(&archive(ODD, Coding::Ign, 500), Encoding::PLAIN) {
        assert_eq!(batch.schema(), plain);
    }
}

#[test]
fn columns_of_text_are_the_tags_that_other_tags_leaves_out() {
    let columns = tags();
    let text = columns
        .iter()
        .filter(|column| column.source() == &ScanColumn::Tag(column.name().to_owned()));
    let names: Vec<&str> = text.map(GameColumn::name).collect();
    assert_eq!(names, ScanColumn::TEXT_TAGS);
}

#[test]
fn queries_and_ranges_choose_rows() {
    let archive = archive(ODD, Coding::Ign, 500);
    let query = Query::new().white("J*rgen");
    let expected = archive.find(&query).unwrap();
    assert!(!expected.is_empty());
    let columns = GameColumn::named_all(["number", "moves", "comments"]).unwrap();
    let numbers = |scan| {
        let batches = RecordBatches::of(scan, &columns, Encoding::DICTIONARY);
        let mut numbers = Vec::new();
        for batch in batches {
            numbers.extend(
                batch
                    .unwrap()
                    .column(0)
                    .as_primitive::<UInt64Type>()
                    .values()
                    .iter()
                    .copied(),
            );
        }
        numbers
    };
    assert_eq!(numbers(archive.scan().filter(&query)), expected);
    assert_eq!(numbers(archive.scan().range(3..=5)), [3, 4, 5]);
}

#[test]
fn unknown_and_repeated_columns_are_refused() {
    let error = GameColumn::named("white").unwrap_err();
    assert!(error.to_string().contains("'white'"), "{error}");
    assert!(error.remedy().unwrap().to_string().contains("White"));
    assert!(GameColumn::named("tag:").is_err());
    assert!(GameColumn::named_all(["White", "White"]).is_err());
    assert!(
        uci_moves().len() < 1 << 15,
        "codes are keys of 16 bits with a sign"
    );
}

#[test]
fn damaged_archives_end_the_batches_with_an_error_that_names_the_file() {
    let mut bytes = crate::util::pack(ODD, Coding::Ign, 500);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let archive = Archive::from_read_at(bytes, "damaged.ign").unwrap();
    let batches = RecordBatches::of(archive.scan(), &columns(), Encoding::PLAIN);
    let mut results: Vec<_> = batches.collect();
    let error = ign_arrow::error_of_arrow(results.pop().unwrap().unwrap_err());
    assert!(results.iter().all(Result::is_ok));
    assert_eq!(error.kind(), ign_archive::ErrorKind::Corrupt);
    assert!(error.to_string().contains("damaged.ign"), "{error}");
}
