//! What becomes of a block that does not decode to its text?
//!
//! `IGN_FAULT` damages a column of the blocks that contain a word. Programs without debug
//! assertions ignore it.

use ign_testing::games;

use crate::util::Folder;

/// Runs `ign` with a fault; returns the exit status and standard error.
fn with_fault(folder: &Folder, fault: &str, args: &[&str]) -> (Option<i32>, String) {
    let output = folder.command(args).env("IGN_FAULT", fault).output();
    let output = output.unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), err)
}

/// A word that only one game has.
fn word(text: &[u8]) -> String {
    let text = std::str::from_utf8(text).unwrap();
    let site = text.split("lichess.org/").nth(30).unwrap();
    site[..8].to_owned()
}

/// The number of games of an archive, and of its plies.
fn counts(folder: &Folder, archive: &str) -> (u64, u64) {
    let info = folder.ign(&["stats", "--json", archive]).done();
    let info: serde_json::Value = serde_json::from_slice(&info).unwrap();
    (
        info["games"].as_u64().unwrap(),
        info["plies"].as_u64().unwrap(),
    )
}

#[cfg(debug_assertions)]
#[test]
fn a_block_that_does_not_decode_is_stored_in_a_simpler_form_and_reported() {
    let text = games(60);
    let word = word(&text);
    let folder = Folder::with("a.pgn", &text);
    for coding in ["weighted", "ign", "ign-end"] {
        let pack = ["pack", "-qfB", "4K", "--coding", coding, "a.pgn", "-o"];
        folder.ign(&[&pack[..], &["good.ign"]].concat()).done();
        let good = counts(&folder, "good.ign");
        for column in ["moves", "schemas"] {
            let fault = format!("{column}:{word}");
            let pack = [&pack[..], &["bad.ign"]].concat();
            let (code, err) = with_fault(&folder, &fault, &pack);
            assert_eq!(code, Some(3), "{err}");
            assert!(err.contains("bad.ign: 1 block did not decode"), "{err}");
            folder.ign(&["verify", "bad.ign"]).done();
            assert!(folder.ign(&["unpack", "-qc", "bad.ign"]).done() == text);
            let bad = counts(&folder, "bad.ign");
            assert!(bad.1 < good.1, "{column}: {bad:?}");
            // The tags are still read if the fault is in the moves.
            assert_eq!(bad.0 == good.0, column == "moves", "{column}: {bad:?}");
        }
    }

    folder.write("b.sgf", "(;GM[1]SZ[9];B[ee];W[ec])\n");
    let (code, err) = with_fault(&folder, "moves:GM", &["append", "good.ign", "b.sgf"]);
    assert!(code == Some(3) && err.contains("is block"), "{err}");
    let all = folder.ign(&["unpack", "-qc", "good.ign"]).done();
    assert!(all.starts_with(&text) && all.ends_with(&folder.read("b.sgf")));
    folder.ign(&["verify", "good.ign"]).done();

    let transcode = [
        "transcode",
        "-qf",
        "bad.ign",
        "--coding",
        "ign",
        "-o",
        "c.ign",
    ];
    let (code, err) = with_fault(&folder, "moves:", &transcode);
    assert!(code == Some(3) && err.contains("did not decode"), "{err}");
    folder.ign(&["verify", "c.ign"]).done();
    assert!(folder.ign(&["unpack", "-qc", "c.ign"]).done() == text);
}

#[cfg(debug_assertions)]
#[test]
fn a_machine_that_computes_other_numbers_packs_and_verifies_nothing() {
    let folder = Folder::with("a.pgn", games(10));
    folder.ign(&["pack", "-q", "a.pgn", "-o", "a.ign"]).done();
    folder.ign(&["selftest"]).done();
    let fault = "answers:clock model";
    let mut selftest = folder.command(&["selftest"]);
    let output = selftest.env("IGN_FAULT", fault).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let table = String::from_utf8(output.stdout).unwrap();
    let wrong: Vec<_> = table
        .lines()
        .filter(|line| line.contains("WRONG"))
        .collect();
    assert!(
        matches!(wrong[..], [line] if line.starts_with("clock model ")),
        "{table}"
    );
    for args in [&["pack", "a.pgn", "-o", "b.ign"][..], &["verify", "a.ign"]] {
        let (code, err) = with_fault(&folder, fault, args);
        assert_eq!(code, Some(3), "{err}");
        assert!(
            err.contains("computes other numbers on this machine"),
            "{err}"
        );
    }
    assert!(!folder.path("b.ign").exists());
}
