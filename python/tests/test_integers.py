"""Do integers give their moves back?"""

from __future__ import annotations

from pathlib import Path

import chess
import pytest

import ign_archive as ign


def test_the_integer_of_the_shortest_mate() -> None:
    assert ign.encode("1. f3 e5 2. g4 Qh4#") == 143_395
    assert ign.encode(["f2f3", "e7e5", "g2g4", "d8h4"]) == 143_395
    assert ign.decode(143_395) == ["f2f3", "e7e5", "g2g4", "d8h4"]
    board = chess.Board()
    for move in ["f2f3", "e7e5", "g2g4", "d8h4"]:
        board.push_uci(move)
    assert ign.encode(board.move_stack) == 143_395
    assert ign.encode([]) == 0 == ign.encode("")
    assert ign.decode(0) == []


def test_integers_of_games_round_trip(generated: Path, odd: ign.Archive) -> None:
    for game in ign.open(generated)[:60]:
        assert ign.encode(game.moves) == ign.encode(game.san) == game.integer
        assert ign.decode(game.integer) == game.moves
    fen = odd[3].tags["FEN"]
    assert ign.encode(odd[3].moves, fen=fen) == odd[3].integer
    assert ign.decode(odd[3].integer, fen=fen) == odd[3].moves


@pytest.mark.parametrize("coding", ["ign", "ign-end", "weighted"])
def test_every_coding_round_trips(coding: str) -> None:
    moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]
    integer = ign.encode(moves, coding=coding)
    assert ign.decode(integer, coding=coding) == moves


def test_counted_integers_need_the_number_of_plies() -> None:
    integer = ign.encode(["e2e4", "e7e5"], coding="counted")
    assert ign.decode(integer, coding="counted", plies=2) == ["e2e4", "e7e5"]
    with pytest.raises(ign.UsageError, match="plies"):
        ign.decode(integer, coding="counted")


def test_variants_have_their_own_rules() -> None:
    moves = ["e2e4", "d7d5", "e4d5", "d8d5", "P@e4"]
    integer = ign.encode(moves, variant="Crazyhouse")
    assert ign.decode(integer, variant="Crazyhouse") == moves


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: ign.encode("1. e4 e4"), "1... e4 is not a legal move"),
        (lambda: ign.encode("1. e4 * 1. d4 *"), "several games"),
        (lambda: ign.encode("e4", coding="x"), "no coding 'x'"),
        (lambda: ign.encode("e4", variant="x"), "unknown variant 'x'"),
        (lambda: ign.encode("e4", fen="x"), "x"),
        (lambda: ign.encode([5]), r"moves: a int is no move \(give moves as texts"),
        (lambda: ign.decode(-1), "negative"),
        (lambda: ign.decode(1 << 10_000_000), "bits"),
        (lambda: ign.decode(1 << 100_000_000), "bits"),
    ],
)
def test_what_is_no_game_is_an_error(wrong, message: str) -> None:
    with pytest.raises(ign.UsageError, match=message):
        wrong()


def test_other_types_are_type_errors() -> None:
    for wrong in ["5", 5.0, None]:
        with pytest.raises(TypeError):
            ign.decode(wrong)  # type: ignore[arg-type]
