"""Do Polars, pyarrow, pandas and DuckDB read the same table?"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ign_archive as ign


def plain(value: Any) -> Any:
    """A value of any of the libraries as one of Python."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (np.ndarray, list)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return None
    return value.date() if isinstance(value, pd.Timestamp) else value


@pytest.mark.parametrize("dictionary", [True, False])
def test_all_read_the_same_rows(generated: Path, odd: ign.Archive, dictionary: bool) -> None:
    archive = ign.open([str(generated), odd.paths[0]])
    scan = archive.scan(categorical=dictionary, move_dictionary=dictionary)
    expected = [tuple(row.values()) for row in pa.table(scan).to_pylist()]
    assert len(expected) == 405

    # Polars 2 makes a Series of structs of anything but objects of pyarrow.
    frame = pl.from_arrow(scan)
    assert (frame.struct.unnest() if isinstance(frame, pl.Series) else frame).rows() == expected
    assert pl.DataFrame(scan).rows() == expected
    assert duckdb.sql("SELECT * FROM scan").fetchall() == expected
    frame = pd.DataFrame.from_arrow(scan)
    assert list(frame.columns) == scan.columns
    rows = [tuple(plain(value) for value in row) for row in frame.itertuples(index=False, name=None)]
    assert rows == expected


def test_pandas_reads_a_scan_through_pyarrow(generated: Path) -> None:
    archive = ign.open(generated)
    scan = archive.scan(["number", "White", "WhiteElo", "moves"], categorical=True)
    frame = pa.table(scan).to_pandas()
    assert list(frame["White"]) == [game.tag("White") for game in archive]
    assert [list(moves) for moves in frame["moves"]] == [game.moves for game in archive]
    assert frame["White"].dtype == "category"
    plain = pa.table(archive.scan(["White"])).to_pandas()
    assert plain["White"].str.startswith("A").sum() == len(archive.find(white="A*"))


def test_sums_and_products_of_ratings_do_not_overflow(generated: Path) -> None:
    archive = ign.open(generated)
    ratings = [int(game.tag("WhiteElo")) for game in archive]
    column = pa.table(archive.scan(["WhiteElo"]))["WhiteElo"].to_numpy()
    assert column.cumsum(dtype=column.dtype)[-1] == sum(ratings) > 2**15
    frame = pl.DataFrame(archive.scan(["WhiteElo"]))
    product = frame.select(pl.col("WhiteElo") * 100)["WhiteElo"]
    assert product.to_list() == [100 * rating for rating in ratings]


def test_duckdb_reads_a_scan_as_often_as_a_query_names_it(generated: Path) -> None:
    scan = ign.open(generated).scan(["number", "White"])  # noqa: F841
    query = "SELECT count(*) FROM scan a JOIN scan b ON a.number = b.number WHERE a.White = 'Ann'"
    assert duckdb.sql(query).fetchall() == [(len(ign.open(generated).find(white="Ann")),)]
