"""The move model of Go, format-spec.md §14.7: the frequencies of the legal moves of a position.

A part of reader.py. A board has `rows`, `columns`, `stones` (a map from points to colours), `turn` and
`history`, the moves that led to it; a point is (row, column), a pass is None.
"""

import functools
import itertools

M64 = (1 << 64) - 1
SIZES = (1 << 16, 1 << 15, 1 << 17, 212, 212, 212, 472, 600, 35, 1 << 16, 1 << 18)  # §14.7.2
STARTS = list(itertools.accumulate(SIZES, initial=0))

EIGHT = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
STEPS = EIGHT + [(-2, 0), (0, -2), (0, 2), (2, 0)]  # §14.7.1
STEPS += [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]
AROUND = ((-1, 0), (0, -1), (0, 1), (1, 0))


def mapped(symmetry, step):
    row, column = step
    if symmetry & 1:
        row, column = column, row
    return -row if symmetry & 2 else row, -column if symmetry & 4 else column


#: For each symmetry, where the two bits of each point of a neighbourhood move to.
PLACES = [[STEPS.index(mapped(symmetry, step)) for step in STEPS] for symmetry in range(8)]


@functools.cache
def turned(symmetry, code):
    return sum((code >> 2 * i & 3) << 2 * place for i, place in enumerate(PLACES[symmetry]))


@functools.cache
def canonical(code):
    return min((turned(symmetry, code) for symmetry in range(8)), key=lambda c: (c & 0xFFFF, c))


def hashed(number, bits):
    return (number * 0x9E3779B97F4A7C15 & M64) >> 64 - bits


def powers():
    """F[0] to F[244]."""
    p, p1 = 1 << 64, 17329112349219823218
    for d in range(245):
        yield max(1, (p << 22) >> 64)
        p = p * p1 >> 64 if d else p1


F = list(powers())


def triangle(rows, columns, most):
    larger, smaller = sorted((min(rows, most), min(columns, most)), reverse=True)
    return larger * (larger + 1) // 2 + smaller


def class_of(count, bounds):
    return sum(count >= bound for bound in bounds)


class GoModel:
    def __init__(self, parameters):
        self.parameters = [byte - 256 if byte > 127 else byte for byte in parameters]
        assert len(self.parameters) == STARTS[-1]

    def frequencies(self, board, legal):
        scores = [sum(self.parameters[at + entry] for at, entry in zip(STARTS, e)) for e in Features(board).of(legal)]
        best = max(scores)
        f = [F[min(244, best - score)] for score in scores]
        h = 0
        while (sum(f) >> h) + len(f) >= 1 << 24:
            h += 1
        return [max(1, frequency >> h) for frequency in f]


class Features:
    def __init__(self, board):
        self.board, self.stones = board, board.stones
        self.last = [*reversed(board.history[-6:]), None, None, None][:6]
        self.phase = class_of(len(board.history), (4, 10, 24, 50, 90, 150, 210))
        self.chains = {}
        for point in self.stones:
            if point not in self.chains:
                chain = board.chain(point)
                self.chains.update(dict.fromkeys(chain[0], chain))
        self.corners = {}

    def of(self, legal):
        """The entries of each move, one for each table."""
        for move in legal:
            if move is None:
                passed = bool(self.board.history) and self.board.history[-1] is None
                yield (0,) * 6 + (8 * (57 if passed else 55) + self.phase,) + (0,) * 4
            else:
                yield self.of_point(move)

    def code(self, point):
        code = 0
        for i, (rows, columns) in enumerate(STEPS):
            row, column = point[0] + rows, point[1] + columns
            inside = 0 <= row < self.board.rows and 0 <= column < self.board.columns
            color = self.stones.get((row, column))
            code |= (3 if not inside else 0 if color is None else 1 if color == self.board.turn else 2) << 2 * i
        return code

    def of_point(self, point):
        c, (row, column), board = canonical(self.code(point)), point, self.board
        entries = [c & 0xFFFF, hashed(c & 0xFFFFFF, 15), hashed(c, 17)]
        for last in self.last[:3]:
            away = last and triangle(abs(last[0] - row), abs(last[1] - column), 19)
            entries.append(211 if away is None else away)
        to_edges = min(row, board.rows - 1 - row), min(column, board.columns - 1 - column)
        entries.append(8 * triangle(*to_edges, 9) + self.phase)
        f, t, k, s = self.tactics(point)
        is_near = self.last[0] is not None and abs(self.last[0][0] - row) + abs(self.last[0][1] - column) == 1
        entries.append((((f * 3 + t) * 5 + k) * 4 + s) * 2 + is_near)
        a = self.last.index(point) + 1 if point in self.last else 0
        return (*entries, 5 * a + k, self.answer(point), self.corner(point))

    def tactics(self, point):
        """f, t, k and s of table 7."""
        f = t = k = s = 0
        neighbours = list(self.board.around(point))
        f += sum(near not in self.stones for near in neighbours)
        seen = []
        for near in neighbours:
            chain = self.chains.get(near)
            if chain is None or any(chain is other for other in seen):
                continue
            seen.append(chain)
            size, liberties = len(chain[0]), len(chain[1])
            if self.stones[near] == self.board.turn:
                f += liberties - 1
                s += size if liberties == 1 else 0
            else:
                f += liberties == 1
                t += size if liberties == 2 else 0
                k += size if liberties == 1 else 0
        return min(f, 4), min(t, 2), class_of(k, (1, 2, 3, 6)), class_of(s, (1, 2, 4))

    def answer(self, point):
        """The entry of table 9."""
        last = self.last[0]
        step = last and (point[0] - last[0], point[1] - last[1])
        if not step or max(map(abs, step)) > 4:
            return 0
        code = self.code(last) & 0xFFFF
        steps = [(symmetry, *mapped(symmetry, step)) for symmetry in range(8)]
        m = min(turned(symmetry, code) * 256 + 8 * r + c for symmetry, r, c in steps if r >= c >= 0)
        return 1 + hashed(m, 16) % ((1 << 16) - 1)

    def corner(self, point):
        """The entry of table 10."""
        rows, columns = self.board.rows, self.board.columns
        bottom, right = 2 * point[0] >= rows, 2 * point[1] >= columns
        row, column = rows - 1 - point[0] if bottom else point[0], columns - 1 - point[1] if right else point[1]
        if max(row, column) > 8:
            return 0
        if min(rows, columns) < 18:
            return 1
        if (bottom, right) not in self.corners:
            self.corners[bottom, right] = self.sums_of_corner(bottom, right)
        sums = self.corners[bottom, right]
        if sums is None:
            return 1
        a, b = sums
        if a > b or a == b and column < row:
            a, row, column = b, column, row
        x = a ^ (9 * row + column + 1) << 50 & M64
        return 2 + hashed(x ^ x >> 23, 18) % ((1 << 18) - 2)

    def sums_of_corner(self, bottom, right):
        """A and B, or None if the corner has more than 24 stones."""
        a = b = count = 0
        for (row, column), color in self.stones.items():
            row = self.board.rows - 1 - row if bottom else row
            column = self.board.columns - 1 - column if right else column
            if max(row, column) <= 8:
                own, count = color == self.board.turn, count + 1
                a += mixed(9 * row + column, own)
                b += mixed(9 * column + row, own)
        return None if count > 24 else (a & M64, b & M64)


def mixed(place, own):
    m = (2 * place + own + 1) * 0xD6E8FEB86659FD93 & M64
    return (m ^ m >> 29) * (m | 1) & M64
