//! The plan for the properties of Go records in SGF.

use super::planner::Planner;
use crate::{
    columns::{codec::Codec, table::Table},
    container::block_head::Column,
};

/// Properties that other properties predict: property, and candidate keys. The first that is in a
/// dictionary column is used. A key precedes the properties that it predicts.
const PREDICTED: &[(&str, &[&str])] = &[
    ("BR", &["PB"]),
    ("WR", &["PW"]),
    ("BT", &["PB"]),
    ("WT", &["PW"]),
    ("EV", &["PB"]),
    ("RO", &["EV"]),
    ("PC", &["EV"]),
    ("TM", &["EV", "PB"]),
    ("RU", &["EV", "TM"]),
    ("KM", &["RU", "EV"]),
    ("OT", &["TM"]),
    ("TC", &["TM"]),
    ("TT", &["TC"]),
    ("AB", &["HA"]),
    ("GN", &["EV"]),
];

/// The columns of a block of Go, in an order in which each follows those it refers to.
pub fn plan_go(table: &Table) -> Vec<Column> {
    let mut planner = Planner::new(table);
    if planner.take_few() {
        return planner.columns;
    }
    planner.take(Codec::Dictionary, &["PB", "PW"], &[]);
    planner.take(Codec::Dictionary, &["HA"], &[]);
    for (property, keys) in PREDICTED {
        let key = keys.iter().copied().find(|k| planner.is_dictionary(k));
        let keys: Vec<&str> = key.into_iter().collect();
        planner.take(Codec::Dictionary, &[property], &keys);
    }
    planner.take_rest();
    planner.columns
}
