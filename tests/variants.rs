//! Tests that games of variants are packed as moves, by their own rules, in every coding, and can
//! be found.

mod util;

use ign_format::block::{
    Coding,
    decode::Block,
    encode::{Options, encode},
};
use util::{Folder, variant_games};

#[test]
fn every_move_of_every_variant_is_packed_as_a_move() {
    let text = variant_games(4);
    let plies: usize = text
        .lines()
        .filter(|line| line.ends_with("1-0"))
        .map(|line| line.split(' ').filter(|word| !word.contains('.')).count() - 1)
        .sum();
    for coding in Coding::ALL {
        for verify in [false, true] {
            let options = Options {
                coding,
                verify,
                ..Options::default()
            };
            let packed = encode(text.clone().into_bytes(), &options).unwrap();
            assert_eq!((packed.partly_text.games, packed.plies), (0, plies as u64));
            let block = Block::open(&packed.bytes).unwrap();
            assert_eq!(block.text().unwrap(), text.as_bytes(), "{coding:?}");
        }
    }
}

#[test]
fn pawn_drops_without_a_letter_are_packed_as_moves() {
    let text = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. @e6 P@d3 4. exf7+ *\n\n";
    for coding in Coding::ALL {
        let options = Options {
            coding,
            ..Options::default()
        };
        let packed = encode(text.into(), &options).unwrap();
        assert_eq!((packed.partly_text.games, packed.plies), (0, 7));
        let block = Block::open(&packed.bytes).unwrap();
        assert_eq!(block.text().unwrap(), text.as_bytes(), "{coding:?}");
    }
}

#[test]
fn illegal_moves_of_a_variant_are_stored_as_text() {
    for (variant, moves, plies) in [
        // No drops without a capture, no castling in Antichess, no capture by a king in Atomic.
        ("Crazyhouse", "1. e4 e5 2. P@e6 d6 *", 2),
        ("Antichess", "1. Nf3 a6 2. g3 a5 3. Bg2 a4 4. O-O a3 *", 6),
        ("Atomic", "1. e4 e5 2. Bc4 Qf6 3. Bxf7+ Kxf7 *", 5),
        (
            "King of the Hill",
            "1. e4 d6 2. Ke2 d5 3. Ke3 a6 4. Kd4# dxe4 *",
            7,
        ),
        ("Seirawan", "1. e4 e5 *", 0),
    ] {
        let text = format!("[Variant \"{variant}\"]\n\n{moves}\n\n");
        let packed = encode(text.clone().into_bytes(), &Options::default()).unwrap();
        assert_eq!(packed.plies, plies, "{variant}");
        let block = Block::open(&packed.bytes).unwrap();
        assert_eq!(block.text().unwrap(), text.as_bytes());
    }
}

#[test]
fn finds_games_of_variants_by_signature_but_not_by_opening() {
    // Ply 20 is a drop on e6.
    let house = "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8 4. Nb1 Nf6 5. Nc3 Ng8 6. Nb1 Nf6 7. Nc3 Ng8 \
                 8. Nb1 Nf6 9. Nc3 Ng8 10. Nb1 P@e6 *";
    let game = |tags: &str, moves: &str| format!("[Event \"x\"]\n{tags}\n{moves}\n\n");
    let text = game("[Variant \"Crazyhouse\"]\n", house) + &game("", "1. e4 d5 2. exd5 *");
    let folder = Folder::with("a.pgn", &text);
    for coding in ["ign", "ign-end", "weighted"] {
        folder
            .ign(&["pack", "-f", "--coding", coding, "a.pgn"])
            .done();
        folder.ign(&["verify", "a.ign"]).done();
        let found = folder.ign(&["find", "a.ign", "--signature", "A=e6????", "--pgn"]);
        assert_eq!(
            found.done(),
            game("[Variant \"Crazyhouse\"]\n", house).as_bytes()
        );
        let found = folder.ign(&["find", "a.ign", "--opening", "1. e4 d5"]);
        assert_eq!(found.done(), b"2\n", "{coding}");
        let stats = folder.ign(&["stats", "--json", "a.ign"]).done();
        assert!(!stats.is_empty());
    }
}
