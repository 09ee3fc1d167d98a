#!/usr/bin/env python3
"""Decodes the vectors of the columns, tests/vectors/columns/README.md, with reader.py.

    python3 column_vectors.py ../tests/vectors/columns
"""

import hashlib
import json
import pathlib
import sys

sys.dont_write_bytecode = True
import reader  # in this folder


class Movetext(reader.Movetext):
    """Keeps what the columns of each record hold; the lines of variations are no records."""

    records, in_variation = [], False

    def __init__(self, templates, layout, payloads, tags):
        super().__init__(templates, layout, payloads, tags)
        self.comment_texts, self.variation_text = [], payloads[1]
        if not Movetext.in_variation:
            self.records.append(self)
        self.values = {
            "wrap": list(layout.wrap),
            "notation": layout.notation,
            "comments": bool(layout.had[0]),
            "variations": bool(layout.had[1]),
            "text_lengths": layout.text_lengths,
            "gaps": layout.gaps,
            "last": layout.last,
        }

    def with_repeated_values(self, comment):
        self.comment_texts.append(super().with_repeated_values(comment))
        return self.comment_texts[-1]


class Variations(reader.Variations):
    def render(self, line, i, parent):
        before, Movetext.in_variation = Movetext.in_variation, True
        text = super().render(line, i, parent)
        Movetext.in_variation = before
        return text


class Block(reader.Block):
    def read_unmoved_pawns(self, signatures):
        self.unmoved = list(super().read_unmoved_pawns(signatures))
        return iter(self.unmoved)


def san(game):
    """The moves of a game in notation 0, with their signs."""
    position, out = game.start[0] if game.moves else None, []
    for move in game.moves or []:
        text = reader.move_text(position, position.legal_moves(), move, 0)
        position = position.play(move)
        out.append(text + reader.Position.sign(position, position.legal_moves()).decode())
    return out


def values_of(block, games, codec, tags, streams):
    """The values of a column, in the form of the vectors."""
    if codec >= 16:
        return [[value and value.decode() for value in map(game.tags.get, tags)] for game in games]
    if codec == 0:
        return [
            {
                "tags": [block.names[tag].decode() for tag in tags],
                "line_end": [b"\n", b"\r\n", b"\r"].index(line_end),
                "section": section,
                "moves": bool(moves),
                "nulls": nulls,
            }
            for tags, line_end, moves, _, section, nulls in block.read_schemas()
        ]
    if codec == 5:
        return [streams[0].hex()]
    if codec == 6:
        return block.signatures
    if codec == 7:
        return [[bool(bit) for bit in unmoved] for unmoved in block.unmoved]
    if block.game:
        return []
    if codec == 1:
        return [san(game) for game in games]
    if codec == 2:
        return [record.values for record in Movetext.records]
    if codec == 3:
        return [b"".join(record.comment_texts).decode() for record in Movetext.records]
    return [record.variation_text.decode() for record in Movetext.records]


def check_block(vector, place):
    games = []
    block = Block(bytes.fromhex(vector["block"]), games.append)
    Movetext.records.clear()
    text = b"".join(text for text, _ in block.record_texts())
    if text.decode() != vector["text"] or hashlib.sha256(text).hexdigest() != vector["text_sha256"]:
        sys.exit(f"{place}: another text")
    for column, (codec, flags, tags, references, streams) in zip(vector["columns"], block.columns, strict=True):
        tags, references = ([block.names[tag] for tag in numbers] for numbers in (tags, references))
        found = {
            "codec": codec,
            "flags": flags,
            "tags": [tag.decode() for tag in tags],
            "references": [tag.decode() for tag in references],
            "streams": [stream.hex() for stream in streams],
            "sha256": hashlib.sha256(b"".join(streams)).hexdigest(),
            "values": values_of(block, games, codec, tags, streams),
        }
        for name, value in found.items():
            if value != column[name]:
                sys.exit(f"{place}: codec {codec}: {name}: {value} instead of {column[name]}")


def check_wrapping(vectors, place):
    for vector in vectors:
        text = vector["stored"].encode()
        wrap = vector["rule"], vector["width"]
        written = reader.rewrap_inside(text, wrap, vector["line_end"].encode())
        if written.decode() != vector["written"]:
            sys.exit(f"{place}: rule {wrap}: {written}")


if __name__ == "__main__":
    reader.Movetext, reader.Variations = Movetext, Variations
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json")):
        vector = json.loads(path.read_text())
        (check_wrapping if isinstance(vector, list) else check_block)(vector, path.name)
        print(path.name)
