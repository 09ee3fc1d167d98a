//! What the moves of a game tell of the time that they took (spec §4.5.6).

use shakmaty::Square;

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
}

/// The aspects of all moves of a game.
pub fn of_game(start: &Start, moves: &[Move], aspects: &mut Vec<Aspect>) {
    aspects.clear();
    let Some(start) = start.as_chess() else {
        aspects.resize(moves.len(), Aspect::default());
        return;
    };
    let mut position = start.position;
    // Where the last move went, and whether it took.
    let mut last: Option<(Square, bool)> = None;
    for &played in moves {
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
        });
        last = Some((to, takes));
    }
}
