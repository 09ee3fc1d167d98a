"""Chess game collections in small archives.

    import ign_archive as ign

    a = ign.open("jan.ign")
    game = a[1240]                    # games are numbered from 1
    print(game.tags["White"], game.moves)
    strong = a.find(white_elo=(2200, None), opening="1. e4 c5")

Archives are made by `pack`, or by the command `ign pack`. See README.md of the package.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ign_archive import functions
from ign_archive._duckdb import register
from ign_archive._files import (
    append,
    export,
    index,
    merge,
    open,
    pack,
    pack_text,
    parity,
    recover,
    sample,
    split,
    stats,
    transcode,
    unpack,
    verify,
)
from ign_archive._integers import decode, encode
from ign_archive._native import (
    Archive,
    Batch,
    CountTable,
    Game,
    GameList,
    Positions,
    Scan,
    __version__,
    duplicates,
    positions,
    traffic,
    uci_moves,
)
from ign_archive._polars import scan_polars
from ign_archive.errors import (
    CorruptError,
    FileError,
    IgnError,
    IgnWarning,
    MissingFileError,
    UnsupportedError,
    UsageError,
)
from ign_archive.types import Duplicates, Eval, Tree, TreeMove, Variation

if TYPE_CHECKING:
    from ign_archive import spark

__all__ = [
    "Archive",
    "Batch",
    "CorruptError",
    "CountTable",
    "Duplicates",
    "Eval",
    "FileError",
    "Game",
    "GameList",
    "IgnError",
    "IgnWarning",
    "MissingFileError",
    "Positions",
    "Scan",
    "Tree",
    "TreeMove",
    "UnsupportedError",
    "UsageError",
    "Variation",
    "__version__",
    "append",
    "decode",
    "duplicates",
    "encode",
    "export",
    "functions",
    "index",
    "merge",
    "open",
    "pack",
    "pack_text",
    "parity",
    "positions",
    "recover",
    "register",
    "sample",
    "scan_polars",
    "spark",
    "split",
    "stats",
    "traffic",
    "transcode",
    "uci_moves",
    "unpack",
    "verify",
]

Sequence.register(Archive)
Sequence.register(GameList)


def __getattr__(name: str) -> Any:
    """`spark` is imported when it is first used."""
    if name == "spark":
        import importlib

        return importlib.import_module("ign_archive.spark")
    raise AttributeError(f"module 'ign_archive' has no attribute '{name}'")
