//! The summary of an endgame as JSON.

use serde_json::{Map, Value, json};

use super::report::Report;
use ign_endgame::{file::IntervalTable, search::Best, summary::Summary};

/// All figures of an endgame.
pub fn value(report: &Report) -> Value {
    let material = report.tables.main().material();
    let family = |best: &Best| {
        json!({
            "kind": best.numbering.options(material).to_string(),
            "order": best.numbering.formula(material),
            "intervals": best.intervals,
            "tried": best.tried,
            "complete": best.complete,
            "positions": best.legal,
            "values": best.distinct,
        })
    };
    let documents: Map<String, Value> = report
        .documents
        .iter()
        .map(|(name, _, intervals)| (name.to_string(), (*intervals).into()))
        .collect();
    let sizes = report.sizes.map(|sizes| {
        json!({
            "raw": sizes.raw,
            "raw_zstd": sizes.raw_zstd,
            "ordered_zstd": sizes.ordered_zstd,
            "searchable": sizes.searchable,
            "file": sizes.file,
        })
    });
    let [white, black] = &report.summaries;
    json!({
        "endgame": material.to_string(),
        "white_to_move": side(white),
        "black_to_move": side(black),
        "side": report.turn.to_string(),
        "document": documents,
        "families": report.found.iter().map(family).collect::<Vec<_>>(),
        "bytes": sizes,
    })
}

fn side(summary: &Summary) -> Value {
    json!({
        "positions": summary.positions,
        "drawn": summary.drawn,
        "wins_by_moves": summary.wins,
        "losses_by_moves": summary.losses,
        "longest_win": summary.longest_win_moves(),
        "longest_win_fen": summary.longest_win,
        "longest_loss": summary.longest_loss_moves(),
        "longest_loss_fen": summary.longest_loss,
    })
}

/// The description of an interval table.
pub fn table(table: &IntervalTable) -> Value {
    let (material, numbering) = (table.material(), table.numbering());
    json!({
        "endgame": material.to_string(),
        "side": table.turn().to_string(),
        "kind": numbering.options(material).to_string(),
        "order": numbering.formula(material),
        "intervals": table.intervals().len(),
    })
}
