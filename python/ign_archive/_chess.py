"""Games as those of python-chess."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import chess.pgn


def to_chess(pgn: str) -> chess.pgn.Game:
    """Reads the text of a game with python-chess, so that comments, glyphs and variations are kept."""
    try:
        import chess.pgn
    except ImportError as error:
        message = "to_chess() needs python-chess: pip install chess"
        raise ImportError(message) from error
    game = chess.pgn.read_game(io.StringIO(pgn))
    return chess.pgn.Game() if game is None else game
