#!/usr/bin/env python3
"""Repairs an .ign archive by its parity: a reader written from format-spec.md §16 alone.

    python3 parity_reader.py A.ign                     says what is damaged
    python3 parity_reader.py A.ign --repair OUT.ign    writes the file as it was

The trailer, which ends the file, is not needed: the frames of a set are found wherever they are
whole. Shards are computed in plain Python, word by word.
Section numbers in comments are those of format-spec.md.
"""

import argparse
import collections
import pathlib
import struct
import sys

sys.dont_write_bytecode = True
from reader import Corrupt, must, unseal, xxh64

# ------------------------------------------------------------ the field, §16.2

#: φ of the words 1, 2, 4 … 0x8000.
BASIS = """0001 acca 3c0e 163e c582 ed2e 914c 4012 6c98 10d8 6a72 b900 fdb8 fb34 ff38 991e"""
POLYNOMIAL = 0x1002D
WORDS = 1 << 16


def tables():
    """The logarithm of each word but 0 and the power of each exponent, for the product of §16.2."""
    phi = [0]
    for entry in BASIS.split():
        phi += [word ^ int(entry, 16) for word in phi]
    of_polynomial = [0] * WORDS
    for word, polynomial in enumerate(phi):
        of_polynomial[polynomial] = word
    log, power, polynomial = [None] * WORDS, [], 1
    for exponent in range(WORDS - 1):
        log[of_polynomial[polynomial]] = exponent
        power.append(of_polynomial[polynomial])
        polynomial <<= 1
        if polynomial >> 16:
            polynomial ^= POLYNOMIAL
    must(polynomial == 1 and sorted(power) == list(range(1, WORDS)), "X does not generate the field")
    return log, power * 2


LOG, POWER = tables()


def product(x, y):
    return POWER[LOG[x] + LOG[y]] if x and y else 0


def quotient(x, y):
    return POWER[LOG[x] - LOG[y] + WORDS - 1] if x else 0


def words_of(shard):
    """The words of a shard."""
    words = []
    for at in range(0, len(shard), 64):
        words += (low | high << 8 for low, high in zip(shard[at : at + 32], shard[at + 32 : at + 64]))
    return words


def shard_of(words):
    shard = bytearray()
    for at in range(0, len(words), 32):
        block = words[at : at + 32]
        shard += bytes(word & 255 for word in block) + bytes(word >> 8 for word in block)
    return bytes(shard)


def add_multiple(sums, factor, words):
    """Adds a multiple of `words` to `sums`."""
    if factor:
        log = LOG[factor]
        sums[:] = [s ^ POWER[log + LOG[word]] if word else s for s, word in zip(sums, words)]


def missing_words(known, unknown, equations):
    """The words at the places `unknown` of a codeword, by place, from those at all other places.

    `known` has the lists of words at its places; words at places in neither are 0. A word at place x
    is in equation k with the factor x^k, §16.2. The first equations, as many as there are unknown
    words, determine these.
    """
    must(len(unknown) <= equations, "there are too few equations")
    count = len(unknown)
    length = len(next(iter(known.values())))
    syndromes = [[0] * length for _ in range(count)]
    for place, words in known.items():
        factor = 1
        for sums in syndromes:
            add_multiple(sums, factor, words)
            factor = product(factor, place)
    # Row i of the inverse of the matrix x^k has the coefficients of the Lagrange polynomial that is
    # 1 at unknown place i and 0 at the others.
    whole = [1]  # the product of (X + x) over the unknown places x, coefficients from the lowest up
    for x in unknown:
        whole = [product(x, a) ^ b for a, b in zip(whole + [0], [0] + whole)]
    found = {}
    for x in unknown:
        quotient_by_x, carry = [0] * count, 0  # whole / (X + x)
        for k in range(count, 0, -1):
            carry = whole[k] ^ product(carry, x)
            quotient_by_x[k - 1] = carry
        value, factor = 0, 1
        for coefficient in quotient_by_x:
            value ^= product(coefficient, factor)
            factor = product(factor, x)
        found[x] = [0] * length
        for coefficient, sums in zip(quotient_by_x, syndromes):
            add_multiple(found[x], quotient(coefficient, value), sums)
    return found


# ---------------------------------------------------------------- sets, §16.1

FRAME = b"\x5a\x2a\x4d\x18"
VERSION = 1  # §12


def sealed(kind, payload):
    frame = FRAME + (len(payload) + 12).to_bytes(4, "little") + kind + payload
    return frame + xxh64(frame).to_bytes(8, "little")


class Parameters(collections.namedtuple("Parameters", "start first end size data recovery")):
    """The parameters of a set: where it starts, the protected bytes, S, N and R."""

    HEADER = struct.Struct("<BBQQQQII")

    @property
    def descriptions(self):
        return (self.data + 255) // 256

    @property
    def m(self):
        """The smallest power of two that is at least R."""
        return 1 << (self.recovery - 1).bit_length() if self.recovery else 0

    def check(self):
        protected = self.end - self.first
        must(self.first < self.end <= self.start, "a set protects other bytes than those before it")
        must(self.size % 64 == 0 and 0 < self.size < protected + 64, "a wrong length of shards")
        must(self.data == -(-protected // self.size), "a wrong number of data shards")
        must(0 < self.recovery <= self.data <= 32768, "a wrong number of recovery shards")

    def description(self, i, checksums):
        """Frame i of a description."""
        header = self.HEADER.pack(VERSION, 0, *self) + i.to_bytes(4, "little")
        return sealed(b"ignP", header + b"".join(c.to_bytes(8, "little") for c in checksums[256 * i : 256 * i + 256]))

    def recovery_frame(self, number, shard):
        return sealed(b"ignR", self.start.to_bytes(8, "little") + number.to_bytes(4, "little") + shard)

    def places(self):
        """The first byte of each frame of a description, in both copies, and of each recovery shard."""
        lengths = [20 + 46 + 8 * min(256, self.data - 256 * i) for i in range(self.descriptions)]
        first = [self.start + sum(lengths[:i]) for i in range(self.descriptions)]
        shards = [self.start + sum(lengths) + i * (32 + self.size) for i in range(self.recovery)]
        second = [at - self.start + shards[-1] + 32 + self.size for at in first]
        return first + second, shards


def whole_descriptions(data):
    """Of each set of parameters that a whole frame states: the checksums, and the number of whole frames."""
    sets = collections.defaultdict(lambda: ({}, set()))
    at = -1
    while (at := data.find(FRAME, at + 1)) >= 0:
        if data[at + 8 : at + 12] != b"ignP":
            continue
        try:
            p = unseal(data[at : at + 8 + int.from_bytes(data[at + 4 : at + 8], "little")], b"ignP")
            version, flags, *parameters = Parameters.HEADER.unpack(p.take(Parameters.HEADER.size))
            must((version, flags) == (VERSION, 0), "unsupported version of parity")
            parameters = Parameters(*parameters)
            parameters.check()
            i = int.from_bytes(p.take(4), "little")
            must(i < parameters.descriptions and at in parameters.places()[0], "a frame is at another place")
            checksums = [p.u64() for _ in range(min(256, parameters.data - 256 * i))]
            p.end()
        except Corrupt:
            continue
        sets[parameters][0].update(enumerate(checksums, 256 * i))
        sets[parameters][1].add(at)
    return sets


def chosen_sets(data):
    """The sets by their start; of several that start at one byte, the one with more whole frames, §16.4."""
    chosen = {}
    for parameters, (checksums, frames) in whole_descriptions(data).items():
        if parameters.start not in chosen or len(frames) > len(chosen[parameters.start][2]):
            chosen[parameters.start] = parameters, checksums, frames
    return [chosen[start] for start in sorted(chosen)]


def whole_recovery_shards(data, parameters):
    """The recovery shards by their numbers."""
    shards = {}
    for number, at in enumerate(parameters.places()[1]):
        try:
            p = unseal(data[at : at + 32 + parameters.size], b"ignR")
        except Corrupt:
            continue
        if p.u64() == parameters.start and p.take(4) == number.to_bytes(4, "little"):
            shards[number] = p.data[p.at :]
    return shards


# ------------------------------------------------------------- repair, §16.4


def repair(data, report=lambda line: None):
    """The file as it was."""
    sets = chosen_sets(data)
    must(sets, "the file has no parity, or no whole frame of its description")
    for parameters, checksums, _ in reversed(sets):
        data = repair_by(data, parameters, checksums, report)
    return data


def repair_by(data, parameters, checksums, report):
    must(len(checksums) == parameters.data, "a part of both descriptions is damaged")
    size, m = parameters.size, parameters.m
    protected = data[parameters.first : parameters.end]
    protected += bytes(parameters.data * size - len(protected))
    shards = [protected[i * size : (i + 1) * size] for i in range(parameters.data)]
    damaged = [i for i, shard in enumerate(shards) if xxh64(shard) != checksums[i]]
    recovery = whole_recovery_shards(data, parameters)
    report(
        f"bytes {parameters.first} to {parameters.end}: {len(damaged)} of {parameters.data} shards are damaged, "
        f"{len(recovery)} of {parameters.recovery} recovery shards are whole"
    )
    must(len(damaged) <= len(recovery), "more shards are damaged than can be repaired")
    if damaged or len(recovery) < parameters.recovery:
        # The places of a codeword: recovery shards from 0, then words that are not stored, then data from m.
        known = {number: words_of(shard) for number, shard in recovery.items()}
        known.update((m + i, words_of(shard)) for i, shard in enumerate(shards) if i not in set(damaged))
        unknown = [i for i in range(m) if i not in recovery] + [m + i for i in damaged]
        for place, words in missing_words(known, unknown, m).items():
            if place >= m:
                shards[place - m] = shard_of(words)
            elif place < parameters.recovery:
                recovery[place] = shard_of(words)
        for i in damaged:
            must(xxh64(shards[i]) == checksums[i], "a repaired shard has another checksum")
    description = b"".join(
        parameters.description(i, [checksums[j] for j in range(parameters.data)]) for i in range(parameters.descriptions)
    )
    frames = [parameters.recovery_frame(i, recovery[i]) for i in range(parameters.recovery)]
    body = description + b"".join(frames) + description
    end = parameters.start + len(body) + 46
    trailer = struct.pack("<BBQQQ", VERSION, 0, parameters.start, parameters.end, end)
    parity = body + sealed(b"ignT", trailer)
    whole = b"".join(shards)[: parameters.end - parameters.first]
    data = data[: parameters.first] + whole + data[parameters.end :]
    return data[: parameters.start] + parity + data[parameters.start + len(parity) :]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", metavar="A.ign")
    parser.add_argument("--repair", metavar="OUT.ign", help="write the repaired file")
    arguments = parser.parse_args()
    data = pathlib.Path(arguments.archive).read_bytes()
    try:
        repaired = repair(data, print)
    except Corrupt as error:
        sys.exit(f"{arguments.archive}: {error}")
    if arguments.repair:
        pathlib.Path(arguments.repair).write_bytes(repaired)
    elif repaired != data:
        sys.exit(f"{arguments.archive}: damaged; --repair OUT.ign writes the repaired file")


if __name__ == "__main__":
    main()
