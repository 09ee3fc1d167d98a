//! The plies of the null moves of a block's records (spec §4.1.1). Hardly any record has one, so
//! only those that do take space.

/// The plies of null moves, counted from 0, by record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NullMoves {
    /// The records with null moves, ascending.
    records: Vec<u32>,
    /// Where the plies of each of them end in `plies`.
    ends: Vec<usize>,
    plies: Vec<u32>,
}

impl NullMoves {
    /// Adds the plies of a record, ascending. It comes after those added before.
    pub fn push(&mut self, record: usize, plies: &[u32]) {
        if plies.is_empty() {
            return;
        }
        self.records.push(record as u32);
        self.plies.extend_from_slice(plies);
        self.ends.push(self.plies.len());
    }

    /// Whether no record has null moves.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Number of null moves of all records.
    pub fn count(&self) -> usize {
        self.plies.len()
    }

    /// The records with null moves, ascending.
    pub fn records(&self) -> impl Iterator<Item = usize> {
        self.records.iter().map(|&record| record as usize)
    }

    /// The plies of a record, ascending.
    #[inline]
    pub fn of(&self, record: usize) -> &[u32] {
        if self.is_empty() {
            return &[];
        }
        let Ok(place) = self.records.binary_search(&(record as u32)) else {
            return &[];
        };
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.plies[start..self.ends[place]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_the_plies_of_each_record() {
        let all: [&[u32]; 6] = [&[], &[0], &[], &[3, 4, 90], &[], &[7]];
        let mut nulls = NullMoves::default();
        assert!(nulls.is_empty() && nulls.of(0).is_empty());
        for (record, plies) in all.into_iter().enumerate() {
            nulls.push(record, plies);
        }
        for (record, plies) in all.into_iter().enumerate() {
            assert_eq!(nulls.of(record), plies);
        }
        assert_eq!((nulls.of(6), nulls.count()), (&[][..], 5));
        assert!(nulls.records().eq([1, 3, 5]));
    }
}
