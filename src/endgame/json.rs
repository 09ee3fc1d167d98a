//! The summary of an endgame as JSON.

use super::report::Report;
use crate::json::solved::{self, Endgame, Family, Numbering, Results, TableBytes};
use ign_endgame::{
    file::IntervalTable, material::Material, numbering, search::Best, summary::Summary,
};

/// All figures of an endgame.
pub fn endgame(report: &Report) -> Endgame {
    let material = report.tables.main().material();
    let family = |best: &Best| Family {
        numbering: numbering(&best.numbering, material, best.intervals),
        tried: best.tried,
        complete: best.complete,
        positions: best.legal,
        values: best.distinct,
    };
    let documents = report.documents.iter();
    let [white, black] = &report.summaries;
    Endgame {
        endgame: material.to_string(),
        white_to_move: results(white),
        black_to_move: results(black),
        side: report.turn.to_string(),
        document: documents
            .map(|(name, _, intervals)| (name.to_string(), *intervals))
            .collect(),
        families: report.found.iter().map(family).collect(),
        table_bytes: report.sizes.map(|sizes| TableBytes {
            raw: sizes.raw,
            raw_zstd: sizes.raw_zstd,
            ordered_zstd: sizes.ordered_zstd,
            searchable: sizes.searchable,
            table_file: sizes.file,
        }),
    }
}

fn results(summary: &Summary) -> Results {
    Results {
        positions: summary.positions,
        drawn: summary.drawn,
        wins_by_moves: summary.wins.clone(),
        losses_by_moves: summary.losses.clone(),
        longest_win: summary.longest_win_moves().map(|moves| moves as u64),
        longest_win_fen: summary.longest_win.clone(),
        longest_loss: summary.longest_loss_moves().map(|moves| moves as u64),
        longest_loss_fen: summary.longest_loss.clone(),
    }
}

fn numbering(numbering: &numbering::Numbering, material: &Material, intervals: u64) -> Numbering {
    Numbering {
        kind: numbering.options(material).to_string(),
        order: numbering.formula(material),
        intervals,
    }
}

/// The description of an interval table.
pub fn table(table: &IntervalTable) -> solved::IntervalTable {
    let material = table.material();
    let intervals = table.intervals().len() as u64;
    solved::IntervalTable {
        endgame: material.to_string(),
        side: table.turn().to_string(),
        numbering: numbering(table.numbering(), material, intervals),
    }
}
