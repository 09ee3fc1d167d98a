"""What is packed: files, texts, file objects and games."""

from __future__ import annotations

import errno
import itertools
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeAlias

from ign_archive._native import Game
from ign_archive._paths import Path, expand
from ign_archive.errors import _make, _usage


class Readable(Protocol):
    """A file object, of bytes or of text."""

    def read(self, size: int, /) -> bytes | str: ...


#: A game as Game, as one of python-chess (`chess.pgn.Game`), or as its text.
AnyGame: TypeAlias = Any
#: What `pack` takes: in it a str is a path.
Inputs: TypeAlias = "Path | bytes | bytearray | memoryview | Readable | Iterable[Any]"
#: What the compiled part takes.
Native: TypeAlias = "str | tuple[str, bytes] | tuple[str, Iterator[bytes]]"

#: Bytes or characters that are read at a time.
PIECE = 1 << 20
#: Bytes of games that are collected before they are handed on.
COLLECTED = 1 << 16
_BYTES = (bytes, bytearray, memoryview)


def inputs(files: Inputs) -> list[Native]:
    """The inputs of `pack`. A path or a pattern is its files, bytes are a text, and games that follow each other are
    one text.

    Raises:
        MissingFileError: No file matches a pattern.
        UsageError: Nothing is named, or something cannot be packed.
    """
    if isinstance(files, (str, os.PathLike)):
        return _files(files)
    if isinstance(files, _BYTES) or hasattr(files, "read") or _is_game(files):
        files = [files]
    try:
        items = iter(files)
    except TypeError:
        raise _wrong(files) from None
    found: list[Native] = []
    for item in items:
        if isinstance(item, (str, os.PathLike)):
            found.extend(_files(item))
        elif isinstance(item, _BYTES):
            found.append(("", bytes(item)))
        elif hasattr(item, "read"):
            found.append((_name(item), _read(item)))
        elif _is_game(item):
            # Only their kind tells where games end, so what follows them is a game too.
            found.append(("", _joined(itertools.chain([item], items), _game_text)))
            break
        else:
            raise _wrong(item)
    if not found:
        raise _usage("nothing is packed", "give a path, a list of paths, bytes, a file object or games")
    return found


def texts(text: str | bytes | Iterable[AnyGame]) -> list[Native]:
    """The input of `pack_text`: a text, or one of games."""
    if isinstance(text, str):
        return [("", text.encode(errors="surrogateescape"))]
    if isinstance(text, _BYTES):
        return [("", bytes(text))]
    try:
        items = iter([text] if _is_game(text) else text)
    except TypeError:
        raise _wrong(text) from None
    return [("", _joined(items, _text))]


def _files(path: Path) -> list[Native]:
    """The files of a path or a pattern."""
    if isinstance(path, str) and "\n" in path and not os.path.exists(path):
        message, remedy = "a text is not the path of a file", "pack_text packs texts"
        fields = {"message": message, "file": path, "remedy": remedy}
        raise _make("FileError", f"{message} ({remedy})", errno.ENOENT, fields)
    return list(expand(path))


def _is_game(value: object) -> bool:
    """Whether a value is a game. Without python-chess it is none of python-chess."""
    if isinstance(value, Game):
        return True
    module = sys.modules.get("chess.pgn")
    return module is not None and isinstance(value, module.GameNode)


def _name(file: Any) -> str:
    """The name that the archive stores for a file object."""
    name = getattr(file, "name", None)
    return os.path.basename(name) if isinstance(name, str) else ""


def _read(file: Readable) -> Iterator[bytes]:
    """The bytes of a file object from where it is; text as UTF-8."""
    while piece := file.read(PIECE):
        yield piece.encode(errors="surrogateescape") if isinstance(piece, str) else bytes(piece)


def _game_text(game: AnyGame) -> bytes:
    """The text of a game. That of another program ends with an empty line."""
    if isinstance(game, Game):
        return game.pgn_bytes
    if _is_game(game):
        return _ended(f"{game.game()}".encode(errors="surrogateescape"))
    raise _wrong(game)


def _text(game: AnyGame) -> bytes:
    """As `_game_text`; a str, or bytes, is the text of a game."""
    if isinstance(game, str):
        return _ended(game.encode(errors="surrogateescape"))
    if isinstance(game, _BYTES):
        return _ended(bytes(game))
    return _game_text(game)


def _ended(text: bytes) -> bytes:
    """A text with an empty line at its end, so that the next game begins a game."""
    if not text or text.endswith((b"\n\n", b"\n\r\n")):
        return text
    return text + (b"\n" if text.endswith(b"\n") else b"\n\n")


def _joined(games: Iterable[AnyGame], text: Any) -> Iterator[bytes]:
    """The texts of games, one after the other, many at a time. A game that does not end a line, as the last one of
    an archive may, is followed by an empty line if another one follows."""
    collected = bytearray()
    ends_line = True
    for game in games:
        written = text(game)
        if not written:
            continue
        if not ends_line:
            collected += b"\n\n"
        collected += written
        ends_line = written.endswith(b"\n")
        if len(collected) >= COLLECTED:
            yield bytes(collected)
            collected.clear()
    if collected:
        yield bytes(collected)


def _wrong(value: object) -> Exception:
    message = f"a value of type {type(value).__name__} cannot be packed"
    return _usage(message, "give paths, bytes, file objects, or games; pack_text takes texts")

