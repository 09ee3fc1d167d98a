#!/usr/bin/env python3
"""Reads the search index of .ign archives: a reader written from format-spec.md §15 alone.

    python3 index_reader.py A.ign --verify             compares the index with the games of the archive
    python3 index_reader.py A.ign --find FEN           prints the numbers of the games with this position
    python3 index_reader.py A.ign --player NAME        ... of this player, in any case and without accents
    python3 index_reader.py A.ign --material KRPKR     ... with these pieces, White's first
    python3 index_reader.py A.ign B.ign --index C.idx  an index of several archives

The archives are read by reader.py, in this folder. --verify decodes all games and computes from them
what the index must hold: the two are independent of each other and of the program. Section numbers in
comments are those of format-spec.md.
"""

import argparse
import bisect
import collections
import pathlib
import re
import sys
import unicodedata

sys.dont_write_bytecode = True
import reader
from reader import M64, Bytes, Corrupt, must, read_fen, unseal, xxh64

# ---------------------------------------------- lists and sequences, §15.3


def rice_parameter(n, bound):
    return min(40, max(0, (bound // n).bit_length() - 1))


def codewords(data, n, q):
    """The n numbers whose codewords these bytes hold; the padding must be 0."""
    bits, at, numbers = "".join(f"{byte:08b}" for byte in data), 0, []
    for _ in range(n):
        one = bits.find("1", at)
        must(0 <= one and one + 1 + q <= len(bits), "a list is truncated")
        numbers.append((one - at) << q | int(bits[one + 1 : one + 1 + q] or "0", 2))
        at = one + 1 + q
    must(len(bits) - at < 8 and "1" not in bits[at:], "the padding of a list is wrong")
    return numbers


def running_sums(gaps, first=0):
    for gap in gaps:
        first += gap
        yield first


def read_list(data, n, bound):
    numbers = list(running_sums(codewords(data, n, rice_parameter(n, bound)))) if n else []
    must(n or not data, "an empty list has bytes")
    must(not numbers or numbers[-1] < bound, "a number of a list is out of bounds")
    return numbers


def read_sequence(p, bound):
    n = p.varint(bound)
    heads = [(p.varint(), p.varint()) for _ in range((n + 1023) // 1024)]
    numbers, first = [], 0
    for i, (gap, length) in enumerate(heads):
        first += gap
        gaps = codewords(p.take(length), min(1024, n - 1024 * i), rice_parameter(n, bound))
        must(gaps[0] == 0, "the first gap of a block is not 0")
        numbers += running_sums(gaps, first)
    must(is_ascending(numbers) and (not n or numbers[-1] < bound), "a sequence is not ascending or out of bounds")
    return numbers


def is_ascending(numbers):
    return all(a < b for a, b in zip(numbers, numbers[1:]))


assert read_sequence(Bytes(bytes.fromhex("0301028840")), 16) == [1, 5, 13]

# ------------------------------------------------- keys of positions, §15.7


F = 0x9E3779B97F4A7C15


def fold(k, w):
    x = (k ^ w) * F & M64
    return x ^ x >> 29


def squares(board, letters):
    return sum(1 << square for square, piece in enumerate(board) if piece and piece in letters)


def keys_of(position):
    """The structure key s and the position key p. The pawn key is s >> 4."""
    board = position.board
    a = fold(fold(F, squares(board, "P")), squares(board, "p"))
    counts = 0
    for kind in "NBRQ":
        counts = counts << 16 | board.count(kind) << 8 | board.count(kind.lower())
    s = fold(a, counts)
    en_passant = position.en_passant
    if en_passant is not None:
        takers = (m for m in position.legal_moves() if m[1] == en_passant and m[0] is not None)
        if not any(board[m[0]] in ("P", "p") for m in takers):
            en_passant = None
    p = s
    for word in (
        *(squares(board, kind) for kind in ("Nn", "Bb", "Rr", "Qq", "Kk")),
        squares(board, "pnbrqk"),
        squares(board, "PNBRQK"),
        sum(1 << rook for rook in position.castling),
        0 if en_passant is None else 1 << en_passant,
        int(position.white),
    ):
        p = fold(p, word)
    return a >> 36 << 4 | s >> 60, p >> 14


def material_of(board):  # §15.10
    """The code of the material; None if there are more than 8 pieces and pawns beside the kings."""
    counts = [board.count(piece) for piece in "PpNnBbRrQqKk"]
    code = 0
    for count in counts:
        code = code << 4 | min(count, 15)
    return code if sum(counts[:10]) <= 8 else None


# --------------------------------------------- values of tags, docs/search.md


SPACE = " \t\r\n\f"


def text_of(value):
    """The text of a tag without escapes."""
    return re.sub(rb'\\(["\\])', rb"\1", value)


def characters(text):
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")


def folded(text):  # §15.5
    out = []
    for c in unicodedata.normalize("NFD", characters(text)):
        if not 0x300 <= ord(c) <= 0x36F:
            c = c.upper() if len(c.upper()) == 1 else c
            out.append(c.lower() if len(c.lower()) == 1 else c)
    return "".join(out).encode()


def rating_of(value):
    text = characters(text_of(value)).strip(SPACE)
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip(SPACE)
    match = re.fullmatch(r"([0-9]{1,4})[+?Pp]?(?:[ \t(][^0-9]*)?", text)
    return int(match[1]) or None if match else None


def date_of(value):
    """year·512 + month·32 + day, or None."""
    parts = re.split(r"([./-])", characters(text_of(value)).strip(SPACE))
    parts, separators = parts[::2], parts[1::2]
    if len(parts) > 3 or not all(re.fullmatch(r"[0-9]{0,4}|\?+", part) for part in parts):
        return None
    numbers = [int(part) if part.isdigit() else 0 for part in parts]
    is_year = [len(part) > 2 and part.isdigit() for part in parts]
    if is_year[0]:
        year, month, day = (*numbers, 0, 0)[:3]
    elif is_year[-1] and len(parts) == 2:
        year, month, day = numbers[1], numbers[0], 0
    elif is_year[-1]:
        day, month, year = numbers
        if separators != [".", "."]:  # the day or the month may come first
            if max(day, month) > 31 or min(day, month) > 12:
                return None
            day, month = (day, month) if day > month else (month, day)
            if month == 0 or day != month and day <= 12:
                day = month = 0
    else:
        return None
    if not year or month > 12 or day > 31:
        return None
    return year * 512 + month * 32 + (day if month else 0)


DASHES = "‐‑‒–—―−"
HALF = r"(?:½|1/2|0\.5|0,5)"
SCORES = ((r"1 ?[-:] ?0", 0), (r"0 ?[-:] ?1", 1), (rf"{HALF}(?: ?[-:] ?{HALF})?", 2))
MORE_SCORES = ((r"\*", 3), (r"0 ?[-:] ?0", 4), (r"\+ ?[:/]? ?-", 0), (r"- ?[:/]? ?\+", 1))


def with_hyphens(text):
    return re.sub(f"[{DASHES}]", "-", text)


def result_of_tag(value):
    """The number of the result, 3 for `*`, None if the text is no result."""
    text = re.sub(r"\s+", " ", with_hyphens(characters(text_of(value))))
    for pattern, number in (*SCORES, *MORE_SCORES):
        suffix = "" if number == 3 else r"(FF?|ff?|[ ,;([{].*)?"
        match = re.fullmatch(f" ?{pattern}(?P<rest>{suffix}) ?", text)
        if match and not any(c in "+=*?" or unicodedata.category(c)[0] == "N" for c in match["rest"]):
            return number
    return None


def result_of_movetext(movetext):
    text = re.sub(r"\{[^}]*(\}|$)", " ", with_hyphens(characters(movetext)))
    while (shorter := re.sub(r"\([^()]*\)", " ", text)) != text:
        text = shorter
    word = re.split(r"[ \t\r\n\f})]", text.rstrip(SPACE))[-1]
    for pattern, number in (*SCORES, (r"\*", 3)):
        if re.fullmatch(pattern, word):
            return number
    return None


def result_of(tags, movetext):
    of_tag = result_of_tag(tags.get(b"Result", b""))
    if of_tag in (None, 3):
        of_movetext = result_of_movetext(movetext)
        return of_tag if of_movetext is None else of_movetext
    return of_tag


SPEEDS = (30, 180, 480, 1500, 21600)  # §15.4


NUMBER = r"[0-9]+(?:\.[0-9]+)?"
UNITS = {"h": 3600, "m": 60, "'": 60, "s": 1, '"': 1, "d": 86400}
UNIT = r"hours?|h|minutes|min|m|seconds|sec|s|days?|d(?![0-9])|'|\""
BASE = rf"(?P<base>{NUMBER}) ?(?P<unit>{UNIT})(?![a-z])(?: ?(?P<more>[0-9]+)(?: ?(?P<less>{UNIT})(?![a-z])|$))?"
#: The forms of a time control that are not those of PGN, and the units of their two numbers.
FORMS = (
    (rf"g(?:ame)?[ /]?(?P<base>[0-9]+)(?:[ ;+]*(?:d|inc|\+)/?(?P<increment>[0-9]+))?", "m"),
    (rf"(?P<base>{NUMBER}) ?\| ?(?P<increment>{NUMBER})", "m"),
    (rf"(?:[^0-9]* )?(?:[0-9]+/)?{BASE}(?:/\w+)?(?: ?(?:\+|plus) ?(?P<increment>{NUMBER}) ?(?:s.*|\".*)?$)?", None),
)


def seconds_of(time_control):
    """The base time and the increment, or None."""
    match = re.fullmatch(rf"(?:[0-9]+/)?({NUMBER})(?:\+({NUMBER}))?", time_control.split(":")[0])
    if match:
        return float(match[1]), float(match[2] or 0)
    text = time_control.lower().replace("′", "'").replace("″", '"').replace("''", '"').strip(SPACE)
    for form, unit in FORMS:
        if match := re.match(form, text):
            found = match.groupdict()
            base = float(found["base"]) * UNITS[unit or found["unit"][0]]
            if found.get("more"):
                base += int(found["more"]) * UNITS[(found["less"] or "m")[0]]
            if re.search("(/|per )move", text) and not found["increment"]:
                return 0, base
            return base, float(found["increment"] or 0)
    return None


def speed_of(value):
    """The number of the speed of a time control, or None."""
    text = characters(text_of(value))
    times = seconds_of(text)
    if text == "-" or times and times[1] >= 86400:
        return 5
    return bisect.bisect_right(SPEEDS, times[0] + 40 * times[1]) if times and times[0] < 1 << 32 else None


# ------------------------------------------------------ the games, §15.4

ENDINGS = (
    (6, ("time forfeit", "on time", "timeout", "timeout vs insufficient material")),
    (5, ("resignation", "resigned", "resigns")),
    (7, ("agreement", "agreed")),
)
CHECKMATE, STALEMATE, INSUFFICIENT, REPETITION, FIFTY, RESIGNATION, _, AGREED = range(8)
NULL, END, VARIANT = 254, 255, 253
STANDARD_START = reader.Position().state()


class Facts:
    """What the index has of a game, computed from the game."""

    def __init__(self, game, is_chess):
        self.has_slot = is_chess and game.moves is not None
        self.is_variant = self.has_slot and game.start[0].rules != "chess"
        self.is_standard = self.has_slot and game.start[0].state() == STANDARD_START
        self.plies = len(game.moves) if self.has_slot else None
        self.keys, self.ordinals, self.materials = [], [], set()
        if self.has_slot:
            #: The plies since the last capture or pawn move, with those that the FEN counts.
            self.quiet = halfmove_clock(game.tags.get(b"FEN", b""))
            self.replay(*game.start, game.moves)
        self.read_tags(game.tags, game.text)

    def replay(self, position, _, moves):
        for move in [*moves, None]:
            self.keys.append(keys_of(position))
            self.materials |= {material_of(position.board)} - {None}
            if move is None:
                self.last, self.last.past = position, None  # the positions before it are not kept
                self.ordinals.append(END)
            elif move == reader.NULL_MOVE:
                self.ordinals.append(NULL)
            else:
                self.ordinals.append(position.legal_moves().index(move))
            if move:
                moves_pawn = move != reader.NULL_MOVE and position.board[move[0] or 0] in ("P", "p")
                is_quiet = not moves_pawn and (move == reader.NULL_MOVE or not position.captures(move))
                self.quiet = self.quiet + 1 if is_quiet else 0
                position = position.play(move)

    def read_tags(self, tags, movetext):
        self.players = [tags.get(name) for name in (b"White", b"Black")]
        self.players = [None if name is None else text_of(name) for name in self.players]
        self.elo = [rating_of(tags.get(name, b"")) for name in (b"WhiteElo", b"BlackElo")]
        self.date = date_of(tags.get(b"UTCDate", b"")) or date_of(tags.get(b"Date", b""))
        self.result = result_of(tags, movetext)
        self.eco = eco_of(tags.get(b"ECO", b""))
        self.time_control, self.termination = (tags.get(name) for name in (b"TimeControl", b"Termination"))
        self.speed = speed_of(tags.get(b"TimeControl", b""))
        self.ending = self.ending_of(tags)

    def ending_of(self, tags):
        """The ending; None if it is not known."""
        by_moves = self.has_slot and not self.is_variant
        if by_moves and not self.last.legal_moves():
            return CHECKMATE if self.last.in_check() else STALEMATE
        termination = characters(text_of(tags.get(b"Termination", b""))).strip().lower()
        for ending, words in ENDINGS:
            if termination.endswith(words):
                return ending
        if not by_moves:
            return None
        if self.result == 2:
            if has_too_little_material(self.last.board):
                return INSUFFICIENT
            if self.keys.count(self.keys[-1]) >= 3:
                return REPETITION
            if self.quiet >= 100:
                return FIFTY
        if termination == "normal" and self.result in (0, 1, 2):
            return AGREED if self.result == 2 else RESIGNATION
        return None


def eco_of(value):
    match = re.match(rb"([A-E])([0-9]{2})(?![0-9])", value)
    return (match[1][0] - 65) * 100 + int(match[2]) if match else None


def has_too_little_material(board):
    pieces = [(piece.upper(), (square % 8 + square // 8) % 2) for square, piece in enumerate(board) if piece]
    others = [piece for piece in pieces if piece[0] != "K"]
    return [kind for kind, _ in others] == ["N"] or all(kind == "B" for kind, _ in others) and len(set(others)) < 2


def halfmove_clock(fen):
    fields = [field for field in fen.replace(b"_", b" ").split(b" ") if field]
    return int(fields[4]) if len(fields) > 4 and fields[4].isdigit() else 0


# -------------------------------------------------- the file, §15 and §15.1

COLUMNS, PLAYERS, OPENINGS, POSITIONS, MATERIALS = 1, 2, 4, 8, 16
Covered = collections.namedtuple("Covered", "name blocks games identity")
Column = collections.namedtuple("Column", "number values at chunks")


class Segment:
    def __init__(self, data, directory):
        p = self.directory = directory
        must(p.u8() == 5, "unsupported version of an index")
        self.data, self.start, self.parts = data, p.varint(), p.u8()
        must(self.parts < 32, "a segment has unknown parts")
        self.archives = [
            Covered(p.take(p.varint()), p.varint(), p.varint(), p.u64()) for _ in range(p.varint())
        ]
        self.without_slot = self.place()
        self.columns = {}
        for _ in range(p.varint()):
            number, values, at = p.u8(), p.varint(), p.varint()
            must(number not in self.columns and 1 <= number <= 15, "a column is unknown or appears twice")
            chunks = [(p.varint(), p.u8()) for _ in range((values + 65535) // 65536)]
            self.columns[number] = Column(number, values, at, chunks)
        self.dictionaries = {p.u8(): self.place() for _ in range(p.varint())}
        self.players = [(p.take(p.varint()), self.place()) for _ in range(p.varint())]
        self.tree = [(p.varint(), self.place()) for _ in range(p.varint())]
        self.materials = [(p.varint(), self.place()) for _ in range(p.varint())]
        self.shards = [self.place() for _ in range(p.varint())]
        must(len(self.shards).bit_count() <= 1, "the number of shards is not a power of two")
        p.end()

    def place(self):
        return self.directory.varint(), self.directory.varint()

    def section(self, place):
        at, length = place
        return unseal(self.data[at : at + length], b"ignS")

    def attach(self, blocks):
        """Notes the numbers of games of its blocks, and from them slots and groups, §15.2."""
        gaps, p, game = [], self.section(self.without_slot), -1
        while p.at < len(p.data):
            game += 1 + p.varint()
            gaps.append(game)
        self.without, self.slots, self.games, slot, block_start = set(gaps), {}, 0, 0, 0
        must(len(self.without) == len(gaps), "a game without a slot appears twice")
        for games in blocks:
            of_block = [g for g in range(self.games, self.games + games) if g not in self.without]
            self.slots.update((slot + i, game) for i, game in enumerate(of_block))
            slot += (games + 15) // 16 * 16
            self.games += games
        must(not gaps or gaps[-1] < self.games, "a game without a slot is out of bounds")
        self.groups = slot // 16

    def column(self, number):
        """The values of a column, None where they are missing."""
        _, count, at, chunks = self.columns[number]
        values = []
        for i, (least, width) in enumerate(chunks):
            bits, has_missing, n = width & 63, width >> 6, min(65536, count - 65536 * i)
            must(width < 128 and bits <= 32, "a chunk has too many bits")
            codes = [0] * n
            if bits:
                length = (n + 63) // 64 * bits * 8 + 20
                p = self.section((at, length))
                at += length
                for block in range(0, n, 64):
                    words = [p.u64() for _ in range(bits)]
                    values_there = [sum((w >> j & 1) << b for b, w in enumerate(words)) for j in range(64)]
                    codes[block : block + 64] = values_there[: n - block]
                    must(not any(values_there[n - block :]), "a chunk is not filled up with 0")
                p.end()
            if has_missing:
                values += [least + code - 1 if code else None for code in codes]
            else:
                values += [least + code for code in codes]
        return values

    def dictionary(self, number):
        p, values = self.section(self.dictionaries[number]), []
        while p.at < len(p.data):
            values.append(p.take(p.varint()))
        return values

    def shard_of_players(self, place):  # §15.5
        """The names of a shard, each with its list."""
        p = self.section(place)
        count, length = p.varint(), p.varint()
        names, name, lists = Bytes(p.take(length)), b"", p
        for i in range(count):
            common = names.varint()
            must(common <= len(name) and (i or not common), "a name has too many bytes in common")
            name = name[:common] + names.take(names.varint())
            n, length = names.varint(), names.varint()
            yield name, read_list(lists.take(length), n, 2 * self.games)
        names.end()
        lists.end()

    def nodes(self):  # §15.6
        """The nodes: the place of the first game, and the children, pairs of ordinal and number of games."""
        nodes, firsts = [], []
        for i, (first, place) in enumerate(self.tree):
            p = self.section(place)
            firsts.append((len(nodes), first))
            while p.at < len(p.data):
                nodes.append((p.varint(), [(p.u8(), p.varint()) for _ in range(p.varint())]))
            last = i == len(self.tree) - 1
            must(len(nodes) == 4096 * (i + 1) or last and 0 < len(nodes) - 4096 * i <= 4096, "a part has too few nodes")
        children, number = [], 1
        for _, pairs in nodes:
            children.append(number)
            number += sum(count >= 8 and ordinal < NULL for ordinal, count in pairs)
        must(number == len(nodes) or not nodes, "the number of nodes differs from that of children")
        for node, first in firsts:
            must(children[node] == first, "a part starts with another child")
        return nodes

    def shard_of_materials(self, first, place):  # §15.10
        p = self.section(place)
        count, length = p.varint(), p.varint()
        codes, code, lists = Bytes(p.take(length)), first, p
        for i in range(count):
            gap = codes.varint()
            must(i == 0 or gap, "a material appears twice")
            code += gap
            n, length = codes.varint(), codes.varint()
            yield code, read_list(lists.take(length), n, self.games)
        codes.end()
        lists.end()

    def shard_of_positions(self, s):  # §15.8
        """The shard of a structure key."""
        k = len(self.shards).bit_length() - 1
        return Shard(self, self.shards[s >> 32 - k], k)


class Shard:  # §15.8
    def __init__(self, segment, place, k):
        self.segment, self.place, self.k = segment, place, k
        p = segment.section(place)
        self.common = {}
        for _ in range(p.varint()):
            key = p.u64()
            self.common[key] = p.take(p.varint())
        must(is_ascending(list(self.common)), "common positions are not ascending")
        self.pawn_keys = read_sequence(p, 1 << 28 - k)
        self.structures = read_sequence(p, 1 << 32 - k)
        self.buckets = p.varint()
        self.pairs = read_sequence(p, self.buckets * segment.groups)
        p.end()
        self.frequent_pawns, self.frequent_structures = set(self.pawn_keys), set(self.structures)

    def low(self, number, bits):
        return number & ((1 << bits - self.k) - 1)

    def bucket(self, s, p):
        """The bucket in which the groups with a position are that is not common."""
        if self.low(s >> 4, 28) not in self.frequent_pawns:
            h, c = self.low(s >> 4, 28), 28 - self.k
        elif self.low(s, 32) not in self.frequent_structures:
            h, c = fold(F, s), 64
        else:
            h, c = p, 50
        return h * self.buckets >> c

    def groups(self, s, p):
        bucket, groups = self.bucket(s, p), self.segment.groups
        low, high = (bisect.bisect_left(self.pairs, b * groups) for b in (bucket, bucket + 1))
        return [pair - bucket * groups for pair in self.pairs[low:high]]

    def list_of(self, s, p):
        data = self.common.get((s & 0x3FFF) << 50 | p)
        return None if data is None else CommonList(self, Bytes(data))


class CommonList:  # §15.8
    def __init__(self, shard, p):
        self.statistics, back = None, p.varint()
        if back:
            self.statistics = shard.place[0] - back, p.varint()
        nodes = [p.varint() for _ in range(p.varint())]
        self.nodes = list(running_sums(nodes))
        must(is_ascending(self.nodes), "the nodes of a list are not ascending")
        self.games, place = [], 0
        while p.at < len(p.data):
            place += p.varint()
            self.games.append((place, p.u8()))
        must(is_ascending([place for place, _ in self.games]), "the games of a list are not ascending")


def read_index(data):
    """The complete segments of an index."""
    at, segments, directory, start = 0, [], None, 0
    while at + 20 <= len(data):
        end = at + 8 + int.from_bytes(data[at + 4 : at + 8], "little")
        kind = data[at + 8 : at + 12]
        try:
            payload = unseal(data[at:end], kind)
        except Corrupt:
            break
        if kind == b"ignD":
            directory = at, end, payload
        elif kind == b"ignX":
            must(payload.u8() == 5, "unsupported version of an index")
            must(directory and (payload.u64(), payload.u64()) == (directory[0], at - directory[0]), "a wrong end")
            must(directory[1] == at, "the directory does not end at the end")
            payload.end()
            segments.append(Segment(data, directory[2]))
            must(segments[-1].start == start, "a segment starts elsewhere")
            directory, start = None, end
        else:
            must(kind == b"ignS", "a frame of an unknown kind")
        at = end
    must(1 <= len(segments) <= 16, "an index without segments, or with too many")
    return segments, len(data) - start


# ------------------------------------------------------------ verification


class Games:
    """The games of a segment, as `Facts`, and what follows from all of them together."""

    def __init__(self, segment, facts, openings):
        self.facts, self.slots = facts, segment.slots
        self.group_of = {game: slot // 16 for slot, game in segment.slots.items()}
        in_tree = [game for game in self.slots.values() if openings and facts[game].is_standard]
        paths = {game: path_of(facts[game].ordinals) for game in in_tree}
        in_tree.sort(key=paths.get)  # a stable sort: games with equal moves stay in the order of their slots
        others = [game for game in self.slots.values() if game not in paths]
        self.order = in_tree + others
        self.place = {game: place for place, game in enumerate(self.order)}
        self.build_tree([paths[game] for game in in_tree])
        self.build_positions()

    def build_tree(self, paths):  # §15.6
        self.nodes, self.number_of = [], {}
        level = [(0, len(paths), 0)] if paths else []  # the root is a node, however few games there are
        while level:
            below = []
            for first, end, depth in level:
                self.number_of[paths[first][:depth]] = len(self.nodes)
                children, at = [], first
                while at < end:
                    ordinal = paths[at][depth]
                    until = bisect.bisect_right(paths, ordinal, at, end, key=lambda path: path[depth])
                    children.append((ordinal, until - at))
                    if until - at >= 8 and ordinal < NULL:
                        below.append((at, until, depth + 1))
                    at = until
                self.nodes.append((first, children))
            level = below

    def build_positions(self):  # §15.8
        groups_of = collections.defaultdict
        self.pawn_groups, self.structure_groups, self.position_groups = groups_of(set), groups_of(set), groups_of(set)
        #: For each position its games, each with the ply of the first occurrence.
        self.occurrences = collections.defaultdict(dict)
        for game in self.order:
            group = self.group_of[game]
            for ply, (s, p) in enumerate(self.facts[game].keys):
                self.pawn_groups[s >> 4].add(group)
                self.structure_groups[s].add(group)
                self.position_groups[s, p].add(group)
                self.occurrences[s, p].setdefault(game, ply)

    def list_of(self, position):
        """The nodes and the further games that the list of this position has."""
        nodes, games = set(), []
        for game, ply in self.occurrences[position].items():
            facts = self.facts[game]
            node = self.number_of.get(tuple(facts.ordinals[:ply])) if facts.is_standard else None
            if node is not None and ply <= 48 and self.nodes[node][0] <= self.place[game]:
                nodes.add(node)
            else:
                games.append((self.place[game], VARIANT if facts.is_variant else facts.ordinals[ply]))
        return sorted(nodes), sorted(games)


def path_of(ordinals):
    """What the tree has of a game."""
    path = ordinals[:48] if NULL not in ordinals[:48] else ordinals[: ordinals.index(NULL) + 1] + [END]
    return tuple(path + [NULL]) if len(path) == 48 else tuple(path)


def same(found, expected, what):
    if found != expected:
        if isinstance(found, list) and isinstance(expected, list):
            pairs = list(zip(found, expected))
            at = next((i for i, (a, b) in enumerate(pairs) if a != b), len(pairs))
            what += f" at {at} of {len(expected)}"
            found, expected = found[at : at + 1], expected[at : at + 1]
        raise Corrupt(f"{what}: the index has {found}, the games have {expected}")


def verify_columns(segment, games):
    facts, order = games.facts, [games.facts[game] for game in games.order]
    expected = {
        1: [f.elo[0] for f in facts],
        2: [f.elo[1] for f in facts],
        3: [f.date for f in facts],
        4: [f.result for f in facts],
        5: [f.eco for f in facts],
        6: [f.time_control for f in facts],
        7: [f.termination for f in facts],
        8: [f.plies for f in facts],
        9: games.order,
        10: [f.elo[0] for f in order],
        11: [f.elo[1] for f in order],
        12: [f.date for f in order],
        13: [f.result for f in order],
        14: [f.speed for f in order],
        15: [f.ending for f in facts],
    }
    for number in segment.columns:
        found = segment.column(number)
        if number in (6, 7):
            words = segment.dictionary(number)
            found = [None if value is None else words[value] for value in found]
            same(words, sorted({w for w in expected[number] if w is not None}, key=dictionary_key), f"dictionary {number}")
        same(found, expected[number], f"column {number}")
    for number in {*range(1, 9), 15} - set(segment.columns) if segment.parts & COLUMNS else ():
        if number not in (6, 7) or len(set(expected[number])) <= 4096:
            must(not any(value is not None for value in expected[number]), f"column {number} is missing")


def dictionary_key(value):
    speed = speed_of(value)
    return -1 if speed is None else speed, value


def verify_players(segment, games):
    expected = collections.defaultdict(list)
    for number, facts in enumerate(games.facts):
        for side, name in enumerate(facts.players):
            if name is not None:
                expected[name].append(2 * number + side)
    found = []
    for i, (first, place) in enumerate(segment.players):
        shard = list(segment.shard_of_players(place))
        same(shard[0][0], first, "the first name of a shard")
        must(len(shard) == 4096 or i == len(segment.players) - 1, "a shard has too few names")
        found += shard
    same(found, sorted(expected.items(), key=lambda item: (folded(item[0]), item[0])), "players")


def verify_materials(segment, games):
    expected = collections.defaultdict(list)
    for game in sorted(games.order):
        for code in games.facts[game].materials:
            expected[code].append(game)
    found = []
    for first, place in segment.materials:
        shard = list(segment.shard_of_materials(first, place))
        same(shard[0][0], first, "the first material of a shard")
        found += shard
    same(found, sorted(expected.items()), "materials")


def verify_positions(segment, games):
    k = len(segment.shards).bit_length() - 1
    shards = [Shard(segment, place, k) for place in segment.shards]
    most_of_rare, least_of_frequent = 0, 1 << 64

    def is_frequent(groups, stated):
        nonlocal most_of_rare, least_of_frequent
        if stated:
            least_of_frequent = min(least_of_frequent, len(groups))
        else:
            most_of_rare = max(most_of_rare, len(groups))
        return stated

    pairs, common = [set() for _ in shards], [{} for _ in shards]
    for (s, p), groups in games.position_groups.items():
        number = s >> 32 - k
        shard = shards[number]
        if is_frequent(games.pawn_groups[s >> 4], shard.low(s >> 4, 28) in shard.frequent_pawns):
            if is_frequent(games.structure_groups[s], shard.low(s, 32) in shard.frequent_structures):
                key = (s & 0x3FFF) << 50 | p
                if is_frequent(groups, key in shard.common):
                    common[number][key] = s, p
                    continue
                of_pair = groups
            else:
                of_pair = games.structure_groups[s]
        else:
            of_pair = games.pawn_groups[s >> 4]
        bucket = shard.bucket(s, p) * segment.groups
        pairs[number].update(bucket + group for group in of_pair)
    must(most_of_rare < least_of_frequent, "no bound R divides the rare and the frequent keys")
    for number, shard in enumerate(shards):
        same(shard.pairs, sorted(pairs[number]), f"pairs of shard {number}")
        same(list(shard.common), sorted(common[number]), f"common positions of shard {number}")
        high = number << 32 - k
        pawns = {s >> 4 for s, _ in games.position_groups if s >> 32 - k == number}
        same(shard.pawn_keys, sorted(shard.low(a, 28) for a in pawns if shard.low(a, 28) in shard.frequent_pawns), "pawn keys")
        structures = {s for s, _ in games.position_groups if s >> 32 - k == number}
        expected = sorted(shard.low(s, 32) for s in structures if shard.low(s, 32) in shard.frequent_structures)
        same(shard.structures, expected, f"structure keys of shard {number}")
        must(all((high | s) >> 4 & (1 << 28 - k) - 1 in shard.frequent_pawns for s in shard.structures), "a rare pawn key")
        for position in common[number].values():
            found = shard.list_of(*position)
            nodes, further = games.list_of(position)
            same(found.nodes, nodes, "nodes of a common position")
            same(found.games, further, "further games of a common position")
            if found.statistics:
                verify_statistics(segment, games, position, found.statistics)


# ------------------------------------------------------- statistics, §15.9

MEANS = (0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500)


def class_of(facts):
    """The month and the byte of the class of a game."""
    year, month = (facts.date // 512, facts.date // 32 % 16) if facts.date is not None else (0, 0)
    group = 0 if None in facts.elo else bisect.bisect_right(MEANS, sum(facts.elo) // 2)
    speed = 0 if facts.speed is None else facts.speed + 1
    return 0 if facts.date is None else 16 * year + month + 1, 16 * speed + group


def day_of(facts):
    return facts.date % 32 if facts.date is not None else 0


def counts_of(numbers, games):
    """The counts of a move in a class, as they are stored."""
    facts = [games.facts[number] for number in numbers]
    wins = [sum(f.result == side for f in facts) for side in (0, 1)]
    decided = [f for f in facts if f.result in (0, 1, 2)]
    rated = [f for f in facts if None not in f.elo]
    is_complete = len(decided) == len(rated) == len(facts)
    against = [[f for f in decided if f.elo[1 - side] is not None] for side in (0, 1)]
    out = [len(facts), *wins, int(is_complete)]
    out += [sum(f.elo[1 - side] for f in against[side]) for side in (0, 1)]
    if not is_complete:
        out += [sum(f.result == 2 for f in facts), len(rated), sum(sum(f.elo) for f in rated)]
        for side in (0, 1):
            points = sum((f.result == side) - (f.result == 1 - side) for f in against[side])
            out += [len(against[side]), len(against[side]) + points]
    return out + [min(numbers), max(numbers) - min(numbers), max(map(day_of, facts))]


def verify_statistics(segment, games, position, place):
    passes, classes = [], collections.defaultdict(lambda: collections.defaultdict(list))
    for game, ply in games.occurrences[position].items():
        facts = games.facts[game]
        if facts.is_variant:
            continue
        node = facts.is_standard and ply == 48 and tuple(facts.ordinals[:48]) in games.number_of
        ordinal = NULL if node else facts.ordinals[ply]
        if ordinal == NULL:
            passes.append(games.place[game])
        else:
            classes[class_of(facts)][ordinal].append(game)
    p = segment.section(place)
    same(list(running_sums([p.varint() for _ in range(p.varint())])), sorted(passes), "games with a null move")
    month, found = 0, {}
    for _ in range(p.varint()):
        month += p.varint()
        key = month, p.u8()
        found[key] = Bytes(p.take(p.varint()))
    p.end()
    same(list(found), sorted(classes), "classes")
    for key, moves in classes.items():
        p = found[key]
        same(p.varint(), len(moves), "number of moves of a class")
        for ordinal, numbers in sorted(moves.items()):
            same(p.u8(), ordinal, "ordinal")
            expected = counts_of(numbers, games)
            same([p.varint() for _ in expected[1:]] + [p.u8()], expected, "counts")
        numbers = [(number, ordinal) for ordinal, of_move in moves.items() for number in of_move]
        both = [pair for pair in numbers if None not in games.facts[pair[0]].elo]
        for chosen in (
            sorted(both, key=lambda pair: (-sum(games.facts[pair[0]].elo), pair[0]))[:15],
            sorted(numbers, key=lambda pair: (games.facts[pair[0]].date or 0, pair[0]), reverse=True)[:15],
        ):
            of_list = []
            for _ in range(p.varint()):
                of_list.append((p.varint(), p.u8(), p.varint(), p.varint(), p.u8()))
            expected = []
            for number, ordinal in chosen:
                ratings = [0 if elo is None else elo + 1 for elo in games.facts[number].elo]
                expected.append((number, ordinal, *ratings, day_of(games.facts[number])))
            same(of_list, expected, "games of a class")
        p.end()


# ----------------------------------------------------------------- archives


def identity_of(blocks):  # §15.1
    numbers = b""
    for block, source in blocks:
        parts = block.start, block.head_end - block.start, block.end - block.start, block.text, block.games, source
        numbers += b"".join(n.to_bytes(8, "little") for n in parts)
    return xxh64(numbers)


class Archives:
    """Archives and the segments of their index that belong to them."""

    def __init__(self, paths, index):
        self.data = [pathlib.Path(path).read_bytes() for path in paths]
        self.blocks = []  # of each archive: pairs of entry and checksum of the source
        for data in self.data:
            sources, _ = reader.read_archive(data)
            self.blocks.append([(block, checksum) for *_, checksum, blocks in sources for block in blocks])
        segments, ignored = read_index(pathlib.Path(index).read_bytes())
        if ignored:
            print(f"{ignored} bytes after the last segment", file=sys.stderr)
        #: Of each segment the number of its first game, and its blocks: pairs of data and entry.
        self.segments = []
        first, covered = 0, [0] * len(self.blocks)
        for segment in segments:
            if not self.belongs(segment):
                break
            new = []
            for i, archive in enumerate(segment.archives):
                new += [(self.data[i], block) for block, _ in self.blocks[i][covered[i] : archive.blocks]]
                covered[i] = archive.blocks
            segment.attach([block.games for _, block in new])
            self.segments.append((first, segment, new))
            first += segment.games
        must(self.segments, "the index belongs to other archives")
        self.indexed = first
        self.others = [(self.data[i], b) for i, blocks in enumerate(self.blocks) for b, _ in blocks[covered[i] :]]

    def belongs(self, segment):
        for i, archive in enumerate(segment.archives):
            if i >= len(self.blocks) or archive.blocks > len(self.blocks[i]):
                return False
            blocks = self.blocks[i][: archive.blocks]
            is_last = i == len(segment.archives) - 1
            if archive.games != sum(block.games for block, _ in blocks) or archive.identity != identity_of(blocks):
                return False
            if not is_last and archive.blocks < len(self.blocks[i]):
                return False
        return True


def facts_of(blocks):
    facts = []
    for data, entry in blocks:
        block = reader.read_block(data[entry.start : entry.end], None)
        if block:
            block.on_game = lambda game, is_chess=block.game == 0: facts.append(Facts(game, is_chess))
            block.text()
    return facts


def verify(archives):
    for _, segment, blocks in archives.segments:
        facts = facts_of(blocks)
        same(len(facts), segment.games, "number of games")
        expected = {number for number, f in enumerate(facts) if not f.has_slot}
        same(sorted(segment.without), sorted(expected), "games without a slot")
        games = Games(segment, facts, segment.parts & OPENINGS)
        verify_columns(segment, games)
        if segment.parts & PLAYERS:
            verify_players(segment, games)
        if segment.parts & OPENINGS:
            same(segment.nodes(), games.nodes, "nodes of the opening tree")
        if segment.parts & MATERIALS:
            verify_materials(segment, games)
        if segment.parts & POSITIONS:
            verify_positions(segment, games)
        print(f"{segment.games} games: the index agrees with them")


# ----------------------------------------------------------------- searches


def find(archives, fen):
    """The numbers of the games with this position, from 1."""
    accepted = read_fen(fen.encode())
    if accepted is None:
        sys.exit("not an accepted FEN")
    s, p = keys_of(accepted[0])
    for first, segment, blocks in archives.segments:
        must(segment.parts & POSITIONS, "the index has no positions")
        shard = segment.shard_of_positions(s)
        found = shard.list_of(s, p)
        if found:
            nodes, order = segment.nodes() if segment.parts & OPENINGS else [], segment.column(9)
            places = [place for place, _ in found.games]
            for node in found.nodes:
                start, children = nodes[node]
                places += range(start, start + sum(count for _, count in children))
            yield from (first + order[place] + 1 for place in sorted(places, key=order.__getitem__))
        else:
            slots = [16 * group + i for group in shard.groups(s, p) for i in range(16)]
            candidates = {segment.slots[slot] for slot in slots if slot in segment.slots}
            yield from replay(blocks, first, candidates, lambda facts: (s, p) in facts.keys)
    everything = range(sum(block.games for _, block in archives.others))
    yield from replay(archives.others, archives.indexed, set(everything), lambda facts: (s, p) in facts.keys)


def replay(blocks, first, candidates, matches):
    """The numbers of those candidates that match; only blocks with candidates are decoded."""
    start = 0
    for data, block in blocks:
        if any(start <= candidate < start + block.games for candidate in candidates):
            for number, facts in enumerate(facts_of([(data, block)]), start):
                if number in candidates and matches(facts):
                    yield first + number + 1
        start += block.games


def find_player(archives, name):
    for first, segment, _ in archives.segments:
        must(segment.parts & PLAYERS, "the index has no players")
        for _, place in segment.players:
            for other, games in segment.shard_of_players(place):
                if folded(other) == folded(name.encode()):
                    yield from sorted({first + game // 2 + 1 for game in games})


def find_material(archives, material):
    sides = [["K" + kinds for kinds in material.upper().split("K")[1:]]][0]
    if len(sides) != 2 or any(kind not in "KQRBNP" for side in sides for kind in side):
        sys.exit("a material is written as KRPKR, White's pieces first")
    code = 0
    for kind in "PNBRQK":
        for side in sides:
            code = code << 4 | side.count(kind)
    for first, segment, _ in archives.segments:
        must(segment.parts & MATERIALS, "the index has no materials")
        for i, (least, place) in enumerate(segment.materials):
            if least <= code and (i + 1 == len(segment.materials) or code < segment.materials[i + 1][0]):
                found = dict(segment.shard_of_materials(least, place)).get(code, [])
                yield from (first + game + 1 for game in found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archives", nargs="+", metavar="A.ign")
    parser.add_argument("--index", help="the index, if it is not A.ign.idx")
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("--verify", action="store_true")
    task.add_argument("--find", metavar="FEN")
    task.add_argument("--player", metavar="NAME")
    task.add_argument("--material", metavar="KRPKR")
    arguments = parser.parse_args()
    try:
        archives = Archives(arguments.archives, arguments.index or arguments.archives[0] + ".idx")
        if arguments.verify:
            return verify(archives)
        if arguments.find:
            numbers = find(archives, arguments.find)
        elif arguments.player:
            numbers = find_player(archives, arguments.player)
        else:
            numbers = find_material(archives, arguments.material)
        for number in numbers:
            print(number)
    except (Corrupt, IndexError, KeyError, ValueError) as error:
        sys.exit(f"{arguments.archives[0]}: {error}")


if __name__ == "__main__":
    main()
