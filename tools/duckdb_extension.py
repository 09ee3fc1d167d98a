"""Appends to a compiled library what DuckDB requires of an extension: who built it, for which interface.

    python tools/duckdb_extension.py target/debug target/duckdb/ign.duckdb_extension

DuckDB reads the last 534 bytes of an extension: the header of a section of WebAssembly, eight fields of 32
bytes, and a signature of 256 bytes, which is zero here. The platform is that of the Python package `duckdb`.
"""

import sys
import tomllib
from pathlib import Path

import duckdb

#: The version of the interface for extensions in C, as in the entry point (duckdb/src/lib.rs).
INTERFACE = "v1.2.0"
#: A custom section (0) of 531 bytes, with a name of 16 bytes and contents of 512.
HEADER = b"\x00\x93\x04\x10duckdb_signature\x80\x04"
SIGNATURE = bytes(256)


def metadata() -> bytes:
    manifest = Path(__file__).parent.parent / "Cargo.toml"
    version = tomllib.loads(manifest.read_text())["workspace"]["package"]["version"]
    ((platform,),) = duckdb.sql("PRAGMA platform").fetchall()
    fields = ["", "", "", "C_STRUCT", f"v{version}", INTERFACE, platform, "4"]
    return HEADER + b"".join(field.encode().ljust(32, b"\0") for field in fields) + SIGNATURE


folder, extension = map(Path, sys.argv[1:])
(library,) = (path for end in ("so", "dylib") for path in folder.glob(f"libign_duckdb.{end}"))
extension.parent.mkdir(parents=True, exist_ok=True)
extension.write_bytes(library.read_bytes() + metadata())
