"""Does berserk, Lichess's client for Python, work against `ign serve`?

    python tools/explorer_client.py target/release/ign

Generates games, serves them, and calls every function of berserk's opening explorer.
"""

import io
import subprocess
import sys
import tempfile
from pathlib import Path

import berserk
import chess.pgn
import requests

GAMES = 2000


def main(ign: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        pgn, archive = Path(folder, "games.pgn"), Path(folder, "games.ign")
        run = lambda *args: subprocess.run([ign, *args], check=True)
        run("sample", "-q", "--games", str(GAMES), "--seed", "1", "-o", str(pgn))
        run("pack", "-q", str(pgn))
        run("index", "-q", str(archive))
        server = subprocess.Popen(
            [ign, "serve", "-q", "--port", "0", str(archive)], stdout=subprocess.PIPE, text=True
        )
        try:
            check(server.stdout.readline().strip(), pgn.read_text())
        finally:
            server.terminate()
        assert server.wait(20) == 0, "the server did not stop"
    print("berserk: all functions of the opening explorer work")


def check(address: str, text: str) -> None:
    games, stream = [], io.StringIO(text)
    while game := chess.pgn.read_game(stream):
        games.append(game)
    assert len(games) == GAMES
    # Games without moves do not count.
    games = [game for game in games if any(game.mainline_moves())]
    explorer = berserk.clients.OpeningExplorer(requests.Session(), address)

    total = lambda answer: (answer["white"], answer["draws"], answer["black"])
    results = ("1-0", "1/2-1/2", "0-1")
    count = lambda some: tuple(sum(g.headers["Result"] == r for g in some) for r in results)

    def starts(game: chess.pgn.Game, *moves: str) -> bool:
        played = [move.uci() for move in game.mainline_moves()]
        return played[: len(moves)] == list(moves)

    assert total(explorer.get_lichess_games()) == count(games)

    # One move cannot be reached in another order.
    king_pawn = [game for game in games if starts(game, "e2e4")]
    answer = explorer.get_lichess_games(
        play=["e2e4"], moves=3, top_games=2, recent_games=1, history=True
    )
    assert total(answer) == count(king_pawn)
    assert len(answer["moves"]) == 3 and len(answer["topGames"]) == 2
    assert sum(total(month)[0] for month in answer["history"]) == answer["white"]

    fast = lambda game: sum(
        weight * int(part)
        for weight, part in zip((1, 40), game.headers["TimeControl"].split("+"))
    )
    blitz = [game for game in king_pawn if 180 <= fast(game) < 480]
    answer = explorer.get_lichess_games(
        position="rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        speeds=["blitz"],
        since="1952-01",
        until="2030-12",
    )
    assert total(answer) == count(blitz)

    def group(game: chess.pgn.Game) -> bool:
        mean = (int(game.headers["WhiteElo"]) + int(game.headers["BlackElo"])) // 2
        return 1600 <= mean < 2000

    answer = explorer.get_lichess_games(play=["e2e4"], ratings=["1600", "1800"])
    assert total(answer) == count([game for game in king_pawn if group(game)])

    answer = explorer.get_masters_games(play=["e2e4"], since=1990, until=2030, top_games=15)
    assert total(answer) == count(king_pawn)
    game = explorer.get_otb_master_game(answer["topGames"][0]["id"])
    assert answer["topGames"][0]["white"]["name"] in game

    name = games[0].headers["White"]
    answer = explorer.get_player_games(name, "white", history=False)
    assert total(answer) == count([g for g in games if g.headers["White"] == name])
    assert all(game["white"]["name"] == name for game in answer["recentGames"])

    try:
        explorer.get_lichess_games(position="no position")
    except berserk.exceptions.ResponseError as error:
        assert error.status_code == 400, error
    else:
        raise AssertionError("a broken FEN is accepted")


if __name__ == "__main__":
    main(sys.argv[1])
