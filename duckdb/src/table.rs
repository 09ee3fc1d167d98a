//! Table functions: `read_ign(path, condition := text, ...)`.
//!
//! ```text
//! bind   opens the archives, reads the conditions        once a query
//! init   notes the columns that the query needs          once a scan
//! func   returns the next rows: find ─► scan ─► batches  until there are none
//! ```
//!
//! The threads of the scan decode blocks in advance. The threads of DuckDB take batches in turn and
//! convert them. Where the order of rows matters, DuckDB uses one thread.

use std::{
    error::Error,
    marker::PhantomData,
    sync::{Mutex, PoisonError},
    thread,
};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::SchemaRef;
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

use crate::paths;

/// The number of rows of a data chunk of DuckDB: its `STANDARD_VECTOR_SIZE`.
const CHUNK_ROWS: usize = 2048;

/// Record batches that are read one by one.
pub type Batches = Box<dyn RecordBatchReader + Send>;

/// A table that archives have.
pub trait Table {
    /// A column.
    type Column: Clone + Send + Sync;
    /// What chooses the rows, besides the conditions on games.
    type Options: Send + Sync;

    /// The named parameters of the options.
    const OPTIONS: &[(&str, LogicalTypeId)];

    /// All columns.
    fn columns() -> Vec<Self::Column>;

    /// The schema of some columns.
    fn schema(columns: &[Self::Column]) -> SchemaRef;

    /// The options of a query.
    ///
    /// # Errors
    /// Usage if one is not valid.
    fn options(bind: &BindInfo, archives: &Archives) -> ign_archive::Result<Self::Options>;

    /// The number of rows without conditions, if it is known.
    fn rows(archives: &Archives, options: &Self::Options) -> Option<u64>;

    /// Searches for the games and starts to read.
    ///
    /// # Errors
    /// Those of a search.
    fn start(
        archives: &Archives,
        query: &Query,
        options: &Self::Options,
        columns: &[Self::Column],
    ) -> ign_archive::Result<Batches>;
}

/// Which rows a query reads.
pub struct Bound<T: Table> {
    archives: Archives,
    query: Query,
    options: T::Options,
}

/// A scan of the columns that a query needs.
pub struct Scan<T: Table> {
    columns: Vec<T::Column>,
    rows: Mutex<Rows>,
}

/// The rows that are still to be returned.
#[derive(Default)]
struct Rows {
    /// `None` before the first call.
    batches: Option<Batches>,
    /// The rest of the batch that was read last.
    batch: Option<RecordBatch>,
}

impl Rows {
    /// The next rows, as many as a chunk can hold at most.
    fn next<T: Table>(
        &mut self,
        columns: &[T::Column],
        bound: &Bound<T>,
    ) -> Result<Option<RecordBatch>, Box<dyn Error>> {
        let batches = match &mut self.batches {
            Some(batches) => batches,
            None => {
                let (archives, query) = (&bound.archives, &bound.query);
                let started = T::start(archives, query, &bound.options, columns)?;
                self.batches.insert(started)
            }
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

/// The function that reads a table.
pub struct Read<T>(PhantomData<T>);

impl<T: Table> VTab for Read<T> {
    type InitData = Scan<T>;
    type BindData = Bound<T>;

    fn bind(bind: &BindInfo) -> Result<Bound<T>, Box<dyn Error>> {
        let path = bind.get_parameter(0);
        if path.is_null() {
            return Err("the path of an archive, or a pattern, is missing".into());
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
        let options = T::options(bind, &archives)?;
        for field in T::schema(&T::columns()).fields() {
            bind.add_result_column(field.name(), to_duckdb_logical_type_for_field(field)?);
        }
        let rows = T::rows(&archives, &options).filter(|_| query.is_empty());
        if let Some(rows) = rows {
            bind.set_cardinality(rows, true);
        }
        Ok(Bound {
            archives,
            query,
            options,
        })
    }

    fn init(init: &InitInfo) -> Result<Scan<T>, Box<dyn Error>> {
        init.set_max_threads(thread::available_parallelism().map_or(1, |n| n.get() as u64));
        let all = T::columns();
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
        let next = rows.next(&scan.columns, call.get_bind_data())?;
        drop(rows);
        match next {
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
        let typed = |(name, of): &(&str, LogicalTypeId)| ((*name).to_owned(), (*of).into());
        let options = T::OPTIONS.iter().map(typed);
        Some(CONDITIONS.iter().map(text).chain(options).collect())
    }
}
