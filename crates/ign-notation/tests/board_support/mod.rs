//! Four board representations after D. Eppstein's lecture of 1997 (document 003), and chess played
//! on any of them: move generators that frequency nothing with the library's.
//!
//! A [`Representation`] knows where pieces are and where they reach; [`Game`] has the rest: turn,
//! castling rights, the square passed by a pawn, a Zobrist hash kept up to date, making moves and
//! taking them back. The lecture's hash adds and subtracts; ours, as is usual today, is an
//! exclusive or, which is its own inverse.
#![allow(dead_code, reason = "each test file is its own crate and uses a part")]

pub mod array_8x8;
pub mod bitboards;
pub mod border_10x12;
pub mod hex_0x88;

/// A piece: 1 to 6 are White's pawn, knight, bishop, rook, queen, king; 9 to 14 Black's; 0 none.
pub type Piece = u8;
/// a1 is 0, b1 1, h8 63.
pub type Square = u8;
/// Files and ranks to go.
pub type Step = (i8, i8);

pub const EMPTY: Piece = 0;
pub const PAWN: Piece = 1;
pub const ROOK: Piece = 4;
pub const KING: Piece = 6;
/// The bit of Black's pieces.
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

/// Where pieces are, and where they reach.
pub trait Representation: Clone {
    /// For messages and benches.
    const NAME: &'static str;

    /// The empty board.
    fn empty() -> Self;
    /// The piece on a square.
    fn at(&self, square: Square) -> Piece;
    /// Puts a piece on a square, or takes it away.
    fn put(&mut self, square: Square, piece: Piece);
    /// Visits the squares of a side, in order.
    fn each(&self, black: bool, visit: impl FnMut(Square, Piece));
    /// Visits the squares that are one step away, or, if it `slides`, on the way up to the first
    /// piece and with it.
    fn reach(&self, from: Square, step: Step, slides: bool, visit: impl FnMut(Square));
}

/// A move: from, to, and what a pawn becomes: 2 knight to 5 queen.
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

/// What a move changes and cannot be told from the board afterwards.
#[derive(Clone, Copy)]
pub struct Undo {
    taken: Piece,
    castling: u8,
    passed: Option<Square>,
    hash: u64,
}

/// Chess on a board of some kind.
#[derive(Clone)]
pub struct Game<R> {
    board: R,
    black: bool,
    /// White's short and long castling, Black's short and long: bits 0 to 3.
    castling: u8,
    passed: Option<Square>,
    hash: u64,
}

/// SplitMix64 of a number: a key.
fn key(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

fn piece_key(square: Square, piece: Piece) -> u64 {
    key(u64::from(square) << 4 | u64::from(piece))
}

/// The corners, and the rights they carry.
const CORNERS: [(Square, u8); 4] = [(7, 1), (0, 2), (63, 4), (56, 8)];

impl<R: Representation> Game<R> {
    pub fn from_fen(fen: &str) -> Self {
        let mut fields = fen.split_whitespace();
        let mut game = Game {
            board: R::empty(),
            black: false,
            castling: 0,
            passed: None,
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
        let passed = fields
            .next()
            .filter(|&field| field != "-")
            .map(str::as_bytes);
        game.passed = passed.map(|square| square[0] - b'a' + 8 * (square[1] - b'1'));
        game.hash = game.hash_anew();
        game
    }

    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The hash from nothing, as that kept up to date must be.
    pub fn hash_anew(&self) -> u64 {
        let mut hash = self.state_key();
        for black in [false, true] {
            self.board
                .each(black, |square, piece| hash ^= piece_key(square, piece));
        }
        hash
    }

    fn state_key(&self) -> u64 {
        let passed = self.passed.map_or(64, u64::from);
        key(1 << 20 | u64::from(self.black))
            ^ key(1 << 21 | u64::from(self.castling))
            ^ key(1 << 22 | passed)
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

    /// Whether a side attacks a square: whoever stands there as a piece of each kind would attack
    /// such a piece of theirs.
    fn attacks(&self, black: bool, square: Square) -> bool {
        let side = if black { BLACK } else { 0 };
        let mut found = false;
        let pawn_step = if black { 1 } else { -1 };
        let board = &self.board;
        let mut look = |steps: &[Step], slides: bool, kinds: [Piece; 2]| {
            for &step in steps {
                board.reach(square, step, slides, |to| {
                    let piece = board.at(to);
                    found |= piece & BLACK == side && kinds.contains(&(piece & 7));
                });
            }
        };
        // No side has a piece of kind 7.
        look(&KNIGHT_STEPS, false, [2, 7]);
        look(&DIAGONALS, true, [3, 5]);
        look(&STRAIGHTS, true, [4, 5]);
        look(&DIAGONALS, false, [KING, 7]);
        look(&STRAIGHTS, false, [KING, 7]);
        look(&[(1, pawn_step), (-1, pawn_step)], false, [PAWN, 7]);
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
        let mut go = |steps: &[Step], slides: bool| {
            for &step in steps {
                self.board.reach(from, step, slides, &mut add);
            }
        };
        match kind {
            PAWN => self.pawn_moves(from, moves),
            2 => go(&KNIGHT_STEPS, false),
            3 => go(&DIAGONALS, true),
            ROOK => go(&STRAIGHTS, true),
            _ => {
                go(&DIAGONALS, kind != KING);
                go(&STRAIGHTS, kind != KING);
            }
        }
    }

    fn pawn_moves(&self, from: Square, moves: &mut Vec<Move>) {
        let ahead = if self.black { -1 } else { 1 };
        let mut add = |to: Square| {
            let promotions = if (8..56).contains(&to) { 0..1 } else { 2..6 };
            moves.extend(promotions.map(|promotion| Move {
                from,
                to,
                promotion,
            }));
        };
        for aside in [-1, 1] {
            self.board.reach(from, (aside, ahead), false, |to| {
                let piece = self.board.at(to);
                if piece != EMPTY && !self.is_mine(piece) || self.passed == Some(to) {
                    add(to);
                }
            });
        }
        let home = if self.black { 6 } else { 1 };
        let mut steps = if from / 8 == home { 2 } else { 1 };
        self.board.reach(from, (0, ahead), true, |to| {
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

    /// Makes a move; what it gives takes it back.
    pub fn make(&mut self, m: Move) -> Undo {
        let piece = self.board.at(m.from);
        let undo = Undo {
            taken: self.board.at(m.to),
            castling: self.castling,
            passed: self.passed,
            hash: self.hash,
        };
        self.hash ^= self.state_key();
        let becomes = if m.promotion > 0 {
            m.promotion | self.side()
        } else {
            piece
        };
        self.put(m.from, EMPTY);
        self.put(m.to, becomes);
        if piece & 7 == PAWN && self.passed == Some(m.to) {
            self.put(m.to ^ 8, EMPTY);
        }
        if piece & 7 == KING && m.from.abs_diff(m.to) == 2 {
            let (corner, beside) = rook_way(m);
            self.put(corner, EMPTY);
            self.put(beside, ROOK | self.side());
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
        self.passed = double.then_some(m.from.midpoint(m.to));
        self.black = !self.black;
        self.hash ^= self.state_key();
        undo
    }

    pub fn unmake(&mut self, m: Move, undo: Undo) {
        self.black = !self.black;
        let piece = self.board.at(m.to);
        let was = if m.promotion > 0 {
            PAWN | self.side()
        } else {
            piece
        };
        self.board.put(m.to, undo.taken);
        self.board.put(m.from, was);
        if was & 7 == PAWN && undo.passed == Some(m.to) {
            self.board.put(m.to ^ 8, PAWN | (self.side() ^ BLACK));
        }
        if was & 7 == KING && m.from.abs_diff(m.to) == 2 {
            let (corner, beside) = rook_way(m);
            self.board.put(beside, EMPTY);
            self.board.put(corner, ROOK | self.side());
        }
        self.castling = undo.castling;
        self.passed = undo.passed;
        self.hash = undo.hash;
    }

    /// Games of `depth` moves, each move made and taken back.
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

    /// The same, each move made on a copy.
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

/// Where the rook of a castling stands, and where it goes.
fn rook_way(m: Move) -> (Square, Square) {
    let first = m.from & 56;
    let corner = if m.to > m.from { first + 7 } else { first };
    (corner, m.from.midpoint(m.to))
}
