//! What the model sees of a choice: a place in each of its tables (spec §14.7.2).
//!
//! A choice is a legal stone or the pass. For each there is a row of [`TABLES`] places, whose
//! parameters add up to its score. All is seen from the player whose turn it is, and turned and
//! mirrored to one of eight ways that look alike.

use std::{cmp::Ordering, sync::LazyLock};

use ign_notation::go::{
    Color, Size,
    position::{Position, RECENT, SURROUNDING},
};

/// Tables, each with a place for every choice.
pub const TABLES: usize = 11;
/// Entries of each table; sizes that are powers of two are of those that are hashed.
pub const SIZES: [usize; TABLES] = [
    1 << 16, // neighbours
    1 << 15, // and two steps along the lines
    1 << 17, // all that surrounds
    OFFSETS, // the way from the last move
    OFFSETS, // from the one before
    OFFSETS, // from the one before that
    PLACES,  // place on the board, by how many moves have been played
    TACTICS, // liberties, what is taken and threatened
    (RECENT + 1) * 5,
    1 << 16, // answers to the last move's surroundings
    1 << 18, // corners
];
const OFFSETS: usize = FAR * (FAR + 1) / 2 + 2;
/// From so far on all is as far.
const FAR: usize = 20;
const PHASES: usize = 8;
const PLACES: usize = 55 * PHASES + 4 * PHASES;
const TACTICS: usize = 5 * 3 * 5 * 4 * 2;
/// All entries.
pub const ENTRIES: usize = {
    let mut sum = 0;
    let mut i = 0;
    while i < TABLES {
        sum += SIZES[i];
        i += 1;
    }
    sum
};
/// Where each table begins.
const STARTS: [u32; TABLES] = {
    let mut starts = [0; TABLES];
    let mut i = 1;
    while i < TABLES {
        starts[i] = starts[i - 1] + SIZES[i - 1] as u32;
        i += 1;
    }
    starts
};
/// Lines of a corner.
const CORNER: usize = 9;
/// With more stones a corner is like no other.
const CROWDED: u32 = 24;

/// A row or column step seen in each of eight ways: turned and mirrored.
const fn turned(way: usize, row: i32, column: i32) -> (i32, i32) {
    let (row, column) = if way & 1 == 1 {
        (column, row)
    } else {
        (row, column)
    };
    let row = if way & 2 == 2 { -row } else { row };
    let column = if way & 4 == 4 { -column } else { column };
    (row, column)
}

/// Where each point of a surrounding goes, in each way.
const TURNS: [[u8; 20]; 8] = {
    let mut turns = [[0; 20]; 8];
    let mut way = 0;
    while way < 8 {
        let mut from = 0;
        while from < 20 {
            let (row, column) = SURROUNDING[from];
            let (row, column) = turned(way, row as i32, column as i32);
            let mut to = 0;
            while SURROUNDING[to].0 as i32 != row || SURROUNDING[to].1 as i32 != column {
                to += 1;
            }
            turns[way][from] = to as u8;
            from += 1;
        }
        way += 1;
    }
    turns
};

/// A surrounding turned, by its bytes.
struct Turner {
    /// By way, number of the byte, and byte.
    bytes: Vec<[[u64; 256]; 5]>,
    /// For each code of the eight neighbours the least of its eight codes, and the ways there, a
    /// bit each.
    least: Vec<(u16, u8)>,
}

static TURNER: LazyLock<Turner> = LazyLock::new(|| {
    let mut turner = Turner {
        bytes: vec![[[0; 256]; 5]; 8],
        least: Vec::with_capacity(1 << 16),
    };
    for (turns, bytes) in TURNS.iter().zip(&mut turner.bytes) {
        for (number, table) in bytes.iter_mut().enumerate() {
            for (byte, turned) in table.iter_mut().enumerate() {
                for cell in 0..4 {
                    let to = turns[4 * number + cell];
                    *turned |= (byte as u64 >> (2 * cell) & 3) << (2 * to);
                }
            }
        }
    }
    for code in 0..1u64 << 16 {
        let codes: [u16; 8] = std::array::from_fn(|way| {
            let bytes = &turner.bytes[way];
            (bytes[0][code as usize & 255] | bytes[1][code as usize >> 8]) as u16
        });
        let least = codes.into_iter().min().expect("eight ways");
        let ways = (0..8).filter(|&way| codes[way] == least);
        turner
            .least
            .push((least, ways.fold(0, |ways, way| ways | 1 << way)));
    }
    turner
});

impl Turner {
    fn turn(&self, code: u64, way: usize) -> u64 {
        let bytes = &self.bytes[way];
        (0..5).fold(0, |turned, i| {
            turned | bytes[i][(code >> (8 * i)) as usize & 255]
        })
    }

    /// The least code of a surrounding, its neighbours counting most; which has theirs lowest.
    #[inline]
    fn least(&self, code: u64) -> u64 {
        let (_, mut ways) = self.least[code as usize & 0xffff];
        let mut least = u64::MAX;
        while ways != 0 {
            least = least.min(self.turn(code, ways.trailing_zeros() as usize));
            ways &= ways - 1;
        }
        least
    }
}

/// A surrounding seen by White: the colours change places, empty points and margin do not.
fn swapped(code: u64) -> u64 {
    const ODD: u64 = 0x55_5555_5555;
    (code & ODD) << 1 | code >> 1 & ODD
}

/// Mixes a number for a table of 2^`bits` entries.
fn hash(number: u64, bits: u32) -> u32 {
    (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) as u32
}

/// The way from a move to a choice: the larger and the smaller of both steps.
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

/// Tables of what surrounds a point, which come first, and that of the corners, which is last: they
/// change less often than the game goes on.
const NEAR: usize = 3;
const LAST: usize = TABLES - 1;

/// Values that stand for a point until what they follow from changes.
#[derive(Debug, Clone, Copy)]
struct Kept {
    code: u64,
    near: i32,
    stones: Stones,
    corner: i32,
}

/// What the place of a point in the table of corners follows from: which of the cases it is, and
/// the hashes of the corner as it is and with rows and columns changed.
type Stones = (u8, u64, u64);

impl Kept {
    const NOTHING: Self = Self {
        code: u64::MAX,
        near: 0,
        stones: (0, 0, 0),
        corner: 0,
    };
}

/// Sees the choices of positions.
#[derive(Debug, Default)]
pub struct Viewer {
    /// Of the stone that stands for each chain: its liberties and stones.
    chains: Vec<(u32, u32)>,
    rows: Vec<[u32; TABLES]>,
    /// For each player and each point of a board of this size.
    kept: [Vec<Kept>; 2],
    size: Option<Size>,
}

/// What choices of a position have in common.
struct View<'a> {
    board: &'a Position,
    chains: &'a [(u32, u32)],
    white: bool,
    phase: usize,
    /// Rows and columns of the last moves.
    recent: [Option<(i32, i32)>; 3],
    /// What surrounds the last move.
    answered: u64,
    rows: i32,
    columns: i32,
}

impl<'a> View<'a> {
    fn new(board: &'a Position, chains: &'a [(u32, u32)]) -> Self {
        let white = board.turn() == Color::White;
        let recent = std::array::from_fn(|i| board.recent(i).map(|at| board.lines(at)));
        let mut view = Self {
            board,
            chains,
            white,
            phase: phase(board.moves()),
            recent,
            answered: 0,
            rows: board.size().rows().into(),
            columns: board.size().columns().into(),
        };
        view.answered = board.recent(0).map_or(0, |at| view.code(at) & 0xffff);
        view
    }

    /// What surrounds a point, as the player sees it.
    #[inline]
    fn code(&self, at: usize) -> u64 {
        let code = self.board.surrounding(at);
        if self.white { swapped(code) } else { code }
    }

    /// Places of a stone there in the tables between those of [`Kept`].
    fn places(&self, at: usize) -> [u32; LAST - NEAR] {
        let (row, column) = self.board.lines(at);
        let way = |recent: Option<(i32, i32)>| {
            recent.map_or(OFFSETS - 1, |(r, c)| offset(row - r, column - c)) as u32
        };
        let edge = |line: i32, lines: i32| line.min(lines - 1 - line).min(9) as usize;
        let (one, other) = (edge(row, self.rows), edge(column, self.columns));
        let (large, small) = (one.max(other), one.min(other));
        let (tactics, taken) = self.tactics(at);
        let age = (0..RECENT).find(|&i| self.board.recent(i) == Some(at));
        [
            STARTS[3] + way(self.recent[0]),
            STARTS[4] + way(self.recent[1]),
            STARTS[5] + way(self.recent[2]),
            STARTS[6] + ((large * (large + 1) / 2 + small) * PHASES + self.phase) as u32,
            STARTS[7] + tactics,
            STARTS[8] + (age.map_or(0, |age| age + 1) * 5 + taken) as u32,
            STARTS[9] + self.answer(row, column),
        ]
    }

    /// The place of an answer to the last move, by what surrounds that: 0 if it is far away.
    fn answer(&self, row: i32, column: i32) -> u32 {
        let Some((r, c)) = self.recent[0] else {
            return 0;
        };
        let (r, c) = (row - r, column - c);
        if r.abs().max(c.abs()) > 4 {
            return 0;
        }
        // Of the ways in which the choice lies below and to the right, not nearer to the row, the
        // least.
        let ways = (0..8).filter_map(|way| {
            let (r, c) = turned(way, r, c);
            (r >= c && c >= 0).then(|| TURNER.turn(self.answered, way) << 8 | (r * 8 + c) as u64)
        });
        1 + hash(ways.min().unwrap_or(0), 16) % ((1 << 16) - 1)
    }

    /// What a stone does to the chains around it; and how many it takes, as a class.
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

    /// Places of the pass. It has one of its own, by whether it follows on a pass; the others are
    /// the first of each table.
    fn pass(&self) -> [u32; TABLES] {
        let after_pass = usize::from(self.board.moves() > 0 && self.recent[0].is_none());
        let mut places = STARTS;
        places[6] += ((55 + 2 * after_pass) * PHASES + self.phase) as u32;
        places
    }
}

/// Places in the tables of what surrounds a point.
fn near(code: u64) -> [u32; NEAR] {
    let code = TURNER.least(code);
    [
        STARTS[0] + (code & 0xffff) as u32,
        STARTS[1] + hash(code & 0xff_ffff, 15),
        STARTS[2] + hash(code, 17),
    ]
}

fn sum(places: &[u32], parameters: &[i8]) -> i32 {
    let values = places
        .iter()
        .map(|&place| i32::from(parameters[place as usize]));
    values.sum()
}

impl Viewer {
    /// The legal stones of a position, in canonical order, then the pass: a row for each.
    pub fn view(&mut self, position: &Position) -> &[[u32; TABLES]] {
        self.count(position);
        self.rows.clear();
        let view = View::new(position, &self.chains);
        let corners = Corners::new(position);
        position.each_legal(|at| {
            let (row, column) = position.lines(at);
            let mut places = [0; TABLES];
            places[..NEAR].copy_from_slice(&near(view.code(at)));
            places[NEAR..LAST].copy_from_slice(&view.places(at));
            places[LAST] = STARTS[LAST] + corners.place(row, column);
            self.rows.push(places);
        });
        self.rows.push(view.pass());
        &self.rows
    }

    /// Replaces `scores` by the sums of the parameters in the rows that [`view`](Viewer::view)
    /// gives, sooner: most points look as they did a move ago.
    pub fn score(&mut self, position: &Position, parameters: &[i8], scores: &mut Vec<i32>) {
        self.count(position);
        scores.clear();
        let view = View::new(position, &self.chains);
        let corners = Corners::new(position);
        if self.size.replace(position.size()) != Some(position.size()) {
            self.kept.iter_mut().for_each(Vec::clear);
        }
        let kept = &mut self.kept[usize::from(view.white)];
        kept.resize(position.numbers(), Kept::NOTHING);
        position.each_legal(|at| {
            let kept = &mut kept[at];
            let code = view.code(at);
            if kept.code != code {
                kept.code = code;
                kept.near = sum(&near(code), parameters);
            }
            let (row, column) = position.lines(at);
            let stones = corners.stones(row, column);
            if kept.stones != stones {
                kept.stones = stones;
                let place = STARTS[LAST] + corners.place(row, column);
                kept.corner = sum(&[place], parameters);
            }
            scores.push(kept.near + sum(&view.places(at), parameters) + kept.corner);
        });
        scores.push(sum(&view.pass(), parameters));
    }

    /// Counts the liberties and stones of all chains.
    fn count(&mut self, board: &Position) {
        self.chains.clear();
        self.chains.resize(board.numbers(), (0, 0));
        board.each_point(|at| match board.chain(at) {
            Some((chain, _)) => self.chains[chain].1 += 1,
            None => {
                let mut near = [0; 4];
                let mut found = 0;
                for neighbour in board.next_to(at) {
                    if let Some((chain, _)) = board.chain(neighbour)
                        && !near[..found].contains(&chain)
                    {
                        near[found] = chain;
                        found += 1;
                        self.chains[chain].0 += 1;
                    }
                }
            }
        });
    }
}

/// The stones in the corners, as hashes.
struct Corners {
    rows: i32,
    columns: i32,
    /// For each corner its hash as it is, and with rows and columns changed; none if crowded.
    corners: [Option<[u64; 2]>; 4],
}

impl Corners {
    fn new(board: &Position) -> Self {
        let [rows, columns] = [board.size().rows(), board.size().columns()].map(i32::from);
        // Each corner as it is, and with rows and columns changed.
        let mut hashes = [[0u64; 2]; 4];
        let mut stones = [0; 4];
        if rows >= 2 * CORNER as i32 && columns >= 2 * CORNER as i32 {
            board.each_point(|at| {
                let Some((_, own)) = board.chain(at) else {
                    return;
                };
                let (row, column) = board.lines(at);
                let Some((corner, row, column)) = Self::corner(rows, columns, row, column) else {
                    return;
                };
                stones[corner] += 1;
                let own = u64::from(own);
                for (hash, (one, other)) in hashes[corner]
                    .iter_mut()
                    .zip([(row, column), (column, row)])
                {
                    let number = ((one * CORNER + other) * 2) as u64 + own + 1;
                    let mixed = number.wrapping_mul(0xd6e8_feb8_6659_fd93);
                    *hash = hash.wrapping_add((mixed ^ mixed >> 29).wrapping_mul(mixed | 1));
                }
            });
        } else {
            stones = [CROWDED + 1; 4];
        }
        let corners = std::array::from_fn(|i| (stones[i] <= CROWDED).then_some(hashes[i]));
        Self {
            rows,
            columns,
            corners,
        }
    }

    /// The corner of a point, and its lines from there.
    fn corner(rows: i32, columns: i32, row: i32, column: i32) -> Option<(usize, usize, usize)> {
        let (below, right) = (rows - 1 - row, columns - 1 - column);
        let (down, row) = if below < row { (2, below) } else { (0, row) };
        let (across, column) = if right < column {
            (1, right)
        } else {
            (0, column)
        };
        let (row, column) = (row as usize, column as usize);
        (row < CORNER && column < CORNER).then_some((down + across, row, column))
    }

    /// What the place of a point follows from.
    fn stones(&self, row: i32, column: i32) -> Stones {
        match Self::corner(self.rows, self.columns, row, column) {
            None => (1, 0, 0),
            Some((corner, ..)) => match self.corners[corner] {
                None => (2, 0, 0),
                Some([one, other]) => (3, one, other),
            },
        }
    }

    fn place(&self, row: i32, column: i32) -> u32 {
        let Some((corner, row, column)) = Self::corner(self.rows, self.columns, row, column) else {
            return 0;
        };
        let Some([one, other]) = self.corners[corner] else {
            return 1;
        };
        // The lesser of both; where they are equal the corner is like its mirror image.
        let (stones, row, column) = match one.cmp(&other) {
            Ordering::Less => (one, row, column),
            Ordering::Equal => (one, row.min(column), row.max(column)),
            Ordering::Greater => (other, column, row),
        };
        let number = stones ^ ((row * CORNER + column + 1) as u64) << 50;
        2 + hash(number ^ number >> 23, 18) % ((1 << 18) - 2)
    }
}
