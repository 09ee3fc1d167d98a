"""Are texts, file objects and games packed as files are?"""

from __future__ import annotations

import gzip
import io
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import chess.pgn
import pytest
from conftest import ODD, random_pgn, read_games

import ign_archive as ign

TEXT = random_pgn(3, 40) + ODD


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_bytes(TEXT.encode())
    return path


def unpacked(archive: Path) -> bytes:
    out = archive.with_suffix(".text")
    ign.unpack(archive, out, overwrite=True)
    return out.read_bytes()


def test_texts_give_the_archive_of_their_file(source: Path, tmp_path: Path) -> None:
    ign.pack([source], tmp_path / "file.ign")
    text = source.read_bytes()
    for pack, given in [
        (ign.pack, text),
        (ign.pack, bytearray(text)),
        (ign.pack, memoryview(text)),
        (ign.pack, [text]),
        (ign.pack, gzip.compress(text)),
        (ign.pack, io.BytesIO(text)),
        (ign.pack, io.StringIO(TEXT)),
        (ign.pack, source.open("rb")),
        (ign.pack, source.open(encoding="utf-8", newline="")),
        (ign.pack, gzip.open(io.BytesIO(gzip.compress(text)))),
        (ign.pack, (file for file in [io.BytesIO(text)])),
        (ign.pack_text, TEXT),
        (ign.pack_text, text),
        (ign.pack_text, iter(ign.open(tmp_path / "file.ign"))),
        (ign.pack_text, (game.pgn for game in ign.open(tmp_path / "file.ign"))),
    ]:
        out = tmp_path / "text.ign"
        summary = pack(given, out, overwrite=True)  # type: ignore[operator]
        assert unpacked(out) == text and summary["games"] == 45, given
        # It differs from the archive of the file in the name of the file, or not at all.
        name = "games.pgn" if getattr(given, "name", None) else ""
        assert {game.source for game in ign.open(out)} == {name}, given


def test_a_str_is_a_path_in_pack_and_a_text_in_pack_text(source: Path, tmp_path: Path) -> None:
    for text in [TEXT, [TEXT], iter([TEXT])]:
        with pytest.raises(ign.MissingFileError, match=r"^a text is not the path of a file \(pack_text"):
            ign.pack(text, tmp_path / "none.ign")
    for paths in [str(source), [str(source)], (str(path) for path in [source]), source, [source, source]]:
        assert ign.pack(paths, tmp_path / "paths.ign", overwrite=True)["games"] % 45 == 0  # type: ignore[arg-type]
    for text in ["1. e4 e5 *\n", ["1. e4 e5 *\n"], "[White \"A\"]\n\n1. e4 *\n"]:
        with pytest.raises(FileNotFoundError):
            ign.pack(text, tmp_path / "paths.ign", overwrite=True)
        assert ign.pack_text(text, tmp_path / "text.ign", overwrite=True)["games"] == 1
    with pytest.warns(ign.IgnWarning, match="no games found"):
        assert ign.pack_text(str(source), tmp_path / "text.ign", overwrite=True)["text_bytes"] == len(str(source))


def test_games_of_every_kind_are_packed(source: Path, tmp_path: Path) -> None:
    ign.pack(source, tmp_path / "all.ign")
    archive = ign.open(tmp_path / "all.ign")
    out = tmp_path / "some.ign"
    assert ign.pack(archive[3:6], out)["games"] == 3
    assert [game.pgn for game in ign.open(out)] == [game.pgn for game in archive[3:6]]
    assert ign.pack(archive[3], out, overwrite=True)["games"] == 1
    games = list(read_games(TEXT.encode()))
    assert ign.pack(iter(games), out, overwrite=True)["games"] == 45
    assert [str(game) for game in read_games(unpacked(out))] == [str(game) for game in games]
    assert ign.pack(games[0].next(), out, overwrite=True)["games"] == 1
    mixed = ["1. e4 e5 *", archive[1], games[2], b"1. d4\n", '[White "A"]\r\n\r\n1. c4 *\r\n\r\n']
    assert ign.pack_text(mixed, out, overwrite=True)["games"] == 5
    assert [game.moves[:1] for game in ign.open(out)][::3] == [["e2e4"], ["d2d4"]]
    assert ign.pack([source, b"1. e4 *\n", archive[1], games[0]], out, overwrite=True)["games"] == 48
    assert [game.source for game in ign.open(out)][44:] == ["games.pgn", "", "", ""]


def test_games_without_a_last_line_break_are_games(tmp_path: Path) -> None:
    ign.pack_text("1. e4 e5 *", tmp_path / "one.ign")
    game = ign.open(tmp_path / "one.ign")[1]
    assert game.pgn == "1. e4 e5 *"
    assert ign.pack([game, game], tmp_path / "two.ign")["games"] == 2
    assert unpacked(tmp_path / "two.ign") == b"1. e4 e5 *\n\n1. e4 e5 *"


def test_bytes_that_are_no_utf_8_are_kept(tmp_path: Path) -> None:
    text = b'[White "Ren\xe9"]\n\n1. e4 *\n\n'
    ign.pack(text, tmp_path / "bytes.ign")
    assert unpacked(tmp_path / "bytes.ign") == text
    ign.pack(iter(ign.open(tmp_path / "bytes.ign")), tmp_path / "games.ign")
    assert unpacked(tmp_path / "games.ign") == text
    ign.pack(io.TextIOWrapper(io.BytesIO(text), errors="surrogateescape", newline=""), tmp_path / "text.ign")
    assert unpacked(tmp_path / "text.ign") == text


def test_texts_and_games_are_appended(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.ign"
    ign.pack(source, out)
    assert ign.append(out, b"1. e4 *\n\n")["games"] == 1
    assert ign.append(out, io.StringIO("1. d4 *\n\n"))["games"] == 1
    assert ign.append(out, ign.open(out)[46:])["games"] == 2
    assert [game.moves for game in ign.open(out)[46:]] == [["e2e4"], ["d2d4"]] * 2


@pytest.mark.parametrize("given", [5, None, [5], [], [b"1. e4 *\n", 5], iter([])])
def test_what_cannot_be_packed_is_an_error(given: object, tmp_path: Path) -> None:
    with pytest.raises(ign.UsageError, match="packed"):
        ign.pack(given, tmp_path / "games.ign")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_an_exception_of_an_iterator_is_raised(tmp_path: Path, odd: ign.Archive) -> None:
    def games() -> Iterator[object]:
        yield odd[1]
        raise RuntimeError("enough")

    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise OSError("torn")

    for given, error, message in [
        (games(), RuntimeError, "enough"),
        (Broken(), OSError, "torn"),
        ([odd[1], "1. e4 *"], ign.UsageError, "type str cannot be packed"),
        ([odd[1], 5], ign.UsageError, "type int cannot be packed"),
    ]:
        with pytest.raises(error, match=message):
            ign.pack(given, tmp_path / "games.ign")  # type: ignore[arg-type]
        assert list(tmp_path.iterdir()) == []
    with pytest.raises(ign.UsageError, match="type int"):
        ign.pack_text(5, tmp_path / "games.ign")  # type: ignore[arg-type]


def test_games_are_packed_in_bounded_memory(tmp_path: Path) -> None:
    text = random_pgn(5, 20)
    count = 500

    def games() -> Iterator[str]:
        for _ in range(count):
            yield text

    tracemalloc.start()
    summary = ign.pack_text(games(), tmp_path / "games.ign", block_size=1 << 16, coding="ign", level=1, verify=False)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert summary["text_bytes"] == count * len(text.encode()) > 4 << 20
    assert peak < 1 << 20


def test_an_empty_game_of_python_chess_is_packed(tmp_path: Path) -> None:
    assert ign.pack(chess.pgn.Game(), tmp_path / "games.ign")["games"] == 1
