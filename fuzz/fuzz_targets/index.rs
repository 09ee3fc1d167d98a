//! Any bytes are an index of an archive or an error. In this build all checksums are alike, so that
//! damage is not found out by them.
#![no_main]

use std::sync::OnceLock;

use ign_archive::{
    Archive, Coding,
    index::{Index, IndexColumn, Keys, Segment},
    query::TextPattern,
};
use ign_notation::chess::{Legal, Position};
use libfuzzer_sys::fuzz_target;

/// The archive of the seeds.
fn archive() -> &'static Archive {
    static ARCHIVE: OnceLock<Archive> = OnceLock::new();
    ARCHIVE.get_or_init(|| {
        let bytes = ign_fuzz::pack(&ign_fuzz::sample(40), Coding::Weighted, 1 << 20);
        Archive::from_source(bytes, "sample.ign").expect("an archive")
    })
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(index) = Index::read(
        Box::new(bytes.to_vec()),
        "sample.ign.idx".into(),
        &[archive()],
    ) else {
        return;
    };
    for segment in index.segments() {
        ask(segment);
    }
});

fn ask(segment: &Segment) {
    let mut position = Position::default();
    for ordinal in [0, 12, 3, 7, 1] {
        let _ = segment.position(Keys::of_position(&position));
        position.play(Legal::new(&position).nth(ordinal));
    }
    for column in IndexColumn::ALL {
        let _ = segment.column(column, |_| ());
        let _ = segment.dictionary(column);
    }
    for pattern in ["*", "a*", "nobody"] {
        let _ = segment.games_of_players(&TextPattern::new(pattern), |_| ());
    }
    for number in [0, 1, 5000] {
        if let Ok(node) = segment.node(number) {
            let _ = segment.games_of_tree(node.games(), |_| ());
        }
    }
}
