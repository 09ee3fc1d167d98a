//! The rows of a scan.

use super::data::ColumnData;

/// The columns of some games of a block, in the order of the games.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    games: Vec<u64>,
    columns: Vec<ColumnData>,
}

impl Batch {
    /// These columns of games, which are numbered from 1.
    pub(super) fn new(games: Vec<u64>, columns: Vec<ColumnData>) -> Self {
        Self { games, columns }
    }

    /// The numbers of the games, from 1, one for each row.
    pub fn games(&self) -> &[u64] {
        &self.games
    }

    /// The columns, in the order in which they were requested.
    pub fn columns(&self) -> &[ColumnData] {
        &self.columns
    }

    /// The numbers of the games and the columns, owned.
    pub fn into_parts(self) -> (Vec<u64>, Vec<ColumnData>) {
        (self.games, self.columns)
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }
}
