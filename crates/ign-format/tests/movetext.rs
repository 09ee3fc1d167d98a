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

/// A position with the most odd moves: promotions, captures by files, en passant, castling.
const ODD: &str = "r3k2r/1P4p1/2q5/3pP3/8/2p5/1B3P2/R3K2R w KQkq d6 0 12";
/// Black is mated by the queen on f7.
const MATE: &str = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";

/// Packs a game, unpacks it, and returns its moves in UCI notation and how much was understood.
fn read(fen: &str, movetext: &[u8]) -> (String, Read) {
    let mut text = b"[Event \"x\"]\n".to_vec();
    if !fen.is_empty() {
        text.extend_from_slice(format!("[FEN \"{fen}\"]\n").as_bytes());
    }
    text.push(b'\n');
    text.extend_from_slice(movetext);
    // Another game follows, so that what the first leaves behind is noticed.
    text.extend_from_slice(b"\n\n[Event \"y\"]\n\n1. e4 e5 2. Nf3 (2. f4) 2... Nc6 *\n");
    let coding = Coding::Weighted;
    let options = Options {
        coding,
        ..Options::default()
    };
    let encoded = encode(text.clone(), &options).unwrap();
    assert!(!encoded.is_fallback, "{}", movetext.escape_ascii());
    let block = Block::open(&encoded.bytes).unwrap();
    let again = block.text().unwrap();
    assert!(again == text, "{}", movetext.escape_ascii());
    let records = block.records().unwrap();
    let mut games = Vec::new();
    let keep = |_, _: &_, moves: &[ign_notation::chess::Move]| {
        games.push(moves.iter().map(|m| m.uci()).collect::<Vec<_>>().join(" "));
        Ok(())
    };
    block.walk_moves(&records, |_| true, keep).unwrap();
    // Tags after an open brace are a part of the comment.
    if !movetext.contains(&b'{') {
        assert_eq!(games.last().unwrap(), "e2e4 e7e5 g1f3 b8c6");
    }
    let kept = block.keeps_text(&records).unwrap();
    let games_kept = (0..kept.len()).filter(|&record| kept[record] && records.is_game(record));
    assert_eq!(games_kept.count() as u64, encoded.not_understood.total());
    let part = if kept[0] { Part } else { All };
    (games.swap_remove(0), part)
}

fn check(cases: &[(&str, &str, &str, Read)]) {
    for &(fen, movetext, moves, part) in cases {
        let (found, understood) = read(fen, movetext.as_bytes());
        assert_eq!((found.as_str(), understood), (moves, part), "{movetext}");
    }
}

#[test]
fn forms_of_moves_that_people_write_are_read() {
    let italian = "e2e4 e7e5 g1f3 b8c6";
    check(&[
        (ODD, "12. exd6ep *", "e5d6", All),
        (ODD, "12. exd6 e.p. Kd7 *", "e5d6 e8d7", All),
        (ODD, "12. exd6e.p. *", "e5d6", All),
        (ODD, "12. bxa8(Q)+ *", "b7a8q", All),
        (ODD, "12. bxa8/Q *", "b7a8q", All),
        (ODD, "12. bxa8=(N) *", "b7a8n", All),
        (ODD, "12. bxa8(=N) *", "b7a8n", All),
        (ODD, "12. b8Q+ *", "b7b8q", All),
        (ODD, "12. b8=q *", "b7b8q", All),
        (ODD, "12. b8q *", "b7b8q", All),
        (ODD, "12. b8 *", "", Part),
        (ODD, "12. Pe6 *", "e5e6", All),
        (ODD, "12. Pexd6 *", "e5d6", All),
        (ODD, "12. Pf2-f4 *", "f2f4", All),
        (ODD, "12. ed *", "e5d6", All),
        (ODD, "12. exd *", "e5d6", All),
        (ODD, "12. e:d6 *", "e5d6", All),
        (ODD, "12. e5xd6 *", "e5d6", All),
        (ODD, "12. ba8Q *", "b7a8q", All),
        (ODD, "12. B2xc3 *", "b2c3", All),
        (ODD, "12. B:c3 *", "b2c3", All),
        (ODD, "12. Bb2:c3 *", "b2c3", All),
        (ODD, "12. Bb2-c3 *", "b2c3", All),
        (ODD, "12. b2-c3 *", "b2c3", All),
        (ODD, "12. B2C3 *", "b2c3", All),
        (ODD, "12. E5E6 *", "e5e6", All),
        (ODD, "12. B7-A8q *", "b7a8q", All),
        (ODD, "12. bxc3 *", "", Part),
        (ODD, "12. Bc4 *", "", Part),
        (
            "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1",
            "1. ed *",
            "e4d5",
            All,
        ),
        // Two pawns can be taken by e.
        ("4k3/8/3p4/3pP3/4P3/8/8/4K3 w - - 0 1", "1. ed *", "", Part),
        (MATE, "4. Qxf7mate", "h5f7", All),
        (MATE, "4. Qxf7 mate *", "h5f7", All),
        (MATE, "4. Qxf7++ *", "h5f7", All),
        (MATE, "4. Qxf7 dbl.ch *", "h5f7", All),
        (MATE, "4. Qxf7dis.ch. *", "h5f7", All),
        (MATE, "4. Qxf7ch 1-0", "h5f7", All),
        (MATE, "4. Qxf7 # 1-0", "h5f7", All),
        (MATE, "4. Qxf71-0", "h5f7", All),
        (MATE, "4. Qxf7m 1-0", "", Part),
        ("", "1. E2E4 E7-E5 2. Ng1-f3 Nb8-c6 *", italian, All),
        ("", "1.e4,e5 2.Nf3,Nc6 *", italian, All),
        ("", "1 e4 e5 2 Nf3 Nc6 *", italian, All),
        ("", "1) e4 e5 2) Nf3 Nc6 *", italian, All),
        ("", "1.- e4 e5 2.-Nf3 Nc6 *", italian, All),
        ("", "1.e4 1...e5 2.Nf3 2..Nc6 *", italian, All),
        ("", "7. e4 e5 7. Nf3 9. ... Nc6 *", italian, All),
        ("", "\n \t e4 e5 Nf3 Nc6", italian, All),
        (
            "",
            "1.&nbsp;e4 e5 2. Nf3 &amp; Nc6 <br> 1-0 <br/>",
            italian,
            All,
        ),
        ("", "1. e4+ e5# 2. Nf3 + Nc6 # *", italian, All),
        ("", "1. e4! e5?! 2. Nf3!!? Nc6 += *", italian, All),
    ]);
}

#[test]
fn castling_is_read_in_every_form() {
    for short in [
        "o-o", "OO", "0-0", "00", "O–O", "O—O", "0–0", "О-О", "о-о", "e1h1", "e1g1", "E1G1",
    ] {
        let text = format!("12. {short} O-O *");
        let (moves, part) = read(ODD, text.as_bytes());
        assert_eq!((moves.as_str(), part), ("e1g1 e8g8", All), "{text}");
    }
    for long in ["o-o-o", "OOO", "000", "O–O–O", "О-О-О", "e1a1", "0-0-0"] {
        let text = format!("12. {long} Kf8 *");
        let (moves, part) = read(ODD, text.as_bytes());
        assert_eq!((moves.as_str(), part), ("e1c1 e8f8", All), "{text}");
    }
    let latin1 = read(ODD, b"12. O\x96O Kf8 *");
    assert_eq!(latin1, ("e1g1 e8f8".into(), All));
    check(&[
        // At the end of the text both have lost.
        (ODD, "12. f4 0-0", "f2f4", All),
        (ODD, "12. 0-0", "e1g1", All),
        (ODD, "12. f4 0:0", "f2f4", All),
        ("", "1. e4 e5 2. 0-0 Nc6 *", "e2e4 e7e5", Part),
        ("", "1. e4 00:10:22 e5 *", "e2e4 e7e5", All),
    ]);
}

#[test]
fn words_that_are_no_moves_are_skipped_and_never_take_a_move_away() {
    let moves = "e2e4 e7e5 g1f3";
    check(&[
        ("", "1. e4 D e5 N 2. Nf3 TN *", moves, All),
        ("", "1. e4 RR += e5 =/+ zz 2. Nf3 +/- !!? *", moves, All),
        ("", "1. e4 e5 Novelty 2. Nf3 *", moves, All),
        ("", "1. e4 e5 good for both sides 2. Nf3 *", moves, All),
        (
            "",
            "1. e4 e5 which is good for both sides 2. Nf3 *",
            "e2e4 e7e5",
            Part,
        ),
        ("", "1. e4 good e5 2. Nf3 *", moves, All),
        ("", "e4 good e5 good Nf3 *", moves, All),
        ("", "e4 e5 good Nf3 *", moves, All),
        (
            "",
            "e4 e5 Nf3 good Nc6 good Bb5 *",
            "e2e4 e7e5 g1f3 b8c6 f1b5",
            All,
        ),
        (
            "",
            "1. e4 (0.3/12 5s) e5 (-0.1/9 2s) 2. Nf3 (1) *",
            moves,
            All,
        ),
        ("", "1. e4 <b>e5</b> ) 2. Nf3 ) *", moves, All),
        ("", "Our game 1. e4 e5 2. Nf3 *", moves, All),
        ("", "Our game e4 e5 2. Nf3 *", "", Part),
        ("", "1. e4 e5 2. Nf3 Black resigns 1-0", moves, Part),
        ("", "1. e4 e5 2. Nf3 Black resigns", moves, Part),
        // The number or its dots show that the next move is another one.
        ("", "1. e4 e5 see 3. Nf3 Nc6 *", "e2e4 e7e5", Part),
        ("", "1. e4 e5 2. Nf3 see 2. Nc6 *", moves, Part),
        ("", "1. e4 e5 see 2... Nf3 *", "e2e4 e7e5", Part),
        // Between number and move N is a knight.
        ("", "1. e4 e5 2. N f3 *", "e2e4 e7e5", Part),
        ("", "1. e4 K e5 *", "e2e4", Part),
        // What looks like a move and is none ends the moves.
        ("", "1. e4 e5 2. Ke3 Nf3 Nc6 *", "e2e4 e7e5", Part),
        ("", "1. e4 e6 2. Nf6 Nf3 *", "e2e4 e7e6", Part),
        ("", "1. e4 e5 2. Ne 2. Nf3 *", "e2e4 e7e5", Part),
        ("", "1. e4 e5 2. Nxe Nf3 *", "e2e4 e7e5", Part),
        ("", "1. e4 e5 2. Sc3 Nf3 *", "e2e4 e7e5", Part),
        ("", "1. e4 e5 2. O-O Nf3 *", "e2e4 e7e5", Part),
        ("", "1. e4 e5 2. О-О-О Nf3 *", "e2e4 e7e5", Part),
        ("", "1. e4 e5 2. null Nf6 *", "e2e4 e7e5", Part),
        ("", "1. e4 pass d4 *", "e2e4", Part),
        ("", "1. e4 e5 2. E7E4 Nf3 *", "e2e4 e7e5", Part),
        ("", "1. e4 e5 2. D4 Nf3 *", "e2e4 e7e5", Part),
    ]);
}

#[test]
fn braces_nest_if_the_text_in_them_is_not_moves() {
    let moves = "e2e4 e7e5 g1f3";
    check(&[
        ("", "1. e4 { a { b } c } e5 2. Nf3 *", moves, All),
        (
            "",
            "1. e4 {a {b {c} d} 2. d4 and more of this, with all that. } e5 2. Nf3 *",
            moves,
            All,
        ),
        ("", "1. e4 { a { b } e5 2. Nf3 *", moves, All),
        ("", "1. e4 { a { b } e5 } 2. Nf3 *", moves, All),
        ("", "1. e4 { a { b } Ke3 e5 2. Nf3 *", "e2e4", Part),
        ("", "1. e4 {x} {a {b} c} {y} e5 {{}} 2. Nf3 *", moves, All),
        ("", "1. e4 e5 2. Nf3 {it { ends", moves, Part),
        (
            "",
            "1. e4 e5 (1... c5 2. Nf3 2. Nf3 Nc6 1-0",
            "e2e4 e7e5",
            Part,
        ),
        (
            "",
            "1. e4 () ( ) e5 ({ } ) (1... c5 {) } ) 2. Nf3 *",
            moves,
            All,
        ),
        ("", "(1. d4) 1. e4 e5 2. Nf3 *", moves, All),
    ]);
}

#[test]
fn results_end_a_game_and_what_follows_is_understood() {
    let moves = "e2e4 e7e5";
    for result in [
        "1-0",
        "0-1",
        "1/2-1/2",
        "*",
        "1/2",
        "½-½",
        "½–½",
        "1–0",
        "0–1",
        "1:0",
        "0:1",
        "1-0 FF",
        "+:-",
        "-:+",
        "0-0",
        "1-0 1-0",
        "1-0;comment",
        "1-0 ; comment",
        "1-0 % comment",
        "{1-0}",
        "1-0 {good}",
        "1-0 (1... c5 2. Nf3) $1",
        "1-0 $14 {good} ; bye\n\n",
        "; bye",
        "1-0 !",
        "1/2–1/2",
        "",
        "$10",
        "1-0\u{1a}",
        "1-0 \0\0\0\0\0",
        "\u{1a}",
        "mate",
    ] {
        let text = format!("1. e4 e5 {result}");
        let (found, part) = read("", text.as_bytes());
        assert_eq!((found.as_str(), part), (moves, All), "{text}");
        // No move of a later game is one of this game.
        if !result.starts_with(['{', ';', '$', '\u{1a}', 'm']) && !result.is_empty() {
            let text = format!("{text}\n2. d4 d5");
            assert_eq!(read("", text.as_bytes()).0, moves, "{text}");
        }
    }
    check(&[
        ("", "1. e4 e5 1-0 White won", moves, Part),
        ("", "1. e4 e5 1-0 ; c\nand more", moves, Part),
        ("", "1. e4 e5 1-0 {c} d4", moves, Part),
        ("", "1. e4*", "e2e4", All),
        ("", "1. e4 1:00 e5 0:12 *", moves, All),
        ("", "1. e4 e5 ½ *", moves, All),
    ]);
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
            let found = read("", &text);
            // A line comment ends at a line end, after which its text is no comment.
            assert_eq!(found, (moves.into(), All), "{}", text.escape_ascii());
        }
    }
    let padding = [&b"1. e4 e5 1-0"[..], &[0; 4000]].concat();
    assert_eq!(read("", &padding), ("e2e4 e7e5".into(), All));
    let blanks = [&b"1. e4"[..], &[b' '; 4000], b"e5 1-0", &[b'\n'; 4000]].concat();
    assert_eq!(read("", &blanks), ("e2e4 e7e5".into(), All));
}

#[test]
fn a_game_in_one_other_language_is_read() {
    let spanish = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6";
    check(&[
        ("", "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 {gut} 1-0", spanish, All),
        ("", "1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 1-0", spanish, All),
        ("", "1. e4 e5 2. Cf3 Cc6 3. Ab5 a6 1-0", spanish, All),
        ("", "1. e4 e5 2. Pf3 Pc6 3. Lb5 a6 1-0", spanish, All),
        ("", "1. e4 e5 2. Кf3 Кc6 3. Сb5 a6 1-0", spanish, All),
        (
            "",
            "1. e4 e5 2. Sf3 Sc6 3. Lb5 (3. Lc4 Lc5 4. d3) a6 1-0 Ende",
            spanish,
            Part,
        ),
        ("", "1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 a6 1-0", spanish, All),
        ("", "1. e4 e5 2. Dh5 Ке7 *", "e2e4 e7e5", Part),
        ("", "1. f3 e5 2. g4 Dh4#", "f2f3 e7e5 g2g4 d8h4", All),
        ("", "1. e4 e5 2. Крe2 Крe7 *", "e2e4 e7e5 e1e2 e8e7", All),
        ("", "1. e4 e5 2. Re2 De7 *", "e2e4 e7e5 e1e2 d8e7", All),
        ("", "1. e4 e5 2. Re2 Re7 *", "e2e4 e7e5", Part),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "1. a8D+ *", "a7a8q", All),
        // A mixture of languages.
        ("", "1. e4 e5 2. Sf3 Nc6 3. Lb5 a6 1-0", "e2e4 e7e5", Part),
        ("", "1. e4 e5 2. Nf3 Sc6 *", "e2e4 e7e5 g1f3", Part),
        // P is a knight or a pawn.
        ("", "1. e4 e5 2. Pf3 Pc6 *", "", Part),
        ("", "1. Pe4 e5 2. Pd4 *", "e2e4 e7e5 d2d4", All),
        ("", "1. e4 e5 2. Pf3 Pc6 3. Lb5 Nf6 *", "e2e4 e7e5", Part),
        // R is a rook or a king.
        (
            "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
            "1. Rd1 Rf7 *",
            "a1d1",
            Part,
        ),
    ]);
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
        read("", text.as_bytes());
    }
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}

proptest! {
    #[test]
    fn any_sequence_of_odd_pieces_comes_back(
        text in "( |1\\.|2\\. |2\\.\\.\\. |e4|e5|Nf3|Nc6|Sf3|Pf3|Lb5|Кf3|[{}();$&<>=:]|0-0|O–O|N |TN |good |\
                 1-0|1:0|½-½|\u{0}|\u{1}|\u{6}|\u{1f}|\n|\r\n|&nbsp;|<br>|ed|x| {3}){0,40}"
    ) {
        read("", text.as_bytes());
    }
}
