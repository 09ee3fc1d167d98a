"""Do errors name the file and say what to do?"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import ign_archive as ign

#: The header of an archive of format version 2, with its checksum (spec §2).
HEADER_2 = bytes.fromhex("5a2a4d180e00000069676e430200c89404fdb3e4c62f")


def load(spark: SparkSession, *paths: object, **options: object) -> None:
    names = [str(path) for path in paths]
    spark.read.format("ign").options(**options).load(names if len(names) > 1 else names[0]).count()


def test_files_that_are_no_archives(spark: SparkSession, archive: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.ign"
    empty.write_bytes(b"")
    newer = tmp_path / "newer.ign"
    newer.write_bytes(HEADER_2 + archive.read_bytes()[len(HEADER_2) :])
    folder = tmp_path / "folder"
    folder.mkdir()
    no_manifest = tmp_path / "other.json"
    no_manifest.write_text('{"format": "other"}')
    missing = tmp_path / "missing.ign"
    for path, message in [
        (missing, f"{missing}: "),
        (tmp_path / "missing-*.ign", "missing-*.ign: no file matches the pattern"),
        (folder, f"{folder}: the folder has no archives (name a folder with manifest.json or files *.ign)"),
        (empty, f"{empty}: not an ign archive"),
        (newer, f"{newer}: needs format version 2; this program reads up to version 1"),
        (no_manifest, f"{no_manifest}: is no manifest"),
    ]:
        with pytest.raises(Exception, match=re.escape(message)):
            load(spark, path)
        if path != folder:
            # It is not the first either.
            with pytest.raises(Exception, match=re.escape(message)):
                load(spark, archive, path)


def test_wrong_options(spark: SparkSession, archive: Path) -> None:
    for options, message in [
        ({"table": "moves"}, "there is no table 'moves'"),
        ({"columns": "Whit"}, "there is no column 'Whit'"),
        ({"nonsense": "1"}, "nonsense"),
        ({"white_elo": "strong"}, "strong"),
        ({"blocks": "0"}, "blocks is 0"),
        ({"games": "many"}, "games is 'many'"),
        ({"games": "1", "blocks": "1"}, "two sizes of a partition"),
        ({"min_ply": "3"}, "min_ply is about positions"),
        ({"has_clocks": "maybe"}, "has_clocks is 'maybe'"),
        ({"tags": "Round=3"}, "write regular expressions as JSON"),
        ({"exclude": "eco=B20"}, "write conditions as JSON"),
        ({"table": "positions", "every_nth": "0"}, "every_nth is 0"),
    ]:
        with pytest.raises(Exception, match=re.escape(message)):
            load(spark, archive, **options)
    with pytest.raises(Exception, match="other options are path, paths, table, columns"):
        load(spark, archive, nonsense="1")


def test_an_archive_that_changes_after_planning(spark: SparkSession, archive: Path, games: Path, tmp_path: Path) -> None:
    path = tmp_path / "changing.ign"
    path.write_bytes(archive.read_bytes())
    frame = spark.read.format("ign").option("columns", "number").load(str(path))
    frame.count()
    planned = frame.select("number")
    planned._jdf.queryExecution().executedPlan()
    ign.pack(games, path, coding="ign", overwrite=True)
    with pytest.raises(Exception, match=r"changing.ign: had \d+ games when the query was planned, and has 3000 now"):
        planned.collect()


def test_wrong_inputs_of_packing(spark: SparkSession, games: Path, archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(FileNotFoundError, match="missing.pgn"):
        ign.spark.pack(spark, [games, tmp_path / "missing.pgn"], out)
    with pytest.raises(ign.UsageError, match="half-0.ign: is an ign archive already"):
        ign.spark.pack(spark, archive, out)
    with pytest.raises(ign.UsageError, match="shards is 0"):
        ign.spark.pack(spark, games, out, shards=0)
    assert not out.exists()
    with pytest.raises(Exception, match="there is no coding 'best'"):
        ign.spark.pack(spark, games, out, coding="best")
    ign.spark.pack(spark, games, out, coding="ign")
    before = {path: path.stat().st_mtime_ns for path in out.iterdir()}
    with pytest.raises(ign.UsageError, match="out: the folder has archives or a manifest already"):
        ign.spark.pack(spark, games, out, coding="ign")
    assert {path: path.stat().st_mtime_ns for path in out.iterdir()} == before
    with pytest.raises(FileNotFoundError, match="manifest.json"):
        ign.spark.repack(spark, tmp_path)


def test_spark_is_needed_only_where_it_is_used() -> None:
    code = (
        "import sys; sys.modules['pyspark'] = None\n"
        "import ign_archive as ign\n"
        "assert 'ign_archive.spark' not in sys.modules\n"
        "assert callable(ign.spark.pack) and 'spark' in ign.__all__\n"
        "try: ign.spark.register(None)\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "ign.spark needs Spark 4.1 or later and pyarrow: pip install 'pyspark>=4.1' pyarrow\n"
