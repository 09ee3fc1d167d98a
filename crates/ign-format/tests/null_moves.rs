//! Tests of null moves in the main line: which words are null moves, and that the games round-trip.

use ign_format::block::{
    Coding,
    decode::Block,
    encode::{Options, encode},
    transcode,
};
use ign_notation::chess::Move;
use ign_testing::{cases, null_games, parts_round_trip};
use proptest::prelude::*;

fn packed(text: &str, coding: Coding) -> Vec<u8> {
    let options = Options {
        coding,
        ..Options::default()
    };
    let encoded = encode(text.as_bytes().to_vec(), &options).unwrap();
    assert!(!encoded.is_fallback, "{coding:?}: {text}");
    encoded.bytes
}

/// The moves of all games, after the text has been compared.
fn moves_of(bytes: &[u8], text: &str) -> Vec<Vec<Move>> {
    let block = Block::open(bytes).unwrap();
    assert_eq!(String::from_utf8(block.text().unwrap()).unwrap(), text);
    let records = block.records().unwrap();
    let mut games = Vec::new();
    block
        .walk_moves(
            &records,
            |_| true,
            |_, _, moves| {
                games.push(moves.to_vec());
                Ok(())
            },
        )
        .unwrap();
    // A game alone has the same moves as among the others.
    for (record, moves) in records.games().zip(&games) {
        let alone = block.move_lists(&records, |other| other == record).unwrap();
        assert_eq!(alone.of(record), Some(&moves[..]));
    }
    games
}

/// Packs a text in each coding and returns the moves, which are equal in all.
#[track_caller]
fn round_trip(text: &str) -> Vec<Vec<Move>> {
    let archives =
        [Coding::Ign, Coding::IgnEnd, Coding::Weighted].map(|coding| packed(text, coding));
    let games = archives.each_ref().map(|bytes| moves_of(bytes, text));
    assert!(games.iter().all(|other| *other == games[0]));
    for bytes in &archives {
        parts_round_trip(&Block::open(bytes).unwrap(), text.as_bytes());
        // Integers with end moves are packed from the text.
        for (coding, expected) in Coding::ALL.iter().copied().zip(&archives) {
            let options = Options {
                coding,
                ..Options::default()
            };
            let recoded = transcode(bytes, &[], &options).unwrap();
            assert!(!recoded.is_fallback && recoded.bytes == *expected);
        }
    }
    let [games, ..] = games;
    games
}

/// The moves of a game in UCI notation.
fn uci(movetext: &str) -> String {
    let games = round_trip(movetext);
    let moves = games.first().into_iter().flatten().map(|m| m.uci());
    moves.collect::<Vec<_>>().join(" ")
}

#[test]
fn null_moves_are_moves_of_the_game() {
    for (movetext, moves) in [
        ("1. -- e5 2. -- -- *", "0000 e7e5 0000 0000"),
        (
            "1. e4 -- 2. Nf3 Z0 3. Bc4 @@@@ 4. O-O --",
            "e2e4 0000 g1f3 0000 f1c4 0000 e1g1 0000",
        ),
        (
            "1. e4 {c} -- $1 2. d4 --!? (2... d5) 3. c4 --{c}(3... c5)*",
            "e2e4 0000 d2d4 0000 c2c4 0000",
        ),
        ("1.-- 1...Z0 2.@@@@ 2...-- 1/2-1/2", "0000 0000 0000 0000"),
        // The pawn that has just advanced may be captured in passing, but not after a null move.
        ("1. e4 -- 2. e5 d5 3. exd6 *", "e2e4 0000 e4e5 d7d5 e5d6"),
        (
            "1. e4 a6 2. e5 d5 3. -- -- 4. exd6 *",
            "e2e4 a7a6 e4e5 d7d5 0000 0000",
        ),
        // A side in check cannot pass; the text goes on, but not the moves.
        ("1. e4 f6 2. Qh5+ -- 3. a3 *", "e2e4 f7f6 d1h5"),
        ("1. e4 f6 2. Qh5+ Z0 3. a3 *", "e2e4 f7f6 d1h5"),
        ("1. e4 f6 2. Qh5+ @@@@ 3. a3 *", "e2e4 f7f6 d1h5"),
        // Nor is this a null move.
        ("1. e4 --- *", "e2e4"),
        ("1. e4 --e5 *", "e2e4 e7e5"),
        ("1. e4 Z00 2. d4 *", "e2e4"),
        ("1. e4 @@@ *", "e2e4"),
        ("1. e4 @@@@@ *", "e2e4"),
        ("1. e4 (1. -- e5) (1. d4 -- 2. c4) e5 *", "e2e4 e7e5"),
        ("[Variant \"Crazyhouse\"]\n\n1. e4 -- 2. d4 *", "e2e4"),
        ("[Variant \"Atomic\"]\n\n1. e4 Z0 2. d4 *", "e2e4"),
        // A side that has no legal move but is not in check may pass.
        (
            "[FEN \"7k/5Q2/8/8/8/8/8/K7 b - - 0 1\"]\n\n1... -- 2. Qg7# *",
            "0000 f7g7",
        ),
        // A king on a1 keeps its castling right.
        (
            "[FEN \"k7/8/8/8/8/8/8/K6R w H - 0 1\"]\n\n1. -- Kb8 2. -- Ka8 3. O-O *",
            "0000 a8b8 0000 b8a8 a1h1",
        ),
        ("1. e2e4 -- 2. d2d4 d7d5 *", "e2e4 0000 d2d4 d7d5"),
        ("1. -- e7e5 2. d2d4 -- *", "0000 e7e5 d2d4 0000"),
    ] {
        assert_eq!(uci(movetext), moves, "{movetext}");
        assert_eq!(
            uci(&format!("[Event \"x\"]\r\n\r\n{movetext}\r\n\r\n")).is_empty(),
            moves.is_empty()
        );
    }
}

#[test]
fn null_moves_at_the_plies_of_the_signature_are_a1() {
    let text = format!("{} *\n", "-- ".repeat(75));
    for &coding in Coding::ALL {
        let bytes = packed(&text, coding);
        let block = Block::open(&bytes).unwrap();
        assert_eq!(block.signatures().unwrap(), [[Some(0); 6]]);
        assert_eq!(block.head().plies, 75);
    }
}

#[test]
fn a_game_of_null_moves_has_at_most_the_greatest_number_of_plies() {
    let text = format!("{}*\n", "-- ".repeat(65_536 + 3));
    for &coding in Coding::ALL {
        let bytes = packed(&text, coding);
        let block = Block::open(&bytes).unwrap();
        assert_eq!(block.head().plies, 65_536);
        assert_eq!(block.text().unwrap(), text.as_bytes());
    }
}

#[test]
fn generated_games_round_trip_with_all_their_null_moves() {
    let text = null_games(cases(80, 400), 1);
    let games = round_trip(&text);
    let counted = text.lines().filter_map(|line| {
        let value = line.strip_prefix("[PlyCount \"")?;
        value.strip_suffix("\"]")?.parse::<usize>().ok()
    });
    assert!(games.iter().map(Vec::len).eq(counted));
    let has = |place: &dyn Fn(&[Move]) -> bool| games.iter().any(|moves| place(moves));
    assert!(has(&|moves| moves[0].is_null()));
    assert!(has(&|moves| moves[moves.len() - 1].is_null()));
    assert!(has(&|moves| moves
        .windows(2)
        .any(|two| two[0].is_null() && two[1].is_null())));
    assert!(has(&|moves| moves.iter().all(|played| !played.is_null())));
    // The numbers of plies and the last positions follow from the moves.
    let bytes = packed(&text, Coding::Weighted);
    let block = Block::open(&bytes).unwrap();
    let table = block
        .table(
            &block.records().unwrap(),
            Some(&["PlyCount", "CurrentPosition"]),
        )
        .unwrap();
    for name in ["PlyCount", "CurrentPosition"] {
        let tag = table.tag(name.as_bytes()).unwrap();
        assert!((0..games.len()).all(|row| table.value(tag, row).is_none()));
    }
}

#[test]
fn a_damaged_column_is_an_error_or_the_same_games() {
    let text = null_games(12, 3);
    let moves = |block: &Block| block.move_lists(&block.records()?, |_| true);
    for &coding in Coding::ALL {
        let bytes = packed(&text, coding);
        let expected = moves(&Block::open(&bytes).unwrap()).unwrap();
        let mut errors = 0;
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            let Ok(block) = Block::open(&damaged) else {
                errors += 1;
                continue;
            };
            match block.text() {
                Ok(same) => assert!(same == text.as_bytes(), "{coding:?}: byte {at}"),
                Err(_) => errors += 1,
            }
            if let Ok(same) = moves(&block) {
                assert!(same == expected, "{coding:?}: byte {at}");
            }
        }
        // The bytes that no text follows from are those of signatures and unmoved pawns.
        assert!(errors * 2 > bytes.len(), "{coding:?}: {errors} errors");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(24, 256)))]

    #[test]
    fn games_with_random_null_moves_round_trip(seed in any::<u64>(), count in 1..6usize) {
        round_trip(&null_games(count, seed));
    }
}
