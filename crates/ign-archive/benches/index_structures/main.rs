//! Sizes and times of the structures that a search index could have: `docs/index.md` has the results.
//!
//! Data: `lichess_2013-01.pgn.zst` (`IGN_DATA`, or `../shared/data`), packed into memory. Each structure
//! is built from all games and searched for 10,000 positions of the games, for 10,000 positions that
//! differ by the last move from positions of the games but occur in none, and for 1,000 positions that
//! are in more than 8 groups of 16 games. Every answer is compared with the true one: a structure that
//! misses a game ends the program. Times are means of one lookup in memory; `report::fastest` says how
//! they are taken.
//!
//! ```text
//! cargo bench -p ign-archive --bench index_structures
//! ```
//!
//! | file | holds |
//! | --- | --- |
//! | `corpus` | the games, their positions, and the positions that are searched |
//! | `keys` | which pairs of a hash and a group a structure stores |
//! | `common` | lists of positions in many groups |
//! | `sequences` | sorted pairs: Elias-Fano, Rice |
//! | `perfect` | a minimal perfect hash with fingerprints |
//! | `filters` | filters of groups: Bloom, bit-sliced Bloom, binary fuse |
//! | `names` | dictionaries of names |
//! | `openings` | games that begin with given moves |
//! | `report` | measuring and printing |

mod common;
mod corpus;
#[allow(unused_imports, reason = "its tests are not part of this program")]
#[path = "../../src/index/elias_fano.rs"]
mod elias_fano;
mod filters;
mod keys;
mod names;
mod openings;
#[allow(unused_imports, reason = "its tests are not part of this program")]
#[path = "../../src/index/packed.rs"]
mod packed;
mod perfect;
mod report;
mod sequences;

use corpus::Corpus;
use filters::{BitSliced, Bloom, Fuse};
use keys::PairSet;
use perfect::Perfect;
use report::{Combined, measure};
use sequences::{EliasFanoPairs, RicePairs, VersPairs};

/// Games of a group.
const GROUP: u32 = 16;

fn main() {
    let Some(text) = ign_testing::corpus("lichess_2013-01.pgn.zst") else {
        return;
    };
    let corpus = Corpus::new(text);
    corpus.print();
    positions(&corpus);
    names::compare(&corpus);
    openings::compare(&corpus);
}

fn positions(corpus: &Corpus) {
    println!("\nPositions\n");
    report::header();
    measure(corpus, "the index itself", corpus.segment());

    let games = PairSet::all_positions(corpus, 1);
    let groups = PairSet::all_positions(corpus, GROUP);
    for (unit, set) in [("game", &games), ("group", &groups)] {
        for (what, buckets) in [
            ("40-bit hashes", 1 << 40),
            ("buckets of 2", set.len() as u64 / 2),
        ] {
            let name = format!("all positions, Elias-Fano of position and {unit}, {what}");
            measure(
                corpus,
                &name,
                &Combined::new(set, EliasFanoPairs::new(set, buckets)),
            );
        }
        let name = format!("all positions, perfect hash with 8-bit fingerprints to {unit}s");
        measure(corpus, &name, &Combined::new(set, Perfect::new(set, 8)));
    }
    drop(games);
    filters(corpus, "all positions", &groups, &[8, 9, 10]);
    drop(groups);

    for rare in [4, 8, 16, 32] {
        let set = PairSet::structures_and_positions(corpus, rare);
        set.print();
        for false_groups in [1, 2, 4] {
            let name =
                format!("structures, RARE = {rare}, Elias-Fano, FALSE_GROUPS = {false_groups}");
            let pairs = EliasFanoPairs::new(&set, set.len() as u64 / false_groups);
            measure(corpus, &name, &Combined::new(&set, pairs));
        }
    }
    let set = PairSet::structures_and_positions(corpus, 8);
    let buckets = set.len() as u64 / 2;
    let name = "structures, RARE = 8, Elias-Fano of vers-vecs, FALSE_GROUPS = 2";
    measure(
        corpus,
        name,
        &Combined::new(&set, VersPairs::new(&set, buckets)),
    );
    for of_sample in [64, 1024] {
        let name =
            format!("structures, RARE = 8, Rice, a sample for {of_sample} pairs, FALSE_GROUPS = 2");
        let pairs = RicePairs::new(&set, buckets, of_sample);
        measure(corpus, &name, &Combined::new(&set, pairs));
    }
    let name = "structures, RARE = 8, perfect hash with 8-bit fingerprints to groups";
    measure(corpus, name, &Combined::new(&set, Perfect::new(&set, 8)));
    filters(corpus, "structures, RARE = 8", &set, &[8, 10, 14]);
}

fn filters(corpus: &Corpus, of: &str, set: &PairSet, bits: &[u32]) {
    for &bits in bits {
        let name = format!("{of}, a Bloom filter for each group, {bits} bits a pair");
        measure(corpus, &name, &Combined::new(set, Bloom::new(set, bits)));
        let name = format!("{of}, bit-sliced Bloom filters, {bits} bits a pair");
        measure(
            corpus,
            &name,
            &Combined::new(set, BitSliced::new(set, bits)),
        );
    }
    let name = format!("{of}, a binary fuse filter for each group, 8-bit fingerprints");
    measure(corpus, &name, &Combined::new(set, Fuse::new(set)));
}
