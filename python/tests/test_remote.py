"""Archives on servers: on S3, as moto serves it, and by addresses of files."""

from __future__ import annotations

import json
import os
import pickle
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import s3_server

import ign_archive as ign
from ign_archive import _paths

@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """The address of a server of S3, with the bucket `chess`."""
    with s3_server.serve() as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def archives(s3: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with archives, which are in the bucket too."""
    folder = tmp_path_factory.mktemp("remote")
    for number in (1, 2):
        text = folder / f"{number}.pgn"
        ign.sample(text, games=500 * number, seed=number)
        ign.pack(text, folder / f"{number}.ign", block_size=65536)
        ign.index(folder / f"{number}.ign")
    for file in folder.iterdir():
        s3_server.put(s3, f"games/{file.name}", file.read_bytes())
    return folder


def test_an_object_is_read_as_the_file(archives: Path) -> None:
    file, remote = ign.open(archives / "2.ign"), ign.open("s3://chess/games/2.ign")
    assert len(remote) == 1000
    assert remote[700].pgn == file[700].pgn
    elo = {"elo": (1800, None)}
    assert list(remote.find(**elo).numbers) == list(file.find(**elo).numbers)
    assert remote.tree() == file.tree()
    assert [game.moves for game in remote] == [game.moves for game in file]
    ign.verify("s3://chess/games/2.ign")


def test_an_archive_is_opened_again_by_another_process(archives: Path) -> None:
    remote = pickle.loads(pickle.dumps(ign.open("s3://chess/games/*.ign")))
    assert remote.paths == [f"s3://chess/games/{number}.ign" for number in (1, 2)]
    assert remote[501].pgn == ign.open(archives / "2.ign")[1].pgn


def test_patterns_name_the_objects_of_a_folder(archives: Path) -> None:
    games = ign.open("s3://chess/games/*.ign")
    assert len(games) == 1500
    assert games[501].pgn == ign.open(archives / "2.ign")[1].pgn
    with pytest.raises(ign.MissingFileError, match=r"s3://chess/games/\*\.pgn\.zst: no object matches the pattern"):
        ign.open("s3://chess/games/*.pgn.zst")


def test_texts_are_packed_from_objects(archives: Path, tmp_path: Path) -> None:
    ign.pack(["s3://chess/games/1.pgn", "s3://chess/games/2.pgn"], tmp_path / "both.ign")
    ign.unpack(tmp_path / "both.ign", tmp_path / "both.pgn")
    assert (tmp_path / "both.pgn").read_bytes() == b"".join((archives / f"{n}.pgn").read_bytes() for n in (1, 2))


def test_few_requests_are_made_and_counted(archives: Path) -> None:
    before = ign.traffic()
    ign.open("s3://chess/games/2.ign")[700].pgn
    requests, received = (now - then for now, then in zip(ign.traffic(), before))
    assert 1 <= requests <= 3
    assert received <= os.path.getsize(archives / "2.ign")


def test_google_cloud_storage_is_read_by_its_own_addresses(
    s3: str, archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The requests that it takes are those of S3. No server of its own can be installed here.
    monkeypatch.setenv("GOOGLE_BASE_URL", s3)
    monkeypatch.setenv("GOOGLE_SKIP_SIGNATURE", "true")
    games = ign.open("gs://chess/games/*.ign")
    assert games.paths == [f"gs://chess/games/{number}.ign" for number in (1, 2)]
    assert games[501].pgn == ign.open(archives / "2.ign")[1].pgn
    with pytest.raises(ign.MissingFileError, match="gs://chess/games/3.ign: there is no such object or bucket"):
        ign.open("gs://chess/games/3.ign")


def test_a_manifest_names_objects(s3: str, archives: Path) -> None:
    shards = [{"path": f"games/{n}.ign", "inputs": [{"path": f"{n}.pgn"}]} for n in (1, 2)]
    manifest = {"format": "ign-manifest", "version": 1, "options": {}, "shards": shards}
    s3_server.put(s3, "manifest.json", json.dumps(manifest).encode())
    assert len(ign.open("s3://chess/manifest.json")) == 1500


def test_what_is_missing_is_an_error_that_names_it(s3: str, archives: Path) -> None:
    for address in ("s3://chess/games/3.ign", "s3://no-such-bucket/3.ign"):
        with pytest.raises(ign.MissingFileError, match=f"{address}: there is no such object or bucket"):
            ign.open(address)
    with pytest.raises(ign.CorruptError, match="s3://chess/games/1.pgn"):
        ign.open("s3://chess/games/1.pgn")
    with pytest.raises(ign.UsageError, match="on this machine only"):
        ign.pack(archives / "1.pgn", "s3://chess/games/4.ign")
    with pytest.raises(ign.UsageError, match="names no object"):
        ign.open("s3://chess/")


def test_the_address_of_a_file_is_its_path(archives: Path) -> None:
    assert len(ign.open((archives / "1.ign").as_uri())) == 500


@pytest.mark.parametrize("size", [0, 1000, 8 << 20, (20 << 20) + 7])
def test_a_file_is_copied_to_an_object(s3: str, tmp_path: Path, size: int) -> None:
    data = random.Random(size).randbytes(size)
    for content in (b"what was there before", data):
        file = tmp_path / "file"
        file.write_bytes(content)
        _paths.publish(str(file), f"s3://chess/copied/{size}")
        assert b"".join(_paths.read(f"s3://chess/copied/{size}")) == content


def test_a_file_is_copied_to_stores_only(s3: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(bytes(9 << 20))
    with pytest.raises(OSError, match=r"s3://no-such-bucket/a: there is no such object or bucket"):
        _paths.publish(str(file), "s3://no-such-bucket/a")
    with pytest.raises(OSError, match=r"/chess/a: cannot upload over HTTP"):
        _paths.publish(str(file), f"{s3}/chess/a")
