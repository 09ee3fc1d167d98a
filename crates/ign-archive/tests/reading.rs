//! Are moves read as people write them, and never as others than were meant?

use std::{io::Cursor, time::Duration};

use ign_archive::{
    Archive, Coding, Game, Input, NotUnderstood, Packer, Query,
    scan::{ColumnData, ScanColumn, uci_moves},
};

/// Packs a text in a coding, and checks that it comes back.
fn packed(text: &[u8], coding: Coding) -> Archive {
    let input = Input::reader("a.pgn", Cursor::new(text.to_vec()));
    let packer = Packer::new().coding(coding);
    let (bytes, _) = packer.pack([input], Vec::new()).unwrap();
    let archive = Archive::from_read_at(bytes, "a.ign").unwrap();
    let mut back = Vec::new();
    archive.unpack(&mut back).unwrap();
    assert!(back == text, "{}", String::from_utf8_lossy(text));
    archive
}

/// A game's moves in UCI notation, separated by spaces.
fn moves_of(game: &Game) -> String {
    let codes = game.uci_codes().unwrap();
    let moves = codes.iter().map(|&code| uci_moves().get(code).unwrap());
    moves.collect::<Vec<_>>().join(" ")
}

/// The first moves of a game's movetext, as many as the game has.
fn first_words(game: &Game) -> Vec<String> {
    let line = game.movetext().unwrap();
    let moves = line.moves.iter().take(game.plies().unwrap());
    moves.map(|played| played.san.to_string()).collect()
}

#[test]
fn every_form_is_read_and_found_in_every_coding() {
    let standard = "[White \"A\"]\n[Black \"B\"]\n\n1. Nf3 Nc6 2. Nc3 Nf6 *\n\n";
    for form in ign_testing::forms() {
        let text = &form.text;
        // Alone, and twice between other games.
        for (all, number) in [
            (text.clone(), 1),
            (format!("{standard}{text}\n\n{text}\n\n{standard}"), 2),
        ] {
            for &coding in Coding::ALL {
                let archive = packed(all.as_bytes(), coding);
                let Ok(game) = archive.game(number) else {
                    panic!("{all:?} has {} games", archive.len());
                };
                assert_eq!(moves_of(&game), form.moves, "{text}");
                assert!(game.pgn().unwrap().starts_with(text.as_bytes()), "{text}");
                assert_eq!(first_words(&game), game.san().unwrap(), "{text}");
                if let Some(expected) = &form.tags {
                    let tags: Vec<_> = game.tags().unwrap().collect();
                    let tags = tags.iter().map(|(n, v)| (n.to_string(), v.to_string()));
                    assert_eq!(&tags.collect::<Vec<_>>(), expected, "{text}");
                }
                if let Some(is_understood) = form.is_understood {
                    let reason = game.not_understood().unwrap();
                    assert_eq!(reason.is_none(), is_understood, "{text}");
                }
                if let Some(times) = form.times {
                    let first = |times: Vec<Option<Duration>>| times[0].map(|t| t.as_secs_f64());
                    let found = [game.clocks().unwrap(), game.move_times().unwrap()];
                    assert_eq!(found.map(first), times, "{text}");
                }
                if let Some((name, value)) = &form.condition {
                    let mut query = Query::new();
                    query.set(name, value).unwrap();
                    let found = archive.find(&query).unwrap();
                    assert!(found.contains(&game.number()), "{text}");
                }
            }
        }
    }
    // Latin-1.
    let archive = packed(b"1. e4 e5 \xb1 2. \xd1f3 *\n", Coding::Ign);
    assert_eq!(moves_of(&archive.game(1).unwrap()), "e2e4 e7e5");
}

#[test]
fn what_exceeds_the_limits_of_tags_hides_no_game() {
    let tags = |from: usize, count: usize| -> String {
        (from..from + count)
            .map(|i| format!("[T{i} \"{i}\"]\n"))
            .collect()
    };
    let movetext = "\n1. e4 e5 2. Nf3 *\n\n";
    // More tags than a record has, and more names than a block has.
    let many = format!("{}{movetext}", tags(0, 300));
    let names: String = (0..50)
        .map(|game| format!("[White \"{game}\"]\n{}{movetext}", tags(100 * game, 100)))
        .collect();
    for (text, games) in [(&many, 1), (&names, 50)] {
        for &coding in Coding::ALL {
            let archive = packed(text.as_bytes(), coding);
            assert_eq!(archive.len(), games);
            for game in archive.games() {
                assert_eq!(game.unwrap().plies().unwrap(), 3);
            }
        }
    }
    let archive = packed(names.as_bytes(), Coding::Ign);
    let last = archive.game(50).unwrap();
    assert_eq!(last.tag("White").unwrap().unwrap(), "49");
    // Their tags that are text only are counted, and the games named.
    assert_eq!(last.tags().unwrap().count(), 1);
    assert_eq!(last.not_understood().unwrap(), Some(NotUnderstood::TagLine));
    let partly = |game: &Game| game.tags().unwrap().count() < 101;
    let partly = archive
        .games()
        .filter(|game| partly(game.as_ref().unwrap()));
    let partly: Vec<u64> = partly.map(|game| game.unwrap().number().get()).collect();
    let found = archive.find(&Query::new().not_understood(true)).unwrap();
    let found: Vec<u64> = found.iter().map(|number| number.get()).collect();
    assert_eq!(found, partly);
    assert_eq!(found.len(), 10);
    // So are tags beyond the limit on one line.
    let line = many.replace("]\n[", "] [");
    let game = packed(line.as_bytes(), Coding::Ign).game(1).unwrap();
    assert_eq!(game.not_understood().unwrap(), Some(NotUnderstood::TagLine));
}

#[test]
fn moves_beyond_the_limit_of_a_game_are_not_illegal() {
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(65_536 / 4);
    let games = [
        (format!("{moves}*"), None),
        (format!("{moves}Nf3 *"), Some(NotUnderstood::Text)),
        (format!("{moves}Ke3 *"), Some(NotUnderstood::Text)),
        (
            format!("{} Ke3 *", &moves[..4000]),
            Some(NotUnderstood::Move),
        ),
    ];
    let texts = games
        .iter()
        .map(|(moves, _)| format!("[White \"A\"]\n\n{moves}\n\n"));
    let archive = packed(texts.collect::<String>().as_bytes(), Coding::Ign);
    for (number, (_, reason)) in (1..).zip(&games) {
        let game = archive.game(number).unwrap();
        assert_eq!(game.not_understood().unwrap(), *reason, "{number}");
    }
    let structure = archive.structure(|_, _| Ok(())).unwrap();
    let counts: Vec<_> = structure.not_understood.by_reason().collect();
    assert!(counts.contains(&(NotUnderstood::Text, 2)));
    assert!(counts.contains(&(NotUnderstood::Move, 1)));
}

#[test]
fn games_that_are_not_understood_are_counted_and_found() {
    let game = |tags: &str, movetext: &str| format!("[White \"A\"]\n{tags}\n{movetext}\n\n");
    let games = [
        (game("", "1. e4 e5 *"), None),
        (game("", "1. e4 ; a note\ne5 {another} 1-0 {a third}"), None),
        (
            game("[Variant \"Shogi\"]\n", "1. P-7f *"),
            Some(NotUnderstood::Variant),
        ),
        (
            game("[FEN \"nothing\"]\n", "1. e4 *"),
            Some(NotUnderstood::Position),
        ),
        (game("", "1. e4 e5 2. Ke3 Nc6 *"), Some(NotUnderstood::Move)),
        (game("", "1. e4 e5 1-0 2. Nf3"), Some(NotUnderstood::Text)),
        (
            game("[nothing here]\n[Black \"B\"]\n", "1. e4 *"),
            Some(NotUnderstood::TagLine),
        ),
        (game("", "*"), None),
    ];
    let text: String = games.iter().map(|(game, _)| &game[..]).collect();
    for &coding in Coding::ALL {
        let archive = packed(text.as_bytes(), coding);
        assert_eq!(archive.len(), games.len() as u64);
        let mut reasons = Vec::new();
        for (number, (text, reason)) in (1..).zip(&games) {
            let game = archive.game(number).unwrap();
            assert_eq!(game.not_understood().unwrap(), *reason, "{text}");
            reasons.extend(reason.map(|reason| (reason, 1)));
            let query = Query::new().not_understood(true);
            assert_eq!(query.matches(&game).unwrap(), reason.is_some());
        }
        let structure = archive.structure(|_, _| Ok(())).unwrap();
        assert_eq!(
            structure.not_understood.by_reason().collect::<Vec<_>>(),
            reasons
        );
        for wanted in [true, false] {
            let found = archive.find(&Query::new().not_understood(wanted)).unwrap();
            let expected = (1..)
                .zip(&games)
                .filter(|(_, (_, reason))| reason.is_some() == wanted);
            assert!(
                found
                    .iter()
                    .map(|game| game.get())
                    .eq(expected.map(|(number, _)| number))
            );
        }
    }
}

/// Moves in several forms. A comment after a move is the number of its ply.
const COMMENTED: [&str; 13] = [
    "1. e2-e4 {1} e7-e5 {2} 2. Ng1-f3 {3} Nb8-c6 {4} 3. Bf1-b5 {5} a7-a6 {6}",
    "1. e2e4 {1} e7e5 {2} 2. g1f3 {3} b8c6 {4} 3. f1b5 {5} a7a6 {6}",
    "1. e4 {1} e5 {2} 2. Sf3 {3} Sc6 {4} (2... d6 3. Lc4 {x} Le7) 3. Lb5 {5} a6 {6}",
    "1. e4 {1} e5 {2} 2. Кf3 {3} Кc6 {4} 3. Сb5 {5} a6 {6}",
    "1. e4 {1} e5 {2} 2. \u{2658}f3 {3} \u{265e}c6 {4} 3. \u{2657}b5 {5} a6 {6}",
    "1. Pe4 {1} Pe5 {2} 2. Nf3 {3} Nc6 {4} 3. Bb5 {5} Pa6 {6}",
    "1.e4e5 {2} 2.Nf3Nc6 {4} 3.Bb5 {5} a6 {6}",
    "1. e4 {1} d5 {2} 2. e4:d5 {3} Qd8xd5 {4} 3. Nc3 {5} Qd5-a5 {6}",
    "1. e4 {1} d5 {2} 2. ed {3} Q:d5 {4} 3. Nc3 {5} Qa5 {6}",
    "1. g3 {1} e5 {2} 2. Bg2 {3} d5 {4} 3. Nf3 {5} e4 {6} 4. o-o {7} exf3 {8}",
    "1. e4 {1} -- {2} 2. Nf3 {3} Z0 {4} 3. Bb5 {5} a6 {6}",
    "1. e4 {1} e5+ {2} 2. Nf3 {3} Nc6 mate {4} 3. Bb5 e.p. {5} a6 {6}",
    "1. e2-e4 {1} e7-e5 {2} 2. e4-e5 illegal d5",
];

#[test]
fn comments_and_clocks_belong_to_the_move_before_them() {
    let with_clocks = |movetext: &str| movetext.replace('{', "{[%clk 0:00:0").replace('}', "]}");
    let game = |movetext: &str| format!("[White \"A\"]\n\n{movetext} *\n\n");
    let texts = COMMENTED.map(|movetext| game(movetext) + &game(&with_clocks(movetext)));
    let plain = game("1. e4 {1} e5 {2}").repeat(80);
    for text in [texts.concat(), plain + &texts.concat()] {
        let archive = packed(text.as_bytes(), Coding::Weighted);
        let first = archive.len() + 1 - 2 * COMMENTED.len() as u64;
        let columns = [ScanColumn::Comments, ScanColumn::Clocks];
        let batches: Vec<_> = archive.scan().columns(columns).collect();
        let batch = batches.into_iter().next().unwrap().unwrap();
        let [ColumnData::Comments(comments), ColumnData::Decimals(clocks)] = batch.columns() else {
            panic!("other columns");
        };
        for (number, movetext) in (first..).step_by(2).zip(COMMENTED) {
            let game = archive.game(number).unwrap();
            let found = game.comments().unwrap();
            assert!(!found.is_empty());
            for (ply, comment) in &found {
                assert_eq!(comment, &ply.to_string(), "{movetext}");
            }
            let row = number as usize - 1;
            let items = comments.range(row).unwrap_or_default();
            let scanned = items.map(|at| {
                let text = comments.items().text().get(at).unwrap();
                (comments.items().plies()[at] as usize, text.to_owned())
            });
            assert_eq!(scanned.collect::<Vec<_>>(), found, "{movetext}");

            let timed = archive.game(number + 1).unwrap();
            let seconds = timed.clocks().unwrap().into_iter();
            let seconds: Vec<_> = seconds
                .map(|clock| clock.map(|c| c.as_secs_f32()))
                .collect();
            let expected = (1..=seconds.len()).map(|ply| {
                let is_commented = found.iter().any(|&(at, _)| at == ply);
                is_commented.then_some(ply as f32)
            });
            assert_eq!(seconds, expected.collect::<Vec<_>>(), "{movetext}");
            let items = clocks.range(row + 1).unwrap_or_default();
            let scanned: Vec<_> = items.map(|at| clocks.items().get(at)).collect();
            assert_eq!(scanned, seconds, "{movetext}");
        }
    }
}

#[test]
fn many_braces_take_no_longer_than_other_text() {
    let braces = "{".repeat(1 << 20);
    for movetext in [
        format!("1. e2-e4 e7-e5 {braces}"),
        format!("1. e2-e4 {braces}}} e7-e5 *"),
        format!("1. e2-e4 {{a {{b}} e7-e5 {}", "; ".repeat(1 << 19)),
    ] {
        let archive = packed(movetext.as_bytes(), Coding::Ign);
        let game = archive.game(1).unwrap();
        assert_eq!(first_words(&game), game.san().unwrap());
        assert!(game.comments().unwrap().len() <= 2);
    }
}
