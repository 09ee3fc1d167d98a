//! Games by their opening: a sequence of moves from the standard starting position.

use ign_format::{
    block::opening_prefix::OpeningPrefix,
    error::{Error, Result},
};
use ign_notation::chess::{Legal, Position, san};

/// Reads moves such as `1. e4 e5 2. Nf3` in standard algebraic notation, from the standard starting
/// position. Move numbers and marks such as `!?` are optional.
///
/// ```
/// let opening = ign_archive::parse_opening("1. e4 e5 2. f4")?;
/// assert_eq!(opening.moves().len(), 3);
/// # Ok::<(), ign_archive::Error>(())
/// ```
///
/// # Errors
/// [`Usage`](crate::ErrorKind::Usage) with the first word that is no legal move.
pub fn parse_opening(movetext: &str) -> Result<OpeningPrefix> {
    let mut position = Position::default();
    let mut moves = Vec::new();
    let mut before = String::new();
    for written in movetext.split_whitespace() {
        let word = without_number(written).trim_end_matches(['!', '?']);
        if word.is_empty() {
            continue;
        }
        let legal = Legal::new(&position);
        let Some(played) = san::resolve(&legal, word.as_bytes()) else {
            let place = match before.is_empty() {
                true => "from the start".into(),
                false => format!("after {}", before.trim_end()),
            };
            return Err(
                Error::usage(format!("{place}, '{written}' is no legal move")).with_remedy(
                    "write the opening as in a score sheet, from the first move: 1. e4 e5 2. Nf3",
                ),
            );
        };
        if position.turn().is_white() {
            before += &format!("{}. ", moves.len() / 2 + 1);
        }
        before += &format!("{word} ");
        moves.push(played);
        position.play(played);
    }
    if moves.is_empty() {
        return Err(Error::usage("the opening has no moves")
            .with_remedy("write it as in a score sheet: 1. e4 e5 2. Nf3"));
    }
    OpeningPrefix::new(moves).map_err(|e| Error::internal(format!("a legal move is none: {e}")))
}

/// A word without a leading move number and its dots. `0-0` has no number.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() || rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_openings_with_and_without_numbers() {
        let moves = |text: &str| {
            let moves = parse_opening(text).unwrap().moves().to_vec();
            moves
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        };
        for text in [
            "1. e4 e5 2. Nf3",
            "1.e4 e5 2.Nf3",
            "e4 e5 Nf3",
            "1. e4! 1... e5 2. Nf3!?",
            "1.e4 1...e5\n2 Nf3",
        ] {
            assert_eq!(moves(text), "e2e4 e7e5 g1f3", "{text}");
        }
        assert_eq!(
            moves("Nf3 Nf6 g3 g6 Bg2 Bg7 O-O").split(' ').next_back(),
            Some("e1g1")
        );
    }

    #[test]
    fn rejects_illegal_moves_with_their_place() {
        for (text, words) in [
            ("", "no moves"),
            ("1. ...", "no moves"),
            ("1. e5", "from the start, 'e5' is no legal move"),
            ("1. e4 e5 2. Ke3", "after 1. e4 e5, 'Ke3' is no legal move"),
            ("1. e4 e5 1-0", "after 1. e4 e5, '1-0'"),
            ("Nf3 Nf6 Nc3 Nc6 Ne", "'Ne' is no legal move"),
            ("é4", "'é4'"),
        ] {
            let error = parse_opening(text).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
