"""Do the operations on whole archives do what the commands do?"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest
from conftest import ODD, random_pgn

import ign_archive as ign

TEXT = random_pgn(3, 100) + ODD


@pytest.fixture
def path(tmp_path: Path) -> Path:
    ign.pack(TEXT.encode(), tmp_path / "games.ign", block_size=1 << 14, coding="ign")
    return tmp_path / "games.ign"


def texts(path: str | Path) -> list[str]:
    return [game.pgn for game in ign.open(path)]


def test_a_split_archive_has_all_games_in_order(path: Path) -> None:
    done: list[tuple[int, int]] = []
    parts = ign.split(path, games=40, progress=lambda bytes, games: done.append((bytes, games)))
    assert [part["games"] for part in parts] == [40, 40, 25]
    assert [part["archive"] for part in parts] == [str(path.with_name(f"games-{n}.ign")) for n in ["001", "002", "003"]]
    assert sum((texts(part["archive"]) for part in parts), []) == texts(path)
    for part in parts:
        assert part["archive_bytes"] == Path(part["archive"]).stat().st_size
        assert part["plies"] == ign.open(part["archive"]).plies
    assert done and done[-1][1] == 105


@pytest.mark.parametrize("by", ["month", "year", "date", "file", "White", "white"])
def test_an_archive_is_split_by_a_value(path: Path, tmp_path: Path, by: str) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    parts = ign.split(path, by=by, folder=folder)
    assert sum(part["games"] for part in parts) == 105
    assert {Path(part["archive"]) for part in parts} == set(folder.iterdir())
    if by == "month":
        assert {game.date.month for game in ign.open(folder / "games-2013-01.ign") if game.date} == {1}
    if by.lower() == "white":
        assert {game.white for game in ign.open(folder / "games-Ann.ign")} == {"Ann"}
    with pytest.raises(ign.UsageError, match="already exists.*overwrite=True"):
        ign.split(path, by=by, folder=folder)
    assert len(ign.split(path, by=by, folder=folder, overwrite=True)) == len(parts)


def test_archives_of_a_size_are_not_longer(path: Path) -> None:
    parts = ign.split(path, bytes=6000)
    assert len(parts) > 1 and all(part["archive_bytes"] <= 6000 for part in parts)


@pytest.mark.parametrize("ways", [{}, {"games": 1, "by": "month"}, {"games": 0}, {"bytes": -1}, {"by": "NoSuchTag"}])
def test_how_to_split_is_one_way(path: Path, ways: dict[str, object]) -> None:
    with pytest.raises(ign.UsageError):
        ign.split(path, **ways)  # type: ignore[arg-type]
    assert [file.name for file in path.parent.iterdir()] == ["games.ign"]


def stop(bytes: int, games: int) -> None:
    raise RuntimeError("enough")


def test_an_exception_of_the_callback_ends_each_operation(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    operations: list[Callable[[], object]] = [
        lambda: ign.split(path, games=10, progress=stop),
        lambda: ign.recover(path, out, progress=stop),
        lambda: ign.transcode(path, out, coding="weighted", progress=stop),
        lambda: ign.export(ign.open(path), out, progress=stop),
        lambda: ign.duplicates(ign.open(path), progress=stop),
    ]
    for operation in operations:
        with pytest.raises(RuntimeError, match="enough"):
            operation()
        assert [file.name for file in tmp_path.iterdir()] == ["games.ign"]


def test_a_transcoded_archive_has_the_same_text(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "weighted.ign"
    summary = ign.transcode(path, out, coding="weighted")
    assert summary["games"] == 105 and summary["archive_bytes"] == out.stat().st_size
    assert texts(out) == texts(path)
    ign.pack(TEXT.encode(), tmp_path / "packed.ign", block_size=1 << 14)
    assert out.read_bytes() == (tmp_path / "packed.ign").read_bytes()
    for wrong in [{"coding": "x"}, {"coding": "ign"}]:
        with pytest.raises(ign.UsageError):
            ign.transcode(path, out, **wrong)
    with pytest.raises(ign.UsageError, match="also an input"):
        ign.transcode(path, path, coding="ign", overwrite=True)


def damage(path: Path) -> None:
    """Changes a byte in the second block."""
    first, second = ign.open(path).blocks[:2]
    stored = bytearray(path.read_bytes())
    stored[first.archive_bytes + second.archive_bytes // 2 + 20] ^= 0x55
    path.write_bytes(stored)


def test_a_damaged_archive_is_read_and_recovered(path: Path, tmp_path: Path) -> None:
    whole, blocks = texts(path), ign.open(path).blocks
    out = tmp_path / "good.ign"
    assert ign.recover(path, out)["complete"] and texts(out) == whole
    damage(path)
    with pytest.raises(ign.CorruptError):
        texts(path)
    with pytest.warns(ign.IgnWarning, match="left out games .*block 2") as caught:
        archive = ign.open(path, damaged=True)
    assert caught[0].filename == __file__
    lost = range(blocks[1].first_game, blocks[2].first_game)
    left = [game for game in archive]
    assert [game.number for game in left] == [n for n in range(1, 106) if n not in lost]
    assert all(game.pgn == whole[game.number - 1] for game in left)
    assert [game.number for game in archive.find(player="*")] == [game.number for game in left]
    with pytest.raises(ign.UsageError, match="overwrite=True"):
        ign.recover(path, out)
    report = ign.recover(path, out, overwrite=True, threads=1)
    assert report["method"] == "rebuilt" and not report["complete"]
    assert report["archive_bytes"] == out.stat().st_size and report["games"] == len(ign.open(out))
    [part] = report["lost"] + report["reduced"]
    assert part["block"] == 2 and part["games"] == (lost[0], lost[-1]) and part["reason"] and part["bytes"]
    ign.verify(out)
    with pytest.raises(ign.CorruptError, match="not an ign archive|nothing"):
        (tmp_path / "text.ign").write_text("1. e4 *")
        ign.recover(tmp_path / "text.ign", tmp_path / "none.ign")
    assert not (tmp_path / "none.ign").exists()


def test_an_intact_archive_is_opened_as_damaged_without_a_warning(
    path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    assert len(ign.open(path, damaged=True)[:]) == 105 and not recwarn.list


def test_parity_repairs_damage(path: Path, tmp_path: Path) -> None:
    ign.parity(path, 20)
    before = path.read_bytes()
    damage(path)
    report = ign.recover(path, tmp_path / "good.ign")
    assert report["method"] == "repaired" and report["complete"] and report["lost"] == []
    assert (tmp_path / "good.ign").read_bytes() == before


def game(moves: str, white: str = "Ann", comment: str = "", site: str = "?") -> str:
    return f'[Site "{site}"]\n[White "{white}"]\n[Black "Ben"]\n\n{comment}{moves} *\n\n'


def test_duplicates_are_groups_of_numbers(tmp_path: Path) -> None:
    moves = "1. e4 e5 2. Nf3 Nc6"
    games = [game(moves), game("1. d4"), game(moves, comment="{A comment.} "), game(moves, "Cy"), game(moves + " 3. Bb5")]
    ign.pack_text("".join(games), tmp_path / "one.ign")
    archive = ign.open(tmp_path / "one.ign")
    found = ign.duplicates(archive)
    assert (found.games, found.not_compared, found.groups) == (5, 0, [[3, 1]])
    assert [4] == [number for group in found.apart for number in group if number not in [1, 3]]
    assert list(found.unique.numbers) == [2, 3, 4, 5] and list(found.copies.numbers) == [1]
    assert found.unique.pack(tmp_path / "unique.ign") == 4
    assert ign.duplicates(archive, prefer="first").groups == [[1, 3]]
    assert ign.duplicates(archive, any_players=True, prefer="first").groups == [[1, 3, 4]]
    assert ign.duplicates(archive, inside=True).groups[0] == [5, 3, 1]
    assert ign.duplicates(archive, min_plies=9).groups == []
    assert ign.duplicates(archive, white="Cy").groups == []
    both = ign.open([tmp_path / "one.ign"] * 2)
    assert sorted(map(sorted, ign.duplicates(both).groups))[0] == [1, 3, 6, 8]
    for wrong in [{"prefer": "x"}, {"min_plies": -1}, {"nonsense": 1}]:
        with pytest.raises(ign.UsageError):
            ign.duplicates(archive, **wrong)
    with pytest.raises(ign.UsageError, match="open"):
        ign.duplicates(str(tmp_path / "one.ign"))  # type: ignore[arg-type]


COLUMNS = ["number", "White", "WhiteElo", "plies"]


def test_tables_are_written_in_every_format(path: Path, tmp_path: Path) -> None:
    archive = ign.open(path)
    wanted = pyarrow.table(archive.scan(COLUMNS))
    readers: dict[str, Callable[[Path], list[dict[str, object]]]] = {
        "parquet": lambda file: pyarrow.parquet.read_table(file).to_pylist(),
        "feather": lambda file: pyarrow.feather.read_table(file).to_pylist(),
        "csv": lambda file: pyarrow.csv.read_csv(file).to_pylist(),
        "jsonl": lambda file: [dict.fromkeys(COLUMNS) | json.loads(line) for line in file.open(encoding="utf-8")],
    }
    for extension, read in readers.items():
        out = tmp_path / f"games.{extension}"
        done: list[tuple[int, int]] = []
        rows = ign.export(archive.scan(COLUMNS), out, progress=lambda bytes, rows: done.append((bytes, rows)))
        assert rows == 105 == done[-1][1] and read(out) == wanted.to_pylist(), extension
        with pytest.raises(ign.UsageError, match="already exists"):
            ign.export(archive, out)
    some = archive.find(white="Ann")
    out = tmp_path / "some.csv"
    assert ign.export(archive.scan(COLUMNS, where=some, limit=2), out) == 2
    assert ign.export(archive.scan(COLUMNS, where={"white": "Nobody"}), out, overwrite=True) == 0
    assert out.read_text().count("\n") == 1
    assert ign.export(archive, tmp_path / "all", format="parquet") == 105


def test_positions_are_written(path: Path, tmp_path: Path) -> None:
    archive = ign.open(path)
    out = tmp_path / "ends.epd"
    rows = ign.export(archive.scan_positions(["epd"], min_ply=10, max_ply=10), out)
    assert rows == len(out.read_text().splitlines()) > 0
    assert ign.export(archive.scan_positions(), tmp_path / "positions.parquet") > archive.plies * 0.9
    for table, name in [(archive, "games.epd"), (archive.scan_positions(), "all.epd"), (archive, "games.txt")]:
        with pytest.raises(ign.UsageError):
            ign.export(table, tmp_path / name)
        assert not (tmp_path / name).exists()
    with pytest.raises(ign.UsageError, match="no format"):
        ign.export(archive, tmp_path / "games", format="xls")


def test_a_model_is_stored_and_restored(tmp_path: Path) -> None:
    path, out, model = tmp_path / "a.ign", tmp_path / "out.ign", tmp_path / "my.model"
    text = random_pgn(5, 200).encode()
    plain = ign.pack(text, path)["archive_bytes"]
    assert ign.pack(text, path, embed=True, overwrite=True)["archive_bytes"] > plain
    stored = bytearray(path.read_bytes())
    starts, at = [], 0
    for block in ign.open(path).blocks:
        at = stored.index(b"ignB", at) - 8
        starts.append((at, block.archive_bytes, block.text_bytes == 0))
        at += block.archive_bytes
    models = [(start, length) for start, length, is_model in starts if is_model]
    start, length = models[0]
    model.write_bytes(stored[start : start + length])
    # The built-in model is used as a file, and not stored.
    assert ign.pack(text, out, model=model)["archive_bytes"] == plain
    for start, length in models:
        stored[start + length // 2] ^= 0x55
    path.write_bytes(stored)
    report = ign.recover(path, out, model=[model], overwrite=True)
    assert any("restored the move model" in note for note in report["notes"])
    assert "".join(texts(out)).encode() == text
    model.write_bytes(b"no model")
    for call in [lambda: ign.pack(text, out, model=model, overwrite=True), lambda: ign.recover(path, out, model=model)]:
        with pytest.raises(ign.IgnError):
            call()


def test_published_figures_are_compared(tmp_path: Path) -> None:
    text = random_pgn(6, 10).encode()
    (tmp_path / "a.pgn").write_bytes(text)
    out = tmp_path / "a.ign"
    digest = hashlib.sha256(text).hexdigest()
    ign.pack(tmp_path / "a.pgn", out, sha256=digest, expect_games=10)
    assert texts(out)
    for wrong, raised, match in [
        ({"sha256": "0" * 64}, ign.CorruptError, "SHA-256"),
        ({"sha256": "12"}, ign.UsageError, "64 hexadecimal digits"),
        ({"expect_games": 11}, ign.CorruptError, "10 games, and 11"),
        ({"expect_games": "11"}, ign.UsageError, "expect_games"),
    ]:
        with pytest.raises(raised, match=match):
            ign.pack(tmp_path / "a.pgn", tmp_path / "b.ign", **wrong)
        assert not (tmp_path / "b.ign").exists()
    with pytest.raises(ign.UsageError, match="there are 2 inputs"):
        ign.pack([tmp_path / "a.pgn", text], tmp_path / "b.ign", sha256=digest)
