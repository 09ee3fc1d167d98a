//! Four board representations after D. Eppstein's lecture of 1997 (document 003, see
//! docs/sources.md), and chess on any of them: move generators that are independent of the
//! library's.
//!
//! A [`Representation`] stores the pieces and enumerates their steps. [`Game`] adds the side to
//! move, castling rights, the en passant square, an incremental Zobrist hash, and making and
//! unmaking moves. The lecture's hash adds and subtracts; this one is an exclusive or, as is usual
//! today.
#![allow(dead_code, reason = "each test file is its own crate and uses a part")]

pub mod array_8x8;
pub mod bitboards;
pub mod border_10x12;
pub mod hex_0x88;

/// A piece: 1 to 6 are White's pawn, knight, bishop, rook, queen, king; 9 to 14 Black's; 0 is
/// empty.
pub type Piece = u8;
/// A square: a1 is 0, b1 1, h8 63.
pub type Square = u8;
/// A step in files and ranks.
pub type Step = (i8, i8);

pub const EMPTY: Piece = 0;
pub const PAWN: Piece = 1;
pub const ROOK: Piece = 4;
pub const KING: Piece = 6;
/// The bit that is set in Black's pieces.
pub const BLACK: Piece = 8;

pub const KNIGHT_STEPS: [Step; 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];
pub const DIAGONALS: [Step; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
pub const STRAIGHTS: [Step; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// A board representation.
pub trait Representation: Clone {
    /// The name in messages and benchmarks.
    const NAME: &'static str;

    /// The empty board.
    fn empty() -> Self;
    /// The piece on a square.
    fn at(&self, square: Square) -> Piece;
    /// Places a piece on a square, or removes it.
    fn put(&mut self, square: Square, piece: Piece);
    /// Visits the pieces of a side in the order of their squares.
    fn each(&self, black: bool, visit: impl FnMut(Square, Piece));
    /// Visits the square one step away or, if the piece `slides`, all squares up to and including
    /// the first occupied one.
    fn reach(&self, from: Square, step: Step, slides: bool, visit: impl FnMut(Square));
}

/// A move: origin, destination and promotion (2 knight to 5 queen, 0 none).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    pub from: Square,
    pub to: Square,
    pub promotion: Piece,
}

impl Move {
    /// The canonical order: origin, destination, promotion to B, N, Q, R.
    fn key(self) -> (Square, Square, u8) {
        (
            self.from,
            self.to,
            [0, 0, 2, 1, 4, 3][usize::from(self.promotion)],
        )
    }
}

/// The state that a move changes and that the board does not determine afterwards.
#[derive(Clone, Copy)]
pub struct Undo {
    captured: Piece,
    castling: u8,
    en_passant: Option<Square>,
    hash: u64,
}

/// A game of chess on a board representation.
#[derive(Clone)]
pub struct Game<R> {
    board: R,
    black: bool,
    /// Castling rights: bits 0 to 3 are White's short and long, Black's short and long.
    castling: u8,
    en_passant: Option<Square>,
    hash: u64,
}

/// The SplitMix64 of a number, used as a Zobrist key.
fn key(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

fn piece_key(square: Square, piece: Piece) -> u64 {
    key(u64::from(square) << 4 | u64::from(piece))
}

/// The corners and the castling right of each.
const CORNERS: [(Square, u8); 4] = [(7, 1), (0, 2), (63, 4), (56, 8)];

impl<R: Representation> Game<R> {
    pub fn from_fen(fen: &str) -> Self {
        let mut fields = fen.split_whitespace();
        let mut game = Game {
            board: R::empty(),
            black: false,
            castling: 0,
            en_passant: None,
            hash: 0,
        };
        for (row, rank) in fields.next().unwrap().split('/').enumerate() {
            let mut file = 0;
            for c in rank.chars() {
                match c.to_digit(10) {
                    Some(empty) => file += empty as u8,
                    None => {
                        let kind = "pnbrqk".find(c.to_ascii_lowercase()).unwrap() as u8 + 1;
                        let piece = kind | if c.is_ascii_lowercase() { BLACK } else { 0 };
                        game.board.put((7 - row as u8) * 8 + file, piece);
                        file += 1;
                    }
                }
            }
        }
        game.black = fields.next() == Some("b");
        for c in fields.next().unwrap_or("-").chars() {
            game.castling |= "KQkq".find(c).map_or(0, |bit| 1 << bit);
        }
        let en_passant = fields
            .next()
            .filter(|&field| field != "-")
            .map(str::as_bytes);
        game.en_passant = en_passant.map(|square| square[0] - b'a' + 8 * (square[1] - b'1'));
        game.hash = game.hash_from_scratch();
        game
    }

    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The hash computed from scratch; the incremental one must equal it.
    pub fn hash_from_scratch(&self) -> u64 {
        let mut hash = self.state_key();
        for black in [false, true] {
            self.board
                .each(black, |square, piece| hash ^= piece_key(square, piece));
        }
        hash
    }

    fn state_key(&self) -> u64 {
        let en_passant = self.en_passant.map_or(64, u64::from);
        key(1 << 20 | u64::from(self.black))
            ^ key(1 << 21 | u64::from(self.castling))
            ^ key(1 << 22 | en_passant)
    }

    fn side(&self) -> Piece {
        if self.black { BLACK } else { 0 }
    }

    fn is_mine(&self, piece: Piece) -> bool {
        piece != EMPTY && piece & BLACK == self.side()
    }

    fn king(&self, black: bool) -> Square {
        let mut king = 0;
        self.board.each(black, |square, piece| {
            if piece & 7 == KING {
                king = square;
            }
        });
        king
    }

    /// Whether a side attacks a square: for each kind of piece, a piece on the square would attack
    /// one of that kind.
    fn attacks(&self, black: bool, square: Square) -> bool {
        let side = if black { BLACK } else { 0 };
        let mut found = false;
        let pawn_step = if black { 1 } else { -1 };
        let board = &self.board;
        let mut test = |steps: &[Step], slides: bool, kinds: [Piece; 2]| {
            for &step in steps {
                board.reach(square, step, slides, |to| {
                    let piece = board.at(to);
                    found |= piece & BLACK == side && kinds.contains(&(piece & 7));
                });
            }
        };
        // Kind 7 does not exist.
        test(&KNIGHT_STEPS, false, [2, 7]);
        test(&DIAGONALS, true, [3, 5]);
        test(&STRAIGHTS, true, [4, 5]);
        test(&DIAGONALS, false, [KING, 7]);
        test(&STRAIGHTS, false, [KING, 7]);
        test(&[(1, pawn_step), (-1, pawn_step)], false, [PAWN, 7]);
        found
    }

    /// The legal moves in canonical order.
    pub fn moves(&mut self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.board.each(self.black, |from, piece| {
            self.moves_from(from, piece & 7, &mut moves)
        });
        self.castlings(&mut moves);
        moves.retain(|&m| {
            let undo = self.make(m);
            let legal = !self.attacks(self.black, self.king(!self.black));
            self.unmake(m, undo);
            legal
        });
        moves.sort_unstable_by_key(|m| m.key());
        moves
    }

    fn moves_from(&self, from: Square, kind: Piece, moves: &mut Vec<Move>) {
        let mut add = |to: Square| {
            if !self.is_mine(self.board.at(to)) {
                moves.push(Move {
                    from,
                    to,
                    promotion: 0,
                });
            }
        };
        let mut add_steps = |steps: &[Step], slides: bool| {
            for &step in steps {
                self.board.reach(from, step, slides, &mut add);
            }
        };
        match kind {
            PAWN => self.pawn_moves(from, moves),
            2 => add_steps(&KNIGHT_STEPS, false),
            3 => add_steps(&DIAGONALS, true),
            ROOK => add_steps(&STRAIGHTS, true),
            _ => {
                add_steps(&DIAGONALS, kind != KING);
                add_steps(&STRAIGHTS, kind != KING);
            }
        }
    }

    fn pawn_moves(&self, from: Square, moves: &mut Vec<Move>) {
        let forward = if self.black { -1 } else { 1 };
        let mut add = |to: Square| {
            let promotions = if (8..56).contains(&to) { 0..1 } else { 2..6 };
            moves.extend(promotions.map(|promotion| Move {
                from,
                to,
                promotion,
            }));
        };
        for file_step in [-1, 1] {
            self.board.reach(from, (file_step, forward), false, |to| {
                let piece = self.board.at(to);
                if piece != EMPTY && !self.is_mine(piece) || self.en_passant == Some(to) {
                    add(to);
                }
            });
        }
        let home = if self.black { 6 } else { 1 };
        let mut steps = if from / 8 == home { 2 } else { 1 };
        self.board.reach(from, (0, forward), true, |to| {
            if steps > 0 && self.board.at(to) == EMPTY {
                add(to);
            }
            steps -= i32::from(steps > 0);
        });
    }

    fn castlings(&self, moves: &mut Vec<Move>) {
        let (king, rights) = if self.black {
            (60, self.castling >> 2)
        } else {
            (4, self.castling & 3)
        };
        let empty = |squares: &[Square]| squares.iter().all(|&s| self.board.at(s) == EMPTY);
        let safe = |squares: &[Square]| squares.iter().all(|&s| !self.attacks(!self.black, s));
        let mut add = |to| {
            moves.push(Move {
                from: king,
                to,
                promotion: 0,
            })
        };
        if rights & 1 > 0 && empty(&[king + 1, king + 2]) && safe(&[king, king + 1]) {
            add(king + 2);
        }
        if rights & 2 > 0 && empty(&[king - 1, king - 2, king - 3]) && safe(&[king, king - 1]) {
            add(king - 2);
        }
    }

    fn put(&mut self, square: Square, piece: Piece) {
        let before = self.board.at(square);
        self.hash ^= if before == EMPTY {
            0
        } else {
            piece_key(square, before)
        };
        self.hash ^= if piece == EMPTY {
            0
        } else {
            piece_key(square, piece)
        };
        self.board.put(square, piece);
    }

    /// Makes a move; [`unmake`](Game::unmake) takes the result.
    pub fn make(&mut self, m: Move) -> Undo {
        let piece = self.board.at(m.from);
        let undo = Undo {
            captured: self.board.at(m.to),
            castling: self.castling,
            en_passant: self.en_passant,
            hash: self.hash,
        };
        self.hash ^= self.state_key();
        let placed = if m.promotion > 0 {
            m.promotion | self.side()
        } else {
            piece
        };
        self.put(m.from, EMPTY);
        self.put(m.to, placed);
        if piece & 7 == PAWN && self.en_passant == Some(m.to) {
            self.put(m.to ^ 8, EMPTY);
        }
        if piece & 7 == KING && m.from.abs_diff(m.to) == 2 {
            let (corner, next_to_king) = rook_squares(m);
            self.put(corner, EMPTY);
            self.put(next_to_king, ROOK | self.side());
        }
        if piece & 7 == KING {
            self.castling &= if self.black { 3 } else { 12 };
        }
        for (corner, right) in CORNERS {
            if m.from == corner || m.to == corner {
                self.castling &= !right;
            }
        }
        let double = piece & 7 == PAWN && m.from.abs_diff(m.to) == 16;
        self.en_passant = double.then_some(m.from.midpoint(m.to));
        self.black = !self.black;
        self.hash ^= self.state_key();
        undo
    }

    /// Unmakes a move.
    pub fn unmake(&mut self, m: Move, undo: Undo) {
        self.black = !self.black;
        let piece = self.board.at(m.to);
        let moved = if m.promotion > 0 {
            PAWN | self.side()
        } else {
            piece
        };
        self.board.put(m.to, undo.captured);
        self.board.put(m.from, moved);
        if moved & 7 == PAWN && undo.en_passant == Some(m.to) {
            self.board.put(m.to ^ 8, PAWN | (self.side() ^ BLACK));
        }
        if moved & 7 == KING && m.from.abs_diff(m.to) == 2 {
            let (corner, next_to_king) = rook_squares(m);
            self.board.put(next_to_king, EMPTY);
            self.board.put(corner, ROOK | self.side());
        }
        self.castling = undo.castling;
        self.en_passant = undo.en_passant;
        self.hash = undo.hash;
    }

    /// Counts the games of `depth` moves; makes and unmakes each move.
    pub fn perft(&mut self, depth: u32) -> u64 {
        let moves = self.moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        let mut games = 0;
        for m in moves {
            let undo = self.make(m);
            games += self.perft(depth - 1);
            self.unmake(m, undo);
        }
        games
    }

    /// [`perft`](Game::perft) with a copy of the game for each move.
    pub fn perft_by_copy(&mut self, depth: u32) -> u64 {
        let moves = self.moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        let play = |m| {
            let mut next = self.clone();
            next.make(m);
            next.perft_by_copy(depth - 1)
        };
        moves.into_iter().map(play).sum()
    }
}

/// The origin and the destination of the rook in castling.
fn rook_squares(m: Move) -> (Square, Square) {
    let first = m.from & 56;
    let corner = if m.to > m.from { first + 7 } else { first };
    (corner, m.from.midpoint(m.to))
}
