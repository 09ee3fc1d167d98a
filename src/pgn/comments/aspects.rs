//! What the moves of a game tell of the time that they took (spec §4.5.6).

use crate::{chess::Move, pgn::start::Start};

/// What is seen of a move. All is nothing in games of variants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Aspect {
    /// The piece that moves, from 1, the pawn, to 6, the king.
    pub role: u8,
    /// The opponent's piece that stood where it goes; 0 if none did.
    pub victim: u8,
    /// 1 if it takes the piece that has just moved, 2 if that has just taken one.
    pub answer: u8,
    /// Whether the player was in check.
    pub in_check: bool,
    /// What both sides have left, kings and pawns apart, at most 63.
    pub material: u8,
    /// The key of the position behind it, in an opening; else 0.
    pub key: u64,
}

/// Positions behind so many moves are of openings, which games have in common.
const OPENING: usize = 32;

/// Appends the aspects of all moves of a game.
pub fn of_game(start: &Start, moves: &[Move], aspects: &mut Vec<Aspect>) {
    let Some(start) = start.as_chess() else {
        aspects.extend(moves.iter().map(|_| Aspect::default()));
        return;
    };
    let mut position = start.position;
    // Where the last move went, and whether it took.
    let mut last = None;
    for (ply, &played) in moves.iter().enumerate() {
        let to = played.to();
        let role = position.role_at(played.from());
        let victim = position.them().contains(to).then(|| position.role_at(to));
        let in_check = position.is_check();
        position.play(played);
        let takes = victim.is_some();
        aspects.push(Aspect {
            role: role.map_or(0, |role| role as u8),
            victim: victim.flatten().map_or(0, |role| role as u8),
            answer: match last {
                Some((square, took)) if takes && square == to => 1 + u8::from(took),
                _ => 0,
            },
            in_check,
            material: position.material().min(63) as u8,
            key: if ply < OPENING { position.key() } else { 0 },
        });
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
        let mut aspects = Vec::new();
        of_game(&Start::default(), &moves, &mut aspects);
        let seen = aspects
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
        assert!(seen.eq(expected), "{aspects:?}");
        assert!(aspects.iter().all(|a| a.material == 62));
    }

    #[test]
    fn moves_of_variants_show_nothing() {
        let start = crate::pgn::start::of_tags(None, Some(b"Atomic")).unwrap();
        assert!(matches!(&start, Start::Variant(_)));
        let moves = [Move::of_squares(b"e2e4").unwrap()];
        let mut aspects = Vec::new();
        of_game(&start, &moves, &mut aspects);
        assert_eq!(aspects, [Aspect::default()]);
    }
}
