//! Chess as a [`Game`], without move lists.
//!
//! [`super::reference`] implements the same with sorted lists, and has options for other numberings
//! and rules. The two must agree.

use super::{legal::Legal, moves::Move, position::Position};
use crate::Game;

impl Game for Position {
    type Move = Move;

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        Legal::new(self).each_move(|legal| moves.push(legal));
    }

    fn play(&mut self, played: Move) {
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
        let numbering = legal.numbering();
        (ordinal < numbering.count()).then(|| numbering.nth(ordinal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{reference::ReferenceChess, san},
        ends, plain, weighted,
    };
    use proptest::prelude::*;
    use rug::Integer;

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
    fn integers_equal_those_of_the_reference_and_round_trip() {
        let theirs = ReferenceChess::default();
        let listed = theirs.parse_movetext(GAME).unwrap();
        let integer = plain::encode(Position::default(), &moves(GAME)).unwrap();
        assert_eq!(integer, plain::encode(theirs.clone(), &listed).unwrap());
        let back = plain::decode(Position::default(), &integer, 200).unwrap();
        assert_eq!(back, moves(GAME));
        let stopped = ends::encode(Position::default(), &moves(GAME), ends::EndMoves::Stopped);
        let expected = ends::encode(theirs, &listed, ends::EndMoves::Stopped);
        assert_eq!(stopped.unwrap(), expected.unwrap());
    }

    /// Weights of 1 to `max`, determined by the seed and the position.
    fn weigh(seed: u64, max: u32) -> impl Fn(&Position, &mut Vec<u32>) {
        move |position, weights| {
            let board = position.us().0.wrapping_mul(31) ^ position.occupied().0;
            let mut state = seed ^ board;
            weights.clear();
            weights.extend((0..=Game::count(position)).map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(99);
                (state >> 33) as u32 % max + 1
            }));
        }
    }

    proptest! {
        #[test]
        fn weighted_games_round_trip_and_have_their_ideal_length(
            choices in prop::collection::vec(any::<u32>(), 0..150),
            seed in any::<u64>(),
            max in 1..1u32 << 24,
        ) {
            let (mut position, mut moves, mut weights) = (Position::default(), vec![], vec![]);
            let mut ideal = 0.0;
            let mut choose = |position: &Position, choice: usize| {
                weigh(seed, max)(position, &mut weights);
                let total: f64 = weights.iter().map(|&w| f64::from(w)).sum();
                ideal += (total / f64::from(weights[choice])).log2();
            };
            for choice in choices {
                let legal = Legal::new(&position);
                if legal.count() == 0 {
                    break;
                }
                let ordinal = choice % legal.count();
                choose(&position, ordinal as usize);
                moves.push(legal.nth(ordinal));
                position.play(legal.nth(ordinal));
            }
            let count = Game::count(&position);
            let ending = if count == 0 { ends::EndMoves::Position } else { ends::EndMoves::Stopped };
            if count > 0 {
                choose(&position, count as usize);
            }
            // Pushed onto twice the greatest weight, a game takes its ideal length within a bit;
            // alone, at most log2 of the greatest weight more.
            let start = || Integer::from(2 * max);
            let game = Position::default;
            let onto = weighted::encode_onto(start(), game(), &moves, ending, weigh(seed, max)).unwrap();
            let bits = onto.significant_bits() - start().significant_bits();
            prop_assert!((f64::from(bits) - ideal).abs() <= 2.0, "{} for {}", bits, ideal);
            let mut rest = onto;
            let popped = weighted::decode_from(&mut rest, &mut game(), 150, weigh(seed, max));
            prop_assert_eq!((popped, rest), (Ok(moves.clone()), start()));

            let alone = weighted::encode(game(), &moves, ending, weigh(seed, max)).unwrap();
            let bits = f64::from(alone.significant_bits());
            prop_assert!(bits <= ideal + f64::from(max).log2() + 1.0);
            let back = weighted::decode(game(), &alone, 150, weigh(seed, max));
            prop_assert_eq!(back, Ok((moves, ending)));
        }
    }

    #[test]
    fn fools_mate_has_its_published_integer() {
        let integer = plain::encode(Position::default(), &moves("f3 e5 g4 Qh4#"));
        assert_eq!(integer.unwrap(), 143_395);
    }

    #[test]
    fn illegal_moves_have_no_ordinal() {
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
