//! What the moves of a game tell of the time that they took (spec §4.5.6).

use crate::pgn::start::Start;
use ign_notation::chess::Move;

/// What is seen of a move. All is nothing in games of variants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MoveFeatures {
    /// The piece that moves, from 1, the pawn, to 6, the king.
    pub role: u8,
    /// The opponent's piece that stood where it goes; 0 if none did.
    pub victim: u8,
    /// 1 if it takes the piece that has just moved, 2 if that has just taken one.
    pub answer: u8,
    /// Whether the player was in check.
    pub in_check: bool,
    /// Where it goes, seen from the player's side: from 0, his a1, to 63, his h8.
    pub to: u8,
    /// Whether it moves the piece that his last move moved.
    pub again: bool,
    /// What the piece that the opponent has just moved attacks: 2 if it is the piece that moves, 1
    /// if it is another of the player's; 3 more if it is where that goes.
    pub threat: u8,
    /// What both sides have left, kings and pawns apart, at most 63.
    pub material: u8,
    /// The key of the position behind it, in an opening; else 0.
    pub key: u64,
}

/// Positions behind so many moves are of openings, which games have in common.
const OPENING: usize = 32;

/// Appends the move_features of all moves of a game.
pub fn of_game(start: &Start, moves: &[Move], move_features: &mut Vec<MoveFeatures>) {
    let Some(start) = start.as_chess() else {
        move_features.extend(moves.iter().map(|_| MoveFeatures::default()));
        return;
    };
    let mut position = start.position;
    // Where the last move went, and whether it took; where the one before went.
    let (mut last, mut before) = (None, None);
    for (ply, &played) in moves.iter().enumerate() {
        let (from, to) = (played.from(), played.to());
        let role = position.role_at(from);
        let victim = position.them().contains(to).then(|| position.role_at(to));
        let takes = victim.is_some();
        let threat = last.map_or(0, |(square, _)| {
            let attacked = position.attacks_from(square);
            let at_what = match attacked.contains(from) {
                true => 2,
                false => u8::from((attacked & position.us()).any()),
            };
            at_what + 3 * u8::from(attacked.contains(to))
        });
        let upside_down = if position.turn().is_white() { 0 } else { 56 };
        let in_check = position.is_check();
        position.play(played);
        move_features.push(MoveFeatures {
            role: role.map_or(0, |role| role as u8),
            victim: victim.flatten().map_or(0, |role| role as u8),
            answer: match last {
                Some((square, took)) if takes && square == to => 1 + u8::from(took),
                _ => 0,
            },
            in_check,
            to: to.to_u32() as u8 ^ upside_down,
            again: before == Some(from),
            threat,
            material: position.material().min(63) as u8,
            key: if ply < OPENING { position.key() } else { 0 },
        });
        before = last.map(|(square, _)| square);
        last = Some((to, takes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_answers_and_checks_are_seen() {
        let moves = ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e5", "f1e2"];
        let moves = moves.map(|m| Move::of_squares(m.as_bytes()).unwrap());
        let mut move_features = Vec::new();
        of_game(&Start::default(), &moves, &mut move_features);
        let seen = move_features
            .iter()
            .map(|a| (a.role, a.victim, a.answer, a.in_check));
        let expected = [
            (1, 0, 0, false),
            (1, 0, 0, false),
            // Takes the pawn that has just moved; then the queen takes back.
            (1, 1, 1, false),
            (5, 1, 2, false),
            (2, 0, 0, false),
            (5, 0, 0, false),
            (3, 0, 0, true),
        ];
        assert!(seen.eq(expected), "{move_features:?}");
        assert!(move_features.iter().all(|a| a.material == 62));
    }

    #[test]
    fn threats_and_pieces_that_move_again_are_seen() {
        let moves = [
            "e2e4", "g8f6", "e4e5", "f6g4", "d1g4", "h7h5", "g4f5", "e7e6",
        ];
        let moves = moves.map(|m| Move::of_squares(m.as_bytes()).unwrap());
        let mut move_features = Vec::new();
        of_game(&Start::default(), &moves, &mut move_features);
        let seen = move_features.iter().map(|a| (a.to, a.again, a.threat));
        let expected = [
            (28, false, 0),
            // Black's f6 is f3 from his side.
            (21, false, 0),
            // The knight attacks the pawn, which goes where it attacks nothing.
            (36, true, 2),
            (38, true, 2),
            // The queen is not what the knight attacks.
            (30, false, 1),
            // The queen attacks pawns, and h5 too.
            (31, false, 4),
            (37, true, 2),
            // So it does e6.
            (20, false, 4),
        ];
        assert!(seen.eq(expected), "{move_features:?}");
    }

    #[test]
    fn moves_of_variants_show_nothing() {
        let start = crate::pgn::start::of_tags(None, Some(b"Atomic")).unwrap();
        assert!(matches!(&start, Start::Variant(_)));
        let moves = [Move::of_squares(b"e2e4").unwrap()];
        let mut move_features = Vec::new();
        of_game(&start, &moves, &mut move_features);
        assert_eq!(move_features, [MoveFeatures::default()]);
    }
}
