"""Faults of a cluster: executors that are killed, tasks that fail."""

from __future__ import annotations

import os
import signal
from pathlib import Path


def first_times(folder: Path | str, times: int) -> bool:
    """Whether this is one of the first `times` calls on this machine, in whatever process."""
    for number in range(times):
        try:
            os.close(os.open(os.path.join(folder, f"call-{number}"), os.O_CREAT | os.O_EXCL))
            return True
        except FileExistsError:
            continue
    return False


def calls(folder: Path | str) -> int:
    """How many calls `first_times` has counted."""
    return len([name for name in os.listdir(folder) if name.startswith("call-")])


def kill_executor() -> None:
    """Kills the executor of the task that runs this, and this process with it."""
    process = os.getpid()
    while True:
        status = Path(f"/proc/{process}/status").read_text()
        if status.startswith("Name:\tjava\n"):
            os.kill(process, signal.SIGKILL)
            break
        (parent,) = (line.split()[1] for line in status.splitlines() if line.startswith("PPid:"))
        process = int(parent)
    os.kill(os.getpid(), signal.SIGKILL)
