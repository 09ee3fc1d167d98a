//! What it takes to write a game's moves as people do: the names of moves, whose turn it is.

use shakmaty::{Position as _, san::Suffix};

use ign_format::{
    model::{Frequencies, Scorer},
    pgn::game_state::GameState,
};
use ign_notation::{
    Game,
    chess::{reference::ReferenceChess, rules::Board as _, san::Naming},
    signature::Element,
};

/// A game whose moves have names.
pub trait Player: Game + Clone {
    /// The move that a word names here, if it names one and only one.
    fn resolve(&self, word: &[u8]) -> Option<Self::Move>;

    /// The name of a move that may be played here, without the sign of check or mate.
    fn name(&self, played: Self::Move) -> String;

    /// The sign that the move before demands.
    fn sign(&self) -> Option<char>;

    /// Whether White is to move.
    fn white_to_move(&self) -> bool;

    /// Whether moves are numbered one by one, not by pairs.
    fn counts_each_move(&self) -> bool {
        false
    }

    /// The number in the signature of where a move goes, in games that have one.
    fn landing(&self, _: Self::Move) -> Element {
        None
    }

    /// The result that the position itself gives, where it ends the game.
    fn result(&self) -> Option<&'static str>;

    /// Replaces `weights` by the frequencies of the moves here and of the end.
    fn weigh(&self, scorer: &mut Scorer, weights: &mut Vec<u32>);
}

impl Player for GameState {
    fn resolve(&self, word: &[u8]) -> Option<Self::Move> {
        self.with_legal(|legal| legal.resolve(word))
    }

    fn name(&self, played: Self::Move) -> String {
        let name = self.with_legal(|legal| legal.write_with(Naming::Standard, played));
        String::from_utf8_lossy(name.as_bytes()).into_owned()
    }

    fn sign(&self) -> Option<char> {
        self.with_legal(|legal| legal.sign()).map(char::from)
    }

    fn white_to_move(&self) -> bool {
        GameState::white_to_move(self)
    }

    fn landing(&self, played: Self::Move) -> Element {
        let square = self.with_legal(|legal| legal.landing(played));
        Some(square.to_u32() as u16)
    }

    fn result(&self) -> Option<&'static str> {
        match self {
            GameState::Chess(line) => {
                let legal = line.position().legal();
                let over = legal.count() == 0;
                over.then(|| won_by_mover(legal.is_check(), !self.white_to_move()))
            }
            GameState::Variant(game) => game.board().result(),
        }
    }

    fn weigh(&self, scorer: &mut Scorer, weights: &mut Vec<u32>) {
        let mut frequencies = Frequencies::default();
        self.score(scorer, 0, &mut frequencies);
        weights.clear();
        weights.extend_from_slice(frequencies.frequencies());
    }
}

impl Player for ReferenceChess {
    fn resolve(&self, word: &[u8]) -> Option<Self::Move> {
        ReferenceChess::resolve(self, word)
    }

    fn name(&self, played: Self::Move) -> String {
        ReferenceChess::name(self, played)
    }

    fn sign(&self) -> Option<char> {
        Suffix::from_position(self.position()).map(Suffix::char)
    }

    fn white_to_move(&self) -> bool {
        self.position().turn().is_white()
    }

    fn result(&self) -> Option<&'static str> {
        let over = self.count() == 0;
        over.then(|| {
            // Without a king the game is lost as well, which only pseudo-legal moves lead to.
            let lost = self
                .position()
                .board()
                .king_of(self.position().turn())
                .is_none()
                || self.position().is_check();
            won_by_mover(lost, !self.white_to_move())
        })
    }

    /// The model is not asked: its order is another.
    fn weigh(&self, _: &mut Scorer, weights: &mut Vec<u32>) {
        weights.clear();
        weights.resize(self.count() as usize + 1, 1);
    }
}

/// The result of a game that is over, by whether its last move won it.
fn won_by_mover(won: bool, by_white: bool) -> &'static str {
    match (won, by_white) {
        (false, _) => "1/2-1/2",
        (true, true) => "1-0",
        (true, false) => "0-1",
    }
}
