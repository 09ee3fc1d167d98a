//! The summary of an endgame: results, numberings with their intervals, sizes of tables.

use std::{fmt::Display, io::Write};

use shakmaty::Color;

use super::sizes::Sizes;
use crate::{
    numbers::{counted, grouped},
    output::Output,
    table::Table,
};
use ign_archive::Result;
use ign_endgame::{
    file::IntervalTable,
    intervals::{Fixed, View},
    numbering::Numbering,
    search::Best,
    summary::Summary,
    tables::Tables,
};

/// Maximum number of families shown.
const MAX_FAMILIES: usize = 6;

/// All figures of an endgame.
pub struct Report<'a> {
    pub tables: &'a Tables,
    /// The side to move in the intervals.
    pub turn: Color,
    /// With White and with Black to move.
    pub summaries: [Summary; 2],
    /// The best numbering of each family that was searched, the family of the document first.
    pub found: &'a [Best],
    /// The numberings of the document with their intervals.
    pub documents: Vec<(&'static str, Numbering, u64)>,
    pub sizes: Option<&'a Sizes>,
    /// Whether pieces are fixed. The results are left out then, because they are of all positions.
    has_fixed: bool,
}

impl<'a> Report<'a> {
    /// Computes what follows from the tables and the search.
    pub fn new(
        tables: &'a Tables,
        turn: Color,
        fixed: &Fixed,
        found: &'a [Best],
        sizes: Option<&'a Sizes>,
    ) -> Self {
        let table = tables.main();
        // With --order, only that numbering is counted.
        let documents = match found.iter().map(|best| best.tried).sum::<u64>() {
            0 | 1 => Vec::new(),
            _ => documents(tables, turn, fixed),
        };
        Self {
            tables,
            turn,
            summaries: [Color::White, Color::Black].map(|turn| Summary::new(table, turn)),
            found,
            documents,
            sizes,
            has_fixed: !fixed.is_empty(),
        }
    }

    /// Writes the tables that apply, with an empty line between two.
    ///
    /// # Errors
    /// Io.
    pub fn write(&self, out: &mut Output) -> Result<()> {
        let mut parts = Vec::new();
        if !self.has_fixed {
            parts.push(results(&self.summaries));
            parts.extend(mates(&self.summaries));
        }
        if !self.found.is_empty() {
            parts.push(self.intervals());
        }
        if let Some(sizes) = self.sizes {
            parts.push(self.table_sizes(sizes).to_string());
        }
        write!(out, "{}", parts.join("\n"))?;
        Ok(())
    }

    /// The best families, after the family of the document.
    fn families(&self) -> Vec<&Best> {
        let mut found: Vec<&Best> = self.found.iter().collect();
        found[1..].sort_by_key(|best| best.intervals);
        found.truncate(MAX_FAMILIES);
        found
    }

    fn intervals(&self) -> String {
        let material = self.tables.main().material();
        let title = format!("Intervals with {} to move", self.turn);
        let mut table = Table::new(&[&title, "order", "intervals", "tried"]).left(1);
        for (name, numbering, intervals) in &self.documents {
            table.row([
                &format_args!("{name} of the document"),
                &numbering.formula(material),
                &grouped(*intervals),
                &"",
            ]);
        }
        for best in self.families() {
            table.row([
                &best.numbering.options(material),
                &best.numbering.formula(material),
                &grouped(best.intervals),
                &grouped(best.tried),
            ]);
        }
        let mut text = table.to_string();
        let more = self.found.len().saturating_sub(MAX_FAMILIES);
        if more > 0 {
            text += &format!("{more} more families\n");
        }
        let first = &self.found[0];
        text += &format!(
            "positions {}, values {}: the minimum number of intervals\n",
            grouped(first.legal),
            first.distinct
        );
        text
    }

    fn table_sizes(&self, sizes: &Sizes) -> Table {
        let title = format!("Table with {} to move", self.turn);
        let mut table = Table::new(&[&title, "bytes"]);
        for (name, bytes) in [
            ("one byte for each number of F1", sizes.raw),
            ("the same, zstd -19", sizes.raw_zstd),
            (
                "one byte for each number of the best numbering, zstd -19",
                sizes.ordered_zstd,
            ),
            ("its intervals, four bytes each", sizes.searchable),
            ("its intervals as a file", sizes.file),
        ] {
            table.row([&name, &grouped(bytes)]);
        }
        table
    }
}

/// The numberings F1 and F2 of the document.
fn documents(tables: &Tables, turn: Color, fixed: &Fixed) -> Vec<(&'static str, Numbering, u64)> {
    let table = tables.main();
    let pieces = table.material().pieces().len();
    let (first, second) = (Numbering::f1(pieces), Numbering::f2(pieces));
    let view = View::new(table, turn, &first, fixed);
    [("F1", first), ("F2", second)]
        .map(|(name, numbering)| {
            let intervals = view.count(&numbering, u64::MAX);
            (name, numbering, intervals)
        })
        .into()
}

/// Results for both sides to move.
fn results([white, black]: &[Summary; 2]) -> String {
    let mut table = Table::new(&["", "White to move", "Black to move"]);
    let mut row = |name: &str, left: &dyn Display, right: &dyn Display| {
        table.row([&name, left, right]);
    };
    let sum = |list: &[u64]| grouped(list.iter().sum());
    let longest = |moves: Option<usize>| moves.map_or_else(|| "-".into(), |m| m.to_string());
    let (left, right) = (grouped(white.positions), grouped(black.positions));
    row("positions", &left, &right);
    row("won by White", &sum(&white.wins), &sum(&black.losses));
    row("drawn", &grouped(white.drawn), &grouped(black.drawn));
    row("won by Black", &sum(&white.losses), &sum(&black.wins));
    let (left, right) = (white.longest_win_moves(), black.longest_loss_moves());
    row("longest win of White", &longest(left), &longest(right));
    let (left, right) = (white.longest_loss_moves(), black.longest_win_moves());
    row("longest win of Black", &longest(left), &longest(right));
    let mut text = table.to_string();
    let fens = [&white.longest_win, &black.longest_win];
    for fen in fens.into_iter().flatten() {
        text += &format!("longest win: {fen}\n");
    }
    text
}

/// Positions by the number of moves to mate, a table for each side that can win.
fn mates([white, black]: &[Summary; 2]) -> Vec<String> {
    let mut tables = Vec::new();
    for (who, left, right) in [
        ("White", &white.wins, &black.losses),
        ("Black", &white.losses, &black.wins),
    ] {
        let count = left.len().max(right.len());
        if count == 0 {
            continue;
        }
        let title = format!("{who} mates in");
        let mut table = Table::new(&[&title, "White to move", "Black to move"]).right(0);
        for moves in 0..count {
            let positions = |list: &[u64]| grouped(list.get(moves).copied().unwrap_or(0));
            table.row([&moves, &positions(left), &positions(right)]);
        }
        tables.push(table.to_string());
    }
    tables
}

/// Writes the description of an interval table.
///
/// # Errors
/// Io.
pub fn write_table(table: &IntervalTable, out: &mut Output) -> Result<()> {
    let (material, numbering) = (table.material(), table.numbering());
    let intervals = counted(table.intervals().len() as u64, "interval");
    writeln!(out, "{material}, {} to move: {intervals}", table.turn())?;
    writeln!(
        out,
        "numbered by {}, {}",
        numbering.formula(material),
        numbering.options(material)
    )?;
    Ok(())
}
