"""Plain values that the package returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ["Block", "Eval", "Tree", "TreeMove"]


class Block(NamedTuple):
    """A block of an archive: games that are stored together. Reading one of its games reads its part of the
    file."""

    archive: int
    """The place of its archive in `Archive.paths`, from 0."""
    first_game: int
    """The number of its first game over all archives, from 1."""
    games: int
    """The number of its games."""
    archive_bytes: int
    """Its length in the file."""
    text_bytes: int
    """The length of its text."""


class Eval(NamedTuple):
    """The evaluation of a position from White's point of view. One of the two fields is None."""

    centipawns: int | None
    """Hundredths of a pawn."""
    mate: int | None
    """Moves to mate; negative if Black mates."""


@dataclass(frozen=True, kw_only=True)
class _Counts:
    games: int
    """All games. Those without one of the three results count here only."""
    white: int
    """Games that White won."""
    draws: int
    """Draws."""
    black: int
    """Games that Black won."""
    average_rating: int | None
    """The mean rating of both players, over the games in which both are known."""
    performance: int | None
    """The performance of the side to move, for a move that of the side that plays it: the mean rating of its
    opponents plus 400 times the difference of wins and losses per game."""
    last_played: str | None
    """The latest date, as PGN writes it: `2013.01.??`."""
    first_game: int
    """The least number of a game; 0 without games."""
    last_game: int
    """The greatest number of a game; 0 without games."""


@dataclass(frozen=True, kw_only=True)
class TreeMove(_Counts):
    """A move of a `Tree`, with the games in which it was played."""

    uci: str
    """The move in UCI notation."""
    san: str
    """The move in standard algebraic notation."""
    opening: tuple[str, str] | None
    """ECO code and name of the position after the move."""
    moves: list[TreeMove] = field(default_factory=list, repr=False)
    """The next moves in these games, as far as the depth of the tree."""


@dataclass(frozen=True, kw_only=True)
class Tree(_Counts):
    """The moves played from a position, those played most first."""

    fen: str
    """The position."""
    opening: tuple[str, str] | None
    """ECO code and name of the position."""
    moves: list[TreeMove] = field(default_factory=list, repr=False)
    """The moves."""
    top_games: list[tuple[int, str | None]] = field(default_factory=list, repr=False)
    """The numbers of the games with the highest mean rating, with the move played in each."""
    recent_games: list[tuple[int, str | None]] = field(default_factory=list, repr=False)
    """The numbers of the games played last, with the move played in each."""
    history: list[tuple[str, int, int, int]] = field(default_factory=list, repr=False)
    """For each month (`2013-01`) the games that White won, that were drawn, that Black won."""
