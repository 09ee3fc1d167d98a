//! Boards as planes of numbers, the input of convolutional networks.
//!
//! A position has 12 planes of 64 numbers, 0 or 1, in the order of the bitboards of
//! [`PositionBatch::boards`](super::PositionBatch::boards): White's pawns, knights, bishops, rooks,
//! queens and kings, then Black's. A plane has its first rank first, and in a rank the a-file
//! first.

/// Numbers of a plane.
const SQUARES: usize = 64;

/// The planes of bitboards, one plane for each, appended to `out`. `one` is the number of an
/// occupied square; the others get the default, 0.
pub fn append<T: Copy + Default>(boards: &[u64], one: T, out: &mut Vec<T>) {
    // The eight squares of a rank by the eight bits of its byte.
    let mut ranks = [[T::default(); 8]; 256];
    for (bits, rank) in ranks.iter_mut().enumerate() {
        for (file, square) in rank.iter_mut().enumerate() {
            if bits >> file & 1 == 1 {
                *square = one;
            }
        }
    }
    out.reserve(SQUARES * boards.len());
    for board in boards {
        for byte in board.to_le_bytes() {
            out.extend_from_slice(&ranks[usize::from(byte)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_has_the_bits_of_its_board_in_order() {
        let boards = [1u64, 1 << 63, 0, 0x0123_4567_89ab_cdef];
        let mut planes = vec![7u8];
        append(&boards, 1, &mut planes);
        assert_eq!(planes[0], 7);
        for (number, plane) in planes[1..].chunks(64).enumerate() {
            let bits = (0..64).map(|square| (boards[number] >> square & 1) as u8);
            assert!(bits.eq(plane.iter().copied()));
        }
        let mut floats = Vec::new();
        append(&boards[..1], 1.0f32, &mut floats);
        assert_eq!((floats.len(), floats[0], floats[1]), (64, 1.0, 0.0));
    }
}
