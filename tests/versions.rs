//! Does an archive hold blocks of several versions of the format, and do programs of each read what
//! they can?
//!
//! `IGN_NEXT_VERSION` makes the program one of the version after the latest. A block with a tag
//! `NextVersion` needs that version. Programs without debug assertions ignore the variable.
#![cfg(debug_assertions)]

use std::process::Output;

use ign_testing::games;

use crate::util::Folder;

/// `ign` of the next version. It must succeed.
fn next(folder: &Folder, args: &[&str]) -> Vec<u8> {
    let output = folder
        .command(args)
        .env("IGN_NEXT_VERSION", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?}: {}", err(&output));
    output.stdout
}

/// `ign` of the latest version, which ends with this status. Returns standard output and standard
/// error.
fn latest(folder: &Folder, status: i32, args: &[&str]) -> (Vec<u8>, String) {
    let output = folder.command(args).output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(status),
        "{args:?}: {}",
        err(&output)
    );
    let err = err(&output);
    (output.stdout, err)
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Three texts, of which the second one needs the next version, and an archive of them with a block
/// each: `a.ign`, which the latest version started and continued.
fn mixed() -> (Folder, [Vec<u8>; 3]) {
    let texts = [
        games(40),
        b"[Event \"x\"]\n[White \"Next, A\"]\n[NextVersion \"1\"]\n[Result \"*\"]\n\n1. e4 *\n\n"
            .repeat(3),
        games(20),
    ];
    let folder = Folder::new();
    for (name, text) in ["a.pgn", "b.pgn", "c.pgn"].iter().zip(&texts) {
        folder.write(name, text);
    }
    latest(&folder, 0, &["pack", "-q", "a.pgn", "-o", "a.ign"]);
    let before = folder.read("a.ign");
    next(&folder, &["append", "-q", "a.ign", "b.pgn"]);
    latest(&folder, 0, &["append", "-q", "a.ign", "c.pgn"]);
    // Nothing of the blocks before was touched.
    assert!(folder.read("a.ign").starts_with(&before));
    (folder, texts)
}

const NEEDS: &str = "needs format version 2; this program reads up to version 1";

#[test]
fn the_next_version_reads_blocks_of_both_and_writes_the_lowest_that_expresses_a_block() {
    let (folder, texts) = mixed();
    assert!(next(&folder, &["unpack", "-qc", "a.ign"]) == texts.concat());
    next(&folder, &["verify", "a.ign"]);
    let info = String::from_utf8(next(&folder, &["info", "a.ign"])).unwrap();
    assert!(info.contains("format version 1 and 2, "), "{info}");
    // Without a block that needs it, the later program writes what the earlier one writes.
    next(&folder, &["pack", "-q", "a.pgn", "-o", "next.ign"]);
    latest(&folder, 0, &["pack", "-q", "a.pgn", "-o", "latest.ign"]);
    assert!(folder.read("next.ign") == folder.read("latest.ign"));
    // A block that is encoded again keeps the version that it needs.
    next(
        &folder,
        &[
            "transcode",
            "-q",
            "--coding",
            "ign",
            "a.ign",
            "-o",
            "ign.ign",
        ],
    );
    let (_, err) = latest(&folder, 2, &["unpack", "-c", "ign.ign"]);
    assert!(err.contains(NEEDS), "{err}");
}

#[test]
fn a_block_of_a_later_version_is_named_with_its_games_and_all_others_are_read() {
    let (folder, texts) = mixed();
    let whole = [&texts[0][..], &texts[2]].concat();
    for args in [
        &["unpack", "-c", "a.ign"][..],
        &["list", "a.ign"],
        &["find", "a.ign", "--white", "e"],
        &["stats", "a.ign"],
        &["get", "a.ign", "41"],
        &["index", "a.ign"],
        &["export", "a.ign", "-c", "--format", "csv"],
    ] {
        let (_, err) = latest(&folder, 2, args);
        let expected =
            format!("a.ign: block 2: games 41..43: {NEEDS} (use a later version of ign)");
        assert!(err.contains(&expected), "{args:?}: {err}");
    }
    let (out, err) = latest(&folder, 4, &["unpack", "-c", "--damaged", "a.ign"]);
    assert!(out == whole);
    let expected = format!("warning: a.ign: left out games 41..43, block 2: {NEEDS}");
    assert!(err.contains(&expected), "{err}");
    // Games keep their numbers, and those of other blocks are read without an option.
    let (out, _) = latest(&folder, 0, &["get", "a.ign", "44"]);
    assert!(texts[2].starts_with(&out) && !out.is_empty());
    let (_, err) = latest(&folder, 2, &["verify", "a.ign"]);
    assert!(
        err.contains(&format!("block 2: {NEEDS} (it holds games 41..43)")),
        "{err}"
    );
    let (out, _) = latest(&folder, 0, &["info", "a.ign"]);
    let out = String::from_utf8(out).unwrap();
    assert!(
        out.contains("1 block not described: use a later version of ign"),
        "{out}"
    );
}

#[test]
fn blocks_of_a_later_version_are_copied() {
    let (folder, texts) = mixed();
    let text = texts.concat();
    latest(
        &folder,
        0,
        &["merge", "-q", "a.ign", "a.ign", "-o", "both.ign"],
    );
    assert!(next(&folder, &["unpack", "-qc", "both.ign"]) == [&text[..], &text].concat());
    next(&folder, &["verify", "both.ign"]);
    // All blocks are whole, so recover copies them, and says which one it could not check.
    let (_, err) = latest(&folder, 0, &["recover", "a.ign", "-o", "whole.ign"]);
    assert!(
        err.contains(&format!("block 2 is copied, but not checked: {NEEDS}")),
        "{err}"
    );
    assert!(next(&folder, &["unpack", "-qc", "whole.ign"]) == text);
    next(&folder, &["verify", "whole.ign"]);
    // Without index and footer the block is found by its head.
    let bytes = folder.read("a.ign");
    folder.write("cut.ign", &bytes[..bytes.len() - 60]);
    latest(&folder, 4, &["recover", "-q", "cut.ign", "-o", "found.ign"]);
    assert!(next(&folder, &["unpack", "-qc", "found.ign"]) == text);
    next(&folder, &["verify", "found.ign"]);
}

#[test]
fn damage_in_the_head_of_a_later_block_is_damage() {
    let (folder, texts) = mixed();
    let mut bytes = folder.read("a.ign");
    let head = b"ignB";
    let starts: Vec<usize> = bytes
        .windows(4)
        .enumerate()
        .filter(|(_, w)| w == head)
        .map(|(at, _)| at)
        .collect();
    bytes[starts[1] + 20] ^= 1;
    folder.write("a.ign", &bytes);
    let (out, err) = latest(&folder, 4, &["unpack", "-c", "--damaged", "a.ign"]);
    assert!(out == [&texts[0][..], &texts[2]].concat());
    assert!(!err.contains(NEEDS), "{err}");
}
