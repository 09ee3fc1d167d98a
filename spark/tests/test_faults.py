"""Is nothing lost or doubled when executors are killed, tasks fail or run twice, and shards are damaged?"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from pathlib import Path

import cluster
import pytest
from pyspark import cloudpickle
from pyspark.sql import SparkSession

import ign_archive as ign
from ign_archive.spark import _pack, _source

cloudpickle.register_pickle_by_value(__import__(__name__))


@dataclass
class KilledWhilePacking(_pack._Packing):
    """Kills the executor of the first shard as soon as it has written something."""

    def __call__(self, shard):  # type: ignore[no-untyped-def]
        calls = Path(self.out).parent / "calls"
        if shard.path == "part-00000.ign" and cluster.first_times(calls, 1):
            threading.Thread(target=self.kill, daemon=True).start()
        return super().__call__(shard)

    def kill(self) -> None:
        while not any(path.stat().st_size for path in Path(self.out).glob(".*")):
            time.sleep(0.001)
        cluster.kill_executor()


@dataclass
class KilledBeforeRename(_pack._Packing):
    """Kills the executor of the first shard between writing it and giving it its name."""

    def __call__(self, shard):  # type: ignore[no-untyped-def]
        calls = Path(self.out).parent / "calls"
        if shard.path == "part-00000.ign" and cluster.first_times(calls, 1):
            _pack.os.replace = lambda *_: cluster.kill_executor()  # type: ignore[attr-defined]
        return super().__call__(shard)


@dataclass
class FailsTwice(_pack._Packing):
    """Fails twice for the last shard, after it has been packed."""

    def __call__(self, shard):  # type: ignore[no-untyped-def]
        done = super().__call__(shard)
        if shard.path == "part-00002.ign" and cluster.first_times(Path(self.out).parent / "calls", 2):
            raise RuntimeError("a fault of the test")
        return done


@pytest.mark.parametrize("fault", [KilledWhilePacking, KilledBeforeRename, FailsTwice])
def test_packing_with_faults_makes_the_same_shards(
    spark: SparkSession, games: Path, tmp_path: Path, fault: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "calls").mkdir()
    options = {"shards": 3, "coding": "ign", "block_size": 1 << 17}
    ign.spark.pack(spark, games, tmp_path / "clean", **options)  # type: ignore[arg-type]
    monkeypatch.setattr(_pack, "_Packing", fault)
    ign.spark.pack(spark, games, tmp_path / "out", **options)  # type: ignore[arg-type]
    assert cluster.calls(tmp_path / "calls") == (2 if fault is FailsTwice else 1)
    names = sorted(path.name for path in (tmp_path / "clean").iterdir())
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == names
    for name in names:
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "clean" / name).read_bytes()


class KillingReader(_source.Reader):
    """Kills the executor that reads the second partition, after its first batch."""

    def read(self, partition):  # type: ignore[no-untyped-def]
        for batch in super().read(partition):
            yield batch
            if partition.first > 1 and cluster.first_times(self.folder, 1):  # type: ignore[attr-defined]
                cluster.kill_executor()


class KillingSource(_source.IgnDataSource):
    """The data source with that reader."""

    @classmethod
    def name(cls) -> str:
        return "ign_killing"

    def schema(self):  # type: ignore[no-untyped-def]
        return self.plain().schema()

    def reader(self, schema):  # type: ignore[no-untyped-def]
        reader = self.plain().reader(schema)
        reader.__class__ = KillingReader
        reader.folder = self.options["folder"]
        return reader

    def plain(self) -> _source.IgnDataSource:
        """The data source without the option that it does not have."""
        return _source.IgnDataSource({name: self.options[name] for name in self.options if name != "folder"})


def test_reading_goes_on_when_an_executor_is_killed(spark: SparkSession, archive: Path, tmp_path: Path) -> None:
    spark.dataSource.register(KillingSource)
    frame = spark.read.format("ign_killing").options(columns="number,plies", folder=tmp_path).load(str(archive))
    rows = sorted((row["number"], row["plies"]) for row in frame.collect())
    assert cluster.calls(tmp_path) == 1
    assert rows == [(game.number, game.plies) for game in ign.open(archive)]


def test_a_task_that_runs_again_changes_nothing(games: Path, tmp_path: Path) -> None:
    options = {"coding": "ign", "level": 16, "block_size": 1 << 17, "verify": True}
    packing = _pack._Packing(str(tmp_path), options)
    first, second = _pack.plan([str(games)], 2)
    done = packing(first)
    path = tmp_path / first.path
    before = path.stat()
    assert packing(first) == done == packing(done)
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    # Two attempts at the same time, as for a task that Spark takes for a slow one.
    results: list[object] = []
    attempts = [threading.Thread(target=lambda: results.append(packing(second))) for _ in range(2)]
    [attempt.start() for attempt in attempts]
    [attempt.join() for attempt in attempts]
    assert len(results) == 2 and results[0] == results[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["part-00000.ign", "part-00001.ign"]


def test_damaged_shards_are_named_and_packed_again_alone(spark: SparkSession, games: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    source = tmp_path / "games.pgn"
    source.write_bytes(games.read_bytes())
    manifest = ign.spark.pack(spark, source, out, shards=4, coding="ign")["manifest"]
    clean = {path.name: path.read_bytes() for path in out.iterdir()}
    assert ign.spark.repack(spark, manifest) == []
    damaged = out / "part-00001.ign"
    content = bytearray(clean[damaged.name])
    content[len(content) // 2] ^= 1
    damaged.write_bytes(content)
    times = {path.name: path.stat().st_mtime_ns for path in out.iterdir()}
    with pytest.raises(ign.CorruptError, match=f"^{damaged}: block 1: "):
        ign.verify(manifest)
    missing = out / "part-00003.ign"
    missing.unlink()
    with pytest.raises(ign.CorruptError, match=f"2 shards are damaged: {damaged}: .*; {missing}: "):
        ign.verify(manifest)
    assert ign.spark.repack(spark, out) == [str(damaged), str(missing)]
    assert {path.name: path.read_bytes() for path in out.iterdir()} == clean
    unchanged = {path.name for path in out.iterdir() if path.stat().st_mtime_ns == times[path.name]}
    assert unchanged == set(clean) - {damaged.name, missing.name}
    ign.verify(manifest)
    # A shard that was replaced by another archive.
    damaged.write_bytes(clean["part-00002.ign"])
    with pytest.raises(ign.CorruptError, match=f"{damaged}: is another archive than that of the manifest"):
        ign.verify(manifest)
    # An input that has changed makes another shard.
    source.write_bytes(games.read_bytes().replace(b"e", b"i"))
    with pytest.raises(Exception, match="part-00001.ign: is not the same when it is packed again"):
        ign.spark.repack(spark, manifest)
    assert damaged.read_bytes() == clean["part-00002.ign"]
