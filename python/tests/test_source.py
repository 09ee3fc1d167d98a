"""Does a game name the file that it was packed from?"""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest

import ign_archive as ign

#: The files, with the number of games of each; the second holds text without games.
FILES = {"Ann.pgn": 3, "notes.pgn": 0, "Ümit.pgn": 2, "ann-2.pgn": 4}


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> ign.Archive:
    folder = tmp_path_factory.mktemp("files")
    paths: list[str | Path] = []
    for name, games in FILES.items():
        text = f'[White "{name}"]\n\n1. e4 e5 *\n\n' * games
        (folder / name).write_bytes((text or "no game").encode())
        paths.append(folder / name)
    ign.pack(paths, folder / "games.ign")
    return ign.open(folder / "games.ign")


def test_games_name_their_file(packed: ign.Archive) -> None:
    assert [game.source for game in packed] == [game.tags["White"] for game in packed]
    assert {game.source for game in packed} == {name for name, games in FILES.items() if games > 0}


@pytest.mark.parametrize("pattern", ["Ann.pgn", "ANN*", "umit.pgn", "*.pgn", "notes.pgn", "ann", ""])
def test_searches_take_the_name(packed: ign.Archive, pattern: str) -> None:
    expected = {
        "Ann.pgn": ["Ann.pgn"],
        "ANN*": ["Ann.pgn", "ann-2.pgn"],
        "umit.pgn": ["Ümit.pgn"],
        "*.pgn": ["Ann.pgn", "Ümit.pgn", "ann-2.pgn"],
    }.get(pattern, [])
    assert list(dict.fromkeys(game.source for game in packed.find(file=pattern))) == expected
    assert len(packed.find(file=pattern)) == sum(FILES[name] for name in expected)


def test_tables_have_the_name_on_request(packed: ign.Archive) -> None:
    assert "file" not in packed.scan().columns
    table = pa.table(packed.scan(["file", "White"])).to_pydict()
    assert table["file"] == table["White"] and len(table["file"]) == 9
    some = pa.table(packed.scan(["file"], where=packed.find(file="ann-2.pgn"))).to_pydict()
    assert some["file"] == ["ann-2.pgn"] * 4


def test_frames_filter_by_the_name(packed: ign.Archive) -> None:
    lazy = ign.scan_polars(packed.paths[0], columns=["number", "file"])
    whole = lazy.collect()
    file = pl.col("file")
    for predicate in [
        file == "Ann.pgn",
        file == "ann.pgn",
        file == "Ümit.pgn",
        file == "*",
        file.is_in(["Ann.pgn", "ann-2.pgn"]),
        file.cast(pl.String).str.starts_with("ann"),
        file != "Ann.pgn",
    ]:
        assert lazy.filter(predicate).collect().rows() == whole.filter(predicate).rows()
    assert len(lazy.filter(file.is_in(["Ann.pgn", "ann-2.pgn"])).collect()) == 7


def test_each_of_several_archives_has_its_files(packed: ign.Archive, tmp_path: Path) -> None:
    (tmp_path / "other.pgn").write_text("1. e4 *\n")
    ign.pack(tmp_path / "other.pgn", tmp_path / "other.ign")
    archive = ign.open([packed.paths[0], tmp_path / "other.ign"])
    assert archive[10].source == "other.pgn"
    assert pa.table(archive.scan(["file"])).to_pydict()["file"][-1] == "other.pgn"
