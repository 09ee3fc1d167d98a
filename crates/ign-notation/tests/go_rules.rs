//! Do the rules of Go agree with a simple board?
//!
//! The oracle is a grid that finds chains by flood fill for every query. Random games on boards of
//! many sizes, with and without suicide and setup stones, must have the same legal moves in the
//! same order and lead to the same stones.

use ign_notation::{
    Game,
    go::{Color, Move, Point, Position, Rules, Size},
};

/// Row and column.
type At = (usize, usize);

/// Stones by row and column, and the point that the ko rule forbids.
#[derive(Clone)]
struct Grid {
    rows: Vec<Vec<Option<Color>>>,
    turn: Color,
    suicide: bool,
    ko: Option<At>,
}

impl Grid {
    fn around(&self, (row, column): At) -> Vec<At> {
        let (rows, columns) = (self.rows.len(), self.rows[0].len());
        let mut around = Vec::new();
        if row > 0 {
            around.push((row - 1, column));
        }
        if column > 0 {
            around.push((row, column - 1));
        }
        if column + 1 < columns {
            around.push((row, column + 1));
        }
        if row + 1 < rows {
            around.push((row + 1, column));
        }
        around
    }

    /// The stones of a chain and its liberties.
    fn chain(&self, stone: At) -> (Vec<At>, Vec<At>) {
        let color = self.rows[stone.0][stone.1];
        let (mut chain, mut liberties) = (vec![stone], Vec::new());
        let mut next = 0;
        while next < chain.len() {
            for at in self.around(chain[next]) {
                let list = match self.rows[at.0][at.1] {
                    None => &mut liberties,
                    other if other == color => &mut chain,
                    _ => continue,
                };
                if !list.contains(&at) {
                    list.push(at);
                }
            }
            next += 1;
        }
        (chain, liberties)
    }

    /// The grid after a stone on this point, if it is legal.
    fn after(&self, at: At) -> Option<Self> {
        if self.rows[at.0][at.1].is_some() || self.ko == Some(at) {
            return None;
        }
        let mut after = self.clone();
        after.rows[at.0][at.1] = Some(self.turn);
        after.turn = !self.turn;
        after.ko = None;
        let mut captured = Vec::new();
        for other in self.around(at) {
            if after.rows[other.0][other.1] == Some(!self.turn) {
                let (chain, liberties) = after.chain(other);
                if liberties.is_empty() {
                    chain.iter().for_each(|s| after.rows[s.0][s.1] = None);
                    captured.extend(chain);
                }
            }
        }
        let (chain, liberties) = after.chain(at);
        if liberties.is_empty() {
            chain.iter().for_each(|s| after.rows[s.0][s.1] = None);
            return self.suicide.then_some(after);
        }
        if captured.len() == 1 && chain.len() == 1 && liberties == captured {
            after.ko = Some(captured[0]);
        }
        Some(after)
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

fn point(at: At) -> Point {
    Point {
        row: at.0 as u8,
        column: at.1 as u8,
    }
}

/// Compares stones, legal moves, their order and number.
fn compare(position: &Position, grid: &Grid) -> Vec<Move> {
    let mut expected = Vec::new();
    for row in 0..grid.rows.len() {
        for column in 0..grid.rows[0].len() {
            assert_eq!(position.stone(point((row, column))), grid.rows[row][column]);
            if grid.after((row, column)).is_some() {
                expected.push(Move::Stone(point((row, column))));
            }
        }
    }
    expected.push(Move::Pass);
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    assert_eq!(moves, expected);
    let count = moves.len() as u32;
    assert_eq!(position.count(), count);
    for (n, &legal) in (0..).zip(&moves) {
        assert_eq!(position.ordinal(legal), Some((n, count)));
        assert_eq!(position.nth(n), Some(legal));
    }
    assert_eq!(position.nth(count), None);
    moves
}

fn play(columns: usize, rows: usize, plies: usize, suicide: bool, set_up: usize, seed: u64) {
    let mut random = Random(seed);
    let size = Size::new(columns as u8, rows as u8).unwrap();
    let mut position = Position::new(size, Rules { suicide });
    let mut grid = Grid {
        rows: vec![vec![None; columns]; rows],
        turn: Color::Black,
        suicide,
        ko: None,
    };
    for _ in 0..set_up {
        let at = (random.below(rows), random.below(columns));
        let color = [Color::Black, Color::White][random.below(2)];
        if position.set_up(point(at), color).is_ok() {
            grid.rows[at.0][at.1] = Some(color);
        }
    }
    for _ in 0..plies {
        let moves = compare(&position, &grid);
        // An occasional pass, so that boards fill up and chains are captured.
        let played = match random.below(20) {
            0 => Move::Pass,
            _ => moves[random.below(moves.len())],
        };
        match played {
            Move::Stone(at) => {
                let at = (usize::from(at.row), usize::from(at.column));
                grid = grid.after(at).unwrap();
            }
            Move::Pass => {
                grid.turn = !grid.turn;
                grid.ko = None;
            }
        }
        position.play(played);
        assert_eq!(position.turn(), grid.turn);
    }
}

#[test]
fn small_boards_agree() {
    for seed in 0..60 {
        let (columns, rows) = [(1, 1), (2, 2), (3, 3), (5, 2), (4, 5), (6, 6)][seed as usize % 6];
        play(columns, rows, 150, seed % 2 == 0, 0, seed);
    }
}

#[test]
fn setup_stones_without_liberties_agree() {
    for seed in 0..40 {
        play(5, 4, 60, seed % 2 == 0, 12 + seed as usize % 14, seed);
    }
}

#[test]
fn standard_and_large_boards_agree() {
    play(19, 19, 700, false, 0, 7);
    play(9, 9, 400, false, 6, 8);
    play(52, 52, 25, false, 1500, 9);
    play(52, 1, 120, true, 0, 10);
}
