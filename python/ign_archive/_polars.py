"""Archives as lazy frames of Polars.

Polars calls the source with the columns, the predicate and the number of rows of a query. The source decodes
only these columns. It converts the predicate to conditions of a search as far as possible (`_predicate.py`),
and applies the whole predicate to the rows that the search returns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from ign_archive._files import open
from ign_archive._native import Archive, Scan
from ign_archive._paths import Path, Paths
from ign_archive._predicate import pushed_down

if TYPE_CHECKING:
    import polars as pl

    from ign_archive._native import Conditions


def scan_polars(
    archive: Archive | Paths,
    *,
    columns: list[str] | None = None,
    categorical: bool = False,
    index: Path | None = None,
    threads: int | None = None,
) -> pl.LazyFrame:
    """The games of archives as a Polars LazyFrame, a row for each game.

    Only the columns that a query needs are decoded. The archive or its index is searched for these parts of a
    predicate: comparisons of ratings, plies, numbers and days (`UTCDate`) with constants, and texts that equal a
    constant or are in a list of constants. `head` reads no more games than it needs. The frame is read block by
    block.

    Args:
        archive: An open archive, or what `open` takes: a path, several, or a pattern.
        columns: The columns of the frame. By default all of `Scan`; "tag:NAME" is any other tag.
        categorical: Whether text columns are Categorical, which takes less time and memory where values
            repeat. By default they are String, which functions of text (`.str`) need. Moves are always lists of
            Categorical.
        index: As for `open`.
        threads: As for `open`.

    Raises:
        ImportError: Polars is not installed.
        UsageError: There is no such column.
        FileNotFoundError: There is no such file.

    Example:
        >>> games = ign.scan_polars("*.ign")
        >>> strong = games.filter(pl.col("WhiteElo") > 2000)
        >>> strong.group_by("ECO").agg(pl.len()).collect().height
        44
    """
    try:
        import polars as pl
        from polars.io.plugins import register_io_source
    except ImportError as error:
        message = "scan_polars() needs Polars 1.30 or later: pip install polars"
        raise ImportError(message) from error

    opened = archive if isinstance(archive, Archive) else open(archive, index=index, threads=threads)
    whole = opened.scan(columns, categorical=categorical)
    schema = pl.DataFrame(whole.empty()).schema

    def source(
        with_columns: list[str] | None,
        predicate: pl.Expr | None,
        n_rows: int | None,
        batch_size: int | None,
    ) -> Iterator[pl.DataFrame]:
        names = whole.columns if with_columns is None else with_columns
        found = pushed_down(predicate)
        first, last = found.numbers
        # The rows are cut before the predicate selects some of them, and each game is a row.
        numbers = (first, last if n_rows is None else min(last, n_rows))
        for batch in _scan(opened, names, found.conditions, numbers, categorical):
            frame = pl.DataFrame(batch)
            yield frame if predicate is None else frame.filter(predicate)

    return register_io_source(source, schema=schema, is_pure=True)


def _scan(
    archive: Archive,
    columns: list[str],
    conditions: dict[str, object],
    numbers: tuple[int, int],
    categorical: bool,
) -> Scan:
    """The scan of the games that meet the conditions and have a number in the range, both ends included."""
    first, last = max(1, numbers[0]), min(len(archive), numbers[1])
    if (first, last) == (1, len(archive)):
        wanted = cast("Conditions", conditions)
        return archive.scan(columns, where=wanted, categorical=categorical)
    games = archive[first : last + 1] if first <= last else archive.select([])
    if conditions:
        games = games.find(**conditions)  # type: ignore[arg-type]
    return archive.scan(columns, where=games, categorical=categorical)
