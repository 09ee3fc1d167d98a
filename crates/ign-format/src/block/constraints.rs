//! Constraints that a signature places on the moves of its game (spec §4.2.4).
//!
//! A block stores the signature of every game for lookup: the destination squares of six plies.
//! A missing square shows between which of these plies the game ended. Weighted games do not encode
//! this again: moves that contradict the signature get frequency 0, and where the end must be near
//! its frequency is raised.

use crate::{model::Frequencies, pgn::game_state::GameState};
use ign_notation::signature::{PLIES, Signature};

/// The constraint on one choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constraint {
    /// No constraint.
    None,
    /// A move is played.
    GoesOn,
    /// A move to this square is played.
    GoesTo(u16),
    /// The game ends here or after at most this many further plies.
    Ends(usize),
}

/// Factor on the frequency of the end where at most one further ply is possible; divided by the
/// number of possible plies otherwise, since the chance that a game ends within `n` plies falls as
/// 1/n. (A factor twice or half as large changes the size by less than a thousandth.)
const NEAR: u32 = 48;

impl Constraint {
    /// The constraint on the choice after `played` plies.
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

    /// Applies the constraint to the frequencies of a choice. Returns whether any choice is left.
    /// Where no move is legal, there is no choice, and the game must be allowed to end.
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
                    frequencies.retain(|played| legal.landing(played).to_u32() == square)
                });
            }
            Self::Ends(0) => frequencies.retain(|_| false),
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
    fn constrains_each_choice_by_the_next_signature_ply() {
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
    fn keeps_the_frequencies_of_choices_that_agree_with_the_signature() {
        let state = GameState::new(&Start::default());
        // The standard start with equal frequencies: twenty moves and the end.
        let mut moves = Vec::new();
        state.legal_moves(&mut moves);
        let of = |constraint: Constraint| {
            let mut frequencies = Frequencies::default();
            frequencies.set_uniform(&moves);
            let left = constraint.narrow(&state, &mut frequencies);
            (left, frequencies.total(), frequencies.end())
        };
        assert_eq!(of(Constraint::None), (true, 21, 1));
        assert_eq!(of(Constraint::GoesOn), (true, 20, 0));
        // A knight move and a pawn move.
        assert_eq!(of(Constraint::GoesTo(Square::F3 as u16)), (true, 2, 0));
        assert_eq!(of(Constraint::GoesTo(Square::E5 as u16)), (false, 0, 0));
        assert_eq!(of(Constraint::Ends(0)), (true, 1, 1));
        assert_eq!(of(Constraint::Ends(12)), (true, 24, 4));
        let none = |constraint: Constraint| constraint.narrow(&state, &mut Frequencies::default());
        assert!(none(Constraint::None) && none(Constraint::Ends(5)) && none(Constraint::Ends(0)));
        assert!(!none(Constraint::GoesOn) && !none(Constraint::GoesTo(0)));
    }
}
