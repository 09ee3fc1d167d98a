//! The class `CountTable`: numbers of games by keys.

use arrow_array::{
    Array, RecordBatch, RecordBatchIterator, StructArray,
    ffi::{FFI_ArrowArray, FFI_ArrowSchema},
    ffi_stream::FFI_ArrowArrayStream,
};
use ign_archive::{Archives, CountBuilder, CountRow, GameKey, KeyValue, Query};
use ign_arrow::{count_batch, error_of_arrow};
use pyo3::{
    exceptions::PyIndexError,
    prelude::*,
    types::{PyCapsule, PyDict, PyList},
};

use crate::{
    failure::Result, found::Subscript, interrupt::interruptible, opened::warn_of_rejected,
};

#[doc = docs!("CountTable")]
#[pyclass(frozen, module = "ign_archive")]
pub struct CountTable(Box<ign_archive::CountTable>);

impl CountTable {
    /// Counts the games of archives that match a query.
    ///
    /// # Errors
    /// As [`CountBuilder::build`]; the exception of a signal.
    pub fn count(
        py: Python,
        archives: &Archives,
        keys: Vec<GameKey>,
        query: &Query,
    ) -> Result<Self> {
        let table = interruptible(py, |cancel| {
            let archives = archives.clone().with_cancel(cancel.flag());
            CountBuilder::new(keys).build(&archives, query)
        })?;
        warn_of_rejected(py, archives)?;
        Ok(Self(Box::new(table)))
    }

    /// A row by the names of its columns.
    fn row<'py>(&self, py: Python<'py>, row: &CountRow) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(py);
        for (key, value) in self.0.keys.iter().zip(&row.values) {
            match value {
                KeyValue::Number(number) => values.set_item(key.name(), number)?,
                KeyValue::Text(text) => values.set_item(key.name(), &**text)?,
                KeyValue::Missing => values.set_item(key.name(), py.None())?,
            }
        }
        values.set_item(ign_archive::CountTable::GAMES, row.games)?;
        Ok(values)
    }

    fn batch(&self) -> Result<RecordBatch> {
        Ok(count_batch(&self.0)?)
    }
}

#[pymethods]
impl CountTable {
    #[doc = docs!("CountTable.keys")]
    #[getter]
    fn keys(&self) -> Vec<&str> {
        self.0.keys.iter().map(GameKey::name).collect()
    }

    #[doc = docs!("CountTable.games")]
    #[getter]
    fn games(&self) -> u64 {
        self.0.games
    }

    fn __len__(&self) -> usize {
        self.0.rows.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.0.rows.iter().map(|row| self.row(py, row));
        let rows = PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)?;
        Ok(rows.try_iter()?.into_any())
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        place: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, PyAny>> {
        let rows = &self.0.rows;
        match Subscript::read(place, "table[0] or table[:10]")? {
            Subscript::One(place) => {
                let from_start = if place < 0 {
                    place.saturating_add(rows.len() as i64)
                } else {
                    place
                };
                let row = usize::try_from(from_start)
                    .ok()
                    .and_then(|at| rows.get(at))
                    .ok_or_else(|| {
                        let len = rows.len();
                        PyIndexError::new_err(format!("the table has {len} rows, counted from 0"))
                    })?;
                Ok(self.row(py, row)?.into_any())
            }
            Subscript::Slice(slice) => {
                let places = slice.indices(rows.len() as isize)?;
                let mut place = places.start;
                let mut chosen = Vec::with_capacity(places.slicelength);
                for _ in 0..places.slicelength {
                    chosen.push(self.row(py, &rows[place as usize])?);
                    place += places.step;
                }
                Ok(PyList::new(py, chosen)?.into_any())
            }
        }
    }

    /// The schema, by the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.batch()?.schema().as_ref());
        let schema = schema.map_err(error_of_arrow)?;
        Ok(PyCapsule::new_with_value(py, schema, c"arrow_schema")?)
    }

    /// The rows, by the Arrow PyCapsule interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> Result<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        drop(requested_schema);
        let rows = FFI_ArrowArray::new(&StructArray::from(self.batch()?).to_data());
        Ok((
            self.__arrow_c_schema__(py)?,
            PyCapsule::new_with_value(py, rows, c"arrow_array")?,
        ))
    }

    /// The rows as a stream, by the Arrow PyCapsule interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batch = self.batch()?;
        let schema = batch.schema();
        let batches = RecordBatchIterator::new([Ok(batch)], schema);
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        Ok(PyCapsule::new_with_value(
            py,
            stream,
            c"arrow_array_stream",
        )?)
    }

    /// What notebooks show.
    fn _repr_html_(this: Bound<Self>) -> PyResult<Bound<PyAny>> {
        let html = this.py().import("ign_archive._html")?;
        html.call_method1("counts", (this,))
    }

    fn __repr__(&self) -> String {
        let (rows, games) = (self.0.rows.len(), self.0.games);
        let end = |count: u64| if count == 1 { "" } else { "s" };
        format!(
            "<CountTable of {games} game{} by {}: {rows} row{}>",
            end(games),
            self.keys().join(", "),
            end(rows as u64)
        )
    }
}
