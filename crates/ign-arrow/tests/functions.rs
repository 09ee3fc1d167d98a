//! Do the functions take every form of their arguments, and no wrong ones?
//!
//! Their values are compared with those of python-chess in `python/tests/test_functions.py`.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array, StringArray, cast::AsArray, new_null_array};
use ign_arrow::{FUNCTIONS, Function};

fn texts<const N: usize>(values: [&str; N]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

fn evaluate(name: &str, arguments: &[ArrayRef]) -> ign_archive::Result<ArrayRef> {
    Function::named(name).unwrap().evaluate(arguments, true)
}

#[test]
fn every_signature_takes_nulls_and_no_rows() {
    for function in FUNCTIONS {
        let signatures = function.signatures();
        assert!(
            signatures
                .iter()
                .all(|types| types.len() >= function.required)
        );
        assert!(
            signatures
                .iter()
                .any(|types| types.len() == function.parameters.len())
        );
        for types in signatures {
            for rows in [0, 3] {
                let arguments = types.iter().map(|of| new_null_array(of, rows));
                let values = function
                    .evaluate(&arguments.collect::<Vec<_>>(), true)
                    .unwrap();
                assert_eq!(values.data_type(), &function.returns(), "{}", function.name);
                assert_eq!(
                    (values.len(), values.null_count()),
                    (rows, rows),
                    "{}",
                    function.name
                );
            }
        }
    }
}

#[test]
fn arguments_that_do_not_fit_are_errors() {
    let moves = texts(["e4", "d4"]);
    let position: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    for (name, arguments, message) in [
        (
            "chess_board",
            vec![],
            "chess_board: 0 arguments instead of 1 to 1",
        ),
        (
            "fen_at_position",
            vec![moves.clone()],
            "1 arguments instead of 2 to 4",
        ),
        (
            "fen_at_position",
            vec![moves.clone(), position],
            "different numbers of rows",
        ),
        (
            "chess_moves_san",
            vec![texts(["e4", "e5"])],
            "chess_moves_san: ply 1: 'e5' is not",
        ),
        (
            "chess_moves_san",
            vec![texts(["e4\u{7}é"])],
            "ply 1: 'e4?é' is not a legal move",
        ),
    ] {
        let error = evaluate(name, &arguments).unwrap_err().to_string();
        assert!(error.contains(message), "{name}: {error}");
    }
    assert!(Function::named("fen").is_err());
}

#[test]
fn words_of_errors_are_short() {
    let error = evaluate("chess_moves_uci", &[texts([&"é".repeat(10_000)])]).unwrap_err();
    assert!(error.to_string().len() < 300);
}

#[test]
fn texts_are_read_as_movetext_is() {
    for (text, expected) in [
        (
            "1. e4 $1 e5!? {a (b} 2. Nf3 (2. d4 exd4) 2... Nc6 1-0 d4",
            "e2e4 e7e5 g1f3 b8c6",
        ),
        ("e2-e4 e7e5 ; 0000\n Ng1f3", "e2e4 e7e5 g1f3"),
        ("e4 0000 d4 -- ", "e2e4 0000 d2d4 0000"),
        ("10000. e4", "e2e4"),
        ("*", ""),
    ] {
        let found = evaluate("chess_moves_uci", &[texts([text])]).unwrap();
        let moves = found.as_list::<i32>().value(0);
        let moves: Vec<&str> = moves.as_string::<i32>().iter().flatten().collect();
        assert_eq!(moves.join(" "), expected, "{text}");
    }
}

#[test]
fn positions_beyond_a_list_are_null() {
    for (position, is_null) in [
        (i64::MIN, true),
        (-4, true),
        (-3, false),
        (2, false),
        (3, true),
        (i64::MAX, true),
    ] {
        let position: ArrayRef = Arc::new(Int64Array::from(vec![position]));
        let found = evaluate("fen_at_position", &[texts(["e4 e5"]), position]).unwrap();
        assert_eq!(found.is_null(0), is_null);
    }
}
