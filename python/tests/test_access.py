"""Which game does a number, a slice or an iteration return?"""

from __future__ import annotations

import pickle
import threading
from pathlib import Path

import pytest

import ign_archive as ign


def numbers(games: object) -> list[int]:
    return [game.number for game in games]  # type: ignore[attr-defined]


def test_games_are_numbered_from_1(odd: ign.Archive) -> None:
    assert len(odd) == 5
    assert odd[1].tags["Event"] == "Casual"
    assert odd[-1].tags["Event"] == odd[5].tags["Event"] == "Castling, promotion, en passant"
    assert [game.tag("Event") for game in odd] == [odd[n].tag("Event") for n in range(1, 6)]
    assert odd[3] == odd[3] != odd[2]
    assert len({odd[3], odd[3]}) == 1


@pytest.mark.parametrize("number", [0, 6, -6, 10**15])
def test_other_numbers_are_index_errors(odd: ign.Archive, number: int) -> None:
    with pytest.raises(IndexError, match="numbered from 1"):
        odd[number]


def test_slices_are_those_of_numbers(odd: ign.Archive) -> None:
    assert numbers(odd[2:4]) == [2, 3]
    assert numbers(odd[:3]) == [1, 2]
    assert numbers(odd[-2:]) == [4, 5]
    assert numbers(odd[::2]) == [1, 3, 5]
    assert numbers(odd[4:99]) == [4, 5]
    assert numbers(odd[4:2]) == []
    assert numbers(odd[:-1]) == [1, 2, 3, 4]
    for wrong in [slice(0, 3), slice(None, None, -1), slice(None, None, 0)]:
        with pytest.raises((IndexError, ValueError)):
            odd[wrong]


def test_a_list_of_games_is_a_sequence_from_0(odd: ign.Archive) -> None:
    games = odd[2:]
    assert games[0].number == 2 and games[-1].number == 5
    assert numbers(games[1:3]) == [3, 4] and numbers(games[::3]) == [2, 5]
    assert list(games.numbers) == [2, 3, 4, 5]
    assert 3 in games and 1 not in games and odd[4] in games and "x" not in games
    assert numbers(reversed(games)) == [5, 4, 3, 2]
    with pytest.raises(IndexError):
        games[4]


def test_selected_games_are_in_order(odd: ign.Archive) -> None:
    assert numbers(odd.select([5, 1, 3, 1])) == [1, 3, 5]
    assert numbers(odd.select([])) == []
    for wrong in [[0], [1, 6]]:
        with pytest.raises(ign.UsageError, match="there is no game"):
            odd.select(wrong)


def test_iteration_visits_all_blocks_whatever_parts_are_used(generated: Path) -> None:
    archive = ign.open(generated)
    texts = [archive[number].pgn for number in range(1, len(archive) + 1)]
    seen = []
    for game in archive:
        # More parts are used later, so that decoding in advance changes during the iteration.
        seen.append(game.number)
        if game.number > 100:
            assert len(game.moves) == game.plies
        if game.number > 300:
            assert game.pgn == texts[game.number - 1]
    assert seen == list(range(1, 401))
    picked = archive.select(range(7, 400, 13))
    assert [game.pgn for game in picked] == [texts[n - 1] for n in picked.numbers]
    assert [g.pgn for g in archive[37:301]] == texts[36:300]


def test_several_archives_are_one(generated: Path, odd: ign.Archive) -> None:
    paths = [odd.paths[0], str(generated), odd.paths[0]]
    archive = ign.open(paths)
    assert archive.paths == paths
    assert len(archive) == 410 and archive.plies == 2 * odd.plies + ign.open(generated).plies
    assert numbers(archive) == list(range(1, 411))
    assert archive[406].tags == odd[1].tags and archive[406].number_in_file == 1
    assert archive[6].path == str(generated)
    assert numbers(archive[4:8]) == [4, 5, 6, 7]
    assert numbers(archive.find(player="Zo*")) == [3, 408]
    assert numbers(archive.select([3, 200, 408])) == [3, 200, 408]


def test_patterns_name_files_in_order(generated: Path, tmp_path: Path) -> None:
    for name in ["b.ign", "a.ign"]:
        (tmp_path / name).write_bytes(generated.read_bytes())
    archive = ign.open(tmp_path / "*.ign")
    assert archive.paths == [str(tmp_path / "a.ign"), str(tmp_path / "b.ign")]
    (tmp_path / "[a].ign").write_bytes(generated.read_bytes())
    assert ign.open(tmp_path / "[a].ign").paths == [str(tmp_path / "[a].ign")]


def test_archives_are_pickled_by_their_paths(odd: ign.Archive) -> None:
    copy = pickle.loads(pickle.dumps(odd))
    assert copy.paths == odd.paths and copy[3].pgn == odd[3].pgn


def test_threads_share_an_archive_and_an_iterator(generated: Path) -> None:
    archive = ign.open(generated, threads=2)
    assert archive.threads == 2
    games = iter(archive)
    seen: list[int] = []

    def work() -> None:
        for game in games:
            assert game.plies == len(game.moves)
            seen.append(game.number)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == list(range(1, 401))
