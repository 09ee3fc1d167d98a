//! Tags that a query reads, and that no game has.

use std::collections::BTreeSet;

use ign_format::error::Result;

use super::Archives;
use crate::{query::Query, text::decode_text};

/// Tags that conditions of a query read and no game has, and the tags that games have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LackingTags {
    /// For each such condition the tags of which a game needs one.
    pub tags: Vec<Vec<String>>,
    /// The names of the tags of all games; empty if no condition lacks a tag.
    pub names: BTreeSet<String>,
}

impl Archives {
    /// Which tags of the conditions no game has, so that no game can match. Only heads of blocks
    /// are read, until all tags are found.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt);
    /// [`Cancelled`](crate::ErrorKind::Cancelled).
    pub fn lacking_tags(&self, query: &Query) -> Result<LackingTags> {
        let conditions = query.plan().tags;
        let all = conditions.iter().map(|condition| {
            let tags = condition.tags.iter();
            tags.map(|&tag| tag.to_owned()).collect()
        });
        let mut lacking = LackingTags {
            tags: all.collect(),
            names: BTreeSet::new(),
        };
        for archive in &self.archives {
            for block in 0..archive.blocks().len() {
                if lacking.tags.is_empty() {
                    return Ok(LackingTags::default());
                }
                // The tags are usually those of the first block.
                if block == 1 {
                    archive.will_read_heads(block..archive.blocks().len());
                }
                let names = archive.block_head(block)?.tag_names;
                let has = |tag: &String| names.iter().any(|name| name == tag.as_bytes());
                lacking.tags.retain(|tags| !tags.iter().any(has));
                let names = names.iter().map(|name| decode_text(name).into_owned());
                lacking.names.extend(names);
            }
        }
        Ok(lacking)
    }
}
