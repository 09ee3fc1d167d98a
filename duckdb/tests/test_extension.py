"""Does `read_ign` of the extension return what a scan of the Python package returns?

`make duckdb-test` builds the extension and runs this.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

import ign_archive as ign

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


def test_rows_are_in_the_order_of_the_games(folder: Path, connection: duckdb.DuckDBPyConnection) -> None:
    found = connection.sql(f"SELECT number FROM read_ign('{folder}/*.ign')").fetchall()
    assert [number for (number,) in found] == list(range(1, len(found) + 1)) and len(found) > 2000


def test_a_query_that_is_not_read_to_its_end_does_not_block_others(
    folder: Path, connection: duckdb.DuckDBPyConnection
) -> None:
    stream = connection.execute(f"SELECT * FROM read_ign_positions('{folder}/a.ign')")
    assert stream.fetchone() is not None
    assert connection.cursor().sql("SELECT 1").fetchall() == [(1,)]


#: Queries of the table of positions, and the same of `read_ign_positions`.
POSITION_QUERIES = [
    "SELECT count(*) FROM {positions}",
    "SELECT * FROM {positions} WHERE ply = 20 ORDER BY game",
    "SELECT game, ply, fen, move FROM {positions} WHERE halfmoves > 12 ORDER BY game, ply",
    "SELECT result, count(*), avg(WhiteElo), max(clock) FROM {positions} GROUP BY result ORDER BY result",
    "SELECT sum(bit_count(white_pawns)) FROM {positions} WHERE NOT white_to_move",
]


@pytest.mark.parametrize("query", POSITION_QUERIES)
def test_positions_are_those_of_a_scan(folder: Path, connection: duckdb.DuckDBPyConnection, query: str) -> None:
    archive = ign.open(folder / "*.ign")
    columns = [*archive.scan_positions().columns, "fen", "epd"]
    connection.register("positions", pa.table(archive.scan_positions(columns)))
    expected = connection.sql(query.format(positions="positions")).fetchall()
    relation = connection.sql(query.format(positions=f"read_ign_positions('{folder}/*.ign')"))
    assert relation.fetchall() == expected and expected


def test_types_of_positions_are_those_of_a_scan(folder: Path, connection: duckdb.DuckDBPyConnection) -> None:
    archive = ign.open(folder / "a.ign")
    columns = [*archive.scan_positions().columns, "fen", "epd"]
    connection.register("positions", pa.table(archive.scan_positions(columns)))
    expected = connection.sql("DESCRIBE positions").fetchall()
    found = connection.sql(f"DESCRIBE SELECT * FROM read_ign_positions('{folder}/a.ign')").fetchall()
    assert sorted(row[:2] for row in found) == sorted(row[:2] for row in expected)


def test_parameters_choose_positions(folder: Path, connection: duckdb.DuckDBPyConnection) -> None:
    archive = ign.open(folder / "a.ign")
    chosen = {"min_ply": 10, "max_ply": 30, "every_nth": 4, "final_positions": True}
    expected = pa.table(archive.scan_positions(["game", "ply"], where={"elo": (1800, None)}, **chosen))
    arguments = ", ".join(f"{name} := {value}" for name, value in chosen.items())
    query = f"SELECT game, ply FROM read_ign_positions('{folder}/a.ign', elo := '1800..', {arguments})"
    found = connection.sql(query).fetchall()
    assert found == [tuple(row.values()) for row in expected.to_pylist()] and len(found) > 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("every_nth := 0", "every"),
        ("min_ply := -1", "min_ply: -1 is out of range"),
        ("min_ply := 4294967296", "out of range"),
        ("min_ply := 'many'", "many"),
        ("elo := 'high'", "elo"),
    ],
)
def test_wrong_choices_of_positions_are_errors(
    folder: Path, connection: duckdb.DuckDBPyConnection, arguments: str, message: str
) -> None:
    with pytest.raises(duckdb.Error, match=message):
        connection.sql(f"SELECT count(*) FROM read_ign_positions('{folder}/a.ign', {arguments})").fetchall()


def test_filters_of_a_view_are_conditions_of_a_search(
    folder: Path, connection: duckdb.DuckDBPyConnection
) -> None:
    ign.register(connection, "games", folder / "a.ign")
    plan = connection.sql("EXPLAIN SELECT ECO FROM games WHERE WhiteElo > 2000").fetchall()[0][1]
    assert '"WhiteElo" > 2000' in plan and "─ Filter" not in plan
