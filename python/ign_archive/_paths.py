"""Paths of archives: one, several, or a pattern."""

from __future__ import annotations

import contextlib
import errno
import glob
import os
import tempfile
import uuid
from collections.abc import Iterable, Iterator
from typing import TypeAlias
from urllib.parse import urlsplit
from urllib.request import url2pathname

from ign_archive import _native
from ign_archive.errors import _make, _usage

Path: TypeAlias = "str | os.PathLike[str]"
Paths: TypeAlias = "Path | Iterable[Path]"
#: Bytes that are read at a time.
PIECE = 1 << 20


def read(name: str) -> Iterator[bytes]:
    """The bytes of a file or an object, piece by piece.

    Raises:
        MissingFileError: There is no such file.
    """
    source = _native.Source(name)
    source.announce()
    for offset in range(0, source.size, PIECE):
        yield source.read(offset, PIECE)


def local(name: str) -> str:
    """The path of a `file://` address; other names as they are."""
    return url2pathname(urlsplit(name).path) if name.startswith("file://") else name


@contextlib.contextmanager
def unpublished(name: str) -> Iterator[str]:
    """A path for what will be `name`: in its folder, or in a folder of this machine if `name` is that of an object.
    What is there at the end is removed."""
    if _native.is_address(name):
        with tempfile.TemporaryDirectory(prefix="ign-") as folder:
            yield os.path.join(folder, "partial")
        return
    folder, base = os.path.split(name)
    path = os.path.join(folder, f".{base}.{uuid.uuid4().hex}.partial")
    try:
        yield path
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(path)


def publish(file: str, name: str) -> None:
    """Moves a complete file to its final name, or copies it to an object. Readers see all of it or nothing."""
    if _native.is_address(name):
        _native.upload(file, name)
    else:
        os.replace(file, name)


def expand(paths: Paths) -> list[str]:
    """The files that are named, a pattern replaced by the files that match it, in the order of their names.

    A name that exists is taken as it is, even if it looks like a pattern. In the address of an object, `*` in the
    name is a pattern.

    Raises:
        MissingFileError: No file matches a pattern.
        UsageError: No file is named.
    """
    remedy = "give a path, a list of paths or a pattern"
    try:
        names = [os.fspath(name) for name in ([paths] if isinstance(paths, (str, os.PathLike)) else paths)]
    except TypeError:
        raise _usage(f"a value of type {type(paths).__name__} names no archive", remedy) from None
    files: list[str] = []
    for name in names:
        if _native.is_address(name):
            files.extend(_native.expand(name))
            continue
        if not glob.has_magic(name) or os.path.exists(name):
            files.append(name)
            continue
        found = sorted(glob.glob(name, recursive=True))
        if not found:
            message = "no file matches the pattern"
            raise _make("FileError", f"{name}: {message}", errno.ENOENT, {"message": message, "file": name})
        files.extend(found)
    if not files:
        raise _usage("no archive is named", remedy)
    return files
