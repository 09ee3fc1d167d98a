//! Do the record batches of positions have the values of the batches that they are made of?

use crate::util::text_at;
use arrow_array::{
    Array, RecordBatchReader,
    cast::AsArray,
    types::{Float32Type, Int8Type, Int32Type, UInt8Type, UInt16Type, UInt64Type},
};
use ign_archive::{
    Archive, Input, Packer,
    positions::{NO_CLOCK, NO_EVAL, NO_MOVE, PositionColumn, UNKNOWN_RESULT},
    scan::uci_moves,
};
use ign_arrow::{Encoding, PositionField, PositionRecordBatches};
use ign_testing::clocked_games;

/// Games with every null, and many usual ones.
fn archive() -> Archive {
    let mut text = b"[WhiteElo \"?\"]\n[BlackElo \"1500\"]\n[Result \"*\"]\n\n\
        1. e4 { [%clk 0:03:00.5] [%eval 0.31] } d5 { [%eval #-3] } 2. e5 f5 3. exf6 *\n\n"
        .to_vec();
    text.extend(clocked_games(60, 2));
    let input = Input::reader("a.pgn", std::io::Cursor::new(text));
    let (bytes, _) = Packer::new().pack([input], Vec::new()).unwrap();
    Archive::from_read_at(bytes, "a.ign").unwrap()
}

#[test]
fn arrays_have_the_values_of_the_batch() {
    let archive = archive();
    for encoding in [Encoding::PLAIN, Encoding::DICTIONARY] {
        let scan = || archive.positions().final_positions(true).batch(1000);
        let columns = PositionField::every();
        let batches = PositionRecordBatches::of(scan(), &columns, encoding);
        let schema = RecordBatchReader::schema(&batches);
        let mut rows = 0;
        for (batch, expected) in batches.zip(scan().columns(PositionColumn::ALL.iter().copied())) {
            let (batch, expected) = (batch.unwrap(), expected.unwrap());
            assert_eq!(batch.schema(), schema);
            assert_eq!(batch.num_rows(), expected.len());
            let column = |name: &str| batch.column_by_name(name).unwrap();
            for row in 0..batch.num_rows() {
                macro_rules! value {
                    ($name:literal, $type:ty) => {{
                        let array = column($name).as_primitive::<$type>();
                        array.is_valid(row).then(|| array.value(row))
                    }};
                }
                assert_eq!(value!("game", UInt64Type), Some(expected.game[row]));
                assert_eq!(value!("ply", Int32Type), Some(expected.ply[row] as i32));
                for (board, field) in columns[2..14].iter().enumerate() {
                    let array = column(field.name()).as_primitive::<UInt64Type>();
                    assert_eq!(array.value(row), expected.boards[12 * row + board]);
                }
                let turn = column("white_to_move").as_boolean().value(row);
                assert_eq!(turn, expected.white_to_move[row]);
                assert_eq!(value!("castling", UInt8Type), Some(expected.castling[row]));
                let square = Some(expected.en_passant[row]).filter(|&square| square >= 0);
                assert_eq!(value!("en_passant", Int8Type), square);
                assert_eq!(
                    value!("halfmoves", UInt16Type),
                    Some(expected.halfmoves[row])
                );
                assert_eq!(
                    value!("fullmoves", Int32Type),
                    Some(expected.fullmoves[row] as i32)
                );
                let played = Some(expected.played[row]).filter(|&code| code != NO_MOVE);
                let played = played.map(|code| uci_moves().get(code).unwrap().to_owned());
                assert_eq!(text_at(column("move"), row), played);
                let result = Some(expected.result[row]).filter(|&it| it != UNKNOWN_RESULT);
                assert_eq!(value!("result", Int8Type), result);
                let rating = |rating: u16| Some(i32::from(rating)).filter(|&rating| rating > 0);
                assert_eq!(
                    value!("WhiteElo", Int32Type),
                    rating(expected.white_elo[row])
                );
                assert_eq!(
                    value!("BlackElo", Int32Type),
                    rating(expected.black_elo[row])
                );
                let clock = Some(expected.clock[row]).filter(|&ms| ms != NO_CLOCK);
                let clock = clock.map(|ms| ms as f32 / 1000.0);
                assert_eq!(value!("clock", Float32Type), clock);
                let cp = Some(expected.cp[row]).filter(|&cp| cp != NO_EVAL);
                assert_eq!(value!("eval", Float32Type), cp.map(|cp| cp as f32 / 100.0));
                let mate = Some(expected.mate[row]).filter(|&mate| mate != NO_EVAL);
                assert_eq!(value!("mate", Int32Type), mate);
                assert_eq!(
                    text_at(column("fen"), row).as_deref(),
                    expected.fen.get(row)
                );
                assert_eq!(
                    text_at(column("epd"), row).as_deref(),
                    expected.epd.get(row)
                );
                rows += 1;
            }
        }
        assert_eq!(rows, archive.plies() + archive.len());
    }
}

#[test]
fn only_the_columns_named_are_returned_and_errors_end_the_batches() {
    let archive = archive();
    let columns = PositionField::named_all(["move", "white_king"]).unwrap();
    let positions = archive.positions().batch(1000);
    let mut batches = PositionRecordBatches::of(positions, &columns, Encoding::PLAIN);
    let batch = batches.next().unwrap().unwrap();
    assert_eq!((batch.num_columns(), batch.num_rows()), (2, 1000));
    assert!(batches.token().unwrap().starts_with("ign1-"));
    let none = PositionRecordBatches::of(archive.positions(), &[], Encoding::PLAIN);
    let rows: usize = none.map(|batch| batch.unwrap().num_rows()).sum();
    assert_eq!(rows as u64, archive.plies());
    let mut wrong =
        PositionRecordBatches::of(archive.positions().shard(2, 2), &columns, Encoding::PLAIN);
    assert!(
        wrong
            .next()
            .unwrap()
            .unwrap_err()
            .to_string()
            .contains("no shard 2 of 2")
    );
    assert!(wrong.next().is_none());
}
