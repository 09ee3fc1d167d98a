"""Compares a search index with the games of its archives: computes from them what each part must hold.

A part of index_reader.py. Section numbers in comments are those of format-spec.md.
"""

import bisect
import collections

from index_format import COLUMNS, MATERIALS, OPENINGS, PLAYERS, POSITIONS, Shard, running_sums
from index_games import END, NULL, VARIANT, folded, speed_of
from reader import Bytes, Corrupt, must



# ------------------------------------------------------------ verification


class Games:
    """The games of a segment, as `Facts`, and what follows from all of them together."""

    def __init__(self, segment, facts, openings):
        self.facts, self.slots = facts, segment.slots
        self.depth = segment.depth or 1 << 32
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
        within = {key for game in self.order for key in self.facts[game].keys[: self.depth + 1]}
        for game in self.order:
            group = self.group_of[game]
            for ply, (s, p) in enumerate(self.facts[game].keys):
                if (s, p) not in within:
                    continue
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
            if node is not None and ply <= min(48, self.depth) and self.nodes[node][0] <= self.place[game]:
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
        node = facts.is_standard and ply == 48 <= games.depth and tuple(facts.ordinals[:48]) in games.number_of
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


def verify_segment(segment, facts):
    """Compares all parts of a segment with the games of its blocks."""
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
