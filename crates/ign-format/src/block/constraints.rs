//! What a game's signature tells of its moves (spec §4.2.4).
//!
//! A block keeps the signatures of its games, so that games are found by them. They tell where six
//! moves went and, by those that are missing, between which of them the game was over; so weighted
//! games need not say it again. The frequencies of what a signature rules out are 0; where it says that
//! the end is near, the frequency of the end is raised.

use crate::{model::Frequencies, pgn::game_state::GameState};
use ign_notation::signature::{PLIES, Signature};

/// What a signature tells of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constraint {
    /// Nothing.
    None,
    /// A move is played.
    GoesOn,
    /// A move is played, and goes there.
    GoesTo(u16),
    /// The game ends, here or behind at most so many moves more.
    Ends(usize),
}

/// How many times as large the frequency of the end is where at most one move more may be played. Half
/// as much where it may be two, and so on: one over how likely a game is to end within so many.
/// (Twice or half as much make the moves less than a thousandth larger.)
const NEAR: u32 = 48;

impl Constraint {
    /// What the signature tells behind so many moves.
    pub fn of(signature: &Signature, played: usize) -> Self {
        let Some(level) = PLIES.iter().position(|&ply| ply > played) else {
            return Self::None;
        };
        let left = PLIES[level] - 1 - played;
        match signature[level] {
            Some(square) if left == 0 => Self::GoesTo(square),
            Some(_) => Self::GoesOn,
            None => Self::Ends(left),
        }
    }

    /// Changes the frequencies of a choice accordingly; tells whether any is left. Where no move is
    /// legal there are none, and none are needed if the game may be over.
    pub fn narrow(self, state: &GameState, frequencies: &mut Frequencies) -> bool {
        if frequencies.moves().is_empty() {
            return matches!(self, Self::None | Self::Ends(_));
        }
        match self {
            Self::None => {}
            Self::GoesOn => frequencies.set_end(0),
            Self::GoesTo(square) => {
                frequencies.set_end(0);
                let square = u32::from(square);
                state.with_legal(|legal| {
                    frequencies.keep(|played| legal.landing(played).to_u32() == square)
                });
            }
            Self::Ends(0) => frequencies.keep(|_| false),
            Self::Ends(left) => frequencies.set_end(frequencies.end() * NEAR / left as u32),
        }
        frequencies.total() > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::start::Start;
    use ign_notation::Game as _;
    use shakmaty::Square;

    #[test]
    fn each_choice_has_the_clue_of_the_next_level() {
        let constraint = |signature, played| Constraint::of(&signature, played);
        let long = [Some(9); 6];
        assert_eq!(constraint(long, 0), Constraint::GoesOn);
        assert_eq!(constraint(long, 18), Constraint::GoesOn);
        assert_eq!(constraint(long, 19), Constraint::GoesTo(9));
        assert_eq!(constraint(long, 20), Constraint::GoesOn);
        assert_eq!(constraint(long, 70), Constraint::GoesTo(9));
        assert_eq!(constraint(long, 71), Constraint::None);
        let short = [None; 6];
        assert_eq!(constraint(short, 0), Constraint::Ends(19));
        assert_eq!(constraint(short, 19), Constraint::Ends(0));
        let middle = [Some(1), Some(2), Some(3), None, None, None];
        assert_eq!(constraint(middle, 39), Constraint::GoesTo(3));
        assert_eq!(constraint(middle, 40), Constraint::Ends(10));
        assert_eq!(constraint(middle, 50), Constraint::Ends(0));
    }

    #[test]
    fn shares_are_left_to_what_the_signature_leaves_open() {
        let state = GameState::new(&Start::default());
        // A game of the usual start, whose moves are alike: twenty of them, and the end.
        let mut moves = Vec::new();
        state.legal_moves(&mut moves);
        let of = |constraint: Constraint| {
            let mut frequencies = Frequencies::default();
            frequencies.set_alike(&moves);
            let left = constraint.narrow(&state, &mut frequencies);
            (left, frequencies.total(), frequencies.end())
        };
        assert_eq!(of(Constraint::None), (true, 21, 1));
        assert_eq!(of(Constraint::GoesOn), (true, 20, 0));
        // A knight's and a pawn's.
        assert_eq!(of(Constraint::GoesTo(Square::F3 as u16)), (true, 2, 0));
        assert_eq!(of(Constraint::GoesTo(Square::E5 as u16)), (false, 0, 0));
        assert_eq!(of(Constraint::Ends(0)), (true, 1, 1));
        assert_eq!(of(Constraint::Ends(12)), (true, 24, 4));
        let none = |constraint: Constraint| constraint.narrow(&state, &mut Frequencies::default());
        assert!(none(Constraint::None) && none(Constraint::Ends(5)) && none(Constraint::Ends(0)));
        assert!(!none(Constraint::GoesOn) && !none(Constraint::GoesTo(0)));
    }
}
