"""What tests on Spark share: a cluster of two workers on this machine, and archives of made-up games."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import cluster
import pytest
from pyspark import cloudpickle
from pyspark.sql import SparkSession

import ign_archive as ign

# The server of S3 is that of the tests of the package.
sys.path.append(str(Path(__file__).parents[2] / "python" / "tests"))
import s3_server  # noqa: E402

os.environ["PYSPARK_PYTHON"] = sys.executable


@pytest.fixture(scope="session")
def s3() -> Iterator[str]:
    """The address of a server of S3, with the bucket `chess`."""
    with s3_server.serve() as endpoint:
        yield endpoint


@pytest.fixture(scope="session")
def spark(s3: str) -> Iterator[SparkSession]:
    """A cluster of two workers, each with one core and a process of its own. They have the variables of the
    environment by which the server of S3 is found."""
    # Workers do not have the modules of the tests.
    cloudpickle.register_pickle_by_value(cluster)
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("ign")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.executor.memory", "512m")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    ign.spark.register(session)
    yield session
    session.stop()


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A text of 3,000 made-up games with clocks."""
    path = tmp_path_factory.mktemp("games") / "games.pgn"
    ign.sample(path, games=3000, seed=1, clocks=True)
    return path


@pytest.fixture(scope="session")
def archive(games: Path) -> Path:
    """An archive of the first half of the games, in several blocks."""
    return _half(games, 0)


@pytest.fixture(scope="session")
def both(games: Path, archive: Path) -> list[str]:
    """The archives of both halves."""
    return [str(archive), str(_half(games, 1))]


def _half(games: Path, half: int) -> Path:
    text = games.read_bytes()
    middle = text.index(b"[Event ", len(text) // 2)
    path = games.with_name(f"half-{half}.pgn")
    path.write_bytes([text[:middle], text[middle:]][half])
    out = path.with_suffix(".ign")
    ign.pack(path, out, coding="ign", block_size=1 << 18)
    return out


@pytest.fixture(scope="session")
def command() -> Callable[..., str]:
    """Runs the command `ign` and returns what it prints."""
    program = os.environ["IGN"]

    def run(*arguments: object) -> str:
        done = subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True)
        return done.stdout

    return run
