//! An extension of DuckDB: the games of archives as a table.
//!
//! ```sql
//! LOAD 'ign.duckdb_extension';
//! SELECT ECO, count(*) FROM read_ign('2013-*.ign', white_elo := '2200..') GROUP BY ECO;
//! ```
//!
//! The columns are those of [`GameColumn`], in the same order. Only the columns of a query are decoded. The
//! named parameters are the conditions of [`CONDITIONS`](ign_archive::query::CONDITIONS), as text in the form of the command line; they use
//! the search index where there is one. DuckDB's interface for extensions written in C does not pass the
//! filters of a `WHERE` clause on: DuckDB applies these itself, to all games that the parameters leave.
//!
//! Errors of archives are errors of the query, with the same messages as those of the command.

mod paths;
mod table;

use std::error::Error;

use duckdb::{Connection, duckdb_entrypoint_c_api};

/// Registers the table function `read_ign`. DuckDB calls it when the extension is loaded.
///
/// # Errors
/// DuckDB does not register the function.
#[duckdb_entrypoint_c_api(ext_name = "ign", min_duckdb_version = "v1.2.0")]
pub fn entrypoint(connection: Connection) -> Result<(), Box<dyn Error>> {
    connection.register_table_function::<table::ReadIgn>("read_ign")?;
    Ok(())
}
