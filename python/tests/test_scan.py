"""Does a scan return what the games hold?"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from conftest import random_pgn

import ign_archive as ign

TEXTS = ["Event", "Site", "Round", "White", "Black", "Result", "ECO", "Opening", "Termination", "TimeControl"]


def number(text: str | None, low: int, high: int) -> int | None:
    """A number of up to four digits in a range, as the columns of ratings read it."""
    text = (text or "").strip()
    text = text.removesuffix("?") if low > 0 else text
    digits = text.lstrip("+-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 4 and len(text) - len(digits) <= 1):
        return None
    value = int(text)
    return value if low <= value <= high else None


def day(text: str | None) -> datetime.date | None:
    try:
        return datetime.datetime.strptime(text or "", "%Y.%m.%d").date()
    except ValueError:
        return None


def single(value: float | None) -> float | None:
    """A number in the precision of the columns."""
    return None if value is None else np.float32(value).item()


def row(game: ign.Game) -> dict[str, object]:
    """The row that the tags and moves of a game should have."""
    tags = game.tags
    values: dict[str, object] = {name: tags.get(name) for name in TEXTS}
    values["number"] = game.number
    values["WhiteElo"] = number(tags.get("WhiteElo"), 1, 9999)
    values["BlackElo"] = number(tags.get("BlackElo"), 1, 9999)
    values["WhiteRatingDiff"] = number(tags.get("WhiteRatingDiff"), -9999, 9999)
    values["Date"], values["UTCDate"] = day(tags.get("Date")), day(tags.get("UTCDate"))
    time = tags.get("UTCTime")
    values["UTCTime"] = datetime.time.fromisoformat(time) if time else None
    values["plies"], values["moves"] = game.plies, game.moves
    clocks, evals = game.clocks, game.evals
    values["clocks"] = [single(clock) for clock in clocks] if any(clock is not None for clock in clocks) else None
    pawns = [None if e is None or e.centipawns is None else e.centipawns / 100 for e in evals]
    values["evals"] = [single(value) for value in pawns] if any(evals) else None
    values["mates"] = [e and e.mate for e in evals] if any(evals) else None
    values["comments"] = [{"ply": ply, "text": text} for ply, text in game.comments] or None
    values["signature"] = "A={} B={}".format(*game.signature)
    values["pgn"] = game.pgn
    return values


def test_every_value_is_that_of_the_game(generated: Path, odd: ign.Archive) -> None:
    for archive in [ign.open(generated), odd]:
        rows = pa.table(archive.scan([*archive.scan().columns, "pgn"])).to_pylist()
        assert len(rows) == len(archive)
        for game, found in zip(archive, rows, strict=True):
            expected = row(game)
            assert {name: found[name] for name in expected} == expected


def test_odd_values_are_null_or_text(make: Callable[..., Path]) -> None:
    values = ["?", "-", "", "1500?", "0", "00012", "12345", " 1500 ", "+7", "１５"]
    text = "".join(f'[WhiteElo "{value}"]\n[Date "{value}"]\n[number "{value}"]\n\n1. e4 *\n\n' for value in values)
    text += '[Date "2013.02.30"]\n\n1. e4 *\n\n[Date "2013.02.28"]\n[UTCTime "24:00:00"]\n\n1. e4 *\n\n'
    archive = ign.open(make(text))
    columns = ["number", "WhiteElo", "Date", "UTCTime", "tag:number"]
    table = pa.table(archive.scan(columns)).to_pydict()
    assert table["number"] == list(range(1, len(values) + 3))
    assert table["WhiteElo"] == [None] * 3 + [1500] + [None] * 3 + [1500, None, None] + [None, None]
    assert table["Date"] == [None] * (len(values) + 1) + [datetime.date(2013, 2, 28)]
    assert table["tag:number"] == [*values, None, None]
    assert table["UTCTime"] == [None] * (len(values) + 2)


def test_text_that_is_no_utf8_and_games_kept_as_text_are_rows(make: Callable[..., Path]) -> None:
    text = '[White "Zo\xeb"]\n\n1. e4 *\n\n[White "B"]\n[FEN "nonsense"]\n\n1. e4 *\n\n[White "C"]\n\n*\n'
    table = pa.table(ign.open(make(text.encode("latin-1"))).scan(["White", "plies", "moves"]))
    assert table.to_pylist() == [
        {"White": "Zoë", "plies": 1, "moves": ["e2e4"]},
        {"White": "B", "plies": None, "moves": None},
        {"White": "C", "plies": 0, "moves": []},
    ]


def test_conditions_lists_and_limits_choose_rows(generated: Path) -> None:
    archive = ign.open(generated)

    def numbers(**options: object) -> list[int]:
        return pa.table(archive.scan(["number"], **options))["number"].to_pylist()  # type: ignore[arg-type]

    found = archive.find(white="Ann", plies=(10, None))
    assert numbers(where={"white": "Ann", "plies": (10, None)}) == list(found.numbers)
    assert numbers(where=found) == list(found.numbers)
    assert numbers(where=archive[100:200:7]) == list(range(100, 200, 7))
    assert numbers(limit=5) == [1, 2, 3, 4, 5]
    assert numbers(where=found, limit=3) == list(found.numbers)[:3]
    assert numbers(where={"white": "Ann"}, limit=2) == list(archive.find(white="Ann", limit=2).numbers)
    assert numbers(where={"white": "Nobody"}) == []
    assert numbers(where=archive[5:5]) == [] and numbers(limit=0) == []
    assert numbers(where=found.within(archive[:100])) == [n for n in found.numbers if n < 100]


def test_several_archives_are_numbered_on(generated: Path, odd: ign.Archive) -> None:
    archive = ign.open([odd.paths[0], generated])
    table = pa.table(archive.scan(["number", "White"]))
    assert table["number"].to_pylist() == list(range(1, 406))
    assert table["White"].to_pylist() == [game.tag("White") for game in archive]
    chosen = pa.table(archive.scan(["White", "number"], where=archive.select([2, 5, 6, 300])))
    assert chosen["number"].to_pylist() == [2, 5, 6, 300]


def test_encodings_have_the_same_values(generated: Path) -> None:
    archive = ign.open(generated)
    whole = pa.table(archive.scan(["White", "moves"], categorical=True))
    plain = pa.table(archive.scan(["White", "moves"], move_dictionary=False))
    assert pa.types.is_dictionary(whole.schema.field("White").type)
    assert plain.schema.field("White").type == pa.string()
    assert plain.schema.field("moves").type.value_type == pa.string()
    assert whole.to_pylist() == plain.to_pylist()


def test_batches_and_the_stream_are_the_same(generated: Path) -> None:
    scan = ign.open(generated).scan(["number", "White", "plies"])
    assert scan.columns == ["number", "White", "plies"]
    batches = [pa.record_batch(batch) for batch in scan]
    assert [len(batch) for batch in scan] == [batch.num_rows for batch in batches]
    assert len(batches) > 3
    # The scan is read again.
    table = pa.table(scan)
    assert pa.Table.from_batches(batches).to_pylist() == table.to_pylist()
    empty = pa.record_batch(scan.empty())
    assert empty.num_rows == 0 and empty.schema == table.schema
    assert pa.schema(scan) == table.schema


def test_a_scan_that_is_dropped_half_way_ends(generated: Path) -> None:
    for _ in range(20):
        iterator = iter(ign.open(generated).scan())
        next(iterator)
        del iterator
        reader = pa.RecordBatchReader.from_stream(ign.open(generated).scan())
        reader.read_next_batch()
        del reader


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda a: a.scan(["nonsense"]), "no column 'nonsense'"),
        (lambda a: a.scan(["White", "White"]), "named twice"),
        (lambda a: a.scan(where={"nonsense": 1}), "no condition 'nonsense'"),
        (lambda a: a.scan(where=ign.open(a.paths)[:]), "another archive"),
    ],
)
def test_wrong_arguments_are_usage_errors(odd: ign.Archive, wrong: Callable, message: str) -> None:
    with pytest.raises(ign.UsageError, match=message):
        wrong(odd)


def test_damage_is_an_error_that_names_the_file(make: Callable[..., Path], tmp_path: Path) -> None:
    content = bytearray(make(random_pgn(2, 200), block_size=1 << 14, coding="ign").read_bytes())
    damaged = tmp_path / "damaged.ign"
    content[len(content) // 2] ^= 1
    damaged.write_bytes(content)
    archive = ign.open(damaged)
    with pytest.raises(ign.CorruptError, match="damaged.ign"):
        list(archive.scan())
    with pytest.raises((pa.ArrowException, OSError, ValueError), match="damaged.ign"):
        pa.table(archive.scan())
    with pytest.raises(Exception, match="damaged.ign"):
        ign.scan_polars(archive).collect()
