"""Do whole files pack, unpack, index and verify as with the command?"""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from conftest import ODD, random_pgn

import ign_archive as ign


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(random_pgn(3, 100) + ODD)
    return path


def test_a_packed_file_is_unpacked_to_the_byte(source: Path, tmp_path: Path) -> None:
    done = []
    out = tmp_path / "games.ign"
    summary = ign.pack(source, out, block_size=1 << 14, progress=lambda bytes, games: done.append((bytes, games)))
    assert summary["games"] == 105 == len(ign.open(out))
    assert summary["text_bytes"] == source.stat().st_size
    assert summary["archive_bytes"] == out.stat().st_size
    assert done == sorted(done) and done[-1][1] == 105 and len(done) > 3
    text = tmp_path / "again.pgn"
    assert ign.unpack(out, text) == source.stat().st_size
    assert text.read_bytes() == source.read_bytes()


def test_options_reach_the_packer(source: Path, tmp_path: Path) -> None:
    sizes = {}
    for coding in ["ign", "weighted", "ign-end"]:
        summary = ign.pack(source, tmp_path / f"{coding}.ign", coding=coding, level=5, threads=1, verify=False)
        sizes[coding] = summary["archive_bytes"]
    assert sizes["weighted"] != sizes["ign"]
    for wrong in [{"coding": "x"}, {"level": 0}, {"level": 23}, {"block_size": 5}]:
        with pytest.raises(ign.UsageError):
            ign.pack(source, tmp_path / "wrong.ign", **wrong)
    assert not (tmp_path / "wrong.ign").exists()


def test_compressed_files_and_several_files_are_packed(source: Path, tmp_path: Path) -> None:
    compressed = tmp_path / "more.pgn.gz"
    compressed.write_bytes(gzip.compress(source.read_bytes()))
    summary = ign.pack([source, compressed], tmp_path / "both.ign")
    assert summary["games"] == 210
    assert ign.pack(tmp_path / "*.pgn*", tmp_path / "glob.ign")["games"] == 210


def test_an_existing_file_is_replaced_on_request_only(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.ign"
    out.write_text("precious")
    with pytest.raises(ign.UsageError, match="already exists"):
        ign.pack(source, out)
    assert out.read_text() == "precious"
    ign.pack(source, out, overwrite=True)
    assert len(ign.open(out)) == 105
    with pytest.raises(ign.UsageError, match="also an input"):
        ign.pack(source, source, overwrite=True)
    assert source.read_text().startswith("[Event")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.ign", "games.pgn"]


def test_an_exception_of_the_progress_callback_ends_packing(source: Path, tmp_path: Path) -> None:
    def stop(bytes: int, games: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        ign.pack(source, tmp_path / "games.ign", block_size=1 << 12, progress=stop)
    assert [path.name for path in tmp_path.iterdir()] == ["games.pgn"]


def test_an_index_answers_as_the_archive(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.ign"
    ign.pack(source, out)
    without = list(ign.open(out).find(player="Ann").numbers)
    summary = ign.index(out)
    assert summary["path"] == f"{out}.idx" and summary["games"] == 105
    assert summary["bytes"] == os.path.getsize(f"{out}.idx")
    assert "players" in summary["sections"]
    assert list(ign.open(out).find(player="Ann").numbers) == without
    assert list(ign.open(out, use_index=False).find(player="Ann").numbers) == without
    ign.verify(out)
    with pytest.raises(ign.UsageError, match="already exists"):
        ign.index(out)
    with pytest.raises(ign.UsageError, match="no section"):
        ign.index(out, without=["nonsense"], overwrite=True)
    shared = tmp_path / "both.idx"
    with pytest.raises(ign.UsageError, match="no default name"):
        ign.index([out, out])
    ign.index([out, out], shared, without=["positions"])
    both = ign.open([out, out], index=shared)
    assert list(both.find(player="Ann").numbers) == without + [number + 105 for number in without]
    assert both.rejected_indexes == []


def test_an_index_of_another_archive_is_rejected(source: Path, generated: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.ign"
    ign.pack(source, out)
    ign.index(generated, f"{out}.idx")
    archive = ign.open(out)
    assert len(archive.find(player="Ann")) > 0
    assert len(archive.rejected_indexes) == 1 and "another archive" in archive.rejected_indexes[0]
    with pytest.raises(ign.CorruptError, match="another archive"):
        ign.verify(out)


def test_statistics_are_a_dictionary(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.ign"
    ign.pack(source, out)
    of_archive = ign.stats(out)
    assert of_archive["games"] == 105 and of_archive["archive_bytes"] == out.stat().st_size
    assert of_archive["plies"] == ign.open(out).plies
    of_text = ign.stats(source, coding="weighted")
    assert of_text["columns"] == of_archive["columns"]
    with pytest.raises(ign.UsageError, match="coding"):
        ign.stats(out, coding="ign")


def test_made_up_games_are_the_same_each_time(tmp_path: Path) -> None:
    ign.sample(tmp_path / "one.pgn", games=30, seed=5)
    ign.sample(tmp_path / "more.pgn", games=60, seed=5, threads=1)
    one = (tmp_path / "one.pgn").read_bytes()
    assert (tmp_path / "more.pgn").read_bytes().startswith(one)
    ign.pack(tmp_path / "one.pgn", tmp_path / "one.ign")
    assert len(ign.open(tmp_path / "one.ign")) == 30
    with pytest.raises(ign.UsageError, match="already exists"):
        ign.sample(tmp_path / "one.pgn")
    with pytest.raises((OverflowError, ValueError)):
        ign.sample(tmp_path / "two.pgn", games=-1)
