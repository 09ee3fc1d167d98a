"""What notebooks show of archives, games, trees and counts."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ign_archive._native import Archive, CountTable, Game
    from ign_archive.types import Tree

#: The width of a board, in pixels.
BOARD = 280
#: The colors of light and dark squares, and of those of the last move.
SQUARES = ("#f0d9b5", "#b58863")
MARKED = ("#cdd26a", "#aaa23a")
#: The filled signs of pieces, as text and not as pictures.
PIECES = {symbol: sign + "\ufe0e" for symbol, sign in zip("kqrbnp", "♚♛♜♝♞♟", strict=True)}
#: The moves of a tree that are shown.
MOVES = 20
#: The rows of a table of numbers of games that are shown.
ROWS = 50


def archive(shown: Archive) -> str:
    """An archive as a table of facts."""
    if shown.closed:
        return f"<pre>{escape(repr(shown))}</pre>"
    blocks, paths = shown.blocks, shown.paths
    files = paths[0] if len(paths) == 1 else f"{len(paths):,} archives, {paths[0]} to {paths[-1]}"
    facts = [
        ("archive", files),
        ("games", f"{len(shown):,}"),
        ("plies", f"{shown.plies:,}"),
        ("bytes of text", f"{sum(block.text_bytes for block in blocks):,}"),
        ("bytes of blocks", f"{sum(block.archive_bytes for block in blocks):,}"),
        ("blocks", f"{len(blocks):,}"),
    ]
    return _table([], facts)


def game(shown: Game) -> str:
    """A game: its last position, its tags and its moves."""
    tags = _table([], shown.tags.items())
    moves = f"<p style='max-width: 60em'>{escape(_moves(shown))}</p>"
    return f"<div style='display: flex; gap: 1em; align-items: start'>{_last_board(shown)}{tags}</div>{moves}"


def tree(shown: Tree) -> str:
    """A tree as a board with a table of moves."""
    head = ["move", "games", "White wins", "draws", "Black wins", "rating", "opening"]

    def row(move: str, node: Tree | object) -> list[object]:
        games, white, draws, black = (getattr(node, name) for name in ["games", "white", "draws", "black"])
        decided = white + draws + black
        shares = [f"{count / decided:.0%}" if decided else "" for count in (white, draws, black)]
        opening = " ".join(getattr(node, "opening") or ())
        rating = getattr(node, "average_rating")
        return [move, f"{games:,}", *shares, "" if rating is None else rating, opening]

    rows = [row(move.san, move) for move in shown.moves[:MOVES]]
    caption = f"<p>{escape(shown.fen)}</p>"
    table = _table(head, [*rows, row("all", shown)])
    board = _board(shown.fen.split()[0])
    return f"{caption}<div style='display: flex; gap: 1em; align-items: start'>{board}{table}</div>"


def counts(shown: CountTable) -> str:
    """A table of numbers of games."""

    def cells(row: dict[str, int | str | None]) -> list[object]:
        values = ["–" if row[key] is None else row[key] for key in shown.keys]
        return [*values, f"{row['games']:,}", f"{row['games'] / shown.games:.1%}"]

    rest = len(shown) - ROWS
    more = f"<p>{rest:,} more rows</p>" if rest > 0 else ""
    return _table([*shown.keys, "games", "share"], map(cells, shown[:ROWS])) + more


def _table(head: list[str], rows: Iterable[Iterable[object]]) -> str:
    def line(values: Iterable[object], cell: str) -> str:
        cells = (f"<{cell} style='text-align: left'>{escape(str(value))}</{cell}>" for value in values)
        return f"<tr>{''.join(cells)}</tr>"

    lines = [line(head, "th")] if head else []
    return f"<table>{''.join(lines + [line(row, 'td') for row in rows])}</table>"


def _moves(shown: Game) -> str:
    """The moves with their numbers; the text of a game that has none."""
    moves = shown.san
    if not moves:
        return shown.pgn
    fen = shown.tag("FEN", "").split()
    first = int(fen[5]) if len(fen) > 5 and fen[5].isdecimal() else 1
    black = int(len(fen) > 1 and fen[1] == "b")
    words = ["…" if black else ""][:black]
    for place, san in enumerate(moves, black):
        words.append(san if place % 2 else f"{first + place // 2}. {san}")
    if black:
        words[:1] = [f"{first}. …"]
    return " ".join([*words, shown.result or "*"])


def _last_board(shown: Game) -> str:
    """The last position as a drawing; nothing for games without moves."""
    squares = shown._last_board
    moves = shown.moves
    return "" if squares is None else _board(squares, moves[-1] if moves else "")


def _board(squares: str, last_move: str = "") -> str:
    """The pieces of a FEN as an inline SVG, with the squares of a move in UCI notation marked."""
    marked = {last_move[:2], last_move[2:4]}
    drawn = []
    for row, rank in enumerate(squares.replace("~", "").split("[")[0].split("/")[:8]):
        column = 0
        for symbol in rank:
            if symbol.isdecimal():
                column += int(symbol)
            elif symbol.lower() in PIECES:
                drawn.append((row, column, symbol))
                column += 1
    lines = []
    for row in range(8):
        for column in range(8):
            name = "abcdefgh"[column] + str(8 - row)
            shade = MARKED if name in marked else SQUARES
            lines.append(f"<rect x='{column}' y='{row}' width='1' height='1' fill='{shade[(row + column) % 2]}'/>")
    for row, column, symbol in drawn:
        fill, edge = ("#fff", "#000") if symbol.isupper() else ("#000", "#fff")
        lines.append(
            f"<text x='{column + 0.5}' y='{row + 0.82}' font-size='0.9' text-anchor='middle' fill='{fill}' "
            f"stroke='{edge}' stroke-width='0.02'>{PIECES[symbol.lower()]}</text>"
        )
    return f"<svg viewBox='0 0 8 8' width='{BOARD}' height='{BOARD}'>{''.join(lines)}</svg>"
