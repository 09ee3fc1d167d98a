//! Any text packs as Go, and packing finds that the block gives it back.
#![no_main]

use ign_format::block::{Coding, encode::Options, go::encode};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    for coding in [Coding::Ign, Coding::Weighted] {
        let options = Options {
            coding,
            level: 1,
            ..Options::default()
        };
        encode(text.to_vec(), &options).expect("any text packs");
    }
});
