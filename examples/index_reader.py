#!/usr/bin/env python3
"""Reads the search index of .ign archives: a reader written from format-spec.md §15 alone.

    python3 index_reader.py A.ign --verify             compares the index with the games of the archive
    python3 index_reader.py A.ign --find FEN           prints the numbers of the games with this position
    python3 index_reader.py A.ign --player NAME        ... of this player, in any case and without accents
    python3 index_reader.py A.ign --material KRPKR     ... with these pieces, White's first
    python3 index_reader.py A.ign B.ign --index C.idx  an index of several archives

index_format.py has the structures of the file, index_games.py what they hold of a game, and
index_check.py the comparison. reader.py reads the archives. --verify decodes all games and computes
from them what the index must hold. Section numbers in comments are those of format-spec.md.
"""

import argparse
import pathlib
import sys

sys.dont_write_bytecode = True
import reader
from index_check import verify_segment
from index_format import MATERIALS, OPENINGS, PLAYERS, POSITIONS, read_index
from index_games import Facts, folded, keys_of
from reader import Corrupt, must, read_fen, xxh64

# ----------------------------------------------------------------- archives


def identity_of(blocks):  # §15.1
    numbers = b""
    for block in blocks:
        lengths = block.head_end - block.start, block.end - block.start, block.text
        parts = block.start, *lengths, block.games, block.head_checksum
        numbers += b"".join(n.to_bytes(8, "little") for n in parts)
    return xxh64(numbers)


class Archives:
    """Archives and the segments of their index that belong to them."""

    def __init__(self, paths, index):
        self.data = [pathlib.Path(path).read_bytes() for path in paths]
        # The entries of the blocks of each archive.
        self.blocks = [reader.read_archive(data)[1] for data in self.data]
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
                new += [(self.data[i], block) for block in self.blocks[i][covered[i] : archive.blocks]]
                covered[i] = archive.blocks
            segment.attach([block.games for _, block in new])
            self.segments.append((first, segment, new))
            first += segment.games
        must(self.segments, "the index belongs to other archives")
        self.indexed = first
        self.others = [(self.data[i], b) for i, blocks in enumerate(self.blocks) for b in blocks[covered[i] :]]

    def belongs(self, segment):
        for i, archive in enumerate(segment.archives):
            if i >= len(self.blocks) or archive.blocks > len(self.blocks[i]):
                return False
            blocks = self.blocks[i][: archive.blocks]
            is_last = i == len(segment.archives) - 1
            if archive.games != sum(block.games for block in blocks) or archive.identity != identity_of(blocks):
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
            block.record_texts()
    return facts


def verify(archives):
    for _, segment, blocks in archives.segments:
        verify_segment(segment, facts_of(blocks))
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
            found = list(replay(blocks, first, candidates, lambda facts: (s, p) in facts.keys))
            if segment.depth and not any(
                replay(blocks, first, candidates, lambda facts: (s, p) in facts.keys[: segment.depth + 1])
            ):
                # It may be in longer games. None is number 0.
                longer = set(range(segment.games))
                found = replay(blocks, first, longer, lambda facts: (s, p) in facts.keys)
            yield from found
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
    sides = ["K" + kinds for kinds in material.upper().split("K")[1:]]
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
