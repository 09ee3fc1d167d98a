"""Is the memory of a scan bounded, however many games there are?"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import ign_archive as ign

#: What one block, decoded with all columns, and the libraries may take. The archive is read by two threads,
#: so that six blocks are in memory.
MAX_MIB = 400

#: Reads an archive in one of several ways and prints the number of games and the greatest memory in KiB.
PROGRAM = """
import resource, sys
import ign_archive as ign

def peak():
    # The maximum of getrusage includes that of the parent process on Linux.
    if sys.platform == "linux":
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)

way, path = sys.argv[1:]
archive = ign.open(path, threads=2)
if way == "games":
    games = sum(len(game.moves) >= 0 and len(game.tags) >= 0 for game in archive)
elif way == "pyarrow":
    import pyarrow as pa
    games = sum(batch.num_rows for batch in pa.RecordBatchReader.from_stream(archive.scan()))
elif way == "polars":
    import polars as pl
    lazy = ign.scan_polars(archive).select(pl.col("moves").list.len().sum().alias("plies"), pl.len().alias("games"))
    row = lazy.collect(engine="streaming").row(0, named=True)
    assert row["plies"] == archive.plies
    games = row["games"]
elif way == "duckdb":
    import duckdb
    scan = archive.scan()
    ((plies, games),) = duckdb.sql("SELECT sum(len(moves)), count(*) FROM scan").fetchall()
    assert plies == archive.plies
print(games, peak())
"""


@pytest.fixture(scope="module")
def million(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("million")
    ign.sample(folder / "games.pgn", games=1_000_000)
    ign.pack(folder / "games.pgn", folder / "games.ign", coding="ign", verify=False)
    (folder / "games.pgn").unlink()
    return folder / "games.ign"


@pytest.mark.heavy
@pytest.mark.parametrize("way", ["games", "pyarrow", "polars", "duckdb"])
def test_a_million_games_are_read_in_bounded_memory(million: Path, way: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, way, str(million)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    # DuckDB may draw a progress bar before.
    games, peak = map(int, done.stdout.split()[-2:])
    print(f"{way}: {peak / 1024:.0f} MiB")
    assert games == 1_000_000
    assert peak < MAX_MIB * 1024, f"{peak / 1024:.0f} MiB"
