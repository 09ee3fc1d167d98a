"""Does docs/ign.ksy describe archives? `python tools/kaitai.py IGN`, or pytest with the program in IGN.

The description is compiled to Python, reads archives that the program makes, and must find what `ign info` and
`ign stats` report, and what examples/reader.py reads. `make kaitai` installs the compiler below target/kaitai.
"""

import hashlib
import importlib.util
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import kaitaistruct
import pytest

ROOT = Path(__file__).resolve().parent.parent
COMPILER = ROOT / "target/kaitai"
PROGRAM = os.path.abspath(os.environ.get("IGN", ROOT / "target/debug/ign"))

COMPILE = """
const [description, output] = process.argv.slice(1);
const fs = require('fs');
const source = require('js-yaml').load(fs.readFileSync(description, 'utf8'));
require('kaitai-struct-compiler').compile('python', source, null, false)
    .then(files => fs.writeFileSync(output, files['ign.py']))
    .catch(error => { console.error(String(error)); process.exit(1); });
"""

GO = "".join(
    f"(;GM[1]FF[4]SZ[19]KM[6.5]PB[Black {i}]PW[White {i}]RE[B+R];B[pd];W[dp];B[qp];W[d{chr(99 + i)}])\n" for i in range(9)
)


def module(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def ign(*args):
    return subprocess.run([PROGRAM, *map(str, args)], check=True, stdout=subprocess.PIPE).stdout


@pytest.fixture(scope="session")
def description(tmp_path_factory):
    """The class that the compiler makes of the description."""
    output = tmp_path_factory.mktemp("compiled") / "ign.py"
    command = ["node", "-e", COMPILE, str(ROOT / "docs/ign.ksy"), str(output)]
    subprocess.run(command, check=True, env={**os.environ, "NODE_PATH": str(COMPILER / "node_modules")})
    return module("ign_description", output).Ign


@pytest.fixture(scope="session")
def reader():
    sys.path.insert(0, str(ROOT / "examples"))
    return module("reader", ROOT / "examples/reader.py")


def sample(folder, name, games, seed, *options):
    path = folder / name
    ign("sample", "-q", "--games", games, "--seed", seed, *options, "-o", path)
    return path


def make_archives(folder):
    """Archives of all forms that the description covers, by name."""
    clocks = sample(folder, "clocks.pgn", 3000, 1, "--clocks")
    few = sample(folder, "few.pgn", 50, 2)
    empty = folder / "empty.pgn"
    empty.write_bytes(b"")
    prose = folder / "prose.txt"
    prose.write_bytes(b"Not a game, \xe9 in Latin-1.\n" * 300)
    odd = folder / "odd.pgn"
    odd.write_bytes(b'[Event "e"]\n[Own Name "x"]\n[OwnName "y"]\n[White "A"]\n\n1. e4 e5 2. Ke3 *\n\n')
    go = folder / "go.sgf"
    go.write_text(GO)

    def pack(name, *args):
        ign("pack", "-q", "-o", folder / name, *args)
        return folder / name

    pack("plain.ign", clocks)
    pack("parity.ign", clocks, "--parity", "2%")
    pack("coding_ign.ign", few, "--coding", "ign")
    pack("coding_ends.ign", few, "--coding", "ign-end", "--level", 3)
    pack("blocks.ign", sample(folder, "more.pgn", 200, 3), "-B", "16K")
    pack("text.ign", ROOT / "docs/limits.md")
    pack("models.ign", few, "--embed")
    pack("sha256.ign", few, "--sha256", hashlib.sha256(few.read_bytes()).hexdigest())
    sums = folder / "sums.txt"
    sums.write_text("".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in (few, odd)))
    pack("sha256_shared.ign", few, odd, "--sha256", sums)
    pack("empty.ign", empty)
    pack("mixed_input.ign", few, empty, prose, odd)
    pack("go.ign", go)
    pack("go_plain.ign", go, "--coding", "ign")

    appended = pack("appended.ign", clocks, "--parity", "1%")
    ign("append", "-q", appended, few)
    ign("append", "-q", appended, odd, prose)
    ign("parity", "-q", appended, "1%")
    nothing = pack("appended_nothing.ign", few)
    ign("append", "-q", nothing, empty)
    started_empty = pack("started_empty.ign", empty)
    ign("append", "-q", started_empty, few)
    ign("append", "-q", started_empty, few)
    ign("merge", "-q", "-o", folder / "merged.ign", folder / "coding_ign.ign", folder / "blocks.ign", folder / "go.ign")
    ign("split", "-q", "--games", 80, folder / "blocks.ign", "-o", folder / "parts")
    archives = {path.stem: path for path in sorted(folder.rglob("*.ign"))}
    assert len(archives) >= 18, sorted(archives)
    return archives


@pytest.fixture(scope="session")
def archives(tmp_path_factory):
    return make_archives(tmp_path_factory.mktemp("archives"))


def blocks_of(archive):
    """The entry and the block of each block of the index."""
    return [(entry, entry.block) for entry in archive.index.payload.blocks]


def is_model(body):
    return [column.codec.name for column in body.columns] == ["model"]


def tag_names(body):
    return [name.known_name if name.is_known else name.own_name.decode() for name in body.tag_names]


def stream_len(stream):
    return stream.len_stored.value if stream.storage.name == "inline_plain" else stream.len_stream.value


def columns_of(archive):
    """The columns as `ign info` names and measures them."""
    all_columns = {}
    for _, block in blocks_of(archive):
        names = tag_names(block.head.payload.body)
        for column in block.head.payload.body.columns:
            codec = column.codec.name
            tags = "+".join(names[tag.value] for tag in column.tags)
            is_fixed = column.codec.value < 16
            total = all_columns.setdefault(tags or codec, {"codec": "", "blocks": 0, "bytes": 0, "packed_bytes": 0})
            total["codec"] = "fixed" if is_fixed else codec
            total["blocks"] += 1
            total["bytes"] += sum(map(stream_len, column.streams))
            total["packed_bytes"] += sum(stream.len_stored.value for stream in column.streams)
    return {name.replace("unmoved_pawns", "unmoved pawns"): total for name, total in all_columns.items()}


def other_frames(archive):
    """The frames before each block, before the index and after the footer, without header and metadata."""
    gaps = [entry.gap for entry, _ in blocks_of(archive)] + [archive.gap_before_index, archive.parity]
    frames = [frame for gap in gaps for frame in gap.frames]
    assert [frame.kind for frame in frames[:2]] == ["ignC", "ignM"]
    return frames[2:]


def frame_len(frame):
    return frame.len_rest + 8


def parity_sets(frames):
    sets = {}
    for frame in frames:
        if frame.kind in ("ignP", "ignR", "ignT"):
            found = sets.setdefault(frame.payload.set_start, {"parity_bytes": 0})
            found["parity_bytes"] += frame_len(frame)
        if frame.kind == "ignP":
            p = frame.payload
            found |= {
                "protected_bytes": p.protected_end - p.protected_start,
                "protected_from": p.protected_start,
                "data_shards": p.num_data_shards,
                "recovery_shards": p.num_recovery_shards,
                "shard_bytes": p.len_shard,
            }
    return list(sets.values())


CODINGS = {"ign": "ign", "ign_end": "ign-end", "weighted": "weighted"}
REASONS = ["unknown_variant", "invalid_position", "illegal_move", "unknown_text", "tag_line"]


def texts_of(index):
    """Where the text of each block is in that of the archive."""
    ends = list(itertools.accumulate((entry.len_text.value for entry in index.blocks), initial=0))
    return itertools.pairwise(ends)


def info_of(path, archive):
    """What `ign info --json` must print, from the description alone."""
    footer, meta, index = archive.footer.payload, archive.metadata.payload, archive.index.payload
    heads = [block.head.payload for _, block in blocks_of(archive)]
    bodies = [head.body for head in heads]
    frames = other_frames(archive)
    not_understood = dict(zip(REASONS, map(sum, zip(*([n.value for n in body.not_understood] for body in bodies)))))
    not_understood = not_understood or dict.fromkeys(REASONS, 0)
    sources, name, text, game = [], b"", 0, 1
    for source in index.sources:
        name = name[: source.len_shared] + source.rest
        games, text_end = source.num_games.value, text + source.len_text.value
        sources.append(
            {
                "file": name.decode(),
                "text_bytes": source.len_text.value,
                "is_part": source.kind.name == "part",
                "xxh64": f"{source.xxh64:016x}" if hasattr(source, "xxh64") else None,
                "sha256": source.sha256.hex() if hasattr(source, "sha256") else None,
                "blocks": sum(start < text_end and end > text for start, end in texts_of(index)) if text < text_end else 0,
                "games": games,
                "first_game": game if games else None,
                "last_game": game + games - 1 if games else None,
            }
        )
        text, game = text_end, game + games
    columns = columns_of(archive)
    return {
        "archive": str(path),
        "format_version": max([head.version for head in heads], default=footer.structure.version),
        "unread_blocks": 0,
        "program": meta.program.text,
        "coding": meta.coding.text,
        "codings": sorted({CODINGS[body.coding.name] for body in bodies if not is_model(body)}),
        "level": meta.level,
        "block_size": meta.block_size.value,
        "archive_bytes": footer.footer_end,
        "superseded_bytes": sum(frame_len(f) for f in frames if f.kind in ("ignI", "ignF", "ignA")),
        "parity_bytes": sum(s["parity_bytes"] for s in parity_sets(frames)),
        "parity_sets": parity_sets(frames),
        "trailing_bytes": 0,
        "text_bytes": footer.len_text,
        "games": footer.num_games,
        "plies": footer.num_plies,
        "not_understood": not_understood | {"games": sum(not_understood.values())},
        "blocks": index.num_blocks.value,
        "block_head_bytes": sum(entry.len_head.value for entry in index.blocks),
        "signature_bytes": columns.get("signatures", {"packed_bytes": 0})["packed_bytes"],
        "block_table_bytes": footer.len_index,
        "search_index": None,
        "sources": sources,
        "columns": columns,
    }


def test_values_equal_those_of_info(description, archives):
    for name, path in archives.items():
        info = json.loads(ign("info", "--json", path))
        # A union of ranges, and the data of models by their hash, are no fields.
        del info["protected_bytes"]
        models = info.pop("models")
        archive = description.from_file(path)
        assert info_of(path, archive) == info, name
        held = [block for _, block in blocks_of(archive) if is_model(block.head.payload.body)]
        assert len(held) == sum(len(model["block_numbers"]) for model in models), name


def test_values_equal_those_of_stats(description, archives):
    for name, path in archives.items():
        stats = json.loads(ign("stats", "--json", path))
        archive = description.from_file(path)
        footer, entries = archive.footer.payload, archive.index.payload.blocks
        packed = {name: column["packed_bytes"] for name, column in columns_of(archive).items()}
        blocks = sum(entry.len_block.value for entry in entries)
        expected = {
            "archive_bytes": footer.footer_end,
            "text_bytes": footer.len_text,
            "games": footer.num_games,
            "plies": footer.num_plies,
            "blocks": len(entries),
            "block_head_bytes": blocks - sum(packed.values()),
            "other_bytes": footer.footer_end - blocks,
            "columns": packed,
        }
        assert expected == {key: stats[key] for key in expected}, name


def test_blocks_equal_those_of_the_second_reader(description, reader, archives):
    compared = 0
    for name, path in archives.items():
        data = path.read_bytes()
        for entry, block in blocks_of(description.from_file(path)):
            head = block.head.payload
            if (head.body.game.name, head.body.coding.name) == ("go", "weighted"):
                continue  # It does not have this model.
            read = reader.Block(data[entry.block_start : entry.block_end])
            fields = (head.text_xxh64, head.len_text.value, head.num_games.value, head.num_plies.value)
            assert fields == (read.checksum, read.text_len, read.games, read.plies), name
            body = head.body
            assert (body.game.value, body.coding.value, body.num_records.value) == (read.game, read.coding, read.records)
            assert [tag.encode() for tag in tag_names(body)] == read.names, name
            columns = [
                (c.codec.value, c.flags, [t.value for t in c.tags], [r.value for r in c.references]) for c in body.columns
            ]
            assert columns == [column[:4] for column in read.columns], name
            for column, (*_, texts) in zip(body.columns, read.columns):
                assert [stream_of(reader, stream) for stream in column.streams] == texts, name
                compared += len(texts)
    assert compared > 500


def stream_of(reader, stream):
    """The bytes of a stream, decompressed by the second reader."""
    kind, size = stream.storage.name, stream_len(stream)
    if kind == "zstd":
        return reader.decompress(stream.frame, size)
    data = stream.inline if stream.is_inline else stream.frame.data
    return reader.decode_text_model(data, size) if kind.endswith("text_model") else data


def test_every_byte_is_in_one_part_and_every_seal_is_right(description, reader, archives):
    for name, path in archives.items():
        data = path.read_bytes()
        archive = description.from_file(path)
        at = 0

        def pass_frames(frames):
            nonlocal at
            for frame in frames:
                end = at + frame_len(frame)
                assert reader.xxh64(data[at : end - 8]) == frame.seal, (name, at)
                at = end

        for entry, block in blocks_of(archive):
            pass_frames(entry.gap.frames)
            assert (at, block.head.seal) == (entry.block_start, entry.head_seal)
            pass_frames([block.head])
            streams = [s for column in block.head.payload.body.columns for s in column.streams if not s.is_inline]
            for stream in streams:
                end = at + stream.len_stored.value
                assert reader.xxh64(data[at:end]) == stream.frame_xxh64, (name, at)
                at = end
            assert at == entry.block_end
        pass_frames(archive.gap_before_index.frames)
        pass_frames([archive.index, archive.footer])
        assert at == archive.footer.payload.footer_end
        pass_frames(archive.parity.frames)
        assert at == len(data), name


def test_all_storages_kinds_and_sources_occur(description, archives):
    storages, kinds, sources, own_names = set(), set(), set(), 0
    for path in archives.values():
        archive = description.from_file(path)
        sources |= {source.kind.name for source in archive.index.payload.sources}
        kinds |= {frame.kind for frame in other_frames(archive)}
        for _, block in blocks_of(archive):
            body = block.head.payload.body
            storages |= {stream.storage.name for column in body.columns for stream in column.streams}
            own_names += sum(not name.is_known for name in body.tag_names)
    assert storages == {"plain", "zstd", "inline_plain", "text_model", "inline_text_model"}
    assert kinds == {"ignI", "ignF", "ignA", "ignP", "ignR", "ignT"}
    assert sources == {"whole_with_xxh64", "part", "whole_with_both", "whole", "whole_with_sha256"}
    assert own_names


def test_other_versions_and_left_over_bytes_are_rejected(description, archives):
    data = archives["coding_ign"].read_bytes()
    changed = {
        "version of the structure": (12, data[12] + 1),
        "flags of the header": (13, 1),
        "kind of the first frame": (11, ord("I")),
        "version of the footer": (len(data) - 58, data[12] + 1),
    }
    for what, (at, byte) in changed.items():
        with pytest.raises(kaitaistruct.ValidationFailedError):
            description.from_bytes(data[:at] + bytes([byte]) + data[at + 1 :]).footer
            pytest.fail(what)
    with pytest.raises(kaitaistruct.ValidationFailedError):
        description.from_bytes(data + b"\0").footer


def test_a_block_of_a_later_version_keeps_its_prefix(description, archives):
    data = archives["coding_ign"].read_bytes()
    entry = description.from_bytes(data).index.payload.blocks[0]
    at = entry.block_start + 12
    changed = description.from_bytes(data[:at] + bytes([data[at] + 1]) + data[at + 1 :])
    head = changed.index.payload.blocks[0].block.head.payload
    assert head.num_games.value == entry.num_games.value
    assert not hasattr(head, "body")


if __name__ == "__main__":
    os.environ["IGN"] = sys.argv[1]
    sys.exit(pytest.main([__file__, "-q", "-p", "no:cacheprovider", "--rootdir", str(ROOT)]))
