//! A game while it is played: the position, and what the model remembers of the way there.

use shakmaty::Role;

use ign_notation::chess::{Move, Position, Start};

/// How many earlier positions are remembered to see one return.
const REMEMBERED: usize = 8;

/// A move that has been played, as the model remembers it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Step {
    /// The role that moved, after promotion; 0 for no move, 1 pawn … 6 king.
    pub role: u8,
    /// The role that was taken; 0 for none.
    pub taken: u8,
    pub from: u8,
    /// Where the piece landed.
    pub to: u8,
}

/// A game as far as it has been played.
#[derive(Clone, Debug)]
pub struct Line {
    position: Position,
    ply: u32,
    /// The last three moves, the latest first.
    steps: [Step; 3],
    /// Keys of the positions so far, by ply modulo the length.
    keys: [u64; REMEMBERED],
}

impl Line {
    /// A game not begun.
    pub fn new(start: &Start) -> Self {
        let mut line = Self {
            position: start.position,
            ply: 0,
            steps: [Step::default(); 3],
            keys: [0; REMEMBERED],
        };
        line.keys[0] = line.position.key();
        line
    }

    /// The position reached.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// How many plies have been played.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The last moves, the latest first.
    #[inline]
    pub(super) fn steps(&self) -> &[Step; 3] {
        &self.steps
    }

    /// A number that stands for the position.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.keys[self.ply as usize % REMEMBERED]
    }

    /// Whether the position stood on the board four plies ago: both sides went there and back.
    #[inline]
    pub(super) fn is_back(&self) -> bool {
        self.ply >= 4 && self.keys[(self.ply as usize - 4) % REMEMBERED] == self.key()
    }

    /// Plays a legal move, or puts a piece on the board, which counts as a move from its square to
    /// the same.
    pub fn play_or_drop(&mut self, played: Move) {
        let Some(role) = played.dropped() else {
            return self.play(played);
        };
        let square = u32::from(played.to()) as u8;
        self.position.put(role, played.to());
        self.remember(Step {
            role: role as u8,
            taken: 0,
            from: square,
            to: square,
        });
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, played: Move) {
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
        let step = Step {
            role: number(played.promotion().or(role)),
            taken: number(taken),
            from: u32::from(played.from()) as u8,
            to: u32::from(to) as u8,
        };
        self.position.play(played);
        self.remember(step);
    }

    #[inline]
    fn remember(&mut self, step: Step) {
        self.steps = [step, self.steps[0], self.steps[1]];
        self.ply += 1;
        self.keys[self.ply as usize % REMEMBERED] = self.position.key();
    }
}
