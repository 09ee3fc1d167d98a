#!/usr/bin/env python3
"""Restores the text of an .ign archive: a reader written from format-spec.md alone.

    python3 reader.py archive.ign > games.pgn      writes the whole text
    python3 reader.py --verify archive.ign         only checks it
    python3 reader.py --known-answers              prints the sums of the published models, §8.7

It shares no code with the program and uses other algorithms where there is a choice (lists of
moves, Python's integers), so that the two can be compared. It is slow, and meant to be read
together with the specification: section numbers in comments are those of format-spec.md.

Compressed streams need the package `zstandard` (pip install zstandard); everything else is in
the standard library. The published files, which format-spec.md lists, are read from
../crates/ign-format/src: the opening books, and the models unless the archive holds them. Weighted moves need move_model.py, and decode
at two or three games per second, plain ones at some sixteen. Those of Go need go_model.py.
"""

import bisect
import collections
import copy
import functools
import hashlib
import itertools
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import go_model  # in this folder
import move_model

try:
    import zstandard
except ImportError:
    zstandard = None


class Corrupt(Exception):
    """The archive violates the specification."""


def must(condition, what):
    if not condition:
        raise Corrupt(what)


def decompress(frame, size):
    """The content of a Zstandard frame, which must have `size` bytes."""
    if zstandard is None:
        sys.exit("reader.py: this archive has compressed streams: pip install zstandard")
    must(zstandard.frame_content_size(frame) == size, "the length of a stream differs from the directory")
    return zstandard.ZstdDecompressor().decompress(frame, max_output_size=size)


# --------------------------------------------------- checksums and integers, §1

M64 = (1 << 64) - 1
P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P4, P5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def rotl(x, r):
    return (x << r | x >> (64 - r)) & M64


def xxh_round(acc, x):
    return rotl((acc + x * P2) & M64, 31) * P1 & M64


def xxh64(data):  # §1.2
    at = 0
    if len(data) >= 32:
        v = [(P1 + P2) & M64, P2, 0, -P1 & M64]
        while at + 32 <= len(data):
            for i in range(4):
                v[i] = xxh_round(v[i], int.from_bytes(data[at + 8 * i : at + 8 * i + 8], "little"))
            at += 32
        h = (rotl(v[0], 1) + rotl(v[1], 7) + rotl(v[2], 12) + rotl(v[3], 18)) & M64
        for x in v:
            h = ((h ^ xxh_round(0, x)) * P1 + P4) & M64
    else:
        h = P5
    h = (h + len(data)) & M64
    while at + 8 <= len(data):
        x = int.from_bytes(data[at : at + 8], "little")
        h = (rotl(h ^ xxh_round(0, x), 27) * P1 + P4) & M64
        at += 8
    if at + 4 <= len(data):
        x = int.from_bytes(data[at : at + 4], "little")
        h = (rotl(h ^ x * P1 & M64, 23) * P2 + P3) & M64
        at += 4
    for x in data[at:]:
        h = rotl(h ^ x * P5 & M64, 11) * P1 & M64
    h = (h ^ h >> 33) * P2 & M64
    h = (h ^ h >> 29) * P3 & M64
    return h ^ h >> 32


assert xxh64(b"") == 0xEF46DB3751D8E999 and xxh64(b"a") == 0xD24EC4F1A98C6E5B


class Bytes:
    """A sequence of bytes, read from front to back."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        must(self.at + n <= len(self.data), "a payload is truncated")
        self.at += n
        return self.data[self.at - n : self.at]

    def u8(self):
        return self.take(1)[0]

    def u32(self):
        return int.from_bytes(self.take(4), "little")

    def u64(self):
        return int.from_bytes(self.take(8), "little")

    def varint(self, limit=M64):
        value = shift = 0
        while True:
            byte = self.u8()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                must(byte or shift == 7, "a varint is not in its shortest form")
                must(value <= limit, "a number exceeds its limit")
                return value

    def end(self):
        must(self.at == len(self.data), "bytes are left over at the end of a structure")


def varint_of(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def unseal(frame, kind):  # §1.1
    must(frame[:4] == b"\x5a\x2a\x4d\x18" and frame[8:12] == kind, f"not a frame of kind {kind}")
    must(int.from_bytes(frame[4:8], "little") == len(frame) - 8, "the length of a frame differs")
    must(xxh64(frame[:-8]) == int.from_bytes(frame[-8:], "little"), "the checksum of a sealed frame differs")
    return Bytes(frame[12:-8])


def sealed(frame, kind):
    """The payload of a sealed frame; None if it is damaged, or no such frame."""
    try:
        return unseal(frame, kind)
    except Corrupt:
        return None


def check_version(payload):
    must(payload.u8() == 1, "unsupported version")
    must(payload.u8() == 0, "reserved flags are set")


# ----------------------------------------------------- the range coder, §9


class Bit:
    """An adaptive bit, §9.1."""

    def __init__(self):
        self.quick = self.slow = 32768
        self.seen = 0


def adaptive_bits(n):
    return [Bit() for _ in range(n)]


class Codes:
    """The decoder of the binary range coder, §9.1."""

    def __init__(self, data):
        self.data, self.at, self.range, self.code = data, 0, 0xFFFFFFFF, 0
        for _ in range(4):
            self.code = self.code << 8 | self.next()

    def next(self):
        self.at += 1
        must(self.at <= len(self.data) + 65536, "a column ends before its last value")
        return self.data[self.at - 1] if self.at <= len(self.data) else 0

    def normalize(self):
        while self.range < 1 << 24:
            self.range <<= 8
            self.code = (self.code << 8 | self.next()) & 0xFFFFFFFF

    def decide(self, p0):
        bound = (self.range >> 16) * p0
        yes = int(self.code >= bound)
        if yes:
            self.code -= bound
            self.range -= bound
        else:
            self.range = bound
        self.normalize()
        return yes

    def bit(self, e):
        yes = self.decide((e.quick + e.slow) >> 1)
        n = (e.seen + 1).bit_length()
        q = min(n, 4)
        e.seen = min(e.seen + 1, 63)
        if yes:
            e.quick -= e.quick >> q
            e.slow -= e.slow >> n
        else:
            e.quick += (65535 - e.quick) >> q
            e.slow += (65535 - e.slow) >> n
        return yes

    def uniform(self, n):
        value = 0
        while n > 0:
            step = min(n, 16)
            n -= step
            self.range >>= step
            digit = min(self.code // self.range, (1 << step) - 1)
            self.code -= digit * self.range
            value = value << step | digit
            self.normalize()
        return value

    def one_of(self, n):
        self.range //= n
        value = min(self.code // self.range, n - 1)
        self.code -= value * self.range
        self.normalize()
        return value


class Tree:  # §9.2
    def __init__(self, bits):
        self.bits, self.nodes = bits, {}

    def read(self, codes, bits=None):
        """The node that is reached after the bits, including its leading one."""
        node = 1
        for _ in range(self.bits if bits is None else bits):
            node = node << 1 | codes.bit(self.nodes.setdefault(node, Bit()))
        return node

    def code(self, codes):
        return self.read(codes) - (1 << self.bits)


class Number:  # §9.2
    def __init__(self, modelled):
        self.modelled, self.length, self.long, self.rows = modelled, Tree(4), Tree(6), {}

    def code(self, codes):
        length = self.length.code(codes)
        if length == 15:
            length = self.long.code(codes)
        if length < 2:
            return length
        below = length - 1
        modelled = min(below, self.modelled)
        node = self.rows.setdefault(below, Tree(modelled)).read(codes)
        rest = below - modelled
        return node << rest | codes.uniform(rest)


class Signed:  # §9.2
    def __init__(self):
        self.size, self.down = Number(3), Bit()

    def code(self, codes):
        size = self.size.code(codes)
        return -size if size and codes.bit(self.down) else size


LOGISTIC = [1, 2, 3, 6, 10, 16, 27, 45, 73, 120, 194, 310, 488, 747, 1101, 1546, 2047, 2549]
LOGISTIC += [2994, 3348, 3607, 3785, 3901, 3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094]


def squash(logit):  # §9.4
    logit = max(-2047, min(logit, 2047))
    i, w = (logit >> 7) + 16, logit & 127
    return (LOGISTIC[i] * (128 - w) + LOGISTIC[i + 1] * w + 64) >> 7


SQUASHED = [squash(o) for o in range(-2047, 2048)]
STRETCH = [min(bisect.bisect_left(SQUASHED, p) - 2047, 2047) for p in range(4096)]


class Mixed:  # §9.4
    def __init__(self, with_network=False):
        self.rows, self.model, self.long = {}, {}, Tree(6)
        self.initial = (3276, 65536) if with_network else (78643, 0)
        self.rate_constant, self.shift = (30, 11) if with_network else (16, 10)

    def code(self, codes, *contexts, logit_of=lambda j: 0):
        rows = [self.rows.setdefault((i, c), {}) for i, c in enumerate(contexts)]

        def decision(j):
            seen = [row.setdefault(j, [1 << 21, 0]) for row in rows]
            logits = [STRETCH[e[0] >> 10] for e in seen] + [max(-2047, min(logit_of(j), 2047))]
            of_context, of_network = self.initial
            weights = self.model.setdefault(j, [of_context // len(rows)] * len(rows) + [of_network])
            p = squash(sum(o * w for o, w in zip(logits, weights)) >> 16)
            yes = codes.decide(16 * p + 8)
            error = -p if yes else 4095 - p
            for i, o in enumerate(logits):
                change = (o * error + (1 << self.shift - 1)) >> self.shift
                weights[i] = max(-1 << 18, min(weights[i] + change, 1 << 18))
            for e in seen:
                target = 0 if yes else (1 << 22) - 1
                e[0] += (target - e[0]) * (655360 // (10 * e[1] + self.rate_constant)) >> 16
                e[1] = min(e[1] + 1, 250)
            return yes

        node = 1
        for _ in range(4):
            node = node << 1 | decision(node)
        kind = length = node - 16
        if length == 15:
            length = self.long.code(codes)
        if length == 0:
            return 0
        below, node = length - 1, 1
        modelled = min(below, 3)
        for _ in range(modelled):
            node = node << 1 | decision(16 + 8 * kind + node)
        size = node << (below - modelled) | codes.uniform(below - modelled)
        return -size if decision(144 + kind) else size


def decode_text_model(data, length):  # §9.6
    bits = min((2 * max(length, 1) - 1).bit_length(), 18)
    rows, places, weights, match_weights, match_bits = {}, {}, {}, [19660] * 8, {}
    codes, text, word, place, match = Codes(data), bytearray(), 0, 0, 0
    adapted = lambda e, yes: (e[0] + ((0 if yes else (1 << 22) - 1) - e[0]) * (655360 // (10 * e[1] + 14)) // 65536, min(e[1] + 1, 250))

    def rows_for(half):
        last = lambda n: int.from_bytes(text[max(len(text) - n, 0) :], "big")
        selected = []
        for i, context in enumerate([last(0), last(1), last(2), last(3), last(5), word]):
            product = (context << 8 | i << 5 | half) * 0x9E3779B97F4A7C15 & M64
            at, owner = product >> 64 - bits, product >> 16 & 0xFFFFFFFF | 1
            if rows.get(at, (0,))[0] != owner:
                rows[at] = (owner, {})
            selected.append(at)
        return [rows[at][1] for at in selected]

    while len(text) < length:
        expected = text[place] if match else None
        byte = 1
        for half in (4, 0):
            selected, node = rows_for(0 if half else byte), 1
            for i in range(half + 3, half - 1, -1):
                seen = [row.get(node, (1 << 21, 0)) for row in selected]
                logits = [STRETCH[e[0] >> 10] for e in seen]
                weight_keys = [(i, k, min(e[1].bit_length(), 7)) for k, e in enumerate(seen)]
                total = sum(o * weights.get(key, 19660) for o, key in zip(logits, weight_keys))
                known = (min(match, 31), expected >> i & 1) if expected is not None else None
                match_logit = STRETCH[match_bits.get(known, (1 << 21, 0))[0] >> 10] if known else 0
                p = squash(total + match_logit * match_weights[i] >> 16)
                yes = codes.decide(16 * p + 8)
                error = -p if yes else 4095 - p
                updated = lambda w, o: max(-1 << 18, min(w + (o * error + 512 >> 10), 1 << 18))
                for row, o, key in zip(selected, logits, weight_keys):
                    weights[key] = updated(weights.get(key, 19660), o)
                    row[node] = adapted(row.get(node, (1 << 21, 0)), yes)
                match_weights[i] = updated(match_weights[i], match_logit)
                if known:
                    match_bits[known] = adapted(match_bits.get(known, (1 << 21, 0)), yes)
                    if known[1] != yes:
                        expected, match = None, 0
                node = node << 1 | yes
            byte = byte << 4 | node & 15
        text.append(byte & 255)
        is_letter = chr(text[-1]).isalpha() if text[-1] < 128 else True
        word = (word + (text[-1] | 32)) * 0x9E3779B1 & 0xFFFFFFFF if is_letter else 0
        if len(text) < 4:
            continue
        product = int.from_bytes(text[-4:], "big") * 0x9E3779B1 & 0xFFFFFFFF
        if match:
            place, match = place + 1, match + 1
        else:
            place = places.get(product >> 32 - bits, 0)
            while match < min(place, 31) and text[place - 1 - match] == text[-1 - match]:
                match += 1
            match = match if match >= 4 else 0
        places[product >> 32 - bits] = len(text)
    return bytes(text)


class FrequencyDecoder:  # §9.3
    def __init__(self, data):
        self.data, self.at, self.range = data, 8, M64
        self.code = int.from_bytes(data[:8].ljust(8, b"\0"), "big")

    def choose(self, frequencies):
        """Decodes the ordinal of one choice."""
        total = sum(frequencies)
        part = self.range // total
        target = min(self.code // part, total - 1)
        choice = before = 0
        while target >= before + frequencies[choice]:
            before += frequencies[choice]
            choice += 1
        self.code -= part * before
        self.range = part * frequencies[choice]
        while self.range < 1 << 56:
            self.range <<= 8
            byte = self.data[self.at] if self.at < len(self.data) else 0
            self.code, self.at = (self.code << 8 | byte) & M64, self.at + 1
        return choice


# --------------------------------------------------------------- chess, §8.1

# A square is file + 8 * rank. A board is a list of 64 entries, each a letter of "PNBRQKpnbrqk" or None.
KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
LINES = {"B": DIAGONAL, "R": STRAIGHT, "Q": STRAIGHT + DIAGONAL}


@functools.cache
def offset(square, step):
    file, rank = square % 8 + step[0], square // 8 + step[1]
    return file + 8 * rank if 0 <= file < 8 and 0 <= rank < 8 else None


def ray(board, square, step):
    """The squares from `square` in a direction, up to and including the first piece."""
    while (square := offset(square, step)) is not None:
        yield square
        if board[square]:
            return


def is_white(piece):
    return piece.isupper()


def attacked(board, square, by_white):
    def has(at, kinds):
        piece = at is not None and board[at]
        return piece and is_white(piece) == by_white and piece.upper() in kinds

    towards_pawn = -1 if by_white else 1
    return (
        any(has(offset(square, (side, towards_pawn)), "P") for side in (-1, 1))
        or any(has(offset(square, step), "N") for step in KNIGHT)
        or any(has(offset(square, step), "K") for step in STRAIGHT + DIAGONAL)
        or any(has(list(ray(board, square, s))[-1:][0], "RQ") for s in STRAIGHT if offset(square, s) is not None)
        or any(has(list(ray(board, square, s))[-1:][0], "BQ") for s in DIAGONAL if offset(square, s) is not None)
    )


CENTRE = (27, 28, 35, 36)
NULL_MOVE = (0, 0, None, None)
KNOWN_MOVES = {}


class Position:
    """A position of chess or of a variant, §8.1 and §8.1.1. The rules "kings" are those of §8.1.2."""

    def __init__(self, rules="chess"):
        back = "RNBQKBNR"
        self.rules = rules
        self.board = list(back + "P" * 8) + [None] * 32 + list("p" * 8 + back.lower())
        self.white, self.castling, self.en_passant = True, {0, 7, 56, 63}, None
        # By side (True is White): letters in hand, checks still to give. Squares of promoted pawns.
        self.hands, self.checks_left, self.promoted = {True: [], False: []}, {True: 3, False: 3}, set()
        # The position before and the move that led here, None at the start; the number of plies.
        self.past, self.ply = None, 0

    def copy(self):
        other = copy.copy(self)
        other.board, other.castling, other.promoted = self.board[:], set(self.castling), set(self.promoted)
        other.hands = {side: hand[:] for side, hand in self.hands.items()}
        other.checks_left = dict(self.checks_left)
        return other

    def fen_fields(self):  # §4.3.7
        ranks = []
        for rank in range(7, -1, -1):
            text = "".join(piece or " " for piece in self.board[8 * rank : 8 * rank + 8])
            for empty in range(8, 0, -1):
                text = text.replace(" " * empty, str(empty))
            ranks.append(text)
        rights = ""
        for white in (True, False):
            on_e_file = self.king(white) % 8 == 4
            for rook in sorted(self.castling, reverse=True):
                if is_white(self.board[rook]) == white:
                    letter = {7: "k", 0: "q"}.get(rook % 8) if on_e_file else None
                    letter = letter or "abcdefgh"[rook % 8]
                    rights += letter.upper() if white else letter
        skipped = "-"
        for side in (-1, 1):
            # The square from which a pawn of the side to move would capture there.
            square = self.en_passant is not None and offset(self.en_passant, (side, -1 if self.white else 1))
            if square not in (None, False) and self.board[square] == ("P" if self.white else "p"):
                skipped = square_name(self.en_passant)
        return " ".join(["/".join(ranks), "w" if self.white else "b", rights or "-", skipped]).encode()

    def king(self, white):
        """The square of the king that must not be attacked."""
        letter = "K" if white else "k"
        return 63 - self.board[::-1].index(letter) if letter in self.board else None

    def kings(self, white):
        return [square for square, piece in enumerate(self.board) if piece == ("K" if white else "k")]

    def king_attacked(self, white, square=None):
        """Whether the king of a side is attacked, or would be attacked on `square`."""
        square = self.king(white) if square is None else square
        if square is None or self.rules == "antichess":
            return False
        if self.rules == "atomic":
            enemy = self.king(not white)
            if enemy is None or any(offset(enemy, step) == square for step in STRAIGHT + DIAGONAL):
                return False
        return attacked(self.board, square, not white)

    def in_check(self):
        return self.king_attacked(self.white)

    def pieces(self, white):
        return [piece for piece in self.board if piece and is_white(piece) == white]

    def has_arrived(self, white):
        return self.king(white) // 8 == 7

    def is_over(self):
        sides = (True, False)
        if self.rules == "koth":
            return any(self.king(side) in CENTRE for side in sides)
        if self.rules == "threecheck":
            return any(self.checks_left[side] == 0 for side in sides)
        if self.rules == "losers":
            return any(len(self.pieces(side)) == 1 for side in sides)
        if self.rules in ("antichess", "horde"):
            return any(not self.pieces(side) for side in sides)
        if self.rules == "atomic":
            return any(self.king(side) is None for side in sides)
        if self.rules == "racingkings" and (self.has_arrived(True) or self.has_arrived(False)):
            if self.white or self.has_arrived(False):
                return True
            steps = [offset(self.king(False), step) for step in STRAIGHT + DIAGONAL]
            targets = [s for s in steps if s is not None and s // 8 == 7 and not self.own(s)]
            return all(self.king_attacked(False, s) for s in targets)
        return False

    def sign(self, moves):  # §10
        won = self.in_check() and not moves
        if self.rules == "antichess":
            won = not moves
        elif self.rules == "racingkings":
            won = self.is_over() and self.has_arrived(True) != self.has_arrived(False)
        elif self.rules != "losers":
            won = won or self.is_over()
        return b"#" if won else b"+" if self.in_check() else b""

    def own(self, square):
        return self.board[square] is not None and is_white(self.board[square]) == self.white

    def castlings(self):
        """Castling moves as (king, canonical destination, None, rook)."""
        home = 0 if self.white else 56
        king = min((k for k in self.kings(self.white) if k // 8 * 8 == home), default=None)
        if king is None or not self.castling or self.in_check():
            return
        for rook in sorted(r for r in self.castling if self.own(r) and r // 8 * 8 == home):
            right = rook > king
            king_to, rook_to = home + (6 if right else 2), home + (5 if right else 3)

            def between(a, b):
                return range(min(a, b), max(a, b) + 1)

            path = set(between(king, king_to)) | set(between(rook, rook_to))
            if any(self.board[s] for s in path - {king, rook}):
                continue
            without_king = self.copy()
            without_king.board[king] = None
            if any(without_king.king_attacked(self.white, s) for s in {king, *between(king, king_to)}):
                continue
            if king % 8 == 4 and rook % 8 in (0, 7):
                destination = king + (2 if right else -2)
            else:
                destination = rook
            yield king, destination, None, rook

    def pseudo_moves(self):
        """Moves as (origin, destination, promotion, castling rook)."""
        ahead, last_rank, second_rank = (1, 7, 1) if self.white else (-1, 0, 6)
        double_step_ranks = (second_rank, second_rank - ahead) if self.rules == "horde" else (second_rank,)
        promotions = "BNQRK" if self.rules == "antichess" else "BNQR"
        for square in range(64):
            if not self.own(square):
                continue
            kind = self.board[square].upper()
            targets = []
            if kind == "P":
                step = offset(square, (0, ahead))
                if step is not None and not self.board[step]:
                    targets.append(step)
                    two = offset(step, (0, ahead))
                    if square // 8 in double_step_ranks and not self.board[two]:
                        targets.append(two)
                for side in (-1, 1):
                    to = offset(square, (side, ahead))
                    if to is not None and (to == self.en_passant or self.board[to] and not self.own(to)):
                        targets.append(to)
                for to in targets:
                    for promotion in promotions if to // 8 == last_rank else [None]:
                        yield square, to, promotion, None
                continue
            if kind in LINES:
                targets = [to for step in LINES[kind] for to in ray(self.board, square, step)]
            else:
                steps = KNIGHT if kind == "N" else STRAIGHT + DIAGONAL
                targets = [offset(square, step) for step in steps]
            for to in targets:
                if to is not None and not self.own(to):
                    if not (self.rules == "atomic" and kind == "K" and self.board[to]):
                        yield square, to, None, None

    def drops(self):
        """Drops, as moves whose origin is None and whose promotion is the dropped piece."""
        for piece in set(self.hands[self.white]):
            for to in range(64):
                if not self.board[to] and not (piece == "P" and to // 8 in (0, 7)):
                    yield None, to, piece, None

    def captures(self, move):
        origin, to, _, rook = move
        en_passant = to == self.en_passant and self.board[origin].upper() == "P"
        return rook is None and (self.board[to] is not None or en_passant)

    def state(self):
        """Everything on which the legal moves depend."""
        hands = tuple("".join(sorted(self.hands[side])) for side in (True, False))
        more = tuple(self.checks_left.values()), frozenset(self.castling), frozenset(self.promoted)
        return self.rules, self.white, self.en_passant, tuple(self.board), hands, more

    def legal_moves(self):
        """The legal moves in canonical order; those of the last positions are kept, because many games share them."""
        state = self.state()
        if state not in KNOWN_MOVES:
            if len(KNOWN_MOVES) == 20_000:
                KNOWN_MOVES.clear()
            KNOWN_MOVES[state] = self.find_legal_moves()
        return KNOWN_MOVES[state]

    def find_legal_moves(self):
        moves = []
        if self.is_over():
            return moves
        king, in_check = self.king(self.white), self.in_check()
        for move in [*self.pseudo_moves(), *self.castlings(), *self.drops()]:
            after = self.play(move)
            if self.rules == "kings":
                others = in_check and move[0] != king and self.board[move[0]].upper() == "K"
                square = landing(move) if move[0] == king else king
                safe = not others and (king is None or not after.king_attacked(self.white, square))
            else:
                safe = not after.king_attacked(self.white)
            if self.rules == "atomic":
                safe = safe and after.king(self.white) is not None
            if self.rules == "racingkings":
                safe = safe and not after.king_attacked(not self.white)
            if safe:
                moves.append(move)
        if self.rules in ("losers", "antichess"):
            moves = [move for move in moves if self.captures(move)] or moves

        def sort_key(move):  # squares ascend by rank, then file
            origin, to, piece, _ = move
            if origin is None:
                return 1, piece, to
            return 0, origin, to, "BNQRK".index(piece) if piece else -1

        return sorted(moves, key=sort_key)

    def play(self, move):
        if move == NULL_MOVE:
            may_pass = not self.in_check() and not (self.rules == "kings" and self.king_attacked(not self.white))
            must(self.rules in ("chess", "kings") and may_pass, "an impossible null move")
            after = self.copy()
            after.white, after.en_passant = not self.white, None
        else:
            after = self.play_on_board(move)
        if self.rules == "threecheck" and after.in_check():
            after.checks_left[self.white] -= 1
        after.past, after.ply = (self, move), self.ply + 1
        return after

    def play_on_board(self, move):
        origin, to, promotion, rook = move
        after = self.copy()
        board = after.board
        if origin is None:
            after.hands[self.white].remove(promotion)
            board[to] = promotion if self.white else promotion.lower()
            after.white, after.en_passant = not self.white, None
            return after
        takes = self.captures(move)
        if self.rules == "crazyhouse":
            if takes:
                taken = board[to] if board[to] and to not in self.promoted else "P"
                after.hands[self.white].append(taken.upper())
            was_pawn = origin in self.promoted or promotion
            after.promoted -= {origin, to}
            if was_pawn and rook is None:
                after.promoted.add(to)
        piece = board[origin]
        after.white, after.en_passant = not self.white, None
        if piece.upper() == "K":
            home = 0 if self.white else 56
            after.castling -= set(range(home, home + 8))
        if self.rules == "kings" and board[to] in ("K", "k") and to // 8 == (7 if self.white else 0):
            after.castling = {rook for rook in after.castling if self.own(rook)}
        after.castling -= {origin, to}
        board[origin] = None
        if rook is not None:
            right, home = rook > origin, origin // 8 * 8
            rook_piece, board[rook] = board[rook], None
            board[home + (6 if right else 2)] = piece
            board[home + (5 if right else 3)] = rook_piece
            return after
        if piece.upper() == "P":
            if to == self.en_passant:
                board[to + (-8 if self.white else 8)] = None
            if abs(to - origin) == 16 and origin // 8 in (1, 6):
                after.en_passant = (to + origin) // 2
            if promotion:
                piece = promotion if self.white else promotion.lower()
        board[to] = piece
        if self.rules == "atomic" and takes:
            board[to] = None
            for square in (offset(to, step) for step in STRAIGHT + DIAGONAL):
                if square is not None and board[square] and board[square].upper() != "P":
                    board[square] = None
                    after.castling.discard(square)
        return after


def digits(text):
    return text != b"" and all(48 <= c <= 57 for c in text)


def read_checks_left(field):
    """The checks that each side (True is White) still has to give, by a FEN field; None if it is no such field."""
    counts = field.decode("latin-1").split("+")
    given = len(counts) == 3 and counts[0] == ""
    if given:
        counts = counts[1:]
    if len(counts) != 2 or any(c not in ("0", "1", "2", "3") for c in counts):
        return None
    return {side: 3 - int(c) if given else int(c) for side, c in zip((True, False), counts)}


def read_fen(fen, rules="chess"):  # §4.2.1
    """The position and the move number, or None if the FEN is not accepted."""
    fields = [f for f in fen.replace(b"_", b" ").split(b" ") if f]
    position = Position(rules)
    if rules == "threecheck":
        for index in (4, 6):
            if len(fields) > index and read_checks_left(fields[index]):
                position.checks_left = read_checks_left(fields.pop(index))
                break
    if not 1 <= len(fields) <= 6:
        return None
    fields += [b"w", b"-", b"-", b"0", b"1"][len(fields) - 1 :]
    fields[1] = fields[1].lower() if fields[1] in (b"W", b"B") else fields[1]
    fields[2:4] = [b"-" if field == "–".encode() else field for field in fields[2:4]]
    fields[4:] = [b"0" if field == b"-" else field for field in fields[4:]]
    board_text, turn, castling, en_passant, halfmoves, number = fields
    if rules == "crazyhouse":
        hand = b""
        if board_text.endswith(b"]"):
            board_text, bracket, hand = board_text[:-1].partition(b"[")
            if not bracket:
                return None
        elif board_text.count(b"/") == 8:
            board_text, _, hand = board_text.rpartition(b"/")
        for c in hand.decode("latin-1"):
            if c not in "PNBRQpnbrq":
                return None
            position.hands[c.isupper()].append(c.upper())
    position.white, position.castling = turn == b"w", set()
    if turn not in (b"w", b"b") or not digits(halfmoves) or not digits(number):
        return None
    ranks = board_text.split(b"/")
    if len(ranks) != 8:
        return None
    board = [None] * 64
    for i, rank in enumerate(ranks):
        file, piece = 0, False
        for c in rank.decode("latin-1"):
            if c == "~" and piece:
                piece = False
                if board[(7 - i) * 8 + file - 1] not in "PKpk":
                    position.promoted.add((7 - i) * 8 + file - 1)
                continue
            piece = c in "PNBRQKpnbrqk"
            if piece and file < 8:
                board[(7 - i) * 8 + file] = c
                file += 1
            elif not piece and c in "12345678":
                file += int(c)
            else:
                return None
        if file != 8:
            return None
    position.board = board
    kings = len(position.kings(True)), len(position.kings(False))
    if rules == "horde":
        if sum(kings) != 1:
            return None
        # Pawns of the horde may be on its own first rank.
        if kings[0]:
            forbidden_to_pawns = board[:8] + [p for p in board[56:] if p == "P"]
        else:
            forbidden_to_pawns = board[56:] + [p for p in board[:8] if p == "p"]
    else:
        forbidden_to_pawns = board[:8] + board[56:]
        if rules == "antichess":
            if not any(board):
                return None
        elif kings != (1, 1) and rules != "chess":
            return None
    if any(p in ("P", "p") for p in forbidden_to_pawns):
        return None
    attacked_king = position.king_attacked(not position.white)
    if rules == "chess" and (kings != (1, 1) or attacked_king):
        position.rules = "kings"
    elif attacked_king:
        return None
    if rules == "crazyhouse":
        if sum(map(len, position.hands.values())) + len(position.pieces(True) + position.pieces(False)) > 64:
            return None
    if rules == "racingkings":
        both = position.has_arrived(True) and position.has_arrived(False)
        if position.in_check() or both and not position.white or "P" in board or "p" in board:
            return None
    named = set()
    if castling != b"-":
        for c in castling.decode("latin-1"):
            home, king, rook = (0, "K", "R") if c.isupper() else (56, "k", "r")
            kings_and_rooks = [s for s in range(home, home + 8) if board[s] in (king, rook)]
            if c in "KkQq":
                edge, corner_file = (-1, 7) if c in "Kk" else (0, 0)
                square = home + corner_file
                if kings_and_rooks and board[kings_and_rooks[edge]] == rook:
                    square = kings_and_rooks[edge]
            elif c in "ABCDEFGHabcdefgh":
                square = home + "abcdefgh".index(c.lower())
            else:
                return None
            named.add(square)
    for home, king, rook in ((0, "K", "R"), (56, "k", "r")):
        own = sorted(s for s in named if home <= s < home + 8)
        if len(own) > 2:
            return None
        at = next((s for s in range(home, home + 8) if board[s] == king), None)
        if at is None or rules in ("antichess", "racingkings"):
            continue
        left = [s for s in own if s < at and board[s] == rook]
        right = [s for s in own if s > at and board[s] == rook]
        position.castling |= set(left[:1]) | set(right[-1:])
    if en_passant != b"-":
        if len(en_passant) != 2 or en_passant[0] not in b"abcdefgh" or en_passant[1] not in b"12345678":
            return None
        square = en_passant[0] - 97 + 8 * (en_passant[1] - 49)
        ahead, pawn, enemy = (8, "P", "p") if position.white else (-8, "p", "P")
        if square // 8 == (5 if position.white else 2):
            capturers = [offset(square, (side, -ahead // 8)) for side in (-1, 1)]
            if (
                not board[square]
                and not board[square + ahead]
                and board[square - ahead] == enemy
                and any(s is not None and board[s] == pawn for s in capturers)
            ):
                position.en_passant = square
    return position, min(max(int(number), 1), 0xFFFFFFFF)


CHESS = "standard chess normal regular chess960 fischerandom fischerrandom frc wildfr fromposition wildcastle nocastle "
CHESS += "? odds freestyle freestylechess wild0 wild1 wild2 wild3 wild4 wild5 wild8 wild8a "
CHESS += "noking whitekingonly blackkingonly"
RULES = {name: "chess" for name in ["", *CHESS.split()]}
RULES.update(antichess="antichess", suicide="antichess", giveaway="antichess", atomic="atomic", horde="horde")
RULES.update(crazyhouse="crazyhouse", zh="crazyhouse", kingofthehill="koth", koth="koth", losers="losers")
RULES.update({"racingkings": "racingkings", "threecheck": "threecheck", "3check": "threecheck"})
STARTS = {
    "horde": b"rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
    "racingkings": b"8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
    "antichess": b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
}


def start_of(tags):  # §4.2.1
    """The position and move number at which a game starts, or None."""
    name = tags.get(b"Variant", b"").translate(None, b" -_/").lower()
    rules = RULES.get(name.decode("latin-1"))
    if rules is None:
        return None
    fen = tags.get(b"FEN")
    fen = STARTS.get(rules) if fen in (None, b"", b"?", b"startpos") else fen
    return (Position(rules), 1) if fen is None else read_fen(fen, rules)


def square_name(square):
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


def move_text(position, moves, move, notation):  # §10
    if move == NULL_MOVE:
        return "--"
    origin, to, promotion, rook = move
    if origin is None:
        return promotion + "@" + square_name(to)
    if notation == 2:
        return square_name(origin) + square_name(to) + (promotion or "").lower()
    if rook is not None:
        return "O-O" if rook > origin else "O-O-O"
    kind = position.board[origin].upper()
    if kind == "P":
        text = square_name(to)
        if origin % 8 != to % 8:
            text = square_name(origin)[0] + "x" + text
        return text + ("=" + promotion if promotion else "")
    text = kind
    rivals = [
        m[0]
        for m in moves
        if m[1] == to and m[0] not in (origin, None) and m[3] is None and position.board[m[0]].upper() == kind
    ]
    if rivals:
        file, rank = square_name(origin)
        if all(r % 8 != origin % 8 for r in rivals):
            text += file
        elif notation == 0 and all(r // 8 != origin // 8 for r in rivals):
            text += rank
        else:
            text += file + rank
    return text + ("x" if position.board[to] else "") + square_name(to)


# --------------------------------------------------------- the moves, §4.2, §8


class BitReader:
    def __init__(self, data):
        self.value, self.left = int.from_bytes(data, "big"), 8 * len(data)

    def take(self, n):
        must(n <= self.left, "the moves column is truncated")
        self.left -= n
        return self.value >> self.left & ((1 << n) - 1)

    def integer(self):  # §4.2.2
        zeros = 0
        while not self.take(1):
            zeros += 1
        length = (1 << zeros | self.take(zeros)) - 1
        must(length <= 655360, "an integer exceeds its limit")
        return 1 << length - 1 | self.take(length - 1) if length else 0

    def end(self):
        must(self.left < 8 and not self.value & ((1 << self.left) - 1), "bits are left over in the moves column")


def next_move(integer, coding, moves):
    """Takes one digit off the integer: the rest and the move, None at the end of the game."""
    n = len(moves)
    if coding == 1:
        if integer == 0:
            return 0, None
        must(n, "a game continues where no move is legal")
        k = integer % n or n
        return (integer - k) // n, moves[k - 1]
    if n == 0:
        must(integer == 0, "a game continues where no move is legal")
        return 0, None
    integer, k = divmod(integer, n + 1)
    if k < n:
        return integer, moves[k]
    must(integer in (0, n), "a game continues after its end move")
    return 0, None


def moves_of_integer(start, integer, coding, nulls):
    """The moves that an integer encodes, with null moves at these plies."""
    position, _ = start
    for ply in itertools.count():
        if ply in nulls:
            move = NULL_MOVE
        else:
            integer, move = next_move(integer, coding, position.legal_moves())
            if move is None:
                must(all(null < ply for null in nulls), "a game has null moves after its end")
                return
        yield move
        position = position.play(move)


def with_starts(start, moves):
    """Pairs of start and move: the position and move number before each move, and the move."""
    position, number = start
    for move in moves:
        yield (position, number), move
        position = position.play(move)
        number += position.white


def unpack_parameters(packed):  # §8.5.1
    """The packed parameters of the move model, as unsigned bytes."""
    while packed.at < len(packed.data):
        width = packed.u8()
        bits = int.from_bytes(packed.take(4 * width), "little")
        for i in range(32):
            number = bits >> width * i & ((1 << width) - 1)
            yield (number - (1 << width) if width and number >> width - 1 else number) & 255


#: The published models, §8.6.
PUBLISHED = [
    (1, "b87d19cea12a92f55d9b7d4b5c92071c"),
    (2, "25b82a8a36d08b0583abfbe795656b58"),
    (3, "3efc3dc22ba8461af829f2d622bc8fc9"),
    (4, "1932969df3d1d7e4110a81f4965d9d3e"),
    (5, "c55d0eacd43d2a9cace24f497bd0c75f"),
]


def model_id(architecture, data):  # §8.6
    return architecture, hashlib.sha256(bytes([architecture]) + data).hexdigest()[:32]


def named_model(p):  # §8.6
    number = p.varint(len(PUBLISHED))
    if number:
        return PUBLISHED[number - 1]
    model = p.u8(), p.take(16).hex()
    must(model not in PUBLISHED, "a published model is named by its hash")
    return model


#: The data of the models that the archive holds, by their identities, §3.4.
HELD = {}
#: The identities of the models of the block that is read, by their architectures.
NAMED = dict(enumerate(PUBLISHED, 1))

#: The file of the published parameters of a network, the numbers of the values of its inputs, its width, its decisions.
NETWORKS = {
    3: (
        "pgn/comments/clock_model.bin",
        (64, 32, 16, 64, 48, 64, 64, 64, 64, 128, 128, 9, 4, 7, 7, 6, 16, 64, 16, 64, 32, 6, 64, 64),
        32,
        160,
    ),
    4: ("pgn/comments/evals.bin", (64, 128, 256, 128, 64, 64, 64, 7, 7, 6, 2, 16, 64), 16, 160),
    5: ("columns/name_model.bin", (72, 72, 72, 72, 40, 40, 40, 40, 16, 64, 64, 1296, 2048), 32, 256),
}


def published_file(name):
    path = pathlib.Path(__file__).resolve().parent.parent / "crates/ign-format/src" / name
    try:
        return path.read_bytes()
    except FileNotFoundError:
        sys.exit(f"reader.py: this archive needs a file that is published with format-spec.md: {path}")


def published_data(architecture):
    """The data of a published model."""
    if architecture == 1:
        others = published_file("model/v4.packed")
        parameters = published_file("model/v4.units") + bytes(unpack_parameters(Bytes(others)))
        return b"\x03\x11" + parameters[:2303157]
    if architecture == 2:
        parameters = decompress(published_file("go_model/v1.zst"), 558799)
        return varint_of(len(parameters)) + parameters
    file, values, width, decisions = NETWORKS[architecture]
    shape = b"".join(varint_of(n) for n in (sum(values), width, decisions))
    return shape + published_file(file)


@functools.cache
def model_with(identity):
    architecture = identity[0]
    must(architecture in (1, 2, *NETWORKS), "a model of an unknown architecture")
    data = HELD[identity] if identity in HELD else published_data(architecture)
    must(model_id(architecture, data) == identity, "a model that this reader does not have")
    if architecture == 2:
        parameters = Bytes(data)
        return go_model.GoModel(parameters.take(parameters.varint()))
    return move_model.Model(data) if architecture == 1 else Network(data, *NETWORKS[architecture][1:])


def model(architecture):
    """The model of this architecture that the block names."""
    return model_with(NAMED[architecture])


class MoveModel:
    """The frequencies of the choices in a position, §8.5."""

    def __init__(self, style):
        self.model = model(1)
        must(style < self.model.styles, "an unknown style of the move model")
        self.style = style

    def frequencies(self, position, legal):
        """The frequencies of the legal moves and of the end."""
        if not legal or position.rules == "chess":
            return self.model.frequencies(position, legal, self.style)
        if position.rules in ("antichess", "atomic", "horde", "racingkings", "kings"):
            return [1] * (len(legal) + 1)
        # The model of chess; drops get half of its total together, §8.5.4.
        as_chess = position.copy()
        as_chess.rules, as_chess.hands = "chess", {True: [], False: []}
        moves = as_chess.legal_moves()
        if not moves:
            return [1] * (len(legal) + 1)
        frequencies = self.model.frequencies(as_chess, moves, self.style)
        known = dict(zip(moves, frequencies))
        kept = [known.get(move) for move in legal]
        total = frequencies[-1] + sum(frequency for frequency in kept if frequency)
        halve = total >= 1 << 23
        total >>= halve
        other = max(1, total // (2 * max(1, kept.count(None))))
        return [other if frequency is None else max(1, frequency >> halve) for frequency in kept + frequencies[-1:]]


UNMOVED_SQUARES = (15, 55, 14, 54, 13, 53, 8, 48, 9, 49)  # h2, h7, g2, g7, f2, f7, a2, a7, b2, b7, §4.1.3
SIGNATURE_PLIES = (20, 31, 40, 51, 60, 71)  # §4.1.2


def landing(move):
    """The square on which the piece lands; for castling, that of the king; for a null move, a1."""
    origin, to, _, rook = move
    return to if rook is None else origin // 8 * 8 + (6 if rook > origin else 2)


def constrain(signature, played, legal, frequencies):  # §4.2.4
    """The frequencies of the legal moves and of the end, constrained by the signature."""
    level = next((level for level, ply in enumerate(SIGNATURE_PLIES) if ply > played), None)
    if level is None:
        return frequencies
    square, left = signature[level], SIGNATURE_PLIES[level] - 1 - played
    if not legal:
        must(square is None, "a game ends before the last ply of its signature")
        return []
    if square is not None:
        allowed = (left or landing(move) == square for move in legal)
        frequencies = [frequency if is_allowed else 0 for frequency, is_allowed in zip(frequencies, allowed)] + [0]
    elif left == 0:
        frequencies = [0] * len(legal) + frequencies[-1:]
    else:
        frequencies = frequencies[:-1] + [min(frequencies[-1] * 48 // left, (1 << 24) - 1 - sum(frequencies[:-1]))]
    must(sum(frequencies), "no legal move agrees with the signature")
    return frequencies


def weighted_games(stream, positions, signatures, nulls, most):  # §4.2.3
    """The moves of the games with these starts, signatures and plies of null moves, at most `most` plies
    together, decoded lazily."""
    p = Bytes(stream)
    if not positions:
        return p.end()
    model = MoveModel(p.u8())
    mean, parameter = p.varint(len(stream)), p.u8()
    must(parameter < 64, "the length of a group is out of range")
    bits, lengths = (byte >> i & 1 for byte in iter(p.u8, None) for i in range(7, -1, -1)), []
    read = 0
    for _ in range((len(positions) + 15) // 16):
        step = 0
        while not next(bits):
            step += 1
        read += step + 1 + parameter
        for _ in range(parameter):
            step = step << 1 | next(bits)
        lengths.append(mean + (step // 2 if step % 2 == 0 else -(step + 1) // 2))
    must(not any(next(bits) for _ in range(-read % 8)), "the padding after the lengths of the groups is not 0")
    start_before = nulls_before = moves_before = None
    for i, length in enumerate(lengths):
        must(length >= 0, "the length of a group is out of range")
        codes = FrequencyDecoder(p.take(length))
        group = slice(16 * i, 16 * i + 16)
        games = [[position, [], *others] for position, *others in zip(positions[group], signatures[group], nulls[group])]
        has_duplicates = codes.choose([4095, 1])
        duplicates = [i > 0 and has_duplicates and codes.choose([1, 1]) for i in range(len(games))]
        going = [game for game, is_duplicate in zip(games, duplicates) if not is_duplicate]
        while going:
            for game in going[:]:
                if len(game[1]) in game[3]:
                    move = NULL_MOVE
                else:
                    legal = game[0].legal_moves()
                    frequencies = model.frequencies(game[0], legal) if legal else []
                    if not game[3]:
                        frequencies = constrain(game[2], len(game[1]), legal, frequencies)
                    choice = codes.choose(frequencies) if legal else len(legal)
                    if choice == len(legal):
                        must(all(null < len(game[1]) for null in game[3]), "a game has null moves after its end")
                        going.remove(game)
                        continue
                    move = legal[choice]
                most -= 1
                must(most >= 0 and len(game[1]) < 65536, "games have more plies than the block head says, or than the limit")
                game[1].append(move)
                game[0] = game[0].play(move)
        for (_, moves, _, own_nulls), start, is_duplicate in zip(games, positions[group], duplicates):
            if is_duplicate:
                must(vars(start) == vars(start_before), "a duplicate has another start than the game before it")
                must(own_nulls == nulls_before, "a duplicate has other null moves than the game before it")
                moves = moves_before
                most -= len(moves)
                must(most >= 0, "games have more plies than the block head says, or than the limit")
            start_before, nulls_before, moves_before = start, own_nulls, moves
            yield moves
    p.end()


# ------------------------------------------------------------- a block, §3, §4


# Tag names that have a number, §3.1.
TAG_NAMES = b"""
    Event Site Date Round White Black Result WhiteElo BlackElo WhiteTitle BlackTitle WhiteType BlackType
    WhiteNA BlackNA ECO NIC Opening Variation SubVariation EventDate EventSponsor Section Stage Board Time
    UTCDate UTCTime TimeControl SetUp FEN Termination Annotator Mode PlyCount WhiteRatingDiff
    BlackRatingDiff GameId Variant StudyName ChapterName ChapterURL BroadcastName BroadcastURL GameURL
    WhiteFideId BlackFideId WhiteTeam BlackTeam CurrentPosition Timezone ECOUrl StartTime EndDate EndTime
    Link Match Tournament FICSGamesDBGameNo WhiteRD BlackRD WhiteIsComp BlackIsComp WhiteClock BlackClock
    EventType EventRounds EventCountry EventCategory Source SourceDate SourceTitle SourceVersion
    SourceVersionDate SourceQuality WhiteTeamCountry BlackTeamCountry GameDuration GameStartTime GameEndTime
""".split()


def tag_name(payload):
    value = payload.varint(511)
    if value % 2 == 0:
        return payload.take(value // 2)
    must(value // 2 < len(TAG_NAMES), "an unknown tag name")
    return TAG_NAMES[value // 2]


class Game(collections.namedtuple("Game", "tags start moves text")):
    """A game of a block: its tags by name, its start or None, its moves, None if it has none, and its text."""


class Block:
    """A block: its head is checked and its streams are decoded when it is created."""

    def __init__(self, data, on_game=lambda game: None):
        """`on_game` is called with each game when the text is decoded."""
        self.on_game = on_game
        length = 8 + int.from_bytes(data[4:8], "little")
        p = unseal(data[:length], b"ignB")
        must(p.u8() == 1, "unsupported version")
        self.checksum = p.u64()
        self.text_len = p.varint(1 << 28)
        self.games = p.varint(self.text_len)
        self.plies = p.varint(self.games << 16)
        frames_len = p.varint()
        self.game = p.u8()
        must(self.game in (0, 1), "an unknown game")
        self.coding = p.u8()
        must(self.coding in (1, 2, 3), "an unknown coding")
        self.records = p.varint(self.text_len)
        must(self.games <= self.records, "a block has more games than records")
        must(sum(p.varint(self.games) for _ in range(5)) <= self.games, "more games are not understood than there are")
        models = [named_model(p) for _ in range(p.varint(16))]
        self.names = [tag_name(p) for _ in range(p.varint(4096))]
        self.columns = []
        at = length
        for _ in range(p.varint(4112)):
            codec, flags = p.u8(), p.u8()
            tags = [p.varint(len(self.names) - 1) for _ in range(p.varint(len(self.names)))]
            refs = [p.varint(len(self.names) - 1) for _ in range(p.varint(len(self.names)))]
            streams = []
            for _ in range(p.varint(8)):
                storage = p.u8()
                if storage == 2:
                    streams.append(p.take(p.varint(512)))
                    continue
                if storage == 4:
                    size, stored = p.varint(1 << 24), p.varint(512)
                    must(size <= 16 * stored, "a stream is too long for its codes")
                    streams.append(decode_text_model(p.take(stored), size))
                    continue
                size, stored, checksum = p.varint(1 << 29), p.varint(1 << 29), p.u64()
                frame = data[at : at + stored]
                must(len(frame) == stored and xxh64(frame) == checksum, "the checksum of a stream differs")
                streams.append(self.unwrap(storage, size, frame))
                at += stored
            self.columns.append((codec, flags, tags, refs, streams))
        streams = sum(len(stream) for column in self.columns for stream in column[4])
        limit = (1 << 20) + 4 * self.text_len if self.text_len else 1 << 23
        must(streams <= limit, "the streams of a block are too long for its text")
        p.end()
        must(at == len(data), "the length of a block differs from its directory")
        must(at - length == frames_len, "the length of the frames differs from the prefix")
        if any(column[0] == 8 for column in self.columns):
            self.check_model(models)
        else:
            must([model[0] for model in models] == self.needed_models(), "a block names other models than it needs")
        self.models = {model[0]: model for model in models}

    def check_model(self, models):  # §3.4
        must(self.text_len == 0 and (self.game, self.coding) == (0, 1) and not self.names, "a model has text")
        must(len(models) == len(self.columns) == 1, "a block of a model has another form")
        codec, flags, tags, refs, streams = self.columns[0]
        must((codec, flags, tags, refs, len(streams)) == (8, 0, [], [], 1), "a block of a model has another column")
        must(model_id(models[0][0], streams[0]) == models[0], "the data of a model have another hash")
        HELD[models[0]] = streams[0]

    def needed_models(self):  # §3.1
        moves, variations, comments = ([c for c in self.columns if c[0] == codec] for codec in (1, 4, 3))
        weighted = self.coding == 3 and any(column[4][-1] for column in moves + variations if column[4])
        names = any(codec in (16, 21) and flags & 16 for codec, flags, *_ in self.columns)
        return [2 if self.game else 1] * weighted + [3, 4] * bool(comments and not self.game) + [5] * names

    @staticmethod
    def unwrap(storage, size, frame):  # §3.3
        if storage == 0:
            must(frame[:4] == b"\x5a\x2a\x4d\x18", "not a plain stream")
            must(int.from_bytes(frame[4:8], "little") == size == len(frame) - 8, "the length of a stream differs from the directory")
            return frame[8:]
        if storage == 3:
            must(frame[:4] == b"\x5a\x2a\x4d\x18", "not a skippable frame of codes")
            must(int.from_bytes(frame[4:8], "little") == len(frame) - 8, "the length of a stream differs from the directory")
            must(size <= min(1 << 24, 16 * len(frame)), "a stream is too long for its codes")
            return decode_text_model(frame[8:], size)
        must(storage == 1, "an unknown storage of a stream")
        return decompress(frame, size)

    def fixed(self, codec, count):  # §4.1
        """The `count` streams of a fixed column; empty ones if it is missing."""
        found = [c[4] for c in self.columns if c[0] == codec]
        must(len(found) <= 1, "a fixed column appears twice")
        must(not found or len(found[0]) == count, "a column has a wrong number of streams")
        return found[0] if found else [b""] * count

    def record_texts(self):
        """The text of each record of the block, and whether it is a game."""
        if any(column[0] == 8 for column in self.columns):
            return []
        NAMED.update(self.models)
        schemas = self.read_schemas()
        # A row for each record: tag number to value, in the order of its tag list.
        self.rows = [dict.fromkeys(schema[0]) for schema in schemas]
        # For each dictionary column, by its number: value to word.
        self.words = {}
        self.openings = []
        # The number of the column of each tag.
        self.column_of = {}
        for number, (codec, flags, tags, refs, streams) in enumerate(self.columns):
            decoded = self.column_of.keys()
            must(decoded >= set(refs) and decoded.isdisjoint(tags), "a tag is in two columns, or referred to too early")
            must(len(set(tags)) == len(tags), "a tag is in a column twice")
            self.column_of.update(dict.fromkeys(tags, number))
            if codec >= 16:
                must(len(streams) == 2 and tags, "a tag column is malformed")
                must(codec in TAG_COLUMNS, "an unknown codec")
                if codec in (16, 21) and flags & 16:
                    lines = decode_names(streams[1], self.records * len(tags))
                else:
                    lines = streams[1].split(b"\n")[:-1]
                TAG_COLUMNS[codec](self, flags, tags, refs, streams[0], lines)
            else:
                is_comments = codec == 3
                must(codec < 8 and not tags and len(refs) <= is_comments, "an unknown codec")
                must(flags <= 3 * is_comments + (codec == 6), "unknown flags")
        self.signatures = self.read_signatures()
        texts, plies = self.texts_of_go(schemas) if self.game else self.texts_of_chess(schemas)
        text = b"".join(texts)
        must(plies == self.plies, "the number of plies differs from the block head")
        must(len(text) == self.text_len and xxh64(text) == self.checksum, "the checksum of a block differs")
        return [(text, bool(tags or has_moves)) for text, (tags, _, has_moves, *_) in zip(texts, schemas)]

    def texts_of_go(self, schemas):  # §14.4, §14.6
        data, templates = Bytes(self.fixed(2, 2)[1]), []
        while data.at < len(data.data):
            templates.append(data.take(data.varint(4096)))
        layouts = GoLayouts(self.fixed(2, 2)[0], templates)
        if self.coding == 3:
            moves = WeightedGoMoves(self.fixed(1, 1)[0], self.records)
        else:
            moves = GoMoves(BitReader(self.fixed(1, 1)[0]), self.coding)
        values, texts = Bytes(self.fixed(3, 1)[0]), Bytes(self.fixed(5, 1)[0])
        all_texts = []
        for row, schema in zip(self.rows, schemas):
            out = []
            tags = {self.names[tag]: value for tag, value in row.items()}
            must(None not in tags.values(), "a tag of a record has no value")
            head, gaps, passes_as_letters, length = layouts.next(schema[3])
            first_piece = len(out)
            start = start_of_go(tags)
            record = GoRecord(start, moves)
            tag_values = iter(tags.values())
            for i, number in enumerate([head] + gaps):
                template = iter(templates[number])
                for byte in template:
                    if byte == 1:
                        out.append(next(tag_values))
                    elif byte == 2:
                        out.append(take_value(values))
                    elif byte == 3:
                        out.append(bytes([next(template)]))
                    elif byte == 4:
                        out.append(texts.take(length))
                    else:
                        record.bracket(byte)
                        out.append(bytes([byte]))
                if i < len(gaps):
                    move = record.play(templates[number][-2:])
                    out.append(b"tt" if move is None and passes_as_letters else point_text(move))
            must(next(tag_values, None) is None, "the templates of a record do not contain all of its tags")
            record.end()
            if tags or record.played:
                self.on_game(Game(tags, start, record.played or None, b"".join(out[first_piece:])))
            all_texts.append(b"".join(out))
        for stream in (moves.bits, values, texts):
            stream.end()
        return all_texts, moves.plies

    def texts_of_chess(self, schemas):
        out = []
        plies = 0
        templates = self.fixed(2, 2)[1].split(b"\0")[:-1]
        must(all(len(template) <= 255 for template in templates), "a template is too long")
        starts = [start_of(self.tags_of(row)) for row in self.rows]
        signatures = iter(self.signatures)
        signature_of = [next(signatures) if tags or has_moves else None for tags, _, has_moves, *_ in schemas]
        unmoved_pawns = self.read_unmoved_pawns(
            signature
            for signature, start, (_, _, has_moves, *_) in zip(signature_of, starts, schemas)
            if self.coding < 3 and has_moves and start and start[0].rules == "chess"
        )
        if self.coding == 3:
            all_games = zip(starts, schemas, signature_of)
            played = [(start[0], signature, schema[5]) for start, schema, signature in all_games if start and schema[2]]
            moves = weighted_games(self.fixed(1, 1)[0], *(zip(*played) if played else ([], [], [])), self.plies)
        else:
            moves = BitReader(self.fixed(1, 1)[0])
        *streams, duplicates = self.fixed(3, 4)
        comments, duplicates = Parts(Comments(), *streams, self.records), read_duplicates(duplicates, self.records)
        time_control = [c[3] for c in self.columns if c[0] == 3 and c[3]]
        by_moves = any(c[0] == 3 and c[1] & 1 for c in self.columns)
        first_part_without_moves = any(c[0] == 3 and c[1] & 2 for c in self.columns)
        variations = Variations(*self.fixed(4, 4), self.records, self.coding)
        texts = Bytes(self.fixed(5, 1)[0])
        games_played = 0
        layouts = Layouts(self.fixed(2, 2)[0])
        comments_before = b""
        for number, row in enumerate(self.rows):
            (_, line_end, has_moves, _, section, nulls), start, signature = schemas[number], starts[number], signature_of[number]
            is_chess = start and start[0].rules in ("chess", "kings")
            must(not nulls or is_chess, "a record has null moves, but is not a game of chess")
            layouts.next()
            must(layouts.known <= len(templates), "an unknown template")
            tags = self.tags_of(row)
            payloads = [b"", b"", b""]
            line = []
            if start and has_moves and self.coding < 3:
                line = list(with_starts(start, moves_of_integer(start, moves.integer(), self.coding, nulls)))
            elif start and has_moves:
                line = list(with_starts(start, next(moves)))
            if self.coding < 3 and start and has_moves and start[0].rules == "chess":
                position = start[0]
                for (position, _), move in line[-1:]:
                    position = position.play(move)
                board = position.board
                unmoved = [board[square] == ("P" if square < 16 else "p") for square in UNMOVED_SQUARES]
                must(next(unmoved_pawns) == unmoved, "the unmoved pawns of a game differ from its moves")
            places = [landing(move) for _, move in line] + [None] * 71
            must(signature in (None, [places[ply - 1] for ply in SIGNATURE_PLIES]), "the signature of a game differs from its moves")
            clock = row.get(time_control[0][0]) if time_control else None
            model = comments.next()
            if layouts.had[0] and number in duplicates:
                payloads[0] = comments_before
            elif layouts.had[0]:
                must(comments.begun, "a record with comments is in no part")
                features = list(move_features(line)) if by_moves and not (first_part_without_moves and comments.is_first) else None
                payloads[0] = model.next(templates, layouts, clock or b"", features)
            comments_before = payloads[0]
            model = variations.parts.next()
            if layouts.had[1]:
                must(variations.parts.begun, "a record with variations is in no part")
                game = games_played if start and has_moves else None
                payloads[1] = variations.next(model, templates, copy.copy(layouts), game, start, line)
            games_played += bool(start and has_moves)
            payloads[2] = texts.take(sum(layouts.text_lengths))
            for tag, field in self.openings:
                if row.get(tag) == FROM_BOOK:
                    must(start and start[0].fen_fields() == Position().fen_fields(), "an opening follows from a game without the standard starting position")
                    moves_played = (move for _, move in line)
                    row[tag] = tags[self.names[tag]] = self.book.look_up(moves_played, field)
            game = Movetext(templates, layouts, payloads, tags)
            if start:
                game.play(start, (move for _, move in line))
            else:
                game.gap(layouts.last, b"")
            game.end()
            plies += game.plies
            lines = []
            for tag, value in row.items():
                if value == PLY_COUNT or isinstance(value, FinalPosition):  # §4.3.7
                    must(start, "a derived value is in a record without a start")
                    must(value == PLY_COUNT or start[0].rules == "chess", "a final position is derived in a game of a variant")
                    value = b"%d" % game.plies if value == PLY_COUNT else value.text(start, game)
                lines.append((self.names[tag], value))
            if section:
                head = section_from_template(self.sections[section - 1], lines)
            else:
                head = b"".join(b"[" + name + b' "' + value + b'"]' + line_end for name, value in lines)
            text = rewrap_inside(b"".join(game.out), layouts.wrap, line_end)
            out.append(head + text)
            if tags or has_moves:
                played = [move for _, move in line] if start and has_moves else None
                self.on_game(Game(dict(reversed(lines)), start, played, text))
        comments.end()
        for stream in (variations, texts) if self.coding == 3 else (moves, variations, texts):
            stream.end()
        must(self.coding < 3 or next(moves, None) is None, "games are left over in the moves column")
        return out, plies

    def read_signatures(self):  # §4.1.2
        levels = self.fixed(6, 6) if self.games else []
        wide = any(c[0] == 6 and c[1] for c in self.columns)
        games = [[None] * 6 for _ in range(self.games)]
        reached = games
        for level, numbers in enumerate(levels):
            must(len(numbers) == len(reached) * (1 + wide), "the length of a level of signatures is wrong")
            high = numbers[len(reached) :] if wide else bytes(len(reached))
            for game, low, high in zip(reached, numbers, high):
                game[level] = (low | high << 8) - 1 if low | high else None
            reached = [game for game in reached if game[level] is not None]
        points = any((square or 0) > 63 for game in games for square in game)
        must(points == wide, "the wide flag of the signatures is wrong")
        return games

    def read_unmoved_pawns(self, signatures):  # §4.1.3
        """For each of the games with these signatures, for each square whether it has an unmoved pawn."""
        signatures, column = list(signatures), [c for c in self.columns if c[0] == 7]
        must(bool(signatures) == bool(column), "a block has unmoved pawns if and only if its coding and games ask for them")
        codes = Codes(self.fixed(7, 1)[0])
        bits = [[adaptive_bits(4) for _ in UNMOVED_SQUARES] for _ in range(7)]
        games = []
        for signature in signatures:
            before, unmoved = 0, []
            for square_bits in bits[sum(square is not None for square in signature)]:
                unmoved.append(codes.bit(square_bits[before]))
                before = (before << 1 | unmoved[-1]) & 3
            games.append(unmoved)
        return iter(games)

    def tags_of(self, row):
        tags = {self.names[tag]: value for tag, value in reversed(row.items())}
        must(None not in tags.values(), "a tag of a record has no value")
        return tags

    def read_schemas(self):  # §4.1.1
        codes, sections = self.fixed(0, 2)
        codes, self.sections = Codes(codes), read_sections(sections)
        lists, number, line_end, moves, section, known = [], 0, 0, 0, 0, 0
        same_list, as_next, new, as_follower, other_end, other_section, *has_moves = adaptive_bits(8)
        which, tag, which_section, length, end = Number(12), Number(12), Number(12), Number(3), Tree(2)
        same, was_same, next_list, followers = adaptive_bits(2), 0, {}, {}
        has_nulls, had_nulls, more_nulls, distances, all_nulls = adaptive_bits(2), 0, Number(4), (Number(7), Number(7)), 0

        def read_tags():
            tags, before = [], -1
            count = length.code(codes)
            must(count <= len(self.names), "an invalid tag list")
            for _ in range(count):
                follower = followers.get(before, before + 1)
                follows = follower not in tags and codes.bit(as_follower)
                followers[before] = follower if follows else tag.code(codes)
                before = followers[before]
                must(before < len(self.names) and before not in tags, "an invalid tag list")
                tags.append(before)
            return tags

        def read_list():
            if lists and codes.bit(same_list):
                return number
            if lists and next_list[number] != number and codes.bit(as_next):
                return next_list[number]
            if codes.bit(new):
                lists.append(read_tags())
                next_list[number] = next_list[len(lists) - 1] = len(lists) - 1
            else:
                next_list[number] = which.code(codes)
                must(next_list[number] < len(lists), "an unknown tag list")
            return next_list[number]

        schemas = []
        for _ in range(self.records):
            was_same = codes.bit(same[was_same]) if lists else 0
            if not was_same:
                number = read_list()
                if codes.bit(other_end):
                    line_end = end.code(codes)
                    must(line_end < 3, "an unknown line end")
                if codes.bit(other_section):
                    section = which_section.code(codes)
                    must(section <= known + 1, "an unknown tag section")
                    known = max(known, section)
            moves = codes.bit(has_moves[moves])
            nulls = []
            if moves:
                had_nulls = codes.bit(has_nulls[had_nulls])
                count = more_nulls.code(codes) + 1 if had_nulls else 0
                must(count <= 65536, "too many null moves")
                for i in range(count):
                    nulls.append((nulls[-1] + 1 if nulls else 0) + distances[i > 0].code(codes))
                    must(nulls[-1] < 65536, "a null move after the greatest number of plies")
            all_nulls += len(nulls)
            must(all_nulls <= self.plies and not (nulls and self.game), "a block has impossible null moves")
            schemas.append((lists[number], (b"\n", b"\r\n", b"\r")[line_end], moves, number, section, nulls))
        must(known == len(self.sections) and not (self.game and known), "a wrong number of tag sections")
        must(sum(bool(s[0] or s[2]) for s in schemas) == self.games, "the number of games differs from the block head")
        return schemas


PART = 1024  # records, §4.3


def tag_parts(block, codes, lines, has_header=False):  # §4.3
    """Yields for each part its rows, its range decoder, its lines, and the number of lines of the parts before."""
    firsts = [None] * has_header + list(range(0, len(block.rows), PART))
    data = Bytes(codes)
    sizes = [(data.varint(), data.varint()) for _ in firsts[1:]] + [(None, None)]
    taken = 0
    for first, (size, count) in zip(firsts, sizes):
        part_codes = data.take(len(codes) - data.at if size is None else size)
        rows = [] if first is None else block.rows[first : first + PART]
        yield rows, Codes(part_codes), iter(lines[taken:]), taken
        taken += count or 0


class DictionaryModel:  # §4.3.1
    def __init__(self, flags, known):
        self.recent, self.guess = flags & 1, flags & 2
        self.known, self.hit, self.hits = known, [adaptive_bits(4) for _ in range(3)], [0] * 3
        self.new, self.was_new, self.which = adaptive_bits(2), 0, Number(12)
        self.order = list(range(known))[::-1] if self.recent else []
        self.by_key, self.before = {}, None

    def move_to_front(self, word):
        if self.recent:
            if word in self.order:
                self.order.remove(word)
            self.order.insert(0, word)

    def value(self, codes, keys, guesses):
        self.before = self.word(codes, guesses if self.guess else [])
        for key in keys:
            self.by_key[key] = self.before
        self.move_to_front(self.before)
        return self.before

    def word(self, codes, guesses):
        for j, guess in enumerate(guesses):
            if guess is None or guess in guesses[:j]:
                continue
            yes = codes.bit(self.hit[j][self.hits[j]])
            self.hits[j] = (self.hits[j] << 1 | yes) & 3
            if yes:
                return guess
        self.was_new = codes.bit(self.new[self.was_new])
        if self.was_new:
            self.known += 1
            return self.known - 1
        number = self.which.code(codes)
        must(number < self.known, "an unknown word")
        return self.order[number] if self.recent else number


def fine_class(byte):
    for first, last, number in ((97, 122, 1), (65, 90, 27), (48, 57, 53)):
        if first <= byte <= last:
            return byte - first + number
    if byte in b"\0_-., ()":
        return (0, 63, 64, 65, 66, 67, 68, 69)[b"\0_-., ()".index(byte)]
    return 70 if byte > 127 else 71


def coarse_class(byte):
    number = fine_class(byte)
    if byte < 128 and chr(byte).isalpha():
        return (number - 1) % 26 + 1
    return 27 if 53 <= number <= 62 else {0: 0, 69: 33, 70: 34, 71: 35}.get(number, number - 35)


def kind_of_letter(byte):
    return 0 if 97 <= byte <= 122 else 1 if 65 <= byte <= 90 else 2 if 48 <= byte <= 57 else 3


def decode_line(codes, style, most):
    """A line of at most `most` bytes, by the name model."""
    line = b""
    while len(line) < min(255, most):
        last = (bytes(8) + line)[:-9:-1]
        three = 36 * (36 * coarse_class(last[0]) + coarse_class(last[1])) + coarse_class(last[2])
        same_kind = next((n for n, c in enumerate(line[::-1]) if kind_of_letter(c) != kind_of_letter(last[0])), len(line))
        inputs = [fine_class(c) for c in last[:4]] + [coarse_class(c) for c in last[4:]]
        inputs += [min(len(line), 15), 16 * kind_of_letter(last[0]) + min(same_kind, 15), style]
        inputs += [three // 36, three * 40503 % 65536 // 32]
        logit, node = model(5).logits(inputs), 1
        for _ in range(8):
            node = node << 1 | codes.decide(16 * squash(logit(node)) + 8)
        if node == 256 + 10:
            return line
        line += bytes([node - 256])
    return line


def decode_names(stream, most):  # §4.3.1
    """The lines of a text stream that is coded by the name model, at most `most`."""
    stream, lines = Bytes(stream), []
    count = stream.varint(most)
    sizes = [stream.varint() for _ in range((count - 1) // 128)]
    for size in sizes + [None]:
        codes = Codes(stream.take(len(stream.data) - stream.at if size is None else size))
        style, most = 0, 4096
        for _ in range(min(128, count - len(lines))):
            line = decode_line(codes, style, most)
            most -= len(line)
            lines.append(line)
            classes = (44,), (32,), range(48, 58), range(65, 91), range(97, 123), b"_-"
            style = sum(1 << i for i, group in enumerate(classes) if any(c in group for c in line))
    return lines


def read_dictionary(block, flags, tags, refs, codes, lines):
    paired, has_firsts = flags & 4, flags & 8
    must(flags < 32 and len(refs) < 4, "a dictionary column is malformed")
    must(not paired or len(tags) == 2 and not refs, "a dictionary column is malformed")
    must(not has_firsts or refs, "a dictionary column is malformed")
    columns_of_refs = [block.column_of[ref] for ref in refs]
    firsts, all_parts = [], tag_parts(block, codes, lines, bool(has_firsts))
    if has_firsts:
        _, part, _, _ = next(all_parts)
        model, has, had = DictionaryModel(flags, 0), adaptive_bits(2), 0
        count = part.uniform(32)
        must(count <= 2 * len(block.rows), "too many keys")
        for _ in range(count):
            had = part.bit(has[had])
            firsts.append(model.value(part, [], [model.before]) if had else None)
    for rows, part, _, known in all_parts:
        model = DictionaryModel(flags, known)
        for row in rows:
            words = []
            for i, tag in enumerate(tags):
                if tag not in row:
                    continue
                # Equal values of one column are the same key; all absent tags are the same key.
                keys = [(n, row[ref]) if ref in row else () for n, ref in zip(columns_of_refs, refs)]
                if paired and i == 1:
                    keys = [words[0][0] if words else ()]
                guesses = [model.by_key.get(key) for key in keys]
                if has_firsts and guesses[0] is None and refs[0] in row:
                    word = block.words[columns_of_refs[0]][row[refs[0]]]
                    guesses[0] = firsts[word] if word < len(firsts) else None
                if not keys and not paired:
                    guesses = [model.before]
                word = model.value(part, keys, guesses)
                must(word < len(lines), "the text of a column has too few lines")
                row[tag] = lines[word]
                words.append(((row[tag],), word))
            if paired and len(words) == 2:
                model.by_key[words[0][0]] = words[1][1]
                model.by_key[words[1][0]] = words[0][1]
    word_of = {line: word for word, line in reversed(list(enumerate(lines)))}
    block.words[block.column_of[tags[0]]] = word_of


def day_number(value):  # §4.3.2
    """The number of a date, or None if the value is not a date."""
    if value is None or len(value) != 10 or value[4:5] != b"." or value[7:8] != b".":
        return None
    fields = value[:4], value[5:7], value[8:]
    if not all(map(digits, fields)):
        return None
    year, month, day = map(int, fields)
    return year * 512 + month * 32 + day if month < 16 and day < 32 else None


def read_dates(block, flags, tags, refs, codes, lines):
    must(not flags and len(tags) < 3 and len(refs) < 2, "a dates column is malformed")
    for rows, part, own_lines, _ in tag_parts(block, codes, lines):
        read_part_of_dates(tags, refs, rows, part, own_lines)


def read_part_of_dates(tags, refs, rows, codes, lines):
    irregular, was_irregular, before = adaptive_bits(2), 0, 0
    from_reference, from_before = Signed(), Signed()
    for row in rows:
        present = [tag for tag in tags if tag in row]
        if not present:
            continue
        was_irregular = codes.bit(irregular[was_irregular])
        if was_irregular:
            for tag in present:
                row[tag] = next(lines)
            continue
        reference = day_number(row.get(refs[0])) if refs else None
        if reference is None:
            before += from_before.code(codes)
        else:
            before = reference + from_reference.code(codes)
        day, second = divmod(before, 86400) if len(tags) == 2 else (before, 0)
        must(0 <= day < 10000 * 512 and len(present) == len(tags), "a date is out of range")
        row[tags[0]] = b"%04d.%02d.%02d" % (day // 512, day // 32 % 16, day % 32)
        if len(tags) == 2:
            row[tags[1]] = b"%02d:%02d:%02d" % (second // 3600, second // 60 % 60, second % 60)


BASE62 = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def read_ids(block, flags, tags, refs, codes, lines):  # §4.3.3
    must(not flags and len(tags) == 1 and len(refs) < 2, "an ids column is malformed")
    prefix = lines[0]
    for rows, part, own_lines, _ in tag_parts(block, codes, lines[1:]):
        read_part_of_ids(prefix, tags, refs, rows, part, own_lines)


def read_part_of_ids(prefix, tags, refs, rows, codes, lines):
    irregular, same = adaptive_bits(2)
    for row in rows:
        if tags[0] not in row:
            continue
        if codes.bit(irregular):
            row[tags[0]] = next(lines)
            continue
        reference = (row.get(refs[0]) or b"")[-8:] if refs else b""
        if len(reference) == 8 and all(c in BASE62 for c in reference) and codes.bit(same):
            row[tags[0]] = prefix + reference
            continue
        pairs = [divmod(codes.one_of(62 * 62), 62) for _ in range(4)]
        row[tags[0]] = prefix + bytes(BASE62[digit] for pair in pairs for digit in pair)


# §4.3.4; rounded to the nearest integer.
EXPECTED = [int(1000 / (1 + 10 ** (d / 400)) + 0.5) for d in range(0, 801, 25)]
assert EXPECTED[:4] == [500, 464, 429, 394] and EXPECTED[-1] == 10 and sum(EXPECTED) == 5004


def second_number(value):  # §4.3.2
    """The number of a time of day, or None if the value is not one."""
    if value is None or len(value) != 8 or value[2:3] != b":" or value[5:6] != b":":
        return None
    fields = value[:2], value[3:5], value[6:]
    if not all(map(digits, fields)):
        return None
    hours, minutes, seconds = map(int, fields)
    return hours * 3600 + minutes * 60 + seconds if hours < 24 and minutes < 60 and seconds < 60 else None


def read_numbers(block, flags, tags, refs, codes, lines):  # §4.3.5
    must(flags < 2 and len(tags) == 1 and len(refs) < 2, "a numbers column is malformed")
    prefix = b"" if flags else lines.pop(0)
    for rows, part, own_lines, _ in tag_parts(block, codes, lines):
        read_part_of_numbers(flags, prefix, tags[0], refs, rows, part, own_lines)


def read_part_of_numbers(flags, prefix, tag, refs, rows, codes, lines):
    irregular, was_irregular, before = adaptive_bits(2), 0, 0
    from_reference, from_before = Signed(), Signed()
    for row in rows:
        if tag not in row:
            continue
        was_irregular = codes.bit(irregular[was_irregular])
        if was_irregular:
            row[tag] = next(lines)
            continue
        reference = second_number(row.get(refs[0])) if refs else None
        if reference is None:
            before += from_before.code(codes)
        else:
            before = reference + from_reference.code(codes)
        if flags:
            before %= 86400
            row[tag] = b"%02d:%02d:%02d" % (before // 3600, before // 60 % 60, before % 60)
        else:
            must(0 <= before < 10**18, "a number is out of range")
            row[tag] = prefix + b"%d" % before


def read_templates(block, flags, tags, refs, codes, lines):  # §4.3.6
    must(not flags & 4 and len(tags) == 1 and len(refs) in (2, 3), "a templates column is malformed")
    read_dictionary(block, flags, tags, refs[2:], codes, lines)
    for row in block.rows:
        if tags[0] in row:
            for mark, name in ((b"\1", refs[0]), (b"\2", refs[1])):
                must(mark not in row[tags[0]] or name in row, "a value refers to the name of a player, which the record does not have")
            names = {1: row.get(refs[0]), 2: row.get(refs[1])}
            row[tags[0]] = b"".join(names.get(byte, bytes([byte])) for byte in row[tags[0]])


# A value derived from the moves: their number; see FinalPosition for the other class_.
PLY_COUNT = "plies"


class FinalPosition(collections.namedtuple("FinalPosition", "clock file")):  # §4.3.7
    """A value that is the final position of the game, in this form."""

    def text(self, start, game):
        fields = game.position.fen_fields().split(b" ")
        if self.file is not None:
            fields[3] = b"%c%d" % (97 + self.file, 6 if game.position.white else 3)
        if self.clock is not None:
            number = start[1] + (game.plies + (not start[0].white)) // 2
            fields += [b"%d" % self.clock, b"%d" % number]
        return b" ".join(fields)


def read_derived(block, flags, tags, refs, codes, lines):  # §4.3.7
    must(flags < 2 and len(tags) == 1 and not refs, "a column of derived values is malformed")
    must(block.names[tags[0]] not in (b"FEN", b"Variant", b"Result"), "this tag must not be derived from the moves")
    for rows, part, own_lines, _ in tag_parts(block, codes, lines):
        irregular, counters, skipped = adaptive_bits(2), adaptive_bits(2), adaptive_bits(2)
        was_irregular = had_counters = had_skipped = 0
        clocks = Number(3)
        for row in rows:
            if tags[0] not in row:
                continue
            was_irregular = part.bit(irregular[was_irregular])
            if was_irregular:
                row[tags[0]] = next(own_lines)
                continue
            row[tags[0]] = PLY_COUNT
            if flags:
                had_counters = part.bit(counters[had_counters])
                clock = clocks.code(part) if had_counters else None
                must(clock is None or clock < 1 << 16, "the halfmove clock of a FEN exceeds its limit")
                had_skipped = part.bit(skipped[had_skipped])
                row[tags[0]] = FinalPosition(clock, part.uniform(3) if had_skipped else None)


# A value that follows from the moves by the opening book.
FROM_BOOK = "from the book"
BOOKS = ("lichess", "lichess-2013", "masters")


class Book:  # §4.3.8
    """An opening book. Its places map to the number of the line that leads there, or to None."""

    def __init__(self, name):
        first_line, *lines = published_file(f"columns/openings/{name}.tsv").split(b"\n")[:-1]
        kind, *self.fields = first_line.split(b"\t")
        self.by_position = kind == b"position"
        self.lines, moves, self.values = [], [], [[] for _ in self.fields]
        for line in lines:
            shared, others, *values = line.split(b"\t")
            moves = moves[:int(shared)] + others.decode().split()
            for i, (known, value) in enumerate(zip(self.values, values)):
                if value.startswith(b"="):
                    values[i] = known[int(value[1:])]
                else:
                    known.append(value)
            self.lines.append((moves, *values))
        self.places, self.root = {}, None
        for number, line in enumerate(self.lines):
            place = self.root = number if not line[0] else self.root
            position, line_so_far = Position(), ()
            for move in line[0]:
                at = [ord(move[i]) - 97 + 8 * int(move[i + 1]) - 8 for i in (0, 2)]
                castles = position.board[at[0]] in "Kk" and abs(at[1] - at[0]) == 2
                rook = (at[0] + 3 if at[1] > at[0] else at[0] - 4) if castles else None
                position = position.play((*at, None, rook))
                line_so_far += (move,)
                place = position.fen_fields() if self.by_position else line_so_far
                self.places.setdefault(place, None)
            if line_so_far:
                self.places[place] = number

    def look_up(self, moves, field):
        position, line_so_far, found, away = Position(), (), self.root, 0
        for move in moves:
            position = position.play(move)
            line_so_far += (square_name(move[0]) + square_name(move[1]),)
            place = position.fen_fields() if self.by_position else line_so_far
            if place in self.places:
                found, away = self.places[place] if self.places[place] is not None else found, 0
            else:
                away += 1
                if away == 4:
                    break
        must(found is not None, "the opening book has no line for a game")
        return self.lines[found][1 + field]

    @staticmethod
    @functools.lru_cache
    def of_number(number):
        must(number < len(BOOKS), "an unknown book of openings")
        return Book(BOOKS[number])


def read_openings(block, flags, tags, refs, codes, lines):  # §4.3.8
    book = block.book = Book.of_number(flags)
    must(not refs and all(block.names[tag] in book.fields for tag in tags), "an openings column is malformed")
    fields = [book.fields.index(block.names[tag]) for tag in tags]
    block.openings = list(zip(tags, fields))
    for rows, part, own_lines, _ in tag_parts(block, codes, lines):
        differs, differed, text = [adaptive_bits(2) for _ in range(4)], [0] * 4, Bit()
        for row in rows:
            class_, line = 0, None
            for tag, field in block.openings:
                if tag not in row:
                    continue
                values = book.values[field]
                differed[class_] = part.bit(differs[class_][differed[class_]])
                if not differed[class_]:
                    row[tag] = FROM_BOOK if line is None else line[1 + field]
                    class_ = 1 if line is None else class_
                elif part.bit(text):
                    row[tag] = next(own_lines)
                    class_, line = 3, None
                else:
                    number = part.one_of(len(values))
                    row[tag] = values[number]
                    class_, line = 2, next(each for each in book.lines if each[1 + field] == values[number])


def quotient(a, b):
    """a / b, rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def surprise(own, other, half_points):
    gap = max(-800, min(800, other - own))
    i, within = divmod(abs(gap), 25)
    e = EXPECTED[i] - (EXPECTED[i] - EXPECTED[min(i + 1, 32)]) * within // 25
    return 500 * half_points - (1000 - e if gap < 0 else e)


def read_ratings(block, flags, tags, refs, codes, lines):
    must(flags < 2 and len(tags) in (2, 4) and len(refs) in (2, 3, 4), "a ratings column is malformed")
    for rows, part, own_lines, _ in tag_parts(block, codes, lines):
        read_part_of_ratings(flags, tags, refs, rows, part, own_lines)


def rating_distance(own, other):
    return 0 if own is None or other is None else 1 + max(0, min(699, other - own + 350)) // 50


def read_part_of_ratings(flags, tags, refs, rows, codes, lines):
    irregular, irregular_change = [adaptive_bits(2), adaptive_bits(2)], Bit()
    was_irregular = [0, 0]
    rating_step, change_step = Mixed(), Mixed()
    rating_before, players, ratings = 1600, {}, {}
    points_of = {b"1-0": (2, 0), b"0-1": (0, 2), b"1/2-1/2": (1, 1)}
    for row in rows:
        names = [row.get(r) for r in refs[:2]]
        points = points_of.get(row.get(refs[2])) if len(refs) > 2 else None
        event = row.get(refs[3]) if len(refs) > 3 else None
        known = [players.get((name, event)) for name in names]
        elsewhere = [ratings.get(name) for name in names]
        rating, change = [None, None], [None, None]
        for side in (1, 0) if elsewhere[0] is None and elsewhere[1] is not None else (0, 1):
            if tags[side] not in row:
                continue
            opponent = rating[1 - side]
            if opponent is None and known[1 - side]:
                opponent = known[1 - side][0]
            if opponent is None:
                opponent = elsewhere[1 - side]
            if known[side]:
                class_, forecast = (1 if known[side][1] else 0), known[side][0]
            elif elsewhere[side] is not None:
                class_, forecast = 2, elsewhere[side]
            else:
                class_, forecast = 3, rating_before if opponent is None else opponent
            this = points[side] if points else 3
            last = known[side][3] if known[side] else 3
            was_irregular[side] = codes.bit(irregular[side][was_irregular[side]])
            if not was_irregular[side]:
                by_distance = (class_ * 16 + rating_distance(forecast, opponent)) * 4 + this
                rating[side] = forecast + rating_step.code(codes, class_, (class_ * 4 + this) * 4 + last, by_distance)
                rating_before = rating[side]
                must(0 <= rating[side] <= 9999, "a rating is out of range")
        for side in (0, 1):
            s, f = None, known[side][2] if known[side] else None
            if points and None not in rating:
                s = surprise(rating[side], rating[1 - side], points[side])
            if len(tags) == 4 and tags[2 + side] in row:
                forecast = quotient((s or 0) * (24 if f is None else f), 1000)
                class_ = 0 if s is None else 1 if f is None else 2 if f < 40 else 3 if f < 100 else 4
                surprised = 0 if s is None else 1 + (s + 1000) // 100
                other = 0 if change[0] is None else 1 + min(abs(change[0]), 62) // 2
                if not codes.bit(irregular_change):
                    step = change_step.code(codes, class_, class_ * 32 + surprised, class_ * 32 + other)
                    change[side] = forecast + step
                    must(abs(change[side]) <= 9999, "a rating change is out of range")
            if rating[side] is not None and names[side] is not None:
                if change[side] is not None and s is not None and abs(s) >= 100:
                    f = max(2, min(999, quotient(change[side] * 1000, s)))
                ratings[names[side]] = rating[side] + (change[side] or 0)
                half_points = points[side] if points else 3
                settled = change[side] is not None
                players[names[side], event] = (ratings[names[side]], settled, f, half_points)
        for i, tag in enumerate(tags):
            if tag not in row:
                continue
            number = (rating + change)[i]
            if number is None:
                row[tag] = next(lines)
            elif i < 2 or number == 0 and not flags:
                row[tag] = b"%d" % number
            else:
                row[tag] = b"%+d" % number


TAG_COLUMNS = {
    16: read_dictionary,
    17: read_dates,
    18: read_ids,
    19: read_ratings,
    20: read_numbers,
    21: read_templates,
    22: read_derived,
    23: read_openings,
}


class Layouts:  # §4.4
    """The layout of one record after the other: next() decodes it into the fields."""

    FIRST, LAST = "first", ("last", "last with comments")

    def __init__(self, data):
        self.codes = Codes(data)
        self.wrap, self.notation, self.had = (0, 0), 0, [0, 0, 0]  # had: comments, variations, text
        self.usual, self.was_usual = [adaptive_bits(2), adaptive_bits(2)], 0
        self.other_wrap, self.other_notation, self.second_other, self.new = adaptive_bits(4)
        self.wrap_kind, self.wrap_width = Tree(2), Number(3)
        self.has = [adaptive_bits(2) for _ in range(3)]
        self.pieces, self.piece_length, self.which = Number(3), Number(3), Number(12)
        self.run = [Number(3), Number(3)]
        self.more, self.last_expected = adaptive_bits(3), adaptive_bits(2)
        self.known, self.habit, self.votes, self.seen = 0, {}, {}, {}

    def next(self, first=FIRST):
        codes, self.first = self.codes, first
        self.gaps, self.text_lengths, deviations = [], [], 0
        self.had[0] = codes.bit(self.has[0][self.had[0]])
        place = self.LAST[self.had[0]]
        self.was_usual = codes.bit(self.usual[self.had[0]][self.was_usual])
        if self.was_usual:
            must(place in self.habit, "no gap is expected at this place")
            self.had[2], self.last = 0, self.habit[place]
            self.note(place, self.last)
            return
        if codes.bit(self.other_wrap):
            kind = self.wrap_kind.code(codes)
            must(kind < 3, "an unknown storage rule")
            self.wrap = kind, self.wrap_width.code(codes) if kind else 0
        if codes.bit(self.other_notation):
            self.notation = (self.notation + 1 + codes.bit(self.second_other)) % 3
        for i in (1, 2):
            self.had[i] = codes.bit(self.has[i][self.had[i]])
        if self.had[2]:
            count = self.pieces.code(codes)
            must(count <= 131072, "too many pieces of text")
            self.text_lengths = [self.piece_length.code(codes) for _ in range(count)]
        while codes.bit(self.more[min(deviations, 2)]):
            for _ in range(self.run[min(deviations, 1)].code(codes)):
                self.append(self.gap(len(self.gaps), self.gaps[-1:]))
            deviations += 1
            self.append(self.read_template(self.place(len(self.gaps), self.gaps[-1:])))
        if place in self.habit and codes.bit(self.last_expected[self.had[0]]):
            self.last = self.habit[place]
        else:
            self.last = self.read_template(place)
        self.note(place, self.last)

    def append(self, template):
        self.note(self.place(len(self.gaps), self.gaps[-1:]), template)
        self.gaps.append(template)
        must(len(self.gaps) <= 65536, "too many gaps")

    def note(self, place, template):
        if self.habit.get(place) == template:
            self.votes[place] = min(self.votes[place] + 1, 7)
        elif self.votes.get(place):
            self.votes[place] -= 1
        else:
            self.habit[place], self.votes[place] = template, 0

    def place(self, i, before):
        return (before[0], i % 2) if before else self.first

    def gap(self, i, before):
        """The template that is expected before move i, after the gap `before`."""
        place = self.place(i, before)
        must(place in self.habit, "no gap is expected at this place")
        return self.habit[place]

    def read_template(self, place):
        seen = self.seen.setdefault(place, [])
        for template, b in seen:
            if template != self.habit.get(place) and self.codes.bit(b):
                return template
        if self.codes.bit(self.new):
            template, self.known = self.known, self.known + 1
        else:
            template = self.which.code(self.codes)
            must(template < self.known, "an unknown template")
        if len(seen) < 16:
            seen.append((template, Bit()))
        return template


# ---------------------------------------------------------------- comments, §4.5


def toward_zero(a, b):
    return a // b if a >= 0 else -(-a // b)


def class31(v):  # §4.5.3: two classes for each power of two, at most 31
    v = max(0, min(v, 0xFFFFFFFF))
    if v < 4:
        return v
    highest = v.bit_length() - 1
    return min(2 * highest + (v >> (highest - 1) & 1), 31)


def fine(v):  # §4.5.6: four classes for each power of two
    v = max(0, min(v, 0xFFFFFFFF))
    if v < 8:
        return v
    highest = v.bit_length() - 1
    return 4 * (highest - 1) + (v >> (highest - 2) & 3)


def phase(i):  # §4.5.3
    moves = i // 2
    return moves if moves < 3 else 3 + sum(moves >= from_ for from_ in (6, 10, 16, 25, 40))


class StringDictionary:  # §4.5.2
    def __init__(self):
        self.strings, self.new, self.was_new, self.which = [], adaptive_bits(2), 0, Number(12)

    def code(self, codes, strings):
        self.was_new = codes.bit(self.new[self.was_new])
        if self.was_new:
            self.strings.append(next(strings, None))
            must(self.strings[-1] is not None, "the text of the comments has too few strings")
            return len(self.strings) - 1
        number = self.which.code(codes)
        must(number < len(self.strings), "a comment refers to an unknown string")
        return number


class Mode:  # §4.5.2
    def __init__(self):
        self.last, self.other, self.next = 0, Bit(), Tree(4)


def follow(mean, v):  # §4.5.3
    return mean + toward_zero(16 * v - mean, 4) if mean else 16 * v


class Series:  # §4.5.3
    """The values of one kind in the comments of a game."""

    def __init__(self):
        self.own, self.last, self.steps, self.usual = [None, None], None, [[0, 0], [0, 0]], 0



def attacks_of(board, square):
    """The squares that the piece on `square` attacks."""
    piece = board[square]
    kind = piece and piece.upper()
    if kind == "P":
        ahead = 1 if is_white(piece) else -1
        return {offset(square, (side, ahead)) for side in (-1, 1)}
    if kind in ("N", "K"):
        return {offset(square, step) for step in (KNIGHT if kind == "N" else STRAIGHT + DIAGONAL)}
    steps = {"B": DIAGONAL, "R": STRAIGHT, "Q": STRAIGHT + DIAGONAL}.get(kind, ())
    return {to for step in steps for to in ray(board, square, step)}


def move_features(line):  # §4.5.6
    """For each move a tuple, by index: 0 piece, 1 captured piece, 2 answer, 3 whether the player was in check,
    4 material, 5 key of the position after it (None if it has none), 6 destination, 7 whether it moves the
    piece of the player's last move, 8 threat."""
    piece_number = lambda piece: "PNBRQK".index(piece.upper()) + 1
    last, destination_before = None, None
    for ply, ((position, _), move) in enumerate(line):
        if position.rules != "chess":
            yield 0, 0, 0, 0, 0, None, 0, 0, 0
            continue
        after = position.play(move)
        pieces = [piece.upper() for piece in after.board if piece]
        material = min(sum({"N": 3, "B": 3, "R": 5, "Q": 9}.get(piece, 0) for piece in pieces), 63)
        key = move_model.key(after) if ply < 32 else None
        if move == NULL_MOVE:
            yield 0, 0, 0, 0, material, key, 0, 0, 0
            destination_before, last = last and last[0], None
            continue
        threat = 0
        if last:
            squares = attacks_of(position.board, last[0]) - {None}
            threat = 2 if move[0] in squares else int(any(map(position.own, squares)))
            threat += 3 * (move[1] in squares)
        to, again = move[1] ^ (0 if position.white else 56), int(destination_before == move[0])
        destination_before = last and last[0]
        on_destination = position.board[move[1]]
        captures = on_destination is not None and not position.own(move[1])
        answer = 0
        if captures and last and last[0] == move[1]:
            answer = 2 if last[1] else 1
        captured = piece_number(on_destination) if captures else 0
        yield piece_number(position.board[move[0]]), captured, answer, int(position.in_check()), material, key, to, again, threat
        last = move[1], captures


class Clock:  # §4.5.3
    """The state of a player's clock."""

    def __init__(self):
        self.shown, self.thought, self.slow, self.instant = None, [None, None], 0, 0

    def note(self, shown, thought, unit):
        self.shown, self.thought = shown, [thought, self.thought[0]]
        v = max(0, min(thought, 1 << 32))
        self.slow = follow(self.slow, v)
        self.instant = (self.instant << 1 | (thought <= (unit if unit < 1000 else 0))) & 255


class Network:  # §9.5
    """A network with these data, which must have this shape."""

    def __init__(self, data, values, width, decisions):
        p = Bytes(data)
        must([p.varint() for _ in range(3)] == [sum(values), width, decisions], "the network of a model has another shape")
        data = data[p.at :]
        must(len(data) == 2 * width * (sum(values) + 1) + (width + 1) * decisions, "a network is cut off or too long")
        weights = [byte - 256 * (byte > 127) for byte in data]
        split = lambda start, size, count: [weights[start + size * i :][:size] for i in range(count)]
        rows, hidden, self.values, self.width = sum(values), 2 * width, values, width
        self.embeddings, self.bias = split(0, hidden, rows), split(hidden * rows, hidden, 1)[0]
        self.outputs, self.output_bias = split(hidden * (rows + 1), width, decisions), weights[-decisions:]

    def logits(self, inputs):
        """A function from the number of a decision to its logit."""
        hidden, first = self.bias, 0
        for value, values in zip(inputs, self.values):
            hidden, first = [u + w for u, w in zip(hidden, self.embeddings[first + value])], first + values
        pairs = zip(hidden[: self.width], hidden[self.width :])
        products = [max(0, min(a, 128)) * max(-128, min(b, 128)) >> 6 for a, b in pairs]
        return lambda j: (sum(map(int.__mul__, products, self.outputs[j])) + 128 * self.output_bias[j]) >> 3


def glyph_of(gap):  # §4.5.7
    """The glyph of the move before a gap: 1 `?!`, 2 `?`, 3 `??`, else 0."""
    at = next((at for at, byte in enumerate(gap) if byte in b"?$"), None)
    if at is None:
        return 0
    rest = gap[at:]
    if rest[:1] == b"$":
        number = {b"$6": 1, b"$2": 2, b"$4": 3}.get(rest[:2], 0)
        return 0 if digits(rest[2:3]) else number
    if rest[1:2] in (b"!", b"?"):
        return 1 if rest[1:2] == b"!" else 3
    return 0 if gap[:at].endswith(b"!") else 2


@functools.cache
def chances():  # §4.5.7
    """The winning chances at evaluations from 0 to 4000."""
    powers = [1 << 62]
    for _ in range(4000):
        powers.append(powers[-1] * 18378946580785229882 >> 64)
    return [((1 << 62) - power) // (((1 << 62) + power) >> 30) for power in powers]


def least_loss(standing, tenths):  # §4.5.7
    """The least loss of evaluation that costs this many tenths of the winning chances; None if there is none."""
    of = chances()
    at = max(-4000, min(standing, 4000))
    left = (of[at] if at >= 0 else -of[-at]) - tenths * (1 << 30) // 10
    to = bisect.bisect_right(of, left) - 1 if left >= 0 else -bisect.bisect_left(of, -left)
    return standing - to if to >= -4000 else None


class Evaluations:  # §4.5.7
    def __init__(self):
        self.known, self.same = {}, [adaptive_bits(3) for _ in range(4)]
        self.losses = Mixed(with_network=True), Mixed(with_network=True)

    def begin(self):
        self.at, self.last, self.step, self.usual, self.glyphs = None, None, 0, [0, 0], [0, 0]

    def code(self, codes, moves, glyph, i):
        """Decodes an evaluation; None if this model does not predict one here."""
        key = moves[i - 1][5] if 1 <= i <= len(moves) else None
        if key in self.known:
            value, times = self.known[key]
            if codes.bit(self.same[min(times, 3)][(i > 8) + (i > 16)]):
                return value
        if self.at is None or self.at != i - 1:
            return None
        s = i % 2
        turn = 1 if s else -1
        standing = self.last * turn
        beyond = least_loss(standing, glyph + 1)
        least = least_loss(standing, glyph) if glyph else 0
        if least is None:
            return None
        classes = lambda v: min(fine(v), 63)
        if glyph == 0:
            far = 1 << 63 if beyond is None else beyond - 55
            room = max(far, 0) if far < 24 else min(24 + fine(far - 24), 63)
        elif glyph == 3:
            room = classes(least - 165)
        else:
            room = classes(1 << 63 if beyond is None else beyond - least)
        signed = lambda v: classes(v) if v > 0 else 64 + classes(-v)
        piece, captured, answer, in_check, material = moves[i - 1][:5] if i <= len(moves) else (0,) * 5
        piece_before, captured_before = moves[i - 2][:2] if 2 <= i <= len(moves) + 1 else (0, 0)
        inputs = (
            min(i // 2, 63),
            signed(standing),
            glyph * 64 + room,
            signed(self.step * turn),
            classes(toward_zero(self.usual[s], 4)),
            classes(toward_zero(self.usual[1 - s], 4)),
            glyph * 16 + self.glyphs[0] * 4 + self.glyphs[1],
            piece,
            captured,
            answer + 3 * in_check,
            moves[i][3] if i < len(moves) else 0,
            piece_before + 8 * (captured_before > 0),
            material,
        )
        standing_class = class31(standing) if standing > 0 else 32 + class31(-standing)
        if glyph:
            contexts = glyph * 64 + standing_class, glyph * 32 + room // 2
        else:
            contexts = standing_class * 16 + phase(i), class31(sum(self.usual) // 32)
        logit_of = model(4).logits(inputs)
        excess = self.losses[glyph > 0].code(codes, *contexts, logit_of=logit_of)
        return self.last - (excess + least) * turn

    def note(self, moves, glyph, i, value):
        key = moves[i - 1][5] if 1 <= i <= len(moves) else None
        if key is not None:
            before, times = self.known.get(key, (value, 0))
            self.known[key] = value, times + 1 if before == value else 0
        continues = self.at is not None and self.at + 1 == i and glyph == 0
        self.step = value - self.last if continues else 0
        self.usual[i % 2] = follow(self.usual[i % 2], min(abs(self.step), 1 << 20))
        self.at, self.last, self.glyphs = i, value, [glyph, self.glyphs[0]]


class Parts:  # §4.5.4
    """The parts of the comments or variations: next() yields the model for each record in turn."""

    def __init__(self, model, codes, text, parts, records):
        codes, text, lengths, self.parts = Bytes(codes), Bytes(text), Codes(parts), []
        models = [Number(3) for _ in range(3)]
        while parts and records > 0:
            count, codes_len, text_len = (model.code(lengths) for model in models)
            must(0 < count <= records, "the number of records of a part is out of range")
            records -= count
            self.parts.append((count, codes.take(codes_len), text.take(text_len)))
        codes.end()
        text.end()
        self.model, self.base, self.left, self.begun = model, None, 0, False
        self.is_first = False

    def next(self):
        """The model for the next record."""
        if self.left == 0 and self.parts:
            self.end()
            if self.base:
                self.model = copy.deepcopy(self.base)
            elif self.begun:
                self.model.begin(b"", b"")
                self.base = copy.deepcopy(self.model)
            self.is_first = not self.begun
            self.left, codes, text = self.parts.pop(0)
            self.model.begin(codes, text)
            self.begun = True
        self.left -= 1
        return self.model

    def end(self):
        must(not self.begun or self.model.is_over(), "text is left over at the end of a part")


def read_duplicates(stream, records):  # §4.5.8
    """The numbers of the records whose comments equal those of the record before."""
    p, found, at = Bytes(stream), set(), 0
    while p.at < len(p.data):
        start = at + p.varint(records) + 1
        at = start + p.varint(records) + 1
        must(at <= records, "duplicates of comments are beyond the last record")
        found.update(range(start, at))
    return found


class Comments:  # §4.5
    """The model of the comments of a part; next() decodes those of one record."""

    # For times (1) and numbers (2): digits of each fraction, and how many of them are always written.
    FRACTIONS = {1: ((0, 0), (1, 0), (1, 1), (2, 2), (3, 3)), 2: ((0, 0), (1, 1), (2, 1), (2, 2), (3, 3))}

    def __init__(self):
        self.more, self.slots, self.habits, self.fields = Bit(), {}, {}, {}
        self.templates, self.words = StringDictionary(), StringDictionary()
        self.modes = [(Mode(), Mode()) for _ in range(4)]
        self.misses = {}
        self.predicted, self.clocks = Mixed(with_network=True), Mixed()
        self.durations, self.others, self.evals = Mixed(), Mixed(), Evaluations()

    def begin(self, codes, text):
        self.codes, self.strings = Codes(codes), iter(text.split(b"}")[:-1])

    def is_over(self):
        return next(self.strings, None) is None

    def next(self, gaps, layouts, control, moves):  # §4.5.1
        self.begin_record(control)
        self.moves = moves or []
        self.out, self.before, without, i, gap = [], None, 0, 0, []
        while moves is None or i < len(moves):
            explicit = i < len(layouts.gaps)
            if explicit:
                gap = [layouts.gaps[i]]
            elif layouts.place(i, gap) in layouts.habit:
                gap = [layouts.gap(i, gap)]
            else:
                break
            if moves is None and (i > 65536 or without > 2 * layouts.known + 2):
                break
            count = gaps[gap[0]].count(2)
            without = 0 if explicit or count else without + 1
            if count and not explicit and moves is None and not self.codes.bit(self.more):
                break
            self.glyph = glyph_of(gaps[gap[0]])
            for k in range(count):
                self.comment(gap[0], k, i)
            i += 1
        self.glyph = glyph_of(gaps[layouts.last])
        for k in range(gaps[layouts.last].count(2)):
            self.comment(layouts.last, k, i)
        return b"".join(self.out)

    def comment(self, gap, k, i):  # §4.5.2
        codes = self.codes
        slot = self.slots.setdefault((gap, k), len(self.slots))
        habit, yes = self.habits.get((slot, self.before)), 0
        if habit:
            yes = codes.bit(habit[1][habit[2]])
            habit[2] = (habit[2] << 1 | yes) & 3
        if yes:
            t = habit[0]
        else:
            t = self.templates.code(codes, self.strings)
            self.habits.setdefault((slot, self.before), [0, adaptive_bits(4), 0])[0] = t
        template, n = self.templates.strings[t], 0
        for at, byte in enumerate(template):
            if byte in (1, 2):
                self.number(byte, template, at, self.fields.get(t, 0) + min(n, 3), slot, i)
                n += 1
            elif byte == 3:
                self.out.append(self.words.strings[self.words.code(codes, self.strings)])
            else:
                self.out.append(bytes([byte]))
        if t not in self.fields:
            more = min(n, 4)
            room = n and len(self.modes) + more <= 250
            self.fields[t] = len(self.modes) if room else 0
            self.modes += [(Mode(), Mode()) for _ in range(more if room else 0)]
        self.out.append(b"}")
        self.before = t

    def number(self, mark, template, at, field, slot, i):
        mode = self.modes[field][mark == 1]
        if self.codes.bit(mode.other):
            mode.last = mode.next.code(self.codes)
            must(mode.last < 15, "an unknown mode")
        form, (digits, least) = mode.last // 5, self.FRACTIONS[mark][mode.last % 5]
        if mark == 1:
            kind = "countdown" if template[:at].endswith(b"clk ") else "duration"
        elif template[at + 1 : at + 2] == b"s":
            kind = "duration"
        else:
            kind = 0 if digits else template[at - 1] if at else 1
        before, sign = template[:at], 1
        if kind not in ("countdown", "duration", 0) and before.endswith(b"Mate in "):
            kind = ord("#")
        if before.endswith(b"(Mate in "):
            sign = 1 if i % 2 else -1
        elif before.endswith("→ Mate in ".encode()):
            sign = -1 if i % 2 else 1
        self.evaluates = before.endswith(b"[%eval ") or before.endswith("→ ".encode())
        v = sign * self.value(kind, field, slot, i, 10 ** (3 - digits))
        must(abs(v) < 10**15 and (mark == 2 or v >= 0), "a number is out of range")
        whole, part = divmod(abs(v), 10**digits)
        if mark == 1:
            hours, minutes, seconds = whole // 3600, whole // 60 % 60, whole % 60
            text = ("%d:%02d:%02d" if form == 0 else "%02d:%02d:%02d") % (hours, minutes, seconds)
            if form == 2:
                text = "%d:%02d" % (whole // 60, seconds)
        else:
            sign = "-" if v < 0 else "+" if form == 2 or form == 1 and v > 0 else ""
            text = sign + str(whole)
        fraction = str(part).zfill(digits) if digits else ""
        while len(fraction) > least and fraction.endswith("0"):
            fraction = fraction[:-1]
        self.out.append((text + ("." + fraction if fraction else "")).encode())

    def begin_record(self, control):  # §4.5.3
        self.series, self.players, self.shown = {}, [Clock(), Clock()], 0
        self.evals.begin()
        self.base, self.increment, self.per_move = 0, 0, False
        sign = b"/" if b"/" in control else b"+"
        first, _, second = control.partition(sign)
        parts = [second] if sign == b"/" else [first, second] if sign in control else [first]
        if b"/" in control and b"+" in control:
            return
        if all(digits(p) and len(p) <= 7 for p in parts):
            self.base = 1000 * int(parts[0])
            self.increment = 1000 * int(parts[1]) if len(parts) > 1 else 0
            self.per_move = sign == b"/" and first == b"1"

    def clock(self, i, unit):
        s = i % 2
        player, other = self.players[s], self.players[1 - s]
        if player.shown is not None:
            left = self.base if self.per_move else player.shown + self.increment
        else:
            left = self.base or self.shown
        mine, before, theirs = (class31((t or 0) // unit) for t in player.thought + other.thought[:1])
        portion = min(left * 8 // self.base, 9) if self.base else 10
        contexts = (
            (class31(self.base // 1000) * 16 + phase(i)) * 16 + portion,
            (2 * mine + before + theirs) // 4 * 32 + class31(left // 1000),
            mine * 32 + theirs,
            class31(player.slow // 16 // unit) * 16 + phase(i),
        )
        if unit in (100, 1000) and i >= 1:
            tenths = int(unit == 100)
            move = lambda j: self.moves[j - 1] if 1 <= j <= len(self.moves) else (0,) * 9
            piece, captured, answer, in_check, material, _, to, again, threat = move(i)
            action = lambda move: move[0] + 8 * (move[1] > 0)
            context = lambda move: action(move) + 8 * (move[2] > 0) + 32 * move[3]
            time = lambda t: 0 if t is None else 32 * tenths + min(class31(t // unit), 30) + 1
            mean = lambda p: 64 * tenths + min(fine(p.slow // 4 // unit), 62) + 1 if p.thought[0] is not None else 0
            moves_left = max(0, len(self.moves) - i)
            inputs = (
                min((i - 1) // 2, 63),
                class31(self.base // 1000),
                min(class31(self.increment // 1000), 15),
                min(fine(left // 1000), 63),
                min(left * 32 // self.base, 47) if self.base else 0,
                *map(time, player.thought + other.thought),
                mean(player),
                mean(other),
                bin(player.instant).count("1"),
                s + 2 * tenths,
                piece,
                captured,
                answer + 3 * in_check,
                action(move(i - 1)),
                material,
                min(class31(moves_left), 15),
                context(move(i + 1)),
                again + 2 * action(move(i - 2)),
                threat,
                to,
                context(move(i + 2)),
            )
            step = self.predicted.code(self.codes, *contexts, logit_of=model(3).logits(inputs))
        else:
            step = self.clocks.code(self.codes, *contexts)
        v = left // unit - step
        self.shown = v * unit
        player.note(v * unit, step * unit, unit)
        return v

    def value(self, kind, field, slot, i, unit):
        if kind == "countdown":
            return self.clock(i, unit)
        past, s = self.series.setdefault(kind, Series()), i % 2
        (mine, before), theirs = past.steps[s], past.steps[1 - s][0]
        if kind == "duration":
            mine, before, theirs = map(class31, (mine, before, theirs))
            mean = (2 * mine + before + theirs) // 4 * 32
            v = step = self.durations.code(self.codes, field * 16 + phase(i), mean + mine, mine * 32 + theirs)
        else:
            last = past.last or 0
            guesses = [last, -last, last if past.own[s] is None else past.own[s]]
            misses = self.misses.setdefault(kind, [0, 0, 0])
            guess = toward_zero(guesses[misses.index(min(misses))], unit)
            sign, place = 1 - 2 * s, min(slot, 63)
            signed_class = lambda x: class31(-x * sign) if x * sign < 0 else 32 + class31(x * sign)
            evaluates, v = kind == 0 and unit == 10 and self.evaluates, None
            if evaluates and self.evals.at != i:
                v = self.evals.code(self.codes, self.moves, self.glyph, i)
            if v is None:
                v = guess + sign * self.others.code(
                    self.codes,
                    signed_class(guess) * 64 + signed_class(theirs),
                    (place * 64 + signed_class(guess)) * 16 + (field & 15),
                    (place * 32 + class31(past.usual // 16)) * 16 + (field & 15),
                    field * 16 + phase(i),
                )
            if evaluates and self.evals.at != i:
                self.evals.note(self.moves, self.glyph, i, v)
            step = v - guess
            for j in range(3):
                off = min(abs(v * unit - guesses[j]), 1 << 20)
                misses[j] += toward_zero(16 * off - misses[j], 16)
            past.own[s] = past.last = v * unit
            past.usual = follow(past.usual, abs(step))
        past.steps[s] = [step, past.steps[s][0]]
        return v


# -------------------------------------------------------------- variations, §4.6


class Lines:  # §4.6.1
    """The model of the lines of a part; read() decodes those of one record."""

    def __init__(self):
        self.layouts, self.more, self.known = Layouts(b""), Number(3), Number(3)
        self.plies, self.long = [[Number(4) for _ in range(16)] for _ in range(2)], 0

    def begin(self, codes, text):
        self.layouts.codes, self.text, self.first = Codes(codes), Bytes(text), True

    def is_over(self):
        return self.text.at == len(self.text.data)

    def read(self, templates, explicit, last):
        codes = self.layouts.codes
        if self.first:
            self.layouts.known, self.first = self.known.code(codes), False
        unknown = [(False, False)] * (last + self.more.code(codes))
        return [self.line(templates, 1, *second_and_early) for second_and_early in explicit + unknown]

    def line(self, templates, depth, second, early):
        must(depth <= 64, "variations are nested too deeply")
        codes, layouts = self.layouts.codes, self.layouts
        plies = self.plies[early][min(self.long, 15)].code(codes)
        must(plies <= 65536, "a variation has too many moves")
        self.long = plies if plies > 2 else self.long
        layouts.next("second" if second else Layouts.FIRST)
        must(layouts.known <= len(templates) and layouts.wrap[0] == 0, "the layout of a variation is invalid")
        must(len(layouts.gaps) <= plies, "a variation has more gaps than moves")
        while len(layouts.gaps) < plies:
            layouts.gaps.append(layouts.gap(len(layouts.gaps), layouts.gaps[-1:]))
        layout, gaps = copy.copy(layouts), [*layouts.gaps, layouts.last]
        comments = b""
        for _ in range(sum(templates[gap].count(2) for gap in gaps)):
            comments += self.text.take(self.text.data.index(b"}", self.text.at) + 1 - self.text.at)
        pieces = self.text.take(sum(layouts.text_lengths))
        places = [i for i, gap in enumerate(gaps) for _ in range(templates[gap].count(3))]
        inner_lines = [(self.line(templates, depth + 1, second ^ (i > 0 and i % 2 == 0), early), i) for i in places]
        return plies, layout, comments, pieces, inner_lines


class Variations:  # §4.6
    def __init__(self, codes, text, parts, moves, records, coding):
        text, moves = Bytes(text), Bytes(moves)
        self.model = MoveModel(moves.u8()) if moves.data and coding == 3 else None
        templates = text.take(text.varint()) if text.data else b""
        self.templates = templates.split(b"\0")[:-1]
        self.parts = Parts(Lines(), codes, text.take(len(text.data) - text.at), parts, records)
        lengths = [moves.varint() for _ in range(moves.varint())] if moves.data else []
        self.moves = [moves.take(n) for n in lengths]
        moves.end()
        self.part = None

    def next(self, model, templates, layouts, game, start, moves):  # §4.6.1
        count = lambda gap: templates[gap].count(3)
        second_and_early = lambda i: (i > 0 and i % 2 == 0, i < 16)
        explicit = [second_and_early(i) for i, gap in enumerate(layouts.gaps) for _ in range(count(gap))]
        # The codes of all lines come first; they do not depend on the moves.
        lines = model.read(self.templates, explicit, count(layouts.last))
        gaps = layouts.gaps[:]
        while len(gaps) < len(moves):
            gaps.append(layouts.gap(len(gaps), gaps[-1:]))
        places = [i for i, gap in enumerate(gaps + [layouts.last]) for _ in range(count(gap))]
        must(len(places) == len(lines), "the number of variations differs from the marks in the gaps")
        if any(has_moves(line) for line in lines):
            must(game is not None, "a variation has moves, but its game has none")
            if self.part is None or self.part[0] != game // 8:
                must(game // 8 < len(self.moves), "a part of the moves of variations is missing")
                self.part = game // 8, FrequencyDecoder(self.moves[game // 8])
        return b"".join(self.render(line, i, moves) for line, i in zip(lines, places))

    def render(self, line, i, parent):
        plies, layout, comments, pieces, inner_lines = line
        start = parent[i - 1][0] if 0 < i <= len(parent) else None
        must(start or plies == 0, "a variation has moves, but no start")
        moves = []
        position, number = start or (None, 1)
        for _ in range(plies):  # §4.6.2
            legal = position.legal_moves()
            must(legal, "a variation continues where no move is legal")
            frequencies = [1] * len(legal)
            if self.model:
                frequencies = self.model.frequencies(position, legal)[:-1]
                if not moves and parent[i - 1][1] != NULL_MOVE:
                    frequencies[legal.index(parent[i - 1][1])] = 1
            moves.append(((position, number), legal[self.part[1].choose(frequencies)]))
            position = position.play(moves[-1][1])
            number += position.white
        payloads = [comments, b"".join(self.render(inner, j, moves) for inner, j in inner_lines), pieces]
        text = Movetext(self.templates, layout, payloads, {})
        if start:
            text.play(start, (move for _, move in moves))
        else:
            text.gap(layout.last, b"")
        text.end()
        return b"".join(text.out) + b")"

    def end(self):
        self.parts.end()


def has_moves(line):
    return line[0] > 0 or any(has_moves(inner) for inner, _ in line[4])


# ------------------------------------------------------- a record as text, §11


class Movetext:
    """Writes the movetext of a record to `out`."""

    def __init__(self, templates, layout, payloads, tags):
        self.templates, self.layout, self.tags = templates, layout, tags
        self.comments, self.variations, self.text = map(Bytes, payloads)
        self.lengths, self.out, self.plies = iter(layout.text_lengths), [], 0

    def gap(self, template, number):
        replaced = False
        for byte in self.templates[template]:
            if byte == 1:
                self.out.append(number)
            elif byte == 2:
                end = self.comments.data.index(b"}", self.comments.at) + 1
                self.out += [b"{", self.with_repeated_values(self.comments.take(end - self.comments.at))]
            elif byte == 3:
                self.out += [b"(", self.variations.take(self.variation_length())]
            elif byte == 4:
                must(b"Result" in self.tags, "a gap refers to the tag Result, which the record does not have")
                self.out.append(self.tags[b"Result"])
            elif byte in (5, 6):
                self.out.append(self.text.take(next(self.lengths)))
                replaced |= byte == 6
            else:
                self.out.append(bytes([byte]))
        return replaced

    def with_repeated_values(self, comment):  # §4.5.5
        out = []
        for byte in comment:
            if byte in (5, 6):
                name = (b"ECO", b"Opening")[byte - 5]
                must(name in self.tags, "a comment refers to a value that the record does not have")
                out.append(self.tags[name])
            elif byte == 4:
                must(self.variations.at < len(self.variations.data), "a comment refers to a value that the record does not have")
                word = self.variations.data[self.variations.at :].lstrip(b"0123456789. ")
                is_of_word = [chr(c).isalnum() and c < 128 or c in b"+#=-" for c in word] + [False]
                out.append(word[: is_of_word.index(False)])
            else:
                out.append(bytes([byte]))
        return b"".join(out)

    def variation_length(self):
        data, at, depth = self.variations.data, self.variations.at, 1
        while depth:
            must(at < len(data), "a variation is not closed")
            if data[at] == ord("{"):
                at = data.index(b"}", at)
            depth += {ord("("): 1, ord(")"): -1}.get(data[at], 0)
            at += 1
        return at - self.variations.at

    def play(self, start, line):
        position, number = start
        moves = position.legal_moves()
        before = []
        for move in line:
            i = self.plies
            gap = self.layout.gaps[i] if i < len(self.layout.gaps) else self.layout.gap(i, before)
            replaced = self.gap(gap, b"%d" % number)
            if not replaced:
                self.out.append(move_text(position, moves, move, self.layout.notation).encode())
            position = position.play(move)
            moves = position.legal_moves()
            if not replaced and self.layout.notation != 2:
                self.out.append(position.sign(moves))
            number += position.white
            self.plies += 1
            before = [gap]
        self.position = position
        must(len(self.layout.gaps) <= self.plies, "a game has more gaps than moves")
        self.gap(self.layout.last, b"%d" % number)

    def end(self):
        for payload in (self.comments, self.variations, self.text):
            payload.end()
        must(next(self.lengths, None) is None, "a piece of text is left over")


SPACE = b"\t\n\x0c\r "


def read_sections(stream):  # §4.1.4
    must(stream[-1:] in (b"", b"\0"), "a tag section is cut off")
    must(not re.search(b"[\1\3][\0-\3]", stream), "an impossible tag section")
    return stream.split(b"\0")[:-1]


def section_from_template(template, tags):  # §4.1.4
    """A tag section in another form than the standard one, from its template and the names and values of its tags."""
    out, tags, rest = [], list(tags), None
    for byte in template:
        must(byte > 3 or tags, "a tag section has too many marks")
        if byte == 1:
            out.append(tags[0][0])
        elif byte == 2:
            value = tags.pop(0)[1]
            out.append(value if rest is None else rest)
            rest = None
        elif byte == 3:
            word, space, rest = (tags[0][1] if rest is None else rest).partition(b" ")
            must(space, "a tag section has too many words")
            out.append(word)
        else:
            out.append(bytes([byte]))
    must(not tags, "a tag section has too few marks")
    return b"".join(out)


def rewrap_inside(text, wrap, line_end):
    if wrap[0] == 0:
        return text
    start = len(text) - len(text.lstrip(SPACE))
    end = max(start, len(text.rstrip(SPACE)))
    return text[:start] + rewrap(text[start:end], wrap, line_end) + text[end:]


def rewrap(text, wrap, line_end):  # §4.4.1
    def word_end(at):
        while at < len(text) and text[at] not in b" \n\r\x1f":
            at += 1
        return at

    def breaks(column, word):
        if wrap[0] == 1:
            return column + 1 + len(word) > wrap[1]
        head = word.split(b".")[0]
        return column >= wrap[1] and digits(head) and b"." in word

    out, column, at = [], 0, 0
    while True:
        end = word_end(at)
        out.append(text[at:end])
        column += end - at
        if end == len(text):
            return b"".join(out)
        at = end + 1
        if text[end] == 0x20 and breaks(column, text[at : word_end(at)]):
            out.append(line_end)
            column = 0
        elif text[end] in b" \x1f":
            out.append(b" ")
            column += 1
        elif text.startswith(line_end, end):
            out.append(line_end)
            column, at = 0, end + len(line_end)
        else:
            out.append(text[end : end + 1])
            column = 0


# ------------------------------------------------------------------- Go, §14

# A point is (row, column); a pass is None. Stones are b"B" and b"W".


def line_of_letter(letter):  # §14.1
    if 97 <= letter <= 122:
        return letter - 97
    return letter - 65 + 26 if 65 <= letter <= 90 else None


def point_text(point):
    return b"" if point is None else bytes(97 + i if i < 26 else 65 + i - 26 for i in reversed(point))


class Board:  # §14.1
    def __init__(self, columns, rows, suicide):
        self.columns, self.rows, self.suicide = columns, rows, suicide
        self.stones, self.turn, self.ko, self.history = {}, b"B", None, ()

    def around(self, point):
        for row, column in ((-1, 0), (0, -1), (0, 1), (1, 0)):
            at = point[0] + row, point[1] + column
            if 0 <= at[0] < self.rows and 0 <= at[1] < self.columns:
                yield at

    def chain(self, point):
        """The stones of the chain at `point`, and its liberties."""
        stones, liberties, found = {point}, set(), [point]
        for at in found:
            for near in self.around(at):
                if near not in self.stones:
                    liberties.add(near)
                elif self.stones[near] == self.stones[point] and near not in stones:
                    stones.add(near)
                    found.append(near)
        return stones, liberties

    def is_legal(self, point):
        if point in self.stones or point == self.ko:
            return False
        for near in self.around(point):
            if near not in self.stones:
                return True
            has_one_liberty = len(self.chain(near)[1]) == 1
            if has_one_liberty != (self.stones[near] == self.turn):
                return True
        return self.suicide

    def legal_moves(self):
        points = ((row, column) for row in range(self.rows) for column in range(self.columns))
        return [point for point in points if self.is_legal(point)] + [None]

    def play(self, move):
        after = copy.copy(self)
        after.turn, after.ko = b"W" if self.turn == b"B" else b"B", None
        after.history = (*self.history, move)
        if move is None:
            return after
        after.stones = {**self.stones, move: self.turn}
        captured = set()
        for near in self.around(move):
            if after.stones.get(near) == after.turn:
                stones, liberties = after.chain(near)
                captured |= stones if not liberties else set()
        for point in captured:
            del after.stones[point]
        stones, liberties = after.chain(move)
        if len(captured) == 1 and len(stones) == 1 and liberties == captured:
            (after.ko,) = captured
        if not liberties:
            for point in stones:
                del after.stones[point]
        return after


def go_number(value):
    value = value.strip(SPACE)
    return int(value) if 1 <= len(value) <= 4 and value.isdigit() else None


SUICIDE = (b"nz", b"new zealand", b"goe", b"ing", b"tromp-taylor")
TURNS = {b"B": b"B", b"b": b"B", b"black": b"B", b"Black": b"B", b"1": b"B"}
TURNS.update({b"W": b"W", b"w": b"W", b"white": b"W", b"White": b"W", b"2": b"W"})


def start_of_go(tags):  # §14.2
    if go_number(tags.get(b"GM", b"1")) != 1:
        return None
    sizes = [go_number(size) for size in tags.get(b"SZ", b"19").split(b":", 1)]
    if not all(size is not None and 1 <= size <= 52 for size in sizes):
        return None
    board = Board(sizes[0], sizes[-1], tags.get(b"RU", b"").strip(SPACE).lower() in SUICIDE)
    for name, color in ((b"AB", b"B"), (b"AW", b"W")):
        for value in tags[name].split(b"]") if name in tags else ():
            corners = []
            for corner in value.strip(SPACE).removeprefix(b"[").strip(SPACE).split(b":", 1):
                corner = tuple(line_of_letter(letter) for letter in reversed(corner))
                if len(corner) != 2 or None in corner:
                    return None
                corners.append(corner)
            (top, bottom), (left, right) = (sorted((corners[0][i], corners[-1][i])) for i in (0, 1))
            for point in ((row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)):
                if point in board.stones or point[0] >= board.rows or point[1] >= board.columns:
                    return None
                board.stones[point] = color
    if b"PL" in tags:
        board.turn = TURNS.get(tags[b"PL"].strip(SPACE))
    elif b"AB" in tags and b"AW" not in tags:
        board.turn = b"W"
    return board if board.turn else None


class GoMoves:  # §14.3
    def __init__(self, bits, coding):
        self.bits, self.coding, self.plies = bits, coding, 0

    def begin(self, start):
        self.integer, self.explicit, self.main = self.bits.integer() if start else 0, 0, True

    def next(self, board, main, explicit):
        moves = board.legal_moves()
        if main and self.coding == 2:
            self.integer, k = divmod(self.integer, len(moves) + 1)
            must(k < len(moves), "a record has more moves than its integer")
        else:
            if not main and self.explicit == 0:
                self.end(board)
                self.integer, self.explicit = self.bits.integer(), 256
            self.explicit -= explicit and not main
            must(self.integer, "a record has more moves than its integer")
            k = (self.integer - 1) % len(moves)
            self.integer = (self.integer - k - 1) // len(moves)
        self.plies += main
        self.last = board.play(moves[k]) if main else None
        return moves[k]

    def end(self, _=None):
        """Checks that nothing is left of the integer but the end move of a main line."""
        if self.main and self.coding == 2:
            self.integer, k = divmod(self.integer, len(self.board.legal_moves()) + 1)
            must(k == len(self.board.legal_moves()), "the integer of a main line does not end with an end move")
        self.main = False
        must(self.integer == 0, "an integer has more moves than its record")


class WeightedGoMoves:  # §14.3, coding 3
    def __init__(self, stream, records):
        self.bits, self.plies, self.begun = Bytes(stream), 0, 0
        self.lengths = [self.bits.varint() for _ in range((records + 7) // 8)] if stream else []

    def begin(self, start):
        if self.lengths and self.begun % 8 == 0:
            self.codes = FrequencyDecoder(self.bits.take(self.lengths[self.begun // 8]))
        self.begun += 1

    def next(self, board, main, explicit):
        moves = board.legal_moves()
        self.plies += main
        return moves[self.codes.choose(model(2).frequencies(board, moves))]

    def end(self, _=None):
        pass


class GoRecord:  # §14.6
    def __init__(self, start, moves):
        self.board, self.moves, self.stack, self.overflow = start, moves, [], 0
        self.main, self.started = True, start is not None
        self.played = []  # the moves of the main line, with implicit passes
        moves.begin(start)
        moves.board = start

    def bracket(self, byte):
        if byte == 0x28:
            if len(self.stack) < 512:
                self.stack.append(self.board)
            else:
                self.overflow += 1
        elif byte == 0x29:
            self.main = False
            if self.overflow:
                self.overflow -= 1
            elif self.stack:
                self.board = self.stack.pop()

    def play(self, before):
        must(before in (b"B[", b"W["), "the template before a move does not end in B[ or W[")
        must(self.started, "a record has moves, but no start")
        if self.board.turn != before[:1]:
            must(self.next(False) is None, "an implicit move is not a pass")
        return self.next(True)

    def next(self, explicit):
        move = self.moves.next(self.board, self.main, explicit)
        self.board = self.board.play(move)
        if self.main:
            self.moves.board = self.board
            self.played.append(move)
        return move

    def end(self):
        if self.started:
            self.moves.end()


def take_value(values):  # §14.4.1
    at = values.at
    while values.data[at] != 0x5D:
        at += 2 if values.data[at] == 0x5C else 1
    return values.take(at + 1 - values.at)


def has_line_end(template):
    unescaped = iter(template)
    return any(byte in b"\n\r" for byte in unescaped if byte != 3 or next(unescaped) is None)


def ends_in_text(template):
    unescaped = iter(template)
    return any(byte == 4 for byte in unescaped if byte != 3 or next(unescaped) is None)


class GoLayouts:  # §14.4.2
    def __init__(self, codes, templates):
        self.codes, self.templates = Codes(codes), templates
        self.known, self.heads, self.habits, self.passes_as_letters = 0, {}, {}, False
        self.other_head, self.other_passes, self.new = adaptive_bits(3)
        self.differs = [adaptive_bits(8), adaptive_bits(8)]
        self.moves, self.which, self.length = Number(8), Number(12), Number(3)

    def template(self):
        if self.codes.bit(self.new):
            self.known += 1
            must(self.known <= len(self.templates), "an unknown template")
            return self.known - 1
        number = self.which.code(self.codes)
        must(number < self.known, "an unknown template")
        return number

    def next(self, tags):
        codes = self.codes
        if tags not in self.heads or codes.bit(self.other_head):
            self.heads[tags] = self.template()
        head = before = self.heads[tags]
        count, gaps = self.moves.code(codes), []
        if count and codes.bit(self.other_passes):
            self.passes_as_letters = not self.passes_as_letters
        since = 0 if has_line_end(self.templates[head]) else 63
        missed = 0
        for i in range(count):
            last = i == count - 1
            key = None if last else (before, since)
            habit = self.habits.get(key)
            hit = habit is not None and not codes.bit(self.differs[last][missed])
            gap = habit[0] if hit else self.template()
            flag = habit is not None and gap != habit[0] and not habit[1]
            self.habits[key] = (habit[0] if flag else gap, flag)
            gaps.append(gap)
            before, since = gap, 0 if has_line_end(self.templates[gap]) else min(since + 1, 63)
            missed = (missed << 1 | (not hit)) & 7
        length = self.length.code(codes) if ends_in_text(self.templates[before]) else 0
        return head, gaps, self.passes_as_letters, length


# -------------------------------------------------------- the archive, §2, §5, §6


MARK_START = b"\x5a\x2a\x4d\x18\x15\x00\x00\x00ignA"
FOOTER_START = b"\x5a\x2a\x4d\x18\x3e\x00\x00\x00ignF"


def footer_end(data):  # §6.1
    """The byte at which the last valid footer ends."""
    limit = len(data)
    while (at := data.rfind(FOOTER_START, 0, limit)) >= 0:
        footer, end = sealed(data[at : at + 70], b"ignF"), at + 70
        if footer and footer.data[-8:] == end.to_bytes(8, "little"):
            check_version(footer)
            if footer.u64() + footer.u64() + 70 == end:
                return end
        limit = at + len(FOOTER_START) - 1
    raise Corrupt("no footer: the file is truncated")


def trailer(data):  # §16.3
    """The bytes at which the set starts and the footer ends, according to the trailer at the end of the file; None
    without a valid one."""
    frame = sealed(data[-46:], b"ignT")
    if frame and frame.data[-8:] == len(data).to_bytes(8, "little"):
        check_version(frame)
        at, end = frame.u64(), frame.u64()
        if end <= at <= len(data):
            return at, end
    return None


def set_end(data, at, footer):  # §16.1
    """The byte at which the parity set ends that starts at byte `at` and belongs to the footer that ends at byte
    `footer`, or its first frame if that is damaged. 0 if it is none."""
    end = at + 8 + int.from_bytes(data[at + 4 : at + 8], "little")
    if data[at : at + 4] != MARK_START[:4] or data[at + 8 : at + 12] != b"ignP":
        return 0
    frame = sealed(data[at:end], b"ignP")
    if not frame:
        return end
    check_version(frame)
    stated, _, protected, size = (frame.u64() for _ in range(4))
    shards, recovery, number = (frame.u32() for _ in range(3))
    if (stated, protected, number) != (at, footer, 0):
        return 0
    return at + 2 * (66 * -(-shards // 256) + 8 * shards) + recovery * (32 + size) + 46


def is_interrupted(data, at):  # §6.1
    """Whether something that was interrupted follows the footer that ends at byte `at`, and its parity."""
    end = footer = at
    while (kind := data[end + 8 : end + 12]) in (b"ignP", b"ignR", b"ignT"):
        length = 8 + int.from_bytes(data[end + 4 : end + 8], "little")
        frame = sealed(data[end : end + length], kind)
        if not frame:
            break
        end += length
        if kind == b"ignP":
            check_version(frame)
        elif kind == b"ignT":
            if trailer(data[:end]) != (at, footer) or set_end(data, at, footer) != end:
                break
            at = end
    mark = data[at : at + 29]
    if len(mark) < 29:
        is_mark = mark[:12] == MARK_START and at.to_bytes(8, "little").startswith(mark[13:21])
        return not (is_mark and mark[12:13] not in (b"", b"\x00"))
    begun = MARK_START + b"\x00" + at.to_bytes(8, "little")
    begun += xxh64(begun).to_bytes(8, "little")
    written = mark.rstrip(b"\x00")
    if not written or mark == begun or len(data) == at + 29 and begun.startswith(written):
        return trailer(data) is None and not is_like_footer(data)
    if mark[8:12] == b"ignP":
        return len(data) <= set_end(data, at, footer)
    mark = sealed(mark, b"ignA")
    if not mark:
        return False
    value, place = mark.u8(), mark.u64()
    must(place != at or value <= 1, "unsupported mark of an append")
    return False


def is_like_footer(data):  # §6.1
    """Whether the last 70 bytes are those of a footer that was written in full, and may be damaged."""
    states_length = data[-16:-8] == len(data).to_bytes(8, "little")
    return (data[-70:-58] == FOOTER_START or states_length) and data[-8:] != bytes(8)


class Entry(collections.namedtuple("Entry", "start end text games head_end head_checksum")):
    """A block in the index, §5.2: its first byte and its end, the numbers of its bytes of text and of its games,
    the end of its head and the checksum there."""


def read_archive(data):
    """The sources, §5.1, the entries of the blocks, §5.2, and the number of plies that the footer states."""
    check_version(unseal(data[:22], b"ignC"))
    meta = 22 + 8 + int.from_bytes(data[26:30], "little")
    must(meta - 22 - 20 <= 65536, "the metadata record is too long")
    unseal(data[22:meta], b"ignM")
    before = (trailer(data) or (0, len(data)))[1]
    end = footer_end(data[:before])
    if end < before:
        must(is_interrupted(data, end), "the end of the archive is damaged or cut off")
        print(f"{len(data) - end} bytes after the archive", file=sys.stderr)
    footer = Bytes(data[end - 56 : end - 8])
    index_at, index_len, games, plies, text_len, _ = (footer.u64() for _ in range(6))
    index = unseal(data[index_at : index_at + index_len], b"ignI")
    sources, name = [], b""
    for _ in range(index.varint()):
        shared = index.u8()
        must(shared <= len(name), "a name begins with more than the name before")
        name = name[:shared] + index.take(index.varint(65536 - shared))
        length, count, kind = index.varint(), index.varint(), index.u8()
        must(count <= length and kind <= 4, "a source that is not possible")
        checksum = index.u64() if kind in (0, 2) else None
        if kind in (2, 4):
            index.take(32)  # SHA-256 of the input, which is not its text if it was compressed
        sources.append((length, count, checksum))
    blocks, end = [], 0
    for _ in range(index.varint()):
        start = end + index.varint()
        head, stored, text, count = (index.varint() for _ in range(4))
        head_checksum = index.u64()
        end = start + stored
        must(head <= stored and end <= index_at, "a block is outside the file")
        blocks.append(Entry(start, end, text, count, start + head, head_checksum))
    index.end()
    must(sum(b.games for b in blocks) == games, "the numbers of games in the index and the footer differ")
    must(sum(s[1] for s in sources) == games, "the numbers of games of sources and blocks differ")
    must(sum(b.text for b in blocks) == text_len, "the lengths of the text in the index and the footer differ")
    must(sum(s[0] for s in sources) == text_len, "the lengths of the text of sources and blocks differ")
    return sources, blocks, plies


def unpack(data, on_game=lambda game: None):
    """Yields the text of each source; `on_game` is called with each game."""
    sources, blocks, plies = read_archive(data)
    for block in blocks:
        if block.text == 0:
            read_block(data[block.start : block.end])
    blocks, total = iter(blocks), 0
    # What is decoded and belongs to the next sources: the text and the number of games of each record.
    records = collections.deque()
    for length, count, checksum in sources:
        texts = []
        while length > 0:
            while not records:
                entry = next(blocks)
                block = read_block(data[entry.start : entry.end], on_game)
                if block is None:
                    continue
                checksum_there = data[entry.head_end - 8 : entry.head_end]
                must(checksum_there == entry.head_checksum.to_bytes(8, "little"), "another block than the index lists")
                must((block.text_len, block.games) == (entry.text, entry.games), "a block differs from its entry in the index")
                total += block.plies
                records.extend(block.record_texts())
            text, is_game = records.popleft()
            length, count = length - len(text), count - is_game
            texts.append(text)
        must(length == 0 and count == 0, "a source does not end where its records end")
        source = b"".join(texts)
        must(checksum is None or xxh64(source) == checksum, "the checksum of a source differs")
        yield source
    must(not records, "text belongs to no source")
    must(total == plies, "the numbers of plies in the blocks and the footer differ")


def read_block(data, on_game=lambda game: None):
    """The block, or None for the block of a model that is damaged: another copy may be whole."""
    try:
        return Block(data, on_game)
    except Corrupt:
        length = 8 + int.from_bytes(data[4:8], "little")
        head = unseal(data[:length], b"ignB")
        head.take(9)
        if head.varint() == 0:
            return None
        raise


def known_answers():  # §8.7
    """The architecture of each model and its sum."""
    state = 1

    def draw(n):
        nonlocal state
        state = state * 6364136223846793005 + 1 & M64
        return (state >> 33) % n

    add = hashlib.sha256()
    position = initial = Position()
    for i in range(1000):
        legal = position.legal_moves()
        for frequency in MoveModel(i % 3).frequencies(position, legal) if legal else []:
            add.update(frequency.to_bytes(4, "little"))
        position = initial if i % 100 == 99 or not legal else position.play(legal[draw(len(legal))])
    yield 1, add.hexdigest()
    for architecture in NETWORKS:
        network = model(architecture)
        state, add = 1, hashlib.sha256()
        for _ in range(1000):
            logit = network.logits([draw(count) for count in network.values])
            for _ in range(8):
                add.update(logit(draw(len(network.outputs))).to_bytes(4, "little", signed=True))
        yield architecture, add.hexdigest()


def main():
    arguments = sys.argv[1:]
    if arguments == ["--known-answers"]:
        for architecture, answer in known_answers():
            print(architecture, answer)
        return
    verify = arguments[:1] == ["--verify"]
    if len(arguments) != 1 + verify:
        sys.exit(__doc__)
    with open(arguments[-1], "rb") as file:
        data = file.read()
    try:
        for source in unpack(data):
            if not verify:
                sys.stdout.buffer.write(source)
    except (Corrupt, IndexError, ValueError, StopIteration, RuntimeError) as error:
        sys.exit(f"{arguments[-1]}: {error or 'a column is truncated'}")
    if verify:
        print(f"{arguments[-1]}: valid")


if __name__ == "__main__":
    main()
