//! Where the bytes of an archive go.
//!
//! Invariant, after all blocks were added: columns, block heads and other frames add up to the
//! archive.

use std::collections::BTreeMap;

use ign_format::block::{Fixed, decode::Block};

/// The bytes of an archive by purpose.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Space {
    /// Bytes of text that the archive returns.
    pub text_len: u64,
    /// Bytes of the archive; set after all blocks were added.
    pub archive_len: u64,
    /// Bytes of the streams of each column, by its name: a fixed column or the tags that it holds.
    pub columns: BTreeMap<String, u64>,
    /// Bytes of block heads with their directories, without the streams stored in them.
    pub heads: u64,
}

impl Space {
    /// The bytes of a block.
    pub(super) fn of_block(block: &Block, stored_len: u64) -> Self {
        let head = block.head();
        let mut columns = BTreeMap::new();
        for column in &head.columns {
            let stored: usize = column.streams.iter().map(|s| s.stored_len()).sum();
            *columns.entry(block.column_name(column)).or_default() += stored as u64;
        }
        Self {
            text_len: head.text_len as u64,
            heads: stored_len - columns.values().sum::<u64>(),
            columns,
            ..Self::default()
        }
    }

    /// Adds a block.
    pub(super) fn add(&mut self, other: &Self) {
        self.text_len += other.text_len;
        self.archive_len += other.archive_len;
        self.heads += other.heads;
        for (name, bytes) in &other.columns {
            *self.columns.entry(name.clone()).or_default() += bytes;
        }
    }

    /// Bytes of the signatures.
    pub fn signatures(&self) -> u64 {
        let named = self.columns.get(Fixed::Signatures.name());
        named.copied().unwrap_or(0)
    }

    /// Bytes of header, metadata, index and footer.
    pub fn other_frames(&self) -> u64 {
        let columns: u64 = self.columns.values().sum();
        self.archive_len.saturating_sub(columns + self.heads)
    }

    /// All parts by name, the largest first.
    pub fn parts(&self) -> Vec<(&str, u64)> {
        let columns = self.columns.iter().map(|(name, &len)| (&name[..], len));
        let mut parts: Vec<_> = columns
            .chain([
                ("block heads", self.heads),
                ("other frames", self.other_frames()),
            ])
            .collect();
        parts.sort_by_key(|&(_, len)| std::cmp::Reverse(len));
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_to_the_archive() {
        let space = Space {
            text_len: 1000,
            archive_len: 100,
            columns: [("moves".into(), 40), ("signatures".into(), 15)].into(),
            heads: 30,
        };
        assert_eq!(space.other_frames(), 15);
        let parts = space.parts();
        assert_eq!(parts[0], ("moves", 40));
        assert_eq!(parts.iter().map(|p| p.1).sum::<u64>(), 100);
    }
}
