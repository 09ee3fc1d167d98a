//! Do `ign append`, `ign merge` and `ign split` do what they say, and is nothing lost when they are
//! stopped or misused?

use std::{
    fs,
    io::Write,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use ign_format::container::append_mark;
use ign_testing::games;
use serde_json::Value;

use crate::util::Folder;

/// A folder with `a.pgn`, `b.pgn`, and `a.ign` in small blocks.
fn packed(coding: &str) -> Folder {
    let folder = Folder::with("a.pgn", games(60));
    folder.write("b.pgn", games(40));
    let options = ["pack", "-B", "16K", "--coding", coding, "a.pgn"];
    folder.ign(&options).done();
    folder
}

fn unpacked(folder: &Folder, archive: &str) -> Vec<u8> {
    folder.ign(&["verify", archive]).done();
    folder.ign(&["unpack", "-c", archive]).done()
}

#[test]
fn append_takes_every_input_of_pack_and_says_what_it_did() {
    for coding in ["ign", "weighted"] {
        let folder = packed(coding);
        folder.ign(&["index", "a.ign"]).done();
        let zst = zstd::bulk::compress(&games(40), 3).unwrap();
        folder.write("b.pgn.zst", zst);
        folder.write("c.sgf", "(;GM[1]SZ[9];B[aa];W[bb])\n");
        folder.write("empty", "");
        folder.write("note", "no game\n");
        let names = ["b.pgn", "b.pgn.zst", "c.sgf", "empty", "note"];
        let run = folder.ign(&[&["append", "a.ign"], &names[..]].concat());
        for words in [
            "a.ign: appended 81 games, ",
            ", now 141 games, in ",
            "a.ign.idx: extended by 81 games",
        ] {
            assert!(run.err.contains(words), "{}", run.err);
        }
        run.done();
        folder
            .ign_fed(&games(3), &["append", "-q", "a.ign", "-"])
            .done();
        let text = [
            &games(60)[..],
            &games(40),
            &games(40),
            b"(;GM[1]SZ[9];B[aa];W[bb])\n",
            b"no game\n",
            &games(3),
        ];
        assert!(unpacked(&folder, "a.ign") == text.concat());
        let names = folder.ign(&["info", "a.ign"]).done();
        let names = String::from_utf8(names).unwrap();
        for name in ["a.pgn", "b.pgn.zst", "c.sgf", "note", "standard input"] {
            assert!(names.contains(&format!("source {name}: ")), "{names}");
        }
        assert!(names.contains("superseded"), "{names}");
        // The index has the new games.
        let find = ["find", "a.ign", "--white", "*", "--count"];
        let run = folder.ign(&find);
        assert!(run.err.is_empty(), "{}", run.err);
        let count = run.done();
        folder.ign(&["index", "-f", "a.ign"]).done();
        let run = folder.ign(&find);
        assert!(run.err.is_empty(), "{}", run.err);
        assert_eq!(run.done(), count);
    }
}

#[test]
fn warns_of_a_text_that_is_in_the_archive_already() {
    let folder = packed("ign");
    folder.write("copy.pgn", games(60));
    folder.write("empty", "");
    let warnings = |args: &[&str]| {
        let run = folder.ign(args);
        let lines = run.err.lines().filter(|line| line.starts_with("warning: "));
        let warnings: Vec<String> = lines.map(Into::into).collect();
        run.done();
        warnings
    };
    let repeated = |new: &str, known: &str| {
        format!("warning: {new} has the same text as {known}, which is in the archive already")
    };
    folder.ign(&["pack", "b.pgn"]).done();
    let twice = ["merge", "a.ign", "b.ign", "a.ign", "-o", "c.ign"];
    assert_eq!(warnings(&twice), [repeated("a.pgn", "a.pgn")]);
    assert_eq!(
        warnings(&["append", "a.ign", "empty", "copy.pgn", "empty", "b.pgn"]),
        [repeated("copy.pgn", "a.pgn")]
    );
    // What was repeated before is not named again.
    assert_eq!(
        warnings(&["append", "a.ign", "b.pgn"]),
        [repeated("b.pgn", "b.pgn")]
    );
    assert!(warnings(&["append", "-q", "a.ign", "b.pgn"]).is_empty());
    let text = [games(60), games(60), games(40), games(40), games(40)].concat();
    assert!(unpacked(&folder, "a.ign") == text);
}

#[test]
fn appended_games_are_those_of_packing_together() {
    let folder = packed("ign");
    folder.ign(&["append", "a.ign", "b.pgn"]).done();
    let options = [
        "pack", "-B", "16K", "--coding", "ign", "a.pgn", "b.pgn", "-o", "ab.ign",
    ];
    folder.ign(&options).done();
    let list = |archive: &str| folder.ign(&["list", archive]).done();
    assert_eq!(list("a.ign"), list("ab.ign"));
    let options = [
        "append", "a.ign", "b.pgn", "--coding", "weighted", "-B", "8M", "-l", "3",
    ];
    folder.ign(&options).done();
    let info = String::from_utf8(folder.ign(&["info", "a.ign"]).done()).unwrap();
    assert!(info.contains("moves ign and weighted"), "{info}");
    // Without what appends have left behind.
    folder.ign(&["merge", "a.ign", "-o", "c.ign"]).done();
    assert!(unpacked(&folder, "c.ign") == unpacked(&folder, "a.ign"));
    assert!(folder.read("c.ign").len() < folder.read("a.ign").len());
}

#[test]
fn append_refuses_bad_requests_and_leaves_the_archive_as_it_is() {
    let folder = packed("ign");
    let before = folder.read("a.ign");
    folder.write("other.ign", "not an archive");
    let mut old = before.clone();
    old[12] = 13;
    folder.write("old.ign", old);
    fs::create_dir(folder.path("folder")).unwrap();
    folder.write(
        "cut.pgn.zst",
        &zstd::bulk::compress(&games(40), 3).unwrap()[..2000],
    );
    for (args, code, words) in [
        (&["append", "a.ign", "missing.pgn"][..], 1, "no such file"),
        (
            &["append", "a.ign", "b.pgn", "missing.pgn"],
            1,
            "no such file",
        ),
        (&["append", "a.ign", "folder"], 1, "no .pgn or .sgf files"),
        (&["append", "a.ign", "a.ign"], 1, "ign merge joins archives"),
        (
            &["append", "a.ign", "b.pgn", "a.ign"],
            1,
            "ign merge joins archives",
        ),
        (&["append", "a.ign", "b.pgn", "cut.pgn.zst"], 2, "cut off"),
        (
            &["append", "-", "b.pgn"],
            1,
            "standard output is not an archive",
        ),
        (
            &["append", "a.ign", "-", "-"],
            1,
            "standard input can be read only once",
        ),
        (
            &["pack", "-", "-", "-o", "x.ign"],
            1,
            "standard input can be read only once",
        ),
        (&["append", "missing.ign", "b.pgn"], 1, "no such file"),
        (&["append", "folder", "b.pgn"], 1, "is a directory"),
        (&["append", "b.pgn", "a.pgn"], 2, "not an ign archive"),
        (&["append", "other.ign", "a.pgn"], 2, "not an ign archive"),
        (&["append", "old.ign", "a.pgn"], 2, ""),
        (&["append", "a.ign"], 1, "required"),
        (&["append", "a.ign", "b.pgn", "-l", "0"], 1, "invalid value"),
    ] {
        folder.ign(args).failed(code, words);
        assert!(folder.read("a.ign") == before, "{args:?}");
    }
    assert!(folder.read("b.pgn") == games(40));
    folder
        .ign_fed(&before, &["append", "a.ign", "-"])
        .failed(1, "ign merge");
    assert!(folder.read("a.ign") == before);
    let options = ["append", "-q", "a.ign", "b.pgn"];
    let run = folder.ign(&options);
    assert_eq!(run.err, "");
    run.done();
}

#[cfg(unix)]
#[test]
fn append_to_a_file_that_cannot_be_written_fails() {
    use std::os::unix::fs::PermissionsExt;
    let folder = packed("ign");
    let before = folder.read("a.ign");
    let path = folder.path("a.ign");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    // The superuser may write all files.
    if fs::File::options().append(true).open(&path).is_err() {
        folder
            .ign(&["append", "a.ign", "b.pgn"])
            .failed(1, "permission denied");
    }
    assert!(folder.read("a.ign") == before);
}

/// The command with a limit on the length of files, in units of 512 bytes: at the limit, writing
/// fails.
#[cfg(unix)]
fn limited(folder: &Folder, blocks: usize, args: &str) -> std::process::Output {
    let command = format!("ulimit -f {blocks}; {} {args}", env!("CARGO_BIN_EXE_ign"));
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &command]).current_dir(folder.path(""));
    shell.output().unwrap()
}

#[cfg(unix)]
#[test]
fn append_on_a_full_disk_leaves_the_archive_as_it_was() {
    let folder = packed("ign");
    let before = folder.read("a.ign");
    folder.write("c.pgn", games(300));
    for more in [1, 3, 8, 20] {
        let blocks = before.len() / 512 + more;
        let output = limited(&folder, blocks, "append a.ign c.pgn");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains("the file would be larger"), "{error}");
        assert!(folder.read("a.ign") == before);
    }
    // Nothing is left of a file that could not be written.
    let names = folder.names();
    let output = limited(&folder, 8, "pack c.pgn -o c.ign");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(folder.names(), names);
}

/// Starts the command and kills it after this time, unless it has ended.
fn killed(folder: &Folder, args: &[&str], after: Duration) {
    let mut command = folder.command(args);
    command.stdin(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    thread::sleep(after);
    _ = child.kill();
    child.wait().unwrap();
}

/// Appends more bytes than are buffered from a pipe that does not end, and kills the command when
/// the first of them are in the archive.
fn killed_while_it_writes(folder: &Folder, archive: &str) {
    let len = || fs::metadata(folder.path(archive)).unwrap().len();
    let before = len();
    let mut command = folder.command(&["append", "-q", archive, "-"]);
    command.stdin(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    // Digits of random numbers, which take half of their length.
    let mut state = 1u64;
    let mut digits = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        format!("{:08x}\n", state >> 32)
    };
    let text: String = (0..200_000).map(|_| digits()).collect();
    child
        .stdin
        .as_mut()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let start = Instant::now();
    while len() == before && start.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(5));
    }
    _ = child.kill();
    child.wait().unwrap();
}

/// How long the command takes.
fn time(folder: &Folder, args: &[&str]) -> Duration {
    let start = Instant::now();
    folder.ign(args).done();
    start.elapsed()
}

#[test]
fn killed_writers_leave_nothing_behind_after_the_next_run() {
    let folder = Folder::with("a.pgn", games(300));
    let pack = ["pack", "-qf", "-B", "16K", "--coding", "ign", "a.pgn"];
    let whole = time(&folder, &pack);
    let names = ["a.ign", "a.pgn"];
    let mut left = 0;
    for kill in 0..60 {
        killed(&folder, &pack, whole * kill / 60);
        left += usize::from(folder.names() != names);
        assert!(folder.names().len() <= 3, "{:?}", folder.names());
        folder.ign(&["verify", "-q", "a.ign"]).done();
    }
    assert!(left > 0, "no run was killed while it wrote");
    // Another name in the same folder.
    folder.ign(&["unpack", "-q", "a.ign", "-o", "b.pgn"]).done();
    assert_eq!(folder.names(), ["a.ign", "a.pgn", "b.pgn"]);
}

#[test]
fn killed_appends_leave_the_archive_as_before_or_after() {
    let folder = packed("ign");
    folder.write("c.pgn", games(300));
    let before = folder.read("a.ign");
    let append = ["append", "-q", "a.ign", "c.pgn"];
    let whole = time(&folder, &append);
    let after = folder.read("a.ign");
    let text = [games(60), games(300)].concat();
    folder.write("a.ign", &before);
    let mut cut = 0;
    for kill in 0..41 {
        match kill {
            // Most of these end before the first byte is written, or after the last one.
            0..40 => killed(&folder, &append, whole * kill / 40),
            _ => killed_while_it_writes(&folder, "a.ign"),
        }
        let bytes = folder.read("a.ign");
        assert!(bytes.starts_with(&before));
        // Killed before its last step, an append is complete, but its mark does not say so.
        let rest = before.len() + append_mark::LEN;
        let is_after = bytes.len() == after.len() && bytes[rest..] == after[rest..];
        if bytes != before && !is_after {
            cut += 1;
            let run = folder.ign(&["unpack", "-c", "a.ign"]);
            assert!(run.err.contains("warning: a.ign: "), "{}", run.err);
            assert!(
                run.err.contains("after the archive are ignored"),
                "{}",
                run.err
            );
            assert!(run.done() == games(60));
            let quiet = folder.ign(&["unpack", "-qc", "a.ign"]);
            assert_eq!(quiet.err, "");
            // It is one damage, whatever was written.
            let run = folder.ign(&["verify", "a.ign"]);
            assert_eq!(run.err.lines().count(), 1, "{}", run.err);
            run.failed(2, "bytes follow the last footer: an append was interrupted");
            let run = folder.ign(&["append", "a.ign", "c.pgn"]);
            assert!(
                run.err
                    .contains("after the archive: writing them was interrupted"),
                "{}",
                run.err
            );
            run.done();
        } else if bytes == before {
            folder.ign(&append).done();
        }
        assert!(is_after || folder.read("a.ign") == after);
        assert!(kill > 0 || unpacked(&folder, "a.ign") == text);
        folder.write("a.ign", &before);
    }
    assert!(cut > 0, "no append was killed while it wrote");
}

#[test]
fn every_command_warns_of_bytes_after_an_archive() {
    let folder = packed("ign");
    let mut bytes = folder.read("a.ign");
    bytes.extend(b"more");
    folder.write("a.ign", &bytes);
    for args in [
        &["get", "a.ign", "1"][..],
        &["list", "a.ign", "1"],
        &["find", "a.ign", "--white", "*"],
        &["info", "a.ign"],
        &["stats", "a.ign"],
        &["duplicates", "a.ign"],
        &["tree", "a.ign"],
        &["export", "a.ign", "-o", "a.csv"],
        &["index", "a.ign"],
        &["unpack", "-f", "a.ign"],
        &["merge", "a.ign", "-o", "m.ign"],
        &["split", "a.ign", "--games", "1000"],
    ] {
        let run = folder.ign(args);
        let warning = "warning: a.ign: 4 bytes after the archive are ignored";
        assert!(run.err.contains(warning), "{args:?}: {}", run.err);
        assert_eq!(
            run.err.matches("warning").count(),
            1,
            "{args:?}: {}",
            run.err
        );
        assert!(
            run.code.is_some_and(|code| code <= 1),
            "{args:?}: {}",
            run.err
        );
    }
    folder
        .ign(&["verify", "a.ign"])
        .failed(2, "4 bytes follow the last footer");
    folder.ign(&["verify", "m.ign", "a-001.ign"]).done();
}

#[test]
fn merge_concatenates_archives_and_refuses_bad_requests() {
    let folder = packed("weighted");
    folder.ign(&["pack", "--coding", "ign", "b.pgn"]).done();
    let run = folder.ign(&["merge", "a.ign", "b.ign", "a.ign", "-o", "m.ign"]);
    assert!(
        run.err.starts_with("m.ign: merged 3 archives, 160 games, "),
        "{}",
        run.err
    );
    run.done();
    let text = [games(60), games(40), games(60)].concat();
    assert!(unpacked(&folder, "m.ign") == text);
    let info = String::from_utf8(folder.ign(&["info", "m.ign"]).done()).unwrap();
    assert!(info.contains("moves ign and weighted"), "{info}");
    assert_eq!(info.matches("source a.pgn").count(), 2, "{info}");
    // It grows with the default coding.
    folder.ign(&["append", "m.ign", "b.pgn"]).done();
    assert!(unpacked(&folder, "m.ign") == [text, games(40)].concat());
    let out = folder.ign(&["merge", "a.ign", "-c"]).done();
    folder.write("c.ign", out);
    assert!(unpacked(&folder, "c.ign") == games(60));
    let before = folder.read("a.ign");
    for (args, code, words) in [
        (&["merge", "a.ign", "b.ign"][..], 1, "needs a name"),
        (
            &["merge", "a.ign", "b.ign", "-o", "m.ign"],
            1,
            "already exists",
        ),
        (
            &["merge", "a.ign", "b.ign", "-fo", "a.ign"],
            1,
            "the output is also an input",
        ),
        (
            &["merge", "a.ign", "b.pgn", "-o", "n.ign"],
            2,
            "b.pgn: not an ign archive",
        ),
        (
            &["merge", "a.ign", "none.ign", "-o", "n.ign"],
            1,
            "none.ign: no such file",
        ),
        (&["merge", "a.ign", "-o", "none/n.ign"], 1, "does not exist"),
        (&["merge", "-o", "n.ign"], 1, "required"),
    ] {
        folder.ign(args).failed(code, words);
    }
    assert!(folder.read("a.ign") == before);
    let mut bad = before.clone();
    bad[before.len() / 2] ^= 1;
    folder.write("bad.ign", bad);
    let names = folder.names();
    folder
        .ign(&["merge", "a.ign", "bad.ign", "-o", "n.ign"])
        .failed(2, "bad.ign: block ");
    assert_eq!(folder.names(), names);
}

#[test]
fn split_names_its_archives_and_they_merge_to_the_text() {
    let folder = packed("ign");
    let run = folder.ign(&["split", "a.ign", "--games", "25"]);
    let lines: Vec<&str> = run.err.lines().collect();
    assert!(lines[0].starts_with("a-001.ign: 25 games, "), "{lines:?}");
    assert!(lines[2].starts_with("a-003.ign: 10 games, "), "{lines:?}");
    assert!(
        lines[3].starts_with("a.ign: split into 3 archives, "),
        "{lines:?}"
    );
    run.done();
    let parts = ["a-001.ign", "a-002.ign", "a-003.ign"];
    folder
        .ign(&[&["merge"], &parts[..], &["-o", "m.ign"]].concat())
        .done();
    assert!(unpacked(&folder, "m.ign") == games(60));
    folder
        .ign(&["split", "a.ign", "--games", "25"])
        .failed(1, "already exists");
    folder
        .ign(&["split", "-f", "a.ign", "--games", "25"])
        .done();
    folder.remove("m.ign");
    for part in parts {
        folder.remove(part);
    }

    fs::create_dir(folder.path("parts")).unwrap();
    folder
        .ign(&["split", "-q", "a.ign", "--bytes", "3K", "-o", "parts"])
        .done();
    let mut text = Vec::new();
    let entries = fs::read_dir(folder.path("parts")).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    names.sort();
    for path in &names {
        assert!(fs::metadata(path).unwrap().len() <= 3 << 10);
        let path = path.to_str().unwrap();
        text.extend(unpacked(&folder, path));
    }
    assert!(names.len() > 1 && text == games(60));
    assert_eq!(folder.names(), ["a.ign", "a.pgn", "b.pgn", "parts"]);
}

#[test]
fn split_by_values_and_refused_splits() {
    let folder = packed("ign");
    folder.ign(&["split", "a.ign", "--by", "result"]).done();
    folder
        .ign(&["verify", "a-1-0.ign", "a-0-1.ign", "a-1_2-1_2.ign"])
        .done();
    for name in ["a-1-0.ign", "a-0-1.ign", "a-1_2-1_2.ign"] {
        folder.remove(name);
    }
    folder.ign(&["split", "a.ign", "--by", "year"]).done();
    // The archives of a key are those of its values in a count.
    for key in ["elo:200", "white-elo:500", "plies:20", "speed", "eco:1"] {
        std::fs::create_dir_all(folder.path(key)).unwrap();
        folder
            .ign(&["split", "-q", "a.ign", "--by", key, "-o", key])
            .done();
        let count = folder
            .ign(&["count", "a.ign", "--by", key, "--json"])
            .objects();
        let count = count[0]["rows"].as_array().unwrap();
        let names = std::fs::read_dir(folder.path(key)).unwrap().count();
        assert_eq!(names, count.len(), "{key}");
        for row in count {
            let name = key.split(':').next().unwrap().replace('-', "_");
            let band: Option<i64> = key.split(':').nth(1).and_then(|band| band.parse().ok());
            let part = match (&row[&name], band) {
                (Value::Number(least), Some(band)) => {
                    let least = least.as_i64().unwrap();
                    format!("{least}..{}", least + band - 1)
                }
                (Value::String(text), _) => text.clone(),
                _ => "unknown".to_owned(),
            };
            let archive = format!("{key}/a-{part}.ign");
            let info = &folder.ign(&["info", "--json", &archive]).objects()[0];
            assert_eq!(info["games"], row["games"], "{archive}");
        }
    }
    assert!(unpacked(&folder, "a-2013.ign") == games(60));
    folder.remove("a-2013.ign");
    folder.write("many.pgn", games(500));
    folder.ign(&["pack", "--coding", "ign", "many.pgn"]).done();
    folder.ign(&["pack", "-o", "empty.ign", "-"]).done();
    let names = folder.names();
    for (args, code, words) in [
        (&["split", "a.ign"][..], 1, "--games"),
        (&["split", "a.ign", "--games", "0"], 1, "invalid value"),
        (
            &["split", "a.ign", "--games", "5", "--by", "year"],
            1,
            "cannot be used with",
        ),
        (&["split", "a.ign", "--bytes", "x"], 1, "write a size"),
        (
            &["split", "a.ign", "--bytes", "10"],
            1,
            "takes more than 10 bytes",
        ),
        (
            &["split", "a.ign", "--bytes", "400"],
            1,
            "this game alone takes more",
        ),
        (
            &["split", "a.ign", "--by", "colour"],
            1,
            "no game has a value of the tag colour",
        ),
        (
            &["split", "many.ign", "--by", "site"],
            1,
            "more than 400 archives",
        ),
        (
            &["split", "many.ign", "--games", "1"],
            1,
            "take 2 games or more",
        ),
        (
            &["split", "empty.ign", "--games", "1"],
            1,
            "nothing to split",
        ),
        (
            &["split", "a.ign", "--games", "9", "-o", "a.pgn/none"],
            1,
            "a.pgn/none",
        ),
        (&["split", "a.pgn", "--games", "9"], 2, "not an ign archive"),
        (&["split", "none.ign", "--games", "9"], 1, "no such file"),
    ] {
        folder.ign(args).failed(code, words);
        assert_eq!(folder.names(), names, "{args:?}");
    }
}

#[test]
fn split_by_file_undoes_appends_and_merges() {
    let folder = packed("weighted");
    folder.ign(&["append", "a.ign", "b.pgn"]).done();
    folder.write("c.pgn", games(3));
    folder.ign(&["pack", "c.pgn"]).done();
    folder
        .ign(&["merge", "a.ign", "c.ign", "-o", "all.ign"])
        .done();
    fs::create_dir(folder.path("parts")).unwrap();
    let run = folder.ign(&["split", "all.ign", "--by", "file", "-o", "parts"]);
    assert!(run.err.contains(" copied, 0 encoded, "), "{}", run.err);
    run.done();
    for (name, count) in [("a", 60), ("b", 40), ("c", 3)] {
        let part = format!("parts/all-{name}.ign");
        assert!(unpacked(&folder, &part) == games(count), "{name}");
    }
    // The tag of this name is another one.
    folder
        .ign(&["split", "all.ign", "--by", "File"])
        .failed(1, "no game has a value of the tag File");
}

#[test]
fn split_warns_of_archives_that_the_same_pattern_names() {
    let folder = packed("ign");
    let run = folder.ign(&["split", "a.ign", "--games", "15"]);
    assert!(!run.err.contains("warning"), "{}", run.err);
    run.done();
    folder.write("b-001.ign", "another stem");
    folder.write("a-001.txt", "another extension");
    let run = folder.ign(&["split", "-f", "a.ign", "--games", "25"]);
    let warning =
        "warning: not of this split are a-004.ign: ign merge a-*.ign would take them too\n";
    assert!(run.err.ends_with(warning), "{}", run.err);
    run.done();
    let run = folder.ign(&["split", "a.ign", "--by", "year"]);
    let warning = "not of this split are a-001.ign, a-002.ign, a-003.ign, a-004.ign: \
                   ign merge a-*.ign would take them too\n";
    assert!(run.err.ends_with(warning), "{}", run.err);
    run.done();
}

#[test]
fn split_says_what_it_can_divide_by_and_where_it_writes() {
    let folder = packed("ign");
    let remedy = "no game has a value of the tag week (divide by date, month, year, file, a band such as elo:200, or a tag: Black, BlackElo, ";
    let split = ["split", "a.ign", "--by", "week"];
    folder.ign(&split).failed(1, remedy);
    let split = ["split", "a.ign", "--by", "year", "-o", "a.pgn"];
    folder
        .ign(&split)
        .failed(1, "a.pgn: is a file, and -o names a folder here");
    folder.write("many.pgn", "1. e4 *\n\n".repeat(1000));
    folder.ign(&["pack", "--coding", "ign", "many.pgn"]).done();
    folder
        .ign(&["split", "many.ign", "--games", "1"])
        .failed(1, "1,000 archives would be written");
}

#[test]
fn split_makes_its_folder() {
    let folder = Folder::with("a.pgn", games(10));
    folder.ign(&["pack", "-q", "a.pgn"]).done();
    let args = ["split", "a.ign", "--games", "5", "-o", "parts/of/a"];
    folder.ign(&args).done();
    let names = std::fs::read_dir(folder.path("parts/of/a")).unwrap();
    assert_eq!(names.count(), 2);
}
