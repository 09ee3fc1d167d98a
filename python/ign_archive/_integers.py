"""Games as integers, in Integer Game Notation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ign_archive import _native
from ign_archive.errors import _usage

if TYPE_CHECKING:
    import chess


def encode(
    moves: str | Iterable[str | chess.Move],
    *,
    coding: str = "ign",
    fen: str | None = None,
    variant: str | None = None,
) -> int:
    """The integer of a game.

    Args:
        moves: The moves as text ("1. e4 e5", a PGN), or one by one, in UCI notation or SAN, or as moves of
            python-chess (`board.move_stack`).
        coding: "ign", "ign-end", "counted" or "weighted".
        fen: The starting position, if it is not the standard one.
        variant: The variant, by its name in PGN.

    Raises:
        UsageError: With the first word that is not a legal move.

    Example:
        >>> import ign_archive as ign
        >>> ign.encode("1. f3 e5 2. g4 Qh4#")
        143395
        >>> ign.encode(["f2f3", "e7e5", "g2g4", "d8h4"])
        143395
    """
    text = moves if isinstance(moves, str) else " ".join(map(_text_of, moves))
    return _native.encode(text, coding, fen, variant)


def _text_of(move: str | chess.Move) -> str:
    if isinstance(move, str):
        return move
    if hasattr(move, "uci"):
        return move.uci()
    kind = type(move).__name__
    raise _usage(f"moves: a {kind} is no move", "give moves as texts, or as moves of python-chess")


def decode(
    integer: int,
    *,
    coding: str = "ign",
    fen: str | None = None,
    variant: str | None = None,
    plies: int | None = None,
) -> list[str]:
    """The moves of an integer, in UCI notation.

    Args:
        integer: The integer, at least 0.
        coding: "ign", "ign-end", "counted" or "weighted".
        fen: The starting position, if it is not the standard one.
        variant: The variant, by its name in PGN.
        plies: The number of plies, for "counted" only.

    Raises:
        UsageError: The integer is not that of a game.

    Example:
        >>> import ign_archive as ign
        >>> ign.decode(143395)
        ['f2f3', 'e7e5', 'g2g4', 'd8h4']
    """
    return _native.decode(integer, coding, fen, variant, plies)
