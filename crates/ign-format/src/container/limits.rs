//! Limits of the format (spec §7).
//!
//! Writers keep them. Readers reject whatever exceeds them before they allocate, so a forged
//! length cannot exhaust memory or time.

/// Maximum length of a block's text, in bytes.
pub const MAX_BLOCK_TEXT: u64 = 1 << 28;
/// Maximum number of values in the tag table of a block: records times tag names, or records if
/// no record has a tag. It bounds the memory that a block takes.
pub const MAX_BLOCK_VALUES: u64 = 1 << 24;
/// Maximum number of distinct tag names in a block.
pub const MAX_TAG_NAMES: u64 = 4096;
/// Maximum number of tags of a record; further tag lines are text.
pub const MAX_RECORD_TAGS: usize = 256;
/// Maximum length of a tag name, in bytes.
pub const MAX_TAG_NAME_LEN: u64 = 255;
/// Maximum number of models that a block names: one of each architecture.
pub const MAX_MODELS: u64 = 16;
/// Maximum number of columns in a block: one for each tag name, and the fixed columns.
pub const MAX_COLUMNS: u64 = MAX_TAG_NAMES + 16;
/// Maximum number of streams of a column.
pub const MAX_STREAMS: u64 = 8;
/// Maximum length of an inline stream, or of the codes of an inline mixed stream, in bytes.
pub const MAX_INLINE_LEN: u64 = 512;
/// Maximum length of a stream, and of its frame, in bytes. A stream is not longer than the text
/// that it encodes, except streams of small integers, for which twice the text is enough.
pub const MAX_STREAM_LEN: u64 = 2 * MAX_BLOCK_TEXT;
/// Maximum length of all streams of a block together, in bytes, beyond
/// [`MAX_STREAMS_LEN_PER_TEXT_BYTE`] for each byte of text.
pub const MAX_STREAMS_LEN: u64 = 1 << 20;
/// See [`MAX_STREAMS_LEN`].
pub const MAX_STREAMS_LEN_PER_TEXT_BYTE: u64 = 4;
/// Maximum length of the data of a model, in bytes: the only stream of a block without text.
pub const MAX_MODEL_LEN: u64 = 1 << 23;
/// Maximum length of the frames of a block's streams together, in multiples of that of the streams.
/// A writer stores a stream plain, with a header of 8 bytes, unless another form is shorter.
pub const MAX_FRAMES_LEN_PER_STREAM_BYTE: u64 = 2;
/// Maximum length of a mixed stream, in bytes.
pub const MAX_MIXED_LEN: u64 = 1 << 24;
/// Maximum length of a mixed stream, in bytes for each byte of its codes.
pub const MAX_MIXED_RATIO: u64 = 16;
/// Maximum number of plies of a game; further moves are text.
pub const MAX_PLIES: usize = 1 << 16;
/// Maximum number of pieces of text of a record.
pub const MAX_TEXT_PIECES: usize = 2 * MAX_PLIES;
/// Maximum length of a game's integer, in bits: [`MAX_PLIES`] moves from at most 1023 choices.
pub const MAX_INTEGER_BITS: u64 = MAX_PLIES as u64 * 10;
/// Maximum length of the index payload, in bytes.
pub const MAX_INDEX_LEN: u64 = 1 << 30;
/// Maximum length of the name of a source, in bytes.
pub const MAX_SOURCE_NAME_LEN: u64 = 1 << 16;
/// Number of sources of an archive.
pub const MAX_SOURCES: u64 = 1 << 24;
/// Names of all sources of an archive, in bytes.
pub const MAX_SOURCE_NAMES_LEN: u64 = 1 << 30;
/// Maximum length of the metadata payload, in bytes.
pub const MAX_META_LEN: u64 = 1 << 16;
/// Maximum length of the payload of the head of a block, in bytes.
pub const MAX_HEAD_LEN: u64 = 1 << 25;
/// Maximum number of data shards of a parity set, and of its recovery shards.
pub const MAX_SHARDS: u32 = 1 << 15;
/// Lengths of shards are multiples of this, in bytes.
pub const SHARD_UNIT: u64 = 64;
/// Maximum length of a shard, in bytes.
pub const MAX_SHARD_LEN: u64 = 1 << 30;
/// Maximum number of checksums in a frame that describes a parity set.
pub const MAX_PARITY_CHECKSUMS: u32 = 256;

/// Maximum length of the streams of a block with a text of this length, in bytes.
pub const fn max_streams_len(text_len: u64) -> u64 {
    if text_len == 0 {
        return MAX_MODEL_LEN;
    }
    MAX_STREAMS_LEN + MAX_STREAMS_LEN_PER_TEXT_BYTE * text_len
}

/// Maximum length of the frames of these streams, in bytes.
pub const fn max_frames_len(text_len: u64) -> u64 {
    MAX_FRAMES_LEN_PER_STREAM_BYTE * max_streams_len(text_len)
}

// How the limits depend on each other.
const _: () = {
    // Lengths of skippable frames are 32-bit.
    assert!(MAX_STREAM_LEN < u32::MAX as u64);
    assert!(MAX_INDEX_LEN < u32::MAX as u64);
    assert!(MAX_SHARD_LEN + 64 < u32::MAX as u64);
    // Tag numbers are 16-bit.
    assert!(MAX_TAG_NAMES <= u16::MAX as u64);
    // An inline mixed stream is within the limit of all mixed streams, and those of all streams.
    assert!(MAX_INLINE_LEN * MAX_MIXED_RATIO <= MAX_MIXED_LEN && MAX_MIXED_LEN <= MAX_STREAM_LEN);
    assert!(MAX_RECORD_TAGS as u64 <= MAX_TAG_NAMES);
};
