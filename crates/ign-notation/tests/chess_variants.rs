//! Do the moves of variants, their order and their SAN agree with shakmaty?
//!
//! Crazyhouse, King of the Hill and Three-check are played on our own board, so shakmaty verifies
//! their rules. The rules of the others are shakmaty's; for them it verifies order and SAN.

use std::collections::HashMap;

use ign_notation::chess::{
    Move,
    rules::{Board as _, LegalMoves as _},
    san::Naming,
    variant::{Board, Legal, Start, Variant},
};
use shakmaty::{
    CastlingMode, CastlingSide, File, Position as _, Role, Square,
    fen::Fen,
    san::SanPlus,
    variant::{Variant as Theirs, VariantPosition},
};

/// The variants that both implement.
const SHARED: [(Variant, Theirs); 7] = [
    (Variant::Atomic, Theirs::Atomic),
    (Variant::Antichess, Theirs::Antichess),
    (Variant::Crazyhouse, Theirs::Crazyhouse),
    (Variant::Horde, Theirs::Horde),
    (Variant::KingOfTheHill, Theirs::KingOfTheHill),
    (Variant::RacingKings, Theirs::RacingKings),
    (Variant::ThreeCheck, Theirs::ThreeCheck),
];

/// Starting positions with rare features.
const FENS: [(Variant, &str); 12] = [
    (
        Variant::Crazyhouse,
        "r1b1k2r/pP1p1ppp/8/4p3/4P3/8/PP3PpP/R3K2R[QRBNPqrbnp] w KQkq - 0 9",
    ),
    (
        Variant::Crazyhouse,
        "4k3/Q~6p/8/3N~4/8/8/1r~6/R3K3/PPn w Q - 0 30",
    ),
    (
        Variant::Crazyhouse,
        "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN[] w GEge - 0 1",
    ),
    (
        Variant::ThreeCheck,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1+2 0 1",
    ),
    (
        Variant::ThreeCheck,
        "rnb1kbnr/pppp1ppp/8/4p1q1/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 2 3 +2+0",
    ),
    (Variant::KingOfTheHill, "8/8/2k5/8/8/4K3/8/8 w - - 0 1"),
    (Variant::Antichess, "8/2PK1k2/3P4/8/8/5p2/6p1/8 w - - 0 40"),
    (Variant::Antichess, "4k3/8/2KK4/8/8/2K5/8/8 w - - 0 1"),
    (
        Variant::Atomic,
        "r3k2r/ppp2ppp/8/2b1p3/3PP3/2n2N2/PPP2PPP/R1B1K2R w KQkq - 0 9",
    ),
    (Variant::Atomic, "8/8/8/8/3kK3/8/1r4P1/8 w - - 0 1"),
    (
        Variant::Horde,
        "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - - 0 20",
    ),
    (Variant::RacingKings, "8/1k4K1/8/8/8/8/2bnNB2/8 w - - 0 1"),
];

/// Reproducible pseudo-random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % u64::from(bound)) as u32
    }
}

/// The sort key of a move by the specification (§8.1): rank and file of the origin, rank and file
/// of the destination, promotion; drops last, by letter, rank and file.
fn key(m: shakmaty::Move) -> (bool, u32, u32, u32, u32, u32) {
    use shakmaty::Move as M;
    let of = |square: Square| (u32::from(square.rank()), u32::from(square.file()));
    let board = |from, to, promotion: Option<Role>| {
        let ((a, b), (c, d)) = (of(from), of(to));
        let order = [None, Some('B'), Some('N'), Some('Q'), Some('R'), Some('K')];
        let letter = promotion.map(|role| role.upper_char());
        let e = order.iter().position(|&p| p == letter).unwrap();
        (false, a, b, c, d, e as u32)
    };
    match m {
        M::Normal {
            from,
            to,
            promotion,
            ..
        } => board(from, to, promotion),
        M::EnPassant { from, to } => board(from, to, None),
        M::Castle { king, rook } => {
            let file = match (king.file(), rook.file()) {
                (File::E, File::H) => File::G,
                (File::E, File::A) => File::C,
                (_, file) => file,
            };
            board(king, Square::from_coords(file, king.rank()), None)
        }
        M::Put { role, to } => {
            let (rank, file) = of(to);
            (true, u32::from(role.upper_char()), rank, file, 0, 0)
        }
    }
}

/// The SAN of a move and its suffix. We write the letter of a dropped pawn; shakmaty does not.
fn name(position: &VariantPosition, m: shakmaty::Move) -> (String, Option<u8>) {
    let name = SanPlus::from_move(position.clone(), m).to_string();
    let bare = name.trim_end_matches(['+', '#']);
    let sign = name
        .as_bytes()
        .last()
        .copied()
        .filter(|c| b"+#".contains(c));
    let pawn = if bare.starts_with('@') { "P" } else { "" };
    (format!("{pawn}{bare}"), sign)
}

fn landing(m: shakmaty::Move, turn: shakmaty::Color) -> Square {
    match m {
        shakmaty::Move::Castle { king, rook } => {
            CastlingSide::from_king_side(rook > king).king_to(turn)
        }
        other => other.to(),
    }
}

/// Plays a random game on both boards and compares everything on the way.
fn compare(start: &Start, mut theirs: VariantPosition, random: &mut Random, plies: usize) -> usize {
    let mut ours = start.board.clone();
    for ply in 0..plies {
        let legal = ours.legal();
        let mut listed: Vec<_> = theirs.legal_moves().into_iter().collect();
        if theirs.is_variant_end() {
            listed.clear();
        }
        listed.sort_by_key(|&m| key(m));
        let at = || format!("{:?} after {ply}: {ours:?}", ours.variant());
        assert_eq!(legal.count() as usize, listed.len(), "{}", at());
        for (ordinal, (&m, &theirs_m)) in legal.moves().iter().zip(&listed).enumerate() {
            assert_eq!(legal.ordinal_and_count(m), (ordinal as u32, legal.count()));
            let (expected, _) = name(&theirs, theirs_m);
            let written = legal.write_with(Naming::Standard, m);
            assert_eq!(written.as_bytes(), expected.as_bytes(), "{}", at());
            assert_eq!(
                legal.resolve(expected.as_bytes()),
                Some(m),
                "{expected}, {}",
                at()
            );
            let with_signs = format!("{expected}+#");
            assert_eq!(legal.resolve(with_signs.as_bytes()), Some(m));
            assert_eq!(
                legal.landing(m),
                landing(theirs_m, theirs.turn()),
                "{expected}"
            );
        }
        if listed.is_empty() {
            return ply;
        }
        let choice = random.below(legal.count());
        let played = legal.pick(|_| Ok::<_, ()>(Some(choice))).unwrap().unwrap();
        assert_eq!(played, legal.moves()[choice as usize]);
        let (_, sign) = name(&theirs, listed[choice as usize]);
        ours.play(played);
        theirs.play_unchecked(listed[choice as usize]);
        assert_eq!(ours.legal().sign(), sign, "{ours:?}");
        assert_eq!(ours.turn(), theirs.turn());
    }
    plies
}

#[test]
fn games_from_the_standard_starting_positions_agree() {
    let mut random = Random(1);
    for (variant, theirs) in SHARED {
        let mut plies = 0;
        for _ in 0..40 {
            let start = Start::usual(variant).unwrap();
            plies += compare(&start, VariantPosition::new(theirs), &mut random, 160);
        }
        assert!(plies > 600, "{variant}: {plies}");
    }
}

#[test]
fn games_from_rare_starting_positions_agree() {
    let theirs: HashMap<_, _> = SHARED.into_iter().collect();
    let mut random = Random(2);
    for (variant, fen) in FENS {
        let start = Start::from_fen(variant, fen.as_bytes()).unwrap();
        let setup = Fen::from_ascii(fen.as_bytes()).unwrap().into_setup();
        let position = VariantPosition::from_setup(theirs[&variant], setup, CastlingMode::Chess960)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .unwrap_or_else(|e| panic!("{fen}: {e}"));
        for _ in 0..60 {
            compare(&start, position.clone(), &mut random, 60);
        }
    }
}

#[test]
fn the_standard_starting_positions_equal_those_of_their_fens() {
    let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let own = HashMap::from([
        (
            Variant::Horde,
            "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
        ),
        (
            Variant::RacingKings,
            "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
        ),
    ]);
    for &variant in Variant::ALL {
        if variant == Variant::Chess {
            assert!(Start::usual(variant).is_none());
            continue;
        }
        let fen = own.get(&variant).unwrap_or(&usual);
        let start = Start::from_fen(variant, fen.as_bytes()).unwrap();
        assert_eq!(Some(start), Start::usual(variant), "{variant}");
    }
}

#[test]
fn rejects_positions_that_are_impossible_in_the_variant() {
    for (variant, fen) in [
        (Variant::KingOfTheHill, "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1"),
        (Variant::Crazyhouse, "4k3/8/8/8/8/8/8/4K3[K] w - - 0 1"),
        (Variant::Crazyhouse, "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1"),
        (Variant::ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 4+3 0 1"),
        (Variant::ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1+"),
        (Variant::ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 03+3 0 1"),
        (Variant::ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +00+1"),
        (Variant::ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +0++1"),
        (Variant::ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 0 +0+1"),
        (Variant::Antichess, "8/8/8/8/8/8/8/8 w - - 0 1"),
        (Variant::Antichess, "4k2P/8/8/8/8/8/8/4K3 w - - 0 1"),
        (Variant::Atomic, "4k3/8/8/8/8/8/8/8 w - - 0 1"),
        (Variant::Horde, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        (Variant::Horde, "4k2P/8/8/8/8/8/8/8 w - - 0 1"),
        (Variant::RacingKings, "8/8/8/8/8/P7/k6K/8 w - - 0 1"),
        (Variant::RacingKings, "8/8/8/8/8/8/k6K/R7 w - - 0 1"),
        (Variant::Chess, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        (Variant::Chess, "8/8/8/8/8/8/8/P7 w - - 0 1"),
    ] {
        assert!(
            Start::from_fen(variant, fen.as_bytes()).is_err(),
            "{variant} {fen}"
        );
    }
}

fn after(variant: Variant, moves: &str) -> Board {
    let mut board = Start::usual(variant).unwrap().board;
    for word in moves.split_whitespace() {
        let legal = board.legal();
        let played = legal.resolve(word.as_bytes());
        board.play(played.unwrap_or_else(|| panic!("{variant}: {word}")));
    }
    board
}

fn names(legal: &Legal) -> Vec<String> {
    let name = |&m: &Move| legal.write_with(Naming::Standard, m);
    let names = legal.moves().iter().map(name);
    names
        .map(|n| String::from_utf8(n.as_bytes().to_vec()).unwrap())
        .collect()
}

/// The number of lines of `plies` plies.
fn lines(board: &Board, plies: u32) -> u64 {
    let after = |&played: &Move| {
        let mut board = board.clone();
        board.play(played);
        lines(&board, plies - 1)
    };
    match plies {
        0 => 1,
        _ => board.legal().moves().iter().map(after).sum(),
    }
}

#[test]
fn chess_with_any_kings_has_the_lines_that_python_chess_counts() {
    for (fen, counts) in [
        ("8/8/8/8/8/8/8/8 w - - 0 1", [0, 0, 0]),
        ("8/8/5ppp/8/5PPP/8/8/8 w - - 0 1", [3, 10, 28]),
        ("r6k/5ppp/8/6N1/2Q5/8/8/8 w - - 0 1", [30, 526, 14723]),
        (
            "r3k2r/pppp1ppp/8/4R3/4P3/8/PPPP1PPP/R2QK2R w KQkq - 0 1",
            [37, 243, 9215],
        ),
        (
            "r3k2r/4R3/8/3k4/8/8/8/RK2K2R w KQkq - 0 1",
            [39, 318, 11302],
        ),
        ("k2r3k/3K4/8/1K1pP2r/8/8/3K4/4K3 w - d6 0 1", [5, 108, 2167]),
        (
            "1k1K1k2/PPP5/8/8/8/8/ppp5/1K1k1K2 b - - 0 1",
            [28, 654, 14223],
        ),
    ] {
        let start = Start::from_fen(Variant::Chess, fen.as_bytes()).unwrap();
        let counted = [1, 2, 3].map(|plies| lines(&start.board, plies));
        assert_eq!(counted, counts, "{fen}");
    }
}

#[test]
fn a_captured_king_takes_the_castling_rights_of_its_side() {
    let fen = b"r3k2r/4R3/8/8/8/k7/8/8 w kq - 0 1";
    let mut board = Start::from_fen(Variant::Chess, fen).unwrap().board;
    assert_eq!(
        board.to_chess().fen_fields(),
        b"r3k2r/4R3/8/8/8/k7/8/8 w kq -"
    );
    board.play(board.legal().resolve(b"Rxe8").unwrap());
    assert_eq!(board.to_chess().fen_fields(), b"r3R2r/8/8/8/8/k7/8/8 b - -");
}

#[test]
fn crazyhouse_drops_are_ordered_after_the_moves_on_the_board() {
    let board = after(Variant::Crazyhouse, "e4 d5 exd5 Qxd5");
    let legal = board.legal();
    let names = names(&legal);
    // The pawn may be dropped on any empty square except on the first and last ranks.
    let drops: Vec<_> = names.iter().filter(|n| n.contains('@')).collect();
    assert_eq!(drops.len(), 64 - 30 - 1);
    assert_eq!((&drops[0][..], &drops[32][..]), ("P@e2", "P@d7"));
    assert!(names[names.len() - 33..].iter().eq(drops));
    assert_eq!(legal.resolve(b"@e6"), legal.resolve(b"P@e6"));
    assert_eq!(legal.resolve(b"N@e6"), None);
}

#[test]
fn a_captured_promoted_piece_is_a_pawn() {
    let fen = "4k2r/P7/8/8/8/8/8/4K3[] w - - 0 1";
    let mut board = Start::from_fen(Variant::Crazyhouse, fen.as_bytes())
        .unwrap()
        .board;
    for word in ["a8=Q+", "Ke7", "Qxh8"] {
        let played = board.legal().resolve(word.as_bytes()).unwrap();
        board.play(played);
    }
    // White captured the rook and has it in hand; Black is to move and has nothing in hand.
    assert!(names(&board.legal()).iter().all(|n| !n.contains('@')));
    let fen = "4k2r/8/8/8/8/8/7Q~/4K3 b - - 0 1";
    let mut board = Start::from_fen(Variant::Crazyhouse, fen.as_bytes())
        .unwrap()
        .board;
    for word in ["Rxh2", "Kd1"] {
        let played = board.legal().resolve(word.as_bytes()).unwrap();
        board.play(played);
    }
    let names = names(&board.legal());
    assert!(names.iter().any(|n| n == "P@a2") && names.iter().all(|n| !n.starts_with("Q@")));
}

#[test]
fn in_losers_captures_are_compulsory_and_a_lone_king_ends_the_game() {
    let board = after(Variant::Losers, "e4 d5");
    assert_eq!(names(&board.legal()), ["exd5"]);
    let board = Start::from_fen(Variant::Losers, b"4k3/8/8/8/8/8/8/4K2R b - - 0 1").unwrap();
    assert_eq!(
        (board.board.legal().count(), board.board.legal().sign()),
        (0, None)
    );
    // In check, a capture that ends the check is compulsory.
    let fen = b"4k3/8/8/8/8/8/p3r2p/4K2N w - - 0 1";
    let board = Start::from_fen(Variant::Losers, fen).unwrap().board;
    assert_eq!(names(&board.legal()), ["Kxe2"]);
}

#[test]
fn games_end_by_the_rules_of_the_variant() {
    let board = after(Variant::Atomic, "Nf3 f6 Nd4 a6 Ne6 a5 Nxd8");
    assert_eq!(
        (board.legal().count(), board.legal().sign()),
        (0, Some(b'#'))
    );
    let board = after(
        Variant::ThreeCheck,
        "e4 e5 Bc4 a6 Bxf7+ Kxf7 Qf3+ Qf6 Qxf6+",
    );
    assert_eq!(
        (board.legal().count(), board.legal().sign()),
        (0, Some(b'#'))
    );
    let hill = Start::from_fen(Variant::KingOfTheHill, b"8/8/2k5/8/8/4K3/8/8 w - - 0 1").unwrap();
    let legal = hill.board.legal();
    let mut board = hill.board.clone();
    board.play(legal.resolve(b"Ke4#").unwrap());
    assert_eq!(
        (board.legal().count(), board.legal().sign()),
        (0, Some(b'#'))
    );
}
