"""Do the functions of the extension return what those of the Python package return, which python-chess checks?"""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl
import pytest

import ign_archive as ign
from ign_archive import functions

CALLS = [
    ("fen_at_position(moves, 20)", functions.fen_at_position("moves", 20)),
    ("fen_at_position(moves, -3, FEN, Variant)", functions.fen_at_position("moves", -3, "FEN", "Variant")),
    ("fen_at_position(moves, plies, FEN)", functions.fen_at_position("moves", "plies", "FEN")),
    ("fen_at_position(moves, len(moves))", functions.fen_at_position("moves", -1)),
    ("fen_at_position(list_aggregate(moves, 'string_agg', ' '), 7)", functions.fen_at_position("moves", 7)),
    ("chess_moves_san(moves)", functions.chess_moves_san("moves")),
    ("chess_moves_uci(chess_moves_san(moves))", pl.col("moves").cast(pl.List(pl.String))),
    ("chess_board(fen_at_position(moves, 9))", functions.chess_board(functions.fen_at_position("moves", 9))),
    (
        "chess_piece_counts(fen_at_position(moves, -1))",
        functions.chess_piece_counts(functions.fen_at_position("moves", -1)),
    ),
    ("chess_move_times(clocks, TimeControl)", functions.chess_move_times("clocks", "TimeControl")),
    ("chess_win_percent(plies)", functions.chess_win_percent("plies")),
    (
        "list_transform(evals, lambda e: chess_win_percent(e))",
        pl.col("evals").list.eval(functions.chess_win_percent(pl.element())),
    ),
]


@pytest.mark.parametrize(("call", "expression"), CALLS, ids=[call for call, _ in CALLS])
def test_values_are_those_of_the_python_package(
    folder: Path, connection: duckdb.DuckDBPyConnection, call: str, expression: pl.Expr
) -> None:
    expected = ign.scan_polars(folder / "*.ign").select(expression.alias("value")).collect()["value"].to_list()
    found = connection.sql(f"SELECT {call} FROM read_ign('{folder}/*.ign')").fetchall()
    assert [value for (value,) in found] == expected
    assert any(value is not None for value in expected) or "evals" in call


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("chess_moves_san('1. e2e4 e7e5 {a comment} (1... c5) 2. g1f3 *')", ["e4", "e5", "Nf3"]),
        ("chess_moves_uci(['e4', 'e5', 'Nf3'])", ["e2e4", "e7e5", "g1f3"]),
        ("chess_moves_uci('')", []),
        ("fen_at_position('', 0)", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("fen_at_position('e4', 2)", None),
        ("fen_at_position('e4', -3)", None),
        ("fen_at_position(NULL::VARCHAR[], 2)", None),
        ("fen_at_position('e4', NULL)", None),
        ("chess_board(NULL)", None),
        ("chess_win_percent(0)", 50.0),
        ("round(chess_win_percent(NULL, -4), 3)", None),
        ("chess_piece_counts('4k3/8/8/8/8/8/PP6/4KR2')['wP']", 2),
        ("TRY(chess_moves_san('e4 e4'))", None),
    ],
)
def test_values_of_constants(connection: duckdb.DuckDBPyConnection, call: str, expected: object) -> None:
    assert connection.sql(f"SELECT {call}").fetchall() == [(expected,)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("chess_moves_san('1. e4 e5 2. Qh9 *')", "chess_moves_san: ply 3: 'Qh9' is not a legal move"),
        ("fen_at_position('e4', 1, 'nonsense')", "'nonsense' is not a starting position of chess"),
        ("fen_at_position('e4', 1, '', 'Draughts')", "of Draughts"),
        ("chess_board('8/8')", "'8/8' is not a FEN"),
    ],
)
def test_wrong_values_are_errors_that_name_them(
    connection: duckdb.DuckDBPyConnection, call: str, message: str
) -> None:
    with pytest.raises(duckdb.Error, match=message):
        connection.sql(f"SELECT {call}").fetchall()
    assert connection.sql("SELECT 1").fetchall() == [(1,)]


def test_try_gives_null_for_the_wrong_rows_alone(connection: duckdb.DuckDBPyConnection) -> None:
    rows = "(VALUES ('e4'), ('e5'), (NULL), ('d4')) t(moves)"
    found = connection.sql(f"SELECT TRY(chess_moves_san(moves)) FROM {rows}").fetchall()
    assert found == [(["e4"],), (None,), (None,), (["d4"],)]
