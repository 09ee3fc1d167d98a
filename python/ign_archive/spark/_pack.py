"""Packing on Spark.

```text
driver: inputs ─► Division of each ─► plan: the parts of each shard
task:   parts ─► pack ─► archive under a temporary name ─► renamed, or uploaded
driver: games and checksums of all shards ─► manifest.json
```

An archive depends on its parts and the options alone, so a task that is executed again, or twice at the same time,
makes the same file. Whoever finishes later finds it there and removes its own.
"""

from __future__ import annotations

import bisect
import contextlib
import glob
import json
import os
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ign_archive import _manifest, _native
from ign_archive._manifest import Manifest, Part, Shard, wrong
from ign_archive._paths import Paths, expand, local, publish, unpublished
from ign_archive.errors import _make

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Bytes of text of a shard, if their number is not given.
SHARD_TEXT = 1 << 30
#: How many times longer the text of a compressed file is than the file, about.
EXPANSION = 5


@dataclass
class Input:
    """A file, and where it can be divided."""

    path: str
    size: int
    borders: list[int] | None
    """Places in the file; None if it can be divided anywhere."""
    reason: str | None = None
    """Why it cannot be divided."""

    @classmethod
    def of(cls, path: str) -> Input:
        """The input of a path."""
        borders = _native.division(path)
        size = _native.Source(path).size
        if isinstance(borders, str):
            return cls(path, size, [0, size], borders)
        return cls(path, size, borders)

    @property
    def text(self) -> int:
        """The length of its text, about."""
        return self.size if self.borders is None else EXPANSION * self.size

    def border(self, text: int) -> int:
        """The border next to a place in the text."""
        if self.borders is None:
            return text
        place = text / EXPANSION
        after = bisect.bisect_left(self.borders, place)
        return min(self.borders[max(0, after - 1) : after + 1], key=lambda border: abs(border - place))


def plan(paths: list[str], shards: int | None) -> list[Shard]:
    """The parts of each shard: of about the same length of text each. There are fewer shards if the inputs cannot
    be divided further."""
    inputs = [Input.of(path) for path in paths]
    total = sum(found.text for found in inputs)
    if shards is None:
        shards = max(1, round(total / SHARD_TEXT))
    if shards > 1:
        for found in inputs:
            if found.reason:
                warnings.warn(f"{found.path}: {found.reason}, so one task packs it", stacklevel=4)
    # The borders of each input: where a shard ends.
    parts: list[list[Part]] = [[]]
    before = 0
    for found in inputs:
        ends = [total * shard // shards - before for shard in range(1, shards)]
        inside = {found.border(end) for end in ends if 0 <= end <= found.text}
        borders = sorted({0, found.size} | inside)
        for start, end in zip(borders, borders[1:]):
            if start in inside and parts[-1]:
                parts.append([])
            whole = (start, end) == (0, found.size)
            parts[-1].append(Part(found.path) if whole else Part(found.path, start, end))
        if found.size == 0:
            parts[-1].append(Part(found.path))
        if found.size in inside and parts[-1]:
            parts.append([])
        before += found.text
    return [Shard(f"part-{number:05}.ign", of) for number, of in enumerate(filter(None, parts))]


def pack(spark: SparkSession, inputs: Paths, out: str, shards: int | None, options: dict[str, Any]) -> dict[str, Any]:
    """Packs and writes the manifest; see `ign_archive.spark.pack`."""
    files = [_absolute(name) for name in expand(inputs)]
    out = _absolute(out.rstrip("/") if _native.is_address(out) else out)
    if out.startswith(("http://", "https://")):
        remedy = "name a folder, or one of an object store: s3://… or gs://…"
        raise wrong("UsageError", _native.shown(out), "shards cannot be written to an HTTP server", remedy)
    path = os.path.join(out, _manifest.NAME)
    if _archives(out) or _manifest.checksum(path):
        message, remedy = "the folder has archives or a manifest already", "remove them, or name another folder"
        raise wrong("UsageError", _native.shown(out), message, remedy)
    planned = plan(files, shards)
    if not _native.is_address(out):
        os.makedirs(out, exist_ok=True)
    done = _run(spark, _Packing(out, options), planned)
    manifest = Manifest(options, done)
    manifest.write(path)
    _remove_leftovers(out)
    return {"manifest": path, "shards": len(done), **manifest.totals}


def repack(spark: SparkSession, manifest: str) -> list[str]:
    """Packs the damaged shards again; see `ign_archive.spark.repack`."""
    is_folder = os.path.isdir(manifest) or (_native.is_address(manifest) and not _manifest.named(manifest))
    path = _absolute(os.path.join(manifest, _manifest.NAME) if is_folder else manifest)
    out, content = os.path.dirname(path), _manifest.read(path)
    found = _run(spark, _Checking(out), content.shards)
    damaged = [shard for shard, now in zip(content.shards, found) if shard.sha256 != now.sha256]
    if damaged:
        _run(spark, _Packing(out, content.options), damaged)
        _remove_leftovers(out)
    return [os.path.join(out, shard.path) for shard in damaged]


@dataclass
class _Packing:
    """The work of a task that packs a shard. A shard with a checksum must get it again."""

    out: str
    options: dict[str, Any]

    def __call__(self, shard: Shard) -> Shard:
        final = os.path.join(self.out, shard.path)
        files: list[Any] = [
            part.path if part.end is None else (part.path, part.start, part.end) for part in shard.inputs
        ]
        with unpublished(final) as temporary:
            summary = _native.pack(files, temporary, **self.options, threads=1, overwrite=False, progress=None)
            digest = _manifest.sha256(temporary)
            if shard.sha256 not in ("", digest):
                message = "is not the same when it is packed again: an input has changed, or the version of ign"
                raise wrong("UsageError", final, message, "pack all shards again, into another folder")
            if _manifest.checksum(final) != digest:
                publish(temporary, final)
        return Shard(shard.path, shard.inputs, **summary, sha256=digest)


@dataclass
class _Checking:
    """The work of a task that computes the checksum of a shard; it is empty if there is no such file."""

    out: str

    def __call__(self, shard: Shard) -> Shard:
        digest = _manifest.checksum(os.path.join(self.out, shard.path))
        return Shard(shard.path, shard.inputs, sha256=digest)


def _run(spark: SparkSession, work: Callable[[Shard], Shard], shards: list[Shard]) -> list[Shard]:
    """Does work on each shard, in a task of its own."""
    import pyarrow as pa  # type: ignore[import-untyped]

    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                done = json.dumps(asdict(work(shards[number])))
                yield pa.RecordBatch.from_pydict({"number": [number], "done": [done]})

    rows = spark.range(0, len(shards), 1, len(shards)).mapInArrow(task, "number bigint, done string").collect()
    done = {row.number: json.loads(row.done) for row in rows}
    return [_manifest.shard(done[number]) for number in range(len(shards))]


def _absolute(name: str) -> str:
    """The name that all workers use: an absolute path, or the address of an object."""
    name = local(name)
    return name if _native.is_address(name) else os.path.abspath(name)


def _archives(out: str) -> list[str]:
    """The archives of a folder; none if there is no such folder."""
    if not _native.is_address(out):
        return glob.glob(os.path.join(glob.escape(out), "*.ign"))
    try:
        return _native.expand(f"{out}/*.ign")
    except FileNotFoundError:
        return []


def _remove_leftovers(out: str) -> None:
    """Removes what tasks have left in a folder that were killed."""
    if _native.is_address(out):
        return
    for path in glob.glob(os.path.join(glob.escape(out), ".part-*.partial")):
        with contextlib.suppress(FileNotFoundError):
            os.remove(path)


def count(name: str, value: object) -> None:
    """Fails if an argument is not an integer of at least 1."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        text = f"{name} is {value!r} (give a whole number of at least 1)"
        raise _make("UsageError", text, None, {"message": text})
