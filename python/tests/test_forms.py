"""Are games in the forms that people write read: their tags, moves and values, and every byte returned?

The table is that of the tests of the library, crates/ign-testing/forms.json.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa

import ign_archive as ign

TABLE: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "crates" / "ign-testing" / "forms.json").read_text(encoding="utf-8")
)


def forms() -> list[dict[str, Any]]:
    """Each game of the table with its text and what is read of it."""
    games = []
    for group in TABLE["movetext"].values():
        for position, movetext, moves, is_understood in group:
            fen = TABLE["positions"].get(position, position)
            fen = f'[FEN "{fen}"]\n' if fen else ""
            text = f'[Event "x"]\n{fen}\n{movetext}'
            games.append({"text": text, "moves": moves, "is_understood": is_understood})
    for section, tags in TABLE["tags"]:
        text = f"{section}\n1. e4 e5 2. Nf3 *"
        games.append({"text": text, "moves": "e2e4 e7e5 g1f3", "tags": tags, "find": {"white": tags[0][1]}})
    for comment, clock, time in TABLE["comments"]:
        text = f'[Event "x"]\n\n1. e4 {{{comment}}} e5 *'
        games.append({"text": text, "moves": "e2e4 e7e5", "is_understood": True, "times": (clock, time)})
    for tag, written, condition, value in TABLE["values"]:
        text = f'[{tag} "{written}"]\n\n1. e4 e5 *'
        games.append({"text": text, "moves": "e2e4 e7e5", "is_understood": True, "find": {condition: value}})
    return games


def test_every_form_is_read_and_found(tmp_path: Path) -> None:
    games = forms()
    paths = [tmp_path / f"{number}.pgn" for number in range(1, len(games) + 1)]
    for path, game in zip(paths, games, strict=True):
        path.write_bytes(game["text"].encode())
    ign.pack(paths, tmp_path / "all.ign")
    archive = ign.open(tmp_path / "all.ign")
    assert len(archive) == len(games)
    scanned = pa.table(archive.scan(["moves"]))["moves"].to_pylist()
    for number, (game, expected) in enumerate(zip(archive, games, strict=True), 1):
        text = expected["text"]
        assert bytes(game.pgn_bytes) == text.encode()
        assert scanned[number - 1] == game.moves == expected["moves"].split(), text
        if "tags" in expected:
            first = {name: value for name, value in reversed(expected["tags"])}
            assert game.tags == first, text
        if expected.get("is_understood") is not None:
            assert (number in archive.find(not_understood=True)) != expected["is_understood"], text
        if "times" in expected:
            assert (game.clocks[0], game.move_times[0]) == expected["times"], text
        if "find" in expected:
            assert number in archive.find(**expected["find"]), text


def test_variations_have_every_null_move(tmp_path: Path) -> None:
    text = "[Event \"x\"]\n\n1. e4 (1. d4 -- 2. c4 {a} Z0 (2... @@@@ 3. Nc3 0000 4. d5) 3. d5) e5 (1... 0000 2. d4) 2. Nf3 *\n"
    (tmp_path / "a.pgn").write_text(text)
    ign.pack(tmp_path / "a.pgn", tmp_path / "a.ign")
    game = ign.open(tmp_path / "a.ign")[1]
    assert game.moves == ["e2e4", "e7e5", "g1f3"]
    first, second = game.variations
    assert (first.san, first.comments) == (["d4", "--", "c4", "--", "d5"], [(3, "a")])
    assert first.variations[0].san == ["--", "Nc3", "--", "d5"]
    assert second.san == ["--", "d4"]
    assert str(game.pgn) == text
