//! Computes the signatures of Go games from their moves (spec §14.5).

use crate::{
    block::{
        decode::{Block, Records},
        go::{Opening, Visitor, walk},
    },
    error::Result,
    sgf::parse::Played,
};
use ign_notation::{go::signature::Gathering, signature::Signature};

/// Returns the signature of each record, and the number of plies in the main lines of all records.
///
/// # Errors
/// Corrupt if the moves cannot be decoded.
pub fn played_signatures(block: &Block, records: &Records) -> Result<(Vec<Signature>, u64)> {
    let mut signatures = Signatures {
        of_records: vec![Signature::default(); records.len()],
        ..Signatures::default()
    };
    walk(block, records, &mut signatures)?;
    Ok((signatures.of_records, signatures.plies))
}

/// Visitor that collects signatures and counts plies.
#[derive(Default)]
struct Signatures {
    of_records: Vec<Signature>,
    plies: u64,
    record: usize,
    gathering: Option<Gathering>,
}

impl Visitor for Signatures {
    fn open(&mut self, opening: Opening) {
        self.record = opening.record;
        self.gathering = opening.gathering();
    }

    fn played(&mut self, played: Played) {
        self.plies += u64::from(played.main);
        if let Some(gathering) = &mut self.gathering {
            played.gather(gathering);
        }
    }

    fn close(&mut self) -> Result<()> {
        let signature = self.gathering.as_ref().map(Gathering::signature);
        self.of_records[self.record] = signature.unwrap_or_default();
        Ok(())
    }
}
