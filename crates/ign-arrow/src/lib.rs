//! Chess game archives as [Apache Arrow](https://arrow.apache.org) tables, and as Parquet, Arrow,
//! CSV and JSON lines files.
//!
//! ```text
//! Archive ─► ign_archive::Scan ─► RecordBatches ─► Writer ─► file
//!            blocks, in parallel   arrays           Parquet, Arrow, CSV, JSON lines
//! ```
//!
//! A row is a game. Only the columns that are requested are decoded. The buffers of a scan become
//! those of the arrays without a copy where the types allow it.
//!
//! ```
//! # use ign_archive::{Archive, Input, Packer};
//! # let text = b"[White \"Ann\"]\n[WhiteElo \"2100\"]\n\n1. e4 e5 *\n\n[White \"Ben\"]\n\n1. d4 *\n\n";
//! # let (bytes, _) = Packer::new().pack([Input::reader("a.pgn", &text[..])], Vec::new())?;
//! # let archive = Archive::from_read_at(bytes, "a.ign")?;
//! use ign_arrow::{Encoding, GameColumn, RecordBatches};
//!
//! let columns = GameColumn::named_all(["number", "White", "WhiteElo", "moves"])?;
//! let batches = RecordBatches::of(archive.scan(), &columns, Encoding::PLAIN);
//! for batch in batches {
//!     let batch = batch?;
//!     assert_eq!((batch.num_rows(), batch.num_columns()), (2, 4));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The columns are listed at [`GameColumn`]. [`PositionRecordBatches`] is a second table, with a
//! row for each position; its columns are listed at [`PositionField`]. [`FUNCTIONS`] compute values
//! of these tables.

#![deny(missing_docs)]

mod arrays;
mod batches;
mod columns;
mod counts;
mod encoding;
mod error;
mod functions;
mod in_order;
mod positions;
mod write;

pub use arrow_array;
pub use arrow_schema;

pub use crate::{
    batches::RecordBatches,
    columns::{GameColumn, schema},
    counts::count_batch,
    encoding::Encoding,
    error::error_of_arrow,
    functions::{FUNCTIONS, Function, Parameter},
    in_order::RecordBatchesInOrder,
    positions::{PositionField, PositionRecordBatches, position_schema},
    write::{Format, WriteOptions, Writer},
};
