//! Do all games of tic-tac-toe have different integers, and do they round-trip?
//!
//! There are 255,168 complete games, so all of them are played.

use std::collections::HashSet;

use ign_notation::ends::{self, EndMoves};
use ign_notation::radix::{Decoder, Encoder};
use ign_notation::{Game, plain};

/// Squares 0 to 8, a bit each.
#[derive(Clone, Copy, Default)]
struct TicTacToe {
    /// The squares of the player to move.
    ours: u16,
    /// The squares of the other player.
    theirs: u16,
}

const LINES: [u16; 8] = [
    0b111_000_000,
    0b000_111_000,
    0b000_000_111,
    0b100_100_100,
    0b010_010_010,
    0b001_001_001,
    0b100_010_001,
    0b001_010_100,
];

impl TicTacToe {
    fn is_lost(self) -> bool {
        LINES.iter().any(|line| self.theirs & line == *line)
    }
}

impl Game for TicTacToe {
    type Move = u8;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clear();
        if !self.is_lost() {
            moves.extend((0..9).filter(|square| (self.ours | self.theirs) >> square & 1 == 0));
        }
    }

    fn play(&mut self, square: u8) {
        (self.ours, self.theirs) = (self.theirs, self.ours | 1 << square);
    }
}

/// Visits every game that begins with the moves `played`, complete or not; shorter games before
/// their continuations.
///
/// The position is computed from the moves. Passing it from call to call is miscompiled by LLVM 22
/// (rustc 1.95, `-C opt-level=2`), by interprocedural constant propagation.
fn walk(played: &mut Vec<u8>, visit: &mut impl FnMut(&[u8], bool)) {
    let mut game = TicTacToe::default();
    played.iter().for_each(|&square| game.play(square));
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    visit(played, moves.is_empty());
    for square in moves {
        played.push(square);
        walk(played, visit);
        played.pop();
    }
}

fn all_games(mut visit: impl FnMut(&[u8], bool)) {
    walk(&mut Vec::new(), &mut visit);
}

/// The integer of a game, which is one limb: 9! < 2^64.
fn limb(encoder: &mut Encoder) -> u64 {
    match encoder.finish() {
        [] => 0,
        &[limb] => limb,
        limbs => panic!("{} limbs", limbs.len()),
    }
}

#[test]
fn plain_integers_of_all_games_differ() {
    let (mut encoder, mut decoder) = (Encoder::new(), Decoder::new());
    let mut seen = HashSet::new();
    let mut back = Vec::new();
    let mut complete = 0;
    all_games(|moves, over| {
        encoder.clear();
        plain::encode_into(&mut encoder, &mut TicTacToe::default(), moves).unwrap();
        let integer = limb(&mut encoder);
        assert!(seen.insert(integer), "{moves:?}");
        decoder.load(&[integer]);
        plain::decode_from(&mut decoder, &mut TicTacToe::default(), 9, &mut back).unwrap();
        assert_eq!(back, moves);
        complete += u32::from(over);
    });
    assert_eq!(complete, 255_168);
    assert_eq!(seen.len(), 549_946);
}

#[test]
fn integers_with_end_moves_of_all_games_and_endings_differ() {
    let (mut encoder, mut decoder) = (Encoder::new(), Decoder::new());
    let mut seen = HashSet::new();
    let mut back = Vec::new();
    all_games(|moves, over| {
        let endings: &[EndMoves] = if over {
            &[EndMoves::Position]
        } else {
            &[EndMoves::Stopped, EndMoves::DrawAgreed]
        };
        for &ending in endings {
            encoder.clear();
            ends::encode_into(&mut encoder, &mut TicTacToe::default(), moves, ending).unwrap();
            let integer = limb(&mut encoder);
            assert!(seen.insert(integer), "{moves:?} {ending:?}");
            decoder.load(&[integer]);
            let mut game = TicTacToe::default();
            let came = ends::decode_from(&mut decoder, &mut game, 9, &mut back);
            assert_eq!((came, &back[..]), (Ok(ending), moves));
        }
    });
    assert_eq!(seen.len(), 255_168 + 2 * (549_946 - 255_168));
}
