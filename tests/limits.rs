//! Does a command end with a message when the system gives it no more: length of files, open files, memory, space
//! for its output?
#![cfg(target_os = "linux")]

mod util;

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Stdio},
};

use ign_testing::games;
use util::Folder;

/// Commands that write to a file, or add to one.
const WRITERS: &[&str] = &[
    "pack a.pgn -o out --coding ign",
    "pack a.pgn -o out --parity 5%",
    "append grown.ign a.pgn",
    "index a.ign -o out",
    "merge a.ign grown.ign -o out",
    "split a.ign --games 200",
    "transcode a.ign --coding weighted -o out",
    "recover a.ign -o out",
    "parity grown.ign 50%",
    "export a.ign -o out.parquet",
    "export a.pgn -o out.csv",
    "unpack a.ign -o out.pgn",
    "find a.ign --result 1-0 -o out",
    "duplicates a.ign a.pgn -o out.pgn",
    "stats a.ign --svg out.svg",
    "tree a.ign --svg out.svg",
    "sample -o out.pgn",
];

/// Commands that write more to standard output than fits into a pipe's page.
const PRINTERS: &[&str] = &[
    "unpack a.ign -c",
    "get a.ign 1..",
    "list a.ign",
    "find a.ign --json",
    "export a.ign -c --format csv",
    "pack a.pgn -c",
    "sample",
    "stats a.ign",
    "tree a.ign",
    "duplicates a.ign a.pgn --json",
    "info a.ign",
    "recover a.ign -o out --json",
    "completions bash",
    "man",
    "help",
    "decode 5",
];

/// A folder with `a.pgn`, `a.ign`, and `grown.ign` that may grow.
fn prepared(count: u64) -> Folder {
    let folder = Folder::with("a.pgn", games(count));
    let pack = ["pack", "-qB", "64K", "--coding", "ign", "a.pgn"];
    folder.ign(&pack).done();
    folder.write("grown.ign", folder.read("a.ign"));
    folder
}

/// What a command left behind.
struct Ended {
    code: Option<i32>,
    err: String,
}

/// Runs `ign` in a shell that was limited, with its standard output there.
fn limited(folder: &Folder, limit: &str, args: &str, stdout: impl Into<Stdio>) -> Ended {
    let script = format!(
        "ulimit {limit} && exec {} {args}",
        env!("CARGO_BIN_EXE_ign")
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder.path(""));
    let output = shell.stdout(stdout).stderr(Stdio::piped()).output();
    let output = output.unwrap();
    Ended {
        code: output.status.code(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn files(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    let names = folder.names().into_iter();
    names
        .map(|name| (name.clone(), folder.read(&name)))
        .collect()
}

/// The archives that are left are whole.
fn verify_all(folder: &Folder, names: impl IntoIterator<Item = String>) {
    for name in names {
        if Path::new(&name).extension().is_some_and(|e| e == "ign") {
            folder.ign(&["verify", "-q", &name]).done();
        } else {
            assert!(!name.ends_with(".partial"), "{name}");
        }
    }
}

#[test]
fn a_limit_on_the_length_of_files_is_an_error_of_writing() {
    let folder = prepared(600);
    let before = files(&folder);
    for args in WRITERS {
        // New files may have 1,024 bytes; what grows has more already.
        let ended = limited(&folder, "-f 2", args, Stdio::null());
        assert_eq!(ended.code, Some(1), "{args}: {}", ended.err);
        let message = "the file would be larger than the system allows";
        assert!(ended.err.contains(message), "{args}: {}", ended.err);
        assert!(files(&folder) == before, "{args}: {:?}", folder.names());
    }
}

#[test]
fn a_limit_on_open_files_is_an_error_that_changes_nothing_else() {
    let folder = prepared(600);
    let before = files(&folder);
    let mut failed = 0;
    for limit in [6, 7, 8, 10] {
        for args in WRITERS {
            let ended = limited(&folder, &format!("-n {limit}"), args, Stdio::null());
            let context = format!("{limit}: {args}: {}", ended.err);
            match ended.code {
                Some(0) => {}
                Some(1) => {
                    assert!(ended.err.contains("Too many open files"), "{context}");
                    failed += 1;
                }
                _ => panic!("{:?}: {context}", ended.code),
            }
            verify_all(&folder, folder.names());
            for name in folder
                .names()
                .iter()
                .filter(|name| !before.contains_key(*name))
            {
                assert_eq!(ended.code, Some(0), "{context}: {name}");
                folder.remove(name);
            }
            for (name, bytes) in &before {
                let is_same = folder.read(name) == *bytes;
                assert!(is_same || ended.code == Some(0), "{context}: {name}");
                folder.write(name, bytes);
            }
        }
    }
    assert!(failed > 20, "{failed}");
}

/// Below 60 MB the program itself is not loaded.
#[test]
fn without_memory_every_command_ends_with_a_message() {
    let folder = prepared(600);
    let before = files(&folder);
    let mut failed = 0;
    for kilobytes in [60_000, 90_000, 140_000] {
        for args in WRITERS.iter().chain(PRINTERS) {
            let ended = limited(&folder, &format!("-v {kilobytes}"), args, Stdio::null());
            let context = format!("{kilobytes} kB: {args}: {}", ended.err);
            match ended.code {
                Some(0) => {}
                Some(1) => {
                    let says = |word| ended.err.contains(word);
                    assert!(says("memory") || says("thread"), "{context}");
                    failed += 1;
                }
                _ => panic!("{:?}: {context}", ended.code),
            }
            for name in folder.names() {
                let is_left = name.starts_with(".ign-") && ended.code == Some(1);
                let is_new = !before.contains_key(&name);
                assert!(
                    !is_new || is_left || ended.code == Some(0),
                    "{context}: {name}"
                );
                if is_new {
                    folder.remove(&name);
                }
            }
            if folder.read("grown.ign") != before["grown.ign"] {
                let text = folder.ign(&["unpack", "-qc", "grown.ign"]).done();
                assert!(ended.code == Some(0) || text == games(600), "{context}");
                folder.write("grown.ign", &before["grown.ign"]);
            }
        }
    }
    assert!(failed > 0);
}

#[test]
fn an_output_without_space_is_an_error_that_names_it() {
    let folder = prepared(600);
    for args in PRINTERS {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let ended = limited(&folder, "-S -c 0", args, full);
        assert_eq!(ended.code, Some(1), "{args}: {}", ended.err);
        let message = "standard output: no space left on the device";
        assert!(ended.err.contains(message), "{args}: {}", ended.err);
    }
    folder
        .ign(&["unpack", "a.ign", "-o", "/dev/full"])
        .failed(1, "/dev/full: no space left on the device");
}
