//! Draws that a player may claim: a position for the third time, fifty moves without progress.
//!
//! Positions are compared by their Zobrist keys, as document 003 teaches: a number for each piece on
//! each square and for each right, by which a position is the sum without carry of what is in it.
//! The numbers are Polyglot's, which shakmaty has. By the Laws of Chess (FIDE, article 9.2) two
//! positions are the same when the same player has the move, the same pieces stand on the same
//! squares and the same moves are possible: castling rights count, and the right to take in passing
//! where the capture is legal. In variants pieces in hand, pieces that were pawns and checks to be
//! given count as well.
//!
//! By article 9.3 fifty moves of each player without a pawn's move or a capture are enough. They are
//! counted from where the game starts. Where pieces come back, as in Crazyhouse, there is no such
//! rule.

use shakmaty::{
    CastlingSide, Color,
    zobrist::{Zobrist64, ZobristValue},
};

use super::{Legal, Move, rules::LegalMoves};

/// Times that make a repetition.
const TIMES: usize = 3;
/// Half-moves of fifty moves.
const FIFTY: usize = 100;

/// The Zobrist key of a position of chess.
pub(super) fn key(legal: &Legal) -> u64 {
    let position = legal.position();
    let mut key = Zobrist64::default();
    for square in position.occupied() {
        if let Some(piece) = position.piece_at(square) {
            key ^= Zobrist64::zobrist_for_piece(square, piece);
        }
    }
    if position.turn().is_white() {
        key ^= Zobrist64::zobrist_for_white_turn();
    }
    for rook in position.castling_rooks() {
        let color = Color::from_white(position.by_color(Color::White).contains(rook));
        let side = CastlingSide::from_king_side(rook > position.king(color));
        key ^= Zobrist64::zobrist_for_castling_right(color, side);
    }
    if let Some(skipped) = legal.passing() {
        key ^= Zobrist64::zobrist_for_en_passant_file(skipped.file());
    }
    key.0
}

/// What a game showed that could be claimed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Claimable {
    /// Whether some position stood on the board for the third time.
    pub repetition: bool,
    /// Whether the last position did.
    pub repetition_at_end: bool,
    /// Whether fifty moves passed somewhere without a pawn's move or a capture.
    pub fifty_moves: bool,
    /// Whether they had at the end.
    pub fifty_moves_at_end: bool,
}

/// Watches a game while it is played.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    /// Keys of the positions that may come back.
    keys: Vec<u64>,
    /// Half-moves since a pawn moved or something was taken.
    idle: usize,
    seen: Claimable,
}

impl Watch {
    /// Sees the next position, and the move that is played there; none in the last.
    pub fn see(&mut self, legal: &(impl LegalMoves + ?Sized), played: Option<Move>) {
        let key = legal.key();
        self.keys.push(key);
        let times = self.keys.iter().filter(|&&known| known == key).count();
        let seen = &mut self.seen;
        seen.repetition_at_end = times >= TIMES;
        seen.repetition |= seen.repetition_at_end;
        seen.fifty_moves_at_end = self.idle >= FIFTY;
        seen.fifty_moves |= seen.fifty_moves_at_end;
        let Some(played) = played else {
            return;
        };
        match legal.is_progress(played) {
            None => {}
            Some(true) => {
                self.keys.clear();
                self.idle = 0;
            }
            Some(false) => self.idle += 1,
        }
    }

    /// What there was; ready for the next game.
    pub fn finish(&mut self) -> Claimable {
        let seen = self.seen;
        self.keys.clear();
        (self.idle, self.seen) = (0, Claimable::default());
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Position, san};
    use shakmaty::{EnPassantMode, Position as _};

    fn watch(fen: Option<&str>, moves: &str) -> Claimable {
        let mut position = fen.map_or_else(Position::default, |fen| {
            Position::from_fen(fen.as_bytes()).unwrap()
        });
        let mut watch = Watch::default();
        for token in moves.split_whitespace() {
            let legal = Legal::new(&position);
            let played = san::resolve(&legal, token.as_bytes()).expect(token);
            watch.see(&legal, Some(played));
            position.play(played);
        }
        watch.see(&Legal::new(&position), None);
        watch.finish()
    }

    #[test]
    fn keys_are_those_of_shakmaty() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 0 1",
            "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
            // The pawn that could take in passing is pinned.
            "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        ] {
            let position = Position::from_fen(fen.as_bytes()).unwrap();
            let theirs = position.to_shakmaty().unwrap();
            let theirs = theirs.zobrist_hash::<Zobrist64>(EnPassantMode::Legal);
            assert_eq!(key(&Legal::new(&position)), theirs.0, "{fen}");
        }
    }

    #[test]
    fn the_third_time_counts_and_not_the_second() {
        let knights = "Nf3 Nf6 Ng1 Ng8 ";
        assert!(!watch(None, knights).repetition);
        let thrice = watch(None, &knights.repeat(2));
        assert!(thrice.repetition && thrice.repetition_at_end);
        let on = watch(None, &(knights.repeat(2) + "e4"));
        assert!(on.repetition && !on.repetition_at_end);
    }

    #[test]
    fn rights_make_positions_different() {
        // Kings come back, but their rights do not: four times on the board, three times the same.
        let kings = "Ke2 Ke7 Ke1 Ke8 ";
        let start = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        assert!(!watch(Some(start), &kings.repeat(2)).repetition_at_end);
        assert!(watch(Some(start), &kings.repeat(3)).repetition_at_end);
        // A pawn may be taken in passing the first time only.
        let moves = "Kb8 Kb1 Ka8 Ka1 ".repeat(2);
        let may = "k7/8/8/8/1pP5/8/8/K7 b - c3 0 1";
        assert!(!watch(Some(may), &moves).repetition);
        // Pinned it may not at all, and the first time is like the others.
        let moves = "Kd8 Kd2 Ke8 Kd1 ".repeat(2);
        let pinned = "4k3/8/8/8/4pP2/8/8/3KR3 b - f3 0 1";
        assert!(watch(Some(pinned), &moves).repetition_at_end);
    }

    #[test]
    fn a_hundred_half_moves_without_progress_are_enough() {
        let start = "k7/p7/8/8/8/8/8/K6R w - - 0 1";
        let round = "Rh2 Kb7 Rh1 Ka8 ";
        let fifty = watch(Some(start), &round.repeat(25));
        assert!(fifty.fifty_moves && fifty.fifty_moves_at_end);
        let less = round.repeat(25);
        let less = less.trim_end().trim_end_matches("Ka8");
        assert!(!watch(Some(start), less).fifty_moves);
        let broken = round.repeat(25).replacen("Kb7 Rh1 Ka8", "a6 Rh1 a5", 1);
        assert!(!watch(Some(start), &broken).fifty_moves);
        let after = watch(Some(start), &(round.repeat(25) + "Rh2 a6"));
        assert!(after.fifty_moves && !after.fifty_moves_at_end);
    }
}
