"""Plain values that the package returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ign_archive._native import GameList

__all__ = ["Block", "Duplicates", "Eval", "Tree", "TreeMove", "Variation"]


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
class Variation:
    """A variation of a game. `Game.variations` returns those of the main line."""

    plies: int
    """The number of plies of the game before its first move."""
    san: list[str]
    """Its moves, as they are written."""
    comments: list[tuple[int, str]]
    """Its comments, each with the number of plies before it."""
    glyphs: list[tuple[int, int]]
    """Its numeric annotation glyphs, each with the number of plies before it: 2 is `$2`, also written `?`."""
    variations: list[Variation]
    """The variations of its moves."""


@dataclass(frozen=True, kw_only=True)
class Duplicates:
    """Games that were recorded twice, by their numbers. `duplicates` returns it."""

    games: int
    """The number of games that were compared."""
    not_compared: int
    """The number of games with moves stored as text, which are not compared."""
    groups: list[list[int]] = field(repr=False)
    """The games of each group; the first is the one to keep, the others are its copies."""
    apart: list[list[int]] = field(repr=False)
    """Groups of games with equal moves that are different games, by other players or at other addresses."""
    unique: GameList
    """All games but the copies."""
    copies: GameList
    """The copies."""


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
    """The position. Its counters are 0 and 1: positions that differ in them alone are one."""
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

    def _repr_html_(self) -> str:
        """The table that notebooks show."""
        from ign_archive import _html

        return _html.tree(self)
