"""Does Ctrl-C end long work?"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

#: Seconds until work must have ended after the signal. A machine that runs other work is slow.
PATIENCE = 30

# The libraries are imported first: Python ends as by the signal, though its exception was caught, if
# it was raised in code that `exec` runs, as imports do.
PROGRAM = """
import sys, time, polars, pyarrow, ign_archive as ign
path, out = sys.argv[1:]
archive = ign.open(path, use_index=False)
print("ready", flush=True)
try:
    while True:
        {work}
except KeyboardInterrupt:
    # Polars may raise it twice.
    try:
        time.sleep(0.2)
    except KeyboardInterrupt:
        pass
    # The package still works.
    assert len(archive[1].moves) >= 0
    print("interrupted", flush=True)
"""

WORK = {
    "iteration": "sum(len(game.moves) for game in archive)",
    "find": "archive.find(material='KQQKQQ', commented=True)",
    "tree": "archive.tree('8/8/8/8/8/8/8/K1k5 w - -')",
    "pack": "ign.pack(out, out + '.ign', overwrite=True, block_size=4096)",
    "unpack": "ign.unpack(path, out + '.pgn', overwrite=True)",
    "index": "ign.index(path, out + '.idx', overwrite=True)",
    "verify": "ign.verify(path)",
    "stats": "ign.stats(path)",
    "sample": "ign.sample(out, games=1000, overwrite=True)",
    "batches": "sum(len(batch) for batch in archive.scan())",
    "pyarrow": "pyarrow.table(archive.scan())",
    "polars": "ign.scan_polars(archive).collect()",
}


@pytest.mark.parametrize("work", WORK)
def test_interrupts(generated: Path, tmp_path: Path, work: str) -> None:
    text = tmp_path / "games.pgn"
    import ign_archive as ign

    ign.unpack(generated, text)
    program = PROGRAM.format(work=WORK[work])
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(generated), str(text)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert (out, process.returncode) == ("interrupted\n", 0), err
    left = {path.name for path in tmp_path.iterdir() if path.name.endswith(".partial")}
    assert left == set()
