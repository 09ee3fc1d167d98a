//! Is SAN read leniently, written exactly, and rejected if it does not match exactly one move?

use ign_notation::chess::{
    Legal, Position,
    san::{self, Naming},
};

fn legal(fen: &str) -> Legal {
    Legal::new(&Position::from_fen(fen.as_bytes()).unwrap())
}

/// The standard form of the move of `token`.
fn standard(legal: &Legal, token: &str) -> Option<String> {
    let m = san::resolve(legal, token.as_bytes())?;
    Some(String::from_utf8(san::write(legal, m).as_bytes().to_vec()).unwrap())
}

/// Checks the standard form of each token; "" if it is rejected.
fn check(fen: &str, cases: &[(&str, &str)]) {
    let legal = legal(fen);
    for &(token, expected) in cases {
        let found = standard(&legal, token);
        assert_eq!(found.as_deref().unwrap_or(""), expected, "{token} in {fen}");
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn accepts_all_forms_of_a_move() {
    check(
        START,
        &[
            ("e4", "e4"),
            ("e2e4", "e4"),
            ("e2-e4", "e4"),
            ("e4+", "e4"),
            ("e4#", "e4"),
            ("e4+++", "e4"),
            ("Nf3", "Nf3"),
            ("Ng1f3", "Nf3"),
            ("Ng1-f3", "Nf3"),
            ("Ngf3", "Nf3"),
            ("N1f3", "Nf3"),
        ],
    );
}

#[test]
fn rejects_everything_else() {
    let tokens = [
        "", "+", "#", "e", "4", "e5", "e9", "i4", "Nf4", "N", "Nf", "Nd2", "Ke2", "O-O", "O-O-O",
        "e2e5", "d2e4", "e4=Q", "e8=Q", "P", "--", "Z0", "e4!", "e4 ", " e4", "e.p.", "Ng1f3f3",
        "Nhf3", "N2f3", "ne4", "nf3", "O", "0", "O-", "O-O-", "O-O-O-O", "\u{e9}4", "xe4", "@e4",
        "N@f3", "=Q", "x", "-",
    ];
    let start = legal(START);
    for token in tokens {
        assert_eq!(standard(&start, token), None, "{token:?}");
    }
}

#[test]
fn a_promotion_piece_is_required_for_promotions_only() {
    check(
        "3r4/4P2k/8/8/8/8/8/K7 w - - 0 1",
        &[
            ("exd8=Q", "exd8=Q"),
            ("exd8Q", "exd8=Q"),
            ("exd8=N+", "exd8=N"),
            ("ed8=R", "exd8=R"),
            ("e7xd8=B", "exd8=B"),
            ("exd8", ""),
            ("exd8=K", ""),
            ("exd8=P", ""),
            ("exd8=q", ""),
            ("d8=Q", ""),
            ("e8=Q", "e8=Q"),
        ],
    );
    check(
        "8/4P3/8/k7/8/8/8/4K3 w - - 0 1",
        &[
            ("e8=Q", "e8=Q"),
            ("e8Q#", "e8=Q"),
            ("e7e8=R", "e8=R"),
            ("e7-e8N", "e8=N"),
            ("e8", ""),
            ("e8=", ""),
        ],
    );
}

#[test]
fn castling_has_its_own_notation() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    check(
        fen,
        &[
            ("O-O", "O-O"),
            ("0-0", "O-O"),
            ("O-O+", "O-O"),
            ("O-O-O", "O-O-O"),
            ("0-0-0#", "O-O-O"),
            ("Kg1", ""),
            ("Ke1g1", ""),
            ("Kc1", ""),
            ("Kf1", "Kf1"),
            ("Ke1f1", "Kf1"),
            ("Kd1f1", ""),
        ],
    );
    // Chess960: castling is not written as a capture of the rook.
    check(
        "4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1",
        &[
            ("O-O", "O-O"),
            ("O-O-O", "O-O-O"),
            ("Kg1", ""),
            ("Kxg1", ""),
        ],
    );
}

#[test]
fn disambiguation_is_by_file_then_rank_then_both() {
    check(
        "7k/8/8/8/8/8/8/KN3N2 w - - 0 1",
        &[
            ("Nbd2", "Nbd2"),
            ("Nfd2", "Nfd2"),
            ("Nd2", ""),
            ("N1d2", ""),
            ("Nc3", "Nc3"),
        ],
    );
    check(
        "7k/3R4/8/8/8/8/8/K2R4 w - - 0 1",
        &[
            ("R1d4", "R1d4"),
            ("R7d4", "R7d4"),
            ("Rdd4", ""),
            ("Rd1d4", "R1d4"),
            ("Rg7", "Rg7"),
        ],
    );
    // Three queens on the corners of a square: only the one in the middle needs file and rank.
    check(
        "8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1",
        &[
            ("Qh4e1", "Qh4e1"),
            ("Qee1", "Qee1"),
            ("Q1e1", "Q1e1"),
            ("Qhe1", ""),
            ("Q4e1", ""),
            ("Qe1", ""),
            ("Qh1e1", "Q1e1"),
        ],
    );
}

#[test]
fn only_legal_rivals_count() {
    // The knight on c3 is pinned, so the other needs no disambiguation.
    check(
        "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1",
        &[("Ne2", "Ne2"), ("Nge2", "Ne2"), ("Nce2", "")],
    );
    // The rook on e3 is pinned on the e-file, so it is a rival on that file only.
    check(
        "4r1k1/8/8/8/8/R3R3/8/4K3 w - - 0 1",
        &[("Rc3", "Rc3"), ("Rec3", ""), ("Re5", "Re5"), ("Ra5", "Ra5")],
    );
    // In check, only moves that end it count.
    check(
        "4r1k1/8/8/1N6/8/8/6N1/4K3 w - - 0 1",
        &[("Ne3", "Ne3"), ("Nf4", ""), ("Nc3", "")],
    );
}

#[test]
fn en_passant_is_a_capture_on_the_skipped_square() {
    check(
        "4k3/8/8/3pPp2/8/8/8/4K3 w - d6 0 2",
        &[
            ("exd6", "exd6"),
            ("ed6", "exd6"),
            ("e5xd6", "exd6"),
            ("e5d6", "exd6"),
            ("exf6", ""),
            ("d6", ""),
            ("e6", "e6"),
        ],
    );
    // Both pawns leave the rank, so the capture exposes the king.
    check(
        "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2",
        &[("exd6", ""), ("e6", "e6")],
    );
    // The capture ends the check of the pawn.
    check(
        "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
        &[("exd3", "exd3"), ("e3", ""), ("Kxd4", "Kxd4")],
    );
}

#[test]
fn uci_notation_is_read_and_written() {
    let cases = [
        (START, "g1f3", "Nf3"),
        (START, "e2e4", "e4"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"),
        ("3r4/4P2k/8/8/8/8/8/K7 w - - 0 1", "e7d8n", "exd8=N"),
        ("8/4P3/8/k7/8/8/8/4K3 w - - 0 1", "e7e8q", "e8=Q"),
        // Chess960: the destination is the square of the rook.
        ("4k3/8/8/8/8/8/8/1K4R1 w G - 0 1", "b1g1", "O-O"),
    ];
    for (fen, squares, name) in cases {
        let legal = legal(fen);
        let played = san::resolve(&legal, squares.as_bytes()).expect(squares);
        let written = |naming| san::write_with(naming, &legal, played);
        assert_eq!(written(Naming::Squares).as_bytes(), squares.as_bytes());
        assert_eq!(written(Naming::Standard).as_bytes(), name.as_bytes());
    }
    let legal = legal(START);
    for token in [
        "g1f4", "e2e4q", "e7e5", "g1f3n", "e1g1", "g1f", "g1f3f", "e2e4p",
    ] {
        assert_eq!(san::resolve(&legal, token.as_bytes()), None, "{token}");
    }
    let legal = self::legal("8/4P3/8/k7/8/8/8/4K3 w - - 0 1");
    for token in ["e7e8", "e7e8k", "e7e8p", "e7e8Z"] {
        assert_eq!(san::resolve(&legal, token.as_bytes()), None, "{token}");
    }
}
