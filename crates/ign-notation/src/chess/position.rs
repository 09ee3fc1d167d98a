//! A chess position and the moves played on it.
//!
//! [`Position`] is ten bitboards and a side to move: small enough to copy for every move. It has
//! no move counters, because no move depends on them. [`Legal`](super::Legal) finds its legal
//! moves.
//!
//! Invariant: each side has exactly one king, no pawn is on the first or last rank, the side that
//! just moved is not in check, and every castling right names a rook on its king's first rank, at
//! most one on each side of the king. [`Start::from_fen`](super::Start::from_fen) checks this
//! once; [`Position::play`] trusts its caller, and legal moves keep it. Boards of
//! [variants](super::variant) need not have one king each, nor kings that are not attacked;
//! [`Legal`](super::Legal) must not be made of these.

use std::hint::select_unpredictable;

use shakmaty::{Bitboard, Board, CastlingSide, Color, Piece, Role, Square, attacks};

use super::{
    bits::{FILE_A, FILE_H},
    moves::Move,
    pawns,
    simd::{self, Rays, Words, Work},
    sliding,
};

/// The index of Black's squares among the words of a position; White's follow.
const COLORS: usize = 6;

/// A chess position, standard or Chess960; the default is the standard starting position.
///
/// Equality compares board, side to move, castling rights and en passant square. The en passant
/// square is set only if an enemy pawn attacks it; the capture may still be illegal because of a
/// pin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
// All squares fit one cache line: they are loaded, stored and copied as a whole.
#[repr(align(64))]
pub struct Position {
    /// The squares of each role, pawns first, then of Black and of White. One array, because a
    /// move applies the same operation to all.
    squares: Rays,
    /// The rooks of both sides that have a castling right.
    castling: Bitboard,
    /// The square that a pawn has just skipped, if an enemy pawn attacks it; empty otherwise.
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
    /// The position with this board, side to move, castling rooks and en passant square (a set of
    /// at most one square).
    ///
    /// The parts are not checked: they must satisfy the invariant of a position (one king each, no
    /// pawns on the first or last rank, the side not to move not in check; castling rooks on their
    /// king's first rank, at most one on each side of it; the en passant square attacked by a
    /// pawn).
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

    /// [`from_parts`](Self::from_parts), of the squares of White's pawns, knights, bishops, rooks,
    /// queens and kings, then of Black's.
    pub fn from_boards(
        boards: &[u64; 12],
        turn: Color,
        castling: Bitboard,
        en_passant: Bitboard,
    ) -> Position {
        let (white, black) = boards.split_at(COLORS);
        let mut squares = [0; 8];
        for (role, square) in squares[..COLORS].iter_mut().enumerate() {
            *square = white[role] | black[role];
        }
        let all = |side: &[u64]| side.iter().fold(0, |all, squares| all | squares);
        squares[COLORS] = all(black);
        squares[COLORS + 1] = all(white);
        Position {
            squares,
            castling,
            en_passant,
            turn,
        }
    }

    /// The squares of White's pawns, knights, bishops, rooks, queens and kings, then of Black's.
    #[inline]
    pub fn boards(&self) -> [u64; 12] {
        let (black, white) = (self.squares[COLORS], self.squares[COLORS + 1]);
        let mut boards = [0; 12];
        for (role, squares) in self.squares[..COLORS].iter().enumerate() {
            boards[role] = squares & white;
            boards[COLORS + role] = squares & black;
        }
        boards
    }

    /// A 64-bit hash of the position (spec §8.5.2). Not its Zobrist key.
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

    /// The squares of one role, both sides.
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

    /// The rooks of both sides that have a castling right.
    #[inline]
    pub const fn castling_rooks(&self) -> Bitboard {
        self.castling
    }

    /// The square that a pawn has just skipped, if an enemy pawn attacks it; empty otherwise. The
    /// capture may be illegal because of a pin: see [`Legal::passing`](super::Legal::passing).
    #[inline]
    pub const fn en_passant(&self) -> Bitboard {
        self.en_passant
    }

    /// The role of the piece on a square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        // A sum instead of a search: the role is unpredictable, so branches would be mispredicted.
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

    /// The squares of each role, pawns first and kings last, then those of Black and of White: the
    /// whole board in eight words.
    #[inline]
    pub const fn board_words(&self) -> &[u64; 8] {
        &self.squares
    }

    /// The same position without the right to capture en passant.
    #[must_use]
    pub const fn without_en_passant(mut self) -> Position {
        self.en_passant = Bitboard::EMPTY;
        self
    }

    /// The material of both sides without kings and pawns: knights and bishops count 3, rooks 5,
    /// queens 9. It is 62 in the standard starting position.
    pub fn material(&self) -> u32 {
        material(|role| self.by_role(role))
    }

    /// The square of the king of one side.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        let king = self.by_role(Role::King) & self.by_color(color);
        Square::new(king.0.trailing_zeros() & 63)
    }

    /// The pieces of both sides that attack `square`, given the occupied squares.
    pub(super) fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.by_role(Role::Queen);
        let pawns = (attacks::pawn_attacks(Color::White, square) & self.by_color(Color::Black))
            | (attacks::pawn_attacks(Color::Black, square) & self.by_color(Color::White));
        (pawns & self.by_role(Role::Pawn))
            | (attacks::knight_attacks(square) & self.by_role(Role::Knight))
            | (attacks::king_attacks(square) & self.by_role(Role::King))
            | (sliding::bishop(square, occupied) & (self.by_role(Role::Bishop) | queens))
            | (sliding::rook(square, occupied) & (self.by_role(Role::Rook) | queens))
    }

    /// The squares attacked by the piece on a square; empty if there is no piece.
    pub fn attacks_from(&self, square: Square) -> Bitboard {
        let occupied = self.occupied();
        match self.piece_at(square) {
            None => Bitboard::EMPTY,
            Some(piece) => match piece.role {
                Role::Pawn => attacks::pawn_attacks(piece.color, square),
                Role::Knight => attacks::knight_attacks(square),
                Role::Bishop => sliding::bishop(square, occupied),
                Role::Rook => sliding::rook(square, occupied),
                Role::Queen => sliding::bishop(square, occupied) | sliding::rook(square, occupied),
                Role::King => attacks::king_attacks(square),
            },
        }
    }

    /// Whether the side that just moved is in check, which no legal move allows.
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

    /// The side to which a move castles; `None` if it does not castle. The move must be legal here.
    #[inline]
    pub fn castling_side(&self, m: Move) -> Option<CastlingSide> {
        let (from, to) = (m.from(), m.to());
        let castles = self.by_role(Role::King).contains(from)
            && (self.us().contains(to) || from.abs_diff(to) == 2);
        castles.then(|| CastlingSide::from_king_side(to > from))
    }

    /// The square on which the moving piece ends: the destination, except that a castling king ends
    /// on the g- or c-file whatever its canonical destination. The move must be legal here.
    #[inline]
    pub fn landing(&self, m: Move) -> Square {
        self.castling_side(m)
            .map_or(m.to(), |side| side.king_to(self.turn))
    }

    /// Plays a legal move or the null move. After an illegal move the position is unspecified, and
    /// after the null move of a side in check.
    #[inline]
    pub fn play(&mut self, m: Move) {
        if m.is_null() {
            return self.pass();
        }
        struct Play<'a>(&'a mut Position, Move);
        impl Work for Play<'_> {
            type Output = ();
            #[inline(always)]
            fn on(self, simd: impl Words) {
                self.0.play_with(simd, self.1);
            }
        }
        simd::here(Play(self, m));
    }

    /// Plays the null move: the other side is to move, and may not capture en passant.
    #[cold]
    fn pass(&mut self) {
        self.en_passant = Bitboard::EMPTY;
        self.turn = self.turn.other();
    }

    /// [`play`](Position::play) of a legal move, inlined into its caller and its instruction set.
    ///
    /// The kind of the piece and whether it captures are unpredictable, so there is no branch on
    /// them: every word is updated in the same way.
    #[inline(always)]
    pub(super) fn play_with(&mut self, simd: impl Words, m: Move) {
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
        // A pawn reaches the skipped square only by a capture: the pawn that skipped it blocks any
        // pawn that could advance there.
        let by_pawn = (self.by_role(Role::Pawn) & origin).any();
        let passing = select_unpredictable(by_pawn, skipped & target, Bitboard::EMPTY);
        let passed = pawns::back(passing, ahead);
        let middle = pawns::step(origin, ahead);
        let beside = Bitboard(target.0 << 1 & !FILE_A | target.0 >> 1 & !FILE_H);
        let skips = by_pawn & (distance == 16) & (beside & self.by_role(Role::Pawn) & enemy).any();
        self.en_passant = select_unpredictable(skips, middle, Bitboard::EMPTY);
        self.castling &= !(origin | target);

        let all = simd.rays(self.squares);
        let carried = simd.and(simd.right(all, from.to_u32()), simd.all(1));
        let stay = simd.and(all, simd.all(!(origin | target | passed).0));
        self.squares = simd.words(simd.or(stay, simd.left(carried, to.to_u32())));
        if let Some(role) = m.promotion() {
            self.squares[Role::Pawn as usize - 1] ^= target.0;
            self.squares[role as usize - 1] |= target.0;
        }
    }

    /// Removes the castling rights of a side.
    pub(super) fn lose_castling(&mut self, color: Color) {
        self.castling &= !self.by_color(color);
    }

    /// Drops a piece of the side to move on an empty square, as its move.
    pub fn put(&mut self, role: Role, square: Square) {
        let us = self.turn;
        self.squares[role as usize - 1] |= Bitboard::from_square(square).0;
        self.squares[COLORS + us as usize] |= Bitboard::from_square(square).0;
        self.en_passant = Bitboard::EMPTY;
        self.turn = us.other();
    }

    /// The rook of a castling move; `to` is the king's canonical destination.
    #[inline]
    pub(super) fn castling_rook(&self, us: Color, from: Square, to: Square) -> Square {
        let corner = Square::new(from.to_u32() & 56 | if to > from { 7 } else { 0 });
        if self.by_color(us).contains(to) {
            to
        } else {
            corner
        }
    }

    /// Plays castling; `to` is the king's canonical destination.
    fn castle(&mut self, us: Color, from: Square, to: Square) {
        let side = CastlingSide::from_king_side(to > from);
        let rook = self.castling_rook(us, from, to);
        let king_to = Bitboard::from_square(side.king_to(us));
        let rook_to = Bitboard::from_square(side.rook_to(us));
        let vacated = Bitboard::from_square(from) | rook;
        let mut place = |word: usize, to: Bitboard| {
            let squares = &mut self.squares[word];
            *squares = *squares & !vacated.0 | to.0;
        };
        place(Role::Rook as usize - 1, rook_to);
        place(Role::King as usize - 1, king_to);
        place(COLORS + us as usize, king_to | rook_to);
    }
}

/// [`Position::material`] of a board given by the squares of each role.
pub(super) fn material(by_role: impl Fn(Role) -> Bitboard) -> u32 {
    let value = [
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 5),
        (Role::Queen, 9),
    ]
    .map(|(role, value)| value * by_role(role).count() as u32);
    value.iter().sum()
}

/// [`COLORS`] is indexed by the numbers of the colors.
const _: () = assert!(Color::Black as usize == 0 && Color::White as usize == 1);
