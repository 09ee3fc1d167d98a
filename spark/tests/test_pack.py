"""Are the texts of the shards the input, whatever its form, and do manifests say what the shards hold?"""

from __future__ import annotations

import gzip
import hashlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
import s3_server
from pyspark.sql import SparkSession

import ign_archive as ign
from ign_archive import _paths
from ign_archive.spark import _pack


def framed(text: bytes, path: Path, size: int) -> Path:
    """The text in independent frames of this size, as pzstd writes them."""
    with path.open("wb") as file:
        for start in range(0, len(text), size):
            frame = pa.compress(text[start : start + size], codec="zstd", asbytes=True)
            for number in (0x184D2A50, 4, len(frame)):
                file.write(number.to_bytes(4, "little"))
            file.write(frame)
    return path


def joined(folder: Path) -> bytes:
    """The text of the shards of a folder."""
    text = b""
    for name in sorted(folder.glob("part-*.ign")):
        out = folder / "text"
        ign.unpack(name, out, overwrite=True)
        text += out.read_bytes()
        out.unlink()
    return text


@pytest.mark.parametrize("shards", [1, 2, 5])
@pytest.mark.parametrize("form", ["plain", "frames", "CR", "no games", "several"])
def test_shards_have_the_text_of_the_inputs(
    spark: SparkSession, games: Path, tmp_path: Path, form: str, shards: int, command: Callable[..., str]
) -> None:
    text = games.read_bytes()[: 2 << 20]
    if form == "CR":
        text = text.replace(b"\n", b"\r")
    elif form == "no games":
        text = b"nothing that is a game\n" * 5000
    source = tmp_path / "games.pgn"
    source.write_bytes(text)
    inputs: list[Path] = [source]
    if form == "frames":
        inputs = [framed(text, tmp_path / "games.pgn.zst", 100_000)]
    elif form == "several":
        (tmp_path / "empty.pgn").write_bytes(b"")
        inputs = [source, tmp_path / "empty.pgn", framed(text, tmp_path / "b.pgn.zst", 300_000), source]
        text *= 3
    out = tmp_path / "out"
    summary = ign.spark.pack(spark, inputs, out, shards=shards, coding="ign", block_size=1 << 17)
    assert joined(out) == text
    names = sorted(path.name for path in out.iterdir())
    assert names == ["manifest.json", *(f"part-{number:05}.ign" for number in range(shards))]
    assert summary["shards"] == shards and summary["text_bytes"] == len(text)

    manifest = json.loads((out / "manifest.json").read_text())
    for shard in manifest["shards"]:
        path = out / shard["path"]
        assert shard["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
        assert shard["archive_bytes"] == path.stat().st_size
        opened = ign.open(path)
        assert (shard["games"], shard["plies"]) == (len(opened), opened.plies)
    assert sum(shard["games"] for shard in manifest["shards"]) == summary["games"]

    command("merge", *sorted(out.glob("part-*.ign")), "-o", tmp_path / "all.ign")
    command("verify", tmp_path / "all.ign")
    command("unpack", tmp_path / "all.ign", "-o", tmp_path / "all.pgn")
    assert (tmp_path / "all.pgn").read_bytes() == text
    if form in ("plain", "frames"):
        # No game is cut in two.
        assert summary["games"] == text.count(b"[Event ")
        whole = tmp_path / "whole.ign"
        ign.pack(source, whole, coding="ign", block_size=1 << 17)
        assert [game.moves for game in ign.open(out / "manifest.json")] == [g.moves for g in ign.open(whole)]


def test_functions_take_a_manifest(spark: SparkSession, games: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    manifest = ign.spark.pack(spark, games, out, shards=3, coding="ign")["manifest"]
    ign.verify(manifest)
    opened = ign.open(manifest)
    assert len(opened) == 3000 and len(opened.paths) == 3
    before = list(opened.find(white_elo=(2000, None)).numbers)
    built = ign.index(manifest)
    assert built["path"] == manifest and built["games"] == 3000
    assert len(list(out.glob("*.idx"))) == 3 and built["sections"]["positions"] > 0
    assert list(ign.open(manifest).find(white_elo=(2000, None)).numbers) == before
    ign.verify(manifest)
    for path in (manifest, str(out)):
        frame = spark.read.format("ign").option("columns", "number,WhiteElo").load(path)
        numbers = sorted(row["number"] for row in frame.where("WhiteElo >= 2000").collect())
        assert numbers == before
    # A moved folder keeps its meaning.
    moved = out.rename(tmp_path / "moved")
    assert len(ign.open(moved / "manifest.json")) == 3000


def test_inputs_that_cannot_be_divided_are_one_task(spark: SparkSession, games: Path, tmp_path: Path) -> None:
    text = games.read_bytes()[: 1 << 20]
    text = text[: text.rindex(b"[Event ")]
    stream = tmp_path / "stream.pgn.zst"
    stream.write_bytes(pa.compress(text, codec="zstd", asbytes=True))
    zipped = tmp_path / "zipped.pgn.gz"
    zipped.write_bytes(gzip.compress(text))
    go = tmp_path / "go.sgf"
    go.write_bytes(b"(;GM[1]SZ[9];B[aa];W[bb])\n" * 400)
    inputs = [stream, zipped, go]
    with pytest.warns(UserWarning) as warned:
        summary = ign.spark.pack(spark, inputs, tmp_path / "out", shards=8, coding="ign")
    messages = [str(warning.message) for warning in warned]
    assert messages == [
        f"{stream}: its frames are not independent, so one task packs it",
        f"{zipped}: it is one compressed stream, so one task packs it",
        f"{go}: it is a collection of Go games, so one task packs it",
    ]
    assert 1 < summary["shards"] <= 3
    assert joined(tmp_path / "out") == 2 * text + go.read_bytes()


def test_parts_have_about_the_same_length(games: Path, tmp_path: Path) -> None:
    text = games.read_bytes()
    frames = framed(text, tmp_path / "games.pgn.zst", 10_000)
    for path in (games, frames):
        shards = _pack.plan([str(path)], 7)
        assert len(shards) == 7
        borders = [(part.start, part.end) for shard in shards for part in shard.inputs]
        assert borders[0][0] == 0 and borders[-1][1] == path.stat().st_size
        assert all(end == start for (_, end), (start, _) in zip(borders, borders[1:]))
        lengths = [(end or 0) - start for start, end in borders]
        assert max(lengths) < 1.2 * min(lengths)
    (one,) = _pack.plan([str(games)], None)
    assert one.inputs == [_pack.Part(str(games))]
    # More shards than frames.
    few = framed(text, tmp_path / "few.pgn.zst", len(text) // 2 + 1)
    assert len(_pack.plan([str(few)], 9)) == 2
    merged = _pack.plan([str(games)] * 5, 2)
    assert [len(shard.inputs) for shard in merged] == [3, 3]


def test_shards_are_objects_as_they_are_files(
    spark: SparkSession, games: Path, tmp_path: Path, s3: str, command: Callable[..., str]
) -> None:
    dump = framed(games.read_bytes(), tmp_path / "games.pgn.zst", 100_000)
    s3_server.put(s3, f"dumps/{dump.name}", dump.read_bytes())
    arguments = {"shards": 3, "coding": "ign", "block_size": 1 << 17}
    ign.spark.pack(spark, dump, tmp_path / "out", **arguments)
    out = "s3://chess/shards/all"
    summary = ign.spark.pack(spark, "s3://chess/dumps/*.pgn.zst", f"{out}/", **arguments)
    assert summary["manifest"] == f"{out}/manifest.json" and summary["shards"] == 3
    names = [path.name for path in sorted((tmp_path / "out").glob("*.ign"))]
    assert ign.open(f"{out}/*.ign").paths == [f"{out}/{name}" for name in names]
    for name in names:
        assert b"".join(_paths.read(f"{out}/{name}")) == (tmp_path / "out" / name).read_bytes()
    assert spark.read.format("ign").load(f"{out}/manifest.json").count() == summary["games"] == 3000
    command("merge", *(f"{out}/{name}" for name in names), "-o", tmp_path / "all.ign")
    command("unpack", tmp_path / "all.ign", "-o", tmp_path / "all.pgn")
    assert (tmp_path / "all.pgn").read_bytes() == games.read_bytes()

    assert len(command("list", f"{out}/*.ign").splitlines()) == 3000
    with pytest.raises(subprocess.CalledProcessError) as failed:
        command("list", f"{out}/*.ign", "1..2")
    assert "a range of games needs a single archive" in failed.value.stderr

    with pytest.raises(ign.UsageError, match="s3://chess/shards/all: the folder has archives"):
        ign.spark.pack(spark, "s3://chess/dumps/*.pgn.zst", out)
    # A shard that is damaged afterwards.
    whole = (tmp_path / "out" / names[1]).read_bytes()
    s3_server.put(s3, f"shards/all/{names[1]}", whole[:5000] + b"x" + whole[5001:])
    with pytest.raises(ign.CorruptError, match=names[1]):
        ign.verify(f"{out}/manifest.json")
    assert ign.spark.repack(spark, out) == [f"{out}/{names[1]}"]
    assert b"".join(_paths.read(f"{out}/{names[1]}")) == whole
    ign.verify(f"{out}/manifest.json")


def test_where_shards_cannot_be_written_is_an_error(spark: SparkSession, games: Path, s3: str) -> None:
    with pytest.raises(ign.UsageError, match="http://host/shards: shards cannot be written to an HTTP server"):
        ign.spark.pack(spark, games, "http://me:secret@host/shards?secret")
    with pytest.raises(Exception, match="s3://no-such-bucket/shards/part-00000.ign: there is no such object or bucket"):
        ign.spark.pack(spark, games, "s3://no-such-bucket/shards", shards=1, coding="ign")
