//! The classes `Scan` and `Batch`: games as Arrow record batches.
//!
//! ```text
//! Scan ─► stream: the games of each archive ─► RecordBatches ─► Batch, or a stream for other libraries
//! ```
//!
//! Data goes to other libraries by the Arrow PyCapsule interface, without a copy.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{
    Array, RecordBatch, RecordBatchReader, StructArray,
    ffi::{FFI_ArrowArray, FFI_ArrowSchema},
    ffi_stream::FFI_ArrowArrayStream,
};
use ign_archive::Query;
use ign_arrow::{Encoding, GameColumn, RecordBatches, error_of_arrow, schema};
use pyo3::{prelude::*, sync::MutexExt as _, types::PyCapsule};

use crate::{failure::Result, numbers::Numbers, opened::Opened, query, stream};

#[doc = docs!("Scan")]
#[pyclass(frozen, module = "ign_archive")]
pub struct Scan {
    opened: Arc<Opened>,
    columns: Vec<GameColumn>,
    encoding: Encoding,
    /// The games from which the conditions choose.
    numbers: Numbers,
    /// Boxed, since Python does not align objects as a position needs it.
    query: Box<Query>,
    limit: Option<usize>,
}

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
        let (query, numbers) = query::chosen(wanted, opened)?;
        Ok(Self {
            opened: opened.clone(),
            columns,
            encoding,
            numbers,
            query: Box::new(query),
            limit,
        })
    }

    /// Searches for the games and starts to read.
    fn start(&self, py: Python) -> Result<RecordBatches> {
        let numbers = match self.query.is_empty() {
            true => self.numbers.clone(),
            // A query is about all games.
            false => self.opened.find(py, &self.query, self.limit)?,
        };
        let len = numbers.len();
        let numbers = numbers.slice(0..self.limit.unwrap_or(len).min(len), 1);
        Ok(stream::batches(
            &self.opened,
            &numbers,
            &self.columns,
            self.encoding,
        ))
    }
}

#[pymethods]
impl Scan {
    #[doc = docs!("Scan.columns")]
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.columns.iter().map(GameColumn::name).collect()
    }

    /// The schema, by the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyCapsule>> {
        let schema = schema(&self.columns, self.encoding);
        let exported = FFI_ArrowSchema::try_from(schema.as_ref()).map_err(error_of_arrow)?;
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
        let reader: Box<dyn RecordBatchReader + Send> = Box::new(self.start(py)?);
        let exported = FFI_ArrowArrayStream::new(reader);
        Ok(PyCapsule::new_with_value(
            py,
            exported,
            c"arrow_array_stream",
        )?)
    }

    /// The batches one by one.
    fn __iter__(&self, py: Python) -> Result<BatchIterator> {
        Ok(BatchIterator(Mutex::new(self.start(py)?)))
    }

    #[doc = docs!("Scan.empty")]
    fn empty(&self) -> Batch {
        Batch(RecordBatch::new_empty(schema(&self.columns, self.encoding)))
    }

    fn __repr__(&self) -> String {
        let names = self.columns().join(", ");
        format!("<Scan of {}: {names}>", self.opened.name())
    }
}

#[doc = docs!("BatchIterator")]
#[pyclass(frozen, module = "ign_archive")]
pub struct BatchIterator(Mutex<RecordBatches>);

#[pymethods]
impl BatchIterator {
    fn __iter__(this: PyRef<Self>) -> PyRef<Self> {
        this
    }

    fn __next__(&self, py: Python) -> Result<Option<Batch>> {
        py.check_signals()?;
        let stream = self.0.lock_py_attached(py);
        let mut stream = stream.unwrap_or_else(PoisonError::into_inner);
        let stream = &mut *stream;
        let batch = py.detach(|| stream.next()).transpose();
        let batch = batch.map_err(error_of_arrow)?;
        Ok(batch.map(Batch))
    }
}

#[doc = docs!("Batch")]
#[pyclass(frozen, module = "ign_archive")]
pub struct Batch(RecordBatch);

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
        let schema = self.0.schema();
        let schema = FFI_ArrowSchema::try_from(schema.as_ref()).map_err(error_of_arrow)?;
        let rows = StructArray::from(self.0.clone());
        let rows = FFI_ArrowArray::new(&rows.to_data());
        Ok((
            PyCapsule::new_with_value(py, schema, c"arrow_schema")?,
            PyCapsule::new_with_value(py, rows, c"arrow_array")?,
        ))
    }
}
