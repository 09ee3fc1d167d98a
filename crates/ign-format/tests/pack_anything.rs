//! Tests that unusual text can be packed: inputs that once failed.

use ign_format::block::{
    Coding,
    encode::{Options, encode},
};
use ign_notation::chess::Start;

/// Packs a text in every coding. Packing decodes it again and compares.
#[track_caller]
fn packs(text: &str) {
    for &coding in Coding::ALL {
        let options = Options {
            coding,
            ..Options::default()
        };
        let encoded = encode(text.as_bytes().to_vec(), &options).unwrap();
        assert!(!encoded.is_fallback, "{coding:?}");
    }
}

#[test]
fn packs_dates_whose_related_tag_is_decoded_later() {
    // Half of the UTCDates are not dates, so they are coded by a dictionary and decoded later.
    let games: String = (1..=20)
        .map(|day| {
            let utc = if day % 2 == 0 {
                format!("2013.01.{day:02}")
            } else {
                "????.??.??".into()
            };
            format!(
                "[Event \"x\"]\n[Date \"2013.01.{day:02}\"]\n[UTCDate \"{utc}\"]\n\n1. e4 *\n\n"
            )
        })
        .collect();
    packs(&games);
}

#[test]
fn packs_more_line_comments_than_a_record_has_pieces_of_text() {
    let comments = "; x\n".repeat(110);
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].map(|san| format!("{san} {comments}"));
    packs(&format!(
        "[Event \"x\"]\n\n{}*\n",
        moves.concat().repeat(310)
    ));
    // The same with moves in a notation that is stored as text.
    let moves = ["Ng1-f3", "Ng8-f6", "Nf3-g1", "Nf6-g8"].map(|san| format!("{san} {comments}"));
    packs(&format!(
        "[Event \"x\"]\n\n{}*\n",
        moves.concat().repeat(310)
    ));
}

#[test]
fn packs_movetext_with_control_characters() {
    packs("[Event \"x\"]\n\n1. e4 {\u{6}} e5 1/2-1/2\n");
    packs("\u{1f}");
}

#[test]
fn rejects_fen_counters_with_other_characters_than_digits() {
    let start = |counters: &str| {
        Start::from_fen(format!("4k3/8/8/8/8/8/8/4K3 w - - {counters}").as_bytes())
    };
    assert_eq!(start("0 99999999999").unwrap().fullmoves.get(), u32::MAX);
    assert_eq!(start("0 0").unwrap().fullmoves.get(), 1);
    for counters in ["0 99999999999x", "99999999999x 1", "0 +1", "- 1", "0 1 2"] {
        assert!(start(counters).is_err(), "{counters}");
    }
    packs("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999x\"]\n\n1. Kd1 *\n");
}
