//! Do moves and positions convert to and from shakmaty without loss?

use ign_notation::chess::{Move, Position};
use ign_testing::{Random, both, chess960, ours};
use shakmaty::{CastlingMode, Chess, Position as _, Role, Square};

/// What random games have shown.
#[derive(Default)]
struct Seen {
    castlings: usize,
    en_passants: usize,
    promotions: usize,
}

/// Plays random moves and converts every legal move and position on the way.
fn walk(start: (Position, Chess), plies: usize, random: &mut Random, seen: &mut Seen) {
    let (mut position, mut theirs) = start;
    for _ in 0..plies {
        assert_eq!(Position::from_shakmaty(&theirs), position);
        let back = position.to_shakmaty().expect("a legal position");
        assert_eq!(Position::from_shakmaty(&back), position);
        let moves = theirs.legal_moves();
        for &m in &moves {
            assert_eq!(Move::from_shakmaty(m), ours(m), "{m}");
            assert_eq!(ours(m).to_shakmaty(&position), m, "{m}");
            seen.castlings += usize::from(m.is_castle());
            seen.en_passants += usize::from(m.is_en_passant());
            seen.promotions += usize::from(m.is_promotion());
        }
        if moves.is_empty() {
            return;
        }
        let m = moves[random.below(moves.len())];
        position.play(Move::from_shakmaty(m));
        theirs.play_unchecked(m);
    }
}

#[test]
fn moves_of_standard_games_convert_both_ways() {
    let (mut random, mut seen) = (Random(1), Seen::default());
    for _ in 0..100 {
        let start = (Position::default(), Chess::default());
        walk(start, 200, &mut random, &mut seen);
    }
    assert!(seen.castlings > 100 && seen.en_passants > 10 && seen.promotions > 100);
}

#[test]
fn moves_of_chess960_games_convert_both_ways() {
    let (mut random, mut seen) = (Random(2), Seen::default());
    for number in 0..960 {
        walk(chess960(number), 30, &mut random, &mut seen);
        // Without the pieces between kings and rooks, castling is often legal.
        let fen = shakmaty::Board::chess960(number).board_fen().to_string();
        let bare: String = fen
            .chars()
            .map(|c| if "nbqNBQ".contains(c) { '1' } else { c })
            .collect();
        let start = both(&format!("{bare} w KQkq - 0 1"));
        walk(start, 10, &mut random, &mut seen);
    }
    assert!(seen.castlings > 1_000);
}

#[test]
fn chess960_castling_has_king_and_rook() {
    let (position, theirs) = both("4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1");
    let castling = |rook| shakmaty::Move::Castle {
        king: Square::F1,
        rook,
    };
    for rook in [Square::G1, Square::B1] {
        assert!(theirs.is_legal(castling(rook)));
        let mine = Move::new(Square::F1, rook, None);
        assert_eq!(mine.to_shakmaty(&position), castling(rook));
        assert_eq!(Move::from_shakmaty(castling(rook)), mine);
    }
    // Standard squares: the destination is two files from the king.
    let (position, theirs) = both("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    let mine = Move::new(Square::E1, Square::C1, None);
    let castle = mine.to_shakmaty(&position);
    assert!(castle.is_castle() && theirs.is_legal(castle));
    assert_eq!(castle.from(), Some(Square::E1));
}

#[test]
fn drops_convert_both_ways() {
    let theirs = shakmaty::Move::Put {
        role: Role::Knight,
        to: Square::F3,
    };
    let mine = Move::drop(Role::Knight, Square::F3);
    assert_eq!(Move::from_shakmaty(theirs), mine);
    assert_eq!(mine.to_shakmaty(&Position::default()), theirs);
}

#[test]
fn positions_from_shakmaty_drop_the_counters() {
    let fen = "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
    let setup = fen.parse::<shakmaty::fen::Fen>().unwrap();
    let theirs: Chess = setup.into_position(CastlingMode::Standard).unwrap();
    let position = Position::from_shakmaty(&theirs);
    assert_eq!(Ok(position), Position::from_fen(fen.as_bytes()));
    assert!(position.en_passant().contains(Square::D6));
}
