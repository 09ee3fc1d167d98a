//! Are moves read as people write them, and never as others than were meant?

use std::io::Cursor;

use ign_archive::{Archive, Coding, Input, NotUnderstood, Packer, Query, uci_moves};

/// Packs a text in a coding, and checks that it comes back.
fn packed(text: &[u8], coding: Coding) -> Archive {
    let input = Input::reader("a.pgn", Cursor::new(text.to_vec()));
    let packer = Packer::new().coding(coding);
    let (bytes, _) = packer.pack([input], Vec::new()).unwrap();
    let archive = Archive::from_source(bytes, "a.ign").unwrap();
    let mut back = Vec::new();
    archive.unpack(&mut back).unwrap();
    assert!(back == text, "{}", String::from_utf8_lossy(text));
    archive
}

/// The moves of the first game in UCI notation, separated by blanks, in every coding.
#[track_caller]
fn moves_of(text: &[u8]) -> String {
    let codings = Coding::ALL.map(|coding| {
        let codes = packed(text, coding).game(1).unwrap().uci_codes().unwrap();
        let moves = codes.iter().map(|&code| uci_moves().get(code));
        moves.collect::<Vec<_>>().join(" ")
    });
    let [first, others @ ..] = codings;
    for other in others {
        assert_eq!(first, other);
    }
    first
}

/// Movetext, and the moves that are read.
const MOVETEXTS: &[(&str, &str)] = &[
    ("1. ♘f3 ♞c6 2. ♘c3 ♞f6", "g1f3 b8c6 b1c3 g8f6"),
    ("1.♘f3 ♘c6 2.♙e4 ♟e5", "g1f3 b8c6 e2e4 e7e5"),
    ("1. e4 e5 2. ♕h5 ♔e7 3. ♕xe5#", "e2e4 e7e5 d1h5 e8e7 h5e5"),
    (
        "1. e4 d5 2. exd5 c6 3. dxc6 ♘f6 4. cxb7 a6 5. bxa8=♕",
        "e2e4 d7d5 e4d5 c7c6 d5c6 g8f6 c6b7 a7a6 b7a8q",
    ),
    (
        "1. e4 d5 2. exd5 c6 3. dxc6 ♘f6 4. cxb7 a6 5. bxa8♞",
        "e2e4 d7d5 e4d5 c7c6 d5c6 g8f6 c6b7 a7a6 b7a8n",
    ),
    // With a variation selector, and in long notation.
    ("1. ♞\u{fe0e}f3 ♘g8-f6", "g1f3 g8f6"),
    // A piece that cannot move there is no pawn move either.
    ("1. ♗f3 e5", ""),
    ("1. ♘ f3 e5", ""),
    // Russian letters, in a whole game only.
    ("1. Кf3 Кc6", "g1f3 b8c6"),
    ("1. e4 e5 2. Сc4 Сc5", "e2e4 e7e5 f1c4 f8c5"),
    ("1. e4 e5 2. Сc4 Bc5", "e2e4 e7e5"),
    ("1. ñe4", ""),
    // Signs are.
    ("1… e5", ""),
    ("1. e4 … e5 ± 2. d4 ½", "e2e4 e7e5 d2d4"),
    ("1. e4\u{a0}e5 2.\u{a0}d4 – d5", "e2e4 e7e5 d2d4 d7d5"),
    ("1. e4 (1. ♘f3 ♞f6) 1... ♞f6", "e2e4 g8f6"),
];

#[test]
fn movetext_is_read_as_written() {
    for &(movetext, expected) in MOVETEXTS {
        let text = format!("[Event \"?\"]\n\n{movetext} *\n\n");
        assert_eq!(moves_of(text.as_bytes()), expected, "{movetext}");
        // After a game of the same layout.
        let text = format!("[Event \"?\"]\n\n1. Nf3 Nc6 2. Nc3 Nf6 *\n\n{text}");
        for coding in Coding::ALL {
            let plies = packed(text.as_bytes(), coding).game(2).unwrap().plies();
            assert_eq!(
                plies.unwrap(),
                expected.split_whitespace().count(),
                "{movetext}"
            );
        }
    }
    // Latin-1.
    assert_eq!(moves_of(b"1. e4 e5 \xb1 2. \xd1f3 *\n"), "e2e4 e7e5");
}

/// A tag section in another form than the standard one, and its tags.
const SECTIONS: &[(&str, &[(&str, &str)])] = &[
    (
        "[White \"A\"] \n[Black \"B\"]\n",
        &[("White", "A"), ("Black", "B")],
    ),
    (
        "  [White \"A\"]\n  [Black \"B\"]\n",
        &[("White", "A"), ("Black", "B")],
    ),
    (
        "[ White \"A\" ]\n[\tBlack\t\"B\"\t]\n",
        &[("White", "A"), ("Black", "B")],
    ),
    (
        "[White\"A\"]\n[Black  \"B\"]\n",
        &[("White", "A"), ("Black", "B")],
    ),
    (
        "[White \"A\"][Black \"B\"]\n",
        &[("White", "A"), ("Black", "B")],
    ),
    (
        "[White \"A\"] [Black \"B\"] ",
        &[("White", "A"), ("Black", "B")],
    ),
    (
        "[White \"A\"]\r\n[Black \"B\"]\n",
        &[("White", "A"), ("Black", "B")],
    ),
    (
        "[White \"A\"]\r[Black \"B\"]\r\n",
        &[("White", "A"), ("Black", "B")],
    ),
    (
        "[White \"A\"]\n\n[Black \"B\"]\n",
        &[("White", "A"), ("Black", "B")],
    ),
    (
        "[White \"A\"]\n; x\n% y\n{z}\n[Black \"B\"]\n",
        &[("White", "A"), ("Black", "B")],
    ),
    (
        "\u{feff}[White \"A\"]\n[Black \"B\"]\n",
        &[("White", "A"), ("Black", "B")],
    ),
    (
        "\u{1a}[White \"A\"]\n[Black \"B\"]\n",
        &[("White", "A"), ("Black", "B")],
    ),
    (
        "[white \"A\"]\n[BLACK \"B\"]\n",
        &[("White", "A"), ("Black", "B")],
    ),
    (
        "[White 'A']\n[Black “B”]\n",
        &[("White", "A"), ("Black", "B")],
    ),
    (
        "[White \"A]\n[Black \"B\n",
        &[("White", "A"), ("Black", "B")],
    ),
    (
        "[White \"A\"]\nBlack \"B\"\n",
        &[("White", "A"), ("Black", "B")],
    ),
    (
        "[White \"A\r\nB C\"]\n[Black \"D\"]\n",
        &[("White", "A B C"), ("Black", "D")],
    ),
    (
        "[White \"A\"]\n[White \"B\"]\n[Black \"C\"]\n[White \"D\"]\n",
        &[
            ("White", "A"),
            ("White", "B"),
            ("Black", "C"),
            ("White", "D"),
        ],
    ),
    (
        "[White \"A\"]\n[no tag\n[Black \"B\"]\n",
        &[("White", "A"), ("Black", "B")],
    ),
];

#[test]
fn tags_are_read_as_written() {
    let movetext = "\n1. e4 e5 2. Nf3 *\n\n";
    let standard = format!("[White \"A\"]\n[Black \"B\"]\n{movetext}");
    for &(section, expected) in SECTIONS {
        for text in [
            format!("{section}{movetext}"),
            format!("{standard}{section}{movetext}{section}{movetext}{standard}"),
        ] {
            for coding in Coding::ALL {
                let archive = packed(text.as_bytes(), coding);
                let is_alone = archive.len() == 1;
                assert!(is_alone || archive.len() == 4, "{text:?}");
                let game = archive.game(if is_alone { 1 } else { 3 }).unwrap();
                let tags: Vec<_> = game.tags().unwrap().collect();
                let tags: Vec<_> = tags.iter().map(|(n, v)| (&n[..], &v[..])).collect();
                assert_eq!(tags, expected, "{text:?}");
                assert_eq!(game.tag("White").unwrap().unwrap(), expected[0].1);
                assert_eq!(game.plies().unwrap(), 3, "{text:?}");
                assert_eq!(
                    game.pgn().unwrap(),
                    format!("{section}{movetext}").as_bytes()
                );
                let query = Query::new().white(expected[0].1);
                let found = archive.find(&query).unwrap().len() as u64;
                let same = if expected[0].1 == "A" {
                    archive.len()
                } else {
                    2.min(archive.len())
                };
                assert_eq!(found, if is_alone { 1 } else { same }, "{text:?}");
            }
        }
    }
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
        for coding in Coding::ALL {
            let archive = packed(text.as_bytes(), coding);
            assert_eq!(archive.len(), games);
            for game in archive.games() {
                assert_eq!(game.unwrap().plies().unwrap(), 3);
            }
        }
    }
    let archive = packed(names.as_bytes(), Coding::Ign);
    assert_eq!(
        archive.game(50).unwrap().tag("White").unwrap().unwrap(),
        "49"
    );
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
        (
            game("", "1. e4 e5 and so on, as everybody knows"),
            Some(NotUnderstood::Text),
        ),
        (
            game("[nothing here]\n[Black \"B\"]\n", "1. e4 *"),
            Some(NotUnderstood::TagLine),
        ),
        (game("", "*"), None),
    ];
    let text: String = games.iter().map(|(game, _)| &game[..]).collect();
    for coding in Coding::ALL {
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
