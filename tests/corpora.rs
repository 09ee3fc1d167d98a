//! Do real collections round-trip byte for byte?
//!
//! Where there are no real games, generated ones of the same kinds take their place. The beginning
//! of each collection is tested, and every difficult file as one block. With `IGN_FULL=1`
//! everything is tested, with one, two and seven threads.

use std::process::Command;

use ign_archive::Archive;
use ign_format::block::decode::Block;
use ign_testing::{Collection, Need, cases, difficult_files, is_full, parts_round_trip, require};

use crate::util::Folder;

/// Bytes tested of each collection, unless everything is.
const SLICE: u64 = 1 << 20;

/// Packs, verifies and unpacks. The archive must not depend on the number of threads.
fn assert_round_trip(name: &str, text: &[u8], more: &[&str]) {
    let folder = Folder::with("a.pgn", text);
    let threads = if is_full() {
        &["-T1", "-T2", "-T7"][..]
    } else {
        &["-T2"]
    };
    let mut first = None;
    for &threads in threads {
        folder
            .ign(&[&["pack", "-f", "a.pgn", threads], more].concat())
            .done();
        let archive = folder.read("a.ign");
        let same = *first.get_or_insert_with(|| ign_format::container::checksum(&archive));
        assert_eq!(
            ign_format::container::checksum(&archive),
            same,
            "{name}, {threads}"
        );
    }
    folder.ign(&["verify", "a.ign"]).done();
    assert!(
        folder.ign(&["unpack", "-c", "a.ign"]).done() == text,
        "{name}"
    );
    // Some records of the last block, which can be short, are also read without the others.
    let archive = Archive::open(folder.path("a.ign")).unwrap();
    if let Some(last) = archive.blocks().len().checked_sub(1) {
        let own = archive.blocks()[last].text_len as usize;
        let bytes = archive.block_bytes(last).unwrap();
        parts_round_trip(&Block::open(&bytes).unwrap(), &text[text.len() - own..]);
    }
    if is_full() {
        let zstd = Command::new("zstd")
            .arg("-tq")
            .arg(folder.path("a.ign"))
            .status();
        let zstd = zstd.map_err(|_| "there is no command zstd");
        if let Some(status) = require(Need::Zstd, zstd) {
            assert!(status.success(), "zstd -t, {name}");
        }
    }
}

#[test]
fn collections_round_trip() {
    // Several blocks occupy several threads.
    let plain = &["--coding", "ign"][..];
    let weighted = &["-B", "256K"][..];
    let small = &["-B", "64K", "--coding", "ign-end"][..];
    let whole = [&[][..], plain];
    let kinds = [
        (".pgn.zst", &[plain, weighted, small][..]),
        (".sgf.zst", &[weighted, small]),
    ];
    for (ending, options) in kinds {
        for name in Collection::names(ending) {
            let text = Collection::open(&name).first_bytes(cases(SLICE, u64::MAX));
            for &more in if is_full() { &whole } else { options } {
                assert_round_trip(&name, &text, more);
            }
            eprintln!("{name}: {} bytes", text.len());
        }
    }
}

#[test]
fn encodes_each_difficult_file() {
    let files = difficult_files();
    for (name, text) in &files {
        if is_full() {
            assert_round_trip(name, text, &[]);
        }
        let options = ign_format::block::encode::Options {
            coding: ign_format::block::Coding::Ign,
            ..Default::default()
        };
        let encoded = ign_format::block::encode::encode(text.clone(), &options);
        let encoded = encoded.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!encoded.is_fallback, "{name}");
    }
    assert!(!files.is_empty());
    eprintln!("{} difficult files", files.len());
}
