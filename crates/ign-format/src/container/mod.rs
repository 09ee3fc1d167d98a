//! The bytes of an archive: frames, header, blocks, indexes, footer.
//!
//! Everything here is specified in `format-spec.md`; the section is cited at
//! each constant. These modules turn structures into bytes and back and check
//! every claim of foreign bytes against a limit; they read no file and
//! compress nothing.
//!
//! An archive is a sequence of zstd frames and zstd skippable frames, so any
//! zstd tool can walk it:
//!
//! ```text
//! header | meta | block … [signatures] block … | signatures | index | footer
//! ```

pub mod block;
pub mod footer;
pub mod frame;
pub mod header;
pub mod index;
pub mod meta;
mod tag_names;

use xxhash_rust::xxh64::xxh64;

/// Version of the format that this program writes and the only one it reads
/// (spec §2).
pub const VERSION: u8 = 12;

/// Length in bytes of every checksum (spec §1.2).
pub const CHECKSUM_LEN: usize = 8;

/// The one checksum of the format: XXH64 with seed 0 (spec §1.2). A zstd
/// decoder contains it already.
pub fn checksum(bytes: &[u8]) -> u64 {
    // Fuzzing is to get past it: there all bytes have the same.
    if cfg!(fuzzing) {
        return 0;
    }
    xxh64(bytes, 0)
}

/// The largest text of one block, in bytes (spec §7).
pub const MAX_BLOCK_TEXT: u64 = 1 << 28;
/// The most values that the tag table of one block has room for: records times
/// tag names, or records where there are no tags (spec §7). It bounds the memory
/// that a block takes.
pub const MAX_BLOCK_VALUES: u64 = 1 << 24;
/// The most different tag names of one block (spec §7).
pub const MAX_TAG_NAMES: u64 = 4096;
/// The most tags of one record that are kept as tags (spec §7).
pub const MAX_RECORD_TAGS: usize = 256;
/// The longest tag name, in bytes (spec §7).
pub const MAX_TAG_NAME_LEN: u64 = 255;
/// The most columns of one block: one for each tag, and the fixed ones (spec §7).
pub const MAX_COLUMNS: u64 = MAX_TAG_NAMES + 16;
/// The most streams of one column (spec §7).
pub const MAX_STREAMS: u64 = 8;
/// Bytes of a stream that stands in the head of its block.
pub const MAX_HERE: u64 = 512;
/// Most bytes of all streams of a block, beyond four for each byte of text.
pub const MAX_STREAMS_LEN: u64 = 1 << 20;
/// Most bytes of a stream that is told by its contexts, and most for each byte of what tells it.
pub const MAX_MIXED: u64 = 1 << 24;
/// See [`MAX_MIXED`].
pub const MAX_MIXED_RATIO: u64 = 16;
/// The most half-moves of one modelled game (spec §7). Longer ones are kept as
/// text beyond it.
pub const MAX_PLIES: usize = 1 << 16;
/// The most pieces of text of one record (spec §7).
pub const MAX_TEXT_PIECES: usize = 2 * MAX_PLIES;
/// The most bits of one game's integer: [`MAX_PLIES`] moves out of at most 1023
/// choices (spec §7).
pub const MAX_INTEGER_BITS: u64 = MAX_PLIES as u64 * 10;
/// The largest index frame, in bytes (spec §7).
pub const MAX_INDEX_LEN: u64 = 1 << 30;
/// The longest name of a source, in bytes (spec §7).
pub const MAX_SOURCE_NAME_LEN: u64 = 1 << 16;
