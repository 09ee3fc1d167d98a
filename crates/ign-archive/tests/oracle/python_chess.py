"""Answers queries with python-chess.

Usage: python_chess.py GAMES.pgn QUERIES

A query is a line of conditions `name=value`, separated by tabs; a game matches if it meets all of them.
The answer is a line with the numbers of the games that match, from 1.
"""

import collections
import sys

import chess
import chess.pgn


def key(board):
    """What the positions of a game are compared by."""
    passing = board.ep_square if board.has_legal_en_passant() else None
    return board.board_fen(), board.turn, board.clean_castling_rights(), passing


def material(board):
    def side(color):
        pieces = zip("KQRBNP", [chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN])
        return "".join(letter * len(board.pieces(piece, color)) for letter, piece in pieces)

    return side(chess.WHITE) + "-" + side(chess.BLACK)


class Game:
    def __init__(self, game):
        board = game.board()
        self.tags = game.headers
        self.is_standard = board.fen() == chess.STARTING_FEN
        self.keys = [key(board)]
        self.boards = [board.board_fen()]
        self.material = [material(board)]
        self.counts = [collections.Counter(map(str, board.piece_map().values()))]
        self.moves = []
        self.repetition = False
        idle = board.halfmove_clock
        self.fifty_moves = idle >= 100 and bool(game.variations)
        for move in game.mainline_moves():
            idle = 0 if board.is_zeroing(move) else idle + 1
            self.moves.append(move.uci())
            board.push(move)
            self.fifty_moves |= idle >= 100
            self.repetition |= board.is_repetition(3)
            self.keys.append(key(board))
            self.boards.append(board.board_fen())
            self.material.append(material(board))
            self.counts.append(collections.Counter(map(str, board.piece_map().values())))

    def has_sequence(self, stages, start=0):
        """Whether the positions from `start` on have runs that meet the stages, one after another."""
        if not stages:
            return True
        name, value, lasting = stages[0]
        value = value.split()[0] if name == "board" else value
        met = [value == held for held in (self.boards if name == "board" else self.material)]
        lasting = int(lasting)
        return any(
            all(met[first : first + lasting]) and self.has_sequence(stages[1:], first + lasting)
            for first in range(start, len(met) - lasting + 1)
        )

    def holds(self, name, value):
        if name == "exclude":
            return not self.holds(*value.split("=", 1))
        if name == "counts":
            wanted = [part.split("=") for part in value.split(",")]
            wanted = [(letters, *map(int, ends.split(".."))) for letters, ends in wanted]
            return any(
                all(least <= sum(counts[letter] for letter in letters) <= most for letters, least, most in wanted)
                for counts in self.counts
            )
        if name == "sequence":
            return self.has_sequence([stage.split("#") for stage in value.split("|")])
        if name == "position":
            board = chess.Board(value, chess960=True)
            return key(board) in self.keys
        if name == "board":
            return value in self.boards
        if name == "final":
            return value == self.boards[-1]
        if name == "material":
            return value in self.material
        if name == "opening":
            moves = value.split()
            return self.is_standard and self.moves[: len(moves)] == moves
        if name == "plies":
            least, greatest = value.split("..")
            return int(least) <= len(self.moves) <= int(greatest)
        if name == "repetition":
            return self.repetition
        if name == "fifty_moves":
            return self.fifty_moves
        if name == "white":
            return self.tags.get("White", "").lower() == value.lower()
        if name == "result":
            return self.tags.get("Result") == value
        raise ValueError(name)


def main():
    games = []
    with open(sys.argv[1], encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            if game.errors:
                raise ValueError(game.errors)
            games.append(Game(game))
    with open(sys.argv[2], encoding="utf-8") as file:
        for line in file:
            conditions = [condition.split("=", 1) for condition in line.rstrip("\n").split("\t")]
            found = [
                number
                for number, game in enumerate(games, 1)
                if all(game.holds(name, value) for name, value in conditions)
            ]
            print(*found)


main()
