//! A position: the stones, whose turn it is, where a ko may not be retaken.
//!
//! The board has a margin, so that neighbours need no test. Stones of a chain are a ring of
//! references. A chain counts its liberties once for each stone that touches them, with their sum
//! and the sum of their squares: that tells whether it has none, or a single one, without looking
//! at them, and moves change it in few steps.

use crate::go::{Color, Move, Point, Size};

/// Lines of margin around the board: as far as surroundings reach.
const MARGIN: usize = 2;
/// Moves that are remembered.
pub const RECENT: usize = 6;
/// Points of a surrounding.
const AROUND: usize = 20;

/// Where the points of a surrounding lie, by rows and columns: the eight neighbours, those two
/// steps along a line, those a knight's move away (spec §14.7.1).
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

/// What is on a point.
const EMPTY: u8 = 0;
const MARGINAL: u8 = 3;

/// No point: the margin's first.
const NOWHERE: u16 = 0;

/// The rules where rules differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rules {
    /// Whether a player may take his own stones off by filling their last liberty.
    pub suicide: bool,
}

/// Why stones cannot be set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetupError {
    /// The board has no such point.
    OffBoard(Point),
    /// A stone is there already.
    Occupied(Point),
}

/// The liberties of a chain, each as often as stones touch it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Liberties {
    count: u32,
    sum: u32,
    squares: u64,
}

impl Liberties {
    #[inline]
    fn add(&mut self, at: u16) {
        self.count += 1;
        self.sum += u32::from(at);
        self.squares += u64::from(at) * u64::from(at);
    }

    #[inline]
    fn remove(&mut self, at: u16) {
        self.count -= 1;
        self.sum -= u32::from(at);
        self.squares -= u64::from(at) * u64::from(at);
    }

    fn join(&mut self, other: Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Whether all are the same point: only then are mean and mean square so related.
    #[inline]
    fn is_single(self) -> bool {
        self.count > 0 && u64::from(self.count) * self.squares == u64::from(self.sum).pow(2)
    }
}

/// A position of a game of Go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    size: Size,
    rules: Rules,
    turn: Color,
    /// Where a stone would retake a ko, or [`NOWHERE`].
    ko: u16,
    /// From one row to the next.
    stride: usize,
    cells: Vec<u8>,
    /// The stone that stands for a stone's chain.
    chain: Vec<u16>,
    /// The next stone of the ring of a chain.
    next: Vec<u16>,
    /// Of each chain, at the stone that stands for it.
    liberties: Vec<Liberties>,
    /// What surrounds each point of the board: two bits for each point of [`SURROUNDING`], 0 empty,
    /// 1 black, 2 white, 3 margin, the first lowest.
    surroundings: Vec<u64>,
    /// Where the last moves went, the last first; [`NOWHERE`] for a pass.
    recent: [u16; RECENT],
    /// Moves so far.
    moves: u32,
}

impl Position {
    /// An empty board, Black to play.
    pub fn new(size: Size, rules: Rules) -> Self {
        let (rows, columns) = (usize::from(size.rows()), usize::from(size.columns()));
        // The margin on the right of a row is that on the left of the next.
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

    /// Whose turn it is.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Gives the turn to a player.
    pub fn set_turn(&mut self, turn: Color) {
        self.turn = turn;
    }

    /// The stone on a point of the board.
    pub fn stone(&self, point: Point) -> Option<Color> {
        match self.cells[self.place(point)] {
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => None,
        }
    }

    /// Puts a stone on an empty point. Nothing is taken, and no turn changes.
    ///
    /// # Errors
    /// When there is no such point, or a stone on it.
    pub fn set_up(&mut self, point: Point, color: Color) -> Result<(), SetupError> {
        if !self.size.has(point) {
            return Err(SetupError::OffBoard(point));
        }
        let at = self.place(point);
        if self.cells[at] != EMPTY {
            return Err(SetupError::Occupied(point));
        }
        self.put(at, color);
        Ok(())
    }

    /// Whether a move may be played.
    pub fn is_legal(&self, played: Move) -> bool {
        match played {
            Move::Pass => true,
            Move::Stone(point) => self.size.has(point) && self.may_put(self.place(point)),
        }
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// When the board has no such point.
    pub fn play(&mut self, played: Move) {
        self.ko = NOWHERE;
        self.recent.rotate_right(1);
        self.recent[0] = NOWHERE;
        if let Move::Stone(point) = played {
            assert!(self.size.has(point), "{point} is not on the board");
            let at = self.place(point);
            self.recent[0] = at as u16;
            self.play_stone(at);
        }
        self.turn = !self.turn;
        self.moves += 1;
    }

    /// Calls `visit` with each legal stone in canonical order, until it says to stop.
    #[inline]
    pub fn each_stone(&self, mut visit: impl FnMut(Point) -> bool) {
        for row in 0..self.size.rows() {
            let start = (usize::from(row) + MARGIN) * self.stride + MARGIN;
            for column in 0..self.size.columns() {
                if self.may_put(start + usize::from(column)) && !visit(Point { row, column }) {
                    return;
                }
            }
        }
    }

    fn place(&self, point: Point) -> usize {
        (usize::from(point.row) + MARGIN) * self.stride + usize::from(point.column) + MARGIN
    }

    /// The points that surround one, in the order of [`SURROUNDING`].
    #[inline]
    fn around(&self, at: usize) -> impl DoubleEndedIterator<Item = usize> + use<> {
        let stride = self.stride as isize;
        SURROUNDING.iter().map(move |&(row, column)| {
            at.wrapping_add_signed(row as isize * stride + column as isize)
        })
    }

    /// Changes what is on a point, for those around it too. Each point of a surrounding has its
    /// opposite in it.
    #[inline]
    fn change(&mut self, at: usize, to: u8) {
        let difference = u64::from(self.cells[at] ^ to);
        self.cells[at] = to;
        let stride = self.stride as isize;
        for (i, &(row, column)) in SURROUNDING.iter().enumerate() {
            let seen_from = at.wrapping_add_signed(-(row as isize * stride + column as isize));
            self.surroundings[seen_from] ^= difference << (2 * i);
        }
    }

    #[inline]
    fn neighbours(&self, at: usize) -> [usize; 4] {
        [at - self.stride, at - 1, at + 1, at + self.stride]
    }

    /// The liberties of the chain of a stone.
    #[inline]
    fn liberties_of(&mut self, stone: usize) -> &mut Liberties {
        &mut self.liberties[usize::from(self.chain[stone])]
    }

    /// Whether the player whose turn it is may put a stone there.
    #[inline]
    fn may_put(&self, at: usize) -> bool {
        if self.cells[at] != EMPTY || at == usize::from(self.ko) {
            return false;
        }
        let neighbours = self.neighbours(at);
        if self.rules.suicide || neighbours.iter().any(|&n| self.cells[n] == EMPTY) {
            return true;
        }
        // Its only liberty would be one of its own chain's, or of the stones that it takes.
        let own = self.turn as u8;
        neighbours.iter().any(|&n| {
            self.cells[n] != MARGINAL
                && self.liberties[usize::from(self.chain[n])].is_single() != (self.cells[n] == own)
        })
    }

    /// Puts a stone there and joins its chain to those of its colour.
    fn put(&mut self, at: usize, color: Color) {
        let place = at as u16;
        self.change(at, color as u8);
        self.chain[at] = place;
        self.next[at] = place;
        self.liberties[at] = Liberties::default();
        for neighbour in self.neighbours(at) {
            match self.cells[neighbour] {
                EMPTY => self.liberties[at].add(neighbour as u16),
                MARGINAL => {}
                _ => self.liberties_of(neighbour).remove(place),
            }
        }
        for neighbour in self.neighbours(at) {
            if self.cells[neighbour] == color as u8 {
                self.join(at, neighbour);
            }
        }
    }

    /// Makes one chain of those of two stones.
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
        // Two rings become one where their stones change who follows them.
        self.next.swap(one, other);
    }

    /// Takes the chain of a stone off the board; tells how many stones it had.
    fn take(&mut self, stone: usize) -> usize {
        let mut taken = 0;
        let mut at = stone;
        loop {
            self.change(at, EMPTY);
            taken += 1;
            for neighbour in self.neighbours(at) {
                if matches!(self.cells[neighbour], 1 | 2) {
                    self.liberties_of(neighbour).add(at as u16);
                }
            }
            at = usize::from(self.next[at]);
            if at == stone {
                return taken;
            }
        }
    }

    fn play_stone(&mut self, at: usize) {
        let own = self.turn as u8;
        let other = !self.turn as u8;
        self.put(at, self.turn);
        let mut taken = 0;
        let mut last_taken = NOWHERE;
        for neighbour in self.neighbours(at) {
            if self.cells[neighbour] == other && self.liberties_of(neighbour).count == 0 {
                taken += self.take(neighbour);
                last_taken = neighbour as u16;
            }
        }
        if self.liberties_of(at).count == 0 {
            self.take(at);
            return;
        }
        let alone = self.neighbours(at).iter().all(|&n| self.cells[n] != own);
        if taken == 1 && alone && self.liberties_of(at).is_single() {
            self.ko = last_taken;
        }
    }
}

/// What the model looks at; points are numbers here, with the margin counted.
impl Position {
    /// Moves played so far, passes included.
    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// Where the move went that was played so long ago.
    #[inline]
    pub fn recent(&self, ago: usize) -> Option<usize> {
        let at = self.recent[ago];
        (at != NOWHERE).then_some(usize::from(at))
    }

    /// Row and column of a point.
    #[inline]
    pub fn lines(&self, at: usize) -> (i32, i32) {
        let (row, column) = (at / self.stride, at % self.stride);
        (row as i32 - MARGIN as i32, column as i32 - MARGIN as i32)
    }

    /// What surrounds a point.
    #[inline]
    pub fn surrounding(&self, at: usize) -> u64 {
        self.surroundings[at]
    }

    /// How many numbers of points there are.
    pub fn numbers(&self) -> usize {
        self.cells.len()
    }

    /// The number of the stone that stands for the chain of a stone, and whether it is the
    /// player's whose turn it is.
    #[inline]
    pub fn chain(&self, at: usize) -> Option<(usize, bool)> {
        let cell = self.cells[at];
        matches!(cell, 1 | 2).then(|| (usize::from(self.chain[at]), cell == self.turn as u8))
    }

    #[inline]
    /// Whether no stone is on the point of this number.
    pub fn is_empty(&self, at: usize) -> bool {
        self.cells[at] == EMPTY
    }

    #[inline]
    /// The numbers of the four neighbours of a point; they may be off the board.
    pub fn next_to(&self, at: usize) -> [usize; 4] {
        self.neighbours(at)
    }

    /// Calls `visit` with the points of the board, in order.
    #[inline]
    pub fn each_point(&self, mut visit: impl FnMut(usize)) {
        let columns = usize::from(self.size.columns());
        for row in 0..usize::from(self.size.rows()) {
            let start = (row + MARGIN) * self.stride + MARGIN;
            (start..start + columns).for_each(&mut visit);
        }
    }

    /// Calls `visit` with the points of legal stones, in order.
    #[inline]
    pub fn each_legal(&self, mut visit: impl FnMut(usize)) {
        self.each_point(|at| {
            if self.may_put(at) {
                visit(at);
            }
        });
    }
}
