//! Any text packs in every coding, and packing finds that the block gives it back.
#![no_main]

use ign_format::block::{
    Coding,
    encode::{Options, encode},
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    for &coding in Coding::ALL {
        let options = Options {
            coding,
            level: 1,
            ..Options::default()
        };
        encode(text.to_vec(), &options).expect("any text packs");
    }
});
