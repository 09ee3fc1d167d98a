//! Games by how they begin: moves as people write them, and the games that play them.

use super::blocks;
use crate::reader::Archive;
use ign_format::{
    block::opening_prefix::OpeningPrefix,
    error::{Error, Result},
};
use ign_notation::chess::{Legal, Position, san};

/// Reads movetext such as `1. e4 e5 2. Nf3`, from the usual start: standard algebraic notation;
/// move numbers and marks such as `!?` may be there or not.
///
/// # Errors
/// Usage, naming the word that is no legal move and what stands before it.
pub fn parse(movetext: &str) -> Result<OpeningPrefix> {
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

/// A word without a move number and its dots in front. `0-0` is none.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() || rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        word
    }
}

/// Numbers of the games, counted from zero, that begin with these moves. Of each game no more is
/// decoded than these.
///
/// # Errors
/// Io; corrupt; unsupported when moves were coded by another move model.
pub fn find(archive: &Archive, opening: &OpeningPrefix, threads: usize) -> Result<Vec<u64>> {
    blocks::games(archive, threads, |block, records| {
        block.games_with_prefix(records, opening)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_read_as_people_write_them() {
        let moves = |text: &str| {
            let moves = parse(text).unwrap().moves().to_vec();
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
    fn what_is_no_opening_is_said_to_be_none() {
        for (text, words) in [
            ("", "no moves"),
            ("1. ...", "no moves"),
            ("1. e5", "from the start, 'e5' is no legal move"),
            ("1. e4 e5 2. Ke3", "after 1. e4 e5, 'Ke3' is no legal move"),
            ("1. e4 e5 1-0", "after 1. e4 e5, '1-0'"),
            ("Nf3 Nf6 Nc3 Nc6 Ne", "'Ne' is no legal move"),
            ("é4", "'é4'"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
