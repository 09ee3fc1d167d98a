//! The functions of a row, [`FUNCTIONS`].

use std::{error::Error, sync::Arc};

use arrow_array::{Array, RecordBatch};
use duckdb::{
    Connection,
    vscalar::{ArrowFunctionSignature, arrow::VArrowScalar},
};
use ign_arrow::FUNCTIONS;

/// The function at a place of the table.
struct Scalar<const PLACE: usize>;

impl<const PLACE: usize> VArrowScalar for Scalar<PLACE> {
    type State = ();

    fn invoke((): &(), input: RecordBatch) -> Result<Arc<dyn Array>, Box<dyn Error>> {
        Ok(FUNCTIONS[PLACE].evaluate(input.columns(), true)?)
    }

    fn signatures() -> Vec<ArrowFunctionSignature> {
        let function = &FUNCTIONS[PLACE];
        let signatures = function.signatures().into_iter();
        signatures
            .map(|types| ArrowFunctionSignature::exact(types, function.returns()))
            .collect()
    }
}

/// Registers the functions at these places, which must be all.
macro_rules! register {
    ($connection:expr, $($place:literal)*) => {
        const _: () = assert!(FUNCTIONS.len() == [$($place),*].len());
        $($connection.register_scalar_function::<Scalar<$place>>(FUNCTIONS[$place].name)?;)*
    };
}

/// Registers all functions.
///
/// # Errors
/// DuckDB does not register a function.
pub fn register(connection: &Connection) -> Result<(), Box<dyn Error>> {
    register!(connection, 0 1 2 3 4 5 6);
    Ok(())
}
