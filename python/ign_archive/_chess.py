"""Games as those of python-chess."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import chess.pgn

    #: Tags; moves, comments, glyphs, and whether a variation begins (True) or ends (False); the result.
    Read = tuple[list[tuple[str, str]], list[chess.Move | str | int], str | None]


def to_chess(pgn: str, read: Read | None) -> chess.pgn.Game:
    """Reads the text of a game as python-chess does. `read` is what it consists of, if the compiled part has
    read it; otherwise python-chess reads the text."""
    try:
        import chess.pgn
    except ImportError as error:
        message = "to_chess() needs python-chess: pip install chess"
        raise ImportError(message) from error
    if read is not None:
        return build(*read)
    game = chess.pgn.read_game(io.StringIO(pgn))
    return chess.pgn.Game() if game is None else game


def build(tags: list[tuple[str, str]], events: list[chess.Move | str | int], result: str | None) -> chess.pgn.Game:
    """Makes the nodes of a game as `chess.pgn.GameBuilder` does, without looking for legal moves."""
    import chess.pgn

    game = chess.pgn.Game()
    headers = game.headers
    for name, value in tags:
        headers[name] = value
    if result is not None and headers.get("Result", "*") == "*":
        headers["Result"] = result
    child, move_class = chess.pgn.ChildNode, chess.Move
    node: chess.pgn.GameNode = game
    around: list[chess.pgn.GameNode] = []
    starting_comment = ""
    # Whether the current line has a move.
    has_moves = False
    for event in events:
        kind = type(event)
        if kind is move_class:
            node = child(node, event, starting_comment=starting_comment)
            starting_comment = ""
            has_moves = True
        elif kind is str:
            if has_moves or (node.parent is None and not node.variations):
                node.comment = f"{node.comment} {event}" if node.comment and event else node.comment or event
            elif event:
                starting_comment = f"{starting_comment} {event}" if starting_comment else event
        elif event is True:
            around.append(node)
            node = node.parent
            has_moves = False
        elif event is False:
            node = around.pop()
        else:
            node.nags.add(event)
    return game
