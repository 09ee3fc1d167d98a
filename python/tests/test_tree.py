"""Does a tree count the moves that the games played?"""

from __future__ import annotations

import dataclasses
from collections import Counter
from pathlib import Path

import chess
import pytest

import ign_archive as ign


@pytest.fixture(scope="module")
def archive(generated: Path) -> ign.Archive:
    return ign.open(generated)


def test_counts_the_first_moves(archive: ign.Archive) -> None:
    tree = archive.tree()
    first = Counter(game.moves[0] for game in archive if game.moves)
    assert {move.uci: move.games for move in tree.moves} == first
    assert [move.games for move in tree.moves] == sorted(first.values(), reverse=True)
    assert tree.fen == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    played = [game for game in archive if game.moves]
    assert tree.games == len(played)
    assert (tree.first_game, tree.last_game) == (played[0].number, played[-1].number)
    for move in tree.moves:
        numbers = [game.number for game in played if game.moves[0] == move.uci]
        assert (move.first_game, move.last_game) == (numbers[0], numbers[-1])
    results = Counter(game.result for game in played)
    assert (tree.white, tree.draws, tree.black) == (results["1-0"], results["1/2-1/2"], results["0-1"])


def test_counts_the_moves_after_an_opening_in_the_games_that_match(archive: ign.Archive) -> None:
    best = archive.tree().moves[0]
    tree = archive.tree(opening=[best.uci], result="1-0", depth=2)
    games = [game for game in archive if game.moves[:1] == [best.uci] and game.result == "1-0"]
    second = Counter(game.moves[1] for game in games if len(game.moves) > 1)
    assert {move.uci: move.games for move in tree.moves} == second
    assert tree.games == len(games) == tree.white
    third = Counter(tuple(game.moves[1:3]) for game in games if len(game.moves) > 2)
    assert {(m.uci, n.uci): n.games for m in tree.moves for n in m.moves} == third


def test_lists_games_and_months(archive: ign.Archive) -> None:
    tree = archive.tree(top_games=3, recent_games=4, history=True)
    assert len(tree.top_games) == 3 and len(tree.recent_games) == 4
    dates = [archive[number].tag("UTCDate") for number, _ in tree.recent_games]
    assert dates == sorted(dates, reverse=True)
    assert archive[tree.recent_games[0][0]].moves[0] == tree.recent_games[0][1]
    assert sum(white + draws + black for _, white, draws, black in tree.history) <= tree.games
    assert tree.history[0][0] == "2013-01"
    assert {"fen", "moves", "games"} <= dataclasses.asdict(tree).keys()


def test_a_board_of_python_chess_is_a_position(archive: ign.Archive) -> None:
    board = chess.Board()
    assert archive.tree(board) == archive.tree()
    move = archive.tree().moves[0]
    board.push_uci(move.uci)
    tree = archive.tree(board)
    assert tree.games >= move.games and tree == archive.tree(board.fen())


def test_wrong_arguments_are_usage_errors(archive: ign.Archive) -> None:
    for wrong in [{"position": "x"}, {"depth": 0}, {"depth": 21}, {"whte": "x"}]:
        with pytest.raises(ign.UsageError):
            archive.tree(**wrong)
    with pytest.raises(ign.UsageError, match="give one of them"):
        archive.tree("8/8/4k3/8/8/4K3/4P3/8 w - -", opening="1. e4")
    assert archive.tree("8/8/4k3/8/8/4K3/4P3/8 w - -").games == 0
