#!/usr/bin/env python3
"""Decodes the vectors of the coders, format-spec.md §9.7, with the coders of reader.py.

    python3 coder_vectors.py ../tests/vectors/coders
"""

import hashlib
import json
import pathlib
import sys

sys.dont_write_bytecode = True
import reader  # in this folder


def rice(bits, parameter):  # §15.3
    quotient = 0
    while not bits.take(1):
        quotient += 1
    return quotient << parameter | bits.take(parameter)


def integer_codes(stream, rows):
    bits = reader.BitReader(stream)
    for row in rows:
        yield [bits.integer(), row[1], rice(bits, row[1])]


def adaptive_numbers(stream, rows):
    codes, number, signed = reader.Codes(stream), reader.Number(3), reader.Signed()
    for _ in rows:
        yield [number.code(codes), signed.code(codes), codes.uniform(20)]


def frequency_coder(stream, rows):
    codes = reader.FrequencyDecoder(stream)
    for total, frequency, before in rows:
        choice = codes.choose([before, frequency, total - before - frequency])
        yield [total, frequency, before] if choice == 1 else None


def mixed_numbers(stream, rows, with_network=False):
    codes, mixed = reader.Codes(stream), reader.Mixed(with_network)
    for i, (_, contexts) in enumerate(rows):
        logit = (lambda j: (37 * j + 11 * i) % 1001 - 500) if with_network else (lambda j: 0)
        yield [mixed.code(codes, *contexts, logit_of=logit), contexts]


DECODERS = {
    "integer codes": integer_codes,
    "adaptive numbers": adaptive_numbers,
    "frequency coder": frequency_coder,
    "mixed numbers": mixed_numbers,
    "mixed numbers with a network": lambda stream, rows: mixed_numbers(stream, rows, True),
    "text model": lambda stream, text: reader.decode_text_model(stream, len(text)).decode(),
}


def check(path):
    """The name of the coder, if its stream decodes to the values."""
    vector = json.loads(path.read_text())
    stream, values = bytes.fromhex(vector["stream"]), vector["values"]
    decoded = DECODERS[vector["coder"]](stream, values)
    if (decoded if isinstance(values, str) else list(decoded)) != values:
        sys.exit(f"{path}: other values were decoded")
    if hashlib.sha256(stream).hexdigest() != vector["sha256"]:
        sys.exit(f"{path}: the stream has another SHA-256")
    return vector["coder"]


if __name__ == "__main__":
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json")):
        print(check(path))
