//! The input of the model: a game's current position with the recent moves and positions.

use shakmaty::Role;

use ign_notation::chess::{Move, Position, Start};

/// Number of recent position keys kept to detect a repetition.
const KEYS: usize = 8;

/// A move that has been played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PastMove {
    /// The role of the piece after promotion: 1 pawn … 6 king, 0 for no move.
    pub role: u8,
    /// The captured role, 0 for none.
    pub taken: u8,
    pub from: u8,
    /// The square where the piece landed (for castling, the king's destination).
    pub to: u8,
}

/// A game up to the current position, as far as the model uses it.
#[derive(Clone, Debug)]
pub struct History {
    position: Position,
    ply: u32,
    /// The last three moves, the latest first.
    last_moves: [PastMove; 3],
    /// Keys of the recent positions, by ply modulo the length.
    keys: [u64; KEYS],
}

impl History {
    /// A game without moves.
    pub fn new(start: &Start) -> Self {
        let mut history = Self {
            position: start.position,
            ply: 0,
            last_moves: [PastMove::default(); 3],
            keys: [0; KEYS],
        };
        history.keys[0] = history.position.key();
        history
    }

    /// The current position.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Number of plies played.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The last three moves, the latest first: the opponent's, the player's own, the opponent's.
    #[inline]
    pub(super) fn last_moves(&self) -> &[PastMove; 3] {
        &self.last_moves
    }

    /// The hash key of the position.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.keys[self.ply as usize % KEYS]
    }

    /// Whether the position is the same as four plies ago: both sides moved there and back.
    #[inline]
    pub(super) fn is_repetition(&self) -> bool {
        self.ply >= 4 && self.keys[(self.ply as usize - 4) % KEYS] == self.key()
    }

    /// Plays a legal move or a drop. A drop counts as a move from its square to the same square.
    pub fn play_or_drop(&mut self, played: Move) {
        let Some(role) = played.dropped() else {
            return self.play(played);
        };
        let square = u32::from(played.to()) as u8;
        self.position.put(role, played.to());
        self.push(PastMove {
            role: role as u8,
            taken: 0,
            from: square,
            to: square,
        });
    }

    /// Plays a legal move, or the null move, which counts as one that was not played.
    #[inline]
    pub fn play(&mut self, played: Move) {
        if played.is_null() {
            self.position.play(played);
            return self.push(PastMove::default());
        }
        let position = &self.position;
        let to = position.landing(played);
        let role = position.role_at(played.from());
        let taken = if position.them().contains(played.to()) {
            position.role_at(played.to())
        } else if role == Some(Role::Pawn) && position.en_passant().contains(played.to()) {
            Some(Role::Pawn)
        } else {
            None
        };
        let number = |role: Option<Role>| role.map_or(0, |role| role as u8);
        let past = PastMove {
            role: number(played.promotion().or(role)),
            taken: number(taken),
            from: u32::from(played.from()) as u8,
            to: u32::from(to) as u8,
        };
        self.position.play(played);
        self.push(past);
    }

    #[inline]
    fn push(&mut self, past: PastMove) {
        self.last_moves = [past, self.last_moves[0], self.last_moves[1]];
        self.ply += 1;
        self.keys[self.ply as usize % KEYS] = self.position.key();
    }
}
