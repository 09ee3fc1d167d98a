//! Games by their opening: a sequence of moves from the standard starting position.

use ign_format::{
    block::opening_prefix::OpeningPrefix,
    error::{Error, Result},
};
use ign_notation::chess::{Legal, Move, Position, san};

use super::of_word;

/// The remedy of every error.
const FORMS: &str = "write the opening as in a score sheet, from the first move: 1. e4 e5 2. Nf3; or \
                     in UCI notation: e2e4 e7e5; or as an integer of the notation: 5794";

/// Reads an opening from the standard starting position: moves in standard algebraic notation such
/// as `1. e4 e5 2. Nf3`, moves in UCI notation such as `e2e4 e7e5 g1f3`, or the integer of these
/// moves in plain Integer Game Notation, which requires the feature `integers`. Move numbers, marks
/// such as `!?` and a result at the end are optional.
///
/// ```
/// let opening = ign_archive::query::parse_opening("1. e4 e5 2. f4")?;
/// assert_eq!(opening.moves().len(), 3);
/// let in_uci = ign_archive::query::parse_opening("e2e4 e7e5 f2f4")?;
/// assert_eq!(in_uci.moves(), opening.moves());
/// # #[cfg(feature = "integers")]
/// # {
/// let of_integer = ign_archive::query::parse_opening("10194")?;
/// assert_eq!(of_integer.moves(), opening.moves());
/// # }
/// # Ok::<(), ign_archive::Error>(())
/// ```
///
/// # Errors
/// [`Usage`](crate::ErrorKind::Usage) with the first word that is no legal move, or with what is
/// wrong with the integer.
pub fn parse_opening(text: &str) -> Result<OpeningPrefix> {
    let digits = text.trim();
    let moves = if !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit()) {
        moves_of_integer(digits)?
    } else {
        moves_of_words(text)?
    };
    if moves.is_empty() {
        return Err(Error::usage("the opening has no moves").with_remedy(FORMS));
    }
    OpeningPrefix::new(moves).map_err(|e| Error::internal(format!("a legal move is none: {e}")))
}

/// The moves of an integer of plain Integer Game Notation.
#[cfg(feature = "integers")]
fn moves_of_integer(digits: &str) -> Result<Vec<Move>> {
    use ign_format::container::{MAX_INTEGER_BITS, MAX_PLIES};
    use ign_notation::{Integer, plain};
    let wrong = |why: String| {
        Error::usage(format!("'{digits}' is not the integer of a game: {why}")).with_remedy(FORMS)
    };
    let integer: Integer = digits.parse().map_err(|e| wrong(format!("{e}")))?;
    if u64::from(integer.significant_bits()) > MAX_INTEGER_BITS {
        return Err(wrong("it is too large".into()));
    }
    plain::decode(Position::default(), &integer, MAX_PLIES).map_err(|e| wrong(e.to_string()))
}

#[cfg(not(feature = "integers"))]
fn moves_of_integer(digits: &str) -> Result<Vec<Move>> {
    Err(Error::unsupported(format!(
        "'{digits}' is an integer: openings as integers require the feature integers"
    )))
}

/// The moves of movetext.
fn moves_of_words(movetext: &str) -> Result<Vec<Move>> {
    let mut position = Position::default();
    let mut moves = Vec::new();
    let mut before = String::new();
    let mut words = movetext.split_whitespace().peekable();
    while let Some(written) = words.next() {
        let word = without_number(written, moves.len() / 2 + 1);
        let word = word.trim_end_matches(['!', '?']);
        if word.is_empty() {
            continue;
        }
        let legal = Legal::new(&position);
        let Some(played) = san::resolve(&legal, word.as_bytes()) else {
            // Moves may be pasted with the result of their game.
            if words.peek().is_none() && of_word(written.as_bytes()).is_some() {
                break;
            }
            let place = if before.is_empty() {
                "from the start".into()
            } else {
                format!("after {}", before.trim_end())
            };
            let message = format!("{place}, '{written}' is not a legal move");
            return Err(Error::usage(message).with_remedy(FORMS));
        };
        if position.turn().is_white() {
            before += &format!("{}. ", moves.len() / 2 + 1);
        }
        before += &format!("{word} ");
        moves.push(played);
        position.play(played);
    }
    Ok(moves)
}

/// A word without a leading move number and its dots. `0-0` has no number, and without a dot a
/// number is that of this move: `0000` is not a move number.
fn without_number(word: &str, of_move: usize) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.starts_with('.') || word.parse() == Ok(of_move) {
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
            "1. e4 e5 2. Nf3 *",
            "1. e4 e5 2. Nf3 1-0",
            "e2e4 e7e5 g1f3 1/2-1/2\n",
            "1. e4 e5 2. Nf3 ½–½",
            "1.e4 1...e5\n2 Nf3",
            "e2e4 e7e5 g1f3",
            "1. e2e4 e5 2. Ng1-f3",
            " 5794 ",
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
            ("0", "no moves"),
            ("e2e5", "'e2e5' is not a legal move"),
            ("371395", "'371395' is not the integer of a game"),
            ("1. e5", "from the start, 'e5' is not a legal move"),
            (
                "1. e4 e5 2. Ke3",
                "after 1. e4 e5, 'Ke3' is not a legal move",
            ),
            ("*", "no moves"),
            ("1. e4 1-0 e5", "after 1. e4, '1-0'"),
            ("1. e4 e5 0-0", "after 1. e4 e5, '0-0'"),
            ("Nf3 Nf6 Nc3 Nc6 Ne", "'Ne' is not a legal move"),
            ("é4", "'é4'"),
            (
                "e2e4 0000 d2d4",
                "after 1. e2e4, '0000' is not a legal move",
            ),
            ("e4 1234", "after 1. e4, '1234' is not a legal move"),
            ("1 e4 2 e5", "after 1. e4, '2' is not a legal move"),
        ] {
            let error = parse_opening(text).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
