//! Generated games of chess with kings that its laws do not allow.

use ign_notation::chess::{
    Move, Position,
    rules::{Board as _, LegalMoves as _},
    san::Naming,
    variant::{Board, Start, Variant},
};
use shakmaty::{Bitboard, Color, Role, Square};

use crate::random::Random;

/// Games of chess from random positions in which a side has no king or several, or the side to move
/// can capture one. Some have null moves, castling or en passant captures.
pub fn kings_games(count: usize, seed: u64) -> String {
    let mut random = Random(seed);
    let mut games = String::new();
    for number in 0..count {
        let start = std::iter::repeat_with(|| start(&mut random))
            .flatten()
            .next();
        let (fen, start) = start.expect("some position is possible");
        games += &game(&mut random, number, &fen, start.board);
    }
    games
}

/// A random position with its FEN; `None` if the laws of chess allow it.
fn start(random: &mut Random) -> Option<(String, Start)> {
    let mut boards = [0u64; 12];
    let mut occupied = Bitboard::EMPTY;
    let mut put = |color: Color, role: Role, square: Square| {
        let place = color.fold_wb(0, 6) + role as usize - 1;
        let is_misplaced = role == Role::Pawn && Bitboard::BACKRANKS.contains(square);
        if !occupied.contains(square) && !is_misplaced {
            occupied.add(square);
            boards[place] |= Bitboard::from_square(square).0;
        }
    };
    let mut castling = String::new();
    let any = |random: &mut Random| Square::new(random.below(64) as u32);
    for color in Color::ALL {
        if random.below(3) == 0 {
            let rank = color.fold_wb(0, 56);
            put(color, Role::King, Square::new(rank + 4));
            put(color, Role::Rook, Square::new(rank));
            put(color, Role::Rook, Square::new(rank + 7));
            castling += color.fold_wb("KQ", "kq");
        }
        for _ in 0..[0, 0, 1, 1, 2, 4][random.below(6)] {
            put(color, Role::King, any(random));
        }
    }
    let most = [4, 12, 28][random.below(3)];
    for _ in 0..random.below(most) {
        let role = match random.below(9) {
            pawn if pawn >= 5 => Role::Pawn,
            role => Role::ALL[role],
        };
        put(Color::from_white(random.below(2) == 0), role, any(random));
    }
    let turn = Color::from_white(random.below(2) == 0);
    let position = Position::from_boards(&boards, turn, Bitboard::EMPTY, Bitboard::EMPTY);
    let fields = String::from_utf8(position.fen_fields()).expect("ASCII");
    if castling.is_empty() {
        castling.push('-');
    }
    let board = fields.split(' ').next().expect("a board");
    let fen = format!("{board} {} {castling} - 0 1", turn.char());
    let start = Start::from_fen(Variant::Chess, fen.as_bytes()).ok()?;
    Some((fen, start))
}

fn game(random: &mut Random, number: usize, fen: &str, mut board: Board) -> String {
    let mut moves = String::new();
    let mut number_of_move = 1;
    let passes = random.below(3) == 0;
    for ply in 0..random.below(60) {
        let legal = board.legal();
        let is_king = |m: &&Move| board.castling_side(**m).is_some();
        let castling = legal.moves().iter().find(is_king);
        let played = match castling {
            _ if passes && legal.may_pass() && random.below(6) == 0 => Move::NULL,
            Some(&castling) if random.below(2) == 0 => castling,
            _ if legal.count() == 0 => break,
            _ => legal.moves()[random.below(legal.moves().len())],
        };
        let white = board.turn().is_white();
        if white {
            moves += &format!("{number_of_move}. ");
        } else if ply == 0 {
            moves += &format!("{number_of_move}... ");
        }
        let name = legal.write_with(Naming::Standard, played);
        moves += std::str::from_utf8(name.as_bytes()).expect("ASCII");
        board.play(played);
        moves.extend(board.legal().sign().map(char::from));
        moves.push(' ');
        number_of_move += u32::from(!white);
    }
    format!(
        "[Event \"Game {number}\"]\n[Result \"*\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves}*\n\n"
    )
}
