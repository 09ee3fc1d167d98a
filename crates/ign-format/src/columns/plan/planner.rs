//! The planner: assigns tags to columns one by one, and judges values by a sample.

use crate::{
    columns::{codec::Codec, table::Table},
    container::block_head::Column,
};

/// Number of values of a tag that are examined before choosing its codec.
pub(super) const SAMPLE: usize = 200;
/// In blocks of this many records or fewer, all tags share one column: separate columns would cost
/// more in frames and directory entries than they save.
pub(super) const FEW_RECORDS: usize = 6;

/// The columns planned so far.
pub(super) struct Planner<'a> {
    pub table: &'a Table,
    pub columns: Vec<Column>,
    /// Whether each tag is in a column.
    taken: Vec<bool>,
}

impl<'a> Planner<'a> {
    /// A planner without columns.
    pub fn new(table: &'a Table) -> Self {
        Self {
            table,
            columns: Vec::new(),
            taken: vec![false; table.names.len()],
        }
    }

    /// Takes all tags together if there are few records. Returns whether there are.
    pub fn take_few(&mut self) -> bool {
        let few = self.table.rows <= FEW_RECORDS;
        let tags: Vec<u16> = (0..self.table.names.len() as u16).collect();
        if few && !tags.is_empty() {
            self.push(Codec::Dictionary, tags, vec![], 0);
        }
        few
    }

    /// Takes these tags together, if the block has all of them, none is taken, and all references
    /// are taken: those columns are decoded earlier. Returns whether it did.
    pub fn take(&mut self, codec: Codec, tags: &[&str], refs: &[&str]) -> bool {
        let indices = |names: &[&str]| {
            names
                .iter()
                .map(|n| self.table.tag(n.as_bytes()))
                .collect::<Option<Vec<_>>>()
        };
        let (Some(tags), Some(refs)) = (indices(tags), indices(refs)) else {
            return false;
        };
        let taken = |&t: &u16| self.is_taken(t);
        if tags.iter().any(taken) || !refs.iter().all(taken) {
            return false;
        }
        self.push(codec, tags, refs, 0);
        true
    }

    /// Takes a tag into a dictionary column, with those of these keys that are in dictionary
    /// columns themselves.
    pub fn take_with_keys(&mut self, tag: &str, keys: &[&str]) {
        let keys: Vec<&str> = keys
            .iter()
            .copied()
            .filter(|k| self.is_dictionary(k))
            .collect();
        self.take(Codec::Dictionary, &[tag], &keys);
    }

    /// Takes every tag that is left into a dictionary column of its own.
    pub fn take_rest(&mut self) {
        for tag in 0..self.table.names.len() as u16 {
            if !self.is_taken(tag) {
                self.push(Codec::Dictionary, vec![tag], vec![], 0);
            }
        }
    }

    /// Adds a column.
    pub fn push(&mut self, codec: Codec, tags: Vec<u16>, refs: Vec<u16>, flags: u8) {
        for &tag in &tags {
            self.taken[usize::from(tag)] = true;
        }
        self.columns.push(Column {
            flags,
            ..Column::new(codec as u8, tags, refs)
        });
    }

    /// Whether a tag is in a column.
    pub fn is_taken(&self, tag: u16) -> bool {
        self.taken[usize::from(tag)]
    }

    /// Whether a tag is in a dictionary column. Only such tags can be keys.
    pub fn is_dictionary(&self, name: &str) -> bool {
        let tag = self.table.tag(name.as_bytes());
        self.columns
            .iter()
            .any(|c| c.codec == Codec::Dictionary as u8 && tag.is_some_and(|t| c.tags.contains(&t)))
    }

    /// The first values of a tag.
    pub fn sample(&self, tag: u16) -> impl Iterator<Item = &'a [u8]> {
        let table = self.table;
        (0..table.rows)
            .filter_map(move |row| table.value(tag, row))
            .take(SAMPLE)
    }

    /// Whether the block has a tag, and more than nine in ten of its first values pass a test.
    pub fn most_values_of(&self, name: &str, test: impl Fn(&[u8]) -> bool) -> bool {
        let Some(tag) = self.table.tag(name.as_bytes()) else {
            return false;
        };
        let (passed, all) = self.sample(tag).fold((0, 0), |(passed, all), value| {
            (passed + usize::from(test(value)), all + 1)
        });
        passed * 10 > all * 9
    }
}
