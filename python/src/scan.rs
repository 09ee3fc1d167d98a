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
use arrow_schema::ArrowError;
use ign_archive::{Error, Query};
use ign_arrow::{Encoding, GameColumn, error_of_arrow, schema};
use pyo3::{
    prelude::*,
    sync::MutexExt as _,
    types::{PyCapsule, PyDict},
};

use crate::{
    failure::{Result, usage},
    found::GameList,
    interrupt::interruptible,
    numbers::Numbers,
    opened::Opened,
    query,
    stream::Stream,
};

/// Games as Arrow record batches. It can be read as often as wanted.
#[pyclass(frozen, module = "ign_archive")]
pub struct Scan {
    opened: Arc<Opened>,
    columns: Vec<GameColumn>,
    encoding: Encoding,
    /// The games to which the scan is restricted.
    numbers: Option<Numbers>,
    /// Boxed, since Python does not align objects as a position needs it.
    query: Box<Query>,
    limit: Option<usize>,
}

/// Which games a scan returns.
#[derive(FromPyObject)]
pub enum Where<'py> {
    /// Those of a list.
    Games(Bound<'py, GameList>),
    /// Those that meet conditions.
    Conditions(Bound<'py, PyDict>),
}

impl Scan {
    /// A scan of the columns with these names; of all columns if there are none.
    ///
    /// # Errors
    /// Usage if there is no such column or condition.
    pub fn new(
        opened: &Arc<Opened>,
        columns: Option<Vec<String>>,
        wanted: Option<Where>,
        limit: Option<usize>,
        encoding: Encoding,
    ) -> Result<Self> {
        let columns = match columns {
            Some(names) => GameColumn::named_all(names)?,
            None => GameColumn::all(),
        };
        let mut scan = Self {
            opened: opened.clone(),
            columns,
            encoding,
            numbers: None,
            query: Box::default(),
            limit,
        };
        match wanted {
            None => {}
            Some(Where::Conditions(conditions)) => {
                scan.query = Box::new(query::read(Some(&conditions))?)
            }
            Some(Where::Games(games)) => {
                let games = games.get();
                if !Arc::ptr_eq(games.opened(), opened) {
                    return Err(usage(
                        "the list is one of games of another archive",
                        "scan the archive that the list is from",
                    ));
                }
                scan.numbers = Some(games.game_numbers().clone());
            }
        }
        Ok(scan)
    }

    /// Searches for the games and starts to read.
    fn start(&self, py: Python) -> Result<Stream> {
        let found = match self.query.is_empty() {
            true => None,
            false => {
                let found = interruptible(py, |cancel| {
                    let archives = self.opened.archives.clone().with_cancel(cancel.flag());
                    archives.find_first(&self.query, self.limit.unwrap_or(usize::MAX))
                })?;
                let numbers = found.into_iter().map(|game| self.opened.number(game));
                Some(Numbers::List(numbers.collect()))
            }
        };
        let all = || Numbers::Range(1..self.opened.len() + 1);
        let numbers = found.or_else(|| self.numbers.clone()).unwrap_or_else(all);
        let end = self
            .limit
            .map_or(numbers.len(), |limit| limit.min(numbers.len()));
        let numbers = numbers.slice(0..end, 1);
        Ok(Stream::new(
            &self.opened,
            numbers,
            &self.columns,
            self.encoding,
        ))
    }
}

#[pymethods]
impl Scan {
    /// The names of the columns.
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

    /// A batch without rows.
    fn empty(&self) -> Batch {
        Batch(RecordBatch::new_empty(schema(&self.columns, self.encoding)))
    }

    fn __repr__(&self) -> String {
        let names = self.columns().join(", ");
        format!("<Scan of {}: {names}>", self.opened.name())
    }
}

/// An iterator over batches.
#[pyclass(frozen, module = "ign_archive")]
pub struct BatchIterator(Mutex<Stream>);

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

/// Some rows of a scan: the games of one block.
#[pyclass(frozen, module = "ign_archive")]
pub struct Batch(RecordBatch);

#[pymethods]
impl Batch {
    /// The number of rows.
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
        let exported = |result: std::result::Result<_, ArrowError>| -> Result<FFI_ArrowSchema> {
            Ok(result.map_err(|error| Error::from(error_of_arrow(error)))?)
        };
        let schema = exported(FFI_ArrowSchema::try_from(self.0.schema().as_ref()))?;
        let rows = StructArray::from(self.0.clone());
        let rows = FFI_ArrowArray::new(&rows.to_data());
        Ok((
            PyCapsule::new_with_value(py, schema, c"arrow_schema")?,
            PyCapsule::new_with_value(py, rows, c"arrow_array")?,
        ))
    }
}
