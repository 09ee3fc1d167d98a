//! Any bytes are a block or an error. In this build all checksums are alike, so that damage is not
//! found out by them.
#![no_main]

use ign_format::block::{decode::Block, go};
use libfuzzer_sys::fuzz_target;

/// A head may promise more than there is; what may be asked of a reader is bounded, but a fuzzer
/// has little time.
const MAX: usize = 1 << 20;

fuzz_target!(|bytes: &[u8]| {
    let Ok(block) = Block::open(bytes) else {
        return;
    };
    let head = block.head();
    if head.text_len > MAX || head.records > MAX || head.plies > MAX as u64 {
        return;
    }
    let Ok(records) = block.records() else {
        return;
    };
    let _ = block.text();
    // One record alone takes other ways than all.
    for record in [0, records.len() / 2] {
        let _ = block.render(
            &records,
            records.len().min(record + 1),
            |one| one == record,
            &mut Vec::new(),
        );
    }
    let _ = block.keeps_text(&records);
    let _ = block.walk_games(&records, |mut game| game.ign().map(drop));
    let _ = go::keeps_text(&block, &records);
});
