//! What a report shows, in whatever form.

use ign_archive::stats::{
    Stats,
    claims::{Claim, claims},
    signatures::Uniqueness,
};

/// All figures of an input.
pub struct Report {
    /// The name of the input.
    pub name: String,
    pub stats: Stats,
    pub signatures: Uniqueness,
    /// Claims of the documents with the measured values; empty for Go.
    pub claims: Vec<Claim>,
}

impl Report {
    /// Computes what follows from the statistics.
    pub fn new(name: String, mut stats: Stats) -> Self {
        let signatures = stats.signatures.count();
        let claims = match stats.games.are_all_go() {
            true => Vec::new(),
            false => claims(&stats, &signatures),
        };
        Self {
            name,
            stats,
            signatures,
            claims,
        }
    }

    /// The name of the coding; several if blocks have different codings.
    pub fn codings(&self) -> String {
        let names: Vec<_> = self.stats.games.codings.iter().copied().collect();
        names.join(" and ")
    }
}
