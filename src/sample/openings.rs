//! How games open: well-known lines, with their code and customary name.
//!
//! A game plays one line to its end and then thinks for itself, so the name it carries is that
//! of moves it really shows. Invariant: every line of the table is legal from the standard
//! start, which a test checks; a line is read once and kept as moves.

use crate::chess::{Legal, Move, Position, san};

use super::random::{Random, Weighted};

/// A line of theory.
#[derive(Debug, Clone)]
pub struct Opening {
    /// Its code in the Encyclopaedia of Chess Openings.
    pub eco: &'static str,
    /// Its customary name.
    pub name: &'static str,
    /// The moves from the standard start.
    pub moves: Vec<Move>,
}

/// All lines of the table, ready to be played.
#[derive(Debug)]
pub struct Book {
    openings: Vec<Opening>,
    weighted: Weighted,
}

impl Book {
    /// Reads the table.
    pub fn new() -> Book {
        let openings = TABLE.iter().map(|&(_, eco, name, line)| Opening {
            eco,
            name,
            moves: read(line),
        });
        Book {
            openings: openings.collect(),
            weighted: Weighted::new(TABLE.iter().map(|row| row.0)),
        }
    }

    /// A line, common ones more often.
    #[inline]
    pub fn draw(&self, random: &mut Random) -> &Opening {
        &self.openings[self.weighted.draw(random)]
    }

    /// A line of two plies, for a game that is over before it began.
    #[inline]
    pub fn draw_short(&self, random: &mut Random) -> &Opening {
        &self.openings[random.below(SHORT) as usize]
    }
}

/// The moves of a line of SAN.
fn read(line: &str) -> Vec<Move> {
    let mut position = Position::default();
    line.split(' ')
        .map_while(|token| {
            let m = san::resolve(&Legal::new(&position), token.as_bytes())?;
            position.play(m);
            Some(m)
        })
        .collect()
}

/// Rows at the head of the table that are two plies long.
const SHORT: u32 = 8;

/// Weight, code, name, moves.
const TABLE: [(u32, &str, &str, &str); 64] = [
    (20, "C20", "King's Pawn Game", "e4 e5"),
    (40, "B01", "Scandinavian Defense", "e4 d5"),
    (28, "B20", "Sicilian Defense", "e4 c5"),
    (30, "D00", "Queen's Pawn Game", "d4 d5"),
    (24, "B10", "Caro-Kann Defense", "e4 c6"),
    (18, "A45", "Indian Game", "d4 Nf6"),
    (30, "A40", "Horwitz Defense", "d4 e6"),
    (26, "A40", "English Defense", "d4 b6"),
    (70, "A00", "Van't Kruijs Opening", "e3"),
    (40, "B00", "Owen Defense", "e4 b6"),
    (30, "A00", "Hungarian Opening", "g3"),
    (14, "A00", "Polish Opening", "b4"),
    (12, "A02", "Bird Opening", "f4"),
    (12, "A01", "Nimzo-Larsen Attack", "b3"),
    (9, "A10", "English Opening", "c4"),
    (
        9,
        "A20",
        "English Opening: King's English Variation",
        "c4 e5",
    ),
    (
        50,
        "B01",
        "Scandinavian Defense: Mieses-Kotroc Variation",
        "e4 d5 exd5 Qxd5",
    ),
    (
        10,
        "B01",
        "Scandinavian Defense: Modern Variation",
        "e4 d5 exd5 Nf6",
    ),
    (36, "C00", "French Defense: Knight Variation", "e4 e6 Nf3"),
    (24, "C00", "French Defense: Normal Variation", "e4 e6 d4"),
    (
        12,
        "C01",
        "French Defense: Exchange Variation",
        "e4 e6 d4 d5 exd5 exd5",
    ),
    (
        10,
        "C02",
        "French Defense: Advance Variation",
        "e4 e6 d4 d5 e5",
    ),
    (
        6,
        "C11",
        "French Defense: Classical Variation",
        "e4 e6 d4 d5 Nc3 Nf6",
    ),
    (
        5,
        "C15",
        "French Defense: Winawer Variation",
        "e4 e6 d4 d5 Nc3 Bb4",
    ),
    (34, "B20", "Sicilian Defense: Bowdler Attack", "e4 c5 Bc4"),
    (16, "B30", "Sicilian Defense: Old Sicilian", "e4 c5 Nf3 Nc6"),
    (14, "B21", "Sicilian Defense: McDonnell Attack", "e4 c5 f4"),
    (
        8,
        "B21",
        "Sicilian Defense: Smith-Morra Gambit",
        "e4 c5 d4 cxd4 c3",
    ),
    (8, "B22", "Sicilian Defense: Alapin Variation", "e4 c5 c3"),
    (9, "B23", "Sicilian Defense: Closed", "e4 c5 Nc3"),
    (
        8,
        "B40",
        "Sicilian Defense: French Variation",
        "e4 c5 Nf3 e6",
    ),
    (
        7,
        "B33",
        "Sicilian Defense: Lasker-Pelikan Variation",
        "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5",
    ),
    (
        6,
        "B90",
        "Sicilian Defense: Najdorf Variation",
        "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6",
    ),
    (
        5,
        "B70",
        "Sicilian Defense: Dragon Variation",
        "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6",
    ),
    (
        6,
        "B27",
        "Sicilian Defense: Hyperaccelerated Dragon",
        "e4 c5 Nf3 g6",
    ),
    (
        30,
        "C20",
        "King's Pawn Game: Wayward Queen Attack",
        "e4 e5 Qh5",
    ),
    (30, "C41", "Philidor Defense", "e4 e5 Nf3 d6"),
    (
        7,
        "C41",
        "Philidor Defense: Exchange Variation",
        "e4 e5 Nf3 d6 d4 exd4",
    ),
    (26, "C23", "Bishop's Opening", "e4 e5 Bc4"),
    (
        12,
        "C24",
        "Bishop's Opening: Berlin Defense",
        "e4 e5 Bc4 Nf6",
    ),
    (12, "C50", "Italian Game", "e4 e5 Nf3 Nc6 Bc4"),
    (
        8,
        "C50",
        "Italian Game: Giuoco Piano",
        "e4 e5 Nf3 Nc6 Bc4 Bc5",
    ),
    (
        5,
        "C51",
        "Italian Game: Evans Gambit",
        "e4 e5 Nf3 Nc6 Bc4 Bc5 b4",
    ),
    (
        10,
        "C55",
        "Italian Game: Two Knights Defense",
        "e4 e5 Nf3 Nc6 Bc4 Nf6",
    ),
    (
        5,
        "C57",
        "Italian Game: Two Knights Defense, Knight Attack",
        "e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5",
    ),
    (12, "C60", "Ruy Lopez", "e4 e5 Nf3 Nc6 Bb5"),
    (
        6,
        "C65",
        "Ruy Lopez: Berlin Defense",
        "e4 e5 Nf3 Nc6 Bb5 Nf6",
    ),
    (
        7,
        "C68",
        "Ruy Lopez: Exchange Variation",
        "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6",
    ),
    (
        5,
        "C78",
        "Ruy Lopez: Morphy Defense",
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O",
    ),
    (10, "C45", "Scotch Game", "e4 e5 Nf3 Nc6 d4 exd4 Nxd4"),
    (8, "C42", "Petrov's Defense", "e4 e5 Nf3 Nf6"),
    (8, "C30", "King's Gambit", "e4 e5 f4"),
    (8, "C25", "Vienna Game", "e4 e5 Nc3"),
    (5, "C47", "Four Knights Game", "e4 e5 Nf3 Nc6 Nc3 Nf6"),
    (26, "B06", "Modern Defense", "e4 g6"),
    (12, "B07", "Pirc Defense", "e4 d6 d4 Nf6 Nc3"),
    (
        7,
        "B12",
        "Caro-Kann Defense: Advance Variation",
        "e4 c6 d4 d5 e5",
    ),
    (
        6,
        "B13",
        "Caro-Kann Defense: Exchange Variation",
        "e4 c6 d4 d5 exd5 cxd5",
    ),
    (
        20,
        "D02",
        "Queen's Pawn Game: London System",
        "d4 d5 Nf3 Nf6 Bf4",
    ),
    (12, "D30", "Queen's Gambit Declined", "d4 d5 c4 e6"),
    (10, "D20", "Queen's Gambit Accepted", "d4 d5 c4 dxc4"),
    (8, "D10", "Slav Defense", "d4 d5 c4 c6"),
    (6, "E60", "King's Indian Defense", "d4 Nf6 c4 g6"),
    (5, "E20", "Nimzo-Indian Defense", "d4 Nf6 c4 e6 Nc3 Bb4"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_legal_to_its_end() {
        let book = Book::new();
        for (opening, (_, _, name, line)) in book.openings.iter().zip(TABLE) {
            assert_eq!(opening.moves.len(), line.split(' ').count(), "{name}");
        }
    }

    #[test]
    fn short_lines_come_first() {
        let short = &Book::new().openings[..SHORT as usize];
        assert!(short.iter().all(|opening| opening.moves.len() == 2));
    }
}
