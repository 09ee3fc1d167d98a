"""The options of the data source: which archives, which table, which columns, which games."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ign_archive import _files, _manifest
from ign_archive._native import Archive, GameList, Scan, condition_forms, is_address
from ign_archive._paths import expand, local
from ign_archive.errors import _make

#: Options that are not conditions on games, with what reads their values.
NAMES = [
    "path",
    "paths",
    "table",
    "columns",
    "games",
    "blocks",
    "every_nth",
    "min_ply",
    "max_ply",
    "final_positions",
    "variants",
]
TABLES = ["games", "positions"]
#: The most partitions that a table has by default.
MOST_PARTITIONS = 10_000


@dataclass
class Options:
    """What the options of a table say."""

    paths: list[str]
    """The archives."""
    table: str = "games"
    columns: list[str] | None = None
    games: int | None = None
    """The least number of games of a partition, except the last of an archive."""
    blocks: int | None = None
    """The number of blocks of a partition."""
    positions: dict[str, Any] = field(default_factory=dict)
    """Arguments of `Archive.scan_positions`."""
    conditions: dict[str, Any] = field(default_factory=dict)
    """Arguments of `Archive.find`."""

    def scan(self, archive: Archive, columns: list[str] | None, games: GameList | None, before: int = 0) -> Scan:
        """The scan of some games of an archive; `before` is the number of games in other archives before."""
        if self.table == "positions":
            arguments = self.positions | {"numbers_after": before, "move_dictionary": False}
            return archive.scan_positions(columns, where=games, **arguments)
        return archive.scan(columns, where=games, move_dictionary=False)


def read(options: Mapping[str, str]) -> Options:
    """Reads the options. Archives and conditions are not examined.

    Raises:
        UsageError: An option has no such value.
        MissingFileError: There is no such file.
    """
    table = options.get("table", "games")
    if table not in TABLES:
        raise usage(f"there is no table '{table}'", "write " + " or ".join(TABLES))
    names = [name.strip() for name in options.get("columns", "").split(",") if name.strip()]
    found = Options(_paths(options), table, names or None, _count(options, "games"), _count(options, "blocks"))
    if found.games is not None and found.blocks is not None:
        raise usage("games and blocks are two sizes of a partition", "give one of them")
    readers: dict[str, Callable[[Mapping[str, str], str], Any]] = {
        "every_nth": _count,
        "min_ply": _number,
        "max_ply": _number,
        "final_positions": _flag,
        "variants": _flag,
    }
    forms = condition_forms()
    for name, value in options.items():
        if name in readers:
            if table != "positions":
                raise usage(f"{name} is about positions", 'set the option table to "positions"')
            found.positions[name] = readers[name](options, name)
        elif forms.get(name) == "expression":
            found.conditions[name] = _tags(value)
        elif forms.get(name) == "condition":
            found.conditions[name] = _conditions(name, value)
        elif forms.get(name) == "flag":
            found.conditions[name] = _flag(options, name)
        elif name not in NAMES:
            found.conditions[name] = value
    return found


def check(conditions: Mapping[str, Any], archive: Archive) -> None:
    """Fails if there is no such condition, or its value has another form.

    Raises:
        UsageError: With the names that there are.
    """
    try:
        archive.select([]).find(**conditions)
    except ValueError as error:
        text = f"{error}; other options are {', '.join(NAMES)}"
        raise _make("UsageError", text, None, {"message": text}) from error


def usage(message: str, remedy: str) -> Exception:
    """The exception for a wrong option."""
    return _make("UsageError", f"{message} ({remedy})", None, {"message": message, "remedy": remedy})


def _paths(options: Mapping[str, str]) -> list[str]:
    """The archives of the options `path`, and `paths`, which Spark writes for several paths."""
    names = json.loads(options["paths"]) if "paths" in options else []
    names += [options["path"]] if "path" in options else []
    files: list[str] = []
    # All archives of a folder of objects.
    names = [f"{name}*.ign" if is_address(name) and name.endswith("/") else name for name in names]
    for name in expand([local(name) for name in names]) if names else []:
        files.extend(_manifest.archives(in_folder(name, ".ign") if os.path.isdir(name) else name))
    if not files:
        raise usage("no archive is named", 'write .load("archives/*.ign")')
    return files


def in_folder(folder: str, suffix: str) -> list[str]:
    """The manifest of a folder, or else its archives.

    Raises:
        MissingFileError: It has none.
    """
    manifest = os.path.join(folder, _manifest.NAME)
    if os.path.exists(manifest):
        return [manifest]
    names = sorted(name for name in os.listdir(folder) if name.endswith(suffix) and not name.startswith("."))
    if not names:
        message, remedy = "the folder has no archives", f"name a folder with {_manifest.NAME} or files *{suffix}"
        text = f"{folder}: {message} ({remedy})"
        raise _make("UsageError", text, None, {"message": message, "file": folder, "remedy": remedy})
    return [os.path.join(folder, name) for name in names]


def open_for_task(path: str) -> Archive:
    """An archive that a task reads by itself, on one thread."""
    return _files.open(path, threads=1)


def _number(options: Mapping[str, str], name: str) -> int | None:
    value = options.get(name)
    if value is not None and not (value.isascii() and value.isdigit()):
        raise usage(f"{name} is '{value}'", "give a whole number")
    return None if value is None else int(value)


def _count(options: Mapping[str, str], name: str) -> int | None:
    number = _number(options, name)
    if number == 0:
        raise usage(f"{name} is 0", "give a number of at least 1")
    return number


def _flag(options: Mapping[str, str], name: str) -> bool:
    value = options[name].lower()
    if value not in ("true", "false"):
        raise usage(f"{name} is '{value}'", "write true or false")
    return value == "true"


def _tags(value: str) -> dict[str, str]:
    try:
        tags = json.loads(value)
    except ValueError:
        tags = None
    if not isinstance(tags, dict):
        raise usage(f"tags is '{value}'", 'write regular expressions as JSON: {"Round": "^3"}')
    return tags


def _conditions(name: str, value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError:
        examples = {"exclude": '{"eco": "B20..B99"}'}
        example = examples.get(name, '{"material": "KRKR"}')
        raise usage(f"{name} is '{value}'", f"write conditions as JSON: {example}") from None
