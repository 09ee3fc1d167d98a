//! Signatures of games: where six of their moves went (seed document 002).

/// Half-moves, counted from one, whose destinations make a signature: the first,
/// third and fifth are A, the others B (spec §4.1.2).
pub const PLIES: [usize; LEVELS] = [20, 31, 40, 51, 60, 71];
/// Moves of a signature.
pub const LEVELS: usize = 6;
/// Squares are numbered below this, points from here on.
pub const POINTS: u16 = 64;

/// Where one of the six moves went: a square from 0 (a1) to 63 (h8), a point of
/// a Go board from 64 on (`go::signature`), or none when the game was over.
pub type Element = Option<u16>;
/// Where the six moves of a game went, in the order of play. Behind a move that
/// was not played there is none.
pub type Signature = [Element; LEVELS];

/// Which of the six, if any, the half-move of this number gives.
#[inline]
pub fn element_of_ply(ply: usize) -> Option<usize> {
    PLIES.iter().position(|&p| p == ply)
}
