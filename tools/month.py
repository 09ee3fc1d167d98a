"""How do times, memory and bytes grow with the number of games?

    python tools/month.py target/release/ign target/month 1000000 10000000

For each number: games of `ign sample` are packed and indexed in the folder, if they are not there yet. Then 100
questions of each kind are asked, each by a whole process, and `ign serve` answers requests of 32 connections. Prints
the table of docs/scale.md: medians, and the 99th percentiles in parentheses.
"""

import http.client
import io
import os
import random
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse
from pathlib import Path

import chess.pgn

QUESTIONS = 100
CONNECTIONS = 32
REQUESTS = 50


def main(ign: str, folder: Path, counts: list[int]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    columns = {games: measure(ign, folder / f"{games}.ign", games) for games in counts}
    names = list(dict.fromkeys(name for column in columns.values() for name in column))
    print("| | " + " | ".join(f"{games:,} games" for games in counts) + " |")
    print("| --- |" + " ---: |" * len(counts))
    for name in names:
        print(f"| {name} | " + " | ".join(columns[games].get(name, "") for games in counts) + " |")


def measure(ign: str, archive: Path, games: int) -> dict[str, str]:
    index = Path(f"{archive}.idx")
    made = {}
    if not archive.exists():
        text = subprocess.Popen(
            [ign, "sample", "-q", "--games", str(games)], stdout=subprocess.PIPE
        )
        made["`sample` and `pack`"] = cost([ign, "pack", "-q", "-", "-o", archive, "--coding", "ign"], text.stdout)
    made["`unpack`"] = cost([ign, "unpack", "-q", "-c", archive])
    if not index.exists():
        made["`index`"] = cost([ign, "index", "-q", archive])
    made["bytes a game: archive, index"] = (
        f"{archive.stat().st_size / games:.1f}, {index.stat().st_size / games:.1f}"
    )
    for name, questions in asked(ign, archive, games).items():
        commands = ([ign, *question[:1], str(archive), *question[1:]] for question in questions)
        made[name] = times([seconds(command) for command in commands])
    made[f"HTTP, {CONNECTIONS} connections: after 1. e4, 2 rating groups, a speed"] = served(ign, archive)
    return made


def asked(ign: str, archive: Path, games: int) -> dict[str, list[list[str]]]:
    """Commands without the archive, by the kind of question."""
    random.seed(1)
    numbers = random.sample(range(1, games + 1), QUESTIONS)
    text = subprocess.run(
        [ign, "get", "-q", str(archive), *map(str, numbers)], stdout=subprocess.PIPE, check=True, text=True
    ).stdout
    stream = io.StringIO(text)
    read = list(iter(lambda: chess.pgn.read_game(stream), None))
    boards = [list(game.mainline_moves()) for game in read]

    def fens(first: int, last: int) -> list[str]:
        found = []
        for moves in boards:
            if len(moves) >= first:
                board = chess.Board()
                for move in moves[: random.randint(first, min(last, len(moves)))]:
                    board.push(move)
                found.append(board.epd(en_passant="legal"))
        return found

    groups = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500]
    speeds = ["bullet", "blitz", "rapid", "classical"]
    early = fens(0, 6)
    kinds = {
        "a game": [["get", "-q", str(number)] for number in numbers],
        "moves played from the starting position": [["tree"]] * QUESTIONS,
        "the same with a rating group and a speed": [
            ["tree", "--mean-elo", f"{low}..{low + 199}", "--speed", random.choice(speeds)]
            for low in random.choices(groups[2:7], k=QUESTIONS)
        ],
        "the same with ratings that are no group": [["tree", "--mean-elo", "1650..1999"]] * QUESTIONS,
        "moves played from a position of plies 0 to 6": [["tree", "--position", fen] for fen in early],
        "of plies 20 to 39": [["tree", "--position", fen] for fen in fens(20, 39)],
        "games with a position of plies 20 to 39": [
            ["find", "--count", "--position", fen] for fen in fens(20, 39)
        ],
        "of plies 70 to 119": [["find", "--count", "--position", fen] for fen in fens(70, 119)],
        "a player": [["find", "--count", "--player", game.headers["White"]] for game in read],
        "ratings, speed and days": [
            ["find", "--count", "--elo", "2200..", "--speed", speed, "--date", "2013-01-10..2013-01-20"]
            for speed in random.choices(speeds, k=QUESTIONS)
        ],
        "material with ratings": [
            ["find", "--count", "--material", material, "--elo", "1800.."]
            for material in random.choices(["KRPKR", "KPK", "KRPPKRP", "KBPKN", "KQPKQ"], k=QUESTIONS)
        ],
        "checkmates with ratings": [["find", "--count", "--ending", "checkmate", "--elo", "2200.."]] * QUESTIONS,
    }
    return {name: questions[:QUESTIONS] for name, questions in kinds.items()}


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    status = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
    taken = time.perf_counter() - start
    assert status in (0, 1), command
    return taken


def times(all_seconds: list[float]) -> str:
    ordered = sorted(all_seconds)
    last = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
    return f"{1000 * statistics.median(ordered):.1f} ms ({1000 * last:.0f})"


def cost(command: list, stdin=None) -> str:
    """Seconds of a command, and its largest memory."""
    start = time.perf_counter()
    process = subprocess.Popen(list(map(str, command)), stdin=stdin, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return f"{time.perf_counter() - start:.1f} s, {usage.ru_maxrss / 1024:,.0f} MB"


def served(ign: str, archive: Path) -> str:
    server = subprocess.Popen(
        [ign, "serve", "-q", "--port", "0", str(archive)], stdout=subprocess.PIPE, text=True
    )
    taken, failed = [], []

    def client(seed: int) -> None:
        choice = random.Random(seed)
        connection = http.client.HTTPConnection(host, timeout=60)
        for _ in range(REQUESTS):
            low = choice.choice([1000, 1200, 1400, 1600, 1800, 2000])
            path = "/lichess?" + urllib.parse.urlencode(
                {
                    "play": "e2e4" + choice.choice(["", ",e7e5", ",c7c5", ",e7e6"]),
                    "ratings": f"{low},{low + 200}",
                    "speeds": choice.choice(["bullet", "blitz", "rapid"]),
                    "topGames": 0,
                    "recentGames": 0,
                }
            )
            start = time.perf_counter()
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            taken.append(time.perf_counter() - start)
            if answer.status != 200:
                failed.append(path)

    try:
        host = urllib.parse.urlsplit(server.stdout.readline().strip()).netloc
        clients = [threading.Thread(target=client, args=(seed,)) for seed in range(CONNECTIONS)]
        for thread in clients:
            thread.start()
        for thread in clients:
            thread.join()
    finally:
        server.terminate()
        server.wait(20)
    assert not failed and len(taken) == CONNECTIONS * REQUESTS, failed[:3]
    return times(taken)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), [int(count) for count in sys.argv[3:]])
