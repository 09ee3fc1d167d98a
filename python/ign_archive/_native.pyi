"""The compiled part of the package. Use the names of `ign_archive`."""

import array
import datetime
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypedDict, final, overload

import chess
import chess.pgn
from typing_extensions import Unpack

from ign_archive.types import Block, Duplicates, Eval, Tree, Variation

_Path = str | os.PathLike[str]
_Number = int | str
_Range = _Number | tuple[_Number | None, _Number | None]
_Ranges = _Range | Iterable[_Range]
_Day = str | datetime.date
_DayRange = _Day | int | tuple[_Day | int | None, _Day | int | None]
_Days = _DayRange | Iterable[_DayRange]
_CodeRange = str | tuple[str | None, str | None]
_Codes = _CodeRange | Iterable[_CodeRange]
_Progress = Callable[[int, int], object] | None

__version__: str

class _TreeConditions(TypedDict, total=False):
    """As `Conditions`, without `position`: it is the position of the tree."""

    white: str | None
    """White's name: the whole name, * matches any text."""
    black: str | None
    """Black's name."""
    player: str | None
    """The name of one of the players."""
    players: str | Sequence[str] | None
    """The names of both players, whoever has White."""
    elo: _Ranges | None
    """Both ratings: 2200..2500 (both included), 2200.., ..2500, or several with commas."""
    white_elo: _Ranges | None
    """White's rating."""
    black_elo: _Ranges | None
    """Black's rating."""
    mean_elo: _Ranges | None
    """The mean of both ratings, rounded down."""
    elo_diff: _Ranges | None
    """White's rating minus Black's: -200..-100."""
    date: _Days | None
    """UTCDate tag, or else Date tag: 2013-01-05, 2013-01, 2013, ranges 2013-01-05..2013-01-07, or several with
    commas."""
    result: str | Sequence[str] | None
    """Result: 1-0, 0-1, 1/2-1/2, *, 0-0, white, black, draw, unknown; several with commas."""
    eco: _Codes | None
    """ECO code: B20, B20..B99, or several with commas."""
    opening_name: str | None
    """Opening tag."""
    time_control: str | None
    """TimeControl tag."""
    speed: str | Sequence[str] | None
    """Speed by the time control: ultraBullet, bullet, blitz, rapid, classical, correspondence; several with commas."""
    event: str | None
    """Event tag."""
    site: str | None
    """Site tag."""
    termination: str | None
    """Termination tag."""
    tags: dict[str, str] | None
    """Regular expressions by tag, which may match anywhere in the value: {"Round": "^3"}."""
    id: str | int | None
    """The id of the game on its server, or its address: https://lichess.org/j1dkb5dw."""
    opening: str | int | Sequence[str | chess.Move] | None
    """First moves: "1. e4 e5 2. f4", in UCI notation "e2e4 e7e5 f2f4", or as an integer 10194."""
    plies: _Ranges | None
    """Number of plies: 20..40."""
    signature: str | Sequence[str] | None
    """Signature: A=e4f6??, B=??d5c3, or both; ?? matches any square."""
    like: str | Sequence[str] | None
    """The same game as this score, whose moves may have mistakes."""
    repetition: bool | None
    """Threefold repetition, claimed or not."""
    fifty_moves: bool | None
    """50 moves of each side without a pawn move or a capture, with those that the FEN counts."""
    ending: str | Sequence[str] | None
    """How the game ended, by its last position and the tags Result and Termination: checkmate, stalemate,
    insufficient, repetition, fifty, resignation, time, agreed; several with commas."""
    board: str | chess.Board | None
    """The pieces of this position occur on their squares, whoever is to move."""
    material: str | None
    """These pieces occur: KRPKR is king, rook and pawn against king and rook; KRP-KR gives White the pawn; or
    numbers of some pieces, White's in upper case: "Q=0,r=..2,Nn=1.."."""
    pattern: str | None
    """A board with wildcards occurs: squares "Kg1,[Qq]d4,_e5", all squares of a file or rank "[^Pp]d", any of
    several files or ranks "[^Pp]a..h", or ranks "*/*/*/*/*/*/*PPP/*RK1"."""
    final: bool | None
    """The position must be the last of the game."""
    flipped: bool | None
    """The conditions on positions may also be met with colors exchanged: the board mirrored from rank to rank, the
    other side to move."""
    lasting: str | int | None
    """The conditions on positions are met by at least this many positions in a row: 8 is 8 plies in a row; with
    later, this is about the position before it, and a later one has its own: later="material=KRKR;lasting=8"."""
    later: Conditions | Sequence[Conditions] | None
    """After the position of the other conditions, a later position meets these: {"material": "KRKR"}; a list of
    dictionaries is about one later position after another."""
    has_clocks: bool | None
    """A comment states the time on a clock, [%clk ...]."""
    has_evals: bool | None
    """A comment states an evaluation, [%eval ...]."""
    commented: bool | None
    """A comment has text other than commands."""
    not_understood: bool | None
    """The game is not, or only partly, understood: some moves or tags are stored as text only."""
    file: str | None
    """The name of the packed file, in any case of letters, with all, some or none of its folders: a.pgn and
    2020/a.pgn find games/2020/a.pgn; * matches any text."""
    exclude: Conditions | Sequence[Conditions] | None
    """Conditions that must not be met, by keyword: {"eco": "B20..B99"}; or a list of such dictionaries."""

class Conditions(_TreeConditions, total=False):
    """Conditions on games. A game matches if it meets every condition that is given; None sets no condition.

    A text matches the whole value: names and other tags are texts, not numbers. `*` matches any text. Case is
    ignored. A tuple is a range, with both ends included, and None is no end: `(2200, None)`, `(2200, 2500)`; the text
    is `"2200..2500"`. A list means one of its items: `[1500, 1600]`, `[(1000, 1200), (2000, None)]`,
    `["blitz", "rapid"]`. Players, moves and signatures are sequences, in a list or a tuple. A game that lacks a tag, or whose
    value has another form, does not meet a condition on the tag: a rating `?` is in no range.
    """

    position: str | chess.Board | None
    """This position occurs: pieces, side to move, castling, en passant."""

@final
class Game:
    """One game of an archive. Its parts are decoded when they are first used, and kept.

    Moves are those of the main line up to the first word that is no legal move; a game without moves, one
    whose rules or starting position are not known, and a game of Go have none.

    Every attribute raises CorruptError if the block of the game is damaged, and FileError if the file cannot
    be read. A game can be pickled: its number is stored, and the other process opens the files of the archive again.

    Example:
        >>> game = a[1240]
        >>> game.tags["White"], game.moves[:2]
        ('jan-wizard', ['g1f3', 'd7d5'])
    """

    @property
    def number(self) -> int:
        """The number of the game, from 1: `archive[game.number]` is this game."""
    @property
    def number_in_file(self) -> int:
        """The number of the game in its own file, from 1. With one archive it is `number`."""
    @property
    def path(self) -> str:
        """The path of the file that the game is in."""
    @property
    def source(self) -> str:
        """The name of the packed file that holds the game, as the archive stores it: `games/2020/a.pgn`. It is empty if
        the text came from standard input. A name that is no UTF-8 is read as ISO 8859-1."""
    @property
    def tags(self) -> dict[str, str]:
        """The tags, name and value, in the order of the text.

        In the file, `\\"` is a quotation mark and `\\\\` a backslash. A value that is no UTF-8 is read as ISO
        8859-1.
        Of a name that the text repeats, the first value counts; `pgn` has all of them.
        """
    @overload
    def tag(self, name: str) -> str | None: ...
    @overload
    def tag(self, name: str, default: str) -> str:
        """The value of a tag, or `default`. Decodes less than `tags` if the program reads few parts of the game."""
    def tag_bytes(self, name: str) -> bytes | None:
        """The value of a tag as it is written, to the byte, or None."""
    @property
    def result(self) -> str | None:
        """The value of the Result tag, or None."""
    @property
    def white(self) -> str | None:
        """White's name: the value of the White tag, of Go games of PW, or None."""
    @property
    def black(self) -> str | None:
        """Black's name: the value of the Black tag, of Go games of PB, or None."""
    @property
    def date(self) -> datetime.date | None:
        """The day of the UTCDate tag, or else of the Date tag, of Go games of DT. None if the day, the month or the
        year is unknown."""
    @property
    def moves(self) -> list[str]:
        """The moves of the main line in UCI notation.

        Castling is the king's move, `e1g1`; in games of Chess960 it goes to the square of the rook, `e1h1`.
        """
    @property
    def san(self) -> list[str]:
        """The moves of the main line in standard algebraic notation, with `+` and `#`: as the rules write
        them, not as the text does."""
    @property
    def plies(self) -> int:
        """The number of moves of both sides; `len(game)` too."""
    @property
    def pgn(self) -> str:
        """The text of the game with the white space up to the next game. A text that is no UTF-8 is read as
        ISO 8859-1."""
    @property
    def pgn_bytes(self) -> bytes:
        """The text of the game with the white space up to the next game, to the byte."""
    @property
    def standard_pgn(self) -> str:
        """The text of the game in standard PGN, as other programs read it: each tag once and on a line of its own, an
        empty line, and the moves in SAN, in whatever form or language they are written, with the comments, variations,
        glyphs and numbers between them. What follows the last move is as it is written."""
    @property
    def clocks(self) -> list[float | None]:
        """The time left after each ply in seconds, from comments such as `[%clk 0:02:59.9]`; None for a ply
        without one. A value for each move of the text, legal or not."""
    @property
    def move_times(self) -> list[float | None]:
        """The seconds that each ply took, from comments such as `[%emt 0:00:05.2]`; None for a ply without
        one. A value for each move of the text, legal or not. Clocks alone give no times: see
        `ign_archive.functions.chess_move_times`."""
    @property
    def evals(self) -> list[Eval | None]:
        """The evaluation after each ply from White's point of view, from comments such as `[%eval -0.31]`
        or `[%eval #3]`; None for a ply without one. A value for each move of the text, legal or not."""
    @property
    def comments(self) -> list[tuple[int, str]]:
        """The comments of the main line without white space at their ends, each with the number of plies
        before it: 0 is before the first move."""
    @property
    def variations(self) -> list[Variation]:
        """The variations of the main line, as they are written, legal or not; without those that are nested more than
        512 deep. Games of Go have none."""
    @property
    def integer(self) -> int:
        """The integer of the game in plain Integer Game Notation. Games with equal moves from the same start
        have equal integers; 0 if there are no moves. `decode` gives the moves."""
    @property
    def signature(self) -> tuple[str, str]:
        """The signature as two texts, A and B: the destinations of plies 20, 40, 60 and of 31, 51, 71."""
    def to_chess(self) -> chess.pgn.Game:
        """The game as python-chess reads `standard_pgn`, with comments, glyphs and variations. Its main line begins with
        `moves`.

        About ten times as fast as `chess.pgn.read_game` of the text. Games of variants, games from other positions and
        texts with errors or rare forms are read by `read_game` itself. Equal moves of several games may be the same
        object.

        Raises:
            ImportError: python-chess is not installed.
        """
    @property
    def _movetext(self) -> Variation: ...
    @property
    def _last_board(self) -> str | None: ...
    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

@final
class GameIterator(Iterator[Game]):
    """The games of an archive or a list. Threads decode in advance the parts that the program has used of earlier
    games; at most the number of threads plus 4 blocks are in memory. Games that do not ascend are read one by one.
    Ctrl-C ends it between games."""

    def __iter__(self) -> GameIterator: ...
    def __next__(self) -> Game: ...
    def __length_hint__(self) -> int: ...

@final
class GameList(Sequence[Game]):
    """Some games: what a search found, or a slice of an archive. They ascend, unless `find` sorted them.

    It is a sequence of Python, so its first element is `[0]`; `game.number` and `numbers` count from 1.
    It holds numbers, and reads a game when it is requested. It can be pickled: its numbers are stored, and the other
    process opens the files of the archive again.
    """

    @overload
    def __getitem__(self, index: int) -> Game: ...
    @overload
    def __getitem__(self, index: slice) -> GameList: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> GameIterator: ...
    def __contains__(self, game: object) -> bool:
        """Whether a game, or the game with this number, is in the list."""
    def index(self, game: object, start: int = 0, stop: int | None = None) -> int:
        """The place of a game, or of the game with this number, from 0: `found[found.index(game)] == game`.

        Raises:
            ValueError: It is not in the list, or not between `start` and `stop`.
        """
    def count(self, game: object) -> int:
        """1 if a game, or the game with this number, is in the list, otherwise 0."""
    @property
    def numbers(self) -> array.array[int]:
        """The numbers of the games, from 1. NumPy takes them without a copy: `numpy.asarray(numbers)`."""
    def within(self, other: GameList) -> GameList:
        """The games that are in another list of the same archive too."""
    def find(
        self,
        *,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        **conditions: Unpack[Conditions],
    ) -> GameList:
        """The games of the list that meet all conditions, as `Archive.find`, in the order of the list unless they are
        sorted. Blocks before its first game and after its last one are not read.

        Example:
            >>> len(a[:1001].find(white_elo=(2200, None)))
            2
        """
    def pack(self, out: _Path, *, coding: str | None = None, overwrite: bool = False) -> int:
        """Packs the games into an archive of their own, each to the byte. Returns their number.

        Coding, level and block size are those of the first archive that has some of the games, as for
        `ign find -o`; `coding` chooses another coding. The games keep the order of the list.

        Raises:
            UsageError: `out` exists, or there is no such coding.
        """

@final
class CountTable:
    """Numbers of games by keys. `Archive.count` returns it.

    Its elements are rows, those with the most games first: a dictionary with a value for each key, and `games`. The
    value of a band is its least number, and that of games without a value is None. `polars.DataFrame(table)`,
    `pyarrow.table(table)` and other libraries take it by the Arrow PyCapsule interface. Notebooks show it.
    """

    @overload
    def __getitem__(self, index: int) -> dict[str, int | str | None]: ...
    @overload
    def __getitem__(self, index: slice) -> list[dict[str, int | str | None]]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[dict[str, int | str | None]]: ...
    @property
    def keys(self) -> list[str]:
        """The names of the keys."""
    @property
    def games(self) -> int:
        """The number of games that were counted."""
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def _repr_html_(self) -> str: ...

@final
class Archive(Sequence[Game]):
    """An open archive, or several as one. `ign_archive.open` returns it.

    Games are numbered from 1, as everywhere in ign: `a[1]` is the first game, `a[-1]` the last, `a[1:11]` a
    list of the games 1 to 10. `a[0]` is an IndexError. Iteration goes over all games in order. It has all methods
    of a sequence, with these numbers; `a[1:]` is a sequence from 0, as functions such as `random.choice` need it.

    An archive can be used by several threads, and pickled: the other process opens its files again. So can its games.

    It is closed by `close`, at the end of a `with` statement, or when nothing refers to it. Games, lists, iterators
    and scans that were taken from it before stay usable; they keep the files open.

    Example:
        >>> with ign.open("games.ign") as archive:
        ...     first = archive[1].white
    """

    def __len__(self) -> int:
        """The number of games."""
    def __iter__(self) -> GameIterator: ...
    def __reversed__(self) -> Iterator[Game]: ...
    def __contains__(self, game: object) -> bool:
        """Whether a game is one of this archive, or there is a game with this number."""
    def index(self, game: object, start: int | None = None, stop: int | None = None) -> int:
        """The number of a game: `a[a.index(game)] == game`.

        Raises:
            ValueError: It is no game of this archive, or not in the slice `a[start:stop]`.
        """
    @overload
    def count(self, game: object, /) -> int: ...
    @overload
    def count(self, *, by: str | Sequence[str], **conditions: Unpack[Conditions]) -> CountTable:
        """With `by`, the numbers of games by keys, among the games that meet all conditions. With a game or a number
        instead, 1 if the archive has this game, otherwise 0.

        The keys are those of `ign count`: white, black, event, site, round, opening, termination, time_control,
        variant, file, eco, elo, white_elo, black_elo, elo_diff, date, month, year, result, speed, plies, and tag:NAME
        for any tag. A number after a colon is the width of the bands of a number, or how many letters of a code count:
        elo:200, eco:1. Commas or a list separate several keys.

        Raises:
            UsageError: There is no such key or condition, or both or neither of a game and keys are given.

        Example:
            >>> table = a.count(by=["eco:1", "result"], elo=(1800, None))
            >>> table[0]
            {'eco': 'C', 'result': '0-1', 'games': 86}
        """
    def close(self) -> None:
        """Closes the archive. Any use of it, but not of its games, is a UsageError then. A second call does nothing."""
    @property
    def closed(self) -> bool:
        """Whether the archive is closed."""
    def _repr_html_(self) -> str: ...
    def __enter__(self) -> Archive: ...
    def __exit__(self, *exception: object) -> None: ...
    @overload
    def __getitem__(self, number: int) -> Game: ...
    @overload
    def __getitem__(self, numbers: slice) -> GameList: ...
    @property
    def paths(self) -> list[str]:
        """The paths of the archives."""
    @property
    def blocks(self) -> list[Block]:
        """The blocks of all archives, in the order of their games. Nothing is read for them."""
    @property
    def plies(self) -> int:
        """The number of moves of both sides, in all games together."""
    @property
    def threads(self) -> int:
        """The number of threads that operations use."""
    @property
    def rejected_indexes(self) -> list[str]:
        """Why search indexes are not used: they are damaged, or belong to other archives. Known after the
        first search."""
    def select(self, numbers: Sequence[int]) -> GameList:
        """The games with these numbers, in ascending order, each once.

        Raises:
            UsageError: There is no such game.
        """
    def _in_order(self, numbers: Sequence[int]) -> GameList: ...
    def find(
        self,
        *,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        **conditions: Unpack[Conditions],
    ) -> GameList:
        """The games that meet all conditions; at most the first `limit`, of sorted games too.

        `sort` is a key of `count`, `elo`, or `elo:desc` for descending order; commas or a list separate further keys.
        `elo` is the mean of both ratings. Games with equal values keep their order, and games without a value are the
        last. Iteration reads the games of a sorted list one by one; `scan` and `pack` read many at once.

        With a search index most conditions take milliseconds. A text matches the whole value, `*` matches any
        text, and case is ignored. A tuple is a range with both ends included, `(2200, None)`, `(2200, 2500)`, as
        `"2200..2500"`; a list means one of its items, `[1500, (2200, None)]`. None sets no condition.

        Raises:
            UsageError: There is no such condition, or its value has another form.
            CorruptError: A block is damaged.

        Example:
            >>> strong = a.find(elo=(2000, None), opening="1. e4", result="black")
            >>> [game.number for game in strong][:3]
            [261, 540, 696]
            >>> [game.number for game in a.find(sort="elo:desc", limit=3)]
            [4532, 613, 605]
        """
    def tree(
        self,
        position: str | chess.Board | None = None,
        *,
        depth: int = 1,
        top_games: int = 0,
        recent_games: int = 0,
        history: bool = False,
        **conditions: Unpack[_TreeConditions],
    ) -> Tree:
        """The moves played from a position, with their results, in the games that meet all conditions.

        A game counts once, at its first occurrence of the position, however it reached it. Games of variants
        other than Chess960 do not count.

        Args:
            position: The position: a FEN or a board of python-chess; by default the one after the moves of the
                condition `opening`, or the standard starting position.
            depth: The number of plies to follow, from 1 to 20.
            top_games: How many games to list by rating.
            recent_games: How many games to list by date.
            history: Whether to count results by month.
            conditions: As for `find`, without `position`.

        Raises:
            UsageError: The text is no position, the depth is out of range, or as for `find`.

        Example:
            >>> [(move.san, move.games) for move in a.tree(opening="1. e4 c5").moves[:2]]
            [('Nf3', 264), ('Nc3', 66)]
        """

    def scan(
        self,
        columns: Sequence[str] | None = None,
        *,
        where: Conditions | GameList | None = None,
        limit: int | None = None,
        categorical: bool = False,
        move_dictionary: bool = True,
    ) -> Scan:
        """The games as Arrow record batches. Only the columns that are requested are decoded.

        Args:
            columns: The names of the columns, see `Scan`; by default all without those of `tag:NAME`.
            where: Conditions as for `find`, or a list of games of this archive. Blocks without any of the
                games are not read.
            limit: At most this many games, the first.
            categorical: Whether columns of text are dictionary arrays: each value once for each block. They are
                Categorical in Polars and pandas, and take less memory; by default they are strings.
            move_dictionary: Whether moves are dictionary arrays: numbers of 16 bits. Otherwise each is text.

        Raises:
            UsageError: There is no such column or condition.

        Example:
            >>> import pyarrow as pa
            >>> scan = a.scan(["White", "WhiteElo", "moves"], where={"white_elo": (2200, None)})
            >>> pa.table(scan).num_rows
            10
        """

    def scan_positions(
        self,
        columns: Sequence[str] | None = None,
        *,
        where: Conditions | GameList | None = None,
        every_nth: int = 1,
        min_ply: int = 0,
        max_ply: int | None = None,
        final_positions: bool = False,
        variants: bool = False,
        numbers_after: int = 0,
        move_dictionary: bool = True,
    ) -> Scan:
        """The positions of the games as Arrow record batches, a row for each position, in the order of the games
        and of their moves. `positions` has NumPy arrays of them, also in random order.

        | column | type | null |
        | --- | --- | --- |
        | `game` | uint64 | never: the number of the game, from 1 |
        | `ply` | int32 | never: the number of moves before |
        | `white_pawns`, `white_knights`, … `black_king` | uint64 | never: the squares of these pieces, bit 0 is a1, \
bit 1 b1 |
        | `white_to_move` | bool | never |
        | `castling` | uint8 | never: White's king side 1, queen side 2, Black's king side 4, queen side 8 |
        | `en_passant` | int8 | no pawn can be captured so |
        | `halfmoves`, `fullmoves` | uint16, int32 | never: the counters of a FEN |
        | `move` | text, dictionary | the game ends here |
        | `result` | int8 | not known; 1 White wins, 0 draw, -1 Black wins |
        | `WhiteElo`, `BlackElo` | int32 | not known |
        | `clock` | float32 | no comment states it: seconds left after the move |
        | `eval`, `mate` | float32, int32 | no comment states it: pawns, and moves to mate, for White |
        | `fen`, `epd` | text | never; returned only if they are named |

        Args:
            columns: The names of the columns; `boards` names the twelve boards. By default all but `fen` and `epd`.
            where: Conditions as for `find`, or a list of games of this archive. They choose games.
            every_nth: Only positions where the number of the game and the ply together are divisible by it.
            min_ply: Only positions after at least `min_ply` plies.
            max_ply: Only positions after at most `max_ply` plies.
            final_positions: Whether to include the last position of a game, in which no move was played.
            variants: Whether to include games of variants of chess. Chess960 is always included.
            numbers_after: What is added to the numbers of the games: those of other archives before.
            move_dictionary: Whether moves are dictionary arrays.

        Raises:
            UsageError: There is no such column or condition.

        Example:
            >>> import pyarrow as pa
            >>> pa.table(a.scan_positions(["game", "ply", "move"], min_ply=10, max_ply=10)).num_rows
            4923
        """

@final
class Batch:
    """Some rows of a scan: the games of one block, as an Arrow record batch.

    `pyarrow.record_batch(batch)` and `polars.DataFrame(batch)` take it without a copy.
    """

    def __len__(self) -> int:
        """The number of rows."""
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...

@final
class BatchIterator(Iterator[Batch]):
    """The batches of a scan in order. Threads decode in advance; at most the number of threads plus 4 batches
    are in memory. Ctrl-C ends it between batches."""

    def __iter__(self) -> BatchIterator: ...
    def __next__(self) -> Batch: ...

@final
class Scan:
    """Games as Arrow record batches, a row for each game. `Archive.scan` returns it, and `Archive.scan_positions`
    one of positions.

    It is read by the Arrow PyCapsule interface: `polars.DataFrame(scan)`, `pyarrow.table(scan)`,
    `pandas.DataFrame.from_arrow(scan)` (before pandas 3 `pyarrow.table(scan).to_pandas()`), and
    `duckdb.sql("SELECT … FROM scan")` take it without a copy through text. It can be read as often as wanted;
    each time the archive is read again, block by block. Threads decode in advance, and Python's lock is not held.

    | column | type | null |
    | --- | --- | --- |
    | `number` | uint64 | never: the number of the game, from 1 |
    | `Event`, `Site`, `Round`, `White`, `Black`, `Result`, `WhiteTitle`, `BlackTitle`, `ECO`, `Opening`, \
`Termination`, `TimeControl`, `Variant`, `FEN` | text, dictionary | the game does not have the tag |
    | `Date`, `UTCDate` | date32 | no such tag, or no complete day |
    | `UTCTime` | time32, milliseconds | no such tag, or no time |
    | `WhiteElo`, `BlackElo` | int32 | no such tag, or no number from 1 to 9999: `?` |
    | `WhiteRatingDiff`, `BlackRatingDiff` | int32 | no such tag, or no number of up to four digits |
    | `plies` | int32 | the game is kept as text, or is no game of chess |
    | `moves` | list of text, dictionary | as `plies`; UCI notation |
    | `clocks` | list of float32, seconds after each move | no move has a clock |
    | `evals`, `mates` | list of float32, pawns, and of int32, moves to mate | no move has an evaluation |
    | `comments` | list of structs `ply`, `text` | there are none |
    | `signature` | text | never |
    | `other_tags` | list of structs `name`, `value`: tags without a column, or null in theirs | there are none |

    Only if they are named: `file`, the name of the packed file that holds the game, null for standard input;
    `movetext` and `pgn`, the text after the tags and the whole text. `tag:NAME` is the tag NAME as text.
    """

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
    def empty(self) -> Batch:
        """A batch without rows, for its schema."""
    def __iter__(self) -> BatchIterator: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

@final
class Positions:
    """An iterator over batches of positions: dictionaries of NumPy arrays. `positions` returns it."""

    @property
    def token(self) -> str:
        """The place after the last batch, for the argument `resume` of `positions`."""
    @property
    def skipped(self) -> dict[str, int]:
        """The games without positions that were passed so far: `without_moves` (no legal move, or kept as
        text), `variants` (of chess), `other` (Go)."""
    def __iter__(self) -> Positions: ...
    def __next__(self) -> dict[str, Any]: ...

def positions(
    archive: Archive,
    batch: int = 4096,
    *,
    shuffle_buffer: int | None = None,
    seed: int = 0,
    planes: bool | str | None = None,
    columns: Sequence[str] | None = None,
    where: Conditions | GameList | None = None,
    every_nth: int = 1,
    min_ply: int = 0,
    max_ply: int | None = None,
    final_positions: bool = False,
    variants: bool = False,
    shard: tuple[int, int] | None = None,
    resume: str | None = None,
    threads: int | None = None,
) -> Positions:
    """The positions of the games of an archive as NumPy arrays, a row for each position.

    A game of n moves has n positions, each with the move played there. Threads decode in advance, without
    Python's lock. Games without positions are counted (`Positions.skipped`).

    | array | type | value |
    | --- | --- | --- |
    | `boards` | uint64 [n, 12] | the squares of White's pawns, knights, bishops, rooks, queens and king, then of \
Black's; bit 0 is a1, bit 1 b1, bit 63 h8, as in python-chess |
    | `planes` | uint8 or float32 [n, 12, 8, 8] | the same as 0 and 1, ranks from the first, files from a; instead \
of `boards` |
    | `game` | int64 | the number of the game |
    | `ply` | int32 | the number of moves before |
    | `white_to_move` | bool | whether White is to move |
    | `castling` | uint8 | White's king side 1, queen side 2, Black's king side 4, queen side 8 |
    | `en_passant` | int8 | the square that a pawn has just skipped, if an enemy pawn attacks it; -1 |
    | `halfmoves`, `fullmoves` | int32 | the counters of a FEN |
    | `move` | int16 | the move played, its place in `uci_moves()`; -1 in a final position |
    | `result` | int8 | 1 White wins, 0 draw, -1 Black wins, -128 not known |
    | `white_elo`, `black_elo` | int16 | 0 if not known; `.astype("int32")` before arithmetic |
    | `clock` | float32 | seconds left to the player after the move; NaN |
    | `eval` | float32 | the evaluation of the position in pawns, from White's point of view; NaN |
    | `mate` | int32 | moves to mate, negative if Black mates, 0 if there is none; returned with `eval` |
    | `fen`, `epd` | list of str | the position as FEN; its first four fields |

    Args:
        archive: An open archive, or several.
        batch: The number of positions of a batch. Only the last has fewer.
        shuffle_buffer: Return positions in random order: blocks are read in random order, and
            `shuffle_buffer` positions at a time are shuffled. The buffer takes 144 bytes a position.
        seed: The seed of the order.
        planes: Return `planes` instead of `boards`: True or "uint8", or "float32".
        columns: The arrays. By default all but `clock`, `eval`, `fen` and `epd`, which take longer.
        where: Conditions as for `find`, or a list of games of this archive. They choose games.
        every_nth: Only positions where the number of the game and the ply together are divisible by it.
        min_ply: Only positions after at least `min_ply` plies.
        max_ply: Only positions after at most `max_ply` plies.
        final_positions: Whether to include the last position of a game, in which no move was played.
        variants: Whether to include games of variants of chess. Chess960 is always included.
        shard: `(k, n)`: only part k, from 0, of n disjoint parts of the archive. Parts have about as many games
            of the archive, not of those that `where` chooses, so they may have different numbers of these. The
            seed does not matter to which games are in a part. Workers with different k read different blocks.
        resume: Continue after the batch after which `Positions.token` was this text. All arguments that
            choose or order positions must be the same.
        threads: The number of threads; by default that of the archive.

    Raises:
        UsageError: There is no such column, condition or shard, `min_ply` is greater than `max_ply`, or
            `resume` is no token. That the token belongs to other positions is known at the first batch.
        CorruptError: A block is damaged.
        ImportError: NumPy is not installed.

    Example:
        >>> for batch in ign.positions(a, shuffle_buffer=100_000, seed=1, every_nth=8, min_ply=10):
        ...     boards, moves, results = batch["boards"], batch["move"], batch["result"]
    """

def duplicates(
    archive: Archive,
    *,
    any_players: bool = False,
    inside: bool = False,
    rotated: bool = False,
    min_plies: int = 1,
    prefer: str | None = None,
    progress: _Progress = None,
    **conditions: Unpack[Conditions],
) -> Duplicates:
    """Finds games that were recorded twice, in one archive or in several that are open as one: the same moves from
    the same position, by players whose names agree. `ign duplicates --help` describes which names agree.

    Args:
        archive: An open archive, or several.
        any_players: Whether equal moves make duplicates whoever played them.
        inside: Whether games are found too that are the beginning of a longer game.
        rotated: Whether games of Go on a rotated or mirrored board are found too.
        min_plies: Games with fewer plies are not compared.
        prefer: Which game of a group is kept: "annotated", "clocks", "longest" or "first"; by default "annotated",
            with `inside` "longest".
        progress: Called with the bytes and the games done so far.
        conditions: As for `find`: only these games are compared.

    Raises:
        UsageError: There is no such condition or value.
        CorruptError: A block is damaged.

    Example:
        >>> found = ign.duplicates(a)
        >>> len(found.groups), len(found.unique)
        (0, 5000)
    """

def uci_moves() -> list[str]:
    """All moves in UCI notation. The array `move` of `positions` has their places in this list, which never
    changes within a version: the classes of a network that predicts moves."""

def open(
    paths: list[str], index: _Path | None, threads: int | None, use_index: bool, damaged: bool
) -> Archive: ...
def division(path: str) -> list[int] | str | None: ...
def expand(path: str) -> list[str]: ...
def is_address(name: str) -> bool: ...
def condition_forms() -> dict[str, str]: ...
def shown(path: str) -> str: ...

class Source:
    @property
    def size(self) -> int: ...
    def __init__(self, path: str) -> None: ...
    def announce(self) -> None: ...
    def read(self, offset: int, length: int) -> bytes: ...

def upload(file: str, address: str) -> None: ...
def traffic() -> tuple[int, int]:
    """The number of HTTP requests that this process has made for archives on servers, and the number of bytes that it has received."""

def pack(
    files: Sequence[str | tuple[str, int, int] | tuple[str, bytes] | tuple[str, Iterator[bytes]]],
    out: _Path,
    coding: str,
    level: int,
    block_size: int | None,
    threads: int | None,
    verify: bool,
    overwrite: bool,
    progress: _Progress,
    models: Sequence[_Path] = (),
    embed: bool = False,
    sha256: str | None = None,
    expect_games: int | None = None,
) -> dict[str, int]: ...
def append(
    archive: _Path,
    files: Sequence[str | tuple[str, bytes] | tuple[str, Iterator[bytes]]],
    coding: str | None,
    level: int | None,
    block_size: int | None,
    threads: int | None,
    verify: bool,
    progress: _Progress,
) -> dict[str, int]: ...
def merge(archives: list[str], out: _Path, overwrite: bool, progress: _Progress) -> dict[str, int]: ...
def parity(archive: _Path, percent: float) -> dict[str, int]: ...
def split(
    archive: _Path,
    games: int | None,
    bytes: int | None,
    by: str | None,
    folder: _Path | None,
    threads: int | None,
    overwrite: bool,
    progress: _Progress,
) -> list[dict[str, Any]]: ...
def recover(
    archive: _Path, out: _Path, models: Sequence[_Path], threads: int | None, overwrite: bool, progress: _Progress
) -> dict[str, Any]: ...
def transcode(
    archive: _Path,
    out: _Path,
    coding: str,
    threads: int | None,
    verify: bool,
    overwrite: bool,
    progress: _Progress,
) -> dict[str, int]: ...
def export(
    scan: Scan, out: _Path, format: str | None, threads: int | None, overwrite: bool, progress: _Progress
) -> int: ...
def unpack(archive: _Path, out: _Path, threads: int | None, overwrite: bool, progress: _Progress) -> int: ...
def index(
    archives: list[str],
    out: _Path | None,
    without: list[str],
    plies: int | None,
    threads: int | None,
    overwrite: bool,
    progress: _Progress,
) -> dict[str, Any]: ...
def verify(archive: _Path, threads: int | None, progress: _Progress) -> None: ...
def stats(path: _Path, coding: str | None, threads: int | None, progress: _Progress) -> str: ...
def sample(out: _Path, games: int, seed: int, clocks: bool, threads: int | None, overwrite: bool) -> None: ...
def encode(text: str, coding: str, fen: str | None, variant: str | None) -> int: ...
def decode(integer: int, coding: str, fen: str | None, variant: str | None, plies: int | None) -> list[str]: ...
def evaluate(name: str, table: object, strict: bool) -> list[Batch]: ...
