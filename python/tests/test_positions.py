"""Are positions those that python-chess finds, in every order, and each exactly once?"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from conftest import ODD, first_games, module, random_pgn, read_games

import ign_archive as ign

ALL = [
    "game",
    "ply",
    "boards",
    "white_to_move",
    "castling",
    "en_passant",
    "halfmoves",
    "fullmoves",
    "move",
    "result",
    "white_elo",
    "black_elo",
    "clock",
    "eval",
    "fen",
    "epd",
]
RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}


def joined(batches: ign.Positions) -> dict[str, Any]:
    """All batches as one."""
    parts = list(batches)
    if not parts:
        return {}

    def join(name):
        return [part[name] for part in parts]

    return {
        name: np.concatenate(join(name)) if hasattr(parts[0][name], "dtype") else sum(join(name), [])
        for name in parts[0]
    }


def keys(batches: ign.Positions) -> list[tuple[int, int]]:
    """Game and ply of all positions, in order."""
    rows = joined(batches)
    return list(zip(rows["game"].tolist(), rows["ply"].tolist())) if rows else []


def rating(value: str) -> int:
    value = value.strip().removesuffix("?")
    return int(value) if value.isdigit() and len(value) <= 4 else 0


def check(archive: ign.Archive, text: bytes) -> int:
    """Compares every position in which a move was played with python-chess; returns their number."""
    rows = joined(ign.positions(archive, columns=ALL))
    table = ign.uci_moves()
    row = 0
    for number, game in enumerate(read_games(text), 1):
        board = game.board()
        evaluation = None
        for ply, node in enumerate(game.mainline()):
            place = f"game {number} ply {ply}"
            assert (rows["game"][row], rows["ply"][row]) == (number, ply), place
            boards = [
                int(board.pieces(piece, color)) for color in (chess.WHITE, chess.BLACK) for piece in chess.PIECE_TYPES
            ]
            assert rows["boards"][row].tolist() == boards, place
            assert bool(rows["white_to_move"][row]) == board.turn, place
            rights = [
                board.has_kingside_castling_rights(chess.WHITE),
                board.has_queenside_castling_rights(chess.WHITE),
                board.has_kingside_castling_rights(chess.BLACK),
                board.has_queenside_castling_rights(chess.BLACK),
            ]
            assert rows["castling"][row] == sum(right << bit for bit, right in enumerate(rights)), place
            square = board.ep_square if board.has_pseudo_legal_en_passant() else None
            assert rows["en_passant"][row] == (-1 if square is None else square), place
            assert rows["halfmoves"][row] == board.halfmove_clock, place
            assert rows["fullmoves"][row] == board.fullmove_number, place
            assert table[rows["move"][row]] == board.uci(node.move), place
            # In Chess960, python-chess writes other letters for the same castling rights.
            read = chess.Board(rows["fen"][row], chess960=board.chess960)
            assert read.fen(en_passant="xfen") == board.fen(en_passant="xfen"), place
            assert rows["fen"][row].startswith(rows["epd"][row] + " "), place
            assert rows["result"][row] == RESULTS.get(game.headers.get("Result", "?"), -128), place
            assert rows["white_elo"][row] == rating(game.headers.get("WhiteElo", "?")), place
            assert rows["black_elo"][row] == rating(game.headers.get("BlackElo", "?")), place
            clock = node.clock()
            if clock is None:
                assert math.isnan(rows["clock"][row]), place
            else:
                assert rows["clock"][row] == pytest.approx(clock, abs=0.01), place
            pawns = evaluation.white().score() if evaluation else None
            if pawns is None:
                assert math.isnan(rows["eval"][row]), place
            else:
                assert rows["eval"][row] == pytest.approx(pawns / 100), place
            mate = evaluation.white().mate() if evaluation else None
            assert rows["mate"][row] == (mate or 0), place
            evaluation = node.eval()
            board.push(node.move)
            row += 1
    assert row == len(rows["game"])
    return row


def test_positions_are_those_of_python_chess(make: Callable[..., Path]) -> None:
    text = ODD + random_pgn(3, 60)
    for coding in ["ign", "weighted"]:
        archive = ign.open(make(text, coding=coding))
        assert check(archive, text.encode()) > 1000


@pytest.mark.parametrize("name", ["lichess_2013-01", "lichess_users_clk"])
def test_positions_of_real_games_are_those_of_python_chess(data: Path, make: Callable[..., Path], name: str) -> None:
    text = first_games(data / f"{name}.pgn.zst", 200)
    assert check(ign.open(make(text)), text) > 2000


def test_without_numpy_positions_are_an_import_error(odd: ign.Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(ImportError, match="pip install numpy"):
        ign.positions(odd)


def test_planes_are_the_bits_of_boards(generated: Path) -> None:
    archive = ign.open(generated)
    boards = joined(ign.positions(archive))["boards"]
    bits = np.unpackbits(boards.view(np.uint8).reshape(-1, 12, 8), axis=2, bitorder="little")
    for planes, dtype in [(True, np.uint8), ("uint8", np.uint8), ("float32", np.float32)]:
        rows = joined(ign.positions(archive, planes=planes))
        assert "boards" not in rows
        assert rows["planes"].dtype == dtype
        assert np.array_equal(rows["planes"], bits.reshape(-1, 12, 8, 8))
    with pytest.raises(ign.UsageError, match="planes"):
        ign.positions(archive, planes="int4")


def test_arrays_have_the_types_and_shapes_of_the_documentation(generated: Path) -> None:
    archive = ign.open(generated)
    batch = next(ign.positions(archive, 100, columns=ALL))
    types = {name: value.dtype.name for name, value in batch.items() if hasattr(value, "dtype")}
    assert types == {
        "boards": "uint64",
        "game": "int64",
        "ply": "int32",
        "white_to_move": "bool",
        "castling": "uint8",
        "en_passant": "int8",
        "halfmoves": "int32",
        "fullmoves": "int32",
        "move": "int16",
        "result": "int8",
        "white_elo": "int16",
        "black_elo": "int16",
        "clock": "float32",
        "eval": "float32",
        "mate": "int32",
    }
    assert batch["boards"].shape == (100, 12)
    assert len(batch["fen"]) == len(batch["epd"]) == 100
    assert set(next(ign.positions(archive, columns=["move"]))) == {"move"}
    lens = [len(batch["ply"]) for batch in ign.positions(archive, 1000)]
    assert sum(lens) == archive.plies
    assert set(lens[:-1]) == {1000}


def test_games_and_positions_are_chosen(generated: Path) -> None:
    archive = ign.open(generated)
    every = keys(ign.positions(archive))
    assert keys(ign.positions(archive, every_nth=5)) == [k for k in every if sum(k) % 5 == 0]
    assert keys(ign.positions(archive, min_ply=3, max_ply=9)) == [k for k in every if 3 <= k[1] <= 9]
    found = archive.find(white_elo=(2000, None))
    numbers = set(found.numbers)
    expected = [k for k in every if k[0] in numbers]
    assert 0 < len(expected) < len(every)
    assert keys(ign.positions(archive, where={"white_elo": (2000, None)})) == expected
    assert keys(ign.positions(archive, where=found)) == expected
    last = joined(ign.positions(archive, final_positions=True))
    assert (last["move"] == -1).sum() == len({k[0] for k in every})
    assert keys(ign.positions(archive, where={"white": "Nobody"})) == []


def test_a_shuffled_order_has_every_position_once_and_follows_from_the_seed(generated: Path) -> None:
    archive = ign.open(generated)
    every = keys(ign.positions(archive))
    one = keys(ign.positions(archive, shuffle_buffer=3000, seed=1))
    assert one != every
    assert sorted(one) == every
    assert keys(ign.positions(archive, 77, shuffle_buffer=3000, seed=1, threads=3)) == one
    assert keys(ign.positions(archive, shuffle_buffer=3000, seed=2)) != one


@pytest.mark.parametrize("shards", [1, 2, 3, 50])
def test_shards_are_disjoint_and_complete_whatever_their_seeds(generated: Path, shards: int) -> None:
    archive = ign.open(generated)
    parts = [
        keys(ign.positions(archive, shuffle_buffer=500, seed=shard, shard=(shard, shards))) for shard in range(shards)
    ]
    assert sorted(itertools.chain(*parts)) == keys(ign.positions(archive))


@pytest.mark.parametrize("options", [{}, {"shuffle_buffer": 1500, "seed": 4}])
def test_a_token_continues_exactly(generated: Path, options: dict[str, Any]) -> None:
    archive = ign.open(generated)
    every = keys(ign.positions(archive, **options))
    reading = ign.positions(archive, 900, **options)
    before = 0
    for batch in reading:
        before += len(batch["ply"])
        rest = keys(ign.positions(archive, 333, resume=reading.token, **options))
        assert rest == every[before:]
    with pytest.raises(ign.UsageError, match="other positions"):
        next(ign.positions(archive, min_ply=1, resume=reading.token, **options))


def test_games_without_positions_are_counted(make: Callable[..., Path]) -> None:
    text = '[White "None"]\n\n*\n\n[Variant "Atomic"]\n\n1. e4 e5 *\n\n[Variant "Unknown"]\n\n1. e4 *\n\n1. d4 *\n\n'
    reading = ign.positions(ign.open(make(text)))
    assert keys(reading) == [(4, 0)]
    assert reading.skipped == {"without_moves": 2, "variants": 1, "other": 0}
    included = ign.positions(ign.open(make(text)), variants=True)
    assert keys(included) == [(2, 0), (2, 1), (4, 0)]


def test_several_archives_are_one_and_wrong_arguments_raise(generated: Path, make: Callable[..., Path]) -> None:
    both = ign.open([generated, make(ODD)])
    games = joined(ign.positions(both))["game"]
    assert games.max() == len(both)
    for wrong, message in [
        ({"columns": ["boards", "x"]}, "no column 'x'"),
        ({"shard": (2, 2)}, "no shard 2 of 2"),
        ({"resume": "x"}, "not a token"),
        ({"every_nth": 0}, "every_nth"),
        ({"batch": 0}, "batch is 0"),
        ({"batch": -1}, "batch is -1"),
        ({"shuffle_buffer": 0}, "shuffle_buffer is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"min_ply": 9, "max_ply": 3}, "min_ply 9 is greater than max_ply 3"),
        ({"max_ply": -1}, "max_ply is -1"),
        ({"shard": (0, -1)}, "give a pair"),
        ({"shard": 1}, "give a pair"),
        ({"columns": "move"}, r"write \['move'\]"),
        ({"columns": ["moves"]}, "did you mean move"),
        ({"where": "x"}, "where: is a str"),
        ({"threads": 0}, "threads is 0"),
        ({"where": {"colour": 1}}, "colour"),
    ]:
        # The call itself fails, not the first batch.
        with pytest.raises(ign.UsageError, match=message):
            ign.positions(both, **wrong)
    with pytest.raises(ign.UsageError, match=r"archive: is a str, not an open archive \(open it"):
        ign.positions(str(generated))  # type: ignore[arg-type]
    with pytest.raises(ign.UsageError, match="another archive"):
        ign.positions(both, where=ign.open(generated).find(limit=1))


def test_a_damaged_block_raises_and_the_iteration_is_over(make: Callable[..., Path]) -> None:
    path = make(random_pgn(5, 300), block_size=1 << 16)
    damaged = bytearray(path.read_bytes())
    # Half of the archive, so that columns that are read are among it.
    quarter = len(damaged) // 4
    damaged[quarter : 3 * quarter] = bytes(2 * quarter)
    path.write_bytes(damaged)
    reading = ign.positions(ign.open(path))
    with pytest.raises(ign.CorruptError, match="games.ign"):
        list(reading)
    assert list(reading) == []


def test_workers_of_pytorch_read_disjoint_games(generated: Path) -> None:
    module("torch")
    from torch.utils.data import DataLoader

    from ign_archive.torch import PositionDataset

    data = PositionDataset(str(generated), batch=500, shuffle_buffer=2000, seed=3)
    loader = DataLoader(data, batch_size=None, num_workers=2)
    found = [key for batch in loader for key in zip(batch["game"].tolist(), batch["ply"].tolist())]
    assert sorted(found) == keys(ign.positions(ign.open(generated)))
