"""Does every value of every column equal what python-chess and regular expressions find in the text?"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

import oracle
import pyarrow
import pytest
from conftest import GENERATED, ODD, first_games, has_real_games, random_pgn

import ign_archive as ign

#: The collections A, B and C, with their numbers of games.
COLLECTIONS = {
    "lichess_2013-01.pgn.zst": 121_332,
    "lichess_users_clk.pgn.zst": 5_951,
    "otb_pgnmentor.pgn.zst": 249_142,
}
#: Games of each that are compared every time.
SLICE = 200
PROCESSES = 2
#: Parts into which a collection is split for the processes.
PARTS = 16


def compare(text: bytes, folder: Path, processes: int = 1) -> oracle.Report:
    """Packs a text and compares all of its games."""
    source, archive = folder / "games.pgn", folder / "games.ign"
    source.write_bytes(text)
    ign.pack(source, archive, coding="ign")
    starts = [match.start() for match in oracle.FIRST.finditer(text)]
    assert len(ign.open(archive)) == len(starts)
    report = oracle.Report()
    if processes == 1:
        report.add(oracle.compare(str(archive), str(source), [*starts, len(text)], 1, len(starts) + 1))
        return report
    bounds = [len(starts) * part // PARTS for part in range(PARTS + 1)]
    starts.append(len(text))
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        parts = [
            pool.submit(oracle.compare, str(archive), str(source), starts[first : last + 1], first + 1, last + 1)
            for first, last in pairwise(bounds)
        ]
        for part in parts:
            report.add(part.result())
    return report


def check(report: oracle.Report) -> None:
    """Prints what was compared, and fails at a difference without a reason."""
    print(f"{report.games} games, {report.split} of them with two empty lines; values that are not null:")
    print(", ".join(f"{column} {count}" for column, count in report.values.items()))
    for (column, reason), count in Counter((d.column, d.why) for d in report.differences).items():
        print(f"{count} differences of {column}: {reason or 'not explained'}")
    wrong = [difference for difference in report.differences if difference.why is None]
    assert not wrong, "\n".join(map(str, wrong[:10]))


@pytest.mark.parametrize("name", COLLECTIONS)
def test_slices_of_real_collections(data: Path, tmp_path: Path, name: str) -> None:
    report = compare(first_games(data / name, SLICE), tmp_path)
    check(report)
    assert report.games == SLICE and report.values["moves"] > 40 * SLICE


def test_games_of_odd_forms(tmp_path: Path) -> None:
    for number, text in enumerate([ODD, random_pgn(5, 100)]):
        folder = tmp_path / str(number)
        folder.mkdir()
        check(compare(text.encode(), folder))


def test_movetext_with_control_characters_has_its_moves(tmp_path: Path) -> None:
    report = compare(b'[Event "a"]\n\n1. e4 e5 1-0\0\n\n[Event "b"]\n\n1. d4 *\n\n', tmp_path)
    check(report)
    assert not report.differences


def test_the_oracle_notices_differences(tmp_path: Path) -> None:
    report = compare(ODD.encode(), tmp_path)
    assert not report.differences
    changed = ODD.replace("Casual", "Formal").replace("1. f3", "1. f4").replace("2:59.9", "2:58.9")
    source, archive = tmp_path / "games.pgn", tmp_path / "games.ign"
    source.write_text(changed)
    starts = [match.start() for match in oracle.FIRST.finditer(changed.encode())]
    report = oracle.compare(str(archive), str(source), [*starts, len(changed.encode())], 1, len(starts) + 1)
    assert {difference.number for difference in report.differences} == {1}
    columns = {difference.column for difference in report.differences}
    assert columns == {"Event", "moves", "clocks", "comments", "movetext", "pgn"}


@pytest.mark.heavy
@pytest.mark.parametrize("name", COLLECTIONS)
def test_all_games_of_real_collections(data: Path, tmp_path: Path, name: str) -> None:
    with pyarrow.input_stream(str(data / name), compression="zstd") as stream:
        text = stream.read()
    report = compare(text, tmp_path, PROCESSES)
    check(report)
    assert report.games == (COLLECTIONS[name] if has_real_games() else GENERATED)
