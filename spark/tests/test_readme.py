"""Do the lines of README.md run?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import ign_archive as ign

README = Path(__file__).parents[2] / "README.md"


def test_the_lines_of_the_section_run(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    section = README.read_text(encoding="utf-8").split("\n## On a cluster\n")[1].split("\n## ")[0]
    (code,) = re.findall(r"^```python\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    (shown,) = re.findall(r"^```text\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    ign.sample(tmp_path / "games.pgn", games=5000, seed=1)
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert capsys.readouterr().out.strip() == shown.strip()
    assert len(ign.open("archives/manifest.json")) == 5000
