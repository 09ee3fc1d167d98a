"""Writes the public interface of ign-archive, with the items of the types that it re-exports.

    public_api.py RUSTDOC_JSON LISTS

RUSTDOC_JSON is rustdoc's description of ign-archive; LISTS is a folder with the list of cargo-public-api for
it (`ign_archive`) and for each crate of the workspace whose types it re-exports (`ign_format`, ...). Types have the
names that programs use: those of ign-archive. Exits with 1 if a name cannot be written in a program that depends on
ign-archive alone.
"""

import json
import re
import sys
from pathlib import Path

CRATE = "ign_archive"
# Crates that are re-exported whole, and what every program has.
NAMED = {CRATE, "ign_notation", "pgn_reader", "shakmaty", "alloc", "core", "std", "i32", "u16", "u32", "u64"}
PATH = re.compile(r"(?<![\w:])[a-z_]\w*(?:::\w+)+")


def public_names(described):
    """Each public item of ign-archive: its name, the path by which it is re-exported, and its number."""
    index = described["index"]

    def walk(module, prefix):
        for number in module["inner"]["module"]["items"]:
            item = index.get(str(number))
            if item is None:
                continue
            if "use" in item["inner"]:
                use = item["inner"]["use"]
                yield f"{prefix}::{use['name']}", use["source"], use["id"]
            else:
                name = f"{prefix}::{item['name']}"
                yield name, name, number
                if "module" in item["inner"]:
                    yield from walk(item, name)

    return list(walk(index[str(described["root"])], CRATE))


def is_about(line, path):
    """Whether a line of a list is an item of the type `path`."""
    if line.startswith("impl"):
        return re.search(rf"(?:^impl(?:<[^>]*>)?|for) {path}(?:<.*>)?$", line) is not None
    subject = PATH.search(re.sub(r"^#\[.*?\] ", "", line))
    return subject is not None and (subject[0] + "::").startswith(path + "::")


def main():
    described, lists = json.loads(Path(sys.argv[1]).read_text()), sys.argv[2]
    found = public_names(described)
    lines = Path(lists, CRATE).read_text().splitlines()
    # What has a name in a module and one in the root is listed once.
    in_module = {number for name, _, number in found if name.count("::") > 1}
    for name, _, number in found:
        if name.count("::") == 1 and number in in_module:
            lines = [line for line in lines if not is_about(line, name)]
            lines.append(f"pub use {name}")
    names = {}
    for name, source, number in found:
        defined = "::".join(described["paths"].get(str(number), {"path": [source]})["path"])
        of_crate = Path(lists, defined.split("::")[0])
        if defined.startswith(f"{CRATE}::") or "::" not in defined:
            continue
        names |= {source: name, defined: name}
        if of_crate.exists():
            of_type = [line for line in of_crate.read_text().splitlines() if is_about(line, source)]
            lines += dict.fromkeys(of_type)

    def named(found):
        path, rest = found[0], ""
        while path not in names:
            path, _, last = path.rpartition("::")
            if not path:
                return found[0]
            rest = f"::{last}{rest}"
        return names[path] + rest

    lines = [PATH.sub(named, line) for line in lines]
    print("\n".join(lines))
    public = {name for name, *_ in found} | {CRATE}

    def is_named(path):
        root, *rest = path.split("::")
        # After the modules come types, whose names are public, and what these have.
        return root in NAMED and (root != CRATE or f"{root}::{rest[0]}" in public and (
            not rest[0].islower() or len(rest) == 1 or f"{root}::{rest[0]}::{rest[1]}" in public
        ))

    unnamed = {path for line in lines for path in PATH.findall(line) if not is_named(path)}
    if unnamed:
        sys.exit("no program can name these: " + ", ".join(sorted(unnamed)))


main()
