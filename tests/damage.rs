//! Is all damage to an archive detected, and do reads of damaged archives always end?

use std::{fs, path::Path};

use ign_archive::{
    Archive, Error, Query, Result,
    query::{parse_opening, parse_signature},
};
use ign_testing::{cases, games};

use crate::util::Folder;

/// A small archive of several blocks that uses every column, and its text.
fn small() -> (Folder, Vec<u8>, Vec<u8>) {
    coded("ign")
}

/// The same, with moves in this coding.
fn coded(coding: &str) -> (Folder, Vec<u8>, Vec<u8>) {
    let mut text = games(12);
    text.extend_from_slice(
        b"[Event \"?\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n\
          1. e4 {a comment} (1. e3 {no}) 1... Kd7 $1 2. Kh8 not a move\n\n; the end\n",
    );
    let folder = Folder::with("a.pgn", &text);
    let options = ["pack", "-B", "4K", "--coding", coding, "a.pgn"];
    folder.ign(&options).done();
    let archive = folder.read("a.ign");
    (folder, archive, text)
}

fn verified(path: &Path) -> Result<()> {
    Archive::open(path)?.with_threads(1).verify()
}

fn unpacked(path: &Path) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    Archive::open(path)?.with_threads(1).unpack(&mut text)?;
    Ok(text)
}

#[track_caller]
fn assert_corrupt(error: &Error, what: &str) {
    assert!(error.is_data_error(), "{what}: {error}");
    assert!(error.to_string().contains("a.ign"), "{what}: {error}");
}

#[test]
fn detects_a_flipped_byte_anywhere_and_never_returns_other_text() {
    assert_flips_are_detected("ign", cases(5, 1));
    // Only the moves differ from the first archive, so fewer bytes are enough.
    assert_flips_are_detected("weighted", cases(31, 7));
}

/// Flips every byte whose offset is a multiple of `step`.
fn assert_flips_are_detected(coding: &str, step: usize) {
    let (folder, archive, text) = coded(coding);
    let path = folder.path("a.ign");
    let (mut tried, mut harmless) = (0, 0);
    for at in (0..archive.len()).step_by(step) {
        for flip in [1 << (at % 8), 0xff] {
            let mut bad = archive.clone();
            bad[at] ^= flip;
            fs::write(&path, &bad).unwrap();
            tried += 1;
            let what = format!("byte {at} ^ {flip:#x}");
            match verified(&path) {
                Ok(()) => panic!("{what} passes"),
                Err(error) => assert_corrupt(&error, &what),
            }
            match unpacked(&path) {
                Ok(same) if same == text => harmless += 1,
                Ok(_) => panic!("{what} returns other text"),
                Err(error) => assert_corrupt(&error, &what),
            }
            if let Ok(archive) = Archive::open(&path) {
                // Whatever they find, these calls must return.
                _ = archive.find(&Query::new().signature(parse_signature(&["A=e4????"]).unwrap()));
                _ = archive.find(&Query::new().opening(parse_opening("1. e4 e5").unwrap()));
                _ = archive.meta();
            }
        }
    }
    // Unpacking misses damage only in bytes that it does not read.
    eprintln!("{coding}: {harmless} of {tried} flips change no text");
    assert!(harmless * 4 < tried, "{harmless} of {tried}");
}

#[test]
fn command_names_the_damaged_archive() {
    let (folder, archive, _) = small();
    for at in (0..archive.len()).step_by(211) {
        let mut bad = archive.clone();
        bad[at] ^= 0x10;
        folder.write("a.ign", bad);
        folder.ign(&["verify", "a.ign"]).failed(2, "ign: a.ign: ");
        let run = folder.ign(&["unpack", "a.ign", "-o", "b.pgn"]);
        assert!(matches!(run.code, Some(0 | 2)), "byte {at}: {}", run.err);
        if run.code == Some(0) {
            assert!(folder.read("b.pgn") == folder.read("a.pgn"), "byte {at}");
            folder.remove("b.pgn");
        }
        assert_eq!(folder.names(), ["a.ign", "a.pgn"]);
    }
}

#[test]
fn verify_names_every_damaged_block_with_its_games() {
    let (folder, mut bytes, _) = small();
    let archive = Archive::open(folder.path("a.ign")).unwrap();
    let blocks = archive.blocks().to_vec();
    assert!(blocks.len() > 2);
    let damaged = [0, 2];
    for number in damaged {
        bytes[(blocks[number].offset + blocks[number].stored_len) as usize - 9] ^= 1;
    }
    folder.write("a.ign", bytes);
    let run = folder.ign(&["verify", "a.ign"]);
    assert_eq!(run.code, Some(2));
    let lines: Vec<&str> = run.err.lines().collect();
    assert_eq!(lines.len(), damaged.len() + 1, "{}", run.err);
    let remedy =
        "ign recover a.ign -o GOOD.ign repairs the damage by parity, or saves the intact parts";
    assert!(lines[damaged.len()].starts_with(remedy), "{}", run.err);
    for (line, number) in lines.into_iter().zip(damaged) {
        let block = &blocks[number];
        let place = format!("ign: a.ign: block {}: ", number + 1);
        assert!(line.starts_with(&place), "{line}");
        let (first, last) = (block.first_game + 1, block.first_game + block.games);
        let games = format!("(it holds games {first}..{last})");
        assert!(first == last || line.ends_with(&games), "{line}");
    }
    // The games of other blocks can still be read.
    let game = (blocks[1].first_game + 1).to_string();
    folder.ign(&["get", "a.ign", &game]).done();
}

#[test]
fn rejects_truncated_archive() {
    let (folder, archive, _) = small();
    let path = folder.path("a.ign");
    for len in 0..archive.len() {
        fs::write(&path, &archive[..len]).unwrap();
        assert_corrupt(&verified(&path).unwrap_err(), &format!("{len} bytes"));
        assert_corrupt(&unpacked(&path).unwrap_err(), &format!("{len} bytes"));
    }
    folder.write("a.ign", &archive[..archive.len() / 2]);
    for args in [
        &["verify", "a.ign"][..],
        &["unpack", "a.ign", "-f"],
        &["get", "a.ign", "1"],
        &["list", "a.ign"],
        &["info", "a.ign"],
        &["find", "a.ign", "--signature", "A=e4????"],
    ] {
        folder.ign(args).failed(2, "a.ign: ");
    }
}

#[test]
fn error_of_a_damaged_block_suggests_verify() {
    let (folder, mut archive, _) = small();
    let middle = archive.len() / 2;
    archive[middle] ^= 0x55;
    folder.write("a.ign", &archive);
    for args in [&["unpack", "a.ign", "-c"][..], &["get", "a.ign", "1.."]] {
        folder
            .ign(args)
            .failed(2, "ign verify lists the games of damaged blocks");
    }
}

#[test]
fn rejects_archive_with_inserted_or_appended_bytes() {
    let (folder, archive, _) = small();
    let path = folder.path("a.ign");
    let skippable = b"\x50\x2a\x4d\x18\0\0\0\0";
    for at in [
        0,
        1,
        22,
        archive.len() / 2,
        archive.len() - 1,
        archive.len(),
    ] {
        for more in [&b"\0"[..], skippable, &archive[..22]] {
            let (start, end) = archive.split_at(at);
            fs::write(&path, [start, more, end].concat()).unwrap();
            assert_corrupt(&verified(&path).unwrap_err(), &format!("{more:?} at {at}"));
        }
    }
    fs::write(&path, [&archive[..], &archive].concat()).unwrap();
    assert_corrupt(&verified(&path).unwrap_err(), "twice");
}

#[test]
fn rejects_files_that_are_not_archives() {
    let folder = Folder::with("a.pgn", games(3));
    folder.write("empty", "");
    folder.write("noise", noise(10_000));
    let zst = zstd::bulk::compress(&games(3), 3).unwrap();
    folder.write("a.pgn.zst", zst);
    for name in ["a.pgn", "empty", "noise", "a.pgn.zst"] {
        for command in ["verify", "unpack", "list", "info"] {
            folder.ign(&[command, name]).failed(2, "not an ign archive");
        }
    }
}

#[test]
fn archive_with_a_damaged_header_is_not_read_as_text() {
    let folder = Folder::with("a.pgn", games(30));
    folder.ign(&["pack", "a.pgn"]).done();
    let whole = folder.read("a.ign");
    for at in [0, 8, 12] {
        let mut bad = whole.clone();
        bad[at] ^= 1;
        folder.write("bad.ign", bad);
        for command in ["stats", "duplicates", "list"] {
            folder.ign(&[command, "bad.ign"]).failed(2, "");
        }
    }
    folder.write("cut.ign", &whole[..15]);
    folder.ign(&["stats", "cut.ign"]).failed(2, "it has 15");
}

#[test]
fn empty_archive_is_valid() {
    let folder = Folder::with("empty", "");
    folder.ign(&["pack", "empty"]).done();
    folder.ign(&["verify", "empty.ign"]).done();
    assert_eq!(folder.ign(&["unpack", "-c", "empty.ign"]).done(), b"");
    assert_eq!(folder.ign(&["list", "empty.ign"]).done(), b"");
    folder.ign(&["get", "empty.ign", "1"]).failed(1, "");
    assert_eq!(folder.ign(&["get", "empty.ign", "1.."]).done(), b"");
    folder.ign(&["info", "empty.ign"]).done();
    assert_eq!(
        folder
            .ign(&["find", "empty.ign", "--signature", "A=??????"])
            .code,
        Some(1)
    );
}

fn noise(len: u32) -> Vec<u8> {
    (0..len)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect()
}

#[test]
fn every_command_names_the_damaged_column_and_its_games() {
    let folder = Folder::with("a.pgn", games(1000));
    folder.ign(&["pack", "-q", "-B", "64K", "a.pgn"]).done();
    let archive = Archive::open(folder.path("a.ign")).unwrap();
    let entry = &archive.blocks()[1];
    let end = archive.blocks()[2].offset as usize;
    let mut bad = folder.read("a.ign");
    // In the middle of a block are columns that every table and index needs.
    bad[(entry.offset as usize + end) / 2] ^= 1;
    folder.write("a.ign", &bad);
    let games = format!(
        "games {}..{}",
        entry.first_game + 1,
        entry.first_game + entry.games
    );
    let verify = folder.ign(&["verify", "a.ign"]);
    let column = verify.err.split("the column ").nth(1).unwrap();
    let column = column.split(' ').next().unwrap();
    for args in [
        &["verify", "a.ign"][..],
        &["index", "a.ign", "-o", "a.idx"],
        &["export", "a.ign", "-o", "a.csv"],
        &["unpack", "a.ign", "-o", "b.pgn"],
    ] {
        let words =
            format!("block 2: the checksum of the column {column} differs (it holds {games})");
        folder.ign(args).failed(2, &words);
    }
}
