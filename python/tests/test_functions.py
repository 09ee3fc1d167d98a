"""Do the functions of tables return what python-chess returns?"""

from __future__ import annotations

import math
import random
from functools import partial
from pathlib import Path

import chess
import chess.variant
import polars as pl
import pytest

import ign_archive as ign
from ign_archive import functions

#: Starts of games: the class of python-chess, a FEN or None, a variant or None.
STARTS = [
    (chess.Board, None, None),
    (chess.Board, "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 7 30", None),
    (chess.Board, "8/P7/8/8/4pPp1/8/4K2k/8 b - f3 0 5", None),
    (chess.Board, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", "Chess960"),
    (chess.Board, "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "Chess960"),
    (chess.variant.CrazyhouseBoard, None, "Crazyhouse"),
    (chess.variant.AtomicBoard, None, "Atomic"),
    (chess.variant.AntichessBoard, None, "Antichess"),
    (chess.variant.HordeBoard, None, "Horde"),
    (chess.variant.RacingKingsBoard, None, "Racing Kings"),
    (chess.variant.KingOfTheHillBoard, None, "King of the Hill"),
]


def games() -> list[dict[str, object]]:
    """Random games, with what python-chess says of them."""
    choice = random.Random(1)
    rows = []
    for make, fen, variant in STARTS * 8:
        is_chess960 = variant == "Chess960"
        board = make(fen, chess960=is_chess960) if fen else make(chess960=is_chess960)
        fen_of = partial(board.fen, shredder=is_chess960, en_passant="xfen")
        fens, uci, san = [fen_of()], [], []
        while len(uci) < 120 and not board.is_game_over():
            legal = list(board.legal_moves)
            castling = [move for move in legal if board.is_castling(move)]
            move = choice.choice(castling or legal)
            uci.append(board.uci(move))
            # ign writes the letter of a dropped pawn.
            san.append(board.san(move) if move.drop != chess.PAWN else f"P{board.san(move)}")
            board.push(move)
            if move.drop == chess.PAWN:
                # As in the table of positions; python-chess goes on counting.
                board.halfmove_clock = 0
            fens.append(fen_of())
        position = choice.randint(-len(uci) - 2, len(uci) + 2)
        rows.append(
            {"FEN": fen, "Variant": variant, "fens": fens, "uci": uci, "san": san, "position": position}
        )
    return rows


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    return pl.DataFrame(games())


@pytest.mark.parametrize("notation", ["uci", "san"])
@pytest.mark.parametrize("form", ["list", "text", "categorical"])
def test_moves_are_converted_as_python_chess_does(frame: pl.DataFrame, notation: str, form: str) -> None:
    moves = pl.col(notation)
    if form == "text":
        moves = moves.list.join(" ")
    elif form == "categorical":
        moves = moves.cast(pl.List(pl.Categorical))
    found = frame.select(
        functions.chess_moves_uci(moves, "FEN", "Variant"), functions.chess_moves_san(moves, "FEN", "Variant")
    )
    assert found["chess_moves_uci"].to_list() == frame["uci"].to_list()
    assert found["chess_moves_san"].to_list() == frame["san"].to_list()


def test_positions_are_those_of_python_chess(frame: pl.DataFrame) -> None:
    def expected(row: dict) -> str | None:
        place, fens = row["position"], row["fens"]
        return fens[place] if -len(fens) <= place < len(fens) else None

    found = frame.select(functions.fen_at_position("uci", "position", "FEN", "Variant")).to_series().to_list()
    assert found == [expected(row) for row in frame.rows(named=True)]
    assert None in found and len(set(found)) > 60


def test_boards_and_counts_are_those_of_python_chess(frame: pl.DataFrame) -> None:
    fens = frame.select(pl.col("fens").explode()).rename({"fens": "fen"})
    found = fens.with_columns(functions.chess_board("fen"), functions.chess_piece_counts("fen"))
    for fen, diagram, counts in found.iter_rows():
        board = chess.BaseBoard(fen.split(" ")[0].split("[")[0].replace("~", ""))
        assert diagram == str(board)
        for name, count in counts.items():
            piece = chess.Piece.from_symbol(name[1].upper() if name[0] == "w" else name[1].lower())
            assert count == len(board.pieces(piece.piece_type, piece.color)), (fen, name)


def test_positions_are_those_of_the_table_of_positions(tmp_path: Path) -> None:
    ign.sample(tmp_path / "a.pgn", games=60, seed=3)
    ign.pack(tmp_path / "a.pgn", tmp_path / "a.ign")
    archive = ign.open(tmp_path / "a.ign")
    scan = archive.scan_positions(["game", "ply", "fen"])
    rows = pl.DataFrame(scan).join(
        ign.scan_polars(archive, columns=["number", "moves"]).collect(), left_on="game", right_on="number"
    )
    found = rows.select(functions.fen_at_position("moves", "ply")).to_series()
    assert found.to_list() == rows["fen"].to_list() and len(found) > 2000


def test_nulls_give_null() -> None:
    frame = pl.DataFrame(
        {"moves": [None, ["e2e4"]], "position": [0, None], "fen": pl.Series([None, None], dtype=pl.String)}
    )
    for expression in [
        functions.fen_at_position("moves", "position"),
        functions.chess_board("fen"),
        functions.chess_piece_counts("fen"),
        functions.chess_moves_san(pl.lit(None, pl.List(pl.String))),
        functions.chess_move_times(pl.lit(None, pl.List(pl.Float32)), pl.lit("60")),
        functions.chess_win_percent(pl.lit(None, pl.Float64), pl.lit(None, pl.Int32)),
    ]:
        assert frame.select(expression).to_series().null_count() > 0
    # Without a FEN a game starts as usual.
    assert frame.select(functions.chess_moves_san("moves", "fen")).to_series().to_list() == [None, ["e4"]]
    assert frame.clear().select(functions.chess_moves_san("moves")).to_series().to_list() == []


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (functions.chess_moves_san(pl.lit("1. e4 e5 2. Qh9 *")), r"ply 3: 'Qh9' is not a legal move"),
        (functions.chess_moves_uci(pl.lit("e2e4 e2e4")), r"ply 2: 'e2e4' is not a legal move"),
        (functions.chess_moves_uci(pl.lit("e2e4 Nd7")), r"ply 2: 'Nd7' is not a legal move"),
        (functions.fen_at_position(pl.lit("--"), 1, pl.lit("4k3/4R3/4K3/8/8/8/8/8 b - - 0 1")), r"ply 1: '--'"),
        (functions.fen_at_position(pl.lit("e4"), 1, pl.lit("nonsense")), r"'nonsense' is not a starting position"),
        (functions.fen_at_position(pl.lit("e4"), 1, None, pl.lit("Draughts")), r"of Draughts"),
        (functions.chess_board(pl.lit("8/8/8")), r"'8/8/8' is not a FEN"),
        (functions.chess_piece_counts(pl.lit("")), r"is not a FEN"),
    ],
)
def test_wrong_values_are_errors_that_name_them(expression: pl.Expr, message: str) -> None:
    with pytest.raises(ign.UsageError, match=message):
        pl.select(expression)


def test_without_strict_wrong_values_give_null() -> None:
    frame = pl.DataFrame({"moves": [["e4"], ["e5"], ["d4"]], "fen": ["8/8/8/8/8/8/8/8 w - -", "x", None]})
    san = functions.chess_moves_san("moves", strict=False)
    assert frame.select(san).to_series().to_list() == [["e4"], None, ["d4"]]
    board = functions.chess_board("fen", strict=False)
    assert frame.select(board).to_series().is_null().to_list() == [False, True, True]


def test_only_the_moves_before_a_position_are_read() -> None:
    found = pl.select(functions.fen_at_position(pl.lit("e4 nonsense"), 1)).item()
    assert found == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def test_null_moves_are_moves() -> None:
    found = pl.select(functions.chess_moves_uci(pl.lit("e4 -- d4 0000"))).item()
    assert found.to_list() == ["e2e4", "0000", "d2d4", "0000"]
    found = pl.select(functions.chess_moves_san(pl.lit("e2e4 0000 d2d4"))).item()
    assert found.to_list() == ["e4", "--", "d4"]


@pytest.mark.parametrize(
    ("clocks", "control", "expected"),
    [
        ([180.0, 180.0, 178.0, 175.5], "180+2", [None, None, 4.0, 6.5]),
        ([60.0, None, 59.0, 58.0, 57.5], "60", [None, None, 1.0, None, 1.5]),
        ([60.0], "60+0", [None]),
        ([], "60+0", []),
        ([60.0, 60.0, 50.0], "40/7200:3600", None),
        ([60.0, 60.0, 50.0], "-", None),
        ([60.0, 60.0, 50.0], "60+", None),
        ([60.0, 60.0, 50.0], None, None),
    ],
)
def test_times_of_moves(clocks: list[float | None], control: str | None, expected: list[float | None] | None) -> None:
    frame = pl.DataFrame({"clocks": [clocks], "control": [control]}, schema_overrides={"clocks": pl.List(pl.Float32)})
    found = frame.select(functions.chess_move_times("clocks", pl.col("control").cast(pl.String))).item()
    assert (found if found is None else found.to_list()) == expected


@pytest.mark.parametrize(
    ("pawns", "mate", "centipawns"),
    [(0.0, None, 0), (1.0, None, 100), (-3.5, None, -350), (25.0, None, 1000), (None, 3, 1000), (None, -1, -1000)],
)
def test_chances_are_those_of_lichess(pawns: float | None, mate: int | None, centipawns: int) -> None:
    expected = 50 + 50 * (2 / (1 + math.exp(-0.00368208 * centipawns)) - 1)
    found = pl.select(functions.chess_win_percent(pl.lit(pawns, pl.Float32), pl.lit(mate, pl.Int32))).item()
    assert found == pytest.approx(expected)


def test_the_side_of_a_mate_in_zero_is_not_known() -> None:
    assert pl.select(functions.chess_win_percent(pl.lit(None, pl.Float32), pl.lit(0, pl.Int32))).item() is None
