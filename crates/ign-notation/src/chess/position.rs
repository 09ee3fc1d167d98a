//! A chess position and the moves played on it.
//!
//! [`Position`] is ten bitboards and a side to move: small enough to copy for every move, and
//! without the counters that legality does not depend on. [`Legal`](super::Legal) asks it where
//! the pieces are.
//!
//! Invariant: each side has exactly one king, no pawn stands on a first or last rank, the side
//! that just moved is not in check, and every castling right names a rook that stands on its
//! king's first rank, at most one on each side of the king. [`Start::from_fen`](super::Start::from_fen) checks this once;
//! [`Position::play`] is trusted and keeps it for legal moves.

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, CastlingSide, Chess, Color, File, FromSetup,
    Piece, PositionError, Role, Setup, Square, attacks,
};

use super::{
    lines,
    moves::Move,
    pawns::{self, FILE_A, FILE_H},
    vectors::{self, Rays, Words, Work},
};
use std::hint::select_unpredictable;

/// Where the squares of Black, then of White, stand among those of a position.
const COLORS: usize = 6;

/// A chess position, standard or Chess960; by default the standard start.
///
/// Equality compares boards, side to move, castling rights and en passant square. The en
/// passant square is set only when a pawn stands ready to capture there, though the capture may
/// still be illegal because of a pin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
// One line of the cache holds all squares: they are stored and copied as a whole.
#[repr(align(64))]
pub struct Position {
    /// Squares of each role, pawns first, then of Black and of White: together, since a move does
    /// the same to all.
    squares: Rays,
    /// Rooks of both sides that may still castle.
    castling: Bitboard,
    /// The square a pawn has just skipped, if an enemy pawn attacks it; else empty.
    en_passant: Bitboard,
    /// The side to move.
    turn: Color,
}

impl Default for Position {
    fn default() -> Position {
        Position::from_parts(
            &Board::new(),
            Color::White,
            Bitboard::CORNERS,
            Bitboard::EMPTY,
        )
    }
}

impl Position {
    /// The position of these parts, which must keep the invariant.
    pub fn from_parts(
        board: &Board,
        turn: Color,
        castling: Bitboard,
        en_passant: Bitboard,
    ) -> Position {
        let [pawns, knights, bishops, rooks, queens, kings] =
            Role::ALL.map(|role| board.by_role(role).0);
        let [black, white] = [Color::Black, Color::White].map(|color| board.by_color(color).0);
        Position {
            squares: [pawns, knights, bishops, rooks, queens, kings, black, white],
            castling,
            en_passant,
            turn,
        }
    }

    /// The first four fields of its FEN: board, side to move, castling rights, en
    /// passant square. Rights are `KQkq` with the king on the e-file and a rook in
    /// the corner, else letters of files; the square is that of
    /// [`en_passant`](Self::en_passant).
    pub fn fen_fields(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(90);
        for rank in (0..8u32).rev() {
            let mut empty = 0;
            for file in 0..8u32 {
                let square = Square::new(rank * 8 + file);
                let role = Role::ALL
                    .into_iter()
                    .find(|&role| self.by_role(role).contains(square));
                let Some(role) = role else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    out.push(b'0' + empty);
                }
                empty = 0;
                let letter = role.char() as u8;
                let white = self.by_color(Color::White).contains(square);
                out.push(if white {
                    letter.to_ascii_uppercase()
                } else {
                    letter
                });
            }
            if empty > 0 {
                out.push(b'0' + empty);
            }
            if rank > 0 {
                out.push(b'/');
            }
        }
        out.extend_from_slice(if self.turn.is_white() { b" w " } else { b" b " });
        let before = out.len();
        for color in [Color::White, Color::Black] {
            let usual = self.king(color).file() == File::E;
            let rooks = self.castling & self.by_color(color);
            for rook in rooks.into_iter().rev() {
                let letter = match rook.file() {
                    File::H if usual => b'k',
                    File::A if usual => b'q',
                    file => file.char() as u8,
                };
                out.push(if color.is_white() {
                    letter.to_ascii_uppercase()
                } else {
                    letter
                });
            }
        }
        if out.len() == before {
            out.push(b'-');
        }
        out.push(b' ');
        match self.en_passant.first() {
            Some(square) => out.extend_from_slice(square.to_string().as_bytes()),
            None => out.push(b'-'),
        }
        out
    }

    /// A number that stands for the position: its words folded into one (spec §8.5.2).
    #[inline]
    pub fn key(&self) -> u64 {
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let words = [
            self.us().0,
            self.occupied().0,
            self.castling_rooks().0,
            self.en_passant().0,
        ];
        let fold = |key: u64, word: u64| {
            let mixed = (key ^ word).wrapping_mul(FACTOR);
            mixed ^ mixed >> 29
        };
        let roles = Role::ALL.map(|role| self.by_role(role).0);
        let key = roles.into_iter().fold(FACTOR, fold);
        words.into_iter().fold(key, fold)
    }

    /// The side to move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The squares of one role, of both sides.
    #[inline]
    pub const fn by_role(&self, role: Role) -> Bitboard {
        Bitboard(self.squares[role as usize - 1])
    }

    /// The squares of one side.
    #[inline]
    pub const fn by_color(&self, color: Color) -> Bitboard {
        Bitboard(self.squares[COLORS + color as usize])
    }

    /// The squares of the side to move.
    #[inline]
    pub const fn us(&self) -> Bitboard {
        self.by_color(self.turn)
    }

    /// The squares of the side that just moved.
    #[inline]
    pub const fn them(&self) -> Bitboard {
        self.by_color(self.turn.other())
    }

    /// All occupied squares.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.squares[COLORS] | self.squares[COLORS + 1])
    }

    /// The rooks, of both sides, that may still castle.
    #[inline]
    pub const fn castling_rooks(&self) -> Bitboard {
        self.castling
    }

    /// The square behind a pawn that has just advanced two, if an enemy pawn attacks it; empty
    /// otherwise. The capture may be illegal all the same: see [`Legal`](super::Legal).
    #[inline]
    pub const fn en_passant(&self) -> Bitboard {
        self.en_passant
    }

    /// The role of the piece on a square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        // Sums instead of a search: which role it is cannot be predicted, so branching on each
        // would stall the walk over a game.
        let number: u64 = (1..=6)
            .map(|role| role * (self.squares[role as usize - 1] >> square.to_u32() & 1))
            .sum();
        (number != 0).then(|| Role::ALL[(number as usize - 1) % 6])
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = Color::from_white(self.by_color(Color::White).contains(square));
        self.role_at(square).map(|role| role.of(color))
    }

    /// What both sides have besides kings and pawns: knights and bishops count 3, rooks 5, queens
    /// 9; 62 at the beginning.
    pub fn material(&self) -> u32 {
        material(|role| self.by_role(role))
    }

    /// The square of a side's king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        let king = self.by_role(Role::King) & self.by_color(color);
        Square::new(king.0.trailing_zeros() & 63)
    }

    /// All pieces, of both sides, that would attack `square` if `occupied` were the occupied
    /// squares.
    pub(super) fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.by_role(Role::Queen);
        let pawns = (attacks::pawn_attacks(Color::White, square) & self.by_color(Color::Black))
            | (attacks::pawn_attacks(Color::Black, square) & self.by_color(Color::White));
        (pawns & self.by_role(Role::Pawn))
            | (attacks::knight_attacks(square) & self.by_role(Role::Knight))
            | (attacks::king_attacks(square) & self.by_role(Role::King))
            | (lines::bishop(square, occupied) & (self.by_role(Role::Bishop) | queens))
            | (lines::rook(square, occupied) & (self.by_role(Role::Rook) | queens))
    }

    /// The squares that the piece on a square attacks; none where no piece is.
    pub fn attacks_from(&self, square: Square) -> Bitboard {
        let occupied = self.occupied();
        match self.piece_at(square) {
            None => Bitboard::EMPTY,
            Some(piece) => match piece.role {
                Role::Pawn => attacks::pawn_attacks(piece.color, square),
                Role::Knight => attacks::knight_attacks(square),
                Role::Bishop => lines::bishop(square, occupied),
                Role::Rook => lines::rook(square, occupied),
                Role::Queen => lines::bishop(square, occupied) | lines::rook(square, occupied),
                Role::King => attacks::king_attacks(square),
            },
        }
    }

    /// Whether the side that has just moved has left its king in check, as no position of a game
    /// does.
    pub fn leaves_check(&self) -> bool {
        self.is_king_attacked(!self.turn)
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.is_king_attacked(self.turn)
    }

    fn is_king_attacked(&self, side: Color) -> bool {
        let attackers = self.attackers(self.king(side), self.occupied());
        (attackers & self.by_color(!side)).any()
    }

    /// The side a move castles to, if it castles. The move must be legal here.
    #[inline]
    pub fn castling_side(&self, m: Move) -> Option<CastlingSide> {
        let (from, to) = (m.from(), m.to());
        let castles = self.by_role(Role::King).contains(from)
            && (self.us().contains(to) || from.abs_diff(to) == 2);
        castles.then(|| CastlingSide::from_king_side(to > from))
    }

    /// The square the moving piece ends up on: the destination, except that a castling king is
    /// on the g- or c-file whatever its canonical destination. The move must be legal here.
    #[inline]
    pub fn landing(&self, m: Move) -> Square {
        self.castling_side(m)
            .map_or(m.to(), |side| side.king_to(self.turn))
    }

    /// Plays a legal move. An illegal one leaves a board without meaning.
    #[inline]
    pub fn play(&mut self, m: Move) {
        struct Play<'a>(&'a mut Position, Move);
        impl Work for Play<'_> {
            type Output = ();
            #[inline(always)]
            fn on(self, vectors: impl Words) {
                self.0.play_with(vectors, self.1);
            }
        }
        vectors::here(Play(self, m));
    }

    /// What kind of piece moves, and whether it takes, cannot be predicted: all is updated as if it
    /// might be any.
    #[inline(always)]
    pub(super) fn play_with(&mut self, vectors: impl Words, m: Move) {
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let origin = Bitboard::from_square(from);
        let target = Bitboard::from_square(to);
        let (skipped, distance) = (self.en_passant, from.abs_diff(to));
        let (ahead, enemy) = (us.fold_wb(8, 56), self.by_color(us.other()));
        self.en_passant = Bitboard::EMPTY;
        self.turn = us.other();

        let by_king = (self.by_role(Role::King) & origin).any();
        let kept = Bitboard::from_rank(us.backrank());
        self.castling &= !select_unpredictable(by_king, kept, Bitboard::EMPTY);
        if by_king & ((self.by_color(us) & target).any() | (distance == 2)) {
            return self.castle(us, from, to);
        }
        // Only a capturing pawn can reach the skipped square: the pawn that skipped it stands
        // between it and any pawn that could advance there.
        let by_pawn = (self.by_role(Role::Pawn) & origin).any();
        let passing = select_unpredictable(by_pawn, skipped & target, Bitboard::EMPTY);
        let passed = pawns::back(passing, ahead);
        let middle = pawns::step(origin, ahead);
        let beside = Bitboard(target.0 << 1 & !FILE_A | target.0 >> 1 & !FILE_H);
        let skips = by_pawn & (distance == 16) & (beside & self.by_role(Role::Pawn) & enemy).any();
        self.en_passant = select_unpredictable(skips, middle, Bitboard::EMPTY);
        self.castling &= !(origin | target);

        let all = vectors.rays(self.squares);
        let carried = vectors.and(vectors.right(all, from.to_u32()), vectors.all(1));
        let stay = vectors.and(all, vectors.all(!(origin | target | passed).0));
        self.squares = vectors.words(vectors.or(stay, vectors.left(carried, to.to_u32())));
        if let Some(role) = m.promotion() {
            self.squares[Role::Pawn as usize - 1] ^= target.0;
            self.squares[role as usize - 1] |= target.0;
        }
    }

    /// Puts a piece of the side to move on an empty square, as its move.
    pub fn put(&mut self, role: Role, square: Square) {
        let us = self.turn;
        self.squares[role as usize - 1] |= Bitboard::from_square(square).0;
        self.squares[COLORS + us as usize] |= Bitboard::from_square(square).0;
        self.en_passant = Bitboard::EMPTY;
        self.turn = us.other();
    }

    /// Moves king and rook, the king's canonical destination being `to`.
    fn castle(&mut self, us: Color, from: Square, to: Square) {
        let side = CastlingSide::from_king_side(to > from);
        let corner = Square::new(from.to_u32() & 56 | if to > from { 7 } else { 0 });
        let rook = if self.by_color(us).contains(to) {
            to
        } else {
            corner
        };
        let king_to = Bitboard::from_square(side.king_to(us));
        let rook_to = Bitboard::from_square(side.rook_to(us));
        let vacated = Bitboard::from_square(from) | rook;
        let mut go = |word: usize, to: Bitboard| {
            let squares = &mut self.squares[word];
            *squares = *squares & !vacated.0 | to.0;
        };
        go(Role::Rook as usize - 1, rook_to);
        go(Role::King as usize - 1, king_to);
        go(COLORS + us as usize, king_to | rook_to);
    }

    /// The same position for shakmaty, its counters those of a first move; `None` only when an
    /// illegal move was played.
    pub fn to_shakmaty(&self) -> Option<Chess> {
        let roles = ByRole::new_with(|role| self.by_role(role));
        let colors = ByColor::new_with(|color| self.by_color(color));
        let setup = Setup {
            board: Board::try_from_bitboards(roles, colors).ok()?,
            turn: self.turn,
            castling_rights: self.castling,
            ep_square: self.en_passant.first(),
            ..Setup::empty()
        };
        Chess::from_setup(setup, CastlingMode::Chess960)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .ok()
    }
}

/// As [`Position::material`], of the pieces of these squares.
pub(super) fn material(by_role: impl Fn(Role) -> Bitboard) -> u32 {
    let worth = [
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 5),
        (Role::Queen, 9),
    ];
    let worth = worth.map(|(role, worth)| worth * by_role(role).count() as u32);
    worth.iter().sum()
}

/// The squares one step ahead of `squares` as `color` goes.
#[inline]
pub(super) fn forward(color: Color, squares: Bitboard) -> Bitboard {
    Bitboard(squares.0.rotate_left(color.fold_wb(8, 56)))
}
