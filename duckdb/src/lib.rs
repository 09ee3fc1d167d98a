//! An extension of DuckDB: the games of archives and their positions as tables, and functions of
//! their values.
//!
//! ```sql
//! LOAD 'ign.duckdb_extension';
//! SELECT ECO, count(*) FROM read_ign('2013-*.ign', white_elo := '2200..') GROUP BY ECO;
//! SELECT fen_at_position(moves, 20) FROM read_ign('2013-01.ign') LIMIT 1;
//! ```
//!
//! | function | returns |
//! | --- | --- |
//! | `read_ign` | a row for each game, with the columns of [`GameColumn`](ign_arrow::GameColumn) |
//! | `read_ign_positions` | a row for each position, with the columns of [`PositionField`](ign_arrow::PositionField) |
//! | [`FUNCTIONS`](ign_arrow::FUNCTIONS) | a value for each row |
//!
//! Only the columns of a query are decoded. The
//! named parameters are the conditions of [`CONDITIONS`](ign_archive::query::CONDITIONS), as text
//! in the form of the command line; they use the search index where there is one. DuckDB's stable
//! interface for extensions written in C does not pass the filters of a `WHERE` clause on: DuckDB
//! applies these itself, to all rows that the parameters leave.
//!
//! Errors of archives are errors of the query, with the same messages as those of the command.

mod games;
mod paths;
mod positions;
mod scalar;
mod table;

use std::error::Error;

use duckdb::{Connection, duckdb_entrypoint_c_api};

use crate::{games::Games, positions::Positions, table::Read};

/// Registers the functions. DuckDB calls it when the extension is loaded.
///
/// # Errors
/// DuckDB does not register a function.
#[duckdb_entrypoint_c_api(ext_name = "ign", min_duckdb_version = "v1.2.0")]
pub fn entrypoint(connection: Connection) -> Result<(), Box<dyn Error>> {
    connection.register_table_function::<Read<Games>>("read_ign")?;
    connection.register_table_function::<Read<Positions>>("read_ign_positions")?;
    scalar::register(&connection)
}
