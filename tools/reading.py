"""Compares the plies that ign reads with those of python-chess: reading.py IGN FILES [EXCEPTIONS].

FILES is a folder, or a .tar.zst of one. Every file in which ign reads fewer plies must be listed in
EXCEPTIONS, one a line with its reason: `path: reason`. The path begins with the name of the folder. A file
of the folder that is listed and in which ign does not read fewer is an error too. python-chess is a guide: it
takes some prose for moves.
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


def ours(program, path):
    """The plies that ign reads; none where it refuses the file."""
    done = subprocess.run([program, "stats", "--json", path], capture_output=True)
    return json.loads(done.stdout)["plies"] if done.returncode == 0 else 0


def compare(program, files, exceptions):
    """Prints what differs in the folder FILES; returns whether all of it is expected."""
    folder = files.parent
    all_theirs = all_ours = fewer = 0
    expected = True
    unseen = {name: reason for name, reason in exceptions if name.startswith(f"{files.name}/")}
    paths = sorted(path for path in files.rglob("*") if path.is_file())
    if not paths:
        print(f"{files.name}: no files")
        return False
    for path in paths:
        name = path.relative_to(folder).as_posix()
        try:
            their_plies = theirs(path)
        except Exception as error:  # python-chess gives up on some files
            print(f"{name}: python-chess: {error}")
            continue
        our_plies = ours(program, path)
        all_theirs, all_ours = all_theirs + their_plies, all_ours + our_plies
        if our_plies < their_plies:
            fewer += their_plies - our_plies
            reason = unseen.pop(name, None)
            expected &= reason is not None
            print(f"{name}: {our_plies} of {their_plies} plies: {reason or 'NOT EXPECTED'}")
    for name in unseen:
        expected = False
        print(f"{name}: is an exception without a reason now")
    print(f"plies: python-chess {all_theirs:,}, ign {all_ours:,}; in files where ign reads fewer {fewer:,}")
    return expected


def main():
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    program, files = sys.argv[1:3]
    lines = pathlib.Path(sys.argv[3]).read_text().splitlines() if len(sys.argv) > 3 else []
    exceptions = [line.split(": ", 1) for line in lines if line and not line.startswith("#")]
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
