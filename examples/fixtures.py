#!/usr/bin/env python3
"""Reads the fixtures of the format with reader.py, in this folder: format-spec.md §12.1.

    python3 fixtures.py ../tests/fixtures/v1 [--all]

Each archive must return its text, and the reader must reject each other file as corrupt. Without --all, archives that
take minutes are left out. A fixture that is damaged is not repaired; parity_reader.py does that.
"""

import hashlib
import json
import pathlib
import sys
import time

sys.dont_write_bytecode = True
import reader  # in this folder

SLOW = ["long-game-weighted.ign"]


def text_of(path):
    return b"".join(reader.unpack(path.read_bytes()))


def main():
    folder = pathlib.Path(sys.argv[1])
    fixtures = json.loads((folder / "fixtures.json").read_text())
    for fixture in fixtures["archives"]:
        name, started = fixture["archive"], time.monotonic()
        if name in SLOW and sys.argv[2:] != ["--all"]:
            print(name, "left out")
            continue
        try:
            text = text_of(folder / name)
        except reader.Corrupt as error:
            if fixture["state"] != "damaged":
                sys.exit(f"{name}: {error!r}")
            text = None
        if text is None:
            print(name, "damaged")
        elif hashlib.sha256(text).hexdigest() != fixture["text_sha256"]:
            sys.exit(f"{name}: another text")
        else:
            print(name, "read", f"{time.monotonic() - started:.1f} s")
    for refused in fixtures["refused"]:
        try:
            text_of(folder / "refused" / refused["file"])
        except reader.Corrupt as error:
            print(refused["file"], "rejected:", error)
        else:
            if not refused["is_beside_games"]:
                sys.exit(f"{refused['file']}: accepted, but {refused['breaks']}")
            print(refused["file"], "read; what is wrong is not needed for the text")


if __name__ == "__main__":
    main()
