//! Do real collections round-trip byte for byte?
//!
//! The collections are not part of the repository. `IGN_DATA` names their folder, the default is
//! `../shared/data`. The beginning of each collection is tested, and every file of a tar archive as
//! one block. With `IGN_FULL=1` everything is tested, with one, two and seven threads.

mod util;

use std::{
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};

use ign_archive::Archive;
use ign_format::block::decode::Block;
use util::{Folder, data, parts_round_trip};

/// Bytes tested of each collection, unless everything is.
const SLICE: u64 = 3 << 20;

fn full() -> bool {
    std::env::var_os("IGN_FULL").is_some_and(|value| value == "1")
}

/// Collections whose name has this ending.
fn collections(ending: &str) -> Vec<PathBuf> {
    let Some(folder) = data() else {
        return Vec::new();
    };
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    files
}

fn text(path: &Path, max: u64) -> Vec<u8> {
    let decoder = zstd::Decoder::new(File::open(path).unwrap()).unwrap();
    let mut text = Vec::new();
    decoder.take(max).read_to_end(&mut text).unwrap();
    text
}

/// Packs, verifies and unpacks. The archive must not depend on the number of threads.
fn assert_round_trip(name: &str, text: &[u8], more: &[&str]) {
    let folder = Folder::with("a.pgn", text);
    let threads = if full() {
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
    if let Some(last) = archive.index().blocks.len().checked_sub(1) {
        let own = archive.index().blocks[last].text_len as usize;
        let bytes = archive.block_bytes(last).unwrap();
        parts_round_trip(&Block::open(&bytes).unwrap(), &text[text.len() - own..]);
    }
    if full() {
        let zstd = std::process::Command::new("zstd")
            .arg("-tq")
            .arg(folder.path("a.ign"))
            .status();
        assert!(zstd.is_ok_and(|status| status.success()), "zstd -t, {name}");
    }
}

#[test]
fn collections_round_trip() {
    // Several blocks occupy several threads.
    let plain = &["--coding", "ign"][..];
    let weighted = &["-B", "1M"][..];
    let small = &["-B", "64K", "--coding", "ign-end"][..];
    let whole = [&[][..], plain];
    let kinds = [
        (".pgn.zst", &[plain, weighted, small][..]),
        (".sgf.zst", &[weighted, small]),
    ];
    for (ending, options) in kinds {
        for path in collections(ending) {
            let name = path.file_name().unwrap().to_string_lossy();
            let text = text(&path, if full() { u64::MAX } else { SLICE });
            for &more in if full() { &whole } else { options } {
                assert_round_trip(&name, &text, more);
            }
            eprintln!("{name}: {} bytes", text.len());
        }
    }
}

#[test]
fn encodes_each_difficult_file() {
    for path in collections(".tar.zst") {
        let tar = text(&path, u64::MAX);
        let mut count = 0;
        for (name, text) in files(&tar) {
            if full() {
                assert_round_trip(&name, text, &[]);
            }
            let options = ign_format::block::encode::Options {
                coding: ign_format::block::Coding::Ign,
                ..Default::default()
            };
            let encoded = ign_format::block::encode::encode(text.to_vec(), &options);
            assert!(encoded.is_ok(), "{name}: {}", encoded.unwrap_err());
            count += 1;
        }
        eprintln!("{}: {count} files", path.display());
    }
}

/// The complete regular files of a tar archive.
fn files(mut tar: &[u8]) -> Vec<(String, &[u8])> {
    const SECTOR: usize = 512;
    let mut files = Vec::new();
    while tar.len() >= SECTOR && tar[0] != 0 {
        let field = |from: usize, len: usize| {
            let bytes = tar[from..from + len].split(|&b| b == 0).next().unwrap();
            String::from_utf8_lossy(bytes).into_owned()
        };
        let len = usize::from_str_radix(field(124, 12).trim(), 8).unwrap();
        let end = SECTOR + len.next_multiple_of(SECTOR);
        if tar.len() < end {
            break;
        }
        if matches!(tar[156], b'0' | 0) {
            files.push((field(0, 100), &tar[SECTOR..SECTOR + len]));
        }
        tar = &tar[end..];
    }
    files
}
