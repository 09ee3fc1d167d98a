//! Do the integers agree with the definition, on thousands of games?
//!
//! The oracle sorts the moves by their UCI notation and sums ordinals times products of counts, as
//! in the definition. It has only shakmaty's rules in common with the crate.

use ign_notation::chess::reference::{Numbering, ReferenceChess, Rules};
use ign_notation::ends::{self, EndMoves};
use ign_notation::radix::{Decoder, Encoder, to_integer};
use ign_notation::{Game, NotationError, Reason, counted, plain};
use rug::Integer;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Move, Position};

/// Reproducible pseudo-random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % bound as u64) as usize
    }
}

/// The moves in canonical order by their UCI notation: `e7e8q` is file and rank of the origin, file
/// and rank of the destination, promotion.
fn sorted(position: &Chess, moves: &[Move], numbering: Numbering) -> Vec<Move> {
    let mut keyed: Vec<_> = moves
        .iter()
        .map(|&m| {
            let uci = UciMove::from_standard(m).to_string().into_bytes();
            let mut key = [uci[1], uci[0], uci[3], uci[2]];
            if numbering == Numbering::Rotated && position.turn() == Color::Black {
                key = key.map(|letter| u8::MAX - letter);
            }
            let promotion = uci.get(4).map(|&p| "bnqr".find(char::from(p)).unwrap());
            (key, promotion, m)
        })
        .collect();
    keyed.sort_by_key(|&(key, promotion, _)| (key, promotion));
    keyed.into_iter().map(|(_, _, m)| m).collect()
}

/// The sum of the ordinals times the product of the counts before them.
struct Oracle {
    sum: Integer,
    product: Integer,
}

impl Oracle {
    fn new() -> Self {
        Oracle {
            sum: Integer::new(),
            product: Integer::from(1),
        }
    }

    fn add(&mut self, ordinal: usize, count: usize) {
        self.sum += Integer::from(&self.product * ordinal as u32);
        self.product *= count as u32;
    }
}

/// Compares the integers of a random game by the oracle and by the crate.
fn check_game(random: &mut Random, numbering: Numbering, rules: Rules, longest: usize) -> usize {
    let start = ReferenceChess::default().numbering(numbering).rules(rules);
    let plies = random.below(longest + 1);
    let (mut one_based, mut zero_based, mut with_ends) =
        (Oracle::new(), Oracle::new(), Oracle::new());
    let mut game = start.clone();
    let mut played = Vec::new();
    let mut list = Vec::new();
    let ending = loop {
        // The oracle sorts the list of the crate itself.
        game.legal_moves(&mut list);
        let by_uci = sorted(game.position(), &list, numbering);
        assert_eq!(list, by_uci);
        let count = list.len();
        if count == 0 {
            break EndMoves::Position;
        }
        if played.len() == plies {
            with_ends.add(count, count + 1);
            if random.below(2) == 0 {
                break EndMoves::Stopped;
            }
            with_ends.add(count, count + 1);
            break EndMoves::DrawAgreed;
        }
        // The first and last moves are chosen more often.
        let ordinal = match random.below(6) {
            0 => 0,
            1 => count - 1,
            _ => random.below(count),
        };
        assert_eq!(
            game.ordinal(by_uci[ordinal]),
            Some((ordinal as u32, count as u32))
        );
        one_based.add(ordinal + 1, count);
        zero_based.add(ordinal, count);
        with_ends.add(ordinal, count + 1);
        played.push(by_uci[ordinal]);
        game.play(by_uci[ordinal]);
    };

    // One encoder and one decoder for all three: no state may remain.
    let (mut encoder, mut decoder, mut back) = (Encoder::new(), Decoder::new(), Vec::new());
    plain::encode_into(&mut encoder, &mut start.clone(), &played).unwrap();
    assert_eq!(to_integer(encoder.finish()), one_based.sum);
    decoder.load(encoder.finish());
    plain::decode_from(&mut decoder, &mut start.clone(), played.len(), &mut back).unwrap();
    assert_eq!(back, played);

    encoder.clear();
    counted::encode_into(&mut encoder, &mut start.clone(), &played).unwrap();
    assert_eq!(to_integer(encoder.finish()), zero_based.sum);
    decoder.load(encoder.finish());
    counted::decode_from(&mut decoder, &mut start.clone(), played.len(), &mut back).unwrap();
    assert_eq!(back, played);

    encoder.clear();
    ends::encode_into(&mut encoder, &mut start.clone(), &played, ending).unwrap();
    assert_eq!(to_integer(encoder.finish()), with_ends.sum);
    decoder.load(encoder.finish());
    let came = ends::decode_from(&mut decoder, &mut start.clone(), played.len(), &mut back);
    assert_eq!((came, &back), (Ok(ending), &played));
    played.len()
}

fn check_games(seed: u64, games: usize, numbering: Numbering, rules: Rules) {
    let mut random = Random(seed);
    for _ in 0..games {
        check_game(&mut random, numbering, rules, 160);
    }
    check_game(&mut random, numbering, rules, 3_000);
}

#[test]
fn integers_of_legal_moves_with_plain_numbering_agree() {
    check_games(1, 1_000, Numbering::Plain, Rules::Legal);
}

#[test]
fn integers_of_legal_moves_with_rotated_numbering_agree() {
    check_games(2, 500, Numbering::Rotated, Rules::Legal);
}

#[test]
fn integers_of_pseudo_legal_moves_with_plain_numbering_agree() {
    check_games(3, 1_000, Numbering::Plain, Rules::PseudoLegal);
}

#[test]
fn integers_of_pseudo_legal_moves_with_rotated_numbering_agree() {
    check_games(4, 500, Numbering::Rotated, Rules::PseudoLegal);
}

/// A legal move is a pseudo-legal one after which the king is not attacked.
#[test]
fn legal_moves_are_the_safe_pseudo_legal_ones() {
    let mut random = Random(5);
    let (mut legal, mut pseudo) = (Vec::new(), Vec::new());
    for _ in 0..300 {
        let mut game = ReferenceChess::default();
        for _ in 0..120 {
            game.legal_moves(&mut legal);
            if legal.is_empty() {
                break;
            }
            game.clone()
                .rules(Rules::PseudoLegal)
                .legal_moves(&mut pseudo);
            pseudo.retain(|&m| {
                let mut after = game.position().clone();
                after.play_unchecked(m);
                let board = after.board();
                let king = board.king_of(!after.turn()).unwrap();
                board
                    .attacks_to(king, after.turn(), board.occupied())
                    .is_empty()
            });
            assert_eq!(legal, pseudo);
            let played = legal[random.below(legal.len())];
            game.play(played);
        }
    }
}

#[test]
fn chess960_castling_has_a_unique_ordinal() {
    let game = |fen: &str| {
        let fen: shakmaty::fen::Fen = fen.parse().unwrap();
        ReferenceChess::new(fen.into_position(CastlingMode::Chess960).unwrap())
    };
    let castlings = |game: &ReferenceChess| {
        let mut list = Vec::new();
        game.legal_moves(&mut list);
        let places = list.iter().enumerate().filter(|(_, m)| m.is_castle());
        places
            .map(|(place, m)| (place, m.to_string()))
            .collect::<Vec<_>>()
    };
    // King on e1, rooks on a1 and h1: after Ra1 (7 + 3 moves) the king's moves
    // O-O-O (c1), Kd1, Kf1, O-O (g1).
    let standard = game("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    assert_eq!(
        castlings(&standard),
        [(10, "O-O-O".into()), (13, "O-O".into())]
    );
    // King on b1, rooks on a1 and h1: castling to a1 comes after the 7 moves of the rook on a1 and
    // before Kc1, castling to h1 after Kc1.
    let other = game("4k3/8/8/8/8/8/8/RK5R w KQ - 0 1");
    assert_eq!(castlings(&other), [(7, "O-O-O".into()), (9, "O-O".into())]);
    // King on e1, rook on g1: not a standard square, so the rook's square is the destination.
    let near = game("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1");
    assert_eq!(castlings(&near), [(2, "O-O".into())]);
}

#[test]
fn any_integer_is_a_game_or_an_error() {
    let mut random = Random(6);
    for _ in 0..300 {
        let limbs: Vec<u64> = (0..random.below(8))
            .map(|_| random.below(usize::MAX) as u64)
            .collect();
        let integer = to_integer(&limbs);
        let start = ReferenceChess::default();
        match plain::decode(start.clone(), &integer, 500) {
            Ok(moves) => assert_eq!(plain::encode(start.clone(), &moves), Ok(integer.clone())),
            Err(NotationError { reason, .. }) => assert_eq!(reason, Reason::IntegerLeft),
        }
        match ends::decode(start.clone(), &integer, 500) {
            Ok((moves, ending)) => assert_eq!(ends::encode(start, &moves, ending), Ok(integer)),
            Err(error) => assert!(error.ply <= 500),
        }
    }
}
