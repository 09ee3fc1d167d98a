"""Does bad input raise an exception that names the file, and leave the interpreter alive?"""

from __future__ import annotations

import errno
import random
from pathlib import Path

import pytest

import ign_archive as ign


def use(path: Path) -> None:
    """Reads every part of every game."""
    archive = ign.open(path)
    for game in archive:
        _ = game.tags, game.moves, game.san, game.pgn, game.clocks, game.evals, game.comments, game.integer
    archive.find(player="Ann*", plies=(1, None), has_clocks=True)
    archive.tree()


def test_a_missing_file_is_a_file_not_found_error(tmp_path: Path) -> None:
    missing = tmp_path / "missing.ign"
    for call in [
        lambda: ign.open(missing),
        lambda: ign.unpack(missing, tmp_path / "out"),
        lambda: ign.verify(missing),
        lambda: ign.stats(missing),
        lambda: ign.index(missing),
        lambda: ign.pack(missing, tmp_path / "out"),
        lambda: ign.open(tmp_path / "*.ign"),
    ]:
        with pytest.raises(FileNotFoundError) as raised:
            call()
        error = raised.value
        assert isinstance(error, ign.IgnError) and isinstance(error, OSError)
        assert str(tmp_path) in str(error) and error.filename and error.file
        assert error.errno == errno.ENOENT and error.strerror and error.message
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_archive_is_named(tmp_path: Path) -> None:
    text = tmp_path / "text.ign"
    text.write_text("1. e4 e5 *")
    with pytest.raises(ign.CorruptError, match="text.ign: not an ign archive"):
        ign.open(text)
    with pytest.raises(ign.UsageError, match="is a directory"):
        ign.open(tmp_path)
    with pytest.raises(ign.UsageError, match="no archive is named") as raised:
        ign.open([])
    assert raised.value.message == "no archive is named" and "pattern" in raised.value.remedy
    for wrong in (5, [5], b"games.ign"):
        with pytest.raises(ign.UsageError, match="names no archive"):
            ign.open(wrong)  # type: ignore[arg-type]


def test_errors_say_where(generated: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.ign"
    content = bytearray(generated.read_bytes())
    content[len(content) // 2] ^= 1
    damaged.write_bytes(content)
    with pytest.raises(ign.CorruptError) as raised:
        ign.verify(damaged)
    error = raised.value
    assert error.file == str(damaged) and error.block and str(damaged) in str(error)
    with pytest.raises(ign.CorruptError):
        ign.unpack(damaged, tmp_path / "out.pgn")
    assert not (tmp_path / "out.pgn").exists()
    # The games before the damage are returned, and then the error.
    seen = 0
    with pytest.raises(ign.CorruptError):
        for game in ign.open(damaged):
            seen += len(game.moves) >= 0
    assert 0 < seen < 400


def test_every_damage_is_an_exception(odd: ign.Archive, tmp_path: Path) -> None:
    content = Path(odd.paths[0]).read_bytes()
    damaged = tmp_path / "damaged.ign"
    rng = random.Random(1)
    places = range(len(content)) if len(content) < 3000 else sorted(rng.sample(range(len(content)), 3000))
    failed = 0
    for place in places:
        changed = bytearray(content)
        changed[place] ^= 1 << rng.randrange(8)
        damaged.write_bytes(changed)
        try:
            use(damaged)
        except ign.IgnError:
            failed += 1
    assert failed > len(places) // 2


def test_every_truncation_is_an_exception(odd: ign.Archive, tmp_path: Path) -> None:
    content = Path(odd.paths[0]).read_bytes()
    cut = tmp_path / "cut.ign"
    for len_kept in range(0, len(content), max(1, len(content) // 500)):
        cut.write_bytes(content[:len_kept])
        with pytest.raises(ign.IgnError):
            use(cut)


def test_a_file_that_shrinks_while_it_is_open_is_an_exception(generated: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.ign"
    path.write_bytes(generated.read_bytes())
    archive = ign.open(path)
    path.write_bytes(b"")
    with pytest.raises(ign.IgnError):
        for game in archive:
            _ = game.moves
