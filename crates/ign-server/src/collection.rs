//! Opens the archives that are served.

use ign_api::{Collection, Memory};
use ign_archive::{Archive, Archives, Result};

use crate::options::Options;

/// Opens the archives of the options.
///
/// # Errors
/// As [`Archive::open`]; io of the shared index.
pub fn open(options: &Options) -> Result<Collection> {
    let open = |path| Ok(Archive::open(path)?.with_search_index(options.uses_indexes));
    let opened: Result<Vec<Archive>> = options.archives.iter().map(open).collect();
    let mut all = Archives::from(opened?);
    if let Some(path) = &options.index {
        all = all.with_shared_index(path)?;
    }
    let memory = Memory {
        heads: options.heads_bytes,
        indexes: options.index_bytes,
        blocks: options.block_bytes,
    };
    Ok(Collection::new(all, memory))
}
