//! Games with a text form of their moves: SAN for chess, SGF letters for Go.

use shakmaty::{Position as _, san::Suffix};

use ign_format::{
    model::{Frequencies, Scorer},
    pgn::game_state::GameState,
};
use ign_notation::{
    Game,
    chess::{Move, reference::ReferenceChess, rules::Board as _, san::Naming},
    signature::Element,
};

/// A game whose moves have a text form.
pub(super) trait Player: Game + Clone {
    /// The legal move that a word denotes, if it denotes exactly one.
    fn resolve(&self, word: &[u8]) -> Option<Self::Move>;

    /// The text of a legal move, without the sign of check or mate.
    fn name(&self, played: Self::Move) -> String;

    /// The move in UCI notation; in Go its name.
    fn uci(&self, played: Self::Move) -> String {
        self.name(played)
    }

    /// The sign of the move that led here: `+`, `#` or none.
    fn sign(&self) -> Option<char>;

    /// Whether White is to move.
    fn white_to_move(&self) -> bool;

    /// Whether each move has a number of its own, instead of each pair of moves.
    fn counts_each_move(&self) -> bool {
        false
    }

    /// The element of a signature for a move, in games that have signatures.
    fn landing(&self, _: Self::Move) -> Element {
        None
    }

    /// The result, if the position ends the game.
    fn result(&self) -> Option<&'static str>;

    /// Replaces `weights` by the frequencies of the legal moves and of the end.
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

    fn uci(&self, played: Self::Move) -> String {
        played.uci()
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

    fn uci(&self, played: Self::Move) -> String {
        Move::from_shakmaty(played).uci()
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
            // Pseudo-legal moves can capture the king; then the game is lost too.
            let lost = self
                .position()
                .board()
                .king_of(self.position().turn())
                .is_none()
                || self.position().is_check();
            won_by_mover(lost, !self.white_to_move())
        })
    }

    /// The order of the move model is another, so all moves have equal weights.
    fn weigh(&self, _: &mut Scorer, weights: &mut Vec<u32>) {
        weights.clear();
        weights.resize(self.count() as usize + 1, 1);
    }
}

/// The result of a game that is over.
fn won_by_mover(won: bool, by_white: bool) -> &'static str {
    match (won, by_white) {
        (false, _) => "1/2-1/2",
        (true, true) => "1-0",
        (true, false) => "0-1",
    }
}
