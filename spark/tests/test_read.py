"""Is the table of Spark that of the archive, are filters pushed down, and are partitions ranges of blocks?"""

from __future__ import annotations

import datetime
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.datasource import EqualTo, GreaterThan, In, LessThanOrEqual, Not, StringStartsWith

import ign_archive as ign
from ign_archive.spark import _source
from ign_archive.spark._schema import spark_schema

COLUMNS = "number,White,Result,WhiteElo,BlackElo,UTCDate,UTCTime,ECO,plies,moves,clocks,tag:Event"


def load(spark: SparkSession, paths: str | list[str], **options: object) -> DataFrame:
    return spark.read.format("ign").options(**options).load(paths)  # type: ignore[arg-type]


def rows(frame: DataFrame, *keys: str) -> list[dict[str, object]]:
    """The rows as plain values, in the order of the keys."""
    found = [row.asDict(recursive=True) for row in frame.collect()]
    return sorted(found, key=lambda row: tuple(row[key] for key in keys))  # type: ignore[type-var]


def expected(scan: ign.Scan) -> list[dict[str, object]]:
    """The rows of a scan, with the values that Spark has for them."""
    table = pa.table(scan)
    for place, field in enumerate(table.schema):
        if field.type in (pa.uint64(), pa.time32("ms")):
            width = pa.int64() if field.type == pa.uint64() else pa.int32()
            column = pa.chunked_array([chunk.view(width) for chunk in table.column(place).chunks], width)
            table = table.set_column(place, field.name, column)
    return table.to_pylist()


@pytest.fixture(scope="module")
def opened(both: list[str]) -> ign.Archive:
    return ign.open(both)


def test_games_of_several_archives_are_those_of_a_scan(
    spark: SparkSession, both: list[str], opened: ign.Archive
) -> None:
    frame = load(spark, both, columns=COLUMNS)
    assert frame.schema == spark_schema(pa.schema(opened.scan(COLUMNS.split(","))))
    assert rows(frame, "number") == expected(opened.scan(COLUMNS.split(",")))


def test_all_columns_have_a_type(spark: SparkSession, archive: Path) -> None:
    frame = load(spark, str(archive))
    every = pa.schema(ign.open(archive).scan())
    assert frame.columns == every.names
    row = frame.where("number = 7").collect()[0]
    assert row.comments[0].text and row.other_tags is None and row.signature.startswith("A=")
    texts = load(spark, str(archive), columns="number,pgn,movetext").where("number = 7").collect()[0]
    assert texts.pgn == ign.open(archive)[7].pgn


def test_positions_are_those_of_a_scan(spark: SparkSession, both: list[str], opened: ign.Archive) -> None:
    every = load(spark, both, table="positions", min_ply=10, max_ply=12, every_nth=2)
    wanted = opened.scan_positions(min_ply=10, max_ply=12, every_nth=2)
    assert rows(every, "game", "ply") == expected(wanted)
    some = load(spark, both, table="positions", columns="game,ply,fen,black_rooks", final_positions="true")
    filtered = some.where("ply between 3 and 4 and game > 1490 and game <= 1510")
    assert rows(filtered, "game", "ply") == [
        row
        for row in expected(opened.scan_positions(["game", "ply", "fen", "black_rooks"], final_positions=True))
        if row["ply"] in (3, 4) and 1490 < row["game"] <= 1510  # type: ignore[operator]
    ]


FILTERS = [
    ("WhiteElo > 2000", {"white_elo": (2001, 9999)}),
    ("WhiteElo >= 1500 AND BlackElo < 1500", {"white_elo": (1500, 9999), "black_elo": (0, 1499)}),
    ("WhiteElo IN (1500, 1700)", {"white_elo": (1500, 1700)}),
    ("plies <= 30", {"plies": (0, 30)}),
    ("UTCDate = DATE '2013-01-01'", {"date": (datetime.date(2013, 1, 1), datetime.date(2013, 1, 1))}),
    ("White LIKE 'C%'", {"white": "C*"}),
    ("White = 'CheckSmith2013'", {"white": "CheckSmith2013"}),
    ("Result IN ('1-0', '0-1')", {"result": ["1-0", "0-1"]}),
    ("ECO = 'A40'", {"eco": "A40"}),
    ("number > 1490 AND number <= 1510", {}),
    ("number = 5000", {}),
    # These are left to Spark.
    ("WhiteElo <> 1500", {}),
    ("WhiteElo > 2000 OR BlackElo > 2000", {}),
    ("WhiteElo > BlackElo", {}),
    ("White LIKE '%s'", {}),
    ("size(moves) > 100", {}),
    ("BlackElo IS NULL", {}),
]


@pytest.mark.parametrize("place", range(len(FILTERS)))
def test_filters_keep_the_rows_that_spark_keeps(spark: SparkSession, both: list[str], place: int) -> None:
    frame = load(spark, both, columns=COLUMNS)
    whole = spark.createDataFrame(frame.collect(), frame.schema)
    condition, _ = FILTERS[place]
    assert rows(frame.where(condition), "number") == rows(whole.where(condition), "number")


def reader_of(both: list[str], **options: str) -> _source.Reader:
    source = _source.IgnDataSource({"paths": str(both).replace("'", '"'), **options})
    return source.reader(source.schema())


def test_filters_become_conditions_and_skip_blocks(both: list[str], opened: ign.Archive) -> None:
    reader = reader_of(both, columns="number,White")
    filters = [
        GreaterThan(("WhiteElo",), 2000),
        In(("White",), ("Ann", "Ben")),
        StringStartsWith(("Opening",), "Sicilian"),
        EqualTo(("Result",), "1-0"),
        Not(EqualTo(("Black",), "Ann")),
        EqualTo(("a", "b"), 1),
    ]
    assert list(reader.pushFilters(filters)) == filters
    assert reader.pushed.conditions == {
        "white_elo": (2001, 9999),
        "tags": {"White": "^(?:Ann|Ben)$"},
        "opening_name": "Sicilian*",
        "result": ["1-0"],
    }
    blocks = opened.blocks
    assert len(reader.partitions()) == len(blocks) > 8
    last = blocks[-1]
    reader.pushFilters([GreaterThan(("number",), last.first_game)])
    (partition,) = reader.partitions()
    assert partition.before + partition.first == last.first_game
    assert partition.path == both[1]
    reader.pushFilters([LessThanOrEqual(("number",), 3)])
    assert list(reader.read(reader.partitions()[0])) == []


def test_filters_of_positions_become_plies(both: list[str]) -> None:
    reader = reader_of(both, table="positions", min_ply="5")
    reader.pushFilters([GreaterThan(("ply",), 7), LessThanOrEqual(("ply",), 9), GreaterThan(("game",), 3)])
    assert reader._narrowed().positions == {"min_ply": 8, "max_ply": 9}
    assert reader.pushed.numbers[0] == 4 and reader.pushed.conditions == {}


def test_partitions_have_the_size_that_is_requested(both: list[str], opened: ign.Archive) -> None:
    per_archive = [sum(block.archive == place for block in opened.blocks) for place in range(2)]
    pairs = reader_of(both, blocks="2").partitions()
    assert len(pairs) == sum(-(-blocks // 2) for blocks in per_archive)
    assert len(reader_of(both, games="100000").partitions()) == 2
    for partitions in [pairs, reader_of(both, games="300").partitions()]:
        numbers = [n for p in partitions for n in range(p.before + p.first, p.before + p.last + 1)]
        assert numbers == list(range(1, len(opened) + 1))


def test_only_the_blocks_of_a_partition_are_read(both: list[str], tmp_path: Path) -> None:
    content = bytearray(Path(both[0]).read_bytes())
    blocks = ign.open(both[0]).blocks
    # All blocks but the first are damaged.
    for place in range(blocks[0].archive_bytes + 500, sum(block.archive_bytes for block in blocks), 97):
        content[place] ^= 1
    damaged = tmp_path / "damaged.ign"
    damaged.write_bytes(content)
    reader = reader_of([str(damaged)], columns="number,moves", white="*")
    first, *_, last = reader.partitions()
    assert sum(batch.num_rows for batch in reader.read(first)) == blocks[0].games
    with pytest.raises(ign.CorruptError, match="damaged.ign"):
        list(reader.read(last))


def test_conditions_are_options_and_indexes_are_used(
    spark: SparkSession, both: list[str], opened: ign.Archive, tmp_path: Path
) -> None:
    conditions = {"opening": "1. e4", "white_elo": "1500..", "has_clocks": "true", "tags": '{"Event": "Blitz"}'}
    conditions["exclude"] = '{"white": "Ann", "black_elo": "3000.."}'
    wanted = opened.find(
        opening="1. e4",
        white_elo=(1500, None),
        has_clocks=True,
        tags={"Event": "Blitz"},
        exclude={"white": "Ann", "black_elo": "3000.."},
    )
    frame = load(spark, both, columns="number", **conditions)
    assert [row["number"] for row in rows(frame, "number")] == list(wanted.numbers) != []
    for path in both:
        (tmp_path / Path(path).name).write_bytes(Path(path).read_bytes())
        ign.index(tmp_path / Path(path).name)
    indexed = load(spark, str(tmp_path), columns="number", **conditions)
    assert rows(indexed, "number") == rows(frame, "number")


def test_a_schema_chooses_columns(spark: SparkSession, archive: Path) -> None:
    frame = spark.read.format("ign").schema("BlackElo int, number bigint NOT NULL").load(str(archive))
    row = frame.where("number = 1").collect()[0]
    assert (row.number, row.BlackElo) == (1, int(ign.open(archive)[1].tags["BlackElo"]))
    with pytest.raises(Exception, match="the column BlackElo is of type int, not smallint"):
        spark.read.format("ign").schema("BlackElo smallint").load(str(archive)).collect()


def test_sql_over_games_and_positions(spark: SparkSession, both: list[str], opened: ign.Archive) -> None:
    load(spark, both, columns="UTCDate,ECO,WhiteElo,clocks").createOrReplaceTempView("games")
    by_month = spark.sql(
        "SELECT date_trunc('month', UTCDate) month, WhiteElo div 200 class, ECO, count(*) n FROM games"
        " WHERE WhiteElo IS NOT NULL GROUP BY ALL"
    )
    assert by_month.agg(F.sum("n")).collect()[0][0] == len(opened.find(white_elo=(1, None)))
    clocks = spark.sql(
        "SELECT ply, avg(seconds) mean FROM (SELECT posexplode(clocks) AS (ply, seconds) FROM games) GROUP BY ply"
    )
    means = {row["ply"]: row["mean"] for row in clocks.collect()}
    table = pa.table(opened.scan(["clocks"])).column(0).to_pylist()
    tens = [clocks[10] for clocks in table if clocks and len(clocks) > 10 and clocks[10] is not None]
    assert means[10] == pytest.approx(sum(tens) / len(tens))
    load(spark, both, table="positions", columns="epd,ply", max_ply=6).createOrReplaceTempView("positions")
    most = spark.sql("SELECT epd, count(*) n FROM positions WHERE ply = 2 GROUP BY epd ORDER BY n DESC, epd LIMIT 3")
    wanted = Counter(pa.table(opened.scan_positions(["epd"], min_ply=2, max_ply=2)).column(0).to_pylist())
    best = sorted(wanted.items(), key=lambda item: (-item[1], item[0]))[:3]
    assert [(row["epd"], row["n"]) for row in most.collect()] == best
