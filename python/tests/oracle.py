"""Rows of games as python-chess and regular expressions read them from the text, to compare with a scan.

Nothing here uses the package, except `compare`, which reads the rows to be compared.
"""

from __future__ import annotations

import datetime
import io
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pyarrow as pa

#: Tags that are text columns.
TEXTS = [
    *["Event", "Site", "Round", "White", "Black", "Result", "WhiteTitle", "BlackTitle", "ECO", "Opening"],
    *["Termination", "TimeControl", "Variant", "FEN"],
]
#: Columns that are returned on request, and two tags as text.
ON_REQUEST = ["movetext", "pgn", "tag:White", "tag:WhiteElo"]
#: White space of ASCII.
SPACE = " \t\n\f\r"
#: The first line of each game of the collections.
FIRST = re.compile(rb'^\[Event "', re.MULTILINE)
#: A tag in the form and the place in which columns return it.
TAG = re.compile(r'\[([A-Za-z0-9_]+) "([^\r\n]*)"\](\r\n|\n|\r)')
#: A line of another form that is a tag.
LATE_TAG = re.compile(r'[ \t]*\[[ \t]*([A-Za-z0-9_]+)[ \t]*"([^\r\n]*)"[ \t]*\][ \t]*')
#: Two or more empty lines.
EMPTY_LINES = re.compile(r"(\r?\n)(?:[ \t]*\r?\n){2,}")
#: The plies of a signature: A and B.
PLIES = [[20, 40, 60], [31, 51, 71]]


class MainLine(chess.pgn.BaseVisitor["MainLine"]):
    """Collects the main line of a game up to the first move that python-chess rejects."""

    def begin_game(self) -> None:
        self.headers: list[tuple[str, str]] = []
        self.moves: list[str] = []
        self.landings: list[str] = []
        #: The number of moves before each comment, and the comment.
        self.comments: list[tuple[int, str]] = []
        self.has_start = True
        self.is_cut_off = False

    def visit_header(self, name: str, value: str) -> None:
        self.headers.append((name, value))

    def begin_variation(self) -> chess.pgn.SkipType:
        return chess.pgn.SKIP

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        if self.is_cut_off:
            return
        if not move:
            # A null move is not legal.
            self.is_cut_off = True
            return
        self.moves.append(move.uci())
        square = move.to_square
        if board.is_castling(move):
            file = 6 if board.is_kingside_castling(move) else 2
            square = chess.square(file, chess.square_rank(square))
        self.landings.append(chess.square_name(square))

    def visit_comment(self, comment: str) -> None:
        if not self.is_cut_off:
            self.comments.append((len(self.moves), comment))

    def handle_error(self, error: Exception) -> None:
        # An error before the first position is one of the FEN tag or of the variant.
        self.has_start = self.has_start and hasattr(self, "started")
        self.is_cut_off = True

    def visit_board(self, board: chess.Board) -> None:
        self.started = True

    def result(self) -> MainLine:
        return self


def tag_text(value: str) -> str:
    """The value of a tag without escapes."""
    return re.sub(r'\\(["\\])', r"\1", text_of(value))


def text_of(value: str) -> str:
    """Text that is no UTF-8 is read as ISO 8859-1."""
    if re.search("[\udc80-\udcff]", value):
        return value.encode("utf-8", "surrogateescape").decode("latin-1")
    return value


def tags_of(pgn: str) -> tuple[dict[str, str], list[tuple[str, str]], str]:
    """The tags of a game, those that are written in another form or place, and the text after the tags."""
    tags: dict[str, str] = {}
    at, line_end = 0, None
    while match := TAG.match(pgn, at):
        if match[1] in tags or (line_end or match[3]) != match[3]:
            break
        tags[match[1]] = tag_text(match[2])
        at, line_end = match.end(), match[3]
    late = []
    for line in re.split(r"[\r\n]", pgn[at:]):
        if match := LATE_TAG.fullmatch(line):
            late.append((match[1], tag_text(match[2])))
        elif line and not line.startswith("["):
            break
    return tags, late, pgn[at:]


def change(text: str | None) -> int | None:
    """A number of up to four digits, perhaps with a sign."""
    match = re.fullmatch(r"[ \t]*([+-]?[0-9]{1,4})[ \t]*", text or "")
    return int(match[1]) if match else None


def rating(text: str | None) -> int | None:
    """A number from 1 to 9999, perhaps in parentheses or with a remark."""
    text = (text or "").strip(SPACE)
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip(SPACE)
    match = re.fullmatch(r"([0-9]{1,4})(?:[+?]|[Pp][0-9]*)?(?:[ \t(][^0-9]*)?", text)
    return int(match[1]) or None if match else None


def day(text: str | None) -> datetime.date | None:
    text = (text or "").strip(SPACE)
    if match := re.fullmatch(r"([0-9]{3,4})[./-]([0-9]{1,2})[./-]([0-9]{1,2})", text):
        year, month, of_month = map(int, match.groups())
    elif match := re.fullmatch(r"([0-9]{1,2})[./-]([0-9]{1,2})[./-]([0-9]{3,4})", text):
        of_month, month, year = map(int, match.groups())
        if "/" in text or "-" in text:
            # The month is where only a month can be.
            if of_month <= 12 and month > 12:
                of_month, month = month, of_month
            elif of_month <= 12 and of_month != month:
                return None
    else:
        return None
    try:
        return datetime.date(year, month, of_month)
    except ValueError:
        return None


def time(text: str | None) -> datetime.time | None:
    match = re.fullmatch(r"([0-9]{2}):([0-9]{2}):([0-9]{2})", text or "")
    try:
        return match and datetime.time(*map(int, match.groups()))  # type: ignore[arg-type]
    except ValueError:
        return None


def single(value: float | None) -> float | None:
    """A number in the precision of the columns."""
    return None if value is None else np.float32(value).item()


def annotations(line: MainLine) -> dict[str, object]:
    """Clocks, evaluations and comments."""
    clocks: list[float | None] = [None] * len(line.moves)
    evals: list[chess.engine.Score | None] = [None] * len(line.moves)
    joined: dict[int, str] = {}
    for ply, comment in line.comments:
        joined[ply] = joined.get(ply, "") + " " + comment
    node = chess.pgn.Game()
    for ply, comment in joined.items():
        if ply > 0:
            node.comment = comment
            score = node.eval()
            clocks[ply - 1], evals[ply - 1] = node.clock(), score and score.white()
    pawns = [None if score is None or score.is_mate() else score.score() / 100 for score in evals]
    has_evals = any(score is not None for score in evals)
    return {
        "clocks": [single(clock) for clock in clocks] if any(c is not None for c in clocks) else None,
        "evals": [single(value) for value in pawns] if has_evals else None,
        "mates": [score and score.mate() for score in evals] if has_evals else None,
        "comments": [{"ply": ply, "text": text_of(text).strip()} for ply, text in line.comments] or None,
    }


def row(place: int, pgn: str, line: MainLine) -> dict[str, object]:
    """The values that the columns of a game should have."""
    tags, late, movetext = tags_of(pgn)
    values: dict[str, object] = {name: tags.get(name) for name in TEXTS}
    typed = {
        **{name: rating(tags.get(name)) for name in ["WhiteElo", "BlackElo"]},
        **{name: change(tags.get(name)) for name in ["WhiteRatingDiff", "BlackRatingDiff"]},
        **{name: day(tags.get(name)) for name in ["Date", "UTCDate"]},
        "UTCTime": time(tags.get("UTCTime")),
    }
    others = [(name, value) for name, value in tags.items() if name not in TEXTS and typed.get(name) is None]
    values |= typed
    values["number"] = place
    values["other_tags"] = [{"name": name, "value": value} for name, value in others + late] or None
    values["plies"] = len(line.moves) if line.has_start else None
    values["moves"] = line.moves if line.has_start else None
    values |= annotations(line)
    squares = [["??" if ply > len(line.landings) else line.landings[ply - 1] for ply in plies] for plies in PLIES]
    values["signature"] = "A={} B={}".format(*map("".join, squares))
    values["movetext"] = text_of(movetext.strip(" \t\n\f\r"))
    values["pgn"] = text_of(pgn)
    values["tag:White"], values["tag:WhiteElo"] = tags.get("White"), tags.get("WhiteElo")
    return values


def read(pgn: str) -> list[MainLine]:
    """The games that python-chess finds in a text."""
    stream = io.StringIO(pgn, newline="\n")
    lines = []
    while (line := chess.pgn.read_game(stream, Visitor=MainLine)) is not None:
        lines.append(line)
    return lines


def read_one(pgn: str, report: Report) -> MainLine | None:
    """The game in the text of one game. For python-chess a second empty line ends a game, so these are left
    out, and the game is counted."""
    lines = read(pgn)
    if len(lines) > 1:
        report.split += 1
        lines = read(EMPTY_LINES.sub(r"\1\1", pgn))
    return lines[0] if len(lines) == 1 else None


@dataclass
class Difference:
    """A value that is not the expected one."""

    number: int
    column: str
    ours: object
    expected: object
    why: str | None


@dataclass
class Report:
    """The result of a comparison."""

    games: int = 0
    #: Games that python-chess reads as two, because of a second empty line.
    split: int = 0
    #: The values of each column that are not null; of lists the items.
    values: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)

    def add(self, other: Report) -> None:
        self.games += other.games
        self.split += other.split
        self.values += other.values
        self.differences += other.differences


def is_prefix(part: object, whole: object) -> bool:
    """Whether a list is a prefix of another one. Null items at its end, and no list, say nothing."""
    items, others = list(part or ()), list(whole or ())  # type: ignore[call-overload]
    while items and items[-1] is None:
        items.pop()
    return items == others[: len(items)]


def why(column: str, ours: object, expected: object, line: MainLine) -> str | None:
    """The reason for which a value may differ; `None` if there is none."""
    if column in ("clocks", "evals", "mates", "comments") and line.is_cut_off and is_prefix(expected, ours):
        return "python-chess ends at a move that is not legal, the columns go on"
    return None


def compare(archive: str, text: str, starts: list[int], first: int, last: int) -> Report:
    """Compares the games from `first` up to but not `last`, counted from 1. `starts` has the offset of each of
    these games in the text, and that of the end."""
    import ign_archive as ign

    with Path(text).open("rb") as file:
        file.seek(starts[0])
        source = file.read(starts[-1] - starts[0])
    collection = ign.open(archive, threads=1)
    scan = collection.scan(where=collection[first:last])
    scan = collection.scan([*scan.columns, *ON_REQUEST], where=collection[first:last])
    rows = (found for batch in scan for found in pa.record_batch(batch).to_pylist())
    report = Report()
    for place, found in zip(range(first, last), rows, strict=True):
        start, end = (starts[place - first + step] - starts[0] for step in (0, 1))
        pgn = source[start:end].decode("utf-8", "surrogateescape")
        report.games += 1
        line = read_one(pgn, report)
        if line is None:
            report.differences.append(Difference(place, "games", 1, len(read(pgn)), None))
            continue
        expected = row(place, pgn, line)
        assert found.keys() == expected.keys(), found.keys() ^ expected.keys()
        for column, ours in found.items():
            report.values[column] += len(ours) if isinstance(ours, list) else ours is not None
            theirs = expected[column]
            if ours != theirs:
                reason = why(column, ours, theirs, line)
                report.differences.append(Difference(place, column, ours, theirs, reason))
    return report
