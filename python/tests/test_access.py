"""Which game does a number, a slice or an iteration return?"""

from __future__ import annotations

import datetime
import pickle
import threading
from collections.abc import Callable, Sequence
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


def test_games_and_lists_are_pickled_by_their_numbers(generated: Path, odd: ign.Archive) -> None:
    archive = ign.open([generated, odd.paths[0]], threads=1)
    games = [archive[7], archive[403]]
    lists = [archive[5:300], archive[5:5], archive.select([9, 402]), archive.find(player="Ann")]
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        pickled = pickle.dumps((games, lists), protocol)
        # The names of the files are stored once.
        assert pickled.count(str(generated).encode()) == 1
        copies, copied_lists = pickle.loads(pickled)
        assert copies == games and [game.pgn for game in copies] == [game.pgn for game in games]
        assert [numbers(copy) for copy in copied_lists] == [numbers(games) for games in lists]
        assert numbers(copied_lists[0].within(copied_lists[2])) == [9]
    copy, found = pickle.loads(pickle.dumps((archive, lists[2])))
    assert len(list(copy.scan(["number"], where=found))) == 2 and copy.threads == 1


def test_pickled_games_of_a_file_that_is_gone_are_errors(make: Callable[..., Path], odd: ign.Archive) -> None:
    path = make(odd[1].pgn)
    game = ign.open(path)[1]
    pickled = pickle.dumps(game)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        pickle.loads(pickled)


def test_archives_and_lists_are_sequences(odd: ign.Archive) -> None:
    found = odd.select([2, 4, 5])
    for games, places in [(odd, [1, 2, 3, 4, 5]), (found, [0, 1, 2])]:
        assert isinstance(games, Sequence)
        everything = list(games)
        assert list(reversed(games)) == everything[::-1]
        for place, game in zip(places, everything):
            assert games[place] == game and game in games
            assert games.index(game) == place and games.count(game) == 1
            assert games.index(game.number) == place and games.count(game.number) == 1
            assert games.index(game, place) == games.index(game, place, place + 1) == place
            assert games.index(game, place - len(places) - places[0]) == place
            for start, stop in [(place + 1, None), (places[0], place)]:
                with pytest.raises(ValueError, match="is not among the games"):
                    games.index(game, start, stop)
        for other in [0, 6, -1, "x", None, 1.5, ign.open([odd.paths[0]] * 2)[9]]:
            assert other not in games and games.count(other) == 0
            with pytest.raises(ValueError, match="is not among the games"):
                games.index(other)
    assert odd[1] not in found and found.count(1) == 0
    match found:
        case [first, *_]:
            assert first == odd[2]


def test_games_of_another_archive_are_not_in_it(odd: ign.Archive, generated: Path) -> None:
    other = ign.open(generated)
    assert odd[2] not in other and odd[2] not in other[:] and odd[2] in ign.open(odd.paths[0])[:]


def test_a_closed_archive_is_not_used(odd: ign.Archive) -> None:
    with ign.open(odd.paths[0]) as archive:
        assert not archive.closed
        game, found, scan, games = archive[1], archive[2:4], archive.scan(["White"]), iter(archive)
    assert archive.closed and repr(archive) == f"<Archive {odd.paths[0]}: closed>"
    uses: list[Callable[[], object]] = [
        lambda: len(archive),
        lambda: archive[1],
        lambda: archive[1:],
        lambda: iter(archive),
        lambda: reversed(archive),
        lambda: 1 in archive,
        lambda: archive.index(1),
        lambda: archive.count(1),
        lambda: archive.paths,
        lambda: archive.blocks,
        lambda: archive.plies,
        lambda: archive.threads,
        lambda: archive.rejected_indexes,
        lambda: archive.select([1]),
        lambda: archive.find(player="Ann"),
        lambda: archive.tree(),
        lambda: archive.scan(),
        lambda: archive.scan_positions(),
        lambda: ign.positions(archive),
        lambda: pickle.dumps(archive),
        lambda: archive.__enter__(),
    ]
    for use in uses:
        with pytest.raises(ign.UsageError, match="odd.ign: the archive is closed.*ign.open"):
            use()
    archive.close()
    # What was taken from it before stays usable.
    assert game.white == "Ann" and numbers(found) == [2, 3]
    assert sum(map(len, scan)) == len(list(games)) == 5
    assert pickle.loads(pickle.dumps(game)).white == "Ann"


def test_an_error_in_a_with_statement_closes_and_is_raised(odd: ign.Archive) -> None:
    with pytest.raises(RuntimeError), ign.open(odd.paths[0]) as archive:
        raise RuntimeError
    assert archive.closed


DATES = [
    ('[UTCDate "2013.01.05"]\n[Date "2012.12.31"]', datetime.date(2013, 1, 5)),
    ('[UTCDate "????.??.??"]\n[Date "2012.12.31"]', datetime.date(2012, 12, 31)),
    ('[Date "2012-2-9"]', datetime.date(2012, 2, 9)),
    ('[Date "2012.12.??"]', None),
    ('[Date "2013.02.29"]', None),
    ('[Date "?"]', None),
    ('[Event "x"]', None),
]


def test_players_and_dates_are_attributes(make: Callable[..., Path], odd: ign.Archive) -> None:
    assert (odd[3].white, odd[3].black) == ('Zoë "Z" K.', "Ó Ben")
    archive = ign.open(make("".join(f"{tags}\n\n1. e4 *\n\n" for tags, _ in DATES)))
    assert [game.date for game in archive] == [date for _, date in DATES]
    assert archive[1].white is None and archive[1].black is None
    go = ign.open(make("(;GM[1]SZ[9]PW[Ann]PB[Ben]DT[2013-01-05];B[cc];W[gg])\n"))
    assert (go[1].white, go[1].black, go[1].date) == ("Ann", "Ben", datetime.date(2013, 1, 5))


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
