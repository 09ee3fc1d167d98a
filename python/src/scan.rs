//! The classes `Scan` and `Batch`: games, or their positions, as Arrow record batches.
//!
//! ```text
//! Scan ─► stream: the games of each archive ─► RecordBatches ─► Batch, or a stream for other libraries
//!      └► PositionRecordBatches ───────────────┘
//! ```
//!
//! Data goes to other libraries by the Arrow PyCapsule interface, without a copy.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use arrow_array::{
    Array, RecordBatch, RecordBatchReader, StructArray,
    ffi::{FFI_ArrowArray, FFI_ArrowSchema},
    ffi_stream::FFI_ArrowArrayStream,
};
use arrow_schema::SchemaRef;
use ign_archive::{PositionScan, Query};
use ign_arrow::{
    Encoding, GameColumn, PositionField, PositionRecordBatches, error_of_arrow, position_schema,
    schema,
};
use pyo3::{prelude::*, sync::MutexExt as _, types::PyCapsule};

use crate::{
    failure::Result,
    found::chosen,
    numbers::Numbers,
    opened::{self, Opened},
    stream,
};

#[doc = docs!("Scan")]
#[pyclass(frozen, module = "ign_archive")]
pub struct Scan {
    opened: Arc<Opened>,
    table: Table,
    encoding: Encoding,
    /// The games from which the conditions choose.
    numbers: Numbers,
    /// Boxed, since Python does not align objects as a position needs it.
    query: Box<Query>,
    limit: Option<usize>,
}

/// What a row is, and its columns.
enum Table {
    Games(Vec<GameColumn>),
    Positions(Vec<PositionField>, Choose),
}

/// Chooses positions of a scan.
pub type Choose = Box<dyn Fn(PositionScan) -> PositionScan + Send + Sync>;

/// Record batches that are read one by one.
pub type Batches = Box<dyn RecordBatchReader + Send>;

impl Scan {
    /// A scan of the columns with these names; of all columns if there are none.
    ///
    /// # Errors
    /// Usage if there is no such column or condition.
    pub fn new(
        opened: &Arc<Opened>,
        columns: Option<Vec<String>>,
        wanted: Option<&Bound<PyAny>>,
        limit: Option<usize>,
        encoding: Encoding,
    ) -> Result<Self> {
        let columns = match columns {
            Some(names) => GameColumn::named_all(names)?,
            None => GameColumn::all(),
        };
        let (query, numbers) = chosen(wanted, opened)?;
        Ok(Self {
            opened: opened.clone(),
            table: Table::Games(columns),
            encoding,
            numbers,
            query: Box::new(query),
            limit,
        })
    }

    /// A scan of positions, with the columns of these names; with all columns if there are none.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn positions(
        opened: &Arc<Opened>,
        columns: Option<Vec<String>>,
        wanted: Option<&Bound<PyAny>>,
        encoding: Encoding,
        choose: Choose,
    ) -> Result<Self> {
        let columns = match columns {
            Some(names) => PositionField::named_all(names)?,
            None => PositionField::all(),
        };
        let (query, numbers) = chosen(wanted, opened)?;
        Ok(Self {
            opened: opened.clone(),
            table: Table::Positions(columns, choose),
            encoding,
            numbers,
            query: Box::new(query),
            limit: None,
        })
    }

    /// The schema of the batches.
    fn schema(&self) -> SchemaRef {
        match &self.table {
            Table::Games(columns) => schema(columns, self.encoding),
            Table::Positions(columns, _) => position_schema(columns, self.encoding),
        }
    }

    /// The paths of the archives.
    pub fn paths(&self) -> Vec<PathBuf> {
        let archives = self.opened.archives().iter();
        archives.map(|archive| archive.path().to_owned()).collect()
    }

    /// Searches for the games and starts to read.
    pub fn start(&self, py: Python, encoding: Encoding) -> Result<Batches> {
        let numbers = if self.query.is_empty() {
            self.numbers.clone()
        } else {
            // A query is about all games.
            opened::find_within(py, &self.opened, &self.query, .., self.limit)?
        };
        let len = numbers.len();
        let numbers = numbers.slice(0..self.limit.unwrap_or(len).min(len), 1);
        Ok(match &self.table {
            Table::Games(columns) => stream::batches(&self.opened, &numbers, columns, encoding)?,
            Table::Positions(columns, choose) => {
                let scan = stream::positions(choose(self.opened.positions()), &numbers);
                Box::new(PositionRecordBatches::of(scan, columns, encoding))
            }
        })
    }
}

#[pymethods]
impl Scan {
    #[doc = docs!("Scan.columns")]
    #[getter]
    pub fn columns(&self) -> Vec<&str> {
        match &self.table {
            Table::Games(columns) => columns.iter().map(GameColumn::name).collect(),
            Table::Positions(columns, _) => columns.iter().map(PositionField::name).collect(),
        }
    }

    /// The schema, by the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyCapsule>> {
        let exported = FFI_ArrowSchema::try_from(self.schema().as_ref()).map_err(error_of_arrow)?;
        Ok(PyCapsule::new_with_value(py, exported, c"arrow_schema")?)
    }

    /// The batches, by the Arrow PyCapsule interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyCapsule>> {
        // The interface lets a producer return its own schema.
        drop(requested_schema);
        let exported = FFI_ArrowArrayStream::new(self.start(py, self.encoding)?);
        Ok(PyCapsule::new_with_value(
            py,
            exported,
            c"arrow_array_stream",
        )?)
    }

    /// The batches one by one.
    fn __iter__(&self, py: Python) -> Result<BatchIterator> {
        Ok(BatchIterator(Mutex::new(self.start(py, self.encoding)?)))
    }

    #[doc = docs!("Scan.empty")]
    fn empty(&self) -> Batch {
        Batch(RecordBatch::new_empty(self.schema()))
    }

    fn __repr__(&self) -> String {
        let names = self.columns().join(", ");
        format!("<Scan of {}: {names}>", self.opened.name())
    }
}

#[doc = docs!("BatchIterator")]
#[pyclass(frozen, module = "ign_archive")]
pub struct BatchIterator(Mutex<Batches>);

#[pymethods]
impl BatchIterator {
    fn __iter__(this: PyRef<Self>) -> PyRef<Self> {
        this
    }

    fn __next__(&self, py: Python) -> Result<Option<Batch>> {
        py.check_signals()?;
        let mut stream = self
            .0
            .lock_py_attached(py)
            .unwrap_or_else(PoisonError::into_inner);
        let stream = &mut *stream;
        let batch = py
            .detach(|| stream.next())
            .transpose()
            .map_err(error_of_arrow)?;
        Ok(batch.map(Batch))
    }
}

#[doc = docs!("Batch")]
#[pyclass(frozen, module = "ign_archive")]
pub struct Batch(RecordBatch);

impl Batch {
    /// The rows of a batch.
    pub fn new(batch: RecordBatch) -> Self {
        Self(batch)
    }
}

#[pymethods]
impl Batch {
    #[doc = docs!("Batch.__len__")]
    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// The rows, by the Arrow PyCapsule interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> Result<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        drop(requested_schema);
        let schema = FFI_ArrowSchema::try_from(self.0.schema().as_ref()).map_err(error_of_arrow)?;
        let rows = FFI_ArrowArray::new(&StructArray::from(self.0.clone()).to_data());
        Ok((
            PyCapsule::new_with_value(py, schema, c"arrow_schema")?,
            PyCapsule::new_with_value(py, rows, c"arrow_array")?,
        ))
    }
}
