//! Does a block round-trip any text?

use ign_format::{
    block::{
        Coding,
        decode::Block,
        encode::{Encoded, Options, encode},
    },
    container::MAX_BLOCK_VALUES,
};
use ign_notation::signature::Signature;

/// Encodes in every coding, decodes and compares. Returns the block in plain coding.
fn round_trip(text: &[u8]) -> Encoded {
    let [plain, others @ ..] = [Coding::Ign, Coding::IgnEnd, Coding::Weighted].map(|coding| {
        let options = Options {
            coding,
            verify: false,
            ..Options::default()
        };
        let encoded = encode(text.to_vec(), &options).unwrap();
        let again = Block::open(&encoded.bytes).unwrap().text().unwrap();
        assert!(
            again == text,
            "{} bytes do not round-trip as {}",
            text.len(),
            coding.name()
        );
        encoded
    });
    for other in others {
        assert_eq!(signatures(&plain), signatures(&other));
    }
    plain
}

fn signatures(packed: &Encoded) -> Vec<Signature> {
    Block::open(&packed.bytes).unwrap().signatures().unwrap()
}

#[test]
fn round_trips_text_that_is_not_pgn() {
    for text in [
        &b""[..],
        b"\n",
        b"x",
        b"[",
        b"[A \"",
        b"\0\x01\x1f",
        b"\xef\xbb\xbf",
        b"1-0",
        b"(;GM[1]FF[4])\n",
    ] {
        assert_eq!(round_trip(text).games, 0, "{}", text.escape_ascii());
    }
    let noise: Vec<u8> = (0..50_000u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    round_trip(&noise);
}

#[test]
fn round_trips_control_characters_in_movetext() {
    let game = round_trip(b"[Event \"x\"]\n\n1. e4 \x01 e5\x1f 2. Nf3 \0 *\n");
    assert_eq!(
        (game.games, game.plies, game.not_understood.total()),
        (1, 3, 0)
    );
}

#[test]
fn round_trips_more_tags_than_the_table_holds() {
    // Each record has a tag name of its own until there are too many, then many short records
    // follow.
    let mut text = String::new();
    for i in 0..5000 {
        text += &format!("[T{i} \"\"]\n\n*\n\n");
    }
    text += &"[T0 \"\"]\n\n*\n\n".repeat(10_000);
    let block = round_trip(text.as_bytes());
    let head = Block::open(&block.bytes).unwrap().head().clone();
    assert!((head.records * head.tag_names.len()) as u64 <= MAX_BLOCK_VALUES);
    assert!(head.games > 1000);
    // The rest is one record without a game, and counted.
    let read = text.len() - block.unread;
    assert_eq!(text[..read].matches("[T").count(), head.games);
    assert!(block.unread > 0);
}

#[test]
fn counts_games_without_tags() {
    let text = b"1. e4 e5 2. Nf3 1-0\n1. d4 d5 0-1\n\n1. c4 *\n";
    let block = round_trip(text);
    assert_eq!((block.games, block.plies), (3, 6));
}

#[test]
fn round_trips_everything_between_moves() {
    let text = "[Event \"x\"]\n[Result \"1-0\"]\n\n{before} 1. e4! $1 {a} ( 1. d4 {b (c} (1. c4) ) 1... e5?? ; to the end\n\
                2.Nf3\tNc6 {[%clk 0:01:00]} 3. Bb5 1-0 \n\n\n";
    let block = round_trip(text.as_bytes());
    assert_eq!((block.plies, block.not_understood.total()), (5, 0));
}

#[test]
fn moves_end_at_the_first_illegal_move() {
    let block = round_trip(b"[Event \"x\"]\n\n1. e4 e5 2. Ke3 Nc6 3. Nf3 *\n");
    assert_eq!((block.plies, block.not_understood.total()), (2, 1));
}

#[test]
fn adversarial_texts_are_not_slow() {
    let started = std::time::Instant::now();
    // One record with many tags; many records with a tag list of their own.
    let many: String = (0..100_000).map(|i| format!("[T{i} \"\"]\n")).collect();
    round_trip(many.as_bytes());
    let mut lists = String::new();
    for i in 0..60_000u32 {
        let order = |place: u32| (i >> (2 * place) & 3) * 10 + place;
        lists += &(0..8)
            .map(|place| format!("[T{} \"\"]\n", order(place)))
            .collect::<String>();
        lists += "\n*\n\n";
    }
    round_trip(lists.as_bytes());
    for unit in [
        "{",
        "(",
        "[",
        "[A \"",
        "1.",
        "\n1.",
        "* ",
        "*\n1.",
        " [Event \"",
        ";",
        "\r[",
        "\n[",
    ] {
        round_trip(unit.repeat(1_000_000 / unit.len()).as_bytes());
    }
    assert!(started.elapsed().as_secs() < 120, "{:?}", started.elapsed());
}
