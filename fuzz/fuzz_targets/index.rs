//! Any bytes are an index of an archive or an error, and searches with them end, whatever they
//! find. In this build all checksums are alike, so that damage is not found out by them.
#![no_main]

use std::{fs, sync::OnceLock};

use ign_archive::{
    Archive, Archives, Position, Query,
    index::{self, Index, Segment},
};
use libfuzzer_sys::fuzz_target;
use tempfile::TempPath;

/// What all runs share.
struct Shared {
    /// The archive of the seed.
    archive: Archive,
    /// The file that becomes its index.
    index: TempPath,
    queries: Vec<Query>,
}

fn shared() -> &'static Shared {
    static SHARED: OnceLock<Shared> = OnceLock::new();
    SHARED.get_or_init(|| Shared {
        archive: ign_fuzz::indexed().0,
        index: tempfile::NamedTempFile::new()
            .expect("a temporary file")
            .into_temp_path(),
        queries: CONDITIONS
            .iter()
            .map(|(name, text)| {
                let mut query = Query::default();
                query.set(name, text).expect("a condition");
                query
            })
            .collect(),
    })
}

/// Conditions that an index answers, each with another part of it.
const CONDITIONS: &[(&str, &str)] = &[
    ("player", "A*"),
    ("white", "Ann"),
    ("mean_elo", "1500..1900,2200.."),
    ("date", "2013..2020"),
    ("result", "1-0"),
    ("eco", "B00..C99"),
    ("speed", "blitz"),
    ("termination", "Normal"),
    ("plies", "20..40"),
    ("opening", "1. e4 e5"),
    (
        "position",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    ),
];

fuzz_target!(|bytes: &[u8]| {
    let shared = shared();
    let index = Index::read(
        Box::new(bytes.to_vec()),
        "a.ign.idx".into(),
        &[&shared.archive],
    );
    let Ok(index) = index else { return };
    index.segments().iter().for_each(Segment::exercise);
    fs::write(&shared.index, bytes).expect("a file");
    _ = index::verify(&shared.index);
    let archives = Archives::from(vec![shared.archive.clone()])
        .with_threads(1)
        .with_shared_index(&shared.index)
        .expect("a file");
    for query in &shared.queries {
        _ = archives.find(query);
    }
    _ = archives.tree(&Position::default(), &Query::default());
});
