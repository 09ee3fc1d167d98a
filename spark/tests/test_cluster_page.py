"""Do the lines of docs/cluster.md run?"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import ign_archive as ign

PAGE = Path(__file__).parents[2] / "docs" / "cluster.md"


def test_the_lines_of_the_section_run(tmp_path: Path) -> None:
    section = PAGE.read_text(encoding="utf-8").split("\n## Spark\n")[1].split("\n## ")[0]
    (code,) = re.findall(r"^```python\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    (shown,) = re.findall(r"^```text\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    ign.sample(tmp_path / "games.pgn", games=5000, seed=1)
    # As in a virtual environment that is active.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYSPARK")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**environment, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == shown.strip()
    assert len(ign.open(tmp_path / "archives" / "manifest.json")) == 5000
