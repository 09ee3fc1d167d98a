//! Any bytes are an archive or an error, and everything that is read of it ends. In this build all
//! checksums are alike, so that damage is not found out by them.
#![no_main]

use ign_archive::{Query, check::{Depth, Verifier}, query::{parse_opening, parse_signature}};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for depth in [Depth::Quick, Depth::Full] {
        let verifier = Verifier::new().depth(depth).threads(1);
        _ = verifier.verify_read_at(&bytes.to_vec(), "a.ign");
    }
    let Ok(archive) = ign_fuzz::open(bytes) else {
        return;
    };
    ign_fuzz::read_all(&archive);
    _ = ign_fuzz::unpacked(&archive);
    _ = archive.find(&Query::new().signature(parse_signature(&["A=e4????"]).expect("a signature")));
    _ = archive.find(&Query::new().opening(parse_opening("1. e4 e5").expect("an opening")));
});
