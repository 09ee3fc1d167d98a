//! The row of the output table that is a move's own (spec §8.5.2).

use super::{geometry::destinations, shape::PROMOTION_ROWS};

/// By role and relative origin: the row of the first move, and the destinations on an empty board.
/// The rows of one origin are in the order of destinations.
pub(super) static MOVE_ROWS: [[(u16, u64); 64]; 6] = {
    let mut table = [[(0, 0); 64]; 6];
    let mut row = 0;
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            let destinations = destinations(role, square);
            table[role][square] = (row, destinations);
            row += destinations.count_ones() as u16;
            square += 1;
        }
        role += 1;
    }
    assert!(row as usize == PROMOTION_ROWS);
    table
};

/// Role, relative origin and relative destination of the rows of ordinary moves, in order.
pub fn ordinary_moves() -> Vec<(usize, usize, usize)> {
    let mut all = Vec::new();
    for (role, squares) in MOVE_ROWS.iter().enumerate() {
        for (from, &(_, destinations)) in squares.iter().enumerate() {
            for to in (0..64).filter(|to| destinations >> to & 1 == 1) {
                all.push((role, from, to));
            }
        }
    }
    all
}
