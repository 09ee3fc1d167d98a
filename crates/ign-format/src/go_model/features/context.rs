//! Features of a choice in its position: distances from the last moves, place on the board,
//! tactics, reply to the last move.

use ign_notation::go::{
    Color,
    position::{Position, RECENT},
};

use super::{
    symmetry::{SYMMETRIES, transform, with_colors_swapped},
    tables::{FAR, OFFSETS, PHASES, STARTS, TABLES, hash},
};

/// Number of tables of patterns around a point. They are the first tables.
pub(super) const PATTERN_TABLES: usize = 3;
/// The table of corners, which is the last one.
pub(super) const CORNER_TABLE: usize = TABLES - 1;
/// Number of the tables between, which are computed for every choice of every position.
const LOCAL_TABLES: usize = CORNER_TABLE - PATTERN_TABLES;

/// A position with data shared by the features of its choices.
pub(super) struct Context<'a> {
    board: &'a Position,
    /// By the point that represents a chain: its liberties and stones.
    chains: &'a [(u32, u32)],
    pub(super) white: bool,
    phase: usize,
    /// Rows and columns of the last moves, the latest first.
    recent: [Option<(i32, i32)>; 3],
    /// The pattern of the neighbours of the last move.
    last_pattern: u64,
    rows: i32,
    columns: i32,
}

impl<'a> Context<'a> {
    pub(super) fn new(board: &'a Position, chains: &'a [(u32, u32)]) -> Self {
        let white = board.turn() == Color::White;
        let recent = std::array::from_fn(|i| board.recent(i).map(|at| board.lines(at)));
        let mut context = Self {
            board,
            chains,
            white,
            phase: phase(board.moves()),
            recent,
            last_pattern: 0,
            rows: board.size().rows().into(),
            columns: board.size().columns().into(),
        };
        context.last_pattern = board.recent(0).map_or(0, |at| context.pattern(at) & 0xffff);
        context
    }

    /// The pattern around a point, relative to the player to move.
    #[inline]
    pub(super) fn pattern(&self, at: usize) -> u64 {
        let code = self.board.surrounding(at);
        if self.white {
            with_colors_swapped(code)
        } else {
            code
        }
    }

    /// The entries of a stone in the tables between those of patterns and that of corners.
    pub(super) fn entries(&self, at: usize) -> [u32; LOCAL_TABLES] {
        let (row, column) = self.board.lines(at);
        let distance = |recent: Option<(i32, i32)>| {
            recent.map_or(OFFSETS - 1, |(r, c)| offset(row - r, column - c)) as u32
        };
        let edge = |line: i32, lines: i32| line.min(lines - 1 - line).min(9) as usize;
        let (one, other) = (edge(row, self.rows), edge(column, self.columns));
        let (large, small) = (one.max(other), one.min(other));
        let (tactics, taken) = self.tactics(at);
        let age = (0..RECENT).find(|&i| self.board.recent(i) == Some(at));
        [
            STARTS[3] + distance(self.recent[0]),
            STARTS[4] + distance(self.recent[1]),
            STARTS[5] + distance(self.recent[2]),
            STARTS[6] + ((large * (large + 1) / 2 + small) * PHASES + self.phase) as u32,
            STARTS[7] + tactics,
            STARTS[8] + (age.map_or(0, |age| age + 1) * 5 + taken) as u32,
            STARTS[9] + self.reply(row, column),
        ]
    }

    /// The entry of a reply to the last move, by the pattern around that move; 0 if it is far away.
    fn reply(&self, row: i32, column: i32) -> u32 {
        let Some((r, c)) = self.recent[0] else {
            return 0;
        };
        let (r, c) = (row - r, column - c);
        if r.abs().max(c.abs()) > 4 {
            return 0;
        }
        // The smallest code among the symmetries that map the offset into one octant.
        let codes = (0..8).filter_map(|symmetry| {
            let (r, c) = transform(symmetry, r, c);
            let pattern = || SYMMETRIES.apply(self.last_pattern, symmetry);
            (r >= c && c >= 0).then(|| pattern() << 8 | (r * 8 + c) as u64)
        });
        1 + hash(codes.min().unwrap_or(0), 16) % ((1 << 16) - 1)
    }

    /// The effect of a stone on the adjacent chains, and the class of the number of stones that it
    /// captures.
    fn tactics(&self, at: usize) -> (u32, usize) {
        let board = self.board;
        let last = board.recent(0);
        let mut liberties = 0;
        let (mut taken, mut saved, mut threatened) = (0, 0, 0);
        let mut seen = [usize::MAX; 4];
        let mut touches_last = false;
        for (i, neighbour) in board.next_to(at).into_iter().enumerate() {
            touches_last |= Some(neighbour) == last;
            let Some((chain, own)) = board.chain(neighbour) else {
                liberties += u32::from(board.is_empty(neighbour));
                continue;
            };
            if seen.contains(&chain) {
                continue;
            }
            seen[i] = chain;
            let (free, stones) = self.chains[chain];
            match (own, free) {
                (true, 1) => saved += stones,
                (true, _) => liberties += free - 1,
                (false, 1) => {
                    taken += stones;
                    liberties += 1;
                }
                (false, 2) => threatened += stones,
                _ => {}
            }
        }
        let liberties = liberties.min(4) as usize;
        let threatened = threatened.min(2) as usize;
        let saved = match saved {
            0..2 => saved as usize,
            2..4 => 2,
            _ => 3,
        };
        let taken = size_class(taken);
        let index = (((liberties * 3 + threatened) * 5 + taken) * 4 + saved) * 2;
        ((index + usize::from(touches_last)) as u32, taken)
    }

    /// The entries of the pass. In the table of places it has its own, by whether it follows a
    /// pass; in each other table it has the first.
    pub(super) fn pass(&self) -> [u32; TABLES] {
        let after_pass = usize::from(self.board.moves() > 0 && self.recent[0].is_none());
        let mut entries = STARTS;
        entries[6] += ((55 + 2 * after_pass) * PHASES + self.phase) as u32;
        entries
    }
}

/// The entries of a pattern in the tables of patterns.
pub(super) fn pattern_entries(code: u64) -> [u32; PATTERN_TABLES] {
    let code = SYMMETRIES.canonical(code);
    [
        STARTS[0] + (code & 0xffff) as u32,
        STARTS[1] + hash(code & 0xff_ffff, 15),
        STARTS[2] + hash(code, 17),
    ]
}

/// The index of a distance: by the larger and the smaller of its row and column steps.
fn offset(rows: i32, columns: i32) -> usize {
    let (rows, columns) = (
        rows.unsigned_abs() as usize,
        columns.unsigned_abs() as usize,
    );
    let large = rows.max(columns).min(FAR - 1);
    let small = rows.min(columns).min(FAR - 1);
    large * (large + 1) / 2 + small
}

fn phase(moves: u32) -> usize {
    match moves {
        0..4 => 0,
        4..10 => 1,
        10..24 => 2,
        24..50 => 3,
        50..90 => 4,
        90..150 => 5,
        150..210 => 6,
        _ => 7,
    }
}

fn size_class(stones: u32) -> usize {
    match stones {
        0..3 => stones as usize,
        3..6 => 3,
        _ => 4,
    }
}
