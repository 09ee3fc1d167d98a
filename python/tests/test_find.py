"""Does a search find the games that meet its conditions?"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path

import chess
import numpy as np
import pytest
from conftest import random_pgn

import ign_archive as ign


@pytest.fixture(scope="module")
def archive(searched: Path) -> ign.Archive:
    return ign.open(searched)


def rating(game: ign.Game, side: str) -> int | None:
    value = (game.tag(f"{side}Elo") or "").strip().removesuffix("?")
    return int(value) if value.isascii() and value.isdigit() and 0 < int(value) < 10_000 else None


def both(game: ign.Game) -> tuple[str | None, str | None]:
    return game.tag("White"), game.tag("Black")


def mean(game: ign.Game) -> int | None:
    white, black = rating(game, "White"), rating(game, "Black")
    return None if white is None or black is None else (white + black) // 2


def repeats(game: ign.Game) -> bool:
    board = chess.Board()
    return any(board.push_uci(move) and board.is_repetition(3) for move in game.moves)


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


def counts(board: chess.Board) -> tuple[int, int, int]:
    """The numbers of White's and Black's knights, and of all other pieces but kings."""
    white, black = (len(board.pieces(chess.KNIGHT, color)) for color in chess.COLORS)
    return white, black, len(board.piece_map()) - white - black - 2


def has_runs(game: ign.Game, stages: list[tuple[Callable[[chess.Board], bool], int]]) -> bool:
    """Whether positions in a row, as many as are given, meet each property, one after another."""
    board = chess.Board()
    boards = [board.copy(stack=False)]
    for move in game.moves:
        board.push_uci(move)
        boards.append(board.copy(stack=False))

    def has(stages: list[tuple[Callable[[chess.Board], bool], int]], start: int) -> bool:
        if not stages:
            return True
        (holds, length), *others = stages
        return any(
            all(map(holds, boards[first : first + length])) and has(others, first + length)
            for first in range(start, len(boards) - length + 1)
        )

    return has(stages, 0)


CASES: dict[str, tuple[dict[str, object], Callable[[ign.Game], bool]]] = {
    "no condition": ({}, lambda game: True),
    "None sets no condition": ({"white": None, "elo": None}, lambda game: True),
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
    "no clocks": ({"has_clocks": False}, lambda game: not any(game.clocks)),
    "clocks without evaluations": (
        {"has_clocks": True, "has_evals": False},
        lambda game: any(game.clocks) and not any(game.evals),
    ),
    "no text in comments": (
        {"commented": False, "plies": (30, None)},
        lambda game: game.plies >= 30 and "good" not in game.pgn and "error" not in game.pgn and "see" not in game.pgn,
    ),
    "no repetition": (
        {"repetition": False, "white": "Ann"},
        lambda game: game.tag("White") == "Ann" and not repeats(game),
    ),
    "not these players and ratings": (
        {"exclude": {"white": "Ann", "white_elo": [(1000, 1300), (2000, None)]}},
        lambda game: (
            game.tag("White") != "Ann"
            and not in_range(rating(game, "White"), 1000, 1300)
            and not in_range(rating(game, "White"), 2000, 9999)
        ),
    ),
    "not one of two openings": (
        {"exclude": [{"opening": ["g1h3"]}, {"opening": "1. a3", "commented": None}], "plies": (1, None)},
        lambda game: game.plies > 0 and game.moves[0] not in ("g1h3", "a2a3"),
    ),
    "not a position": ({"exclude": {"position": ITALIAN}}, lambda game: not reaches(game, ITALIAN)),
    "a material for some plies": (
        {"material": "n=1,N=2,BbRrQqPp=26", "lasting": 3},
        lambda game: has_runs(game, [(lambda board: counts(board) == (2, 1, 26), 3)]),
    ),
    "a position after another": (
        {"pattern": "Ph4", "later": {"pattern": "_g1", "lasting": 2}},
        lambda game: has_runs(
            game,
            [
                (lambda board: board.piece_at(chess.H4) == chess.Piece.from_symbol("P"), 1),
                (lambda board: board.piece_at(chess.G1) is None, 2),
            ],
        ),
    ),
    "three positions, one after another": (
        {"board": chess.Board(), "later": [{"pattern": "_g1"}, "pattern=Ng1"]},
        lambda game: has_runs(
            game,
            [
                (lambda board: board.board_fen() == chess.STARTING_BOARD_FEN, 1),
                (lambda board: board.piece_at(chess.G1) is None, 1),
                (lambda board: board.piece_at(chess.G1) == chess.Piece.from_symbol("N"), 1),
            ],
        ),
    ),
    "ratings in several ranges": (
        {"white_elo": [(1000, 1300), "1500", (2000, None)]},
        lambda game: (
            in_range(rating(game, "White"), 1000, 1300)
            or rating(game, "White") == 1500
            or in_range(rating(game, "White"), 2000, 9999)
        ),
    ),
    "ratings in a range as text and one rating": (
        {"white_elo": ["1500..1600", 1700]},
        lambda game: in_range(rating(game, "White"), 1500, 1600) or rating(game, "White") == 1700,
    ),
    "differences in several ranges": (
        {"elo_diff": "..-300,300.."},
        lambda game: rating(game, "Black") is not None and abs(rating(game, "White") - rating(game, "Black")) >= 300,
    ),
    "dates in several ranges": (
        {"date": [(datetime.date(2013, 3, 1), "2013-03-10"), "2013-05-01..2013-05"]},
        lambda game: (
            "2013.03.01" <= game.tag("UTCDate") <= "2013.03.10" or "2013.05.01" <= game.tag("UTCDate") <= "2013.05.31"
        ),
    ),
    "plies in several ranges": (
        {"plies": [(None, 10), (20, 30)]},
        lambda game: game.plies <= 10 or 20 <= game.plies <= 30,
    ),
    "two players": ({"players": ("ann", "*")}, lambda game: "Ann" in both(game) and None not in both(game)),
    "two players as text": ({"players": "* ;O'*"}, lambda game: "O'Neil, X" in both(game) and None not in both(game)),
    "a mean rating as a pair": ({"mean_elo": (1600, 1900)}, lambda game: in_range(mean(game), 1600, 1900)),
    "one of some mean ratings": (
        {"mean_elo": list(range(1600, 1900, 3))},
        lambda game: mean(game) in range(1600, 1900, 3),
    ),
    "one of some ratings": (
        {"white_elo": set(range(1500, 1600))},
        lambda game: rating(game, "White") in range(1500, 1600),
    ),
    "one of two results": ({"result": ["1-0", "0-1"]}, lambda game: game.result in ("1-0", "0-1")),
    "a mean rating without an end": ({"mean_elo": (2000, None)}, lambda game: in_range(mean(game), 2000, 9999)),
    "mean ratings as pairs": (
        {"mean_elo": [(1600, 1700), (2000, None)]},
        lambda game: in_range(mean(game), 1600, 1700) or in_range(mean(game), 2000, 9999),
    ),
    "mean ratings as texts": (
        {"mean_elo": ["1600..1700", "2000.."]},
        lambda game: in_range(mean(game), 1600, 1700) or in_range(mean(game), 2000, 9999),
    ),
    "ratings as numbers of NumPy": (
        {"white_elo": (np.int16(1500), np.int64(1800))},
        lambda game: in_range(rating(game, "White"), 1500, 1800),
    ),
    "a year as a number": ({"date": 2013}, lambda game: True),
    "an opening by moves of python-chess": (
        {"opening": [chess.Move.from_uci("g1h3")]},
        lambda game: game.moves[:1] == ["g1h3"],
    ),
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
    if case not in ["no condition", "None sets no condition", "a year as a number"]:
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
        ({"white": 5}, r"white: is an int, not a text"),
        ({"player": datetime.date(2013, 1, 1)}, "player: is a date, not a text"),
        ({"opening_name": 5}, "opening_name: is an int"),
        ({"time_control": 300}, "time_control: is an int"),
        ({"site": ["a"]}, "site: is a list"),
        ({"white_elo": 2200.5}, "white_elo: is a float, not a whole number"),
        ({"white_elo": b"2200"}, "white_elo: is a bytes"),
        ({"white_elo": {2200: 1}}, "white_elo: is a dict"),
        ({"white_elo": ("1500..1600", 1700)}, "white_elo: an end of a range is a range"),
        ({"result": ("1-0", "0-1")}, r"result: a tuple is a range.*write \['1-0', '0-1'\]"),
        ({"white_elo": (1500, 1600.0)}, "white_elo: is a float"),
        ({"white_elo": ("1500,1600", 1700)}, "white_elo: an end of a range is a range"),
        ({"white_elo": datetime.date(2013, 1, 1)}, "white_elo: is a date"),
        ({"white_elo": "1;5"}, "white_elo: '1;5' is not an integer from 0 to 65535"),
        ({"elo_diff": (1.5, None)}, "elo_diff: is a float"),
        ({"plies": "x"}, "plies: 'x' is not an integer from 0 to 4294967295"),
        ({"players": "Ann"}, "players: 'Ann' is not the names of two players"),
        ({"players": ("Ann", "Bea", "Cai")}, "players: .*write two names"),
        ({"mean_elo": []}, "mean_elo: the list is empty"),
        ({"mean_elo": ()}, "mean_elo: a range has two ends"),
        ({"mean_elo": (1700, 1600)}, "mean_elo: .*ends before it starts"),
        ({"mean_elo": [(1600, 1700, 1800)]}, "mean_elo: a range has two ends"),
        ({"eco": 5}, "eco: is an int"),
        ({"date": 2013.5}, "date: is a float, not a date"),
        ({"result": 1}, "result: is an int, not a text"),
        ({"board": 5}, "board: is an int, not a FEN"),
        ({"position": "8/8/4k3/8/8/4K3/4P3/8"}, "the condition board needs the pieces only"),
        ({"tag": "Round=3"}, r"no condition 'tag' \(did you mean tags\?\)"),
        ({"tags": {"": "3"}}, "tags: a tag has no name"),
        ({"tags": {"Round": 3}}, "tags: is an int"),
        ({"commented": 2}, "commented: is an int, not True or False"),
        ({"date": "x"}, "date: "),
        ({"result": ["2-0"]}, "result: '2-0' is not a result"),
        ({"speed": 5}, "speed: "),
        ({"position": "x"}, "position: 'x' is not a position"),
        ({"final": True}, "final: there is no condition"),
        ({"flipped": True}, "flipped: there is no condition"),
        ({"lasting": 8}, "lasting: there is no condition"),
        ({"lasting": 0, "material": "KRKP"}, "lasting: '0' is not a number of positions"),
        ({"later": {"material": "KRKP"}}, "later: there is no condition on an earlier position"),
        ({"later": 5, "material": "KRKP"}, "later: is an int, not a dictionary"),
        ({"later": {"eco": "B20"}, "material": "KRKP"}, "later: eco is not a condition on a later position"),
        ({"later": {"lasting": 3}, "material": "KRKP"}, "later: lasting: there is no condition"),
        ({"later": "KRKP", "material": "KRKP"}, "later: 'KRKP' is not a condition with its value"),
        ({"exclude": "eco=B20"}, "exclude: is a str, not a dictionary"),
        ({"exclude": [1]}, "exclude: is an int, not a dictionary"),
        ({"exclude": {"eco": "x"}}, "exclude: eco: 'x'"),
        ({"exclude": {"econ": "x"}}, "exclude: there is no condition 'econ'"),
        ({"exclude": {"final": True}}, "exclude: final: there is no condition"),
        ({"exclude": {"exclude": {}}}, "exclude: exclude cannot be excluded"),
        ({"tags": {"Round": "("}}, "tags: Round: '\\(' is not a regular expression"),
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


def test_messages_name_no_options_of_the_command(archive: ign.Archive) -> None:
    for call in [
        lambda: archive.find(colour=1),
        lambda: archive.find(white_elo="x"),
        lambda: archive.find(position="8/8/4k3/8/8/4K3/4P3/8"),
        lambda: ign.decode(5, coding="counted"),
        lambda: ign.encode("1. e4", variant="x"),
        lambda: ign.encode('[Variant "x"]\n\n1. e4'),
    ]:
        with pytest.raises(ign.UsageError) as raised:
            call()
        assert "--" not in str(raised.value)
    with pytest.raises(ign.UsageError, match="tags") as raised:
        archive.find(colour=1)
    assert "tag," not in str(raised.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a: a.find(limit=-1), r"limit is -1 \(give a whole number of at least 0\)"),
        (lambda a: a.find(limit=2**70), "limit is 1180591620717411303424"),
        (lambda a: a.find(limit="5"), "limit: is a str, not a whole number"),
        (lambda a: a.find(limit=True), "limit: is a bool"),
        (lambda a: a.scan(limit=-1), "limit is -1"),
        (lambda a: a.scan("White"), r"columns: is a str, not a list of names \(write \['White'\]\)"),
        (lambda a: a.scan(5), "columns: is an int, not a list of names"),
        (lambda a: a.scan([5]), "columns: is an int, not a name"),
        (lambda a: a.scan(["white"]), r"no column 'white' \(did you mean White\?\)"),
        (lambda a: a.scan(where=5), "where: is an int, not a dictionary or a list of games"),
        (lambda a: a.scan(where={5: 1}), "where: is an int, not a text"),
        (lambda a: a.tree(depth=-1), "depth is -1"),
        (lambda a: a.tree(top_games="x"), "top_games: is a str"),
        (lambda a: a.tree(5), "position: is an int, not a FEN"),
        (lambda a: a["x"], r"is a str, not a number or a slice \(write a\[5\] or a\[1:11\]\)"),
        (lambda a: a[1.0], "is a float"),
        (lambda a: a[:5]["x"], r"write found\[0\] or found\[:10\]"),
        (lambda a: a.select(5), "game numbers"),
        (lambda a: a.select([-1]), "numbered from 1"),
        (lambda a: ign.open(a.paths, threads=-1), "threads is -1"),
        (lambda a: ign.open(a.paths, threads=0), "threads is 0"),
        (lambda a: ign.sample("never.pgn", games=-1), "games is -1"),
        (lambda a: ign.pack(a.paths, "never.ign", block_size=-1), "block_size is -1"),
    ],
)
def test_wrong_arguments_are_usage_errors(archive: ign.Archive, call: Callable, message: str) -> None:
    with pytest.raises(ign.UsageError, match=message):
        call(archive)


def test_numbers_beyond_every_list_are_index_errors(archive: ign.Archive) -> None:
    for place in [2**70, -(2**70)]:
        with pytest.raises(IndexError):
            archive[place]
        with pytest.raises(IndexError):
            archive[:5][place]
