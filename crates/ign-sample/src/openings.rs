//! Openings: well-known lines with their ECO codes and names.
//!
//! A game has the name of the longest line that it starts with. Every first move has a name, so
//! only games without moves have none. Invariant: every line of the table is legal from the
//! standard starting position; a test checks it.

use ign_notation::chess::{Legal, Move, Position, san};

/// A line of theory.
#[derive(Debug, Clone)]
pub struct Opening {
    /// Its code in the Encyclopaedia of Chess Openings.
    pub eco: &'static str,
    /// Its name on Lichess.
    pub name: &'static str,
    /// The moves from the standard starting position.
    moves: Vec<Move>,
}

/// The opening of a game without moves.
static NONE: Opening = Opening {
    eco: "?",
    name: "?",
    moves: Vec::new(),
};

/// All lines of the table, the longest first.
#[derive(Debug)]
pub struct Names(Vec<Opening>);

impl Names {
    /// Parses the table.
    pub fn new() -> Names {
        let openings = TABLE.iter().rev().map(|&(eco, name, line)| Opening {
            eco,
            name,
            moves: parse(line),
        });
        Names(openings.collect())
    }

    /// The opening of a game that starts with these moves.
    pub fn of(&self, moves: &[Move]) -> &Opening {
        let begins = |opening: &&Opening| moves.starts_with(&opening.moves);
        self.0.iter().find(begins).unwrap_or(&NONE)
    }
}

/// Parses a line of SAN.
fn parse(line: &str) -> Vec<Move> {
    let mut position = Position::default();
    line.split(' ')
        .map_while(|token| {
            let m = san::resolve(&Legal::new(&position), token.as_bytes())?;
            position.play(m);
            Some(m)
        })
        .collect()
}

/// ECO code, name and moves, the shortest lines first.
const TABLE: [(&str, &str, &str); 93] = [
    ("A00", "Sodium Attack", "Na3"),
    ("A00", "Van Geet Opening", "Nc3"),
    ("A04", "Zukertort Opening", "Nf3"),
    ("A00", "Amar Opening", "Nh3"),
    ("A00", "Anderssen's Opening", "a3"),
    ("A00", "Ware Opening", "a4"),
    ("A01", "Nimzo-Larsen Attack", "b3"),
    ("A00", "Polish Opening", "b4"),
    ("A00", "Saragossa Opening", "c3"),
    ("A10", "English Opening", "c4"),
    ("A00", "Mieses Opening", "d3"),
    ("A40", "Queen's Pawn Game", "d4"),
    ("A00", "Van't Kruijs Opening", "e3"),
    ("B00", "King's Pawn Game", "e4"),
    ("A00", "Barnes Opening", "f3"),
    ("A02", "Bird Opening", "f4"),
    ("A00", "Hungarian Opening", "g3"),
    ("A00", "Grob Opening", "g4"),
    ("A00", "Clemenz Opening", "h3"),
    ("A00", "Kádas Opening", "h4"),
    ("A06", "Zukertort Opening", "Nf3 d5"),
    ("A20", "English Opening: King's English Variation", "c4 e5"),
    ("A45", "Indian Game", "d4 Nf6"),
    ("A40", "English Defense", "d4 b6"),
    ("D00", "Queen's Pawn Game", "d4 d5"),
    ("A41", "Queen's Pawn Game", "d4 d6"),
    ("A40", "Horwitz Defense", "d4 e6"),
    ("A80", "Dutch Defense", "d4 f5"),
    ("B00", "Nimzowitsch Defense", "e4 Nc6"),
    ("B02", "Alekhine Defense", "e4 Nf6"),
    ("B00", "Owen Defense", "e4 b6"),
    ("B20", "Sicilian Defense", "e4 c5"),
    ("B10", "Caro-Kann Defense", "e4 c6"),
    ("B01", "Scandinavian Defense", "e4 d5"),
    ("B07", "Pirc Defense", "e4 d6"),
    ("C20", "King's Pawn Game", "e4 e5"),
    ("C00", "French Defense", "e4 e6"),
    ("B06", "Modern Defense", "e4 g6"),
    ("A50", "Indian Game: Normal Variation", "d4 Nf6 c4"),
    (
        "D00",
        "Queen's Pawn Game: Accelerated London System",
        "d4 d5 Bf4",
    ),
    ("D06", "Queen's Gambit", "d4 d5 c4"),
    ("B20", "Sicilian Defense: Bowdler Attack", "e4 c5 Bc4"),
    ("B23", "Sicilian Defense: Closed", "e4 c5 Nc3"),
    ("B27", "Sicilian Defense", "e4 c5 Nf3"),
    ("B22", "Sicilian Defense: Alapin Variation", "e4 c5 c3"),
    ("B21", "Sicilian Defense: McDonnell Attack", "e4 c5 f4"),
    ("C23", "Bishop's Opening", "e4 e5 Bc4"),
    ("C25", "Vienna Game", "e4 e5 Nc3"),
    ("C40", "King's Knight Opening", "e4 e5 Nf3"),
    ("C20", "King's Pawn Game: Wayward Queen Attack", "e4 e5 Qh5"),
    ("C30", "King's Gambit", "e4 e5 f4"),
    ("C00", "French Defense: Knight Variation", "e4 e6 Nf3"),
    ("C00", "French Defense: Normal Variation", "e4 e6 d4"),
    ("E60", "King's Indian Defense", "d4 Nf6 c4 g6"),
    ("D10", "Slav Defense", "d4 d5 c4 c6"),
    ("D20", "Queen's Gambit Accepted", "d4 d5 c4 dxc4"),
    ("D30", "Queen's Gambit Declined", "d4 d5 c4 e6"),
    ("B30", "Sicilian Defense: Old Sicilian", "e4 c5 Nf3 Nc6"),
    ("B50", "Sicilian Defense", "e4 c5 Nf3 d6"),
    ("B40", "Sicilian Defense: French Variation", "e4 c5 Nf3 e6"),
    (
        "B27",
        "Sicilian Defense: Hyperaccelerated Dragon",
        "e4 c5 Nf3 g6",
    ),
    (
        "B01",
        "Scandinavian Defense: Modern Variation",
        "e4 d5 exd5 Nf6",
    ),
    (
        "B01",
        "Scandinavian Defense: Mieses-Kotroc Variation",
        "e4 d5 exd5 Qxd5",
    ),
    ("C24", "Bishop's Opening: Berlin Defense", "e4 e5 Bc4 Nf6"),
    (
        "C44",
        "King's Knight Opening: Normal Variation",
        "e4 e5 Nf3 Nc6",
    ),
    ("C42", "Petrov's Defense", "e4 e5 Nf3 Nf6"),
    ("C41", "Philidor Defense", "e4 e5 Nf3 d6"),
    (
        "D02",
        "Queen's Pawn Game: London System",
        "d4 d5 Nf3 Nf6 Bf4",
    ),
    (
        "B21",
        "Sicilian Defense: Smith-Morra Gambit",
        "e4 c5 d4 cxd4 c3",
    ),
    (
        "B12",
        "Caro-Kann Defense: Advance Variation",
        "e4 c6 d4 d5 e5",
    ),
    ("B07", "Pirc Defense", "e4 d6 d4 Nf6 Nc3"),
    ("C60", "Ruy Lopez", "e4 e5 Nf3 Nc6 Bb5"),
    ("C50", "Italian Game", "e4 e5 Nf3 Nc6 Bc4"),
    ("C46", "Three Knights Opening", "e4 e5 Nf3 Nc6 Nc3"),
    ("C02", "French Defense: Advance Variation", "e4 e6 d4 d5 e5"),
    ("E20", "Nimzo-Indian Defense", "d4 Nf6 c4 e6 Nc3 Bb4"),
    (
        "B13",
        "Caro-Kann Defense: Exchange Variation",
        "e4 c6 d4 d5 exd5 cxd5",
    ),
    ("C65", "Ruy Lopez: Berlin Defense", "e4 e5 Nf3 Nc6 Bb5 Nf6"),
    ("C50", "Italian Game: Giuoco Piano", "e4 e5 Nf3 Nc6 Bc4 Bc5"),
    (
        "C55",
        "Italian Game: Two Knights Defense",
        "e4 e5 Nf3 Nc6 Bc4 Nf6",
    ),
    ("C47", "Four Knights Game", "e4 e5 Nf3 Nc6 Nc3 Nf6"),
    (
        "C41",
        "Philidor Defense: Exchange Variation",
        "e4 e5 Nf3 d6 d4 exd4",
    ),
    (
        "C15",
        "French Defense: Winawer Variation",
        "e4 e6 d4 d5 Nc3 Bb4",
    ),
    (
        "C11",
        "French Defense: Classical Variation",
        "e4 e6 d4 d5 Nc3 Nf6",
    ),
    (
        "C01",
        "French Defense: Exchange Variation",
        "e4 e6 d4 d5 exd5 exd5",
    ),
    (
        "C68",
        "Ruy Lopez: Exchange Variation",
        "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6",
    ),
    (
        "C51",
        "Italian Game: Evans Gambit",
        "e4 e5 Nf3 Nc6 Bc4 Bc5 b4",
    ),
    (
        "C57",
        "Italian Game: Two Knights Defense, Knight Attack",
        "e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5",
    ),
    ("C45", "Scotch Game", "e4 e5 Nf3 Nc6 d4 exd4 Nxd4"),
    (
        "C78",
        "Ruy Lopez: Morphy Defense",
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O",
    ),
    (
        "B33",
        "Sicilian Defense: Lasker-Pelikan Variation",
        "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5",
    ),
    (
        "B90",
        "Sicilian Defense: Najdorf Variation",
        "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6",
    ),
    (
        "B70",
        "Sicilian Defense: Dragon Variation",
        "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_legal_and_the_longest_come_first() {
        let names = Names::new();
        for (opening, (_, name, line)) in names.0.iter().rev().zip(TABLE) {
            assert_eq!(opening.moves.len(), line.split(' ').count(), "{name}");
        }
        assert!(
            names
                .0
                .is_sorted_by_key(|opening| std::cmp::Reverse(opening.moves.len()))
        );
    }

    #[test]
    fn games_have_the_name_of_their_longest_line() {
        let names = Names::new();
        for (line, eco, name) in [
            ("e4", "B00", "King's Pawn Game"),
            ("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 d3", "C60", "Ruy Lopez"),
            (
                "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O",
                "C65",
                "Ruy Lopez: Berlin Defense",
            ),
        ] {
            let opening = names.of(&parse(line));
            assert_eq!((opening.eco, opening.name), (eco, name));
        }
        assert_eq!(names.of(&[]).eco, "?");
    }

    #[test]
    fn every_first_move_has_a_name() {
        let (names, legal) = (Names::new(), Legal::new(&Position::default()));
        assert!((0..legal.count()).all(|k| names.of(&[legal.nth(k)]).eco != "?"));
    }
}
