"""Is an archive to which another program appends read as it was or as it is, and never as a damaged one?"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from conftest import random_pgn

import ign_archive as ign

#: Appends a file to an archive until there is a file of the name "stop", and prints how often it did.
APPEND = """
import sys
from pathlib import Path
import ign_archive as ign
archive, games, stop = map(Path, sys.argv[1:])
count = 0
while not stop.exists():
    try:
        ign.append(archive, games)
        count += 1
    except ign.UsageError as error:
        assert "is writing" in str(error), error
print(count)
"""
SECONDS = 3.0


def test_a_growing_archive_is_read_as_before_or_after(tmp_path: Path) -> None:
    archive, games, stop = tmp_path / "a.ign", tmp_path / "games.pgn", tmp_path / "stop"
    games.write_text(random_pgn(3, 20))
    ign.pack(games, archive, coding="ign")
    program = [sys.executable, "-c", APPEND, str(archive), str(games), str(stop)]
    appenders = [subprocess.Popen(program, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    reads = refused = count = 0
    try:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end or count <= 20:
            assert all(appender.poll() is None for appender in appenders)
            try:
                opened = ign.open(archive)
                assert len(opened) >= count and len(opened) % 20 == 0
                count = len(opened)
                assert opened[count].pgn == opened[20].pgn
                assert len(list(opened.find(result="*"))) <= count
                ign.verify(archive)
                reads += 1
            except ign.UsageError as error:
                assert "is writing" in str(error), error
                refused += 1
    finally:
        stop.touch()
        appended = [int(appender.communicate()[0]) for appender in appenders]
    print(f"{reads} reads, {refused} refused, {sum(appended)} appends")
    assert reads > 0 and sum(appended) > 0
    assert len(ign.open(archive)) == 20 * (1 + sum(appended))
    ign.verify(archive)
