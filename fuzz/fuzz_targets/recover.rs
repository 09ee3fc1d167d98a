//! Of any bytes an archive is recovered that is whole, or there is an error. In this build all
//! checksums are alike, so that damage is not found out by them.
//!
//! The input is a number, which chooses an archive, and changes of it; or any bytes.
#![no_main]

use std::sync::OnceLock;

use arbitrary::Arbitrary;
use ign_archive::Coding;
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
enum Bytes {
    Any(Vec<u8>),
    Damaged { archive: u8, changes: Vec<Change> },
}

#[derive(Debug, Arbitrary)]
enum Change {
    Set(u16, u8),
    Flip(u16, u8),
    Cut(u16),
    Remove(u16, u8),
    Insert(u16, Vec<u8>),
    /// A range of bytes copied to another place.
    Copy(u16, u16, u16),
}

fn archives() -> &'static [Vec<u8>] {
    static ARCHIVES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    ARCHIVES.get_or_init(|| {
        let chess = [Coding::Ign, Coding::IgnEnd, Coding::Weighted].map(|coding| ign_fuzz::pack(&ign_fuzz::chess(), coding, 1 << 11));
        let go = ign_fuzz::pack(ign_fuzz::GO.as_bytes(), Coding::Weighted, 1 << 11);
        let grown = ign_fuzz::grown(&chess[0], ign_fuzz::CLOCKS.as_bytes());
        chess.into_iter().chain([go, grown]).collect()
    })
}

fuzz_target!(|bytes: Bytes| {
    let bytes = match bytes {
        Bytes::Any(bytes) => bytes,
        Bytes::Damaged { archive, changes } => {
            let archives = archives();
            let mut bytes = archives[archive as usize % archives.len()].clone();
            for change in changes.iter().take(20) {
                apply(change, &mut bytes);
            }
            bytes
        }
    };
    let Ok((_, recovered)) = ign_fuzz::recovered(&bytes) else {
        return;
    };
    let archive = ign_fuzz::open(&recovered).expect("a recovered archive opens");
    archive.verify().expect("a recovered archive is whole");
    ign_fuzz::unpacked(&archive).expect("a recovered archive is unpacked");
});

fn apply(change: &Change, bytes: &mut Vec<u8>) {
    let len = bytes.len();
    if len == 0 {
        return;
    }
    let place = |at: u16| at as usize % len;
    match change {
        Change::Set(at, value) => bytes[place(*at)] = *value,
        Change::Flip(at, bits) => bytes[place(*at)] ^= bits,
        Change::Cut(at) => bytes.truncate(place(*at)),
        Change::Remove(at, count) => {
            let end = (place(*at) + *count as usize).min(len);
            bytes.drain(place(*at)..end);
        }
        Change::Insert(at, more) => {
            bytes.splice(place(*at)..place(*at), more.iter().copied());
        }
        Change::Copy(from, count, to) => {
            let end = (place(*from) + *count as usize).min(len);
            let copied = bytes[place(*from)..end].to_vec();
            bytes.splice(place(*to)..place(*to), copied);
        }
    }
}
