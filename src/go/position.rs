//! A position: the stones, whose turn it is, where a ko may not be retaken.
//!
//! The board has a margin, so that neighbours need no test. Stones of a chain are a ring of
//! references. A chain counts its liberties once for each stone that touches them, with their sum
//! and the sum of their squares: that tells whether it has none, or a single one, without looking
//! at them, and moves change it in few steps.

use super::{Color, Move, Point, Size};

/// Lines of margin around the board.
const MARGIN: usize = 1;

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
        Self {
            size,
            rules,
            turn: Color::Black,
            ko: NOWHERE,
            stride,
            cells,
            chain: vec![NOWHERE; len],
            next: vec![NOWHERE; len],
            liberties: vec![Liberties::default(); len],
        }
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
        if let Move::Stone(point) = played {
            assert!(self.size.has(point), "{point} is not on the board");
            self.play_stone(self.place(point));
        }
        self.turn = !self.turn;
    }

    /// Calls `visit` with each legal stone in canonical order, until it says to stop.
    #[inline]
    pub(super) fn each_stone(&self, mut visit: impl FnMut(Point) -> bool) {
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
        self.cells[at] = color as u8;
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
            self.cells[at] = EMPTY;
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
