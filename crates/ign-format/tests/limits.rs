//! Does a text come back at, below and beyond every limit of the format, wherever it is in its
//! block?

use ign_format::block::{
    Coding,
    decode::Block,
    encode::{Options, encode},
};
use ign_testing::cases;

// The limits, as the specification states them (§7).
const MAX_PLIES: usize = 65_536;
const MAX_RECORD_TAGS: usize = 256;
const MAX_TAG_NAME_LEN: usize = 255;
const MAX_TAG_NAMES: usize = 4096;
const MAX_TEMPLATE_LEN: usize = 255;
const MAX_DEPTH: usize = 64;
const MAX_TEXT_PIECES: usize = 131_072;

/// Moves that lead back to the start, so that they can be repeated.
const CYCLE: [&str; 4] = ["Nf3", "Nf6", "Ng1", "Ng8"];

/// Movetext of this many plies.
fn moves(plies: usize) -> String {
    let words = (0..plies).map(|ply| match ply % 2 {
        0 => format!("{}. {} ", ply / 2 + 1, CYCLE[ply % 4]),
        _ => format!("{} ", CYCLE[ply % 4]),
    });
    words.collect()
}

/// A record with these tags and this movetext.
fn record(tags: &str, movetext: &str) -> String {
    format!("[Event \"?\"]\n{tags}\n{movetext}*\n\n")
}

/// The neighbours of a limit: at and beyond it, or more of them.
fn around(limit: usize) -> impl Iterator<Item = usize> {
    cases(limit..=limit + 1, limit - 2..=limit + 2)
}

/// Packs a text in every coding, with the check of packing or both with and without it, and
/// compares what a reader decodes. Returns the number of plies.
#[track_caller]
fn round_trip(what: &str, text: &str) -> u64 {
    let mut plies = None;
    for &coding in Coding::ALL {
        for &verify in cases(&[true][..], &[false, true]) {
            let options = Options {
                coding,
                verify,
                ..Options::default()
            };
            let encoded = encode(text.as_bytes().to_vec(), &options)
                .unwrap_or_else(|e| panic!("{what}, {coding:?}: {e}"));
            let block = Block::open(&encoded.bytes).unwrap();
            let again = block
                .text()
                .unwrap_or_else(|e| panic!("{what}, {coding:?}: {e}"));
            assert!(again == text.as_bytes(), "{what}, {coding:?}");
            assert_eq!(*plies.get_or_insert(encoded.plies), encoded.plies, "{what}");
        }
    }
    plies.unwrap_or_default()
}

/// A record alone, and between others of the same layout; or also after and before others, and
/// twice. Returns the plies of the record.
#[track_caller]
fn everywhere(what: &str, record: &str) -> u64 {
    let other = self::record("", &moves(8));
    let alone = round_trip(what, record);
    let texts = [
        (format!("{other}{other}{record}{other}"), 1, 3),
        (format!("{other}{record}"), 1, 1),
        (format!("{record}{other}{record}"), 2, 1),
    ];
    for (text, own, others) in &texts[..cases(1, texts.len())] {
        let plies = round_trip(what, text);
        assert_eq!(plies, own * alone + 8 * others, "{what}");
    }
    alone
}

#[test]
fn plies_of_a_game() {
    for plies in around(MAX_PLIES) {
        let known = everywhere(&format!("{plies} plies"), &record("", &moves(plies)));
        assert_eq!(known, plies.min(MAX_PLIES) as u64);
        let bare = moves(plies);
        let words = bare.split(' ').filter(|word| !word.ends_with('.'));
        let text = record("", &words.collect::<Vec<_>>().join(" "));
        round_trip(
            &format!("{plies} plies without numbers"),
            &text.repeat(cases(1, 2)),
        );
    }
}

#[test]
fn plies_of_a_variation() {
    for plies in around(MAX_PLIES) {
        let movetext = format!("1. Nf3 ({}) Nf6 ", moves(plies).trim_end());
        let known = everywhere(&format!("a variation of {plies}"), &record("", &movetext));
        assert_eq!(known, 2);
    }
    // The plies before a variation count too.
    let movetext = format!("{}({}) ", moves(MAX_PLIES), moves(5).trim_end());
    everywhere("a variation of the last move", &record("", &movetext));
}

#[test]
fn depth_of_variations() {
    for depth in around(MAX_DEPTH) {
        let line = format!("{}{}", "(1. Nf3 ".repeat(depth), ") ".repeat(depth));
        let movetext = format!("1. Nf3 {line}Nf6 ");
        everywhere(&format!("depth {depth}"), &record("", &movetext));
    }
}

#[test]
fn tags_of_a_record() {
    for count in around(MAX_RECORD_TAGS) {
        let tags: String = (1..count).map(|n| format!("[Tag{n} \"{n}\"]\n")).collect();
        everywhere(&format!("{count} tags"), &record(&tags, &moves(8)));
    }
}

#[test]
fn length_of_a_tag_name() {
    for len in around(MAX_TAG_NAME_LEN) {
        let tags = format!("[{} \"value\"]\n", "N".repeat(len));
        everywhere(&format!("a name of {len}"), &record(&tags, &moves(8)));
    }
}

#[test]
fn tag_names_of_a_block() {
    const PER_RECORD: usize = 64;
    for count in around(MAX_TAG_NAMES) {
        let names: Vec<String> = (1..count).map(|n| format!("[Tag{n} \"{n}\"]\n")).collect();
        let records = names.chunks(PER_RECORD);
        let text: String = records
            .map(|tags| record(&tags.concat(), &moves(8)))
            .collect();
        round_trip(&format!("{count} names"), &format!("{text}{text}"));
    }
}

#[test]
fn length_of_a_template() {
    for len in MAX_TEMPLATE_LEN - 20..=MAX_TEMPLATE_LEN + 2 {
        for gap in [" ".repeat(len), " $1".repeat(len / 3), "1".repeat(len)] {
            // The second move is not written as the notation demands, which takes a mark more.
            for second in ["Nf6", "Ng8f6", "Nf6+"] {
                let movetext = format!("1. Nf3 {gap} {second} 2. Ng1 {gap} {second} ");
                round_trip(&format!("a gap of {len}"), &record("", &movetext).repeat(3));
            }
        }
    }
}

#[test]
fn pieces_of_text_of_a_record() {
    // A line comment is a piece, and so is a move in another notation.
    for comments in around(MAX_PLIES) {
        for word in ["Nf3", "Ng1f3"] {
            let movetext = format!("{}1. {word} ", ";\n".repeat(comments));
            round_trip(&format!("{comments} comments"), &record("", &movetext));
        }
    }
    let words = moves(MAX_PLIES).replace("Nf3", "Ng1f3");
    let comments = ";\n".repeat(MAX_TEXT_PIECES - MAX_PLIES);
    let text = record("", &format!("{words}{comments}"));
    round_trip("moves and comments", &format!("{text}{text}"));
}
