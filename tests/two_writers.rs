//! Do two programs that write one file at the same time leave a whole one, and does the second say
//! why it ends?
//!
//! Alone in its process: a program that another test starts would hold its locks for a moment.

mod util;

use std::{collections::BTreeSet, process::Stdio};

use ign_archive::{Appender, NewFile};
use ign_testing::{cases, games};
use util::Folder;

/// A folder with `a.pgn`, `b.pgn`, and `a.ign` in small blocks.
fn packed() -> Folder {
    let folder = Folder::with("a.pgn", games(60));
    folder.write("b.pgn", games(40));
    let options = ["pack", "-B", "16K", "--coding", "ign", "a.pgn"];
    folder.ign(&options).done();
    folder
}

fn locks_keep_other_programs_from_writing() {
    let folder = packed();
    let append = ["append", "-q", "a.ign", "b.pgn"];
    let appender = Appender::open(folder.path("a.ign")).unwrap();
    let busy = "another ign process is writing a.ign";
    folder.ign(&append).failed(1, busy);
    if cfg!(unix) {
        folder
            .ign(&["pack", "-f", "b.pgn", "-o", "a.ign"])
            .failed(1, busy);
    }
    // Readers are not affected.
    folder.ign(&["verify", "a.ign"]).done();
    drop(appender);
    folder.ign(&append).done();

    let pack = ["pack", "-qf", "b.pgn", "-o", "new.ign"];
    let file = NewFile::create(folder.path("new.ign"), true).unwrap();
    folder
        .ign(&pack)
        .failed(1, "another ign process is writing new.ign");
    folder
        .ign(&["pack", "-q", "b.pgn", "-o", "other.ign"])
        .done();
    drop(file);
    folder.ign(&pack).done();
    let names = ["a.ign", "a.pgn", "b.pgn", "new.ign", "other.ign"];
    assert_eq!(folder.names(), names);
}

/// Runs a command several times at once. Returns how many did their work; the others must say that
/// they are not alone, or came too late.
fn at_once(folder: &Folder, args: &[&str]) -> usize {
    let children: Vec<_> = (0..3)
        .map(|_| {
            let mut command = folder.command(args);
            command.stdin(Stdio::null()).stdout(Stdio::null());
            command.stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let done = children.into_iter().map(|child| {
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_refused = [
            "another ign process is writing",
            "already exists",
            "meanwhile",
        ]
        .iter()
        .any(|words| err.contains(words));
        match output.status.code() {
            Some(0) => 1,
            Some(1) if is_refused => 0,
            code => panic!("{code:?}: {args:?}: {err}"),
        }
    });
    done.sum()
}

fn programs_that_run_at_once_leave_whole_files() {
    let folder = packed();
    let archive = folder.read("a.ign");
    let mut counts = BTreeSet::new();
    for _ in 0..cases(8, 30) {
        for (args, out) in [
            (&["pack", "-q", "b.pgn", "-o", "new.ign"][..], "new.ign"),
            (&["pack", "-qf", "b.pgn", "-o", "new.ign"], "new.ign"),
            (
                &["merge", "-q", "a.ign", "a.ign", "-o", "new.ign"],
                "new.ign",
            ),
            (&["unpack", "-q", "a.ign", "-o", "new.pgn"], "new.pgn"),
            (&["index", "-qf", "a.ign"], "a.ign.idx"),
        ] {
            let done = at_once(&folder, args);
            counts.insert(done);
            let new = folder.read(out);
            folder.remove(out);
            folder.ign(args).done();
            assert!(done > 0 && folder.read(out) == new, "{args:?}: {done}");
            folder.remove(out);
        }
        // Each append that succeeds adds its games, and the others nothing.
        let done = at_once(&folder, &["append", "-q", "a.ign", "b.pgn"]);
        counts.insert(done);
        assert!(done > 0);
        folder.ign(&["verify", "-q", "a.ign"]).done();
        let text = folder.ign(&["unpack", "-qc", "a.ign"]).done();
        assert!(text == [games(60), games(40).repeat(done)].concat());
        let done = at_once(&folder, &["parity", "-q", "a.ign"]);
        assert!(done > 0);
        folder.ign(&["verify", "-q", "a.ign"]).done();
        folder.write("a.ign", &archive);
        assert_eq!(folder.names(), ["a.ign", "a.pgn", "b.pgn"]);
    }
    assert!(counts.len() > 1, "no program met another one: {counts:?}");
}

#[test]
fn two_writers_of_one_name_do_not_mix() {
    locks_keep_other_programs_from_writing();
    programs_that_run_at_once_leave_whole_files();
}
