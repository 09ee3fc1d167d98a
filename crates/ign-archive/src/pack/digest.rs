//! The SHA-256 of the bytes of an input, which sites publish with their files.

use std::sync::{Arc, Mutex, PoisonError};

use ign_format::{
    container::Sha256,
    error::{Error, Kind, Result},
};
use sha2::Digest as _;

/// A SHA-256 that is computed while the bytes are read. Clones share it: bytes are added where they
/// are read, and the value is compared where the text ends.
#[derive(Clone, Default)]
pub(super) struct Digest(Arc<Mutex<sha2::Sha256>>);

impl Digest {
    /// Adds the next bytes.
    pub(super) fn add(&self, bytes: &[u8]) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .update(bytes);
    }

    /// Compares the SHA-256 of all bytes with the one that was stated.
    ///
    /// # Errors
    /// Corrupt, if they differ.
    pub(super) fn compare(&self, stated: &Sha256) -> Result<()> {
        let digest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = Sha256::new(digest.clone().finalize().into());
        if own == *stated {
            return Ok(());
        }
        Err(Error::new(
            Kind::Corrupt,
            format!("the SHA-256 is {own}, and {stated} was stated"),
        )
        .with_remedy("fetch or copy the file again, or check the stated value"))
    }
}
