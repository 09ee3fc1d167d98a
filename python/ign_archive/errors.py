"""The exceptions of the package.

All derive from `IgnError`. Their messages are those of the command `ign`: the place, what is wrong, and
in parentheses what to do about it.
"""

from __future__ import annotations

import errno
import os
from typing import Any

__all__ = [
    "CancelledError",
    "CorruptError",
    "FileError",
    "IgnError",
    "IgnWarning",
    "InternalError",
    "MissingFileError",
    "UnsupportedError",
    "UsageError",
]


class IgnError(Exception):
    """A failure of this package.

    Attributes:
        message: What is wrong, without place and remedy.
        file: The file, or None.
        block: The number of the block in the archive, from 1, or None.
        game: The number of the game in the archive, from 1, or None.
        byte: The offset in the file in bytes, or None.
        remedy: What to do about it, or None.
    """

    message: str = ""
    file: str | None = None
    block: int | None = None
    game: int | None = None
    byte: int | None = None
    remedy: str | None = None

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else self.message


class UsageError(IgnError, ValueError):
    """An argument is wrong, whatever the files hold."""


class FileError(IgnError, OSError):
    """The operating system refuses: no space, no permission. It has `errno` and `filename` as every OSError."""


class MissingFileError(FileError, FileNotFoundError):
    """There is no such file."""


class CorruptError(IgnError):
    """A file is damaged or cut off, or it is no archive."""


class UnsupportedError(IgnError):
    """A file is intact, but this version of the package cannot read it."""


class CancelledError(IgnError):
    """The operation was cancelled."""


class IgnWarning(UserWarning):
    """Something that is no error: text without games, or an index that is not used."""


class InternalError(IgnError):
    """A fault of this package."""


def _usage(message: str, remedy: str) -> IgnError:
    """The error for a wrong argument."""
    return _make("UsageError", f"{message} ({remedy})", None, {"message": message, "remedy": remedy})


def _make(name: str, text: str, system: int | None, fields: dict[str, Any]) -> IgnError:
    """The exception of an error of the library; `system` is the number of a system error."""
    if name == "FileError" and system == errno.ENOENT:
        name = "MissingFileError"
    error: IgnError = globals()[name](text)
    for field, value in fields.items():
        setattr(error, field, value)
    if isinstance(error, FileError):
        error.errno = system
        error.strerror = os.strerror(system) if system is not None else error.message
        error.filename = error.file
    return error
