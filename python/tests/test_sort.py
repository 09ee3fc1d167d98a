"""Are sorted games in the order of their tags, and are counted games those of a count in Python?"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from test_find import mean, rating

import ign_archive as ign


@pytest.fixture(scope="module")
def archive(searched: Path) -> ign.Archive:
    return ign.open(searched)


def both(game: ign.Game) -> int | None:
    """The order of the means that are not rounded."""
    white, black = rating(game, "White"), rating(game, "Black")
    return None if white is None or black is None else white + black


KEYS: dict[str, Callable[[ign.Game], Any]] = {
    "elo": both,
    "white_elo": lambda game: rating(game, "White"),
    "date": lambda game: game.date,
    "plies": lambda game: game.plies,
    "white": lambda game: game.tag("White"),
    "result": lambda game: game.result,
    "tag:Annotator": lambda game: game.tag("Annotator"),
}


def in_order(games: Any, key: str) -> list[int]:
    """The numbers of games in the order of a key; games without a value are the last."""
    name = key.removesuffix(":desc")
    valued = [(KEYS[name](game), game.number) for game in games]
    with_value = [pair for pair in valued if pair[0] is not None]
    with_value.sort(key=lambda pair: pair[0], reverse=key.endswith(":desc"))
    return [number for _, number in with_value] + [number for value, number in valued if value is None]


@pytest.mark.parametrize("key", [name + end for name in KEYS for end in ["", ":desc"]])
def test_games_are_in_the_order_of_a_key(archive: ign.Archive, key: str) -> None:
    found = archive.find(sort=key)
    expected = in_order(archive, key)
    assert list(found.numbers) == expected
    assert [game.number for game in found[:20]] == expected[:20]
    assert list(archive.find(sort=key, limit=7).numbers) == expected[:7]
    some = archive.find(white="Ann", sort=[key])
    assert list(some.numbers) == in_order(archive.find(white="Ann"), key)


def test_a_sorted_list_is_a_sequence_in_its_order(archive: ign.Archive, tmp_path: Path) -> None:
    found = archive.find(sort="white,plies:desc")
    numbers = list(found.numbers)
    assert numbers == [
        game.number for game in sorted(archive, key=lambda game: (game.tag("White") or "~", -game.plies))
    ]
    assert len(found) == len(archive) and numbers != sorted(numbers)
    assert [game.number for game in found] == numbers
    assert [found.index(number) for number in numbers[:9]] == list(range(9))
    assert list(found[5:40:3].numbers) == numbers[5:40:3]
    assert found[-1].number == numbers[-1] and numbers[3] in found and 0 not in found
    assert list(pickle.loads(pickle.dumps(found)).numbers) == numbers
    # Further conditions keep the order, or sort again.
    ann = {game.number for game in archive if game.tag("White") == "Ann"}
    assert list(found.find(white="Ann").numbers) == [number for number in numbers if number in ann]
    assert list(found.find(white="Ann", limit=3).numbers) == [number for number in numbers if number in ann][:3]
    assert list(found.within(archive.find(white="Ann")).numbers) == [number for number in numbers if number in ann]
    some = [archive[number] for number in sorted(numbers[:50])]
    assert list(found[:50].find(sort="date:desc").numbers) == in_order(some, "date:desc")
    # Tables and archives of the games have their order.
    scan = archive.scan(["number", "White", "moves"], where=found)
    assert pa.table(scan)["number"].to_pylist() == numbers
    assert pl.DataFrame(archive.scan(where=found, limit=4))["number"].to_list() == numbers[:4]
    positions = pa.table(archive.scan_positions(["game"], where=found[:9]))["game"].to_pylist()
    assert positions == sorted(positions) and set(positions) <= set(numbers[:9])
    assert found[:9].pack(tmp_path / "sorted.ign") == 9
    packed = ign.open(tmp_path / "sorted.ign")
    assert [game.pgn.strip() for game in packed] == [archive[number].pgn.strip() for number in numbers[:9]]


def test_games_of_several_archives_have_one_order(searched: Path, generated: Path) -> None:
    archive = ign.open([searched, generated])
    found = archive.find(sort="elo:desc")
    assert list(found.numbers) == in_order(archive, "elo:desc")
    assert [game.number for game in found[:9]] == list(found.numbers)[:9]
    assert pa.table(archive.scan(["number"], where=found))["number"].to_pylist() == list(found.numbers)


@pytest.mark.parametrize(
    ("sort", "message"),
    [
        ("elos", "'elos' is not a key"),
        ("elo:up", "'up' is not an order"),
        (["elo", 5], "sort: is an int"),
        (5, "sort: is an int"),
        ("", "'' is not a key"),
        (["date"] * 9, "9 keys"),
    ],
)
def test_wrong_keys_are_usage_errors(archive: ign.Archive, sort: Any, message: str) -> None:
    with pytest.raises(ign.UsageError, match=message):
        archive.find(sort=sort)


def test_counts_are_those_of_a_count_in_python(archive: ign.Archive) -> None:
    table = archive.count(by=["white", "result"], plies=(10, None))
    games = archive.find(plies=(10, None))
    expected = Counter((game.tag("White"), game.result) for game in games)
    assert {(row["white"], row["result"]): row["games"] for row in table} == expected
    assert table.games == len(games) and table.keys == ["white", "result"] and len(table) == len(expected)
    assert [row["games"] for row in table] == sorted(expected.values(), reverse=True)
    assert table[:2] == list(table)[:2] and table[-1] == list(table)[-1]
    bands = {row["elo"]: row["games"] for row in archive.count(by="elo:200")}
    assert bands == Counter(None if mean(game) is None else mean(game) // 200 * 200 for game in archive)
    with pytest.raises(IndexError):
        table[len(table)]


def test_libraries_take_a_table_of_counts(archive: ign.Archive) -> None:
    table = archive.count(by="result,elo_diff:500")
    rows = list(table)
    assert pa.table(table).to_pylist() == rows
    assert pl.DataFrame(table).to_dicts() == rows
    assert pa.record_batch(table).to_pylist() == rows
    assert "<table>" in table._repr_html_() and "elo_diff" in table._repr_html_()
    assert repr(table).startswith(f"<CountTable of {len(archive)} games by result, elo_diff: {len(rows)} row")


def test_count_takes_a_game_or_keys(archive: ign.Archive) -> None:
    assert archive.count(1) == archive.count(archive[1]) == 1 and archive.count(0) == archive.count("x") == 0
    assert archive.count(None) == 0
    for game, others in [((), {}), ((), {"white": "Ann"}), ((1,), {"by": "eco"}), ((1,), {"white": "Ann"}), ((1, 2), {})]:
        with pytest.raises(ign.UsageError, match="count takes a game, or the keys"):
            archive.count(*game, **others)
    for by, message in [([], "no key to count by"), ("ecos", "not a key"), ("eco,eco:1", "given twice"), (5, "an int")]:
        with pytest.raises(ign.UsageError, match=message):
            archive.count(by=by)
    assert list(archive.count(by="eco", white="Nobody")) == []
    assert "<table>" in archive.count(by="eco", white="Nobody")._repr_html_()
