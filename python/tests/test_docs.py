"""Are the examples of the documentation right, and do the stubs say what there is?"""

from __future__ import annotations

import ast
import doctest
import inspect
import os
import re
from pathlib import Path

import pytest

import ign_archive as ign
from ign_archive import _native

PACKAGE = Path(__file__).parents[1]
ROOT = PACKAGE.parent
PAGES = [ROOT / "README.md", PACKAGE / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
STUBS = PACKAGE / "ign_archive" / "_native.pyi"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory):
    """The folder of the examples (docs/README.md), with an index."""
    folder = tmp_path_factory.mktemp("docs")
    ign.sample(folder / "games.pgn", games=5000, seed=1)
    ign.pack(folder / "games.pgn", folder / "games.ign")
    ign.index(folder / "games.ign")
    before = Path.cwd()
    os.chdir(folder)
    yield folder
    os.chdir(before)


def run(text: str, name: str, names: dict[str, object]) -> int:
    """Runs the examples of a text and returns their number."""
    test = doctest.DocTestParser().get_doctest(text, dict(names), name, name, 0)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    failed, tried = runner.run(test, out=report.append)
    assert failed == 0, "".join(report)
    return tried


def blocks(path: Path, language: str) -> list[str]:
    """The code blocks of a page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


SESSIONS = [path for path in PAGES if blocks(path, "pycon")]


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: str(path.relative_to(ROOT)))
def test_sessions_print_what_is_shown(path: Path) -> None:
    assert run("\n".join(blocks(path, "pycon")), path.name, {}) > 3


def test_pages_with_sessions_are_found() -> None:
    assert all(blocks(path, "pycon") for path in PAGES[:2])


def test_python_blocks_are_python() -> None:
    # Those of Spark and of archives on servers run in other tests, or need a server.
    found = [ast.parse(block) for path in PAGES for block in blocks(path, "python")]
    assert len(found) >= 2


def docstrings() -> list[tuple[str, str]]:
    """The docstrings of the package's files, with the names of what they describe."""
    found = []
    for path in [*(PACKAGE / "ign_archive").glob("*.py"), STUBS]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)):
                text = ast.get_docstring(node)
                if text and ">>>" in text:
                    found.append((f"{path.name}:{getattr(node, 'name', 'module')}", text))
    return found


@pytest.mark.parametrize("place", range(len(docstrings())))
def test_examples_of_docstrings_print_what_is_shown(place: int) -> None:
    import duckdb
    import polars as pl

    name, text = docstrings()[place]
    names = {"ign": ign, "pl": pl, "duckdb": duckdb, "a": ign.open("games.ign")}
    assert run(text, name, names) > 0


def described() -> list[tuple[str, str]]:
    """The docstrings of the stubs, with the names of what they describe."""
    found = []
    for node in ast.parse(STUBS.read_text(encoding="utf-8")).body:
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or node.name.endswith("Conditions"):
            continue
        items = [(node.name, node)]
        if isinstance(node, ast.ClassDef):
            items += [(f"{node.name}.{item.name}", item) for item in node.body if isinstance(item, ast.FunctionDef)]
        found += [(name, text) for name, item in items if (text := ast.get_docstring(item)) and ".__" not in name]
    return found


def conditions() -> dict[str, str]:
    """What the stubs say of each condition."""
    found: dict[str, str] = {}
    for node in ast.parse(STUBS.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and node.name.endswith("Conditions"):
            for item, text in zip(node.body, node.body[1:]):
                if isinstance(item, ast.AnnAssign):
                    assert isinstance(text, ast.Expr)
                    found[item.target.id] = inspect.cleandoc(text.value.value).replace("\n", " ")  # type: ignore
    return found


def test_help_is_what_the_stubs_say() -> None:
    texts = described()
    assert {"Archive.find", "Archive.scan", "Archive.tree", "Scan", "positions", "Game.tags"} <= {n for n, _ in texts}
    for name, text in texts:
        value = ign._native
        for part in name.split("."):
            value = getattr(value, part)
        # The documentation of these goes on with the conditions.
        assert f"{inspect.getdoc(value)}\n".startswith(f"{text}\n"), name
        assert name in ["Archive.find", "Archive.count", "duplicates"] or inspect.getdoc(value) == text, name
    listed = inspect.getdoc(ign.Archive.find)
    for name, text in conditions().items():
        assert f"    {name}: {text}" in listed.splitlines(), name


def test_the_readme_lists_all_conditions() -> None:
    readme = (PACKAGE / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)=` \| (.*) \|$", readme, re.MULTILINE))
    assert rows == conditions()


def test_signatures_are_those_of_the_stubs() -> None:
    module = ast.parse(STUBS.read_text(encoding="utf-8"))
    classes = {node.name: node for node in module.body if isinstance(node, ast.ClassDef)}
    functions = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
    archive = {item.name: item for item in classes["Archive"].body if isinstance(item, ast.FunctionDef)}
    for value, stub in [
        (ign.positions, functions["positions"]),
        (ign.Archive.find, archive["find"]),
        (ign.Archive.tree, archive["tree"]),
        (ign.Archive.scan, archive["scan"]),
        (ign.Archive.scan_positions, archive["scan_positions"]),
    ]:
        parameters = inspect.signature(value).parameters
        arguments = [*stub.args.args, *stub.args.kwonlyargs]
        defaults = [*stub.args.defaults, *stub.args.kw_defaults]
        first = len(stub.args.args) - len(stub.args.defaults)
        expected = {item.arg: ast.literal_eval(text) for item, text in zip(arguments[first:], defaults)}
        shown = {name: item.default for name, item in parameters.items() if item.default is not item.empty}
        assert shown == expected, stub.name


def stub_names(body: list[ast.stmt]) -> set[str]:
    return {node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def test_stubs_name_what_there_is() -> None:
    module = ast.parse(STUBS.read_text(encoding="utf-8"))
    stubs = {node.name: node for node in module.body if isinstance(node, ast.ClassDef)}
    public = {name for name in dir(_native) if not name.startswith("_")}
    assert public == {name for name in stub_names(module.body) if not name.startswith("_")} - {"Conditions"}
    inherited = set(dir(object)) | {"__len__", "__iter__"}
    for name in public:
        value = getattr(_native, name)
        if not inspect.isclass(value):
            continue
        members = {member for member in vars(value) if member not in inherited and member != "__module__"}
        named = stub_names(stubs[name].body) - inherited
        # Pickling, and what Python derives from a sequence, is not written there.
        derived = {"__reduce__", "__doc__", "__getitem__", "__hash__", "__next__"}
        assert members - derived == named - derived, name


def test_conditions_of_the_stubs_are_those_of_a_query() -> None:
    module = ast.parse(STUBS.read_text(encoding="utf-8"))
    classes = {node.name: node for node in module.body if isinstance(node, ast.ClassDef)}
    keys = {
        name: {item.target.id for item in classes[name].body if isinstance(item, ast.AnnAssign)}  # type: ignore
        for name in ["Conditions", "_TreeConditions"]
    }
    with pytest.raises(ign.UsageError) as raised:
        ign.open("games.ign").find(nonsense_nonsense=1)
    listed = set(re.search(r"the conditions are (.*)\)$", str(raised.value)).group(1).split(", "))  # type: ignore
    # A dictionary of several tags takes the place of one.
    listed = listed - {"tag"} | {"tags"}
    assert [base.id for base in classes["Conditions"].bases] == ["_TreeConditions"]  # type: ignore
    assert keys["Conditions"] | keys["_TreeConditions"] == listed
    assert keys["_TreeConditions"] == listed - {"position"}


def test_everything_public_is_documented() -> None:
    for name in ign.__all__:
        assert inspect.getdoc(getattr(ign, name)), name
    for value in [ign.Archive, ign.Game, ign.GameList, ign.Scan]:
        for name, member in vars(value).items():
            if not name.startswith("_"):
                assert inspect.getdoc(member), f"{value.__name__}.{name}"
