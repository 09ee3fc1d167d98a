//! The table function `read_ign(path, condition := text, ...)`.
//!
//! ```text
//! bind   opens the archives, reads the conditions        once a query
//! init   notes the columns that the query needs          once a scan
//! func   returns the next rows: find ─► scan ─► batches  until there are none
//! ```
//!
//! The threads of the scan decode blocks in advance. DuckDB calls `func` from one thread at a time.

use std::{
    error::Error,
    sync::{Mutex, PoisonError},
};

use duckdb::{
    core::{DataChunkHandle, LogicalTypeHandle, LogicalTypeId},
    vtab::{
        BindInfo, InitInfo, TableFunctionInfo, VTab, record_batch_to_duckdb_data_chunk,
        to_duckdb_logical_type_for_field,
    },
};
use ign_archive::{
    Archives, Query,
    query::{CONDITIONS, Condition},
};
use ign_arrow::{Encoding, GameColumn, RecordBatches, arrow_array::RecordBatch, schema};

use crate::paths;

/// The number of rows of a data chunk of DuckDB: its `STANDARD_VECTOR_SIZE`.
const CHUNK_ROWS: usize = 2048;

/// Which games a query reads.
pub struct Bound {
    archives: Archives,
    query: Query,
}

/// A scan of the columns that a query needs.
pub struct Scan {
    columns: Vec<GameColumn>,
    rows: Mutex<Rows>,
}

/// The rows that are still to be returned.
#[derive(Default)]
struct Rows {
    /// `None` before the first call.
    batches: Option<RecordBatches>,
    /// The rest of the batch that was read last.
    batch: Option<RecordBatch>,
}

impl Rows {
    /// The next rows, as many as a chunk can hold at most.
    fn next(
        &mut self,
        columns: &[GameColumn],
        bound: &Bound,
    ) -> Result<Option<RecordBatch>, Box<dyn Error>> {
        let batches = match &mut self.batches {
            Some(batches) => batches,
            None => self.batches.insert(start(bound, columns)?),
        };
        loop {
            if let Some(batch) = self.batch.take_if(|batch| batch.num_rows() > 0) {
                let len = batch.num_rows().min(CHUNK_ROWS);
                self.batch = Some(batch.slice(len, batch.num_rows() - len));
                return Ok(Some(batch.slice(0, len)));
            }
            match batches.next().transpose()? {
                None => return Ok(None),
                batch => self.batch = batch,
            }
        }
    }
}

/// Searches for the games and starts to read them. Games are numbered over all archives.
fn start(bound: &Bound, columns: &[GameColumn]) -> ign_archive::Result<RecordBatches> {
    let scans = bound.archives.scans(&bound.query)?;
    Ok(RecordBatches::of_all(scans, columns, Encoding::PLAIN))
}

/// The table function.
pub struct ReadIgn;

impl VTab for ReadIgn {
    type InitData = Scan;
    type BindData = Bound;

    fn bind(bind: &BindInfo) -> Result<Bound, Box<dyn Error>> {
        let path = bind.get_parameter(0);
        if path.is_null() {
            return Err("read_ign needs the path of an archive, or a pattern".into());
        }
        let archives = Archives::open(paths::of(&path.to_string())?)?;
        let mut query = Query::default();
        for condition in CONDITIONS {
            let value = bind.get_named_parameter(condition.name);
            if let Some(value) = value.filter(|value| !value.is_null()) {
                query.set(condition.name, &value.to_string())?;
            }
        }
        query.check()?;
        for field in schema(&GameColumn::all(), Encoding::PLAIN).fields() {
            bind.add_result_column(field.name(), to_duckdb_logical_type_for_field(field)?);
        }
        if query.is_empty() {
            bind.set_cardinality(archives.len(), true);
        }
        Ok(Bound { archives, query })
    }

    fn init(init: &InitInfo) -> Result<Scan, Box<dyn Error>> {
        init.set_max_threads(1);
        let all = GameColumn::all();
        // A query that only counts rows requests a column that is not in the table.
        let wanted = init.get_column_indices().into_iter();
        let columns = wanted.filter_map(|index| all.get(usize::try_from(index).ok()?).cloned());
        Ok(Scan {
            columns: columns.collect(),
            rows: Mutex::default(),
        })
    }

    fn func(
        call: &TableFunctionInfo<Self>,
        output: &mut DataChunkHandle,
    ) -> Result<(), Box<dyn Error>> {
        let scan = call.get_init_data();
        let mut rows = scan.rows.lock().unwrap_or_else(PoisonError::into_inner);
        match rows.next(&scan.columns, call.get_bind_data())? {
            None => output.set_len(0),
            Some(batch) if scan.columns.is_empty() => output.set_len(batch.num_rows()),
            Some(batch) => record_batch_to_duckdb_data_chunk(&batch, output)?,
        }
        Ok(())
    }

    fn supports_pushdown() -> bool {
        true
    }

    fn parameters() -> Option<Vec<LogicalTypeHandle>> {
        Some(vec![LogicalTypeId::Varchar.into()])
    }

    fn named_parameters() -> Option<Vec<(String, LogicalTypeHandle)>> {
        let text = |c: &&Condition| (c.name.to_owned(), LogicalTypeId::Varchar.into());
        Some(CONDITIONS.iter().map(text).collect())
    }
}
