"""What do notebooks show, and what does a game have besides its main line?"""

from __future__ import annotations

import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

import ign_archive as ign


class Reader(HTMLParser):
    """Collects texts, and checks that elements are nested."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(shown: object) -> Reader:
    reader = Reader()
    reader.feed(shown._repr_html_())  # type: ignore[attr-defined]
    reader.close()
    assert reader.open == []
    return reader


def test_an_archive_is_a_table_of_facts(odd: ign.Archive, generated: Path) -> None:
    reader = read(odd)
    assert {"table"} <= reader.seen and {odd.paths[0], "5", f"{odd.plies:,}"} <= set(reader.texts)
    assert any("2 archives" in text for text in read(ign.open([odd.paths[0], generated])).texts)
    closed = ign.open(odd.paths[0])
    closed.close()
    assert any("closed" in text for text in read(closed).texts)


def test_a_game_is_a_board_with_tags_and_moves(odd: ign.Archive, make: Callable[..., Path]) -> None:
    for game in odd:
        reader = read(game)
        assert ("svg" in reader.seen) == (game.plies > 0)
        assert set(game.tags.values()) <= set(reader.texts)
    assert "1. f3 e5 2. g4 Qh4# 0-1" in read(odd[1]).texts
    assert "60. a8=Q Kg6 61. Qe4+ *" in read(odd[3]).texts
    black = '[FEN "8/8/8/8/7k/8/p7/7K b - - 0 9"]\n[SetUp "1"]\n[White "<b>A&B</b>"]\n\n9... a1=Q+ 10. Kg2 *\n\n'
    reader = read(ign.open(make(black))[1])
    assert "9. … a1=Q+ 10. Kg2 *" in reader.texts
    assert "<b>A&B</b>" in "".join(reader.texts) and "b" not in reader.seen
    go = read(ign.open(make("(;GM[1]SZ[9]PW[Ann]PB[Ben];B[cc];W[gg])\n"))[1])
    assert "svg" not in go.seen and "Ann" in go.texts


def test_a_board_has_the_pieces_of_the_last_position(odd: ign.Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ["chess", "chess.svg"]:
        monkeypatch.setitem(sys.modules, name, None)
    html = odd[1]._repr_html_()
    # After 1. f3 e5 2. g4 Qh4# all pieces are on the board, and the queen moved from d8 to h4.
    assert [html.count(sign) for sign in "♚♛♜♝♞♟"] == [2, 2, 4, 4, 4, 16]
    assert html.count("<rect") == 64
    marked = [rect for rect in html.split("<rect")[1:65] if "#cdd26a" in rect or "#aaa23a" in rect]
    assert len(marked) == 2 and "x='3' y='0'" in marked[0] and "x='7' y='4'" in marked[1]


def test_a_tree_is_a_table_of_moves(odd: ign.Archive) -> None:
    tree = odd.tree()
    texts = read(tree).texts
    assert {tree.fen, "f3", "e4", "all", "games"} <= set(texts)
    assert {"100%", "0%"} <= set(texts)
    assert tree._repr_html_().count("♟") == 16
    read(odd.tree("8/8/8/8/7k/8/p7/7K b - - 0 9"))


def test_variations_are_nested(make: Callable[..., Path], odd: ign.Archive) -> None:
    text = "1. e4 e5 ({Or} 1... c5! 2. Nf3 {Open} (2. c3 $5 d5) 2... d6) (1... e6) 2. Nf3 *\n\n"
    [first, second] = ign.open(make(text))[1].variations
    assert first == ign.Variation(
        plies=1,
        san=["c5", "Nf3", "d6"],
        comments=[(1, "Or"), (3, "Open")],
        glyphs=[(2, 1)],
        variations=[ign.Variation(plies=2, san=["c3", "d5"], comments=[], glyphs=[(3, 5)], variations=[])],
    )
    assert (second.plies, second.san) == (1, ["e6"])
    assert [game.number for game in odd if game.variations] == [3]
    assert odd[3].variations[0].san == ["Kg7", "Qd8"] and odd[3].variations[0].plies == 1


def test_deeply_nested_variations_are_read(make: Callable[..., Path]) -> None:
    depth = 20_000
    text = "1. e4 " + "(1. d4 " * depth + ")" * depth + " e5 *\n\n"
    variations = ign.open(make(text))[1].variations
    nested = 0
    while variations:
        [variation] = variations
        variations, nested = variation.variations, nested + 1
    assert nested == 512
