"""The move model of format-spec.md §8.5 in integer arithmetic, for reader.py.

A position is one of reader.py's. The model uses its fields `board`, `white`, `castling`,
`en_passant`, `past` (the position before and the move that led here, None at the start) and
`ply` (the number of plies since the start). Names are those of the specification.
"""

from collections import namedtuple
from operator import add, mul

M64 = (1 << 64) - 1
ROLES = "PNBRQK"
STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
LINES = {"B": DIAGONAL, "R": STRAIGHT, "Q": STRAIGHT + DIAGONAL}
STEPS = {"N": KNIGHT, "K": STRAIGHT + DIAGONAL}
PROMOTION_ROWS, CASTLING_ROWS, END_ROW = 3786, 3882, 3884
CONTEXTS = (3885, 4317, 4893, 5277)

# role: 0 … 5; taken: captured role + 1, 0 for none; origin, to: squares, `to` being where a castling king lands.
PastMove = namedtuple("PastMove", "role taken origin to")


def starts(sizes, first=0):
    """The index of the first entry of each table, and the end of the last."""
    out = [first]
    for size in sizes:
        out.append(out[-1] + size)
    return out


def neighbour(square, step):
    file, rank = square % 8 + step[0], square // 8 + step[1]
    return file + 8 * rank if 0 <= file < 8 and 0 <= rank < 8 else None


def lines(board, square, steps):
    """The squares along lines, up to and including the first piece on each."""
    out = set()
    for step in steps:
        at = neighbour(square, step)
        while at is not None:
            out.add(at)
            at = None if board[at] else neighbour(at, step)
    return out


def attacks(board, role, square, white):
    """The squares that a piece attacks from `square`. With the other colour: the squares from which it attacks `square`."""
    if role in LINES:
        return lines(board, square, LINES[role])
    ahead = 1 if white else -1
    steps = STEPS.get(role, [(-1, ahead), (1, ahead)])
    return {to for to in (neighbour(square, step) for step in steps) if to is not None}


def distance(a, b):
    return max(abs(a % 8 - b % 8), abs(a // 8 - b // 8))


def aligned(a, b, c):
    (x, y), (u, v) = ((s % 8 - a % 8, s // 8 - a // 8) for s in (b, c))
    return x * v == y * u and (x == 0 or y == 0 or abs(x) == abs(y))


def own_rows():
    """The own row of each move of a role on an empty board, by role, turned origin and turned destination."""
    rows = {}
    for role in ROLES:
        for f in range(64):
            if role == "P":
                to = set()
                if 1 <= f // 8 <= 5:
                    to = {t for t in (neighbour(f, (side, 1)) for side in (-1, 0, 1)) if t is not None}
                    to |= {f + 16} if f // 8 == 1 else set()
            else:
                to = attacks([None] * 64, role, f, True)
            for t in sorted(to):
                rows[role, f, t] = len(rows)
    assert len(rows) == PROMOTION_ROWS
    return rows


OWN_ROWS = own_rows()


def frequency_table():  # §8.5.4
    first, table, power = 18374827034086858296, [], 1 << 64
    for i in range(2840):
        table.append(max(1, power >> 48))
        power = first if i == 0 else power * first >> 64
    return table


FREQUENCY = frequency_table()


class Side:
    """The attacks of one side: their number for each square, and the squares for each role."""

    def __init__(self, board, white):
        self.count = [0] * 64
        self.by = {role: set() for role in ROLES}
        for square, piece in enumerate(board):
            if piece and piece.isupper() == white:
                reach = attacks(board, piece.upper(), square, white)
                self.by[piece.upper()] |= reach
                for to in reach:
                    self.count[to] += 1

    def cheaper(self, role):
        """The squares attacked by pieces cheaper than `role`."""
        cheap = {"P": "", "N": "P", "B": "P", "R": "PNB", "Q": "PNBR", "K": ROLES}[role]
        return set().union(*(self.by[r] for r in cheap))

    def class_of(self, square):
        """The class of the cheapest attacker of a square, 0 if there is none."""
        for number, roles in enumerate(("P", "NB", "R", "Q", "K"), 1):
            if any(square in self.by[role] for role in roles):
                return number
        return 0


def attacked_en_passant(position):
    """The en passant square, if a pawn attacks it."""
    square = position.en_passant
    if square is None:
        return None
    from_where = attacks(position.board, "P", square, not position.white)
    pawn = "P" if position.white else "p"
    return square if any(position.board[s] == pawn for s in from_where) else None


def key(position):
    """The key of a position, §8.5.2."""
    board = position.board
    words = [sum(1 << s for s in range(64) if (board[s] or "").upper() == role) for role in ROLES]
    words.append(sum(1 << s for s in range(64) if board[s] and board[s].isupper() == position.white))
    words.append(sum(1 << s for s in range(64) if board[s]))
    words.append(sum(1 << s for s in position.castling))
    square = attacked_en_passant(position)
    words.append(0 if square is None else 1 << square)
    value = 0x9E3779B97F4A7C15
    for word in words:
        value = (value ^ word) * 0x9E3779B97F4A7C15 & M64
        value ^= value >> 29
    return value


def landing(move):
    """The square on which the piece lands; for castling, that of the king."""
    origin, to, _, rook = move
    if rook is None:
        return to
    return origin // 8 * 8 + (6 if rook > origin else 2)


def past_move_of(position, move):
    """A move as the model uses it. A drop is a move from its square to the same square."""
    origin, to, promotion, rook = move
    if origin is None:
        return PastMove(ROLES.index(promotion), 0, to, to)
    piece, taken = position.board[origin].upper(), 0
    if rook is None and position.board[to]:
        taken = ROLES.index(position.board[to].upper()) + 1
    elif piece == "P" and to == position.en_passant:
        taken = 1
    return PastMove(ROLES.index(promotion or piece), taken, origin, landing(move))


def go_back(position, plies):
    """The position this many plies earlier, or None."""
    for _ in range(plies):
        if position.past is None:
            return None
        position = position.past[0]
    return position


class Model:
    def __init__(self, data):
        """From the data of the model, §8.5.1."""
        self.styles, self.opening_bits = data[:2]
        if not 1 <= self.styles <= 16 or self.opening_bits > 17:
            raise ValueError("a move model of an unknown shape")
        openings = (1 << self.opening_bits) + 1
        self.table = starts(
            (10368, 147840, 192, 2688, 147840, 288, 1152, 1152, 193, openings, 84, 384, 540, 720),
        )
        self.end_table = starts((150, 64 * self.styles, 30, 66), self.table[-1])
        p = memoryview(data)[2:].cast("b")
        count = 4402 + self.styles
        self.inputs = [p[256 * i : 256 * i + 256] for i in range(count)]
        at = 256 * count
        self.biases = p[at : at + 256]
        at += 256
        self.rows = [p[at + 128 * i : at + 128 * i + 128] for i in range(5661)]
        at += 128 * 5661
        self.row_biases = p[at : at + 5661]
        self.tables = p[at + 5661 :]
        if len(self.tables) != self.end_table[-1]:
            raise ValueError("a move model is cut off or too long")

    def frequencies(self, position, moves, style):
        """The frequencies of the legal moves and of the end; empty if there are no moves."""
        if not moves:
            return []
        features = Features(position, self)
        hidden = [2 * bias for bias in self.biases]
        for number in features.inputs(style):
            hidden = list(map(add, hidden, self.inputs[number]))
        cut = [min(max(u, 0), 128) for u in hidden]
        active = [a * b + 64 >> 7 for a, b in zip(cut[:128], cut[128:])]
        choices = [features.choice(move) for move in moves] + [features.end(style)]
        scores = [self.score(active, rows, traits) for rows, traits in choices]
        highest, many = max(scores), len(scores) > 255
        frequencies = [FREQUENCY[min((highest - score) // 32, 2839)] for score in scores]
        return [max(1, frequency // 8) for frequency in frequencies] if many else frequencies

    def score(self, active, rows, traits):  # §8.5.3
        sums = self.rows[rows[0]]
        for row in rows[1:]:
            sums = list(map(add, sums, self.rows[row]))
            if max(sums) > 127 or min(sums) < -128:
                sums = [min(max(s, -128), 127) for s in sums]
        from_tables = self.row_biases[rows[0]] + sum(self.tables[entry] for entry in traits)
        return sum(map(mul, active, sums)) + 256 * from_tables


class Features:  # §8.5.2
    """The features of a position, and of its choices."""

    def __init__(self, position, model):
        self.position, self.model = position, model
        self.board, self.white = position.board, position.white
        board, white = self.board, self.white
        self.turn = 0 if white else 56
        self.own_side, self.enemy = Side(board, white), Side(board, not white)
        self.own_king, self.enemy_king = (board.index("K" if w else "k") for w in (white, not white))
        count = {role: sum((p or "").upper() == role for p in board) for role in ROLES}
        self.weight = count["N"] + count["B"] + 2 * count["R"] + 4 * count["Q"]
        self.phase = 0 if self.weight >= 18 else 1 if self.weight >= 8 else 2
        self.last, self.own, self.before = (self.past_move(plies) for plies in (1, 2, 3))
        self.key = key(position)
        past = go_back(position, 4)
        self.repeated = past is not None and key(past) == self.key
        self.en_passant = attacked_en_passant(position)
        own_pieces = [(s, p.upper()) for s, p in enumerate(board) if p and p.isupper() == white]
        self.hanging, self.hanging_squares = 0, set()
        for number, roles in ((4, "Q"), (3, "R"), (2, "NB"), (1, "P")):
            cheaper = self.enemy.cheaper(roles[0])
            for square, role in own_pieces:
                unguarded = self.enemy.count[square] and not self.own_side.count[square]
                if role in roles and (unguarded or square in cheaper):
                    self.hanging, self.hanging_squares = number, self.hanging_squares | {square}
            if self.hanging:
                break
        # The squares from which each role would attack its targets: king, queens, rooks, minors, unguarded pieces.
        targets = {kind: [] for kind in "KQRMU"}
        for square, piece in enumerate(board):
            if piece and piece.isupper() != white and piece.upper() != "P":
                role = piece.upper()
                targets["M" if role in "NB" else role].append(square)
                if role != "K" and not self.enemy.count[square]:
                    targets["U"].append(square)
        self.aims = {
            role: {kind: set().union(*(self.attacking_squares(role, s) for s in squares)) for kind, squares in targets.items()}
            for role in "PNBRQ"
        }
        self.aims["K"] = {kind: set() for kind in targets}
        last = self.last
        self.aims_last = {role: self.attacking_squares(role, last.to) if last else set() for role in ROLES}
        self.last_attacks = attacks(board, ROLES[last.role], last.to, not white) if last else set()
        self.checker = 0
        for square, piece in reversed(list(enumerate(board))):
            if piece and piece.isupper() != white:
                if self.own_king in attacks(board, piece.upper(), square, not white):
                    self.checker = ROLES.index(piece.upper()) + 1
        # Own pieces that shield the enemy king from an own slider.
        self.shields = set()
        for step in STRAIGHT + DIAGONAL:
            seen, at = [], neighbour(self.enemy_king, step)
            while at is not None and len(seen) < 2:
                seen += [at] if board[at] else []
                at = neighbour(at, step)
            if len(seen) == 2 and all(board[s].isupper() == white for s in seen):
                if step in LINES.get(board[seen[1]].upper(), []):
                    self.shields.add(seen[0])

    def past_move(self, plies):
        position = go_back(self.position, plies)
        if position is None:
            return None
        move = go_back(self.position, plies - 1).past[1]
        # A null move counts as one that was not played.
        return None if move[0] == move[1] else past_move_of(position, move)

    def attacking_squares(self, role, target):
        """The squares from which an own piece of this role attacks `target`."""
        return attacks(self.board, role, target, not self.white)

    def landed(self, past_move):
        return 384 if past_move is None else past_move.role * 64 + (past_move.to ^ self.turn)

    def inputs(self, style):
        turn = self.turn
        for square, piece in enumerate(self.board):
            if piece:
                role, is_own = piece.upper(), piece.isupper() == self.white
                defenders, attackers = (self.own_side, self.enemy) if is_own else (self.enemy, self.own_side)
                guarded = defenders.count[square] > 0 and square not in attackers.cheaper(role)
                number = ROLES.index(role) + (0 if is_own else 6)
                yield (number * 64 + (square ^ turn)) * 4 + 2 * (attackers.count[square] > 0) + guarded
        if self.last:
            yield 3072 + self.landed(self.last)
            yield 3456 + (self.last.origin ^ turn)
            yield 3520 + self.last.taken
        if self.own:
            yield 3527 + self.landed(self.own)
            yield 3911 + (self.own.origin ^ turn)
        if self.before:
            yield 3975 + self.landed(self.before)
        for rook in self.position.castling:
            is_own = self.board[rook].isupper() == self.white
            king = self.own_king if is_own else self.enemy_king
            yield 4359 + 2 * (not is_own) + (rook < king)
        if self.en_passant is not None:
            yield 4363 + self.en_passant % 8
        if self.checker:
            yield 4371
        if self.repeated:
            yield 4372
        p = self.position.ply
        if p < 16:
            yield 4373 + p // 2
        elif p < 32:
            yield 4373 + 8 + (p - 16) // 8
        elif p < 128:
            yield 4373 + 10 + (p - 32) // 24
        else:
            yield 4373 + (14 if p < 200 else 15)
        yield 4389 + min(self.weight // 2, 12)
        yield 4402 + style

    def choice(self, move):
        """The rows and the trait entries of a move."""
        f, _, promotion, rook = move
        t, role = landing(move), self.board[f].upper()
        r, turn = ROLES.index(role), self.turn
        v = 0
        if rook is None:
            v = past_move_of(self.position, move).taken
        h, risk = self.enemy.class_of(t), 2 * self.enemy.class_of(f) + (self.own_side.count[f] > 0)
        ahead = role == "P" and f % 8 == t % 8
        g = int(self.own_side.count[t] >= (1 if ahead else 2))
        cap, hit = int(v > 0), int(h > 0)
        aims = self.aims[promotion or role]
        discovers = f in self.shields and not aligned(self.enemy_king, f, t)
        check = (t in aims["K"]) + 2 * discovers
        aim = (t in aims["Q"]) + 2 * (t in aims["R"]) + 4 * (t in aims["M"]) + 8 * (t in aims["U"])
        last, own, before = self.last, self.own, self.before
        relation = (
            (last is not None and t == last.to and cap)
            + 2 * (f in self.last_attacks)
            + 4 * (t in self.aims_last[role])
            + 8 * (t in self.last_attacks)
        )
        same, back = (own is not None and f == own.to), (own is not None and t == own.origin)
        undone = None not in (before, last) and before.origin == last.to and before.to == last.origin
        saves = f in self.hanging_squares
        dk, do = (lambda s: distance(s, self.enemy_king)), (lambda s: distance(s, self.own_king))
        promo = " BNQR".index(promotion or " ")
        x, T, phase = (v * 6 + h) * 2 + g, t ^ turn, self.phase
        pawn = opening = 0
        if role == "P":
            enemies = (s for s, p in enumerate(self.board) if p == ("p" if self.white else "P"))
            passed = not any(abs(s % 8 - t % 8) <= 1 and (s ^ turn) // 8 > T // 8 for s in enemies)
            pawn = 1 + (((T // 8 * 2 + passed) * 3 + phase) * 2 + hit) * 2 + g
        if self.position.ply < 40:
            opening = 1 + (((self.key ^ 64 * f + t) * 0xD6E8FEB86659FD93 & M64) >> 64 - self.model.opening_bits)
        last_kind = 0 if last is None else (last.role + 1) * 2 + (last.taken > 0)
        entries = (
            ((r * 72 + x) * 12 + risk) * 2 + (check > 0),
            self.landed(last) * 384 + r * 64 + T,
            (((r * 4 + check) * 2 + hit) * 2 + g) * 2 + cap,
            ((last_kind * 16 + relation) * 6 + r) * 2 + hit,
            self.landed(own) * 384 + r * 64 + T,
            ((((r * 2 + same) * 2 + back) * 2 + undone) * 2 + self.repeated) * 3 + phase,
            (r * 64 + dk(f) * 8 + dk(t)) * 3 + phase,
            (r * 64 + do(f) * 8 + do(t)) * 3 + phase,
            pawn,
            opening,
            (self.checker * 6 + r) * 2 + (self.checker > 0 and cap),
            ((r * 16 + aim) * 2 + hit) * 2 + cap,
            ((phase * 6 + r) * 6 + v) * 5 + promo,
            (((self.hanging * 2 + saves) * 6 + v) * 2 + (check > 0)) * 6 + r,
        )
        if promotion:
            row = PROMOTION_ROWS + (f % 8 * 3 + t % 8 + 1 - f % 8) * 4 + promo - 1
        elif rook is not None:
            row = CASTLING_ROWS + (t < f)
        else:
            row = OWN_ROWS[role, f ^ turn, T]
        contexts = (
            r * 72 + x,
            ((r * 4 + check) * 12 + risk) * 2 + saves,
            ((r * 16 + relation) * 2 + same) * 2 + back,
            (r * 16 + aim) * 4 + min(dk(t) - 1, 3),
        )
        rows = [row] + [first + number for first, number in zip(CONTEXTS, contexts)]
        return rows, [table + entry for table, entry in zip(self.model.table, entries)]

    def end(self, style):
        """The rows and the trait entries of the end of the game."""
        worth = dict(zip(ROLES, (1, 3, 3, 5, 9, 0)))
        pieces = [p for p in self.board if p]
        a = sum(worth[p.upper()] * (1 if p.isupper() == self.white else -1) for p in pieces)
        ply = self.position.ply
        entries = (
            ((min(max(a, -12), 12) + 12) * 3 + self.phase) * 2 + (self.checker > 0),
            min(ply // 4, 63) * self.model.styles + style,
            (self.repeated * 5 + self.hanging) * 3 + self.phase,
            min(len(pieces), 32) * 2 + ply % 2,
        )
        return [END_ROW], [table + entry for table, entry in zip(self.model.end_table, entries)]
