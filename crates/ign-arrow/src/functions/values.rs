//! Functions of positions, clocks and evaluations.

use std::sync::Arc;

use arrow_array::{
    Array as _, ArrayRef, Float64Array, StructArray, UInt8Array,
    builder::{Float32Builder, ListBuilder, StringBuilder},
    cast::AsArray as _,
    types::{Float32Type, Float64Type, Int64Type},
};
use arrow_buffer::NullBuffer;
use ign_archive::{
    Error, Result,
    shakmaty::{Board, Color, Piece, Role, Square, fen::Fen},
};

use super::{Errors, count_fields, replay::shown};

/// The boards of a column of FENs; null for a null.
fn boards(fens: &ArrayRef, errors: Errors) -> impl Iterator<Item = Result<Option<Board>>> {
    fens.as_string::<i32>().iter().map(move |fen| {
        let read = |fen: &str| {
            let read = Fen::from_ascii(fen.as_bytes());
            let wrong = |_| Error::usage(format!("'{}' is not a FEN", shown(fen.as_bytes())));
            read.map(|fen| fen.into_setup().board).map_err(wrong)
        };
        errors.of_row(fen.map(read).transpose())
    })
}

pub(super) fn board(arguments: &[ArrayRef], errors: Errors) -> Result<ArrayRef> {
    let mut diagrams = StringBuilder::new();
    let mut diagram = String::new();
    for board in boards(&arguments[0], errors) {
        let Some(board) = board? else {
            diagrams.append_null();
            continue;
        };
        diagram.clear();
        for rank in (0..8).rev() {
            for file in 0..8 {
                let piece = board.piece_at(Square::new(8 * rank + file));
                diagram.push(piece.map_or('.', Piece::char));
                diagram.push(if file < 7 { ' ' } else { '\n' });
            }
        }
        diagrams.append_value(diagram.trim_end());
    }
    Ok(Arc::new(diagrams.finish()))
}

pub(super) fn piece_counts(arguments: &[ArrayRef], errors: Errors) -> Result<ArrayRef> {
    const ROLES: [Role; 5] = [
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ];
    let boards = boards(&arguments[0], errors).collect::<Result<Vec<_>>>()?;
    let pieces = Color::ALL
        .into_iter()
        .flat_map(|color| ROLES.map(|role| role.of(color)));
    let counts = pieces.map(|piece| -> ArrayRef {
        let count = |board: &Option<Board>| {
            let squares = board.as_ref()?.by_piece(piece);
            Some(squares.count() as u8)
        };
        Arc::new(boards.iter().map(count).collect::<UInt8Array>())
    });
    let nulls = boards.iter().map(Option::is_some).collect::<NullBuffer>();
    Ok(Arc::new(StructArray::new(
        count_fields(),
        counts.collect(),
        Some(nulls),
    )))
}

/// The first move of each player has no time, since no clock is known before it.
pub(super) fn move_times(arguments: &[ArrayRef], _: Errors) -> Result<ArrayRef> {
    let (clocks, controls) = (
        arguments[0].as_list::<i32>(),
        arguments[1].as_string::<i32>(),
    );
    let mut times = ListBuilder::new(Float32Builder::new());
    for (row, control) in controls.iter().enumerate() {
        let increment = control.and_then(increment).filter(|_| clocks.is_valid(row));
        if let Some(increment) = increment {
            let clocks = clocks.value(row);
            let clocks = clocks.as_primitive::<Float32Type>();
            for ply in 0..clocks.len() {
                let clock = |ply: usize| clocks.is_valid(ply).then(|| f64::from(clocks.value(ply)));
                let before = ply.checked_sub(2).and_then(clock);
                let time = before
                    .zip(clock(ply))
                    .map(|(before, after)| before + increment - after);
                times
                    .values()
                    .append_option(time.map(|seconds| seconds as f32));
            }
        }
        times.append(increment.is_some());
    }
    Ok(Arc::new(times.finish()))
}

/// The seconds that are added for each move with a TimeControl tag: `300+3`, `300`. `None` if it
/// has another form.
fn increment(control: &str) -> Option<f64> {
    let (base, increment) = control.split_once('+').unwrap_or((control, "0"));
    let seconds = |text: &str| -> Option<f64> {
        let is_number = text.bytes().all(|c| c.is_ascii_digit() || c == b'.');
        text.parse().ok().filter(|_| is_number)
    };
    seconds(base).and(seconds(increment))
}

/// The evaluation in centipawns beyond which the chances stay the same.
const CEILING: f64 = 1000.0;
/// From the page <https://lichess.org/page/accuracy>.
const SLOPE: f64 = -0.003_682_08;

pub(super) fn win_percent(arguments: &[ArrayRef], _: Errors) -> Result<ArrayRef> {
    let evals = arguments[0].as_primitive::<Float64Type>();
    let mates = arguments
        .get(1)
        .map(|mates| mates.as_primitive::<Int64Type>());
    let percent = |row: usize| {
        let mate = mates
            .filter(|mates| mates.is_valid(row))
            .map(|mates| mates.value(row));
        let centipawns = match mate {
            // The side that has mated is not known.
            Some(0) => return None,
            Some(mate) => CEILING * mate.signum() as f64,
            None => evals.is_valid(row).then(|| 100.0 * evals.value(row))?,
        };
        let centipawns = centipawns.clamp(-CEILING, CEILING);
        Some(50.0 + 50.0 * (2.0 / (1.0 + (SLOPE * centipawns).exp()) - 1.0))
    };
    Ok(Arc::new(
        (0..evals.len()).map(percent).collect::<Float64Array>(),
    ))
}
