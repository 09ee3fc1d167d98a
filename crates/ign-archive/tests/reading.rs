//! Are moves read as people write them, and never as others than were meant?

use std::io::Cursor;

use ign_archive::{Archive, Coding, Input, Packer, uci_moves};

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
    // Letters of other alphabets are not skipped: the rest is text.
    ("1. Кf3 Кc6", ""),
    ("1. e4 e5 2. Сc4 Сc5", "e2e4 e7e5"),
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
