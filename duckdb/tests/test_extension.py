"""Does `read_ign` of the extension return what a scan of the Python package returns?

`make duckdb` builds the extension and runs this. IGN_EXTENSION is its path.
"""

from __future__ import annotations

import os
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

import ign_archive as ign

ODD = b"""[Event "D\xe9j\xe0"]
[White "?"]
[WhiteElo "?"]
[Date "????.??.??"]
[Event "again"]

1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:59.5] [%eval #-3]} 2. Qh9 *

"""

#: Queries of the table, and the same of `read_ign`.
QUERIES = [
    "SELECT count(*) FROM {games}",
    "SELECT * FROM {games} ORDER BY number",
    "SELECT number, White FROM {games} WHERE WhiteElo > 2000 ORDER BY number",
    "SELECT White, avg(plies), max(BlackElo) FROM {games} GROUP BY White ORDER BY White",
    "SELECT number, moves[1], len(moves), clocks[2], mates FROM {games} WHERE plies >= 2 ORDER BY number",
    "SELECT a.number FROM {games} a JOIN {games} b ON a.White = b.Black AND b.number = 7 ORDER BY a.number",
    "SELECT sum(WhiteElo), min(UTCDate), max(UTCTime) FROM {games}",
]


@pytest.fixture(scope="module")
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


@pytest.mark.parametrize("query", QUERIES)
def test_queries_return_what_they_return_for_a_scan(
    folder: Path, connection: duckdb.DuckDBPyConnection, query: str
) -> None:
    scan = ign.open(folder / "*.ign").scan(move_dictionary=False)
    connection.register("games", pa.table(scan))
    expected = connection.sql(query.format(games="games")).fetchall()
    found = connection.sql(query.format(games=f"read_ign('{folder}/*.ign')")).fetchall()
    assert found == expected and expected


def test_the_columns_are_those_of_a_scan(folder: Path, connection: duckdb.DuckDBPyConnection) -> None:
    relation = connection.sql(f"SELECT * FROM read_ign('{folder}/a.ign')")
    assert relation.columns == ign.open(folder / "a.ign").scan().columns


@pytest.mark.parametrize("indexed", [False, True])
def test_parameters_are_conditions(folder: Path, connection: duckdb.DuckDBPyConnection, indexed: bool) -> None:
    if indexed:
        ign.index(folder / "a.ign")
    archives = ign.open(folder / "*.ign")
    conditions = {"elo": "1800..", "speed": "blitz,rapid", "opening": "1. e4", "plies": "40.."}
    expected = [game.number for game in archives.find(**conditions)]
    arguments = ", ".join(f"{name} := '{text}'" for name, text in conditions.items())
    found = connection.sql(f"SELECT number FROM read_ign('{folder}/*.ign', {arguments})").fetchall()
    assert [number for (number,) in found] == expected and 0 < len(expected) < 1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("'missing.ign'", "missing.ign"),
        ("'missing-*.ign'", "no file matches"),
        ("'{folder}/a.pgn'", "a.pgn"),
        ("'{folder}/cut.ign'", "cut.ign"),
        ("NULL", "path of an archive"),
        ("'{folder}/a.ign', elo := 'high'", "elo"),
        ("'{folder}/a.ign', position := 'no position'", "position"),
        ("'{folder}/a.ign', rating := '2000'", "rating"),
        ("", "read_ign"),
    ],
)
def test_errors_are_those_of_a_query(
    folder: Path, connection: duckdb.DuckDBPyConnection, arguments: str, message: str
) -> None:
    archive = (folder / "a.ign").read_bytes()
    (folder / "cut.ign").write_bytes(archive[: len(archive) // 2])
    with pytest.raises(duckdb.Error, match=message):
        connection.sql(f"SELECT * FROM read_ign({arguments.format(folder=folder)})").fetchall()
    (folder / "cut.ign").unlink()
    assert connection.sql(f"SELECT count(*) FROM read_ign('{folder}/a.ign')").fetchall() == [(2000,)]


def test_a_damaged_block_is_an_error_of_the_query(folder: Path, connection: duckdb.DuckDBPyConnection) -> None:
    archive = bytearray((folder / "a.ign").read_bytes())
    archive[len(archive) // 2] ^= 1
    damaged = folder / "damaged"
    damaged.write_bytes(archive)
    with pytest.raises(duckdb.Error, match="damaged"):
        connection.sql(f"SELECT * FROM read_ign('{damaged}')").fetchall()


def test_a_limit_ends_the_scan(folder: Path, connection: duckdb.DuckDBPyConnection) -> None:
    found = connection.sql(f"SELECT number FROM read_ign('{folder}/a.ign') LIMIT 3").fetchall()
    assert found == [(1,), (2,), (3,)]
