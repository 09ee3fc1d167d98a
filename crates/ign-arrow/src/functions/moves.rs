//! Functions of a list of moves.

use std::sync::Arc;

use arrow_array::{
    Array as _, ArrayRef, ListArray, StringArray,
    builder::{ListBuilder, StringBuilder},
    cast::AsArray as _,
    types::Int64Type,
};
use ign_archive::Result;
use ign_format::pgn::tokens::{Token, Tokens};

use super::{Errors, replay::Replay};

/// A column of lists of moves.
enum Moves<'a> {
    Lists(&'a ListArray, &'a StringArray),
    Movetext(&'a StringArray),
}

impl<'a> Moves<'a> {
    fn of(array: &'a ArrayRef) -> Self {
        match array.as_list_opt::<i32>() {
            Some(lists) => Self::Lists(lists, lists.values().as_string()),
            None => Self::Movetext(array.as_string()),
        }
    }

    /// Calls a function with each move of a row until it returns `false`.
    fn each(&self, row: usize, mut visit: impl FnMut(&[u8]) -> Result<bool>) -> Result<()> {
        match self {
            Self::Lists(lists, words) => {
                let offsets = lists.value_offsets();
                for item in offsets[row] as usize..offsets[row + 1] as usize {
                    let word = if words.is_null(item) {
                        "null"
                    } else {
                        words.value(item)
                    };
                    if !visit(word.as_bytes())? {
                        break;
                    }
                }
            }
            Self::Movetext(texts) => {
                for token in Tokens::new(texts.value(row).as_bytes()) {
                    match token {
                        Token::Move(word) if visit(word)? => {}
                        _ => break,
                    }
                }
            }
        }
        Ok(())
    }
}

/// The start of each game: the columns of FEN and Variant tags, if there are any.
struct Starts<'a>([Option<&'a StringArray>; 2]);

impl<'a> Starts<'a> {
    fn of(arguments: &'a [ArrayRef]) -> Self {
        Self([0, 1].map(|place| Some(arguments.get(place)?.as_string())))
    }

    fn replay(&self, row: usize) -> Result<Replay> {
        let [fen, variant] = self.0.map(|column| {
            let column = column.filter(|column| column.is_valid(row))?;
            Some(column.value(row))
        });
        Replay::new(fen, variant)
    }
}

pub(super) fn fen_at_position(arguments: &[ArrayRef], errors: Errors) -> Result<ArrayRef> {
    let (moves, positions) = (
        Moves::of(&arguments[0]),
        arguments[1].as_primitive::<Int64Type>(),
    );
    let starts = Starts::of(&arguments[2..]);
    let mut fens = StringBuilder::new();
    let mut fen = String::new();
    for (row, position) in positions.iter().enumerate() {
        let mut append = |position| -> Result<Option<()>> {
            let mut plies = 0;
            if position < 0 {
                moves.each(row, |_| {
                    plies += 1;
                    Ok(true)
                })?;
            }
            // From the last position on if it is negative.
            let after = if position < 0 {
                plies + 1 + position
            } else {
                position
            };
            if after < 0 {
                return Ok(None);
            }
            let mut replay = starts.replay(row)?;
            let mut left = after;
            if left > 0 {
                moves.each(row, |word| {
                    replay.play(word)?;
                    left -= 1;
                    Ok(left > 0)
                })?;
            }
            if left > 0 {
                return Ok(None);
            }
            fen.clear();
            replay.append_fen(&mut fen).map(Some)
        };
        let position = position.filter(|_| arguments[0].is_valid(row));
        let found = position.map_or(Ok(None), &mut append);
        let is_known = errors.of_row(found)?.is_some();
        fens.append_option(is_known.then_some(&fen));
    }
    Ok(Arc::new(fens.finish()))
}

pub(super) fn san(arguments: &[ArrayRef], errors: Errors) -> Result<ArrayRef> {
    converted(arguments, errors, Replay::play_san)
}

pub(super) fn uci(arguments: &[ArrayRef], errors: Errors) -> Result<ArrayRef> {
    converted(arguments, errors, Replay::play_uci)
}

/// All moves in another notation.
fn converted(
    arguments: &[ArrayRef],
    errors: Errors,
    play: fn(&mut Replay, &[u8], &mut String) -> Result<()>,
) -> Result<ArrayRef> {
    let moves = Moves::of(&arguments[0]);
    let starts = Starts::of(&arguments[1..]);
    let mut lists = ListBuilder::new(StringBuilder::new());
    // The moves of a row, one after the other, and their ends.
    let (mut text, mut ends) = (String::new(), Vec::new());
    for row in 0..arguments[0].len() {
        let mut convert = || -> Result<Option<()>> {
            text.clear();
            ends.clear();
            if arguments[0].is_null(row) {
                return Ok(None);
            }
            let mut replay = starts.replay(row)?;
            moves.each(row, |word| {
                play(&mut replay, word, &mut text)?;
                ends.push(text.len());
                Ok(true)
            })?;
            Ok(Some(()))
        };
        let is_valid = errors.of_row(convert())?.is_some();
        if is_valid {
            let mut start = 0;
            for &end in &ends {
                lists.values().append_value(&text[start..end]);
                start = end;
            }
        }
        lists.append(is_valid);
    }
    Ok(Arc::new(lists.finish()))
}
