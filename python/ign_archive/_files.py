"""Whole files: opening, packing, appending, merging, unpacking, indexing, verifying, statistics."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from ign_archive import _manifest, _native
from ign_archive._native import Archive
from ign_archive._paths import Path, Paths, expand

Progress: TypeAlias = Callable[[int, int], object]


def open(
    paths: Paths,
    *,
    index: Path | None = None,
    threads: int | None = None,
    use_index: bool = True,
) -> Archive:
    """Opens an archive, or several as one. This takes three short reads for each file.

    The games of several archives are numbered from 1, one archive after the other.

    Args:
        paths: The path of an archive, several paths, or a pattern such as "2013-*.ign", whose files are
            taken in the order of their names. The manifest that `ign_archive.spark.pack` writes names its archives.
        index: A search index that all archives share. Without it each archive uses the index beside it
            (`A.ign.idx`), if there is one.
        threads: The number of threads that operations use; by default as many as the machine runs at once.
            Results do not depend on it.
        use_index: Whether searches use indexes. Results do not depend on it.

    Raises:
        FileNotFoundError: There is no such file.
        CorruptError: A file is no archive, or it is damaged.
        UnsupportedError: An archive has another format version.

    Warns:
        IgnWarning: There are bytes after an archive: an append is running or was interrupted, or the file was
            cut off. They are ignored.

    Example:
        >>> import ign_archive as ign
        >>> a = ign.open("games.ign")
        >>> a[1].tags["White"]
        'CheckSmith2013'
    """
    return _native.open(_manifest.archives(paths), index, threads, use_index)


def pack(
    files: Paths,
    out: Path,
    *,
    coding: str = "weighted",
    level: int = 16,
    block_size: int | None = None,
    threads: int | None = None,
    verify: bool = True,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> dict[str, int]:
    """Packs PGN or SGF files, plain or compressed (.zst, .gz, .bz2), into an archive.

    `unpack` restores every byte. The archive appears when it is complete.

    Args:
        files: Paths, or a pattern.
        out: The path of the archive.
        coding: How moves are coded: "weighted" is smallest, "ign" is read about five times as fast,
            "ign-end" is "ign" with end moves.
        level: The zstd level of text, from 1 to 22.
        block_size: The bytes of text in a block, from 4,096 to 67,108,864; 8 MiB by default.
        threads: The number of threads. The archive does not depend on it.
        verify: Whether each block is decoded again and compared with its text.
        overwrite: Whether an existing file is replaced.
        progress: Called after each block with the bytes of input and the games done so far. If it raises
            an exception, packing ends with it.

    Returns:
        `games`, `plies`, `text_bytes` and `archive_bytes`.

    Raises:
        FileNotFoundError: There is no such file.
        UsageError: `out` exists or is an input, or an option has no such value.
        CorruptError: Compressed data is damaged.
    """
    return _native.pack(expand(files), out, coding, level, block_size, threads, verify, overwrite, progress)


def append(
    archive: Path,
    files: Paths,
    *,
    coding: str | None = None,
    level: int | None = None,
    block_size: int | None = None,
    threads: int | None = None,
    verify: bool = True,
    progress: Progress | None = None,
) -> dict[str, int]:
    """Packs files and appends their games to an archive. If this fails, the archive is as it was.

    The search index beside the archive is extended. Archives that are open show the new games when they are
    opened again. `merge` joins archives.

    Args:
        archive: The path of the archive.
        files: Paths, or a pattern, as for `pack`.
        coding: As for `pack`; by default that of the archive, as for the next two.
        level: As for `pack`.
        block_size: As for `pack`.
        threads: The number of threads. The archive does not depend on it.
        verify: Whether each block is decoded again and compared with its text.
        progress: As for `pack`.

    Returns:
        `games`, `plies` and `text_bytes` that were appended, and `archive_bytes` of the whole archive.

    Raises:
        FileNotFoundError: There is no such file.
        UsageError: A file is an archive, another program is writing the archive, or an option has no such value.
        CorruptError: The archive or compressed data is damaged.

    Warns:
        IgnWarning: The index cannot be extended.
    """
    return _native.append(archive, expand(files), coding, level, block_size, threads, verify, progress)


def merge(archives: Paths, out: Path, *, overwrite: bool = False, progress: Progress | None = None) -> dict[str, int]:
    """Writes the games of archives into one archive, one archive after the other. Blocks are copied as they are.

    Args:
        archives: Paths, or a pattern.
        out: The path of the new archive.
        overwrite: Whether an existing file is replaced.
        progress: Called after each block with the bytes of the archives and the games done so far.

    Returns:
        `games`, `plies`, `text_bytes` and `archive_bytes`.

    Raises:
        FileNotFoundError: There is no such file.
        UsageError: `out` exists or is one of the archives.
        CorruptError: A block is damaged.
    """
    return _native.merge(expand(archives), out, overwrite, progress)


def parity(archive: Path, percent: float = 2.0) -> dict[str, int]:
    """Adds bytes to an archive from which the command `ign recover` repairs damage. Nothing else is changed.

    Args:
        archive: The path of the archive.
        percent: The share of damaged shards that can be repaired, above 0 and at most 100.

    Returns:
        `bytes` that were added (0 if the archive had this parity), `shards` of the archive,
        `recovery_shards`, and `shard_bytes`, the length of a shard.

    Raises:
        FileNotFoundError: There is no such file.
        UsageError: The share is out of range, or another program is writing the archive.
        CorruptError: The file is no archive.
    """
    return _native.parity(archive, percent)


def sample(
    out: Path,
    *,
    games: int = 1000,
    seed: int = 1,
    clocks: bool = False,
    threads: int | None = None,
    overwrite: bool = False,
) -> None:
    """Writes made-up games in the form of a Lichess database, the same on every machine.

    Moves are drawn at random from the model of human play; players, ratings and dates are invented.

    Args:
        out: The path of the PGN file.
        games: Their number. Fewer games are a prefix of more games.
        seed: The seed of the random numbers, from 0.
        clocks: Whether each move has the time on the clock.
        threads: The number of threads. The games do not depend on it.
        overwrite: Whether an existing file is replaced.
    """
    _native.sample(out, games, seed, clocks, threads, overwrite)


def unpack(
    archive: Path,
    out: Path,
    *,
    threads: int | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> int:
    """Writes the text of an archive, as it was packed, to the byte.

    Returns:
        The number of bytes.

    Raises:
        FileNotFoundError: There is no such file.
        CorruptError: The archive is damaged. Nothing is written then.
        UsageError: `out` exists.
    """
    return _native.unpack(archive, out, threads, overwrite, progress)


def index(
    archives: Paths,
    out: Path | None = None,
    *,
    without: Iterable[str] = (),
    threads: int | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Builds the search index of an archive, or of several. With it, searches take milliseconds.

    An index that covers only the first games, because others were appended, is extended; one that covers all
    of them is left as it is. One with other sections is built again.

    Args:
        archives: Paths, or a pattern. Without `out`, each archive of a manifest gets an index of its own.
        out: The path of the index. By default `A.ign.idx` beside the archive, which is then used by
            itself; an index of several archives has no default.
        without: Sections to leave out: "columns", "players", "openings", "positions".
        threads: The number of threads.
        overwrite: Whether an existing index is built again in any case.
        progress: Called after each block with the bytes of the archive and the games done so far.

    Returns:
        `path`, and of what was written `games`, `bytes`, and `sections` with the bytes of each. For a manifest
        these are sums, and `path` is its path.

    Raises:
        FileNotFoundError: There is no such file.
        CorruptError: The existing index is damaged or belongs to other archives.
        UsageError: There is no such section, or the index needs a name.
    """
    sections = list(without)
    if out is None and _manifest.named(archives):
        manifest = os.fspath(archives)  # type: ignore[arg-type]
        built = [
            _native.index([path], None, sections, threads, overwrite, progress) for path in _manifest.shards(manifest)
        ]
        return _manifest.sums(manifest, built)
    return _native.index(_manifest.archives(archives), out, sections, threads, overwrite, progress)


def verify(archive: Path, *, threads: int | None = None, progress: Progress | None = None) -> None:
    """Checks every byte of an archive, and of the search index beside it; of a manifest, those of all its archives,
    and their checksums.

    Raises:
        CorruptError: With the place of the first damage. Of a manifest, all damaged archives are named.
        FileNotFoundError: There is no such file.
    """
    if _manifest.named(archive):
        _manifest.verify(os.fspath(archive), lambda path: _native.verify(path, threads, progress))
    else:
        _native.verify(archive, threads, progress)


def stats(
    path: Path,
    *,
    coding: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Where the bytes of an archive go, and what its moves cost: the figures of `ign stats --json`.

    Args:
        path: An archive, or a file that `pack` accepts; its figures are those of its archive.
        coding: The coding of the moves, for a file that is no archive.
        threads: The number of threads.
        progress: Called after each block with the bytes and the games done so far.

    Returns:
        A dictionary: `games`, `plies`, `bytes_per_game`, `columns`, `moves`, `signatures` and more.
    """
    figures: dict[str, Any] = json.loads(_native.stats(path, coding, threads, progress))
    return figures
