//! Chess as a [`Game`]: what the notation asks, answered without listing moves.
//!
//! [`super::reference`] answers the same from sorted lists, with options for
//! other numberings and rules; the two must agree.

use super::{Legal, Move, Position};
use crate::notation::Game;

impl Game for Position {
    type Move = Move;

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        let legal = Legal::new(self);
        moves.clear();
        moves.extend((0..legal.count()).map(|k| legal.nth(k)));
    }

    fn play(&mut self, played: Move) {
        // The inherent one, which trusts the move.
        Position::play(self, played);
    }

    fn count(&self) -> u32 {
        Legal::new(self).count()
    }

    fn ordinal(&self, wanted: Move) -> Option<(u32, u32)> {
        let legal = Legal::new(self);
        legal
            .contains(wanted)
            .then(|| legal.ordinal_and_count(wanted))
    }

    fn nth(&self, ordinal: u32) -> Option<Move> {
        let legal = Legal::new(self);
        (ordinal < legal.count()).then(|| legal.nth(ordinal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{reference::ReferenceChess, san},
        notation::{ends, plain},
    };

    const GAME: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 c4 c6 \
                        cxb5 axb5 Nc3 Bb7 Bg5 b4 Nb1 h6 Bh4 c5 dxe5 Nxe4 Bxe7 Qxe7 exd6 Qf6 Nbd2 Nxd6";

    fn moves(text: &str) -> Vec<Move> {
        let mut position = Position::default();
        let play = |token: &str| {
            let played = san::resolve(&Legal::new(&position), token.as_bytes()).unwrap();
            position.play(played);
            played
        };
        text.split_whitespace().map(play).collect()
    }

    #[test]
    fn the_integers_are_those_of_the_reference_and_come_back() {
        let theirs = ReferenceChess::default();
        let listed = theirs.parse_movetext(GAME).unwrap();
        let integer = plain::encode(Position::default(), &moves(GAME)).unwrap();
        assert_eq!(integer, plain::encode(theirs.clone(), &listed).unwrap());
        let back = plain::decode(Position::default(), &integer, 200).unwrap();
        assert_eq!(back, moves(GAME));
        let stopped = ends::encode(Position::default(), &moves(GAME), ends::Ending::Stopped);
        let expected = ends::encode(theirs, &listed, ends::Ending::Stopped);
        assert_eq!(stopped.unwrap(), expected.unwrap());
    }

    #[test]
    fn the_quickest_mate_has_its_published_number() {
        let integer = plain::encode(Position::default(), &moves("f3 e5 g4 Qh4#"));
        assert_eq!(integer.unwrap(), 143_395);
    }

    #[test]
    fn what_is_not_legal_has_no_ordinal() {
        let start = Position::default();
        let [e4, reply] = moves("e4 e5")[..] else {
            unreachable!()
        };
        assert_eq!(Game::ordinal(&start, e4), Some((13, 20)));
        assert_eq!(Game::ordinal(&start, reply), None);
        assert_eq!(Game::nth(&start, 20), None);
        let mut listed = vec![reply];
        start.legal_moves(&mut listed);
        assert_eq!(listed.len() as u32, Game::count(&start));
    }
}
