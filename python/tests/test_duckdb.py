"""Does a view of DuckDB return what it returns for the table, with columns and filters pushed down?"""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from conftest import ODD

import ign_archive as ign

QUERIES = [
    "SELECT count(*) FROM games",
    "SELECT * FROM games ORDER BY number",
    "SELECT number, White FROM games WHERE WhiteElo > 2000 ORDER BY number",
    "SELECT number FROM games WHERE White = 'Ann' AND Result IN ('1-0', '0-1') ORDER BY number",
    "SELECT number FROM games WHERE White LIKE 'A%' ORDER BY number",
    "SELECT number FROM games WHERE UTCDate BETWEEN DATE '2013-03-01' AND DATE '2013-05-01' ORDER BY number",
    "SELECT number FROM games WHERE WhiteElo IS NULL OR BlackElo IS NULL ORDER BY number",
    "SELECT number FROM games WHERE NOT (BlackElo > 1500) ORDER BY number",
    "SELECT White, avg(plies), max(BlackElo) FROM games GROUP BY White ORDER BY White",
    "SELECT number, moves[1], len(moves) FROM games WHERE plies >= 30 ORDER BY number",
    "SELECT number FROM games WHERE number BETWEEN 100 AND 120 ORDER BY number",
    "SELECT a.number FROM games a JOIN games b ON a.White = b.Black AND b.number = 7 ORDER BY a.number",
    "SELECT number FROM games WHERE White = 'Dée' ORDER BY number LIMIT 5",
    "SELECT number FROM games WHERE CAST(UTCTime AS TIME) > TIME '12:00:00' ORDER BY number",
]


@pytest.fixture(scope="module")
def archive(generated: Path, odd: ign.Archive) -> ign.Archive:
    return ign.open([str(generated), odd.paths[0]])


@pytest.mark.parametrize("query", QUERIES)
def test_queries_return_what_they_return_for_the_table(archive: ign.Archive, query: str) -> None:
    with duckdb.connect() as connection:
        games = pa.table(archive.scan(move_dictionary=False))
        connection.register("games", games)
        expected = connection.sql(query).fetchall()
    with duckdb.connect() as connection:
        ign.register(connection, "games", archive)
        assert connection.sql(query).fetchall() == expected
    assert expected


def test_filters_and_columns_are_pushed_down(archive: ign.Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    from ign_archive import _polars

    original = _polars._scan

    def spy(archive, columns, conditions, *others):
        calls.append((columns, conditions))
        return original(archive, columns, conditions, *others)

    monkeypatch.setattr(_polars, "_scan", spy)
    with duckdb.connect() as connection:
        ign.register(connection, "games", archive)
        calls.clear()
        connection.sql("SELECT ECO FROM games WHERE WhiteElo > 2000 AND White = 'Ann'").fetchall()
    columns, conditions = calls[-1]
    assert set(columns) == {"ECO", "WhiteElo", "White"}
    assert conditions == {"white_elo": (2001, 9999), "white": "Ann"}
    with duckdb.connect() as connection:
        ign.register(connection, "games", archive)
        connection.sql("SELECT count(*) FROM games WHERE Result IN ('1-0', '0-1')").fetchall()
    assert calls[-1][1] == {"result": ["1-0", "0-1"]}


def test_patterns_and_columns_are_those_of_a_frame(tmp_path: Path) -> None:
    for name in ["a", "b"]:
        (tmp_path / f"{name}.pgn").write_text(ODD)
        ign.pack(tmp_path / f"{name}.pgn", tmp_path / f"{name}.ign")
    with duckdb.connect() as connection:
        ign.register(connection, "games", tmp_path / "*.ign", columns=["White", "tag:SetUp"])
        assert connection.sql('SELECT count("tag:SetUp"), count(*) FROM games').fetchall() == [(4, 10)]
        with pytest.raises(FileNotFoundError):
            ign.register(connection, "games", tmp_path / "*.nothing")
        with pytest.raises(ign.UsageError):
            ign.register(connection, "games", tmp_path / "a.ign", columns=["nonsense"])


def test_damage_is_an_error_of_the_query(generated: Path, tmp_path: Path) -> None:
    content = bytearray(generated.read_bytes())
    content[len(content) // 2] ^= 1
    damaged = tmp_path / "damaged.ign"
    damaged.write_bytes(content)
    with duckdb.connect() as connection:
        ign.register(connection, "games", damaged)
        with pytest.raises(duckdb.Error, match="damaged.ign"):
            connection.sql("SELECT * FROM games").fetchall()
        scan = ign.open(damaged).scan()  # noqa: F841
        with pytest.raises(duckdb.Error, match="damaged.ign"):
            connection.sql("SELECT * FROM scan").fetchall()
        assert connection.sql("SELECT 1").fetchall() == [(1,)]
