"""A connection with the extension, whose path is IGN_EXTENSION."""

from __future__ import annotations

import os
from pathlib import Path

import duckdb
import pytest

import ign_archive as ign

ODD = b"""[Event "D\xe9j\xe0"]
[White "?"]
[WhiteElo "?"]
[Date "????.??.??"]
[Event "again"]

1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:59.5] [%eval #-3]} 2. Qh9 *

"""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archives")
    ign.sample(folder / "a.pgn", games=2000, clocks=True)
    (folder / "b.pgn").write_bytes(ODD)
    for name in "ab":
        ign.pack(folder / f"{name}.pgn", folder / f"{name}.ign", coding="ign", block_size=131_072)
    return folder


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    connection.execute(f"LOAD '{os.environ['IGN_EXTENSION']}'")
    return connection
