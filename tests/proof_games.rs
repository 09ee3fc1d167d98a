//! Tests of `ign position`: it finds a shortest game, or reports that there is none or which limit
//! ended the search.

use crate::util::Folder;

/// The exit status and the JSON output of the command for a position.
fn position(fen: &str, more: &[&str]) -> (Option<i32>, serde_json::Value) {
    let folder = Folder::new();
    let run = folder.ign(&[&["position", fen, "--json"], more].concat());
    (run.code, serde_json::from_slice(&run.out).unwrap())
}

#[test]
fn known_proof_games_have_their_known_lengths() {
    for (fen, plies) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            0,
        ),
        // 1.e4 e5 2.Nf3 Nc6
        (
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
            4,
        ),
        // 1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6
        (
            "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 5",
            8,
        ),
        // 1.e3 e5 2.e4: Black is to move, so the length is odd.
        (
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
            3,
        ),
        // 1.e4 c5 2.e5 d5 3.exd6 exd6, with an en passant capture.
        (
            "rnbqkbnr/pp3ppp/3p4/2p5/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 4",
            6,
        ),
        // 1.f3 e5 2.g4 Qh4#
        (
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            4,
        ),
        // The knight on g8 is the other one (G. Schweig, 1938): 1.Nc3 d6 2.Nd5 Nd7 3.Nxe7 Ndf6
        // 4.Nxg8 Nxg8
        (
            "r1bqkbnr/ppp2ppp/3p4/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 5",
            8,
        ),
        // The bishop was captured on e8 (T. Orban, 1976): 1.e4 e6 2.Bb5 Ke7 3.Bxd7 c6 4.Be8 Kxe8
        (
            "rnbqkbnr/pp3ppp/2p1p3/8/4P3/8/PPPP1PPP/RNBQK1NR w KQ - 0 5",
            8,
        ),
        // White castles on the fourth move.
        (
            "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4",
            7,
        ),
    ] {
        let (code, json) = position(fen, &[]);
        assert_eq!(
            (code, &json["plies"]),
            (Some(0), &plies.into()),
            "{fen}: {json}"
        );
    }
}

#[test]
fn transpositions_have_one_integer() {
    // 1.e4 e5 2.d4 d5 in either order; the FENs differ only in their counters.
    let fen = "rnbqkbnr/ppp2ppp/8/3pp3/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0";
    let [(_, one), (_, other)] = [1, 3].map(|moves| position(&format!("{fen} {moves}"), &[]));
    assert_eq!(one["plies"], 4);
    assert_eq!(one, other);
}

#[test]
fn prints_the_integer_of_the_game() {
    let (_, json) = position(
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        &[],
    );
    let integer: u64 = json["integer"].as_str().unwrap().parse().unwrap();
    let moves = json["movetext"].as_str().unwrap();
    assert!(moves.ends_with("Qh4#"), "{moves}");
    assert!(integer < 20 * 20 * 30 * 30 * 2);
    assert_eq!(json["bits"], u64::BITS - integer.leading_zeros());
}

#[test]
fn names_the_limit_that_ends_the_search() {
    let fen = "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 5";
    let folder = Folder::new();
    let run = |more: &[&str]| folder.ign(&[&["position", fen], more].concat());
    run(&["--plies", "7"]).failed(1, "no game within 7 plies");
    run(&["--nodes", "5"]).failed(1, "undecided: every game has at least 8 plies");
    run(&["--memory", "0"]).failed(1, "--memory raises it");
    let (code, json) = position(fen, &["--plies", "6"]);
    assert_eq!(
        (code, &json["result"], &json["at_least"]),
        (Some(1), &"none within".into(), &7.into())
    );
}

#[test]
fn the_game_of_the_starting_position_has_no_moves() {
    let (code, json) = position(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[],
    );
    assert_eq!((code, &json["movetext"]), (Some(0), &"".into()));
}

#[test]
fn rejects_positions_that_no_game_reaches() {
    let folder = Folder::new();
    for (fen, words) in [
        ("nonsense", "is not a position of a game"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "kings"),
        (
            "rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "more than 32 pieces",
        ),
        // Nine pawns, a doubled pawn without a capture, a bishop behind its pawns.
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "no game reaches"),
        (
            "rnbqkbnr/pppppppp/8/8/8/3P4/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "no game reaches",
        ),
        // The queen cannot have left the first rank.
        (
            "r1bqk1nr/ppppbQpp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1",
            "no game reaches",
        ),
    ] {
        folder.ign(&["position", fen]).failed(1, words);
    }
}
