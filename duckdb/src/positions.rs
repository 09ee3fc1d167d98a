//! The table of positions.

use std::str::FromStr;

use arrow_schema::SchemaRef;
use duckdb::{core::LogicalTypeId, vtab::BindInfo};
use ign_archive::{Archives, Error, PositionScan, Query, Result};
use ign_arrow::{Encoding, PositionField, PositionRecordBatches, position_schema};

use crate::table::{Batches, Table};

/// A row for each position.
pub struct Positions;

/// Which positions of the games are rows. `None` is the default of [`PositionScan`].
#[derive(Default)]
pub struct Choice {
    min_ply: Option<u32>,
    max_ply: Option<u32>,
    every_nth: Option<u64>,
    final_positions: Option<bool>,
    variants: Option<bool>,
}

impl Choice {
    fn of(&self, mut scan: PositionScan) -> PositionScan {
        if let Some(ply) = self.min_ply {
            scan = scan.min_ply(ply);
        }
        if let Some(ply) = self.max_ply {
            scan = scan.max_ply(ply);
        }
        if let Some(n) = self.every_nth {
            scan = scan.every_nth(n);
        }
        scan.final_positions(self.final_positions.unwrap_or_default())
            .variants(self.variants.unwrap_or_default())
    }
}

impl Table for Positions {
    type Column = PositionField;
    type Options = Choice;

    const OPTIONS: &[(&str, LogicalTypeId)] = &[
        ("min_ply", LogicalTypeId::Bigint),
        ("max_ply", LogicalTypeId::Bigint),
        ("every_nth", LogicalTypeId::Bigint),
        ("final_positions", LogicalTypeId::Boolean),
        ("variants", LogicalTypeId::Boolean),
    ];

    fn columns() -> Vec<PositionField> {
        PositionField::every()
    }

    fn schema(columns: &[PositionField]) -> SchemaRef {
        position_schema(columns, Encoding::PLAIN)
    }

    fn options(bind: &BindInfo, archives: &Archives) -> Result<Choice> {
        let choice = Choice {
            min_ply: option(bind, "min_ply")?,
            max_ply: option(bind, "max_ply")?,
            every_nth: option(bind, "every_nth")?,
            final_positions: option(bind, "final_positions")?,
            variants: option(bind, "variants")?,
        };
        choice.of(archives.positions()).check()?;
        Ok(choice)
    }

    fn rows(_: &Archives, _: &Choice) -> Option<u64> {
        None
    }

    fn start(
        archives: &Archives,
        query: &Query,
        choice: &Choice,
        columns: &[PositionField],
    ) -> Result<Batches> {
        let scan = choice.of(archives.positions()).filter(query);
        Ok(Box::new(PositionRecordBatches::of(
            scan,
            columns,
            Encoding::PLAIN,
        )))
    }
}

/// The value of a named parameter.
fn option<T: FromStr>(bind: &BindInfo, name: &str) -> Result<Option<T>> {
    let value = bind
        .get_named_parameter(name)
        .filter(|value| !value.is_null());
    let read = |value: String| {
        let wrong = |_| Error::usage(format!("{name}: {value} is out of range"));
        value.parse().map_err(wrong)
    };
    value.map(|value| read(value.to_string())).transpose()
}
