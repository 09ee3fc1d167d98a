//! Are the published integers reproduced?
//!
//! Sources: W. Entriken, Integer Game Notation (2008), "the first source"; an answer about encoding
//! chess games as integers with end moves, "the second source", whose worked example is 225833.

use ign_notation::chess::reference::{Numbering, ReferenceChess, Rules};
use ign_notation::ends::{self, EndMoves};
use ign_notation::residue::Residue;
use ign_notation::{Game, counted, plain};
use rug::Integer;
use shakmaty::Move;
use shakmaty::san::San;

/// The game of the first source: F/S Return Match, 1992.11.04, round 29.
const FISCHER_SPASSKY: &str = "
    1.e4 e5 2.Nf3 Nc6 3.Bb5 {This opening is called the Ruy Lopez.} 3...a6
    4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3 Nb8  10.d4 Nbd7
    11.c4 c6 12.cxb5 axb5 13.Nc3 Bb7 14.Bg5 b4 15.Nb1 h6 16.Bh4 c5 17.dxe5
    Nxe4 18.Bxe7 Qxe7 19.exd6 Qf6 20.Nbd2 Nxd6 21.Nc4 Nxc4 22.Bxc4 Nb6
    23.Ne5 Rae8 24.Bxf7+ Rxf7 25.Nxf7 Rxe1+ 26.Qxe1 Kxf7 27.Qe3 Qg5 28.Qxg5
    hxg5 29.b3 Ke6 30.a3 Kd6 31.axb4 cxb4 32.Ra5 Nd5 33.f3 Bc8 34.Kf2 Bf5
    35.Ra7 g6 36.Ra6+ Kc5 37.Ke1 Nf4 38.g3 Nxh3 39.Kd2 Kb5 40.Rd6 Kc5 41.Ra6
    Nf2 42.g4 Bd3 43.Re6 1/2-1/2";

const MAX_PLIES: usize = 1_000;

fn start() -> ReferenceChess {
    ReferenceChess::default()
}

fn rotated() -> ReferenceChess {
    start().numbering(Numbering::Rotated)
}

fn moves(text: &str) -> Vec<Move> {
    start().parse_movetext(text).unwrap()
}

fn san(game: ReferenceChess, moves: &[Move]) -> String {
    let mut game = game;
    let mut words = Vec::new();
    for &played in moves {
        words.push(San::from_move(game.position(), played).to_string());
        game.play(played);
    }
    words.join(" ")
}

#[track_caller]
fn assert_plain(game: &ReferenceChess, text: &str, integer: &str, bits: u32) {
    let integer: Integer = integer.parse().unwrap();
    assert_eq!(integer.significant_bits(), bits);
    let moves = moves(text);
    assert_eq!(plain::encode(game.clone(), &moves), Ok(integer.clone()));
    assert_eq!(plain::decode(game.clone(), &integer, MAX_PLIES), Ok(moves));
}

#[test]
fn fools_mate_is_143395() {
    assert_plain(&start(), "1.f3 e5 2.g4 Qh4#", "143395", 18);
}

#[test]
fn fischer_spassky_with_legal_moves_has_398_bits() {
    let integer = "414544948623536137457453766428940222150104983665147877271701780732619071411016802177518083902648471410778014077775346194";
    assert_eq!(moves(FISCHER_SPASSKY).len(), 85);
    assert_plain(&start(), FISCHER_SPASSKY, integer, 398);
}

#[test]
fn fischer_spassky_as_published_has_412_bits_and_pseudo_legal_moves() {
    let integer = "7194381939026059815816432728404500838835011451049668943765896734611284670867176530570061223664286778997380554654077775346194";
    let game = start().rules(Rules::PseudoLegal);
    assert_plain(&game, FISCHER_SPASSKY, integer, 412);
}

#[test]
fn games_that_open_f3_e5_are_195_modulo_400() {
    let residue = Residue::plain(start(), &moves("1.f3 e5")).unwrap();
    assert_eq!(residue.residue(), 195);
    assert_eq!(*residue.modulus(), 400);
    assert_eq!(*residue.least(), 195);
    for (integer, opens) in [
        (143_395, true),
        (195, true),
        (595, true),
        (15, false),
        (196, false),
    ] {
        assert_eq!(residue.is_prefix_of(&Integer::from(integer)), opens);
    }
}

#[test]
fn the_residue_alone_is_not_sufficient() {
    // h4 and Nh6 are both the 20th of 20 moves.
    let residue = Residue::plain(start(), &moves("1.h4 Nh6")).unwrap();
    assert_eq!(
        (residue.least(), residue.residue()),
        (&Integer::from(420), Integer::from(20))
    );
    let short = plain::encode(start(), &moves("1.h4")).unwrap();
    assert_eq!(short, 20);
    assert!(short.is_congruent(&residue.residue(), residue.modulus()));
    assert!(!residue.is_prefix_of(&short));
    let long = plain::encode(start(), &moves("1.h4 Nh6 2.a3")).unwrap();
    assert!(residue.is_prefix_of(&long));
}

/// The decoder of the first source, literally except for step 5, which is the argument: it takes
/// IGN, the number of moves and the ordinal.
fn published_decoder(mut ign: Integer, divide: fn(Integer, u32, u32) -> Integer) -> Vec<Move> {
    // 1. Set game to its opening position, IGN is given
    let mut game = start();
    let mut played = Vec::new();
    loop {
        // 2. Let MOVES equal an ordered list of possible moves
        let mut list = Vec::new();
        game.legal_moves(&mut list);
        let cardinality = list.len() as u32;
        // 3. If IGN = 0 and the cardinality of MOVES is greater than 1, then this algorithm ends
        if ign == 0 && cardinality > 1 {
            return played;
        }
        // 4. IGN % the cardinality of MOVES is the current move (zero wraps around to the last
        //    element of MOVES)
        let remainder = ign.mod_u(cardinality);
        let ordinal = if remainder == 0 {
            cardinality
        } else {
            remainder
        };
        let current = list[ordinal as usize - 1];
        game.play(current);
        played.push(current);
        // 5.
        ign = divide(ign, cardinality, ordinal);
        // 6. Goto 2
    }
}

/// Step 5 as published: IGN /= the cardinality of MOVES (round down).
fn round_down(ign: Integer, cardinality: u32, _: u32) -> Integer {
    ign / cardinality
}

/// The corrected step 5. 0 stays 0 where step 3 plays a forced move.
fn subtract_and_divide(ign: Integer, cardinality: u32, ordinal: u32) -> Integer {
    if ign == 0 {
        ign
    } else {
        (ign - ordinal) / cardinality
    }
}

#[test]
fn h4_is_20_and_breaks_the_published_decoder() {
    assert_plain(&start(), "1.h4", "20", 5);
    // 20/20 is 1 instead of 0: one move too many.
    let decoded = published_decoder(Integer::from(20), round_down);
    assert_eq!(san(start(), &decoded), "h4 a5");
    assert_eq!(
        published_decoder(Integer::from(20), subtract_and_divide),
        moves("1.h4")
    );
    // If no remainder is 0 the published decoder is right.
    let decoded = published_decoder(Integer::from(3_395), round_down);
    assert_eq!(plain::encode(start(), &decoded).unwrap(), 3_395);
}

#[test]
fn the_published_stop_rule_does_not_distinguish_ends_before_and_after_a_forced_move() {
    let before = moves("1.e4 f5 2.Qh5+");
    let after = moves("1.e4 f5 2.Qh5+ g6");
    let mut game = start();
    before.iter().for_each(|&played| game.play(played));
    assert_eq!(game.count(), 1);

    let [stopped, played] = [&before, &after].map(|m| plain::encode(start(), m).unwrap());
    assert_eq!(
        published_decoder(stopped.clone(), subtract_and_divide),
        after
    );
    assert_eq!(
        published_decoder(played.clone(), subtract_and_divide),
        after
    );
    // With the rule to stop at 0 they are two integers and two games.
    assert_ne!(stopped, played);
    assert_eq!(plain::decode(start(), &stopped, MAX_PLIES), Ok(before));
    assert_eq!(plain::decode(start(), &played, MAX_PLIES), Ok(after));
}

/// The worked example of the second source.
const SECOND: &str = "1.e4 e5 2.Nf3 f6";

#[test]
fn the_worked_example_is_225833_rotated_and_zero_based() {
    let moves = moves(SECOND);
    // Its intermediate integers 13, 233 and 5433 are right.
    for (plies, integer) in [13, 233, 5_433, 225_833].into_iter().enumerate() {
        let prefix = &moves[..=plies];
        assert_eq!(counted::encode(rotated(), prefix).unwrap(), integer);
        let back = counted::decode(rotated(), &Integer::from(integer), plies + 1);
        assert_eq!(back.as_deref(), Ok(prefix));
    }
    // Its decoding is right too: 225833, 11291, 564, 19.
    assert_eq!(
        [225_833 / 20, 225_833 / 400, 225_833 / 11_600],
        [11_291, 564, 19]
    );
    // Its errors: "g0 = g(1, 1, 13)" with g(x, y, z) = x·y + z is 14, not 13 (it should begin with
    // 0), and "g0 = g1 + m0" lacks the factor l.
    let g = |x: u32, y, z| x * y + z;
    assert_eq!((g(1, 1, 13), g(0, 1, 13)), (14, 13));
    assert_ne!(g(g(g(1, 1, 13), 20, 11), 20, 13), 5_433);
}

#[test]
fn without_rotation_the_worked_example_is_another_integer() {
    let integer = counted::encode(start(), &moves(SECOND)).unwrap();
    assert_ne!(integer, 225_833);
    let ordinals = [(13, 20), (8, 20), (13, 29), (9, 29)];
    let by_hand = ordinals
        .iter()
        .rev()
        .fold(0, |x, &(ordinal, base)| ordinal + base * x);
    assert_eq!(integer, by_hand);
}

#[test]
fn the_move_lists_of_the_worked_example_agree() {
    // Counts and ordinals from the lists in the second source.
    let mut game = rotated();
    for (played, expected) in
        moves(SECOND)
            .into_iter()
            .zip([(13, 20), (11, 20), (13, 29), (19, 29)])
    {
        assert_eq!(game.ordinal(played), Some(expected));
        assert_eq!(game.nth(expected.0), Some(played));
        assert_eq!(game.count(), expected.1);
        game.play(played);
    }
}

#[test]
fn end_moves_are_ordinal_n() {
    let integer = |text: &str, ending| ends::encode(start(), &moves(text), ending).unwrap();
    assert_eq!(integer("", EndMoves::Stopped), 20);
    assert_eq!(integer("", EndMoves::DrawAgreed), 20 + 21 * 20);
    assert_eq!(integer("1.Na3", EndMoves::Stopped), 21 * 20);
    assert_eq!(integer("1.h4", EndMoves::Stopped), 19 + 21 * 20);
    // Moves 14, 8, 15, 17 (from 0) of 20, 20, 19, 30; checkmate needs no end move.
    let mate = integer("1.f3 e5 2.g4 Qh4#", EndMoves::Position);
    assert_eq!(mate, 14 + 21 * (8 + 21 * (15 + 20 * 17)));
    for text in ["", "1.Na3", "1.h4", FISCHER_SPASSKY] {
        for ending in [EndMoves::Stopped, EndMoves::DrawAgreed] {
            let back = ends::decode(start(), &integer(text, ending), MAX_PLIES);
            assert_eq!(back, Ok((moves(text), ending)));
        }
    }
    let back = ends::decode(start(), &mate, MAX_PLIES);
    assert_eq!(back, Ok((moves("1.f3 e5 2.g4 Qh4#"), EndMoves::Position)));
}
