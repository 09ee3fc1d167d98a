meta:
  id: ign
  title: Archive of chess or Go games
  file-extension: ign
  license: GPL-3.0-or-later
  ks-version: 0.11
  endian: le
doc: |
  The structure of an .ign archive, version 1 of the format: header, metadata, blocks with
  the directories of their columns, index, footer and parity. format-spec.md describes what is
  in the streams of the columns; section numbers are those of that document.

  This description reads a whole archive from its end, as §6 says. It does not read an archive
  with an interrupted append (§6.1), whose footer must be searched. It does not compute
  checksums, decompress streams, or check the limits of §7 and the sums of lengths.
doc-ref: format-spec.md

seq:
  - id: header
    type: sealed_frame('ignC')
  - id: metadata
    type: sealed_frame('ignM')

instances:
  last_kind:
    doc: The kind of a frame of 46 bytes at the end of the file.
    pos: _io.size - 38
    size: 4
  has_parity:
    value: last_kind == [0x69, 0x67, 0x6e, 0x54]
  trailer:
    doc: The trailer of the last parity set, §16.3.
    pos: _io.size - 46
    type: sealed_frame('ignT')
    if: has_parity
  footer_end:
    value: 'has_parity ? trailer.payload.as<trailer>.protected_end : _io.size.as<u8>'
  footer:
    pos: footer_end - 70
    type: sealed_frame('ignF')
  index:
    pos: index_start
    size: footer.payload.as<footer>.len_index
    type: sealed_frame('ignI')
  gap_before_index:
    doc: |
      The superseded frames after the last block, §5.2. Without blocks, header and metadata are
      there too.
    pos: blocks_end
    size: index_start - blocks_end
    type: sealed_frames
  blocks_end:
    value: 'index.payload.as<index>.num_blocks.value == 0 ? 0.as<u8> : index.payload.as<index>.blocks.last.block_end'
  index_start:
    value: footer.payload.as<footer>.index_start
  parity:
    doc: The frames of all parity sets after the footer, §16.1.
    pos: footer_end
    size: _io.size - footer_end
    type: sealed_frames

types:
  varint:
    doc: |
      An unsigned LEB128 number of at most 64 bits in its shortest form.
    seq:
      - id: groups
        type: |
          varint_group(_index,
            _index == 0 ? 0.as<u8> : groups[_index - 1].sum,
            _index == 0 ? 1.as<u8> : groups[_index - 1].weight * 128)
        repeat: until
        repeat-until: _.byte < 128
    instances:
      value:
        value: groups.last.sum
  varint_group:
    params:
      - id: number
        type: s4
      - id: sum_before
        type: u8
      - id: weight
        type: u8
    seq:
      - id: byte
        type: u1
        valid:
          expr: (number == 0 or _ != 0) and (number < 9 or _ == 1)
    instances:
      sum:
        value: (sum_before + (byte & 127) * weight).as<u8>
  end:
    doc: The end of a structure that no byte may follow.
    seq:
      - id: rest
        size-eos: true
        valid: '[].as<bytes>'

  # Frames, §1.1

  sealed_frames:
    seq:
      - id: frames
        type: sealed_frame('')
        repeat: eos
  sealed_frame:
    doc: |
      A skippable frame of Zstandard with a kind and a checksum, §1.1. The head of a block has
      a type of its own, block_head_frame.
    params:
      - id: expected_kind
        type: str
    seq:
      - id: magic
        contents: [0x5a, 0x2a, 0x4d, 0x18]
      - id: len_rest
        type: u4
      - id: kind
        type: str
        size: 4
        encoding: ASCII
        valid:
          expr: expected_kind == '' or _ == expected_kind
      - id: payload
        size: len_rest - 12
        type:
          switch-on: kind
          cases:
            '"ignC"': header
            '"ignM"': metadata
            '"ignI"': index
            '"ignF"': footer
            '"ignA"': append_mark
            '"ignP"': parity_description
            '"ignR"': recovery_shard
            '"ignT"': trailer
      - id: seal
        doc: XXH64 of all bytes of the frame before it, §1.2.
        type: u8
  plain_frame:
    doc: A skippable frame with a stream, or with codes of the text model, §3.3.
    seq:
      - id: magic
        contents: [0x5a, 0x2a, 0x4d, 0x18]
      - id: len_data
        type: u4
      - id: data
        size: len_data
      - id: end
        type: end

  # Header and metadata, §2

  structure:
    doc: The version of a structure and its flags.
    seq:
      - id: version
        type: u1
        valid: 1
      - id: flags
        type: u1
        valid: 0
  header:
    seq:
      - id: structure
        type: structure
      - id: end
        type: end
  metadata:
    doc: How the archive was started, §2.1.
    seq:
      - id: program
        type: bincode_string
      - id: coding
        type: bincode_string
      - id: level_code
        type: bincode_unsigned
      - id: block_size
        type: bincode_unsigned
      - id: end
        type: end
    instances:
      level:
        value: 'level_code.value % 2 == 0 ? level_code.value.as<s8> / 2 : -((level_code.value.as<s8> + 1) / 2)'
  bincode_unsigned:
    seq:
      - id: first
        type: u1
        valid:
          max: 253
      - id: long
        type:
          switch-on: first
          cases:
            251: u2
            252: u4
            253: u8
        if: first >= 251
    instances:
      value:
        value: 'first < 251 ? first.as<u8> : long.as<u8>'
  bincode_string:
    seq:
      - id: len
        type: bincode_unsigned
      - id: text
        type: str
        size: len.value
        encoding: UTF-8

  # Blocks, §3

  block:
    doc: A block in a substream of its own, §3.
    seq:
      - id: head
        type: block_head_frame
      - id: frames
        doc: The frames of all streams that are not inline, without gaps.
        size-eos: true
  block_head_frame:
    seq:
      - id: magic
        contents: [0x5a, 0x2a, 0x4d, 0x18]
      - id: len_rest
        type: u4
      - id: kind
        contents: ignB
      - id: payload
        size: len_rest - 12
        type: block_head(len_rest.as<u8> + 8)
      - id: seal
        type: u8
  block_head:
    doc: |
      The head of a block, §3.1. The prefix has the same form in every version of the format;
      `body` is there in version 1.
    params:
      - id: len_head
        doc: Length of the frame of the head, which is where the frames of streams start.
        type: u8
    seq:
      - id: version
        type: u1
      - id: text_xxh64
        type: u8
      - id: len_text
        type: varint
      - id: num_games
        type: varint
      - id: num_plies
        type: varint
      - id: len_frames
        type: varint
      - id: body
        type: block_body(len_head)
        if: version == 1
      - id: other_version
        size-eos: true
        if: version != 1
  block_body:
    params:
      - id: len_head
        type: u8
    seq:
      - id: game
        type: u1
        enum: game
        valid:
          in-enum: true
      - id: coding
        type: u1
        enum: coding
        valid:
          in-enum: true
      - id: num_records
        type: varint
      - id: not_understood
        doc: |
          Numbers of games that are not understood, by reason: unknown variant, invalid FEN,
          illegal move, other text, line that is not a tag.
        type: varint
        repeat: expr
        repeat-expr: 5
      - id: num_models
        type: varint
      - id: models
        type: model
        repeat: expr
        repeat-expr: num_models.value
      - id: num_tag_names
        type: varint
      - id: tag_names
        type: tag_name
        repeat: expr
        repeat-expr: num_tag_names.value
      - id: num_columns
        type: varint
      - id: columns
        type: 'column(_index == 0 ? len_head : columns[_index - 1].frames_end)'
        repeat: expr
        repeat-expr: num_columns.value
      - id: end
        type: end
    enums:
      game:
        0: chess
        1: go
      coding:
        1: ign
        2: ign_end
        3: weighted
  model:
    doc: The identity of a model, §8.6.
    seq:
      - id: number
        doc: The number of a published model, or 0.
        type: varint
      - id: architecture
        type: u1
        valid:
          min: 1
          max: 5
        if: number.value == 0
      - id: hash
        size: 16
        if: number.value == 0
  tag_name:
    doc: A tag name, §3.1. Its characters, or the number of a known name.
    seq:
      - id: code
        type: varint
      - id: own_name
        size: code.value / 2
        if: not is_known
    instances:
      is_known:
        value: code.value % 2 == 1
      known_name:
        value: known_names[(code.value / 2).as<s4>]
        if: is_known
      known_names:
        value: >-
          ['Event', 'Site', 'Date', 'Round', 'White', 'Black', 'Result', 'WhiteElo', 'BlackElo',
          'WhiteTitle', 'BlackTitle', 'WhiteType', 'BlackType', 'WhiteNA', 'BlackNA', 'ECO', 'NIC',
          'Opening', 'Variation', 'SubVariation', 'EventDate', 'EventSponsor', 'Section', 'Stage',
          'Board', 'Time', 'UTCDate', 'UTCTime', 'TimeControl', 'SetUp', 'FEN', 'Termination',
          'Annotator', 'Mode', 'PlyCount', 'WhiteRatingDiff', 'BlackRatingDiff', 'GameId', 'Variant',
          'StudyName', 'ChapterName', 'ChapterURL', 'BroadcastName', 'BroadcastURL', 'GameURL',
          'WhiteFideId', 'BlackFideId', 'WhiteTeam', 'BlackTeam', 'CurrentPosition', 'Timezone',
          'ECOUrl', 'StartTime', 'EndDate', 'EndTime', 'Link', 'Match', 'Tournament',
          'FICSGamesDBGameNo', 'WhiteRD', 'BlackRD', 'WhiteIsComp', 'BlackIsComp', 'WhiteClock',
          'BlackClock', 'EventType', 'EventRounds', 'EventCountry', 'EventCategory', 'Source',
          'SourceDate', 'SourceTitle', 'SourceVersion', 'SourceVersionDate', 'SourceQuality',
          'WhiteTeamCountry', 'BlackTeamCountry', 'GameDuration', 'GameStartTime', 'GameEndTime']
  column:
    doc: An entry of the directory, §3.2.
    params:
      - id: frames_start
        doc: Byte of the block at which the frames of this column start.
        type: u8
    seq:
      - id: codec
        type: u1
        enum: codec
        valid:
          in-enum: true
      - id: flags
        type: u1
      - id: num_tags
        type: varint
      - id: tags
        doc: Numbers of tag names of the block.
        type: varint
        repeat: expr
        repeat-expr: num_tags.value
      - id: num_references
        type: varint
      - id: references
        type: varint
        repeat: expr
        repeat-expr: num_references.value
      - id: num_streams
        type: varint
      - id: streams
        type: 'stream(_index == 0 ? frames_start : streams[_index - 1].frame_end)'
        repeat: expr
        repeat-expr: num_streams.value
    instances:
      frames_end:
        value: 'num_streams.value == 0 ? frames_start : streams.last.frame_end'
    enums:
      codec:
        0: schemas
        1: moves
        2: layout
        3: comments
        4: variations
        5: text
        6: signatures
        7: unmoved_pawns
        8: model
        16: dictionary
        17: dates
        18: ids
        19: ratings
        20: numbers
        21: templates
        22: derived
        23: openings
  stream:
    doc: A stream of a column, §3.3.
    params:
      - id: frame_start
        doc: Byte of the block at which the frame of the stream starts, unless it is inline.
        type: u8
    seq:
      - id: storage
        type: u1
        enum: storage
        valid:
          in-enum: true
      - id: len_stream
        doc: Length of the stream. An inline plain stream has the length of its bytes.
        type: varint
        if: storage != storage::inline_plain
      - id: len_stored
        doc: Number of the inline bytes, or length of the whole frame.
        type: varint
      - id: inline
        doc: The stream, or its codes for the text model.
        size: len_stored.value
        if: is_inline
      - id: frame_xxh64
        type: u8
        if: not is_inline
    instances:
      is_inline:
        value: storage == storage::inline_plain or storage == storage::inline_text_model
      frame_end:
        value: 'is_inline ? frame_start : frame_start + len_stored.value'
      frame:
        doc: The frame of the stream. A frame of zstd is left as it is.
        io: _parent._parent._parent._parent._parent._io
        pos: frame_start
        size: len_stored.value
        type:
          switch-on: storage
          cases:
            'storage::plain': plain_frame
            'storage::text_model': plain_frame
        if: not is_inline
    enums:
      storage:
        0: plain
        1: zstd
        2: inline_plain
        3: text_model
        4: inline_text_model

  # Index and footer, §5 and §6

  index:
    seq:
      - id: num_sources
        type: varint
      - id: sources
        type: source
        repeat: expr
        repeat-expr: num_sources.value
      - id: num_blocks
        type: varint
      - id: blocks
        type: 'block_entry(_index == 0 ? 0.as<u8> : blocks[_index - 1].block_end)'
        repeat: expr
        repeat-expr: num_blocks.value
      - id: end
        type: end
  source:
    doc: |
      An input of the packer, or a part of one, §5.1. The texts of the sources follow each other, as
      do those of the blocks; a source may begin and end within a block. Its name is the first
      `len_shared` bytes of the name before, and `rest`.
    seq:
      - id: len_shared
        type: u1
      - id: len_rest
        type: varint
      - id: rest
        size: len_rest.value
      - id: len_text
        type: varint
      - id: num_games
        type: varint
      - id: kind
        type: u1
        enum: kind
        valid:
          in-enum: true
      - id: xxh64
        type: u8
        if: kind == kind::whole_with_xxh64 or kind == kind::whole_with_both
      - id: sha256
        size: 32
        if: kind == kind::whole_with_sha256 or kind == kind::whole_with_both
    enums:
      kind:
        0: whole_with_xxh64
        1: part
        2: whole_with_both
        3: whole
        4: whole_with_sha256
  block_entry:
    doc: |
      The entry of a block in the index, §5.2. An index that later ones supersede has the same
      form; the blocks of its entries are there too.
    params:
      - id: end_before
        doc: End of the block before this one in the file; 0 for the first block.
        type: u8
    seq:
      - id: len_gap
        type: varint
      - id: len_head
        type: varint
      - id: len_block
        type: varint
      - id: len_text
        type: varint
      - id: num_games
        type: varint
      - id: head_seal
        type: u8
    instances:
      block_start:
        value: end_before + len_gap.value
      block_end:
        value: block_start + len_block.value
      gap:
        doc: The frames before the block. Those before the first block begin with header and metadata.
        io: _root._io
        pos: end_before
        size: len_gap.value
        type: sealed_frames
      block:
        io: _root._io
        pos: block_start
        size: len_block.value
        type: block
  footer:
    seq:
      - id: structure
        type: structure
      - id: index_start
        type: u8
      - id: len_index
        type: u8
      - id: num_games
        type: u8
      - id: num_plies
        type: u8
      - id: len_text
        type: u8
      - id: footer_end
        type: u8
      - id: end
        type: end
  append_mark:
    doc: The mark of an append, §6.1.
    seq:
      - id: is_complete
        type: u1
        valid:
          max: 1
      - id: mark_start
        type: u8
      - id: end
        type: end

  # Parity, §16

  parity_description:
    seq:
      - id: structure
        type: structure
      - id: set_start
        type: u8
      - id: protected_start
        type: u8
      - id: protected_end
        type: u8
      - id: len_shard
        type: u8
      - id: num_data_shards
        type: u4
      - id: num_recovery_shards
        type: u4
      - id: number
        type: u4
      - id: shards_xxh64
        doc: Checksums of the data shards from 256 times `number` on, at most 256 of them.
        type: u8
        repeat: eos
  recovery_shard:
    seq:
      - id: set_start
        type: u8
      - id: number
        type: u4
      - id: data
        size-eos: true
  trailer:
    seq:
      - id: structure
        type: structure
      - id: set_start
        type: u8
      - id: protected_end
        type: u8
      - id: set_end
        type: u8
      - id: end
        type: end
