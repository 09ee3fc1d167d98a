"""Archives as tables of Apache Spark, and packing on a cluster.

    import ign_archive as ign

    ign.spark.register(spark)
    games = spark.read.format("ign").option("columns", "UTCDate,ECO,WhiteElo").load("archives/*.ign")
    games.where("WhiteElo > 2000").groupBy("ECO").count().show()

    ign.spark.pack(spark, "dumps/*.pgn.zst", "archives", shards=64)

Spark 4.1 or later, pyarrow and this package must be installed on the driver and on all workers, and the paths must
be those of files that all of them see: absolute, unless all run in the same folder. docs/cluster.md of the repository plans large collections.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ign_archive._paths import Path, Paths

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["pack", "register", "repack"]


def register(spark: SparkSession) -> None:
    """Makes `ign` a format of a session, and lets Spark push filters down to formats in Python.

    `spark.read.format("ign").load(path)` takes the path of an archive, a pattern, a manifest (see `pack`), a folder
    of archives, or a list of these. The games are numbered over all archives, in the order of the paths; those of a
    pattern or a folder are in the order of their names.

    | option | value |
    | --- | --- |
    | `table` | `games`, by default, or `positions` |
    | `columns` | the columns, separated by commas; by default all of `Scan` or `Archive.scan_positions` |
    | `blocks`, `games` | the blocks of a partition; or its least number of games. By default a partition is a block, \
or more if there would be more than 10,000 partitions |
    | `every_nth`, `min_ply`, `max_ply`, `final_positions`, `variants` | which positions, as for \
`Archive.scan_positions` |
    | `tags` | regular expressions by tag, as JSON |
    | `exclude` | conditions by name, as JSON; games that meet one of them are left out |
    | any other | a condition of `Archive.find` as the command writes it: `opening`, `position`, `date`, `speed`, … |

    Spark does not pass the columns of a query to formats in Python: a query decodes the columns of the table. Name
    them in the option `columns`, or give a schema with some of them. Spark does pass filters. Comparisons of
    `WhiteElo`, `BlackElo`, `plies`, `number` and `UTCDate` with constants, and texts that equal constants or, for
    names, start with one, become conditions of the search: games that do not meet them are not decoded, and blocks
    without such games are not read. For positions these are `WhiteElo`, `BlackElo`, `game` and `ply`.

    The types are those of `Scan` and `Archive.scan_positions`. Spark has no unsigned numbers: uint8 and uint16 are
    smallint and int, and uint64 is a bigint of the same bits. Text is string whatever its encoding. A time of day is
    an int, the milliseconds since midnight.

    Raises:
        ImportError: Spark 4.1 or later, or pyarrow, is not installed.
    """
    try:
        from ign_archive.spark._source import IgnDataSource
    except ImportError as error:
        message = "ign.spark needs Spark 4.1 or later and pyarrow: pip install 'pyspark>=4.1' pyarrow"
        raise ImportError(message) from error
    spark.dataSource.register(IgnDataSource)
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")


def pack(
    spark: SparkSession,
    inputs: Paths,
    out: Path,
    *,
    shards: int | None = None,
    coding: str = "weighted",
    level: int = 16,
    block_size: int | None = None,
    verify: bool = True,
) -> dict[str, Any]:
    """Packs PGN files, plain or compressed, on a cluster: into archives, the shards, and a manifest of them.

    The texts of the shards, in order, are those of the inputs, to the byte. `ign merge out/part-*.ign -o all.ign`
    joins them without decoding; `open`, `index` and `verify` take the manifest `out/manifest.json`.

    A task packs a shard, on one core. The shards depend on the arguments alone. Plain text is divided anywhere
    between games. Of a .zst file of independent frames, as pzstd and Lichess make them, each task reads its frames
    and the start of the one after them. Other compressed files, and collections of Go games, are not divided; a
    warning names them.

    A shard appears under its name when it is complete, and the manifest when all shards are. Tasks that are
    executed again change nothing. A run that fails leaves complete shards without a manifest. In an object store a
    task that is killed leaves an incomplete upload, which is no object; the store can remove it after some days.

    Args:
        spark: The session.
        inputs: Paths that all workers see, addresses, or a pattern.
        out: The folder of the shards, or its address: `s3://bucket/folder` or `gs://bucket/folder`, into which
            tasks copy the shards that they have packed in a temporary folder of their machine. It must not have
            archives.
        shards: Their number; by default one for each GiB of text. There are fewer if the inputs cannot be divided
            further.
        coding: As for `ign_archive.pack`, like `level`, `block_size` and `verify`.

    Returns:
        `manifest`, its path; `shards`; and `games`, `plies`, `text_bytes`, `archive_bytes` of all shards.

    Raises:
        FileNotFoundError: There is no such file.
        UsageError: `out` has archives, or an option has no such value.
    """
    import os

    from ign_archive.spark import _pack

    if shards is not None:
        _pack.count("shards", shards)
    options = {"coding": coding, "level": level, "block_size": block_size, "verify": verify}
    return _pack.pack(spark, inputs, os.fspath(out), shards, options)


def repack(spark: SparkSession, manifest: Path) -> list[str]:
    """Packs the shards of a manifest again that are missing or have another checksum, from the same inputs.

    Args:
        spark: The session.
        manifest: The path or address of the manifest, or of its folder.

    Returns:
        The paths of these shards.

    Raises:
        FileNotFoundError: There is no such manifest, or an input is missing.
        UsageError: An input has changed: the shard would be another one. It is left as it is.
    """
    import os

    from ign_archive.spark import _pack

    return _pack.repack(spark, os.fspath(manifest))
