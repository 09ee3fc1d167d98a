//! Are values of tags understood as people write them? Each table has a value as it is written, and
//! what searches, with and without an index, must find.

use ign_archive::{
    Archive, Coding, Query,
    query::{GameResult, Speed},
    scan::ScanColumn,
    shakmaty::Outcome,
    stats::StatsBuilder,
};

use crate::oracle::archives::Indexed;

/// A game with these tags and movetext.
fn game(tags: &[(&str, &[u8])], movetext: &str) -> Vec<u8> {
    let mut text = Vec::new();
    for (name, value) in tags {
        text.extend_from_slice(format!("[{name} \"").as_bytes());
        text.extend_from_slice(value);
        text.extend_from_slice(b"\"]\n");
    }
    text.extend_from_slice(format!("\n{movetext}\n\n").as_bytes());
    text
}

/// A game for each value of a tag, in blocks of a few games, with an index.
fn indexed<V: AsRef<[u8]>>(tag: &str, values: impl IntoIterator<Item = V>) -> Indexed {
    let games = values
        .into_iter()
        .map(|value| game(&[(tag, value.as_ref())], "1. e4 e5"));
    Indexed::of(&games.collect::<Vec<_>>().concat(), Coding::Ign, 300)
}

fn query(name: &str, value: &str) -> Query {
    let mut query = Query::new();
    query.set(name, value).unwrap();
    query
}

/// Whether a condition finds each of the games, in every way to search.
fn found(archive: &Archive, name: &str, value: &str) -> Vec<bool> {
    let query = query(name, value);
    let with_index = archive.find(&query).unwrap();
    let scanned = archive
        .clone()
        .with_search_index(false)
        .find(&query)
        .unwrap();
    assert_eq!(with_index, scanned, "{name} {value}");
    let rejected = archive.rejected_index().map(ToString::to_string);
    assert_eq!((archive.search_index().is_some(), rejected), (true, None));
    let games = archive.games().map(|game| game.unwrap());
    games
        .map(|game| {
            let matches = query.matches(&game).unwrap();
            assert_eq!(
                matches,
                with_index.contains(&game.number()),
                "{name} {value}"
            );
            matches
        })
        .collect()
}

/// The lines of `ign list` without the numbers.
fn list(archive: &Archive) -> Vec<String> {
    let mut out = Vec::new();
    archive.list(.., &mut out).unwrap();
    let lines = ign_archive::text::decode_text(&out).into_owned();
    lines
        .lines()
        .map(|line| line.split_once('\t').unwrap().1.to_owned())
        .collect()
}

#[test]
fn dates_are_found_in_every_clear_form() {
    let days = [
        "2020.01.02",
        "2020-01-02",
        "2020/01/02",
        "2020.1.2",
        "02.01.2020",
        "2.1.2020",
    ];
    let months = ["2020.01.??", "2020.01", "01.2020", "??.01.2020"];
    let years = ["2020.??.??", "2020", "01/02/2020", "02-01-2020"];
    let others = ["31/01/2020", "01/31/2020", "2021.01.02", "?", "", "20.1.2"];
    let all = [&days[..], &months, &years, &others].concat();
    let indexed = indexed("Date", &all);
    for (condition, expected) in [
        ("2020-01-02", &[&days[..]][..]),
        ("02.01.2020", &[&days]),
        ("2020-01-31", &[&["31/01/2020", "01/31/2020"]]),
        ("2020-01", &[&days, &months, &["31/01/2020", "01/31/2020"]]),
        (
            "2020",
            &[&days, &months, &years, &["31/01/2020", "01/31/2020"]],
        ),
        ("2021..", &[&["2021.01.02"]]),
    ] {
        let expected = expected.concat();
        let expected: Vec<bool> = all.iter().map(|date| expected.contains(date)).collect();
        assert_eq!(
            found(&indexed.archive, "date", condition),
            expected,
            "{condition}"
        );
    }
}

#[test]
fn results_count_as_what_they_say_in_every_form() {
    let (white, black, draw) = ("1-0", "0-1", "1/2-1/2");
    let values = [
        ("1-0", white),
        ("1–0", white),
        ("1:0", white),
        ("+-", white),
        ("+:-", white),
        ("1-0 FF", white),
        ("1-0F", white),
        ("0-1", black),
        ("-+", black),
        (" 0 - 1", black),
        ("1/2-1/2", draw),
        ("1/2-1/2 ", draw),
        ("1/2", draw),
        ("½-½", draw),
        ("0-0", "0-0"),
        ("*", "*"),
        ("?", ""),
        ("1-1", ""),
    ];
    let indexed = indexed("Result", values.map(|(value, _)| value));
    let archive = &indexed.archive;
    for result in [white, black, draw, "*", "0-0"] {
        let expected = values.map(|(_, meant)| meant == result);
        assert_eq!(found(archive, "result", result), expected, "{result}");
    }
    let listed = list(archive);
    for ((value, _), line) in values.into_iter().zip(&listed) {
        assert_eq!(line.split('\t').nth(4), Some(value));
    }
    let batches = archive.scan().columns([ScanColumn::Result]);
    let results: Vec<Option<GameResult>> = batches
        .flat_map(|batch| {
            let columns = batch.unwrap().into_parts().1;
            columns[0].as_results().unwrap().iter().collect::<Vec<_>>()
        })
        .collect();
    let expected = values.map(|(_, meant)| meant.parse().ok());
    assert_eq!(results, expected);
}

#[test]
fn the_movetext_states_the_result_where_the_tag_does_not() {
    let games = [
        (None, "1. e4 e5 1-0", "1-0"),
        (None, "1. e4 e5 {good} 0-1", "0-1"),
        (None, "1. e4 (1. d4) 1/2-1/2 {agreed}", "1/2-1/2"),
        (None, "1. e4 e5 ½-½", "1/2-1/2"),
        (None, "1. e4 e5 2. Ke8 1-0", "1-0"),
        (None, "1. e4 e5 ; 0-1\n1-0", "1-0"),
        (None, "1. e4 e5 *", "*"),
        (None, "1. e4 e5 +-", ""),
        (None, "1. e4 e5", ""),
        (None, "1. e4 { 1-0 }", ""),
        (Some("?"), "1. e4 e5 0-1", "0-1"),
        (Some(""), "1. e4 e5 0-1", "0-1"),
        (Some("?"), "1. e4 e5 *", "*"),
        (Some("*"), "1. e4 e5 1-0", "1-0"),
        (Some("*"), "1. e4 e5 *", "*"),
        (Some("*"), "1. e4 e5", "*"),
        (Some("1-0"), "1. e4 e5 0-1", "1-0"),
        (Some("½-½"), "1. e4 e5 *", "1/2-1/2"),
        (Some("0-0"), "1. e4 e5 1-0", "0-0"),
        (Some("1-0"), "", "1-0"),
    ];
    let texts = games.map(|(tag, movetext, _)| {
        let mut tags = vec![("White", &b"Ann"[..])];
        tags.extend(tag.map(|tag: &str| ("Result", tag.as_bytes())));
        game(&tags, movetext)
    });
    for coding in [Coding::Ign, Coding::Weighted, Coding::IgnEnd] {
        let indexed = Indexed::of(&texts.concat(), coding, 300);
        let archive = &indexed.archive;
        for result in ["1-0", "0-1", "1/2-1/2", "*", "0-0"] {
            let expected = games.map(|(_, _, meant)| meant == result);
            assert_eq!(found(archive, "result", result), expected, "{result}");
        }
        for (game, (tag, movetext, meant)) in archive.games().zip(games) {
            let result = game.unwrap().result().unwrap();
            let expected = Outcome::from_ascii(meant.as_bytes()).ok();
            assert_eq!(result, expected, "{tag:?} {movetext}");
        }
    }
}

#[test]
fn ratings_are_found_with_signs_and_remarks() {
    let ratings = [
        "2400",
        "2400+",
        " 2400 ",
        "2400 (FIDE)",
        "(2400)",
        "2400?",
        "2400P",
        "2400p12",
    ];
    let others = [
        "-",
        "?",
        "0",
        "",
        "2400/2500",
        "12400",
        "2400 (2500)",
        "1500",
    ];
    let all = [ratings, others].concat();
    let indexed = indexed("WhiteElo", &all);
    let expected: Vec<bool> = (0..all.len()).map(|game| game < ratings.len()).collect();
    assert_eq!(found(&indexed.archive, "white_elo", "2400"), expected);
}

#[test]
fn speeds_follow_from_time_controls_in_free_text() {
    let values = [
        ("90min/40 moves + 30s", Some(Speed::Classical)),
        ("15 min + 10 s", Some(Speed::Rapid)),
        ("G/60", Some(Speed::Classical)),
        ("Blitz 3'+2\\\"", Some(Speed::Blitz)),
        ("15|10", Some(Speed::Rapid)),
        ("1 day per move", Some(Speed::Correspondence)),
        ("40/7200:3600", Some(Speed::Classical)),
        ("1/86400", Some(Speed::Correspondence)),
        ("5+3", Some(Speed::Bullet)),
        ("-", Some(Speed::Correspondence)),
        ("5 + 3", None),
        ("Blitz", None),
        ("?", None),
    ];
    let indexed = indexed("TimeControl", values.map(|(value, _)| value));
    for speed in Speed::ALL {
        let expected = values.map(|(_, meant)| meant == Some(*speed));
        assert_eq!(found(&indexed.archive, "speed", speed.name()), expected);
    }
}

#[test]
fn names_are_found_in_any_case_with_and_without_accents() {
    let same: [&[u8]; 7] = [
        "Müller, Jörg".as_bytes(),
        b"M\xfcller, J\xf6rg",
        b"M\xdcLLER, J\xd6RG",
        b"Muller, Jorg",
        b"MULLER, JORG",
        "Mu\u{308}ller, Jo\u{308}rg".as_bytes(),
        "müller, JÖRG".as_bytes(),
    ];
    let others: [&[u8]; 3] = [b"Mueller, Joerg", b"Mu", b"Muller"];
    let all = [&same[..], &others].concat();
    let indexed = indexed("White", &all);
    let expected: Vec<bool> = (0..all.len()).map(|game| game < same.len()).collect();
    for pattern in [
        "Müller, Jörg",
        "MÜLLER, JÖRG",
        "muller, jorg",
        "Mu\u{308}ller, Jorg",
        "MÜLLER,*",
        "mu*JÖRG",
        "*llER, jorg",
    ] {
        for name in ["white", "player"] {
            assert_eq!(
                found(&indexed.archive, name, pattern),
                expected,
                "{pattern}"
            );
        }
    }
    // A regular expression compares exactly, with what is shown.
    let exact = found(&indexed.archive, "tag", "White=^Müller, Jörg$");
    assert_eq!(exact.iter().filter(|is| **is).count(), 2);
    assert!(exact[0] && exact[1]);
}

#[test]
fn names_of_many_shards_are_found_with_and_without_accents() {
    // Names of one prefix fill several shards of an index, and accents are in all places.
    let vowels = [["a", "ä"], ["e", "é"], ["o", "Ö"], ["u", "Ů"]];
    let names = (0..9_000_u32).map(|number| {
        let letter = |place: u32| vowels[place as usize][(number >> place & 1) as usize];
        let [a, e, o, u] = [0, 1, 2, 3].map(letter);
        format!("M{a}{e}{o}{u}ller {}", number / 16)
    });
    let games = names.map(|name| game(&[("White", name.as_bytes())], "*"));
    let text = games.collect::<Vec<_>>().concat();
    let indexed = Indexed::of(&text, Coding::Ign, 1 << 16);
    for (pattern, count) in [
        ("maeouller 17", 16),
        ("MÄÉÖŮLLER 17", 16),
        ("mäeo*", 9_000),
        ("*ller 300", 16),
        ("mae", 0),
    ] {
        let query = query("white", pattern);
        let archive = &indexed.archive;
        let with_index = archive.find(&query).unwrap();
        let scanned = archive
            .clone()
            .with_search_index(false)
            .find(&query)
            .unwrap();
        assert_eq!(with_index, scanned, "{pattern}");
        assert_eq!(with_index.len(), count, "{pattern}");
    }
}

#[test]
fn escapes_are_read_everywhere_and_the_text_stays() {
    let values = [
        (r#"Ann \"A\" B"#, r#"Ann "A" B"#),
        (r"back\\slash", r"back\slash"),
        (r"other\n", r"other\n"),
        (r#"\\\""#, r#"\""#),
        ("plain", "plain"),
    ];
    let tags = ["White", "TimeControl", "Termination", "Annotator"];
    let texts = values.map(|(written, _)| {
        let tags = tags.map(|name| (name, written.as_bytes()));
        game(&tags, "1. e4 e5 *")
    });
    let indexed = Indexed::of(&texts.concat(), Coding::Ign, 300);
    let archive = &indexed.archive;
    for (game, ((written, meant), text)) in archive.games().zip(values.iter().zip(&texts)) {
        let game = game.unwrap();
        for name in tags {
            assert_eq!(game.tag(name).unwrap().as_deref(), Some(*meant));
            assert_eq!(game.tag_bytes(name).unwrap(), Some(written.as_bytes()));
        }
        assert!(game.tags().unwrap().all(|(_, value)| value == *meant));
        assert_eq!(game.pgn().unwrap(), text);
        let is_game = values.map(|(_, other)| other == *meant);
        for name in ["white", "player", "time_control", "termination"] {
            assert_eq!(found(archive, name, meant), is_game, "{name} {meant}");
        }
        let exact = format!("Annotator=^{}$", regex_quoted(meant));
        assert_eq!(found(archive, "tag", &exact), is_game, "{exact}");
    }
    for (line, (_, meant)) in list(archive).iter().zip(values) {
        assert_eq!(line.split('\t').next(), Some(meant));
    }
    let columns = [
        ScanColumn::White,
        ScanColumn::Tag("Annotator".into()),
        ScanColumn::OtherTags,
    ];
    let mut rows = values.iter();
    for batch in archive.scan().columns(columns) {
        let batch = batch.unwrap();
        for row in 0..batch.len() {
            let (_, meant) = rows.next().unwrap();
            let [white, annotator, others] = batch.columns() else {
                panic!("three columns were requested");
            };
            for text in [white, annotator] {
                assert_eq!(text.as_text().unwrap().text(row).as_deref(), Some(*meant));
            }
            let ign_archive::scan::ColumnData::Tags(others) = others else {
                panic!("tags were requested");
            };
            let place = others.range(row).unwrap().start;
            assert_eq!(others.items().values().get(place), Some(*meant));
        }
    }
    assert!(rows.next().is_none());
    let mut unpacked = Vec::new();
    for game in archive.games() {
        unpacked.extend_from_slice(game.unwrap().pgn().unwrap());
    }
    assert_eq!(unpacked, texts.concat());
}

/// A text as a regular expression for itself.
fn regex_quoted(text: &str) -> String {
    text.replace('\\', r"\\")
}

#[test]
fn the_fifty_move_rule_counts_the_plies_of_the_fen() {
    let start = |plies: u32| format!("k7/p7/8/8/8/8/8/K6R w - - {plies} 60");
    let games = [
        (97, "60. Rh2 Kb7 *", false),
        (98, "60. Rh2 Kb7 *", true),
        (98, "60. Rh2 a6 *", false),
        (100, "60. Rh2 a6 *", true),
        (100, "*", false),
    ];
    let texts = games.map(|(plies, moves, _)| game(&[("FEN", start(plies).as_bytes())], moves));
    for coding in [Coding::Ign, Coding::Weighted] {
        let indexed = Indexed::of(&texts.concat(), coding, 1 << 16);
        let expected = games.map(|(_, _, is)| is);
        assert_eq!(found(&indexed.archive, "fifty_moves", "true"), expected);
    }
}

#[test]
fn clocks_of_two_numbers_depend_on_the_time_control() {
    for (control, clock, seconds) in [
        ("300", "4:59", 299),
        ("5400+30", "1:30", 5_400),
        ("?", "1:30", 90),
        ("1/86400", "1:00:00:00", 86_400),
    ] {
        let movetext = format!("1. e4 {{[%clk {clock}]}} *");
        let text = game(&[("TimeControl", control.as_bytes())], &movetext);
        let indexed = Indexed::of(&text, Coding::Ign, 1 << 16);
        let game = indexed.archive.game(1).unwrap();
        let clocks = game.clocks().unwrap();
        assert_eq!(
            clocks[0].map(|clock| clock.as_secs()),
            Some(seconds),
            "{control}"
        );
        let batch = indexed.archive.scan().columns([ScanColumn::Clocks]).next();
        let batch = batch.unwrap().unwrap();
        let ign_archive::scan::ColumnData::Decimals(lists) = &batch.columns()[0] else {
            panic!("clocks were requested");
        };
        assert_eq!(lists.items().get(0), Some(seconds as f32), "{control}");
    }
}

#[test]
fn statistics_count_draws_in_every_form() {
    let start = b"k7/p7/8/8/8/8/8/K6R w - - 98 60";
    let games = [
        (Some("½-½"), "60. Rh2 Kb7 *"),
        (None, "60. Rh2 Kb7 1/2-1/2"),
        (Some("*"), "60. Rh2 Kb7 *"),
    ];
    let texts = games.map(|(tag, movetext)| {
        let mut tags = vec![("FEN", &start[..])];
        tags.extend(tag.map(|tag: &str| ("Result", tag.as_bytes())));
        game(&tags, movetext)
    });
    let indexed = Indexed::of(&texts.concat(), Coding::Ign, 1 << 16);
    let stats = StatsBuilder::new().of_archive(&indexed.archive).unwrap();
    let claimed = stats.games.claimable.fifty_moves;
    assert_eq!(
        (claimed.games, claimed.at_end, claimed.at_end_drawn),
        (3, 3, 2)
    );
}
