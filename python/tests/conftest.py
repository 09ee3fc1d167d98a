"""What tests share: archives of games that are written here, and slices of real collections."""

from __future__ import annotations

import functools
import importlib
import os
import random
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import chess
import chess.pgn
import pyarrow
import pytest

import ign_archive as ign

#: Games of every odd form, as PGN that python-chess reads too.
ODD = r"""[Event "Casual"]
[Site "?"]
[Date "????.??.??"]
[White "Ann"]
[Black "Ben"]
[Result "0-1"]
[WhiteElo "?"]
[BlackElo "1500"]

1. f3 { [%clk 0:03:00] } e5 { [%clk 0:02:59.9] [%eval -0.31] } 2. g4?? { A mistake. } Qh4# { [%eval #-1] } 0-1

[Event "Chess960"]
[White "Ann"]
[Black "Ben"]
[Result "1-0"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1"]

1. e4 e5 2. f4 exf4 3. O-O O-O 1-0

[Event "From a position"]
[White "Zoë \"Z\" K."]
[Black "Ó Ben"]
[Result "*"]
[SetUp "1"]
[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 60"]

60. a8=Q Kg6 ( 60... Kg7 61. Qd8 ) 61. Qe4+ *

[Event "No moves"]
[White "Ann"]
[Black "Ben"]
[Result "1/2-1/2"]

1/2-1/2

[Event "Castling, promotion, en passant"]
[White "A"]
[Black "B"]
[Result "1-0"]
[WhiteElo " 2700 "]
[UTCDate "2013.01.05"]
[UTCTime "12:34:56"]

{Before.} 1. e4 d5 2. e5 f5 3. exf6 $1 Nh6 4. fxg7 Nf7 5. gxh8=N Nxh8 6. Nf3 Nc6 7. Bc4 Bg7 8. O-O Kf8 1-0

"""


#: The collections of real games that tests name, and whether their games have clocks.
COLLECTIONS = {
    "lichess_2013-01.pgn.zst": False,
    "lichess_users_clk.pgn.zst": True,
    "otb_pgnmentor.pgn.zst": False,
}
#: Games of a generated collection.
GENERATED = 400


def missing(need: str, reason: str) -> None:
    """Notes that what tests need is missing. It is an error if `IGN_REQUIRE` names the need, or all."""
    required = os.environ.get("IGN_REQUIRE", "").replace(",", " ").split()
    if need in required or "all" in required:
        pytest.fail(f"IGN_REQUIRE names {need}, but {reason}", pytrace=False)
    if path := os.environ.get("IGN_SKIPPED"):
        test = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
        with open(path, "a") as skipped:
            skipped.write(f"{need}\t{test}\t{reason}\n")


def module(name: str) -> ModuleType:
    """A module that only some machines have; the test is skipped if there is none."""
    try:
        return importlib.import_module(name)
    except ImportError:
        reason = f"{sys.executable} has no module {name}"
        missing(name, reason)
        pytest.skip(reason)


def has_real_games() -> bool:
    """Whether `IGN_DATA` names a folder of real games."""
    folder = os.environ.get("IGN_DATA")
    return bool(folder) and Path(folder).is_dir()


@pytest.fixture
def data(generated_data: Callable[[], Path]) -> Path:
    """The folder of real collections, or of generated ones of the same names."""
    if has_real_games():
        return Path(os.environ["IGN_DATA"])
    missing("games", "there are no real games (IGN_DATA names their folder)")
    return generated_data()


@pytest.fixture(scope="session")
def generated_data(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Generates the collections when they are wanted first."""

    @functools.cache
    def generate() -> Path:
        folder = tmp_path_factory.mktemp("collections")
        for seed, (name, clocks) in enumerate(COLLECTIONS.items()):
            source = folder / name.removesuffix(".zst")
            ign.sample(source, games=GENERATED, seed=seed, clocks=clocks)
            with pyarrow.output_stream(str(folder / name), compression="zstd") as out:
                out.write(source.read_bytes())
        return folder

    return generate


@pytest.fixture(scope="session")
def make(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Packs a text and returns the path of the archive."""

    def pack(text: str | bytes, name: str = "games", **options: object) -> Path:
        folder = tmp_path_factory.mktemp("archive")
        source = folder / f"{name}.pgn"
        source.write_bytes(text if isinstance(text, bytes) else text.encode())
        out = folder / f"{name}.ign"
        ign.pack(source, out, **options)  # type: ignore[arg-type]
        return out

    return pack


@pytest.fixture(scope="session")
def odd(make: Callable[..., Path]) -> ign.Archive:
    """The games of `ODD`."""
    return ign.open(make(ODD, "odd"))


def random_pgn(seed: int, games: int, plies: int = 60) -> str:
    """Games of random legal moves with ratings, dates, comments, clocks and evaluations.

    Every third game lacks a rating, has a strange one, or a date of which a part is unknown.
    """
    rng = random.Random(seed)
    texts = []
    for number in range(games):
        game = chess.pgn.Game()
        board = game.board()
        game.headers["White"] = rng.choice(["Ann", "Ben", "Cy", "Dée", "O'Neil, X"])
        game.headers["Black"] = rng.choice(["Ann", "Ben", "Cy", "Dée"])
        game.headers["WhiteElo"] = str(rng.randrange(1000, 2800))
        game.headers["BlackElo"] = rng.choice(["?", "", "-", "1500?", str(rng.randrange(800, 2800))])
        game.headers["Date"] = f"2013.{rng.randrange(1, 13):02}.{rng.choice(['??', '07', '28'])}"
        game.headers["UTCDate"] = f"2013.{rng.randrange(1, 13):02}.{rng.randrange(1, 29):02}"
        game.headers["UTCTime"] = f"{rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}"
        game.headers["TimeControl"] = rng.choice(["60+0", "300+3", "-", "?"])
        if rng.random() < 0.3:
            game.headers["Annotator"] = f"note {number}"
        node: chess.pgn.GameNode = game
        for _ in range(rng.randrange(plies)):
            moves = list(board.legal_moves)
            if not moves:
                break
            move = rng.choice(moves)
            node = node.add_variation(move)
            board.push(move)
            comment = []
            if number % 2 == 0:
                comment.append(f"[%clk 0:{rng.randrange(10)}:{rng.randrange(60):02}]")
            if number % 4 == 0:
                comment.append(rng.choice([f"[%eval {rng.randrange(-900, 900) / 100}]", "[%eval #4]"]))
            if rng.random() < 0.05:
                comment.append(rng.choice(["good", "an error?", "see (6)"]))
            node.comment = " ".join(comment)
        game.headers["Result"] = rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
        texts.append(str(game) + "\n\n")
    return "".join(texts)


@pytest.fixture(scope="session")
def generated(make: Callable[..., Path]) -> Path:
    """An archive of 400 random games in several blocks."""
    return make(random_pgn(7, 400), "generated", block_size=1 << 16, coding="ign")


@pytest.fixture(scope="session", params=["without index", "with index"])
def searched(request: pytest.FixtureRequest, generated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of `generated`, without and with an index beside it."""
    if request.param == "without index":
        return generated
    path = tmp_path_factory.mktemp("indexed") / "games.ign"
    path.write_bytes(generated.read_bytes())
    ign.index(path)
    return path


def first_games(source: Path, games: int) -> bytes:
    """The text of the first games of a .zst file."""
    text = b""
    with pyarrow.input_stream(str(source), compression="zstd") as stream:
        while text.count(b"[Event ") <= games and (piece := stream.read(1 << 16)):
            text += piece
    starts = [match.start() for match in re.finditer(rb"^\[Event ", text, re.MULTILINE)]
    return text[: starts[games]]


def read_games(text: bytes) -> Iterator[chess.pgn.Game]:
    """The games of a text as python-chess reads them."""
    import io

    stream = io.StringIO(text.decode("utf-8", errors="surrogateescape"))
    while (game := chess.pgn.read_game(stream)) is not None:
        yield game
