//! Corner patterns: the stones of a corner as a hash that is the same for its mirror image.

use std::cmp::Ordering;

use ign_notation::go::Position;

use super::tables::hash;

/// Lines of a corner.
const CORNER: usize = 9;
/// Maximum number of stones in a corner pattern. Corners with more share one entry.
const MAX_STONES: u32 = 24;

/// What the entry of a point in the table of corners depends on: the kind of entry, and the hashes
/// of the corner and of its mirror image.
pub(super) type CornerKey = (u8, u64, u64);

/// The stones in the four corners of a position, as hashes.
pub(super) struct Corners {
    rows: i32,
    columns: i32,
    /// For each corner the hashes of its stones and of their mirror image; `None` if it has more
    /// than [`MAX_STONES`], or the board is too small.
    corners: [Option<[u64; 2]>; 4],
}

impl Corners {
    pub(super) fn new(board: &Position) -> Self {
        let [rows, columns] = [board.size().rows(), board.size().columns()].map(i32::from);
        let mut hashes = [[0u64; 2]; 4];
        let mut stones = [0; 4];
        if rows >= 2 * CORNER as i32 && columns >= 2 * CORNER as i32 {
            board.each_point(|at| {
                let Some((_, own)) = board.chain(at) else {
                    return;
                };
                let (row, column) = board.lines(at);
                let Some((corner, row, column)) = Self::locate(rows, columns, row, column) else {
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
            stones = [MAX_STONES + 1; 4];
        }
        let corners = std::array::from_fn(|i| (stones[i] <= MAX_STONES).then_some(hashes[i]));
        Self {
            rows,
            columns,
            corners,
        }
    }

    /// The corner that a point belongs to, and its row and column counted from there.
    fn locate(rows: i32, columns: i32, row: i32, column: i32) -> Option<(usize, usize, usize)> {
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

    /// What the entry of a point depends on, besides the point itself.
    pub(super) fn key(&self, row: i32, column: i32) -> CornerKey {
        match Self::locate(self.rows, self.columns, row, column) {
            None => (1, 0, 0),
            Some((corner, ..)) => match self.corners[corner] {
                None => (2, 0, 0),
                Some([one, other]) => (3, one, other),
            },
        }
    }

    /// The entry of a point in the table of corners: 0 outside the corners, 1 in crowded ones.
    pub(super) fn entry(&self, row: i32, column: i32) -> u32 {
        let Some((corner, row, column)) = Self::locate(self.rows, self.columns, row, column) else {
            return 0;
        };
        let Some([one, other]) = self.corners[corner] else {
            return 1;
        };
        // The smaller hash stands for both mirror images. If they are equal, the corner is
        // symmetric, and so are the points.
        let (stones, row, column) = match one.cmp(&other) {
            Ordering::Less => (one, row, column),
            Ordering::Equal => (one, row.min(column), row.max(column)),
            Ordering::Greater => (other, column, row),
        };
        let number = stones ^ ((row * CORNER + column + 1) as u64) << 50;
        2 + hash(number ^ number >> 23, 18) % ((1 << 18) - 2)
    }
}
