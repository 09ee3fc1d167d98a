"""Games as those of python-chess."""

from __future__ import annotations

import io
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import chess.pgn

    from ign_archive import Game
    from ign_archive.types import Variation

    #: Tags; moves, comments, glyphs, and whether a variation begins (True) or ends (False); the result.
    Read = tuple[list[tuple[str, str]], list[chess.Move | str | int], str | None]


def to_chess(game: Game, read: Read | None) -> chess.pgn.Game:
    """A game as python-chess reads its standard PGN. `read` is what the game consists of, if the compiled part has
    read it."""
    try:
        import chess.pgn
    except ImportError as error:
        message = "to_chess() needs python-chess: pip install chess"
        raise ImportError(message) from error
    if read is not None:
        return build(*read)
    found = chess.pgn.read_game(io.StringIO(game.standard_pgn)) or chess.pgn.Game()
    moves = [chess.Move.from_uci(move) for move in game.moves]
    if list(islice(found.mainline_moves(), len(moves))) != moves:
        # For example, python-chess loses the main line after an illegal move in a variation.
        rebuilt = chess.pgn.Game(found.headers)
        add(rebuilt, game._movetext, moves, rebuilt)
        return rebuilt
    return found


def add(node: chess.pgn.GameNode, line: Variation, moves: list[chess.Move], game: chess.pgn.Game) -> None:
    """Adds a line to the node before it. Its first moves are `moves`; of those that are written, the others are added
    up to the first that is not legal, which is added to the errors of the game."""
    import chess.pgn

    comments: dict[int, list[str]] = {}
    for ply, comment in line.comments:
        comments.setdefault(ply, []).append(comment)
    nodes, starting_comment = [node], " ".join(comments.get(line.plies, []))
    if not game.variations:
        game.comment, starting_comment = starting_comment, ""
    try:
        for number, san in enumerate(line.san):
            move = moves[number] if number < len(moves) else node.board().parse_san(san)
            node = node.add_variation(move, starting_comment=starting_comment)
            starting_comment = ""
            node.comment = " ".join(comments.get(line.plies + number + 1, []))
            nodes.append(node)
    except ValueError as error:
        game.errors.append(error)
    for ply, glyph in line.glyphs:
        if ply - line.plies < len(nodes):
            nodes[ply - line.plies].nags.add(glyph)
    for variation in line.variations:
        if variation.plies - line.plies < len(nodes):
            add(nodes[variation.plies - line.plies], variation, [], game)


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
