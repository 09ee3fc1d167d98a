//! Go as a [`Game`], without move lists.

use super::{point::Move, position::Position};
use crate::Game;

impl Game for Position {
    type Move = Move;

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        self.each_stone(|point| {
            moves.push(Move::Stone(point));
            true
        });
        moves.push(Move::Pass);
    }

    fn play(&mut self, played: Move) {
        Position::play(self, played);
    }

    fn count(&self) -> u32 {
        let mut count = 1;
        self.each_stone(|_| {
            count += 1;
            true
        });
        count
    }

    fn ordinal(&self, wanted: Move) -> Option<(u32, u32)> {
        if !self.is_legal(wanted) {
            return None;
        }
        let (mut before, mut count) = (0, 1);
        self.each_stone(|point| {
            before += u32::from(Move::Stone(point) < wanted);
            count += 1;
            true
        });
        Some((before, count))
    }

    fn nth(&self, ordinal: u32) -> Option<Move> {
        let mut left = ordinal;
        let mut found = None;
        self.each_stone(|point| {
            if left == 0 {
                found = Some(Move::Stone(point));
            } else {
                left -= 1;
            }
            found.is_none()
        });
        found.or((left == 0).then_some(Move::Pass))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Color, Point, Rules, Size};
    use super::*;
    use crate::plain;

    fn point(letters: &str) -> Point {
        Point::from_letters(letters.as_bytes()).unwrap()
    }

    fn board(rows: &[&str]) -> Position {
        let size = Size::new(rows[0].len() as u8, rows.len() as u8).unwrap();
        let mut position = Position::new(size, Rules::default());
        for (row, line) in (0..).zip(rows) {
            for (column, stone) in (0..).zip(line.bytes()) {
                let color = match stone {
                    b'X' => Color::Black,
                    b'O' => Color::White,
                    _ => continue,
                };
                position.set_up(Point { row, column }, color).unwrap();
            }
        }
        position
    }

    /// The board as rows of `.`, `X` and `O`.
    fn picture(position: &Position) -> Vec<String> {
        let stone = |point| match position.stone(point) {
            None => '.',
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
        };
        let size = position.size();
        let row = |row| {
            let columns = 0..size.columns();
            columns.map(|column| stone(Point { row, column })).collect()
        };
        (0..size.rows()).map(row).collect()
    }

    fn stone(letters: &str) -> Move {
        Move::Stone(point(letters))
    }

    #[test]
    fn the_first_move_on_the_standard_board_has_362_choices() {
        let position = Position::new(Size::STANDARD, Rules::default());
        assert_eq!(position.count(), 362);
        // Row d is the fourth row, p the sixteenth column.
        assert_eq!(position.ordinal(stone("pd")), Some((3 * 19 + 15, 362)));
        assert_eq!(position.nth(361), Some(Move::Pass));
        assert_eq!(position.nth(362), None);
    }

    #[test]
    fn the_integer_of_two_moves_has_their_digits() {
        let start = Position::new(Size::STANDARD, Rules::default());
        // Ordinals from 1: pd is 73 of 362. dp is in row 15 (285 points before it), column 3; one
        // point before it is occupied: 288 of 361.
        let integer = plain::encode(start.clone(), &[stone("pd"), stone("dp")]).unwrap();
        assert_eq!(integer, 73 + 362 * 288);
        let back = plain::decode(start, &integer, 10).unwrap();
        assert_eq!(back, [stone("pd"), stone("dp")]);
    }

    #[test]
    fn a_ko_may_not_be_recaptured_at_once() {
        let mut position = board(&[".XO.", "XO.O", ".XO.", "...."]);
        position.play(stone("cb"));
        assert_eq!(picture(&position), [".XO.", "X.XO", ".XO.", "...."]);
        assert!(!position.is_legal(stone("bb")));
        position.play(stone("dd"));
        position.play(stone("ad"));
        assert!(position.is_legal(stone("bb")));
        // After a pass recapture is legal.
        position.play(stone("bb"));
        assert!(!position.is_legal(stone("cb")));
        position.play(Move::Pass);
        position.play(Move::Pass);
        assert!(position.is_legal(stone("cb")));
    }

    #[test]
    fn capturing_two_stones_is_not_a_ko() {
        let mut position = board(&[".XX.", "XOO.", ".XX."]);
        position.play(stone("db"));
        assert_eq!(picture(&position), [".XX.", "X..X", ".XX."]);
        assert!(position.is_legal(stone("cb")));
    }

    #[test]
    fn suicide_is_legal_only_if_the_rules_allow_it() {
        let rows = [".X.", "XX.", "..."];
        let mut position = board(&rows);
        position.set_turn(Color::White);
        assert!(!position.is_legal(stone("aa")));
        let mut permissive = Position::new(position.size(), Rules { suicide: true });
        for letters in ["ba", "ab", "bb"] {
            permissive.set_up(point(letters), Color::Black).unwrap();
        }
        permissive.set_turn(Color::White);
        assert!(permissive.is_legal(stone("aa")));
        permissive.play(stone("aa"));
        assert_eq!(picture(&permissive), rows);
        assert_eq!(permissive.turn(), Color::Black);
    }

    #[test]
    fn filling_the_last_liberty_is_legal_if_it_captures() {
        let mut position = board(&[".XO", "XXO", "OO."]);
        position.set_turn(Color::White);
        assert!(position.is_legal(stone("aa")));
        position.play(stone("aa"));
        assert_eq!(picture(&position), ["O.O", "..O", "OO."]);
    }

    #[test]
    fn a_board_of_one_point_has_one_move_the_pass() {
        let position = Position::new(Size::new(1, 1).unwrap(), Rules::default());
        assert_eq!(position.count(), 1);
        assert_eq!(position.nth(0), Some(Move::Pass));
    }
}
