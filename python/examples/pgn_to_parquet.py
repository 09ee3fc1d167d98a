"""Lichess PGN to Parquet with regular expressions and pyarrow, to compare `ign export` with.

    python python/examples/pgn_to_parquet.py games.pgn.zst games.parquet
    python python/examples/pgn_to_parquet.py games.pgn.zst --compare target/release/ign

The table has the tags of the Lichess data sets with their types, and the movetext as one string: moves,
clocks and evaluations are not understood. With --compare, this and `ign export` run three times each, and
the medians are printed.
"""

from __future__ import annotations

import argparse
import datetime
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

TAG = re.compile(rb'\[(\w+) "(.*)"\]')
TEXTS = ["Event", "Site", "White", "Black", "Result", "WhiteTitle", "BlackTitle", "ECO", "Opening"]
TEXTS += ["Termination", "TimeControl"]
NUMBERS = ["WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff"]
SCHEMA = pa.schema(
    [(name, pa.string()) for name in TEXTS]
    + [(name, pa.int32()) for name in NUMBERS]
    + [("UTCDate", pa.date32()), ("UTCTime", pa.time32("s")), ("movetext", pa.string())]
)
#: Rows of a row group.
ROWS = 1 << 17


def games(path: Path) -> Iterator[tuple[dict[bytes, bytes], bytes]]:
    """Tags and movetext of each game. Both end at an empty line."""
    compression = "zstd" if path.suffix == ".zst" else None
    rest = b""
    with pa.input_stream(str(path), compression=compression) as stream:
        while piece := stream.read(1 << 22):
            parts = (rest + piece).split(b"\n\n")
            # The last game may go on in the next piece.
            whole = (len(parts) - 1) // 2 * 2
            rest = b"\n\n".join(parts[whole:])
            for tags, movetext in zip(parts[0:whole:2], parts[1:whole:2], strict=True):
                yield dict(TAG.findall(tags)), movetext
    if rest.strip():
        tags, _, movetext = rest.partition(b"\n\n")
        yield dict(TAG.findall(tags)), movetext.rstrip(b"\n")


def number(text: bytes | None) -> int | None:
    try:
        return int(text or b"")
    except ValueError:
        return None


def day(text: bytes | None) -> datetime.date | None:
    try:
        return datetime.date(*map(int, (text or b"").split(b".")))
    except (TypeError, ValueError):
        return None


def clock(text: bytes | None) -> int | None:
    try:
        hours, minutes, seconds = map(int, (text or b"").split(b":"))
    except ValueError:
        return None
    return 3600 * hours + 60 * minutes + seconds


def convert(source: Path, out: Path) -> int:
    """Writes the table and returns the number of games."""
    total = 0
    with pq.ParquetWriter(out, SCHEMA, compression="zstd", compression_level=3) as writer:
        columns: dict[str, list] = {name: [] for name in SCHEMA.names}

        def flush() -> None:
            writer.write_table(pa.table(columns, schema=SCHEMA))
            for values in columns.values():
                values.clear()

        for tags, movetext in games(source):
            for name in TEXTS:
                columns[name].append(tags.get(name.encode()))
            for name in NUMBERS:
                columns[name].append(number(tags.get(name.encode())))
            columns["UTCDate"].append(day(tags.get(b"UTCDate")))
            columns["UTCTime"].append(clock(tags.get(b"UTCTime")))
            columns["movetext"].append(movetext)
            total += 1
            if total % ROWS == 0:
                flush()
        flush()
    return total


def compare(source: Path, ign: str) -> None:
    """Prints the median time of this program and of `ign export`."""
    tags = "number,Event,Site,Date,Round,White,Black,Result,WhiteTitle,BlackTitle,WhiteElo,BlackElo,"
    tags += "WhiteRatingDiff,BlackRatingDiff,UTCDate,UTCTime,ECO,Opening,Termination,TimeControl,Variant,FEN"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        out = str(folder / "games.parquet")
        for coding in ["ign", "weighted"]:
            archive = str(folder / f"{coding}.ign")
            subprocess.run([ign, "pack", "-q", "--coding", coding, source, "-o", archive], check=True)
        export = [ign, "export", "-q", "-f", "-T2", "-o", out]
        commands = {
            "regular expressions, tags and movetext as text": [sys.executable, __file__, str(source), out],
            "ign export, PGN, all columns": [*export, str(source)],
        }
        for coding in ["ign", "weighted"]:
            archive = str(folder / f"{coding}.ign")
            commands[f"ign export, {coding}, all tags"] = [*export, archive, "--columns", tags]
            commands[f"ign export, {coding}, all columns"] = [*export, archive]
        for what, command in commands.items():
            times = []
            for _ in range(3):
                start = time.perf_counter()
                subprocess.run(command, check=True)
                times.append(time.perf_counter() - start)
            size = Path(out).stat().st_size
            print(f"{what:48} {statistics.median(times):6.2f} s {size:12,} bytes", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path, metavar="PGN")
    parser.add_argument("out", type=Path, nargs="?", metavar="PARQUET")
    parser.add_argument("--compare", metavar="IGN", help="compare with this program")
    arguments = parser.parse_args()
    if arguments.compare:
        compare(arguments.source, arguments.compare)
    elif arguments.out:
        convert(arguments.source, arguments.out)
    else:
        parser.error("name a Parquet file, or compare")


if __name__ == "__main__":
    main()
