//! Distances on the board and moves on an empty board, computed at compile time.

/// King moves between two squares (Chebyshev distance).
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

/// The file and rank distances of two squares, the larger first.
const fn far_and_near(from: usize, to: i32) -> (i32, i32) {
    let files = ((to & 7) - (from as i32 & 7)).abs();
    let ranks = ((to >> 3) - (from as i32 >> 3)).abs();
    if files > ranks {
        (files, ranks)
    } else {
        (ranks, files)
    }
}

/// Destinations of a piece (0 pawn … 5 king) on an empty board. Pawns move up the board; their
/// captures are included, promotions are not.
pub(super) const fn destinations(role: usize, square: usize) -> u64 {
    let rank = square as i32 >> 3;
    let mut destinations = 0;
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
            destinations |= 1 << to;
        }
        to += 1;
    }
    destinations
}
