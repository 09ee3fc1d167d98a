"""Are the fixtures of the format read, and files that break a rule rejected?

tests/fixtures/v1/README.md describes them.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

import ign_archive as ign

FOLDER = Path(__file__).parents[2] / "tests" / "fixtures" / "v1"
FIXTURES: dict[str, Any] = json.loads((FOLDER / "fixtures.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("fixture", FIXTURES["archives"], ids=lambda fixture: fixture["archive"])
def test_a_fixture_returns_its_text_and_games(fixture: dict[str, Any], tmp_path: Path) -> None:
    path = FOLDER / fixture["archive"]
    if fixture["state"] == "damaged":
        with pytest.raises(ign.CorruptError):
            ign.verify(path)
        ign.recover(path, tmp_path / "whole.ign")
        path = tmp_path / "whole.ign"
    elif fixture["state"] == "whole":
        ign.verify(path)
    text = tmp_path / "text"
    ign.unpack(path, text)
    assert hashlib.sha256(text.read_bytes()).hexdigest() == fixture["text_sha256"]
    archive = ign.open(path)
    if fixture["state"] != "damaged":
        assert len(archive) == fixture["games"]
    whole, at = text.read_bytes(), 0
    for game in archive:
        pgn = game.pgn_bytes
        at = whole.index(pgn, at) + len(pgn)


@pytest.mark.parametrize("refused", FIXTURES["refused"], ids=lambda refused: refused["file"])
def test_a_file_that_breaks_a_rule_is_rejected(refused: dict[str, Any]) -> None:
    with pytest.raises((ign.CorruptError, ign.UnsupportedError)):
        ign.verify(FOLDER / "refused" / refused["file"])
