//! Connect four in Integer Game Notation: a game needs `legal_moves` and `play`, nothing else.
use ign_notation::{Game, NotationError, ends, ends::EndMoves, plain, residue::Residue};

/// A position: seven bits a column, the highest always 0. First the discs of the player to move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ConnectFour([u64; 2]);

impl Game for ConnectFour {
    type Move = u8; // the column, 0 on the left; legal moves are ordered from the left

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        let Self([ours, theirs]) = *self;
        // Four in a line: a column, a row or a diagonal.
        let is_won = [1, 7, 6, 8].iter().any(|step| {
            let pairs = theirs & theirs >> step;
            pairs & pairs >> (2 * step) != 0
        });
        let is_open = |column: &u8| (ours | theirs) >> (7 * column + 5) & 1 == 0;
        moves.clear();
        moves.extend((0..7).filter(|column| !is_won && is_open(column)));
    }

    fn play(&mut self, column: u8) {
        let Self([ours, theirs]) = *self;
        let discs = ours | theirs;
        let disc = (discs + (1 << (7 * column))) & !discs; // the carry finds the lowest gap
        self.0 = [theirs, ours | disc];
    }
}

/// Encodes a game, a resigned game and an opening.
pub fn main() -> Result<(), NotationError> {
    let (start, moves) = (ConnectFour::default(), [3, 2, 3, 2, 3, 2, 3]);
    let integer = plain::encode(start, &moves)?;
    assert_eq!(plain::decode(start, &integer, 42)?, moves);
    let resigned = ends::encode(start, &moves[..6], EndMoves::Stopped)?;
    println!("{moves:?} is {integer}; resigned before the last move, {resigned}");
    assert!(Residue::plain(start, &moves[..2])?.is_prefix_of(&integer));
    Ok(())
}
