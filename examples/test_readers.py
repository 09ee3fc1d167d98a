"""Do the readers in this folder, written from format-spec.md alone, agree with the program?

    IGN=path/to/ign python3 -m pytest test_readers.py

The program makes archives, indexes and parity of games that the tests write; the readers must restore the
text, find in the index what the games say, and repair what was damaged. Needs the packages pytest and
zstandard. Without IGN the tests fail.
"""

import os
import pathlib
import random
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))
sys.dont_write_bytecode = True
import parity_reader
import reader
from index_games import fold, folded, keys_of, material_of

# ------------------------------------------------------------------ helpers


def ign(*arguments, folder):
    """Runs the program in a folder; returns what it prints."""
    program = os.environ.get("IGN")
    assert program, "the environment variable IGN must name the program"
    done = subprocess.run([program, "-q", *map(str, arguments)], cwd=folder, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def python(script, *arguments, folder):
    """Runs a reader; returns what it prints."""
    done = subprocess.run([sys.executable, FOLDER / script, *map(str, arguments)], cwd=folder, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def sample(folder, name, games, *options):
    ign("sample", "-n", games, "-o", name, *options, folder=folder)
    return (folder / name).read_bytes()


def pack(folder, archive, *inputs, coding="ign"):
    ign("pack", "--coding", coding, *inputs, "-o", archive, folder=folder)


def verify(folder, *arguments):
    """Verifies an index; returns the numbers of games of its segments."""
    lines = python("index_reader.py", *arguments, "--verify", folder=folder).decode().splitlines()
    assert all(line.endswith("games: the index agrees with them") for line in lines)
    return [int(line.split()[0]) for line in lines]


def record(moves, **tags):
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f"\n{moves}\n\n"


def random_game(seed, plies, null_moves=0.0, **tags):
    """A record of random moves from the start that the tags state."""
    choose = random.Random(seed)
    position, number = reader.start_of({name.encode(): value.encode() for name, value in tags.items()})
    words = []
    for _ in range(plies):
        legal = position.legal_moves()
        if not legal:
            break
        passes = null_moves and not position.in_check() and choose.random() < null_moves
        move = reader.NULL_MOVE if passes else choose.choice(legal)
        if position.white or not words:
            words.append(f"{number}." if position.white else f"{number}...")
        words.append(reader.move_text(position, legal, move, 0))
        number += not position.white
        position = position.play(move)
    return record(" ".join([*words, tags.get("Result", "*")]), **tags)


def verify_text(folder, text):
    """Packs and indexes a text, and verifies both."""
    (folder / "a.pgn").write_text(text, newline="")
    pack(folder, "a.ign", "a.pgn")
    ign("index", "a.ign", folder=folder)
    assert python("reader.py", "a.ign", folder=folder) == text.encode()
    return verify(folder, "a.ign")


# ------------------------------------------------------- parts of the index


def test_the_root_of_the_keys_is_the_constant_of_the_specification():
    assert fold(0x9E3779B97F4A7C15, 0x9E3779B97F4A7C15) == 0
    structure, position = keys_of(reader.Position())
    assert structure < 1 << 32 and position < 1 << 50


def test_king_and_rook_against_king_and_pawn_has_the_code_of_the_specification():
    position, _ = reader.read_fen(b"4k3/4p3/8/8/8/8/8/R3K3 w - -")
    assert material_of(position.board) == 0x01_00_00_10_00_11


def test_names_are_folded_without_accents_and_case():
    assert folded("Müller".encode()) == folded(b"MULLER") == folded("Müller".encode("latin-1")) == b"muller"
    assert folded("Łø".encode()) == "łø".encode()


# ------------------------------------------------------------------ indexes


def test_an_index_of_sampled_games_agrees_with_them(tmp_path):
    text = sample(tmp_path, "a.pgn", 150, "--clocks")
    pack(tmp_path, "a.ign", "a.pgn")
    ign("index", "a.ign", folder=tmp_path)
    assert python("reader.py", "a.ign", folder=tmp_path) == text
    assert verify(tmp_path, "a.ign") == [150]


def test_an_index_of_a_weighted_archive_agrees_with_it(tmp_path):
    sample(tmp_path, "a.pgn", 4)
    pack(tmp_path, "a.ign", "a.pgn", coding="weighted")
    ign("index", "a.ign", folder=tmp_path)
    assert verify(tmp_path, "a.ign") == [4]


@pytest.mark.parametrize("section", ["columns", "players", "openings", "positions", "materials"])
def test_an_index_may_lack_a_section(tmp_path, section):
    sample(tmp_path, "a.pgn", 40)
    pack(tmp_path, "a.ign", "a.pgn")
    ign("index", "--without", section, "a.ign", folder=tmp_path)
    assert verify(tmp_path, "a.ign") == [40]


@pytest.mark.parametrize("plies", [1, 10, 40, 70])
def test_an_index_may_have_the_positions_of_some_plies(tmp_path, plies):
    sample(tmp_path, "a.pgn", 100)
    pack(tmp_path, "a.ign", "a.pgn")
    ign("index", "--plies", plies, "a.ign", folder=tmp_path)
    assert verify(tmp_path, "a.ign") == [100]
    ign("export", "a.ign", "-o", "a.epd", folder=tmp_path)
    for line in (tmp_path / "a.epd").read_text().splitlines()[:60:10]:
        position = " ".join(line.split()[:4])
        expected = ign("find", "a.ign", "--position", position, folder=tmp_path)
        assert expected and python("index_reader.py", "a.ign", "--find", position, folder=tmp_path) == expected


def test_each_append_has_a_segment(tmp_path):
    sample(tmp_path, "a.pgn", 30)
    sample(tmp_path, "b.pgn", 20, "--seed", 2)
    pack(tmp_path, "a.ign", "a.pgn")
    ign("index", "a.ign", folder=tmp_path)
    ign("append", "a.ign", "b.pgn", folder=tmp_path)
    ign("index", "a.ign", folder=tmp_path)
    assert verify(tmp_path, "a.ign") == [30, 20]
    index = tmp_path / "a.ign.idx"
    index.write_bytes(index.read_bytes()[:-1])
    assert verify(tmp_path, "a.ign") == [30]


def test_archives_share_an_index(tmp_path):
    for name, games in (("a", 30), ("b", 20), ("c", 10)):
        sample(tmp_path, f"{name}.pgn", games, "--seed", games)
        pack(tmp_path, f"{name}.ign", f"{name}.pgn")
    ign("index", "a.ign", "b.ign", "-o", "all.idx", folder=tmp_path)
    assert verify(tmp_path, "a.ign", "b.ign", "--index", "all.idx") == [50]
    ign("index", "a.ign", "b.ign", "c.ign", "-o", "all.idx", folder=tmp_path)
    assert verify(tmp_path, "a.ign", "b.ign", "c.ign", "--index", "all.idx") == [50, 10]


def test_starts_variants_and_null_moves_are_indexed(tmp_path):
    fens = (
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 17",
        "8/8/8/k2pP2R/8/8/8/4K3 w - d6 0 40",
        "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 40",
        "4k3/8/8/8/8/8/8/4K2R w - - 99 70",
        "4k3/8/8/8/8/8/8/2B1K1B1 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 5",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
    )
    games = [
        random_game(plies, plies, FEN=fen, Result=result, Termination=termination)
        for fen in fens
        for plies in (1, 8, 30)
        for result, termination in (("1-0", "Normal"), ("1/2-1/2", "Normal"), ("*", "Time forfeit"))
    ]
    games.append(random_game(1, 40, Variant="Chess960", FEN="nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1"))
    for variant in ("Antichess", "Atomic", "Crazyhouse", "Horde", "KingOfTheHill", "Losers", "RacingKings", "Three-check"):
        games += [random_game(seed, 30, Variant=variant, Result="1-0", Termination="Normal") for seed in (1, 2)]
    games += [record("1. e4 *", Variant="Bughouse"), record("*", Event="x"), record("1. e4 *", FEN="x")]
    games += [random_game(seed, 60, 0.06, Event="x", Result="1/2-1/2") for seed in (1, 2) for _ in range(12)]
    shuffle = " ".join(f"{i}. {'Nf3 Nf6' if i % 2 else 'Ng1 Ng8'}" for i in range(1, 60))
    games += [record(f"{shuffle} 1/2-1/2", Result="1/2-1/2")] * 10
    games += [record("1. f3 e5 2. g4 Qh4# 0-1", Result="0-1", Termination="Time forfeit")] * 3
    assert verify_text(tmp_path, "".join(games)) == [len(games)]


def test_values_of_tags_are_read_as_the_specification_states(tmp_path):
    values = {
        "WhiteElo": "2400|(2400)|2400P|2400 (FIDE)|( 2400 )|2400? x|02400|0240|2400.5|2400-|2400 or 2500|-|?|0|(2400",
        "Date": "2020.01.02|2020-1-2|2020/01|2020|02.01.2020|31/01/2020|01/31/2020|01/02/2020|3/3/2020|2020.??.05|"
        "2020.13.01|2020.02.30|1.1.0020|099|99|05-2020|????.2020|?/13/2020|1.?.2020|2020..|2020.1.2.|0000.01.01",
        "Result": "1-0|1–0|1:0|+-|+:-|- / +|1-0 FF|1-0FF|1-0f|1-0Fx|1-0 x2|1-0 ?|½-½|½|1/2|0.5-0.5|0,5:½|0-0|0 - 1|*|=",
        "ECO": "B20|b20|B200|B20x|F00| B20",
        "TimeControl": "300+3|40/7200:3600|1/86400|-|15 min + 10 s|90'/40 + 30''|1h30|3 days per move|G/60|15|"
        "300 + 3|*60|300.0|5'|3m2s|10s/move|Rapid 15 min|G/90;inc30|9999999999",
        "Termination": "Normal|normal |Time forfeit|White won on time|x resigns|timeout|agreed|Abandoned",
        "White": "Müller|MULLER|ß|SS|Ł|İ|i|Σ|ς|ﬁ|a|a ||?|a\\\"b|c\\\\d",
    }
    games = [record("1. e4 e5 *", **{name: value}) for name, texts in values.items() for value in texts.split("|")]
    games += [record("1. e4 e5 1-0", Result=result, Termination="Normal") for result in ("1/2-1/2", "*", "x", "0-0")]
    for end in ("1-0", "1:0 {x}", "0-0", "(2. d4)1-0", "1-0 FF", "1-0 $1 {x}", "½–½ {a} {b}", "1/2", "+-", "1-0 ; x"):
        games.append(record(f"1. e4 e5 {end}", Result=""))
    games += [record("1. e4 *", UTCDate=date, Date="2021.01.01") for date in ("2020.01.02", "x", "????.??.??")]
    assert verify_text(tmp_path, "".join(games)) == [len(games)]


def test_statistics_of_a_common_position_count_its_games(tmp_path):
    choose = random.Random(1)
    games = []
    for i in range(17_000):
        moves = choose.choice(["1. e4 e5", "1. e4 c5 2. Nf3", "1. d4", "1. d4 --", "1. Nf3 Nf6 2. Ng1 Ng8 3. e4"])
        result = choose.choice(["1-0", "0-1", "1/2-1/2", "1-0", "*"] if i % 2 else ["1-0", "0-1", "1/2-1/2"])
        tags = {"Result": result, "TimeControl": "180+0", "UTCDate": f"2013.0{1 + i % 2}.{choose.choice(['??', '01', '28'])}"}
        tags["WhiteElo"], tags["BlackElo"] = (str(choose.randrange(1400, 1700)) for _ in range(2))
        if i % 2 and choose.random() < 0.05:
            del tags["WhiteElo"]
        games.append(record(f"{moves} {result}", **tags))
    (tmp_path / "a.pgn").write_text("".join(games))
    pack(tmp_path, "a.ign", "a.pgn")
    assert b"statistics" in ign("index", "--json", "-v", "a.ign", folder=tmp_path)
    assert verify(tmp_path, "a.ign") == [17_000]


def test_searches_print_what_the_program_finds(tmp_path):
    sample(tmp_path, "a.pgn", 120)
    pack(tmp_path, "a.ign", "a.pgn")
    ign("index", "a.ign", folder=tmp_path)
    player = (tmp_path / "a.pgn").read_text().split('[White "')[1].split('"')[0]
    for option, ours, theirs in (
        ("--position", "--find", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"),
        ("--player", "--player", player),
    ):
        expected = ign("find", "a.ign", option, theirs, folder=tmp_path)
        assert expected and python("index_reader.py", "a.ign", ours, theirs, folder=tmp_path) == expected


def test_a_damaged_index_is_rejected(tmp_path):
    sample(tmp_path, "a.pgn", 20)
    pack(tmp_path, "a.ign", "a.pgn")
    ign("index", "a.ign", folder=tmp_path)
    index = tmp_path / "a.ign.idx"
    whole = index.read_bytes()
    for at in range(9, len(whole), len(whole) // 7):
        index.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        command = [sys.executable, FOLDER / "index_reader.py", "a.ign", "--verify"]
        assert subprocess.run(command, cwd=tmp_path, capture_output=True).returncode == 1


# ------------------------------------------------------------------- parity


def protected_archive(folder):
    sample(folder, "a.pgn", 100)
    pack(folder, "a.ign", "a.pgn")
    ign("parity", "a.ign", "5%", folder=folder)
    return (folder / "a.ign").read_bytes()


def damaged(data, places):
    data = bytearray(data)
    for at in places:
        data[at] ^= 0x55
    return bytes(data)


def test_as_many_shards_are_repaired_as_there_are_recovery_shards(tmp_path):
    data = protected_archive(tmp_path)
    ((parameters, _, _),) = parity_reader.chosen_sets(data)
    choose = random.Random(1)
    for _ in range(5):
        lost = choose.randrange(parameters.recovery + 1)
        places = [parameters.first + i * parameters.size for i in choose.sample(range(parameters.data - 1), lost)]
        recovery_lost = choose.sample(parameters.places()[1], parameters.recovery - lost)
        places += [at + choose.randrange(32 + parameters.size) for at in recovery_lost]
        places += [parameters.start + 20, len(data) - 1]  # a description, and the trailer
        assert parity_reader.repair(damaged(data, places)) == data
    shards = choose.sample(range(parameters.data - 1), parameters.recovery + 1)
    with pytest.raises(reader.Corrupt):
        parity_reader.repair(damaged(data, [parameters.first + i * parameters.size for i in shards]))


def test_parity_that_was_cut_off_is_written_again(tmp_path):
    data = protected_archive(tmp_path)
    (tmp_path / "cut.ign").write_bytes(data[:-60])
    python("parity_reader.py", "cut.ign", "--repair", "whole.ign", folder=tmp_path)
    assert (tmp_path / "whole.ign").read_bytes() == data


def test_each_set_repairs_its_bytes(tmp_path):
    protected_archive(tmp_path)
    sample(tmp_path, "b.pgn", 60, "--seed", 2)
    ign("append", "a.ign", "b.pgn", folder=tmp_path)
    ign("parity", "a.ign", "5%", folder=tmp_path)
    data = (tmp_path / "a.ign").read_bytes()
    sets = parity_reader.chosen_sets(data)
    assert len(sets) == 2
    places = [parameters.first + 100 for parameters, _, _ in sets]
    assert parity_reader.repair(damaged(data, places)) == data


# ----------------------------------------------------------------------- Go


@pytest.mark.parametrize("coding", ["ign", "weighted"])
def test_games_of_go_are_restored(tmp_path, coding):
    choose = random.Random(4)
    games = ["(;SZ[9]AB[aa][bb:cc]AW[ci];W[dd];B[];W[ee];W[ef];B[fe])\n(;SZ[18];B[pd];W[dp](;B[pp];W[dd])(;B[dd]))\n"]
    for size in (5, 18, 19):
        letters = "abcdefghijklmnopqrs"[:size]
        moves = (f";{'BW'[i % 2]}[{choose.choice(letters)}{choose.choice(letters)}]" for i in range(60))
        games.append(f"(;SZ[{size}]KM[0.5]{''.join(moves)})\n")
    (tmp_path / "a.sgf").write_text("".join(games))
    pack(tmp_path, "a.ign", "a.sgf", coding=coding)
    assert python("reader.py", "a.ign", folder=tmp_path) == "".join(games).encode()
    ign("index", "a.ign", folder=tmp_path)
    assert verify(tmp_path, "a.ign") == [5]
