//! Text tables without borders; columns are as wide as their widest cell.

use std::fmt::{self, Display};

use comfy_table::{Cell, CellAlignment, presets};

/// A table. Its first column is aligned to the left, all others to the right.
pub struct Table {
    table: comfy_table::Table,
    /// The alignment of each column.
    alignments: Vec<CellAlignment>,
}

impl Table {
    /// A table without a header.
    pub fn without_header(columns: usize) -> Self {
        let mut table = comfy_table::Table::new();
        table.load_preset(presets::NOTHING);
        let mut alignments = vec![CellAlignment::Right; columns];
        alignments[0] = CellAlignment::Left;
        Self { table, alignments }
    }

    /// A table with these column titles.
    pub fn new(header: &[&str]) -> Self {
        let mut new = Self::without_header(header.len());
        let cells = new.cells(header);
        new.table.set_header(cells);
        new
    }

    /// Aligns a column to the left.
    pub fn left(self, column: usize) -> Self {
        self.aligned(column, CellAlignment::Left)
    }

    /// Aligns a column to the right.
    pub fn right(self, column: usize) -> Self {
        self.aligned(column, CellAlignment::Right)
    }

    fn aligned(mut self, column: usize, alignment: CellAlignment) -> Self {
        self.alignments[column] = alignment;
        // The header was aligned when it was set.
        if let Some(header) = self.table.header() {
            let header: Vec<String> = header.cell_iter().map(Cell::content).collect();
            let cells = self.cells(&header);
            self.table.set_header(cells);
        }
        self
    }

    /// Adds a row.
    pub fn row<const N: usize>(&mut self, cells: [&dyn Display; N]) {
        self.row_of(&cells);
    }

    /// Adds a row of any number of cells.
    pub fn row_of(&mut self, cells: &[impl Display]) {
        let cells = self.cells(cells);
        self.table.add_row(cells);
    }

    /// Adds a row of any number of cells.
    pub fn cells_of(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells = self.cells(&cells.into_iter().collect::<Vec<_>>());
        self.table.add_row(cells);
    }

    fn cells(&self, cells: &[impl Display]) -> Vec<Cell> {
        let cells = cells.iter().zip(&self.alignments);
        cells
            .map(|(cell, &alignment)| Cell::new(cell).set_alignment(alignment))
            .collect()
    }
}

impl Display for Table {
    /// Writes the lines, each with a line end and without trailing spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = self.table.clone();
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        for line in table.lines() {
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(&["name", "n", "note"]).left(2);
        table.row([&"a", &10, &"x"]);
        table.row([&"longer", &1, &""]);
        assert_eq!(
            table.to_string(),
            "name     n  note\na       10  x\nlonger   1\n"
        );
    }
}
