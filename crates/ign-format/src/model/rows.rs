//! Which row of the network's last layer is a move's own (spec §8.5.2).

use super::tables::PROMOTION_ROWS;

/// By role and turned square: the first row of its moves, and where they go on an empty board.
/// The rows of a square's moves are in the order of where they go.
pub(super) static ROW_OF: [[(u16, u64); 64]; 6] = {
    let mut table = [[(0, 0); 64]; 6];
    let mut row = 0;
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            let ways = ways(role, square);
            table[role][square] = (row, ways);
            row += ways.count_ones() as u16;
            square += 1;
        }
        role += 1;
    }
    assert!(row as usize == PROMOTION_ROWS);
    table
};

/// King's steps between squares.
pub(super) static DISTANCE: [[u8; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            table[a][b] = far_and_near(a, b as i32).0 as u8;
            b += 1;
        }
        a += 1;
    }
    table
};

/// How many files and ranks lie between two squares: the larger number first.
const fn far_and_near(from: usize, to: i32) -> (i32, i32) {
    let files = ((to & 7) - (from as i32 & 7)).abs();
    let ranks = ((to >> 3) - (from as i32 >> 3)).abs();
    if files > ranks {
        (files, ranks)
    } else {
        (ranks, files)
    }
}

/// Where a piece goes from a square of an empty board; pawns up, captures too, promotions not.
const fn ways(role: usize, square: usize) -> u64 {
    let rank = square as i32 >> 3;
    let mut ways = 0;
    let mut to = 0;
    while to < 64 {
        let (far, near) = far_and_near(square, to);
        let ranks = (to >> 3) - rank;
        let files = (to & 7) - (square as i32 & 7);
        let goes = match role {
            0 => {
                rank >= 1
                    && rank <= 5
                    && ((ranks == 1 && files.abs() <= 1) || (ranks == 2 && files == 0 && rank == 1))
            }
            1 => far == 2 && near == 1,
            2 => far == near && far > 0,
            3 => near == 0 && far > 0,
            4 => (near == 0 || far == near) && far > 0,
            _ => far == 1,
        };
        if goes {
            ways |= 1 << to;
        }
        to += 1;
    }
    ways
}

/// Role, turned origin and destination of each row that is a way to move.
pub fn ways_to_move() -> Vec<(usize, usize, usize)> {
    let mut all = Vec::new();
    for (role, squares) in ROW_OF.iter().enumerate() {
        for (from, &(_, ways)) in squares.iter().enumerate() {
            for to in (0..64).filter(|to| ways >> to & 1 == 1) {
                all.push((role, from, to));
            }
        }
    }
    all
}
