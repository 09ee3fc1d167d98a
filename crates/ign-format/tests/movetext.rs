//! Is movetext in the forms of people and of other programs read as moves, and does each byte come
//! back?

use ign_format::block::{
    Coding,
    decode::Block,
    encode::{Options, encode},
};
use proptest::prelude::*;

/// Whether all of a movetext is understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Read {
    All,
    Part,
}
use Read::{All, Part};

/// The moves of movetext from the usual start.
fn read(movetext: &[u8]) -> (String, Read) {
    read_text(&[b"[Event \"x\"]\n\n", movetext].concat())
}

/// Packs a game, unpacks it, and returns its moves in UCI notation and how much was understood.
fn read_text(game: &[u8]) -> (String, Read) {
    let mut text = game.to_vec();
    // Another game follows, so that what the first leaves behind is noticed.
    text.extend_from_slice(b"\n\n[Event \"y\"]\n\n1. e4 e5 2. Nf3 (2. f4) 2... Nc6 *\n");
    let coding = Coding::Weighted;
    let options = Options {
        coding,
        ..Options::default()
    };
    let encoded = encode(text.clone(), &options).unwrap();
    assert!(!encoded.is_fallback, "{}", game.escape_ascii());
    let block = Block::open(&encoded.bytes).unwrap();
    let again = block.text().unwrap();
    assert!(again == text, "{}", game.escape_ascii());
    let records = block.records().unwrap();
    let mut games = Vec::new();
    let keep = |_, _: &_, moves: &[ign_notation::chess::Move]| {
        games.push(moves.iter().map(|m| m.uci()).collect::<Vec<_>>().join(" "));
        Ok(())
    };
    block.walk_moves(&records, |_| true, keep).unwrap();
    // Tags after an open brace are a part of the comment.
    if !game.contains(&b'{') {
        assert_eq!(games.last().unwrap(), "e2e4 e7e5 g1f3 b8c6");
    }
    let kept = block.keeps_text(&records).unwrap();
    let games_kept = (0..kept.len()).filter(|&record| kept[record] && records.is_game(record));
    // A tag line may not be understood either.
    assert!(games_kept.count() as u64 <= encoded.not_understood.total());
    let part = if kept[0] { Part } else { All };
    (games.swap_remove(0), part)
}

#[test]
fn every_form_of_movetext_is_read() {
    for form in ign_testing::forms() {
        let (moves, part) = read_text(form.text.as_bytes());
        assert_eq!(moves, form.moves, "{}", form.text);
        if let Some(is_understood) = form.is_understood {
            assert_eq!(part == All, is_understood, "{}", form.text);
        }
    }
    // Latin-1.
    let castling = b"[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O\x96O Kd7 *";
    assert_eq!(read_text(castling), ("e1g1 e8d7".into(), All));
}

#[test]
fn bytes_with_a_meaning_in_templates_cost_no_move() {
    for byte in 0..=0x1f {
        let moves = "e2e4 e7e5 g1f3";
        for text in [
            &b"1. e4 e5 2. Nf3 1-0~~~~~~~~~~~~~~~~~~~~~~~"[..],
            b"~1. e4 ~ e5 ~~2. Nf3~ 1-0\n",
            b"1. e4 e5 {a ~ b} 2. Nf3 (2. f4 ~ exf4 {~}) 1-0\n",
            b"1. e4 e5 2.~Nf3 ;~\n 1-0 ;~",
            b"1. e4 novelty~ e5 2. Nf3",
        ] {
            let text: Vec<u8> = text
                .iter()
                .map(|&c| if c == b'~' { byte } else { c })
                .collect();
            let found = read(&text);
            // A line comment ends at a line end, after which its text is no comment.
            assert_eq!(found, (moves.into(), All), "{}", text.escape_ascii());
        }
    }
    let padding = [&b"1. e4 e5 1-0"[..], &[0; 4000]].concat();
    assert_eq!(read(&padding), ("e2e4 e7e5".into(), All));
    let blanks = [&b"1. e4"[..], &[b' '; 4000], b"e5 1-0", &[b'\n'; 4000]].concat();
    assert_eq!(read(&blanks), ("e2e4 e7e5".into(), All));
}

#[test]
fn long_movetext_of_odd_words_is_not_slow() {
    let started = std::time::Instant::now();
    for unit in [
        "N ",
        "{{} x ",
        "{{}} x ",
        "{a {b} c} ",
        "0-0 ",
        "( ",
        "(x) ",
        "Sf3 ",
        "&x",
        "<x",
        "1/2 ",
        "\0 ",
        "Nf3 N Nf6 Ng1 {{} x Ng8 ",
        "Sf3 Sf6 Sg1 Sg8 ",
        "Pf3 ",
        "Pf3 Pf6 Pg1 Pg8 ",
        "; x\n",
        "1-0 ",
        "Nf3 Nf6 Ng1 Ng8 {{} ",
    ] {
        let text = unit.repeat(300_000 / unit.len());
        read(text.as_bytes());
    }
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}

proptest! {
    #[test]
    fn any_sequence_of_odd_pieces_comes_back(
        text in "( |1\\.|2\\. |2\\.\\.\\. |e4|e5|Nf3|Nc6|Sf3|Pf3|Lb5|Кf3|[{}();$&<>=:]|0-0|O–O|N |TN |good |\
                 1-0|1:0|½-½|\u{0}|\u{1}|\u{6}|\u{1f}|\n|\r\n|&nbsp;|<br>|ed|x| {3}){0,40}"
    ) {
        read(text.as_bytes());
    }
}
