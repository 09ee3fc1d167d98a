"""Do the examples of the documentation return what is shown?

A statement that is followed by a line `-- [...]` returns these rows.
"""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

import duckdb
import pytest

import ign_archive as ign

PAGE = Path(__file__).parents[2] / "docs" / "tables.md"
BLOCKS = re.findall(r"^```sql\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module", autouse=True)
def games(tmp_path_factory: pytest.TempPathFactory):
    """The folder of the examples (docs/README.md)."""
    folder = tmp_path_factory.mktemp("docs")
    ign.sample(folder / "games.pgn", games=5000, seed=1)
    ign.pack(folder / "games.pgn", folder / "games.ign")
    before = Path.cwd()
    os.chdir(folder)
    yield
    os.chdir(before)


def test_examples_return_what_is_shown(connection: duckdb.DuckDBPyConnection) -> None:
    compared = 0
    for block in BLOCKS:
        for statement, shown in re.findall(r"(.*?);\n(?:-- (\[[^\n]*\])\n)?", block, re.DOTALL):
            loads = statement.replace("target/duckdb/ign.duckdb_extension", os.environ["IGN_EXTENSION"])
            rows = connection.execute(loads).fetchall()
            if shown:
                assert rows == ast.literal_eval(shown), statement
                compared += 1
    assert len(BLOCKS) == 2 and compared == 6
