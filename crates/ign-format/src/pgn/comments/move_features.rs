//! Features of a game's moves, from which clocks and evaluations are predicted (spec §4.5.6).

use crate::pgn::start::Start;
use ign_notation::chess::{Move, Position};

/// Features of a move. All zero in games of variants; those of the null move are zero except for
/// the material and the key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MoveFeatures {
    /// The piece that moves, from 1 (pawn) to 6 (king).
    pub role: u8,
    /// The captured piece; 0 if none. En passant counts as no capture.
    pub captured: u8,
    /// 1 if the move captures the piece that moved last, 2 if that piece had captured too.
    pub recapture: u8,
    /// Whether the player was in check.
    pub in_check: bool,
    /// Destination square from the player's point of view: 0 is the player's a1, 63 the h8.
    pub to: u8,
    /// Whether the player's previous move moved the same piece.
    pub same_piece: bool,
    /// What the piece that moved last attacks: 2 if the piece that moves now, 1 if only other
    /// pieces of the player; plus 3 if it attacks the destination square.
    pub threat: u8,
    /// Material of both sides without kings and pawns, at most 63.
    pub material: u8,
    /// Key of the position after the move, in the first [`OPENING_PLIES`] plies; else 0.
    pub key: u64,
}

impl MoveFeatures {
    /// The piece that moves, and whether it captures.
    pub(super) fn role_and_capture(&self) -> usize {
        usize::from(self.role) + 8 * usize::from(self.captured > 0)
    }

    /// The piece that moves, and whether it captures, recaptures and answers a check.
    pub(super) fn reply(&self) -> usize {
        self.role_and_capture()
            + 8 * usize::from(self.recapture > 0)
            + 32 * usize::from(self.in_check)
    }
}

/// Number of plies after which positions are no longer looked up as openings.
pub const OPENING_PLIES: usize = 32;

/// Appends the features of all moves of a game.
pub fn of_game(start: &Start, moves: &[Move], move_features: &mut Vec<MoveFeatures>) {
    let Some(start) = start.as_chess() else {
        move_features.extend(moves.iter().map(|_| MoveFeatures::default()));
        return;
    };
    let mut position = start.position;
    // Destination of the last move and whether it captured; destination of the move before it.
    let (mut last, mut before) = (None, None);
    for (ply, &played) in moves.iter().enumerate() {
        let key = |position: &Position| {
            if ply < OPENING_PLIES {
                position.key()
            } else {
                0
            }
        };
        if played.is_null() {
            position.play(played);
            move_features.push(MoveFeatures {
                material: position.material().min(63) as u8,
                key: key(&position),
                ..MoveFeatures::default()
            });
            before = last.take().map(|(square, _)| square);
            continue;
        }
        let (from, to) = (played.from(), played.to());
        let role = position.role_at(from);
        let captured = position.them().contains(to).then(|| position.role_at(to));
        let captures = captured.is_some();
        let threat = last.map_or(0, |(square, _)| {
            let attacked = position.attacks_from(square);
            let on_pieces = if attacked.contains(from) {
                2
            } else {
                u8::from((attacked & position.us()).any())
            };
            on_pieces + 3 * u8::from(attacked.contains(to))
        });
        let flip = if position.turn().is_white() { 0 } else { 56 };
        let in_check = position.is_check();
        position.play(played);
        move_features.push(MoveFeatures {
            role: role.map_or(0, |role| role as u8),
            captured: captured.flatten().map_or(0, |role| role as u8),
            recapture: match last {
                Some((square, captured)) if captures && square == to => 1 + u8::from(captured),
                _ => 0,
            },
            in_check,
            to: to.to_u32() as u8 ^ flip,
            same_piece: before == Some(from),
            threat,
            material: position.material().min(63) as u8,
            key: key(&position),
        });
        before = last.map(|(square, _)| square);
        last = Some((to, captures));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_recaptures_and_checks_are_features() {
        let moves = ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e5", "f1e2"]
            .map(|m| Move::of_squares(m.as_bytes()).unwrap());
        let mut move_features = Vec::new();
        of_game(&Start::default(), &moves, &mut move_features);
        let found = move_features
            .iter()
            .map(|a| (a.role, a.captured, a.recapture, a.in_check));
        let expected = [
            (1, 0, 0, false),
            (1, 0, 0, false),
            // Captures the pawn that has just moved; then the queen recaptures.
            (1, 1, 1, false),
            (5, 1, 2, false),
            (2, 0, 0, false),
            (5, 0, 0, false),
            (3, 0, 0, true),
        ];
        assert!(found.eq(expected), "{move_features:?}");
        assert!(move_features.iter().all(|a| a.material == 62));
    }

    #[test]
    fn threats_and_repeated_pieces_are_features() {
        let moves = [
            "e2e4", "g8f6", "e4e5", "f6g4", "d1g4", "h7h5", "g4f5", "e7e6",
        ]
        .map(|m| Move::of_squares(m.as_bytes()).unwrap());
        let mut move_features = Vec::new();
        of_game(&Start::default(), &moves, &mut move_features);
        let found = move_features.iter().map(|a| (a.to, a.same_piece, a.threat));
        let expected = [
            (28, false, 0),
            // Black's f6 is f3 from Black's point of view.
            (21, false, 0),
            // The knight attacks the pawn, which leaves for a square it does not attack.
            (36, true, 2),
            (38, true, 2),
            // The knight does not attack the queen.
            (30, false, 1),
            // The queen attacks other pawns and the destination h5.
            (31, false, 4),
            (37, true, 2),
            // The queen attacks other pawns and the destination e6.
            (20, false, 4),
        ];
        assert!(found.eq(expected), "{move_features:?}");
    }

    #[test]
    fn moves_of_variants_have_no_features() {
        let start = crate::pgn::start::of_tags(None, Some(b"Atomic")).unwrap();
        assert!(matches!(&start, Start::Variant(_)));
        let moves = [Move::of_squares(b"e2e4").unwrap()];
        let mut move_features = Vec::new();
        of_game(&start, &moves, &mut move_features);
        assert_eq!(move_features, [MoveFeatures::default()]);
    }
}
