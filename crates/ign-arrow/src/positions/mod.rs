//! The table of positions: a row for each position of the games.
//!
//! ```text
//! ign_archive::PositionScan ─► PositionRecordBatches
//!                              columns: names and types; arrays: from vectors to arrays
//! ```

mod arrays;
mod batches;
mod columns;

pub use self::{
    batches::PositionRecordBatches,
    columns::{PositionField, position_schema},
};
