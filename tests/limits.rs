//! Does a command end with a message when the system gives it no more: length of files, open files,
//! memory? Outputs without space are in `streams`.
#![cfg(target_os = "linux")]

#[path = "util/commands.rs"]
mod commands;
mod util;

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs,
    path::Path,
    process::{Command, Stdio},
};

use commands::{COMMANDS, Case, Effect, GAMES};
use ign_testing::games;
use util::Folder;

/// The commands that write files or to standard output.
fn commands(effect: Effect) -> impl Iterator<Item = String> {
    let cases = COMMANDS.iter().filter(move |case| case.effect == effect);
    let words = |case: &Case| case.args(OsStr::new("")).join(OsStr::new(" "));
    cases.map(move |case| words(case).into_string().unwrap())
}

/// A folder with the files that the commands read.
fn prepared() -> Folder {
    commands::prepared(OsStr::new(""))
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

/// All files by their paths, also those of the folder in it.
fn files(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for inner in ["", "folder/"] {
        for entry in fs::read_dir(folder.path(inner)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name != "folder" {
                let path = format!("{inner}{name}");
                files.insert(path.clone(), folder.read(&path));
            }
        }
    }
    files
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
    let folder = prepared();
    let before = files(&folder);
    for args in &commands(Effect::Writes).collect::<Vec<_>>() {
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
    let folder = prepared();
    let before = files(&folder);
    let mut failed = 0;
    for limit in [6, 7, 8, 10] {
        for args in &commands(Effect::Writes).collect::<Vec<_>>() {
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
            verify_all(&folder, files(&folder).into_keys());
            for name in files(&folder)
                .keys()
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

/// Below 75 MB the program itself is not loaded.
#[test]
fn without_memory_every_command_ends_with_a_message() {
    let folder = prepared();
    let before = files(&folder);
    let mut failed = 0;
    for kilobytes in [82_000, 100_000, 150_000] {
        for args in &commands(Effect::Writes)
            .chain(commands(Effect::Prints))
            .collect::<Vec<_>>()
        {
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
            for name in files(&folder).into_keys() {
                let is_left = name.contains(".ign-") && ended.code == Some(1);
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
                assert!(ended.code == Some(0) || text == games(GAMES), "{context}");
                folder.write("grown.ign", &before["grown.ign"]);
            }
        }
    }
    assert!(failed > 0);
}
