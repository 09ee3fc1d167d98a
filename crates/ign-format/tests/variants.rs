//! Are games of variants packed as moves, by their own rules, in every coding?

use ign_format::block::{
    Coding,
    decode::Block,
    encode::{Options, encode},
};
use ign_testing::variant_games;

#[test]
fn every_move_of_every_variant_is_packed_as_a_move() {
    let text = variant_games(4);
    let plies: usize = text
        .lines()
        .filter(|line| line.ends_with("1-0"))
        .map(|line| line.split(' ').filter(|word| !word.contains('.')).count() - 1)
        .sum();
    for &coding in Coding::ALL {
        for verify in [false, true] {
            let options = Options {
                coding,
                verify,
                ..Options::default()
            };
            let packed = encode(text.clone().into_bytes(), &options).unwrap();
            assert_eq!(
                (packed.not_understood.total(), packed.plies),
                (0, plies as u64)
            );
            let block = Block::open(&packed.bytes).unwrap();
            assert_eq!(block.text().unwrap(), text.as_bytes(), "{coding:?}");
        }
    }
}

#[test]
fn pawn_drops_without_a_letter_are_packed_as_moves() {
    let text = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. @e6 P@d3 4. exf7+ *\n\n";
    for &coding in Coding::ALL {
        let options = Options {
            coding,
            ..Options::default()
        };
        let packed = encode(text.into(), &options).unwrap();
        assert_eq!((packed.not_understood.total(), packed.plies), (0, 7));
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
