"""Compares the plies that ign reads with those of python-chess: reading.py IGN FILES [EXCEPTIONS].

FILES is a folder, or a .tar.zst of one. Every file in which ign reads fewer plies, and every one that it refuses,
must be listed in EXCEPTIONS, one a line: `path: 2 of 4 plies: reason` or `path: refused: reason`. The path begins with
the name of the folder. Other numbers are an error, and so are a listed file of the folder that is no exception and any
other failure of ign. python-chess is a guide: it takes some prose for moves. Files that it cannot read are counted.
"""

import io
import json
import logging
import pathlib
import subprocess
import sys
import tarfile
import tempfile

import chess.pgn
import zstandard

#: The exit statuses of ign for a file that it does not read.
REFUSED = (1, 2)


def theirs(path):
    """The plies that python-chess reads in a file."""
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    source, plies = io.StringIO(text), 0
    while (game := chess.pgn.read_game(source)) is not None:
        plies += sum(1 for _ in game.mainline_moves())
    return plies


def stats(program, path):
    """The exit status of `ign stats`, and the plies that it reads; none where it fails."""
    done = subprocess.run([program, "stats", "--json", path], capture_output=True)
    return done.returncode, json.loads(done.stdout)["plies"] if done.returncode == 0 else 0


def compare(program, files, exceptions):
    """Prints what differs in the folder FILES; returns whether all of it is expected."""
    folder = files.parent
    all_theirs = all_ours = fewer = unread = 0
    expected = True
    unseen = {name: rest for name, *rest in exceptions if name.startswith(f"{files.name}/")}
    paths = sorted(path for path in files.rglob("*") if path.is_file())
    if not paths:
        print(f"{files.name}: no files")
        return False
    for path in paths:
        name = path.relative_to(folder).as_posix()
        status, our_plies = stats(program, path)
        try:
            their_plies = theirs(path)
            all_theirs, all_ours = all_theirs + their_plies, all_ours + our_plies
        except Exception as error:  # python-chess gives up on some files
            print(f"{name}: python-chess: {error}")
            their_plies, unread = 0, unread + 1
        if status in REFUSED:
            found = "refused"
        elif status != 0:
            found = f"ign ended with status {status}"
        elif our_plies < their_plies:
            found = f"{our_plies} of {their_plies} plies"
        else:
            continue
        fewer += max(their_plies - our_plies, 0)
        stated, reason = unseen.pop(name, (None, None))
        is_expected = stated == found and status in (0, *REFUSED)
        expected &= is_expected
        print(f"{name}: {found}: {reason if is_expected else 'NOT EXPECTED'}")
    for name in unseen:
        expected = False
        print(f"{name}: is an exception without a reason now")
    print(f"files: {len(paths):,}; python-chess cannot read {unread:,}")
    print(f"plies: python-chess {all_theirs:,}, ign {all_ours:,}; in files where ign reads fewer {fewer:,}")
    return expected


def main():
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    program, files = sys.argv[1:3]
    lines = pathlib.Path(sys.argv[3]).read_text().splitlines() if len(sys.argv) > 3 else []
    exceptions = [line.split(": ", 2) for line in lines if line and not line.startswith("#")]
    files = pathlib.Path(files).resolve()
    if files.is_dir():
        return 0 if compare(program, files, exceptions) else 1
    with tempfile.TemporaryDirectory() as folder:
        with files.open("rb") as packed, zstandard.ZstdDecompressor().stream_reader(packed) as stream:
            with tarfile.open(fileobj=stream, mode="r|") as archive:
                archive.extractall(folder, filter="data")
        # Each is compared, whatever the others show.
        expected = [compare(program, path, exceptions) for path in pathlib.Path(folder).iterdir()]
        return 0 if all(expected) else 1


if __name__ == "__main__":
    sys.exit(main())
