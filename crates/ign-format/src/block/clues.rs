//! What a game's signature tells of its moves (spec §4.2.4).
//!
//! A block keeps the signatures of its games, so that games are found by them. They tell where six
//! moves went and, by those that are missing, between which of them the game was over; so weighted
//! games need not say it again. The shares of what a signature rules out are 0; where it says that
//! the end is near, the share of the end is raised.

use crate::{model::Shares, pgn::seat::Seat};
use ign_notation::signature::{PLIES, Signature};

/// What a signature tells of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clue {
    /// Nothing.
    None,
    /// A move is played.
    GoesOn,
    /// A move is played, and goes there.
    GoesTo(u16),
    /// The game ends, here or behind at most so many moves more.
    Ends(usize),
}

/// How many times as large the share of the end is where at most one move more may be played. Half
/// as much where it may be two, and so on: one over how likely a game is to end within so many.
/// (Twice or half as much make the moves less than a thousandth larger.)
const NEAR: u32 = 48;

impl Clue {
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

    /// Changes the shares of a choice accordingly; tells whether any is left. Where no move is
    /// legal there are none, and none are needed if the game may be over.
    pub fn narrow(self, seat: &Seat, shares: &mut Shares) -> bool {
        if shares.moves().is_empty() {
            return matches!(self, Self::None | Self::Ends(_));
        }
        match self {
            Self::None => {}
            Self::GoesOn => shares.set_end(0),
            Self::GoesTo(square) => {
                shares.set_end(0);
                let square = u32::from(square);
                seat.ask(|legal| shares.keep(|played| legal.landing(played).to_u32() == square));
            }
            Self::Ends(0) => shares.keep(|_| false),
            Self::Ends(left) => shares.set_end(shares.end() * NEAR / left as u32),
        }
        shares.total() > 0
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
        let clue = |signature, played| Clue::of(&signature, played);
        let long = [Some(9); 6];
        assert_eq!(clue(long, 0), Clue::GoesOn);
        assert_eq!(clue(long, 18), Clue::GoesOn);
        assert_eq!(clue(long, 19), Clue::GoesTo(9));
        assert_eq!(clue(long, 20), Clue::GoesOn);
        assert_eq!(clue(long, 70), Clue::GoesTo(9));
        assert_eq!(clue(long, 71), Clue::None);
        let short = [None; 6];
        assert_eq!(clue(short, 0), Clue::Ends(19));
        assert_eq!(clue(short, 19), Clue::Ends(0));
        let middle = [Some(1), Some(2), Some(3), None, None, None];
        assert_eq!(clue(middle, 39), Clue::GoesTo(3));
        assert_eq!(clue(middle, 40), Clue::Ends(10));
        assert_eq!(clue(middle, 50), Clue::Ends(0));
    }

    #[test]
    fn shares_are_left_to_what_the_signature_leaves_open() {
        let seat = Seat::new(&Start::default());
        // A game of the usual start, whose moves are alike: twenty of them, and the end.
        let mut moves = Vec::new();
        seat.legal_moves(&mut moves);
        let of = |clue: Clue| {
            let mut shares = Shares::default();
            shares.set_alike(&moves);
            let left = clue.narrow(&seat, &mut shares);
            (left, shares.total(), shares.end())
        };
        assert_eq!(of(Clue::None), (true, 21, 1));
        assert_eq!(of(Clue::GoesOn), (true, 20, 0));
        // A knight's and a pawn's.
        assert_eq!(of(Clue::GoesTo(Square::F3 as u16)), (true, 2, 0));
        assert_eq!(of(Clue::GoesTo(Square::E5 as u16)), (false, 0, 0));
        assert_eq!(of(Clue::Ends(0)), (true, 1, 1));
        assert_eq!(of(Clue::Ends(12)), (true, 24, 4));
        let none = |clue: Clue| clue.narrow(&seat, &mut Shares::default());
        assert!(none(Clue::None) && none(Clue::Ends(5)) && none(Clue::Ends(0)));
        assert!(!none(Clue::GoesOn) && !none(Clue::GoesTo(0)));
    }
}
