//! The container: frames, header, metadata, heads of blocks, index, and footer.
//!
//! An archive is a sequence of zstd frames and zstd skippable frames, so every zstd tool can walk
//! it (spec §1):
//!
//! ```text
//! header | metadata | block … | index | footer | parity set | mark | block … | index | footer …
//! block = head | frame of a stream … frame of a stream
//! ```
//!
//! Each append adds a mark, blocks, an index of all blocks and a footer; the last footer counts.
//!
//! Each structure has a file with its `write` and `read` side by side. `read` takes bytes from
//! outside: it checks every length against a limit before it allocates, and never panics. Nothing
//! here reads files or compresses.
//!
//! * [`frame`]: sealed frames, which carry a kind and a checksum.
//! * [`version`]: which versions of the format are read.
//! * [`header`], [`meta`], [`block_head`], [`index`], [`footer`]: the payloads of sealed frames.
//! * [`append_mark`]: the first frame of an append.
//! * [`parity`]: the frames of a parity set.
//! * [`stream`]: the description of a stream in the directory of a block.
//! * The limits of spec §7 are constants of this module.

pub mod append_mark;
pub mod block_head;
pub(crate) mod bytes;
mod checksum;
pub mod footer;
pub mod frame;
pub mod header;
pub mod index;
mod limits;
pub mod meta;
mod not_understood;
pub mod parity;
mod sha256;
pub mod stream;
pub mod tag_names;
pub mod version;

pub use self::{
    checksum::{CHECKSUM_LEN, TextChecksum, checksum},
    limits::*,
    not_understood::{NotUnderstood, NotUnderstoodCounts},
    sha256::{SHA256_LEN, Sha256},
};
