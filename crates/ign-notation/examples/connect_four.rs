//! A game of one's own in Integer Game Notation: connect four, in fifty lines.
//!
//! `cargo run --example connect_four` encodes a game and decodes it again. The notation asks two
//! things of a game, [`Game::legal_moves`] and [`Game::play`]; everything else follows from them:
//! integers with and without end moves, residues of openings, weights.

use ign_notation::{
    Game, NotationError,
    ends::{self, Ending},
    plain,
    residue::Residue,
};

const COLUMNS: u8 = 7;
const ROWS: u8 = 6;

/// A position: a bit for each disc, seven bits a column, of which the highest stays empty so that
/// lines do not run over from one column into the next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
struct ConnectFour {
    /// Discs of who is to move.
    ours: u64,
    /// Discs of who moved last.
    theirs: u64,
}

impl ConnectFour {
    /// Whether who moved last has four in a line: up, across, or on one of the diagonals.
    fn is_won(self) -> bool {
        [1, 7, 6, 8].into_iter().any(|step| {
            let pairs = self.theirs & self.theirs >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }

    /// How many discs lie in a column.
    fn height(self, column: u8) -> u8 {
        let discs = (self.ours | self.theirs) >> (7 * column) & 0x3f;
        discs.count_ones() as u8
    }
}

impl Game for ConnectFour {
    /// The column that a disc is dropped into, from 0 on the left.
    type Move = u8;

    // The order is part of the notation: columns from the left. No moves: the game is over.
    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clear();
        if !self.is_won() {
            moves.extend((0..COLUMNS).filter(|&column| self.height(column) < ROWS));
        }
    }

    // Called with moves from the list only.
    fn play(&mut self, column: u8) {
        let disc = 1 << (7 * column + self.height(column));
        (self.ours, self.theirs) = (self.theirs, self.ours | disc);
    }
}

fn main() -> Result<(), NotationError> {
    // Both build a tower; the first to move is first to have four.
    let moves = [3, 2, 3, 2, 3, 2, 3];
    let start = ConnectFour::default();
    let integer = plain::encode(start, &moves)?;
    println!(
        "{moves:?} is {integer}, {} bits",
        integer.significant_bits()
    );
    assert_eq!(plain::decode(start, &integer, 42)?, moves);

    // End moves tell a game that was given up from one that the position ended.
    let given_up = ends::encode(start, &moves[..6], Ending::Stopped)?;
    println!("given up before the last move it is {given_up}");
    let over = ends::encode(start, &moves, Ending::Position)?;
    println!("with all moves, in the same notation, {over}");

    // All games that begin in the middle leave the same residue.
    let opening = Residue::plain(start, &moves[..2])?;
    println!(
        "games that begin so are {} mod {}",
        opening.residue(),
        opening.modulus()
    );
    assert!(opening.is_prefix_of(&integer));
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_example_runs() {
        main().unwrap();
    }

    #[test]
    fn integers_are_those_worked_out_by_hand() {
        let start = ConnectFour::default();
        // Columns are numbered from 1 in plain notation; all seven are open for six moves.
        let by_hand = [3u32, 2, 3, 2, 3, 2, 3]
            .iter()
            .rev()
            .fold(0, |rest, column| (column + 1) + 7 * rest);
        assert_eq!(
            plain::encode(start, &[3, 2, 3, 2, 3, 2, 3]).unwrap(),
            by_hand
        );
        // A full column is no move, and after the win there is none at all.
        assert!(plain::encode(start, &[0; 7]).is_err());
        assert!(plain::encode(start, &[3, 2, 3, 2, 3, 2, 3, 2]).is_err());
        let stopped = ends::encode(start, &[6], Ending::Stopped).unwrap();
        assert_eq!(stopped, 6 + 8 * 7);
    }

    #[test]
    fn positions_are_as_many_as_others_have_counted() {
        // OEIS A212693: positions of connect four after so many discs.
        let known = [1, 7, 49, 238, 1120, 4263, 16422, 54859];
        let mut positions = HashSet::from([ConnectFour::default()]);
        let mut moves = Vec::new();
        for (discs, count) in known.into_iter().enumerate() {
            assert_eq!(positions.len(), count, "{discs} discs");
            let mut next = HashSet::new();
            for position in &positions {
                position.legal_moves(&mut moves);
                for &column in &moves {
                    let mut after = *position;
                    after.play(column);
                    next.insert(after);
                }
            }
            positions = next;
        }
    }

    #[test]
    fn lines_are_won_in_every_direction() {
        for moves in [
            &[0, 1, 0, 1, 0, 1, 0][..],
            &[0, 0, 1, 1, 2, 2, 3],
            &[0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3],
            &[6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3],
        ] {
            let mut game = ConnectFour::default();
            for &column in moves {
                assert!(!game.is_won());
                game.play(column);
            }
            assert!(game.is_won(), "{moves:?}");
        }
    }
}
