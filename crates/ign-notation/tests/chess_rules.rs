//! Do positions, legal moves and their order agree with shakmaty?

use ign_notation::chess::{FenError, Legal, Move, Position, Start, san};
use ign_testing::{Random, both, chess960, ours};
use shakmaty::fen::Epd;
use shakmaty::san::San;
use shakmaty::{CastlingSide, Chess, Color, EnPassantMode, Position as _, Role, Square};

/// Positions that are rare in games.
const RARE: [&str; 16] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    // Many queens, knights, bishops and rooks: full disambiguation, many moves.
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "7k/6pp/8/8/1Q1Q1Q2/8/QQQ3QQ/4K3 w - - 0 1",
    "NN2k3/8/N1N5/1n1n4/N1N1b1b1/1n1n4/2b1b3/4K2N w - - 0 1",
    "6k1/RRRR4/8/rrrr4/8/RRR2RRR/8/1K6 b - - 0 1",
    "BBBB1k2/8/bbbb4/8/BB1BB3/8/2bb4/4K3 w - - 0 1",
    "3k4/8/8/8/qqqqqqqq/8/QQQQQQQQ/4K3 w - - 0 1",
    // En passant: pins along the rank and the diagonals, and as the only evasion.
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "8/8/8/K1pP3r/8/8/8/3k4 w - c6 0 1",
    "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1",
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    // Promotions of pinned pawns and with captures.
    "r1n1k1n1/1P5P/8/8/8/8/1p5p/R1N1K1N1 w - - 0 1",
    "1b1k4/P1P5/8/8/8/8/6pp/4K1RB b - - 0 1",
    // Chess960: the castling rook shields its king.
    "4k3/8/8/8/8/8/8/rR1K3R w HB - 0 1",
    "rk2r3/8/8/8/8/8/8/R1K1R2r w AEae - 0 1",
];

/// Compares everything in one position. `tokens` are SAN of other positions, mostly illegal here.
fn compare(position: &Position, theirs: &Chess, tokens: &[String]) {
    let epd_of = || Epd::from_position(theirs, EnPassantMode::Legal).to_string();
    let back = position.to_shakmaty().expect("a legal position");
    let epd = Epd::from_position(&back, EnPassantMode::Legal).to_string();
    assert_eq!(epd, epd_of());

    let legal = Legal::new(position);
    let mut moves = theirs.legal_moves();
    moves.sort_unstable_by_key(|&m| ours(m));
    assert_eq!(legal.count() as usize, moves.len(), "{}", epd_of());
    assert_eq!(legal.is_check(), theirs.is_check(), "{}", epd_of());
    for (k, &m) in moves.iter().enumerate() {
        let mine = ours(m);
        let (k, n) = (k as u32, moves.len() as u32);
        assert_eq!(legal.nth(k), mine, "{k} in {}", epd_of());
        assert_eq!(
            legal.ordinal_and_count(mine),
            (k, n),
            "{mine} in {}",
            epd_of()
        );
        assert!(legal.contains(mine), "{mine} in {}", epd_of());
        assert_eq!(position.castling_side(mine), m.castling_side());
        let landing = m.castling_side().map(|side| side.king_to(theirs.turn()));
        assert_eq!(position.landing(mine), landing.unwrap_or(m.to()));
        let written = san::write(&legal, mine);
        let expected = San::from_move(theirs, m).to_string();
        assert_eq!(
            written.as_bytes().escape_ascii().to_string(),
            expected,
            "{}",
            epd_of()
        );
        assert_eq!(
            san::resolve(&legal, written.as_bytes()),
            Some(mine),
            "{}",
            epd_of()
        );
        // The fast path reads the standard form, unless it has disambiguation.
        let is_disambiguated = matches!(
            San::from_move(theirs, m),
            San::Normal { role, file, rank, .. } if role != Role::Pawn && (file.is_some() || rank.is_some())
        );
        for (suffix, sign) in [
            ("", None),
            (" e5", None),
            ("+)", Some(b'+')),
            ("#\n", Some(b'#')),
        ] {
            let plain = san::read_plain(&legal, format!("{expected}{suffix}").as_bytes());
            let whole = san::Plain {
                played: mine,
                name_len: expected.len(),
                sign,
            };
            assert_eq!(
                plain,
                (!is_disambiguated).then_some(whole),
                "{expected}{suffix}"
            );
        }
        for suffix in ["x", "3", "++", "-", "=Q="] {
            let plain = san::read_plain(&legal, format!("{expected}{suffix}").as_bytes());
            assert_eq!(plain, None, "{expected}{suffix}");
        }
    }
    let mut visited = Vec::new();
    legal.each_move(|m| visited.push(m));
    let numbering = legal.numbering();
    let numbered: Vec<Move> = (0..numbering.count()).map(|k| numbering.nth(k)).collect();
    let expected: Vec<Move> = moves.iter().map(|&m| ours(m)).collect();
    assert_eq!(
        (&visited, &numbered),
        (&expected, &expected),
        "{}",
        epd_of()
    );
    for square in Square::ALL {
        let reached = moves
            .iter()
            .map(|&m| ours(m))
            .filter(|m| m.from() == square);
        let reached = reached.map(Move::to).collect();
        assert_eq!(
            legal.destinations(square),
            reached,
            "{square} in {}",
            epd_of()
        );
        assert_eq!(position.piece_at(square), theirs.board().piece_at(square));
    }
    for token in tokens {
        let token_san: San = token.parse().unwrap();
        let named = token_san
            .to_move(theirs)
            .or_else(|_| with_x_toggled(token_san).to_move(theirs));
        let mine = san::resolve(&legal, token.as_bytes());
        assert_eq!(mine, named.ok().map(ours), "{token} in {}", epd_of());
        if let Some(plain) = san::read_plain(&legal, token.as_bytes()) {
            assert_eq!(Some(plain.played), mine, "{token} in {}", epd_of());
            let written = san::write(&legal, plain.played);
            assert_eq!(written.as_bytes(), &token.as_bytes()[..plain.name_len]);
        }
    }
}

/// The same SAN with its `x` removed, or with an `x` added. We do not require it for pieces, and
/// shakmaty does.
fn with_x_toggled(san: San) -> San {
    match san {
        San::Normal {
            role,
            file,
            rank,
            capture,
            to,
            promotion,
        } if role != Role::Pawn => San::Normal {
            role,
            file,
            rank,
            capture: !capture,
            to,
            promotion,
        },
        other => other,
    }
}

/// Plays `plies` random moves, comparing every position on the way.
fn walk((mut position, mut theirs): (Position, Chess), plies: usize, random: &mut Random) -> usize {
    let mut tokens = Vec::new();
    for ply in 0..plies {
        compare(&position, &theirs, &tokens);
        let moves = theirs.legal_moves();
        if moves.is_empty() {
            return ply;
        }
        tokens = moves
            .iter()
            .map(|&m| San::from_move(&theirs, m).to_string())
            .collect();
        let m = moves[random.below(moves.len())];
        position.play(ours(m));
        theirs.play_unchecked(m);
    }
    plies
}

#[test]
fn random_play_from_the_standard_starting_position_agrees_with_shakmaty() {
    let mut random = Random(1);
    let mut left = 8_000;
    while left > 0 {
        left -= walk(
            (Position::default(), Chess::default()),
            left.min(200),
            &mut random,
        );
    }
}

#[test]
fn random_play_from_every_chess960_starting_position_agrees_with_shakmaty() {
    let mut random = Random(2);
    for number in 0..960 {
        walk(chess960(number), 12, &mut random);
    }
    for number in (0..960).step_by(16) {
        walk(chess960(number), 80, &mut random);
    }
}

/// Castling is rare in random play, so the squares between kings and rooks are empty here.
#[test]
fn random_play_with_empty_first_ranks_agrees_with_shakmaty() {
    let mut random = Random(3);
    for number in 0..960 {
        let rank = shakmaty::Board::chess960(number).board_fen().to_string();
        let bare: String = rank
            .chars()
            .map(|c| if "nbqNBQ".contains(c) { '1' } else { c })
            .collect();
        // Few pawns, and an enemy queen or bishop that attacks the paths.
        let bare = bare.replacen(
            "pppppppp/8",
            ["pp3ppp/2q5", "1pp1pp2/6b1"][random.below(2)],
            1,
        );
        let bare = bare.replacen(
            "8/PPPPPPPP",
            ["4n3/P3PP1P", "1B5Q/1P4P1"][random.below(2)],
            1,
        );
        let rights = ["KQkq", "KQkq", "Kq", "Qk"][random.below(4)];
        let side = ["w", "b"][random.below(2)];
        let fen = format!("{bare} {side} {rights} - 0 1");
        if Position::from_fen(fen.as_bytes()) == Err(FenError::OpponentInCheck) {
            continue;
        }
        walk(both(&fen), 6, &mut random);
    }
}

#[test]
fn random_play_from_rare_positions_agrees_with_shakmaty() {
    let mut random = Random(4);
    for fen in RARE {
        for _ in 0..20 {
            walk(both(fen), 25, &mut random);
        }
    }
}

#[test]
fn castling_has_the_rook_as_destination_unless_it_is_standard() {
    let legal = |fen: &str| Legal::new(&Position::from_fen(fen.as_bytes()).unwrap());
    let king = |from, to| Move::new(from, to, None);

    let standard = legal("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    let destinations = standard.destinations(Square::E1);
    assert!(destinations.contains(Square::G1) && destinations.contains(Square::C1));
    assert!(!destinations.contains(Square::H1) && !destinations.contains(Square::A1));

    // The rook is on g1, the destination of standard castling: the move is still unambiguous.
    let beside = legal("4k3/8/8/8/8/8/8/R3K1R1 w KQ - 0 1");
    let destinations = beside.destinations(Square::E1);
    assert!(destinations.contains(Square::G1) && destinations.contains(Square::C1));
    let castle = king(Square::E1, Square::G1);
    let position = beside.position();
    assert_eq!(position.castling_side(castle), Some(CastlingSide::KingSide));

    // The rook on b1 shields c1, the destination of the king, from the rook on a1.
    let shielded = legal("4k3/8/8/8/8/8/8/rR1K4 w B - 0 1");
    assert!(!shielded.contains(king(Square::D1, Square::B1)));
    let free = legal("4k3/8/8/8/8/8/8/1R1K4 w B - 0 1");
    assert!(free.contains(king(Square::D1, Square::B1)));

    // The king is on its castling destination, adjacent to its rook.
    let home = legal("4k3/8/8/8/8/8/8/5RKR w H - 0 1");
    let castle = home.destinations(Square::G1);
    assert!(
        !castle.contains(Square::H1),
        "the other rook blocks castling"
    );
    let home = legal("4k3/8/8/8/8/8/8/6KR w H - 0 1");
    let mut position = *home.position();
    let castle = king(Square::G1, Square::H1);
    assert!(home.contains(castle));
    assert_eq!(position.landing(castle), Square::G1);
    position.play(castle);
    assert_eq!(position.king(Color::White), Square::G1);
    assert_eq!(position.piece_at(Square::F1).unwrap().char(), 'R');
    assert_eq!(position.piece_at(Square::H1), None);
}

#[test]
fn moves_compare_in_canonical_order_and_return_their_parts() {
    use shakmaty::Role::{Bishop, Knight, Queen, Rook};
    let promotions =
        [Bishop, Knight, Queen, Rook].map(|role| Move::new(Square::A7, Square::B8, Some(role)));
    assert!(promotions.is_sorted());
    assert_eq!(promotions[2].promotion(), Some(Queen));
    assert_eq!(promotions[2].to_string(), "a7b8=Q");
    let squares = [
        Move::new(Square::H1, Square::A2, None),
        Move::new(Square::A2, Square::H1, None),
    ];
    assert!(squares.is_sorted());
    assert_eq!(
        (squares[0].from(), squares[0].to()),
        (Square::H1, Square::A2)
    );
}

#[test]
fn a_fen_has_a_position_a_side_to_move_and_a_move_number() {
    let start =
        Start::from_fen(b"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b HAha - 3 17").unwrap();
    assert_eq!(start.fullmoves.get(), 17);
    assert_eq!(start.position.turn(), Color::Black);
    assert_eq!(start.position.castling_rooks(), shakmaty::Bitboard::CORNERS);
    let standard = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(Position::from_fen(standard), Ok(Position::default()));
}

#[test]
fn rights_without_effect_are_dropped() {
    let same = |fen: &str, plain: &str| {
        assert_eq!(
            Position::from_fen(fen.as_bytes()),
            Position::from_fen(plain.as_bytes()),
            "{fen}"
        );
    };
    same(
        "4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    );
    same(
        "4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1",
        "4k3/8/8/8/8/8/4K3/R6R w - - 0 1",
    );
    // No capturing pawn, no pawn that has advanced, and a square of the wrong side.
    same(
        "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1",
        "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1",
    );
    same(
        "4k3/8/8/8/3p4/8/8/4K3 b - e3 0 1",
        "4k3/8/8/8/3p4/8/8/4K3 b - - 0 1",
    );
    same(
        "4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 1",
        "4k3/8/8/8/3pP3/8/8/4K3 w - - 0 1",
    );
}

#[test]
fn rejects_fens_without_a_legal_position() {
    let error = |fen: &str| Position::from_fen(fen.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        error("8/8/8/8/8/8/8/4K3 w - - 0 1"),
        "black has 0 kings in fen, expected 1"
    );
    assert_eq!(
        error("4k3/8/8/8/8/8/8/3KK3 w - - 0 1"),
        "white has 2 kings in fen, expected 1"
    );
    assert_eq!(
        error("4k3/8/8/8/8/8/8/P3K3 w - - 0 1"),
        "pawn on first or last rank in fen"
    );
    assert_eq!(
        error("4k3/8/8/8/8/8/8/4RK2 w - - 0 1"),
        "side not to move is in check in fen"
    );
    assert_eq!(
        error("4k3/8/8/8/8/8/8/4K3[Qq] w - - 0 1"),
        "pockets or remaining checks in fen, which the rules do not have"
    );
    assert_eq!(
        error("4k3/8/8/8/8/8/8 w - - 0 1"),
        "invalid board part in fen"
    );
    assert_eq!(error(""), "invalid fen");
}
