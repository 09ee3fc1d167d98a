//! The table of games.

use arrow_schema::SchemaRef;
use duckdb::{core::LogicalTypeId, vtab::BindInfo};
use ign_archive::{Archives, Query, Result};
use ign_arrow::{Encoding, GameColumn, RecordBatches, schema};

use crate::table::{Batches, Table};

/// A row for each game.
pub struct Games;

impl Table for Games {
    type Column = GameColumn;
    type Options = ();

    const OPTIONS: &[(&str, LogicalTypeId)] = &[];

    fn columns() -> Vec<GameColumn> {
        GameColumn::all()
    }

    fn schema(columns: &[GameColumn]) -> SchemaRef {
        schema(columns, Encoding::PLAIN)
    }

    fn options(_: &BindInfo, _: &Archives) -> Result<()> {
        Ok(())
    }

    fn rows(archives: &Archives, (): &()) -> Option<u64> {
        Some(archives.len())
    }

    /// Games are numbered over all archives.
    fn start(
        archives: &Archives,
        query: &Query,
        (): &(),
        columns: &[GameColumn],
    ) -> Result<Batches> {
        let scans = archives.scans(query)?;
        Ok(Box::new(RecordBatches::of_all(
            scans,
            columns,
            Encoding::PLAIN,
        )))
    }
}
