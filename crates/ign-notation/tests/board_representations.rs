//! Do move generators on four board representations agree with the library on moves and order?

use crate::board_support::{
    Game, Representation, array_8x8::Array8x8, bitboards::Bitboards, border_10x12::Border10x12,
    hex_0x88::Hex0x88,
};
use ign_notation::chess::{Legal, Position};
use ign_testing::Random;
use shakmaty::{Role, Square};

/// The standard perft positions with their counts at depths 1 to 5.
const PERFT: [(&str, [u64; 5]); 6] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        [20, 400, 8_902, 197_281, 4_865_609],
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        [48, 2_039, 97_862, 4_085_603, 193_690_690],
    ),
    (
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        [14, 191, 2_812, 43_238, 674_624],
    ),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        [6, 264, 9_467, 422_333, 15_833_292],
    ),
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        [44, 1_486, 62_379, 2_103_487, 89_941_194],
    ),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        [46, 2_079, 89_890, 3_894_594, 164_075_551],
    ),
];

fn perft<R: Representation>(depth: usize) {
    for (fen, counts) in PERFT {
        for (depth, count) in (1..).zip(counts).take(depth) {
            let case = (R::NAME, fen, depth);
            assert_eq!(Game::<R>::from_fen(fen).perft(depth), count, "{case:?}");
            if depth < 4 {
                assert_eq!(
                    Game::<R>::from_fen(fen).perft_by_copy(depth),
                    count,
                    "{case:?}"
                );
            }
        }
    }
}

#[test]
fn the_8x8_array_has_the_known_counts() {
    perft::<Array8x8>(3);
}

#[test]
fn the_10x12_array_has_the_known_counts() {
    perft::<Border10x12>(3);
}

#[test]
fn the_0x88_array_has_the_known_counts() {
    perft::<Hex0x88>(3);
}

#[test]
fn bitboards_have_the_known_counts() {
    perft::<Bitboards>(3);
}

#[test]
#[ignore = "minutes; make endgames"]
fn the_8x8_array_has_the_known_counts_to_depth_five() {
    perft::<Array8x8>(5);
}

#[test]
#[ignore = "minutes; make endgames"]
fn the_10x12_array_has_the_known_counts_to_depth_five() {
    perft::<Border10x12>(5);
}

#[test]
#[ignore = "minutes; make endgames"]
fn the_0x88_array_has_the_known_counts_to_depth_five() {
    perft::<Hex0x88>(5);
}

#[test]
#[ignore = "minutes; make endgames"]
fn bitboards_have_the_known_counts_to_depth_five() {
    perft::<Bitboards>(5);
}

/// Plays random moves and compares every ordered move list with the library's.
fn compare<R: Representation>(seed: u64) {
    let mut random = Random(seed);
    for (fen, _) in PERFT {
        let mut position = Position::from_fen(fen.as_bytes()).unwrap();
        let mut game = Game::<R>::from_fen(fen);
        for _ in 0..120 {
            let mut theirs = Vec::new();
            Legal::new(&position).each_move(|m| theirs.push(m));
            let moves = game.moves();
            let convert = |m: &crate::board_support::Move| {
                let square = |s: u8| Square::new(u32::from(s));
                let promotion = (m.promotion > 0).then(|| Role::ALL[usize::from(m.promotion) - 1]);
                ign_notation::chess::Move::new(square(m.from), square(m.to), promotion)
            };
            let ours: Vec<_> = moves.iter().map(convert).collect();
            assert_eq!(ours, theirs, "{}", R::NAME);
            if moves.is_empty() {
                break;
            }
            let chosen = random.below(moves.len());
            let hash = game.hash();
            let undo = game.make(moves[chosen]);
            assert_eq!(game.hash(), game.hash_from_scratch());
            game.unmake(moves[chosen], undo);
            assert_eq!((game.hash(), game.hash_from_scratch()), (hash, hash));
            game.make(moves[chosen]);
            position.play(theirs[chosen]);
        }
    }
}

#[test]
fn move_lists_have_the_canonical_order() {
    for seed in 0..6 {
        compare::<Array8x8>(seed);
        compare::<Border10x12>(seed);
        compare::<Hex0x88>(seed);
        compare::<Bitboards>(seed);
    }
}
