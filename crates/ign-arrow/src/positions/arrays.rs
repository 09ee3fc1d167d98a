//! Arrays of the columns of positions.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Float32Array, Int8Array, Int32Array, UInt8Array, UInt16Array,
    UInt64Array,
};
use ign_archive::{
    Error, Result,
    positions::{
        NO_CLOCK, NO_EVAL, NO_MOVE, PositionBatch, PositionColumn, TextRows, UNKNOWN_RESULT,
    },
};

use super::columns::{Kind, PositionField};
use crate::{
    arrays::{moves, strings},
    encoding::Encoding,
};

/// The array of a column of a batch.
///
/// # Errors
/// Internal if the buffers of text contradict each other.
pub(super) fn of(
    batch: &mut PositionBatch,
    field: PositionField,
    encoding: Encoding,
) -> Result<ArrayRef> {
    use PositionColumn as Column;
    Ok(match field.kind() {
        Kind::Board(number) => {
            let (boards, []) = batch.boards.as_chunks::<12>() else {
                return Err(Error::internal("a position has other than twelve boards"));
            };
            let squares = boards.iter().map(|boards| boards[number]);
            Arc::new(UInt64Array::from_iter_values(squares))
        }
        Kind::Cp => {
            let pawns = |&cp: &i32| (cp != NO_EVAL).then_some(cp as f32 / 100.0);
            Arc::new(batch.cp.iter().map(pawns).collect::<Float32Array>())
        }
        Kind::Mate => {
            let moves = |&mate: &i32| (mate != NO_EVAL).then_some(mate);
            Arc::new(batch.mate.iter().map(moves).collect::<Int32Array>())
        }
        Kind::Other(column) => match column {
            Column::Game => Arc::new(UInt64Array::from(std::mem::take(&mut batch.game))),
            Column::Ply => Arc::new(numbers(&batch.ply)?),
            Column::WhiteToMove => {
                Arc::new(BooleanArray::from(std::mem::take(&mut batch.white_to_move)))
            }
            Column::Castling => Arc::new(UInt8Array::from(std::mem::take(&mut batch.castling))),
            Column::EnPassant => {
                let square = |&square: &i8| (square >= 0).then_some(square);
                Arc::new(batch.en_passant.iter().map(square).collect::<Int8Array>())
            }
            Column::Halfmoves => Arc::new(UInt16Array::from(std::mem::take(&mut batch.halfmoves))),
            Column::Fullmoves => Arc::new(numbers(&batch.fullmoves)?),
            Column::Move => {
                let code = |&code: &u16| (code != NO_MOVE).then_some(code as i16);
                moves(batch.played.iter().map(code).collect(), encoding)?
            }
            Column::Result => {
                let known = |&result: &i8| (result != UNKNOWN_RESULT).then_some(result);
                Arc::new(batch.result.iter().map(known).collect::<Int8Array>())
            }
            Column::WhiteElo => Arc::new(ratings(&batch.white_elo)),
            Column::BlackElo => Arc::new(ratings(&batch.black_elo)),
            Column::Clock => {
                let seconds =
                    |&ms: &u32| (ms != NO_CLOCK).then_some((f64::from(ms) / 1000.0) as f32);
                Arc::new(batch.clock.iter().map(seconds).collect::<Float32Array>())
            }
            Column::Fen => text(std::mem::take(&mut batch.fen))?,
            Column::Epd => text(std::mem::take(&mut batch.epd))?,
            _ => return Err(Error::internal("a column of positions has no array")),
        },
    })
}

/// Numbers that are never null.
fn numbers(values: &[u32]) -> Result<Int32Array> {
    let values = values
        .iter()
        .map(|&value| i32::try_from(value).ok())
        .collect::<Option<Vec<i32>>>()
        .ok_or_else(|| Error::unsupported("a move number exceeds 2,147,483,647"))?;
    Ok(Int32Array::from(values))
}

/// Ratings; 0 is null. Others are at most 9999.
fn ratings(values: &[u16]) -> Int32Array {
    let rating = |&value: &u16| Some(i32::from(value)).filter(|&rating| rating > 0);
    values.iter().map(rating).collect()
}

/// Text.
fn text(rows: TextRows) -> Result<ArrayRef> {
    let (offsets, bytes) = rows.into_parts();
    Ok(Arc::new(strings(offsets, bytes)?))
}
