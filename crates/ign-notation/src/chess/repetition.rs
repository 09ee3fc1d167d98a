//! Draws that a player may claim: threefold repetition and the fifty-move rule.
//!
//! Positions are compared by their Zobrist keys ([`LegalMoves::key`]). In variants, pieces in hand,
//! promoted pieces and remaining checks are part of the key.
//!
//! Fifty moves by each player without a pawn move or a capture allow a claim (FIDE Laws, article
//! 9.3). The moves before the start of the game are those that its FEN counts. Crazyhouse has no
//! such rule, because captured pieces return.

use super::{moves::Move, rules::LegalMoves};

/// Occurrences of a position that allow a claim.
const OCCURRENCES: usize = 3;
/// Plies without progress that allow a claim.
const FIFTY_MOVES: usize = 100;

/// The draws that could have been claimed in a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Claimable {
    /// Whether some position occurred for the third time.
    pub repetition: bool,
    /// Whether the last position did.
    pub repetition_at_end: bool,
    /// Whether fifty moves without a pawn move or a capture were played somewhere.
    pub fifty_moves: bool,
    /// Whether the game ended after fifty such moves.
    pub fifty_moves_at_end: bool,
}

/// Follows a game and records claimable draws.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    /// The keys of the positions since the last progress; earlier ones cannot recur.
    keys: Vec<u64>,
    /// The number of plies since the last pawn move or capture.
    idle: usize,
    seen: Claimable,
}

impl Watch {
    /// Begins a game whose FEN states this number of plies since the last pawn move or capture.
    pub fn begin(&mut self, halfmoves: u32) {
        self.idle = halfmoves as usize;
    }

    /// Adds the next position and the move played there; `None` in the last position.
    pub fn see(&mut self, legal: &(impl LegalMoves + ?Sized), played: Option<Move>) {
        let key = legal.key();
        self.keys.push(key);
        let times = self.keys.iter().filter(|&&known| known == key).count();
        let seen = &mut self.seen;
        seen.repetition_at_end = times >= OCCURRENCES;
        seen.repetition |= seen.repetition_at_end;
        seen.fifty_moves_at_end = self.idle >= FIFTY_MOVES;
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

    /// Returns the claimable draws and resets for the next game.
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
    use crate::chess::{Legal, Start, san};

    fn watch(fen: Option<&str>, moves: &str) -> Claimable {
        let start = fen.map(|fen| Start::from_fen(fen.as_bytes()).unwrap());
        let Start {
            mut position,
            halfmoves,
            ..
        } = start.unwrap_or_default();
        let mut watch = Watch::default();
        watch.begin(halfmoves);
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
    fn the_third_occurrence_counts_and_the_second_does_not() {
        let knights = "Nf3 Nf6 Ng1 Ng8 ";
        assert!(!watch(None, knights).repetition);
        let thrice = watch(None, &knights.repeat(2));
        assert!(thrice.repetition && thrice.repetition_at_end);
        let on = watch(None, &(knights.repeat(2) + "e4"));
        assert!(on.repetition && !on.repetition_at_end);
    }

    #[test]
    fn positions_with_different_rights_are_different() {
        // The first occurrence has castling rights, the later ones have not.
        let kings = "Ke2 Ke7 Ke1 Ke8 ";
        let start = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        assert!(!watch(Some(start), &kings.repeat(2)).repetition_at_end);
        assert!(watch(Some(start), &kings.repeat(3)).repetition_at_end);
        // En passant is legal in the first occurrence only.
        let moves = "Kb8 Kb1 Ka8 Ka1 ".repeat(2);
        let may = "k7/8/8/8/1pP5/8/8/K7 b - c3 0 1";
        assert!(!watch(Some(may), &moves).repetition);
        // The capturing pawn is pinned, so en passant is illegal and all occurrences are equal.
        let moves = "Kd8 Kd2 Ke8 Kd1 ".repeat(2);
        let pinned = "4k3/8/8/8/4pP2/8/8/3KR3 b - f3 0 1";
        assert!(watch(Some(pinned), &moves).repetition_at_end);
    }

    #[test]
    fn a_hundred_plies_without_progress_allow_a_claim() {
        let start = "k7/p7/8/8/8/8/8/K6R w - - 0 1";
        let round = "Rh2 Kb7 Rh1 Ka8 ";
        let fifty = watch(Some(start), &round.repeat(25));
        assert!(fifty.fifty_moves && fifty.fifty_moves_at_end);
        let rounds = round.repeat(25);
        let less = rounds.trim_end().trim_end_matches("Ka8");
        assert!(!watch(Some(start), less).fifty_moves);
        let broken = round.repeat(25).replacen("Kb7 Rh1 Ka8", "a6 Rh1 a5", 1);
        assert!(!watch(Some(start), &broken).fifty_moves);
        let after = watch(Some(start), &(round.repeat(25) + "Rh2 a6"));
        assert!(after.fifty_moves && !after.fifty_moves_at_end);
    }

    #[test]
    fn plies_before_the_start_are_those_of_the_fen() {
        let start = |plies: u32| format!("k7/p7/8/8/8/8/8/K6R w - - {plies} 60");
        for (plies, moves, anywhere, at_end) in [
            (97, "Rh2 Kb7", false, false),
            (98, "Rh2 Kb7", true, true),
            (98, "Rh2 Kb7 Rh1 a6", true, false),
            (98, "Rh2 a6 Rh1 Kb7", false, false),
            (100, "", true, true),
            (4_000_000_000, "Rh2 a6", true, false),
        ] {
            let seen = watch(Some(&start(plies)), moves);
            let found = (seen.fifty_moves, seen.fifty_moves_at_end);
            assert_eq!(found, (anywhere, at_end), "{plies} {moves}");
        }
    }
}
