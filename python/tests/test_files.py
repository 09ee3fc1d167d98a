"""Do whole files pack, unpack, index and verify as with the command?"""

from __future__ import annotations

import gzip
import os
import warnings
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
    assert ign.index(out)["games"] == 0
    assert ign.index(out, overwrite=True)["games"] == 105
    smaller = ign.index(out, plies=4, overwrite=True)
    assert smaller["games"] == 105 and smaller["bytes"] < summary["bytes"]
    assert list(ign.open(out).find(player="Ann").numbers) == without
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
    searches = [
        lambda: len(archive.find(player="Ann")),
        lambda: archive.tree(opening="1. e4").games,
        lambda: len(archive.count(by="eco", player="Ann")),
    ]
    for search in searches:
        with pytest.warns(ign.IgnWarning, match="games.ign.idx: .*another archive.*without the index") as caught:
            assert search() > 0
        assert len(caught) == 1 and caught[0].filename == __file__
    assert len(archive.rejected_indexes) == 1 and "another archive" in archive.rejected_indexes[0]
    with pytest.raises(ign.CorruptError, match="another archive"):
        ign.verify(out)


def test_appended_games_follow_the_others_and_are_in_the_index(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.ign"
    ign.pack(source, out, coding="ign")
    ign.index(out)
    before = out.read_bytes()
    more = tmp_path / "more.pgn"
    more.write_text(random_pgn(8, 30))
    done = []
    summary = ign.append(out, more, progress=lambda bytes, games: done.append(games))
    assert summary["games"] == 30 == done[-1]
    assert summary["text_bytes"] == more.stat().st_size
    assert summary["archive_bytes"] == out.stat().st_size
    assert out.read_bytes().startswith(before)
    archive = ign.open(out)
    assert len(archive) == 135
    assert "".join(game.pgn for game in archive[106:]) == more.read_text()
    found = list(archive.find(player="Ann").numbers)
    assert archive.rejected_indexes == []
    assert found == list(ign.open(out, use_index=False).find(player="Ann").numbers) and found[-1] > 105
    # The index has the new games already.
    assert ign.index(out)["games"] == 0
    ign.verify(out)


def test_an_index_of_the_first_games_is_extended(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.ign"
    ign.pack(source, out)
    ign.index(out)
    index = Path(f"{out}.idx")
    before = index.read_bytes()
    index.rename(tmp_path / "aside")
    ign.append(out, source)
    (tmp_path / "aside").rename(index)
    assert ign.index(out)["games"] == 105
    assert index.read_bytes().startswith(before) and index.stat().st_size > len(before)
    archive = ign.open(out)
    assert len(archive.find(player="Ann")) == 2 * len(archive.find(player="Ann").within(archive[:106])) > 0
    assert archive.rejected_indexes == []
    # Other sections: it is built again.
    assert ign.index(out, without=["positions"])["games"] == 210
    index.write_text("no index")
    with pytest.raises(ign.CorruptError, match="overwrite=True"):
        ign.index(out)


def test_what_cannot_be_appended_leaves_the_archive(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.ign"
    ign.pack(source, out)
    before = out.read_bytes()

    def stop(bytes: int, games: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        ign.append(out, source, progress=stop, block_size=1 << 12)
    for files, options in [(out, {}), (source, {"level": 0}), (source, {"coding": "x"}), ([], {})]:
        with pytest.raises(ign.UsageError):
            ign.append(out, files, **options)
    with pytest.raises(FileNotFoundError):
        ign.append(out, tmp_path / "missing.pgn")
    with pytest.raises(ign.CorruptError, match="not an ign archive"):
        ign.append(source, source)
    assert out.read_bytes() == before
    Path(f"{out}.idx").write_text("no index")
    with pytest.warns(ign.IgnWarning, match="games.ign.idx.*overwrite=True"):
        assert ign.append(out, source)["games"] == 105
    assert len(ign.open(out)) == 210


@pytest.mark.parametrize("text", [b"", b"no games", b"\xfd7zXZ\0"])
def test_files_without_games_are_a_warning(source: Path, tmp_path: Path, text: bytes) -> None:
    path, out = tmp_path / "text.pgn", tmp_path / "text.ign"
    path.write_bytes(text)
    with pytest.warns(ign.IgnWarning, match="no games found") as caught:
        assert ign.pack(path, out)["games"] == 0
    assert caught[0].filename == __file__
    with pytest.warns(ign.IgnWarning, match="no games found"):
        assert ign.append(out, path)["games"] == 0
    ign.append(out, source)
    assert len(ign.open(out)) == 105


def test_bytes_after_an_archive_are_a_warning(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.ign"
    ign.pack(source, out)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ign.open(out)
    with out.open("ab") as file:
        file.write(b"rest")
    with pytest.warns(ign.IgnWarning, match="games.ign: 4 bytes after the archive are ignored") as caught:
        assert len(ign.open(out)) == 105
    assert caught[0].filename == __file__
    ign.append(out, source)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(ign.open(out)) == 210


def test_merged_archives_have_all_games(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.ign"
    ign.pack(source, out)
    merged = tmp_path / "merged.ign"
    assert ign.merge([out, out], merged)["games"] == 210
    archive = ign.open(merged)
    assert [game.pgn for game in archive[106:]] == [game.pgn for game in ign.open(out)]
    with pytest.raises(ign.UsageError, match="already exists"):
        ign.merge(out, merged)
    with pytest.raises(ign.UsageError, match="also an input"):
        ign.merge([out, merged], merged, overwrite=True)
    assert ign.merge(out, merged, overwrite=True)["games"] == 105


def test_parity_is_added_once(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.ign"
    ign.pack(source, out)
    before = out.read_bytes()
    added = ign.parity(out, 10)
    assert added["bytes"] == out.stat().st_size - len(before) > 0
    assert added["recovery_shards"] >= added["shards"] // 10 > 0
    assert out.read_bytes().startswith(before)
    assert ign.parity(out, 10)["bytes"] == 0
    assert len(ign.open(out)) == 105
    for percent in [0, -1, 101, float("nan")]:
        with pytest.raises(ign.UsageError, match="parity"):
            ign.parity(out, percent)


def test_a_file_with_the_extension_of_archives_is_no_text(tmp_path: Path) -> None:
    for name, text in [("empty.ign", ""), ("text.ign", "1. e4 *\n")]:
        (tmp_path / name).write_text(text)
        with pytest.raises(ign.CorruptError, match=f"{name}: not an ign archive"):
            ign.stats(tmp_path / name)


def test_the_version_is_that_of_the_sources() -> None:
    workspace = (Path(__file__).parents[2] / "Cargo.toml").read_text()
    assert f'\nversion = "{ign.__version__}"\n' in workspace


def test_statistics_are_a_dictionary(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.ign"
    ign.pack(source, out)
    of_archive = ign.stats(out)
    assert of_archive["archive"] == str(out)
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


def test_a_named_index_that_cannot_be_used_is_a_warning(source: Path, tmp_path: Path) -> None:
    out, other = tmp_path / "games.ign", tmp_path / "other.ign"
    ign.pack(source, out)
    ign.pack_text("1. e4 *", other)
    ign.index(other)
    for wrong in [source, f"{other}.idx"]:
        with pytest.warns(ign.IgnWarning, match="the index is not used") as caught:
            assert len(ign.open(out, index=wrong).find(player="Ann")) == len(ign.open(out).find(player="Ann"))
        assert caught[0].filename == __file__
