//! Functions of the values of tables, over Arrow columns of other libraries.

use arrow_array::{
    RecordBatch, RecordBatchReader as _,
    ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader},
};
use arrow_schema::{Field, Schema};
use ign_arrow::{Function, error_of_arrow};
use pyo3::{prelude::*, types::PyCapsule};

use crate::{failure::Result, scan::Batch};

/// The results of a function of [`ign_arrow::FUNCTIONS`] for the rows of a table, whose columns are
/// the arguments.
#[pyfunction]
pub fn evaluate(py: Python, name: &str, table: &Bound<PyAny>, strict: bool) -> Result<Vec<Batch>> {
    let function = Function::named(name)?;
    let mut rows = import(table)?;
    let schema = Schema::new(vec![Field::new(name, function.returns(), true)]);
    py.detach(|| {
        let empty = RecordBatch::new_empty(rows.schema());
        let evaluate = |batch: RecordBatch| -> Result<Batch> {
            let values = function.evaluate(batch.columns(), strict)?;
            let batch = RecordBatch::try_new(schema.clone().into(), vec![values]);
            Ok(Batch::new(batch.map_err(error_of_arrow)?))
        };
        let mut batches = vec![evaluate(empty)?];
        for batch in &mut rows {
            batches.push(evaluate(batch.map_err(error_of_arrow)?)?);
        }
        Ok(batches)
    })
}

/// The rows of a table of another library, by the Arrow PyCapsule interface.
#[expect(unsafe_code, reason = "the interface passes a pointer")]
fn import(table: &Bound<PyAny>) -> Result<RecordBatchStreamReader> {
    let capsule = table.call_method0("__arrow_c_stream__")?;
    let capsule = capsule.cast::<PyCapsule>().map_err(PyErr::from)?;
    let stream = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: The interface defines what a capsule of this name points to, and that a consumer
    // moves it out.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr().cast()) };
    Ok(RecordBatchStreamReader::try_new(stream).map_err(error_of_arrow)?)
}
