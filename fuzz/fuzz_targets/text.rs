//! Any text packs in every coding, and the first block that is made of it decodes to it.
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
        let encoded = encode(text.to_vec(), &options).expect("any text packs");
        assert!(!encoded.is_fallback, "{coding:?}");
    }
});
