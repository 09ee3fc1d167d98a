//! What a report about a collection shows, in whatever form.

use super::{
    Stats,
    claims::{Claim, claims},
    signatures::Uniqueness,
};

/// All figures of an input.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report {
    /// The name of the input.
    pub name: String,
    /// What was counted.
    pub stats: Stats,
    /// How well the signatures identify games.
    pub signatures: Uniqueness,
    /// Claims of the documents with the measured values; empty for Go.
    pub claims: Vec<Claim>,
}

impl Report {
    /// Computes what follows from the statistics.
    pub fn new(name: String, mut stats: Stats) -> Self {
        let signatures = stats.signatures.count();
        let claims = if stats.games.are_all_go() {
            Vec::new()
        } else {
            claims(&stats, &signatures)
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
