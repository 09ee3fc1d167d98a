//! An index that queries use until it turns out to be damaged.

use std::sync::OnceLock;

use ign_format::error::{Error, Remedy, Result};

use super::Index;

/// An index that is opened on first use. Once it is rejected it is not used again.
#[derive(Default)]
pub struct IndexInUse {
    /// The index, once a query has asked for it; `None` if there is none.
    opened: OnceLock<Option<Index>>,
    /// Why the index is not used although there is a file.
    rejected: OnceLock<Error>,
}

impl IndexInUse {
    /// The index. The first call opens it; an error of `open` rejects it.
    pub fn get(&self, open: impl FnOnce() -> Result<Option<Index>>) -> Option<&Index> {
        let open = || {
            open().unwrap_or_else(|error| {
                self.reject(error);
                None
            })
        };
        let index = self.opened.get_or_init(open).as_ref();
        index.filter(|_| self.rejected().is_none())
    }

    /// Stops using the index.
    pub fn reject(&self, error: Error) {
        let error = if error.is_data_error() {
            error.with_remedy(Remedy::RebuildIndex)
        } else {
            error
        };
        // The first reason is kept.
        _ = self.rejected.set(error);
    }

    /// Why the index is not used.
    pub fn rejected(&self) -> Option<&Error> {
        self.rejected.get()
    }
}
