//! The moves of all games as numbers, and the UCI notation of each.
//!
//! A scan returns a move as a 16-bit code. The codes number one table of strings, which never
//! changes while a program runs, so it serves as the dictionary of every batch.

use std::sync::LazyLock;

use crate::offsets::item;
use ign_format::pgn::start::Start;
use ign_notation::chess::{Move, Position};
use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

/// The UCI notation of every move, in the order of the codes: moves of pieces by origin and
/// destination, each with its promotions, then drops such as `N@f3`, then the null move, `0000`.
///
/// Castling has two forms. In standard chess the king moves two squares: `e1g1`. In Chess960 it
/// moves to the square of the rook: `e1h1`. A game is one of Chess960 if its Variant tag says so,
/// or if a king or a rook that may castle starts on another square than in standard chess.
#[derive(Debug)]
pub struct UciMoves {
    offsets: Vec<i32>,
    text: String,
}

static TABLE: LazyLock<(UciMoves, Codes)> = LazyLock::new(build);

/// The table of moves that the codes of a column [`Moves`](crate::scan::ScanColumn::Moves) number.
pub fn uci_moves() -> &'static UciMoves {
    &TABLE.0
}

impl UciMoves {
    /// The number of moves.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no moves: never.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The offset in [`text`](Self::text) at which each move starts, and the end of the last.
    pub fn offsets(&self) -> &[i32] {
        &self.offsets
    }

    /// All moves, one after the other.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The move with a code; `None` if there is no such code.
    pub fn get(&self, code: u16) -> Option<&str> {
        self.text.get(item(&self.offsets, usize::from(code))?)
    }
}

/// The code of each move by its number; [`NO_CODE`] for numbers of no move.
struct Codes(Vec<u16>);

/// The code for no move.
const NO_CODE: u16 = u16::MAX;

/// Roles that a pawn promotes to, in the order of their codes.
const PROMOTIONS: [Role; 5] = [
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::King,
];

/// Roles of dropped pieces, in the order of their codes.
const DROPS: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

fn build() -> (UciMoves, Codes) {
    let mut table = UciMoves {
        offsets: vec![0],
        text: String::new(),
    };
    let mut codes = vec![NO_CODE; 1 << 16];
    let mut add = |played: Move, text: String| {
        codes[usize::from(played.number())] = table.len() as u16;
        table.text.push_str(&text);
        table.offsets.push(table.text.len() as i32);
    };
    for from in Square::ALL {
        // A move of any piece is one of a queen or a knight; castling onto a rook is one along a
        // rank.
        let reached = attacks::queen_attacks(from, Bitboard::EMPTY) | attacks::knight_attacks(from);
        for to in reached {
            add(Move::new(from, to, None), format!("{from}{to}"));
            let ranks = (u32::from(from.rank()), u32::from(to.rank()));
            if matches!(ranks, (6, 7) | (1, 0)) && from.file().distance(to.file()) <= 1 {
                for role in PROMOTIONS {
                    let letter = role.char();
                    add(
                        Move::new(from, to, Some(role)),
                        format!("{from}{to}{letter}"),
                    );
                }
            }
        }
    }
    for role in DROPS {
        for to in Square::ALL {
            add(Move::drop(role, to), format!("{}@{to}", role.upper_char()));
        }
    }
    add(Move::NULL, Move::NULL.uci());
    (table, Codes(codes))
}

/// Appends the codes of a game's moves.
pub(crate) fn push_codes(start: &Start, is_chess960: bool, moves: &[Move], codes: &mut Vec<u16>) {
    let Codes(of) = &TABLE.1;
    let code = |played: Move| of[usize::from(played.number())];
    if !is_chess960 && !castles_elsewhere(&start.board()) {
        codes.extend(moves.iter().map(|&played| code(played)));
        return;
    }
    let mut game = start.clone();
    for &played in moves {
        codes.push(code(castling_onto_rook(played, &game.board())));
        game.play(played);
    }
}

/// A legal move or the null move, with castling written as in Chess960.
fn castling_onto_rook(played: Move, position: &Position) -> Move {
    if played.is_null() {
        return played;
    }
    match played.to_shakmaty(position) {
        shakmaty::Move::Castle { king, rook } => Move::new(king, rook, None),
        _ => played,
    }
}

/// Whether a king or a rook that may castle starts on another square than in standard chess.
fn castles_elsewhere(position: &Position) -> bool {
    let corners = Bitboard::CORNERS;
    let rooks = position.castling_rooks();
    let on_rank = |rank| (rooks & Bitboard::from_rank(rank)).any();
    (rooks & !corners).any()
        || on_rank(Rank::First) && position.castling_king(Color::White) != Some(Square::E1)
        || on_rank(Rank::Eighth) && position.castling_king(Color::Black) != Some(Square::E8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ign_format::pgn::start;
    use ign_testing::{Random, chess960, ours};
    use shakmaty::{CastlingMode, Chess, FromSetup as _, Position as _, fen::Fen};

    /// Positions in which castling is near, with kings on the e-file and elsewhere, and inner
    /// rooks.
    const CASTLING: &[&str] = &[
        "r3k1r1/8/8/8/8/8/8/R3K1R1 w GAga - 0 1",
        "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1",
        "r1r1k1rr/8/8/8/8/8/8/R1R1K1RR w GCgc - 0 1",
        "rk4r1/8/8/8/8/8/8/RK4R1 w GAga - 0 1",
        "r1k4r/8/8/8/8/8/Q6q/R1K4R w HAha - 0 1",
        "3rk1r1/7q/8/8/8/8/7Q/3RK1R1 w GDgd - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    ];

    /// Plays random moves, castling where it is legal, and compares the codes with the notation of
    /// shakmaty.
    fn compare(fen: &str, theirs: Chess, seed: u64) -> usize {
        let start = start::of_tags(Some(fen.as_bytes()), Some(b"Chess960")).unwrap();
        let (mut theirs, mut random) = (theirs, Random(seed));
        let (mut moves, mut expected, mut castlings) = (Vec::new(), Vec::new(), 0);
        for _ in 0..60 {
            let legal = theirs.legal_moves();
            let castling = legal.iter().find(|played| played.is_castle());
            let Some(&played) = castling.or(legal.get(random.below(legal.len().max(1)))) else {
                break;
            };
            castlings += usize::from(played.is_castle());
            moves.push(ours(played));
            expected.push(played.to_uci(CastlingMode::Chess960).to_string());
            theirs.play_unchecked(played);
        }
        let mut codes = Vec::new();
        push_codes(&start, true, &moves, &mut codes);
        let codes: Vec<_> = codes
            .iter()
            .map(|&code| uci_moves().get(code).unwrap())
            .collect();
        assert_eq!(codes, expected, "{fen}, seed {seed}");
        castlings
    }

    #[test]
    fn castling_of_chess960_is_written_as_shakmaty_writes_it() {
        let mut castlings = 0;
        for fen in CASTLING {
            let setup = fen.parse::<Fen>().unwrap().into_setup();
            let position = Chess::from_setup(setup, CastlingMode::Chess960).unwrap();
            for seed in 0..20 {
                castlings += compare(fen, position.clone(), seed);
            }
        }
        for number in 0..960 {
            let (_, position) = chess960(number);
            let fen = Fen::from_position(&position, shakmaty::EnPassantMode::Legal);
            castlings += compare(&fen.to_string(), position, u64::from(number));
        }
        assert!(castlings > 500, "{castlings}");
    }
}
