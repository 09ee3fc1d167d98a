"""Archives as views of DuckDB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ign_archive._native import Archive
from ign_archive._paths import Path, Paths
from ign_archive._polars import scan_polars

if TYPE_CHECKING:
    import duckdb


def register(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    archive: Archive | Paths,
    *,
    columns: list[str] | None = None,
    index: Path | None = None,
    threads: int | None = None,
) -> None:
    """Makes the games of archives a view of a DuckDB connection, a row for each game.

    DuckDB reads a Polars LazyFrame. It passes the columns of a query to the frame, and the filters that compare
    a column with a constant; the frame applies them as `scan_polars` describes. The columns of the remaining
    games are in memory before DuckDB continues. A result that does not fit into memory needs a `Scan`, which
    DuckDB reads as a stream: all its columns, without filters.

    Args:
        connection: The connection: `duckdb.connect()`.
        name: The name of the view.
        archive: An open archive, or what `open` takes.
        columns: The columns of the view. By default all; "tag:NAME" is any other tag.
        index: As for `open`.
        threads: As for `open`.

    Raises:
        ImportError: Polars or pyarrow, through which DuckDB reads, is not installed.
        UsageError: There is no such column.
        FileNotFoundError: There is no such file.

    Example:
        >>> con = duckdb.connect()
        >>> ign.register(con, "games", "games.ign")
        >>> con.sql("SELECT count(*) FROM games WHERE WhiteElo > 2000").fetchall()
        [(135,)]
    """
    try:
        import pyarrow  # type: ignore[import-untyped]  # noqa: F401
    except ImportError as error:
        message = "register() needs Polars and pyarrow: pip install polars pyarrow"
        raise ImportError(message) from error
    # DuckDB pushes filters of text down for String only.
    frame = scan_polars(archive, columns=columns, index=index, threads=threads)
    connection.register(name, frame)
