//! Checks of blocks that tests of several crates make.

use ign_format::block::decode::Block;

/// Checks that records of a block, read without the others, one or many at once, are parts of its
/// text.
#[track_caller]
pub fn parts_round_trip(block: &Block, text: &[u8]) {
    let records = block.records().unwrap();
    let all = records.len();
    let mut cuts: Vec<usize> = (0..5)
        .flat_map(|i| [i * all / 5, i * all / 5 + 1])
        .collect();
    cuts.retain(|&cut| cut < all);
    cuts.sort_unstable();
    cuts.push(all);
    cuts.dedup();
    let mut parts = Vec::new();
    for (&first, &end) in cuts.iter().zip(&cuts[1..]) {
        let wanted = |record| record >= first;
        block.render(&records, end, wanted, &mut parts).unwrap();
        assert!(text.starts_with(&parts), "records {first} to {end}");
    }
    assert_eq!(parts.len(), text.len());
}
