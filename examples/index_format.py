"""The structures of a search index, §15: lists, segments, columns, players, the opening tree, positions.

A part of index_reader.py. Section numbers in comments are those of format-spec.md.
"""

import bisect
import collections

from index_games import NULL, F, fold
from reader import Bytes, Corrupt, must, unseal



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


# -------------------------------------------------- the file, §15 and §15.1

COLUMNS, PLAYERS, OPENINGS, POSITIONS, MATERIALS = 1, 2, 4, 8, 16
Covered = collections.namedtuple("Covered", "name blocks games identity")
Column = collections.namedtuple("Column", "number values at chunks")


def chunk_of(column):  # §15.4
    """The number of values of a chunk of a column."""
    return 8192 if 9 <= column <= 14 else 65536


class Segment:
    def __init__(self, data, directory):
        p = self.directory = directory
        must(p.u8() == 8, "unsupported version of an index")
        self.data, self.start, self.parts = data, p.varint(), p.u8()
        #: 0 for all positions.
        self.depth = p.varint((1 << 32) - 1)
        must(self.parts < 32, "a segment has unknown parts")
        self.archives = [
            Covered(p.take(p.varint()), p.varint(), p.varint(), p.u64()) for _ in range(p.varint())
        ]
        self.without_slot = self.place()
        self.columns = {}
        for _ in range(p.varint()):
            number, values, at = p.u8(), p.varint(), p.varint()
            must(number not in self.columns and 1 <= number <= 15, "a column is unknown or appears twice")
            chunks = [(p.varint(), p.u8()) for _ in range(0, values, chunk_of(number))]
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
        self.without, self.slots, self.games, slot = set(gaps), {}, 0, 0
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
        values, chunk = [], chunk_of(number)
        for i, (least, width) in enumerate(chunks):
            bits, has_missing, n = width & 63, width >> 6, min(chunk, count - chunk * i)
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
            must(payload.u8() == 8, "unsupported version of an index")
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
