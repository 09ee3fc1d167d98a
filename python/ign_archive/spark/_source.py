"""The data source: archives as tables of Spark.

```text
driver: Options ─► archives opened ─► pushFilters ─► conditions ─► partitions: ranges of blocks
task:   Partition ─► its archive opened ─► games that meet the conditions ─► Arrow batches ─► Spark
```

The conditions may keep more rows than the filters, never fewer. Spark applies the filters to what they keep.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
from pyspark.sql import datasource as spark
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from ign_archive._manifest import wrong
from ign_archive._predicate import LAST_NUMBER, Pushed, compare, compare_with_all
from ign_archive.spark import _options
from ign_archive.spark._options import MOST_PARTITIONS, Options, open_for_task, usage
from ign_archive.spark._schema import converted, spark_schema
from ign_archive.types import Block

#: Filters that compare a column with a constant, by the names of `_predicate`.
COMPARISONS: dict[type, str] = {
    spark.EqualTo: "Eq",
    spark.GreaterThan: "Gt",
    spark.GreaterThanOrEqual: "GtEq",
    spark.LessThan: "Lt",
    spark.LessThanOrEqual: "LtEq",
}
#: Columns of positions that an archive can search for, with those of games.
OF_POSITIONS = {"game": "number", "WhiteElo": "WhiteElo", "BlackElo": "BlackElo"}


class IgnDataSource(spark.DataSource):
    """The format `ign`."""

    @classmethod
    def name(cls) -> str:
        """The name of the format."""
        return "ign"

    def schema(self) -> StructType:
        """The schema of the columns that the options name."""
        options = _options.read(self.options)
        archive = open_for_task(options.paths[0])
        _options.check(options.conditions, archive)
        scan = options.scan(archive, options.columns, None)
        return spark_schema(pa.schema(scan))

    def reader(self, schema: StructType) -> Reader:
        """A reader of the columns of a schema, which may be fewer than those of the options."""
        options = _options.read(self.options)
        archive = open_for_task(options.paths[0])
        _options.check(options.conditions, archive)
        columns = schema.fieldNames()
        for wanted, field in zip(schema, spark_schema(pa.schema(options.scan(archive, columns, None)))):
            if wanted.dataType != field.dataType:
                raise usage(
                    f"the column {field.name} is of type {field.dataType.simpleString()}, not "
                    f"{wanted.dataType.simpleString()}",
                    "write a schema with the types of the archive, or the option columns",
                )
        return Reader(options, schema)


class Partition(spark.InputPartition):
    """Some games of an archive: those of blocks, which are in order."""

    def __init__(self, path: str, blocks: list[Block], before: int, games: int) -> None:
        self.path = path
        #: The numbers of the first and the last game in the archive.
        self.first, self.last = blocks[0].first_game, blocks[-1].first_game + blocks[-1].games - 1
        #: The number of games in the archives before.
        self.before = before
        #: The number of games of the archive.
        self.games = games


class Reader(spark.DataSourceReader):
    """Reads the columns of a schema."""

    def __init__(self, options: Options, schema: StructType) -> None:
        self.options = options
        self.columns = schema.fieldNames()
        self.arrow = to_arrow_schema(schema, timezone="UTC")
        self.pushed = Pushed()
        #: The numbers are those of plies, plus one.
        self.plies = Pushed()

    def pushFilters(self, filters: list[spark.Filter]) -> list[spark.Filter]:
        """Adds what can be searched for to the conditions. Spark evaluates all filters again."""
        for condition in filters:
            self._push(condition)
        return filters

    def _push(self, condition: Any) -> None:
        """Adds a filter to the conditions, if it has one of the forms that are known."""
        column, *others = getattr(condition, "attribute", [""])
        op = COMPARISONS.get(type(condition))
        if others:
            return
        if self.options.table == "positions":
            if column == "ply" and op is not None:
                compare("number", op, condition.value + 1, self.plies)
            column = OF_POSITIONS.get(column, "")
        if op is not None:
            compare(column, op, condition.value, self.pushed)
        elif isinstance(condition, spark.In):
            compare_with_all(column, list(condition.value), self.pushed)
        elif isinstance(condition, spark.StringStartsWith):
            self.pushed.start(column, condition.value)

    def partitions(self) -> list[spark.InputPartition]:
        """Consecutive blocks of each archive, without those whose games are not wanted."""
        opened = [open_for_task(path) for path in self.options.paths]
        least = self.options.games
        blocks = self.options.blocks or -(-sum(len(archive.blocks) for archive in opened) // MOST_PARTITIONS)
        first, last = self.pushed.numbers
        found: list[Partition] = []
        before = 0
        for path, archive in zip(self.options.paths, opened):
            current: list[Block] = []
            for block in archive.blocks:
                if block.games == 0 or not _overlap((first - before, last - before), block):
                    continue
                games = sum(block.games for block in current)
                if current and (games >= least if least else len(current) == blocks):
                    found.append(Partition(path, current, before, len(archive)))
                    current = []
                current.append(block)
            if current:
                found.append(Partition(path, current, before, len(archive)))
            before += len(archive)
        return list(found) or [spark.InputPartition(None)]

    def read(self, partition: spark.InputPartition) -> Iterator[pa.RecordBatch]:
        """The batches of a partition."""
        if not isinstance(partition, Partition):
            return
        archive, before = open_for_task(partition.path), partition.before
        if len(archive) != partition.games:
            message = f"had {partition.games} games when the query was planned, and has {len(archive)} now"
            raise wrong("CorruptError", partition.path, message, "load it again")
        first, last = self.pushed.numbers
        first, last = max(partition.first, first - before), min(partition.last, last - before)
        games = archive[first : last + 1] if first <= last else archive.select([])
        for conditions in (self.options.conditions, self.pushed.conditions):
            if conditions:
                games = games.find(**conditions)
        if len(games) == 0:
            return
        for batch in self._narrowed().scan(archive, self.columns, games, before):
            yield converted(_numbered(pa.record_batch(batch), before), self.arrow)

    def _narrowed(self) -> Options:
        """The options with the range of plies that the filters allow."""
        first, last = (number - 1 for number in self.plies.numbers)
        positions = dict(self.options.positions)
        if first > 0:
            positions["min_ply"] = max(first, positions.get("min_ply", 0))
        if last < LAST_NUMBER - 1:
            positions["max_ply"] = max(0, min(last, positions.get("max_ply", last)))
        return replace(self.options, positions=positions)


def _overlap(numbers: tuple[int, int], block: Block) -> bool:
    """Whether a block has games with a number of a range, both ends included."""
    return block.first_game <= numbers[1] and numbers[0] < block.first_game + block.games


def _numbered(batch: pa.RecordBatch, before: int) -> pa.RecordBatch:
    """A batch of games with their numbers over all archives. A scan of positions has them."""
    place = batch.schema.get_field_index("number")
    if place < 0 or before == 0:
        return batch
    numbers = pc.add(batch.column(place), pa.scalar(before, pa.uint64()))
    return batch.set_column(place, batch.schema.field(place), numbers)
