"""Does a search find the games that meet its conditions?"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path

import chess
import pytest
from conftest import random_pgn

import ign_archive as ign


@pytest.fixture(scope="module")
def archive(searched: Path) -> ign.Archive:
    return ign.open(searched)


def rating(game: ign.Game, side: str) -> int | None:
    value = (game.tag(f"{side}Elo") or "").strip()
    return int(value) if value.isascii() and value.isdigit() and 0 < int(value) < 10_000 else None


def in_range(value: int | None, low: int, high: int) -> bool:
    return value is not None and low <= value <= high


ITALIAN = "rnbqkbnr/pppppppp/8/8/8/7N/PPPPPPPP/RNBQKB1R b KQkq - 1 1"


def reaches(game: ign.Game, fen: str) -> bool:
    wanted = chess.Board(fen).epd()
    board = chess.Board()
    if board.epd() == wanted:
        return True
    for move in game.moves:
        board.push_uci(move)
        if board.epd() == wanted:
            return True
    return False


CASES: dict[str, tuple[dict[str, object], Callable[[ign.Game], bool]]] = {
    "no condition": ({}, lambda game: True),
    "None is no condition": ({"white": None, "elo": None}, lambda game: True),
    "a name": ({"white": "ann"}, lambda game: game.tag("White") == "Ann"),
    "a name with wildcards": ({"player": "o'*"}, lambda game: game.tag("White") == "O'Neil, X"),
    "ratings as a pair": (
        {"white_elo": (1500, 1800)},
        lambda game: in_range(rating(game, "White"), 1500, 1800),
    ),
    "ratings without an end": (
        {"white_elo": (2200, None)},
        lambda game: in_range(rating(game, "White"), 2200, 9999),
    ),
    "ratings as text": ({"black_elo": "..1200"}, lambda game: in_range(rating(game, "Black"), 1, 1200)),
    "both ratings": (
        {"elo": (1400, None)},
        lambda game: all(in_range(rating(game, side), 1400, 9999) for side in ["White", "Black"]),
    ),
    "a rating difference": (
        {"elo_diff": (-100, 100)},
        lambda game: (
            rating(game, "Black") is not None and in_range(rating(game, "White") - rating(game, "Black"), -100, 100)
        ),
    ),
    "a date": (
        {"date": datetime.date(2013, 3, 7)},
        lambda game: game.tag("UTCDate") == "2013.03.07",
    ),
    "dates": (
        {"date": (datetime.datetime(2013, 3, 1, 12), datetime.date(2013, 4, 15))},
        lambda game: "2013.03.01" <= game.tag("UTCDate") <= "2013.04.15",
    ),
    "a month": ({"date": "2013-05"}, lambda game: game.tag("UTCDate").startswith("2013.05")),
    "results": ({"result": ["white", "0-1"]}, lambda game: game.result in ("1-0", "0-1")),
    "results with commas": ({"result": "draw,*"}, lambda game: game.result in ("1/2-1/2", "*")),
    "speeds": ({"speed": ["bullet", "Blitz"]}, lambda game: game.tag("TimeControl") in ("60+0", "300+3")),
    "a tag by an expression": (
        {"tags": {"Annotator": "9$", "White": "^[AB]"}},
        lambda game: (game.tag("Annotator") or "").endswith("9") and game.tag("White")[0] in "AB",
    ),
    "plies": ({"plies": (10, 20)}, lambda game: 10 <= game.plies <= 20),
    "an opening": ({"opening": "1. a3"}, lambda game: game.moves[:1] == ["a2a3"]),
    "an opening by its moves": ({"opening": ["g1h3"]}, lambda game: game.moves[:1] == ["g1h3"]),
    "a position": ({"position": ITALIAN}, lambda game: reaches(game, ITALIAN)),
    "a board of python-chess": (
        {"position": chess.Board(ITALIAN)},
        lambda game: reaches(game, ITALIAN),
    ),
    "comments": ({"has_clocks": True}, lambda game: any(game.clocks)),
    "evaluations": ({"has_evals": True}, lambda game: any(game.evals)),
    "a flag that is not set": ({"has_evals": False}, lambda game: True),
    "all of several": (
        {"white": "Ann", "result": "1-0", "plies": (5, None)},
        lambda game: game.tag("White") == "Ann" and game.result == "1-0" and game.plies >= 5,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_finds_the_games_that_match(archive: ign.Archive, case: str) -> None:
    conditions, matches = CASES[case]
    expected = [game.number for game in archive if matches(game)]
    found = archive.find(**conditions)
    assert list(found.numbers) == expected
    assert [game.number for game in found] == expected
    if conditions and case != "None is no condition" and case != "a flag that is not set":
        assert 0 < len(expected) < len(archive)
    assert list(archive.find(limit=3, **conditions).numbers) == expected[:3]


def test_a_game_is_found_by_its_moves(archive: ign.Archive) -> None:
    game = next(game for game in archive if game.plies > 30)
    assert game in archive.find(like=game.san)
    wrong = game.san[:-1]
    assert game in archive.find(like=" ".join(wrong))


def test_found_games_are_packed(archive: ign.Archive, tmp_path: Path) -> None:
    found = archive.find(white="Ann")
    out = tmp_path / "ann.ign"
    assert found.pack(out) == len(found)
    packed = ign.open(out)
    assert [game.pgn for game in packed] == [game.pgn for game in found]
    with pytest.raises(ign.UsageError, match="already exists"):
        found.pack(out)
    assert found.pack(out, overwrite=True, coding="ign") == len(found)


def test_packed_games_have_the_options_of_their_archive(make, tmp_path: Path) -> None:
    text = random_pgn(3, 60)
    first = make(random_pgn(4, 5), "first")
    second = make(text, "second", coding="ign", level=3, block_size=1 << 14)
    archive = ign.open([first, second])
    out = tmp_path / "out.ign"
    assert archive[6:].pack(out) == 60
    assert out.read_bytes() == second.read_bytes()
    assert archive[6:].pack(out, coding="weighted", overwrite=True) == 60
    assert out.read_bytes() != second.read_bytes()


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ({"whit_elo": 5}, r"no condition 'whit_elo' \(did you mean white_elo\?\)"),
        ({"WhiteElo": 5}, "did you mean white_elo"),
        ({"nonsense": None}, "no condition 'nonsense'"),
        ({"white_elo": "x"}, "white_elo: 'x'"),
        ({"white_elo": (5, 3)}, "white_elo: .*ends before it starts"),
        ({"white_elo": (5, 6, 7)}, "white_elo: a range has two ends"),
        ({"white_elo": (None, None)}, "white_elo: the range has no end"),
        ({"white_elo": 10**9}, "white_elo: "),
        ({"white": True}, "white: is a bool"),
        ({"white": b"x"}, "white: is a bytes"),
        ({"date": "x"}, "date: "),
        ({"result": ["2-0"]}, "result: '2-0' is no result"),
        ({"speed": 5}, "speed: "),
        ({"position": "x"}, "position: 'x' is no position"),
        ({"final": True}, "final: there is no condition"),
        ({"tags": {"Round": "("}}, "tag: '\\(' is no regular expression"),
        ({"tags": "Round"}, "tags: is a str"),
        ({"has_clocks": "x"}, "has_clocks: is a str"),
        ({"opening": "1. e5"}, "opening: "),
        ({"like": ""}, "like: the score has no moves"),
    ],
)
def test_wrong_conditions_are_usage_errors(archive: ign.Archive, conditions: dict, message: str) -> None:
    with pytest.raises(ign.UsageError, match=message) as raised:
        archive.find(**conditions)
    assert isinstance(raised.value, ValueError)
