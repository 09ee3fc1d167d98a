//! Lookups: a game on its way through a book.

use ign_notation::chess::Move;

use super::{book::Book, file::BOOKS, tree::Reached};

/// After this many positions in a row that no line passes, a game has left a book by position, even
/// if other moves might return to it (spec §4.3.8).
const MAX_AWAY: u32 = 4;

/// A game on its way through a book.
#[derive(Debug, Clone)]
pub struct Walk {
    book: &'static Book,
    place: Reached,
    /// The last line so far that led to the place of the game.
    found: Option<u32>,
    /// Number of places in a row that no line passes.
    away: u32,
    /// The value of [`Walk::away`] at which the game has left the book.
    max_away: u32,
}

impl Walk {
    /// A game at the standard starting position.
    pub fn new(book: &'static Book) -> Self {
        Self {
            book,
            place: book.tree().start(),
            found: book.root(),
            away: 0,
            max_away: if book.is_by_position() { MAX_AWAY } else { 1 },
        }
    }

    /// Plays a move. Returns false once the game has left the book.
    pub fn play(&mut self, played: Move) -> bool {
        if self.away == self.max_away {
            return false;
        }
        match self.book.tree().play(&mut self.place, played) {
            None => self.away += 1,
            Some(line) => {
                self.away = 0;
                self.found = line.or(self.found);
            }
        }
        self.away < self.max_away
    }

    /// The line that determines the opening of the game so far.
    pub fn found(&self) -> Option<u32> {
        self.found
    }
}

/// The line of each book in `open` for a game from the standard starting position.
pub fn look_up(moves: impl Iterator<Item = Move>, open: [bool; BOOKS]) -> [Option<u32>; BOOKS] {
    let walk = |number: usize| {
        Book::from_number(number)
            .filter(|_| open[number])
            .map(Walk::new)
    };
    let mut walks: [Option<Walk>; BOOKS] = std::array::from_fn(walk);
    for played in moves {
        let continues = walks
            .iter_mut()
            .flatten()
            .fold(false, |continues, walk| walk.play(played) | continues);
        if !continues {
            break;
        }
    }
    walks.map(|walk| walk?.found)
}

#[cfg(test)]
mod tests {
    use super::{super::file::TAGS, *};
    use ign_notation::chess::{Legal, Position, san};

    fn played(text: &str) -> Vec<Move> {
        let mut position = Position::default();
        let play = |name: &str| {
            let played = san::resolve(&Legal::new(&position), name.as_bytes()).unwrap();
            position.play(played);
            played
        };
        text.split_ascii_whitespace().map(play).collect()
    }

    /// The values of a book for these moves, field by field.
    fn values(number: usize, moves: &str) -> Vec<&'static str> {
        let line = look_up(played(moves).into_iter(), [true; BOOKS])[number].unwrap();
        let book = Book::from_number(number).unwrap();
        (0..TAGS[number].len())
            .map(|field| book.value(field, line))
            .collect()
    }

    #[test]
    fn openings_have_their_usual_codes_and_names() {
        assert_eq!(values(0, "e4 c5"), ["B20", "Sicilian Defense"]);
        assert_eq!(values(0, "e4 e5 Nf3 Nc6 Bb5"), ["C60", "Ruy Lopez"]);
        assert_eq!(values(1, "e4 c6"), ["B10", "Caro-Kann Defense"]);
        assert_eq!(values(2, "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2"), ["E91"]);
        assert_eq!(values(0, ""), ["?", "?"]);
        assert!(Book::from_number(BOOKS).is_none());
    }

    #[test]
    fn only_a_book_by_position_ignores_the_move_order() {
        assert_eq!(values(0, "Nf3 d5 d4"), values(0, "d4 d5 Nf3"));
        assert_ne!(values(1, "Nf3 d5 c4"), values(1, "c4 d5 Nf3"));
    }

    #[test]
    fn a_game_that_leaves_the_book_keeps_its_opening() {
        let moves = "e4 c5 Na3 a6 Nb1 a5 Na3 a4 Nb1 h6 Na3 h5";
        let mut walk = Walk::new(Book::from_number(0).unwrap());
        let continues: Vec<bool> = played(moves).iter().map(|&m| walk.play(m)).collect();
        let left = continues.iter().position(|&continues| !continues).unwrap();
        assert!(
            left > 4 && !continues[left..].contains(&true),
            "{continues:?}"
        );
        assert_eq!(values(0, moves)[1], values(0, "e4 c5 Na3 a6")[1]);
    }
}
