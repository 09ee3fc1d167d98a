"""Manifests: several archives as one, with what is known of each.

A manifest is a JSON file in the folder of its archives, the shards. `ign_archive.spark.pack` writes it when all
shards are complete.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from ign_archive import _paths
from ign_archive._paths import Path, Paths, expand
from ign_archive.errors import IgnError, _make

#: The name of the file in the folder of the shards.
NAME = "manifest.json"
#: What the field `format` of a manifest is, and its version.
FORMAT, VERSION = "ign-manifest", 1


@dataclass
class Part:
    """Bytes of an input; `end` is None for a whole input. A part that does not start with its input starts with
    the first game after `start`, and ends before the first game after `end`."""

    path: str
    start: int = 0
    end: int | None = None


@dataclass
class Shard:
    """An archive, the parts of the inputs that it was packed from, and what it holds."""

    path: str
    """Relative to the folder of the manifest."""
    inputs: list[Part]
    games: int = 0
    plies: int = 0
    text_bytes: int = 0
    archive_bytes: int = 0
    sha256: str = ""
    """Of the file, as `sha256sum` prints it."""


@dataclass
class Manifest:
    """What `manifest.json` holds."""

    options: dict[str, Any]
    """The arguments of `ign_archive.pack`, except those that do not change the archive."""
    shards: list[Shard]
    format: str = FORMAT
    version: int = VERSION
    totals: dict[str, int] = field(default_factory=dict)

    def write(self, path: str) -> None:
        """Writes the file, which appears when it is complete."""
        names = ("games", "plies", "text_bytes", "archive_bytes")
        self.totals = {name: sum(getattr(shard, name) for shard in self.shards) for name in names}
        with _paths.unpublished(path) as temporary:
            with open(temporary, "w", encoding="utf-8") as file:
                json.dump(asdict(self), file, indent=1, ensure_ascii=False)
                file.write("\n")
                file.flush()
                os.fsync(file.fileno())
            _paths.publish(temporary, path)


def read(path: Path) -> Manifest:
    """The manifest in a file.

    Raises:
        MissingFileError: There is no such file.
        CorruptError: The file is no manifest.
        UnsupportedError: The manifest has another version.
    """
    name = os.fspath(path)
    try:
        content = json.loads(b"".join(_paths.read(name)))
    except ValueError as error:
        raise wrong("CorruptError", name, "is no manifest: it is no JSON") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise wrong("CorruptError", name, f'is no manifest: its field "format" is not "{FORMAT}"')
    if content.get("version") != VERSION:
        message = f"is a manifest of version {content.get('version')}; this version of ign reads version {VERSION}"
        raise wrong("UnsupportedError", name, message, "use a version of ign that reads it")
    try:
        return Manifest(content["options"], [shard(fields) for fields in content["shards"]])
    except (KeyError, TypeError) as error:
        raise wrong("CorruptError", name, f"is a damaged manifest: {error}") from error


def shard(fields: dict[str, Any]) -> Shard:
    """The shard of a JSON object."""
    return Shard(**{**fields, "inputs": [Part(**part) for part in fields["inputs"]]})


def wrong(kind: str, file: str, message: str, remedy: str | None = None) -> IgnError:
    """An exception about a file."""
    text = f"{file}: {message}" + (f" ({remedy})" if remedy else "")
    return _make(kind, text, None, {"message": message, "file": file, "remedy": remedy})


def named(paths: Paths) -> bool:
    """Whether a path is that of a manifest, by its name."""
    return isinstance(paths, (str, os.PathLike)) and os.fspath(paths).endswith(".json")


def archives(paths: Paths) -> list[str]:
    """The archives that are named; a manifest is replaced by its shards.

    Raises:
        MissingFileError: No file matches a pattern, or a manifest is missing.
        UsageError: No file is named.
        CorruptError: A manifest is damaged.
    """
    files: list[str] = []
    for name in expand(paths):
        files.extend(shards(name)) if named(name) else files.append(name)
    return files


def shards(manifest: str) -> dict[str, Shard]:
    """The shards of a manifest by their paths, in order."""
    folder = os.path.dirname(manifest)
    return {os.path.join(folder, shard.path): shard for shard in read(manifest).shards}


def verify(manifest: str, check: Callable[[str], object]) -> None:
    """Checks all shards of a manifest, each with `check`.

    Raises:
        CorruptError: Shards are damaged or missing; all of them are named.
    """
    damage: list[IgnError] = []
    for path, shard in shards(manifest).items():
        try:
            check(path)
            if sha256(path) != shard.sha256:
                raise wrong("CorruptError", path, "is another archive than that of the manifest")
        except IgnError as error:
            damage.append(error)
    if len(damage) == 1:
        raise damage[0]
    if damage:
        message = f"{len(damage)} shards are damaged: " + "; ".join(map(str, damage))
        raise wrong("CorruptError", manifest, message)


def sums(path: str, indexes: list[dict[str, Any]]) -> dict[str, Any]:
    """The figures of the indexes of all shards together."""
    sections: Counter[str] = Counter()
    for built in indexes:
        sections.update(built["sections"])
    totals = {name: sum(built[name] for built in indexes) for name in ("games", "bytes")}
    return {"path": path, **totals, "sections": dict(sections)}


def checksum(path: str) -> str:
    """The checksum of a file; empty if there is no such file."""
    try:
        return sha256(path)
    except FileNotFoundError:
        return ""


def sha256(path: str) -> str:
    """The checksum of a file.

    Raises:
        MissingFileError: There is no such file.
    """
    digest = hashlib.sha256()
    for piece in _paths.read(path):
        digest.update(piece)
    return digest.hexdigest()
