"""Whole files: opening, packing, joining and dividing, unpacking, exporting, indexing, verifying, statistics."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from ign_archive import _inputs, _manifest, _native
from ign_archive._inputs import Inputs
from ign_archive._native import Archive, Scan
from ign_archive._paths import Path, Paths, expand
from ign_archive.errors import IgnWarning

Progress: TypeAlias = Callable[[int, int], object]


def open(
    paths: Paths,
    *,
    index: Path | None = None,
    threads: int | None = None,
    use_index: bool = True,
    damaged: bool = False,
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
        damaged: Whether to open damaged archives without their damaged blocks. The checksums of all blocks are
            compared first, and no search index is used. Games keep their numbers, except those after a block whose
            number of games is lost; `len` counts the lost games too. `recover` writes a whole archive.

    Raises:
        FileNotFoundError: There is no such file.
        CorruptError: A file is no archive, or it is damaged.
        UnsupportedError: An archive has another format version.

    Warns:
        IgnWarning: There are bytes after an archive: an append is running or was interrupted, or the file was
            cut off. They are ignored. With `damaged`, each damaged part, with its games. `index` cannot be used;
            why the index beside an archive cannot be used is in `rejected_indexes` after the first search.

    Example:
        >>> import ign_archive as ign
        >>> a = ign.open("games.ign")
        >>> a[1].tags["White"]
        'CheckSmith2013'
    """
    archive = _native.open(_manifest.archives(paths), index, threads, use_index, damaged)
    for reason in archive.rejected_indexes:
        warnings.warn(f"{reason}; the index is not used", IgnWarning, stacklevel=2)
    return archive


def _models(model: Path | Iterable[Path]) -> list[Path]:
    return [model] if isinstance(model, str | os.PathLike) else list(model)


def pack(
    files: Inputs,
    out: Path,
    *,
    coding: str = "weighted",
    level: int = 16,
    block_size: int | None = None,
    threads: int | None = None,
    verify: bool = True,
    model: Path | Iterable[Path] = (),
    embed: bool = False,
    sha256: str | None = None,
    expect_games: int | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> dict[str, int]:
    """Packs PGN or SGF files, plain or compressed (.zst, .gz, .bz2), into an archive.

    `unpack` restores every byte. The archive appears when it is complete. File objects and games are read as they
    are packed, in bounded memory.

    Args:
        files: One of these, or an iterable of them: a path, a pattern, the bytes of a text, a file object of bytes
            or of text (read from where it is to its end, text as UTF-8), a `Game`, a game of python-chess. A str is
            always a path: `pack_text` packs texts. Each is a packed file of its own, but a game and all that follow
            it are one, and are all games.
        out: The path of the archive.
        coding: How moves are coded: "weighted" is smallest, "ign" is read about five times as fast,
            "ign-end" is "ign" with end moves.
        level: The zstd level of text, from 1 to 22.
        block_size: The bytes of text in a block, from 4,096 to 67,108,864; 8 MiB by default.
        threads: The number of threads. The archive does not depend on it.
        verify: Whether each block is decoded again and compared with its text.
        model: The file of a model, or several, used instead of the built-in ones. The archive holds them.
        embed: Whether the archive also holds the built-in models that it needs.
        sha256: The published SHA-256 of the file, as it is on the disk, in hexadecimal digits: it is compared, and
            kept in the archive. One file is packed then.
        expect_games: The published number of games of all files: it is compared.
        overwrite: Whether an existing file is replaced.
        progress: Called after each block with the bytes of input and the games done so far. If it raises
            an exception, packing ends with it.

    Returns:
        `games`, `plies`, `text_bytes` and `archive_bytes`.

    Raises:
        FileNotFoundError: There is no such file.
        UsageError: `out` exists or is an input, or an option has no such value.
        CorruptError: Compressed data is damaged, or `sha256` or `expect_games` differs.
    """
    return _native.pack(
        _inputs.inputs(files),
        out,
        coding,
        level,
        block_size,
        threads,
        verify,
        overwrite,
        progress,
        _models(model),
        embed,
        sha256,
        expect_games,
    )


def pack_text(
    text: str | bytes | Iterable[Any],
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
    """Packs a text, or games, into an archive. It is `pack`, but a str is a text and not a path.

    Args:
        text: The text of a PGN or SGF file, packed as it is (a str as UTF-8), or an iterable of games in bounded
            memory, each a str or bytes with its text, a `Game`, or a game of python-chess. Games that do not end with
            an empty line get one, except a `Game`, whose text is kept.
        out: The path of the archive.
        coding: As for `pack`, as the other arguments.
        level: As for `pack`.
        block_size: As for `pack`.
        threads: As for `pack`.
        verify: As for `pack`.
        overwrite: As for `pack`.
        progress: As for `pack`.

    Returns:
        `games`, `plies`, `text_bytes` and `archive_bytes`.

    Raises:
        UsageError: `out` exists, an option has no such value, or something in the iterable is no game.

    Example:
        >>> summary = ign.pack_text((game.pgn for game in a if game.plies < 20), "short.ign", overwrite=True)
    """
    files = _inputs.texts(text)
    return _native.pack(files, out, coding, level, block_size, threads, verify, overwrite, progress)


def append(
    archive: Path,
    files: Inputs,
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
        files: As for `pack`: paths, bytes, file objects, games.
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
    return _native.append(archive, _inputs.inputs(files), coding, level, block_size, threads, verify, progress)


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


def split(
    archive: Path,
    *,
    games: int | None = None,
    bytes: int | None = None,
    by: str | None = None,
    folder: Path | None = None,
    threads: int | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> list[dict[str, Any]]:
    """Writes the games of an archive into several: `games-001.ign`, or `games-2013-01.ign` by month.

    Give one of `games`, `bytes` and `by`. At most 400 archives are written. All appear when all are complete.

    Args:
        archive: The path of the archive.
        games: Archives of this many games each.
        bytes: Archives of at most this many bytes.
        by: An archive for each "date", "month" or "year", for each packed "file", for each value of a tag, such
            as "Event", or for each band of numbers, such as "elo:200", as the keys of `Archive.count`. Games without
            a value are in `games-unknown.ign`.
        folder: Where the archives are written; by default beside the archive.
        threads: The number of threads. The archives do not depend on it.
        overwrite: Whether existing files are replaced.
        progress: Called after each block with the bytes of text and the games done so far.

    Returns:
        For each archive `archive` (its path), `games`, `plies`, `text_bytes` and `archive_bytes`.

    Raises:
        FileNotFoundError: There is no such file.
        UsageError: A file exists, there would be too many archives, or the archive is empty.
        CorruptError: The archive is damaged.
    """
    return _native.split(archive, games, bytes, by, folder, threads, overwrite, progress)


def recover(
    archive: Path,
    out: Path,
    *,
    model: Path | Iterable[Path] = (),
    threads: int | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Writes the intact parts of a damaged archive into a new one, as `ign recover`.

    Damage is repaired if the archive has enough parity (`parity`). Otherwise whole blocks are copied, and games of
    other blocks are packed again without what is damaged. The damaged archive is not changed.

    Args:
        archive: The path of the damaged archive.
        out: The path of the new archive.
        model: The file of a model that the archive was packed with, or several, to restore one that is lost.
        threads: The number of threads.
        overwrite: Whether an existing file is replaced.
        progress: Called after each block with the bytes and the games done so far.

    Returns:
        A dictionary: `complete`, whether nothing is lost; `method` (`copied`, `repaired` or
        `rebuilt`); `games` and `archive_bytes` of the new archive; `lost`, the parts that are not in it, and
        `reduced`, the games that are in it without some columns, each with `block`, `bytes`, `games` (the first
        and the last), `columns`, `lost_with` and `reason`; `notes`.

    Raises:
        FileNotFoundError: There is no such file.
        CorruptError: Nothing of an archive is found.
        UsageError: `out` exists or is the damaged archive.
    """
    return _native.recover(archive, out, _models(model), threads, overwrite, progress)


def transcode(
    archive: Path,
    out: Path,
    *,
    coding: str,
    threads: int | None = None,
    verify: bool = True,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> dict[str, int]:
    """Writes an archive with another coding of the moves. All else is copied, except parity.

    Args:
        archive: The path of the archive.
        out: The path of the new archive.
        coding: As for `pack`: "weighted", "ign" or "ign-end".
        threads: The number of threads. The archive does not depend on it.
        verify: Whether the moves of each new block are decoded again and compared.
        overwrite: Whether an existing file is replaced.
        progress: Called after each block with the bytes of text and the games done so far.

    Returns:
        `games`, `plies`, `text_bytes` and `archive_bytes`.

    Raises:
        FileNotFoundError: There is no such file.
        UsageError: `out` exists or is the archive, or there is no such coding.
        CorruptError: The archive is damaged.
    """
    return _native.transcode(archive, out, coding, threads, verify, overwrite, progress)


def export(
    table: Archive | Scan,
    out: Path,
    *,
    format: str | None = None,
    threads: int | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> int:
    """Writes a table as Parquet, Arrow, CSV, JSON lines or EPD, in bounded memory. The file appears when it is
    complete; a table without rows is written too.

    Args:
        table: What `Archive.scan` or `Archive.scan_positions` returns, or an archive, for all columns of its games.
            EPD is the format of `archive.scan_positions(["epd"])`.
        out: The path of the file.
        format: "parquet", "arrow", "csv", "jsonl" or "epd"; by default that of the extension of `out`.
        threads: The number of threads that write.
        overwrite: Whether an existing file is replaced.
        progress: Called after each batch with the bytes and the rows written so far.

    Returns:
        The number of rows.

    Raises:
        UsageError: `out` exists or is one of the archives, or the format is not known.
        CorruptError: A block is damaged.

    Example:
        >>> table = a.scan(["number", "White", "moves"], where={"elo": (2000, None)})
        >>> ign.export(table, "strong.csv", overwrite=True)
        35
    """
    scan = table.scan() if isinstance(table, Archive) else table
    return _native.export(scan, out, format, threads, overwrite, progress)


def parity(archive: Path, percent: float = 2.0) -> dict[str, int]:
    """Adds bytes to an archive from which `recover` repairs damage. Nothing else is changed.

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
    plies: int | None = None,
    threads: int | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Builds the search index of an archive, or of several. With it, searches take milliseconds.

    An index that covers only the first games, because others were appended, is extended; one that covers all
    of them is left as it is. One with other sections, or to another depth, is built again.

    Args:
        archives: Paths, or a pattern. Without `out`, each archive of a manifest gets an index of its own.
        out: The path of the index. By default `A.ign.idx` beside the archive, which is then used by
            itself; an index of several archives has no default.
        without: Sections to leave out: "columns", "players", "openings", "positions", "materials".
        plies: Only the positions that occur within this number of plies of a game are in the index. Searches for other
            positions replay the longer games. By default all are, or those that an existing index has.
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
            _native.index([path], None, sections, plies, threads, overwrite, progress)
            for path in _manifest.shards(manifest)
        ]
        return _manifest.sums(manifest, built)
    return _native.index(_manifest.archives(archives), out, sections, plies, threads, overwrite, progress)


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
