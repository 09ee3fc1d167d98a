"""Do games equal what python-chess reads from the text?"""

from __future__ import annotations

from pathlib import Path

import chess
import chess.pgn
import pytest
from conftest import ODD, first_games, random_pgn, read_games

import ign_archive as ign

#: Games of each real collection that are compared.
SLICE = 300


def compare(ours: ign.Game, theirs: chess.pgn.Game) -> None:
    """Every value of a game."""
    # python-chess adds those of the seven standard tags that are missing.
    for name, value in ours.tags.items():
        # python-chess keeps the escapes.
        written = theirs.headers[name].replace('\\"', '"').replace("\\\\", "\\")
        assert written == value, (ours, name)
    if theirs.errors:
        return
    board = theirs.board()
    nodes = list(theirs.mainline())
    assert ours.moves == [node.move.uci() for node in nodes], ours
    assert ours.plies == len(ours) == len(nodes)
    for san, node in zip(ours.san, nodes, strict=True):
        assert san == board.san(node.move)
        board.push(node.move)
    clocks = [node.clock() for node in nodes]
    assert ours.clocks == pytest.approx(clocks), ours
    for ours_eval, node in zip(ours.evals, nodes, strict=True):
        score = node.eval()
        if score is None:
            assert ours_eval is None
        else:
            white = score.white()
            expected = (None, white.mate()) if white.is_mate() else (white.score(), None)
            assert tuple(ours_eval or ()) == expected, ours


def compare_all(archive: ign.Archive, text: bytes) -> int:
    compared = 0
    for ours, theirs in zip(archive, read_games(text), strict=True):
        compare(ours, theirs)
        compared += 1
    return compared


def test_odd_games(odd: ign.Archive) -> None:
    assert compare_all(odd, ODD.encode()) == 5
    assert odd[2].moves[-2:] == ["f1g1", "f8g8"]
    assert odd[3].moves == ["a7a8q", "h7g6", "a8e4"]
    assert odd[3].tag("White") == 'Zoë "Z" K.'
    assert odd[4].moves == [] and odd[4].integer == 0 and odd[4].san == []
    assert odd[5].comments == [(0, "Before.")]
    assert odd[1].comments == [
        (1, "[%clk 0:03:00]"),
        (2, "[%clk 0:02:59.9] [%eval -0.31]"),
        (3, "A mistake."),
        (4, "[%eval #-1]"),
    ]
    assert odd[1].evals == [None, ign.Eval(-31, None), None, ign.Eval(None, -1)]


@pytest.mark.parametrize("coding", ["ign", "weighted"])
def test_generated_games(make, coding: str) -> None:
    text = random_pgn(11, 120)
    archive = ign.open(make(text, coding=coding, block_size=1 << 15))
    assert compare_all(archive, text.encode()) == 120
    assert "".join(game.pgn for game in archive) == text
    assert b"".join(game.pgn_bytes for game in archive) == text.encode()


def test_games_convert_to_python_chess(odd: ign.Archive) -> None:
    for game, theirs in zip(odd, read_games(ODD.encode()), strict=True):
        converted = game.to_chess()
        assert isinstance(converted, chess.pgn.Game)
        assert str(converted) == str(theirs)
    assert odd[3].to_chess().variations[0].variations[1].move == chess.Move.from_uci("h7g7")


def test_text_that_is_no_utf8_is_read_as_latin_1(make) -> None:
    text = '[White "Zo\xeb"]\n\n1. e4 {caf\xe9} *\n'.encode("latin-1")
    game = ign.open(make(text))[1]
    assert game.tags == {"White": "Zo\xeb"} and game.tag_bytes("White") == b"Zo\xeb"
    assert game.pgn_bytes == text and game.pgn == text.decode("latin-1")
    assert game.comments == [(1, "café")]


def test_the_first_value_of_a_repeated_tag_counts(make) -> None:
    game = ign.open(make('[White "Ann"]\n[White "Ben"]\n[Black "Cy"]\n\n1. e4 *\n'))[1]
    assert game.tags == {"White": "Ann", "Black": "Cy"} and game.moves == ["e2e4"]
    assert '[White "Ben"]' in game.pgn


def test_moves_after_an_illegal_one_are_text(make) -> None:
    game = ign.open(make('[White "Ann"]\n\n1. e4 e5 2. e5 Nf6 *\n'))[1]
    assert game.moves == ["e2e4", "e7e5"] and game.plies == 2
    assert "2. e5 Nf6" in game.pgn


def test_go_games_have_tags_and_text_but_no_moves(make) -> None:
    text = "(;GM[1]FF[4]SZ[19]PB[Ann]PW[Ben];B[pd];W[dp])\n"
    game = ign.open(make(text))[1]
    assert game.moves == [] and game.san == [] and game.clocks == [] and game.evals == []
    assert game.pgn == text and game.tags["PB"] == "Ann"


@pytest.mark.parametrize("name", ["lichess_2013-01.pgn.zst", "lichess_users_clk.pgn.zst", "otb_pgnmentor.pgn.zst"])
def test_real_games(data: Path, tmp_path: Path, name: str) -> None:
    pack = tmp_path / "all.ign"
    text = first_games(data / name, SLICE)
    part = tmp_path / "part.pgn"
    part.write_bytes(text)
    ign.pack(part, pack)
    assert compare_all(ign.open(pack), text) == SLICE
