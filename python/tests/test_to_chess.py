"""Does to_chess() return the moves and tags of the game, as python-chess reads its standard PGN?"""

from __future__ import annotations

import io
import logging
import random
import re
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn
import pytest
from conftest import ODD, first_games, random_pgn

import ign_archive as ign

logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)

#: Pieces of texts that python-chess reads in its own way, each of which may follow a move.
PIECES = [
    "{ one } ", "{two}", "{}", "{ }", "{  }", "{a\n b} ", "{ \n } ", "{x (y) [z] $1 ; %}", "{ unclosed", "} ", "$1 ",
    "$14$6 ", "$ ", "$99999999999 ", "! ", "?? ", "!? ", "?! ", "!!! ", "?!? ", "(", ") ", "( ", "()", "(1. d4) ",
    "(1... c5 2. Nf3 (2. c3 {deep} d5) d6) ", "((1. e4) e5) ", "1-0 ", "0-1 ", "1/2-1/2 ", "* ", "(* 1-0)", "; rest\n",
    "\n", "\n\n", "\n \t\n", "\n% escape\n", "\n; line\n", "\r\n", "\r", "e.p. ", "+ ", "# ", "++ ", "... ", "7.",
    "12 ", "1(", "-- ", "Z0 ", "0000 ", "0-0 ", "O-O ", "O-O-O ", "Kg1 ", "e4e5 ", "e2-e4 ", "Pe4 ", "e9 ", "x ",
    '[Event "x"]\n', '\n[Event "x"]\n', "\u00e9 ", "\u00a0", "\u000b", "\f\n", "\u001c\n", "\u2028", "<1> ", "1/2 ",
    "a8=Q ", "e8q ",
]

#: The pieces for which python-chess reads other moves, and in how many games of `test_each_piece_alone`: it reads on
#: after a result or an unknown word, takes a variation before the first move for moves of the game, and loses the main
#: line after an illegal move or a result in a variation.
OTHER_MOVES = {
    "(1. d4) ": 3, "(1... c5 2. Nf3 (2. c3 {deep} d5) d6) ": 2, "((1. e4) e5) ": 7, "1-0 ": 2, "0-1 ": 2, "1/2-1/2 ": 2,
    "* ": 2, "(* 1-0)": 2, "e9 ": 2, "1/2 ": 2,
}

#: The names of tags that python-chess reads.
NAME = re.compile("[A-Za-z0-9][A-Za-z0-9_+#=:-]*")

TAGS = [
    '[White "A"]\n', '[White ""]\n', '[White "a \\"b\\" c"]\n', '[White "a"b"]\n', '[White  "x"] \n',
    '[Result "1-0"]\n', '[Result "*"]\n', '[White "A"]\r\n', '[White"A"]\n', '[ White "A"]\n', '[White "A"] x\n',
    '[White "A"\n', '[W-1:x+=# "A"]\n', '[-x "A"]\n', '[White "A"]', '[White "]\n', '[White "a\rb"]\n', '[SetUp "0"]\n',
    '[Variant "Standard"]\n', '[Variant "from position"]\n', '[Variant "Chess960"]\n', '[Variant "Nonsense"]\n',
    '[White "é"]\n', '[é "x"]\n',
    '[FEN "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"]\n', "\n", "\n\n", "% x\n", "; x\n", '[White "A"]\xa0\n',
    '[White "A"] [Black "B"]\n', '[White\t"A"]\t\n',
]


def nodes(game: chess.pgn.Game) -> Iterator[tuple]:
    """Every value of every node."""
    stack: list[chess.pgn.GameNode] = [game]
    while stack:
        node = stack.pop()
        for child in node.variations:
            assert child.parent is node and type(child) is chess.pgn.ChildNode
        yield node.move, node.comment, node.starting_comment, node.nags, len(node.variations)
        stack.extend(node.variations)


def plain(san: str) -> str:
    """A move without what tells it from others: some programs write more of it than is needed."""
    return re.sub("^([KQRBN])[a-h]?[1-8]?(x?[a-h][1-8])", r"\1\2", san)


def shown(game: chess.pgn.Game) -> str | None:
    """The game as PGN; `None` if python-chess cannot write it: illegal nodes, as it makes for `((`, or another game."""
    try:
        return str(game)
    except (AssertionError, ValueError):
        return None


def assert_equal(game: ign.Game) -> bool:
    """Compares a game with what python-chess reads; returns whether its moves are the same, so that all is compared."""
    text = game.standard_pgn
    # Where a tag is not closed, its section may end elsewhere than among other games.
    if '[White "]' not in game.pgn:
        written = game._movetext.san[: game.plies]
        assert [plain(san) for san in written] == [plain(san) for san in game.san], game.pgn
    try:
        theirs = chess.pgn.read_game(io.StringIO(text)) or chess.pgn.Game()
    except (AssertionError, IndexError) as error:
        # A fault of python-chess, which reads such a text for to_chess() too.
        with pytest.raises(type(error)):
            game.to_chess()
        return False
    ours = game.to_chess()
    main_line = [move.uci() for move in ours.mainline_moves()]
    assert main_line[: game.plies] == game.moves, game.pgn
    for name, value in game.tags.items():
        # python-chess takes the result of the movetext where the tag says "*".
        if NAME.fullmatch(name) and "\r" not in value and (name, value) != ("Result", "*"):
            # python-chess keeps the escapes.
            assert ours.headers[name].replace('\\"', '"').replace("\\\\", "\\") == value, game.pgn
    their_moves = [move.uci() for move in theirs.mainline_moves()]
    if their_moves[: game.plies] != game.moves:
        # For example, python-chess loses the main line after an illegal move in a variation.
        return False
    assert type(ours) is type(theirs)
    assert list(ours.headers.items()) == list(theirs.headers.items()), text
    assert list(nodes(ours)) == list(nodes(theirs)), text
    assert [str(error) for error in ours.errors] == [str(error) for error in theirs.errors], text
    assert shown(ours) == shown(theirs), text
    return their_moves == game.moves


def compare(archive: ign.Archive) -> int:
    """The number of games that python-chess reads with the same moves. The others are not compared in full."""
    return sum(assert_equal(game) for game in archive)


def test_odd_and_generated_games(make, odd: ign.Archive) -> None:
    assert compare(odd) == 5
    assert compare(ign.open(make(random_pgn(5, 40)))) == 40


def odd_texts(seed: int, count: int) -> Iterator[str]:
    chance = random.Random(seed)
    for _ in range(count):
        moves = chance.choice([
            ["1. e4 ", "e5 ", "2. Nf3 ", "Nc6 ", "3. Bb5 ", "a6 ", "4. O-O ", "Nge7 ", "5.d3 ", "5...d6 "],
            ["1.d4 ", "d5 ", "2.c4+ ", "dxc4 ", "3.Nc3! ", "a6 ", "4.e4 ", "b5 ", "5.Nge2 ", "b4 "],
        ])
        pieces = []
        for move in moves[: chance.randrange(len(moves) + 1)]:
            pieces.append(move)
            if chance.random() < 0.3:
                pieces.append(chance.choice(PIECES))
        tags = [chance.choice(TAGS) for _ in range(chance.randrange(4))]
        between, end = chance.choice(["\n", "\n", "\n", "", "\n\n"]), chance.choice(["*\n", "1-0\n\n", "", "\n"])
        yield "".join([*tags, between, *pieces, end])


def test_odd_texts(make) -> None:
    # In 5 of these games, and in 455 of those below, python-chess fails or reads other moves, as `OTHER_MOVES` says; it
    # also reads the moves of an unknown variant.
    archives = [ign.open(make(text)) for text in odd_texts(1, 60)]
    assert sum(map(compare, archives)) >= sum(map(len, archives)) - 5 >= 50
    # The games of one long text are other pieces of it, which are just as odd.
    text = "".join(f'[Event "{number}"]\n{text}\n\n' for number, text in enumerate(odd_texts(2, 3000)))
    archive = ign.open(make(text))
    assert compare(archive) >= len(archive) - 455 >= 2580


@pytest.mark.parametrize("piece", PIECES)
def test_each_piece_alone(make, piece: str) -> None:
    games = same = 0
    for before in ["", "1. e4 ", "1. e4 e5 2. Nf3 "]:
        for after in ["", "Nc6 *\n", "\n"]:
            archive = ign.open(make(f'[Event "x"]\n\n{before}{piece}{after}'))
            games, same = games + len(archive), same + compare(archive)
    assert games >= 9
    assert games - same == OTHER_MOVES.get(piece, 0)


FORMS = {
    '[White "A"]\n\n1. e4 e5 2. Sf3 {one} Sc6 (2... d6 3. Lc4) 3. Lb5 $1 a6! *\n': "e4 e5 Nf3 Nc6 Bb5 a6",
    '\n\n  [White "A"]\n[Black "B"]\n\n1. e4 e5 *\n': "e4 e5",
    '[White "A"] [Black "B"]\n\n1. e4 e5 *\n': "e4 e5",
    '[White "A"]\n\n\n[Black "B"]\n\n\n1. e4 e5 *\n': "e4 e5",
    '[White "A"]\n[White "B"]\n\n1. e4 e5 *\n': "e4 e5",
    '[White "A"]\n\n{ one }\n\n1. e4 {two}\n\n2. e5 Nf3\n\nNc6 *\n': "e4 e5 Nf3 Nc6",
    '[White "A"]\n\n1.e4e5 2.Nf3,Nc6 *\n': "e4 e5 Nf3 Nc6",
    '[White "A"]\n\n1. e4 {a {b} c} e5 2. \u2658f3 \u2014 Nc6 \xb1 *\n': "e4 e5 Nf3 Nc6",
    '[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8(Q) Kg7 *\n': "a8=Q Kg7",
}


@pytest.mark.parametrize("text", FORMS)
def test_moves_that_python_chess_does_not_read_as_they_are_written(make, text: str) -> None:
    game = ign.open(make(text))[1]
    assert assert_equal(game)
    assert "\n\n" in game.standard_pgn
    assert game.standard_pgn != game.pgn == text.lstrip("\n")
    assert [node.san() for node in game.to_chess().mainline()] == FORMS[text].split()


def test_python_chess_loses_the_main_line_after_an_illegal_variation(make) -> None:
    text = "{a} 1. e4 {b} (1. d4 {c} d5 $1 (1... Nf6 $2 2. c4) 2. Ke8) 1... e5 $3 (1... c5 2. Nf3) 2. Nf3 {d} *\n"
    game = ign.open(make(text))[1]
    assert len(list(chess.pgn.read_game(io.StringIO(text)).mainline_moves())) < 3
    found = game.to_chess()
    assert [str(error)[:11] for error in found.errors] == ["illegal san"]
    found.errors.clear()
    legal = text.replace(" 2. Ke8", "")
    assert list(nodes(found)) == list(nodes(chess.pgn.read_game(io.StringIO(legal))))
    assert list(found.headers.items()) == list(chess.pgn.read_game(io.StringIO(legal)).headers.items())


@pytest.mark.parametrize("name", ["lichess_2013-01", "lichess_users_clk", "otb_pgnmentor"])
def test_real_games(data: Path, tmp_path: Path, name: str) -> None:
    part = tmp_path / "part.pgn"
    part.write_bytes(first_games(data / f"{name}.pgn.zst", 150))
    ign.pack(part, tmp_path / "part.ign")
    assert compare(ign.open(tmp_path / "part.ign")) == 150
