"""Converts predicates of Polars, and parts of those of other engines, to conditions of a search.

Every row that a predicate keeps meets the conditions. A row that meets them may fail the predicate; Polars
applies the whole predicate afterwards. A part of a predicate that has no known form sets no condition.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

#: Columns of numbers, with the keyword of their condition and the greatest value that a row can have.
RANGES = {"WhiteElo": ("white_elo", 9999), "BlackElo": ("black_elo", 9999), "plies": ("plies", 2**31 - 1)}
#: Columns of text, with the keyword of their condition.
TEXTS = {
    "White": "white",
    "Black": "black",
    "Opening": "opening_name",
    "TimeControl": "time_control",
    "Event": "event",
    "Site": "site",
    "Termination": "termination",
    "file": "file",
}
#: Columns that are tags without a condition of their own, besides `tag:NAME`.
TAGS = {"Round", "WhiteTitle", "BlackTitle", "Variant", "FEN", "Result", "ECO"}
#: Results that a Result tag of this text has whatever the movetext says.
RESULTS = ["1-0", "0-1", "1/2-1/2"]
EPOCH = datetime.date(1970, 1, 1)
MIRRORED = {"Eq": "Eq", "Gt": "Lt", "GtEq": "LtEq", "Lt": "Gt", "LtEq": "GtEq"}
LAST_NUMBER = 2**63 - 1


@dataclass
class Pushed:
    """The part of a predicate that an archive can search for."""

    conditions: dict[str, Any] = field(default_factory=dict)
    """Keywords of `Archive.find`."""
    numbers: tuple[int, int] = (1, LAST_NUMBER)
    """The least and the greatest number of a game."""

    def limit(self, column: str, low: int | None, high: int | None) -> None:
        """Narrows the range of a column of numbers."""
        if column == "number":
            self.numbers = _narrowed(self.numbers, low, high)
        else:
            keyword, greatest = RANGES[column]
            self._limit(keyword, (0, greatest), low, high)

    def limit_days(self, low: int | None, high: int | None) -> None:
        """Narrows the range of UTCDate, in days since 1970-01-01."""
        first, last = (None if day is None else _day(day) for day in (low, high))
        self._limit("date", (datetime.date.min, datetime.date.max), first, last)

    def _limit(self, keyword: str, all_values: tuple[Any, Any], low: Any, high: Any) -> None:
        """Narrows the range of a condition, which is that of all values if it is not set."""
        first, last = _narrowed(self.conditions.get(keyword, all_values), low, high)
        if first > last:
            # No row is kept, and a range that ends before it starts is an error.
            self.numbers = (1, 0)
        else:
            self.conditions[keyword] = (first, last)

    def equal(self, column: str, values: list[str]) -> None:
        """Requires that the text of a column is one of some values."""
        if not all(map(_is_plain, values)):
            return
        if column == "ECO" and len(values) == 1 and re.fullmatch("[A-E][0-9][0-9]", values[0]):
            # The condition also finds codes with additions, such as B90/01.
            self.conditions.setdefault("eco", values[0])
        elif column == "Result" and set(values) <= set(RESULTS):
            if "result" not in self.conditions:
                self.conditions["result"] = values
        elif column in TEXTS and len(values) == 1:
            # As a pattern a value matches itself and perhaps more.
            self.conditions.setdefault(TEXTS[column], values[0])
        elif column != "file" and (column in TEXTS or column in TAGS or column.startswith("tag:")):
            name = column.removeprefix("tag:")
            exact = "|".join(re.escape(value) for value in values)
            if "=" not in name:
                self.conditions.setdefault("tags", {}).setdefault(name, f"^(?:{exact})$")

    def start(self, column: str, prefix: str) -> None:
        """Requires that the text of a column starts with a prefix."""
        if _is_plain(prefix) and column in TEXTS:
            self.conditions.setdefault(TEXTS[column], f"{prefix}*")


def _narrowed(values: tuple[Any, Any], low: Any, high: Any) -> tuple[Any, Any]:
    """The part of a range that is not below `low` and not above `high`; None is no limit."""
    first, last = values
    return (first if low is None else max(first, low), last if high is None else min(last, high))


def _is_plain(text: str) -> bool:
    """Whether an archive can be searched for a text: only ASCII, since text that is not UTF-8 is read as
    ISO 8859-1, and then the same text has other bytes."""
    return text.isascii() and text.isprintable()


def _day(days: int) -> datetime.date:
    last = (datetime.date.max - EPOCH).days
    first = (datetime.date.min - EPOCH).days
    return EPOCH + datetime.timedelta(days=min(max(days, first), last))


def pushed_down(predicate: pl.Expr | None) -> Pushed:
    """The part of a predicate that an archive can search for."""
    pushed = Pushed()
    if predicate is None:
        return pushed
    try:
        tree = json.loads(predicate.meta.serialize(format="json"))
    except Exception:
        # The form of serialized expressions is not stable. Polars filters by itself then.
        return pushed
    for term in _terms(tree):
        try:
            _push(term, pushed)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            # A form that is not known sets no condition.
            continue
    return pushed


def _terms(tree: Any) -> Iterator[Any]:
    """The predicates that must all hold."""
    pending = [tree]
    while pending:
        term = pending.pop()
        both = term.get("BinaryExpr") if isinstance(term, dict) else None
        if both and both["op"] in ("And", "LogicalAnd"):
            pending += [both["right"], both["left"]]
        else:
            yield term


def _push(term: Any, pushed: Pushed) -> None:
    """Adds a predicate to the conditions, if it has one of the forms that are known."""
    (kind, content), *others = term.items()
    if others:
        return
    if kind == "BinaryExpr":
        alternatives = _alternatives(term)
        if alternatives is not None:
            pushed.equal(*alternatives)
            return
        op, left, right = content["op"], content["left"], content["right"]
        if "Column" not in left:
            op, left, right = MIRRORED[op], right, left
        compare(left["Column"], op, _literal(right), pushed)
    elif kind == "Ternary" and content["truthy"] == {"Literal": {"Scalar": {"Null": "Boolean"}}}:
        # DuckDB's IN: null for a null. A predicate that is null drops the row.
        _push(content["falsy"], pushed)
    elif kind == "Function":
        column = _column(content["input"][0])
        arguments = content["input"][1:]
        match content["function"]:
            case {"Boolean": {"IsBetween": {"closed": closed}}}:
                low = "GtEq" if closed in ("Both", "Left") else "Gt"
                high = "LtEq" if closed in ("Both", "Right") else "Lt"
                compare(column, low, _literal(arguments[0]), pushed)
                compare(column, high, _literal(arguments[1]), pushed)
            case {"Boolean": {"IsIn": _}}:
                compare_with_all(column, _list(arguments[0]), pushed)
            case {"StringExpr": "StartsWith"}:
                pushed.start(column, _literal(arguments[0]))


def _column(node: Any) -> str:
    """The column of a node, perhaps cast to text."""
    match node:
        case {"Column": str(name)}:
            return name
        case {"Cast": {"expr": {"Column": str(name)}, "dtype": {"Literal": "String"}}}:
            return name
    raise ValueError(node)


def compare(column: str, op: str, value: Any, pushed: Pushed) -> None:
    """Requires that a column compares with a constant: `op` is one of the keys of `MIRRORED`."""
    if isinstance(value, bool):
        return
    if isinstance(value, int) and (column in RANGES or column == "number"):
        low, high = _range(op, value)
        pushed.limit(column, low, high)
    elif isinstance(value, datetime.date) and column == "UTCDate":
        low, high = _range(op, (value - EPOCH).days)
        pushed.limit_days(low, high)
    elif isinstance(value, str) and op == "Eq":
        pushed.equal(column, [value])


def compare_with_all(column: str, values: list[Any], pushed: Pushed) -> None:
    """Requires that a column equals one of some values."""
    if values and all(isinstance(value, str) for value in values):
        pushed.equal(column, values)
    elif values and all(type(value) is int for value in values):
        if column in RANGES or column == "number":
            pushed.limit(column, min(values), max(values))


def _range(op: str, value: int) -> tuple[int | None, int | None]:
    """The least and the greatest value that a comparison allows."""
    return {
        "Eq": (value, value),
        "Gt": (value + 1, None),
        "GtEq": (value, None),
        "Lt": (None, value - 1),
        "LtEq": (None, value),
    }[op]


def _alternatives(term: Any) -> tuple[str, list[str]] | None:
    """The column and the values, if the predicate says that a column equals one of some texts."""
    both = term["BinaryExpr"]
    if both["op"] not in ("Or", "LogicalOr"):
        return None
    values: list[str] = []
    columns: set[str] = set()
    pending = [term]
    while pending:
        match pending.pop():
            case {"BinaryExpr": {"op": "Or" | "LogicalOr", "left": left, "right": right}}:
                pending += [left, right]
            case {"BinaryExpr": {"op": "Eq", "left": column, "right": value}}:
                columns.add(_column(column))
                text = _literal(value)
                if not isinstance(text, str):
                    raise ValueError(text)
                values.append(text)
            case other:
                raise ValueError(other)
    (column,) = columns
    return column, values


def _literal(node: Any) -> Any:
    """The value of a constant."""
    match node:
        case {"Literal": {"Scalar": {"Date": int(days)}}}:
            return _day(days)
        case {"Literal": {"Scalar": {"String": str(value)}}}:
            return value
        case {"Literal": {"Scalar": {"Null": _}}}:
            raise ValueError(node)
        case {"Literal": {"Scalar": scalar}} if len(scalar) == 1:
            ((kind, value),) = scalar.items()
            if kind.startswith(("Int", "UInt")) and type(value) is int:
                return value
        case {"Literal": {"Dyn": {"Int": int(value)}}}:
            return value
    raise ValueError(node)


def _list(node: Any) -> list[Any]:
    """The values of a list of constants, which Polars reads."""
    import io

    import polars as pl

    expression = pl.Expr.deserialize(io.StringIO(json.dumps(node)), format="json")
    values = pl.select(expression).to_series()
    if values.dtype == pl.List:
        values = values.explode()
    return values.to_list()
