"""Does a lazy frame return what Polars finds in the whole table, and read no more than it needs?"""

from __future__ import annotations

import datetime
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ign_archive as ign
from ign_archive._predicate import pushed_down

col = pl.col
DAY = datetime.date(2013, 4, 7)

#: Predicates, with the conditions that they become, or None where they become none.
PREDICATES: list[tuple[pl.Expr, dict[str, object] | None]] = [
    (col("WhiteElo") > 2000, {"white_elo": (2001, 9999)}),
    (2000 <= col("WhiteElo"), {"white_elo": (2000, 9999)}),
    (col("BlackElo") < 1500, {"black_elo": (0, 1499)}),
    (col("WhiteElo") == 2000, {"white_elo": (2000, 2000)}),
    (col("WhiteElo").is_between(1500, 1600), {"white_elo": (1500, 1600)}),
    (col("WhiteElo").is_between(1500, 1600, closed="none"), {"white_elo": (1501, 1599)}),
    (col("WhiteElo").is_in([1500, 1700, 2200]), {"white_elo": (1500, 2200)}),
    (
        (col("WhiteElo") > 1500) & (col("WhiteElo") <= 2000) & (col("White") == "Ann"),
        {"white_elo": (1501, 2000), "white": "Ann"},
    ),
    (col("plies") >= 30, {"plies": (30, 2**31 - 1)}),
    (col("White") == "O'Neil, X", {"white": "O'Neil, X"}),
    (col("White").is_in(["Ann", "Ben"]), {"tags": {"White": "^(?:Ann|Ben)$"}}),
    ((col("White") == "Ann") | (col("White") == "Cy"), {"tags": {"White": "^(?:Cy|Ann)$"}}),
    (col("Result").is_in(["1-0", "0-1"]), {"result": ["1-0", "0-1"]}),
    (col("Result") == "*", {"tags": {"Result": r"^(?:\*)$"}}),
    (col("UTCDate") >= DAY, {"date": (DAY, datetime.date.max)}),
    (col("UTCDate").is_between(DAY, datetime.date(2013, 6, 1)), {"date": (DAY, datetime.date(2013, 6, 1))}),
    (col("Round") == "?", {"tags": {"Round": "^(?:\\?)$"}}),
    (~(col("WhiteElo") > 2000), {"white_elo": (0, 2000)}),
    (col("ECO") == "B20", {"eco": "B20"}),
    # These are left to Polars.
    (col("White") == "Dée", None),
    (col("WhiteElo").is_null(), None),
    (col("BlackElo").is_not_null(), None),
    (col("WhiteElo") != 2000, None),
    (col("WhiteElo") > col("BlackElo"), None),
    ((col("WhiteElo") > 2000) | (col("BlackElo") > 2000), None),
    (col("Date") >= DAY, None),
    (col("White").cast(pl.String).str.contains("n"), None),
    (col("moves").list.len() > 20, None),
    (pl.lit(True), None),
]


@pytest.fixture(scope="module")
def whole(generated: Path) -> pl.DataFrame:
    return pl.DataFrame(ign.open(generated).scan())


@pytest.mark.parametrize("place", range(len(PREDICATES)))
def test_predicates_keep_the_rows_that_polars_keeps(searched: Path, whole: pl.DataFrame, place: int) -> None:
    predicate, _ = PREDICATES[place]
    lazy = ign.scan_polars(searched)
    assert_frame_equal(lazy.filter(predicate).collect(), whole.filter(predicate), categorical_as_str=True)
    some = ["number", "ECO", "BlackElo"]
    for cut in [
        lambda rows: rows.filter(predicate).select(some).head(7),
        lambda rows: rows.head(60).filter(predicate),
        lambda rows: rows.head(60).filter(predicate).head(7).select(some),
        lambda rows: rows.slice(50, 60).filter(predicate),
        lambda rows: rows.tail(60).filter(predicate).select(some),
        lambda rows: rows.filter(predicate).slice(3, 5).filter(col("plies") > 20),
        lambda rows: rows.head(0).filter(predicate),
        lambda rows: rows.head(10**6).filter(predicate),
    ]:
        assert_frame_equal(cut(lazy).collect(), cut(whole), categorical_as_str=True)


@pytest.mark.parametrize("place", range(len(PREDICATES)))
def test_predicates_become_conditions(place: int, whole: pl.DataFrame) -> None:
    predicate, expected = PREDICATES[place]
    seen: list[object] = []

    def source(with_columns, predicate, n_rows, batch_size):
        seen.append(predicate)
        yield whole if predicate is None else whole.filter(predicate)

    from polars.io.plugins import register_io_source

    register_io_source(source, schema=whole.schema).filter(predicate).collect()
    conditions = pushed_down(seen[0]).conditions  # type: ignore[arg-type]
    if expected is not None and "tags" in expected:
        # The order of alternatives does not matter.
        names = {name: set(regex[4:-2].split("|")) for name, regex in expected["tags"].items()}  # type: ignore
        assert {name: set(regex[4:-2].split("|")) for name, regex in conditions["tags"].items()} == names
    else:
        assert conditions == (expected or {})


def test_numbers_of_games_are_a_range(generated: Path, whole: pl.DataFrame) -> None:
    lazy = ign.scan_polars(generated)
    for predicate in [
        col("number") == 17,
        (col("number") > 100) & (col("number") <= 110),
        (col("number") > 100) & (col("White") == "Ann"),
        col("number") > 10**9,
        (col("number") > 20) & (col("number") < 10),
        (col("WhiteElo") > 2000) & (col("WhiteElo") < 1000),
        col("WhiteElo") > 20_000,
    ]:
        assert_frame_equal(lazy.filter(predicate).collect(), whole.filter(predicate), categorical_as_str=True)


def test_only_the_columns_of_a_query_are_decoded(generated: Path, tmp_path: Path) -> None:
    # A byte of the moves is damaged, so a query that decoded moves would fail.
    content = bytearray(generated.read_bytes())
    clean = pl.DataFrame(ign.open(generated).scan(["White"]))
    path = tmp_path / "damaged.ign"
    for place in range(0, len(content), 211):
        content[place] ^= 1
        path.write_bytes(content)
        content[place] ^= 1
        try:
            archive = ign.open(path)
            names = pl.DataFrame(archive.scan(["White"]))
        except Exception:
            continue
        try:
            pl.DataFrame(archive.scan(["moves"]))
        except Exception:
            break
    else:
        pytest.fail("no damage hits the moves alone")
    assert_frame_equal(names, clean, categorical_as_str=True)
    found = ign.scan_polars(path).filter(col("White") == "Ann").select(pl.len()).collect().item()
    assert found == len(ign.open(generated).find(white="Ann"))
    with pytest.raises(Exception, match="damaged.ign"):
        ign.scan_polars(path).collect()


def test_a_limit_reads_no_more_than_it_needs(generated: Path, tmp_path: Path) -> None:
    content = bytearray(generated.read_bytes())
    # The last block is damaged.
    content[len(content) * 9 // 10] ^= 1
    path = tmp_path / "damaged.ign"
    path.write_bytes(content)
    assert ign.scan_polars(path).head(5).collect().height == 5
    assert ign.scan_polars(path).filter(col("number") < 9).collect().height == 8
    with pytest.raises(Exception, match="damaged.ign"):
        ign.scan_polars(path).select(pl.col("plies").sum()).collect()


def test_frames_of_several_archives_tags_and_types(generated: Path, odd: ign.Archive) -> None:
    paths = [str(generated), odd.paths[0]]
    lazy = ign.scan_polars(paths, columns=["number", "White", "tag:Annotator"])
    assert lazy.collect_schema() == {"number": pl.UInt64, "White": pl.String, "tag:Annotator": pl.String}
    frame = lazy.collect()
    assert frame.height == 405 and frame["number"].to_list() == list(range(1, 406))
    joined = lazy.join(lazy.filter(col("White") == "Ann"), on="number", how="inner")
    assert joined.collect().height == len(ign.open(paths).find(white="Ann"))
    same = ign.scan_polars(ign.open(paths)).select(pl.len()).collect().item()
    assert same == 405
    grouped = ign.scan_polars(paths).group_by("White").agg(pl.len()).collect()
    assert grouped["len"].sum() == 405
    streamed = ign.scan_polars(paths).group_by("White").agg(pl.len()).collect(engine="streaming")
    assert_frame_equal(streamed, grouped, check_row_order=False, categorical_as_str=True)


def test_wrong_arguments_are_errors(generated: Path) -> None:
    with pytest.raises(ign.UsageError, match="no column"):
        ign.scan_polars(generated, columns=["nonsense"])
    with pytest.raises(FileNotFoundError):
        ign.scan_polars("missing-*.ign")
