//! Chess from positions whose kings the laws of chess do not allow: a side has none or several, or
//! the side to move can capture one (spec §8.1.2).
//!
//! Problems and lessons start from such positions. The rules are those of python-chess. Only one
//! king of a side must not be attacked: the last one from a1 to h8. Every other king is an ordinary
//! piece, and any king can be captured.
//!
//! With one king each and no check by the side to move, the moves are those of chess. Such games
//! are rare, so every move is played to find out whether it is legal.

use shakmaty::{Bitboard, CastlingSide, Color, Rank, Role, Square, attacks};

use crate::chess::{
    moves::{Move, castling_destination},
    pawns::forward,
    position::Position,
};

/// What a pawn promotes to.
const PROMOTIONS: [Role; 4] = [Role::Bishop, Role::Knight, Role::Queen, Role::Rook];

impl Position {
    /// The kings of one side.
    fn kings(&self, color: Color) -> Bitboard {
        self.by_role(Role::King) & self.by_color(color)
    }

    /// Whether each side has one king, and the side to move cannot capture one, as the laws of chess
    /// require.
    pub fn has_regular_kings(&self) -> bool {
        let one_each = Color::ALL.map(|color| self.kings(color).count() == 1);
        one_each == [true; 2] && !self.leaves_check()
    }

    /// The king that may castle: of those on the first rank of its side, the one nearest to the
    /// a-file.
    pub fn castling_king(&self, color: Color) -> Option<Square> {
        (self.kings(color) & color.backrank()).first()
    }

    /// The en passant square, if an en passant capture is legal. Kings may be missing or many.
    pub fn passing(&self) -> Option<Square> {
        let skipped = self.en_passant().first()?;
        let pawns = self.us() & self.by_role(Role::Pawn);
        let takers = attacks::pawn_attacks(!self.turn(), skipped) & pawns;
        let king = self.kings(self.turn()).last();
        let is_legal = |from| is_safe(self, king, Move::new(from, skipped, None));
        takers.into_iter().any(is_legal).then_some(skipped)
    }
}

/// Whether the last king of a side is attacked; false if it has none.
pub(super) fn is_check(position: &Position, color: Color) -> bool {
    let king = position.kings(color).last();
    king.is_some_and(|king| is_attacked(position, king, color, position.occupied()))
}

/// Whether the null move is possible: neither side is in check.
pub(super) fn may_pass(position: &Position) -> bool {
    !Color::ALL.iter().any(|&color| is_check(position, color))
}

/// The legal moves in canonical order.
pub(super) fn legal_moves(position: &Position) -> Vec<Move> {
    let king = position.kings(position.turn()).last();
    let in_check = is_check(position, position.turn());
    let mut moves = Vec::new();
    for from in position.us() {
        // In check, the other kings neither move nor castle.
        let is_king = position.kings(position.turn()).contains(from);
        if !(in_check && is_king && Some(from) != king) {
            pseudo_legal(position, from, &mut moves);
        }
    }
    if !in_check {
        castlings(position, &mut moves);
    }
    moves.retain(|&m| is_safe(position, king, m));
    moves.sort_unstable();
    moves
}

/// Plays a legal move or the null move. A side also loses its castling rights with a king that is
/// captured on its first rank.
pub(super) fn play(position: &mut Position, played: Move) {
    let them = !position.turn();
    let captured = position.kings(them) & them.backrank() & Bitboard::from_square(played.to());
    let is_capture = captured.any() && !played.is_null();
    position.play(played);
    if is_capture {
        position.lose_castling(them);
    }
}

/// Whether the pieces of the other side attack a square of `color`, given the occupied squares.
fn is_attacked(position: &Position, square: Square, color: Color, occupied: Bitboard) -> bool {
    let attackers = position.attackers(square, occupied);
    (attackers & position.by_color(!color)).any()
}

/// Whether the `king` of the side to move is not attacked after a pseudo-legal move.
fn is_safe(position: &Position, king: Option<Square>, m: Move) -> bool {
    let Some(king) = king else {
        return true;
    };
    let us = position.turn();
    let king = if m.from() == king {
        position.landing(m)
    } else {
        king
    };
    let mut after = *position;
    after.play(m);
    !is_attacked(&after, king, us, after.occupied())
}

/// Appends the moves of the piece on a square without castling.
fn pseudo_legal(position: &Position, from: Square, moves: &mut Vec<Move>) {
    let (us, turn) = (position.us(), position.turn());
    if !position.by_role(Role::Pawn).contains(from) {
        let destinations = position.attacks_from(from) & !us;
        moves.extend(destinations.into_iter().map(|to| Move::new(from, to, None)));
        return;
    }
    let free = !position.occupied();
    let one = forward(turn, Bitboard::from_square(from)) & free;
    let may_step_twice = from.rank() == turn.fold_wb(Rank::Second, Rank::Seventh);
    let two = forward(turn, one) & free;
    let captured = position.them() | position.en_passant();
    let mut destinations = one | attacks::pawn_attacks(turn, from) & captured;
    if may_step_twice {
        destinations |= two;
    }
    for to in destinations {
        if Bitboard::BACKRANKS.contains(to) {
            moves.extend(PROMOTIONS.map(|role| Move::new(from, to, Some(role))));
        } else {
            moves.push(Move::new(from, to, None));
        }
    }
}

/// Appends the castlings of a side that is not in check, as [`Position::castling_king`] makes them.
fn castlings(position: &Position, moves: &mut Vec<Move>) {
    let turn = position.turn();
    let Some(king) = position.castling_king(turn) else {
        return;
    };
    for rook in position.castling_rooks() & position.us() {
        let side = CastlingSide::from_king_side(rook > king);
        let (king_to, rook_to) = (side.king_to(turn), side.rook_to(turn));
        let path = attacks::between(king, king_to).with(king_to);
        let rook_path = attacks::between(rook, rook_to).with(rook_to);
        let without_king = position.occupied().without(king);
        let is_blocked = ((path | rook_path) & without_king.without(rook)).any();
        let is_attacked = |square| is_attacked(position, square, turn, without_king);
        if !is_blocked && !path.with(king).into_iter().any(is_attacked) {
            moves.push(Move::new(king, castling_destination(king, rook), None));
        }
    }
}
