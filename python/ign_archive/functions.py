"""Functions of the columns of tables, as Polars expressions: positions of a list of moves, notations, clocks and
evaluations. The extension of DuckDB has the same functions.

An argument is a Polars expression, the name of a column, or a number where a number is expected. `moves` is a
column like `moves` of `scan_polars`, with moves in SAN or UCI notation, or a text of such moves, perhaps with
numbers, comments, variations and the result. `fen` and `variant` are the tags of the game; without them, or where
they are null, games start from the standard position. A null of any other argument gives null. A list with a move
that is not legal, a text that is no FEN and an unknown variant are errors, which name the ply and the move; with
`strict=False` they give null.

Example:
    >>> games = ign.scan_polars("games.ign").head(2)
    >>> fen = ign.functions.fen_at_position("moves", 2)
    >>> games.select(fen.alias("fen")).collect()["fen"][0]
    'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Union

from ign_archive._native import evaluate

if TYPE_CHECKING:
    import polars as pl

    Column = Union[str, pl.Expr]

__all__ = [
    "chess_board",
    "chess_move_times",
    "chess_moves_san",
    "chess_moves_uci",
    "chess_piece_counts",
    "chess_win_percent",
    "fen_at_position",
]

#: The counts of `chess_piece_counts`.
COUNTS = ["wQ", "wR", "wB", "wN", "wP", "bQ", "bR", "bB", "bN", "bP"]


def fen_at_position(
    moves: Column,
    position: int | Column,
    fen: Column | None = None,
    variant: Column | None = None,
    *,
    strict: bool = True,
) -> pl.Expr:
    """The FEN after this number of plies; -1 is the last position. Null if the list is shorter.

    Example:
        >>> moves = pl.Series(["1. e4 e5 2. Nf3 *"])
        >>> pl.select(ign.functions.fen_at_position(pl.lit(moves), -1)).item()
        'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2'
    """
    return _expression("fen_at_position", _polars().String, strict, moves, position, fen, variant)


def chess_moves_san(
    moves: Column, fen: Column | None = None, variant: Column | None = None, *, strict: bool = True
) -> pl.Expr:
    """The moves in standard algebraic notation.

    Example:
        >>> moves = pl.Series([["f2f3", "e7e5", "g2g4", "d8h4"]])
        >>> pl.select(ign.functions.chess_moves_san(pl.lit(moves))).item().to_list()
        ['f3', 'e5', 'g4', 'Qh4#']
    """
    pl = _polars()
    return _expression("chess_moves_san", pl.List(pl.String), strict, moves, fen, variant)


def chess_moves_uci(
    moves: Column, fen: Column | None = None, variant: Column | None = None, *, strict: bool = True
) -> pl.Expr:
    """The moves in UCI notation, as in the column `moves`."""
    pl = _polars()
    return _expression("chess_moves_uci", pl.List(pl.String), strict, moves, fen, variant)


def chess_board(fen: Column, *, strict: bool = True) -> pl.Expr:
    """The board of a FEN or EPD as eight lines of text, the eighth rank first.

    Example:
        >>> fens = pl.Series(["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"])
        >>> pl.select(ign.functions.chess_board(pl.lit(fens))).item().splitlines()[0]
        '. . . . k . . .'
    """
    return _expression("chess_board", _polars().String, strict, fen)


def chess_piece_counts(fen: Column, *, strict: bool = True) -> pl.Expr:
    """The numbers of the pieces of a FEN or EPD, without the kings: a struct of wQ, wR, wB, wN, wP and the same
    with b."""
    pl = _polars()
    return _expression("chess_piece_counts", pl.Struct(dict.fromkeys(COUNTS, pl.UInt8)), strict, fen)


def chess_move_times(clocks: Column, time_control: Column) -> pl.Expr:
    """The seconds that each move took, from the clocks after the moves and the TimeControl tag: the player's clock
    before, and the increment, less the clock after. Null for the first move of each player, before which no clock
    is known. The list is null if the time control is not `SECONDS` or `SECONDS+INCREMENT`."""
    pl = _polars()
    return _expression("chess_move_times", pl.List(pl.Float32), True, clocks, time_control)


def chess_win_percent(eval: Column, mate: Column | None = None) -> pl.Expr:
    """White's chances in percent, from an evaluation in pawns or a mate, as Lichess computes them
    (https://lichess.org/page/accuracy): 50 + 50 * (2 / (1 + exp(-0.00368208 * centipawns)) - 1), with at most 1000
    centipawns for either side, and 1000 for a mate.

    Example:
        >>> pl.select(ign.functions.chess_win_percent(pl.lit(1.0))).item()
        59.10...
    """
    return _expression("chess_win_percent", _polars().Float64, True, eval, mate)


def _polars():
    try:
        import polars
    except ImportError as error:
        message = "ign_archive.functions needs Polars 1.30 or later: pip install polars"
        raise ImportError(message) from error
    return polars


def _expression(name: str, returns: pl.DataType, strict: bool, *arguments: int | Column | None) -> pl.Expr:
    """The expression of a function. Missing arguments at the end are left out; others are null."""
    pl = _polars()
    given = list(arguments)
    while given[-1] is None:
        given.pop()
    columns = [_column(argument).alias(str(place)) for place, argument in enumerate(given)]

    def values(rows: pl.Series) -> pl.Series:
        batches = evaluate(name, rows.struct.unnest(), strict)
        return pl.concat([pl.DataFrame(batch) for batch in batches]).to_series()

    rows = pl.struct(columns)
    return rows.map_batches(values, return_dtype=returns, is_elementwise=True).alias(name)


def _column(argument: int | Column | None) -> pl.Expr:
    pl = _polars()
    if isinstance(argument, str):
        return pl.col(argument)
    if argument is None:
        return pl.lit(None, pl.String)
    return argument if isinstance(argument, pl.Expr) else pl.lit(argument, pl.Int64)
