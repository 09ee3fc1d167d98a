//! A position: the stones, the player to move, and the ko point.
//!
//! The board is an array with a margin, so that neighbors need no bounds tests. The stones of a
//! chain are a circular linked list; one of them identifies the chain and holds its liberties.
//!
//! The 20 points around each point are kept as a bit pattern for the move model.

use super::{
    liberties::Liberties,
    point::{Color, Move, Point, Size},
};

/// The width of the margin: the reach of [`SURROUNDING`].
const MARGIN: usize = 2;
/// The number of recent moves that a position remembers.
pub const RECENT: usize = 6;
/// The number of points of [`SURROUNDING`].
const AROUND: usize = 20;

/// The surrounding of a point as offsets of rows and columns: the eight neighbors, the points two
/// steps along a line, and those a knight's move away (spec §14.7.1).
pub const SURROUNDING: [(i8, i8); AROUND] = [
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, -1),
    (0, 1),
    (1, -1),
    (1, 0),
    (1, 1),
    (-2, 0),
    (0, -2),
    (0, 2),
    (2, 0),
    (-2, -1),
    (-2, 1),
    (-1, -2),
    (-1, 2),
    (1, -2),
    (1, 2),
    (2, -1),
    (2, 1),
];

/// An empty point. Stones are the numbers of their [`Color`].
const EMPTY: u8 = 0;
/// A point of the margin.
const MARGINAL: u8 = 3;

/// No point: the first of the margin.
const NOWHERE: u16 = 0;

/// The rules that differ between rule sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rules {
    /// Whether a player may fill the last liberty of an own chain, which removes it.
    pub suicide: bool,
}

/// Why a stone cannot be set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetupError {
    /// The point is not on the board.
    OffBoard(Point),
    /// The point has a stone.
    Occupied(Point),
}

/// A position of a game of Go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    size: Size,
    rules: Rules,
    turn: Color,
    /// The point of the illegal ko recapture, or [`NOWHERE`].
    ko: u16,
    /// The distance from one row to the next.
    stride: usize,
    /// [`EMPTY`], [`MARGINAL`] or the number of a color.
    cells: Vec<u8>,
    /// By stone: the stone that identifies its chain.
    chain: Vec<u16>,
    /// By stone: the next stone of its chain, in a ring.
    next: Vec<u16>,
    /// The liberties of a chain, at the stone that identifies it.
    liberties: Vec<Liberties>,
    /// By point: two bits for each point of [`SURROUNDING`], the first lowest; 0 empty, 1 black,
    /// 2 white, 3 margin.
    surroundings: Vec<u64>,
    /// The points of the recent moves, the last move first; [`NOWHERE`] for a pass.
    recent: [u16; RECENT],
    /// The number of moves played.
    moves: u32,
}

impl Position {
    /// An empty board, Black to move.
    pub fn new(size: Size, rules: Rules) -> Self {
        let (rows, columns) = (usize::from(size.rows()), usize::from(size.columns()));
        // The right margin of a row is the left margin of the next.
        let stride = columns + MARGIN;
        let len = (rows + 2 * MARGIN) * stride + MARGIN;
        let mut cells = vec![MARGINAL; len];
        for row in 0..rows {
            let start = (row + MARGIN) * stride + MARGIN;
            cells[start..start + columns].fill(EMPTY);
        }
        let mut position = Self {
            size,
            rules,
            turn: Color::Black,
            ko: NOWHERE,
            stride,
            cells,
            chain: vec![NOWHERE; len],
            next: vec![NOWHERE; len],
            liberties: vec![Liberties::default(); len],
            surroundings: vec![0; len],
            recent: [NOWHERE; RECENT],
            moves: 0,
        };
        for at in 0..len {
            if position.cells[at] == EMPTY {
                let cells = position.around(at).map(|n| u64::from(position.cells[n]));
                position.surroundings[at] = cells.rev().fold(0, |code, cell| code << 2 | cell);
            }
        }
        position
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The player to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Sets the player to move.
    pub fn set_turn(&mut self, turn: Color) {
        self.turn = turn;
    }

    /// The stone on a point of the board.
    pub fn stone(&self, point: Point) -> Option<Color> {
        match self.cells[self.index(point)] {
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => None,
        }
    }

    /// Places a setup stone on an empty point. Nothing is captured and the player to move stays.
    ///
    /// # Errors
    /// [`SetupError`] if the point is not on the board or has a stone.
    pub fn set_up(&mut self, point: Point, color: Color) -> Result<(), SetupError> {
        if !self.size.has(point) {
            return Err(SetupError::OffBoard(point));
        }
        let at = self.index(point);
        if self.cells[at] != EMPTY {
            return Err(SetupError::Occupied(point));
        }
        self.put(at, color);
        Ok(())
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, played: Move) -> bool {
        match played {
            Move::Pass => true,
            Move::Stone(point) => self.size.has(point) && self.is_legal_at(self.index(point)),
        }
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// If the point is not on the board.
    pub fn play(&mut self, played: Move) {
        self.ko = NOWHERE;
        self.recent.rotate_right(1);
        self.recent[0] = NOWHERE;
        if let Move::Stone(point) = played {
            assert!(self.size.has(point), "{point} is not on the board");
            let at = self.index(point);
            self.recent[0] = at as u16;
            self.play_stone(at);
        }
        self.turn = !self.turn;
        self.moves += 1;
    }

    /// Visits the legal points in canonical order, until `visit` returns false.
    #[inline]
    pub fn each_stone(&self, mut visit: impl FnMut(Point) -> bool) {
        for row in 0..self.size.rows() {
            let start = (usize::from(row) + MARGIN) * self.stride + MARGIN;
            for column in 0..self.size.columns() {
                if self.is_legal_at(start + usize::from(column)) && !visit(Point { row, column }) {
                    return;
                }
            }
        }
    }

    /// The index of a point in the arrays.
    fn index(&self, point: Point) -> usize {
        (usize::from(point.row) + MARGIN) * self.stride + usize::from(point.column) + MARGIN
    }

    /// The surrounding of a point, in the order of [`SURROUNDING`].
    #[inline]
    fn around(&self, at: usize) -> impl DoubleEndedIterator<Item = usize> + use<> {
        let stride = self.stride as isize;
        SURROUNDING.iter().map(move |&(row, column)| {
            at.wrapping_add_signed(row as isize * stride + column as isize)
        })
    }

    /// Changes a point, and the surroundings of the points around it.
    #[inline]
    fn change(&mut self, at: usize, to: u8) {
        let difference = u64::from(self.cells[at] ^ to);
        self.cells[at] = to;
        let stride = self.stride as isize;
        for (i, &(row, column)) in SURROUNDING.iter().enumerate() {
            // The point from which `at` has this offset.
            let center = at.wrapping_add_signed(-(row as isize * stride + column as isize));
            self.surroundings[center] ^= difference << (2 * i);
        }
    }

    /// The four neighbors of a point.
    #[inline]
    fn neighbors(&self, at: usize) -> [usize; 4] {
        [at - self.stride, at - 1, at + 1, at + self.stride]
    }

    /// The liberties of the chain of a stone.
    #[inline]
    fn liberties_of(&mut self, stone: usize) -> &mut Liberties {
        &mut self.liberties[usize::from(self.chain[stone])]
    }

    /// Whether a stone of the player to move is legal here.
    #[inline]
    fn is_legal_at(&self, at: usize) -> bool {
        if self.cells[at] != EMPTY || at == usize::from(self.ko) {
            return false;
        }
        let neighbors = self.neighbors(at);
        if self.rules.suicide || neighbors.iter().any(|&n| self.cells[n] == EMPTY) {
            return true;
        }
        // Legal if an own neighbor chain has another liberty, or if it captures an enemy chain.
        let own = self.turn as u8;
        neighbors.iter().any(|&n| {
            self.cells[n] != MARGINAL
                && self.liberties[usize::from(self.chain[n])].is_single() != (self.cells[n] == own)
        })
    }

    /// Places a stone and joins it with the adjacent chains of its color.
    fn put(&mut self, at: usize, color: Color) {
        let number = at as u16;
        self.change(at, color as u8);
        self.chain[at] = number;
        self.next[at] = number;
        self.liberties[at] = Liberties::default();
        for neighbor in self.neighbors(at) {
            match self.cells[neighbor] {
                EMPTY => self.liberties[at].add(neighbor as u16),
                MARGINAL => {}
                _ => self.liberties_of(neighbor).remove(number),
            }
        }
        for neighbor in self.neighbors(at) {
            if self.cells[neighbor] == color as u8 {
                self.join(at, neighbor);
            }
        }
    }

    /// Joins the chains of two stones.
    fn join(&mut self, one: usize, other: usize) {
        let (kept, gone) = (self.chain[other], self.chain[one]);
        if kept == gone {
            return;
        }
        let more = self.liberties[usize::from(gone)];
        self.liberties[usize::from(kept)].join(more);
        let mut stone = one;
        loop {
            self.chain[stone] = kept;
            stone = usize::from(self.next[stone]);
            if stone == one {
                break;
            }
        }
        // Swapping the successors of two stones merges their rings.
        self.next.swap(one, other);
    }

    /// Removes the chain of a stone; returns its number of stones.
    fn capture(&mut self, stone: usize) -> usize {
        let mut captured = 0;
        let mut at = stone;
        loop {
            self.change(at, EMPTY);
            captured += 1;
            for neighbor in self.neighbors(at) {
                if matches!(self.cells[neighbor], 1 | 2) {
                    self.liberties_of(neighbor).add(at as u16);
                }
            }
            at = usize::from(self.next[at]);
            if at == stone {
                return captured;
            }
        }
    }

    /// Places a stone, captures, and sets the ko point.
    fn play_stone(&mut self, at: usize) {
        let own = self.turn as u8;
        let other = !self.turn as u8;
        self.put(at, self.turn);
        let mut captured = 0;
        let mut last_captured = NOWHERE;
        for neighbor in self.neighbors(at) {
            if self.cells[neighbor] == other && self.liberties_of(neighbor).count == 0 {
                captured += self.capture(neighbor);
                last_captured = neighbor as u16;
            }
        }
        if self.liberties_of(at).count == 0 {
            self.capture(at);
            return;
        }
        let alone = self.neighbors(at).iter().all(|&n| self.cells[n] != own);
        if captured == 1 && alone && self.liberties_of(at).is_single() {
            self.ko = last_captured;
        }
    }
}

/// Low-level access for the move model of crate `ign-format`. Points are indices into the arrays,
/// which include the margin.
impl Position {
    /// The number of moves played, passes included.
    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// The point of a recent move, 0 for the last one, below [`RECENT`]; `None` for a pass or no
    /// move.
    #[inline]
    pub fn recent(&self, ago: usize) -> Option<usize> {
        let at = self.recent[ago];
        (at != NOWHERE).then_some(usize::from(at))
    }

    /// The row and the column of a point; they may be off the board.
    #[inline]
    pub fn lines(&self, at: usize) -> (i32, i32) {
        let (row, column) = (at / self.stride, at % self.stride);
        (row as i32 - MARGIN as i32, column as i32 - MARGIN as i32)
    }

    /// The surrounding of a point of the board: two bits for each point of [`SURROUNDING`], the
    /// first lowest; 0 empty, 1 black, 2 white, 3 off the board.
    #[inline]
    pub fn surrounding(&self, at: usize) -> u64 {
        self.surroundings[at]
    }

    /// The number of points, the margin included.
    pub fn numbers(&self) -> usize {
        self.cells.len()
    }

    /// The point that identifies the chain of a stone, and whether the stone belongs to the player
    /// to move; `None` without a stone.
    #[inline]
    pub fn chain(&self, at: usize) -> Option<(usize, bool)> {
        let cell = self.cells[at];
        matches!(cell, 1 | 2).then(|| (usize::from(self.chain[at]), cell == self.turn as u8))
    }

    /// Whether a point is empty.
    #[inline]
    pub fn is_empty(&self, at: usize) -> bool {
        self.cells[at] == EMPTY
    }

    /// The four neighbors of a point; they may be off the board.
    #[inline]
    pub fn next_to(&self, at: usize) -> [usize; 4] {
        self.neighbors(at)
    }

    /// Visits the points of the board in order.
    #[inline]
    pub fn each_point(&self, mut visit: impl FnMut(usize)) {
        let columns = usize::from(self.size.columns());
        for row in 0..usize::from(self.size.rows()) {
            let start = (row + MARGIN) * self.stride + MARGIN;
            (start..start + columns).for_each(&mut visit);
        }
    }

    /// Visits the legal points in order.
    #[inline]
    pub fn each_legal(&self, mut visit: impl FnMut(usize)) {
        self.each_point(|at| {
            if self.is_legal_at(at) {
                visit(at);
            }
        });
    }
}
