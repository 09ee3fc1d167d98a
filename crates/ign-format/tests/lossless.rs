//! Tests that every text is restored byte for byte, whatever it contains.

use ign_format::block::{
    Coding,
    decode::Block,
    encode::{Options, encode},
};
use ign_testing::{cases, games, parts_round_trip, repeated_games};
use proptest::prelude::*;

/// Packs and unpacks a text as one block in each coding; returns its numbers of games and plies.
#[track_caller]
fn round_trip(text: &[u8]) -> (usize, u64) {
    let mut counts = (0, 0);
    for &coding in Coding::ALL {
        let options = Options {
            coding,
            verify: false,
            ..Options::default()
        };
        let encoded = encode(text.to_vec(), &options).unwrap();
        let block = Block::open(&encoded.bytes).unwrap();
        let again = block
            .text()
            .unwrap_or_else(|e| panic!("{coding:?}: {e}: {}", shown(text)));
        if let Some(at) = again.iter().zip(text).position(|(a, b)| a != b) {
            let [again, text] = [&again, text].map(|t| shown(&t[at.saturating_sub(40)..]));
            panic!("{coding:?}: byte {at}: {again} instead of {text}");
        }
        assert_eq!(again.len(), text.len());
        parts_round_trip(&block, text);
        let records = block.records().unwrap();
        let mut plies = 0;
        block
            .walk_games(&records, |mut game| {
                game.moves.play(game.start, |_, _| plies += 1)?;
                Ok(())
            })
            .unwrap();
        assert_eq!(plies, encoded.plies);
        counts = (encoded.games, encoded.plies);
    }
    counts
}

/// A list of openings as games without moves, whose names would follow from moves, among games
/// with moves.
#[test]
fn games_without_moves_round_trip_and_add_nothing_to_the_moves_column() {
    let one = |i: usize| match i % 7 {
        3 => format!("{TAGS}1. e4 e5 1-0\n\n"),
        4 => format!("[ECO \"A{i:02}\"]\n[Opening \"Name {i}\"]\n\n*\n\n"),
        5 => "[FEN \"8/8/8/8/8/8/8/P7 w - - 0 1\"]\n\n1. e4 *\n\n".to_string(),
        _ => format!("[ECO \"A{i:02}\"]\n\n(1. d4 d5) *\n\n"),
    };
    let some: String = (0..99).map(one).collect();
    assert_eq!(round_trip(some.as_bytes()), (99, 28));
    let none = "[ECO \"A00\"]\n\n*\n\n".repeat(1000);
    assert_eq!(round_trip(none.as_bytes()), (1000, 0));
    for &coding in Coding::ALL {
        let options = Options {
            coding,
            ..Options::default()
        };
        let bytes = encode(none.clone().into_bytes(), &options).unwrap().bytes;
        assert!(bytes.len() < 180, "{coding:?}: {} bytes", bytes.len());
    }
}

/// The start of a text, for messages.
fn shown(text: &[u8]) -> String {
    text[..text.len().min(300)].escape_ascii().to_string()
}

const TAGS: &str = "[Event \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n";

/// Asserts that a game with common tags and this movetext round-trips and that all of its moves
/// are coded as an integer.
#[track_caller]
fn assert_modelled(movetext: &str, plies: u64) {
    for line_end in ["\n", "\r\n", "\r"] {
        let text = format!("{TAGS}{movetext}\n\n").replace('\n', line_end);
        assert_eq!(
            round_trip(text.as_bytes()),
            (1, plies),
            "{movetext}, {line_end:?}"
        );
        let twice = text.repeat(2);
        assert_eq!(
            round_trip(twice.as_bytes()),
            (2, 2 * plies),
            "{movetext}, {line_end:?}"
        );
    }
}

#[test]
fn common_games_are_modelled_with_any_gaps() {
    assert_modelled("1. f3 e5 2. g4 Qh4# 0-1", 4);
    assert_modelled("1.f3 e5 2.g4 Qh4# 1-0", 4);
    assert_modelled("1. e4 {best} e5 $1 2. Nf3!? $14 {by\ntest} *", 3);
    assert_modelled(
        "1. e4 { [%eval 0.24] [%clk 0:10:00] } 1... e5 { [%clk 0:09:58.3] } 1-0",
        2,
    );
    assert_modelled(
        "{first} 1. e4 (1. d4 d5 (1... Nf6 (1... f5)) 2. c4) 1... e5 ; rest\n2. Nf3 1/2-1/2",
        3,
    );
    assert_modelled("1. e4 e5 2. Nf3", 3);
    assert_modelled("1. e4\ne5\n2. Nf3\nNc6 1-0", 4);
    assert_modelled("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O Nf6 5. d4 *", 9);
    assert_modelled("1-0", 0);
}

#[test]
fn moves_in_coordinate_notation_are_modelled() {
    assert_modelled("f2f3 e7e5 g2g4 d8h4 0-1", 4);
    assert_modelled("1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5 a7a6 4. e1g1 a6b5 *", 8);
    // A record stores its notation; moves in another one are stored as text.
    let moves = [
        "e2e4 d7d5 f1b5 c7c6",
        "e4 d5 Bb5 c6",
        "e2e4 d7d5 f1b5+ c6",
        "e4 d7d5 Bb5 c7c6",
        "Nf3 Nf6 Nc3 Nc6 Rg1 Rg8 Rh1 Rh8 N3d4",
    ];
    let mut text = Vec::new();
    for game in moves.iter().cycle().take(40) {
        text.extend_from_slice(format!("[Event \"x\"]\n\n{game}\n\n").as_bytes());
    }
    round_trip(&text);
    // If all games use one notation, it is stored once and no move is stored as text.
    let game = format!("[Event \"x\"]\n\n{}\n\n", moves[0]);
    let packed = |text: &str| {
        let encoded = encode(text.repeat(1000).into_bytes(), &Options::default());
        encoded.unwrap().bytes.len()
    };
    let squares = packed(&game);
    let standard_game = format!("[Event \"x\"]\n\n{}\n\n", moves[1]);
    let standard = packed(&standard_game);
    assert!(squares <= standard + 10, "{squares} bytes and {standard}");
}

#[test]
fn round_trips_lines_wrapped_at_any_width() {
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *";
    for width in 1..100 {
        let mut text = TAGS.to_string();
        let mut column = 0;
        for word in moves.split(' ') {
            if column > 0 {
                text.push(if column + 1 + word.len() > width {
                    '\n'
                } else {
                    ' '
                });
                column = if text.ends_with('\n') { 0 } else { column + 1 };
            }
            text += word;
            column += word.len();
        }
        text += "\n\n";
        assert_eq!(round_trip(text.repeat(3).as_bytes()).0, 3);
    }
}

#[test]
fn round_trips_other_starts_and_rules() {
    let game = |tags: &str, moves: &str| format!("[Event \"x\"]\n{tags}\n\n{moves}\n\n");
    let plies = |tags: &str, moves: &str| round_trip(game(tags, moves).as_bytes());
    // Black to move.
    let black = "[SetUp \"1\"]\n[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 7\"]";
    assert_eq!(plies(black, "7... e5 8. e4 Kd7 *"), (1, 3));
    // Chess960: castling to a square that the king is on already.
    let chess960 = "[Variant \"Chess960\"]\n\
        [FEN \"nrk1bbrq/pppppppp/2n5/8/8/2N5/PPPPPPPP/NRK1BBRQ w GBgb - 0 1\"]";
    assert_eq!(plies(chess960, "1. O-O-O O-O-O 2. g3 g6 *"), (1, 4));
    for variant in [
        "Crazyhouse",
        "Atomic",
        "Antichess",
        "Three-check",
        "Horde",
        "nonsense",
        "",
    ] {
        let tag = format!("[Variant \"{variant}\"]");
        assert_eq!(plies(&tag, "1. e4 e5 2. P@e5 B@f7# *").0, 1, "{variant}");
    }
    for fen in [
        "",
        "x",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "8/8/8/8/8/8/8/P7 w - - 0 1",
        "kkkkkkkk/8/8/8/8/8/8/KKKKKKKK w KQkq e3 0 1",
    ] {
        assert_eq!(
            plies(&format!("[FEN \"{fen}\"]"), "1. e4 e5 *").0,
            1,
            "{fen}"
        );
    }
    // The same tag twice.
    plies(
        "[FEN \"x\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]",
        "1. e4 *",
    );
}

#[test]
fn values_that_follow_from_the_moves_are_not_stored() {
    // The position after each game as a FEN with four or six fields, or something else.
    let ends = [
        (
            "1. e4 e5 2. Ke2",
            "3",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR b kq -",
        ),
        (
            "1. e4 Nf6 2. e5 d5",
            "4",
            "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6",
        ),
        (
            "1. f3 e5 2. g4 Qh4#",
            "4",
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -",
        ),
    ];
    let strange = [
        ("1. e4", "01", ""),
        ("1. e4 e5 2. Ke8", "3", "8/8/8/8/8/8/8/8 w - -"),
        ("", "0", "?"),
    ];
    let game = |(moves, plies, position): &(&str, &str, &str)| {
        format!(
            "[Event \"?\"]\n[PlyCount \"{plies}\"]\n[CurrentPosition \"{position}\"]\n\n{moves} *\n\n"
        )
    };
    // With counters, and with an en passant square on which no capture is possible.
    let forms = [
        (
            "1. e4",
            "1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        ),
        (
            "1. e4 c5",
            "2",
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6",
        ),
        (
            "1. Nf3 Nf6",
            "2",
            "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 3 2",
        ),
    ];
    let not_quite = [
        (
            "1. Nf3 Nf6",
            "2",
            "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 3",
        ),
        (
            "1. Nf3 Nf6",
            "2",
            "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 02 2",
        ),
        (
            "1. Nf3 Nf6",
            "2",
            "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 65536 2",
        ),
        (
            "1. Nf3 Nf6",
            "2",
            "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2 ",
        ),
        (
            "1. Nf3 Nf6",
            "2",
            "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq e3",
        ),
        (
            "1. Nf3 Nf6",
            "2",
            "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2",
        ),
    ];
    let usual = ends.iter().chain(&ends).chain(&forms).chain(&forms);
    let text: String = usual.chain(&strange).chain(&not_quite).map(game).collect();
    round_trip(text.as_bytes());
    let mixed = [&ends[..], &forms].concat();
    for (games, max) in [(&ends[..], 10), (&mixed, 300)] {
        let regular: String = games.iter().cycle().take(300).map(game).collect();
        let encoded = encode(regular.into_bytes(), &Options::default()).unwrap();
        let block = Block::open(&encoded.bytes).unwrap();
        for (name, max) in [("PlyCount", 10), ("CurrentPosition", max)] {
            let columns = &block.head().columns;
            let column = columns
                .iter()
                .find(|c| block.column_name(c) == name)
                .unwrap();
            let bytes: usize = column.streams.iter().map(|s| s.stream_len()).sum();
            assert!(bytes < max, "{name}: {bytes} bytes for 300 games");
        }
    }
}

#[test]
fn repeated_games_round_trip_and_take_little_space() {
    let text = repeated_games();
    let (repeated, _) = round_trip(text.as_bytes());
    let packed = |text: &str, coding| {
        let options = Options {
            coding,
            ..Options::default()
        };
        let encoded = encode(text.as_bytes().to_vec(), &options).unwrap();
        encoded.bytes.len()
    };
    let mut once: Vec<&str> = text.split_inclusive("[Event ").collect();
    once.dedup();
    assert!(once.len() * 3 < repeated * 2, "{} {repeated}", once.len());
    let [all, once] = [&text, &once.concat()].map(|text| packed(text, Coding::Weighted));
    assert!(all * 10 < once * 12, "{all} {once}");
    // A game with another move or another clock is not a duplicate.
    for (part, other) in [("1. e4 ", "1. d4 "), ("%clk 0:00", "%clk 0:59")] {
        let at = text.rfind(part).unwrap();
        round_trip(format!("{}{other}{}", &text[..at], &text[at + part.len()..]).as_bytes());
    }
}

#[test]
fn round_trips_malformed_pgn() {
    let texts: &[&[u8]] = &[
        b"",
        b"\n",
        b"\r",
        b"\0",
        b"\xef\xbb\xbf",
        b"\xef\xbb\xbf[Event \"x\"]\n\n1. e4 *\n",
        b"[Event \"x\"]",
        b"[Event \"x\"]\n",
        b"[Event \"x",
        b"[Event",
        b"[",
        b"[]\n[ ]\n[\"\"]\n[a]\n[a ]\n[a \"]\n[a \"\"",
        b"[Event \"quo\\\"ted \\\\ \"]\n\n*\n",
        b"[Event \"x\"] [Site \"y\"]\n\n1. e4 *\n",
        b"[Event  \"x\" ]\n[ Site \"y\"]\n\n1. e4 *\n",
        b"[White \"M\xfcller\"]\n[Black \"\xff\xfe\0\"]\n\n1. e4 *\n",
        b"%escaped\n[Event \"x\"]\n%\n\n1. e4\n% more\ne5 *\n%",
        b"; a comment\n[Event \"x\"]\n\n1. e4 ; more\ne5 ;",
        b"1. e4 e5 2. Nf3 *",
        b"1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n",
        b"e4 e5 Nf3",
        b"[Event \"x\"]\n\n1. e4 {never closed",
        b"[Event \"x\"]\n\n1. e4 (1. d4 (1. c4 {",
        b"[Event \"x\"]\n\n1. e4 ) 1... e5 } 2. Nf3\n",
        b"[Event \"x\"]\n\n1. e4 {[Event \"y\"]\n\n1. d4} e5 *\n",
        b"[Event \"x\"]\n\n1. e4 e5 2. Ke3 Ke7 3. O-O *\n",
        b"[Event \"x\"]\n\n1. e4 -- 2. d4 Z0 3. 0000 null *\n",
        b"[Event \"x\"]\n\n1. e2e4 e7-e5 2. Ng1-f3 Nb8c6 3. 0-0 o-o *\n",
        b"[Event \"x\"]\n\n1. Nb1d2 e5 2. e4! e4? 3. Qh5?? g6 4. Qxg6+ exd5e.p. *\n",
        b"[Event \"x\"]\n\n17. e4 e5 3. Nf3 ... Nc6 1...... a6 *\n",
        b"[Event \"x\"]\n\n1. e4 $ $256 $999999999999999999999 $-1 *\n",
        b"[Event \"x\"]\n\n99999999999999999999. e4 4294967296. e5 *\n",
        b"[Event \"x\"]\n\n1. e4 1-0 e5 0-1 * 1/2-1/2 *\n",
        b"*x",
        b"[Event \"x\"]\n\n1. e4 *e5 **1-0 1-0* 1/2 1/2-1/22 *\n",
        b"[Event \"x\"]\n\n1. e4   e5\t2. Nf3\x0b\x0cNc6\x00*\n",
        b"[Event \"x\"]\r\n\n1. e4 \r e5\n\r\r\n*\r\n",
        b"[Event \"x\"]\n\n\n\n\n1. e4 *\n\n\n\n\n\n\n[Event \"y\"]\n*\n",
        b"[Result \"*\"]\n1. e4 1-0\n[Result \"1-0\"]\n1. e4 1-0\n[Result \"\"]\n\n[Result \"x\"]\n x",
        b"[UTCDate \"2013.01.01\"]\n[UTCTime \"24:61:99\"]\n[WhiteElo \"-1\"]\n[BlackElo \"0001\"]\n[WhiteRatingDiff \"+007\"]\n\n*\n",
        b"[Site \"https://lichess.org/\"]\n\n*\n[Site \"https://lichess.org/abcdefgh\"]\n\n*\n[Site \"\n\"]\n\n*\n",
        b"PK\x03\x04 a zip, not games",
        b"{\"pgn\": \"[Event \\\"x\\\"]\"}\n",
    ];
    for text in texts {
        round_trip(text);
        round_trip(&text.repeat(3));
    }
    for text in texts {
        round_trip(&[&games(2)[..], text, &games(1)].concat());
    }
    round_trip(&texts.concat());
}

#[test]
fn round_trips_every_special_byte_at_every_place_of_a_game() {
    let game = b"[Event \"x\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n\
        1. e4 {c} <b> (1. e3 <i>) &lt; N Kd7 $1 1-0 FF\n\n";
    for at in 0..game.len() {
        let mut text = Vec::new();
        for byte in *b"\0\x01\x02\x03\x04\x05\x06\x07\x1f\n\r \"[]{}();%.*0e\\\xff" {
            text.extend_from_slice(&game[..at]);
            text.push(byte);
            text.extend_from_slice(&game[at..]);
            text.extend_from_slice(&game[..at]);
            text.push(byte);
            text.extend_from_slice(&game[at + 1..]);
        }
        round_trip(&text);
    }
}

#[test]
fn a_game_of_five_thousand_plies_is_modelled() {
    let knights: String = (1..=2500)
        .map(|n| {
            let moves = if n % 2 == 1 { "Nf3 Nf6" } else { "Ng1 Ng8" };
            format!("{n}. {moves} ")
        })
        .collect();
    let game = format!("{TAGS}{knights}*\n\n");
    assert_eq!(round_trip(game.as_bytes()), (1, 5000));
}

#[test]
fn round_trips_every_prefix_and_suffix_of_games() {
    let text = games(2);
    for len in (0..text.len().min(1500)).step_by(cases(5, 1)) {
        round_trip(&text[..len]);
        round_trip(&text[len..]);
    }
}

/// Tokens of PGN, and some that are not PGN.
const TOKENS: &[&[u8]] = &[
    b"[Event \"x\"]\n",
    b"[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n",
    b"[Variant \"Chess960\"]\n",
    b"[Variant \"Atomic\"]\n",
    b"[Result \"1-0\"]\n",
    b"[White \"",
    b"\"]",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b"\n",
    b"\n\n",
    b"\r\n",
    b"\r",
    b" ",
    b"  ",
    b"\t",
    b"{",
    b"}",
    b"(",
    b")",
    b";",
    b"%",
    b"$1",
    b"$",
    b"1.",
    b"1. ",
    b"1... ",
    b"2. ",
    b"...",
    b"17.",
    b"e4 ",
    b"e5 ",
    b"Nf3 ",
    b"e2e4 ",
    b"g1f3 ",
    b"e1g1 ",
    b"Nc6 ",
    b"d4 ",
    b"exd4 ",
    b"Bb5 ",
    b"a6",
    b"O-O ",
    b"O-O-O ",
    b"0-0",
    b"Nbd2",
    b"e8=Q",
    b"!",
    b"?!",
    b"+",
    b"#",
    b"--",
    b"Z0",
    b"1-0",
    b"0-1\n\n",
    b"1/2-1/2",
    b"*",
    b"{ [%eval 0.24] }",
    b"{ [%clk 0:01:02] } ",
    b"{[%clk 0:00:59.9]}",
    b"\xef\xbb\xbf",
    b"\0",
    b"\x05",
    b"<b>",
    b"<i",
    b">",
    b"&lt;",
    b"\xff",
    b"\xfc",
    b"x",
    b"[Site \"https://lichess.org/abcdefgh\"]\n",
    b"[UTCDate \"2013.01.31\"]\n",
    b"[UTCTime \"23:59:59\"]\n",
    b"[WhiteElo \"1500\"]\n",
    b"[BlackElo \"?\"]\n",
    b"[WhiteRatingDiff \"+5\"]\n",
    b"[ECO \"C00\"]\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(300, 1500), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn round_trips_random_sequences_of_tokens(tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..80)) {
        round_trip(&tokens.concat());
    }

    #[test]
    fn round_trips_games_with_random_tokens_inserted(
        places in prop::collection::vec((0..2000_usize, 0..3_usize, prop::sample::select(TOKENS)), 0..8)
    ) {
        let mut text = games(3);
        for (at, lost, token) in places {
            let at = at.min(text.len());
            let end = (at + lost).min(text.len());
            text.splice(at..end, token.iter().copied());
        }
        round_trip(&text);
    }

    #[test]
    fn round_trips_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        round_trip(&bytes);
    }
}
