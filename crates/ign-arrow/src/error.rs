//! Errors of this project as those of Arrow and Parquet, and back.

use arrow_schema::ArrowError;
use ign_archive::Error;
use parquet::errors::ParquetError;

/// An error as an error of Arrow, from which [`error_of_arrow`] returns it.
pub(crate) fn arrow_error(error: Error) -> ArrowError {
    ArrowError::ExternalError(Box::new(error))
}

/// The error of this project that an error of Arrow holds; others are internal errors, except those
/// of reading and writing.
pub fn error_of_arrow(error: ArrowError) -> Error {
    match error {
        ArrowError::ExternalError(inner) => of_external(inner),
        ArrowError::IoError(_, error) => error.into(),
        other => Error::internal(other.to_string()),
    }
}

/// The error of this project that an error of Parquet holds, as [`error_of_arrow`].
pub(crate) fn error_of_parquet(error: ParquetError) -> Error {
    match error {
        ParquetError::External(inner) => of_external(inner),
        other => Error::internal(other.to_string()),
    }
}

fn of_external(inner: Box<dyn std::error::Error + Send + Sync>) -> Error {
    let inner = match inner.downcast::<Error>() {
        Ok(error) => return *error,
        Err(inner) => inner,
    };
    let inner = match inner.downcast::<std::io::Error>() {
        Ok(error) => return (*error).into(),
        Err(inner) => inner,
    };
    match inner.downcast::<ArrowError>() {
        Ok(error) => error_of_arrow(*error),
        Err(inner) => Error::internal(inner.to_string()),
    }
}
